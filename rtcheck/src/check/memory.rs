//! What a check remembers: pairs of a cell and a type.

use super::cells::Cells;
use crate::term::{Store, Undo};
use cache_core::policy::{DirectMapped, Lru, S3Fifo};
use cache_core::table::{Counting, Mark, Table};

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

/// Remembers nothing.
pub(super) struct Nothing;

impl Memory for Nothing {
    #[inline]
    fn holds(&mut self, _key: Key) -> Option<Footprint> {
        None
    }

    #[inline]
    fn remember(&mut self, _key: Key, _footprint: Footprint) {}
}

impl<P: cache_core::policy::Policy> Memory for Table<Key, Footprint, P, Counting> {
    #[inline]
    fn holds(&mut self, key: Key) -> Option<Footprint> {
        self.get(key).copied()
    }

    #[inline]
    fn remember(&mut self, key: Key, footprint: Footprint) {
        self.insert(key, footprint);
    }
}

/// Which policy replaces entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheKind {
    /// Nothing is remembered.
    None,
    /// The entry that was not served for longest leaves.
    Lru,
    /// Each pair has one slot.
    Direct,
    /// What was not asked for again soon leaves first.
    S3Fifo,
    /// Types are remembered beside the cells of terms, and nothing leaves for room.
    #[default]
    Cells,
}

impl CacheKind {
    /// Whether pairs are remembered in a table, which has a size and limits.
    #[must_use]
    pub fn has_table(self) -> bool {
        !matches!(self, Self::None | Self::Cells)
    }
}

reprise_tools::names!(
    CacheKind, "check cache":
    None = "none",
    Lru = "lru",
    Direct = "direct",
    S3Fifo = "s3fifo",
    Cells = "cells",
);

/// Where a run remembers.
pub(super) enum Kept {
    Nowhere,
    Lru(Table<Key, Footprint, Lru, Counting>),
    Direct(Table<Key, Footprint, DirectMapped, Counting>),
    S3Fifo(Table<Key, Footprint, S3Fifo, Counting>),
    /// Beside the cells.
    Beside,
}

/// The memory of a run, under the policy chosen on the command line.
pub(super) struct Tables {
    pub(super) kept: Kept,
    /// Types beside the cells. Nothing looks at them where another place is chosen.
    pub(super) cells: Cells,
}

/// A point in the history of a run's insertions, kept by choicepoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckMark(Mark);

/// Evaluates an expression on the table in use, another one where types are beside the cells, or gives a default if
/// nothing is remembered.
macro_rules! with_table {
    ($kept:expr, $table:ident => $use:expr, $beside:expr, $default:expr) => {
        match $kept {
            Kept::Nowhere => $default,
            Kept::Lru($table) => $use,
            Kept::Direct($table) => $use,
            Kept::S3Fifo($table) => $use,
            Kept::Beside => $beside,
        }
    };
}

impl Tables {
    pub(super) fn new(kind: CacheKind, size: usize) -> Self {
        let kept = match kind {
            CacheKind::None => Kept::Nowhere,
            CacheKind::Lru => Kept::Lru(Table::new(size)),
            CacheKind::Direct => Kept::Direct(Table::new(size)),
            CacheKind::S3Fifo => Kept::S3Fifo(Table::new(size)),
            CacheKind::Cells => Kept::Beside,
        };
        Self { kept, cells: Cells::new() }
    }

    /// Whether types are remembered beside the cells.
    #[inline(always)]
    pub(super) fn is_beside(&self) -> bool {
        matches!(self.kept, Kept::Beside)
    }

    /// What the answer for a key rests on, if it is remembered.
    #[inline]
    pub(super) fn holds(&mut self, key: Key) -> Option<Footprint> {
        with_table!(&mut self.kept, table => table.get(key).copied(), Memory::holds(&mut self.cells, key), None)
    }

    #[inline]
    pub(super) fn mark(&mut self) -> CheckMark {
        if self.is_beside() {
            return CheckMark(self.cells.mark());
        }
        self.mark_of_table()
    }

    #[cold]
    fn mark_of_table(&mut self) -> CheckMark {
        CheckMark(with_table!(&mut self.kept, table => table.distinct_mark(), self.cells.mark(), Mark::START))
    }

    /// Drops what was inserted since a mark and rests on what the trail undoes from a length on, or on cells from
    /// `top` on. The result is the mark for whoever returns to the same choicepoint again.
    #[inline]
    pub(super) fn backtrack(
        &mut self,
        store: &Store,
        mark: CheckMark,
        trail: usize,
        top: usize,
    ) -> CheckMark {
        if self.is_beside() {
            return CheckMark(self.cells.backtrack(store, mark.0, trail, top));
        }
        self.backtrack_table(store, mark, trail, top);
        mark
    }

    #[cold]
    fn backtrack_table(&mut self, store: &Store, mark: CheckMark, trail: usize, top: usize) {
        if with_table!(&self.kept, table => table.has_since(mark.0), false, false) {
            self.drop_undone(mark, &Undone::new(store, trail, top));
        }
    }

    fn drop_undone(&mut self, mark: CheckMark, undone: &Undone) {
        let keep = |_: Key, footprint: &mut Footprint| undone.spares(footprint);
        with_table!(&mut self.kept, table => { table.drop_since_unless(mark.0, keep); }, (), ());
    }

    pub(super) fn clear(&mut self) {
        with_table!(&mut self.kept, table => table.clear(), self.cells.clear(), ());
    }

    pub(super) fn relocate(&mut self, mut moved: impl FnMut(usize) -> Option<usize>) {
        if self.is_beside() {
            self.cells.relocate(moved);
            return;
        }
        let new_key = |(cell, id): Key| Some((u32::try_from(moved(cell as usize)?).ok()?, id));
        with_table!(&mut self.kept, table => table.relocate(new_key), (), ());
        // Cells have other indexes, and the trail no longer tells of variables that nothing reaches any more.
        let forget = |_: Key, footprint: &mut Footprint| *footprint = Footprint::EVERYTHING;
        with_table!(&mut self.kept, table => table.update(forget), (), ());
    }

    /// How many bytes it takes beyond what is the same for every program.
    pub(super) fn bytes(&self) -> usize {
        if self.is_beside() { self.cells.bytes() } else { 0 }
    }

    /// Makes the table commit a fault, or none.
    #[cfg(feature = "plant")]
    pub(super) fn plant(&mut self, fault: Option<crate::base::plant::Fault>) {
        use crate::base::plant::Fault;
        use cache_core::plant::Fault as Table;
        // Lies that the table itself tells.
        let of_table = match fault {
            Some(Fault::IgnoreMarks) => Some(Table::IgnoreMarks),
            Some(Fault::IgnoreMoves) => Some(Table::IgnoreMoves),
            _ => None,
        };
        with_table!(&mut self.kept, table => table.plant(of_table), self.cells.plant(fault), ());
    }

    /// Remembers a key outside a walk, as only a planted fault does.
    #[cfg(feature = "plant")]
    pub(super) fn remember(&mut self, store: &Store, key: Key) {
        let everything = Footprint::EVERYTHING;
        with_table!(
            &mut self.kept,
            table => table.insert(key, everything),
            { self.cells.begin(store); Memory::remember(&mut self.cells, key, everything) },
            ()
        );
    }

    pub(super) fn counting(&self) -> Counting {
        with_table!(&self.kept, table => *table.recorder(), self.cells.counting(), Counting::default())
    }
}
