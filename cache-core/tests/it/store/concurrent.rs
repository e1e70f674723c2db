//! The story: several editors, a watcher and a CI job use one folder at the same time, and one of them is
//! killed. Nobody waits, nothing is lost, nothing torn is served. The processes here are real ones: this
//! test program started again, told by the environment to play the child.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use cache_core::store::{DiskStore, Found, Store};
use proptest::prelude::*;
use tempfile::TempDir;

use super::faults::Faults;
use super::{files, fresh_folder, hit, id, open, open_on, small};

const FOLDER: &str = "REPRISE_TEST_FOLDER";
const WRITER: &str = "REPRISE_TEST_WRITER";
const COUNT: &str = "REPRISE_TEST_COUNT";

fn name(writer: usize, number: usize) -> String {
    format!("writer {writer}, entry {number}")
}

fn payload(writer: usize, number: usize) -> Vec<u8> {
    let length = if number.is_multiple_of(10) { 300 } else { number % 150 };
    let mut payload = format!("{writer}/{number}:").into_bytes();
    payload.resize(payload.len() + length, b'x');
    payload
}

fn store_at(folder: &Path) -> DiskStore {
    DiskStore::open(folder, small().pack_bytes(20_000)).unwrap()
}

/// Puts entries and tells the parent after each one; looks at those of others and at its own on the way.
fn write(folder: &Path, writer: usize, count: usize, mut tell: impl FnMut(usize)) {
    let store = store_at(folder);
    for number in 0..count {
        store.put(&id(&name(writer, number)), &payload(writer, number)).unwrap();
        store.put(&id("shared by all"), &payload(writer, number)).unwrap();
        tell(number);
        assert_eq!(store.get(&id(&name(writer, number / 2))).unwrap(), hit(payload(writer, number / 2)));
        if let Found::Hit(found) = store.get(&id(&name(writer + 1, number / 2))).unwrap() {
            assert_eq!(found, payload(writer + 1, number / 2));
        }
        // What all write at once is one of the things they write.
        let found = store.get(&id("shared by all")).unwrap().payload().unwrap();
        let text = String::from_utf8(found.clone()).unwrap();
        let (of, rest) = text.split_once('/').unwrap();
        let (which, _) = rest.split_once(':').unwrap();
        assert_eq!(found, payload(of.parse().unwrap(), which.parse().unwrap()));
        if number % 100 == 99 {
            store.maintain().unwrap();
        }
    }
}

/// Packs may be merged, and the merged one merged again, each time between a listing and the opening of what it
/// shows: a process that has to wait for its turn meets that.
#[test]
fn what_is_merged_while_the_folder_is_listed_is_found() {
    for merges in 0..6 {
        let folder = Arc::new(fresh_folder());
        let merge = |folder: &TempDir| {
            for number in 0..8 {
                open(folder).put(&id(&name(1, number)), &payload(1, number)).unwrap();
            }
            open(folder).maintain().unwrap();
            assert_eq!(files(folder, "packs", ".pack").len(), 1);
        };
        open(&folder).put(&id("kept"), b"kept").unwrap();
        let faults = Faults::new();
        let store = open_on(&faults, &folder);
        for _ in 0..merges {
            let folder = Arc::clone(&folder);
            faults.after_a_listing(move || merge(&folder));
        }
        assert_eq!(store.get(&id("kept")).unwrap(), hit("kept"), "after {merges} merges");
    }
}

#[test]
fn a_pack_that_is_swept_up_before_it_is_locked_is_begun_again() {
    for sweeps in 0..6 {
        let folder = fresh_folder();
        let faults = Faults::new();
        let store = open_on(&faults, &folder);
        for _ in 0..sweeps {
            faults.after_a_pack_is_made(|part| std::fs::remove_file(part).unwrap());
        }
        store.put(&id("kept"), b"kept").unwrap();
        assert_eq!(open(&folder).get(&id("kept")).unwrap(), hit("kept"), "after {sweeps} sweeps");
    }
}

