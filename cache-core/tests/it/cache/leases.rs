//! The story: two processes over one folder ask the same dear questions at the same time. With leases one of them
//! waits for the other; one that dies or hangs while it holds a lease costs the other a bounded time. The processes
//! are real ones: this test program started again, told by the environment to play the child.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use cache_core::cache::SharedCache;
use cache_core::store::{Claim, DiskOptions, DiskStore};
use tempfile::TempDir;

use super::*;

const FOLDER: &str = "REPRISE_TEST_FOLDER";
const ROLE: &str = "REPRISE_TEST_LEASES";
const QUESTIONS: u64 = 200;
/// Longer than any test may take: what ends is not ended by it.
const FOR_EVER: Duration = Duration::from_secs(1_000_000);

fn disk(folder: &Path) -> Arc<dyn Store> {
    Arc::new(DiskStore::open(folder.join("cache"), DiskOptions::default()).unwrap())
}

fn taking_turns(store: &Arc<dyn Store>, wait: Option<Duration>) -> Cache<Verdict> {
    Cache::new(CacheConfig::default().store(Arc::clone(store)).lease_wait(wait))
}

fn id_of(number: u64) -> Checksum {
    question(number).checksum()
}

/// Some work, without a clock.
fn work() {
    let bytes = vec![7_u8; 1 << 18];
    std::hint::black_box(Confirm::of(&bytes));
}

/// Returns when both processes are at this question: a folder for each question, a file for each process.
fn meet(folder: &Path, number: u64) {
    let meeting = folder.join(number.to_string());
    std::fs::create_dir_all(&meeting).unwrap();
    std::fs::write(meeting.join(std::process::id().to_string()), "").unwrap();
    while std::fs::read_dir(&meeting).unwrap().count() < 2 {
        std::thread::yield_now();
    }
}

#[test]
fn a_child_of_the_tests_below_plays_its_part() {
    let (Some(folder), Ok(role)) = (std::env::var_os(FOLDER), std::env::var(ROLE)) else { return };
    let folder = PathBuf::from(folder);
    let store = disk(&folder);
    let tell = |what: &str| {
        let mut out = std::io::stdout();
        writeln!(out, "\n{what}").unwrap();
        out.flush().unwrap();
    };
    tell("ready");
    std::io::stdin().read_line(&mut String::new()).unwrap();
    if role == "dies" {
        let mut cache = taking_turns(&store, Some(FOR_EVER));
        let answered = cache.answer::<String>(&question(1), &Limits::default(), || {
            tell("asked 1");
            // Until the parent kills it.
            loop {
                std::thread::park();
            }
        });
        unreachable!("{answered:?}");
    }
    let mut cache = taking_turns(&store, (role == "waits").then_some(FOR_EVER));
    let engine = Engine::default();
    for number in 0..QUESTIONS {
        let answered = cache.answer::<String>(&question(number), &Limits::default(), || {
            tell(&format!("asked {number}"));
            if role == "asks" {
                meet(&folder, number);
            }
            work();
            Ok(engine.run(number, &Limits::default()))
        });
        assert_eq!(answered.unwrap().answer, Verdict::Square(number * number));
    }
    cache.finish();
    assert_eq!(cache.take_warnings(), Vec::<String>::new());
}

/// A child that is told to begin by [`begin`].
fn start(folder: &TempDir, role: &str) -> (Child, BufReader<ChildStdout>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "cache::leases::a_child_of_the_tests_below_plays_its_part", "--nocapture"])
        .env(FOLDER, folder.path())
        .env(ROLE, role)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    assert!(read_until(&mut lines, "ready").is_some());
    (child, lines)
}

fn begin(child: &mut Child) {
    writeln!(child.stdin.take().unwrap()).unwrap();
}

/// The next line that begins so.
fn read_until(lines: &mut impl BufRead, start: &str) -> Option<String> {
    lines.lines().map_while(std::io::Result::ok).find(|line| line.starts_with(start))
}

