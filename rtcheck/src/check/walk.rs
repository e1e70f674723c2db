//! The walk of the automaton over a term.

use super::memory::{CacheKind, CheckMark, Key, Memory, Nothing, Tables};
use crate::regtype::{Constructors, Primitive, State, TypeId, Types};
use crate::term::{Cell, Store, Tag};
use cache_core::audit::{Audit, Auditor};
use cache_core::table::Counting;

/// How checks are done.
#[derive(Clone, Copy, Debug)]
pub struct Configuration {
    /// Which policy replaces entries.
    pub cache: CacheKind,
    /// How many pairs are remembered at most.
    pub size: usize,
    /// Only checks at depths below this are remembered; the root has depth 0. `None` is no limit.
    pub depth_limit: Option<u32>,
    /// How often a hit is checked by walking the term again.
    pub audit: Audit,
    /// Whether an argument of a term checked just before inherits its type from it. Off is the paper's
    /// algorithm to the letter.
    pub inherit: bool,
}

impl Default for Configuration {
    /// What the paper found best over its benchmarks: 256 entries, depth limit 2.
    fn default() -> Self {
        Self { cache: CacheKind::Lru, size: 256, depth_limit: Some(2), audit: Audit::Never, inherit: true }
    }
}

/// What checks cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Checks of a term against a type, as assertions ask for them.
    pub checks: u64,
    /// Nodes visited: calls of Algorithm 1's function. Each check visits at least its root.
    pub visits: u64,
    /// Visited nodes whose type was remembered.
    pub hits: u64,
    /// Those of the hits that were arguments of a term checked just before.
    pub inherited: u64,
    /// Visited compound nodes whose type was not remembered.
    pub misses: u64,
    /// Pairs remembered.
    pub inserted: u64,
    /// Pairs that left for room.
    pub evicted: u64,
    /// Pairs that left because what made them true was undone or moved.
    pub dropped: u64,
    /// The greatest depth at which a node was visited.
    pub deepest: u64,
    /// Hits that were checked by walking the term again.
    pub audited: u64,
    /// Audits that found the remembered answer to be wrong.
    pub disagreements: u64,
}

/// A compound term whose arguments are being checked.
#[derive(Clone, Copy)]
struct Frame {
    /// The index of the list cell or functor cell where this frame began.
    cell: u32,
    id: TypeId,
    depth: u32,
    /// How many arguments are left, and the index of the next; for a spine, 1 while a head is being checked.
    left: u32,
    next: u32,
    /// Where the states of the arguments left start, or the one state of all of them.
    states: ArgumentStates,
}

#[derive(Clone, Copy)]
enum ArgumentStates {
    /// From here on in the table of arguments.
    Table(u32),
    /// Every argument must be ground.
    Ground,
    /// A list spine: its elements' state, and how far the walk along it has come.
    Spine { element: TypeId, walked: u32, turtle: u32, lap: u32 },
    /// A list cell that is no spine: the states of head and tail.
    Pair([TypeId; 2]),
}

/// Checks terms, remembers what held, counts.
pub struct Checker {
    tables: Tables,
    configuration: Configuration,
    auditor: Auditor,
    counters: Counters,
    frames: Vec<Frame>,
    /// What each site checked last, by its number.
    sites: Vec<Key>,
    /// What was checked last anywhere.
    last: Key,
    #[cfg(feature = "plant")]
    fault: Option<cache_core::plant::Fault>,
}

/// No cell has this index.
const NOWHERE: Key = (u32::MAX, u32::MAX);

/// The place in a program that asks for a check, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site(pub u32);

impl Checker {
    /// A checker that remembers nothing yet.
    #[must_use]
    pub fn new(configuration: Configuration) -> Self {
        Self {
            tables: Tables::new(configuration.cache, configuration.size),
            configuration,
            auditor: Auditor::new(configuration.audit),
            counters: Counters::default(),
            frames: Vec::new(),
            sites: Vec::new(),
            last: NOWHERE,
            #[cfg(feature = "plant")]
            fault: None,
        }
    }