/// Who looks whether a pack was left behind has its lock for an instant. A pack that went on without would be merged
/// while it is written, and what is put later would be lost.
#[test]
fn a_pack_is_locked_whoever_looks_at_it_when_it_is_begun() {
    let folder = fresh_folder();
    let faults = Faults::new();
    let store = open_on(&faults, &folder);
    let (give, held) = std::sync::mpsc::channel();
    faults.after_a_pack_is_made(move |part| {
        let file = std::fs::File::open(part).unwrap();
        file.try_lock().unwrap();
        give.send(file).unwrap();
    });
    store.put(&id("early"), b"early").unwrap();
    drop(held.recv().unwrap());
    for number in 0..8 {
        open(&folder).put(&id(&name(1, number)), &payload(1, number)).unwrap();
    }
    open(&folder).maintain().unwrap();
    assert!(files(&folder, "packs", ".pack").len() == 2);
    store.put(&id("late"), b"late").unwrap();
    let other = open(&folder);
    assert_eq!(other.get(&id("early")).unwrap(), hit("early"));
    assert_eq!(other.get(&id("late")).unwrap(), hit("late"));
}

#[test]
fn what_a_writer_appends_until_it_ends_is_merged_as_well() {
    let folder = fresh_folder();
    for number in 0..8 {
        open(&folder).put(&id(&name(1, number)), &payload(1, number)).unwrap();
    }
    let writer = open(&folder);
    writer.put(&id("early"), b"early").unwrap();
    let faults = Faults::new();
    faults.before_a_lock_is_tried(move || {
        writer.put(&id("late"), b"late").unwrap();
        drop(writer);
    });
    open_on(&faults, &folder).maintain().unwrap();
    assert!(files(&folder, "packs", ".pack").len() == 1);
    let store = open(&folder);
    assert_eq!(store.get(&id("early")).unwrap(), hit("early"));
    assert_eq!(store.get(&id("late")).unwrap(), hit("late"));
}

/// A process that is being started has a copy of every open file until its own program begins. A lock that such a copy
/// holds on would let a pack that has ended seem to be written.
#[test]
fn what_is_closed_is_closed_while_processes_are_started() {
    let done = AtomicBool::new(false);
    let folder = fresh_folder();
    let seems_written = |number: usize| {
        open(&folder).put(&id(&name(1, number % 4)), b"1").unwrap();
        let pack = files(&folder, "packs", ".pack").pop().unwrap();
        let closed = std::fs::File::open(&pack).unwrap().try_lock().is_ok();
        std::fs::remove_file(pack).unwrap();
        !closed
    };
    let count = std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(SeqCst) {
                    Command::new("/bin/true").status().unwrap();
                }
            });
        }
        let count = (0..1000).filter(|number| seems_written(*number)).count();
        done.store(true, SeqCst);
        count
    });
    assert_eq!(count, 0);
}

#[test]
fn a_child_of_the_tests_below_writes_its_part() {
    let (Some(folder), Ok(writer), Ok(count)) =
        (std::env::var_os(FOLDER), std::env::var(WRITER), std::env::var(COUNT))
    else {
        return;
    };
    let mut out = std::io::stdout();
    write(&PathBuf::from(folder), writer.parse().unwrap(), count.parse().unwrap(), |number| {
        writeln!(out, "put {number}").unwrap();
        out.flush().unwrap();
    });
}

