//! Whether types have a term in common.
//!
//! The states of the product automaton are sets of states. One has a term if a kind or constant is in all its
//! members, or if for some functor that all of them accept each argument's set has one: the least fixpoint over
//! the sets that can be reached, of which there are few.

use super::automaton::Types;
use super::state::{Kinds, Shape, TypeId};
use super::{Primitive, definition::Constant};
use crate::term::Cell;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Sets beyond this many: the answer is yes, which only means that compatibility is not denied.
const MAX_SETS: usize = 10_000;

/// The ways in which a set can have a compound term: per functor the sets of its arguments.
type Ways = Vec<Vec<usize>>;

impl Types {
    /// Whether some term is of all of the given types.
    #[must_use]
    pub fn have_common_term(&self, ids: &[TypeId]) -> bool {
        let root = normal(ids);
        let mut sets = vec![root.clone()];
        let mut numbers: FxHashMap<Vec<TypeId>, usize> = FxHashMap::default();
        numbers.insert(root, 0);
        let mut inhabited: Vec<bool> = Vec::new();
        let mut ways: Vec<Ways> = Vec::new();
        while let Some(set) = sets.get(ways.len()).cloned() {
            if sets.len() > MAX_SETS {
                return true;
            }
            let shapes: Vec<&Shape<TypeId>> = set.iter().map(|&id| self.shape(id)).collect();
            inhabited.push(has_simple_term(&shapes));
            let mut found = Ways::new();
            if !inhabited[ways.len()] {
                let functors: BTreeSet<Cell> =
                    shapes.iter().flat_map(|shape| shape.structures.keys().copied()).collect();
                for functor in functors {
                    if let Some(arguments) = arguments(&shapes, functor) {
                        let way = arguments
                            .into_iter()
                            .map(|set| {
                                *numbers.entry(set.clone()).or_insert_with(|| {
                                    sets.push(set);
                                    sets.len() - 1
                                })
                            })
                            .collect();
                        found.push(way);
                    }
                }
            }
            ways.push(found);
        }
        loop {
            let mut changed = false;
            for set in (0..sets.len()).rev() {
                if !inhabited[set]
                    && ways[set].iter().any(|way| way.iter().all(|&argument| inhabited[argument]))
                {
                    inhabited[set] = true;
                    changed = true;
                }
            }
            if !changed || inhabited[0] {
                return inhabited[0];
            }
        }
    }
}

fn normal(ids: &[TypeId]) -> Vec<TypeId> {
    let mut set = ids.to_vec();
    set.sort_unstable();
    set.dedup();
    set
}

/// Whether all shapes accept a common term that needs no look at arguments.
fn has_simple_term(shapes: &[&Shape<TypeId>]) -> bool {
    let kinds = shapes.iter().fold(Kinds::ALL, |kinds, shape| kinds.and(shape.kinds));
    let accepts = |shape: &Shape<TypeId>, constant: &Constant| {
        shape.kinds.contains(Kinds::of_constant(constant)) || shape.constants.contains(constant)
    };
    let any_ground = |shape: &&Shape<TypeId>| shape.ground || shape.kinds.contains(Kinds::COMPOUND);
    kinds != Kinds::NONE
        || shapes
            .iter()
            .flat_map(|shape| &shape.constants)
            .any(|c| shapes.iter().all(|shape| accepts(shape, c)))
        || shapes.iter().all(any_ground)
}

/// The sets that a functor's arguments must have terms in, if all shapes accept the functor.
fn arguments(shapes: &[&Shape<TypeId>], functor: Cell) -> Option<Vec<Vec<TypeId>>> {
    let mut sets = vec![Vec::new(); functor.arity()];
    for shape in shapes {
        if let Some(states) = shape.structures.get(&functor) {
            for (set, &state) in sets.iter_mut().zip(states) {
                set.push(state);
            }
        } else if shape.ground {
            for set in &mut sets {
                set.push(Types::primitive(Primitive::Ground));
            }
        } else if !shape.kinds.contains(Kinds::COMPOUND) {
            return None;
        }
    }
    Some(sets.iter().map(|set| normal(set)).collect())
}
