//! Chains of clauses: of all clauses of a dynamic predicate, and of those with one value of an argument.
//!
//! A predicate with many clauses gets chains for the values of an argument when it is first searched with that argument
//! bound and the arguments before it tell too little: so a search by any bound argument costs what it finds. Such
//! chains are followed if no clause that takes anything there was alive when the search began. All chains have the
//! order of the clauses.
//!
//! Erased clauses stay in their chains for a while. A search passes a stretch of them once; what it found out stays at
//! the first of them (*passed*), so that the next search passes all at one step. Queues, stacks and loops that retract
//! then cost a constant for each clause.

use super::{Clause, ClauseId};
use crate::machine::{Machine, PredicateId};
use crate::term::{Cell, Tag, atom};
use rustc_hash::FxHashMap;

/// Predicates with fewer clauses are searched one by one.
const WORTH_INDEXING: usize = 8;

/// Arguments behind these are not looked at.
const MOST_ARGUMENTS: usize = 16;

/// In place of a key: the argument takes anything, or something that is no key. No clause and no goal has this cell
/// where its key is looked up.
const ANY: Cell = Cell::reference(0);

/// A clause's place in a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) next: Option<ClauseId>,
    pub(super) previous: Option<ClauseId>,
    /// Of an erased clause: clauses from here on that are known to be erased.
    pub(super) passed: Option<Passed>,
}

/// A stretch of erased clauses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    /// The last of them.
    last: ClauseId,
    /// The generation in which the one was erased that was erased last.
    latest: u64,
}

/// The clauses with one value of an argument.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: ClauseId,
    last: ClauseId,
    /// How many of them are alive.
    alive: usize,
}

/// What is known of one argument.
#[derive(Debug, Default)]
struct Argument {
    /// How many clauses that are alive take any term, or one that is no key.
    open: usize,
    /// Since which generation there are none of those; of no meaning while there are some.
    closed_since: u64,
    /// The clauses of each key, once there is an index.
    chains: Option<FxHashMap<Cell, Chain>>,
}

/// The clauses of one dynamic predicate by their arguments.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// How many clauses are alive.
    pub(super) count: usize,
    /// How many erased clauses are still in the chain, and how many may be before they are looked at.
    pub(super) erased: usize,
    pub(super) erased_at_most: usize,
    arguments: Vec<Argument>,
}

/// A copy of a predicate is for looking at: it has no index.
impl Clone for Keys {
    fn clone(&self) -> Self {
        Self { arguments: Vec::new(), ..*self }
    }
}

impl Keys {
    /// A clause with these keys is erased.
    pub(super) fn leave(&mut self, keys: &[Cell], generation: u64) {
        for (argument, &key) in self.arguments.iter_mut().zip(keys) {
            if key == ANY {
                argument.open = argument.open.saturating_sub(1);
                argument.closed_since = generation;
            } else if let Some(chain) = argument.chains.as_mut().and_then(|chains| chains.get_mut(&key)) {
                chain.alive = chain.alive.saturating_sub(1);
            }
        }
    }
}

/// What a search asks of the arguments: a key, or anything.
pub(super) struct Wanted {
    keys: [Cell; MOST_ARGUMENTS],
    count: usize,
}

impl Wanted {
    const NOTHING: Self = Self { keys: [ANY; MOST_ARGUMENTS], count: 0 };

    fn keys(&self) -> &[Cell] {
        &self.keys[..self.count]
    }

    fn admits(&self, clause: &Clause) -> bool {
        self.keys()
            .iter()
            .zip(&clause.keys)
            .all(|(&wanted, &key)| wanted == key || wanted == ANY || key == ANY)
    }
}

/// A clause that a search found, and the chain in which it goes on, as one number.
pub(super) fn packed(ClauseId(clause): ClauseId, index: Option<usize>) -> i64 {
    i64::from(clause) | (index.map_or(0, |index| index as i64 + 1) << 32)
}

/// The same the other way round.
pub(super) fn unpacked(number: i64) -> (ClauseId, Option<usize>) {
    (ClauseId(number as u32), ((number >> 32) as usize).checked_sub(1))
}

impl Clause {
    fn link(&self, index: Option<usize>) -> Link {
        match index {
            // Who is not in that chain is in that of all.
            Some(index) => self.links.get(index).copied().flatten().unwrap_or(self.link),
            None => self.link,
        }
    }

    fn link_mut(&mut self, index: Option<usize>) -> &mut Link {
        match index {
            Some(index) => self.links.get_mut(index).and_then(Option::as_mut).unwrap_or(&mut self.link),
            None => &mut self.link,
        }
    }

