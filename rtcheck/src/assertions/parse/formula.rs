//! What a field of an assertion says: conjunctions of property literals, of which one must hold.
//!
//! A field is a formula of `,` and `;`, or has one entry for each argument (`int * list(int) * {atm, nonvar}`).

use super::Head;
use crate::assertions::modes::apply;
use crate::term::{Cell, Store, Tag, atom};

/// Conjunctions of property literals, of which one must hold. An empty conjunction is `true`.
pub(in crate::assertions) type Formula = Vec<Vec<Cell>>;

/// More alternatives than this in one formula are refused.
const MAX_ALTERNATIVES: usize = 64;

/// A field as a disjunction of conjunctions; an absent field is `true`. The other variables of the assertion, if it may
/// speak of them only, tell a condition on them from the entry of the only argument.
pub(in crate::assertions) fn field(
    store: &mut Store,
    field: Option<Cell>,
    head: &Head,
    others: Option<&[Cell]>,
) -> Result<Formula, String> {
    let Some(field) = field else { return Ok(vec![Vec::new()]) };
    let alone = head.arguments.len() == 1
        && !head.has_terms
        && field != Cell::atom(atom::TRUE)
        && store.functor(field).is_some()
        && !crate::term::variables(store, field).contains(&head.arguments[0])
        && !(compares(store, field)
            && others.is_none_or(|others| {
                crate::term::variables(store, field).iter().all(|variable| others.contains(variable))
            }));
    if is_star(store, field) || alone {
        star_form(store, field, head)
    } else {
        alternatives(store, Some(field))
    }
}

/// Whether a field has nothing but comparisons of two terms: they are complete, whatever their variables are.
fn compares(store: &Store, field: Cell) -> bool {
    let comparisons = [
        atom::EQUALS,
        atom::NOT_EQUALS,
        atom::IDENTICAL,
        atom::NOT_IDENTICAL,
        atom::TERM_LESS,
        atom::TERM_GREATER,
        atom::TERM_LESS_EQUAL,
        atom::TERM_GREATER_EQUAL,
        atom::UNIV,
        atom::IS,
        atom::ARITH_EQUAL,
        atom::ARITH_NOT_EQUAL,
        atom::LESS,
        atom::GREATER,
        atom::LESS_EQUAL,
        atom::GREATER_EQUAL,
    ];
    let mut pending = vec![store.deref(field)];
    while let Some(term) = pending.pop() {
        match store.functor(term) {
            Some((atom::COMMA | atom::SEMICOLON, 2)) => {
                pending.extend([0, 1].map(|i| store.deref(store.argument(term, i))));
            }
            Some((name, 2)) if comparisons.contains(&name) => {}
            _ if term == Cell::atom(atom::TRUE) => {}
            _ => return false,
        }
    }
    true
}

/// Conjunctions and disjunctions, nested in any way, multiplied out.
pub(in crate::assertions) fn alternatives(store: &Store, field: Option<Cell>) -> Result<Formula, String> {
    let Some(field) = field else { return Ok(vec![Vec::new()]) };
    let mut done: Formula = Vec::new();
    let mut pending = vec![(Vec::new(), vec![field])];
    while let Some((mut literals, mut rest)) = pending.pop() {
        let Some(term) = rest.pop() else {
            done.push(literals);
            if done.len() > MAX_ALTERNATIVES {
                return Err(format!("more than {MAX_ALTERNATIVES} alternatives in one assertion"));
            }
            continue;
        };
        let term = store.deref(term);
        if let Some([left, right]) = store.match_structure::<2>(term, atom::COMMA) {
            rest.extend([right, left]);
            pending.push((literals, rest));
        } else if let Some([left, right]) = store.match_structure::<2>(term, atom::SEMICOLON) {
            let mut other = rest.clone();
            other.push(right);
            rest.push(left);
            pending.push((literals.clone(), other));
            pending.push((literals, rest));
        } else {
            if store.functor(term).is_none() {
                return Err("expected a property".to_owned());
            }
            if term != Cell::atom(atom::TRUE) {
                literals.push(term);
            }
            pending.push((literals, rest));
        }
    }
    Ok(done)
}

/// `int * list(int) * {atm, nonvar}`: one entry per argument.
fn star_form(store: &mut Store, field: Cell, head: &Head) -> Result<Formula, String> {
    let mut entries = Vec::new();
    let mut rest = store.deref(field);
    while let Some([left, right]) = store.match_structure::<2>(rest, atom::STAR) {
        entries.push(right);
        rest = left;
    }
    entries.push(rest);
    entries.reverse();
    if entries.len() != head.arguments.len() {
        return Err(format!(
            "the field has {} entries, the predicate {} arguments",
            entries.len(),
            head.arguments.len()
        ));
    }
    let mut whole: Formula = vec![Vec::new()];
    for (entry, &argument) in entries.into_iter().zip(&head.arguments) {
        if entry.tag() == Tag::Ref {
            // `_` says nothing of its argument.
            continue;
        }
        let alternatives = entry_of(store, entry, argument)?;
        whole = whole
            .iter()
            .flat_map(|before| {
                alternatives.iter().map(move |entry| before.iter().chain(entry).copied().collect())
            })
            .collect();
        if whole.len() > MAX_ALTERNATIVES {
            return Err(format!("more than {MAX_ALTERNATIVES} alternatives in one assertion"));
        }
    }
    Ok(whole)
}

/// One entry of a star form: properties, in braces or brackets if there is more than one.
fn entry_of(store: &mut Store, entry: Cell, argument: Cell) -> Result<Formula, String> {
    let inner = store.match_structure::<1>(entry, atom::CURLY).map_or(entry, |[inner]| inner);
    let mut formula = alternatives(store, Some(inner))?;
    for literal in formula.iter_mut().flatten() {
        *literal = apply(store, *literal, argument)?;
    }
    Ok(formula)
}

/// Whether a field gives an entry per argument.
pub(super) fn is_star(store: &Store, field: Cell) -> bool {
    let field = store.deref(field);
    store.match_structure::<2>(field, atom::STAR).is_some()
        || store.match_structure::<1>(field, atom::CURLY).is_some()
}
