//! The story: a run is killed, or the machine stops, in the middle of a write. A process with a store
//! dies at every single step that changes a file, half done where the step is a write; the next process
//! must find the store readable, everything that was put before the crash in it, and nothing torn.

use cache_core::store::{DiskStore, Found, Store};
use std::sync::Arc;

use super::faults::Faults;
use super::{files, fresh_folder, id, open, small};

/// Puts entries of all kinds, twice, removes some and maintains, until something fails. Returns the
/// payloads that must be found for sure, and those that may be found.
fn run(store: &DiskStore) -> Vec<(String, Vec<Vec<u8>>)> {
    let mut state: Vec<(String, Vec<Vec<u8>>)> = Vec::new();
    for round in 0..3_u8 {
        for number in 0..16_u8 {
            let name = format!("entry {number}");
            let payload = vec![round * 50 + number; if number % 4 == 3 { 300 } else { 90 }];
            let done = store.put(&id(&name), &payload).is_ok();
            match state.iter_mut().find(|(other, _)| *other == name) {
                None => {
                    // (Never put: absence is right, marked by an empty alternative.)
                    state.push((name, if done { vec![payload] } else { vec![payload, Vec::new()] }));
                }
                Some((_, allowed)) if done => *allowed = vec![payload],
                Some((_, allowed)) => allowed.push(payload),
            }
            if !done {
                return state;
            }
        }
        let name = "entry 5";
        let (_, allowed) = state.iter_mut().find(|(other, _)| other == name).unwrap();
        match store.remove(&id(name)) {
            Ok(()) => *allowed = vec![Vec::new()],
            Err(_) => {
                allowed.push(Vec::new());
                return state;
            }
        }
        if store.maintain().is_err() {
            return state;
        }
    }
    state
}

fn check(store: &DiskStore, state: &[(String, Vec<Vec<u8>>)], crash: u64) {
    for (name, allowed) in state {
        let found = match store.get(&id(name)).unwrap() {
            Found::Hit(payload) => payload,
            Found::Missing(_) => Vec::new(),
        };
        assert!(
            allowed.contains(&found),
            "crash at step {crash}: {name} is {found:?}, not among {allowed:?}"
        );
    }
}

#[test]
fn a_crash_at_any_step_loses_nothing_that_was_put_and_serves_nothing_torn() {
    // Few bytes per pack, so that packs end, get indexes and are merged.
    let options = small().pack_bytes(700);
    let mut crash = 1;
    loop {
        let folder = fresh_folder();
        let large = folder.path().join("cache/large");
        let faults = Faults::crash_at(crash);
        let opened = DiskStore::open_on(Arc::clone(&faults) as Arc<_>, folder.path().join("cache"), options);
        let Ok(store) = opened else {
            crash += 1;
            continue;
        };
        let state = run(&store);
        drop(store);
        let store = open(&folder);
        check(&store, &state, crash);
        // What the crash left does not stand in the way of the next run and is swept up by it.
        store.put(&id("afterwards"), b"after").unwrap();
        store.maintain().unwrap();
        assert!(files(&folder, "packs", ".part").is_empty());
        assert!(!large.is_dir() || files(&folder, "large", ".part").is_empty());
        check(&store, &state, crash);
        check(&open(&folder), &state, crash);
        assert_eq!(open(&folder).get(&id("afterwards")).unwrap(), Found::Hit(b"after".to_vec()));
        if faults.steps() < crash {
            break;
        }
        crash += 1;
    }
    assert!(crash > 100, "the run has {crash} steps, too few to mean anything");
}

#[test]
fn a_crash_at_any_step_of_trimming_loses_no_live_entry_and_serves_nothing_torn() {
    let unbounded = small().pack_bytes(1500);
    let bounded = unbounded.bound(9_000);
    let payload = |number: u8| vec![number; if number % 10 == 9 { 300 } else { 50 }];
    let mut crash = 1;
    loop {
        let folder = fresh_folder();
        let path = folder.path().join("cache");
        let store = DiskStore::open(&path, unbounded).unwrap();
        for number in 0..100 {
            store.put(&id(&number.to_string()), &payload(number)).unwrap();
        }
        // The odd ones are put again, so that every pack has losses and survivors.
        for number in (1..100).step_by(2) {
            store.put(&id(&number.to_string()), &payload(number)).unwrap();
        }
        drop(store);
        let faults = Faults::crash_at(crash);
        let store = DiskStore::open_on(Arc::clone(&faults) as Arc<_>, &path, bounded).unwrap();
        let _ = store.maintain();
        drop(store);

        let store = DiskStore::open(&path, bounded).unwrap();
        let mut found = 0;
        for number in 0..100 {
            match store.get(&id(&number.to_string())).unwrap() {
                Found::Hit(hit) => {
                    assert_eq!(hit, payload(number), "crash at step {crash}");
                    found += 1;
                }
                // Those that were put last are to stay.
                Found::Missing(_) => assert!(number < 90 || number % 2 == 0, "{number} lost at step {crash}"),
            }
        }
        assert!(found >= 20, "only {found} left after a crash at step {crash}");
        assert_eq!(store.verify().unwrap().damaged, 0);
        store.maintain().unwrap();
        assert!(store.usage().unwrap().bytes <= 9_000);
        if faults.steps() < crash {
            break;
        }
        crash += 1;
    }
    assert!(crash > 20, "trimming has {crash} steps, too few to mean anything");
}

#[test]
fn a_torn_tail_is_dropped_and_the_rest_is_read() {
    let folder = fresh_folder();
    let store = open(&folder);
    store.put(&id("whole"), &[1; 50]).unwrap();
    store.put(&id("torn"), &[2; 50]).unwrap();
    drop(store);
    let pack = files(&folder, "packs", ".pack").pop().unwrap();
    let bytes = std::fs::read(&pack).unwrap();
    std::fs::write(&pack, &bytes[..bytes.len() - 20]).unwrap();
    let store = open(&folder);
    assert_eq!(store.get(&id("whole")).unwrap(), Found::Hit(vec![1; 50]));
    assert!(matches!(store.get(&id("torn")).unwrap(), Found::Missing(_)));
    assert_eq!(store.verify().unwrap().damaged, 1);
    store.put(&id("torn"), &[3; 50]).unwrap();
    assert_eq!(open(&folder).get(&id("torn")).unwrap(), Found::Hit(vec![3; 50]));
}
