//! How often the variables of terms occur.

use super::{Cell, Store, Tag};
use rustc_hash::{FxHashMap, FxHashSet};

/// The free variables of terms in order, each with whether it occurs more than once. What lies in a shared part
/// occurs as often as that part. Costs the number of distinct cells.
pub(crate) fn occurrences(store: &Store, roots: &[Cell]) -> Vec<(Cell, bool)> {
    let mut order: Vec<Cell> = Vec::new();
    let mut several: FxHashMap<Cell, bool> = FxHashMap::default();
    let mut seen: FxHashSet<Cell> = FxHashSet::default();
    let mut shared: Vec<Cell> = Vec::new();
    let mut pending: Vec<Cell> = roots.iter().rev().copied().collect();
    while let Some(cell) = pending.pop() {
        let cell = store.deref(cell);
        if cell.tag() == Tag::Ref {
            several.entry(cell).and_modify(|several| *several = true).or_insert_with(|| {
                order.push(cell);
                false
            });
            continue;
        }
        let (first, count) = store.arguments(cell);
        if count > 0 && !seen.insert(cell) {
            shared.push(cell);
            continue;
        }
        pending.extend((first..first + count).rev().map(|i| store.at(i)));
    }
    let mut again: FxHashSet<Cell> = FxHashSet::default();
    while let Some(cell) = shared.pop() {
        let cell = store.deref(cell);
        if cell.tag() == Tag::Ref {
            several.insert(cell, true);
        }
        let (first, count) = store.arguments(cell);
        if count > 0 && again.insert(cell) {
            shared.extend((first..first + count).map(|i| store.at(i)));
        }
    }
    order.into_iter().map(|cell| (cell, several[&cell])).collect()
}
