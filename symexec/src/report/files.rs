//! The texts of output files.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::exec::{Ending, Path, PathError};
use crate::module::{LocationId, Module};

/// A source position as `file:line`, or `None` where the program has no line numbers.
pub(super) fn position(module: &Module, location: LocationId) -> Option<(String, u32)> {
    let location = module.locations.get(location.index())?;
    let file = module.text(location.file?);
    (location.line > 0).then(|| (file.to_owned(), location.line))
}

/// Source lines, each once, in order.
pub(super) fn lines(module: &Module, locations: &BTreeSet<LocationId>) -> String {
    let lines: BTreeSet<_> = locations.iter().filter_map(|location| position(module, *location)).collect();
    lines.into_iter().map(|(file, line)| format!("{file}:{line}\n")).collect()
}

/// Where a path ended: where its error says, or the innermost position that is known.
fn place(module: &Module, path: &Path) -> Option<(String, u32)> {
    let told = match &path.ending {
        Ending::Error(error) => error.place.clone(),
        _ => None,
    };
    told.or_else(|| path.stack.iter().find_map(|(_, location)| position(module, *location)))
}

/// Where a path ended, as messages begin: the innermost position that is known.
#[must_use]
pub fn describe(module: &Module, path: &Path) -> String {
    match place(module, path) {
        Some((file, line)) => format!("{file}:{line}"),
        None => "(location information missing)".to_owned(),
    }
}

/// The content of an error file.
pub(super) fn error_file(module: &Module, path: &Path, error: &PathError) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "Error: {}", error.message);
    if let Some((file, line)) = place(module, path) {
        let _ = writeln!(out, "File: {file}");
        let _ = writeln!(out, "Line: {line}");
    }
    if let Some(line) = path.assembly.first() {
        let _ = writeln!(out, "assembly.ll line: {line}");
        let _ = writeln!(out, "State: {}", path.state);
    }
    out.push_str("Stack:\n");
    for (depth, (function, location)) in path.stack.iter().enumerate() {
        let name = module.functions.get(function.index()).map_or("?", |function| function.name.as_str());
        let values = path.values.get(depth).map_or_else(String::new, |values| values.join(", "));
        let _ = match path.assembly.get(depth) {
            Some(line) => write!(out, "\t#{depth}{line:08} in {name}({values})"),
            None => write!(out, "\t#{depth} in {name}({values})"),
        };
        if let Some((file, line)) = position(module, *location) {
            let _ = write!(out, " at {file}:{line}");
        }
        out.push('\n');
    }
    if !error.details.is_empty() {
        out.push_str("Info:\n");
        for line in &error.details {
            let _ = writeln!(out, "\t{line}");
        }
    }
    out
}
