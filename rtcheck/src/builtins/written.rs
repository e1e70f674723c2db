//! The text of terms, as the machine's operators and flags have it.

use crate::machine::Machine;
use crate::term::{Cell, WriteOptions, Writer, clause_names};

/// The text of a term.
pub(crate) fn text_of(m: &Machine, term: Cell, options: WriteOptions) -> String {
    Writer::new(&m.store, &m.atoms, &m.operators, options).text(term, 1200)
}

/// The text of write_canonical/1.
pub(super) fn canonical_text(m: &Machine, term: Cell) -> String {
    let names = clause_names(&m.store, term);
    // The standard's examples (8.14.2.4) have lists with their functor there.
    let options = WriteOptions { dotted_lists: m.flags.strict, ..WriteOptions::CANONICAL };
    Writer::new(&m.store, &m.atoms, &m.operators, options).names(&names).text(term, 1200)
}
