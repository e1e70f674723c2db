//! Making room: when, how much, and who goes first.

use cache_core::stats::MissReason;
use cache_core::store::{DiskOptions, DiskStore, Found, Store};

use super::{fresh_folder, hit, id};

const BOUND: u64 = 40_000;

fn bounded(folder: &tempfile::TempDir) -> DiskStore {
    let options = DiskOptions::default().bound(BOUND).large_from(2000).pack_bytes(8000);
    DiskStore::open(folder.path().join("cache"), options).unwrap()
}

#[test]
fn room_is_made_only_by_maintenance_and_the_oldest_go_first() {
    let folder = fresh_folder();
    let store = bounded(&folder);
    for number in 0..500 {
        store.put(&id(&number.to_string()), &[1; 100]).unwrap();
    }
    assert!(store.usage().unwrap().bytes > BOUND);
    assert_eq!(store.get(&id("0")).unwrap(), hit([1; 100]));
    store.maintain().unwrap();
    assert!(store.usage().unwrap().bytes <= BOUND * 7 / 10);
    let usage = store.usage().unwrap();
    assert!(usage.bytes > BOUND / 2, "{usage:?}");
    let found: Vec<bool> =
        (0..500).map(|number| store.get(&id(&number.to_string())).unwrap() == hit([1; 100])).collect();
    let first = found.iter().position(|found| *found).unwrap();
    assert!(found[first..].iter().all(|found| *found), "what stays is what was put last");
    assert_eq!(store.counters().evicted, first as u64);
    assert_eq!(store.verify().unwrap().damaged, 0);
    assert_eq!(bounded(&folder).get(&id("499")).unwrap(), hit([1; 100]));
}

#[test]
fn what_fits_exactly_stays() {
    let folder = fresh_folder();
    let bounded = |bound| {
        let options = DiskOptions::default().bound(bound).large_from(2000).pack_bytes(8000);
        DiskStore::open(folder.path().join("cache"), options).unwrap()
    };
    let store = bounded(None);
    for number in 0..100 {
        store.put(&id(&number.to_string()), &[1; 100]).unwrap();
    }
    // The first time makes indexes.
    store.maintain().unwrap();
    drop(store);
    let store = bounded(None);
    store.maintain().unwrap();
    let bytes = store.usage().unwrap().bytes;
    drop(store);
    let store = bounded(Some(bytes));
    store.maintain().unwrap();
    assert_eq!((store.counters().evicted, store.usage().unwrap().bytes), (0, bytes));
}

#[test]
fn what_is_used_stays() {
    let folder = fresh_folder();
    for run in 0..40 {
        let store = bounded(&folder);
        if run > 0 {
            assert_eq!(store.get(&id("used in every run")).unwrap(), hit([9; 50]), "run {run}");
        } else {
            store.put(&id("used in every run"), &[9; 50]).unwrap();
        }
        for number in 0..40 {
            store.put(&id(&format!("{run} {number}")), &[1; 100]).unwrap();
        }
        store.maintain().unwrap();
        assert!(store.usage().unwrap().bytes <= BOUND);
    }
    let store = bounded(&folder);
    assert_eq!(store.get(&id("0 0")).unwrap(), Found::Missing(MissReason::Absent));
}

#[test]
fn files_of_their_own_are_trimmed_too() {
    let folder = fresh_folder();
    let store = bounded(&folder);
    for number in 0..20 {
        store.put(&id(&number.to_string()), &[number; 4000]).unwrap();
    }
    store.maintain().unwrap();
    assert!(store.usage().unwrap().bytes <= BOUND * 7 / 10);
    let usage = store.usage().unwrap();
    assert!(usage.bytes > BOUND / 2, "{usage:?}");
    assert_eq!(store.get(&id("0")).unwrap(), Found::Missing(MissReason::Absent));
    assert_eq!(store.get(&id("19")).unwrap(), hit([19; 4000]));
    assert_eq!(store.verify().unwrap().whole, usage.entries);
}

#[test]
fn who_is_writing_is_not_disturbed_by_trimming() {
    let folder = fresh_folder();
    let (writer, other) = (bounded(&folder), bounded(&folder));
    for number in 0..30 {
        writer.put(&id(&format!("w{number}")), &[2; 100]).unwrap();
    }
    for number in 0..500 {
        other.put(&id(&number.to_string()), &[1; 100]).unwrap();
    }
    other.maintain().unwrap();
    writer.put(&id("w30"), &[2; 100]).unwrap();
    for number in 0..31 {
        assert_eq!(bounded(&folder).get(&id(&format!("w{number}"))).unwrap(), hit([2; 100]));
        assert_eq!(writer.get(&id(&format!("w{number}"))).unwrap(), hit([2; 100]));
    }
}

#[test]
fn one_process_at_a_time_makes_room_and_nobody_waits() {
    let folder = fresh_folder();
    let store = bounded(&folder);
    for number in 0..500 {
        store.put(&id(&number.to_string()), &[1; 100]).unwrap();
    }
    let lock = std::fs::File::create(folder.path().join("cache/maintenance")).unwrap();
    lock.lock().unwrap();
    store.maintain().unwrap();
    assert_eq!(store.counters().evicted, 0);
    assert!(store.clean().unwrap_err().to_string().contains("maintained by another process"));
    drop(lock);
    store.maintain().unwrap();
    assert!(store.counters().evicted > 0);
}
