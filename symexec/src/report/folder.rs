//! The folder of a run.

use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::options::Options;
use super::run_error::RunError;
use crate::base::system::System;

/// Makes a folder that may be there already.
pub(super) fn make_folder(system: &dyn System, folder: &Path) -> Result<(), RunError> {
    match system.create_folder(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(RunError::Write { path: folder.to_path_buf(), error })
        }
        _ => Ok(()),
    }
}

/// Makes the output folder: the given one, or the first `klee-out-N` that is free, beside the program,
/// with `klee-last` pointing to it.
pub(super) fn output_folder(options: &Options, system: &Rc<dyn System>) -> Result<PathBuf, RunError> {
    if let Some(folder) = &options.output_dir {
        return match system.create_folder(folder) {
            Ok(()) => Ok(folder.clone()),
            Err(error) => Err(RunError::Write { path: folder.clone(), error }),
        };
    }
    let beside =
        options.program.files.first().and_then(|file| file.parent()).map_or_else(PathBuf::new, PathBuf::from);
    for number in 0..u32::MAX {
        let name = format!("klee-out-{number}");
        let folder = beside.join(&name);
        match system.create_folder(&folder) {
            Ok(()) => {
                // The link is a convenience; without it the folder is still found.
                let _ = system.link(Path::new(&name), &beside.join("klee-last"));
                return Ok(folder);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(RunError::Write { path: folder, error }),
        }
    }
    Err(RunError::Write { path: beside, error: io::ErrorKind::AlreadyExists.into() })
}
