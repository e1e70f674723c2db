//! The story: hundreds of short runs each leave an answer and end without maintenance. The folder goes on working
//! with few open files, is brought in order by the runs that follow, and a process that has no file left to open
//! says so and recovers.

use cache_core::store::{DiskStore, Store, StoreError};

use super::faults::Faults;
use super::{files, fresh_folder, hit, id, open, open_on, small};

/// Runs that put one answer each and end without a word.
fn run(folder: &tempfile::TempDir, answers: std::ops::Range<u32>) {
    for number in answers {
        open(folder).put(&id(&number.to_string()), &number.to_le_bytes()).unwrap();
    }
}

fn all_there(store: &DiskStore, answers: std::ops::Range<u32>) {
    for number in answers {
        assert_eq!(store.get(&id(&number.to_string())).unwrap(), hit(number.to_le_bytes()), "{number}");
    }
}

#[test]
fn short_runs_do_not_pile_up_packs() {
    let folder = fresh_folder();
    run(&folder, 0..400);
    let packs = files(&folder, "packs", ".pack").len();
    assert!(packs < 100, "{packs} packs");
    all_there(&open(&folder), 0..400);
    assert_eq!(open(&folder).verify().unwrap().whole, 400);
}

#[test]
fn packs_are_merged_once_there_are_many_and_not_before() {
    const MANY: u32 = 64;
    let folder = fresh_folder();
    run(&folder, 0..MANY);
    assert_eq!(files(&folder, "packs", ".pack").len(), MANY as usize);
    run(&folder, MANY..MANY + 1);
    let packs = files(&folder, "packs", ".pack").len();
    assert!(packs < MANY as usize, "{packs} packs");
    all_there(&open(&folder), 0..MANY + 1);
}

#[test]
fn few_files_are_open_however_many_packs_there_are() {
    let folder = fresh_folder();
    // Packs with indexes, which nobody merges before maintenance does.
    for number in 0..200_u32 {
        let options = small().large_from(1 << 20);
        let store = DiskStore::open(folder.path().join("cache"), options).unwrap();
        store.put(&id(&number.to_string()), &number.to_le_bytes()).unwrap();
        store.put(&id("ballast"), &vec![0; 70 << 10]).unwrap();
    }
    assert_eq!(files(&folder, "packs", ".index").len(), 200);
    let faults = Faults::new();
    let store = open_on(&faults, &folder);
    all_there(&store, 0..200);
    all_there(&store, 0..200);
    assert!(faults.most_open() <= 140, "{} files", faults.most_open());
}

#[test]
fn a_process_that_may_open_no_file_says_so_and_recovers() {
    let folder = fresh_folder();
    run(&folder, 0..40);
    let faults = Faults::new();
    let store = open_on(&faults, &folder);
    all_there(&store, 0..40);
    // The rest of the program takes what is left: what the store holds serves it further.
    faults.may_open(Some(1));
    all_there(&store, 0..40);
    let error = store.put(&id("more"), b"more").unwrap_err();
    assert!(matches!(error, StoreError::TooManyFiles { .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("ulimit -n") && message.contains("cache"), "{message}");
    faults.may_open(None);
    store.put(&id("more"), b"more").unwrap();
    assert_eq!(store.get(&id("more")).unwrap(), hit("more"));
    all_there(&store, 0..40);
}

#[test]
fn a_pack_that_another_process_merges_is_found_where_it_went() {
    let folder = fresh_folder();
    run(&folder, 0..20);
    let reader = open(&folder);
    all_there(&reader, 0..3);
    open(&folder).maintain().unwrap();
    assert!(files(&folder, "packs", ".pack").len() < 20);
    all_there(&reader, 0..20);
    // What the reader has not met yet is looked up where it is now, removed or not.
    let late = open(&folder);
    open(&folder).remove(&id("5")).unwrap();
    assert!(late.get(&id("5")).unwrap().payload().is_none());
    all_there(&late, 6..20);
}