    /// Forgets what follows it: some of that is gone.
    pub(super) fn forget_passed(&mut self) {
        self.link.passed = None;
        for link in self.links.iter_mut().flatten() {
            link.passed = None;
        }
    }
}

impl Machine {
    /// What indexing looks at in an argument.
    fn key_of(&self, cell: Cell) -> Cell {
        let cell = self.store.deref(cell);
        match cell.tag() {
            Tag::Atm | Tag::Int | Tag::Txt => cell,
            Tag::Str => self.store.at(cell.index()),
            Tag::Lis => Cell::functor(atom::DOT, 2),
            _ => ANY,
        }
    }

    /// What stands for an argument that takes anything among the keys of a head.
    pub(crate) const ANY_KEY: Cell = ANY;

    /// The keys of a head.
    pub(crate) fn keys_of(&self, head: Cell) -> Box<[Cell]> {
        let (first, count) = self.store.arguments(head);
        (first..first + count.min(MOST_ARGUMENTS)).map(|i| self.key_of(self.store.at(i))).collect()
    }

    /// What a head asks for.
    pub(super) fn wanted_by(&self, head: Cell) -> Wanted {
        let (first, count) = self.store.arguments(head);
        let mut wanted = Wanted { count: count.min(MOST_ARGUMENTS), ..Wanted::NOTHING };
        for i in 0..wanted.count {
            wanted.keys[i] = self.key_of(self.store.at(first + i));
        }
        wanted
    }

    /// What a call asks for whose arguments are in their registers.
    pub(super) fn wanted_by_registers(&self, arity: usize) -> Wanted {
        let mut wanted = Wanted { count: arity.min(MOST_ARGUMENTS), ..Wanted::NOTHING };
        for i in 0..wanted.count {
            wanted.keys[i] = self.key_of(self.x[i]);
        }
        wanted
    }

    /// Puts a new clause into the chains of its arguments.
    pub(super) fn add_to_indexes(&mut self, new: ClauseId, front: bool) {
        let Clause { predicate, ref keys, .. } = *self.clause(new);
        let keys = keys.clone();
        let arguments = &mut self.predicate_mut(predicate).keys.arguments;
        if arguments.len() < keys.len() {
            arguments.resize_with(keys.len(), Argument::default);
        }
        let mut indexed = Vec::new();
        for (i, &key) in keys.iter().enumerate() {
            arguments[i].open += usize::from(key == ANY);
            if arguments[i].chains.is_some() {
                indexed.push(i);
            }
        }
        for i in indexed {
            self.link_by_key(new, i, front);
        }
    }

    /// Puts a clause into the chain of one argument.
    fn link_by_key(&mut self, new: ClauseId, i: usize, front: bool) {
        let Clause { predicate, erased, ref keys, .. } = *self.clause(new);
        let key = keys[i];
        let Some(chains) = &mut self.predicate_mut(predicate).keys.arguments[i].chains else { return };
        if key == ANY {
            return;
        }
        let alive = usize::from(erased == u64::MAX);
        let known = chains.get(&key).copied();
        let chain = match known {
            None => Chain { first: new, last: new, alive },
            Some(Chain { last, alive: others, .. }) if front => {
                Chain { first: new, last, alive: others + alive }
            }
            Some(Chain { first, alive: others, .. }) => Chain { first, last: new, alive: others + alive },
        };
        chains.insert(key, chain);
        let neighbour = known.map(|chain| if front { chain.first } else { chain.last });
        let (next, previous) = if front { (neighbour, None) } else { (None, neighbour) };
        let links = &mut self.clauses[new.0 as usize].links;
        if links.len() <= i {
            links.resize(i + 1, None);
        }
        links[i] = Some(Link { next, previous, passed: None });
        if let Some(neighbour) = neighbour {
            let link = self.clauses[neighbour.0 as usize].link_mut(Some(i));
            *(if front { &mut link.previous } else { &mut link.next }) = Some(new);
        }
    }

    /// Makes the index of an argument.
    fn make_index(&mut self, id: PredicateId, i: usize) {
        self.predicate_mut(id).keys.arguments[i].chains = Some(FxHashMap::default());
        let mut next = self.predicate_at(id).clauses.map(|(first, _)| first);
        while let Some(clause) = next {
            self.link_by_key(clause, i, false);
            next = self.clause(clause).link.next;
        }
    }

    /// Takes a clause out of a chain with these ends; `None` if nothing is left.
    pub(super) fn without(
        &mut self,
        index: Option<usize>,
        (first, last): (ClauseId, ClauseId),
        id: ClauseId,
        link: Link,
    ) -> Option<(ClauseId, ClauseId)> {
        if let Some(previous) = link.previous {
            self.clauses[previous.0 as usize].link_mut(index).next = link.next;
        }
        if let Some(next) = link.next {
            self.clauses[next.0 as usize].link_mut(index).previous = link.previous;
        }
        let first = if first == id { link.next } else { Some(first) };
        let last = if last == id { link.previous } else { Some(last) };
        first.zip(last)
    }

