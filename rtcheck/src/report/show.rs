//! Terms inside messages.

use crate::machine::Machine;
use crate::term::{Cell, WriteOptions, Writer};

/// Messages show terms whole unless they are so large that nobody would read them.
const OPTIONS: WriteOptions =
    WriteOptions { named_variables: true, most_steps: Some(4000), ..WriteOptions::QUOTED };

pub(super) fn show(machine: &Machine, term: Cell) -> String {
    Writer::new(&machine.store, &machine.atoms, &machine.operators, OPTIONS).text(term, 999)
}
