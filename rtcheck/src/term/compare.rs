//! The standard order of terms: variables, floats, integers, atoms, compound terms (ISO 13211-1, 7.2).

use super::{Atoms, Cell, Store, Tag};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

fn rank(store: &Store, cell: Cell) -> u8 {
    match cell.tag() {
        Tag::Ref => 0,
        Tag::Box if store.is_float(cell) => 1,
        Tag::Box | Tag::Int => 2,
        Tag::Atm => 3,
        Tag::Str | Tag::Lis | Tag::Fun | Tag::Hdr => 4,
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
        let order = rank(store, left).cmp(&rank(store, right)).then_with(|| match left.tag() {
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
    match (store.number(left), store.number(right)) {
        (Some(left), Some(right)) => left.compare(&right).unwrap_or(Ordering::Equal),
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
