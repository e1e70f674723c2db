//! Shards: shares of a program's paths, explored by runs of their own, and put together again.
//!
//! Each run leaves a file with everything that it found and counted beside what users read. Putting shards together
//! does with these what a run with several workers does: findings in the order of their paths, each error at a
//! place once, numbers added. Shards belong together if their program and what they were told are the same, and if
//! they divided the same states; a limit of time on the solver's questions may keep them from that, and then
//! some paths would be in two shards, or in none.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use cache_core::digest::Confirm;
use serde::{Deserialize, Serialize};

use super::conclusion::{Outcome, STATS_INTERVAL, conclude, exit_code};
use super::folder;
use super::joint::{Joint, in_order, unite};
use super::options::{LeftOut, Options};
use super::output::Output;
use super::program::understand;
use super::render::{Found, Renderer};
use super::run_error::RunError;
use crate::base::system::System;
use crate::exec::{Account, Coverage, ExecConfig, Observer, Share};
use crate::module::reader::{decode, encode};
use crate::solver::Counts;

/// The file's name in an output folder.
const FILE: &str = "shard.bin";

/// The version of its shape and of what choices there are on paths, before everything else in it.
const FORMAT: u32 = 3;

/// What is written of a shard.
#[derive(Debug, Serialize, Deserialize)]
struct Shard {
    share: Share,
    /// Of the program as it was read.
    program: [u8; 32],
    /// Of what the run was told.
    told: [u8; 32],
    /// Of the states that were divided.
    divided: [u8; 32],
    /// The program itself, in the first shard.
    module: Option<Vec<u8>>,
    all_errors: bool,
    found: Vec<Found>,
    warnings: Vec<(bool, String)>,
    account: Account,
    coverage: Coverage,
    counts: Counts,
    expressions: u64,
    peak: u64,
}

/// What is to be put together.
#[derive(Clone, Debug)]
pub struct MergeOptions {
    /// The folder that is written; must not exist.
    pub output: PathBuf,
    /// The shards' output folders.
    pub shards: Vec<PathBuf>,
    /// A file for the counts as JSON.
    pub stats: Option<PathBuf>,
}

/// Why shards cannot be put together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// There is no file of a shard.
    #[error("{}: no output folder of `symexec run --shard`: {error}", folder.display())]
    NoShard {
        /// Where.
        folder: PathBuf,
        /// Why.
        error: String,
    },
    /// Two shards are not of one run.
    #[error("{} and {} do not belong together: {why}", one.display(), other.display())]
    Apart {
        /// One of them.
        one: PathBuf,
        /// The other one.
        other: PathBuf,
        /// What differs.
        why: &'static str,
    },
    /// A shard is not there.
    #[error("shard {number}/{count} is missing: give the output folders of all {count}")]
    Missing {
        /// Which.
        number: u32,
        /// How many there are.
        count: u32,
    },
    /// The result cannot be written, or the program not be understood.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Writes the file of a shard into its output folder.
pub(super) fn keep(
    output: &mut Output,
    options: &Options,
    config: &ExecConfig,
    program: &[u8],
    joint: &Joint,
) {
    let Some(share) = options.share else { return };
    let digest = |bytes: &[u8]| Confirm::of(bytes).to_bytes();
    let shard = Shard {
        share,
        program: digest(program),
        told: digest(told(options, config).as_bytes()),
        divided: digest(&encode(&joint.divided).unwrap_or_default()),
        module: (share.number == 1).then(|| program.to_vec()),
        all_errors: config.all_errors,
        found: joint.found.clone(),
        warnings: joint.warnings.clone(),
        account: joint.account.clone(),
        coverage: joint.coverage.clone(),
        counts: joint.counts.clone(),
        expressions: joint.expressions,
        peak: joint.peak,
    };
    match encode(&(FORMAT, shard)) {
        Ok(bytes) => output.add_bytes(FILE, &bytes),
        Err(error) => output.warn(&format!("no {FILE}, so that this shard cannot be merged: {error}")),
    }
}

/// What decides which paths there are and what is found on them.
fn told(options: &Options, config: &ExecConfig) -> String {
    let config = ExecConfig { max_time: None, max_memory: None, externals: Vec::new(), ..config.clone() };
    let Options {
        aliases, externals, files, solver, max_solver_time, solver_resource, solver_memory, ..
    } = options;
    format!(
        "{config:?} {aliases:?} {externals:?} {files:?} {solver:?} {max_solver_time:?} {solver_resource:?} \
         {solver_memory:?}"
    )
}

