//! Statistics: what a cache did, and why it did not answer.
//!
//! Whoever serves answers counts into a [`CacheStats`], which serializes with its maps sorted by name, so that equal
//! runs write equal text (but for `seconds_saved`).

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Why a cache did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MissReason {
    /// Nothing is stored under the key.
    Absent,
    /// The stored answer ran out of limits that are smaller than those of this request.
    Limits,
    /// The mode does not read.
    NotRead,
    /// The entry was torn or altered; it is not used.
    Damaged,
    /// The entry was written in another format.
    ForeignVersion,
    /// An entry has the same short digest and another confirming digest.
    Unconfirmed,
    /// A remote cache has an entry that nobody signed who is trusted.
    Untrusted,
    /// The store could not be read.
    Unreachable,
    /// An audit of this run found the entry to be wrong.
    Quarantined,
}

impl MissReason {
    /// All reasons, in the order in which reports list them.
    pub const ALL: [Self; 9] = [
        Self::Absent,
        Self::Limits,
        Self::NotRead,
        Self::Damaged,
        Self::ForeignVersion,
        Self::Unconfirmed,
        Self::Untrusted,
        Self::Unreachable,
        Self::Quarantined,
    ];

    /// The reason as a clause for users: "asked the engine, because ...".
    #[must_use]
    pub fn explain(self) -> &'static str {
        match self {
            Self::Absent => "nothing is stored for it",
            Self::Limits => "the stored answer ran out of smaller limits",
            Self::NotRead => "the cache is not read in this mode",
            Self::Damaged => "the stored entry is damaged",
            Self::ForeignVersion => "the stored entry has another format",
            Self::Unconfirmed => "the stored entry belongs to another question with the same short digest",
            Self::Untrusted => "the remote entry is signed by nobody who is trusted",
            Self::Unreachable => "the store could not be read",
            Self::Quarantined => "an audit found the stored answer to be wrong",
        }
    }
}

impl fmt::Display for MissReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.explain())
    }
}

/// What a cache did in one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CacheStats {
    /// Questions answered from the cache.
    pub hits: u64,
    /// Questions not answered from it, by reason. Reasons that did not occur are absent.
    pub misses: BTreeMap<MissReason, u64>,
    /// Those of the misses for which an answer to an earlier version of the question was found.
    pub stale: u64,
    /// Entries that left the cache for room.
    pub evicted: u64,
    /// Bytes that the cache's store holds at the end of the run.
    pub bytes: u64,
    /// Engine time that the hits saved, in seconds: what the same answers cost when they were computed.
    pub seconds_saved: f64,
    /// Hits for which the engine was asked all the same and answered.
    #[serde(default)]
    pub audits: u64,
    /// Those of the audits in which the engine said something else.
    #[serde(default)]
    pub disagreements: u64,
}

impl CacheStats {
    /// Counts a miss.
    pub fn miss(&mut self, reason: MissReason) {
        *self.misses.entry(reason).or_insert(0) += 1;
    }

    /// Takes back a miss that was counted: the question is looked up once more.
    #[cfg(feature = "store")]
    pub(crate) fn forget_miss(&mut self, reason: MissReason) {
        if let Some(count) = self.misses.get_mut(&reason) {
            *count -= 1;
            if *count == 0 {
                self.misses.remove(&reason);
            }
        }
    }

    /// All misses together.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.misses.values().sum()
    }
}

/// Adds what another cache of the same tool did. Caches over one store hold the same bytes, so `bytes`
/// is not added: the larger figure stays.
impl AddAssign<&Self> for CacheStats {
    fn add_assign(&mut self, other: &Self) {
        let Self { hits, misses, stale, evicted, bytes, seconds_saved, audits, disagreements } = other;
        self.hits += hits;
        for (reason, count) in misses {
            *self.misses.entry(*reason).or_insert(0) += count;
        }
        self.stale += stale;
        self.evicted += evicted;
        self.bytes = self.bytes.max(*bytes);
        self.seconds_saved += seconds_saved;
        self.audits += audits;
        self.disagreements += disagreements;
    }
}
