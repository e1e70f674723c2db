//! `{:selective_checking}`: checks that no way from a `{:start_checking_here}` leads to are assumed.
//!
//! Loops are cut by then, so what lies behind a mark is what control reaches from it without going back to the head
//! of a loop around it. Of a block with a mark that does not come after another one, only what follows the mark is
//! checked. Such implementations have no part in fine-grained caching: what is assumed here is known of nothing.

use super::{Assertion, CutBlock, CutCommand, Required};
use crate::resolve::program::Observation;

/// Makes assumptions of all checks that are not selected.
pub(super) fn assume_unselected(blocks: &mut [CutBlock]) {
    let mut selected = vec![false; blocks.len()];
    let marked = |block: &&CutBlock| block.commands.iter().any(is_mark);
    let mut work: Vec<usize> =
        blocks.iter().filter(marked).flat_map(|block| &block.successors).copied().collect();
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut selected[at], true) {
            work.extend(&blocks[at].successors);
        }
    }
    for (block, _) in blocks.iter_mut().zip(selected).filter(|(_, selected)| !selected) {
        let mark = block.commands.iter().position(is_mark);
        let before = mark.unwrap_or(block.commands.len());
        block.commands[..before].iter_mut().for_each(assume);
        if mark.is_none() {
            block.beyond.clear();
        }
    }
}

fn is_mark(command: &CutCommand) -> bool {
    matches!(command, CutCommand::Observe(Observation::Start))
}

/// Lets a command check nothing.
fn assume(command: &mut CutCommand) {
    match command {
        CutCommand::Assert(assertion) | CutCommand::Ensure(assertion) => settle(assertion),
        CutCommand::Call(_, required) => {
            for required in required {
                if let Required::Check(assertion) = required {
                    settle(assertion);
                }
            }
        }
        CutCommand::Assume(_)
        | CutCommand::Ensured(_)
        | CutCommand::Havoc(_)
        | CutCommand::Forget(_)
        | CutCommand::Assign(_)
        | CutCommand::Observe(_) => {}
    }
}

/// What holds only under a condition is not assumed either.
fn settle(assertion: &mut Assertion) {
    assertion.settled = true;
    assertion.subsumes &= assertion.verified_under.is_none();
}
