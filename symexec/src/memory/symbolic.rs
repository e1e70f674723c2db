//! Whose base addresses are symbols in questions.

use std::fmt;
use std::str::FromStr;

use super::Kind;

/// Whose base addresses are symbols in questions to the solver, to be renamed by the address-aware
/// cache. The others are numbers there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolicBases {
    /// What the program allocates.
    pub heap: bool,
    /// Local variables.
    pub stack: bool,
    /// Variables, strings and functions of the program.
    pub globals: bool,
}

impl Default for SymbolicBases {
    /// All: a symbol costs nothing before an expression needs it.
    fn default() -> Self {
        Self { heap: true, stack: true, globals: true }
    }
}

impl SymbolicBases {
    pub(super) fn include(self, kind: Kind) -> bool {
        match kind {
            Kind::Heap => self.heap,
            Kind::Stack => self.stack,
            Kind::Global | Kind::Function(_) => self.globals,
        }
    }
}

impl fmt::Display for SymbolicBases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [(self.heap, "heap"), (self.stack, "stack"), (self.globals, "globals")];
        let names: Vec<&str> = all.into_iter().filter(|(on, _)| *on).map(|(_, name)| name).collect();
        f.write_str(if names.is_empty() { "none" } else { "" })?;
        f.write_str(&names.join(","))
    }
}

/// A kind of objects that does not exist.
#[derive(Debug, thiserror::Error)]
#[error("unknown objects `{0}`: use none, or some of heap, stack and globals with commas")]
pub struct UnknownBases(String);

impl FromStr for SymbolicBases {
    type Err = UnknownBases;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bases = Self { heap: false, stack: false, globals: false };
        if text == "none" {
            return Ok(bases);
        }
        for name in text.split(',') {
            match name {
                "heap" => bases.heap = true,
                "stack" => bases.stack = true,
                "globals" => bases.globals = true,
                _ => return Err(UnknownBases(name.to_owned())),
            }
        }
        Ok(bases)
    }
}
