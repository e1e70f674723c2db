//! Tables of answers, for the library's text `tabling`.

use crate::machine::{Calling, Machine, Reading};
use crate::term::{Cell, Record, variables};

pub(super) fn define(machine: &mut Machine) {
    // '$table_call'(Goal, Table, Evaluate)
    machine.define_builtin("$table_call", 3, |m| {
        let goal = m.argument(0);
        // A table tells calls apart by their terms, and constraints are no part of them.
        let waits = m.store.has_attributes()
            && variables(&m.store, goal).into_iter().any(|variable| m.store.is_attributed(variable.index()));
        if waits {
            return m.type_error_named("free_of_attvar", goal);
        }
        let call = Record::plain(&m.store, goal);
        let (table, calling) = m.call_table(call);
        let evaluate = Cell::count(usize::from(calling != Calling::Read));
        Ok(m.unify_argument(1, Cell::count(table)) && m.unify_argument(2, evaluate))
    });
    // '$table_add'(Table, Answer): answers are told apart by all they are.
    machine.define_builtin("$table_add", 2, |m| {
        let table = table(m);
        let answer = Record::plain(&m.store, m.argument(1));
        let bytes = m.tabling.add(table, answer.clone(), answer, false);
        m.hold(bytes);
        Ok(true)
    });
    // '$table_put'(Table, Key, Answer): the answer is the one with this key from now on.
    machine.define_builtin("$table_put", 3, |m| {
        let table = table(m);
        let key = Record::plain(&m.store, m.argument(1));
        let answer = Record::plain(&m.store, m.argument(2));
        let bytes = m.tabling.add(table, key, answer, true);
        m.hold(bytes);
        Ok(true)
    });
    // '$table_find'(Table, Key, Answer)
    machine.define_builtin("$table_find", 3, |m| {
        let table = table(m);
        let key = Record::plain(&m.store, m.argument(1));
        let Some(answer) = m.tabling.find(table, &key) else { return Ok(false) };
        let answer = answer.restore(&mut m.store);
        Ok(m.unify_argument(2, answer))
    });
    // '$table_answer'(Table, From, Answer, Next): Next is `[]` behind the last one, `delayed(Next)` if it may be undefined.
    machine.define_builtin("$table_answer", 4, |m| {
        let table = table(m);
        let from = usize::try_from(m.argument(1).int_value()).unwrap_or_default();
        let Some(Reading { answer, next, last, delayed }) = m.tabling.answer(table, from) else {
            return Ok(false);
        };
        let answer = answer.restore(&mut m.store);
        let next = if last { Cell::atom(crate::term::atom::NIL) } else { Cell::count(next) };
        let next = if delayed {
            let name = m.atoms.intern("delayed");
            m.store.compound(name, &[next])
        } else {
            next
        };
        Ok(m.unify_argument(2, answer) && m.unify_argument(3, next))
    });
    machine.define_builtin("$table_end_round", 1, |m| {
        let table = table(m);
        Ok(m.end_table_round(table))
    });
    // '$table_unasked'(Table, Call): a call that this round of a leader has left out. Fails if there is none.
    machine.define_builtin("$table_unasked", 2, |m| {
        let table = table(m);
        let Some(call) = m.tabling.unasked(table) else { return Ok(false) };
        let call = call.restore(&mut m.store);
        Ok(m.unify_argument(1, call))
    });
    // '$table_is_upper': whether answers need what they rest on noted.
    machine.define_builtin("$table_is_upper", 0, |m| Ok(m.tabling.is_upper()));
    // '$table_rests'(Table, Key, Goals): the answer that was just added rests on them.
    machine.define_builtin("$table_rests", 3, |m| {
        let table = table(m);
        let key = Record::plain(&m.store, m.argument(1));
        let condition = Record::plain(&m.store, m.argument(2));
        let bytes = m.tabling.add_condition(table, key, condition);
        m.hold(bytes);
        Ok(true)
    });
    // '$table_conditions'(Answer, Defined, Lists): 1 for an answer that is true, and on what it rests otherwise.
    machine.define_builtin("$table_conditions", 3, |m| {
        let answer = Record::plain(&m.store, m.argument(0));
        let Some((defined, conditions)) = m.tabling.conditions(&answer) else { return Ok(false) };
        let conditions: Vec<Cell> = conditions.iter().map(|goals| goals.restore(&mut m.store)).collect();
        let conditions = m.store.list(&conditions, Cell::atom(crate::term::atom::NIL));
        Ok(m.unify_argument(1, Cell::count(usize::from(defined))) && m.unify_argument(2, conditions))
    });
    // '$table_negation'(Call, Outcome): of a call that was called just before: 0 if its negation fails, 1 if it holds, 2 if
    // it is left open. Fails if the call has no table.
    machine.define_builtin("$table_negation", 2, |m| {
        let call = Record::plain(&m.store, m.argument(0));
        let Some(outcome) = m.tabling.negation(&call) else { return Ok(false) };
        Ok(m.unify_argument(1, Cell::count(outcome as usize)))
    });
    // '$table_undefined'(Outcome): the same of what is neither true nor false.
    machine.define_builtin("$table_undefined", 1, |m| {
        let outcome = m.tabling.undefined();
        Ok(m.unify_argument(0, Cell::count(outcome as usize)))
    });
    // '$table_is_stale'(Goal): whether the answers that are kept for the call may have changed.
    machine.define_builtin("$table_is_stale", 1, |m| {
        let call = Record::plain(&m.store, m.argument(0));
        Ok(m.tabling.is_stale(&call))
    });
    // '$table_calls'(Calls): the calls whose answers are known.
    machine.define_builtin("$table_calls", 1, |m| {
        let calls: Vec<Record> = m.tabling.calls().cloned().collect();
        let calls: Vec<Cell> = calls.iter().map(|call| call.restore(&mut m.store)).collect();
        let calls = m.store.list(&calls, Cell::atom(crate::term::atom::NIL));
        Ok(m.unify_argument(0, calls))
    });
    machine.define_builtin("$table_abandon", 1, |m| {
        let table = table(m);
        m.abandon_table(table);
        Ok(true)
    });
    machine.define_builtin("abolish_all_tables", 0, |m| {
        m.abolish_tables();
        Ok(true)
    });
}

/// The table in the first argument.
fn table(m: &Machine) -> usize {
    usize::try_from(m.argument(0).int_value()).unwrap_or_default()
}
