//! Goals that lie on the trail until backtracking passes them: what `undo/1` leaves.

use super::trail::Undo;
use super::{Cell, Record, Store};

/// The goals of one store's trail.
#[derive(Debug, Default)]
pub(super) struct Undoing {
    /// By number: the cell under an entry of the trail is one. `None` where the goal is due, or was run.
    waiting: Vec<Option<Record>>,
    /// Those that were passed, the first of them first.
    due: Vec<Record>,
}

/// The root of their entries. No root has this number.
const ROOT: usize = 1 << 40;

impl Store {
    /// Lets a goal be due when backtracking passes this moment.
    pub(crate) fn push_undo(&mut self, goal: Record) {
        self.trail.push(Cell::count(self.undoing.waiting.len()));
        self.trail.push(Undo::Root(ROOT).entry());
        self.undoing.waiting.push(Some(goal));
    }

    /// An entry of a root was undone: gives the root its old cell, or makes a goal due.
    pub(super) fn undo_root(&mut self, number: usize, old: Cell) {
        if number != ROOT {
            self.roots[number] = old;
            return;
        }
        let undoing = &mut self.undoing;
        let goal = undoing.waiting.get_mut(old.int_value() as usize).and_then(Option::take);
        undoing.due.extend(goal);
        while let Some(None) = undoing.waiting.last() {
            undoing.waiting.pop();
        }
    }

    /// Whether goals wait on the trail, or are due.
    #[inline]
    pub(crate) fn has_undo_goals(&self) -> bool {
        !self.undoing.waiting.is_empty() || self.has_undone()
    }

    /// Whether goals are due.
    #[inline]
    pub(crate) fn has_undone(&self) -> bool {
        !self.undoing.due.is_empty()
    }

    /// Takes the goals that are due, in the order in which they were passed.
    pub(crate) fn take_undone(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.undoing.due)
    }

    /// All of them.
    pub(crate) fn undo_goals(&self) -> impl Iterator<Item = &Record> {
        self.undoing.waiting.iter().flatten().chain(&self.undoing.due)
    }
}
