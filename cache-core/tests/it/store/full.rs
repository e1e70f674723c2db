//! The story: the disk fills up in the middle of a run. What was put before stays readable, the error
//! names the place and the way out, and once there is room again writing goes on.

use cache_core::store::{DiskStore, Found, Store, StoreError};
use std::sync::Arc;

use super::faults::Faults;
use super::{fresh_folder, hit, id, open, open_on, small};

#[test]
fn a_full_disk_is_an_error_with_place_and_way_out_and_loses_nothing() {
    for payload in [vec![1; 100], vec![1; 1000]] {
        // However little of the next write fits.
        for room in (0..payload.len() + 40).step_by(1 + payload.len() / 100) {
            let folder = fresh_folder();
            let faults = Faults::new();
            let store = open_on(&faults, &folder);
            store.put(&id("before"), &payload).unwrap();
            faults.leave_room(Some(room as u64));
            let error = store.put(&id("too much"), &payload).unwrap_err();
            assert!(matches!(error, StoreError::Full { .. }), "{error}");
            let message = error.to_string();
            let place = folder.path().join("cache");
            assert!(message.contains(place.to_str().unwrap()), "{message}");
            assert!(message.contains("free some") && message.contains("clean"), "{message}");
            assert_eq!(store.get(&id("before")).unwrap(), hit(payload.clone()));
            assert!(matches!(store.get(&id("too much")).unwrap(), Found::Missing(_)));
            assert_eq!(open(&folder).get(&id("before")).unwrap(), hit(payload.clone()));
            faults.leave_room(None);
            store.put(&id("after"), &payload).unwrap();
            let reader = open(&folder);
            assert_eq!(reader.get(&id("after")).unwrap(), hit(payload.clone()));
            assert_eq!(reader.get(&id("before")).unwrap(), hit(payload.clone()));
            assert_eq!(reader.verify().unwrap().damaged, 0);
        }
    }
}

#[test]
fn after_a_failed_put_the_id_holds_what_it_held_before() {
    let folder = fresh_folder();
    let faults = Faults::new();
    let store = open_on(&faults, &folder);
    store.put(&id("small"), b"old").unwrap();
    store.put(&id("large"), &[1; 500]).unwrap();
    faults.leave_room(Some(30));
    assert!(store.put(&id("small"), b"new").is_err());
    assert!(store.put(&id("large"), &[2; 500]).is_err());
    for store in [&store, &open(&folder)] {
        assert_eq!(store.get(&id("small")).unwrap(), hit("old"));
        assert_eq!(store.get(&id("large")).unwrap(), hit([1; 500]));
    }
}

#[test]
fn trimming_on_a_full_disk_fails_softly_or_makes_room() {
    let folder = fresh_folder();
    let options = small().bound(20_000).pack_bytes(4000);
    let faults = Faults::new();
    let path = folder.path().join("cache");
    let store = DiskStore::open_on(Arc::clone(&faults) as Arc<_>, &path, options).unwrap();
    for number in 0..200 {
        store.put(&id(&number.to_string()), &[1; 100]).unwrap();
    }
    faults.leave_room(Some(0));
    // Packs that lose everything go without needing room.
    let before = store.usage().unwrap().bytes;
    for _ in 0..10_000 {
        let _ = store.maintain();
        if store.usage().unwrap().bytes < before {
            break;
        }
    }
    assert!(store.usage().unwrap().bytes < before);
    for number in 180..200 {
        assert_eq!(store.get(&id(&number.to_string())).unwrap(), hit([1; 100]));
    }
    faults.leave_room(None);
    store.maintain().unwrap();
    assert!(store.usage().unwrap().bytes <= 20_000);
    assert_eq!(store.verify().unwrap().damaged, 0);
}
