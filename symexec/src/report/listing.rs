//! The list of executed instructions (`--debug-print-instructions`), in KLEE's form: the place in the source, the
//! line in `assembly.ll`, the number of the state, and the instruction itself, as much of it as is wanted.

use std::fmt::Write;

use super::files::position;
use crate::exec::Shown;
use crate::module::Module;

/// Where instructions are listed, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// In `instructions.txt` of the output folder, or else on standard error.
    pub to_file: bool,
    /// What a line has.
    pub shape: Shape,
}

/// What a line of the list has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Source, line of the assembly file, state, and the instruction.
    #[default]
    All,
    /// All but the instruction.
    Source,
    /// Line of the assembly file and state.
    Compact,
}

reprise_tools::names!(Shape, "list of instructions": All = "all", Source = "src", Compact = "compact");

/// The name of the file in the output folder.
const FILE: &str = "instructions.txt";

/// How many bytes are kept back before they are written to the file.
const KEPT: usize = 1 << 16;

/// A list as it grows.
pub(super) struct Listed {
    listing: Listing,
    /// The lines of the program's text.
    lines: Vec<String>,
    text: String,
}

impl Listed {
    /// A list of instructions that stand in this text.
    pub(super) fn new(listing: Listing, assembly: &str) -> Self {
        let lines = match listing.shape {
            Shape::All => assembly.lines().map(str::to_owned).collect(),
            Shape::Source | Shape::Compact => Vec::new(),
        };
        Self { listing, lines, text: String::new() }
    }

    /// Adds an instruction.
    pub(super) fn add(&mut self, module: &Module, shown: &Shown) {
        let Shown { state, line, location } = *shown;
        let text = &mut self.text;
        if self.listing.shape != Shape::Compact {
            let column = module.locations.get(location.index()).map_or(0, |location| location.column);
            let _ = match position(module, location) {
                Some((file, number)) => write!(text, "     {file}:{number} {column}:"),
                None => write!(text, "     [no debug info]:"),
            };
        }
        let _ = write!(text, "{line}:{state}");
        if let Some(instruction) = (line as usize).checked_sub(1).and_then(|place| self.lines.get(place)) {
            let _ = write!(text, ":{instruction}");
        }
        text.push('\n');
    }

    /// What is to be written now, and the file if it goes to one.
    pub(super) fn take(&mut self, is_end: bool) -> Option<(Option<&'static str>, String)> {
        let Listing { to_file, .. } = self.listing;
        if self.text.is_empty() || to_file && !is_end && self.text.len() < KEPT {
            return None;
        }
        Some((to_file.then_some(FILE), std::mem::take(&mut self.text)))
    }
}
