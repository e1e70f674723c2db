//! What a text may change for itself only: its module, its operators and its flags hold to its end.

use super::Loader;
use crate::machine::{CheckFlags, Machine};
use crate::read::Flags;
use crate::term::{Atom, Cell, Operators, Tag};

/// What a file may change for itself only.
pub(super) struct FileState {
    module: Atom,
    operators: Operators,
    flags: Flags,
    rtchecks: CheckFlags,
}

impl FileState {
    /// What holds where the file begins.
    pub(super) fn save(machine: &mut Machine) -> Self {
        // What the text around this one says of its own checks does not concern this one.
        if machine.loading.open.len() <= 1 {
            machine.loading.outermost = machine.rtchecks;
        }
        let outer = machine.rtchecks;
        machine.rtchecks = outer.with_loading_of(machine.loading.outermost);
        Self {
            module: machine.source_module,
            operators: machine.operators.clone(),
            flags: machine.flags,
            rtchecks: outer,
        }
    }

    /// Lets it hold again, where the file has ended.
    pub(super) fn restore(self, machine: &mut Machine, loader: &Loader) {
        let is_module = machine.source_module != self.module && !loader.library;
        let module = std::mem::replace(&mut machine.source_module, self.module);
        if is_module {
            machine.module(module).own_operators = machine.operators.changes_from(&self.operators);
            machine.operators = self.operators;
            for &(name, definition) in &loader.exported_operators {
                machine.operators.define(name, definition);
            }
        }
        if machine.loading.open.len() > 1 || is_module {
            machine.flags = self.flags;
        }
        // What decides how a text is loaded concerns that text only.
        machine.rtchecks = machine.rtchecks.with_loading_of(self.rtchecks);
    }
}

impl Loader {
    /// Whether the text decides about its own checks: with the flag `runtime_checks`, which as a directive concerns
    /// nobody else, as in Ciao.
    pub(super) fn set_own_flag(&mut self, machine: &mut Machine, flag: Cell, value: Cell) -> bool {
        let named =
            |cell: Cell, name: &str| cell.tag() == Tag::Atm && machine.atoms.text(cell.as_atom()) == name;
        let on = named(value, "yes");
        if !named(flag, "runtime_checks") || !on && !named(value, "no") {
            return false;
        }
        (self.checks, self.asks_for_checks) = (on, on);
        let path = machine.atoms.intern(&self.source.name);
        machine.loading.own_checks.insert(path, on);
        true
    }
}
