//! The circles of cyclic terms, which are told as equations.

use super::{Cell, Store};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The parts at which a cyclic term closes its circles: each compound term that lies inside itself has one on every way
/// back to it. They get names, and the term is told as equations.
#[derive(Debug, Default)]
pub(crate) struct Knots {
    /// The parts, in the order in which a walk from left to right comes back to them.
    pub(crate) cells: Vec<Cell>,
    numbers: FxHashMap<Cell, usize>,
    /// One of them with a name of its own.
    pub(crate) root: Option<(usize, String)>,
    /// How many names were given to others, if each is the left side of an equation of an answer.
    pub(crate) before: Option<usize>,
}

impl Knots {
    /// Those of a term. Costs its cells.
    pub(crate) fn of(store: &Store, term: Cell) -> Self {
        let mut knots = Self::default();
        // Whether the walk is still inside.
        let mut inside: FxHashMap<Cell, bool> = FxHashMap::default();
        let mut pending = vec![(store.deref(term), false)];
        while let Some((cell, done)) = pending.pop() {
            if done {
                inside.insert(cell, false);
                continue;
            }
            let (first, count) = store.arguments(cell);
            if count == 0 {
                continue;
            }
            match inside.get(&cell) {
                Some(true) => {
                    let number = knots.cells.len();
                    if let Entry::Vacant(entry) = knots.numbers.entry(cell) {
                        entry.insert(number);
                        knots.cells.push(cell);
                    }
                }
                Some(false) => {}
                None => {
                    inside.insert(cell, true);
                    pending.push((cell, true));
                    pending.extend((first..first + count).rev().map(|i| (store.deref(store.at(i)), false)));
                }
            }
        }
        knots
    }

    /// The number of a part that has a name.
    pub(crate) fn number(&self, cell: Cell) -> Option<usize> {
        self.numbers.get(&cell).copied()
    }

    /// Its name.
    pub(crate) fn name(&self, number: usize) -> String {
        match (&self.root, self.before) {
            (Some((root, name)), _) if *root == number => name.clone(),
            (_, Some(before)) => format!("_S{}", before + number + 1),
            (_, None) => format!("S_{}", number + 1),
        }
    }
}