    /// Whether a term has a type, without binding anything. A cyclic term has no recursive type.
    pub fn check(&mut self, store: &Store, types: &Types, term: Cell, id: TypeId, site: Site) -> bool {
        self.counters.checks += 1;
        let term = store.deref(term);
        let parents = match self.sites.get(site.0 as usize) {
            Some(&previous) => [previous, self.last],
            None => {
                self.sites.resize(site.0 as usize + 1, NOWHERE);
                [NOWHERE, self.last]
            }
        };
        if matches!(term.tag(), Tag::Lis | Tag::Str) {
            self.last = (term.index() as u32, id.0);
            self.sites[site.0 as usize] = self.last;
        }
        let mut walk = Walk {
            store,
            types,
            limit: self.configuration.depth_limit.unwrap_or(u32::MAX),
            auditor: &mut self.auditor,
            counters: &mut self.counters,
            frames: &mut self.frames,
            parents: if self.configuration.inherit { parents } else { [NOWHERE; 2] },
        };
        let holds = match &mut self.tables {
            Tables::None => walk.run(&mut Nothing, term, id),
            Tables::Lru(table) => walk.run(table, term, id),
            Tables::Direct(table) => walk.run(table, term, id),
            Tables::S3Fifo(table) => walk.run(table, term, id),
        };
        #[cfg(feature = "plant")]
        if !holds
            && self.fault == Some(cache_core::plant::Fault::RememberFailures)
            && matches!(term.tag(), Tag::Lis | Tag::Str)
        {
            self.tables.remember((term.index() as u32, id.0));
        }
        holds
    }

    /// Makes the checker commit a fault, or none: for oracles that prove that they would notice.
    #[cfg(feature = "plant")]
    pub fn plant(&mut self, fault: Option<cache_core::plant::Fault>) {
        self.fault = fault;
        self.tables.plant(fault);
    }

    /// Counts a test of one cell as a check that visits one node, and returns its result.
    #[inline]
    pub(crate) fn count_test(&mut self, holds: bool) -> bool {
        self.counters.checks += 1;
        self.counters.visits += 1;
        holds
    }

    /// The present point in the history of what is remembered.
    #[inline]
    #[must_use]
    pub fn mark(&self) -> CheckMark {
        self.tables.mark()
    }

    /// Forgets what was remembered since a mark: bindings made since are being undone.
    #[inline]
    pub fn drop_since(&mut self, mark: CheckMark) {
        self.tables.drop_since(mark);
    }

    /// Forgets everything: a term was changed destructively, or types were redefined.
    pub fn clear(&mut self) {
        self.tables.clear();
    }

    /// Follows cells that a collection moved; `None` where a cell is gone.
    pub fn relocate(&mut self, mut moved: impl FnMut(usize) -> Option<usize>) {
        for key in self.sites.iter_mut().chain([&mut self.last]).filter(|key| **key != NOWHERE) {
            *key = moved(key.0 as usize).map_or(NOWHERE, |cell| (cell as u32, key.1));
        }
        self.tables.relocate(moved);
    }

    /// What checks have cost so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        let Counting { hits: _, misses, inserted, evicted, dropped } = self.tables.counting();
        Counters { misses, inserted, evicted, dropped, ..self.counters }
    }

    /// How checks are done.
    #[must_use]
    pub fn configuration(&self) -> Configuration {
        self.configuration
    }
}

/// What a visit of one node found.
enum Visit {
    Holds,
    Fails,
    /// A frame was pushed for the node's arguments.
    Open,
}

struct Walk<'a> {
    store: &'a Store,
    types: &'a Types,
    limit: u32,
    auditor: &'a mut Auditor,
    counters: &'a mut Counters,
    frames: &'a mut Vec<Frame>,
    /// What this check's site checked last, and what was checked last anywhere.
    parents: [Key; 2],
}

