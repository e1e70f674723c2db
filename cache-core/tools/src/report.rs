//! The report of a run: what the cache and the engine did, in the same shape for every tool.
//!
//! A tool puts its [`CacheStats`], what its engine did and its own result into a [`Report`], which `--stats FILE`
//! writes:
//!
//! ```json
//! {"schema": 1, "tool": "...", "version": "...",
//!  "cache": {"hits": 0, "misses": {"absent": 0}, "stale": 0, "evicted": 0, "bytes": 0, "seconds_saved": 0.0,
//!            "audits": 0, "disagreements": 0},
//!  "engine": {"queries": 0, "solver_queries": 0, "solver_resource": 0},
//!  "result": {}}
//! ```
//!
//! Maps are sorted by name, so equal runs write equal files (but for times, which only `seconds_saved` and what a
//! tool adds itself may hold).

use std::collections::BTreeMap;

use cache_core::stats::CacheStats;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
