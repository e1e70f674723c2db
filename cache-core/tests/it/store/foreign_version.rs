//! The story: a newer and an older release share a folder. Neither reads the other's files, neither loses
//! them, and the miss says why.

use std::fs;

use cache_core::stats::MissReason;
use cache_core::store::{DiskStore, Found, Store, StoreError};
use tempfile::TempDir;

use super::{files, fresh_folder, hit, id, open, small};

/// Raises the version of every file whose name ends so.
fn make_foreign(folder: &TempDir, place: &str, suffix: &str) {
    for path in files(folder, place, suffix) {
        let mut bytes = fs::read(&path).unwrap();
        bytes[8] += 1;
        fs::write(&path, bytes).unwrap();
    }
}

#[test]
fn packs_of_another_version_are_misses_that_say_so_and_are_left_alone() {
    let folder = fresh_folder();
    open(&folder).put(&id("a"), b"1").unwrap();
    make_foreign(&folder, "packs", ".pack");
    let before = fs::read(&files(&folder, "packs", ".pack")[0]).unwrap();
    let store = open(&folder);
    assert_eq!(store.get(&id("a")).unwrap(), Found::Missing(MissReason::ForeignVersion));
    let troubles = store.take_troubles();
    assert_eq!(store.get(&id("b")).unwrap(), Found::Missing(MissReason::ForeignVersion));
    assert_eq!(store.take_troubles().len(), 0);
    assert!(matches!(troubles.as_slice(), [StoreError::Foreign { .. }]), "told once: {troubles:?}");
    store.put(&id("a"), b"2").unwrap();
    assert_eq!(store.get(&id("a")).unwrap(), hit("2"));
    store.maintain().unwrap();
    assert_eq!(open(&folder).get(&id("a")).unwrap(), hit("2"));
    assert_eq!(store.usage().unwrap().foreign_files, 1);
    assert_eq!(store.verify().unwrap().foreign_files, 1);
    assert_eq!(store.counters().damaged, 0);
    assert!(files(&folder, "packs", ".pack").iter().any(|path| fs::read(path).unwrap() == before));
}

#[test]
fn a_large_file_of_another_version_is_a_miss_that_says_so_and_is_left_alone() {
    let folder = fresh_folder();
    open(&folder).put(&id("a"), &[1; 1000]).unwrap();
    make_foreign(&folder, "large", ".large");
    let store = open(&folder);
    assert_eq!(store.get(&id("a")).unwrap(), Found::Missing(MissReason::ForeignVersion));
    assert_eq!(files(&folder, "large", ".large").len(), 1);
    assert_eq!(store.counters().damaged, 0);
    let verified = store.verify().unwrap();
    assert_eq!((verified.whole, verified.damaged, verified.foreign_files), (0, 0, 1));
}

#[test]
fn an_index_of_another_version_is_done_without() {
    let folder = fresh_folder();
    for number in 0..8 {
        open(&folder).put(&id(&number.to_string()), b"1").unwrap();
    }
    open(&folder).maintain().unwrap();
    assert!(!files(&folder, "packs", ".index").is_empty());
    make_foreign(&folder, "packs", ".index");
    for number in 0..8 {
        assert_eq!(open(&folder).get(&id(&number.to_string())).unwrap(), hit("1"));
    }
    assert_eq!(open(&folder).verify().unwrap().damaged, 0);
}

#[test]
fn files_of_another_version_are_the_first_to_go_for_room() {
    let folder = fresh_folder();
    open(&folder).put(&id("old"), &[1; 150]).unwrap();
    make_foreign(&folder, "packs", ".pack");
    let options = small().bound(3000);
    let store = DiskStore::open(folder.path().join("cache"), options).unwrap();
    for number in 0..8 {
        store.put(&id(&number.to_string()), &[2; 100]).unwrap();
    }
    store.maintain().unwrap();
    assert_eq!(store.usage().unwrap().foreign_files, 1);
    for number in 8..17 {
        store.put(&id(&number.to_string()), &[2; 100]).unwrap();
    }
    store.maintain().unwrap();
    assert_eq!(store.usage().unwrap().foreign_files, 0);
    assert_eq!(store.get(&id("16")).unwrap(), hit([2; 100]));
}
