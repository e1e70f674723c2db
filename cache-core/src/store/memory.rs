//! A store in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Counters, Found, MAX_PAYLOAD, Store, StoreError, Usage, Verified};
use crate::digest::{Confirm, Digest};
use crate::key::Checksum;
use crate::stats::MissReason;

/// A store that lives as long as its process: the faster tier of a service, and the one for tests.
///
/// ```
/// use cache_core::digest::{Confirm, Digest};
/// use cache_core::store::{Found, MemoryStore, Store};
/// use cache_core::key::Checksum;
/// let store = MemoryStore::new();
/// let id = Checksum { digest: Digest::of(b"2 + 2"), confirm: Confirm::of(b"2 + 2") };
/// store.put(&id, b"4")?;
/// assert_eq!(store.get(&id)?, Found::Hit(b"4".to_vec()));
/// # Ok::<(), cache_core::store::StoreError>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryStore {
    inner: Mutex<Inner>,
    bound: Option<u64>,
}

#[derive(Debug, Default)]
struct Inner {
    entries: BTreeMap<Digest, Slot>,
    /// Payload bytes of all entries.
    bytes: u64,
    /// Counts uses; the next use's number.
    clock: u64,
    counters: Counters,
}

#[derive(Debug)]
struct Slot {
    confirm: Confirm,
    payload: Vec<u8>,
    used: u64,
}

impl MemoryStore {
    /// A store that grows as it is filled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A store that [`Store::maintain`] trims to 70 % once its payloads exceed `bytes`.
    #[must_use]
    pub fn bounded(bytes: u64) -> Self {
        Self { bound: Some(bytes), ..Self::default() }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Every change below leaves the map whole at each step, so a panic elsewhere does no harm.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn get(&self, id: &Checksum) -> Result<Found, StoreError> {
        let mut guard = self.inner();
        let Inner { entries, clock, counters, .. } = &mut *guard;
        Ok(match entries.get_mut(&id.digest) {
            Some(slot) if slot.confirm == id.confirm => {
                *clock += 1;
                slot.used = *clock;
                counters.hits += 1;
                Found::Hit(slot.payload.clone())
            }
            other => {
                let reason = if other.is_some() { MissReason::Unconfirmed } else { MissReason::Absent };
                counters.miss(reason);
                Found::Missing(reason)
            }
        })
    }

    fn put(&self, id: &Checksum, payload: &[u8]) -> Result<(), StoreError> {
        if payload.len() > MAX_PAYLOAD {
            return Err(StoreError::TooLarge { length: payload.len() });
        }
        let mut inner = self.inner();
        inner.clock += 1;
        let slot = Slot { confirm: id.confirm, payload: payload.to_vec(), used: inner.clock };
        inner.bytes += payload.len() as u64;
        if let Some(old) = inner.entries.insert(id.digest, slot) {
            inner.bytes -= old.payload.len() as u64;
        }
        inner.counters.puts += 1;
        Ok(())
    }

    fn remove(&self, id: &Checksum) -> Result<(), StoreError> {
        let mut inner = self.inner();
        if let Some(old) = inner.entries.remove(&id.digest) {
            inner.bytes -= old.payload.len() as u64;
        }
        Ok(())
    }

    fn maintain(&self) -> Result<(), StoreError> {
        let mut inner = self.inner();
        let Some(bound) = self.bound.filter(|bound| inner.bytes > *bound) else { return Ok(()) };
        let room = super::trimmed_size(bound);
        let mut by_use: Vec<(u64, Digest)> =
            inner.entries.iter().map(|(digest, slot)| (slot.used, *digest)).collect();
        by_use.sort_unstable();
        for (_, digest) in by_use {
            if inner.bytes <= room {
                break;
            }
            if let Some(old) = inner.entries.remove(&digest) {
                inner.bytes -= old.payload.len() as u64;
                inner.counters.evicted += 1;
            }
        }
        Ok(())
    }

    fn clean(&self) -> Result<(), StoreError> {
        let mut inner = self.inner();
        inner.entries.clear();
        inner.bytes = 0;
        Ok(())
    }

    fn usage(&self) -> Result<Usage, StoreError> {
        let inner = self.inner();
        Ok(Usage { entries: inner.entries.len() as u64, bytes: inner.bytes, ..Usage::default() })
    }

    fn verify(&self) -> Result<Verified, StoreError> {
        Ok(Verified { whole: self.inner().entries.len() as u64, ..Verified::default() })
    }

    fn counters(&self) -> Counters {
        self.inner().counters.clone()
    }
}
