//! Tables for an inner loop: small keys, a policy chosen at compile time, and marks.
//!
//! A [`Table`] maps keys to values in numbered slots. The [policy](crate::policy) says in which slot a
//! key lies and who leaves for room; the table keeps the entries and the order in which they were
//! inserted, an intrusive list through the slots, bounded by the number of slots. What is not used is not there:
//! without a [`Counting`] recorder no statistics are kept, and a look-up never touches the insertion
//! order.
//!
//! # Truth that is undone
//! In an abstract machine an entry is true until something is undone. The machine takes a [`Mark`] when
//! it makes a choicepoint and calls [`Table::drop_since`] when it returns there: everything inserted
//! since leaves, whatever its key. Both reasons for an entry to die on backtracking are covered: its
//! term lay above the choicepoint, or what made an older term well-typed was a binding that is undone.
//! Dropping costs O(1) per dropped entry, so it is paid for by the insertions, and O(1) if there was
//! none. Marks are plain numbers: they nest, cost nothing to forget, and stay valid whatever leaves.
//!
//! When terms move, [`Table::relocate`] gives their keys new values; when anything else happens to them,
//! [`Table::clear`].
//!
//! ```
//! use cache_core::policy::Lru;
//! use cache_core::table::Table;
//!
//! let mut types: Table<(u32, u32), (), Lru> = Table::new(256);
//! types.insert((100, 1), ());
//! let choicepoint = types.mark();
//! types.insert((200, 1), ());
//! assert!(types.contains((200, 1)));
//! types.drop_since(choicepoint);
//! assert!(types.contains((100, 1)) && !types.contains((200, 1)));
//! types.relocate(|(cell, regtype)| Some((cell - 50, regtype)));
//! assert!(types.contains((50, 1)));
//! ```

use std::fmt;

pub use crate::policy::TableKey;
use crate::policy::list::{Links, List};
use crate::policy::{Departure, Policy, State};

/// A point in the history of one table's insertions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark(u64);

impl Mark {
    /// The point before every insertion.
    pub const START: Self = Self(0);

    /// The mark as a number that grows with time, to be kept in a machine's own cells.
    #[must_use]
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The mark that [`Mark::to_bits`] gave.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// Who is told what happens to a table. Every method does nothing unless a recorder wants to know.
pub trait Recorder: Default {
    /// A look-up found its key.
    fn hit(&mut self) {}
    /// A look-up did not find its key.
    fn miss(&mut self) {}
    /// An entry was inserted, or its value replaced.
    fn inserted(&mut self) {}
    /// An entry left for room.
    fn evicted(&mut self) {}
    /// An entry left because what it rests on was undone, moved away or removed.
    fn dropped(&mut self) {}
}

/// Records nothing and takes no room.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Recorder for Silent {}

/// Counts what happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counting {
    /// Look-ups that found their key.
    pub hits: u64,
    /// Look-ups that did not.
    pub misses: u64,
    /// Insertions and replacements.
    pub inserted: u64,
    /// Entries that left for room.
    pub evicted: u64,
    /// Entries that left because what they rest on was undone, moved away or removed.
    pub dropped: u64,
}

impl Recorder for Counting {
    #[inline]
    fn hit(&mut self) {
        self.hits += 1;
    }

    #[inline]
    fn miss(&mut self) {
        self.misses += 1;
    }

    #[inline]
    fn inserted(&mut self) {
        self.inserted += 1;
    }

    #[inline]
    fn evicted(&mut self) {
        self.evicted += 1;
    }

    #[inline]
    fn dropped(&mut self) {
        self.dropped += 1;
    }
}

/// A table from `K` to `V` under the policy `P`. See the [module](self).
pub struct Table<K: TableKey, V, P: Policy, R = Silent> {
    /// What lies in each slot. Look-ups read nothing else but the policy's state.
    entries: Vec<Option<(K, V)>>,
    state: P::State<K>,
    /// When the entry of each slot was inserted.
    stamps: Vec<u64>,
    links: Links,
    /// Slots by insertion, the newest in front.
    insertions: List,
    /// The stamp of the next insertion; never used twice.
    clock: u64,
    recorder: R,
    #[cfg(feature = "plant")]
    fault: Option<crate::plant::Fault>,
}

