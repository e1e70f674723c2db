//! The walk of the automaton over a term.
//!
//! One frame per compound term whose arguments are being checked, on a stack of its own: no native stack, and
//! memory in proportion to the depth of the term. A list whose tail has the list's own type is walked in a loop
//! (its *spine*), with one frame for all its cells.
//!
//! # Terms that share and terms that are cyclic
//! In a tree, each cell of the store is an argument once, so a walk of more visits than there are cells has met
//! shared subterms; from then on it remembers, for its own duration, what it has accepted, and costs at most
//! one visit for each pair of a cell and a type from there. A way down a cyclic term repeats itself, and an
//! ancestor equal to its descendant is proof of a cycle: the frame is compared with the ancestor at the last power of
//! two, a cell of a spine with the one where Brent's turtle waits, both linear in the length of the way.

use super::configuration::Configuration;
use super::footprint::{Footprint, Key, Memory};
use super::memory::{Kept, Nothing, Tables};
use crate::regtype::{Kinds, Primitive, State, TypeId, Types};
use crate::term::{Cell, Store, Tag};
use cache_core::audit::Auditor;
use rustc_hash::FxHashSet;

/// No cell has this index.
pub(super) const NOWHERE: Key = (u32::MAX, u32::MAX);

/// Walks of fewer visits than this need not look for shared subterms.
const SMALL_WALK: u64 = 4096;
/// A spine is given an entry of its own at most every so many cells.
const SPINE_STRIDE: u32 = 4;

/// A compound term whose arguments are being checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The index of the list cell or functor cell where this frame began.
    cell: u32,
    id: TypeId,
    depth: u32,
    /// The index of the next argument; for a spine, of the list cell that the walk has come to.
    next: u32,
    /// Where the arguments end; for a spine, 1 once the head of the cell is accepted.
    end: u32,
    /// Where the states of the arguments left start in the table of arguments, or one of the two below.
    states: u32,
    /// For a spine: how many cells were walked, the cell with which the walk compares, and when that changes.
    walked: u32,
    turtle: u32,
    lap: u32,
}

/// In [`Frame::states`]: every argument must be ground.
const GROUND: u32 = u32::MAX;
/// In [`Frame::states`]: the frame walks along a list.
const SPINE: u32 = u32::MAX - 1;

/// What is known of one node.
enum Visit {
    Holds,
    Fails,
    /// Its arguments decide.
    Open,
}

/// What a walk counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steps {
    pub(super) visits: u64,
    pub(super) hits: u64,
    pub(super) inherited: u64,
    pub(super) deepest: u32,
    pub(super) audited: u64,
    pub(super) disagreements: u64,
}

/// One walk.
pub(super) struct Walk<'a> {
    pub(super) store: &'a Store,
    pub(super) types: &'a Types,
    pub(super) configuration: &'a Configuration,
    /// Only at depths below this, and that are multiples of the other number, is something remembered.
    pub(super) limit: u32,
    pub(super) every: u32,
    pub(super) auditor: Option<&'a mut Auditor>,
    pub(super) frames: &'a mut Vec<Frame>,
    /// What this walk has accepted, once it is known to meet shared subterms.
    pub(super) accepted: &'a mut FxHashSet<Key>,
    pub(super) sharing: bool,
    /// The cells looked at so far.
    pub(super) footprint: Footprint,
    pub(super) steps: Steps,
    #[cfg(feature = "plant")]
    pub(super) fault: Option<crate::base::plant::Fault>,
}

