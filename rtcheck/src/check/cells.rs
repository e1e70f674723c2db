//! Types remembered beside the cells of terms: for each compound term those that held of it.
//!
//! A slot for each cell of the store, found by the cell's index: a look-up is a comparison, remembering is a store, and
//! nothing pushes anything else out. Of a term's first two slots the first has the type that held last, the second the
//! set of all others, by its number among the few sets that a program needs. A slot beside the cells rather than bits
//! of the pointers to them, because then every pointer to a term knows what one of them learned, and nothing that
//! compares, moves or reads pointers has bits to mask.
//!
//! # How long an entry stays
//! A term above the newest choicepoint goes when the machine returns there, and its entries with it: the slots are
//! emptied where the store is cut. An older term stays, but may have its type by a binding that is undone: its entry is
//! *noted*, together with what it rests on, and whoever returns to the choicepoint looks through what was noted since.
//! What a collection moves takes its entries along, and whatever else may happen to terms begins another *epoch*, of
//! which no slot knows anything.

mod at_hand;

pub(super) use at_hand::AtHand;

use super::footprint::{Footprint, Key, Memory, Undone};
use crate::regtype::TypeId;
use crate::term::Store;
use cache_core::table::{Counting, Mark, Recorder as _};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// In a slot: it is the second one of the term whose first cell is the cell before. The first one has no such bit.
const SECOND: u32 = 1 << 31;
/// In a slot: where the number of the epoch begins. Below it is the number of the type, or of the set in a second slot.
const EPOCH: u32 = 1 << 16;
/// Epochs end here, so that the number of a type that does not fit makes no other type's slot of an epoch that was.
const LAST_EPOCH: u32 = 1 << 30;
/// As many sets of types are told apart.
const SETS: usize = 1 << 10;
/// There are at least so many slots more than cells when slots are added.
const ROOM: usize = 1 << 10;
/// So many slots are emptied or copied at once. More are by an instruction that takes long to start, and that counts as
/// one for each byte where instructions are counted.
const PIECE: usize = 1 << 8;
/// At every so many slots a collection asks how long nothing is left.
const STRETCH: usize = 64;
/// At least as much may be noted as this.
const NOTED: usize = 1 << 12;

/// An entry of a term that is older than the choicepoint that was the newest when it was made.
struct Noted {
    key: Key,
    footprint: Footprint,
}

/// What is remembered of all terms of a store.
pub(super) struct Cells {
    /// By the index of a term's first cell and of the one behind it, which is never the first cell of another term.
    slots: Vec<u32>,
    /// No slot from here on holds anything, which is never above the store's length.
    end: usize,
    /// The present epoch, where slots have it. Never 0, which is an empty slot's.
    epoch: u32,
    /// Sets of types by number, each in order; the first is empty.
    sets: Vec<Box<[u32]>>,
    /// The set that a set and a type make.
    larger: FxHashMap<(u32, u32), u32>,
    noted: Vec<Noted>,
    /// How much was noted and is no longer there, because an epoch ended. Marks count from the beginning.
    gone: u64,
    /// The bound of cells older than the newest choicepoint, during a walk.
    boundary: u32,
    counting: Counting,
    #[cfg(feature = "plant")]
    fault: Option<crate::base::plant::Fault>,
}

/// The types that held last, to look at without the rest.
#[derive(Clone, Copy)]
pub(super) struct First<'a> {
    slots: &'a [u32],
    epoch: u32,
}

impl First<'_> {
    /// Whether a type is the one that held last of a term, by its first cell.
    #[inline(always)]
    pub(super) fn knows_first(self, cell: usize, id: TypeId) -> bool {
        self.slots.get(cell) == Some(&(self.epoch + id.0))
    }
}

impl Cells {
    pub(super) fn new() -> Self {
        Self {
            slots: Vec::new(),
            end: 0,
            epoch: EPOCH,
            sets: vec![Box::default()],
            larger: FxHashMap::default(),
            noted: Vec::new(),
            gone: 0,
            boundary: 0,
            counting: Counting::default(),
            #[cfg(feature = "plant")]
            fault: None,
        }
    }

