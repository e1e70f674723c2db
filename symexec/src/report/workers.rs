//! Where the worker programs are, and how those that are this program again are started.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::base::system::System;

/// How a process that explores a part gets the options of the one that the user started: from the same command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    /// The subcommand that understands these options, to which `--as-worker` says what it is for.
    pub subcommand: &'static str,
    /// How many of the user's words stand for the subcommand: none where the program's name does.
    pub replaces: usize,
}

impl Default for Restart {
    fn default() -> Self {
        Self { subcommand: "run", replaces: 1 }
    }
}

/// The path of a worker program: beside the running one, or in `PREFIX/lib/reprise` of an installed one.
/// If it is nowhere, the first place is given, so that starting it says what is missing.
pub(super) fn locate(system: &dyn System, name: &str) -> PathBuf {
    let Some(folder) = system.program_folder() else { return PathBuf::from(name) };
    let beside = folder.join(name);
    let installed = folder.parent().map(|prefix| prefix.join("lib").join("reprise").join(name));
    match installed {
        Some(installed) if !system.exists(&beside) && system.exists(&installed) => installed,
        _ => beside,
    }
}

/// This program again, to explore a part of what it explores: where it is, and the words that it is started with.
pub(super) fn again(
    Restart { subcommand, replaces }: Restart,
    system: &dyn System,
) -> (PathBuf, Vec<OsString>) {
    let mut words = system.arguments();
    words.splice(..replaces.min(words.len()), [subcommand.into(), "--as-worker".into()]);
    let program = locate(system, "symexec");
    // Whoever has it under another name only starts it by that, which then is the subcommand.
    match (system.exists(&program), system.program_folder(), system.program_name()) {
        (false, Some(folder), Some(name)) => {
            if replaces == 0 {
                words.remove(0);
            }
            (folder.join(name), words)
        }
        _ => (program, words),
    }
}