impl Walk<'_> {
    /// Whether a list or structure has a type, with the memory in use. `held` is what was found of it there, `parents`
    /// are what was checked just before.
    #[inline]
    pub(super) fn run(
        &mut self,
        tables: &mut Tables,
        root: (Cell, TypeId),
        held: Option<Footprint>,
        parents: [Key; 2],
    ) -> bool {
        match &mut tables.kept {
            Kept::Nowhere => self.run_with(&mut Nothing, root, held, parents),
            Kept::Lru(table) => self.run_with(table, root, held, parents),
            Kept::Direct(table) => self.run_with(table, root, held, parents),
            Kept::S3Fifo(table) => self.run_with(table, root, held, parents),
            Kept::Beside => {
                tables.cells.begin(self.store);
                self.limit = u32::MAX;
                self.every = 1;
                self.run_with(&mut tables.cells, root, held, parents)
            }
        }
    }

    fn run_with<M: Memory>(
        &mut self,
        memory: &mut M,
        (cell, id): (Cell, TypeId),
        held: Option<Footprint>,
        parents: [Key; 2],
    ) -> bool {
        self.steps.visits += 1;
        if let Some(footprint) = held
            && self.stands(footprint, cell, id)
        {
            return true;
        }
        if self.inherits(memory, cell, id, parents) {
            return true;
        }
        let Some(frame) = self.frame_of(cell, id, 0) else { return false };
        let holds = self.descend(memory, frame);
        self.frames.clear();
        if self.sharing {
            self.accepted.clear();
        }
        holds
    }

    /// Works on a frame, and on those that it opens, until all hold or one argument fails. Those that wait are on the
    /// stack.
    fn descend<M: Memory>(&mut self, memory: &mut M, mut frame: Frame) -> bool {
        loop {
            let visit = if frame.states == SPINE {
                self.walk_spine(memory, &mut frame)
            } else {
                self.walk_arguments(memory, &mut frame)
            };
            match visit {
                Ok((Visit::Holds, ..)) => {
                    self.close(memory, &frame);
                    match self.frames.pop() {
                        Some(waiting) => frame = waiting,
                        None => return true,
                    }
                }
                Ok((Visit::Open, cell, id)) => {
                    let depth = frame.depth + 1;
                    self.frames.push(frame);
                    match self.frame_of(cell, id, depth) {
                        Some(opened) => frame = opened,
                        None => return false,
                    }
                }
                Ok((Visit::Fails, ..)) | Err(Failed) => return false,
            }
        }
    }

    /// Checks arguments from where a frame stands until all hold or one must be opened.
    #[inline]
    fn walk_arguments<M: Memory>(
        &mut self,
        memory: &mut M,
        frame: &mut Frame,
    ) -> Result<(Visit, Cell, TypeId), Failed> {
        while frame.next < frame.end {
            let cell = self.follow(frame.next);
            frame.next += 1;
            let id = if frame.states == GROUND {
                Types::primitive(Primitive::Ground)
            } else {
                frame.states += 1;
                self.types.arguments()[frame.states as usize - 1]
            };
            self.steps.visits += 1;
            match self.visit(memory, cell, id) {
                Visit::Holds => {}
                Visit::Fails => return Err(Failed),
                Visit::Open => return Ok((Visit::Open, cell, id)),
            }
        }
        Ok((Visit::Holds, Cell::reference(0), frame.id))
    }

    /// What can be said of a node without its arguments.
    #[inline]
    fn visit<M: Memory>(&mut self, memory: &mut M, cell: Cell, id: TypeId) -> Visit {
        let state = self.types.state(id);
        let tag = cell.tag();
        if state.accepts_tag(tag) {
            return Visit::Holds;
        }
        let holds = match tag {
            Tag::Lis | Tag::Str => {
                if !self.is_held(memory, cell, id) {
                    return Visit::Open;
                }
                true
            }
            _ => accepts_atomic(self.store, self.types, id, cell),
        };
        if holds { Visit::Holds } else { Visit::Fails }
    }

    /// A frame for a compound term. None if its type has no place for its functor, or if it is cyclic.
    #[inline]
    fn frame_of(&mut self, cell: Cell, id: TypeId, depth: u32) -> Option<Frame> {
        let start = cell.index() as u32;
        let state = self.types.state(id);
        let mut frame = Frame {
            cell: start,
            id,
            depth,
            next: start,
            end: 0,
            states: SPINE,
            walked: 0,
            turtle: start,
            lap: 1,
        };
        if cell.tag() == Tag::Lis {
            match state.list {
                Some([_, tail]) if tail == id => {}
                Some(_) => (frame.end, frame.states) = (start + 2, state.list_states),
                None => return None,
            }
            self.footprint.cover(start, start + 1);
        } else {
            let functor = self.store.at(start as usize);
            frame.next += 1;
            frame.end = frame.next + functor.arity() as u32;
            self.footprint.cover(start, frame.end - 1);
            frame.states = match self.types.find_structure(state, functor) {
                Some(first) => first,
                None if state.ground => GROUND,
                None => return None,
            };
        }
        let count = self.frames.len();
        if count > 0 {
            let ancestor = &self.frames[(1 << count.ilog2()) - 1];
            if ancestor.cell == start && ancestor.id == id {
                return None;
            }
        }
        if !self.sharing && self.steps.visits > SMALL_WALK {
            self.sharing = self.steps.visits > self.store.len() as u64;
        }
        self.steps.deepest = self.steps.deepest.max(depth + 1);
        Some(frame)
    }

    /// Walks along a list from where a frame stands.
    fn walk_spine<M: Memory>(
        &mut self,
        memory: &mut M,
        frame: &mut Frame,
    ) -> Result<(Visit, Cell, TypeId), Failed> {
        let id = frame.id;
        let state = self.types.state(id);
        let Some([element, _]) = state.list else { return Err(Failed) };
        loop {
            if frame.end == 0 {
                let head = self.follow(frame.next);
                self.steps.visits += 1;
                match self.visit(memory, head, element) {
                    Visit::Holds => {}
                    Visit::Fails => return Err(Failed),
                    Visit::Open => {
                        frame.end = 1;
                        return Ok((Visit::Open, head, element));
                    }
                }
            }
            frame.end = 0;
            frame.walked += 1;
            let tail = self.follow(frame.next + 1);
            self.steps.visits += 1;
            match tail.tag() {
                Tag::Lis => {}
                // A list type may have other constructors: such a tail is an argument like others.
                Tag::Str => {
                    if self.is_held(memory, tail, id) {
                        return Ok((Visit::Holds, tail, id));
                    }
                    (frame.next, frame.end, frame.states) = (0, 0, GROUND);
                    return Ok((Visit::Open, tail, id));
                }
                tag => {
                    return if state.accepts_tag(tag) || accepts_atomic(self.store, self.types, id, tail) {
                        Ok((Visit::Holds, tail, id))
                    } else {
                        Err(Failed)
                    };
                }
            }
            if self.is_held(memory, tail, id) {
                return Ok((Visit::Holds, tail, id));
            }
            let cell = tail.index() as u32;
            if cell == frame.turtle {
                return Err(Failed);
            }
            if frame.walked == frame.lap {
                (frame.turtle, frame.lap) = (cell, frame.lap.saturating_mul(2));
            }
            frame.next = cell;
            self.footprint.cover(cell, cell + 1);
        }
    }

    /// The term in a cell. The variables on the way to it are looked at as well.
    #[inline]
    fn follow(&mut self, index: u32) -> Cell {
        let mut cell = self.store.at(index as usize);
        while cell.tag() == Tag::Ref {
            let index = cell.index();
            self.footprint.cover(index as u32, index as u32);
            let next = self.store.at(index);
            if next == cell {
                break;
            }
            cell = next;
        }
        cell
    }

    /// A frame holds: remembers what is worth it.
    #[inline]
    fn close<M: Memory>(&mut self, memory: &mut M, frame: &Frame) {
        if self.sharing {
            self.accept(frame);
        }
        if M::EVERY_CELL {
            self.remember_all(memory, frame);
        } else if frame.depth < self.limit && (self.every == 1 || frame.depth.is_multiple_of(self.every)) {
            if frame.walked >= 2 * SPINE_STRIDE && frame.depth == 0 {
                self.remember_spine(memory, frame);
            }
            memory.remember((frame.cell, frame.id.0), self.footprint);
        }
    }

    /// Remembers what a frame is about: a structure, or the cells of a list that the walk went along.
    fn remember_all<M: Memory>(&mut self, memory: &mut M, frame: &Frame) {
        let mut cell = frame.cell;
        memory.remember((cell, frame.id.0), self.footprint);
        for _ in 1..frame.walked {
            cell = self.store.deref(self.store.at(cell as usize + 1)).index() as u32;
            memory.remember((cell, frame.id.0), self.footprint);
        }
    }

    /// Remembers cells along a spine that holds, evenly spaced, at most an eighth of the table. A recursion down the
    /// list that cannot inherit then walks to the next of them only, where it leaves such marks again: a list of n
    /// cells with q marks costs about n log n / log q visits, as long as the farthest marks are not pushed out before
    /// they are reached.
    #[cold]
    fn remember_spine<M: Memory>(&mut self, memory: &mut M, frame: &Frame) {
        let most = (self.configuration.size / 8).clamp(1, 64) as u32;
        let stride = SPINE_STRIDE.max(frame.walked.div_ceil(most));
        let mut cell = frame.cell;
        for walked in 1..frame.walked {
            let tail = self.store.deref(self.store.at(cell as usize + 1));
            cell = tail.index() as u32;
            if walked.is_multiple_of(stride) {
                memory.remember((cell, frame.id.0), self.footprint);
            }
        }
    }

    /// Notes, for the rest of this walk, that a frame holds.
    #[cold]
    fn accept(&mut self, frame: &Frame) {
        let mut cell = frame.cell;
        self.accepted.insert((cell, frame.id.0));
        for _ in 1..frame.walked {
            cell = self.store.deref(self.store.at(cell as usize + 1)).index() as u32;
            if !self.accepted.insert((cell, frame.id.0)) {
                break;
            }
        }
    }

    /// Whether the root is an argument of a term checked just before, whose type demands this type of that
    /// argument: then it holds. Going down a checked structure so costs one visit per step, whatever has been
    /// remembered of its inside.
    fn inherits<M: Memory>(&mut self, memory: &mut M, cell: Cell, id: TypeId, parents: [Key; 2]) -> bool {
        let [first, second] = parents;
        let from = |walk: &Self, memory: &mut M, parent: Key| {
            if parent == NOWHERE {
                return None;
            }
            let trusted = || walk.trusts_parents().then_some(Footprint::EVERYTHING);
            let footprint = memory.holds(parent).or_else(trusted)?;
            walk.is_argument(parent, cell, id).then_some(footprint)
        };
        let footprint = from(self, memory, first)
            .or_else(|| if first == second { None } else { from(self, memory, second) });
        let Some(footprint) = footprint else { return false };
        self.steps.hits += 1;
        self.steps.inherited += 1;
        if !self.confirmed(cell, id) {
            return false;
        }
        if self.limit > 0 {
            memory.remember((cell.index() as u32, id.0), footprint);
        }
        true
    }

    /// Whether a planted fault makes this walk believe in what was checked last without looking it up.
    #[inline]
    fn trusts_parents(&self) -> bool {
        #[cfg(feature = "plant")]
        let trusts = self.fault == Some(crate::base::plant::Fault::TrustParents);
        #[cfg(not(feature = "plant"))]
        let trusts = false;
        trusts
    }

    /// Whether a cell is an argument, in the given state, of a term that is remembered (so it exists).
    fn is_argument(&self, (parent, parent_id): Key, cell: Cell, id: TypeId) -> bool {
        let parent = parent as usize;
        // What is remembered exists; only a planted fault makes a table forget that.
        let Some(word) = self.store.get(parent) else { return false };
        let state = self.types.state(TypeId(parent_id));
        let same = |i: usize| self.store.get(i).is_some_and(|argument| self.store.deref(argument) == cell);
        // A remembered structure is known by its functor cell, a list cell by its head.
        if word.is_functor() {
            let (first, count) = (parent + 1, word.arity());
            return match self.types.find_structure(state, word) {
                Some(states) => {
                    let states = &self.types.arguments()[states as usize..states as usize + count];
                    states.iter().enumerate().any(|(i, &state)| state == id && same(first + i))
                }
                None => {
                    state.ground
                        && id == Types::primitive(Primitive::Ground)
                        && (first..first + count).any(same)
                }
            };
        }
        state.list.is_some_and(|states| (0..2).any(|i| states[i] == id && same(parent + i)))
    }

    #[inline]
    fn is_held<M: Memory>(&mut self, memory: &mut M, cell: Cell, id: TypeId) -> bool {
        let key = (cell.index() as u32, id.0);
        if self.sharing && self.accepted.contains(&key) {
            return true;
        }
        memory.holds(key).is_some_and(|footprint| self.stands(footprint, cell, id))
    }

    /// What was remembered is found: whether it stands.
    #[inline]
    fn stands(&mut self, footprint: Footprint, cell: Cell, id: TypeId) -> bool {
        self.footprint.include(footprint);
        self.steps.hits += 1;
        self.confirmed(cell, id)
    }

    /// Whether a remembered answer stands: it does, unless an audit is due and walking the term again says no.
    #[inline]
    fn confirmed(&mut self, cell: Cell, id: TypeId) -> bool {
        match &mut self.auditor {
            None => true,
            Some(auditor) => !auditor.due() || self.audit(cell, id),
        }
    }
}

/// An argument fails, and so does the whole check.
struct Failed;

/// Whether a state accepts a cell that is neither a list nor a structure.
#[inline]
pub(super) fn accepts_atomic(store: &Store, types: &Types, id: TypeId, cell: Cell) -> bool {
    let state = types.state(id);
    match cell.tag() {
        Tag::Atm | Tag::Txt => state.constants.1 > 0 && types.has_constant(state, cell),
        Tag::Int => {
            let kind = if cell.int_value() < 0 { Kinds::NEGATIVE } else { Kinds::NONNEGATIVE };
            state.kinds.contains(kind) || (state.constants.1 > 0 && types.has_constant(state, cell))
        }
        Tag::Box => accepts_box(store, types, state, id, cell),
        _ => false,
    }
}

/// The same for a number that does not fit into a cell.
#[cold]
fn accepts_box(store: &Store, types: &Types, state: &State, id: TypeId, cell: Cell) -> bool {
    if state.kinds.contains(Kinds::of(store, cell)) {
        return true;
    }
    let words = store.at(cell.index()).header_words();
    state.boxed && types.has_boxed(id, &store.cells[cell.index()..=cell.index() + words])
}