impl Walk<'_> {
    fn run<M: Memory>(&mut self, memory: &mut M, term: Cell, id: TypeId) -> bool {
        self.frames.clear();
        match self.visit(memory, term, id, 0) {
            Visit::Holds => true,
            Visit::Fails => false,
            Visit::Open => self.descend(memory),
        }
    }

    /// Works on the frames until all hold or one argument fails.
    fn descend<M: Memory>(&mut self, memory: &mut M) -> bool {
        while let Some(top) = self.frames.len().checked_sub(1) {
            let frame = self.frames[top];
            if let ArgumentStates::Spine { .. } = frame.states {
                match self.walk_spine(memory, top) {
                    Visit::Holds => self.close(memory),
                    Visit::Fails => return false,
                    Visit::Open => {}
                }
                continue;
            }
            if frame.left == 0 {
                self.close(memory);
                continue;
            }
            let id = match frame.states {
                ArgumentStates::Table(first) => self.types.arguments()[first as usize],
                ArgumentStates::Pair([head, tail]) => {
                    if frame.left == 2 {
                        head
                    } else {
                        tail
                    }
                }
                ArgumentStates::Ground | ArgumentStates::Spine { .. } => Types::primitive(Primitive::Ground),
            };
            let open = &mut self.frames[top];
            open.left -= 1;
            open.next += 1;
            if let ArgumentStates::Table(first) = &mut open.states {
                *first += 1;
            }
            let argument = self.store.deref(self.store.at(frame.next as usize));
            if let Visit::Fails = self.visit(memory, argument, id, frame.depth + 1) {
                return false;
            }
        }
        true
    }

    /// One call of the paper's RegCheck: a dereferenced term against a state, at a depth.
    fn visit<M: Memory>(&mut self, memory: &mut M, cell: Cell, id: TypeId, depth: u32) -> Visit {
        self.counters.visits += 1;
        self.counters.deepest = self.counters.deepest.max(u64::from(depth));
        let holds = match self.types.state(id) {
            State::Primitive(Primitive::Ground) => match cell.tag() {
                Tag::Lis | Tag::Str => return self.visit_compound(memory, cell, id, depth, None),
                tag => tag != Tag::Ref,
            },
            State::Primitive(primitive) => has_primitive(self.store, *primitive, cell),
            State::Constructors(constructors) => match cell.tag() {
                Tag::Lis | Tag::Str => {
                    return self.visit_compound(memory, cell, id, depth, Some(constructors));
                }
                Tag::Ref => false,
                _ => accepts_atomic(self.store, constructors, cell),
            },
        };
        if holds { Visit::Holds } else { Visit::Fails }
    }

    fn visit_compound<M: Memory>(
        &mut self,
        memory: &mut M,
        cell: Cell,
        id: TypeId,
        depth: u32,
        constructors: Option<&Constructors>,
    ) -> Visit {
        let start = cell.index() as u32;
        let frame = |left, next, states| Frame { cell: start, id, depth, left, next, states };
        let open = match (cell.tag(), constructors) {
            (Tag::Lis, None) => spine(Types::primitive(Primitive::Ground), start, frame),
            (Tag::Lis, Some(constructors)) => match constructors.list {
                Some([element, tail]) if tail == id => spine(element, start, frame),
                Some(states) => frame(2, start, ArgumentStates::Pair(states)),
                None => return Visit::Fails,
            },
            (_, None) => frame(self.store.at(cell.index()).arity() as u32, start + 1, ArgumentStates::Ground),
            (_, Some(constructors)) => {
                let functor = self.store.at(cell.index());
                let Some(first) = find_structure(&constructors.structures, functor) else {
                    return Visit::Fails;
                };
                frame(functor.arity() as u32, start + 1, ArgumentStates::Table(first))
            }
        };
        if self.is_held(memory, (start, id.0), cell) {
            return Visit::Holds;
        }
        if depth == 0 && self.inherits(memory, cell, id) {
            return Visit::Holds;
        }
        // An infinite way down a cyclic term repeats itself; comparing with the ancestor at the last power of
        // two finds the repetition in time linear in the way's length, and an ancestor equal to its
        // descendant is proof of a cycle.
        let depth_now = self.frames.len();
        if depth_now > 0 {
            let turtle = self.frames[(1 << depth_now.ilog2()) - 1];
            if turtle.cell == start && turtle.id == id {
                return Visit::Fails;
            }
        }
        self.frames.push(open);
        Visit::Open
    }

    /// Walks along a list from where the frame on top stands. `Open`: a head is now on top of it.
    fn walk_spine<M: Memory>(&mut self, memory: &mut M, top: usize) -> Visit {
        let Frame { id, depth, mut left, mut next, states, .. } = self.frames[top];
        let ArgumentStates::Spine { element, mut walked, mut turtle, mut lap } = states else {
            return Visit::Fails;
        };
        loop {
            if left == 0 {
                let head = self.store.deref(self.store.at(next as usize));
                let visit = self.visit(memory, head, element, depth + 1);
                if let Visit::Open = visit {
                    let spine = ArgumentStates::Spine { element, walked, turtle, lap };
                    let frame = &mut self.frames[top];
                    (frame.left, frame.next, frame.states) = (1, next, spine);
                    return Visit::Open;
                }
                if let Visit::Fails = visit {
                    return Visit::Fails;
                }
            }
            left = 0;
            let tail = self.store.deref(self.store.at(next as usize + 1));
            self.counters.visits += 1;
            if tail.tag() != Tag::Lis {
                let constructors = match self.types.state(id) {
                    State::Constructors(constructors) => Some(constructors),
                    State::Primitive(_) => None,
                };
                let ends = match (tail.tag(), constructors) {
                    (Tag::Ref, _) => false,
                    (Tag::Str, _) => {
                        // A list type may have other constructors: the tail is an argument like others. The
                        // visit was counted above.
                        self.counters.visits -= 1;
                        let frame = &mut self.frames[top];
                        frame.left = 1;
                        frame.next = next + 1;
                        frame.states = ArgumentStates::Pair([id, id]);
                        return Visit::Open;
                    }
                    (_, Some(constructors)) => accepts_atomic(self.store, constructors, tail),
                    (_, None) => true,
                };
                return if ends { Visit::Holds } else { Visit::Fails };
            }
            let cell = tail.index() as u32;
            if self.is_held(memory, (cell, id.0), tail) {
                return Visit::Holds;
            }
            // Brent's turtle: a cycle of the spine brings the walk back to the cell where it waits.
            if cell == turtle {
                return Visit::Fails;
            }
            walked += 1;
            if walked == lap {
                (turtle, lap) = (cell, lap.saturating_mul(2));
            }
            next = cell;
        }
    }

    /// The frame on top holds: remembers it if its depth allows.
    fn close<M: Memory>(&mut self, memory: &mut M) {
        let Some(frame) = self.frames.pop() else { return };
        if frame.depth < self.limit {
            memory.remember((frame.cell, frame.id.0));
        }
    }

    /// Whether the root is an argument of a term checked just before, whose type demands this type of that
    /// argument: then it holds. Going down a checked structure so costs one visit per step, whatever has been
    /// remembered of its inside.
    fn inherits<M: Memory>(&mut self, memory: &mut M, cell: Cell, id: TypeId) -> bool {
        let inherited = self
            .parents
            .into_iter()
            .any(|parent| parent != NOWHERE && memory.holds(parent) && self.is_argument(parent, cell, id));
        if !inherited {
            return false;
        }
        self.counters.hits += 1;
        self.counters.inherited += 1;
        if self.auditor.due() && !self.audit(cell, id) {
            return false;
        }
        if self.limit > 0 {
            memory.remember((cell.index() as u32, id.0));
        }
        true
    }

    /// Whether a cell is an argument, in the given state, of a term that is remembered (so it exists).
    fn is_argument(&self, (parent, parent_id): Key, cell: Cell, id: TypeId) -> bool {
        let parent = parent as usize;
        // What is remembered exists; only a planted fault makes a table forget that.
        let Some(word) = self.store.get(parent) else { return false };
        // A remembered structure is known by its functor cell, a list cell by its head.
        let is_structure = word.tag() == Tag::Fun;
        let same = |i: usize| self.store.get(i).is_some_and(|argument| self.store.deref(argument) == cell);
        match self.types.state(TypeId(parent_id)) {
            State::Constructors(constructors) if is_structure => {
                find_structure(&constructors.structures, word).is_some_and(|first| {
                    (0..word.arity())
                        .any(|i| self.types.arguments()[first as usize + i] == id && same(parent + 1 + i))
                })
            }
            State::Constructors(constructors) => {
                constructors.list.is_some_and(|states| (0..2).any(|i| states[i] == id && same(parent + i)))
            }
            State::Primitive(Primitive::Ground) if id.0 == parent_id => {
                let (first, count) = if is_structure { (parent + 1, word.arity()) } else { (parent, 2) };
                (first..first + count).any(same)
            }
            State::Primitive(_) => false,
        }
    }

    #[inline]
    fn is_held<M: Memory>(&mut self, memory: &mut M, key: Key, cell: Cell) -> bool {
        if !memory.holds(key) {
            return false;
        }
        self.counters.hits += 1;
        !self.auditor.due() || self.audit(cell, TypeId(key.1))
    }

    /// Walks a remembered term again without memory; the fresh answer is the one that counts.
    #[cold]
    fn audit(&mut self, cell: Cell, id: TypeId) -> bool {
        self.counters.audited += 1;
        let mut fresh = Checker::new(Configuration {
            cache: CacheKind::None,
            size: 0,
            depth_limit: None,
            audit: Audit::Never,
            inherit: false,
        });
        let holds = fresh.check(self.store, self.types, cell, id, Site(0));
        if !holds {
            self.counters.disagreements += 1;
        }
        holds
    }
}

