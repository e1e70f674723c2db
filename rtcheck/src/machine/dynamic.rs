//! Dynamic predicates: chains of clauses with the logical update view.
//!
//! Each clause knows the generation in which it was added and the one in which it was erased; a call sees the
//! clauses that were alive when it began. An erased clause stays in its chain as long as a search may be under way
//! that began before it was erased; searches are known by the choicepoints that hold their generations. Erased clauses
//! are looked for when there are more of them than others, so the cost is constant for each.
//!
//! A predicate with many clauses gets a second kind of chain when it is first searched by its first argument: one for
//! each value of that argument. A search may follow it if no clause that takes any first argument was alive when the
//! search began, and may change between the two kinds of chain at any clause, since both have the same order.

use super::{Address, Kind, Machine, PredicateId, Throw, fixed};
use crate::term::{Cell, Record, Tag};
use rustc_hash::FxHashMap;
use std::ops::Range;

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
    /// Where its code ends.
    end: Address,
    /// Whether somebody outside keeps its number, which is then not given again.
    kept: bool,
    /// What its first argument can be, if that is known: an atom, a small integer, a functor cell, or `'.'`
    /// for a list cell.
    key: Option<Cell>,
    born: u64,
    erased: u64,
    next: Option<ClauseId>,
    previous: Option<ClauseId>,
    /// Whether the clause is in the chain of its key, and its neighbours there.
    indexed: bool,
    next_of_key: Option<ClauseId>,
    previous_of_key: Option<ClauseId>,
}

/// The generation of a search is kept in a cell that no small number is mistaken for. A large number that is, keeps
/// clauses in their chains a while longer.
const SEARCH: i64 = 1 << 58;

/// Predicates with fewer clauses are searched one by one.
const WORTH_INDEXING: usize = 8;

/// The clauses of one dynamic predicate by their first arguments.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// How many clauses are alive.
    count: usize,
    /// How many erased clauses are still in the chain, and how many may be before they are looked at.
    erased: usize,
    erased_at_most: usize,
    /// How many of them take any first argument, or one that is no key.
    open: usize,
    /// Since which generation there are none of those; of no meaning while there are some.
    closed_since: u64,
    /// The first and the last clause of each key, once there is an index.
    chains: Option<FxHashMap<Cell, (ClauseId, ClauseId)>>,
}

/// A copy of a predicate is for looking at: it has no index.
impl Clone for Keys {
    fn clone(&self) -> Self {
        Self { chains: None, ..*self }
    }
}

impl Keys {
    /// Whether a search that began in a generation may follow the chains of keys.
    fn serve(&self, generation: u64) -> bool {
        self.chains.is_some() && self.open == 0 && generation >= self.closed_since
    }
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

    /// Notes that somebody keeps the number of a clause.
    pub(crate) fn keep_clause_id(&mut self, id: ClauseId) {
        self.clauses[id.0 as usize].kept = true;
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
        let Range { start: code, end } = code?;
        let head = self.store.argument(self.store.deref(clause), 0);
        let (first, count) = self.store.arguments(head);
        let key = if count > 0 { self.key_of(self.store.at(first)) } else { None };
        let new = self.reclaimed.clauses.pop().unwrap_or(ClauseId(self.clauses.len() as u32));
        self.generation += 1;
        let term = Record::plain(&self.store, clause);
        self.hold(term.bytes());
        let chain = self.predicate_at(id).clauses;
        let (previous, next) = match chain {
            None => (None, None),
            Some((head, _)) if front => (None, Some(head)),
            Some((_, last)) => (Some(last), None),
        };
        let born = self.generation;
        let clause = Clause {
            predicate: id,
            term,
            code,
            end,
            kept: false,
            key,
            born,
            erased: u64::MAX,
            next,
            previous,
            indexed: false,
            next_of_key: None,
            previous_of_key: None,
        };
        match self.clauses.get_mut(new.0 as usize) {
            Some(place) => *place = clause,
            None => self.clauses.push(clause),
        }
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
        let predicate = self.predicate_mut(id);
        predicate.clauses = Some(chain);
        predicate.keys.count += 1;
        predicate.keys.open += usize::from(key.is_none());
        self.index_clause(new, front);
        Ok(())
    }

