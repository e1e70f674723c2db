//! Audits: an engine that says something else than before is noticed, and believed.

use super::*;

fn audited(audit: &str, mode: Mode, store: &Arc<dyn Store>) -> Cache<Verdict> {
    let audit = audit.parse().unwrap();
    Cache::new(CacheConfig::default().mode(mode).audit(audit).store(Arc::clone(store)))
}

/// A store into which an engine wrote wrong answers.
fn poisoned(numbers: impl IntoIterator<Item = u64>) -> Arc<dyn Store> {
    let (engine, store) = (Engine::default(), memory_store());
    engine.lies.set(true);
    let mut cache = cache(Mode::ReadWrite, &store);
    for number in numbers {
        ask(&mut cache, &engine, number, &Limits::default()).unwrap();
    }
    store
}

#[test]
fn a_wrong_entry_is_replaced_by_the_fresh_answer() {
    let (engine, store) = (Engine::default(), poisoned([3]));
    let mut cache = audited("always", Mode::ReadWrite, &store);
    let answered = ask(&mut cache, &engine, 3, &Limits::default()).unwrap();
    assert_eq!(answered.answer, Verdict::Square(9));
    assert_eq!(answered.provenance, Provenance::Fresh(MissReason::Quarantined));
    assert_eq!(cache.disagreements().len(), 1);
    assert!(cache.disagreements()[0].to_string().contains("square `number`"));
    let warnings = cache.take_warnings();
    let name = format!("square `number` ({})", question(3).digest());
    assert!(matches!(warnings.as_slice(), [warning] if warning.contains(&name)), "{warnings:?}");

    // From now on the engine's answer is the cache's, which an audit confirms.
    let again = ask(&mut cache, &engine, 3, &Limits::default()).unwrap();
    assert_eq!((again.answer, again.provenance), (Verdict::Square(9), Provenance::Memory));
    assert_eq!(cache.disagreements().len(), 1);
    let stats = cache.stats();
    assert_eq!((stats.hits, stats.misses[&MissReason::Quarantined]), (1, 1));
    assert_eq!((stats.audits, stats.disagreements), (2, 1));
    assert!(stats.seconds_saved == 0.0);

    // In the next run as well.
    let mut next = audited("never", Mode::ReadWrite, &store);
    let answered = ask(&mut next, &engine, 3, &Limits::default()).unwrap();
    assert_eq!((answered.answer, answered.provenance), (Verdict::Square(9), Provenance::Store));
}

#[test]
fn what_cannot_be_replaced_in_the_store_is_not_taken_from_it_again() {
    let (engine, store) = (Engine::default(), poisoned([3]));
    let audited = CacheConfig::default().mode(Mode::Read).audit("always".parse().unwrap());
    let config = audited.store(Arc::clone(&store)).memory_entries(1);
    let mut cache: Cache<Verdict, Lru> = Cache::new(config);
    ask(&mut cache, &engine, 3, &Limits::default()).unwrap();
    // Another question takes the one place in memory.
    ask(&mut cache, &engine, 4, &Limits::default()).unwrap();
    let again = ask(&mut cache, &engine, 3, &Limits::default()).unwrap();
    assert_eq!(
        (again.answer, again.provenance),
        (Verdict::Square(9), Provenance::Fresh(MissReason::Quarantined))
    );
    assert_eq!(cache.disagreements().len(), 1);
}

#[test]
fn a_mode_that_does_not_write_leaves_the_store_alone() {
    let (engine, store) = (Engine::default(), poisoned([3]));
    let mut cache = audited("always", Mode::Read, &store);
    ask(&mut cache, &engine, 3, &Limits::default()).unwrap();
    assert_eq!(cache.disagreements().len(), 1);
    let again = ask(&mut cache, &engine, 3, &Limits::default()).unwrap();
    assert_eq!((again.answer, again.provenance), (Verdict::Square(9), Provenance::Memory));
    let mut next = audited("never", Mode::Read, &store);
    let poisoned = ask(&mut next, &engine, 3, &Limits::default()).unwrap();
    assert_eq!((poisoned.answer, poisoned.provenance), (Verdict::Square(10), Provenance::Store));
}

#[test]
fn a_right_entry_is_confirmed_and_saves_no_time() {
    let (engine, store) = (Engine::default(), memory_store());
    let mut cache = audited("always", Mode::ReadWrite, &store);
    for _ in 0..3 {
        let answered = ask(&mut cache, &engine, 3, &Limits::default()).unwrap();
        assert_eq!(answered.answer, Verdict::Square(9));
    }
    assert_eq!(engine.asked(), 3);
    assert!(cache.disagreements().is_empty());
    let stats = cache.stats();
    assert_eq!((stats.hits, stats.missed()), (2, 1));
    assert_eq!((stats.audits, stats.disagreements), (2, 0));
    assert!(stats.seconds_saved == 0.0);
}

