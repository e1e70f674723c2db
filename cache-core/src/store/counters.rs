//! What a store counts.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::stats::MissReason;

/// What a store did since it was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Requests that were answered.
    pub hits: u64,
    /// Requests that were not, by reason. Reasons that did not occur are absent.
    pub misses: BTreeMap<MissReason, u64>,
    /// Payloads that were kept.
    pub puts: u64,
    /// Damaged entries, indexes and files that were met, whether a request was for them or not.
    pub damaged: u64,
    /// Entries that were dropped for room.
    pub evicted: u64,
}

impl Counters {
    /// All misses together.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.misses.values().sum()
    }

    pub(crate) fn miss(&mut self, reason: MissReason) {
        *self.misses.entry(reason).or_insert(0) += 1;
    }
}

/// How much a store holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Entries. One that was put again in a place of its own may count twice until the store is next
    /// maintained.
    pub entries: u64,
    /// Bytes that everything takes, overhead included.
    pub bytes: u64,
    /// Files.
    pub files: u64,
    /// Files among them that are in the format of another version and are left alone.
    pub foreign_files: u64,
}

/// What a check of every entry found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Entries that are whole.
    pub whole: u64,
    /// Entries, indexes and files that are damaged.
    pub damaged: u64,
    /// Files in the format of another version, which cannot be checked.
    pub foreign_files: u64,
}

impl AddAssign for Verified {
    fn add_assign(&mut self, other: Self) {
        let Self { whole, damaged, foreign_files } = other;
        self.whole += whole;
        self.damaged += damaged;
        self.foreign_files += foreign_files;
    }
}
