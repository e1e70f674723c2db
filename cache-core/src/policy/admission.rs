//! Admission: which entries are worth inserting at all.
//!
//! Stulova et al. 2015, section 5: a check below a depth limit is not cached, so that inner subterms do
//! not push out the roots of data structures; and caching only every c-th level of a tree of n nodes
//! needs about n/2^(c+1) entries and still bounds the work of a check.

/// Decides by the depth below the root of what is checked; the root has depth 0.
pub trait Admission {
    /// Whether an entry found at `depth` is inserted.
    fn admits(&self, depth: u32) -> bool;
}

/// Admits everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Admission for Everything {
    #[inline]
    fn admits(&self, _depth: u32) -> bool {
        true
    }
}

/// Admits depths below the limit: 1 admits the root alone, 0 nothing.
#[derive(Clone, Copy, Debug)]
pub struct DepthLimit(pub u32);

impl Admission for DepthLimit {
    #[inline]
    fn admits(&self, depth: u32) -> bool {
        depth < self.0
    }
}

/// Admits every n-th level, the root's among them.
#[derive(Clone, Copy, Debug)]
pub struct EveryNth(pub std::num::NonZeroU32);

impl Admission for EveryNth {
    #[inline]
    fn admits(&self, depth: u32) -> bool {
        depth.is_multiple_of(self.0.get())
    }
}

/// Admits what both rules admit.
impl<A: Admission, B: Admission> Admission for (A, B) {
    #[inline]
    fn admits(&self, depth: u32) -> bool {
        self.0.admits(depth) && self.1.admits(depth)
    }
}
