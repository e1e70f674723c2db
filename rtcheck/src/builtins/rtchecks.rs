//! What the library's text `rtchecks` needs of the machine: the evaluation of contracts, signals, recorded violations.

use crate::machine::{Machine, OnViolation, Outcome, Throw, Violation};
use crate::term::{Cell, Record, Tag, atom};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("$rtc_statuses", 3, Machine::contract_statuses);
    machine.define_builtin("$rtc_step", 5, Machine::contract_step);
    machine.define_builtin("$rtc_goal", 5, Machine::contract_goal);
    machine.define_builtin("$rtc_clock", 1, |m| {
        let now = Cell::int(m.checker.clock() as i64);
        Ok(m.unify_argument(0, now))
    });
    machine.define_builtin("$rtc_called", 5, Machine::contract_called);
    machine.define_builtin("$rtc_comps", 3, Machine::contract_comps);
    machine.define_builtin("$rtc_comp_ball", 5, Machine::contract_comp_ball);
    machine.define_builtin("$pp_ball", 3, Machine::point_ball);
    machine.define_builtin("$handlers", 1, Machine::signal_handlers);
    machine.define_builtin("$guard", 1, |m| {
        let protect = m.argument(0) == Cell::int(1);
        m.guard(protect);
        Ok(true)
    });
    machine.define_builtin("$unguard", 0, |m| {
        m.unguard();
        Ok(true)
    });
    machine.define_builtin("$rtc_count", 0, |m| {
        m.violations += 1;
        Ok(true)
    });
    machine.define_builtin("$rtc_unhandled", 1, unhandled);
    machine.define_builtin("$record_violation", 1, |m| {
        let ball = Record::new(&m.store, m.argument(0));
        m.recorded.push(ball);
        Ok(true)
    });
    machine.define_builtin("$checks_point", 2, |m| {
        let trust = m.argument(0) == Cell::atom(m.atoms.intern("trust"));
        let flags = m.rtchecks;
        Ok(m.checks_point(m.argument(1)) && !m.is_guarded() && (!trust || flags.trust))
    });
    machine.define_builtin("$increment", 2, |m| {
        let counter = m.argument(0);
        let (first, count) = m.store.arguments(counter);
        if count != 1 || m.store.at(first).tag() != Tag::Int {
            return m.type_error_named("counter", counter);
        }
        let next = Cell::int(m.store.at(first).int_value() + 1);
        // The count survives backtracking: the counter is older than the choicepoints that it counts across.
        m.store.cells[first] = next;
        Ok(m.unify_argument(1, next))
    });
    machine.define_builtin("$distinct_variables", 1, |m| {
        let list = m.argument(0);
        let Ok(cells) = m.store.list_elements(list) else { return Ok(false) };
        let distinct = |i: usize| cells[i].tag() == Tag::Ref && !cells[..i].contains(&cells[i]);
        Ok((0..cells.len()).all(distinct))
    });
    machine.define_builtin("recorded_violations", 1, |m| {
        let records = m.recorded.clone();
        let balls: Vec<Cell> = records.iter().map(|record| record.restore(&mut m.store)).collect();
        let list = m.store.list(&balls, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
    machine.define_builtin("$text_atom", 2, |m| {
        let text = m.argument(0);
        let Some(text) = super::atoms::any_text(m, text) else { return Ok(false) };
        let text = Cell::atom(m.atoms.intern(&text));
        Ok(m.unify_argument(1, text))
    });
}

/// `'$rtc_unhandled'(Ball)`: no handler wants a violation.
fn unhandled(m: &mut Machine) -> Outcome {
    let ball = Record::new(&m.store, m.argument(0));
    match m.rtchecks.on_violation {
        OnViolation::Throw => Err(Throw::Ball(ball)),
        OnViolation::Report => {
            m.report_violation(&Violation { ball });
            Ok(true)
        }
        OnViolation::Record => {
            m.recorded.push(ball);
            Ok(true)
        }
    }
}
