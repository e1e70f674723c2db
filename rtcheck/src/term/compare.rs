//! The standard order of terms: variables, numbers, strings, atoms, compound terms (where strings stand is
//! as in SWI-Prolog). Numbers are ordered by value, and a float precedes the integer of the same value; while the flag
//! `iso` is `true`, all floats precede all integers, as ISO 13211-1, 7.2 has it.

use super::steps::Steps;
use super::{Atom, Atoms, Cell, Number, Store, Tag, atom};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

fn rank(cell: Cell) -> u8 {
    match cell.tag() {
        Tag::Ref => 0,
        Tag::Box | Tag::Int => 1,
        Tag::Txt => 2,
        Tag::Atm => 3,
        Tag::Str | Tag::Lis | Tag::Hdr => 4,
    }
}

/// Compares two terms in the standard order. Variables are ordered by age. Ends on cyclic terms too.
#[must_use]
pub fn compare(store: &Store, atoms: &Atoms, left: Cell, right: Cell) -> Ordering {
    let (left, right) = (store.deref(left), store.deref(right));
    if left == right {
        return Ordering::Equal;
    }
    let order = compare_tops(store, atoms, left, right);
    if order != Ordering::Equal || !matches!(left.tag(), Tag::Lis | Tag::Str) {
        return order;
    }
    compare_arguments(store, atoms, left, right)
}

/// Whether two terms are identical. Cheaper than their order, since texts are not compared.
#[inline]
#[must_use]
pub fn identical(store: &Store, atoms: &Atoms, left: Cell, right: Cell) -> bool {
    let (left, right) = (store.deref(left), store.deref(right));
    let decided = left.tag() != right.tag() || left.tag() == Tag::Ref || left.is_immediate();
    left == right || (!decided && compare(store, atoms, left, right).is_eq())
}

/// Compares what two different terms are at their top.
fn compare_tops(store: &Store, atoms: &Atoms, left: Cell, right: Cell) -> Ordering {
    rank(left).cmp(&rank(right)).then_with(|| match left.tag() {
        Tag::Ref => left.index().cmp(&right.index()),
        Tag::Int | Tag::Box => compare_numbers(store, left, right),
        Tag::Atm | Tag::Txt => atoms.text(left.as_atom()).cmp(atoms.text(right.as_atom())),
        _ => {
            let [(name, count), (other, other_count)] = [left, right].map(|cell| functor(store, cell));
            count.cmp(&other_count).then_with(|| atoms.text(name).cmp(atoms.text(other)))
        }
    })
}

/// The functor of a compound term, as the order sees it: one without arguments comes before all others.
fn functor(store: &Store, cell: Cell) -> (Atom, usize) {
    match store.functor(cell) {
        Some((atom::NULLARY_FUNCTOR, 1)) => (atom::NULLARY_FUNCTOR, 0),
        Some(functor) => functor,
        None => (atom::NIL, 0),
    }
}

/// Compares the arguments of two compound terms with equal functors.
fn compare_arguments(store: &Store, atoms: &Atoms, left: Cell, right: Cell) -> Ordering {
    let mut steps = Steps::new(store.len());
    let mut pending = Vec::new();
    let (mut left, mut right) = (left, right);
    loop {
        if left != right {
            let order = compare_tops(store, atoms, left, right);
            if order != Ordering::Equal {
                return order;
            }
            if matches!(left.tag(), Tag::Lis | Tag::Str) && steps.step(left, right) {
                let ((first_left, count), (first_right, _)) = (store.arguments(left), store.arguments(right));
                pending.extend((0..count).rev().map(|i| (first_left + i, first_right + i)));
            }
        }
        let Some((next_left, next_right)) = pending.pop() else { return Ordering::Equal };
        (left, right) = (store.deref(store.at(next_left)), store.deref(store.at(next_right)));
    }
}

fn compare_numbers(store: &Store, left: Cell, right: Cell) -> Ordering {
    if left.tag() == Tag::Int && right.tag() == Tag::Int {
        return left.int_value().cmp(&right.int_value());
    }
    match (store.number(left), store.number(right)) {
        (Some(Number::Float(left)), Some(Number::Float(right))) => match left.partial_cmp(&right) {
            // Zeros of both signs are two terms; what is no number precedes all numbers.
            Some(Ordering::Equal) => left.total_cmp(&right),
            Some(order) => order,
            None => right.is_nan().cmp(&left.is_nan()).then(left.total_cmp(&right)),
        },
        (Some(left), Some(right)) => {
            let float = |number: &Number| matches!(number, Number::Float(_));
            if store.floats_first && float(&left) != float(&right) {
                return float(&right).cmp(&float(&left));
            }
            match left.compare(&right) {
                Some(order) => order.then(float(&right).cmp(&float(&left))),
                None => float(&right).cmp(&float(&left)),
            }
        }
        _ => Ordering::Equal,
    }
}

/// The free variables of a term, each once, in order of first occurrence from the left. Ends on cyclic terms too.
#[must_use]
pub fn variables(store: &Store, term: Cell) -> Vec<Cell> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    // A term with more steps than the store has cells shares much or is cyclic: then it is walked once more from the
    // beginning, for the order, and compound terms count once.
    let mut steps = store.len() + 1000;
    let mut once = false;
    let mut pending = vec![term];
    while let Some(cell) = pending.pop() {
        let cell = store.deref(cell);
        if cell.is_atomic() {
            continue;
        }
        if cell.tag() == Tag::Ref {
            if seen.insert(cell) {
                found.push(cell);
            }
            continue;
        }
        if once {
            if !seen.insert(cell) {
                continue;
            }
        } else if steps == 0 {
            once = true;
            found.clear();
            seen.clear();
            pending = vec![term];
            continue;
        } else {
            steps -= 1;
        }
        let (first, count) = store.arguments(cell);
        pending.extend((first..first + count).rev().map(|index| store.at(index)));
    }
    found
}
