//! What the library's text `tracer` needs of the machine.

use crate::machine::Machine;
use crate::term::{Cell, Tag, atom};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("$watch_calls", 1, |m| {
        let on = m.argument(0) == Cell::atom(atom::TRUE);
        m.watch_calls(on);
        Ok(true)
    });
    machine.define_builtin("$watches_calls", 0, |m| Ok(m.watches_calls()));
    machine.define_builtin("$pass_watch", 1, |m| {
        let way = m.argument(0);
        if way.tag() == Tag::Int {
            m.pass_watch(way.int_value());
        }
        Ok(true)
    });
    // Whether somebody sits at a terminal who can be asked.
    machine.define_builtin("$asks", 0, |m| Ok(m.asks));
}
