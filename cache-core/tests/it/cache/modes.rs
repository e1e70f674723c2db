//! What each mode takes and leaves; limits; what is counted.

use cache_core::store::{DiskOptions, DiskStore};

use super::*;

/// What one request in a mode does to a store with or without the answer.
#[derive(Debug, PartialEq)]
struct Effect {
    provenance: Option<Provenance>,
    asked: u64,
    writes: u64,
}

fn effect(mode: Mode, stored: bool) -> Effect {
    let (engine, store) = (Engine::default(), memory_store());
    if stored {
        ask(&mut cache(Mode::ReadWrite, &store), &engine, 3, &Limits::default()).unwrap();
        engine.asked();
    }
    let writes_before = store.counters().puts;
    let answered = ask(&mut cache(mode, &store), &engine, 3, &Limits::default());
    if let Ok(answered) = &answered {
        assert_eq!(answered.answer, Verdict::Square(9));
    }
    Effect {
        provenance: answered.ok().map(|answered| answered.provenance),
        asked: engine.asked(),
        writes: store.counters().puts - writes_before,
    }
}

#[test]
fn a_mode_is_read_by_its_name() {
    for mode in Mode::ALL {
        assert_eq!(mode.to_string().parse::<Mode>().unwrap(), mode);
    }
    let error = "sometimes".parse::<Mode>().unwrap_err().to_string();
    assert!(error.contains("`sometimes`"), "{error}");
    assert!(Mode::ALL.iter().all(|mode| error.contains(mode.name())), "{error}");
}

#[test]
fn each_mode_takes_and_leaves_what_it_may() {
    use MissReason::{Absent, NotRead};
    use Provenance::{Fresh, Store};
    #[rustfmt::skip]
    let table = [
        // mode            stored  comes from            asked  writes
        (Mode::Off,        false,  Some(Fresh(NotRead)),     1,  0),
        (Mode::Off,        true,   Some(Fresh(NotRead)),     1,  0),
        (Mode::Read,       false,  Some(Fresh(Absent)),      1,  0),
        (Mode::Read,       true,   Some(Store),              0,  0),
        (Mode::ReadWrite,  false,  Some(Fresh(Absent)),      1,  1),
        (Mode::ReadWrite,  true,   Some(Store),              0,  0),
        (Mode::Rebuild,    false,  Some(Fresh(NotRead)),     1,  1),
        (Mode::Rebuild,    true,   Some(Fresh(NotRead)),     1,  1),
        (Mode::Offline,    false,  None,                     0,  0),
        (Mode::Offline,    true,   Some(Store),              0,  0),
    ];
    for (mode, stored, provenance, asked, writes) in table {
        assert_eq!(effect(mode, stored), Effect { provenance, asked, writes }, "{mode}, stored: {stored}");
    }
    assert!(Mode::ALL.iter().all(|mode| table.iter().any(|row| row.0 == *mode)));
}

#[test]
fn each_mode_repeats_itself_as_it_may() {
    for (mode, asked) in [(Mode::Off, 2), (Mode::Rebuild, 2), (Mode::Read, 1), (Mode::ReadWrite, 1)] {
        let (engine, store) = (Engine::default(), memory_store());
        let mut cache = cache(mode, &store);
        for _ in 0..2 {
            ask(&mut cache, &engine, 3, &Limits::default()).unwrap();
        }
        assert_eq!(engine.asked(), asked, "{mode}");
    }
}

#[test]
fn rebuild_overwrites_what_was_there() {
    let (engine, store) = (Engine::default(), memory_store());
    engine.lies.set(true);
    ask(&mut cache(Mode::ReadWrite, &store), &engine, 3, &Limits::default()).unwrap();
    engine.lies.set(false);
    ask(&mut cache(Mode::Rebuild, &store), &engine, 3, &Limits::default()).unwrap();
    let served = ask(&mut cache(Mode::Offline, &store), &engine, 3, &Limits::default()).unwrap();
    assert_eq!(served.answer, Verdict::Square(9));
}

#[test]
fn an_offline_miss_names_the_question_and_the_way_out() {
    let store = memory_store();
    let error =
        ask(&mut cache(Mode::Offline, &store), &Engine::default(), 3, &Limits::default()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains(&format!("square `number` ({})", question(3).digest())), "{text}");
    assert!(text.contains("nothing is stored for it") && text.contains("read-write"), "{text}");
}

