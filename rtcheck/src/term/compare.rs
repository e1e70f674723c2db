//! The standard order of terms: variables, numbers, atoms, compound terms. Numbers are ordered by value, and a
//! float precedes the integer of the same value; ISO 13211-1, 7.2 puts all floats before all integers, which
//! no list of mixed numbers is sorted for.

use super::{Atoms, Cell, Number, Store, Tag};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

fn rank(cell: Cell) -> u8 {
    match cell.tag() {
        Tag::Ref => 0,
        Tag::Box | Tag::Int => 1,
        Tag::Atm => 2,
        Tag::Str | Tag::Lis | Tag::Fun | Tag::Hdr => 3,
    }
}

/// Compares two terms in the standard order. Variables are ordered by age.
#[must_use]
pub fn compare(store: &Store, atoms: &Atoms, left: Cell, right: Cell) -> Ordering {
    let mut pending = vec![(left, right)];
    while let Some((left, right)) = pending.pop() {
        let (left, right) = (store.deref(left), store.deref(right));
        if left == right {
            continue;
        }
        let order = rank(left).cmp(&rank(right)).then_with(|| match left.tag() {
            Tag::Ref => left.index().cmp(&right.index()),
            Tag::Int | Tag::Box => compare_numbers(store, left, right),
            Tag::Atm => atoms.text(left.as_atom()).cmp(atoms.text(right.as_atom())),
            _ => {
                let ((first_left, count), (first_right, other_count)) =
                    (store.arguments(left), store.arguments(right));
                let name = |cell| store.functor(cell).map_or("", |(name, _)| atoms.text(name));
                count.cmp(&other_count).then_with(|| name(left).cmp(name(right))).then_with(|| {
                    for i in (0..count).rev() {
                        pending.push((store.at(first_left + i), store.at(first_right + i)));
                    }
                    Ordering::Equal
                })
            }
        });
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
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
            match left.compare(&right) {
                Some(order) => order.then(float(&right).cmp(&float(&left))),
                None => float(&right).cmp(&float(&left)),
            }
        }
        _ => Ordering::Equal,
    }
}

/// The free variables of a term, each once, in order of first occurrence from the left.
#[must_use]
pub fn variables(store: &Store, term: Cell) -> Vec<Cell> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut pending = vec![term];
    while let Some(cell) = pending.pop() {
        let cell = store.deref(cell);
        if cell.tag() == Tag::Ref {
            if seen.insert(cell) {
                found.push(cell);
            }
            continue;
        }
        let (first, count) = store.arguments(cell);
        pending.extend((first..first + count).rev().map(|index| store.at(index)));
    }
    found
}
