//! Predicates of a text that is still being read, whose clauses are not worth compiling together yet.
//!
//! Such a predicate begins as one instruction, [`Instruction::Uncompiled`], and stays so until its text gives it code. A
//! call that comes there goes on at a dynamic predicate without a place among the module's, which gets the clauses that
//! were read since the call before. So a clause is compiled at most once, and none if nobody calls the predicate.

use crate::machine::{Address, Instruction, Kind, Machine, PredicateId};
use crate::term::{Cell, atom};

/// What calls of such a predicate run.
#[derive(Debug)]
pub(in crate::machine) struct Growing {
    /// The dynamic predicate.
    clauses: PredicateId,
    /// Where its calls go.
    entry: Address,
    /// How many clauses of the text it has.
    taken: usize,
    /// How many calls there were.
    calls: usize,
}

impl Machine {
    /// Lets calls of a predicate see the clauses that [`crate::machine::Loading::texts`] has of it.
    pub(crate) fn let_grow(&mut self, id: PredicateId) {
        if self.code_at(self.predicate_at(id).body) != Instruction::Uncompiled(id) {
            let stub = self.add_code(&[Instruction::Uncompiled(id)]);
            self.define(id, Kind::Static, stub);
        }
    }

    /// How often a predicate was called since it has grown.
    pub(crate) fn calls_while_growing(&self, id: PredicateId) -> usize {
        self.growing.get(&id).map_or(0, |growing| growing.calls)
    }

    /// Forgets the clauses that calls of a predicate have run, since it has code now, or they mean something else.
    pub(crate) fn end_growth(&mut self, id: PredicateId) {
        let Some(growing) = self.growing.remove(&id) else { return };
        let mut next = self.predicate_at(growing.clauses).clauses.map(|(first, _)| first);
        while let Some(clause) = next {
            next = self.clause(clause).next();
            self.erase_clause(clause);
        }
    }

    /// Where a call of a predicate goes that grows.
    pub(in crate::machine) fn call_growing(&mut self, id: PredicateId) -> Address {
        let mut growing = self.growing.remove(&id).unwrap_or_else(|| self.begin_growth(id));
        growing.calls += 1;
        self.predicate_mut(growing.clauses).rules = self.predicate_at(id).rules;
        let known = self.loading.texts.get(&id).map_or(0, Vec::len);
        while growing.taken < known {
            let clause = self.loading.texts[&id][growing.taken].restore(&mut self.store);
            growing.taken += 1;
            let clause = match self.store.match_structure::<2>(clause, atom::NECK) {
                Some(_) => clause,
                None => self.store.compound(atom::NECK, &[clause, Cell::atom(atom::TRUE)]),
            };
            // One that cannot be compiled is told of when the text has ended.
            let _ = self.add_clause(growing.clauses, clause, false);
        }
        let entry = growing.entry;
        self.growing.insert(id, growing);
        entry
    }

    fn begin_growth(&mut self, id: PredicateId) -> Growing {
        let predicate = self.predicate_at(id);
        let (module, name, arity) = (predicate.module, predicate.name, predicate.arity);
        let clauses = self.new_predicate(module, name, arity);
        let entry = self.add_code(&[Instruction::Dynamic(clauses)]);
        Growing { clauses, entry, taken: 0, calls: 0 }
    }
}
