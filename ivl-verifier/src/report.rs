//! Results as data, and how they are shown.
//!
//! [`human`] shows diagnostics with source excerpts in rustc's style, [`boogie`] in Boogie 3.5's words
//! and layout, [`json`] for programs. Nothing here prints: all give text.

pub mod boogie;
pub(crate) mod dot;
pub mod finding;
pub mod github;
pub mod human;
pub mod inference;
pub mod json;
pub mod parts;
pub mod sarif;
pub mod xml;
mod values;

use crate::base::diagnostic::Diagnostic;
use crate::base::source::Span;
use crate::smt::answer::{Model, Outcome, Value};
pub use crate::snapshot::key::Priority;
use inference::Inference;

/// Where a result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The solver was asked.
    Solver,
    /// The result was in memory: an earlier snapshot of this run had the same question.
    Memory,
    /// The result was on disk.
    Disk,
    /// The question is new, but the very same query was answered before.
    SameQuery,
    /// The question is new, and the instances of quantifiers that an earlier proof needed prove it.
    Replayed,
    /// The question is new, but each of its checks was decided in an earlier version.
    Checks,
    /// Nothing was asked: the question could not be put, or must not be.
    Nowhere,
}

/// How an implementation came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// What the solver said.
    Decided(Outcome),
    /// It uses something that is not supported; the text says what.
    Unsupported(String),
    /// The mode is offline, and the cache does not have the result; the text says why.
    Offline(String),
    /// The solver is not there or failed; the text says how.
    Failed(String),
    /// The run was cancelled before it was its turn.
    Cancelled,
}

/// The result of one implementation.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its place among the implementations of the program.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// What it wants to be called where Boogie tells of it (`{:verboseName}`).
    pub verbose_name: Option<String>,
    /// What it wants to be told where it is verified (`{:msg_if_verifies}`).
    pub praise: Option<String>,
    /// Who it is across snapshots: no other implementation of its program is called the same.
    pub identity: String,
    /// Which of its procedure's implementations it is, from 1, if there are several.
    pub sibling: Option<u32>,
    /// Where it is declared.
    pub span: Span,
    /// How it came out.
    pub verdict: Verdict,
    /// Whether the limits were met before every check was decided: of what no error tells nothing may be known.
    pub limits_met: bool,
    /// The failing checks, by position.
    pub errors: Vec<CheckError>,
    /// Where the result comes from.
    pub origin: Origin,
    /// How urgent it was.
    pub priority: Priority,
    /// Why the result was reused or not, in sentences without a full stop.
    pub because: Vec<String>,
    /// Its time limit in seconds.
    pub time_limit: Option<u64>,
    /// What the solver spent for it in this run, in its resource count.
    pub resource: u64,
    /// How long the solver took for it in this run.
    pub seconds: f64,
    /// Everything that was asked about it, in the order of its blocks; empty if the solver was not.
    pub obligations: Vec<Obligation>,
    /// The pieces that it was asked in, in the order of their first checks; empty if it was asked as a whole.
    pub pieces: Vec<PieceReport>,
    /// What its proof needs of the parts that have names, in words, if that was to be found out.
    pub needs: Vec<String>,
    /// Where what is proved needs no proof, since control does not get there or assumptions contradict each other; if
    /// that was to be found out.
    pub vain: Vec<Span>,
    /// What became of each check because of an earlier version, by position; empty if no earlier version
    /// was of use.
    pub checks: Vec<CheckNote>,
    /// What a trace of the caching says, where one was asked for.
    pub trace: Vec<TraceItem>,
    /// The query as SMT-LIB 2, if it was asked for and the query was made.
    pub query: Option<String>,
}

impl Report {
    /// What the program wants to be told, if it is verified.
    #[must_use]
    pub fn told(&self) -> Option<&str> {
        self.praise.as_deref().filter(|_| self.verdict == Verdict::Decided(Outcome::Valid))
    }
}

/// A key under which words are sorted as in dictionaries: marks before digits before letters, large and small ones
/// alike but for words that differ in nothing else.
#[must_use]
pub fn collated(word: &str) -> (Vec<(u8, char)>, String) {
    let class = |c: char| match c {
        c if c.is_alphabetic() => 2,
        c if c.is_numeric() => 1,
        _ => 0,
    };
    let key = word.chars().flat_map(char::to_lowercase).map(|c| (class(c), c)).collect();
    // Small letters come first.
    let swap = |c: char| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    (key, word.chars().map(swap).collect())
}

/// Something that was to be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// Where the check stands.
    pub span: Span,
    /// Whether it failed.
    pub failed: bool,
}

/// A part of an implementation that was asked by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceReport {
    /// What was asked, in the order of control.
    pub obligations: Vec<Obligation>,
    /// How it came out.
    pub outcome: Outcome,
    /// How long the solver took for it in this run.
    pub seconds: f64,
    /// What the solver spent for it in this run, in its resource count.
    pub resource: u64,
}

