//! What needs itself at ever larger types: a function whose body applies it to values of a type that is made of its
//! own type parameter, a datatype with such a field. There is no end to their instances.

use rustc_hash::FxHashMap;

use crate::resolve::graph::{FunctionId, NodeId};
use crate::resolve::types::{TypeId, Types};

/// From how many depths something may need itself at a type that is nested deeper, if it does not have more type
/// parameters: these may pass a type that is wrapped once from one to the next, which ends.
const TIMES: usize = 5;
/// And how often in all: parameters that also change places have very many instances of few depths.
const IN_ALL: usize = 500;

/// What needs what, as a tree.
pub(super) struct Needs<T> {
    /// What there is, how deep its types are nested, and what needed it.
    known: Vec<(T, usize, Option<usize>)>,
    /// What is being looked at.
    now: Option<usize>,
}

impl<T> Default for Needs<T> {
    fn default() -> Self {
        Self { known: Vec::new(), now: None }
    }
}

impl<T: Copy + Eq> Needs<T> {
    /// What is being looked at, and so needs what is met.
    pub(super) fn now(&self) -> Option<usize> {
        self.now
    }

    /// Goes on to something at these types, which something else needed; not if it grows without end.
    pub(super) fn enter(&mut self, what: T, of: (&Types, &[TypeId]), needed_by: Option<usize>) -> bool {
        let (types, arguments) = of;
        let depth = arguments.iter().map(|ty| types.depth(*ty)).max().unwrap_or(0);
        // The depths it grew from, each once: a type that is needed by many of one depth (a list of this, of that) does
        // not grow by that.
        let (mut lower, mut in_all) = (Vec::new(), 0);
        let mut next = needed_by;
        while let Some((before, its_depth, by)) = next.and_then(|at| self.known.get(at)) {
            if *before == what && *its_depth < depth {
                in_all += 1;
                if !lower.contains(its_depth) {
                    lower.push(*its_depth);
                }
            }
            next = *by;
        }
        if lower.len() > TIMES.max(arguments.len()) || in_all > IN_ALL {
            return false;
        }
        self.known.push((what, depth, needed_by));
        self.now = Some(self.known.len() - 1);
        true
    }
}

/// A function at types.
pub(super) type Instance = (FunctionId, Vec<TypeId>);

/// What was looked for below expressions that were translated: instances that are left undefined. An expression is walked
/// once, and again only when an instance below it is left undefined after that.
#[derive(Default)]
pub(super) struct Walked {
    /// Whether nothing that is undefined is below an expression. If it is not known of one, it is of none above it.
    clear: FxHashMap<NodeId, bool>,
    /// The expressions of which each is a part.
    above: FxHashMap<NodeId, Vec<NodeId>>,
    /// The expressions that apply an instance.
    applied: FxHashMap<Instance, Vec<NodeId>>,
}

impl Walked {
    /// Goes to an expression, all parts of which must be gone to as well: whether it is the first time, nothing if
    /// there is nothing to be found.
    pub(super) fn enter(&mut self, node: NodeId) -> Option<bool> {
        match self.clear.insert(node, true) {
            Some(true) => None,
            Some(false) => Some(false),
            None => Some(true),
        }
    }

    /// Notes a part of an expression.
    pub(super) fn part(&mut self, part: NodeId, whole: NodeId) {
        self.above.entry(part).or_default().push(whole);
    }

    /// Notes what an expression applies.
    pub(super) fn applies(&mut self, node: NodeId, instance: &Instance) {
        self.applied.entry(instance.clone()).or_default().push(node);
    }

    /// An instance is left undefined.
    pub(super) fn leave(&mut self, instance: &Instance) {
        let mut work = self.applied.get(instance).cloned().unwrap_or_default();
        while let Some(node) = work.pop() {
            if self.clear.insert(node, false) == Some(true) {
                work.extend(self.above.get(&node).into_iter().flatten());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::arena::Id;

    /// What is walked is walked again only above what was left undefined since.
    #[test]
    fn expressions_are_walked_again_only_above_what_is_left_undefined() {
        let nodes: Vec<NodeId> = (0..5).map(NodeId::from_index).collect();
        let instance = (FunctionId::from_index(0), Vec::new());
        let mut walked = Walked::default();
        // 0 is made of 1 and 2, 1 of 3, which applies the instance; 4 stands alone.
        for (part, whole) in [(1, 0), (2, 0), (3, 1)] {
            walked.part(nodes[part], nodes[whole]);
        }
        walked.applies(nodes[3], &instance);
        let enter = |walked: &mut Walked| nodes.iter().map(|node| walked.enter(*node)).collect::<Vec<_>>();
        assert_eq!(enter(&mut walked), [Some(true); 5]);
        assert_eq!(enter(&mut walked), [None; 5]);
        walked.leave(&instance);
        assert_eq!(enter(&mut walked), [Some(false), Some(false), None, Some(false), None]);
        assert_eq!(enter(&mut walked), [None; 5]);
    }
}