    /// Takes an erased clause out of the chains of its arguments.
    pub(super) fn remove_from_indexes(&mut self, id: ClauseId) {
        let predicate = self.clause(id).predicate;
        let links = std::mem::take(&mut self.clauses[id.0 as usize].links);
        for (i, link) in links.into_iter().enumerate() {
            let Some(link) = link else { continue };
            let key = self.clause(id).keys[i];
            let argument = self.predicate_mut(predicate).keys.arguments.get_mut(i);
            let Some(chain) = argument.and_then(|argument| argument.chains.as_mut()?.remove(&key)) else {
                continue;
            };
            if let Some((first, last)) = self.without(Some(i), (chain.first, chain.last), id, link)
                && let Some(chains) = &mut self.predicate_mut(predicate).keys.arguments[i].chains
            {
                chains.insert(key, Chain { first, last, ..chain });
            }
        }
    }

    /// The bound argument whose chain for a search that begins now is short, and that chain's first clause; `None` if
    /// all clauses have to be looked at.
    fn choose_chain(&mut self, id: PredicateId, wanted: &Wanted) -> Option<(usize, Option<ClauseId>)> {
        if self.predicate_at(id).keys.count <= WORTH_INDEXING {
            return None;
        }
        let mut best: Option<(usize, Chain)> = None;
        for (i, key) in wanted.keys().iter().enumerate() {
            let argument = &self.predicate_at(id).keys.arguments[i];
            if *key == ANY || argument.open > 0 {
                continue;
            }
            if argument.chains.is_none() {
                self.make_index(id, i);
            }
            let chains = self.predicate_at(id).keys.arguments[i].chains.as_ref();
            let Some(&chain) = chains.and_then(|chains| chains.get(key)) else { return Some((i, None)) };
            if best.is_none_or(|(_, best)| chain.alive < best.alive) {
                best = Some((i, chain));
            }
            if chain.alive <= WORTH_INDEXING {
                break;
            }
        }
        best.map(|(i, chain)| (i, Some(chain.first)))
    }

    /// The first clause of a predicate that is alive and may match, and the argument in whose chain it was found.
    pub(super) fn first_visible(
        &mut self,
        id: PredicateId,
        wanted: &Wanted,
    ) -> Option<(ClauseId, Option<usize>)> {
        let (index, first) = match self.choose_chain(id, wanted) {
            Some((index, first)) => (Some(index), first),
            None => (None, self.predicate_at(id).clauses.map(|(first, _)| first)),
        };
        let found = self.visible(first, index, self.generation, wanted);
        found.map(|found| (found, index))
    }

    /// The next clause behind one that a search found.
    pub(super) fn next_visible(
        &mut self,
        id: ClauseId,
        index: Option<usize>,
        generation: u64,
        wanted: &Wanted,
    ) -> Option<ClauseId> {
        self.visible(self.clause(id).link(index).next, index, generation, wanted)
    }

    /// The first clause from a given one on that was alive in a generation and may match. The one in front of it, if
    /// there is one, was alive then.
    fn visible(
        &mut self,
        mut next: Option<ClauseId>,
        index: Option<usize>,
        generation: u64,
        wanted: &Wanted,
    ) -> Option<ClauseId> {
        while let Some(id) = next {
            let id = self.pass_erased(id, index, generation)?;
            let clause = self.clause(id);
            // What was added in front is older behind it, what was added at the end is younger.
            if clause.born > generation {
                return None;
            }
            if wanted.admits(clause) {
                return Some(id);
            }
            next = clause.link(index).next;
        }
        None
    }

    /// The first clause from a given one on that was not erased before a generation.
    fn pass_erased(&mut self, start: ClauseId, index: Option<usize>, generation: u64) -> Option<ClauseId> {
        if self.clause(start).erased > generation {
            return Some(start);
        }
        let mut at = start;
        let mut latest = 0;
        loop {
            let clause = self.clause(at);
            let known = clause.link(index).passed.filter(|passed| passed.latest <= generation);
            let stretch = known.unwrap_or(Passed { last: at, latest: clause.erased });
            latest = latest.max(stretch.latest);
            let last = stretch.last;
            let next = self.clause(last).link(index).next;
            match next {
                Some(next) if self.clause(next).erased <= generation => at = next,
                _ => {
                    self.clauses[start.0 as usize].link_mut(index).passed = Some(Passed { last, latest });
                    return next;
                }
            }
        }
    }
}
