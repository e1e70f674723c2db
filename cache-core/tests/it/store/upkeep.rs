//! The story: a folder is used for months by many short runs. What maintenance counts is what is there, it does no
//! more than its reasons ask for, and what it leaves behind after a failure is nothing.

use std::fs;
use std::sync::Arc;

use cache_core::digest::Confirm;
use cache_core::key::Checksum;
use cache_core::stats::MissReason;
use cache_core::store::{DiskOptions, DiskStore, Found, MemoryStore, Store, Tiered};
use tempfile::TempDir;

use super::faults::Faults;
use super::{files, fresh_folder, hit, id, open, open_on, small};

/// Runs that put one answer each and end without a word.
pub(super) fn runs(folder: &TempDir, answers: std::ops::Range<u32>) {
    for number in answers {
        open(folder).put(&id(&number.to_string()), &number.to_le_bytes()).unwrap();
    }
}

/// A pack of its own for one long record.
pub(super) fn long_pack(folder: &TempDir, name: &str, bytes: &[u8]) {
    let options = small().large_from(1 << 20).pack_bytes(1 << 20);
    let store = DiskStore::open(folder.path().join("cache"), options).unwrap();
    store.put(&id(name), bytes).unwrap();
}

fn bytes_of(folder: &TempDir, place: &str) -> u64 {
    files(folder, place, "").iter().map(|path| fs::metadata(path).unwrap().len()).sum()
}

#[test]
fn usage_counts_every_file_of_packs_and_large_entries() {
    let folder = fresh_folder();
    runs(&folder, 0..8);
    open(&folder).put(&id("large"), &[1; 1000]).unwrap();
    open(&folder).maintain().unwrap();
    assert!(!files(&folder, "packs", ".index").is_empty());
    let usage = open(&folder).usage().unwrap();
    let there = files(&folder, "packs", "").len() + files(&folder, "large", "").len();
    assert_eq!((usage.entries, usage.files), (9, there as u64));
    assert_eq!(usage.bytes, bytes_of(&folder, "packs") + bytes_of(&folder, "large"));
}

#[test]
fn a_file_that_goes_while_it_is_counted_does_not_count_and_one_that_is_hidden_is_an_error() {
    let folder = fresh_folder();
    open(&folder).put(&id("a"), &[1; 1000]).unwrap();
    open(&folder).put(&id("b"), &[2; 1000]).unwrap();
    let large = files(&folder, "large", ".large");
    let faults = Faults::new();
    let store = open_on(&faults, &folder);
    store.get(&id("a")).unwrap();
    let packs = folder.path().join("cache/packs");
    fs::write(packs.join("readme"), b"").unwrap();
    let before = store.usage().unwrap();
    // However slow the machine is, there is news in the folder.
    fs::rename(packs.join("readme"), packs.join("read-me")).unwrap();
    let gone = large[0].clone();
    // Packs are listed before large files, once to look for news and once to be counted.
    faults.after_a_listing(move || fs::remove_file(gone).unwrap());
    faults.after_a_listing(|| {});
    faults.after_a_listing(|| {});
    let after = store.usage().unwrap();
    assert_eq!(after.files, before.files - 1);
    let name: &'static str = large[1].file_name().unwrap().to_str().unwrap().to_owned().leak();
    let error = open_on(&Faults::hiding(name), &folder).usage().unwrap_err();
    assert!(error.to_string().contains("large"), "{error}");
}

#[test]
fn files_that_this_version_would_not_name_so_are_foreign_and_those_being_written_are_not() {
    let folder = fresh_folder();
    open(&folder).put(&id("a"), &[1; 1000]).unwrap();
    let large = folder.path().join("cache/large");
    fs::write(large.join("of-another-version"), b"?").unwrap();
    fs::write(large.join("of-a-third"), b"?").unwrap();
    fs::write(large.join("0123456789abcdef.part"), b"?").unwrap();
    let verified = open(&folder).verify().unwrap();
    assert_eq!((verified.whole, verified.damaged, verified.foreign_files), (1, 0, 2));
}

#[test]
fn files_that_are_no_longer_needed_are_not_kept_open() {
    let folder = fresh_folder();
    runs(&folder, 0..20);
    let faults = Faults::new();
    let store = open_on(&faults, &folder);
    for number in 0..20_u32 {
        assert_eq!(store.get(&id(&number.to_string())).unwrap(), hit(number.to_le_bytes()));
    }
    assert!(faults.open_now() >= 20);
    store.maintain().unwrap();
    assert!(files(&folder, "packs", ".pack").len() == 1);
    for number in 0..20_u32 {
        assert_eq!(store.get(&id(&number.to_string())).unwrap(), hit(number.to_le_bytes()));
    }
    assert_eq!(faults.open_now(), 2, "the pack and its index");
}

