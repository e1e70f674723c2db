//! Checks that are made together, as data: those in front of a call, or those behind it.
//!
//! What passed with all of its batch is counted once, with the batch; only hits are counted by each check, and what is
//! not as the batch says by its site (`checker`).

use crate::regtype::{TypeId, Words};

/// The place in a program that asks for a check, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site(pub u32);

/// A batch, by number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch(pub(super) u32);

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
    /// In place of one where nothing is checked together.
    pub(crate) const NONE: Self = Self(u32::MAX);
}

impl BatchCheck {
    /// In place of a type where the tag alone decides. It is no type's number, and nothing is known to have it.
    pub(crate) const NO_TYPE: TypeId = TypeId(1 << 28);
}

/// A batch, and how often it passed.
pub(super) struct Passes {
    /// How often all of it passed.
    pub(super) times: u64,
    pub(super) checks: Box<[Counted]>,
}

/// A check of a batch, with what it counts by itself.
pub(super) struct Counted {
    pub(super) check: BatchCheck,
    /// How many remembered types were found.
    pub(super) hits: u64,
    /// How many nodes were visited, but for the root.
    pub(super) visits: u64,
    /// The greatest depth of these.
    pub(super) deepest: u64,
}

impl Passes {
    /// A batch that nobody asked for yet.
    pub(super) fn new(checks: impl Iterator<Item = BatchCheck>) -> Self {
        Self {
            times: 0,
            checks: checks.map(|check| Counted { check, hits: 0, visits: 0, deepest: 0 }).collect(),
        }
    }
}
