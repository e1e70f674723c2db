//! The block behind a body that returns in several places, and what Boogie makes of it.
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
    removed: FxHashSet<usize>,
}

impl Exit {
    /// The block behind a body; `None` where the body returns in one place, or nothing is said behind it.
    pub(super) fn of(program: &Program, passive: &Passive) -> Option<Self> {
        let blocks = &passive.blocks;
        let last = blocks.len().checked_sub(1)?;
        let before = blocks.iter().filter(|it| it.successors.contains(&last));
        let is_added = blocks[last].label.is_none() && blocks[last].returns.is_some();
        if !is_added || blocks[last].commands.is_empty() || before.take(2).count() < 2 {
            return None;
        }
        let mut exit = Self { name: None, removed: FxHashSet::default() };
        // From which blocks control gets nowhere but behind the body, once those that say nothing are gone.
        let mut leaves = vec![false; blocks.len()];
        leaves[last] = true;
        for at in finished(blocks) {
            let group = group(blocks, at);
            let ways = ways_on(blocks, &group);
            // What goes back to the head of a loop ends there, and Boogie says that it does.
            if at == 0 || ways.is_empty() || group.iter().any(|it| !blocks[*it].commands.is_empty()) {
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
