//! What needs itself at ever larger types: a function whose body applies it to values of a type that is made of its
//! own type parameter, a datatype with such a field. There is no end to their instances.

use crate::resolve::types::{TypeId, Types};

/// How often something may need itself at a larger type. More than its type parameters, which may pass a type that is
/// wrapped once from one to the next, so that what ends is not cut off.
const TIMES: usize = 5;

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
        let mut smaller = 0;
        let mut next = needed_by;
        while let Some((before, its_depth, by)) = next.and_then(|at| self.known.get(at)) {
            smaller += usize::from(*before == what && *its_depth < depth);
            next = *by;
        }
        if smaller > TIMES {
            return false;
        }
        self.known.push((what, depth, needed_by));
        self.now = Some(self.known.len() - 1);
        true
    }
}