/// How many questions two processes answered that the other one answered as well.
#[expect(clippy::print_stdout, reason = "the measurement, for who asks for it with --nocapture")]
fn duplicated(role: &str) -> u64 {
    let folder = TempDir::new().unwrap();
    let mut children = [start(&folder, role), start(&folder, role)];
    children.iter_mut().for_each(|(child, _)| begin(child));
    let mut asked: BTreeMap<String, u64> = BTreeMap::new();
    for (mut child, lines) in children {
        for line in lines.lines().map_while(std::io::Result::ok).filter(|line| line.starts_with("asked ")) {
            *asked.entry(line).or_default() += 1;
        }
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(asked.len() as u64, QUESTIONS);
    let twice = asked.values().sum::<u64>() - QUESTIONS;
    println!("a child that {role}: {twice} of {QUESTIONS} questions answered twice");
    twice
}

#[test]
fn two_processes_with_leases_answer_at_most_two_in_a_hundred_questions_twice() {
    let twice = duplicated("waits");
    assert!(twice * 50 <= QUESTIONS, "{twice} of {QUESTIONS} were answered twice");
}

/// The law above would notice: without leases nothing keeps two processes from asking everything twice.
#[test]
fn two_processes_without_leases_answer_more_twice() {
    assert_eq!(duplicated("asks"), QUESTIONS);
}

#[test]
fn a_lease_ends_with_its_holder() {
    let folder = TempDir::new().unwrap();
    let (mut child, mut lines) = start(&folder, "dies");
    begin(&mut child);
    assert!(read_until(&mut lines, "asked 1").is_some());
    let store = disk(folder.path());
    assert!(matches!(store.claim(&id_of(1)).unwrap(), Claim::Taken));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let engine = Engine::default();
            let mut cache = taking_turns(&store, Some(FOR_EVER));
            ask(&mut cache, &engine, 1, &Limits::default()).unwrap().answer
        });
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(waiting.join().unwrap(), Verdict::Square(1));
    });
    store.maintain().unwrap();
    assert_eq!(std::fs::read_dir(folder.path().join("cache/leases")).unwrap().count(), 0, "nothing is left");
}

#[test]
fn nobody_waits_beyond_the_bound() {
    let folder = TempDir::new().unwrap();
    let (store, other) = (disk(folder.path()), disk(folder.path()));
    let Claim::Held(lease) = other.claim(&id_of(1)).unwrap() else { unreachable!() };
    let engine = Engine::default();
    let mut cache = taking_turns(&store, Some(Duration::from_millis(20)));
    let answered = ask(&mut cache, &engine, 1, &Limits::default()).unwrap();
    assert_eq!(answered.answer, Verdict::Square(1));
    assert_eq!(answered.provenance, Provenance::Fresh(MissReason::Absent));
    assert_eq!(cache.stats().missed(), 1, "a question that waits counts once");
    drop(lease);
}

#[test]
fn a_lease_is_of_one_question_and_has_one_holder() {
    let folder = TempDir::new().unwrap();
    let (store, other) = (disk(folder.path()), disk(folder.path()));
    let held = store.claim(&id_of(1)).unwrap();
    assert!(matches!(held, Claim::Held(_)));
    assert!(matches!(other.claim(&id_of(1)).unwrap(), Claim::Taken));
    assert!(matches!(other.claim(&id_of(2)).unwrap(), Claim::Held(_)));
    // Neither maintenance nor cleaning takes it away.
    other.maintain().unwrap();
    other.clean().unwrap();
    assert!(matches!(other.claim(&id_of(1)).unwrap(), Claim::Taken));
    drop(held);
    assert!(matches!(other.claim(&id_of(1)).unwrap(), Claim::Held(_)));
}

#[test]
fn of_many_who_want_a_lease_one_has_it_at_a_time() {
    let folder = TempDir::new().unwrap();
    let (held, had) = (AtomicBool::new(false), Mutex::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let store = disk(folder.path());
                let mut own = 0;
                while own < 100 {
                    let Claim::Held(lease) = store.claim(&id_of(1)).unwrap() else { continue };
                    assert!(!held.swap(true, Ordering::SeqCst), "two have it");
                    held.store(false, Ordering::SeqCst);
                    drop(lease);
                    own += 1;
                }
                *had.lock().unwrap() += own;
            });
        }
    });
    assert_eq!(*had.lock().unwrap(), 400);
}

#[test]
fn an_answer_that_came_while_one_waited_is_a_hit() {
    let folder = TempDir::new().unwrap();
    let (store, other) = (disk(folder.path()), disk(folder.path()));
    let engine = Engine::default();
    let mut first = taking_turns(&other, None);
    // Between the look-up and the lease: the other process has just answered and given its lease up.
    let answering: Arc<dyn Store> = Arc::new(Answering { inner: store, asked: Mutex::default() });
    first.fill(&question(7), &Limits::default(), &engine.run(7, &Limits::default()));
    let mut second = taking_turns(&answering, Some(FOR_EVER));
    ask(&mut second, &engine, 8, &Limits::default()).unwrap();
    let answered = ask(&mut second, &engine, 7, &Limits::default()).unwrap();
    assert_eq!((answered.provenance, engine.asked()), (Provenance::Store, 2));
    // The miss that was taken back is this one, not the one before.
    assert_eq!((second.stats().hits, second.stats().missed()), (1, 1));
}

