//! Verification conditions: weakest preconditions, block by block, of linear size.
//!
//! Every block becomes one equation: the block is *correct* if its commands, read as a nest of
//! conjunctions and implications, are, given that its successors are. A condition refers to its
//! successors by number, so nothing is copied. What is to be proved is that the entry is correct.
//!
//! Checks and edges carry labels, after Boogie: an assertion is checked only where the function
//! `ControlFlow` says that it is the one that fails, and an edge is taken only where `ControlFlow` says
//! so; a model of the negation therefore names the failing check and the path to it.

#[cfg(test)]
mod tests;

use rustc_hash::FxHashSet;

use crate::lower::pieces::Piece;
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

/// For each label of an assertion in the condition of passive blocks, the number of its check.
pub(crate) fn labels(passive: &Passive) -> Vec<usize> {
    let commands = passive.blocks.iter().flat_map(|block| &block.commands);
    let check = |command: &PassiveCommand| match command {
        PassiveCommand::Assert(assertion) => Some(assertion.check),
        PassiveCommand::Assume(_) => None,
    };
    commands.filter_map(check).collect()
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

impl Condition {
    /// The condition of a piece: its checks on its ways, with the labels and blocks of the whole. Other checks are
    /// assumed as far as what follows may rely on them; what leads to no check of the piece is left out.
    pub(crate) fn of(&self, piece: &Piece) -> Self {
        let asked: FxHashSet<usize> = piece.checks.iter().copied().collect();
        let is_asked = |step: &Step| {
            matches!(step, Step::Assert { label, .. }
                if self.checks.get(*label).is_some_and(|check| asked.contains(check)))
        };
        let count = self.blocks.len();
        // Where there is something to be asked, there or later; then, whether control gets there.
        let mut matters = vec![false; count];
        for (at, block) in self.blocks.iter().enumerate().rev() {
            matters[at] = piece.ways[at].iter().any(|to| matters[*to]) || block.steps.iter().any(is_asked);
        }
        let mut reached = vec![false; count];
        let mut blocks = Vec::with_capacity(count);
        for (at, block) in self.blocks.iter().enumerate() {
            if at > 0 && !reached[at] || !matters[at] {
                blocks.push(BlockCondition { successors: Vec::new(), steps: Vec::new() });
                continue;
            }
            let successors: Vec<usize> = piece.ways[at].iter().copied().filter(|to| matters[*to]).collect();
            successors.iter().for_each(|to| reached[*to] = true);
            let last = successors.is_empty();
            // Steps stand in the opposite order: those at the end come first.
            let steps = block.steps.iter().skip_while(|step| last && !is_asked(step));
            let steps = steps.filter_map(|step| match step {
                Step::Assert { condition, subsumes, .. } if !is_asked(step) => {
                    subsumes.then_some(Step::Assume(*condition))
                }
                step => Some(*step),
            });
            blocks.push(BlockCondition { steps: steps.collect(), successors });
        }
        Self { blocks, checks: self.checks.clone() }
    }
}