#[test]
fn a_sample_audits_each_nth_hit() {
    let (engine, store) = (Engine::default(), poisoned(0..10));
    let mut cache = audited("sample=4", Mode::ReadWrite, &store);
    for number in 0..10 {
        ask(&mut cache, &engine, number, &Limits::default()).unwrap();
    }
    let found: Vec<Digest> = cache.disagreements().iter().map(|found| found.digest).collect();
    assert_eq!(found, [0, 4, 8].map(|number| question(number).digest()));
    assert_eq!(engine.asked(), 3);
}

#[test]
fn limits_are_no_disagreement() {
    let (engine, store) = (Engine::default(), memory_store());
    let mut cache = audited("always", Mode::ReadWrite, &store);
    // Out of limits, and again.
    ask(&mut cache, &engine, 50, &resource(10)).unwrap();
    let out = ask(&mut cache, &engine, 50, &resource(10)).unwrap();
    assert_eq!(out.answer, Verdict::OutOfLimits);
    // Decided, and then out of limits: the decided answer stands.
    ask(&mut cache, &engine, 50, &resource(60)).unwrap();
    let decided = ask(&mut cache, &engine, 50, &resource(10)).unwrap();
    assert_eq!((decided.answer, decided.provenance), (Verdict::Square(2500), Provenance::Memory));
    assert!(cache.disagreements().is_empty());
}

#[test]
fn an_answer_out_of_limits_is_replaced_when_the_engine_decides_now() {
    let store = memory_store();
    let mut cache = audited("always", Mode::ReadWrite, &store);
    let key = question(7);
    let out = Asked { answer: Verdict::OutOfLimits, cost: Cost::default() };
    let decided = Asked { answer: Verdict::Square(49), cost: Cost::default() };
    cache.fill(&key, &resource(10), &out);
    assert_eq!(cache.settle_audit(&key, &resource(10), &out.answer, &decided), Settled::Undecided);
    assert!(matches!(
        cache.lookup(&key, &resource(10)),
        Lookup::Hit { answer: Verdict::Square(49), audit: true, .. }
    ));
}

#[test]
fn an_engine_that_fails_in_an_audit_leaves_the_answer_and_a_warning() {
    let (engine, store) = (Engine::default(), memory_store());
    let mut cache = audited("always", Mode::ReadWrite, &store);
    ask(&mut cache, &engine, 3, &Limits::default()).unwrap();
    let answered: Result<_> = cache.answer(&question(3), &Limits::default(), || Err("crashed".to_owned()));
    assert_eq!(answered.unwrap().answer, Verdict::Square(9));
    assert!(cache.take_warnings()[0].contains("was not audited"));
}

#[test]
fn offline_audits_nothing_and_says_so() {
    let (engine, store) = (Engine::default(), poisoned([3]));
    let mut cache = audited("always", Mode::Offline, &store);
    let answered = ask(&mut cache, &engine, 3, &Limits::default()).unwrap();
    assert_eq!((answered.provenance, engine.asked()), (Provenance::Store, 0));
    assert!(cache.take_warnings()[0].contains("audit `always` has no effect offline"));
}

#[test]
fn an_audit_that_decides_what_had_run_out_of_limits_gives_the_fresh_answer() {
    let (engine, store) = (Engine::default(), memory_store());
    ask(&mut cache(Mode::ReadWrite, &store), &engine, 5, &resource(2)).unwrap();
    let mut cache = audited("always", Mode::ReadWrite, &store);
    // A quicker engine of the same version, as another day's load makes one.
    let answered =
        cache.answer::<String>(&question(5), &resource(2), || Ok(engine.run(5, &Limits::default())));
    let answered = answered.unwrap();
    assert_eq!(answered.answer, Verdict::Square(25));
    assert_eq!(answered.provenance, Provenance::Fresh(MissReason::Limits));
    assert_eq!(cache.disagreements().len(), 0);
}

#[test]
fn a_question_without_content_is_called_by_its_schema() {
    let key = KeyBuilder::new("square", 1).engine("multiplier", "1.0").finish();
    assert_eq!(key.name(), format!("square {}", key.digest()));
    let mut offline: Cache<Verdict> = Cache::new(CacheConfig::default().mode(Mode::Offline));
    let error = offline.answer::<String>(&key, &Limits::default(), || unreachable!()).unwrap_err();
    assert!(error.to_string().contains(&key.name()), "{error}");
}
