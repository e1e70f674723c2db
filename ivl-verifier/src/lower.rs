//! Implementations to passive, acyclic blocks.
//!
//! Two steps. [`cut`] makes the control flow acyclic and the checks explicit: edges that verification
//! has to speak about get blocks of their own, loops are cut at their invariants, postconditions are
//! asserted where control leaves. [`mod@passive`] then removes the state: variables become incarnations,
//! assignments become equations, and calls become what their specifications say.
//!
//! Lowering is a function of the resolved program alone, so the number of a check or of a block means
//! the same in every run; a stored result refers to checks by these numbers and finds their current
//! positions by lowering again.
//!
//! [`mod@pieces`] says which checks are asked together where they are not asked all at once.
//!
//! With a [`recall::Recollection`] of an earlier run the second step leaves out what need not be asked again; the
//! numbers stay the same.

pub(crate) mod cut;
mod passive;
pub(crate) mod pieces;
pub(crate) mod recall;

use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::lower::recall::Settlement;
use crate::resolve::graph::{ConstantId, NodeId, VariableId};
use crate::resolve::program::Isolation;

/// An implementation without loops, calls and assignments.
#[derive(Clone, Debug)]
pub(crate) struct Passive {
    /// The blocks in topological order; the first one is the entry.
    pub(crate) blocks: Vec<PassiveBlock>,
    /// The checks, by the numbers that assertions carry.
    pub(crate) checks: Vec<Check>,
    /// What becomes of each check; `None` for those that control cannot reach.
    pub(crate) settlements: Vec<Option<Settlement>>,
    /// What happens to the state in each block, in order; empty unless it was asked for.
    pub(crate) history: Vec<Vec<Event>>,
    /// How control leaves, where it ends in several blocks: those count from which it gets nowhere.
    pub(crate) leaving: Option<Leaving>,
}

/// How control leaves a body: one block in Boogie, behind all in which it ends.
#[derive(Clone, Debug)]
pub(crate) struct Leaving {
    /// The blocks that return, with how many of their first commands are their own. Behind these come postconditions,
    /// or values where ways meet.
    pub(crate) returns: Vec<(usize, usize)>,
    /// Whether what postconditions read has the same value wherever control ends. Boogie says which one otherwise.
    pub(crate) agrees: bool,
    /// Where the body ends.
    pub(crate) end: Span,
}

/// What is noted of the state on the way through a block, to tell values of a counterexample.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A variable has a value from here on; on entry, each one has its first.
    Set(VariableId, NodeId),
    /// The first command of the text comes next; what a loop may have changed is changed.
    Start,
    /// The check with this number is met.
    Check(usize),
    /// `{:captureState}`
    Capture(String),
    /// `{:print}`
    Print(Vec<PrintedPiece>),
}

/// A piece of what is printed.
#[derive(Clone, Debug)]
pub(crate) enum PrintedPiece {
    Text(String),
    /// The value of a variable at this point.
    Variable(VariableId),
    /// The value of an expression over incarnations.
    Value(NodeId),
}

/// A passive block.
#[derive(Clone, Debug)]
pub(crate) struct PassiveBlock {
    /// Its label and place for execution traces; absent for blocks that lowering added.
    pub(crate) label: Option<(Symbol, Span)>,
    /// Whether traces take it for the rest of the block before it.
    pub(crate) continues: bool,
    pub(crate) commands: Vec<PassiveCommand>,
    /// Indices of later blocks.
    pub(crate) successors: Vec<usize>,
    /// Where the implementation returns, if it does after this block.
    pub(crate) returns: Option<Span>,
    /// Checks behind what ends control here: they hold, are not asked, and are told with those that are.
    pub(crate) beyond: Vec<Span>,
}

/// A passive command.
#[derive(Clone, Debug)]
pub(crate) enum PassiveCommand {
    Assume(NodeId),
    Assert(Assertion),
}

/// An assertion in a passive block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assertion {
    /// The number of its check.
    pub(crate) check: usize,
    pub(crate) condition: NodeId,
    /// Known to hold where this does.
    pub(crate) verified_under: Option<NodeId>,
    /// Whether what follows may rely on it.
    pub(crate) subsumes: bool,
    /// Whether its outcome is known, so that it is not asked.
    pub(crate) settled: bool,
}

/// What is checked, and how a failure is reported.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub(crate) kind: CheckKind,
    /// What `{:msg "..."}` says instead of the usual words.
    pub(crate) message: Option<String>,
    /// Where the check stands; postconditions are reported where control returns instead.
    pub(crate) span: Span,
    /// The condition that is checked, if it stands elsewhere.
    pub(crate) condition: Option<Span>,
    /// The constant on which the check depends, if whether it holds is to be found out.
    pub(crate) candidate: Option<ConstantId>,
    /// Whether it is to be asked by itself.
    pub(crate) isolation: Isolation,
}

/// The kinds of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckKind {
    Assertion,
    /// That a value which is taken apart was made by the constructor that is named.
    Unpacking,
    Precondition,
    Postcondition,
    /// Of a callee that was inlined.
    InlinedPostcondition,
    InvariantEntry,
    InvariantMaintained,
}

/// Why an implementation cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported {
    pub(crate) message: String,
    pub(crate) span: Span,
}

pub(crate) use passive::{lower, passive, watched};
