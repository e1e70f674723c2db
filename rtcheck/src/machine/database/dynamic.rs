//! Dynamic predicates: chains of clauses with the logical update view.
//!
//! Each clause knows the generation in which it was added and the one in which it was erased; a call sees the
//! clauses that were alive when it began. An erased clause stays in its chain as long as a search may be under way
//! that began before it was erased; searches are known by the choicepoints that hold their generations. Erased clauses
//! are looked for when there are more of them than others, so the cost is constant for each.
//!
//! What the clauses of a predicate are found by besides their order is in `chains`.

mod chains;
mod transactions;

pub(crate) use chains::Keys;
use chains::{Link, packed, unpacked};
pub(in crate::machine) use transactions::Transactions;

use crate::machine::{Address, Kind, Machine, PredicateId, Throw, fixed};
use crate::term::{Atom, Cell, Record, Store, Tag, atom};
use std::ops::Range;

/// The number of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// What its arguments can be; see `chains`.
    keys: Box<[Cell]>,
    born: u64,
    erased: u64,
    /// Its neighbours in the chain of all clauses.
    link: Link,
    /// Its neighbours in the chains of its arguments, as far as they are indexed.
    links: Vec<Option<Link>>,
}

/// The generation of a search is kept in a cell that no small number is mistaken for. A large number that is, keeps
/// clauses in their chains a while longer.
const SEARCH: i64 = 1 << 58;

impl Clause {
    /// What its arguments can be.
    pub(in crate::machine) fn keys(&self) -> &[Cell] {
        &self.keys
    }

    /// The clause behind it.
    pub(in crate::machine) fn next(&self) -> Option<ClauseId> {
        self.link.next
    }

    /// The generation in which it was added.
    pub(crate) fn born(&self) -> u64 {
        self.born
    }
}

impl Machine {
    /// Whether a number is that of a clause which was added in this generation and is not erased.
    pub(crate) fn clause_is_alive(&self, id: ClauseId, born: u64) -> bool {
        self.clauses.get(id.0 as usize).is_some_and(|clause| clause.born == born && clause.erased == u64::MAX)
    }

    /// A clause by its number.
    #[must_use]
    pub fn clause(&self, id: ClauseId) -> &Clause {
        &self.clauses[id.0 as usize]
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
                let entry = self.add_code(&[crate::machine::Instruction::Dynamic(id)]);
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
    pub(crate) fn add_clause(
        &mut self,
        id: PredicateId,
        clause: Cell,
        front: bool,
    ) -> Result<ClauseId, Throw> {
        let clause = self.converted(clause);
        let module = self.predicate_at(id).module;
        let source = std::mem::replace(&mut self.source_module, module);
        let code = (self.hooks.compile_clause)(self, clause);
        self.source_module = source;
        let Range { start: code, end } = code?;
        let head = self.store.argument(self.store.deref(clause), 0);
        let keys = self.keys_of(head);
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
            keys,
            born,
            erased: u64::MAX,
            link: Link { next, previous, passed: None },
            links: Vec::new(),
        };
        match self.clauses.get_mut(new.0 as usize) {
            Some(place) => *place = clause,
            None => self.clauses.push(clause),
        }
        if let Some(next) = next {
            self.clauses[next.0 as usize].link.previous = Some(new);
        }
        if let Some(previous) = previous {
            self.clauses[previous.0 as usize].link.next = Some(new);
        }
        let chain = match chain {
            None => (new, new),
            Some((_, last)) if front => (new, last),
            Some((first, _)) => (first, new),
        };
        let predicate = self.predicate_mut(id);
        predicate.clauses = Some(chain);
        predicate.keys.count += 1;
        self.add_to_indexes(new, front);
        self.note_change(new);
        Ok(new)
    }