/// What is answered to who waited for another process, which had less to spend.
fn after_a_smaller_budget(config: impl FnOnce(CacheConfig) -> CacheConfig) -> Verdict {
    let store = memory_store();
    let engine = Engine::default();
    cache(Mode::ReadWrite, &store).fill(&question(7), &resource(2), &engine.run(7, &resource(2)));
    let answering: Arc<dyn Store> = Arc::new(Answering { inner: store, asked: Mutex::default() });
    let mut second: Cache<Verdict> =
        Cache::new(config(CacheConfig::default().store(answering).lease_wait(FOR_EVER)));
    ask(&mut second, &engine, 7, &Limits::default()).unwrap().answer
}

#[test]
fn what_another_process_left_is_judged_by_its_limits() {
    assert_eq!(after_a_smaller_budget(|config| config), Verdict::Square(49));
}

#[cfg(feature = "plant")]
#[test]
fn what_another_process_left_and_is_not_judged_is_noticed() {
    let fault = Some(cache_core::plant::Fault::TrustTurns);
    assert_eq!(after_a_smaller_budget(|config| config.fault(fault)), Verdict::OutOfLimits);
}

/// A store that does not have what it is asked for when it is asked for it first.
struct Answering {
    inner: Arc<dyn Store>,
    asked: Mutex<BTreeSet<Checksum>>,
}

impl Store for Answering {
    fn get(&self, id: &Checksum) -> std::result::Result<Found, StoreError> {
        if self.asked.lock().unwrap().insert(*id) {
            return Ok(Found::Missing(MissReason::Absent));
        }
        self.inner.get(id)
    }
    fn put(&self, id: &Checksum, payload: &[u8]) -> std::result::Result<(), StoreError> {
        self.inner.put(id, payload)
    }
    fn remove(&self, id: &Checksum) -> std::result::Result<(), StoreError> {
        self.inner.remove(id)
    }
    fn claim(&self, id: &Checksum) -> std::result::Result<Claim, StoreError> {
        self.inner.claim(id)
    }
    fn clean(&self) -> std::result::Result<(), StoreError> {
        self.inner.clean()
    }
    fn usage(&self) -> std::result::Result<Usage, StoreError> {
        self.inner.usage()
    }
    fn verify(&self) -> std::result::Result<Verified, StoreError> {
        self.inner.verify()
    }
    fn counters(&self) -> Counters {
        self.inner.counters()
    }
}

#[test]
fn an_engine_that_meets_its_own_question_does_not_wait_for_itself() {
    let folder = TempDir::new().unwrap();
    let cache = SharedCache::new(taking_turns(&disk(folder.path()), Some(FOR_EVER)));
    let engine = Engine::default();
    let limits = Limits::default();
    let answered = cache.answer::<String>(&question(3), &limits, || {
        let inner = cache.answer::<String>(&question(3), &limits, || Ok(engine.run(3, &limits)));
        assert_eq!(inner.unwrap().answer, Verdict::Square(9));
        Ok(engine.run(3, &limits))
    });
    assert_eq!(answered.unwrap().answer, Verdict::Square(9));
}

#[test]
fn files_of_holders_that_died_are_swept_up_and_those_of_others_left() {
    let folder = TempDir::new().unwrap();
    let store = disk(folder.path());
    let leases = folder.path().join("cache").join("leases");
    let names = || -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&leases).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let question = question(1);
    let id = Checksum { digest: question.digest(), confirm: question.confirm() };
    let Claim::Held(held) = store.claim(&id).unwrap() else { unreachable!("nobody else claims it") };
    let of_the_living = names();
    assert_eq!(of_the_living.len(), 1);
    let left = leases.join(format!("{}.lease", "0".repeat(32)));
    std::fs::write(&left, [1; 8]).unwrap();
    // Other tests start processes, which have copies of open files until they have begun their programs.
    for _ in 0..100_000 {
        store.maintain().unwrap();
        if !left.exists() {
            break;
        }
        std::thread::yield_now();
    }
    assert_eq!(names(), of_the_living);
    drop(held);
    assert!(names().is_empty());
}
