//! Where control gets among the blocks of a body.

use crate::resolve::graph::Graph;
use crate::resolve::program::{Block, Transfer};

/// Finds the blocks that can only come after one other, and are all that does: Boogie makes the two one before it
/// goes on, and names it after the first.
pub(crate) fn join(graph: &Graph, blocks: &mut [Block]) {
    let goes_on: Vec<bool> = blocks.iter().map(|block| block.dead_end(graph).is_none()).collect();
    // How many ways lead to each block; one to the entry from outside.
    let mut ways = vec![0_usize; blocks.len()];
    let mut work = vec![0];
    while let Some(at) = work.pop() {
        let Some(count) = ways.get_mut(at) else { continue };
        *count += 1;
        if let (1, Transfer::Goto(targets), true) = (*count, &blocks[at].transfer, goes_on[at]) {
            work.extend(targets);
        }
    }
    for at in 0..blocks.len() {
        if let Transfer::Goto(targets) = &blocks[at].transfer
            && let [only] = *targets.as_slice()
            && ways[at] > 0
            && goes_on[at]
            && ways[only] == 1
        {
            blocks[only].continues = true;
        }
    }
}

/// The blocks that control can reach, as far as assumptions that never hold let it, each after those before it but for
/// ways back; of the ways on from a block the last one is met first.
pub(crate) fn in_order(graph: &Graph, blocks: &[Block]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; blocks.len()];
    let mut open = vec![(0, 0)];
    if let Some(entry) = seen.first_mut() {
        *entry = true;
    } else {
        return order;
    }
    while let Some((at, next)) = open.pop() {
        let block = &blocks[at];
        let target = match &block.transfer {
            Transfer::Goto(targets) if block.dead_end(graph).is_none() => targets.get(next),
            _ => None,
        };
        match target {
            None => order.push(at),
            Some(target) => {
                open.push((at, next + 1));
                if !std::mem::replace(&mut seen[*target], true) {
                    open.push((*target, 0));
                }
            }
        }
    }
    order.reverse();
    order
}

/// The blocks that control can reach, in the order in which Boogie meets them: the last way on is followed first. With
/// the graph, as far as assumptions that never hold let it.
pub(crate) fn reached(graph: Option<&Graph>, blocks: &[Block]) -> Vec<usize> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    let mut work = vec![0];
    while let Some(at) = work.pop() {
        let Some(block) = blocks.get(at) else { continue };
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        order.push(at);
        let ends = graph.is_some_and(|graph| block.dead_end(graph).is_some());
        if let (Transfer::Goto(targets), false) = (&block.transfer, ends) {
            work.extend(targets);
        }
    }
    order
}