/// A frame that walks along a list.
fn spine(element: TypeId, start: u32, frame: impl FnOnce(u32, u32, ArgumentStates) -> Frame) -> Frame {
    frame(0, start, ArgumentStates::Spine { element, walked: 0, turtle: start, lap: 1 })
}

#[inline]
fn find_structure(structures: &[(Cell, u32)], functor: Cell) -> Option<u32> {
    if structures.len() <= 8 {
        return structures.iter().find(|(known, _)| *known == functor).map(|&(_, first)| first);
    }
    let found = structures.binary_search_by_key(&functor, |&(known, _)| known).ok()?;
    Some(structures[found].1)
}

#[inline]
fn accepts_atomic(store: &Store, constructors: &Constructors, cell: Cell) -> bool {
    (cell.is_immediate() && constructors.constants.contains(&cell))
        || constructors.atomic.iter().any(|&primitive| has_primitive(store, primitive, cell))
}

/// Whether a dereferenced cell is of a primitive type other than `Ground`.
#[inline]
fn has_primitive(store: &Store, primitive: Primitive, cell: Cell) -> bool {
    let tag = cell.tag();
    match primitive {
        Primitive::Term => true,
        Primitive::Int => tag == Tag::Int || (tag == Tag::Box && store.is_integer(cell)),
        Primitive::NonNegative => match tag {
            Tag::Int => cell.int_value() >= 0,
            Tag::Box => match store.number(cell) {
                Some(crate::term::Number::Int(value)) => value >= 0,
                Some(crate::term::Number::Big(value)) => value.sign() != num_bigint::Sign::Minus,
                _ => false,
            },
            _ => false,
        },
        Primitive::Float => store.is_float(cell),
        Primitive::Number => matches!(tag, Tag::Int | Tag::Box),
        Primitive::Atom => tag == Tag::Atm,
        Primitive::Constant => matches!(tag, Tag::Atm | Tag::Int | Tag::Box),
        Primitive::Callable => matches!(tag, Tag::Atm | Tag::Str | Tag::Lis),
        Primitive::Compound => matches!(tag, Tag::Str | Tag::Lis),
        Primitive::Ground => tag != Tag::Ref,
    }
}
