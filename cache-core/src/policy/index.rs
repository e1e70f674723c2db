//! Where keys lie, for the policies that search by hash: a map from keys to slots, and the free slots.

use rustc_hash::FxHashMap;

use super::TableKey;

/// The most slots a table can have: one number is kept as "no slot".
pub(super) const MOST_SLOTS: usize = u32::MAX as usize;

/// A map from keys to slots. Its order is never looked at.
#[derive(Debug)]
pub(super) struct Index<K> {
    slots: FxHashMap<K, u32>,
    free: Vec<u32>,
    /// The first slot that was never used.
    fresh: u32,
}

impl<K: TableKey> Index<K> {
    pub(super) fn new() -> Self {
        Self { slots: FxHashMap::default(), free: Vec::new(), fresh: 0 }
    }

    #[inline]
    pub(super) fn find(&self, key: K) -> Option<u32> {
        self.slots.get(&key).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Gives `key` a free slot; `None` if there is none.
    pub(super) fn place(&mut self, key: K) -> Option<u32> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None if self.fresh < u32::MAX => {
                self.fresh += 1;
                self.fresh - 1
            }
            None => return None,
        };
        self.slots.insert(key, slot);
        Some(slot)
    }

    pub(super) fn remove(&mut self, key: K, slot: u32) {
        self.slots.remove(&key);
        self.free.push(slot);
    }

    pub(super) fn forget_keys(&mut self) {
        self.slots.clear();
    }

    pub(super) fn rename(&mut self, slot: u32, key: K) {
        self.slots.insert(key, slot);
    }
}
