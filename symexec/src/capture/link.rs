//! `symexec link`: the bitcode of a built program, as one file.
//!
//! Objects and programs are taken as they are. Archives, those that are named and those that the program was
//! linked with, are searched as a linker does. The program itself may have taken less from them than its
//! bitcode needs: a compiler that optimises leaves out calls, and what only they need is not linked.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::CaptureError;
use super::cc::{read, run};
use super::section::{Contents, Member, Piece, contents, pieces};
use super::symbols::{Symbols, symbols, taken};
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
/// modules it has. Of archives, what is needed is taken, or all if nothing else is named. Where two
/// of their members define the same, the first one does, and what is no member comes before them all.
///
/// # Errors
/// If a file cannot be read or has no bitcode, or if the modules do not fit together.
pub fn link(system: &dyn System, options: &LinkOptions) -> Result<(PathBuf, usize), CaptureError> {
    let mut found = Found::default();
    for file in &options.files {
        found.collect(system, file, false)?;
    }
    found.recorded(system);
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
    let program = write(system, folder.path(), "program", &found.program)?;
    let mut members = Vec::new();
    for (number, member) in found.members.iter().enumerate() {
        members.push(write(system, folder.path(), &format!("member{number}"), member)?);
    }
    if !program.is_empty() && !members.is_empty() {
        let mut wanted = joined(&symbols(system, &program)?);
        // What starts a program calls it.
        wanted.wanted.insert("main".to_owned());
        let all = symbols(system, &members.concat())?;
        let mut rest = all.as_slice();
        let each: Vec<Symbols> = members
            .iter()
            .map(|member| {
                let (own, others) = rest.split_at(member.len().min(rest.len()));
                rest = others;
                joined(own)
            })
            .collect();
        members = taken(wanted, &each).into_iter().map(|number| members[number].clone()).collect();
    }
    let members = members.concat();
    join(system, &program, &members, &output, folder.path())?;
    Ok((output, program.len() + members.len()))
}

fn joined(modules: &[Symbols]) -> Symbols {
    modules.iter().fold(Symbols::default(), |mut sum, module| {
        sum.extend(module);
        sum
    })
}

/// Writes modules to files.
fn write(
    system: &dyn System,
    folder: &Path,
    name: &str,
    modules: &[Vec<u8>],
) -> Result<Vec<PathBuf>, CaptureError> {
    let mut files = Vec::new();
    for (number, module) in modules.iter().enumerate() {
        let path = folder.join(format!("{name}-{number}.bc"));
        system.write_file(&path, module).map_err(|error| CaptureError::File { path: path.clone(), error })?;
        files.push(path);
    }
    Ok(files)
}

/// Links files with bitcode. The linker of bitcode knows no order among definitions of one name: it fails,
/// or lets a module have its way against all before it. So where members contradict the program or
/// each other, they are linked from the last one on, each having its way, and the program at the end.
fn join(
    system: &dyn System,
    program: &[PathBuf],
    members: &[PathBuf],
    output: &Path,
    folder: &Path,
) -> Result<(), CaptureError> {
    let all = |files: &[PathBuf], output: &Path| {
        let mut arguments = vec![OsString::from("-o"), output.into()];
        arguments.extend(files.iter().map(|file| file.clone().into_os_string()));
        run(system, LINKER, "llvm-19", &arguments).map(drop)
    };
    let failed = match all(&[program, members].concat(), output) {
        Err(CaptureError::Failed { program, said }) if said.contains("multiply defined") => {
            CaptureError::Failed { program, said }
        }
        result => return result,
    };
    let (Some((last, others)), whole) = (members.split_last(), folder.join("whole.bc")) else {
        return Err(failed);
    };
    let mut arguments = vec![OsString::from("-o"), output.into(), last.into()];
    let mut overriding = |file: &Path| {
        let mut option = OsString::from("--override=");
        option.push(file);
        arguments.push(option);
    };
    others.iter().rev().for_each(|member| overriding(member));
    if !program.is_empty() {
        all(program, &whole)?;
        overriding(&whole);
    }
    run(system, LINKER, "llvm-19", &arguments).map(drop)
}

/// What files have, each module once: a library may be named beside the program that took objects from it.
#[derive(Debug, Default)]
struct Found {
    /// The modules of objects, programs and shared libraries that are named.
    program: Vec<Vec<u8>>,
    /// What is taken where it is needed: members of archives, and shared libraries that are not named.
    members: Vec<Vec<Vec<u8>>>,
    /// What the linker was given besides, in order, and how many of them were looked at.
    libraries: Vec<PathBuf>,
    known: BTreeSet<Vec<u8>>,
}

impl Found {
    /// Looks at libraries that were linked; those that are gone are told.
    fn recorded(&mut self, system: &dyn System) {
        let mut number = 0;
        while let Some(library) = self.libraries.get(number).cloned() {
            if let Err(error) = self.collect(system, &library, true) {
                system.say(&format!("symexec link: without a library that was linked: {error}"));
            }
            number += 1;
        }
    }

    fn collect(&mut self, system: &dyn System, file: &Path, where_needed: bool) -> Result<(), CaptureError> {
        let nothing = |what| CaptureError::Nothing { path: file.to_owned(), what };
        let unreadable = |what| CaptureError::Unreadable { path: file.to_owned(), what };
        let damaged = "a damaged section with bitcode";
        let bytes = read(system, file)?;
        match contents(&bytes).map_err(unreadable)? {
            Contents::Elf(Some(section)) => {
                let modules = self.take(section).ok_or(unreadable(damaged))?;
                match where_needed {
                    true => self.members.push(modules),
                    false => self.program.extend(modules),
                }
                Ok(())
            }
            Contents::Elf(None) => Err(nothing("there is no bitcode in it")),
            Contents::Archive(members) => {
                let mut captured = false;
                for member in members {
                    match member {
                        Member::Bytes(bytes) => {
                            if let Contents::Elf(Some(section)) = contents(bytes).map_err(unreadable)? {
                                let modules = self.take(section).ok_or(unreadable(damaged))?;
                                self.members.push(modules);
                                captured = true;
                            }
                        }
                        Member::File(name) => {
                            let beside = file.parent().unwrap_or(Path::new(""));
                            match self.collect(system, &beside.join(OsStr::from_bytes(name)), true) {
                                Err(CaptureError::Nothing { .. }) => {}
                                result => {
                                    result?;
                                    captured = true;
                                }
                            }
                        }
                    }
                }
                if captured { Ok(()) } else { Err(nothing("no member of it has bitcode")) }
            }
            // What libtool calls a program is a script that starts it; the program is in a folder beside it.
            Contents::Script => {
                let name = file.file_name().unwrap_or_default();
                let real = file.with_file_name(".libs").join(name);
                if !system.exists(&real) {
                    return Err(nothing("a script"));
                }
                self.collect(system, &real, where_needed)
            }
            Contents::Other => Err(nothing("no program, library or object in ELF's format")),
        }
    }

    /// The modules of a section that were not met before; notes the libraries.
    fn take(&mut self, section: &[u8]) -> Option<Vec<Vec<u8>>> {
        let mut modules = Vec::new();
        for piece in pieces(section)? {
            match piece {
                Piece::Bitcode(module) if self.known.insert(module.to_vec()) => modules.push(module.to_vec()),
                Piece::Bitcode(_) => {}
                Piece::Library(path) => {
                    let path = PathBuf::from(OsStr::from_bytes(path));
                    if !self.libraries.contains(&path) {
                        self.libraries.push(path);
                    }
                }
            }
        }
        Some(modules)
    }
}
