//! Assertions outside the store: what a file says of a predicate that others may speak of too, until it is loaded anew.

use super::normalize::Declared;
use super::parse::{Assertion, AssertionKind, AssertionStatus, Formula, Head};
use crate::machine::{CheckLevel, KeptAssertion, Machine};
use crate::term::{Atom, Cell, Record, Store, atom};

/// The kinds that conditions are made of, by their names.
const KINDS: [(AssertionKind, &str); 7] = [
    (AssertionKind::Pred, "pred"),
    (AssertionKind::Calls, "calls"),
    (AssertionKind::Success, "success"),
    (AssertionKind::Comp, "comp"),
    (AssertionKind::Entry, "entry"),
    (AssertionKind::Exit, "exit"),
    (AssertionKind::Test, "test"),
];

/// Copies an assertion that is checked. `None` of one that says nothing to check.
#[must_use]
pub fn keep(machine: &mut Machine, declared: &Declared) -> Option<KeptAssertion> {
    let Assertion { kind, head, compat, calls, success, comp, .. } = &declared.assertion;
    let &(_, kind) = KINDS.iter().find(|(known, _)| known == kind)?;
    let nil = Cell::atom(atom::NIL);
    let kind = Cell::atom(machine.atoms.intern(kind));
    let store = &mut machine.store;
    let names: Vec<Cell> = declared
        .names
        .iter()
        .map(|&(variable, name)| store.compound(atom::EQUALS, &[variable, Cell::atom(name)]))
        .collect();
    let mut parts = vec![kind, store.list(&head.arguments, nil)];
    for formula in [compat, calls, success] {
        let conjunctions: Vec<Cell> = formula.iter().map(|literals| store.list(literals, nil)).collect();
        parts.push(store.list(&conjunctions, nil));
    }
    parts.push(store.list(comp, nil));
    parts.push(store.list(&names, nil));
    let term = store.compound(head.name, &parts);
    let inside = machine.rtchecks.level == CheckLevel::Inner;
    Some(KeptAssertion {
        term: Record::plain(&machine.store, term),
        place: declared.place.clone(),
        module: declared.module,
        inside,
    })
}

/// The assertion that was kept. It is checked, whatever the flags say by now. `None` if the record is none.
#[must_use]
pub fn restored(machine: &mut Machine, kept: &KeptAssertion) -> Option<Declared> {
    let term = kept.term.restore(&mut machine.store);
    let store = &machine.store;
    let (name, 7) = store.functor(term)? else { return None };
    let part = |i| elements(store, store.argument(term, i));
    let formula = |i| -> Formula { part(i).into_iter().map(|literals| elements(store, literals)).collect() };
    let word = machine.atoms.text(store.argument(term, 0).as_atom());
    let &(kind, _) = KINDS.iter().find(|(_, known)| *known == word)?;
    let names: Vec<(Cell, Atom)> = part(6)
        .into_iter()
        .map(|pair| (store.argument(pair, 0), store.argument(pair, 1).as_atom()))
        .collect();
    let assertion = Assertion {
        kind,
        status: AssertionStatus::Check,
        head: Head { module: None, name, arguments: part(1), has_terms: false },
        compat: formula(2),
        calls: formula(3),
        success: formula(4),
        comp: part(5),
        written: [None; 3],
        goal: false,
        comment: None,
    };
    Some(Declared { assertion, place: kept.place.clone(), module: kept.module, names, chosen: true })
}

fn elements(store: &Store, list: Cell) -> Vec<Cell> {
    store.list_elements(list).unwrap_or_default()
}