#[test]
fn a_store_that_has_all_the_files_of_a_process_open_makes_do_with_fewer() {
    let folder = fresh_folder();
    runs(&folder, 0..40);
    let faults = Faults::new();
    let store = open_on(&faults, &folder);
    faults.may_open(Some(10));
    for number in (0..40_u32).chain(0..40) {
        assert_eq!(store.get(&id(&number.to_string())).unwrap(), hit(number.to_le_bytes()), "{number}");
    }
}

#[test]
fn what_was_used_goes_after_what_was_put_later_in_memory() {
    let store = MemoryStore::bounded(20);
    let names: Vec<String> = (0..30).map(|number| number.to_string()).collect();
    for name in &names {
        store.put(&id(name), &[0]).unwrap();
    }
    for name in names[10..].iter().rev() {
        store.get(&id(name)).unwrap();
    }
    store.maintain().unwrap();
    let left = |store: &MemoryStore| -> Vec<bool> {
        names.iter().map(|name| store.get(&id(name)).unwrap().payload().is_some()).collect()
    };
    let expected: Vec<bool> = (0..30).map(|number| (10..24).contains(&number)).collect();
    assert_eq!(left(&store), expected);
    let store = MemoryStore::bounded(20);
    for name in &names {
        store.put(&id(name), &[0]).unwrap();
    }
    store.maintain().unwrap();
    assert_eq!(left(&store), (0..30).map(|number| number >= 16).collect::<Vec<_>>());
}

#[test]
fn room_is_made_down_to_seven_tenths_to_the_byte() {
    for (bound, left) in [(9, 6), (10, 7), (19, 13), (109, 76), (200, 140), (999, 699)] {
        let store = MemoryStore::bounded(bound);
        for number in 0..=bound {
            store.put(&id(&number.to_string()), &[0]).unwrap();
        }
        store.maintain().unwrap();
        assert_eq!(store.usage().unwrap().bytes, left, "{bound}");
    }
}

#[test]
fn what_was_used_is_written_again_once_it_is_among_the_older_half_of_a_folder_that_fills() {
    let folder = fresh_folder();
    let bounded = || {
        let options = DiskOptions::default().bound(40_000).large_from(2000).pack_bytes(100_000);
        DiskStore::open(folder.path().join("cache"), options).unwrap()
    };
    let store = bounded();
    for number in 0..200 {
        store.put(&id(&number.to_string()), &[1; 100]).unwrap();
    }
    store.maintain().unwrap();
    drop(store);
    let grows = |name: &str| {
        let store = bounded();
        let before = store.usage().unwrap().bytes;
        assert_eq!(store.get(&id(name)).unwrap(), hit([1; 100]));
        store.usage().unwrap().bytes > before
    };
    assert!(!grows("199") && !grows("101"));
    assert!(grows("0") && !grows("0"), "it is new afterwards");
    assert!(grows("90"));
    // Where there is room, nothing is written for being used.
    let options = DiskOptions::default().bound(200_000).large_from(2000).pack_bytes(100_000);
    let store = DiskStore::open(folder.path().join("cache"), options).unwrap();
    let before = store.usage().unwrap().bytes;
    assert_eq!(store.get(&id("1")).unwrap(), hit([1; 100]));
    assert_eq!(store.usage().unwrap().bytes, before);
}

#[test]
fn indexes_are_for_packs_that_are_long_and_no_longer_written() {
    let folder = fresh_folder();
    let options = || small().large_from(1 << 20).pack_bytes(1 << 20);
    let store = Arc::new(DiskStore::open(folder.path().join("cache"), options()).unwrap());
    store.put(&id("written"), &vec![1; 100_000]).unwrap();
    runs(&folder, 0..1);
    open(&folder).maintain().unwrap();
    assert!(files(&folder, "packs", ".index").is_empty());
    drop(store);
    open(&folder).maintain().unwrap();
    assert!(files(&folder, "packs", ".index").len() == 1);
    open(&folder).maintain().unwrap();
    assert_eq!(files(&folder, "packs", ".index").len(), 1);
    assert_eq!(open(&folder).get(&id("written")).unwrap(), hit(vec![1; 100_000]));
}

