//! No bound: nothing ever leaves for room.

use super::index::{Index, MOST_SLOTS};
use super::{Departure, Policy, State, TableKey};

/// Keeps everything. The capacity that the table is given is ignored.
#[derive(Clone, Copy, Debug)]
pub struct Unbounded;

impl Policy for Unbounded {
    type State<K: TableKey> = UnboundedState<K>;
}

/// A hash map from keys to slots.
#[derive(Debug)]
pub struct UnboundedState<K>(Index<K>);

impl<K: TableKey> State<K> for UnboundedState<K> {
    fn with_capacity(_capacity: usize) -> Self {
        Self(Index::new())
    }

    fn capacity(&self) -> usize {
        MOST_SLOTS
    }

    #[inline]
    fn find(&self, key: K) -> Option<u32> {
        self.0.find(key)
    }

    #[inline]
    fn touch(&mut self, _slot: u32) {}

    fn victim(&mut self) -> Option<u32> {
        None
    }

    fn place(&mut self, key: K) -> Option<u32> {
        self.0.place(key)
    }

    fn remove(&mut self, key: K, slot: u32, _why: Departure) {
        self.0.remove(key, slot);
    }

    fn forget_keys(&mut self) {
        self.0.forget_keys();
    }

    fn rename(&mut self, slot: u32, key: K) -> u32 {
        self.0.rename(slot, key);
        slot
    }
}
