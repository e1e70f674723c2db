//! What is sent to the worker beside a query, and what it says.

use serde::{Deserialize, Serialize};

use crate::smt::replay::Instances;

/// A request to the worker. The query is in the canonical bytes of [`super::wire`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The budget in Z3's resource count.
    pub resource: Option<u64>,
    /// The budget in milliseconds; the solver tries to keep it, the supervisor enforces it.
    pub wall_ms: Option<u64>,
    /// Whether to stop at the first check on which the solver gives up, since the answer is of no use then.
    pub decide: bool,
    /// Whether values are wanted: a model for each failing check. What is asked does not depend on it.
    pub values: bool,
    /// The query.
    pub query: Vec<u8>,
    /// The query with more terms behind its own, if there are terms whose values are wanted, and which. The
    /// solver is told of them when it has answered.
    pub wanted: Option<(Vec<u8>, Vec<u32>)>,
    /// Constants that are true, of which those are wanted that the answer needs, where that is that every check
    /// holds.
    pub tracked: Vec<String>,
    /// Whether all that is wanted is the instances of marked quantifiers that a proof needs.
    pub instances: bool,
}

/// All that the worker says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// What is kept.
    pub response: Response,
    /// A model for each failure, if values are wanted.
    pub models: Vec<Model>,
    /// The places of the tracked constants that the answer needs: without any one of them, some check is not proved.
    pub core: Vec<u32>,
    /// The instances of marked quantifiers in the proof, if they are wanted.
    pub instances: Option<Instances>,
}

impl Reply {
    /// A reply that says nothing beside the response.
    #[must_use]
    pub fn of(response: Response) -> Self {
        Self { response, models: Vec::new(), core: Vec::new(), instances: None }
    }
}

/// A value in a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A whole number in decimals.
    Int(String),
    /// Numerator and denominator in decimals.
    Real(String, String),
    /// A bit vector as a number in decimals, and its width.
    BitVector(String, u32),
    /// A string.
    Text(String),
    /// A value of a sort that is only declared, by the solver's name for it.
    Element(String),
    /// A constructor applied to its fields.
    Construct(String, Vec<Value>),
    /// A map: what it has at some places, the first entry for a place counts, and at all others.
    Map(Vec<(Value, Value)>, Option<Box<Value>>),
    /// Anything else as SMT-LIB 2.
    Other(String),
}

/// What the functions and constants of a query are where a check fails.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// Constants with their values, in the order of the query; those that do not matter are left out.
    pub constants: Vec<(String, Value)>,
    /// Functions: names, values at some arguments, value at all others.
    pub functions: Vec<(String, Table, Option<Value>)>,
    /// The values of the wanted terms.
    pub terms: Vec<Option<Value>>,
}

/// The values of a function at some arguments.
pub type Table = Vec<(Vec<Value>, Value)>;

/// How the solver came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Outcome {
    /// Every check holds.
    Valid,
    /// A check fails: there is a model.
    Refuted,
    /// The solver gave up by itself; the failing checks come from candidate models.
    NotProved,
    /// Stopped by the clock.
    TimeOut,
    /// Stopped by the resource count.
    OutOfResource,
    /// Stopped by the memory limit.
    OutOfMemory,
    /// The solver died, could not be understood, or refused the query.
    Failed,
}

impl Outcome {
    /// What Boogie's traces call it.
    #[must_use]
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Valid => "Valid",
            Self::Refuted => "Invalid",
            Self::NotProved | Self::Failed => "Undetermined",
            Self::TimeOut => "TimeOut",
            Self::OutOfResource => "OutOfResource",
            Self::OutOfMemory => "OutOfMemory",
        }
    }

    /// Whether more of some budget could change it.
    #[must_use]
    pub fn out_of_limits(self) -> bool {
        matches!(self, Self::TimeOut | Self::OutOfResource | Self::OutOfMemory)
    }
}

/// A check that fails.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Failure {
    /// The label of the check in the verification condition.
    pub label: u32,
    /// The numbers of the blocks on the way to it.
    pub path: Vec<u32>,
    /// Whether the solver has a model in which it fails. Otherwise it gave up on the check, with a candidate for
    /// one; what it says then may depend on anything in the query.
    pub refuted: bool,
}

/// What the worker says about a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// How it came out.
    pub outcome: Outcome,
    /// Whether the search for failing checks ended early, by the limit of errors or because the solver
    /// gave up: nothing is known about the checks that are not listed.
    pub incomplete: bool,
    /// Whether a limit of the request ended the search, so that a larger one could say more.
    pub out_of_limits: bool,
    /// The failing checks, in the order in which they were found.
    pub failures: Vec<Failure>,
    /// What the solver spent, in its resource count.
    pub resource: u64,
    /// How many times satisfiability was checked.
    pub checks: u32,
    /// Why, where the outcome alone does not say it.
    pub reason: String,
}

impl Response {
    /// A response in which no check fails, and which cost nothing yet.
    #[must_use]
    pub fn valid() -> Self {
        Self {
            outcome: Outcome::Valid,
            incomplete: false,
            out_of_limits: false,
            failures: Vec::new(),
            resource: 0,
            checks: 0,
            reason: String::new(),
        }
    }

    /// A response that says nothing but that the solver failed.
    #[must_use]
    pub fn failed(reason: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::Failed,
            incomplete: true,
            out_of_limits: false,
            failures: Vec::new(),
            resource: 0,
            checks: 0,
            reason: reason.into(),
        }
    }
}
