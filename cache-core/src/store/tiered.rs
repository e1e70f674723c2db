//! Several stores as one.

use std::sync::{Mutex, PoisonError};

use super::{Claim, Copies, Counters, Found, Store, StoreError, Usage, Verified};
use crate::key::Checksum;
use crate::stats::MissReason;

/// Several stores behind the same trait, the fastest first.
///
/// A request goes down until a tier answers; the tiers it passed are filled with the answer, so that it is
/// found there next time, unless they are only read; where a tier wants its answers told apart from theirs
/// ([`Store::copies`]), in its form. What is put is put into all tiers, in front of such a tier in a form that says on
/// whose answers it may rest; one tier at most is of this kind, the last. A tier that fails is
/// passed over: its error is returned only where no other tier answers, and otherwise kept for
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

    fn count(&self, change: impl FnOnce(&mut Counters)) {
        change(&mut self.counters.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn trouble(&self, error: StoreError) {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner).push(error);
    }

    /// What comes of the copy that a faster tier has of what the one at `depth` gave.
    fn copied<T>(
        &self,
        depth: usize,
        id: &Checksum,
        judge: impl Fn(&dyn Copies, Vec<u8>) -> Option<T>,
    ) -> Option<T> {
        let copies = self.tiers.get(depth)?.copies()?;
        let kept = copies.copy_id(id);
        self.tiers.iter().take(depth).find_map(|faster| match faster.get(&kept) {
            Ok(Found::Hit(copy)) => judge(copies, copy),
            // A tier that cannot be read told so when it was asked for the answer itself.
            Ok(Found::Missing(_)) | Err(_) => None,
        })
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
    fn get(&self, id: &Checksum) -> Result<Found, StoreError> {
        let mut errors = Vec::new();
        let mut reason = MissReason::Absent;
        for (depth, tier) in self.tiers.iter().enumerate() {
            if let Some(payload) = self.copied(depth, id, |copies, copy| copies.original(id, copy)) {
                self.count(|counters| counters.hits += 1);
                return Ok(Found::Hit(payload));
            }
            match tier.get(id) {
                Ok(Found::Hit(payload)) => {
                    let kept = match tier.copies() {
                        Some(copies) => copies.copy(id, &payload).map(|copy| (copies.copy_id(id), copy)),
                        None => Some((*id, payload.clone())),
                    };
                    for (faster, (id, kept)) in
                        self.tiers.iter().take(depth).filter_map(|faster| Some((faster, kept.as_ref()?)))
                    {
                        let filled = faster.put(id, kept);
                        errors.extend(
                            filled.err().filter(|error| !matches!(error, StoreError::ReadOnly { .. })),
                        );
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

    fn is_far(&self) -> bool {
        self.tiers.iter().any(|tier| tier.is_far())
    }

    /// Each tier is told of what the faster ones lack.
    fn prefetch(&self, ids: &[Checksum]) {
        let mut lacking = ids.to_vec();
        for (depth, tier) in self.tiers.iter().enumerate() {
            let has =
                |copies: &dyn Copies, id: &Checksum, copy: &[u8]| copies.may_serve(id, copy).then_some(());
            lacking.retain(|id| self.copied(depth, id, |copies, copy| has(copies, id, &copy)).is_none());
            tier.prefetch(&lacking);
            if depth + 1 < self.tiers.len() {
                lacking.retain(|id| !matches!(tier.get(id), Ok(Found::Hit(_))));
            }
        }
    }

    fn put(&self, id: &Checksum, payload: &[u8]) -> Result<(), StoreError> {
        self.count(|counters| counters.puts += 1);
        let resting = self
            .tiers
            .iter()
            .enumerate()
            .find_map(|(depth, tier)| Some((depth, tier.copies()?.resting(id, payload)?)));
        let mut depth = 0;
        self.each(|tier| {
            let front = resting.as_ref().filter(|(of, _)| depth < *of);
            depth += 1;
            let Some((_, (kept, bytes))) = front else { return tier.put(id, payload) };
            tier.put(kept, bytes)?;
            // What was there would be found first.
            tier.remove(id)
        })
    }

    fn remove(&self, id: &Checksum) -> Result<(), StoreError> {
        let copies = self.tiers.iter().filter_map(|tier| tier.copies()).map(|copies| copies.copy_id(id));
        let ids: Vec<Checksum> = copies.chain([*id]).collect();
        self.each(|tier| ids.iter().try_for_each(|id| tier.remove(id)))
    }

    /// The lease of the first tier that has leases.
    fn claim(&self, id: &Checksum) -> Result<Claim, StoreError> {
        for tier in &self.tiers {
            match tier.claim(id)? {
                Claim::Unsupported => {}
                claim => return Ok(claim),
            }
        }
        Ok(Claim::Unsupported)
    }

    fn flush(&self) -> Result<(), StoreError> {
        self.each(Store::flush)
    }

    fn maintain(&self) -> Result<(), StoreError> {
        self.each(Store::maintain)
    }

    fn finish(&self) -> Result<(), StoreError> {
        self.each(Store::finish)
    }

    fn clean(&self) -> Result<(), StoreError> {
        self.each(Store::clean)
    }

    /// What the tier holds that holds most, of those that say: the others hold copies.
    fn usage(&self) -> Result<Usage, StoreError> {
        let mut most = Usage::default();
        for tier in &self.tiers {
            let usage = tier.usage()?;
            if usage.bytes > most.bytes {
                most = usage;
            }
        }
        Ok(most)
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

    fn signer(&self, id: &Checksum) -> Option<String> {
        self.tiers.iter().find_map(|tier| tier.signer(id))
    }

    /// Those of the one tier that has some.
    fn copies(&self) -> Option<&dyn Copies> {
        self.tiers.iter().find_map(|tier| tier.copies())
    }

    fn take_troubles(&self) -> Vec<StoreError> {
        let mut troubles = std::mem::take(&mut *self.troubles.lock().unwrap_or_else(PoisonError::into_inner));
        for tier in &self.tiers {
            troubles.extend(tier.take_troubles());
        }
        troubles
    }
}
