//! The block behind a body in which control ends in several places, and what Boogie makes of it.
//!
//! The block is nowhere in the text. Boogie takes out blocks that say nothing. The first of them that leads to this
//! block alone gives it its name and place, and a return out of a block that is gone is one at the end of the body.

use rustc_hash::FxHashSet;

use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::lower::{Passive, PassiveBlock};
use crate::resolve::program::Program;

/// What the block behind a body is called in traces, and which blocks are gone.
pub(super) struct Exit {
    pub(super) name: Option<(Symbol, Span)>,
    /// Where the body ends.
    pub(super) end: Span,
    removed: FxHashSet<usize>,
    says: Vec<bool>,
}

impl Exit {
    /// The block behind a body; `None` where control ends in one place.
    pub(super) fn of(program: &Program, passive: &Passive) -> Option<Self> {
        let blocks = &passive.blocks;
        let leaving = passive.leaving.as_ref()?;
        let mut says: Vec<bool> = blocks.iter().map(|block| !block.commands.is_empty()).collect();
        let mut returns = vec![false; blocks.len()];
        for (at, own) in &leaving.returns {
            says[*at] = *own > 0 || !leaving.agrees;
            returns[*at] = true;
        }
        let mut exit = Self { name: None, end: leaving.end, removed: FxHashSet::default(), says };
        // From which blocks control gets nowhere but behind the body, once those that say nothing are gone.
        let mut leaves: Vec<bool> =
            blocks.iter().zip(&returns).map(|(block, returns)| block.returns.is_some() && !returns).collect();
        for at in finished(blocks) {
            let group = group(blocks, at);
            let ways = ways_on(blocks, &group);
            // What goes back to the head of a loop ends there, and Boogie says that it does.
            let ends = ways.is_empty() && !group.last().is_some_and(|last| returns[*last]);
            if at == 0 || ends || group.iter().any(|it| exit.says[*it]) {
                continue;
            }
            leaves[at] = ways.iter().all(|to| leaves[*to]);
            // The first block of the text has given its name to the one in front of it.
            if leaves[at] && exit.name.is_none() && !blocks[0].successors.contains(&at) {
                let mut labels = group.iter().filter_map(|it| blocks[*it].label);
                exit.name = labels.find(|(label, _)| !program.names.text(*label).is_empty());
            }
            exit.removed.extend(group);
        }
        Some(exit)
    }

    /// Whether a block is gone.
    pub(super) fn removes(&self, block: usize) -> bool {
        self.removed.contains(&block)
    }

    /// Whether something is said in a block.
    pub(super) fn says(&self, block: usize) -> bool {
        self.says.get(block).is_some_and(|says| *says)
    }
}

/// A block with those that continue it, which are one for Boogie.
fn group(blocks: &[PassiveBlock], first: usize) -> Vec<usize> {
    let mut group = vec![first];
    let mut at = first;
    while let [next] = *blocks[at].successors.as_slice()
        && blocks[next].continues
    {
        group.push(next);
        at = next;
    }
    group
}

fn ways_on<'b>(blocks: &'b [PassiveBlock], group: &[usize]) -> &'b [usize] {
    group.last().map_or(&[], |last| &blocks[*last].successors)
}

/// The first blocks of groups in the order in which Boogie's walk is done with them. It takes the last way on first,
/// and does not come again to a block that waits for its turn already, so a block may be done before one behind it.
fn finished(blocks: &[PassiveBlock]) -> Vec<usize> {
    let (mut seen, mut open) = (vec![false; blocks.len()], vec![false; blocks.len()]);
    let mut order = Vec::new();
    let mut work = vec![0];
    while let Some(at) = work.pop() {
        if std::mem::replace(&mut open[at], true) {
            order.push(at);
            continue;
        }
        work.push(at);
        for to in ways_on(blocks, &group(blocks, at)) {
            if !std::mem::replace(&mut seen[*to], true) {
                work.push(*to);
            }
        }
    }
    order
}
