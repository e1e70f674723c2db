//! Predicates whose calls go to other ones first, for `wrap_predicate/4`.

use crate::machine::{Kind, Machine, PredicateId};

impl Machine {
    /// Lets calls of a predicate go through wrappers, the outermost last, in place of those that it has. Each of them is
    /// a predicate and another one that is defined here: the clauses of the predicate as they are now, or the wrapper
    /// inside. False if the predicate has no clauses of a program, or has a contract, which stands at the same place.
    pub(crate) fn wrap(&mut self, id: PredicateId, wrappers: &[(PredicateId, PredicateId)]) -> bool {
        let predicate = self.predicate_at(id);
        let is_contract =
            predicate.wrapper.is_some() && !self.wrapped.contains_key(&id) || predicate.passes_context();
        if !matches!(predicate.kind, Kind::Static | Kind::Dynamic) || is_contract {
            return false;
        }
        let mut inside = predicate.body;
        for &(wrapper, wrapped) in wrappers {
            self.define(wrapped, Kind::Static, inside);
            inside = self.predicate_at(wrapper).body;
        }
        match wrappers.first() {
            Some(&(_, innermost)) => self.wrapped.insert(id, innermost),
            None => self.wrapped.remove(&id),
        };
        self.predicate_mut(id).wrapper = (!wrappers.is_empty()).then_some(inside);
        self.refresh(id);
        true
    }
}