#[test]
fn what_a_crash_left_is_swept_up_and_what_is_being_written_is_not() {
    let folder = fresh_folder();
    let writer = open(&folder);
    writer.put(&id("a"), b"1").unwrap();
    let own = files(&folder, "packs", ".pack")[0].file_stem().unwrap().to_str().unwrap().to_owned();
    let (packs, large) = (folder.path().join("cache/packs"), folder.path().join("cache/large"));
    fs::create_dir_all(&large).unwrap();
    let gone = "00000000000000aa";
    // A pack that was begun, an index that was, one whose pack is gone, a large file that was begun; a file that
    // says nothing to this version stays.
    let left = [
        packs.join(format!("{gone}.pack.part")),
        packs.join(format!("{gone}.index.part")),
        packs.join(format!("{gone}.index")),
        large.join(format!("{gone}.part")),
    ];
    let stays =
        [packs.join(format!("{own}.index.part")), large.join(format!("{own}.part")), packs.join("readme")];
    for path in left.iter().chain(&stays) {
        fs::write(path, b"half of it").unwrap();
    }
    open(&folder).maintain().unwrap();
    assert!(left.iter().all(|path| !path.exists()), "{left:?}");
    assert!(stays.iter().all(|path| path.exists()), "{stays:?}");
    // Once the writer has ended its files are what a crash left, too.
    drop(writer);
    open(&folder).maintain().unwrap();
    assert!(stays.iter().filter(|path| path.exists()).count() == 1);
    assert_eq!(open(&folder).get(&id("a")).unwrap(), hit("1"));
}

#[test]
fn a_file_that_someone_left_half_written_does_not_show_through() {
    let folder = fresh_folder();
    let large = folder.path().join("cache/large");
    let store = open_on(&Faults::with_token(7), &folder);
    store.put(&id("small"), b"1").unwrap();
    fs::create_dir_all(&large).unwrap();
    fs::write(large.join("0000000000000007.part"), vec![9; 5000]).unwrap();
    store.put(&id("a"), &[1; 1000]).unwrap();
    assert_eq!(open(&folder).get(&id("a")).unwrap(), hit([1; 1000]));
    assert_eq!(open(&folder).verify().unwrap().damaged, 0);
}

#[test]
fn a_pack_is_worth_an_index_from_sixty_four_kibibytes_on() {
    let write = |payload: usize| {
        let folder = fresh_folder();
        let options = small().large_from(1 << 20).pack_bytes(1 << 20);
        let store = DiskStore::open(folder.path().join("cache"), options).unwrap();
        store.put(&id("a"), &vec![1; payload]).unwrap();
        store.flush().unwrap();
        (bytes_of(&folder, "packs"), files(&folder, "packs", ".index").len())
    };
    let (short, _) = write(1000);
    let fits = (64 << 10) - (usize::try_from(short).unwrap() - 1000);
    assert_eq!(write(fits - 1), ((64 << 10) - 1, 0));
    assert_eq!(write(fits).1, 1);
}

#[test]
fn an_answer_that_hides_an_older_one_in_a_pack_that_is_written_is_not_trimmed() {
    let folder = fresh_folder();
    let bounded = |bound| {
        let options = DiskOptions::default().bound(bound).large_from(2000).pack_bytes(100_000);
        DiskStore::open(folder.path().join("cache"), options).unwrap()
    };
    let writer = bounded(None);
    writer.put(&id("hides"), b"older").unwrap();
    let other = bounded(Some(20_000));
    other.put(&id("hides"), b"newer").unwrap();
    for number in 0..300 {
        other.put(&id(&number.to_string()), &[1; 100]).unwrap();
    }
    other.maintain().unwrap();
    assert!(other.usage().unwrap().bytes <= 14_000);
    assert_eq!(other.get(&id("0")).unwrap(), Found::Missing(MissReason::Absent));
    for store in [&other, &bounded(None)] {
        assert_eq!(store.get(&id("hides")).unwrap(), hit("newer"));
    }
}