/// Puts the output folders of all shards of a run together; gives the exit code that a whole run would have.
///
/// # Errors
/// If the folders are not those of all shards of one run, or the result cannot be written.
pub fn merge(options: &MergeOptions, system: &Rc<dyn System>) -> Result<u8, MergeError> {
    let mut shards: Vec<(&Path, Shard)> = Vec::new();
    for folder in &options.shards {
        let shard = read(folder, &**system)?;
        if let Some((one, first)) = shards.first()
            && let Some(why) = difference(first, &shard)
        {
            return Err(MergeError::Apart { one: one.to_path_buf(), other: folder.clone(), why });
        }
        let same = shards.iter().find(|(_, other)| other.share.number == shard.share.number);
        if let Some((one, _)) = same {
            let why = "they are the same shard";
            return Err(MergeError::Apart { one: one.to_path_buf(), other: folder.clone(), why });
        }
        shards.push((folder, shard));
    }
    let count = shards.first().map_or(0, |(_, shard)| shard.share.count);
    for number in 1..=count {
        if !shards.iter().any(|(_, shard)| shard.share.number == number) {
            return Err(MergeError::Missing { number, count });
        }
    }
    // What is added up does not depend on the order of arguments.
    shards.sort_by_key(|(_, shard)| shard.share.number);
    put_together(shards.into_iter().map(|(_, shard)| shard), options, system)
}

fn read(folder: &Path, system: &dyn System) -> Result<Shard, MergeError> {
    let failed = |error: String| MergeError::NoShard { folder: folder.to_path_buf(), error };
    let bytes = system.read_file(&folder.join(FILE)).map_err(|error| failed(error.to_string()))?;
    let (format, shard): (u32, Shard) = decode(&bytes)
        .map_err(|error| failed(format!("{FILE} is damaged or of another version: {error}")))?;
    if format != FORMAT {
        return Err(failed(format!("{FILE} is of another version of symexec")));
    }
    Ok(shard)
}

fn difference(one: &Shard, other: &Shard) -> Option<&'static str> {
    if one.program != other.program {
        Some("their programs differ")
    } else if one.share.count != other.share.count {
        Some("they are shares of different sizes")
    } else if one.told != other.told {
        Some("they were run with different options")
    } else if one.divided != other.divided {
        Some("they divided different states, since a limit was reached before: raise it and run them again")
    } else {
        None
    }
}

fn put_together(
    shards: impl Iterator<Item = Shard>,
    options: &MergeOptions,
    system: &Rc<dyn System>,
) -> Result<u8, MergeError> {
    let mut joint = Joint::default();
    let mut program = Vec::new();
    let mut all_errors = false;
    for shard in shards {
        program = shard.module.unwrap_or(program);
        all_errors = shard.all_errors;
        unite(&mut joint.account, shard.account);
        joint.coverage.unite(&shard.coverage);
        joint.counts.add_all(&shard.counts);
        joint.expressions += shard.expressions;
        joint.peak = joint.peak.max(shard.peak);
        joint.found.extend(shard.found);
        for warning in shard.warnings {
            if !joint.warnings.contains(&warning) {
                joint.warnings.push(warning);
            }
        }
    }
    let module = understand(&program)?;
    joint.found = in_order(joint.found, all_errors);
    let explored = &mut joint.account.explored;
    explored.total = module.instructions() as u64;
    explored.covered = joint.coverage.covered();
    explored.tests = joint.found.iter().filter(|found| found.is_test).count() as u64;
    let options = Options {
        output_dir: Some(options.output.clone()),
        stats: options.stats.clone(),
        ..Options::default()
    };
    let folder = folder::output_folder(&options, system)?;
    let renderer = Renderer::new(Rc::clone(system), Vec::new(), all_errors, options.files);
    let mut output = Output::new(Rc::clone(system), folder, renderer, STATS_INTERVAL, LeftOut::default());
    for (once, warning) in &joint.warnings {
        if *once {
            output.warn_once(warning);
        } else {
            output.warn(warning);
        }
    }
    for found in &joint.found {
        output.put(found, false);
    }
    output.progress(&joint.progress(&module, &**system));
    let result = Outcome::from(joint);
    conclude(&mut output, &options, system, &module, &result)?;
    Ok(exit_code(&options, &result.account.explored, &result.counts))
}
