//! The story: an answer in a folder that others can write to may be planted, so such a folder is refused
//! unless it is asked for; one that may only be read is read; and what the store makes is for its user
//! alone.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use cache_core::stats::MissReason;
use cache_core::store::storage::{Files, Storage};
use cache_core::store::{DiskStore, Found, Store, StoreError};
use std::sync::Arc;

use super::faults::Faults;
use super::{files, fresh_folder, hit, id, open, open_on, small};

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn what_is_made_is_for_its_user_alone() {
    let folder = fresh_folder();
    let path = folder.path().join("above/cache");
    let store = DiskStore::open(&path, small()).unwrap();
    store.put(&id("small"), b"1").unwrap();
    store.put(&id("large"), &[1; 1000]).unwrap();
    store.maintain().unwrap();
    for made in ["above", "above/cache", "above/cache/packs", "above/cache/large"] {
        assert_eq!(mode(&folder.path().join(made)), 0o700, "{made}");
    }
    let mut count = 0;
    for inside in ["packs", "large", "."] {
        for entry in fs::read_dir(path.join(inside)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                assert_eq!(mode(&entry.path()), 0o600, "{:?}", entry.path());
                count += 1;
            }
        }
    }
    assert_eq!(count, 4, "a pack, a large file, the maintenance file, the tag");
}

#[test]
fn a_folder_in_which_others_can_write_is_refused_unless_asked_for() {
    for inside in [".", "packs", "large"] {
        for bits in [0o770, 0o707, 0o777, 0o720, 0o702] {
            let folder = fresh_folder();
            open(&folder).put(&id("a"), &[1; 1000]).unwrap();
            let path = folder.path().join("cache");
            fs::set_permissions(path.join(inside), Permissions::from_mode(bits)).unwrap();
            let error = DiskStore::open(&path, small()).err().unwrap();
            assert!(matches!(error, StoreError::Shared { .. }), "{error}");
            let message = error.to_string();
            assert!(message.contains(path.to_str().unwrap()) && message.contains("chmod"), "{message}");
            let read_only = small().read_only(true);
            assert!(DiskStore::open(&path, read_only).is_err());
            let shared = small().allow_shared(true);
            assert_eq!(DiskStore::open(&path, shared).unwrap().get(&id("a")).unwrap(), hit([1; 1000]));
        }
    }
}

#[test]
fn a_folder_that_others_can_only_read_is_accepted() {
    let folder = fresh_folder();
    open(&folder).put(&id("a"), b"1").unwrap();
    fs::set_permissions(folder.path().join("cache"), Permissions::from_mode(0o755)).unwrap();
    assert_eq!(open(&folder).get(&id("a")).unwrap(), hit("1"));
}

#[test]
fn a_folder_of_another_user_is_refused_unless_asked_for() {
    let folder = fresh_folder();
    open(&folder).put(&id("a"), b"1").unwrap();
    let path = folder.path().join("cache");
    let other = || Faults::of_user(Files.user() + 1) as Arc<_>;
    let error = DiskStore::open_on(other(), &path, small()).err().unwrap().to_string();
    assert!(error.contains("belongs to another user"), "{error}");
    let shared = small().allow_shared(true);
    assert_eq!(DiskStore::open_on(other(), &path, shared).unwrap().get(&id("a")).unwrap(), hit("1"));
}

