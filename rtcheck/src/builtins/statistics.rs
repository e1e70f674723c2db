//! `rtcheck_statistics/0`: what was checked so far, for people.

use crate::machine::Machine;
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
}