    /// Puts a clause into the chain of its key, if there is an index.
    fn index_clause(&mut self, new: ClauseId, front: bool) {
        let Clause { predicate, key: Some(key), .. } = *self.clause(new) else { return };
        let Some(chains) = &mut self.predicate_mut(predicate).keys.chains else { return };
        let known = chains.get(&key).copied();
        let (first, last) = known.unwrap_or((new, new));
        chains.insert(key, if front { (new, last) } else { (first, new) });
        let neighbour = known.map(|_| if front { first } else { last });
        let clause = &mut self.clauses[new.0 as usize];
        clause.indexed = true;
        if front {
            clause.next_of_key = neighbour;
        } else {
            clause.previous_of_key = neighbour;
        }
        if let Some(neighbour) = neighbour {
            let neighbour = &mut self.clauses[neighbour.0 as usize];
            *(if front { &mut neighbour.previous_of_key } else { &mut neighbour.next_of_key }) = Some(new);
        }
    }

    /// Makes the index of a predicate's first argument.
    fn make_index(&mut self, id: PredicateId) {
        self.predicate_mut(id).keys.chains = Some(FxHashMap::default());
        let mut next = self.predicate_at(id).clauses.map(|(first, _)| first);
        while let Some(clause) = next {
            self.index_clause(clause, false);
            next = self.clause(clause).next;
        }
    }

    /// Takes an erased clause out of its chains, and forgets its term: no search will ask for it. Its number and its
    /// code may be used again.
    fn unlink_clause(&mut self, id: ClauseId) {
        self.outside -= self.clauses[id.0 as usize].term.bytes();
        let &Clause { code, end, kept, .. } = self.clause(id);
        self.retire_code(code, end);
        if !kept {
            self.reclaimed.clauses.push(id);
        }
        self.clauses[id.0 as usize].term = Record::immediate(Cell::atom(crate::term::atom::NIL));
        let Clause { predicate, key, indexed, next, previous, next_of_key, previous_of_key, .. } =
            *self.clause(id);
        if let Some(previous) = previous {
            self.clauses[previous.0 as usize].next = next;
        }
        if let Some(next) = next {
            self.clauses[next.0 as usize].previous = previous;
        }
        let shortened = |(first, last): (ClauseId, ClauseId), previous, next| {
            let first = if first == id { next } else { Some(first) };
            let last = if last == id { previous } else { Some(last) };
            first.zip(last)
        };
        let owner = self.predicate_mut(predicate);
        owner.clauses = owner.clauses.and_then(|ends| shortened(ends, previous, next));
        let Some((key, chains)) = key.filter(|_| indexed).zip(owner.keys.chains.as_mut()) else { return };
        if let Some(ends) = chains.remove(&key)
            && let Some(ends) = shortened(ends, previous_of_key, next_of_key)
        {
            chains.insert(key, ends);
        }
        if let Some(previous) = previous_of_key {
            self.clauses[previous.0 as usize].next_of_key = next_of_key;
        }
        if let Some(next) = next_of_key {
            self.clauses[next.0 as usize].previous_of_key = previous_of_key;
        }
    }

    /// Takes those erased clauses of a predicate out of its chains that no search under way can see.
    fn unlink_erased(&mut self, id: PredicateId) {
        // A search that goes on is in the arguments of a choicepoint.
        let generations = self.choice_arguments.iter().map(|&cell| self.store.deref(cell));
        let searches = generations.filter(|cell| cell.tag() == Tag::Int && cell.int_value() >= SEARCH);
        let oldest = searches.map(generation_of).min().unwrap_or(u64::MAX);
        let mut left = 0;
        let mut next = self.predicate_at(id).clauses.map(|(first, _)| first);
        while let Some(clause) = next {
            let Clause { erased, next: following, .. } = *self.clause(clause);
            next = following;
            if erased <= oldest && erased != u64::MAX {
                self.unlink_clause(clause);
            } else if erased != u64::MAX {
                left += 1;
            }
        }
        let choices = self.choice_arguments.len();
        let keys = &mut self.predicate_mut(id).keys;
        keys.erased = left;
        keys.erased_at_most = 8 + 2 * left + keys.count + choices / 16;
    }

    /// Erases a clause, if it is not erased already.
    pub(crate) fn erase_clause(&mut self, id: ClauseId) {
        if self.clause(id).erased != u64::MAX {
            return;
        }
        self.generation += 1;
        let generation = self.generation;
        let clause = &mut self.clauses[id.0 as usize];
        clause.erased = generation;
        let (predicate, open) = (clause.predicate, clause.key.is_none());
        let keys = &mut self.predicate_mut(predicate).keys;
        keys.count = keys.count.saturating_sub(1);
        keys.erased += 1;
        if open {
            keys.open = keys.open.saturating_sub(1);
            keys.closed_since = generation;
        }
        if keys.erased > keys.erased_at_most {
            self.unlink_erased(predicate);
        }
    }

