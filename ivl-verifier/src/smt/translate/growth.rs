//! What needs itself at ever larger types: a function whose body applies it to values of a type that is made of its
//! own type parameter, a datatype with such a field. There is no end to their instances.

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
