//! How control leaves a body, as Boogie sees it: it has one block behind all in which control ends.
//!
//! These are the blocks that return, dead ends, and ends of loop bodies. Where what postconditions read has another
//! value in one of them, each of them says which one it has, so that none says nothing.

use std::collections::BTreeSet;

use crate::base::arena::Id;
use crate::lower::cut::{CutBlock, CutCommand};
use crate::lower::passive::{Environment, Passifier};
use crate::lower::{Assertion, Leaving};

impl Passifier<'_> {
    /// How control leaves, with the blocks as they were numbered before; `None` if it ends in one block. `own` is how
    /// many commands of each block are the body's, and `ends` the values at the end of a block.
    pub(super) fn leaving<'e>(
        &self,
        blocks: &[CutBlock],
        order: &[usize],
        own: &[usize],
        start: &'e Environment,
        ends: impl Fn(usize) -> Option<&'e Environment>,
    ) -> Option<Leaving> {
        let returns: Vec<usize> = order.iter().copied().filter(|at| blocks[*at].returns.is_some()).collect();
        // The last one was added behind the others, if there are any.
        let (last, before) = returns.split_last()?;
        let returns = if before.is_empty() { &returns } else { before };
        let dead = order.iter().copied().filter(|at| blocks[*at].successors.is_empty() && at != last);
        let places: Vec<usize> = returns.iter().copied().chain(dead).collect();
        if places.len() < 2 {
            return None;
        }
        let read = self.read_behind(&blocks[*last]);
        let agrees = self.variables.iter().filter(|it| read.contains(&it.index())).all(|variable| {
            let mut values = places.iter().map(|at| ends(*at)?.get(variable).or_else(|| start.get(variable)));
            let first = values.next();
            values.all(|value| Some(value) == first)
        });
        let returns = returns.iter().map(|at| (*at, own[*at])).collect();
        Some(Leaving { returns, agrees, end: self.implementation.end })
    }

    /// What postconditions read, in the names of the implementation.
    fn read_behind(&self, block: &CutBlock) -> BTreeSet<usize> {
        let conditions = block.commands.iter().filter_map(|command| match command {
            CutCommand::Ensure(Assertion { condition, .. }) | CutCommand::Ensured(condition) => {
                Some(*condition)
            }
            _ => None,
        });
        let mut read = BTreeSet::new();
        self.use_variables(&conditions.collect::<Vec<_>>(), &mut read);
        let implementation = self.implementation;
        let procedure = &self.program.procedures[implementation.procedure];
        let theirs = procedure.inputs.iter().chain(&procedure.outputs);
        let mine = implementation.inputs.iter().chain(&implementation.outputs);
        let named = theirs.zip(mine).filter(|(theirs, _)| read.contains(&theirs.index()));
        let mine: Vec<usize> = named.map(|(_, mine)| mine.index()).collect();
        read.extend(mine);
        read
    }
}
