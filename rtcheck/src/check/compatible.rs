//! Compatibility: could a term still get a type?
//!
//! The walk is that of a check, but a free variable is acceptable wherever some term is: it is noted with the type
//! that is asked of it, and a variable of which several are asked must have terms that are in all of them. What
//! holds now may not hold once a variable is bound, so nothing of it is ever remembered. Cost: one visit per pair
//! of a cell and a type.

use super::footprint::Key;
use super::walk::accepts_atomic;
use crate::regtype::{Primitive, TypeId, Types};
use crate::term::{Cell, Store, Tag};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether a term has an instance of a type: whether binding its free variables could give it the type. A cyclic
/// term has none.
#[must_use]
pub fn compatible(store: &Store, types: &Types, term: Cell, id: TypeId) -> bool {
    let mut pending = vec![(term, id)];
    let mut seen: FxHashSet<Key> = FxHashSet::default();
    let mut variables: FxHashMap<usize, Vec<TypeId>> = FxHashMap::default();
    let mut met_again = false;
    while let Some((cell, id)) = pending.pop() {
        let cell = store.deref(cell);
        let state = types.state(id);
        let tag = cell.tag();
        if state.accepts_tag(tag) {
            continue;
        }
        match tag {
            Tag::Ref => {
                let asked = variables.entry(cell.index()).or_default();
                if !asked.contains(&id) {
                    asked.push(id);
                }
            }
            Tag::Lis | Tag::Str => {
                if !seen.insert((cell.index() as u32, id.0)) {
                    met_again = true;
                    continue;
                }
                let (first, count) = store.arguments(cell);
                let ground = Types::primitive(Primitive::Ground);
                let states = if tag == Tag::Lis {
                    state.list.map(|states| states.to_vec())
                } else {
                    match types.find_structure(state, store.at(cell.index())) {
                        Some(first) => {
                            Some(types.arguments()[first as usize..first as usize + count].to_vec())
                        }
                        None => state.ground.then(|| vec![ground; count]),
                    }
                };
                let Some(states) = states else { return false };
                pending.extend(states.into_iter().enumerate().map(|(i, id)| (store.at(first + i), id)));
            }
            _ => {
                if !accepts_atomic(store, types, id, cell) {
                    return false;
                }
            }
        }
    }
    variables.values().all(|asked| types.have_common_term(asked))
        && (!met_again || store.is_acyclic(store.deref(term)))
}
