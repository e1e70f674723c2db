//! Verification conditions: weakest preconditions, block by block, of linear size.
//!
//! Every block becomes one equation: the block is *correct* if its commands, read as a nest of
//! conjunctions and implications, are, given that its successors are. A condition refers to its
//! successors by number, so nothing is copied. What is to be proved is that the entry is correct.
//!
//! Checks and edges carry labels, after Boogie: an assertion is checked only where the function
//! `ControlFlow` says that it is the one that fails, and an edge is taken only where `ControlFlow` says
//! so; a model of the negation therefore names the failing check and the path to it.

use crate::lower::{Passive, PassiveCommand};
use crate::resolve::graph::NodeId;

/// What is said about one block, from its end to its start: the correctness of the block is obtained
/// from that of its successors by applying the steps in order.
#[derive(Clone, Debug)]
pub(crate) struct BlockCondition {
    /// The blocks that must be correct if the edge to them is taken.
    pub(crate) successors: Vec<usize>,
    /// What is put around that, innermost first.
    pub(crate) steps: Vec<Step>,
}

/// A step of a block's weakest precondition; `rest` is what was obtained so far.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// `condition ==> rest`
    Assume(NodeId),
    /// `(this check is the one that fails ==> under || condition) && (condition ==> rest)`
    Assert {
        /// The number by which a model names the check: unique in the implementation.
        label: usize,
        condition: NodeId,
        verified_under: Option<NodeId>,
        /// Whether `rest` may rely on the condition.
        subsumes: bool,
    },
}

/// The verification condition of an implementation.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    /// One for each block, in the order of the blocks.
    pub(crate) blocks: Vec<BlockCondition>,
    /// For each label of an assertion, the number of its check.
    pub(crate) checks: Vec<usize>,
}

/// The verification condition of passive blocks.
pub(crate) fn condition(passive: &Passive) -> Condition {
    let mut checks = Vec::new();
    let blocks = passive
        .blocks
        .iter()
        .map(|block| {
            let mut steps: Vec<Step> = block
                .commands
                .iter()
                .filter_map(|command| match command {
                    PassiveCommand::Assume(condition) => Some(Step::Assume(*condition)),
                    PassiveCommand::Assert(assertion) => {
                        // Settled checks keep their labels: labels do not depend on what is known.
                        checks.push(assertion.check);
                        if assertion.settled {
                            return assertion.subsumes.then_some(Step::Assume(assertion.condition));
                        }
                        Some(Step::Assert {
                            label: checks.len() - 1,
                            condition: assertion.condition,
                            verified_under: assertion.verified_under,
                            subsumes: assertion.subsumes,
                        })
                    }
                })
                .collect();
            steps.reverse();
            BlockCondition { successors: block.successors.clone(), steps }
        })
        .collect();
    Condition { blocks, checks }
}
