//! Several processes that explore one program.
//!
//! The process that the user started is the coordinator: it reads the program, starts workers (this program
//! again, with the user's own options and `--as-worker`), hands out subtrees and alone writes the output folder. A
//! worker is asked as every worker of this house is (`cache_core::worker`): it is told to go to a subtree, or to go
//! on, for a *slice* of time, and answers with what it found meanwhile. If somebody is idle, a worker with states
//! to spare is told to give some away, those with the fewest choices behind them first; while nobody has any, slices
//! end as soon as there is one.
//!
//! ```text
//! coordinator ── Begin, GoTo(subtree), GoOn, Stop ──> worker: an executor, its own solver
//!      ^  │                                              │
//!      │  └─ queue of subtrees <─── given away ──────────┤
//!      └──────── findings, counts, warnings <────────────┘
//! ```
//!
//! - *Findings* are kept until the end, put in the order of their paths, and then numbered, so that the folder of
//!   a run that ends by itself does not depend on who did what when. Errors at one place are one, that of the
//!   first path.
//! - *A worker that dies* costs what it did for the subtree at hand: its findings there are forgotten, and another
//!   one explores the subtree again, without what was given away meanwhile. If that one dies too, what was
//!   found stays, and the rest is told as lost.
//! - *Limits* are looked at with every answer; what is found until all have stopped is found. Workers hear
//!   of an interrupt in the middle of their solver's questions, too; one that does not answer soon is stopped without
//!   being asked.
//! - *One cache*: all use the folder of the query cache, or a temporary one that lasts as long as the run.

mod coordinator;
mod worker;

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub(super) use coordinator::explore;
pub use worker::serve_team;

use super::render::Found;
use crate::exec::{Account, Coverage, Decision, Explored, Halt, Share, Subtree};
use crate::solver::Counts;

/// What a worker is asked.
#[derive(Debug, Serialize, Deserialize)]
enum Ask {
    /// To get ready.
    Begin(Box<Begin>),
    /// To explore a subtree: a share of it, if one is given.
    GoTo(Box<Subtree>, Option<Share>, Slice),
    /// To go on with what it explores.
    GoOn(Slice),
    /// To end what it explores.
    Stop(Halt),
    /// To leave what others can use.
    End,
}

/// What a worker needs to know.
#[derive(Debug, Serialize, Deserialize)]
struct Begin {
    /// The program, as its reader said it.
    program: Vec<u8>,
    /// A folder for programs of external functions, which lasts as long as the run.
    folder: PathBuf,
    /// A file that is there as soon as the user wants the run to end, for workers that are not asked at that time.
    stop: PathBuf,
    /// Where the query cache is, if the options do not say.
    cache: Option<PathBuf>,
    /// Which worker it is.
    number: usize,
}

/// How long a worker goes on until it answers.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Slice {
    /// So long.
    time: Duration,
    /// Or until a state can be given away.
    to_give: bool,
    /// How many states it gives away before; it then does nothing else.
    give: usize,
    /// How long the run still lasts.
    remaining: Option<Duration>,
    /// Forks of others.
    forks: u64,
    /// Whether an account is wanted.
    account: bool,
}

/// What a worker answers.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Said {
    /// Why it cannot go on, if it cannot.
    failed: Option<String>,
    /// Whether what it explored is at its end.
    over: bool,
    /// Whether it did not find the way to the subtree.
    lost: bool,
    found: Vec<Found>,
    /// Warnings, and whether they are given once.
    warnings: Vec<(bool, String)>,
    lines: Vec<Line>,
    /// What it gives away.
    given: Vec<Subtree>,
    /// The states that were divided into shares.
    divided: Option<Vec<Vec<Decision>>>,
    /// How many states it has.
    states: u64,
    /// What it counted since its last account.
    explored: Explored,
    /// That account, and what its process covered, from time to time and at the end of a subtree.
    account: Option<Box<(Account, Coverage)>>,
    /// Of its solver, since the process began.
    counts: Counts,
    expressions: u64,
    memory: u64,
    peak: u64,
}

/// What a program prints.
#[derive(Debug, Serialize, Deserialize)]
enum Line {
    /// A line.
    Text(String),
    /// Bytes, to a descriptor.
    Bytes(u64, Vec<u8>),
}
