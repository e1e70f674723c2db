//! What a check remembers: pairs of a cell and a type.

use super::cells::Cells;
use super::footprint::{Footprint, Key, Memory, Undone};
use crate::term::Store;
use cache_core::policy::{DirectMapped, Lru, S3Fifo};
use cache_core::table::{Counting, Mark, Table};

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

    pub(super) fn relocate(
        &mut self,
        mut moved: impl FnMut(usize) -> Option<usize>,
        next: impl Fn(usize) -> usize,
    ) {
        if self.is_beside() {
            self.cells.relocate(moved, next);
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
