//! `run.stats`: counts over time as KLEE writes them, an SQLite database that klee-stats reads.
//!
//! One table, `stats`, with KLEE's 45 columns; a row per interval and one at the end. Times are in
//! microseconds: of the whole chain of solvers (queries), of the solver at its end, of the counterexample
//! cache alone, of making states, and of finding what unknown pointers point to. `ArrayHashTime`, whose
//! cause does not exist here, is zero.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, params_from_iter};

use crate::exec::{ForkKind, Progress, TerminationKind};
use crate::solver::process::QUERY_CONSTRUCTS;

/// The columns before those of forks and endings.
const FIRST: [&str; 26] = [
    "Instructions INTEGER",
    "FullBranches INTEGER",
    "PartialBranches INTEGER",
    "NumBranches INTEGER",
    "UserTime REAL",
    "NumStates INTEGER",
    "MallocUsage INTEGER",
    "Queries INTEGER",
    "SolverQueries INTEGER",
    "NumQueryConstructs INTEGER",
    "WallTime REAL",
    "CoveredInstructions INTEGER",
    "UncoveredInstructions INTEGER",
    "QueryTime INTEGER",
    "SolverTime INTEGER",
    "CexCacheTime INTEGER",
    "ForkTime INTEGER",
    "ResolveTime INTEGER",
    "QueryCacheMisses INTEGER",
    "QueryCacheHits INTEGER",
    "QueryCexCacheMisses INTEGER",
    "QueryCexCacheHits INTEGER",
    "InhibitedForks INTEGER",
    "ExternalCalls INTEGER",
    "Allocations INTEGER",
    "States INTEGER",
];

/// The names of all columns, in order, with their types.
pub(super) fn columns() -> Vec<String> {
    let forks = ForkKind::ALL.iter().map(|kind| format!("Branches{kind:?} INTEGER"));
    let ends = TerminationKind::ALL.iter().map(|kind| format!("Termination{kind:?} INTEGER"));
    let first = FIRST.iter().map(|column| (*column).to_owned());
    first.chain(forks).chain(ends).chain(["ArrayHashTime INTEGER".to_owned()]).collect()
}

/// The database while the run writes it.
pub(super) struct RunStats {
    connection: Connection,
    insert: String,
}

impl RunStats {
    /// Makes the database; a file that was there must not be.
    pub(super) fn create(path: &Path) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        // A run that is killed loses the rows of the last moment at most; nothing waits for the disk.
        connection.pragma_update(None, "synchronous", "OFF")?;
        let columns = columns();
        connection.execute(&format!("CREATE TABLE stats ({})", columns.join(",")), ())?;
        let places = vec!["?"; columns.len()].join(",");
        Ok(Self { connection, insert: format!("INSERT INTO stats VALUES ({places})") })
    }

    /// Adds a row.
    pub(super) fn add(&self, now: &Progress, memory: u64, user_micros: u64) -> rusqlite::Result<()> {
        let row = row(now, memory, user_micros);
        self.connection.prepare(&self.insert)?.execute(params_from_iter(row))?;
        Ok(())
    }
}

fn row(now: &Progress, memory: u64, user_micros: u64) -> Vec<i64> {
    let (explored, counts) = (&now.explored, &now.counts);
    let [branches, full, partial] = now.branches;
    let micros = |seconds: f64| (seconds * 1e6) as u64;
    let whole = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let misses = counts.get("solver_queries");
    let first: [u64; 26] = [
        explored.instructions,
        full,
        partial,
        branches,
        user_micros,
        now.states,
        memory,
        counts.get("queries"),
        counts.get("solver_queries"),
        counts.get(QUERY_CONSTRUCTS),
        whole(now.elapsed),
        explored.covered,
        explored.total.saturating_sub(explored.covered),
        micros(counts.chain_seconds),
        micros(counts.seconds),
        micros(counts.counterexample_seconds),
        whole(now.times.forks),
        whole(now.times.resolution),
        counts.cache.missed(),
        counts.cache.hits,
        misses,
        counts.get("counterexample_hits"),
        explored.inhibited_forks,
        explored.external_calls,
        explored.allocations,
        explored.completed + explored.partial + now.states,
    ];
    let forks = ForkKind::ALL.iter().map(|kind| explored.forks_by.get(kind).copied().unwrap_or(0));
    let ends = TerminationKind::ALL.iter().map(|kind| explored.ends_by.get(kind).copied().unwrap_or(0));
    let all = first.into_iter().chain(forks).chain(ends).chain([0]);
    all.map(|number| i64::try_from(number).unwrap_or(i64::MAX)).collect()
}
