//! Numbers that lie on the trail until backtracking passes them: of goals that `undo/1` leaves to whoever has the store.

use super::Cell;
use super::trail::Undo;

/// The numbers of one store's trail.
#[derive(Debug, Default)]
pub(super) struct Undoing {
    /// How many lie on the trail.
    waiting: usize,
    /// Those that were passed, the first of them first.
    due: Vec<usize>,
}

/// The roots of their entries have this and the number in sum, so that none counts as another one's. No root has so
/// large a number.
pub(super) const ROOT: usize = 1 << 40;

impl Undoing {
    /// Puts a number on the trail.
    pub(super) fn push(&mut self, number: usize, trail: &mut Vec<Cell>) {
        trail.push(Cell::count(number));
        trail.push(Undo::Root(ROOT + number).entry());
        self.waiting += 1;
    }

    /// Backtracking passed a number.
    pub(super) fn pass(&mut self, number: Cell) {
        self.waiting = self.waiting.saturating_sub(1);
        self.due.push(number.int_value() as usize);
    }

    /// Whether numbers lie on the trail, or are due.
    pub(super) fn is_used(&self) -> bool {
        self.waiting > 0 || self.is_due()
    }

    /// Whether numbers are due.
    #[inline]
    pub(super) fn is_due(&self) -> bool {
        !self.due.is_empty()
    }

    /// Takes those that are due, in the order in which they were passed.
    pub(super) fn take(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.due)
    }
}
