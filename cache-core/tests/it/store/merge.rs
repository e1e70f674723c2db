//! The story: runs leave a pack each, and merges make few of many. What is merged is the newest of each answer, and a
//! merge that fails, or that meets packs of others, takes nothing away.

use std::fs;

use cache_core::stats::MissReason;
use cache_core::store::{DiskStore, Found, Store, StoreError};

use super::faults::Faults;
use super::upkeep::{long_pack, runs};
use super::{files, fresh_folder, hit, id, open, open_on, small};

#[test]
fn a_merge_that_fails_leaves_nothing_behind_and_loses_nothing() {
    let folder = fresh_folder();
    runs(&folder, 0..20);
    let mut failed = 0;
    for room in [0, 100, 500, 1200, 2000] {
        let faults = Faults::new();
        let store = open_on(&faults, &folder);
        let before = files(&folder, "packs", "");
        faults.leave_room(Some(room));
        if let Err(error) = store.maintain() {
            assert!(matches!(error, StoreError::Full { .. }), "{error}");
            assert_eq!(files(&folder, "packs", ""), before);
            failed += 1;
        }
    }
    assert!(failed >= 2, "{failed}");
    for number in 0..20_u32 {
        assert_eq!(open(&folder).get(&id(&number.to_string())).unwrap(), hit(number.to_le_bytes()));
    }
}

#[test]
fn seven_packs_of_a_size_are_left_alone_and_eight_are_merged_with_smaller_ones_alone() {
    let folder = fresh_folder();
    long_pack(&folder, "long", &vec![7; 100_000]);
    assert_eq!(files(&folder, "packs", ".index").len(), 1, "written when the store is dropped");
    runs(&folder, 0..7);
    let before = files(&folder, "packs", ".pack");
    open(&folder).maintain().unwrap();
    assert_eq!(files(&folder, "packs", ".pack"), before);
    runs(&folder, 7..8);
    open(&folder).maintain().unwrap();
    assert!(files(&folder, "packs", ".pack").len() == 2);
    // Eight of the size of the long one take the small one along.
    for number in 0..6 {
        long_pack(&folder, &format!("long {number}"), &vec![7; 100_000]);
    }
    open(&folder).maintain().unwrap();
    assert_eq!(files(&folder, "packs", ".pack").len(), 8);
    long_pack(&folder, "long 6", &vec![7; 100_000]);
    open(&folder).maintain().unwrap();
    assert!(files(&folder, "packs", ".pack").len() < 9);
    let packs = files(&folder, "packs", ".pack");
    assert!(packs.iter().all(|pack| fs::metadata(pack).unwrap().len() > 100_000), "{packs:?}");
    let verified = open(&folder).verify().unwrap();
    assert_eq!((verified.whole, verified.damaged), (16, 0));
}

#[test]
fn what_was_removed_or_found_damaged_does_not_come_back_with_a_merge() {
    let folder = fresh_folder();
    let old = [b"old".as_slice(), &vec![7; 100_000]].concat();
    // Both are in a pack that is not among those that are merged.
    let options = small().large_from(1 << 20).pack_bytes(1 << 20);
    let store = DiskStore::open(folder.path().join("cache"), options).unwrap();
    store.put(&id("removed"), &old).unwrap();
    store.put(&id("damaged"), &old).unwrap();
    drop(store);
    open(&folder).maintain().unwrap();
    assert!(files(&folder, "packs", ".index").len() == 1);
    let known = files(&folder, "packs", ".pack");
    open(&folder).remove(&id("removed")).unwrap();
    open(&folder).put(&id("damaged"), b"a newer answer").unwrap();
    for path in files(&folder, "packs", ".pack") {
        let mut bytes = fs::read(&path).unwrap();
        if let Some(at) = bytes.windows(5).position(|bytes| bytes == b"newer") {
            bytes[at] ^= 1;
            assert!(!known.contains(&path));
            // A store that knew it before meets the damage and strikes it out.
            let store = open(&folder);
            assert_eq!(store.get(&id("damaged")).unwrap(), hit("a newer answer"));
            fs::write(&path, bytes).unwrap();
            assert_eq!(store.get(&id("damaged")).unwrap(), Found::Missing(MissReason::Damaged));
        }
    }
    runs(&folder, 0..8);
    open(&folder).maintain().unwrap();
    assert!(files(&folder, "packs", ".pack").len() == 2);
    for name in ["removed", "damaged"] {
        assert!(open(&folder).get(&id(name)).unwrap().payload().is_none(), "{name} is back");
    }
    let store = open(&folder);
    assert_eq!(store.verify().unwrap().damaged, 0);
    assert_eq!(store.ids().unwrap().len(), 8);
}

#[test]
fn packs_of_others_who_still_write_are_not_merged_with_a_pile() {
    let folder = fresh_folder();
    let writers: Vec<DiskStore> = (0..70).map(|_| open(&folder)).collect();
    for (number, writer) in writers.iter().enumerate() {
        writer.put(&id(&format!("first {number}")), b"1").unwrap();
    }
    let new = open(&folder);
    new.put(&id("new"), b"1").unwrap();
    assert_eq!(files(&folder, "packs", ".pack").len(), 71);
    for (number, writer) in writers.iter().enumerate() {
        writer.put(&id(&format!("second {number}")), b"2").unwrap();
    }
    let reader = open(&folder);
    for number in 0..70 {
        assert_eq!(reader.get(&id(&format!("first {number}"))).unwrap(), hit("1"));
        assert_eq!(reader.get(&id(&format!("second {number}"))).unwrap(), hit("2"));
    }
}

#[test]
fn what_was_removed_leaves_nothing_once_all_of_it_is_merged() {
    let folder = fresh_folder();
    open(&folder).put(&id("removed"), &[7; 150]).unwrap();
    open(&folder).remove(&id("removed")).unwrap();
    runs(&folder, 0..6);
    open(&folder).maintain().unwrap();
    assert!(files(&folder, "packs", ".pack").len() == 1);
    let pack = &files(&folder, "packs", ".pack")[0];
    // A header, and six records of four bytes; see `docs/format.md`.
    assert_eq!(fs::metadata(pack).unwrap().len(), 32 + 6 * (58 + 4 + 8));
}