#[test]
fn of_other_versions_only_the_oldest_files_go_and_no_more_than_needed() {
    let folder = fresh_folder();
    for (name, bytes) in [("older", [1; 2000]), ("newer", [2; 2000])] {
        long_pack(&folder, name, &bytes);
        let at = if name == "older" { 1_000_000 } else { 2_000_000 };
        let path = files(&folder, "packs", ".pack").into_iter().find(|path| {
            let mut bytes = fs::read(path).unwrap();
            let ours = bytes[8] != 77;
            if ours {
                bytes[8] = 77;
                fs::write(path, bytes).unwrap();
            }
            ours
        });
        let file = fs::File::options().write(true).open(path.unwrap()).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(at)).unwrap();
    }
    // A large file without a record, as a crash leaves it, goes as well.
    open(&folder).put(&id("large"), &[3; 1000]).unwrap();
    let large = files(&folder, "large", "")[0].clone();
    let orphan = large.with_file_name(format!("{}.large", "0".repeat(32)));
    fs::copy(&large, &orphan).unwrap();
    // The oldest is one whose name this version would not give.
    let unknown = large.with_file_name("of-another-version");
    fs::write(&unknown, b"?").unwrap();
    let file = fs::File::options().write(true).open(&unknown).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(500_000)).unwrap();
    let bytes = open(&folder).usage().unwrap().bytes;
    // Room for all but one of them.
    let bound = bytes - 1;
    assert!(bytes - 2060 < bound / 10 * 7 && bytes > bound / 10 * 7);
    let store = DiskStore::open(folder.path().join("cache"), small().bound(bound)).unwrap();
    store.maintain().unwrap();
    assert!(!orphan.exists());
    assert_eq!((store.usage().unwrap().foreign_files, unknown.exists()), (1, false));
    let left = files(&folder, "packs", ".pack").into_iter().find(|path| fs::read(path).unwrap()[8] == 77);
    let modified = fs::metadata(left.unwrap()).unwrap().modified().unwrap();
    assert_eq!(modified, std::time::UNIX_EPOCH + std::time::Duration::from_secs(2_000_000));
    assert_eq!(store.get(&id("large")).unwrap(), hit([3; 1000]));
}

#[test]
fn every_store_counts_what_was_asked_of_it() {
    let folder = fresh_folder();
    let tiers: Vec<Box<dyn Store>> = vec![Box::new(MemoryStore::new()), Box::new(MemoryStore::new())];
    let stores: [Box<dyn Store>; 3] =
        [Box::new(MemoryStore::new()), Box::new(open(&folder)), Box::new(Tiered::new(tiers))];
    for store in stores {
        for name in ["a", "b", "c"] {
            store.put(&id(name), &[1; 300]).unwrap();
        }
        for name in ["a", "b", "x", "y", "z"] {
            store.get(&id(name)).unwrap();
        }
        let counters = store.counters();
        assert_eq!((counters.puts, counters.hits, counters.missed()), (3, 2, 3));
        assert_eq!((counters.evicted, counters.damaged), (0, 0));
        assert_eq!((store.usage().unwrap().entries, store.verify().unwrap().whole % 3), (3, 0));
    }
}

#[test]
fn a_store_in_memory_that_is_just_full_lets_nothing_go() {
    let store = MemoryStore::bounded(100);
    for name in ["a", "b"] {
        store.put(&id(name), &[0; 50]).unwrap();
    }
    store.maintain().unwrap();
    assert_eq!((store.usage().unwrap().bytes, store.counters().evicted), (100, 0));
}

/// What the file `maintenance` says; see `docs/format.md`.
fn last_usage(folder: &TempDir) -> u64 {
    let bytes = fs::read(folder.path().join("cache/maintenance")).unwrap();
    u64::from_le_bytes(bytes[16..24].try_into().unwrap())
}

#[test]
fn maintenance_writes_down_what_it_leaves() {
    let folder = fresh_folder();
    let bounded = || {
        let options = DiskOptions::default().bound(20_000).large_from(500).pack_bytes(4000);
        DiskStore::open(folder.path().join("cache"), options).unwrap()
    };
    let store = bounded();
    for number in 0..8 {
        store.put(&id(&number.to_string()), &[1; 1000]).unwrap();
        store.put(&id(&format!("small {number}")), &[1; 100]).unwrap();
    }
    store.maintain().unwrap();
    assert_eq!((last_usage(&folder), store.counters().evicted), (store.usage().unwrap().bytes, 0));
    for number in 0..30 {
        store.put(&id(&format!("more {number}")), &[1; 1000]).unwrap();
    }
    store.maintain().unwrap();
    assert!(store.counters().evicted > 0 && store.usage().unwrap().bytes <= 14_000);
    assert_eq!(last_usage(&folder), store.usage().unwrap().bytes);
}

