//! The store in a folder, as long as nothing goes wrong.

use std::collections::BTreeMap;

use cache_core::digest::Confirm;
use cache_core::key::Checksum;
use cache_core::stats::MissReason;
use cache_core::store::{DiskOptions, DiskStore, Found, Store};
use proptest::prelude::*;

use super::faults::Faults;
use super::{files, fresh_folder, hit, id, open, open_on, small};

#[test]
fn what_is_put_is_found_by_this_and_by_every_later_process() {
    let folder = fresh_folder();
    let payloads = [vec![], b"short".to_vec(), vec![7; 200], vec![8; 201], vec![9; 100_000]];
    {
        let store = open(&folder);
        for payload in &payloads {
            store.put(&id(&payload.len().to_string()), payload).unwrap();
        }
        for payload in &payloads {
            assert_eq!(store.get(&id(&payload.len().to_string())).unwrap(), hit(payload.clone()));
        }
    }
    let store = open(&folder);
    for payload in &payloads {
        assert_eq!(store.get(&id(&payload.len().to_string())).unwrap(), hit(payload.clone()));
    }
    assert_eq!(store.get(&id("never put")).unwrap(), Found::Missing(MissReason::Absent));
    assert_eq!(store.counters().hits, 5);
    assert_eq!(store.usage().unwrap().entries, 5);
    assert_eq!(store.verify().unwrap().whole, 5);
    assert_eq!(store.verify().unwrap().damaged, 0);
}

#[test]
fn a_hit_is_confirmed_by_the_long_digest() {
    let folder = fresh_folder();
    let store = open(&folder);
    for (name, payload) in [("small", vec![1; 10]), ("large", vec![1; 1000])] {
        store.put(&id(name), &payload).unwrap();
        let collision = Checksum { confirm: Confirm::of(b"another question"), ..id(name) };
        assert_eq!(store.get(&collision).unwrap(), Found::Missing(MissReason::Unconfirmed));
        assert_eq!(open(&folder).get(&collision).unwrap(), Found::Missing(MissReason::Unconfirmed));
    }
}

#[test]
fn what_others_append_is_seen_while_they_run() {
    let folder = fresh_folder();
    let (writer, reader) = (open(&folder), open(&folder));
    for number in 0..100 {
        let name = number.to_string();
        assert_eq!(reader.get(&id(&name)).unwrap(), Found::Missing(MissReason::Absent));
        writer.put(&id(&name), &vec![number; usize::from(number) * 3]).unwrap();
        assert_eq!(reader.get(&id(&name)).unwrap(), hit(vec![number; usize::from(number) * 3]));
    }
}

#[test]
fn of_what_was_put_twice_the_newest_is_found_whoever_put_it() {
    let folder = fresh_folder();
    let (one, two) = (open(&folder), open(&folder));
    // The pack of the first is older and keeps being written.
    one.put(&id("a"), b"first").unwrap();
    assert_eq!(two.get(&id("a")).unwrap(), hit("first"));
    two.put(&id("a"), b"second").unwrap();
    assert_eq!(open(&folder).get(&id("a")).unwrap(), hit("second"));
    assert_eq!(one.get(&id("not there")).unwrap(), Found::Missing(MissReason::Absent));
    one.put(&id("a"), &[3; 1000]).unwrap();
    assert_eq!(open(&folder).get(&id("a")).unwrap(), hit([3; 1000]));
    one.put(&id("a"), b"fourth").unwrap();
    assert_eq!(open(&folder).get(&id("a")).unwrap(), hit("fourth"));
    one.maintain().unwrap();
    assert_eq!(open(&folder).get(&id("a")).unwrap(), hit("fourth"));
}

#[test]
fn what_is_removed_stays_removed_for_everyone() {
    let folder = fresh_folder();
    let (one, two) = (open(&folder), open(&folder));
    for (name, payload) in [("small", vec![1; 10]), ("large", vec![1; 1000])] {
        one.put(&id(name), &payload).unwrap();
        assert_eq!(two.get(&id(name)).unwrap(), hit(payload));
        two.remove(&id(name)).unwrap();
        for store in [&one, &two, &open(&folder)] {
            assert_eq!(store.get(&id(name)).unwrap(), Found::Missing(MissReason::Absent));
        }
        one.maintain().unwrap();
        assert_eq!(open(&folder).get(&id(name)).unwrap(), Found::Missing(MissReason::Absent));
        one.put(&id(name), b"again").unwrap();
        assert_eq!(open(&folder).get(&id(name)).unwrap(), hit("again"));
    }
}

#[test]
fn cleaning_forgets_everything_even_for_those_who_are_writing() {
    let folder = fresh_folder();
    let (one, two) = (open(&folder), open(&folder));
    one.put(&id("a"), b"1").unwrap();
    two.put(&id("b"), &[2; 1000]).unwrap();
    one.clean().unwrap();
    assert_eq!(one.usage().unwrap().entries, 0);
    assert_eq!(one.usage().unwrap().bytes, 0);
    assert_eq!(one.get(&id("a")).unwrap(), Found::Missing(MissReason::Absent));
    // The other one notices at its next miss that its pack is gone.
    assert_eq!(two.get(&id("c")).unwrap(), Found::Missing(MissReason::Absent));
    two.put(&id("c"), b"3").unwrap();
    assert_eq!(open(&folder).get(&id("c")).unwrap(), hit("3"));
}

