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
    // The next key of the terminal; fails without one.
    machine.define_builtin("$read_key", 1, |m| {
        m.flush_output();
        match m.system.read_key() {
            Ok(Some(key)) => Ok(m.unify_argument(0, Cell::int(i64::from(key)))),
            Ok(None) | Err(_) => Ok(false),
        }
    });
    // Whether somebody sits at a terminal who can be asked.
    machine.define_builtin("$asks", 0, |m| Ok(m.asks));
}
