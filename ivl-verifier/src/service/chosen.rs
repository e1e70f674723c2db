//! Which implementations are verified: those that are wanted by name and do not say `{:verify false}`.

use super::Verifier;
use crate::resolve::program::{ImplementationId, Program};

impl Verifier {
    /// Whether an implementation is to be verified.
    pub(super) fn verifies(&self, program: &Program, id: ImplementationId) -> bool {
        let implementation = &program.implementations[id];
        !implementation.wishes.skip && self.wanted(program.names.text(implementation.name))
    }

    fn wanted(&self, name: &str) -> bool {
        let fits = |patterns: &[String]| patterns.iter().any(|pattern| matches_pattern(pattern, name));
        (self.options.only.is_empty() || fits(&self.options.only)) && !fits(&self.options.except)
    }
}

/// Whether a name fits a pattern in which `*` stands for any text.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut last = None;
    for piece in pieces {
        if let Some(piece) = last.replace(piece) {
            match rest.find(piece) {
                Some(at) => rest = &rest[at + piece.len()..],
                None => return false,
            }
        }
    }
    last.map_or(rest.is_empty(), |piece| rest.ends_with(piece))
}
