//! Exploring C programs with `symexec` under different caches, memory models and allocations, and what must
//! not differ between them.
//!
//! A program is compiled once and explored as bitcode, so that no run pays for the compiler.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench::measure::{self, Run};
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::root;

/// Where C sources find KLEE's declarations.
const INCLUDE: &str = "symexec/runtime/include";
/// As `symexec` itself compiles C.
const CLANG: &str = "clang-19";
const FLAGS: [&str; 6] = ["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-c", "-emit-llvm"];

/// Which query cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cache {
    None,
    Plain,
    AddressAware,
}

/// What happens where a pointer may be one of several objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Model {
    Forking,
    Segmented,
}

/// Who decides where objects lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Allocation {
    Shared,
    PerState,
}

impl Cache {
    pub(crate) const ALL: [Cache; 3] = [Cache::None, Cache::Plain, Cache::AddressAware];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Cache::None => "none",
            Cache::Plain => "plain",
            Cache::AddressAware => "address-aware",
        }
    }
}

impl Model {
    pub(crate) const ALL: [Model; 2] = [Model::Forking, Model::Segmented];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Model::Forking => "forking",
            Model::Segmented => "segmented",
        }
    }
}

impl Allocation {
    pub(crate) const ALL: [Allocation; 2] = [Allocation::Shared, Allocation::PerState];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Allocation::Shared => "shared",
            Allocation::PerState => "per-state",
        }
    }
}

/// What a run is explored with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Setting {
    pub(crate) model: Model,
    pub(crate) allocation: Allocation,
    pub(crate) cache: Cache,
}

impl Setting {
    /// The options that say so. As in the paper, the base of the segmented model uses segments again, and
    /// the address-aware run does not.
    fn options(self) -> Vec<&'static str> {
        let Setting { model, allocation, cache } = self;
        let mut options = vec![
            "--memory-model",
            model.name(),
            "--allocation",
            allocation.name(),
            "--query-cache",
            cache.name(),
            // What the caches save is measured in questions, as in the paper, also where they are small.
            "--no-enumeration",
        ];
        if (model, cache) == (Model::Segmented, Cache::Plain) {
            options.push("--reuse-segments");
        }
        options
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setting { model, allocation, cache } = self;
        write!(formatter, "{} model, {} allocation, cache {}", model.name(), allocation.name(), cache.name())
    }
}

/// A program as bitcode.
#[derive(Debug)]
pub(crate) struct Bitcode {
    files: Vec<PathBuf>,
}

impl Bitcode {
    /// Compiles sources, each into a file of its own in `folder`; `options` go to the compiler.
    pub(crate) fn compile(
        folder: &Path,
        name: &str,
        sources: &[PathBuf],
        options: &[String],
    ) -> Result<Bitcode, Error> {
        let mut files = Vec::new();
        for (number, source) in sources.iter().enumerate() {
            let file = folder.join(format!("{}-{number}.bc", name.replace(['/', ' '], "-")));
            let mut command = Command::new(CLANG);
            command.args(FLAGS).args(options).arg("-I").arg(root().join(INCLUDE));
            command.arg(source).arg("-o").arg(&file);
            let output = process::output(&mut command)?;
            if !output.status.success() {
                eprint!("{}", String::from_utf8_lossy(&output.stderr));
                return Err(Error::Ended { command: process::shown(&command), status: output.status });
            }
            files.push(file);
        }
        Ok(Bitcode { files })
    }

    /// Bitcode that is there already.
    pub(crate) fn known(file: PathBuf) -> Bitcode {
        Bitcode { files: vec![file] }
    }

    /// The files, as arguments.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

/// What no cache may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) paths: u64,
    pub(crate) completed: u64,
    pub(crate) errors: u64,
    pub(crate) instructions: u64,
    /// Instructions of the program that some path executed.
    pub(crate) covered: u64,
    /// The error reports by name, where tests were written.
    pub(crate) reports: Vec<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { paths, completed, errors, instructions, covered, reports } = self;
        write!(
            formatter,
            "{paths} paths ({completed} to the end), {errors} errors, {instructions} instructions, {covered} covered"
        )?;
        reports.iter().try_for_each(|report| write!(formatter, "\n{report}"))
    }
}