/// What becomes of a check because of what is known of an earlier version: the bars of Fig. 8 of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckAction {
    /// It held, and is not asked: fully verified.
    Skipped,
    /// It held, and is asked only for states that the earlier version did not have.
    PartlyVerified,
    /// It failed, and the error is reported again without asking.
    Recycled,
    /// It is asked.
    Proved,
}

impl CheckAction {
    /// What happened, in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Skipped => "known to hold",
            Self::PartlyVerified => "known to hold where nothing new can happen before it",
            Self::Recycled => "known to fail",
            Self::Proved => "asked",
        }
    }
}

/// A piece of a trace of the caching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceItem {
    /// A call of a procedure that was called with another specification before.
    Call {
        /// The procedure.
        callee: String,
        /// The implementation that calls it.
        implementation: String,
        /// Where the call stands.
        span: Span,
        /// What is added to relate the two specifications.
        added: Vec<String>,
    },
    /// A check.
    Check {
        /// Where it stands.
        span: Span,
        /// Where the condition stands that is checked, if it stands elsewhere.
        condition: Option<Span>,
        /// Its text.
        text: String,
        /// What becomes of it.
        action: CheckAction,
        /// The procedures whose calls may come before it, with the checksums that the program gives them.
        behind: Vec<(String, Option<String>)>,
    },
}

/// What becomes of the check at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckNote {
    /// Where the check stands.
    pub span: Span,
    /// What kind of check it is, such as `precondition`.
    pub kind: &'static str,
    /// What becomes of it.
    pub action: CheckAction,
}

/// A check that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    /// What is wrong and where, in the program's own words if it has some.
    pub diagnostic: Diagnostic,
    /// What Boogie says of checks of this kind.
    pub words: &'static str,
    /// The blocks on the way, with their labels.
    pub trace: Vec<(Span, String)>,
    /// Whether the message is the program's own, from `{:msg}`, and stands for the whole error.
    pub own_words: bool,
    /// Whether it is a postcondition at the end of an inlined body, which has no place in Boogie's output.
    pub inlined_end: bool,
    /// The constant on which the check depends, where it is to be found out which of these hold.
    pub candidate: Option<Candidate>,
    /// Values with which it fails, if they were asked for and the solver found them in this run.
    pub counterexample: Option<Box<Counterexample>>,
}

/// A constant on which a check depends (`constant ==> condition`), of which it is to be found out whether it can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The constant's name.
    pub name: String,
    /// What kind of check it is.
    pub place: CandidatePlace,
}

/// Where a check stands that depends on a candidate, which tells who counts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidatePlace {
    /// A call, whose callee counts on its preconditions.
    Precondition,
    /// The end of an implementation, whose callers count on its postconditions.
    Postcondition,
    /// An assertion or an invariant.
    Body,
}

/// Values with which a check fails. Variables about which nothing needs to be known are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counterexample {
    /// Whether the solver gave up on the check, so that it may hold of these values after all.
    pub candidate: bool,
    /// What variables are on entry.
    pub initial: Vec<Binding>,
    /// What changed since the step before, at each place of the trace and at the check.
    pub steps: Vec<Step>,
    /// `{:captureState}`: names of states, and what changed since the one before.
    pub captured: Vec<(String, Vec<Binding>)>,
    /// `{:print}`: a line each.
    pub printed: Vec<Vec<PrintedValue>>,
    /// All that the solver says.
    pub model: Model,
}

/// A variable and its value.
pub type Binding = (String, Value);

/// A place on the way to a failing check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it is.
    pub span: Span,
    /// The label of its block; the last step is the check itself and has none.
    pub label: Option<String>,
    /// What the variables are that changed.
    pub values: Vec<Binding>,
}

/// A piece of what `{:print}` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrintedValue {
    /// A text of the program.
    Text(String),
    /// A value; `None` if the solver was not told of it.
    Value(Option<Value>),
}

/// The result of one snapshot.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// What is wrong with the text; if there are errors among it, nothing was verified.
    pub diagnostics: Vec<Diagnostic>,
    /// The results, in the order of the program.
    pub reports: Vec<Report>,
    /// How many implementations there are to verify, those of other shards among them.
    pub total: usize,
    /// Which constants hold, where that was to be found out.
    pub assignment: Vec<(String, bool)>,
    /// How that was found out.
    pub inference: Inference,
    /// Where it was tried to prove that control does not come there, if that was to be found out.
    pub smoke_tests: Vec<SmokeTest>,
}

/// An attempt to prove that control does not come to some place.
#[derive(Clone, Debug)]
pub struct SmokeTest {
    /// The index of the report of the place's implementation.
    pub report: usize,
    /// What came out.
    pub outcome: Outcome,
    /// How long the solver took in this run.
    pub seconds: f64,
    /// The implementation as it ends there, if it was proved.
    pub unreachable: Option<String>,
}

impl Snapshot {
    /// Whether the text is no program.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
