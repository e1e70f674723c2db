//! The store in memory, and what it does at its bound.

use cache_core::digest::Confirm;
use cache_core::key::Checksum;
use cache_core::stats::MissReason;
use cache_core::store::{Found, MemoryStore, Store};

use super::{hit, id};

#[test]
fn what_was_put_last_is_found() {
    let store = MemoryStore::new();
    assert_eq!(store.get(&id("a")).unwrap(), Found::Missing(MissReason::Absent));
    store.put(&id("a"), b"1").unwrap();
    store.put(&id("a"), b"22").unwrap();
    assert_eq!(store.get(&id("a")).unwrap(), hit("22"));
    assert_eq!(store.usage().unwrap().bytes, 2);
    store.remove(&id("a")).unwrap();
    assert_eq!(store.get(&id("a")).unwrap(), Found::Missing(MissReason::Absent));
    assert_eq!(store.usage().unwrap().entries, 0);
}

#[test]
fn an_entry_with_another_confirming_digest_is_not_given() {
    let store = MemoryStore::new();
    store.put(&id("a"), b"1").unwrap();
    let collision = Checksum { confirm: Confirm::of(b"b"), ..id("a") };
    assert_eq!(store.get(&collision).unwrap(), Found::Missing(MissReason::Unconfirmed));
    let counters = store.counters();
    assert_eq!((counters.hits, counters.missed()), (0, 1));
    store.get(&id("b")).unwrap();
    assert_eq!(store.counters().missed(), 2, "for two reasons");
}

#[test]
fn room_is_made_only_by_maintenance_and_what_was_used_longest_ago_goes_first() {
    let store = MemoryStore::bounded(100);
    for name in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"] {
        store.put(&id(name), &[0; 10]).unwrap();
    }
    assert_eq!(store.get(&id("a")).unwrap(), hit([0; 10]));
    assert_eq!(store.usage().unwrap().entries, 11);
    store.maintain().unwrap();
    assert_eq!(store.usage().unwrap().bytes, 70);
    assert_eq!(store.get(&id("a")).unwrap(), hit([0; 10]));
    assert_eq!(store.get(&id("b")).unwrap(), Found::Missing(MissReason::Absent));
    assert_eq!(store.get(&id("e")).unwrap(), Found::Missing(MissReason::Absent));
    assert_eq!(store.get(&id("f")).unwrap(), hit([0; 10]));
    assert_eq!(store.counters().evicted, 4);
}

#[test]
fn bytes_of_what_was_removed_or_replaced_are_no_longer_counted() {
    let store = MemoryStore::new();
    for (name, length) in [("a", 10), ("b", 20), ("c", 30)] {
        store.put(&id(name), &vec![0; length]).unwrap();
    }
    store.remove(&id("b")).unwrap();
    assert_eq!(store.usage().unwrap().bytes, 40);
    store.put(&id("c"), &[0; 5]).unwrap();
    store.remove(&id("nothing")).unwrap();
    assert_eq!(store.usage().unwrap().bytes, 15);
}
