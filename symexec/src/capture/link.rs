//! `symexec link`: the bitcode of a built program, as one file.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::CaptureError;
use super::cc::{read, run};
use super::section::{Contents, Member, contents, pieces};
use crate::base::system::System;

/// What is linked, and where to.
#[derive(Clone, Debug)]
pub struct LinkOptions {
    /// Programs, shared libraries, objects and archives that were built with `symexec cc`.
    pub files: Vec<PathBuf>,
    /// Where the bitcode goes; absent means beside the first file, with `.bc` behind its name.
    pub output: Option<PathBuf>,
}

/// The linker of bitcode that fits the library that reads its output.
const LINKER: &str = "llvm-link-19";

/// Collects the bitcode of built files and links it to one file; gives that file's path and how many
/// modules it has.
///
/// # Errors
/// If a file cannot be read or has no bitcode, or if the modules do not fit together.
pub fn link(system: &dyn System, options: &LinkOptions) -> Result<(PathBuf, usize), CaptureError> {
    let mut modules = Modules::default();
    for file in &options.files {
        modules.collect(system, file)?;
    }
    let output = match (&options.output, options.files.first()) {
        (Some(output), _) => output.clone(),
        (None, Some(first)) => {
            let mut name = first.clone().into_os_string();
            name.push(".bc");
            name.into()
        }
        (None, None) => "program.bc".into(),
    };
    let folder = tempfile::tempdir().map_err(CaptureError::Folder)?;
    let mut arguments = vec![OsString::from("-o"), output.clone().into()];
    for (number, module) in modules.in_order.iter().enumerate() {
        let path = folder.path().join(format!("{number}.bc"));
        system.write_file(&path, module).map_err(|error| CaptureError::File { path: path.clone(), error })?;
        arguments.push(path.into());
    }
    run(system, LINKER, "llvm-19", &arguments)?;
    Ok((output, modules.in_order.len()))
}

/// Modules in the order in which they were met, each once: a library may be named beside the program
/// that took objects from it.
#[derive(Debug, Default)]
struct Modules {
    in_order: Vec<Vec<u8>>,
    known: BTreeSet<Vec<u8>>,
}

impl Modules {
    fn collect(&mut self, system: &dyn System, file: &Path) -> Result<(), CaptureError> {
        let nothing = |what| CaptureError::Nothing { path: file.to_owned(), what };
        let unreadable = |what| CaptureError::Unreadable { path: file.to_owned(), what };
        let bytes = read(system, file)?;
        match contents(&bytes).map_err(unreadable)? {
            Contents::Elf(Some(section)) => {
                self.take(section).ok_or(unreadable("a damaged section with bitcode"))
            }
            Contents::Elf(None) => Err(nothing("there is no bitcode in it")),
            Contents::Archive(members) => {
                let before = self.in_order.len();
                for member in members {
                    match member {
                        Member::Bytes(bytes) => {
                            if let Contents::Elf(Some(section)) = contents(bytes).map_err(unreadable)? {
                                self.take(section).ok_or(unreadable("a damaged section with bitcode"))?;
                            }
                        }
                        Member::File(name) => {
                            let beside = file.parent().unwrap_or(Path::new(""));
                            self.collect(system, &beside.join(OsStr::from_bytes(name)))?;
                        }
                    }
                }
                match self.in_order.len() == before && self.known.is_empty() {
                    true => Err(nothing("no member of it has bitcode")),
                    false => Ok(()),
                }
            }
            // What libtool calls a program is a script that starts it; the program is in a folder beside it.
            Contents::Script => {
                let name = file.file_name().unwrap_or_default();
                let real = file.with_file_name(".libs").join(name);
                if !system.exists(&real) {
                    return Err(nothing("a script"));
                }
                self.collect(system, &real)
            }
            Contents::Other => Err(nothing("no program, library or object in ELF's format")),
        }
    }

    fn take(&mut self, section: &[u8]) -> Option<()> {
        for module in pieces(section)? {
            if self.known.insert(module.to_vec()) {
                self.in_order.push(module.to_vec());
            }
        }
        Some(())
    }
}
