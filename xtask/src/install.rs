//! `cargo xtask install`: the tools, optimized, in a folder of the user's choice.
//!
//! ```text
//! PREFIX/bin/                          ivl symexec rtcheck
//! PREFIX/lib/reprise/                  ivl-solver symexec-solver symexec-reader libz3.so.*
//! PREFIX/lib/reprise/cxx/              the C++ library of symexec, where the checkout has it
//! PREFIX/include/klee/klee.h           by which C programs talk to symexec
//! PREFIX/share/man/man1/               one page per tool
//! PREFIX/share/bash-completion/completions/, share/zsh/site-functions/, share/fish/vendor_completions.d/
//! ```
//!
//! Each file is written aside and renamed, so that a tool that runs at this moment keeps its program.
//! At the end each installed program is started in an environment that knows nothing of this checkout.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::phases::in_phases;
use crate::process;
use crate::programs::{Build, Programs, TOOLS, WORKERS};
use crate::scratch::Scratch;
use crate::setup;

/// What a program includes to be compiled for `symexec` by whatever compiler; `symexec` itself has it.
const HEADER: &str = "symexec/runtime/include/klee/klee.h";

/// Shells, each with the folder where it looks for completions, and what stands there before and after
/// a tool's name.
const SHELLS: [(&str, &str, &str, &str); 3] = [
    ("bash", "share/bash-completion/completions", "", ""),
    ("zsh", "share/zsh/site-functions", "_", ""),
    ("fish", "share/fish/vendor_completions.d", "", ".fish"),
];

/// Installs into `prefix`, by default `~/.local`.
pub(crate) fn run(prefix: Option<&Path>) -> Result<(), Error> {
    let prefix = match (prefix, std::env::home_dir()) {
        (Some(prefix), _) => std::path::absolute(prefix).map_err(Error::reading(prefix))?,
        (None, Some(home)) => home.join(".local"),
        (None, None) => {
            return Err(Error::Findings(
                "no home folder is known; name a folder with --prefix DIR".to_owned(),
            ));
        }
    };
    in_phases("install", |phases| {
        phases.run("set up", || Ok(setup::run(false)?))?;
        let built = phases.run("build", || Programs::build(Build::Installed))?;
        phases.run("copy", || copy(&built, &prefix))?;
        phases.run("start each once", || start_each(&prefix))
    })?;
    let bin = prefix.join("bin");
    println!("installed {} into {}", TOOLS.join(", "), bin.display());
    let on_path =
        std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|folder| folder == bin));
    if !on_path {
        println!("note: {} is not on the PATH", bin.display());
    }
    Ok(())
}

fn copy(built: &Programs, prefix: &Path) -> Result<(), Error> {
    let bin = prefix.join("bin");
    let lib = prefix.join("lib/reprise");
    for tool in TOOLS {
        place(&built.path(tool), &bin.join(tool))?;
    }
    for worker in WORKERS {
        place(&built.path(worker), &lib.join(worker))?;
    }
    for library in z3_libraries()? {
        if let Some(name) = library.file_name() {
            place(&library, &lib.join(name))?;
        }
    }
    if setup::languages::has_cxx() {
        place_folder(&setup::root().join(".deps/cxx"), &lib.join("cxx"))?;
    }
    place(&setup::root().join(HEADER), &prefix.join("include/klee/klee.h"))?;
    let scratch = Scratch::new()?;
    for tool in TOOLS {
        for (shell, folder, before, after) in SHELLS {
            let text = process::stdout(built.command(tool, &scratch).args(["completions", shell]))?;
            place_text(&text, &prefix.join(folder).join(format!("{before}{tool}{after}")))?;
        }
        let page = process::stdout(built.command(tool, &scratch).arg("man"))?;
        place_text(&page, &prefix.join("share/man/man1").join(format!("{tool}.1")))?;
    }
    Ok(())
}

/// The library under the name that the workers ask the loader for (its version is part of it); the link
/// without a version serves the build only.
fn z3_libraries() -> Result<Vec<PathBuf>, Error> {
    let folder = setup::root().join(".deps/z3/z3/lib");
    let mut libraries = Vec::new();
    for entry in fs::read_dir(&folder).map_err(Error::reading(&folder))? {
        let entry = entry.map_err(Error::reading(&folder))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let versioned =
            name.strip_prefix("libz3").is_some_and(|rest| rest.contains(|c: char| c.is_ascii_digit()));
        if versioned || name.ends_with(".dylib") {
            libraries.push(entry.path());
        }
    }
    libraries.sort();
    Ok(libraries)
}

/// Copies a file with its permissions, aside first.
fn place(from: &Path, to: &Path) -> Result<(), Error> {
    aside(to, |part| fs::copy(from, part).map(|_| ()))
}

/// Copies a folder with all that is in it.
fn place_folder(from: &Path, to: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(from).map_err(Error::reading(from))? {
        let entry = entry.map_err(Error::reading(from))?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() { place_folder(&from, &to)? } else { place(&from, &to)? }
    }
    Ok(())
}

fn place_text(text: &str, to: &Path) -> Result<(), Error> {
    aside(to, |part| fs::write(part, text))
}

fn aside(to: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), Error> {
    let mut part = to.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let folder = to.parent().map_or(Ok(()), fs::create_dir_all);
    folder.and_then(|()| write(&part)).and_then(|()| fs::rename(&part, to)).map_err(Error::writing(to))
}

/// Starts every installed program with an empty environment from the root folder: no variable and no
/// relative path can lead back to the checkout. A worker is started with nothing to read, upon which it
/// ends by itself; the loader has then found its libraries.
fn start_each(prefix: &Path) -> Result<(), Error> {
    let scratch = Scratch::new()?;
    let tools = TOOLS.map(|tool| (prefix.join("bin").join(tool), Some("--version")));
    let workers = WORKERS.map(|worker| (prefix.join("lib/reprise").join(worker), None));
    for (program, argument) in tools.into_iter().chain(workers) {
        let mut command = Command::new(&program);
        command.env_clear().current_dir("/").args(argument);
        scratch.guard(&mut command);
        process::stdout(&mut command)?;
        println!("   {} starts", program.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Scratch, fs, place_text};

    #[test]
    fn a_file_is_replaced_and_nothing_stays_beside_it() {
        let scratch = Scratch::new().unwrap();
        let file = scratch.path().join("deep/er/file");
        place_text("old", &file).unwrap();
        place_text("new", &file).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }
}