#[test]
fn a_cache_without_a_store_remembers_within_the_run() {
    let engine = Engine::default();
    let mut cache: Cache<Verdict> = Cache::new(CacheConfig::default());
    let first = ask(&mut cache, &engine, 4, &Limits::default()).unwrap();
    assert_eq!(first.provenance, Provenance::Fresh(MissReason::Absent));
    let second = ask(&mut cache, &engine, 4, &Limits::default()).unwrap();
    assert_eq!((second.answer, second.provenance), (Verdict::Square(16), Provenance::Memory));
    assert_eq!(second.cost, Cost { seconds: 0.5, resource: 4 });
    assert_eq!(engine.asked(), 1);
    assert!(cache.take_warnings().is_empty());
}

#[test]
fn without_a_store_no_confirming_digest_is_asked_for() {
    struct Plain;
    impl Question for Plain {
        fn digest(&self) -> Digest {
            Digest::of(b"plain")
        }
        fn confirm(&self) -> Confirm {
            unreachable!()
        }
    }
    let engine = Engine::default();
    let mut cache: Cache<Verdict> = Cache::new(CacheConfig::default());
    for _ in 0..2 {
        let answered: Result<_> =
            cache.answer(&Plain, &Limits::default(), || Ok(engine.run(2, &Limits::default())));
        assert_eq!(answered.unwrap().answer, Verdict::Square(4));
    }
    assert_eq!(engine.asked(), 1);
}

#[test]
fn an_answer_out_of_limits_is_replayed_only_within_them() {
    let (engine, store) = (Engine::default(), memory_store());
    let request = |limit: u64| {
        // From memory and, in a fresh cache, from disk.
        let answered = ask(&mut cache(Mode::ReadWrite, &store), &engine, 50, &resource(limit)).unwrap();
        (answered.answer, answered.provenance, engine.asked())
    };
    assert_eq!(request(10), (Verdict::OutOfLimits, Provenance::Fresh(MissReason::Absent), 1));
    assert_eq!(request(10), (Verdict::OutOfLimits, Provenance::Store, 0));
    assert_eq!(request(5), (Verdict::OutOfLimits, Provenance::Store, 0));
    assert_eq!(request(20), (Verdict::OutOfLimits, Provenance::Fresh(MissReason::Limits), 1));
    assert_eq!(request(15), (Verdict::OutOfLimits, Provenance::Store, 0));
    assert_eq!(request(50), (Verdict::Square(2500), Provenance::Fresh(MissReason::Limits), 1));
    assert_eq!(
        request(1),
        (Verdict::Square(2500), Provenance::Store, 0),
        "decided answers serve every budget"
    );
}

#[test]
fn limits_are_judged_in_memory_as_on_disk() {
    let engine = Engine::default();
    let mut cache: Cache<Verdict, Lru> = Cache::new(CacheConfig::default());
    for (limit, asked) in [(10, 1), (10, 0), (9, 0), (11, 1), (11, 0), (50, 1), (1, 0)] {
        ask(&mut cache, &engine, 50, &resource(limit)).unwrap();
        assert_eq!(engine.asked(), asked, "limit {limit}");
    }
    assert_eq!(cache.stats().misses[&MissReason::Limits], 2);
}

#[test]
fn the_clocks_verdict_of_another_machine_is_not_replayed() {
    let store = memory_store();
    let on = |machine: &str| Limits {
        wall_ms: Some(100),
        machine: Some(MachineId(machine.into())),
        ..Limits::default()
    };
    let out = || Ok::<_, String>(Asked { answer: Verdict::OutOfLimits, cost: Cost::default() });
    let request = |machine: &str| {
        cache(Mode::ReadWrite, &store).answer(&question(1), &on(machine), out).unwrap().provenance
    };
    assert_eq!(request("here"), Provenance::Fresh(MissReason::Absent));
    assert_eq!(request("here"), Provenance::Store);
    assert_eq!(request("there"), Provenance::Fresh(MissReason::Limits));
}

