//! Checks that are made together, as data: those in front of a call, or those behind it.
//!
//! What passed with all of its batch is counted once, with the batch; only hits are counted by each check, and what is
//! not as the batch says by its site (`checker`).

use crate::regtype::{TypeId, Words};
use std::ops::Range;

/// The place in a program that asks for a check, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site(pub u32);

/// A batch: where its checks lie among all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    from: u32,
    to: u32,
}

/// A check of a batch, by its place among all checks of all batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter(pub(super) u32);

impl Counter {
    /// That of the check behind this one.
    #[inline(always)]
    pub(crate) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// A check of one argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchCheck {
    /// What decides where the word of the term does. Its type decides the rest, unless it is [`BatchCheck::NO_TYPE`].
    pub(crate) words: Words,
    /// A bit for each tag all of whose dereferenced cells pass.
    pub(crate) tags: u8,
    /// The argument, from 0.
    pub(crate) argument: u16,
    /// Who asks.
    pub(crate) site: Site,
}

impl Batch {
    /// In place of one where nothing is checked together: there are never so many checks.
    pub(crate) const NONE: Self = Self { from: u32::MAX, to: u32::MAX };

    /// The batch of the checks in a range.
    pub(super) fn of(range: Range<usize>) -> Self {
        Self { from: range.start as u32, to: range.end as u32 }
    }

    #[inline(always)]
    pub(super) fn range(self) -> Range<usize> {
        self.from as usize..self.to as usize
    }
}

impl BatchCheck {
    /// In place of a type where the tag alone decides. It is no type's number, and nothing is known to have it.
    pub(crate) const NO_TYPE: TypeId = TypeId(1 << 28);
}

/// A check of a batch, with what it counts.
pub(super) struct Counted {
    pub(super) check: BatchCheck,
    /// Where the last check of the batch lies, which counts how often all of it passed.
    pub(super) last: u32,
    /// How often all of the batch passed, where this is its last check.
    pub(super) times: u64,
    pub(super) tally: Tally,
}

/// What checks that passed took beside their roots.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    /// How many remembered types were found.
    pub(super) hits: u64,
    /// How many nodes were visited.
    pub(super) visits: u64,
    /// The greatest depth of these.
    pub(super) deepest: u64,
}

impl Counted {
    /// A check that nobody asked for yet.
    pub(super) fn new(check: BatchCheck, last: u32) -> Self {
        Self { check, last, times: 0, tally: Tally::default() }
    }
}
