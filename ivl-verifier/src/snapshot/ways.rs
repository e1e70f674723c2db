//! The ways on which checks failed, found again in a later version.
//!
//! Labels and the order of blocks may have changed, so a way is told by its steps: the statement checksums
//! ([`super::statement`]) at the ends of its blocks. Branches begin alike, and each ends with its own assumption.

use cache_core::digest::Confirm;
use rustc_hash::{FxHashMap, FxHashSet};

use super::statement::Statements;
use crate::lower::cut::Cut;

/// A way as it is found again after an edit: the ends of its blocks, and of the last one, which may go on differently
/// behind the check, its start. Blocks that add nothing are no steps.
pub(super) fn steps(way: &[usize], statements: &Statements) -> Vec<Confirm> {
    let Some((last, before)) = way.split_last() else { return Vec::new() };
    let ends = before.iter().filter_map(|block| statements.ends.get(*block));
    let mut steps: Vec<Confirm> = ends.chain(statements.starts.get(*last)).copied().collect();
    steps.dedup();
    steps
}

/// The way to a check, in the present blocks, that has these steps.
pub(super) fn found_again(
    steps: &[Confirm],
    check: usize,
    cut: &Cut,
    statements: &Statements,
) -> Option<Vec<usize>> {
    let target = *statements.places.get(check)?;
    let entry = *cut.order.first()?;
    // What a block is a step to, and so how many steps are made with it.
    let made = |block: usize, before: usize| {
        let step = if block == target { &statements.starts } else { &statements.ends }.get(block)?;
        let same = before > 0 && steps.get(before - 1) == Some(step);
        if same { Some(before) } else { (steps.get(before) == Some(step)).then_some(before + 1) }
    };
    let first = (entry, made(entry, 0)?);
    let mut from: FxHashMap<(usize, usize), (usize, usize)> = FxHashMap::default();
    let mut work = vec![first];
    let mut seen = FxHashSet::from_iter([first]);
    while let Some(place) = work.pop() {
        let (block, steps_made) = place;
        if block == target && steps_made == steps.len() {
            let mut way = vec![block];
            let mut current = place;
            while let Some(before) = from.get(&current) {
                way.push(before.0);
                current = *before;
            }
            way.reverse();
            return Some(way);
        }
        for successor in cut.blocks[block].successors.iter().rev() {
            if let Some(next) = made(*successor, steps_made).map(|made| (*successor, made))
                && seen.insert(next)
            {
                from.insert(next, place);
                work.push(next);
            }
        }
    }
    None
}
