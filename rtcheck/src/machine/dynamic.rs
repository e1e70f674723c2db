//! Dynamic predicates: chains of clauses with the logical update view.
//!
//! Each clause knows the generation in which it was added and the one in which it was erased; a call sees the
//! clauses that were alive when it began. An erased clause is taken out of its chain but keeps its own link, so
//! that calls under way find their way on.

use super::{Address, Kind, Machine, PredicateId, Throw, fixed};
use crate::term::{Cell, Record, Tag};

/// The number of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseId(pub(crate) u32);

/// A clause of a dynamic predicate.
#[derive(Debug)]
pub struct Clause {
    /// The predicate.
    pub predicate: PredicateId,
    /// The clause as `(Head :- Body)`.
    pub term: Record,
    /// Where its code starts.
    pub code: Address,
    /// What its first argument can be, if that is known: an atom, a small integer, a functor cell, or `'.'`
    /// for a list cell.
    key: Option<Cell>,
    born: u64,
    erased: u64,
    next: Option<ClauseId>,
    previous: Option<ClauseId>,
}

impl Machine {
    /// A clause by its number.
    #[must_use]
    pub fn clause(&self, id: ClauseId) -> &Clause {
        &self.clauses[id.0 as usize]
    }

    /// What indexing looks at in a first argument.
    fn key_of(&self, cell: Cell) -> Option<Cell> {
        let cell = self.store.deref(cell);
        match cell.tag() {
            Tag::Atm | Tag::Int => Some(cell),
            Tag::Str => Some(self.store.at(cell.index())),
            Tag::Lis => Some(Cell::functor(crate::term::atom::DOT, 2)),
            _ => None,
        }
    }

    /// Makes a predicate dynamic. False if it has static clauses.
    pub fn make_dynamic(&mut self, id: PredicateId) -> bool {
        let predicate = self.predicate_at(id);
        match predicate.kind {
            Kind::Dynamic => true,
            Kind::Static if predicate.body != fixed::FAIL => false,
            // Nothing defines it, or a declaration only.
            Kind::Undefined | Kind::Static => {
                let entry = self.add_code(&[super::Instruction::Dynamic(id)]);
                self.define(id, Kind::Dynamic, entry);
                true
            }
            Kind::Control | Kind::Library => false,
        }
    }

    /// Gives a predicate that is declared only no clauses, so that its calls fail.
    pub(crate) fn define_empty(&mut self, id: PredicateId) {
        self.define(id, Kind::Static, fixed::FAIL);
    }

    /// Adds `(Head :- Body)` to a dynamic predicate, at the front or at the end.
    pub(crate) fn add_clause(&mut self, id: PredicateId, clause: Cell, front: bool) -> Result<(), Throw> {
        let module = self.predicate_at(id).module;
        let source = std::mem::replace(&mut self.source_module, module);
        let code = (self.hooks.compile_clause)(self, clause);
        self.source_module = source;
        let code = code?;
        let head = self.store.argument(self.store.deref(clause), 0);
        let (first, count) = self.store.arguments(head);
        let key = if count > 0 { self.key_of(self.store.at(first)) } else { None };
        let new = ClauseId(self.clauses.len() as u32);
        self.generation += 1;
        let term = Record::new(&self.store, clause);
        let chain = self.predicate_at(id).clauses;
        let (previous, next) = match chain {
            None => (None, None),
            Some((head, _)) if front => (None, Some(head)),
            Some((_, last)) => (Some(last), None),
        };
        let born = self.generation;
        self.clauses.push(Clause { predicate: id, term, code, key, born, erased: u64::MAX, next, previous });
        if let Some(next) = next {
            self.clauses[next.0 as usize].previous = Some(new);
        }
        if let Some(previous) = previous {
            self.clauses[previous.0 as usize].next = Some(new);
        }
        let chain = match chain {
            None => (new, new),
            Some((_, last)) if front => (new, last),
            Some((first, _)) => (first, new),
        };
        self.predicate_mut(id).clauses = Some(chain);
        Ok(())
    }

    /// Erases a clause. False if it is erased already.
    pub(crate) fn erase_clause(&mut self, id: ClauseId) -> bool {
        if self.clause(id).erased != u64::MAX {
            return false;
        }
        self.generation += 1;
        let generation = self.generation;
        let clause = &mut self.clauses[id.0 as usize];
        clause.erased = generation;
        let (predicate, previous, next) = (clause.predicate, clause.previous, clause.next);
        if let Some(previous) = previous {
            self.clauses[previous.0 as usize].next = next;
        }
        if let Some(next) = next {
            self.clauses[next.0 as usize].previous = previous;
        }
        if let Some((first, last)) = self.predicate_at(predicate).clauses {
            let first = if first == id { next } else { Some(first) };
            let last = if last == id { previous } else { Some(last) };
            self.predicate_mut(predicate).clauses = first.zip(last);
        }
        true
    }

