//! Control, statistics.

use crate::machine::{Machine, Throw};
use crate::term::{Cell, Number, Tag, atom};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("halt", 0, |_| Err(Throw::Halt(0)));
    machine.define_builtin("halt", 1, |m| {
        let code = m.argument(0);
        if code.tag() != Tag::Int {
            return m.type_error(atom::INTEGER, code);
        }
        Err(Throw::Halt(code.int_value() as i32))
    });
    machine.define_builtin("throw", 1, |m| {
        let ball = m.argument(0);
        if ball.tag() == Tag::Ref { m.instantiation_error() } else { m.throw_term(ball) }
    });
    machine.define_builtin("$cut", 1, |m| {
        let level = m.argument(0).int_value() as usize;
        m.cut_to(level);
        m.run_cleanups()?;
        Ok(true)
    });
    machine.define_builtin("$push_cleanup", 2, |m| {
        let goal = m.argument(0);
        let position = Cell::count(m.push_cleanup(goal));
        Ok(m.unify_argument(1, position))
    });
    // '$leave_cleanup'(Position, Done): no condition, since that would make a choicepoint.
    machine.define_builtin("$leave_cleanup", 2, |m| {
        let position = m.argument(0).int_value() as usize;
        let done = Cell::atom(if m.leave_cleanup(position) { atom::TRUE } else { atom::FALSE });
        Ok(m.unify_argument(1, done))
    });
    machine.define_builtin("$push_undo", 1, |m| {
        let goal = m.argument(0);
        m.push_undo(goal);
        Ok(true)
    });
    machine.define_builtin("$undone", 1, |m| {
        let goals = m.take_undone();
        let goals: Vec<Cell> = goals.iter().map(|goal| goal.restore(&mut m.store)).collect();
        let list = m.store.list(&goals, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
    machine.define_builtin("$level", 1, |m| {
        let level = Cell::count(m.level());
        Ok(m.unify_argument(0, level))
    });
    machine.define_builtin("$check_body", 1, |m| {
        let body = m.argument(0);
        m.check_body(body).map(|()| true)
    });
    machine.define_builtin("$cpu_time", 1, |m| {
        let milliseconds = Cell::int(m.system.cpu_time().as_millis() as i64);
        Ok(m.unify_argument(0, milliseconds))
    });
    machine.define_builtin("$cpu_nanoseconds", 1, |m| {
        let nanoseconds = Number::Int(m.system.cpu_time().as_nanos() as i64);
        let cell = m.store.make_number(&nanoseconds);
        Ok(m.unify_argument(0, cell))
    });
    machine.define_builtin("$wall_time", 1, |m| {
        let milliseconds = Cell::int(m.system.wall_time().as_millis() as i64);
        Ok(m.unify_argument(0, milliseconds))
    });
    // Seconds since the beginning of 1970.
    machine.define_builtin("get_time", 1, |m| {
        let seconds = Number::Float(m.system.calendar_time().as_secs_f64());
        let cell = m.store.make_number(&seconds);
        Ok(m.unify_argument(0, cell))
    });
    machine.define_builtin("$inferences", 1, |m| {
        let calls = Cell::int(m.calls() as i64);
        Ok(m.unify_argument(0, calls))
    });
    machine.define_builtin("$program_arguments", 1, |m| {
        let arguments = m.arguments.clone();
        let cells: Vec<Cell> = arguments.iter().map(|text| Cell::atom(m.atoms.intern(text))).collect();
        let list = m.store.list(&cells, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
}
