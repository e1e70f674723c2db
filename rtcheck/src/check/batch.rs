//! Checks that are made together, as data: those in front of a call, or those behind it.
//!
//! What passed with all of its batch is counted once, with the batch; only hits are counted by each check, and what is
//! not as the batch says by its site (`checker`).

use super::cells::First;
use crate::regtype::{TypeId, Words};
use crate::term::{Cell, Store, Tag};
use std::ops::Range;

/// The place in a program that asks for a check, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site(pub u32);

/// A batch: where its checks lie among all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    from: u32,
    to: u32,
}

/// A check of a batch, by its place among all checks of all batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter(pub(super) u32);

impl Counter {
    /// Where so many checks from this one on lie.
    #[inline(always)]
    pub(crate) fn range(self, count: u8) -> Range<usize> {
        let from = self.0 as usize;
        from..from + count as usize
    }

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

    /// Its first check, and how many there are, if they are few.
    pub(crate) fn first(self) -> Option<(Counter, u8)> {
        Some((Counter(self.from), u8::try_from(self.to - self.from).ok()?))
    }

    /// The batch of the checks in a range.
    pub(super) fn of(range: Range<usize>) -> Self {
        Self { from: range.start as u32, to: range.end as u32 }
    }

    /// Whether this is in place of a batch.
    pub(crate) fn is_none(self) -> bool {
        self.from == u32::MAX
    }

    /// Where its checks lie.
    #[inline(always)]
    pub(crate) fn range(self) -> Range<usize> {
        self.from as usize..self.to as usize
    }
}

impl BatchCheck {
    /// In place of a type where the tag alone decides. It is no type's number, and nothing is known to have it.
    pub(crate) const NO_TYPE: TypeId = TypeId(1 << 28);
    /// In front of all checks: one that nobody asks for.
    pub(super) const NOBODYS: Self =
        Self { words: Words::of_tags(0, Self::NO_TYPE), tags: 0, argument: 0, site: Site(0) };
}

/// What is looked at first of a check of a batch: as much as decides most of them.
pub(super) struct Quick {
    /// As [`Words::tags`].
    tags: u32,
    /// As [`Words::short_constant`].
    constant: u32,
    /// The type.
    pub(super) id: TypeId,
    /// The argument, from 0.
    pub(super) argument: u16,
    /// How often a remembered type was found first of all.
    pub(super) hits: u64,
    /// How often all of the batch passed without a look at more than this, if it is counted here: once for each time with
    /// one of its checks.
    pub(super) times: u64,
}

impl Quick {
    pub(super) fn new(check: &BatchCheck) -> Self {
        let BatchCheck { words, argument, .. } = check;
        let (tags, constant) = (words.tags(), words.short_constant());
        Self { tags, constant, id: words.id, argument: *argument, hits: 0, times: 0 }
    }

    /// Looks at a word, and at what is remembered of it first: the word, at which one reference was followed, if neither
    /// says that it passes.
    #[inline(always)]
    pub(super) fn look_at(
        &mut self,
        known: First<'_>,
        store: &Store,
        word: Cell,
        lies: bool,
    ) -> Option<Cell> {
        if self.accept_tag(word, lies) {
            return None;
        }
        if word.tag() != Tag::Ref {
            return self.look_further(known, word);
        }
        self.look_behind(known, store, word, lies)
    }

    /// The same of a word that is a new term or bound to one most often.
    #[inline(always)]
    pub(super) fn look_behind(
        &mut self,
        known: First<'_>,
        store: &Store,
        word: Cell,
        lies: bool,
    ) -> Option<Cell> {
        // Most variables are bound to no variable.
        let cell = if word.tag() == Tag::Ref { store.at(word.index()) } else { word };
        if self.accept_tag(cell, lies) { None } else { self.look_further(known, cell) }
    }

    /// The same of a word that does not pass by its tag.
    #[inline(always)]
    fn look_further(&mut self, known: First<'_>, cell: Cell) -> Option<Cell> {
        if cell.is_compound() {
            if known.knows_first(cell.index(), self.id) {
                self.hits += 1;
                return None;
            }
        } else if self.accept_constant(cell) {
            return None;
        }
        Some(cell)
    }

    /// Whether a word is accepted by its tag; where a lie is told, any word of a compound term.
    #[inline(always)]
    pub(super) fn accept_tag(&self, word: Cell, lies: bool) -> bool {
        let tags = if lies { self.tags | 0x0606_0606 } else { self.tags };
        tags >> (word.bits() & 31) & 1 != 0
    }

    /// Whether a word is the constant that is accepted first.
    #[inline(always)]
    pub(super) fn accept_constant(&self, word: Cell) -> bool {
        u64::from(self.constant) == word.bits()
    }
}

/// A check of a batch, with what it counts.
pub(super) struct Counted {
    pub(super) check: BatchCheck,
    /// Where the last check of the batch lies, which counts how often all of it passed.
    pub(super) last: u32,
    /// How often all of the batch passed otherwise, where this is its last check.
    pub(super) times: u64,
    /// What [`Quick`] does not count.
    pub(super) tally: Tally,
    /// How the last new structure was found to pass: the next one probably is like it.
    pub(super) way: Way,
}

/// Of what a new structure is made that passes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Of what is known or passes by its word.
    Alone,
    /// Of new list cells around such terms too.
    AroundLists,
    /// Of other new terms.
    AroundTerms,
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

impl Tally {
    /// Counts visits of so many nodes, the deepest of them at a depth.
    #[inline(always)]
    pub(super) fn visit(&mut self, nodes: u64, depth: u64) {
        self.visits += nodes;
        if self.deepest < depth {
            self.deepest = depth;
        }
    }
}

impl Counted {
    /// A check that nobody asked for yet.
    pub(super) fn new(check: BatchCheck, last: u32) -> Self {
        Self { check, last, times: 0, tally: Tally::default(), way: Way::Alone }
    }
}