    /// What is known first of all.
    #[inline(always)]
    pub(super) fn view(&self) -> First<'_> {
        First { slots: &self.slots, epoch: self.epoch }
    }

    /// Whether a term, by its first cell, is known to have a type.
    #[inline(always)]
    pub(super) fn has(&self, cell: usize, id: u32) -> bool {
        let entry = self.epoch + id;
        match self.slots.get(cell) {
            Some(&slot) => slot == entry || self.has_second(cell, entry),
            None => false,
        }
    }

    /// Whether nothing is known of a term.
    #[inline(always)]
    pub(super) fn knows_nothing(&self, cell: usize) -> bool {
        self.slots.get(cell) == Some(&0)
    }

    /// Whether a term of which another type is known first is known to have a type.
    #[inline(always)]
    pub(super) fn knows_other(&self, cell: usize, id: TypeId) -> bool {
        self.slots.get(cell).is_some_and(|&first| first != 0) && self.has(cell, id.0)
    }

    #[inline(always)]
    fn has_second(&self, cell: usize, entry: u32) -> bool {
        match self.slots.get(cell + 1) {
            Some(&slot) if slot & SECOND != 0 => self.has_in_set(slot, entry),
            _ => false,
        }
    }

    /// Whether an entry's type is in the set of a second slot.
    #[inline(never)]
    fn has_in_set(&self, slot: u32, entry: u32) -> bool {
        let id = entry - self.epoch;
        self.set_in(slot).is_some_and(|set| self.sets[set as usize].contains(&id))
    }

    /// The number of the set in a second slot of this epoch.
    fn set_in(&self, slot: u32) -> Option<u32> {
        let number = slot & (EPOCH - 1);
        (slot == SECOND | self.epoch | number && (number as usize) < self.sets.len()).then_some(number)
    }

    /// The number of a set with one type more; `None` if there are too many.
    fn with(&mut self, set: u32, id: u32) -> Option<u32> {
        if let Some(&known) = self.larger.get(&(set, id)) {
            return Some(known);
        }
        let mut types = self.sets[set as usize].to_vec();
        if let Err(position) = types.binary_search(&id) {
            types.insert(position, id);
        }
        let number = match self.sets.iter().position(|known| **known == *types) {
            Some(known) => known as u32,
            None if self.sets.len() >= SETS => return None,
            None => {
                self.sets.push(types.into());
                self.sets.len() as u32 - 1
            }
        };
        self.larger.insert((set, id), number);
        Some(number)
    }

    /// Prepares for remembering terms of a store.
    #[inline]
    pub(super) fn begin(&mut self, store: &Store) {
        if self.slots.len() < store.len() {
            self.grow(store);
        }
        self.boundary = u32::try_from(store.boundary).unwrap_or(u32::MAX);
    }

    /// Remembers that a term which is younger than every choicepoint has a type, if nothing is known of it yet.
    #[inline(always)]
    pub(super) fn set_new(&mut self, cell: usize, id: TypeId) -> bool {
        let Some([slot, _]) = self.slots.get_mut(cell..cell + 2) else { return false };
        if *slot != 0 || id.0 >= EPOCH {
            return false;
        }
        *slot = self.epoch | id.0;
        self.end = self.end.max(cell + 2);
        self.counting.inserted();
        true
    }

    /// Remembers that a term which is younger than every choicepoint has a type: nothing has to be noted.
    #[inline(always)]
    pub(super) fn set_young(&mut self, store: &Store, cell: usize, id: u32) {
        if let Some([first, _]) = self.slots.get_mut(cell..cell + 2)
            && *first == 0
            && id < EPOCH
        {
            *first = self.epoch | id;
            self.end = self.end.max(cell + 2);
            self.counting.inserted();
        } else {
            self.set_grown(store, cell, id);
        }
    }

    #[inline(never)]
    fn set_grown(&mut self, store: &Store, cell: usize, id: u32) {
        if self.slots.len() < cell + 2 {
            self.grow(store);
        }
        self.set(cell as u32, id);
    }

    #[cold]
    fn grow(&mut self, store: &Store) {
        // With room for what will be made next: as much again, so that little is copied.
        let length = store.len() + store.len().max(ROOM);
        if length <= self.slots.len() {
            return;
        }
        let mut slots = Vec::with_capacity(length);
        for piece in self.slots[..self.end].chunks(PIECE) {
            slots.extend_from_slice(piece);
        }
        while slots.len() < length {
            slots.resize(length.min(slots.len() + PIECE), 0);
        }
        self.slots = slots;
    }

    #[inline]
    fn set(&mut self, cell: u32, id: u32) {
        let index = cell as usize;
        let entry = self.epoch | id;
        if id >= EPOCH || index + 1 >= self.slots.len() || self.slots[index] == entry {
            return;
        }
        if self.slots[index] != 0 {
            self.displace(index, entry);
        }
        self.slots[index] = entry;
        self.end = self.end.max(index + 2);
        self.counting.inserted();
    }

    /// Moves what a first slot says to the set in the second, if it is of this epoch.
    fn displace(&mut self, index: usize, entry: u32) {
        let (first, second) = (self.slots[index], self.slots[index + 1]);
        // The entry itself may be in the set; then it is in both, which does no harm.
        debug_assert_ne!(first, entry);
        if first & !(EPOCH - 1) != self.epoch {
            return;
        }
        let id = first - self.epoch;
        let set = self.set_in(second).unwrap_or(0);
        if let Some(set) = self.with(set, id).or_else(|| self.with(0, id)) {
            self.slots[index + 1] = SECOND | self.epoch | set;
        }
    }

    #[cold]
    fn note(&mut self, key: Key, footprint: Footprint) {
        #[cfg(feature = "plant")]
        if self.fault == Some(crate::base::plant::Fault::NoteNothing) {
            return;
        }
        // What is noted again and again while no choicepoint is returned to takes room; it may be forgotten.
        if self.noted.len() >= NOTED.max(self.end) {
            self.clear();
            return;
        }
        self.noted.push(Noted { key, footprint });
    }

    /// Forgets that a term has a type, perhaps with others.
    fn forget(&mut self, (cell, id): Key) {
        let (cell, entry) = (cell as usize, self.epoch | id);
        if self.slots.get(cell) == Some(&entry) {
            self.slots[cell] = 0;
            self.counting.dropped();
        }
        if self.has_second(cell, entry) {
            self.slots[cell + 1] = 0;
            self.counting.dropped();
        }
    }

    /// How much was ever noted.
    #[inline]
    pub(super) fn mark(&self) -> Mark {
        Mark::from_bits(self.gone + self.noted.len() as u64)
    }

    /// Forgets what goes when the trail is undone from a length on and the store is cut to `top` cells. What was noted
    /// since the mark and stays counts as older than the choicepoint from now on: the new mark is the result.
    #[inline]
    pub(super) fn backtrack(&mut self, store: &Store, mark: Mark, trail: usize, top: usize) -> Mark {
        #[cfg(feature = "plant")]
        if self.fault == Some(crate::base::plant::Fault::IgnoreMarks) {
            return mark;
        }
        if top < self.end {
            self.slots[top..self.end].chunks_mut(PIECE).for_each(|slots| slots.fill(0));
            self.end = top;
        }
        let from = mark.to_bits().saturating_sub(self.gone) as usize;
        if from < self.noted.len() {
            self.forget_undone(from, &Undone::new(store, trail, top));
        }
        self.mark()
    }

    #[cold]
    fn forget_undone(&mut self, from: usize, undone: &Undone) {
        let mut kept = from;
        for position in from..self.noted.len() {
            let Noted { key, footprint } = &mut self.noted[position];
            if undone.spares(footprint) {
                self.noted.swap(kept, position);
                kept += 1;
            } else {
                let key = *key;
                self.forget(key);
            }
        }
        self.noted.truncate(kept);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.epoch += EPOCH;
        if self.epoch >= LAST_EPOCH {
            self.slots.clear();
            self.end = 0;
            self.epoch = EPOCH;
        }
        self.sets.truncate(1);
        self.larger.clear();
        self.gone += self.noted.len() as u64;
        self.noted.clear();
    }

    /// Follows terms that a collection moved, all of them down or not at all and none past another. Cells between one
    /// that stays and the `next` one, from an index on, are gone.
    pub(super) fn relocate(
        &mut self,
        mut moved: impl FnMut(usize) -> Option<usize>,
        next: impl Fn(usize) -> usize,
    ) {
        #[cfg(feature = "plant")]
        if self.fault == Some(crate::base::plant::Fault::IgnoreMoves) {
            return;
        }
        let mut index = 0;
        while index < self.end {
            let slot = std::mem::take(&mut self.slots[index]);
            if slot & !SECOND & !(EPOCH - 1) == self.epoch {
                let behind = usize::from(slot & SECOND != 0);
                let to = index.checked_sub(behind).and_then(&mut moved).map(|cell| cell + behind);
                // A slot above has not been looked at yet; nothing moves up.
                match to {
                    Some(to) if to <= index => self.slots[to] = slot,
                    _ => self.counting.dropped(),
                }
            }
            index += 1;
            // Most of a store is garbage, in long stretches. The slot just looked at may have been a term's second one.
            if index % STRETCH == 1 {
                let to = next(index - 1).clamp(index, self.end.max(index));
                self.drop_all(index..to);
                index = to;
            }
        }
        for noted in &mut self.noted {
            // Marks count what was noted, so nothing is taken out. What is gone has no slot.
            let cell = moved(noted.key.0 as usize).and_then(|cell| u32::try_from(cell).ok());
            noted.key.0 = cell.unwrap_or(u32::MAX);
            // The trail no longer tells of variables that nothing reaches any more.
            noted.footprint = Footprint::EVERYTHING;
        }
    }

    /// Forgets what slots say, of terms that are gone.
    fn drop_all(&mut self, range: Range<usize>) {
        let slots = self.slots.get_mut(range).unwrap_or_default();
        let epoch = self.epoch;
        let of_this_epoch = slots.iter().filter(|&&slot| slot & !SECOND & !(EPOCH - 1) == epoch).count();
        slots.fill(0);
        (0..of_this_epoch).for_each(|_| self.counting.dropped());
    }

    /// How many bytes are in use. As of the other stacks, what lies free above does not count: a program that gave up
    /// its terms has the memory again.
    pub(super) fn bytes(&self) -> usize {
        self.end * size_of::<u32>() + self.noted.len() * size_of::<Noted>()
    }

    pub(super) fn counting(&self) -> Counting {
        self.counting
    }

    #[cfg(feature = "plant")]
    pub(super) fn plant(&mut self, fault: Option<crate::base::plant::Fault>) {
        self.fault = fault;
    }
}