#[test]
fn opening_and_looking_up_read_little_however_many_entries_there_are() {
    let folder = fresh_folder();
    let options = DiskOptions::default().bound(None);
    let count = 20_000;
    let store = DiskStore::open(folder.path().join("cache"), options).unwrap();
    for number in 0..count {
        store.put(&id(&number.to_string()), &[1; 20]).unwrap();
    }
    store.maintain().unwrap();
    drop(store);
    let faults = Faults::new();
    let store = open_on(&faults, &folder);
    assert_eq!(faults.take_reads(), (0, 0));
    assert_eq!(store.get(&id("7")).unwrap(), hit([1; 20]));
    let (reads, bytes) = faults.take_reads();
    // The usage file, the header of the one index, a slot of its table, a bucket, the record.
    assert!(reads <= 5 && bytes < 3000, "{reads} reads, {bytes} bytes");
    assert_eq!(store.get(&id("8")).unwrap(), hit([1; 20]));
    let (reads, bytes) = faults.take_reads();
    assert!(reads == 3 && bytes < 2500, "{reads} reads, {bytes} bytes");
    assert_eq!(store.get(&id("absent")).unwrap(), Found::Missing(MissReason::Absent));
}

#[test]
fn many_short_runs_leave_few_packs() {
    let folder = fresh_folder();
    for run in 0..60 {
        let store = open(&folder);
        for number in 0..5 {
            store.put(&id(&format!("{run} {number}")), &[run; 30]).unwrap();
        }
        store.maintain().unwrap();
    }
    let store = open(&folder);
    for run in 0..60 {
        for number in 0..5 {
            assert_eq!(store.get(&id(&format!("{run} {number}"))).unwrap(), hit([run; 30]));
        }
    }
    let usage = store.usage().unwrap();
    assert_eq!(usage.entries, 300);
    assert!(usage.files < 60, "{usage:?}");
}

#[test]
fn a_pack_gets_its_index_once_it_is_long() {
    let folder = fresh_folder();
    let options = || small().large_from(1 << 20).pack_bytes(1 << 20);
    let store = DiskStore::open(folder.path().join("cache"), options()).unwrap();
    store.put(&id("short"), &vec![1; 60 << 10]).unwrap();
    store.flush().unwrap();
    assert_eq!(files(&folder, "packs", ".index").len(), 0);
    store.put(&id("more"), &vec![2; 10 << 10]).unwrap();
    store.flush().unwrap();
    assert_eq!(files(&folder, "packs", ".index").len(), 1);
}

/// What can be done to a store.
#[derive(Clone, Debug)]
enum Operation {
    Get(u8),
    Put(u8, u8, usize),
    Remove(u8),
    Flush,
    Maintain,
    Reopen,
    Switch,
    Clean,
}

fn operation() -> impl Strategy<Value = Operation> {
    let name = 0..12_u8;
    prop_oneof![
        6 => name.clone().prop_map(Operation::Get),
        8 => (name.clone(), any::<u8>(), prop_oneof![0..100_usize, 150..400_usize])
            .prop_map(|(name, byte, length)| Operation::Put(name, byte, length)),
        2 => name.prop_map(Operation::Remove),
        1 => Just(Operation::Flush),
        1 => Just(Operation::Maintain),
        1 => Just(Operation::Reopen),
        3 => Just(Operation::Switch),
        1 => Just(Operation::Clean),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Two stores over one folder, used in turn, behave like one map. Before each use after a switch the
    /// store looks at the folder, as a miss makes it do.
    #[test]
    fn a_folder_behaves_like_a_map(operations in prop::collection::vec(operation(), 1..80)) {
        let folder = fresh_folder();
        let options = small().pack_bytes(800);
        let open = || DiskStore::open(folder.path().join("cache"), options).unwrap();
        let mut stores = [open(), open()];
        let mut at = 0;
        let mut model: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
        for operation in operations {
            let store = &stores[at];
            match operation {
                Operation::Get(name) => {
                    let expected = match model.get(&name) {
                        Some(payload) => Found::Hit(payload.clone()),
                        None => Found::Missing(MissReason::Absent),
                    };
                    prop_assert_eq!(store.get(&id(&name.to_string())).unwrap(), expected);
                }
                Operation::Put(name, byte, length) => {
                    let payload = vec![byte; length];
                    store.put(&id(&name.to_string()), &payload).unwrap();
                    model.insert(name, payload);
                }
                Operation::Remove(name) => {
                    store.remove(&id(&name.to_string())).unwrap();
                    model.remove(&name);
                }
                Operation::Flush => store.flush().unwrap(),
                Operation::Maintain => store.maintain().unwrap(),
                Operation::Reopen => stores[at] = open(),
                Operation::Switch => {
                    at = 1 - at;
                    let _ = stores[at].get(&id("never put")).unwrap();
                }
                Operation::Clean => {
                    store.clean().unwrap();
                    model.clear();
                }
            }
        }
        let store = open();
        for name in 0..12 {
            let found = store.get(&id(&name.to_string())).unwrap();
            prop_assert_eq!(found.payload(), model.get(&name).cloned());
        }
        let verified = store.verify().unwrap();
        prop_assert_eq!(verified.damaged, 0);
    }
}

#[test]
fn what_was_removed_by_another_process_is_not_listed_and_what_was_put_again_once() {
    // Packs are looked through in the order of their names, which are random.
    for _ in 0..8 {
        let folder = fresh_folder();
        let [one, two, three] = [(); 3].map(|()| open(&folder));
        for name in ["removed", "again", "back"] {
            one.put(&id(name), b"first").unwrap();
        }
        two.remove(&id("removed")).unwrap();
        two.remove(&id("back")).unwrap();
        two.put(&id("again"), b"second").unwrap();
        three.put(&id("back"), b"third").unwrap();
        let mut expected = [id("again"), id("back")];
        expected.sort();
        assert_eq!(open(&folder).ids().unwrap(), expected);
    }
}
