//! The decisions of a path.
//!
//! At each choice that is not known already, a state notes which side it took and whether there were others.
//! What steers exploration is a truth about the program, so these decisions are all that is needed to find a
//! state again (module `part`).

use std::collections::BTreeSet;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::expr::ExprId;
use crate::module::{FunctionId, LocationId};

/// How a side of a choice was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Way {
    /// No other was possible.
    Only,
    /// Others were possible, but no seed led there, and only seeds were followed.
    Seeded,
    /// Others were possible, but there were to be no more forks.
    Inhibited,
    /// Others were possible and have states of their own.
    Forked,
}

/// A choice on a path. In the order of decisions at their first difference, paths are ordered as a search
/// that goes depth first meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Decision {
    /// Which side.
    pub side: u32,
    /// How.
    pub way: Way,
    /// A number for the instruction and the number of sides.
    pub place: u32,
}

/// How many decisions a link of a trail has.
const LINK: usize = 16;

/// The decisions of a path, oldest first. Clones share all but the last few.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    last: Rc<Vec<Decision>>,
    before: Option<Rc<Link>>,
    length: usize,
}

#[derive(Debug)]
struct Link {
    decisions: Rc<Vec<Decision>>,
    before: Option<Rc<Link>>,
}

impl Drop for Link {
    /// One link after the other, since a trail may be longer than a stack is deep.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.before.take();
        }
    }
}

impl Trail {
    pub(in crate::exec) fn push(&mut self, decision: Decision) {
        if self.last.len() == LINK {
            let decisions = std::mem::take(&mut self.last);
            self.before = Some(Rc::new(Link { decisions, before: self.before.take() }));
        }
        Rc::make_mut(&mut self.last).push(decision);
        self.length += 1;
    }

    /// How many decisions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The sides that were taken where others have states of their own. Where those of two paths differ first,
    /// their decisions do, so that they are in the same order.
    #[must_use]
    pub fn forks(&self) -> Vec<u32> {
        let forked = self.to_vec().into_iter().filter(|decision| decision.way == Way::Forked);
        forked.map(|decision| decision.side).collect()
    }

    /// All decisions.
    #[must_use]
    pub fn to_vec(&self) -> Vec<Decision> {
        let mut parts = vec![&self.last];
        let mut next = &self.before;
        while let Some(link) = next {
            parts.push(&link.decisions);
            next = &link.before;
        }
        parts.into_iter().rev().flat_map(|part| part.iter().copied()).collect()
    }
}

/// All paths that begin with some decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subtree {
    /// The decisions, the last of which is a fork; none for the whole program.
    pub prefix: Vec<Decision>,
    /// Subtrees of it that belong to others, by their prefixes.
    pub without: BTreeSet<Vec<Decision>>,
    /// Whether the path was the first to execute something, before it came there.
    pub new_coverage: bool,
    /// Lines that it was the first to execute something of.
    pub new_lines: BTreeSet<LocationId>,
}

/// A number for an instruction, by its function and its position there, and the sides of its choice.
pub(in crate::exec) fn place((function, position): (FunctionId, u32), sides: &[ExprId]) -> u32 {
    let count = u32::try_from(sides.len()).unwrap_or(u32::MAX);
    [function.0, position, count]
        .into_iter()
        .fold(0, |hash: u32, part| (hash.rotate_left(5) ^ part).wrapping_mul(0x9e37_79b1))
}

#[cfg(test)]
mod tests {
    use super::{Decision, LINK, Trail, Way};

    #[test]
    fn a_trail_gives_back_what_was_pushed_and_clones_go_their_own_ways() {
        let decision = |side| Decision { side, way: Way::Forked, place: 7 };
        let mut trail = Trail::default();
        let mut all = Vec::new();
        for side in 0..3 * LINK as u32 + 5 {
            trail.push(decision(side));
            all.push(decision(side));
            assert_eq!((trail.len(), trail.to_vec()), (all.len(), all.clone()));
        }
        let mut other = trail.clone();
        other.push(decision(1));
        trail.push(decision(2));
        assert_eq!(other.to_vec().last(), Some(&decision(1)));
        assert_eq!(trail.to_vec().last(), Some(&decision(2)));
        assert!(other.to_vec() < trail.to_vec());
    }

    #[test]
    fn a_long_trail_ends_without_a_deep_stack() {
        let mut trail = Trail::default();
        for side in 0..2_000_000 {
            trail.push(Decision { side, way: Way::Only, place: 0 });
        }
        assert_eq!(trail.len(), 2_000_000);
        drop(trail);
    }
}
