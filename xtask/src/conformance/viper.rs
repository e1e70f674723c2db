//! `cargo xtask conformance viper [DIR]`: Viper programs verified by Carbon, with `ivl` as the `boogie` that it asks.
//!
//! Nothing here knows what Carbon hands over, under which options, and what it reads of the answer: it is started as
//! its users start it. The errors that it tells must be those of the file `.expect` beside each program: what it tells
//! with Boogie 2.4.1 too (but for `interpreted`, which Boogie did not finish in a minute).
//!
//! Each program is verified twice with one cache, and the second run must say what the first one said.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::phases::bar;
use crate::process::output;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::{root, viper};

/// The programs of this project.
const PROGRAMS: &str = "fixtures/viper";

/// Runs the programs of a folder; fails unless all agree.
pub(crate) fn run(programs: &Programs, folder: Option<&Path>) -> Result<(), Error> {
    let archive = viper::carbon()?;
    let folder = folder.map_or_else(|| root().join(PROGRAMS), Path::to_owned);
    let files = programs_in(&folder)?;
    if files.is_empty() {
        return Err(Error::Findings(format!("{} has no programs of Viper (*.vpr)", folder.display())));
    }
    // `ivl` takes Boogie's options under this name.
    let scratch = Scratch::new()?;
    let boogie = scratch.path().join("boogie");
    #[cfg(unix)]
    std::os::unix::fs::symlink(programs.path("ivl"), &boogie).map_err(Error::writing(&boogie))?;
    let mut different = Vec::new();
    let progress = bar(files.len());
    for (number, file) in files.iter().enumerate() {
        let expectation = file.with_extension("expect");
        let expected = fs::read_to_string(&expectation).map_err(Error::reading(&expectation))?;
        let expected = expected.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>();
        let cache = scratch.path().join(format!("cache-{number}"));
        for run in ["from scratch", "with what is known"] {
            let mut command = Command::new("java");
            command.arg("-Xss64m").arg("-cp").arg(&archive).arg("viper.carbon.Carbon");
            // It wants some program for Z3; the linked one answers.
            command.arg("--boogieExe").arg(&boogie).arg("--z3Exe").arg(&boogie).arg(file);
            command.env("REPRISE_CACHE", "read-write").env("REPRISE_CACHE_DIR", &cache);
            command.env("IVL_BOOGIE_SOLVER", "linked");
            let answer = output(&mut command)?;
            let text = String::from_utf8_lossy(&answer.stdout);
            let found = errors(&text);
            if found != expected {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                different.push(format!("{name}, {run}:\n    {}", found.join("\n    ")));
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    different.iter().for_each(|line| println!("{line}"));
    println!("   viper  {} of {} runs agree", 2 * files.len() - different.len(), 2 * files.len());
    match different.len() {
        0 => Ok(()),
        number => Err(Error::Findings(format!("{number} runs differ from what is expected"))),
    }
}

/// The programs of a folder, in order.
fn programs_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::reading(folder))? {
        let path = entry.map_err(Error::reading(folder))?.path();
        if path.extension().is_some_and(|ending| ending == "vpr") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The errors that Carbon tells, in its order and without their numbers; what else it says is about itself and the
/// time.
fn errors(text: &str) -> Vec<&str> {
    let error = |line: &'_ str| -> Option<usize> {
        let (number, _) = line.strip_prefix("  [")?.split_once("] ")?;
        number.trim().parse::<usize>().ok().map(|_| "  [".len() + number.len() + "] ".len())
    };
    text.lines().filter_map(|line| line.get(error(line)?..)).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn errors_of_carbon_are_read() {
        let text = "carbon 1.0\ncarbon found 12 errors in 5.16s:\n  [ 0] Assert might fail. [1] (a.vpr@1.2--1.3)\n\
                    \x20 [11] Fold might fail. (a.vpr@2.2--2.3)\nBoogie says [3] nothing\n  [x] nor this\n";
        let expected = ["Assert might fail. [1] (a.vpr@1.2--1.3)", "Fold might fail. (a.vpr@2.2--2.3)"];
        assert_eq!(super::errors(text), expected);
    }
}
