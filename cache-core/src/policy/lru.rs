//! Least recently used: the entry that was not served for longest leaves.
//!
//! A hash map finds the slot; a doubly linked list keeps slots in the exact order of their last use,
//! an insertion being a use. Each operation is O(1).

use super::index::{Index, MOST_SLOTS};
use super::list::{Links, List};
use super::{Departure, Policy, State, TableKey};

/// Gives up the entry that was not served for longest.
#[derive(Clone, Copy, Debug)]
pub struct Lru;

impl Policy for Lru {
    type State<K: TableKey> = LruState<K>;
}

/// Where keys lie, and slots by last use.
#[derive(Debug)]
pub struct LruState<K> {
    capacity: usize,
    index: Index<K>,
    links: Links,
    /// The most recently used in front.
    uses: List,
}

impl<K: TableKey> State<K> for LruState<K> {
    fn with_capacity(capacity: usize) -> Self {
        Self {
            capacity: capacity.min(MOST_SLOTS),
            index: Index::new(),
            links: Links::default(),
            uses: List::new(),
        }
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    #[inline]
    fn find(&self, key: K) -> Option<u32> {
        self.index.find(key)
    }

    #[inline]
    fn touch(&mut self, slot: u32) {
        self.uses.move_to_front(&mut self.links, slot);
    }

    fn victim(&mut self) -> Option<u32> {
        if self.uses.len() < self.capacity { None } else { self.uses.back() }
    }

    fn place(&mut self, key: K) -> Option<u32> {
        if self.capacity == 0 {
            return None;
        }
        let slot = self.index.place(key)?;
        self.uses.push_front(&mut self.links, slot);
        Some(slot)
    }

    fn remove(&mut self, key: K, slot: u32, _why: Departure) {
        self.index.remove(key, slot);
        self.uses.remove(&mut self.links, slot);
    }

    fn forget_keys(&mut self) {
        self.index.forget_keys();
    }

    fn rename(&mut self, slot: u32, key: K) -> u32 {
        self.index.rename(slot, key);
        slot
    }
}
