//! Deciding what is possible: a chain of small solvers around one interface.
//!
//! [`chain::assemble`] puts the chain together and reads like a picture. A [`Query`] goes down it until
//! somebody knows the answer; only [`process`] asks Z3, or [another solver](engine), in a worker program.
//! [`front::Front`] is what the engine talks to: it turns "which sides of this branch are possible" into
//! queries.
//!
//! Two things are always true of a query: its constraints have a solution by themselves (they are a
//! path that is being followed), and its answer does not depend on which caches the chain has. The
//! first lets [`independence`] drop constraints that share no input with what is asked; the second
//! holds because a truth has one answer, and models are asked of a fresh solver on the canonical form.
//! A solution that only decides other queries is asked for as a witness, which may be any.

pub mod buffers;
pub mod chain;
pub mod condition;
pub mod counterexample;
mod cvc;
pub mod engine;
pub mod enumerate;
pub mod equalities;
pub mod front;
mod implied;
pub mod independence;
pub mod intervals;
pub mod layouts;
mod lessons;
mod lies;
mod no_floats;
mod orders;
pub mod places;
#[cfg(feature = "plant")]
mod planted;
pub mod process;
pub mod query_cache;
pub mod query_log;
pub mod question;
mod race;
mod ranges;
pub mod search;
pub mod smtlib;
mod spans;
pub mod tables;
mod trail;
mod translate;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use cache_core::cache::Cost;
use cache_core::stats::CacheStats;
use serde::{Deserialize, Serialize};

use crate::expr::{Arena, ExprId, Marks, Model};

pub use front::{Front, Purpose, Truth};
pub use no_floats::NoFloats;

/// The version of Z3 that the worker links. The worker refuses to start with another one, so this is
/// part of every key although nobody has to start it to know.
pub const Z3_VERSION: &str = "5.4.0";

/// Whether the constraints and the expression hold together for some input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// What is known to hold; has a solution.
    pub constraints: Vec<ExprId>,
    /// What is asked. The constant 1 where only the constraints matter.
    pub expr: ExprId,
}

/// Why there is no answer. None of these is ever stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The solver gave up, or its limits ended.
    #[error("the solver found no answer: {0}")]
    Unknown(String),
    /// It would take more than is spent on it for now: others are to come first.
    #[error("the question is dear, and was put off")]
    Dear,
    /// The worker could not be started, or died.
    #[error("{0}")]
    Worker(String),
    /// A stored answer was needed and there is none.
    #[error("the answer is not in the cache, and `--cache offline` asks no solver")]
    Offline,
    /// A stored answer and a fresh one differ.
    #[error("a stored answer was wrong; the fresh one is used: {0}")]
    Disagreement(String),
}

/// What is known of a query.
#[derive(Clone, Debug)]
pub enum Decided {
    /// It has a solution: this one, perhaps.
    Solvable(Option<Rc<Model>>),
    /// It has none.
    Contradictory,
}

/// Something that decides queries: by itself, or with the help of the next one in the chain.
pub trait Solver {
    /// The next one in the chain; `None` at its end.
    fn inner(&self) -> Option<&dyn Solver> {
        None
    }

    /// The next one, to be asked.
    fn inner_mut(&mut self) -> Option<&mut dyn Solver> {
        None
    }

    /// Whether the query has a solution.
    ///
    /// # Errors
    /// If no answer was found; see [`SolverError`].
    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError>;

    /// A solution of the query, if it has one: always the same one for the same canonical question.
    ///
    /// # Errors
    /// If no answer was found; see [`SolverError`].
    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError>;

    /// Any solution of the query, if it has one: for whoever uses it to decide other queries only, so
    /// that which one it is shows nowhere but in costs.
    ///
    /// # Errors
    /// If no answer was found; see [`SolverError`].
    fn witness(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        self.model(arena, query)
    }

    /// Whether the query has a solution, and one if it was found or known: for whoever keeps it.
    ///
    /// # Errors
    /// If no answer was found; see [`SolverError`].
    fn decide(&mut self, arena: &mut Arena, query: &Query) -> Result<Decided, SolverError> {
        Ok(if self.satisfiable(arena, query)? { Decided::Solvable(None) } else { Decided::Contradictory })
    }

    /// Which of some conditions can hold, each for itself beside the constraints, where all of them are decided by one
    /// look; `None` where each is to be asked by itself.
    fn possible(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        conditions: &[ExprId],
    ) -> Option<Vec<bool>> {
        self.inner_mut().and_then(|inner| inner.possible(arena, constraints, conditions))
    }

    /// Hears what a query's answer is that was found elsewhere. Nothing is asked for it.
    fn learn(&mut self, _arena: &mut Arena, _query: &Query, _answer: Decided) {}

    /// What was spent on the engine so far.
    fn spent(&self) -> Cost {
        self.inner().map_or_else(Cost::default, Solver::spent)
    }

    /// What all answers so far cost the engine when they were found, now or in an earlier run, in its units: equal
    /// whether a cache knew them or not.
    fn price(&self) -> u64 {
        self.inner().map_or_else(|| self.spent().resource, Solver::price)
    }

    /// Forgets, where memory is short, what can be found again. No answer changes by it, only what it costs to ask.
    fn forget(&mut self) {
        if let Some(inner) = self.inner_mut() {
            inner.forget();
        }
    }

    /// Marks the expressions that are remembered; what can be found again about expressions, without that a question is
    /// asked once more, is forgotten instead.
    fn trace(&mut self, marks: &mut Marks) {
        if let Some(inner) = self.inner_mut() {
            inner.trace(marks);
        }
    }

    /// Adds what this solver and those below it counted.
    fn count(&self, counts: &mut Counts) {
        if let Some(inner) = self.inner() {
            inner.count(counts);
        }
    }

    /// Writes what is to outlive the run. Failures are warnings.
    fn finish(&mut self) {
        if let Some(inner) = self.inner_mut() {
            inner.finish();
        }
    }

    /// Warnings for users since the last call.
    fn take_warnings(&mut self) -> Vec<String> {
        self.inner_mut().map(Solver::take_warnings).unwrap_or_default()
    }
}

/// What a chain counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Numbers by name, as they appear in reports.
    pub numbers: BTreeMap<Cow<'static, str>, u64>,
    /// What the query cache counted.
    pub cache: CacheStats,
    /// Wall-clock seconds spent waiting for the engine.
    pub seconds: f64,
    /// Those spent in the whole chain, the engine included.
    pub chain_seconds: f64,
    /// Those spent with the counterexample cache.
    pub counterexample_seconds: f64,
    /// Audits that disagreed.
    pub disagreements: u64,
}

impl Counts {
    /// Adds to a number.
    pub fn add(&mut self, name: &'static str, number: u64) {
        *self.numbers.entry(Cow::Borrowed(name)).or_default() += number;
    }

    /// Adds what another chain counted.
    pub fn add_all(&mut self, other: &Self) {
        for (name, number) in &other.numbers {
            *self.numbers.entry(name.clone()).or_default() += number;
        }
        self.cache += &other.cache;
        self.seconds += other.seconds;
        self.chain_seconds += other.chain_seconds;
        self.counterexample_seconds += other.counterexample_seconds;
        self.disagreements += other.disagreements;
    }

    /// A number; 0 if nobody counted it.
    #[must_use]
    pub fn get(&self, name: &str) -> u64 {
        self.numbers.get(name).copied().unwrap_or(0)
    }
}