#[test]
fn a_folder_that_cannot_be_written_is_read_and_putting_names_the_place() {
    let folder = fresh_folder();
    open(&folder).put(&id("a"), b"1").unwrap();
    let faults = Faults::new();
    faults.deny_writing(true);
    let store = open_on(&faults, &folder);
    assert_eq!(store.get(&id("a")).unwrap(), hit("1"));
    for payload in [vec![1; 10], vec![1; 1000]] {
        let error = store.put(&id("b"), &payload).unwrap_err();
        assert!(matches!(error, StoreError::Unwritable { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains(folder.path().to_str().unwrap()), "{message}");
        assert!(message.contains("check its permissions"), "{message}");
    }
    assert_eq!(store.get(&id("a")).unwrap(), hit("1"));
    assert_eq!(store.get(&id("b")).unwrap(), Found::Missing(MissReason::Absent));
    assert!(store.maintain().is_err());
    faults.deny_writing(false);
    store.put(&id("b"), b"2").unwrap();
    assert_eq!(open(&folder).get(&id("b")).unwrap(), hit("2"));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_that_names_it() {
    let folder = fresh_folder();
    let faults = Faults::new();
    faults.deny_writing(true);
    let path = folder.path().join("cache");
    let error = DiskStore::open_on(faults, &path, small()).err().unwrap();
    assert!(matches!(error, StoreError::Unwritable { .. }), "{error}");
    assert_eq!(error.path(), Some(path.as_path()));
    // A file where the folder should be.
    fs::write(&path, "something else").unwrap();
    let error = DiskStore::open(&path, small()).err().unwrap();
    assert!(matches!(error, StoreError::NotAFolder { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "something else");
}

#[test]
fn a_store_for_reading_changes_nothing_and_needs_no_folder() {
    let folder = fresh_folder();
    let path = folder.path().join("cache");
    let read_only = small().read_only(true);
    let store = DiskStore::open(&path, read_only).unwrap();
    assert_eq!(store.get(&id("a")).unwrap(), Found::Missing(MissReason::Absent));
    assert!(!path.exists());
    // Someone else makes the folder while the reader runs.
    open(&folder).put(&id("a"), b"1").unwrap();
    assert_eq!(store.get(&id("a")).unwrap(), hit("1"));
    let pack = files(&folder, "packs", ".pack").pop().unwrap();
    let mut bytes = fs::read(&pack).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&pack, &bytes).unwrap();
    assert_eq!(store.get(&id("a")).unwrap(), Found::Missing(MissReason::Damaged));
    assert!(matches!(store.put(&id("b"), b"2"), Err(StoreError::ReadOnly { .. })));
    assert!(matches!(store.clean(), Err(StoreError::ReadOnly { .. })));
    store.maintain().unwrap();
    assert_eq!(fs::read(&pack).unwrap(), bytes);
    assert_eq!(fs::read_dir(path.join("packs")).unwrap().count(), 1);
}

#[test]
fn a_store_for_reading_does_not_even_remove_a_damaged_index() {
    let folder = fresh_folder();
    for _ in 0..8 {
        open(&folder).put(&id("a"), b"1").unwrap();
    }
    open(&folder).maintain().unwrap();
    assert!(!files(&folder, "packs", ".index").is_empty());
    let index = files(&folder, "packs", ".index").pop().unwrap();
    let whole = fs::read(&index).unwrap();
    for at in [20, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&index, &bytes).unwrap();
        let read_only = small().read_only(true);
        let store = DiskStore::open(folder.path().join("cache"), read_only).unwrap();
        assert_eq!(store.get(&id("a")).unwrap(), hit("1"));
        assert_eq!(store.counters().damaged, 1);
        assert_eq!(fs::read(&index).unwrap(), bytes);
    }
    // One that may write removes it.
    assert_eq!(open(&folder).get(&id("a")).unwrap(), hit("1"));
    assert!(!index.exists());
}

#[test]
fn a_part_of_the_folder_that_cannot_be_looked_at_is_an_error_that_names_it() {
    let folder = fresh_folder();
    open(&folder).put(&id("a"), &[1; 1000]).unwrap();
    for part in ["cache", "packs", "large"] {
        let opened = DiskStore::open_on(Faults::hiding(part) as Arc<_>, folder.path().join("cache"), small());
        let error = opened.map(drop).unwrap_err().to_string();
        assert!(error.contains(part), "{part}: {error}");
    }
}
