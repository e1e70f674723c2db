//! Tiers: who answers, who is filled, and what a failing tier costs.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cache_core::key::Checksum;
use cache_core::stats::MissReason;
use cache_core::store::{Counters, Found, MemoryStore, Store, StoreError, Tiered, Usage, Verified};

use super::{hit, id};

/// A tier that is out of order.
struct Broken;

fn broken<T>() -> Result<T, StoreError> {
    Err(StoreError::Unreadable { path: PathBuf::from("broken"), source: io::Error::other("out of order") })
}

impl Store for Broken {
    fn get(&self, _: &Checksum) -> Result<Found, StoreError> {
        broken()
    }
    fn put(&self, _: &Checksum, _: &[u8]) -> Result<(), StoreError> {
        broken()
    }
    fn remove(&self, _: &Checksum) -> Result<(), StoreError> {
        broken()
    }
    fn clean(&self) -> Result<(), StoreError> {
        broken()
    }
    fn usage(&self) -> Result<Usage, StoreError> {
        broken()
    }
    fn verify(&self) -> Result<Verified, StoreError> {
        broken()
    }
    fn counters(&self) -> Counters {
        Counters { damaged: 2, evicted: 3, ..Counters::default() }
    }
}

#[test]
fn a_hit_in_a_slower_tier_fills_the_faster_ones() {
    let [fast, middle, slow] = [(); 3].map(|()| Arc::new(MemoryStore::new()));
    slow.put(&id("a"), b"1").unwrap();
    let tiers = [&fast, &middle, &slow].map(|tier| Box::new(Arc::clone(tier)) as Box<dyn Store>);
    let store = Tiered::new(tiers.into());
    assert_eq!(store.get(&id("a")).unwrap(), hit("1"));
    assert_eq!(fast.get(&id("a")).unwrap(), hit("1"));
    assert_eq!(middle.get(&id("a")).unwrap(), hit("1"));
    let asked_of_slow = slow.counters().hits;
    assert_eq!(store.get(&id("a")).unwrap(), hit("1"));
    assert_eq!(slow.counters().hits, asked_of_slow);
    assert_eq!(store.counters().hits, 2);
}

#[test]
fn what_is_put_or_removed_is_so_in_every_tier() {
    let [fast, slow] = [(); 2].map(|()| Arc::new(MemoryStore::new()));
    let tiers = [&fast, &slow].map(|tier| Box::new(Arc::clone(tier)) as Box<dyn Store>);
    let store = Tiered::new(tiers.into());
    store.put(&id("a"), b"1").unwrap();
    assert_eq!((fast.get(&id("a")).unwrap(), slow.get(&id("a")).unwrap()), (hit("1"), hit("1")));
    store.remove(&id("a")).unwrap();
    assert_eq!(fast.get(&id("a")).unwrap(), Found::Missing(MissReason::Absent));
    assert_eq!(slow.get(&id("a")).unwrap(), Found::Missing(MissReason::Absent));
    assert_eq!(store.get(&id("a")).unwrap(), Found::Missing(MissReason::Absent));
}

#[test]
fn a_failing_tier_is_passed_over_where_another_answers() {
    let good = MemoryStore::new();
    good.put(&id("a"), b"1").unwrap();
    let store = Tiered::new(vec![Box::new(Broken), Box::new(good)]);
    assert_eq!(store.get(&id("a")).unwrap(), hit("1"));
    // It could neither be asked nor filled.
    assert_eq!(store.take_troubles().len(), 2);
    assert_eq!(store.take_troubles().len(), 0);
    // Where no tier answers, the error is the caller's.
    let error = store.get(&id("b")).unwrap_err().to_string();
    assert!(error.contains("broken") && error.contains("out of order"), "{error}");
    assert_eq!(store.counters().misses[&MissReason::Unreachable], 1);
    // A put reaches the tier that works, and says that one does not.
    assert!(store.put(&id("c"), b"3").is_err());
    assert_eq!(store.get(&id("c")).unwrap(), hit("3"));
}

/// A store that others share.
struct Far(MemoryStore);

