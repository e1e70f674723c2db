//! Where a run spent its questions, and where its states came from: written by a run, shown by
//! `symexec report`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files::position;
use crate::base::system::System;
use crate::exec::Hot;
use crate::module::{FunctionId, Module};

/// The file's name in an output folder.
pub(super) const PROFILE: &str = "profile.json";

/// The version of its shape.
const SCHEMA: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct Profile {
    schema: u32,
    /// By place in the program.
    spots: Vec<Spot>,
}

/// A place in the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Spot {
    function: String,
    file: Option<String>,
    line: u32,
    forks: u64,
    questions: u64,
    seconds: f64,
    longest_seconds: f64,
}

impl Spot {
    fn place(&self) -> String {
        match &self.file {
            Some(file) => format!("{file}:{} in {}", self.line, self.function),
            None => format!("in {}", self.function),
        }
    }
}

/// The text of the file: instructions of one line of a function are one place.
pub(super) fn profile(module: &Module, spots: &BTreeMap<(FunctionId, u32), Hot>) -> String {
    let mut lines: BTreeMap<(FunctionId, Option<(String, u32)>), Spot> = BTreeMap::new();
    for ((function, _), hot) in spots {
        let place = position(module, hot.location);
        let spot = lines.entry((*function, place.clone())).or_insert_with(|| Spot {
            function: module.functions.get(function.index()).map_or_else(String::new, |it| it.name.clone()),
            line: place.as_ref().map_or(0, |(_, line)| *line),
            file: place.map(|(file, _)| file),
            forks: 0,
            questions: 0,
            seconds: 0.0,
            longest_seconds: 0.0,
        });
        spot.forks += hot.forks;
        spot.questions += hot.questions;
        spot.seconds += hot.time.as_secs_f64();
        spot.longest_seconds = spot.longest_seconds.max(hot.longest.as_secs_f64());
    }
    let profile = Profile { schema: SCHEMA, spots: lines.into_values().collect() };
    // Numbers and texts always go into JSON.
    serde_json::to_string_pretty(&profile).unwrap_or_default() + "\n"
}

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The folder has no profile that can be read.
    #[error("{}: {error}; name the output folder of a run, as `klee-last`", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The profile is of another version, or damaged.
    #[error("{}: {error}; it was written by another version, or is damaged", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: String,
    },
}

/// What a run's output folder says about its questions and forks, the dearest places first.
///
/// # Errors
/// If the folder is no such folder.
pub fn show_profile(system: &dyn System, folder: &Path, count: usize) -> Result<String, ProfileError> {
    let path = folder.join(PROFILE);
    let bytes = system.read_file(&path).map_err(|error| ProfileError::Read { path: path.clone(), error })?;
    let profile: Profile = serde_json::from_slice(&bytes)
        .map_err(|error| ProfileError::Content { path: path.clone(), error: error.to_string() })?;
    if profile.schema != SCHEMA {
        let error = format!("its schema is {}, not {SCHEMA}", profile.schema);
        return Err(ProfileError::Content { path, error });
    }
    let mut out = String::new();
    if let Ok(info) = system.read_file(&folder.join("info")) {
        out.push_str(&String::from_utf8_lossy(&info));
        out.push('\n');
    }
    let mut spots = profile.spots;
    spots.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    let total: f64 = spots.iter().map(|spot| spot.seconds).sum();
    let _ = writeln!(out, "Slow questions: {total:.3} s in all\n   seconds  longest  questions  place");
    for spot in spots.iter().filter(|spot| spot.questions > 0).take(count) {
        let Spot { seconds, longest_seconds, questions, .. } = spot;
        let _ = writeln!(out, "{seconds:10.3} {longest_seconds:8.3} {questions:10}  {}", spot.place());
    }
    spots.sort_by_key(|spot| Reverse(spot.forks));
    let total: u64 = spots.iter().map(|spot| spot.forks).sum();
    let _ = writeln!(out, "\nForks: {total} new states in all\n     forks  place");
    for spot in spots.iter().filter(|spot| spot.forks > 0).take(count) {
        let _ = writeln!(out, "{:10}  {}", spot.forks, spot.place());
    }
    Ok(out)
}