    /// Begins a search for clauses: the first one that is alive now and whose first argument may match a given
    /// one, and the generation in which the search began. The caller goes on with [`Machine::search_on`].
    pub(crate) fn search_clauses(
        &self,
        id: PredicateId,
        first_argument: Option<Cell>,
    ) -> (Option<ClauseId>, u64) {
        let key = first_argument.and_then(|cell| self.key_of(cell));
        let first = self.predicate_at(id).clauses.map(|(first, _)| first);
        (self.visible(first, self.generation, key), self.generation)
    }

    /// The next clause of a search.
    pub(crate) fn search_on(
        &self,
        id: ClauseId,
        generation: u64,
        first_argument: Option<Cell>,
    ) -> Option<ClauseId> {
        let key = first_argument.and_then(|cell| self.key_of(cell));
        self.visible(self.clause(id).next, generation, key)
    }

    /// How many clauses a dynamic predicate has.
    pub(crate) fn count_clauses(&self, id: PredicateId) -> usize {
        let first = self.predicate_at(id).clauses.map(|(first, _)| first);
        let next = |&id: &ClauseId| self.visible(self.clause(id).next, self.generation, None);
        std::iter::successors(self.visible(first, self.generation, None), next).count()
    }

    /// Erases all clauses of a dynamic predicate and forgets that it is one. False if it has static clauses.
    pub(crate) fn abolish(&mut self, id: PredicateId) -> bool {
        match self.predicate_at(id).kind {
            Kind::Undefined => return true,
            Kind::Control | Kind::Library | Kind::Static => return false,
            Kind::Dynamic => {}
        }
        while let Some((first, _)) = self.predicate_at(id).clauses {
            self.erase_clause(first);
        }
        let entry = self.add_code(&[super::Instruction::Undefined(id)]);
        self.define(id, Kind::Undefined, entry);
        true
    }

    /// The first clause from a given one on that was alive in a generation and may match a key.
    fn visible(&self, mut next: Option<ClauseId>, generation: u64, key: Option<Cell>) -> Option<ClauseId> {
        while let Some(id) = next {
            let clause = self.clause(id);
            let alive = clause.born <= generation && generation < clause.erased;
            if alive && (key.is_none() || clause.key.is_none() || clause.key == key) {
                return Some(id);
            }
            next = clause.next;
        }
        None
    }

    /// Starts a call of a dynamic predicate.
    pub(super) fn first_clause(&mut self, id: PredicateId) -> Result<Address, Throw> {
        let arity = self.predicate_at(id).arity;
        let key = if arity > 0 { self.key_of(self.x[0]) } else { None };
        let generation = self.generation;
        let first = self.visible(self.predicate_at(id).clauses.map(|(first, _)| first), generation, key);
        let Some(first) = first else { return Ok(fixed::FAIL) };
        let next = self.visible(self.clause(first).next, generation, key);
        if let Some(next) = next {
            // Behind the arguments the choicepoint keeps the next clause and the call's generation.
            self.x[arity] = Cell::count(next.0 as usize);
            self.x[arity + 1] = Cell::count(generation as usize);
            self.push_choice(arity + 2, fixed::DYNAMIC_NEXT);
        }
        Ok(self.clause(first).code)
    }

    /// Continues a call of a dynamic predicate; its registers were just restored.
    pub(super) fn next_clause(&mut self) -> Address {
        let Some(choice) = self.choices.last() else { return fixed::FAIL };
        let arguments = choice.arguments;
        let arity = self.choice_arguments.len() - arguments - 2;
        let current = ClauseId(self.x[arity].int_value() as u32);
        let generation = self.x[arity + 1].int_value() as u64;
        let key = if arity > 0 { self.key_of(self.x[0]) } else { None };
        match self.visible(self.clause(current).next, generation, key) {
            Some(next) => {
                self.choice_arguments[arguments + arity] = Cell::count(next.0 as usize);
                self.cut_barrier = self.choices.len() - 1;
            }
            None => {
                self.pop_choice();
                self.cut_barrier = self.choices.len();
            }
        }
        self.clause(current).code
    }
}
