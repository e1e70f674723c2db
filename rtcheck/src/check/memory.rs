//! What a check remembers: pairs of a cell and a type.

use super::walk::Walk;
use crate::regtype::TypeId;
use crate::term::Cell;
use cache_core::policy::{DirectMapped, Lru, S3Fifo};
use cache_core::table::{Counting, Mark, Table};
use std::str::FromStr;

/// A cell's index and a type's identifier. A cell is the head of a list or the functor of a structure, never
/// both, so its index tells its kind as well.
pub(super) type Key = (u32, u32);

/// What the walk asks of a memory.
pub(super) trait Memory {
    /// Whether the key is remembered.
    fn holds(&mut self, key: Key) -> bool;
    /// Remembers a key.
    fn remember(&mut self, key: Key);
}

/// Remembers nothing.
struct Nothing;

impl Memory for Nothing {
    #[inline]
    fn holds(&mut self, _key: Key) -> bool {
        false
    }

    #[inline]
    fn remember(&mut self, _key: Key) {}
}

impl<P: cache_core::policy::Policy> Memory for Table<Key, (), P, Counting> {
    #[inline]
    fn holds(&mut self, key: Key) -> bool {
        self.contains(key)
    }

    #[inline]
    fn remember(&mut self, key: Key) {
        self.insert(key, ());
    }
}

/// Which policy replaces entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheKind {
    /// Nothing is remembered.
    None,
    /// The entry that was not served for longest leaves.
    #[default]
    Lru,
    /// Each pair has one slot.
    Direct,
    /// What was not asked for again soon leaves first.
    S3Fifo,
}

impl CacheKind {
    /// All kinds, in the order in which help texts list them.
    pub const ALL: [Self; 4] = [Self::None, Self::Lru, Self::Direct, Self::S3Fifo];

    /// The name on command lines.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lru => "lru",
            Self::Direct => "direct",
            Self::S3Fifo => "s3fifo",
        }
    }
}

impl FromStr for CacheKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| format!("unknown check cache `{text}`: use none, lru, direct or s3fifo"))
    }
}

/// The memory of a run, under the policy chosen on the command line.
pub(super) enum Tables {
    None,
    Lru(Table<Key, (), Lru, Counting>),
    Direct(Table<Key, (), DirectMapped, Counting>),
    S3Fifo(Table<Key, (), S3Fifo, Counting>),
}

/// A point in the history of a run's insertions, kept by choicepoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckMark(Mark);

/// Evaluates an expression on the table in use, or gives a default if there is none.
macro_rules! with_table {
    ($tables:expr, $table:ident => $use:expr, $default:expr) => {
        match $tables {
            Tables::None => $default,
            Tables::Lru($table) => $use,
            Tables::Direct($table) => $use,
            Tables::S3Fifo($table) => $use,
        }
    };
}

impl Tables {
    pub(super) fn new(kind: CacheKind, size: usize) -> Self {
        match kind {
            CacheKind::None => Self::None,
            CacheKind::Lru => Self::Lru(Table::new(size)),
            CacheKind::Direct => Self::Direct(Table::new(size)),
            CacheKind::S3Fifo => Self::S3Fifo(Table::new(size)),
        }
    }

    #[inline]
    pub(super) fn mark(&self) -> CheckMark {
        CheckMark(with_table!(self, table => table.mark(), Mark::START))
    }

    #[inline]
    pub(super) fn drop_since(&mut self, mark: CheckMark) {
        with_table!(self, table => { table.drop_since(mark.0); }, ());
    }

    /// Runs a walk on the table in use.
    #[inline]
    pub(super) fn walk(&mut self, walk: &mut Walk<'_>, cell: Cell, id: TypeId, parents: [Key; 2]) -> bool {
        match self {
            Self::None => walk.run(&mut Nothing, cell, id, parents),
            Self::Lru(table) => walk.run(table, cell, id, parents),
            Self::Direct(table) => walk.run(table, cell, id, parents),
            Self::S3Fifo(table) => walk.run(table, cell, id, parents),
        }
    }

    pub(super) fn clear(&mut self) {
        with_table!(self, table => table.clear(), ());
    }

    pub(super) fn relocate(&mut self, mut moved: impl FnMut(usize) -> Option<usize>) {
        let new_key = |(cell, id): Key| Some((u32::try_from(moved(cell as usize)?).ok()?, id));
        with_table!(self, table => table.relocate(new_key), ());
    }

    /// Makes the table commit a fault, or none.
    #[cfg(feature = "plant")]
    pub(super) fn plant(&mut self, fault: Option<cache_core::plant::Fault>) {
        with_table!(self, table => table.plant(fault), ());
    }

    /// Remembers a key outside a walk, as only a planted fault does.
    #[cfg(feature = "plant")]
    pub(super) fn remember(&mut self, key: Key) {
        with_table!(self, table => table.insert(key, ()), ());
    }

    pub(super) fn counting(&self) -> Counting {
        with_table!(self, table => *table.recorder(), Counting::default())
    }
}