#[test]
fn a_failure_of_the_engine_is_never_kept() {
    let store = memory_store();
    let mut cache = cache(Mode::ReadWrite, &store);
    let failed: Result<Answered<Verdict>> =
        cache.answer(&question(3), &Limits::default(), || Err("the solver crashed".to_owned()));
    assert_eq!(failed.unwrap_err().to_string(), "the solver crashed");
    assert_eq!(store.counters().puts, 0);
    let engine = Engine::default();
    ask(&mut cache, &engine, 3, &Limits::default()).unwrap();
    assert_eq!(engine.asked(), 1);
}

#[test]
fn what_happened_is_counted() {
    let (engine, store) = (Engine::default(), memory_store());
    let config = CacheConfig::default().store(Arc::clone(&store)).memory_entries(2);
    let mut cache: Cache<Verdict, Lru> = Cache::new(config);
    for number in [1, 2, 1, 3, 1, 2] {
        ask(&mut cache, &engine, number, &Limits::default()).unwrap();
    }
    let stats = cache.finish();
    assert_eq!((stats.hits, stats.missed()), (3, 3));
    assert_eq!(stats.misses[&MissReason::Absent], 3);
    assert_eq!(stats.evicted, 2, "2 left memory for 3, and 3 for 2");
    assert!((stats.seconds_saved - 1.5).abs() < 1e-9);
    assert_eq!(stats.bytes, store.usage().unwrap().bytes);
    assert!(stats.bytes > 0);
}

#[test]
fn two_caches_share_a_store_and_keep_apart_by_schema() {
    let (engine, store) = (Engine::default(), memory_store());
    let mut squares = cache(Mode::ReadWrite, &store);
    let mut others = cache(Mode::ReadWrite, &store);
    let other = KeyBuilder::new("cube", 1).engine("multiplier", "1.0").content("number", &3_u64).finish();
    ask(&mut squares, &engine, 3, &Limits::default()).unwrap();
    assert_eq!(others.lookup(&other, &Limits::default()), Lookup::Miss(MissReason::Absent));
}

#[test]
fn the_split_form_does_what_the_whole_form_does() {
    let (engine, store) = (Engine::default(), memory_store());
    let mut cache = cache(Mode::ReadWrite, &store);
    let key = question(6);
    assert_eq!(cache.lookup(&key, &Limits::default()), Lookup::Miss(MissReason::Absent));
    let fresh = engine.run(6, &Limits::default());
    cache.fill(&key, &Limits::default(), &fresh);
    let Lookup::Hit { answer, provenance, saved, audit } = cache.lookup(&key, &Limits::default()) else {
        panic!("it was filled in");
    };
    assert_eq!((answer, provenance, saved, audit), (fresh.answer, Provenance::Memory, fresh.cost, false));
}

#[test]
fn what_left_memory_and_what_left_the_store_is_evicted() {
    let engine = Engine::default();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::bounded(30));
    let config = CacheConfig::default().store(Arc::clone(&store)).memory_entries(4);
    let mut cache: Cache<Verdict> = Cache::new(config);
    for number in 0..10 {
        ask(&mut cache, &engine, number, &Limits::default()).unwrap();
    }
    assert_eq!(cache.stats().evicted, 6);
    let stats = cache.finish();
    let of_store = store.counters().evicted;
    assert!(of_store > 0);
    assert_eq!((stats.evicted, stats.bytes), (6 + of_store, store.usage().unwrap().bytes));
}

#[test]
fn only_who_leaves_answers_takes_turns_at_them() {
    for (mode, turns) in [(Mode::ReadWrite, 1), (Mode::Read, 0), (Mode::Rebuild, 0), (Mode::Off, 0)] {
        let folder = tempfile::TempDir::new().unwrap();
        let disk: Arc<dyn Store> =
            Arc::new(DiskStore::open(folder.path().join("cache"), DiskOptions::default()).unwrap());
        let config = CacheConfig::default().mode(mode).store(disk);
        let mut cache: Cache<Verdict> =
            Cache::new(config.lease_wait(Some(std::time::Duration::from_secs(60))));
        let leases = || std::fs::read_dir(folder.path().join("cache/leases")).map_or(0, Iterator::count);
        let held = Cell::new(0);
        let engine = Engine::default();
        cache
            .answer::<String>(&question(3), &Limits::default(), || {
                held.set(leases());
                Ok(engine.run(3, &Limits::default()))
            })
            .unwrap();
        assert_eq!(held.get(), turns, "{mode:?}");
        assert_eq!(leases(), 0, "given back");
    }
}
