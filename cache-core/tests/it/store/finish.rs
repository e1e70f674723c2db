//! The end of a run: what it leaves to the next one.

use std::fs;

use cache_core::store::Store;

use super::upkeep::{long_pack, runs};
use super::{files, fresh_folder, id, open};

#[test]
fn a_run_that_only_reads_leaves_upkeep_to_those_who_write() {
    let folder = fresh_folder();
    let maintained = || folder.path().join("cache/maintenance").exists();
    runs(&folder, 0..6);
    let packs = files(&folder, "packs", "");
    let reads = |name: &str| {
        let store = open(&folder);
        store.get(&id(name)).unwrap();
        store.finish().unwrap();
    };
    reads("3");
    reads("unknown");
    open(&folder).finish().unwrap();
    assert!(!maintained());
    assert_eq!(files(&folder, "packs", ""), packs);
    // A writer that was killed left a pack that every run would read to its end.
    long_pack(&folder, "long", &vec![7; 100_000]);
    for index in files(&folder, "packs", ".index") {
        fs::remove_file(index).unwrap();
    }
    reads("3");
    assert!(maintained());
    assert_eq!(files(&folder, "packs", ".index").len(), 1);
    // Whoever writes maintains.
    fs::remove_file(folder.path().join("cache/maintenance")).unwrap();
    let store = open(&folder);
    store.put(&id("new"), b"new").unwrap();
    store.finish().unwrap();
    assert!(maintained());
}
