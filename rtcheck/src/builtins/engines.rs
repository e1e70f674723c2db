//! What the library's engines are made of; see `machine::engine`.

use crate::machine::{Answer, Machine, Outcome, RunOutcome, Throw};
use crate::term::{Cell, Tag, atom};

pub(super) fn define(machine: &mut Machine) {
    // '$engine_create'(Template-Goal, Number)
    machine.define_builtin("$engine_create", 2, |m| {
        let number = m.create_engine(m.argument(0));
        Ok(m.unify_argument(1, Cell::int(number)))
    });
    // '$engine_next'(Number, Answer): fails when there is none any more. The library has seen that there is the engine.
    machine.define_builtin("$engine_next", 2, |m| next(m, false));
    // '$thread_next'(Number, Answer): the same for the engine of a thread, which has limits of its own.
    machine.define_builtin("$thread_next", 2, |m| next(m, true));
    // '$engines_running'(Numbers): the innermost first.
    machine.define_builtin("$engines_running", 1, |m| {
        let numbers: Vec<Cell> = m.running_engines().into_iter().map(Cell::int).collect();
        let list = m.store.list(&numbers, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
    // '$signal'(Number): there is a signal for the engine of a thread, or for the main one, which is 0.
    machine.define_builtin("$signal", 1, |m| {
        m.signal(number(m));
        Ok(true)
    });
    // '$set_alarm'(Milliseconds): until the next alarm; no number is none.
    machine.define_builtin("$set_alarm", 1, |m| {
        let left = m.argument(0);
        m.set_alarm((left.tag() == Tag::Int).then(|| left.int_value().max(0) as u64));
        Ok(true)
    });
    // '$wakes_in'(Milliseconds): after which a bound on time or an alarm ends a wait. Fails if there is none.
    machine.define_builtin("$wakes_in", 1, |m| {
        let left = m
            .wakes_in()
            .map(|left| i64::try_from(left).map_or(Cell::MAX_INT, |left| left.min(Cell::MAX_INT)));
        Ok(left.is_some_and(|left| m.unify_argument(0, Cell::int(left))))
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

fn next(m: &mut Machine, is_thread: bool) -> Outcome {
    match m.ask_engine(number(m), is_thread) {
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
    }
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
