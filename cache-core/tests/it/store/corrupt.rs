//! The story: bits rot, files are cut off by a full disk or a careless copy, others write over them, or
//! someone puts a file of his own there. Whatever is done to any file of the folder, an id is answered
//! with what was put under it or not at all, and nothing panics.

use std::fs;
use std::path::{Path, PathBuf};

use cache_core::stats::MissReason;
use cache_core::store::{DiskStore, Found, Store};
use proptest::prelude::*;
use tempfile::TempDir;

use super::{files, fresh_folder, hit, id, open, small};

const NAMES: [&str; 7] = ["a", "b", "c", "d", "e", "large", "twice"];

fn payload(name: &str) -> Vec<u8> {
    match name {
        "large" => vec![6; 210],
        "twice" => b"second".to_vec(),
        _ => name.as_bytes().repeat(9),
    }
}

/// A folder with a pack that has an index, one that has none, and a large file.
fn filled() -> TempDir {
    let folder = fresh_folder();
    // Each run leaves a pack; eight of a size are merged into one with an index.
    open(&folder).put(&id("twice"), b"first").unwrap();
    for name in ["a", "b", "twice", "large"] {
        for _ in 0..2 {
            open(&folder).put(&id(name), &payload(name)).unwrap();
        }
    }
    open(&folder).maintain().unwrap();
    let store = open(&folder);
    for name in ["c", "d", "e"] {
        store.put(&id(name), &payload(name)).unwrap();
    }
    drop(store);
    let count = |place, suffix| files(&folder, place, suffix).len();
    assert_eq!((count("packs", ".pack"), count("packs", ".index"), count("large", ".large")), (2, 1, 1));
    folder
}

fn all_files(folder: &TempDir) -> Vec<PathBuf> {
    let mut all = files(folder, "packs", "");
    all.extend(files(folder, "large", ""));
    all.extend(files(folder, ".", "maintenance"));
    assert_eq!(all.len(), 5);
    all
}

/// Every name is answered rightly or not at all, before and after maintenance; returns how many are.
fn check(folder: &TempDir, what: &dyn Fn() -> String) -> usize {
    let mut found = 0;
    for round in 0..2 {
        let store = open(folder);
        found = 0;
        for name in NAMES {
            match store.get(&id(name)).unwrap() {
                Found::Hit(bytes) => {
                    assert_eq!(bytes, payload(name), "{name}, round {round}, {}", what());
                    found += 1;
                }
                Found::Missing(_) => {}
            }
        }
        store.verify().unwrap();
        if round == 0 {
            store.maintain().unwrap();
        }
    }
    found
}

/// Puts back what a damaged store removed or changed.
fn restore(folder: &TempDir, contents: &[(PathBuf, Vec<u8>)]) {
    for path in files(folder, "packs", "").into_iter().chain(files(folder, "large", "")) {
        fs::remove_file(path).unwrap();
    }
    for (path, bytes) in contents {
        replace(path, bytes);
    }
}

/// Puts other bytes in place of a file. Removed first, since some file systems force a file that is
/// written over to the medium, which takes most of the time of these tests.
fn replace(path: &Path, bytes: &[u8]) {
    let _ = fs::remove_file(path);
    fs::write(path, bytes).unwrap();
}

fn contents(folder: &TempDir) -> Vec<(PathBuf, Vec<u8>)> {
    all_files(folder).into_iter().map(|path| (path.clone(), fs::read(&path).unwrap())).collect()
}

