//! `rtcheck_statistics/0`: what was checked so far, for people; and what statistics/2 tells of memory.

use crate::machine::Machine;
use crate::term::Cell;
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
    // '$memory'(memory(Used, Limit, Terms, Environments, Trail, Choicepoints, Atoms, Collections)).
    machine.define_builtin("$memory", 1, |m| {
        let [terms, environments, trail, choices] = m.stacks_in_use();
        let collections = m.counters.collections as usize;
        let (used, limit, atoms) = (m.memory_in_use(), m.limits.memory, m.atoms.len());
        let counts = [used, limit, terms, environments, trail, choices, atoms, collections].map(Cell::count);
        let name = m.atoms.intern("memory");
        let cell = m.store.compound(name, &counts);
        Ok(m.unify_argument(0, cell))
    });
}