impl Store for Far {
    fn get(&self, id: &Checksum) -> Result<Found, StoreError> {
        self.0.get(id)
    }
    fn is_far(&self) -> bool {
        true
    }
    fn put(&self, id: &Checksum, payload: &[u8]) -> Result<(), StoreError> {
        self.0.put(id, payload)
    }
    fn remove(&self, id: &Checksum) -> Result<(), StoreError> {
        self.0.remove(id)
    }
    fn clean(&self) -> Result<(), StoreError> {
        self.0.clean()
    }
    fn usage(&self) -> Result<Usage, StoreError> {
        self.0.usage()
    }
    fn verify(&self) -> Result<Verified, StoreError> {
        Ok(Verified { whole: 1, damaged: 2, foreign_files: 3 })
    }
    fn counters(&self) -> Counters {
        self.0.counters()
    }
}

#[test]
fn tiers_are_far_where_one_of_them_is() {
    let near = || Box::new(MemoryStore::new()) as Box<dyn Store>;
    assert!(!Tiered::new(vec![near(), near()]).is_far());
    assert!(Tiered::new(vec![near(), Box::new(Far(MemoryStore::new()))]).is_far());
    assert!(Arc::new(Far(MemoryStore::new())).is_far() && !Arc::new(MemoryStore::new()).is_far());
}

#[test]
fn what_tiers_lost_is_counted_together() {
    let counters =
        Tiered::new(vec![Box::new(Broken), Box::new(MemoryStore::new()), Box::new(Broken)]).counters();
    assert_eq!((counters.damaged, counters.evicted), (4, 6));
}

#[test]
fn tiers_are_verified_and_cleaned_together() {
    let [fast, slow] = [(); 2].map(|()| Arc::new(MemoryStore::new()));
    fast.put(&id("a"), b"1").unwrap();
    slow.put(&id("a"), b"1").unwrap();
    let far = Far(MemoryStore::new());
    let store = Tiered::new(vec![Box::new(Arc::clone(&fast)), Box::new(far), Box::new(Arc::clone(&slow))]);
    assert_eq!(store.verify().unwrap(), Verified { whole: 3, damaged: 2, foreign_files: 3 });
    let store = Tiered::new(vec![Box::new(Far(MemoryStore::new())), Box::new(Far(MemoryStore::new()))]);
    assert_eq!(store.verify().unwrap(), Verified { whole: 2, damaged: 4, foreign_files: 6 });
    let store = Tiered::new(vec![Box::new(Arc::clone(&fast)), Box::new(Arc::clone(&slow))]);
    store.clean().unwrap();
    assert_eq!((fast.usage().unwrap().entries, slow.usage().unwrap().entries), (0, 0));
}

/// A store that counts how often it was told to write what waits, and to make room.
#[derive(Default)]
struct Told {
    flushed: AtomicU32,
    maintained: AtomicU32,
    bytes: u64,
}

impl Store for Told {
    fn get(&self, _: &Checksum) -> Result<Found, StoreError> {
        Ok(Found::Missing(MissReason::Absent))
    }
    fn put(&self, _: &Checksum, _: &[u8]) -> Result<(), StoreError> {
        Ok(())
    }
    fn remove(&self, _: &Checksum) -> Result<(), StoreError> {
        Ok(())
    }
    fn flush(&self) -> Result<(), StoreError> {
        self.flushed.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
    fn maintain(&self) -> Result<(), StoreError> {
        self.maintained.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
    fn clean(&self) -> Result<(), StoreError> {
        Ok(())
    }
    fn usage(&self) -> Result<Usage, StoreError> {
        Ok(Usage { entries: 1, bytes: self.bytes, ..Usage::default() })
    }
    fn verify(&self) -> Result<Verified, StoreError> {
        Ok(Verified::default())
    }
    fn counters(&self) -> Counters {
        Counters::default()
    }
}

#[test]
fn tiers_are_written_and_kept_small_together_and_the_fullest_says_what_is_there() {
    let tiers = [3, 7, 5].map(|bytes| Arc::new(Told { bytes, ..Told::default() }));
    let store = Tiered::new(tiers.iter().map(|tier| Box::new(Arc::clone(tier)) as Box<dyn Store>).collect());
    store.flush().unwrap();
    store.maintain().unwrap();
    for tier in &tiers {
        let told = (tier.flushed.load(Ordering::Relaxed), tier.maintained.load(Ordering::Relaxed));
        assert_eq!(told, (1, 1));
    }
    assert_eq!(store.usage().unwrap().bytes, 7);
    // A tier that fails does not keep the others from it.
    let store = Tiered::new(vec![Box::new(Broken), Box::new(Arc::clone(&tiers[0]))]);
    assert!(store.usage().is_err());
}