/// A finished run.
#[derive(Clone, Debug)]
pub(crate) struct Explored {
    pub(crate) run: Run,
    pub(crate) outcome: Outcome,
    /// What is told of errors, one line for each place, but for questions that the solver did not answer.
    pub(crate) told: Vec<String>,
}

impl Explored {
    /// Why the run ended before all paths were explored, if it did.
    pub(crate) fn stopped(&self) -> Option<&str> {
        self.run.stats["result"]["stopped"].as_str()
    }

    /// Entries of the query cache.
    pub(crate) fn cache_size(&self) -> u64 {
        self.run.engine("query_cache_entries")
    }

    /// Satisfiability checks that reached the solver.
    pub(crate) fn solver_queries(&self) -> u64 {
        self.run.engine("solver_queries")
    }
}

/// Whether a run writes tests. Each test asks for a solution, which the paper's runs mostly do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tests {
    Written,
    Left,
}

/// Explores a program; exit codes 0 and 1 are results.
pub(crate) fn explore(
    programs: &Programs,
    bitcode: &Bitcode,
    setting: Setting,
    tests: Tests,
    options: &[&str],
) -> Result<Explored, Error> {
    explore_with(programs, bitcode, setting, tests, options, &[])
}

/// [`explore`] of a program that has arguments of its own.
pub(crate) fn explore_with(
    programs: &Programs,
    bitcode: &Bitcode,
    setting: Setting,
    tests: Tests,
    options: &[&str],
    arguments: &[&str],
) -> Result<Explored, Error> {
    let scratch = Scratch::new()?;
    let folder = scratch.path().join("out");
    let mut command = programs.command("symexec", &scratch);
    command.arg("run").args(bitcode.files()).args(setting.options()).arg("--output-dir").arg(&folder);
    if tests == Tests::Left {
        command.arg("--write-no-tests");
    }
    let after: Vec<&str> = if arguments.is_empty() { Vec::new() } else { [&["--"], arguments].concat() };
    let run = measure::run(command, options, &after)?;
    let outcome = Outcome {
        paths: run.result("paths"),
        completed: run.result("completed"),
        errors: run.result("errors"),
        instructions: run.result("instructions"),
        covered: run.result("covered_instructions"),
        reports: reports(&folder)?,
    };
    let told = told(&folder.join("messages.txt"))?;
    Ok(Explored { run, outcome, told })
}

/// The errors among the messages of a run that are the program's.
fn told(file: &Path) -> Result<Vec<String>, Error> {
    let text = fs::read(file).map_err(Error::reading(file))?;
    let lines = String::from_utf8_lossy(&text);
    let errors = lines.lines().filter(|line| line.starts_with("KLEE: ERROR: "));
    Ok(errors.filter(|line| !line.contains(": solver failure: ")).map(str::to_owned).collect())
}

/// Error reports, with their names.
fn reports(folder: &Path) -> Result<Vec<String>, Error> {
    let mut reports = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::reading(folder))? {
        let path = entry.map_err(Error::reading(folder))?.path();
        if path.extension().is_some_and(|suffix| suffix == "err") {
            let text = fs::read(&path).map_err(Error::reading(&path))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            reports.push(format!("{name}: {}", String::from_utf8_lossy(&text)));
        }
    }
    reports.sort();
    Ok(reports)
}

/// Demands that two runs of one program agree.
pub(crate) fn demand_equal(
    program: &str,
    (one, first): (Setting, &Outcome),
    (other, second): (Setting, &Outcome),
) -> Result<(), Error> {
    if first == second {
        return Ok(());
    }
    Err(Error::Findings(format!("{program} differs:\nwith {one}: {first}\nwith {other}: {second}")))
}

/// Demands that the segmented model has no more paths than the forking one.
pub(crate) fn demand_fewer(program: &str, forking: &Outcome, segmented: &Outcome) -> Result<(), Error> {
    if segmented.paths <= forking.paths {
        return Ok(());
    }
    Err(Error::Findings(format!(
        "{program} has {} paths in the segmented model and {} in the forking one",
        segmented.paths, forking.paths
    )))
}
