//! What the library's engines are made of; see `machine::engine`.

use crate::machine::{Answer, Machine, RunOutcome, Throw};
use crate::term::{Cell, Tag, atom};

pub(super) fn define(machine: &mut Machine) {
    // '$engine_create'(Template-Goal, Number)
    machine.define_builtin("$engine_create", 2, |m| {
        let number = m.create_engine(m.argument(0));
        Ok(m.unify_argument(1, Cell::int(number)))
    });
    // '$engine_next'(Number, Answer): fails when there is none any more. The library has seen that there is the engine.
    machine.define_builtin("$engine_next", 2, |m| match m.ask_engine(number(m)) {
        Answer::Given(answer) => {
            let answer = answer.restore(&mut m.store);
            Ok(m.unify_argument(1, answer))
        }
        Answer::Ended(RunOutcome::Threw(ball)) => Err(Throw::Ball(ball)),
        Answer::Ended(RunOutcome::Halted(code)) => Err(Throw::Halt(code)),
        Answer::Ended(_) | Answer::Unknown => Ok(false),
        Answer::Running => {
            let culprit = handle(m, number(m));
            m.permission_error("resume", "engine", culprit)
        }
        Answer::TooDeep => {
            let depth = m.atoms.intern("depth");
            m.resource_error(depth)
        }
    });
    machine.define_builtin("$engine_destroy", 1, |m| m.destroy_engine(number(m)));
    machine.define_builtin("$engine_exists", 1, |m| {
        Ok(m.argument(0).tag() == Tag::Int && m.engine_exists(number(m)))
    });
    machine.define_builtin("$engine_waits", 1, |m| Ok(m.engine_waits(number(m))));
    machine.define_builtin("$engine_numbers", 1, |m| {
        let numbers: Vec<Cell> = m.engine_numbers().into_iter().map(Cell::int).collect();
        let list = m.store.list(&numbers, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
    machine.define_builtin("$engine_self", 1, |m| {
        let own = m.own_engine();
        Ok(own.is_some_and(|number| m.unify_argument(0, Cell::int(number))))
    });
    machine.define_builtin("$engine_keep", 1, |m| {
        let term = m.argument(0);
        Ok(m.yield_from_engine(term))
    });
    machine.define_builtin("$engine_post", 2, |m| {
        let term = m.argument(1);
        Ok(m.post_to_engine(number(m), term))
    });
    machine.define_builtin("$engine_fetch", 1, |m| {
        let posted = m.fetch_posted();
        Ok(posted.is_some_and(|term| m.unify_argument(0, term)))
    });
}

/// The first argument, which only the library writes.
fn number(m: &Machine) -> i64 {
    m.argument(0).int_value()
}

/// An engine as programs see it.
fn handle(m: &mut Machine, number: i64) -> Cell {
    let name = m.atoms.intern("$engine");
    m.store.compound(name, &[Cell::int(number)])
}
