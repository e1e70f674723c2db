//! Bijections between atoms, built pair by pair.

use rustc_hash::FxHashMap;

use super::atom::{AtomId, Atoms};

/// A bijection between two sets of atoms: the map `m` of Algorithm 1 (query-caching paper, section III-B).
///
/// ```
/// use cache_core::rename::{Atoms, Bijection};
///
/// let mut atoms = Atoms::new();
/// let [a, b, c] = [16_u64, 16, 8].map(|size| atoms.fresh(&size));
/// let mut map = Bijection::new();
/// assert!(map.pair(&atoms, a, b));
/// assert!(map.pair(&atoms, a, b), "the same pair again");
/// assert!(!map.pair(&atoms, b, b), "b already is the image of a");
/// assert!(!map.pair(&atoms, b, c), "another size");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bijection {
    forward: FxHashMap<AtomId, AtomId>,
    backward: FxHashMap<AtomId, AtomId>,
    /// The left sides, in the order in which they were paired.
    trail: Vec<AtomId>,
}

impl Bijection {
    /// Without pairs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pair (the paper's ADD-PAIR and the comparison of sizes). False, and nothing is added, if
    /// either side already has another partner or if the attributes differ.
    pub fn pair(&mut self, atoms: &Atoms, left: AtomId, right: AtomId) -> bool {
        match (self.forward.get(&left), self.backward.get(&right)) {
            (None, None) => {
                if !atoms.agree(left, right) {
                    return false;
                }
                self.forward.insert(left, right);
                self.backward.insert(right, left);
                self.trail.push(left);
                true
            }
            // Then `left` is what `right` comes from: both maps have the same pairs.
            (Some(image), Some(_)) => *image == right,
            _ => false,
        }
    }

    /// How many pairs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.trail.len()
    }

    /// Whether there are no pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.trail.is_empty()
    }

    /// The pairs, in the order in which they were added.
    pub fn pairs(&self) -> impl Iterator<Item = (AtomId, AtomId)> {
        self.trail.iter().filter_map(|left| self.forward.get(left).map(|right| (*left, *right)))
    }

    /// Takes back all pairs but the first `length`.
    pub(crate) fn truncate(&mut self, length: usize) {
        while self.trail.len() > length {
            if let Some(right) = self.trail.pop().and_then(|left| self.forward.remove(&left)) {
                self.backward.remove(&right);
            }
        }
    }
}
