//! Budgets that cannot be compared, late answers and hangs: none takes away what was known.

use super::*;

/// More resource and less memory, or the other way round.
fn budget(resource: u64, memory: u64) -> Limits {
    Limits { resource: Some(resource), memory_bytes: Some(memory), ..Limits::default() }
}

#[test]
fn budgets_that_cannot_be_compared_keep_their_answers_side_by_side() {
    let (engine, store) = (Engine::default(), memory_store());
    // The number 3 needs 3 of each.
    let budgets = [budget(9, 1), budget(1, 9), budget(5, 2), budget(2, 5)];
    let mut within: Cache<Verdict> = Cache::new(CacheConfig::default());
    for round in 0..3 {
        for (number, limits) in budgets.iter().enumerate() {
            // Each in a run of its own, and all in one run without a store.
            let of_run = ask(&mut cache(Mode::ReadWrite, &store), &engine, 3, limits).unwrap();
            let of_one = ask(&mut within, &engine, 3, limits).unwrap();
            assert_eq!((of_run.answer, of_one.answer), (Verdict::OutOfLimits, Verdict::OutOfLimits));
            assert_eq!(engine.asked(), if round == 0 { 2 } else { 0 }, "round {round}, budget {number}");
        }
    }
    // What none of them speaks for is asked, and decides for all.
    for limits in [budget(3, 3), budget(1, 1), budget(9, 1)] {
        let answered = ask(&mut cache(Mode::ReadWrite, &store), &engine, 3, &limits).unwrap();
        assert_eq!(answered.answer, Verdict::Square(9));
    }
    assert_eq!(engine.asked(), 1);
}

#[test]
fn so_many_budgets_and_no_more_are_kept_and_the_oldest_goes() {
    let (engine, store) = (Engine::default(), memory_store());
    let run = |limits: &Limits| {
        ask(&mut cache(Mode::ReadWrite, &store), &engine, 50, limits).unwrap();
        engine.asked()
    };
    let budgets: Vec<Limits> = (0..40).map(|step| budget(step, 1000 - step)).collect();
    for limits in &budgets {
        assert_eq!(run(limits), 1);
    }
    assert_eq!(run(&budgets[39]), 0);
    assert_eq!(run(&budgets[0]), 1);
    // A larger budget speaks for all that are within it.
    assert_eq!(run(&budget(45, 2000)), 1);
    assert_eq!(run(&budget(44, 1900)) + run(&budgets[10]), 0);
}

#[test]
fn a_late_answer_out_of_limits_leaves_a_decided_one_alone() {
    let (engine, store) = (Engine::default(), memory_store());
    let mut late = cache(Mode::ReadWrite, &store);
    assert!(matches!(late.lookup(&question(5), &resource(2)), Lookup::Miss(_)));
    // While its engine is at work, another process decides.
    ask(&mut cache(Mode::ReadWrite, &store), &engine, 5, &Limits::default()).unwrap();
    let out = engine.run(5, &resource(2));
    assert_eq!(out.answer, Verdict::OutOfLimits);
    late.fill(&question(5), &resource(2), &out);
    engine.asked();
    for cache in [&mut late, &mut cache(Mode::ReadWrite, &store)] {
        let answered = ask(cache, &engine, 5, &Limits::default()).unwrap();
        assert_eq!((answered.answer, engine.asked()), (Verdict::Square(25), 0));
    }
}

/// Whoever put it vouches for it: put once more it would be this machine's.
#[test]
fn what_is_decided_already_is_not_put_anew() {
    let (engine, store) = (Engine::default(), memory_store());
    let mut late = cache(Mode::ReadWrite, &store);
    assert!(matches!(late.lookup(&question(5), &resource(2)), Lookup::Miss(_)));
    ask(&mut cache(Mode::ReadWrite, &store), &engine, 5, &Limits::default()).unwrap();
    let puts = store.counters().puts;
    late.fill(&question(5), &resource(2), &engine.run(5, &resource(2)));
    assert_eq!(store.counters().puts, puts);
    assert!(matches!(late.lookup(&question(5), &resource(2)), Lookup::Hit { .. }));
}

#[test]
fn a_smaller_budget_does_not_take_the_place_of_a_larger_one() {
    let (engine, store) = (Engine::default(), memory_store());
    let mut late = cache(Mode::ReadWrite, &store);
    assert!(matches!(late.lookup(&question(5), &resource(2)), Lookup::Miss(_)));
    ask(&mut cache(Mode::ReadWrite, &store), &engine, 5, &resource(4)).unwrap();
    late.fill(&question(5), &resource(2), &engine.run(5, &resource(2)));
    engine.asked();
    ask(&mut cache(Mode::ReadWrite, &store), &engine, 5, &resource(4)).unwrap();
    assert_eq!(engine.asked(), 0);
}

#[test]
fn a_hang_is_waited_for_once() {
    let store = memory_store();
    let limits = |wall_ms| Limits {
        wall_ms: Some(wall_ms),
        machine: Some(MachineId("this one".to_owned())),
        ..Limits::default()
    };
    let waited = Cell::new(0);
    // The engine does not come back, and whoever stops it knows that it was the clock.
    let stopped = || {
        waited.set(waited.get() + 1);
        Ok::<_, String>(Asked { answer: Verdict::OutOfLimits, cost: Cost::default() })
    };
    for (wall_ms, times) in [(400, 1), (400, 1), (300, 1), (500, 2), (400, 2)] {
        let answered = cache(Mode::ReadWrite, &store).answer(&question(1), &limits(wall_ms), stopped);
        assert_eq!((answered.unwrap().answer, waited.get()), (Verdict::OutOfLimits, times), "{wall_ms} ms");
    }
}

/// Another client's answer: written as a [`Verdict`] is, and decided whatever it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Loose(Verdict);

impl Answer for Loose {
    fn out_of_limits(&self) -> bool {
        false
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

/// One whose answers have all run out of limits, whatever they say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Tight(Verdict);

impl Answer for Tight {
    fn out_of_limits(&self) -> bool {
        true
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

fn written_by<A: Answer>(answer: A) -> Arc<dyn Store> {
    let store = memory_store();
    let mut other: Cache<A> = Cache::new(CacheConfig::default().store(Arc::clone(&store)));
    other.fill(&question(3), &resource(10), &Asked { answer, cost: Cost::default() });
    store
}

#[test]
fn an_entry_that_calls_an_answer_what_it_is_not_is_damage() {
    for store in [written_by(Loose(Verdict::OutOfLimits)), written_by(Tight(Verdict::Square(8)))] {
        let engine = Engine::default();
        let mut cache = cache(Mode::ReadWrite, &store);
        assert!(matches!(cache.lookup(&question(3), &resource(5)), Lookup::Miss(MissReason::Damaged)));
        let answered = ask(&mut cache, &engine, 3, &resource(5)).unwrap();
        assert_eq!((answered.answer, engine.asked()), (Verdict::Square(9), 1));
    }
}
