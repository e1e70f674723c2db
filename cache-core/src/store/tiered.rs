//! Several stores as one.

use std::sync::{Mutex, PoisonError};

use super::{Counters, EntryId, Found, Store, StoreError, Usage, Verified};
use crate::stats::MissReason;

/// Several stores behind the same trait, the fastest first.
///
/// A request goes down until a tier answers; the tiers it passed are filled with the answer, so that it
/// is found there next time. What is put is put into all tiers. A tier that fails is passed over: its
/// error is returned only where no other tier answers, and otherwise kept for
/// [`Store::take_troubles`].
pub struct Tiered {
    tiers: Vec<Box<dyn Store>>,
    counters: Mutex<Counters>,
    troubles: Mutex<Vec<StoreError>>,
}

impl Tiered {
    /// The tiers as one store, the fastest first.
    #[must_use]
    pub fn new(tiers: Vec<Box<dyn Store>>) -> Self {
        Self { tiers, counters: Mutex::default(), troubles: Mutex::default() }
    }

    /// The tiers, the fastest first; for statistics by tier.
    #[must_use]
    pub fn tiers(&self) -> &[Box<dyn Store>] {
        &self.tiers
    }

    fn count(&self, change: impl FnOnce(&mut Counters)) {
        change(&mut self.counters.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn trouble(&self, error: StoreError) {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner).push(error);
    }

    /// Does something to every tier, whether others fail or not; returns the first error and keeps the
    /// others as troubles.
    fn each(
        &self,
        mut act: impl FnMut(&(dyn Store + 'static)) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut first = None;
        for tier in &self.tiers {
            if let Err(error) = act(tier.as_ref()) {
                match &first {
                    None => first = Some(error),
                    Some(_) => self.trouble(error),
                }
            }
        }
        first.map_or(Ok(()), Err)
    }
}

impl Store for Tiered {
    fn get(&self, id: &EntryId) -> Result<Found, StoreError> {
        let mut errors = Vec::new();
        let mut reason = MissReason::Absent;
        for (depth, tier) in self.tiers.iter().enumerate() {
            match tier.get(id) {
                Ok(Found::Hit(payload)) => {
                    for faster in self.tiers.iter().take(depth) {
                        errors.extend(faster.put(id, &payload).err());
                    }
                    for error in errors {
                        self.trouble(error);
                    }
                    self.count(|counters| counters.hits += 1);
                    return Ok(Found::Hit(payload));
                }
                // The reason that says most is kept: plain absence from a faster tier says nothing.
                Ok(Found::Missing(MissReason::Absent)) => {}
                Ok(Found::Missing(other)) => reason = other,
                Err(error) => errors.push(error),
            }
        }
        let mut errors = errors.into_iter();
        let first = errors.next();
        for error in errors {
            self.trouble(error);
        }
        match first {
            Some(error) => {
                self.count(|counters| counters.miss(MissReason::Unreachable));
                Err(error)
            }
            None => {
                self.count(|counters| counters.miss(reason));
                Ok(Found::Missing(reason))
            }
        }
    }

    fn put(&self, id: &EntryId, payload: &[u8]) -> Result<(), StoreError> {
        self.count(|counters| counters.puts += 1);
        self.each(|tier| tier.put(id, payload))
    }

    fn remove(&self, id: &EntryId) -> Result<(), StoreError> {
        self.each(|tier| tier.remove(id))
    }

    fn flush(&self) -> Result<(), StoreError> {
        self.each(Store::flush)
    }

    fn maintain(&self) -> Result<(), StoreError> {
        self.each(Store::maintain)
    }

    fn clean(&self) -> Result<(), StoreError> {
        self.each(Store::clean)
    }

    /// What the last tier holds: the faster ones hold copies.
    fn usage(&self) -> Result<Usage, StoreError> {
        self.tiers.last().map_or_else(|| Ok(Usage::default()), |tier| tier.usage())
    }

    fn verify(&self) -> Result<Verified, StoreError> {
        let mut sum = Verified::default();
        for tier in &self.tiers {
            sum += tier.verify()?;
        }
        Ok(sum)
    }

    /// What was asked of the tiers together; `damaged` and `evicted` are sums over the tiers.
    fn counters(&self) -> Counters {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for tier in &self.tiers {
            let of_tier = tier.counters();
            counters.damaged += of_tier.damaged;
            counters.evicted += of_tier.evicted;
        }
        counters
    }

    fn take_troubles(&self) -> Vec<StoreError> {
        let mut troubles = std::mem::take(&mut *self.troubles.lock().unwrap_or_else(PoisonError::into_inner));
        for tier in &self.tiers {
            troubles.extend(tier.take_troubles());
        }
        troubles
    }
}
