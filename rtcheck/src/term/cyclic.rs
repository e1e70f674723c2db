//! Walks over two terms at once that end on cyclic terms too.
//!
//! A walk counts its steps. As long as there are fewer than the store has cells, nothing else happens; only terms with
//! much sharing, or cyclic ones, take longer. From then on compound terms that were compared with each other form
//! classes (union and find), and two of one class are taken to be equal: if they are not, the walk that put them
//! together finds the difference elsewhere. So each further step joins two classes or ends, and there are at most as
//! many as there are compound terms.

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

/// The steps of one walk.
#[derive(Debug)]
pub(crate) struct Steps {
    left: usize,
    /// For each compound term met since the steps ran out, another one of its class; roots are not listed.
    classes: FxHashMap<Cell, Cell>,
}

impl Steps {
    /// The steps of a walk over terms of a store.
    pub(crate) fn new(store: &Store) -> Self {
        Self { left: store.len() + 1000, classes: FxHashMap::default() }
    }

    /// Whether two compound terms, by their dereferenced cells, are to be compared: not if they are taken to be equal.
    #[inline]
    pub(crate) fn step(&mut self, left: Cell, right: Cell) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return true;
        }
        self.join(left, right)
    }

    #[cold]
    fn join(&mut self, left: Cell, right: Cell) -> bool {
        let (left, right) = (self.class(left), self.class(right));
        if left == right {
            return false;
        }
        self.classes.insert(left, right);
        true
    }

    /// The root of a cell's class. Paths are halved on the way.
    fn class(&mut self, mut cell: Cell) -> Cell {
        while let Some(&next) = self.classes.get(&cell) {
            if let Some(&after) = self.classes.get(&next) {
                self.classes.insert(cell, after);
            }
            cell = next;
        }
        cell
    }
}
