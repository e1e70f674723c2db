//! Where the C++ library is: its headers, and its parts as bitcode.
//!
//! `cargo xtask setup --languages` makes the folder `.deps/cxx` and `cargo xtask install` copies it. Programs that are
//! compiled against its headers find in its bitcode what the headers leave out. Without it C++ is compiled against
//! the headers of the compiler's own library, of which nobody has the rest as bitcode.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::base::system::System;

/// The variable that names the folder of the C++ library.
const VARIABLE: &str = "SYMEXEC_CXX";

/// The folder of the checkout that this was built in.
const BUILT_WITH: Option<&str> = option_env!("REPRISE_DEPS");

/// The list of what each part of the library defines and needs.
pub const INDEX: &str = "index";

/// From which sources, and under which options, the parts were made.
pub const STAMP: &str = "stamp";

/// The folder of the C++ library, if there is one: the one that `SYMEXEC_CXX` names, of the installed programs, or
/// of the checkout.
#[must_use]
pub fn folder(system: &dyn System) -> Option<PathBuf> {
    if let Some(named) = system.environment(VARIABLE).filter(|name| !name.is_empty()) {
        return Some(named.into()).filter(|folder: &PathBuf| is_library(system, folder));
    }
    let mut places = Vec::new();
    if let Some(programs) = system.program_folder() {
        places.push(programs.join("cxx"));
        places.extend(programs.parent().map(|prefix| prefix.join("lib/reprise/cxx")));
    }
    places.extend(BUILT_WITH.map(|deps| Path::new(deps).join("cxx")));
    places.into_iter().find(|place| is_library(system, place))
}

fn is_library(system: &dyn System, folder: &Path) -> bool {
    system.exists(&folder.join(INDEX))
}

/// What a compiler is told so that it compiles C++ against the headers of the library.
#[must_use]
pub fn options(folder: &Path) -> Vec<OsString> {
    let include = folder.join("include");
    let site = include.join("__config_site");
    vec!["-nostdinc++".into(), "-isystem".into(), include.into(), "-include".into(), site.into()]
}

/// Whether a command line says itself which C++ library it wants.
pub fn is_chosen<'a>(mut arguments: impl Iterator<Item = &'a OsString>) -> bool {
    arguments.any(|argument| {
        let text = argument.to_string_lossy();
        text.starts_with("-stdlib") || text == "-nostdinc++" || text == "-nostdinc"
    })
}

/// A part of the library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its file in the folder.
    pub name: String,
    /// What it defines; what others may define as well comes behind.
    pub defines: Vec<String>,
}

/// Reads the index: a line for each part with its file, and lines with what it defines behind a space.
#[must_use]
pub fn parts(index: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in index.lines() {
        match (line.strip_prefix(' '), parts.last_mut()) {
            (Some(name), Some(part)) => part.defines.push(name.to_owned()),
            (Some(_), None) => {}
            (None, _) => parts.push(Part { name: line.to_owned(), defines: Vec::new() }),
        }
    }
    parts
}
