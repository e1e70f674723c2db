//! Names for the variables of a term that is written for people: `A`, `B` and so on, `_` for those that occur once.

use super::{Cell, Store, Tag, variable_name};
use rustc_hash::FxHashMap;

/// The free variables of a term with names for them, in order of first occurrence. In a cyclic term every variable
/// counts as occurring more than once.
#[must_use]
pub fn clause_names(store: &Store, term: Cell) -> Vec<(Cell, String)> {
    let mut counts: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut order = Vec::new();
    if store.is_acyclic(term) {
        let mut pending = vec![term];
        while let Some(cell) = pending.pop() {
            let cell = store.deref(cell);
            if cell.tag() == Tag::Ref {
                let count = counts.entry(cell).or_insert(0);
                *count += 1;
                if *count == 1 {
                    order.push(cell);
                }
            }
            let (first, count) = store.arguments(cell);
            pending.extend((first..first + count).rev().map(|index| store.at(index)));
        }
    }
    let mut next = 0;
    let mut name = |variable: Cell| {
        if counts[&variable] == 1 {
            return (variable, "_".to_owned());
        }
        next += 1;
        (variable, variable_name(next - 1))
    };
    order.into_iter().map(&mut name).collect()
}