fn start(folder: &Path, writer: usize, count: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store::concurrent::a_child_of_the_tests_below_writes_its_part", "--nocapture"])
        .env(FOLDER, folder)
        .env(WRITER, writer.to_string())
        .env(COUNT, count.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// Reads what the child tells until it has put so many entries or ends; returns how many it has put.
fn put_by(lines: &mut impl BufRead, enough: usize) -> usize {
    let mut count = 0;
    let mut line = String::new();
    while count < enough {
        line.clear();
        if lines.read_line(&mut line).unwrap() == 0 {
            break;
        }
        count += usize::from(line.starts_with("put ") && line.ends_with('\n'));
    }
    count
}

#[test]
fn processes_and_threads_that_write_at_once_lose_nothing_and_serve_nothing_torn() {
    let folder = fresh_folder();
    let path = folder.path().join("cache");
    let (processes, threads, count) = (4, 3, 300);
    let mut children: Vec<Child> = (0..processes).map(|writer| start(&path, writer, count)).collect();
    std::thread::scope(|scope| {
        for writer in processes..processes + threads {
            let path = &path;
            scope.spawn(move || write(path, writer, count, |_| {}));
        }
    });
    for child in &mut children {
        let put = put_by(&mut BufReader::new(child.stdout.take().unwrap()), usize::MAX);
        assert!(child.wait().unwrap().success());
        assert_eq!(put, count);
    }
    for round in 0..2 {
        let store = store_at(&path);
        for writer in 0..processes + threads {
            for number in 0..count {
                let found = store.get(&id(&name(writer, number))).unwrap();
                assert_eq!(found, hit(payload(writer, number)), "{writer}/{number}, round {round}");
            }
        }
        assert_eq!(store.counters().damaged, 0);
        assert_eq!(store.verify().unwrap().damaged, 0);
        store.maintain().unwrap();
    }
}

#[test]
fn of_a_killed_process_everything_it_had_put_is_found() {
    for enough in [1, 50, 150] {
        let folder = fresh_folder();
        let path = folder.path().join("cache");
        let mut child = start(&path, 0, 1_000_000);
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut put = put_by(&mut lines, enough);
        child.kill().unwrap();
        put += put_by(&mut lines, usize::MAX);
        assert!(!child.wait().unwrap().success());
        assert!(put >= enough);
        for _ in 0..2 {
            let store = store_at(&path);
            for number in 0..put {
                assert_eq!(store.get(&id(&name(0, number))).unwrap(), hit(payload(0, number)));
            }
            // The kernel gave up the killed writer's lock, so its packs are maintained now.
            store.maintain().unwrap();
        }
        assert_eq!(store_at(&path).verify().unwrap().damaged, 0);
    }
}

#[test]
fn trimming_while_others_write_serves_nothing_torn() {
    let folder = fresh_folder();
    let path = folder.path().join("cache");
    let options = small().bound(30_000).pack_bytes(5000);
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let path = &path;
            scope.spawn(move || {
                let store = DiskStore::open(path, options).unwrap();
                for number in 0..300 {
                    store.put(&id(&name(writer, number)), &payload(writer, number)).unwrap();
                    for other in 0..3 {
                        if let Found::Hit(found) = store.get(&id(&name(other, number / 2))).unwrap() {
                            assert_eq!(found, payload(other, number / 2));
                        }
                    }
                    if number % 20 == 19 {
                        store.maintain().unwrap();
                    }
                }
                assert_eq!(store.counters().damaged, 0);
            });
        }
    });
    let store = DiskStore::open(&path, options).unwrap();
    store.maintain().unwrap();
    assert!(store.usage().unwrap().bytes <= 30_000);
    assert_eq!(store.verify().unwrap().damaged, 0);
}

/// One thread's share of a random schedule.
fn share() -> impl Strategy<Value = Vec<(bool, u8)>> {
    prop::collection::vec((any::<bool>(), 0..6_u8), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

    #[test]
    fn random_schedules_of_several_stores_answer_only_with_what_was_put(
        shares in prop::collection::vec(share(), 2..4),
    ) {
        let folder: TempDir = fresh_folder();
        std::thread::scope(|scope| {
            for (writer, share) in shares.iter().enumerate() {
                let folder = &folder;
                scope.spawn(move || {
                    let store = open(folder);
                    for (put, key) in share {
                        let payload = [[u8::try_from(writer).unwrap(), *key].repeat(40), vec![*key; 200]].concat();
                        if *put {
                            store.put(&id(&key.to_string()), &payload).unwrap();
                        } else if let Found::Hit(found) = store.get(&id(&key.to_string())).unwrap() {
                            assert_eq!(found[1], *key);
                            assert_eq!(found.len(), 280);
                        }
                    }
                    store.maintain().unwrap();
                });
            }
        });
        let store = open(&folder);
        for (_, key) in shares.iter().flatten().filter(|(put, _)| *put) {
            prop_assert!(matches!(store.get(&id(&key.to_string())).unwrap(), Found::Hit(found) if found[1] == *key));
        }
    }
}