    /// `(Head :- Body)` with the body as `clause/2` shows it.
    fn converted(&mut self, clause: Cell) -> Cell {
        let Some([head, body]) = self.store.match_structure::<2>(clause, atom::NECK) else {
            return clause;
        };
        let goals = self.with_calls(body, false);
        if goals == body { clause } else { self.store.compound(atom::NECK, &[head, goals]) }
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
        self.clauses[id.0 as usize].term = Record::immediate(Cell::atom(atom::NIL));
        let Clause { predicate, link, .. } = *self.clause(id);
        let ends = self.predicate_at(predicate).clauses;
        let ends = ends.and_then(|ends| self.without(None, ends, id, link));
        self.predicate_mut(predicate).clauses = ends;
        self.remove_from_indexes(id);
    }

    /// Takes those erased clauses of a predicate out of its chains that no search under way can see.
    fn unlink_erased(&mut self, id: PredicateId) {
        // A search that goes on is in the arguments of a choicepoint.
        let oldest = self.other_stacks().map(|stacks| oldest_search(&stacks.store, &stacks.choice_arguments));
        let oldest = oldest.min().unwrap_or(u64::MAX).min(oldest_search(&self.store, &self.choice_arguments));
        let oldest = self.transactions.since().map_or(oldest, |since| oldest.min(since));
        let mut left = 0;
        let mut next = self.predicate_at(id).clauses.map(|(first, _)| first);
        while let Some(clause) = next {
            let Clause { erased, link, .. } = *self.clause(clause);
            next = link.next;
            if erased <= oldest && erased != u64::MAX {
                self.unlink_clause(clause);
            } else if erased != u64::MAX {
                left += 1;
                // It may lead past clauses that are gone now.
                self.clauses[clause.0 as usize].forget_passed();
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
        let (predicate, arguments) = (clause.predicate, clause.keys.clone());
        let keys = &mut self.predicate_mut(predicate).keys;
        keys.count = keys.count.saturating_sub(1);
        keys.erased += 1;
        keys.leave(&arguments, generation);
        self.note_change(id);
        let keys = &mut self.predicate_mut(predicate).keys;
        if keys.erased > keys.erased_at_most {
            self.unlink_erased(predicate);
        }
    }

    /// Begins a search for clauses: the first one that is alive now and whose head may match a given one, as a number
    /// that [`Machine::search_on`] understands, and a cell that tells when the search began. When the caller leaves a
    /// choicepoint to go on, that cell must be among the saved arguments.
    pub(crate) fn search_clauses(&mut self, id: PredicateId, head: Cell) -> (Option<i64>, Cell) {
        let wanted = self.wanted_by(head);
        let first = self.first_visible(id, &wanted);
        (first.map(|(clause, index)| packed(clause, index)), search_cell(self.generation))
    }

    /// The next clause of a search.
    pub(crate) fn search_on(&mut self, found: i64, search: Cell, head: Cell) -> Option<i64> {
        let (clause, index) = unpacked(found);
        let wanted = self.wanted_by(head);
        let next = self.next_visible(clause, index, generation_of(search), &wanted);
        next.map(|next| packed(next, index))
    }

    /// Whether a clause with this operator, `=>` or `?=>`, is a rule; the latter if the program makes it an operator
    /// that binds as loosely as `:-`. Programs that give `=>` a priority of their own mean a term.
    pub(crate) fn is_rule_arrow(&self, name: Atom) -> bool {
        (name == atom::IMPLIES || self.atoms.text(name) == "?=>")
            && self.operators.infix(name).is_some_and(|definition| definition.priority == 1200)
    }

    /// The head of a clause that is a rule.
    pub(crate) fn rule_head(&self, clause: Cell) -> Option<Cell> {
        let (name, 2) = self.store.functor(clause)? else { return None };
        self.is_rule_arrow(name).then(|| self.store.argument(clause, 0))
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
            next = self.clause(clause).link.next;
            self.erase_clause(clause);
        }
        let entry = self.add_code(&[crate::machine::Instruction::Undefined(id)]);
        let predicate = self.predicate_mut(id);
        (predicate.rules, predicate.incremental) = (false, false);
        self.define(id, Kind::Undefined, entry);
        true
    }

    /// Starts a call of a dynamic predicate.
    pub(in crate::machine) fn first_clause(&mut self, id: PredicateId) -> Result<Address, Throw> {
        let arity = self.predicate_at(id).arity;
        let wanted = self.wanted_by_registers(arity);
        let generation = self.generation;
        let rules = self.predicate_at(id).rules;
        let Some((first, index)) = self.first_visible(id, &wanted) else {
            return if rules { self.no_rule_matches(id) } else { Ok(fixed::FAIL) };
        };
        let next = self.next_visible(first, index, generation, &wanted);
        if let Some(next) = next.map(|next| packed(next, index)).or(rules.then(|| behind(first))) {
            // Behind the arguments the choicepoint keeps the next clause and the call's generation.
            self.x[arity] = Cell::int(next);
            self.x[arity + 1] = search_cell(generation);
            self.push_choice(arity + 2, fixed::DYNAMIC_NEXT);
        }
        Ok(self.clause(first).code)
    }

    /// None of the rules of a predicate, whose arguments are in their registers, is that of this call.
    fn no_rule_matches<T>(&mut self, id: PredicateId) -> Result<T, Throw> {
        let predicate = self.predicate_at(id);
        let (module, name, arity) = (predicate.module, predicate.name, predicate.arity);
        let arguments = self.x[..arity].to_vec();
        let goal = if arity == 0 { Cell::atom(name) } else { self.store.compound(name, &arguments) };
        let goal = if module == atom::USER { goal } else { self.qualified(module, goal) };
        self.existence_error("matching_rule", goal)
    }

    /// Continues a call of a dynamic predicate; its registers were just restored.
    pub(in crate::machine) fn next_clause(&mut self) -> Result<Address, Throw> {
        let Some(choice) = self.choices.last() else { return Ok(fixed::FAIL) };
        let arguments = choice.arguments;
        let arity = self.choice_arguments.len() - arguments - 2;
        let found = self.x[arity].int_value();
        if found < 0 {
            let last = ClauseId(behind_which(found));
            self.pop_choice();
            return self.no_rule_matches(self.clause(last).predicate);
        }
        let (current, index) = unpacked(found);
        let generation = generation_of(self.x[arity + 1]);
        let wanted = self.wanted_by_registers(arity);
        let next = self.next_visible(current, index, generation, &wanted);
        let rules = self.predicate_at(self.clause(current).predicate).rules;
        match next.map(|next| packed(next, index)).or(rules.then(|| behind(current))) {
            Some(next) => {
                self.choice_arguments[arguments + arity] = Cell::int(next);
                self.cut_barrier = self.choices.len() - 1;
            }
            None => {
                self.pop_choice();
                self.cut_barrier = self.choices.len();
            }
        }
        Ok(self.clause(current).code)
    }
}

/// What stands for the end of a search for rules, behind the last one: whoever comes there matched none.
fn behind(ClauseId(last): ClauseId) -> i64 {
    -1 - i64::from(last)
}

/// The same the other way round.
fn behind_which(end: i64) -> u32 {
    (-1 - end) as u32
}

/// When the oldest of the searches began that are kept in choicepoints.
fn oldest_search(store: &Store, choice_arguments: &[Cell]) -> u64 {
    let generations = choice_arguments.iter().map(|&cell| store.deref(cell));
    let searches = generations.filter(|cell| cell.tag() == Tag::Int && cell.int_value() >= SEARCH);
    searches.map(generation_of).min().unwrap_or(u64::MAX)
}

/// The cell of the generation in which a search began.
fn search_cell(generation: u64) -> Cell {
    Cell::int(SEARCH + generation as i64)
}

fn generation_of(search: Cell) -> u64 {
    (search.int_value() - SEARCH) as u64
}