impl<K: TableKey, V, P: Policy, R: Recorder> Table<K, V, P, R> {
    /// An empty table for at most `capacity` entries; with 0 it holds nothing. [`crate::policy::Unbounded`]
    /// ignores the number. Memory is taken as entries come.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: Vec::new(),
            state: P::State::with_capacity(capacity),
            stamps: Vec::new(),
            links: Links::default(),
            insertions: List::new(),
            clock: Mark::START.0,
            recorder: R::default(),
            #[cfg(feature = "plant")]
            fault: None,
        }
    }

    /// Looks `key` up. The policy learns of a hit, the recorder of both.
    #[inline]
    pub fn get(&mut self, key: K) -> Option<&V> {
        let Some(slot) = self.state.find(key) else {
            self.recorder.miss();
            return None;
        };
        match self.entries.get(slot as usize) {
            Some(Some((held, value))) if *held == key => {
                self.state.touch(slot);
                self.recorder.hit();
                Some(value)
            }
            _ => {
                self.recorder.miss();
                None
            }
        }
    }

    /// Whether `key` is held: [`Table::get`] for tables that are sets.
    #[inline]
    pub fn contains(&mut self, key: K) -> bool {
        self.get(key).is_some()
    }

    /// Looks `key` up without telling the policy or the recorder.
    #[must_use]
    pub fn peek(&self, key: K) -> Option<&V> {
        match self.entries.get(self.state.find(key)? as usize) {
            Some(Some((held, value))) if *held == key => Some(value),
            _ => None,
        }
    }

    /// Inserts a value, which may push out another entry. If the key is held already, its value is
    /// replaced, which is a use of the entry, and it counts as inserted now: a mark taken before drops it.
    pub fn insert(&mut self, key: K, value: V) {
        if let Some(slot) = self.held(key) {
            self.state.touch(slot);
            self.insertions.move_to_front(&mut self.links, slot);
            self.fill(slot, key, value);
            return;
        }
        while let Some(victim) = self.state.victim() {
            if !self.leave(victim, Departure::Evicted) {
                // A policy that names an empty slot would do so for ever.
                return;
            }
        }
        let Some(slot) = self.state.place(key) else { return };
        self.take_over(slot);
        self.fill(slot, key, value);
    }

    fn fill(&mut self, slot: u32, key: K, value: V) {
        self.entries[slot as usize] = Some((key, value));
        self.stamps[slot as usize] = self.clock;
        self.clock += 1;
        self.recorder.inserted();
    }

    /// Removes an entry and returns its value.
    pub fn remove(&mut self, key: K) -> Option<V> {
        let slot = self.held(key)?;
        let (_, value) = self.entries[slot as usize].take()?;
        self.unlink(key, slot, Departure::Dropped);
        Some(value)
    }

    /// The present point in the history of insertions.
    #[inline]
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark(self.clock)
    }

    /// Drops what was inserted since `mark` was taken and is still there, and returns how many entries
    /// that were. Amortised O(1) per dropped entry.
    pub fn drop_since(&mut self, mark: Mark) -> usize {
        #[cfg(feature = "plant")]
        if self.fault == Some(crate::plant::Fault::IgnoreMarks) {
            return 0;
        }
        let mut dropped = 0;
        while let Some(newest) = self.insertions.front() {
            if self.stamps[newest as usize] < mark.0 || !self.leave(newest, Departure::Dropped) {
                break;
            }
            dropped += 1;
        }
        dropped
    }

    /// A mark that no other moment has, as [`Table::drop_since_unless`] needs it.
    #[inline]
    pub fn distinct_mark(&mut self) -> Mark {
        let mark = self.mark();
        self.clock += 1;
        mark
    }

    /// As [`Table::drop_since`], for a machine that can tell which entries do not rest on what is undone: those
    /// that `keep` accepts stay, as if they had been inserted just before the mark was taken. All marks of the table
    /// must be [distinct](Table::distinct_mark), or an entry that is kept would escape an older mark of the same
    /// moment. O(1) per entry inserted since the mark.
    ///
    /// ```
    /// use cache_core::policy::Lru;
    /// use cache_core::table::Table;
    ///
    /// // The value is the youngest cell that an answer rests on.
    /// let mut answers: Table<u32, u32, Lru> = Table::new(8);
    /// let outer = answers.distinct_mark(); // 100 cells
    /// let inner = answers.distinct_mark(); // 200 cells
    /// for (key, youngest) in [(1, 50), (2, 150), (3, 250)] {
    ///     answers.insert(key, youngest);
    /// }
    /// let held = |answers: &Table<u32, u32, Lru>| [1, 2, 3].map(|key| answers.peek(key).is_some());
    /// answers.drop_since_unless(inner, |_, youngest| *youngest < 200);
    /// assert_eq!(held(&answers), [true, true, false]);
    /// answers.drop_since_unless(outer, |_, youngest| *youngest < 100);
    /// assert_eq!(held(&answers), [true, false, false]);
    /// ```
    pub fn drop_since_unless(&mut self, mark: Mark, mut keep: impl FnMut(K, &mut V) -> bool) -> usize {
        #[cfg(feature = "plant")]
        if self.fault == Some(crate::plant::Fault::IgnoreMarks) {
            return 0;
        }
        let mut dropped = 0;
        let mut next = self.insertions.front();
        while let Some(slot) = next {
            if self.stamps[slot as usize] < mark.0 {
                break;
            }
            next = self.insertions.after(&self.links, slot);
            let kept = match &mut self.entries[slot as usize] {
                Some((key, value)) => keep(*key, value),
                None => false,
            };
            if kept {
                self.stamps[slot as usize] = mark.0.saturating_sub(1);
            } else if self.leave(slot, Departure::Dropped) {
                dropped += 1;
            }
        }
        dropped
    }

    /// Whether something was inserted since `mark` was taken and is still there.
    #[inline]
    #[must_use]
    pub fn has_since(&self, mark: Mark) -> bool {
        self.insertions.front().is_some_and(|newest| self.stamps[newest as usize] >= mark.0)
    }

    /// Changes every value.
    pub fn update(&mut self, mut change: impl FnMut(K, &mut V)) {
        for (key, value) in self.entries.iter_mut().flatten() {
            change(*key, value);
        }
    }

    /// Gives every entry the key that `moved` names, or drops it where there is none. `moved` is called
    /// once per entry, oldest insertion first. Where two entries get the same key the newer one stays;
    /// under [`crate::policy::DirectMapped`], also where they get the same slot. Marks stay valid.
    /// O(number of entries).
    pub fn relocate(&mut self, mut moved: impl FnMut(K) -> Option<K>) {
        #[cfg(feature = "plant")]
        if self.fault == Some(crate::plant::Fault::IgnoreMoves) {
            return;
        }
        let mut survivors = Vec::with_capacity(self.insertions.len());
        let mut next = self.insertions.back();
        while let Some(slot) = next {
            next = self.insertions.before(&self.links, slot);
            let Some((old, value)) = self.entries[slot as usize].take() else { continue };
            if let Some(new) = moved(old) {
                self.insertions.remove(&mut self.links, slot);
                survivors.push((slot, new, value, self.stamps[slot as usize]));
            } else {
                self.unlink(old, slot, Departure::Dropped);
            }
        }
        self.state.forget_keys();
        for (old_slot, key, value, stamp) in survivors {
            if let Some(same) = self.held(key) {
                self.leave(same, Departure::Dropped);
            }
            let slot = self.state.rename(old_slot, key);
            self.take_over(slot);
            self.entries[slot as usize] = Some((key, value));
            self.stamps[slot as usize] = stamp;
        }
    }

    /// Drops everything. Marks stay valid: what is inserted from now on is younger than all of them.
    /// Amortised O(1) per dropped entry.
    pub fn clear(&mut self) {
        while let Some(newest) = self.insertions.front() {
            if !self.leave(newest, Departure::Dropped) {
                break;
            }
        }
        self.state.forget_departed();
    }

    /// How many entries are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.insertions.len()
    }

    /// Whether no entry is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.insertions.len() == 0
    }

    /// The most entries that can be held at once.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.state.capacity()
    }

    /// What the recorder knows.
    #[must_use]
    pub fn recorder(&self) -> &R {
        &self.recorder
    }

    /// The entries, oldest insertion first.
    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        std::iter::successors(self.insertions.back(), |slot| self.insertions.before(&self.links, *slot))
            .filter_map(|slot| self.entries[slot as usize].as_ref().map(|(key, value)| (*key, value)))
    }

    /// Makes the table commit a fault, or none.
    #[cfg(feature = "plant")]
    pub fn plant(&mut self, fault: Option<crate::plant::Fault>) {
        self.fault = fault;
    }

    /// The slot that holds `key`.
    fn held(&self, key: K) -> Option<u32> {
        let slot = self.state.find(key)?;
        matches!(self.entries.get(slot as usize), Some(Some((held, _))) if *held == key).then_some(slot)
    }

    /// Makes a slot that the policy chose the newest one; an entry that still lies in it has left for room.
    fn take_over(&mut self, slot: u32) {
        let index = slot as usize;
        if self.entries.len() <= index {
            self.entries.resize_with(index + 1, || None);
            self.stamps.resize(index + 1, 0);
        } else if self.entries[index].is_some() {
            self.insertions.remove(&mut self.links, slot);
            self.recorder.evicted();
        }
        self.insertions.push_front(&mut self.links, slot);
    }

    /// Empties a slot; whether there was an entry in it.
    fn leave(&mut self, slot: u32, why: Departure) -> bool {
        let Some((key, _)) = self.entries.get_mut(slot as usize).and_then(Option::take) else { return false };
        self.unlink(key, slot, why);
        true
    }

    /// Takes a slot that was just emptied out of the lists.
    fn unlink(&mut self, key: K, slot: u32, why: Departure) {
        self.insertions.remove(&mut self.links, slot);
        self.state.remove(key, slot, why);
        match why {
            Departure::Evicted => self.recorder.evicted(),
            Departure::Dropped => self.recorder.dropped(),
        }
    }
}

impl<K: TableKey + fmt::Debug, V: fmt::Debug, P: Policy, R: Recorder> fmt::Debug for Table<K, V, P, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
