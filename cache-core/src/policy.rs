//! Policies: who enters a bounded table, and who leaves it.
//!
//! A policy is a type without values, chosen at compile time: `Table<K, V, Lru>` contains exactly what
//! LRU needs and no dispatch. Its [`State`] says in which slot a key lies and which slot is given up
//! for room; the slots themselves, with their keys and values, belong to [`crate::table::Table`].
//!
//! | policy | look-up | on a full table | after |
//! | --- | --- | --- | --- |
//! | [`Unbounded`] | hash | never full | |
//! | [`DirectMapped`] | one slot by modular index | the slot's earlier entry leaves | Stulova et al. 2015, section 5 |
//! | [`Lru`] | hash | the entry that was not served for longest leaves | the same |
//! | [`S3Fifo`] | hash | what was not asked for again soon leaves first | Yang et al., SOSP 2023 |
//!
//! Which entries are worth inserting is a separate question, answered by an [`Admission`] rule.
//!
//! A policy of your own implements [`Policy`] and [`State`]; the table checks each key that it serves,
//! so a wrong policy can lose entries and never serve another key's value.
//!
//! ```
//! use cache_core::policy::{DirectMapped, Lru, Policy};
//! use cache_core::table::Table;
//!
//! /// Which of three keys are held after they were inserted into a table for two.
//! fn held<P: Policy>() -> Vec<u32> {
//!     let mut table: Table<u32, (), P> = Table::new(2);
//!     for key in [1, 2, 3] {
//!         table.insert(key, ());
//!         table.contains(1);
//!     }
//!     [1, 2, 3].into_iter().filter(|key| table.peek(*key).is_some()).collect()
//! }
//! // 1 and 3 have the same remainder; with LRU, 2 is the one that nobody asked for.
//! assert_eq!(held::<DirectMapped>(), [2, 3]);
//! assert_eq!(held::<Lru>(), [1, 3]);
//! ```

mod admission;
mod direct_mapped;
mod index;
pub(crate) mod list;
mod lru;
mod s3fifo;
mod unbounded;

use std::hash::Hash;

pub use admission::{Admission, DepthLimit, EveryNth, Everything};
pub use direct_mapped::DirectMapped;
pub use lru::Lru;
pub use s3fifo::S3Fifo;
pub use unbounded::Unbounded;

use crate::digest::Digest;

/// A small key that is copied freely.
pub trait TableKey: Copy + Eq + Hash {
    /// The number that modular indexing divides by the capacity. Keys that are used together should
    /// have different remainders: neighbouring addresses neighbouring numbers, say.
    fn slot(self) -> u32;
}

impl TableKey for u32 {
    #[inline]
    fn slot(self) -> u32 {
        self
    }
}

impl TableKey for u64 {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "both halves are folded into one")]
    fn slot(self) -> u32 {
        (self ^ (self >> 32)) as u32
    }
}

/// A term's address and its type: neighbouring addresses of one type get neighbouring slots, and types
/// of one address lie far apart.
impl TableKey for (u32, u32) {
    #[inline]
    fn slot(self) -> u32 {
        self.0.wrapping_add(self.1.wrapping_mul(0x9e37_79b9))
    }
}

impl TableKey for Digest {
    #[inline]
    fn slot(self) -> u32 {
        self.low().slot()
    }
}

/// The choice of a policy.
pub trait Policy {
    /// What the policy keeps for a table with keys of type `K`.
    type State<K: TableKey>: State<K>;
}

/// Why an entry leaves its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// To make room.
    Evicted,
    /// For another reason: it was removed, or is no longer true.
    Dropped,
}

/// What a policy keeps for one table: where keys lie, and in which order they leave.
///
/// Slots are numbers below the capacity. The table calls, for a key that is not held: [`State::victim`]
/// and [`State::remove`] until no victim is named, then [`State::place`].
pub trait State<K: TableKey> {
    /// The state of an empty table for at most `capacity` entries. A capacity of 0 holds nothing.
    fn with_capacity(capacity: usize) -> Self;

    /// The most entries at once.
    fn capacity(&self) -> usize;

    /// The slot in which `key` lies if it is held at all. The table compares the key that lies there.
    fn find(&self, key: K) -> Option<u32>;

    /// The entry in `slot` was served.
    fn touch(&mut self, slot: u32);

    /// The slot to be given up before one more key can be placed; `None` if there is room.
    fn victim(&mut self) -> Option<u32>;

    /// Gives `key` a slot. If that slot is taken, the entry in it has left before (the table sees to
    /// it, without calling [`State::remove`]). `None` if the key cannot be held.
    fn place(&mut self, key: K) -> Option<u32>;

    /// The entry with `key` leaves `slot`.
    fn remove(&mut self, key: K, slot: u32, why: Departure);

    /// All keys are about to change: forgets where they lie and what is remembered of keys that left,
    /// but not the order in which slots leave.
    fn forget_keys(&mut self);

    /// The entry in `slot` has the new `key`; returns the slot in which it must lie from now on.
    fn rename(&mut self, slot: u32, key: K) -> u32;

    /// Forgets what is remembered of keys that left.
    fn forget_departed(&mut self) {}
}