    /// Begins a search for clauses: the first one that is alive now and whose first argument may match a given
    /// one, and a cell that tells when the search began. The caller goes on with [`Machine::search_on`]; when it leaves
    /// a choicepoint to do so, the cell must be among the saved arguments.
    pub(crate) fn search_clauses(
        &mut self,
        id: PredicateId,
        first_argument: Option<Cell>,
    ) -> (Option<ClauseId>, Cell) {
        let key = first_argument.and_then(|cell| self.key_of(cell));
        (self.first_visible(id, key), search_cell(self.generation))
    }

    /// The next clause of a search.
    pub(crate) fn search_on(
        &self,
        id: ClauseId,
        search: Cell,
        first_argument: Option<Cell>,
    ) -> Option<ClauseId> {
        let key = first_argument.and_then(|cell| self.key_of(cell));
        self.next_visible(id, generation_of(search), key)
    }

    /// How many clauses a dynamic predicate has.
    pub(crate) fn count_clauses(&self, id: PredicateId) -> usize {
        self.predicate_at(id).keys.count
    }

    /// Erases all clauses of a dynamic predicate and forgets that it is one. False if it has static clauses.
    pub(crate) fn abolish(&mut self, id: PredicateId) -> bool {
        match self.predicate_at(id).kind {
            Kind::Undefined => return true,
            Kind::Control | Kind::Library | Kind::Static => return false,
            Kind::Dynamic => {}
        }
        let mut next = self.predicate_at(id).clauses.map(|(first, _)| first);
        while let Some(clause) = next {
            next = self.clause(clause).next;
            self.erase_clause(clause);
        }
        let entry = self.add_code(&[super::Instruction::Undefined(id)]);
        self.define(id, Kind::Undefined, entry);
        true
    }

    /// The first clause of a predicate that is alive and may match a key.
    fn first_visible(&mut self, id: PredicateId, key: Option<Cell>) -> Option<ClauseId> {
        let generation = self.generation;
        if let Some(cell) = key {
            let keys = &self.predicate_at(id).keys;
            if keys.chains.is_none() && keys.count > WORTH_INDEXING && keys.open == 0 {
                self.make_index(id);
            }
            let keys = &self.predicate_at(id).keys;
            if let Some(chains) = keys.chains.as_ref().filter(|_| keys.serve(generation)) {
                return self.visible_of_key(chains.get(&cell).map(|&(first, _)| first), generation);
            }
        }
        self.visible(self.predicate_at(id).clauses.map(|(first, _)| first), generation, key)
    }

    /// The next clause behind a given one that was alive in a generation and may match a key.
    fn next_visible(&self, id: ClauseId, generation: u64, key: Option<Cell>) -> Option<ClauseId> {
        let clause = self.clause(id);
        if key.is_some() && clause.indexed && self.predicate_at(clause.predicate).keys.serve(generation) {
            return self.visible_of_key(clause.next_of_key, generation);
        }
        self.visible(clause.next, generation, key)
    }

    /// The first clause from a given one on, in the chain of its key, that was alive in a generation.
    fn visible_of_key(&self, mut next: Option<ClauseId>, generation: u64) -> Option<ClauseId> {
        while let Some(id) = next {
            let clause = self.clause(id);
            if clause.born <= generation && generation < clause.erased {
                return Some(id);
            }
            next = clause.next_of_key;
        }
        None
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
        let Some(first) = self.first_visible(id, key) else { return Ok(fixed::FAIL) };
        let next = self.next_visible(first, generation, key);
        if let Some(next) = next {
            // Behind the arguments the choicepoint keeps the next clause and the call's generation.
            self.x[arity] = Cell::count(next.0 as usize);
            self.x[arity + 1] = search_cell(generation);
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
        let generation = generation_of(self.x[arity + 1]);
        let key = if arity > 0 { self.key_of(self.x[0]) } else { None };
        match self.next_visible(current, generation, key) {
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

/// The cell of the generation in which a search began.
fn search_cell(generation: u64) -> Cell {
    Cell::int(SEARCH + generation as i64)
}

fn generation_of(search: Cell) -> u64 {
    (search.int_value() - SEARCH) as u64
}
