//! From fetched sources to bitcode.
//!
//! Everything lies in one folder below cargo's, so that a second run fetches and makes nothing: whole programs
//! carry their bitcode (`symexec cc`) and are linked anew, libraries are compiled anew with the driver. A
//! project whose recipe changed since it was made is made from the beginning.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::list::{Amount, Build, Project, Subject};
use crate::error::Error;
use crate::explore::Bitcode;
use crate::process;
use crate::programs::{Programs, target_folder};
use crate::scratch::Scratch;
use crate::setup::root;

/// Where our drivers, templates and configurations are.
const DRIVERS: &str = "fixtures/symexec/programs";

/// Makes what is asked for, in one folder.
pub(super) struct Workshop<'p> {
    tools: &'p Programs,
    folder: PathBuf,
    scratch: Scratch,
}

impl<'p> Workshop<'p> {
    pub(super) fn new(tools: &'p Programs) -> Result<Workshop<'p>, Error> {
        let folder = target_folder()?.join("symexec-programs");
        Ok(Workshop { tools, folder, scratch: Scratch::new()? })
    }

    /// The program as bitcode.
    pub(super) fn bitcode(&self, subject: &Subject, amount: Amount) -> Result<Bitcode, Error> {
        let sources = self.sources(subject.project)?;
        match subject.project.build {
            Build::Programs => self.link(subject, &sources),
            Build::Library { sources: files, include, options } => {
                let drivers = root().join(DRIVERS);
                let name = subject.project.name;
                let folder = |folder: PathBuf| format!("-I{}", folder.display());
                let mut flags = vec!["-w".to_owned()];
                flags.extend(options.iter().map(|option| (*option).to_owned()));
                flags.extend(amount.macros.iter().map(|one| format!("-D{one}")));
                flags.push(folder(drivers.join(format!("{name}-config"))));
                flags.extend(include.iter().map(|inner| folder(sources.join(inner))));
                let mut files = matching(&sources, files)?;
                files.push(drivers.join(format!("{name}.c")));
                Bitcode::compile(self.scratch.path(), name, &files, &flags)
            }
        }
    }

    /// A template of ours.
    pub(super) fn template(name: &str) -> PathBuf {
        root().join(DRIVERS).join(name)
    }

    /// The sources of a project, ready to be compiled or with the programs made.
    fn sources(&self, project: &Project) -> Result<PathBuf, Error> {
        let folder = self.folder.join(project.name);
        let mark = folder.join("recipe");
        let recipe = format!("{project:?}\n");
        let unpacked = folder.join("unpacked");
        if fs::read_to_string(&mark).is_ok_and(|known| known == recipe) {
            return only(&unpacked);
        }
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(Error::writing(&folder))?;
        }
        println!("   fetching and making {}", project.name);
        let sources = project.archive.unpack(&self.folder, &unpacked)?;
        let compiler = format!("{} cc", self.tools.path("symexec").display());
        for step in project.prepare {
            let Some((program, arguments)) = step.split_first() else { continue };
            let mut command = Command::new(program);
            command.args(arguments).current_dir(&sources);
            command.env("CC", &compiler).env("FORCE_UNSAFE_CONFIGURE", "1").env("LC_ALL", "C");
            let output = process::output(&mut command)?;
            if !output.status.success() {
                let text = String::from_utf8_lossy(&output.stderr);
                let last: Vec<&str> = text.lines().rev().take(12).collect();
                last.iter().rev().for_each(|line| eprintln!("{line}"));
                return Err(Error::Ended { command: process::shown(&command), status: output.status });
            }
        }
        fs::write(&mark, recipe).map_err(Error::writing(&mark))?;
        Ok(sources)
    }

    fn link(&self, subject: &Subject, sources: &Path) -> Result<Bitcode, Error> {
        let file = self.scratch.path().join(format!("{}.bc", subject.name));
        let mut command = self.tools.command("symexec", &self.scratch);
        command.arg("link").arg(sources.join(subject.program)).arg("-o").arg(&file);
        process::stdout(&mut command)?;
        Ok(Bitcode::known(file))
    }
}

/// The files that patterns name: `*` at the end is every C file of a folder but those that begin with what stands
/// behind `!`.
fn matching(sources: &Path, patterns: &[&str]) -> Result<Vec<PathBuf>, Error> {
    let without: Vec<&str> = patterns.iter().filter_map(|pattern| pattern.strip_prefix('!')).collect();
    let mut files = Vec::new();
    for pattern in patterns.iter().filter(|pattern| !pattern.starts_with('!')) {
        let Some(folder) = pattern.strip_suffix('*') else {
            files.push(sources.join(pattern));
            continue;
        };
        let folder = sources.join(folder);
        let mut found = Vec::new();
        for entry in fs::read_dir(&folder).map_err(Error::reading(&folder))? {
            let entry = entry.map_err(Error::reading(&folder))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".c") && !without.iter().any(|begin| name.starts_with(begin)) {
                found.push(entry.path());
            }
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

/// The only entry of a folder.
fn only(folder: &Path) -> Result<PathBuf, Error> {
    let mut entries = fs::read_dir(folder).map_err(Error::reading(folder))?;
    match entries.next() {
        Some(entry) => Ok(entry.map_err(Error::reading(folder))?.path()),
        None => Err(Error::Findings(format!("{} is empty", folder.display()))),
    }
}
