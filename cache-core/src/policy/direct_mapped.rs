//! One slot per key, by modular index; a new entry displaces the one that lies there.
//!
//! The cheapest policy and the least predictable. A look-up is one multiplication for the remainder's
//! fraction, one for the remainder, and one comparison of keys; no order is kept.

use super::{Departure, Policy, State, TableKey};

/// Puts each key into the slot that its number modulo the capacity names.
#[derive(Clone, Copy, Debug)]
pub struct DirectMapped;

impl Policy for DirectMapped {
    type State<K: TableKey> = DirectMappedState;
}

/// The capacity, and what makes dividing by it cheap.
#[derive(Debug)]
pub struct DirectMappedState {
    capacity: u32,
    /// The fraction 1/capacity in 64 binary places, rounded up. With it the remainder of a 32-bit
    /// number is exact and needs no division (Lemire, Kaser, Kurz: Faster remainder by direct
    /// computation, 2019).
    reciprocal: u64,
}

impl<K: TableKey> State<K> for DirectMappedState {
    fn with_capacity(capacity: usize) -> Self {
        let capacity = u32::try_from(capacity).unwrap_or(u32::MAX);
        let reciprocal = u64::MAX.checked_div(u64::from(capacity)).map_or(0, |floor| floor.wrapping_add(1));
        Self { capacity, reciprocal }
    }

    fn capacity(&self) -> usize {
        self.capacity as usize
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the remainder is below the capacity")]
    fn find(&self, key: K) -> Option<u32> {
        let fraction = self.reciprocal.wrapping_mul(u64::from(key.slot()));
        Some(((u128::from(fraction) * u128::from(self.capacity)) >> 64) as u32)
    }

    #[inline]
    fn touch(&mut self, _slot: u32) {}

    #[inline]
    fn victim(&mut self) -> Option<u32> {
        None
    }

    #[inline]
    fn place(&mut self, key: K) -> Option<u32> {
        if self.capacity == 0 { None } else { self.find(key) }
    }

    #[inline]
    fn remove(&mut self, _key: K, _slot: u32, _why: Departure) {}

    fn forget_keys(&mut self) {}

    fn rename(&mut self, slot: u32, key: K) -> u32 {
        self.find(key).unwrap_or(slot)
    }
}
