//! `rtcheck_statistics/0`: what was checked so far, for people; and what statistics/2 tells of memory.

use crate::machine::Machine;
use crate::term::{Cell, atom};
use std::fmt::Write as _;

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("rtcheck_statistics", 0, |m| {
        let counters = m.checker.counters();
        let configuration = m.checker.configuration();
        let mut text = String::new();
        for (what, count) in [
            ("checks", counters.checks),
            ("nodes visited", counters.visits),
            ("cache hits", counters.hits),
            ("inherited", counters.inherited),
            ("remembered", counters.inserted),
            ("violations", m.violations),
            ("calls", m.calls()),
        ] {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{what:<14}{count:>14}");
        }
        let _ = writeln!(text, "{:<14}{:>14}", "check cache", configuration.cache.name());
        m.write_output(&text);
        Ok(true)
    });
    machine.define_builtin("$collect_atoms", 0, |m| {
        m.collect_atoms_soon();
        Ok(true)
    });
    // '$atoms'(List): all atoms, and the texts of strings.
    machine.define_builtin("$atoms", 1, |m| {
        let atoms: Vec<Cell> = m.atoms.all().map(Cell::atom).collect();
        let list = m.store.list(&atoms, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
    // '$memory'(memory(Used, Limit, Terms, Environments, Trail, Choicepoints, Atoms, Collections, Bytes of atoms,
    // Collections of atoms, Atoms collected)).
    machine.define_builtin("$memory", 1, |m| {
        let [terms, environments, trail, choices] = m.stacks_in_use();
        let collections = m.counters.collections as usize;
        let (used, limit, atoms) = (m.memory_in_use(), m.limits.memory, m.atoms.len());
        let bytes = m.atoms.bytes();
        let of_atoms = [m.counters.atom_collections, m.counters.atoms_collected].map(|count| count as usize);
        let [gone, collected] = of_atoms;
        let counts =
            [used, limit, terms, environments, trail, choices, atoms, collections, bytes, gone, collected];
        let counts = counts.map(Cell::count);
        let name = m.atoms.intern("memory");
        let cell = m.store.compound(name, &counts);
        Ok(m.unify_argument(0, cell))
    });
}