#[test]
fn what_was_struck_out_is_not_listed_and_was_counted_once() {
    let folder = fresh_folder();
    let writer = open(&folder);
    writer.put(&id("whole"), b"whole").unwrap();
    writer.put(&id("damaged"), b"damaged").unwrap();
    drop(writer);
    let store = open(&folder);
    assert_eq!(store.get(&id("damaged")).unwrap(), hit("damaged"));
    let path = &files(&folder, "packs", ".pack")[0];
    let mut bytes = fs::read(path).unwrap();
    let at = bytes.windows(7).position(|bytes| bytes == b"damaged").unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
    assert_eq!(open(&folder).verify().unwrap().damaged, 1);
    assert_eq!(store.get(&id("damaged")).unwrap(), Found::Missing(MissReason::Damaged));
    assert_eq!(store.counters().damaged, 1);
    for store in [&store, &open(&folder)] {
        assert_eq!(store.ids().unwrap(), [id("whole")]);
        let verified = store.verify().unwrap();
        assert_eq!((verified.whole, verified.damaged), (1, 0));
    }
}

#[test]
fn a_damaged_index_is_counted_and_done_without() {
    let folder = fresh_folder();
    runs(&folder, 0..8);
    open(&folder).maintain().unwrap();
    assert!(!files(&folder, "packs", ".index").is_empty());
    let index = &files(&folder, "packs", ".index")[0];
    // In a bucket, behind the header.
    let mut bytes = fs::read(index).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(index, bytes).unwrap();
    let verified = open(&folder).verify().unwrap();
    assert_eq!((verified.whole, verified.damaged), (8, 1));
    let verified = open(&folder).verify().unwrap();
    assert_eq!((verified.whole, verified.damaged), (8, 0), "it was set aside");
    // A pack that is none any more is met by maintenance as well.
    let pack = files(&folder, "packs", ".pack")[0].with_file_name("00000000000000bb.pack");
    fs::write(&pack, b"rubbish").unwrap();
    let store = open(&folder);
    store.maintain().unwrap();
    assert!(!pack.exists());
    assert_eq!(store.counters().damaged, 1);
}

#[test]
fn a_large_file_of_another_question_is_no_answer() {
    let (folder, elsewhere) = (fresh_folder(), fresh_folder());
    let other = Checksum { confirm: Confirm::of(b"another question"), ..id("a") };
    open(&folder).put(&id("a"), &[1; 1000]).unwrap();
    open(&elsewhere).put(&other, &[2; 1000]).unwrap();
    fs::copy(&files(&elsewhere, "large", "")[0], &files(&folder, "large", "")[0]).unwrap();
    assert_eq!(open(&folder).get(&id("a")).unwrap(), Found::Missing(MissReason::Unconfirmed));
    let verified = open(&folder).verify().unwrap();
    assert_eq!((verified.whole, verified.damaged), (0, 0));
}

#[test]
fn the_file_of_what_was_removed_is_gone_and_others_stay() {
    let folder = fresh_folder();
    let store = open(&folder);
    for name in ["a", "b"] {
        store.put(&id(name), &[1; 1000]).unwrap();
    }
    store.remove(&id("a")).unwrap();
    assert_eq!(files(&folder, "large", "").len(), 1);
    assert_eq!(store.get(&id("b")).unwrap(), hit([1; 1000]));
}

#[test]
fn nothing_is_written_behind_the_end_of_a_pack_that_was_cut_off() {
    let folder = fresh_folder();
    let writer = open(&folder);
    writer.put(&id("a"), b"a").unwrap();
    let path = files(&folder, "packs", ".pack")[0].clone();
    let first = fs::metadata(&path).unwrap().len();
    writer.put(&id("b"), b"b").unwrap();
    drop(writer);
    let store = open(&folder);
    assert_eq!(store.get(&id("b")).unwrap(), hit("b"));
    // To the first byte of the second record, and within the first one.
    for length in [first, first - 70] {
        fs::File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
        assert!(store.get(&id("b")).unwrap().payload().is_none());
        assert_eq!(fs::metadata(&path).unwrap().len(), length);
    }
}

#[test]
fn a_pack_or_an_index_under_the_name_of_another_is_damage() {
    let folder = fresh_folder();
    long_pack(&folder, "one", &vec![1; 70_000]);
    long_pack(&folder, "two", &vec![2; 70_000]);
    let indexes = files(&folder, "packs", ".index");
    let [one, two] = [0, 1].map(|at: usize| fs::read(&indexes[at]).unwrap());
    fs::write(&indexes[0], two).unwrap();
    fs::write(&indexes[1], one).unwrap();
    let store = open(&folder);
    for (name, byte) in [("one", 1), ("two", 2)] {
        assert_eq!(store.get(&id(name)).unwrap(), hit(vec![byte; 70_000]));
    }
    let packs = files(&folder, "packs", ".pack");
    fs::rename(&packs[0], packs[0].with_file_name("00000000000000cc.pack")).unwrap();
    let verified = open(&folder).verify().unwrap();
    assert_eq!((verified.whole, verified.damaged), (1, 1));
}
