//! Statistics in one JSON shape for all tools.
//!
//! Whoever serves answers counts into a [`CacheStats`]; a tool puts it, what its engine did and its own
//! result into a [`Report`], which `--stats FILE` writes:
//!
//! ```json
//! {"schema": 1, "tool": "...", "version": "...",
//!  "cache": {"hits": 0, "misses": {"absent": 0}, "stale": 0, "evicted": 0, "bytes": 0, "seconds_saved": 0.0},
//!  "engine": {"queries": 0, "solver_queries": 0, "solver_resource": 0},
//!  "result": {}}
//! ```
//!
//! Maps are sorted by name, so equal runs write equal files (but for times, which only `seconds_saved`
//! and what a tool adds itself may hold).

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    /// The store could not be read.
    Unreachable,
    /// An audit of this run found the entry to be wrong.
    Quarantined,
}

impl MissReason {
    /// All reasons, in the order in which reports list them.
    pub const ALL: [Self; 8] = [
        Self::Absent,
        Self::Limits,
        Self::NotRead,
        Self::Damaged,
        Self::ForeignVersion,
        Self::Unconfirmed,
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
}

impl CacheStats {
    /// Counts a miss.
    pub fn miss(&mut self, reason: MissReason) {
        *self.misses.entry(reason).or_insert(0) += 1;
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
        let Self { hits, misses, stale, evicted, bytes, seconds_saved } = other;
        self.hits += hits;
        for (reason, count) in misses {
            *self.misses.entry(*reason).or_insert(0) += count;
        }
        self.stale += stale;
        self.evicted += evicted;
        self.bytes = self.bytes.max(*bytes);
        self.seconds_saved += seconds_saved;
    }
}

/// Name of the engine figure that counts the questions the tool's engine had.
pub const QUERIES: &str = "queries";
/// Name of the engine figure that counts satisfiability checks that reached the solver.
pub const SOLVER_QUERIES: &str = "solver_queries";
/// Name of the engine figure that sums the solver's own deterministic measure of work.
pub const SOLVER_RESOURCE: &str = "solver_resource";

/// What `--stats FILE` writes: the same shape for every tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of this shape; [`Report::SCHEMA`].
    pub schema: u32,
    /// The tool's name.
    pub tool: String,
    /// The tool's version.
    pub version: String,
    /// What the cache did.
    pub cache: CacheStats,
    /// What the engine did, by name: [`QUERIES`], [`SOLVER_QUERIES`], [`SOLVER_RESOURCE`] and what the
    /// tool adds.
    pub engine: BTreeMap<String, Value>,
    /// What the tool found, in a shape of its own.
    pub result: Value,
}

impl Report {
    /// The version of the shape that this code writes.
    pub const SCHEMA: u32 = 1;

    /// A report of a run in which nothing happened.
    #[must_use]
    pub fn new(tool: &str, version: &str) -> Self {
        Self {
            schema: Self::SCHEMA,
            tool: tool.to_owned(),
            version: version.to_owned(),
            cache: CacheStats::default(),
            engine: BTreeMap::new(),
            result: Value::Null,
        }
    }

    /// Sets an engine figure.
    pub fn engine(&mut self, name: &str, value: impl Into<Value>) {
        self.engine.insert(name.to_owned(), value.into());
    }

    /// The report as indented JSON with a final line break.
    ///
    /// # Errors
    /// Never for figures that [`Value`] can hold; the error is passed on all the same.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}
