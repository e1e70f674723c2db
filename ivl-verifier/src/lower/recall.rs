//! What an earlier run of the verifier knew, in terms of the present program: the injection of cached
//! results of section 4.3 of the paper.
//!
//! A check that has not changed, and neither has anything before it, holds in every state in which the
//! earlier run met it. Here the states can be more, as soon as a call whose specification changed lies
//! before it. Each such call gets an *assumption variable*: it stays true as long as the state after the
//! call is one that the earlier specification allowed. So a check that held is known to hold where the
//! assumption variables before it are true.
//!
//! Everything is decided while state is removed, on control flow whose loops are cut, where the value of
//! an assumption variable is known wherever it is a constant: one that is true was not touched yet on any
//! way here, or the present specification promises all that the earlier one did, so it is not *relevant*; one that is
//! false on all ways is *definitely false*. That loops are cut first also answers the paper's question when an
//! assumption variable may keep its value at the head of a loop: the head forgets whatever the body did, in the earlier
//! run as well as now, so nothing has to be forgotten about the variable, with or without a `break`.

use rustc_hash::FxHashMap;

use crate::resolve::graph::{NodeId, VariableId};

/// What is known of an implementation from an earlier run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recollection {
    /// What became of the checks that did not change, by their numbers.
    pub(crate) marks: FxHashMap<usize, Mark>,
    /// The calls of procedures whose specifications changed, by block and command.
    pub(crate) calls: FxHashMap<(usize, usize), RecalledCall>,
}

/// What became of a check in an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It holds.
    Held,
    /// It fails.
    Failed,
    /// The solver gave up on it.
    GaveUp,
}

/// A call of a procedure whose specification changed.
#[derive(Clone, Debug)]
pub(crate) struct RecalledCall {
    /// The assumption variable of the call.
    pub(crate) variable: VariableId,
    /// What the earlier run relied upon; `None` if the present program cannot express it.
    pub(crate) specification: Option<RecalledSpecification>,
}

/// An earlier specification over the present parameters of the procedure.
#[derive(Clone, Debug)]
pub(crate) struct RecalledSpecification {
    /// The conditions that were checked or known before the call, and whether they were checked and held at
    /// this one.
    pub(crate) requires: Vec<(NodeId, bool)>,
    /// What the call is verified under, over the caller's variables: where it is true nothing was checked.
    pub(crate) under: Option<NodeId>,
    /// What was known after the call: postconditions, and conditions of results and changed variables.
    pub(crate) ensures: Vec<NodeId>,
    /// The global variables that the procedure may change now and could not then.
    pub(crate) newly_modified: Vec<VariableId>,
}

/// What becomes of a check because of an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settlement {
    /// It is known to hold and not asked again.
    Held,
    /// It is known to fail and not asked again.
    Failed,
    /// It is known to hold where assumption variables are true, and asked for other states.
    Partly,
    /// It is asked.
    Asked,
    /// It is asked, although nothing that matters to it changed: the solver gave up on it, and what it says now
    /// may differ, since it sees another query.
    AskedAgain,
}
