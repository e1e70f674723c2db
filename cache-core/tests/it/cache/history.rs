//! History: what a miss is explained by, and what leads to earlier versions.

use super::*;

/// The key of a procedure with a body and a callee.
fn procedure(body: &str, callee: &str) -> Key {
    KeyBuilder::new("procedure", 1).content("body", body).dependency("abs", callee).finish()
}

#[test]
fn a_miss_is_explained_by_what_moved_and_counts_as_stale() {
    let store = memory_store();
    let before = procedure("call abs(x);", "0 <= r");
    let after = procedure("call abs(x);", "1 <= r");
    cache(Mode::ReadWrite, &store).remember("procedure main", &before);
    let mut next = cache(Mode::ReadWrite, &store);
    let changes = next.explain_miss("procedure main", &after).unwrap();
    assert_eq!(changes, [Change::Changed(PartKind::Dependency, "abs".into())]);
    assert_eq!(next.stats().stale, 1);
    assert_eq!(next.explain_miss("procedure other", &after), None);
    assert_eq!(next.stats().stale, 1);
}

#[test]
fn the_most_similar_earlier_key_explains_and_the_latest_of_equals() {
    let mut cache: Cache<Verdict> = Cache::new(CacheConfig::default());
    cache.remember("main", &procedure("one", "a"));
    cache.remember("main", &procedure("two", "b"));
    let changes = cache.explain_miss("main", &procedure("one", "c")).unwrap();
    assert_eq!(changes, [Change::Changed(PartKind::Dependency, "abs".into())]);
    let changes = cache.explain_miss("main", &procedure("two", "a")).unwrap();
    assert_eq!(changes, [Change::Changed(PartKind::Dependency, "abs".into())], "the later one, not the body");
}

#[test]
fn the_last_keys_are_remembered_the_latest_first_and_each_once() {
    let store = memory_store();
    for number in 0..12 {
        cache(Mode::ReadWrite, &store).remember("main", &procedure(&number.to_string(), ""));
    }
    cache(Mode::ReadWrite, &store).remember("main", &procedure("7", ""));
    let recalled: Vec<Digest> =
        cache(Mode::Offline, &store).recall("main").iter().map(|earlier| earlier.digest).collect();
    let expected: Vec<Digest> =
        [7, 11, 10, 9, 8, 6, 5, 4].map(|number: u32| procedure(&number.to_string(), "").digest()).to_vec();
    assert_eq!(recalled, expected);
}

#[test]
fn a_remembered_key_finds_the_answer_that_it_had() {
    let (engine, store) = (Engine::default(), memory_store());
    let mut first = cache(Mode::ReadWrite, &store);
    ask(&mut first, &engine, 5, &Limits::default()).unwrap();
    first.remember("the number", &question(5));
    let mut next = cache(Mode::ReadWrite, &store);
    let earlier = next.recall("the number").remove(0);
    assert!(matches!(
        next.lookup(&earlier, &Limits::default()),
        Lookup::Hit { answer: Verdict::Square(25), .. }
    ));
}

#[test]
fn modes_hold_for_the_history_too() {
    let store = memory_store();
    for (mode, kept) in
        [(Mode::Off, 0), (Mode::Read, 0), (Mode::Offline, 0), (Mode::Rebuild, 1), (Mode::ReadWrite, 2)]
    {
        cache(mode, &store).remember(&mode.to_string(), &procedure("one", ""));
        assert_eq!(store.usage().unwrap().entries, kept, "{mode}");
    }
    assert!(cache(Mode::Rebuild, &store).recall("read-write").is_empty());
    assert_eq!(cache(Mode::Read, &store).recall("read-write").len(), 1);
}

#[test]
fn what_is_remembered_again_is_not_written_again() {
    let store = memory_store();
    for _ in 0..3 {
        cache(Mode::ReadWrite, &store).remember("main", &procedure("one", ""));
    }
    assert_eq!(store.counters().puts, 1);
}

#[test]
fn what_is_remembered_without_being_written_is_known_until_the_run_ends() {
    let store = memory_store();
    for (mode, known) in [(Mode::Off, 0), (Mode::Read, 1), (Mode::Offline, 1), (Mode::Rebuild, 0)] {
        let mut cache = cache(mode, &store);
        cache.remember(&mode.to_string(), &procedure("one", ""));
        assert_eq!(cache.recall(&mode.to_string()).len(), known, "{mode}");
    }
}

#[test]
fn what_is_remembered_already_is_not_written_again() {
    let store = memory_store();
    let mut first = cache(Mode::ReadWrite, &store);
    first.remember("main", &procedure("one", ""));
    let written = store.counters().puts;
    first.remember("main", &procedure("one", ""));
    cache(Mode::ReadWrite, &store).remember("main", &procedure("one", ""));
    assert_eq!(store.counters().puts, written);
    first.remember("main", &procedure("two", ""));
    assert!(store.counters().puts > written);
}
