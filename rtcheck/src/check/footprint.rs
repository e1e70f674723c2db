//! What is remembered and what it rests on, and what backtracking leaves of it.

use crate::term::{Store, Undo};

/// A cell's index and a type's identifier. A cell is the head of a list or the functor of a structure, never
/// both, so its index tells its kind as well.
pub(super) type Key = (u32, u32);

/// What a remembered answer rests on: the range of the cells that the walk looked at, among them every variable whose
/// binding it followed. While no cell of the range changes, the answer is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footprint {
    pub(super) low: u32,
    pub(super) high: u32,
    /// How often it may still be looked at on backtracking before it is dropped, so that looking is paid for by the
    /// insertion.
    lives: u32,
}

impl Footprint {
    /// Nothing was looked at yet.
    pub(super) const NOTHING: Self = Self { low: u32::MAX, high: 0, lives: LIVES };
    /// Anything may have been looked at.
    pub(super) const EVERYTHING: Self = Self { low: 0, high: u32::MAX, lives: LIVES };

    /// Adds the cells of another one.
    #[inline]
    pub(super) fn include(&mut self, other: Self) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
    }

    /// Adds the cells from one index to another.
    #[inline]
    pub(super) fn cover(&mut self, low: u32, high: u32) {
        self.low = self.low.min(low);
        self.high = self.high.max(high);
    }
}

/// How often an entry survives backtracking at most.
const LIVES: u32 = 32;

/// What backtracking to a choicepoint changes.
pub(super) struct Undone {
    /// Cells from here on go.
    top: u32,
    /// The cells that are set back, if they are few, and the range in which all of them lie.
    cells: [u32; Self::FEW],
    count: usize,
    low: u32,
    high: u32,
}

impl Undone {
    const FEW: usize = 8;

    /// What the trail holds from a length on, with the store cut to `top` cells.
    pub(super) fn new(store: &Store, trail: usize, top: usize) -> Self {
        let mut undone = Self {
            top: u32::try_from(top).unwrap_or(0),
            cells: [0; Self::FEW],
            count: 0,
            low: u32::MAX,
            high: 0,
        };
        let mut position = store.trail.len();
        while position > trail {
            position -= 1;
            let index = match Undo::read(store.trail[position]) {
                Undo::Binding(index) => index,
                Undo::Assignment(index) => {
                    position -= 1;
                    index
                }
                Undo::Root(_) | Undo::Attributed(_) => {
                    position -= 1;
                    continue;
                }
            };
            let index = index as u32;
            if let Some(cell) = undone.cells.get_mut(undone.count) {
                *cell = index;
            }
            undone.count += 1;
            undone.low = undone.low.min(index);
            undone.high = undone.high.max(index);
        }
        undone
    }

    /// Whether an answer that rests on these cells stays true.
    pub(super) fn spares(&self, footprint: &mut Footprint) -> bool {
        let Footprint { low, high, lives } = *footprint;
        footprint.lives = lives.saturating_sub(1);
        if lives == 0 || high >= self.top {
            return false;
        }
        if self.high < low || high < self.low {
            return true;
        }
        self.count <= Self::FEW && self.cells[..self.count].iter().all(|cell| !(low..=high).contains(cell))
    }
}

/// What the walk asks of a memory.
pub(super) trait Memory {
    /// Whether remembering pushes nothing out, so that all of a list's cells are worth it.
    const EVERY_CELL: bool = false;

    /// What the answer rests on, if the key is remembered.
    fn holds(&mut self, key: Key) -> Option<Footprint>;
    /// Remembers a key.
    fn remember(&mut self, key: Key, footprint: Footprint);
}
