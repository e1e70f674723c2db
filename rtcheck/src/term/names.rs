//! Names for the variables of a term that is written for people: those of its text, or `A`, `B` and so on, and `_` for
//! those that occur once.

use super::{Cell, Store, Tag, variable_name};
use rustc_hash::FxHashMap;

/// The names of a clause's variables in its text, in order of first occurrence; empty for those that occur once.
pub type SourceNames = Box<[Box<str>]>;

/// The free variables of a term in order of first occurrence, each with how often it occurs; none if it is cyclic.
fn occurrences(store: &Store, term: Cell) -> Vec<(Cell, usize)> {
    let mut places: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut order: Vec<(Cell, usize)> = Vec::new();
    if store.is_acyclic(term) {
        let mut pending = vec![term];
        while let Some(cell) = pending.pop() {
            let cell = store.deref(cell);
            if cell.tag() == Tag::Ref {
                let place = *places.entry(cell).or_insert(order.len());
                match order.get_mut(place) {
                    Some((_, count)) => *count += 1,
                    None => order.push((cell, 1)),
                }
            }
            let (first, count) = store.arguments(cell);
            pending.extend((first..first + count).rev().map(|index| store.at(index)));
        }
    }
    order
}

/// The free variables of a term with names for them, in order of first occurrence.
#[must_use]
pub fn clause_names(store: &Store, term: Cell) -> Vec<(Cell, String)> {
    let mut next = 0;
    let mut name = |(variable, count)| {
        if count == 1 {
            return (variable, "_".to_owned());
        }
        next += 1;
        (variable, variable_name(next - 1))
    };
    occurrences(store, term).into_iter().map(&mut name).collect()
}

/// The names that a clause's variables have in its text, given what the text names. `None` if a variable that occurs
/// more than once has none, as those that the translation of a grammar rule adds: names made up for them could be
/// those of others.
#[must_use]
pub fn source_names(store: &Store, clause: Cell, named: &[(String, Cell, usize)]) -> Option<SourceNames> {
    // Of several names that became one variable the first counts.
    let mut names: FxHashMap<Cell, &str> = FxHashMap::default();
    for (name, cell, _) in named {
        names.entry(store.deref(*cell)).or_insert(name);
    }
    let name = |(variable, count)| {
        if count == 1 {
            return Some(Box::default());
        }
        names.get(&variable).map(|&name| name.into())
    };
    occurrences(store, clause).into_iter().map(name).collect()
}

/// The variables of a clause that have names in its text, with these.
#[must_use]
pub fn named_variables(store: &Store, clause: Cell, names: &SourceNames) -> Vec<(Cell, String)> {
    let named = occurrences(store, clause).into_iter().zip(names);
    named
        .filter(|(_, name)| !name.is_empty())
        .map(|((variable, _), name)| (variable, name.to_string()))
        .collect()
}
