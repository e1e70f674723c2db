//! Algorithm 1 of the query-caching paper: are two questions equal up to a bijection of atoms?
//!
//! A comparison walks both terms, so it is no way to look a question up; it is what shapes are measured
//! against, and an exact test where the atoms of one side must also fit an existing mapping.
//!
//! Shared subterms are compared once. Under one mapping "equal to" is an equivalence between nodes of the
//! left and of the right side, so compared pairs are merged in a union-find structure, and a pair whose
//! sides are already in one class needs no visit: n nodes cost O(n), with any sharing on either side,
//! where a table of visited pairs could grow with the product.

use rustc_hash::FxHashMap;

use super::atom::Atoms;
use super::bijection::Bijection;
use super::term::Terms;
use crate::digest::Encoder;

/// What a comparison found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Whether the questions are equal under an extension of the mapping.
    pub equal: bool,
    /// How many pairs of nodes were compared.
    pub visits: u64,
}

/// Compares two ordered questions, given as roots, under one mapping, which it extends. If they differ,
/// the mapping is as it was before.
///
/// Both sides may be in one arena of terms; their atoms come from one allocator.
pub fn compare<T: Terms>(
    atoms: &Atoms,
    (left_terms, left): (&T, &[T::Node]),
    (right_terms, right): (&T, &[T::Node]),
    mapping: &mut Bijection,
) -> Comparison {
    let before = mapping.len();
    let mut walk = Walk { classes: Classes::default(), visits: 0 };
    let equal =
        left.len() == right.len() && walk.run(atoms, (left_terms, left), (right_terms, right), mapping);
    if !equal {
        mapping.truncate(before);
    }
    Comparison { equal, visits: walk.visits }
}

struct Walk<N> {
    classes: Classes<N>,
    visits: u64,
}

impl<N: Copy + Eq + std::hash::Hash> Walk<N> {
    fn run<T: Terms<Node = N>>(
        &mut self,
        atoms: &Atoms,
        (left_terms, left): (&T, &[N]),
        (right_terms, right): (&T, &[N]),
        mapping: &mut Bijection,
    ) -> bool {
        let mut stack: Vec<(N, N)> = left.iter().copied().zip(right.iter().copied()).rev().collect();
        let (mut left_label, mut right_label) = (Encoder::new(), Encoder::new());
        let (mut left_below, mut right_below) = (Vec::new(), Vec::new());
        while let Some((left, right)) = stack.pop() {
            if !self.classes.unite(left, right) {
                continue;
            }
            self.visits += 1;
            match (left_terms.atom(left), right_terms.atom(right)) {
                (Some(left), Some(right)) => {
                    if !mapping.pair(atoms, left, right) {
                        return false;
                    }
                    continue;
                }
                (None, None) => {}
                _ => return false,
            }
            left_label.clear();
            right_label.clear();
            left_terms.label(left, &mut left_label);
            right_terms.label(right, &mut right_label);
            left_below.clear();
            right_below.clear();
            left_terms.children(left, &mut left_below);
            right_terms.children(right, &mut right_below);
            if left_label.bytes() != right_label.bytes() || left_below.len() != right_below.len() {
                return false;
            }
            stack.extend(left_below.iter().copied().zip(right_below.iter().copied()).rev());
        }
        true
    }
}

/// Classes of nodes known to be equal under the mapping, as a union-find structure. A node of the left
/// side and the same node of the right side are two members.
struct Classes<N> {
    members: FxHashMap<(bool, N), usize>,
    parents: Vec<usize>,
    sizes: Vec<usize>,
}

impl<N> Default for Classes<N> {
    fn default() -> Self {
        Self { members: FxHashMap::default(), parents: Vec::new(), sizes: Vec::new() }
    }
}

impl<N: Copy + Eq + std::hash::Hash> Classes<N> {
    /// Merges the classes of a left and a right node; false if they were one already.
    fn unite(&mut self, left: N, right: N) -> bool {
        let (mut small, mut large) = (self.class((false, left)), self.class((true, right)));
        if small == large {
            return false;
        }
        if self.sizes[small] > self.sizes[large] {
            std::mem::swap(&mut small, &mut large);
        }
        self.parents[small] = large;
        self.sizes[large] += self.sizes[small];
        true
    }

    fn class(&mut self, member: (bool, N)) -> usize {
        let (parents, sizes) = (&mut self.parents, &mut self.sizes);
        let mut at = *self.members.entry(member).or_insert_with(|| {
            parents.push(parents.len());
            sizes.push(1);
            parents.len() - 1
        });
        // Path halving keeps the structure flat without a second pass.
        while parents[at] != at {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        at
    }
}
