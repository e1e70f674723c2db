//! What a query takes from earlier ones: `$Name` is what Name was in an answer. Functions of dicts are goals, too.

use super::{Next, tell};
use crate::machine::{Machine, RunOutcome};
use crate::read::ReadTerm;
use crate::report;
use crate::term::{Cell, Tag, atom};

/// How many cells a term has at most that is kept for later queries.
const KEPT: usize = 1000;

/// A query with the values of earlier answers and with dicts' functions as goals; or what follows it, where that is
/// an error, which has been told.
pub(super) fn expanded(machine: &mut Machine, goal: Cell, read: &ReadTerm) -> Result<Cell, Next> {
    let equals = machine.atoms.intern("=");
    let mut names = Vec::new();
    for (name, variable, _) in &read.variables {
        let name = Cell::atom(machine.atoms.intern(name));
        names.push(machine.store.compound(equals, &[name, *variable]));
    }
    let names = machine.store.list(&names, Cell::atom(atom::NIL));
    let result = machine.store.variable();
    let name = machine.atoms.intern("$expanded_query");
    let expansion = machine.store.compound(name, &[goal, names, result]);
    let expansion = machine.qualified(atom::SYSTEM, expansion);
    match machine.run(expansion) {
        RunOutcome::Succeeded => Ok(machine.store.deref(result)),
        RunOutcome::Failed => Ok(goal),
        RunOutcome::Threw(ball) => {
            let text = report::error(machine, &ball);
            tell(machine, &text);
            Err(Next::Query)
        }
        RunOutcome::Halted(code) => Err(Next::Exit(code)),
    }
}

/// Keeps the values that an answer gives to the query's variables, for `$Name` in a later query.
pub(super) fn keep_answers(machine: &mut Machine, read: &ReadTerm) {
    let equals = machine.atoms.intern("=");
    let mut answers = Vec::new();
    for (name, variable, _) in &read.variables {
        let value = machine.store.deref(*variable);
        if value.tag() == Tag::Ref || name.starts_with('_') || !is_small(machine, value) {
            continue;
        }
        let name = Cell::atom(machine.atoms.intern(name));
        answers.push(machine.store.compound(equals, &[name, value]));
    }
    if answers.is_empty() {
        return;
    }
    let answers = machine.store.list(&answers, Cell::atom(atom::NIL));
    let name = machine.atoms.intern("$keep_answers");
    let goal = machine.store.compound(name, &[answers]);
    let goal = machine.qualified(atom::SYSTEM, goal);
    // What cannot be kept is not there later, which a query that asks for it tells.
    let _ = machine.run(goal);
}

/// Whether a term has at most [`KEPT`] cells; one without an end has more.
fn is_small(machine: &Machine, term: Cell) -> bool {
    let mut open = vec![term];
    let mut seen = 0;
    while let Some(cell) = open.pop() {
        let cell = machine.store.deref(cell);
        seen += 1;
        if seen > KEPT {
            return false;
        }
        if matches!(cell.tag(), Tag::Str | Tag::Lis) {
            let (first, arity) = machine.store.arguments(cell);
            if arity > KEPT {
                return false;
            }
            open.extend((first..first + arity).map(|i| machine.store.at(i)));
        }
    }
    true
}
