//! Where the worker programs are.

use std::path::PathBuf;

use crate::base::system::System;

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
