//! Line coverage of the program's own files, in lcov's format.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::exec::Coverage;
use crate::module::{FunctionId, Module};

/// What is known of a source file.
#[derive(Default)]
struct File<'a> {
    /// The line at which a function begins, by name, and whether it was entered.
    functions: BTreeMap<&'a str, (u32, bool)>,
    /// Whether something on a line was executed.
    lines: BTreeMap<u32, bool>,
}

/// The text of an lcov file: a line counts as executed once if some path completed an instruction of it.
pub(super) fn lcov(module: &Module, coverage: &Coverage) -> String {
    let mut files: BTreeMap<&str, File<'_>> = BTreeMap::new();
    for (place, function) in module.functions.iter().enumerate().filter(|(_, function)| !function.runtime) {
        let id = FunctionId::at(place);
        let mut first = true;
        for (position, location) in function.locations.iter().enumerate() {
            let Some(location) = module.locations.get(location.index()).filter(|location| location.line > 0)
            else {
                continue;
            };
            let Some(name) = location.file.map(|file| module.text(file)) else { continue };
            let file = files.entry(name).or_default();
            let covered = coverage.is_covered(id, position);
            if std::mem::take(&mut first) {
                let entered = coverage.is_covered(id, 0);
                file.functions.insert(&function.name, (location.line, entered));
            }
            *file.lines.entry(location.line).or_default() |= covered;
        }
    }
    let mut out = String::from("TN:\n");
    for (name, file) in files {
        let _ = writeln!(out, "SF:{name}");
        for (function, (line, _)) in &file.functions {
            let _ = writeln!(out, "FN:{line},{function}");
        }
        for (function, (_, entered)) in &file.functions {
            let _ = writeln!(out, "FNDA:{},{function}", u8::from(*entered));
        }
        let entered = file.functions.values().filter(|(_, entered)| *entered).count();
        let _ = writeln!(out, "FNF:{}\nFNH:{entered}", file.functions.len());
        for (line, covered) in &file.lines {
            let _ = writeln!(out, "DA:{line},{}", u8::from(*covered));
        }
        let covered = file.lines.values().filter(|covered| **covered).count();
        let _ = writeln!(out, "LF:{}\nLH:{covered}\nend_of_record", file.lines.len());
    }
    out
}