fn short(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn a_flipped_bit_anywhere_is_a_miss_or_the_right_answer() {
    let folder = filled();
    let original = contents(&folder);
    for (path, bytes) in &original {
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            // One bit of each byte; every bit of each is tried over the bytes of a field.
            flipped[at] ^= 1 << (at * 5 % 8);
            restore(&folder, &original);
            replace(path, &flipped);
            let found = check(&folder, &|| format!("bit of byte {at} of {}", short(path)));
            // One record, or what follows it in a pack without an index, is all that may be lost.
            assert!(found >= 3, "byte {at} of {}: only {found} left", short(path));
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_is_a_miss_or_the_right_answer() {
    let folder = filled();
    let original = contents(&folder);
    for (path, bytes) in &original {
        for length in 0..bytes.len() {
            restore(&folder, &original);
            replace(path, &bytes[..length]);
            let found = check(&folder, &|| format!("{} cut to {length}", short(path)));
            assert!(found >= 3, "{} cut to {length}: only {found} left", short(path));
        }
    }
}

#[test]
fn a_file_that_is_gone_takes_only_its_own_entries_along() {
    let folder = filled();
    let original = contents(&folder);
    for (path, _) in &original {
        restore(&folder, &original);
        fs::remove_file(path).unwrap();
        let found = check(&folder, &|| format!("{} removed", short(path)));
        assert!(found >= 3, "{} removed: only {found} left", short(path));
    }
}

#[test]
fn a_damaged_entry_is_a_miss_once_and_then_gone_and_counted() {
    let folder = filled();
    for (place, suffix, name) in [("packs", ".pack", "c"), ("large", ".large", "large")] {
        for path in files(&folder, place, suffix) {
            let mut bytes = fs::read(&path).unwrap();
            let marker = &payload(name)[..];
            if let Some(at) = bytes.windows(marker.len()).position(|window| window == marker) {
                // The reader knows the place before the damage happens, as it would of an old file.
                let store = open(&folder);
                assert_eq!(store.get(&id(name)).unwrap(), hit(payload(name)));
                bytes[at] ^= 1;
                fs::write(&path, &bytes).unwrap();
                assert_eq!(store.get(&id(name)).unwrap(), Found::Missing(MissReason::Damaged));
                assert_eq!(store.counters().damaged, 1);
                assert_eq!(store.get(&id(name)).unwrap(), Found::Missing(MissReason::Absent));
                assert_eq!(store.counters().damaged, 1);
                assert_eq!(open(&folder).get(&id(name)).unwrap(), Found::Missing(MissReason::Absent));
                store.put(&id(name), &payload(name)).unwrap();
                assert_eq!(open(&folder).get(&id(name)).unwrap(), hit(payload(name)));
            }
        }
    }
}

#[test]
fn a_damaged_newest_entry_does_not_bring_an_older_one_back() {
    let folder = fresh_folder();
    // The older one is in a pack that is still written, so that it is not merged with the newer one.
    let older = open(&folder);
    older.put(&id("twice"), b"first").unwrap();
    for number in 0..8 {
        open(&folder).put(&id(&format!("other {number}")), b"other").unwrap();
    }
    open(&folder).put(&id("twice"), b"second").unwrap();
    open(&folder).maintain().unwrap();
    let pack = files(&folder, "packs", ".index").pop().unwrap().with_extension("pack");
    let mut bytes = fs::read(&pack).unwrap();
    let at = bytes.windows(6).position(|window| window == b"second").unwrap();
    bytes[at] ^= 1;
    fs::write(&pack, &bytes).unwrap();
    let store = open(&folder);
    assert_eq!(store.get(&id("twice")).unwrap(), Found::Missing(MissReason::Damaged));
    assert_eq!(open(&folder).get(&id("twice")).unwrap(), Found::Missing(MissReason::Absent));
    drop(older);
    // A merge of both keeps the older one hidden.
    for number in 0..20 {
        open(&folder).put(&id(&format!("more {number}")), b"more").unwrap();
        store.maintain().unwrap();
        assert_eq!(open(&folder).get(&id("twice")).unwrap(), Found::Missing(MissReason::Absent));
    }
}

#[test]
fn verifying_finds_damage_that_nobody_has_asked_for() {
    let folder = filled();
    assert_eq!(open(&folder).verify().unwrap().damaged, 0);
    assert_eq!(open(&folder).verify().unwrap().whole, NAMES.len() as u64);
    let original = contents(&folder);
    for (path, bytes) in &original {
        if path.ends_with("maintenance") {
            continue;
        }
        restore(&folder, &original);
        let mut bytes = bytes.clone();
        let middle = bytes.len() - 12;
        bytes[middle] ^= 4;
        fs::write(path, &bytes).unwrap();
        assert_eq!(open(&folder).verify().unwrap().damaged, 1, "{}", short(path));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// A decoder's fuzz test: arbitrary bytes, with and without an honest beginning, in place of each
    /// file never make a panic and never an answer that was not put.
    #[test]
    fn arbitrary_bytes_in_place_of_a_file_are_no_answers(
        which in 0..4_usize,
        keep in any::<prop::sample::Index>(),
        noise in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let folder = filled();
        let (path, bytes) = contents(&folder).swap_remove(which);
        let kept = &bytes[..keep.index(bytes.len() + 1)];
        replace(&path, &[kept, &noise].concat());
        check(&folder, &|| format!("noise behind {} bytes of {}", kept.len(), short(&path)));
    }

    /// The same with several bytes changed at once, anywhere.
    #[test]
    fn several_changed_bytes_are_no_answers(
        changes in prop::collection::vec((0..4_usize, any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let folder = filled();
        let mut contents = contents(&folder);
        for (which, at, byte) in changes {
            let (_, bytes) = &mut contents[which];
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        restore(&folder, &contents);
        check(&folder, &|| "several changes".to_owned());
    }
}

#[test]
fn strange_files_in_the_folder_are_left_alone() {
    let folder = filled();
    let options = small().bound(1);
    let strange = folder.path().join("cache/packs/README");
    fs::write(&strange, "mine").unwrap();
    fs::create_dir(folder.path().join("cache/packs/0123456789abcdef.pack")).unwrap();
    let store = DiskStore::open(folder.path().join("cache"), options).unwrap();
    for name in NAMES {
        let _ = store.get(&id(name));
    }
    let _ = store.maintain();
    let _ = store.clean();
    assert_eq!(fs::read_to_string(&strange).unwrap(), "mine");
}

#[test]
fn damage_is_told_once_with_its_place() {
    let folder = fresh_folder();
    for name in ["a", "b"] {
        open(&folder).put(&id(name), &payload(name)).unwrap();
    }
    for path in files(&folder, "packs", ".pack") {
        fs::write(path, [0x5a; 300]).unwrap();
    }
    let store = open(&folder);
    for name in ["a", "b"] {
        assert!(matches!(store.get(&id(name)).unwrap(), Found::Missing(_)));
    }
    let troubles: Vec<String> = store.take_troubles().iter().map(ToString::to_string).collect();
    let [trouble] = troubles.as_slice() else { panic!("{troubles:?}") };
    assert!(trouble.contains("packs") && trouble.contains("damaged"), "{trouble}");
}

/// An index whose checksums are as they are to be and whose first two entries, which lie in its only bucket, have
/// exchanged the bytes from `from` to `to`.
fn with_exchanged_entries(index: &[u8], from: usize, to: usize) -> Vec<u8> {
    const HEADER: usize = 64;
    const SLOT: usize = 16;
    const ENTRY: usize = 30;
    let mut bytes = index.to_vec();
    let start = HEADER + SLOT;
    for at in from..to {
        bytes.swap(start + at, start + ENTRY + at);
    }
    let token = index[16..24].to_vec();
    let checked = [token.as_slice(), &[0; 8], &bytes[HEADER..HEADER + 8], &bytes[start..]].concat();
    let checksum = xxhash_rust::xxh3::xxh3_64(&checked);
    bytes[HEADER + 8..start].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn an_index_that_points_at_another_record_gives_nothing() {
    // The digest stands first, then the sequence number, the offset, and kind and length.
    for (from, to) in [(16, 22), (22, 27), (22, 30), (16, 30)] {
        let folder = filled();
        let path = files(&folder, "packs", ".index").pop().unwrap();
        let index = fs::read(&path).unwrap();
        assert_eq!(with_exchanged_entries(&index, 0, 0), index, "the test computes the checksum otherwise");
        fs::write(&path, with_exchanged_entries(&index, from, to)).unwrap();
        let verified = open(&folder).verify().unwrap();
        assert_eq!((verified.damaged, verified.whole), (2, NAMES.len() as u64 - 2), "bytes {from} to {to}");
        let what = || format!("bytes {from} to {to} of two entries of an index are exchanged");
        assert_eq!(check(&folder, &what), NAMES.len() - 2);
    }
}
