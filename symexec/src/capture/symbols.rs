//! What modules define and what they want, and which members of archives a linker would take for it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

use super::CaptureError;
use super::cc::run;
use crate::base::system::System;

/// The lister of symbols that reads the bitcode that the linker reads.
const LISTER: &str = "llvm-nm-19";

/// The names that a module, or several that go together, share with others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// What is defined, also weakly.
    pub defined: BTreeSet<String>,
    /// What has to be defined elsewhere. Weak references are none: a linker takes nothing for them.
    pub wanted: BTreeSet<String>,
}

impl Symbols {
    /// Adds those of modules that are linked too.
    pub fn extend(&mut self, other: &Self) {
        self.defined.extend(other.defined.iter().cloned());
        self.wanted.extend(other.wanted.iter().cloned());
    }
}

/// The symbols of each of these files with bitcode.
///
/// # Errors
/// If the lister cannot be started or fails.
pub fn symbols(system: &dyn System, modules: &[PathBuf]) -> Result<Vec<Symbols>, CaptureError> {
    // Without a file it looks for one of its own.
    if modules.is_empty() {
        return Ok(Vec::new());
    }
    let mut arguments: Vec<OsString> = ["--format=posix", "--extern-only", "-A"].map(OsString::from).into();
    arguments.extend(modules.iter().map(|module| module.clone().into_os_string()));
    let text = run(system, LISTER, "llvm-19", &arguments)?;
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().peekable();
    Ok(modules
        .iter()
        .map(|module| {
            let before = format!("{}: ", module.display());
            let mut symbols = Symbols::default();
            while let Some(line) = lines.next_if(|line| line.starts_with(&before)) {
                symbols.add(&line[before.len()..]);
            }
            symbols
        })
        .collect())
}

impl Symbols {
    /// Takes a line of the lister: a name, a letter, numbers.
    fn add(&mut self, line: &str) {
        let mut words = line.rsplitn(4, ' ').skip(2);
        let (Some(kind), Some(name)) = (words.next(), words.next()) else { return };
        match kind {
            "U" => drop(self.wanted.insert(name.to_owned())),
            "w" | "v" => {}
            _ => drop(self.defined.insert(name.to_owned())),
        }
    }
}

/// Which members are taken, in their order: each that defines something that is wanted and not defined yet,
/// until there is none, however archives need each other.
pub fn taken(mut program: Symbols, members: &[Symbols]) -> Vec<usize> {
    let mut taken = BTreeSet::new();
    loop {
        let before = taken.len();
        for (number, member) in members.iter().enumerate() {
            let mut missing = program.wanted.intersection(&member.defined);
            if !taken.contains(&number) && missing.any(|name| !program.defined.contains(name)) {
                program.extend(member);
                taken.insert(number);
            }
        }
        if taken.len() == before {
            return taken.into_iter().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Symbols, taken};

    fn of(lines: &[&str]) -> Symbols {
        let mut symbols = Symbols::default();
        lines.iter().for_each(|line| symbols.add(line));
        symbols
    }

    #[test]
    fn members_are_taken_for_what_is_missing_only() {
        let program =
            of(&["main T ---------------- 0", "a U 0 0", "d U 0 0", "d D ---------------- 0", "e w 0 0"]);
        let members = [
            of(&["b T ---------------- 0"]),
            of(&["a T ---------------- 0", "b U 0 0"]),
            of(&["a T ---------------- 0", "d T ---------------- 0"]),
            of(&["e T ---------------- 0"]),
        ];
        assert_eq!(taken(program, &members), [0, 1]);
    }
}
