//! Walks over two terms at once that end on cyclic terms too.
//!
//! A walk counts its steps. As long as there are fewer than the store has cells, nothing else happens; only terms with
//! much sharing, or cyclic ones, take longer. From then on compound terms that were compared with each other form
//! classes (union and find), and two of one class are taken to be equal: if they are not, the walk that put them
//! together finds the difference elsewhere. So each further step joins two classes or ends, and there are at most as
//! many as there are compound terms.

use super::Cell;
use rustc_hash::FxHashMap;

/// The steps of one walk.
#[derive(Debug)]
pub(crate) struct Steps {
    left: usize,
    /// For each compound term met since the steps ran out, another one of its class; roots are not listed.
    classes: FxHashMap<Cell, Cell>,
}

impl Steps {
    /// The steps of a walk over terms of a store of so many cells.
    pub(crate) fn new(cells: usize) -> Self {
        Self { left: cells + 1000, classes: FxHashMap::default() }
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