impl Memory for Cells {
    const EVERY_CELL: bool = true;

    #[inline]
    fn holds(&mut self, (cell, id): Key) -> Option<Footprint> {
        if self.has(cell as usize, id) {
            self.counting.hit();
            // What it rests on is known only where it was noted.
            return Some(Footprint::EVERYTHING);
        }
        self.counting.miss();
        None
    }

    #[inline]
    fn remember(&mut self, (cell, id): Key, footprint: Footprint) {
        self.set(cell, id);
        if cell < self.boundary {
            self.note((cell, id), footprint);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Atom, Cell};

    /// A store with some structures of one argument, and the indices of their first cells.
    fn structures(count: usize) -> (Store, Vec<u32>) {
        let mut store = Store::new();
        let make = |_| store.compound(Atom(0), &[Cell::int(1)]).index() as u32;
        let cells = (0..count).map(make).collect();
        (store, cells)
    }

    #[test]
    fn all_types_of_each_term_are_known() {
        let (store, terms) = structures(3);
        let mut cells = Cells::new();
        cells.begin(&store);
        for id in [3, 5, 5, 7] {
            for &term in &terms {
                cells.set_young(&store, term as usize, id);
            }
        }
        for term in terms {
            assert_eq!([3, 5, 7, 9].map(|id| cells.has(term as usize, id)), [true, true, true, false]);
        }
    }

    #[test]
    fn nothing_is_known_of_an_epoch_that_ended() {
        let (store, terms) = structures(2);
        let mut cells = Cells::new();
        for epoch in 0..3 * LAST_EPOCH / EPOCH {
            cells.begin(&store);
            // A type whose number does not fit is not remembered, and is not taken for another one.
            let id = epoch % 7;
            assert!(!cells.has(terms[0] as usize, id) && !cells.has(terms[1] as usize, id + EPOCH));
            cells.set_young(&store, terms[0] as usize, id);
            cells.set_young(&store, terms[1] as usize, id + EPOCH);
            assert!(cells.has(terms[0] as usize, id) && !cells.has(terms[1] as usize, id + EPOCH));
            cells.clear();
        }
    }

    #[test]
    fn what_is_noted_is_bounded_and_marks_outlive_it() {
        let (mut store, terms) = structures(2);
        store.boundary = store.len();
        let mut cells = Cells::new();
        let mark = cells.mark();
        for number in 0..3 * NOTED as u32 {
            cells.begin(&store);
            let (term, id) = (terms[number as usize % 2], number % 3);
            Memory::remember(&mut cells, (term, id), Footprint::EVERYTHING);
            assert!(cells.noted.len() <= NOTED);
        }
        let (trail, top) = (store.trail.len(), store.len());
        let next = cells.backtrack(&store, mark, trail, top);
        assert!(terms.iter().all(|&term| (0..3).all(|id| !cells.has(term as usize, id))));
        assert!(next.to_bits() > mark.to_bits() && next == cells.mark());
    }

    #[test]
    fn what_is_given_up_is_no_longer_in_use() {
        let (mut store, terms) = structures(1000);
        let mut cells = Cells::new();
        let (mark, trail) = (cells.mark(), store.trail.len());
        cells.set_young(&store, terms[999] as usize, 3);
        assert_eq!(cells.bytes(), 4 * store.len());
        // A choicepoint is made, and what was there before is noted.
        store.boundary = store.len();
        cells.begin(&store);
        Memory::remember(&mut cells, (terms[0], 5), Footprint::EVERYTHING);
        assert!(cells.bytes() > 4 * store.len());
        cells.backtrack(&store, mark, trail, 10);
        assert_eq!(cells.bytes(), 4 * 10);
    }

    #[test]
    fn entries_move_with_their_terms() {
        let (store, terms) = structures(4);
        let mut cells = Cells::new();
        cells.begin(&store);
        for (id, &term) in (1..).zip(&terms) {
            cells.set_young(&store, term as usize, 10 * id);
            cells.set_young(&store, term as usize, id);
        }
        // The second goes, and those above it move down by its two cells.
        let gone = terms[1] as usize;
        let moved = |cell: usize| (cell != gone).then(|| if cell > gone { cell - 2 } else { cell });
        cells.relocate(moved, |cell| cell);
        let known = |cells: &Cells, term: usize| {
            (0..50).filter(|&id| cells.has(terms[term] as usize, id)).collect::<Vec<_>>()
        };
        let found: Vec<_> = (0..4).map(|term| known(&cells, term)).collect();
        assert_eq!(found, [vec![1, 10], vec![3, 30], vec![4, 40], vec![]]);
    }

    #[test]
    fn what_a_long_stretch_of_garbage_was_known_to_be_is_dropped_and_its_neighbours_stay() {
        for (first, last) in [(0, 999), (1, 999), (31, 400), (32, 33), (63, 64), (64, 700), (99, 100)] {
            let (store, terms) = structures(1000);
            let mut cells = Cells::new();
            cells.begin(&store);
            for &term in &terms {
                cells.set_young(&store, term as usize, 7);
                cells.set_young(&store, term as usize, 5);
            }
            let gone = terms[first] as usize..terms[last] as usize;
            let moved = |cell: usize| match cell {
                cell if cell < gone.start => Some(cell),
                cell => cell.checked_sub(gone.end).map(|distance| gone.start + distance),
            };
            cells.relocate(moved, |cell| if gone.contains(&cell) { gone.end } else { cell });
            let left = 1000 - (last - first);
            let known = |number: usize| [5, 7].map(|id| cells.has(terms[number] as usize, id));
            assert!((0..left).all(|number| known(number) == [true, true]), "{first}..{last}");
            assert!((left..1000).all(|number| known(number) == [false, false]), "{first}..{last}");
        }
    }
}
