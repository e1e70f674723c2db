//! A cache that threads share: one question is asked once, engines may ask while they answer, and nobody waits for
//! ever.

use std::sync::Barrier;
use std::sync::atomic::AtomicU64;

use cache_core::cache::SharedCache;

use super::*;

fn shared() -> SharedCache<Verdict> {
    SharedCache::new(Cache::new(CacheConfig::default()))
}

fn square(number: u64) -> Asked<Verdict> {
    Asked { answer: Verdict::Square(number * number), cost: Cost::default() }
}

#[test]
fn one_question_is_asked_once_however_many_wait_for_it() {
    let (cache, asked, together) = (shared(), AtomicU64::new(0), Barrier::new(8));
    std::thread::scope(|scope| {
        for thread in 0..8_u64 {
            let (cache, asked, together) = (&cache, &asked, &together);
            scope.spawn(move || {
                for round in 0..200 {
                    together.wait();
                    // Half of the threads ask in the opposite order.
                    let number = if thread % 2 == 0 { round } else { 199 - round };
                    let ask = || {
                        asked.fetch_add(1, Ordering::Relaxed);
                        Ok::<_, String>(square(number))
                    };
                    let answered = cache.answer(&question(number), &Limits::default(), ask).unwrap();
                    assert_eq!(answered.answer, Verdict::Square(number * number));
                }
            });
        }
    });
    assert_eq!(asked.load(Ordering::Relaxed), 200);
    assert_eq!(cache.with(|cache| cache.stats().hits), 8 * 200 - 200);
}

#[test]
fn engines_that_need_each_others_answers_do_not_wait_in_a_circle() {
    let (cache, both) = (shared(), Barrier::new(2));
    std::thread::scope(|scope| {
        for (own, other) in [(1, 2), (2, 1)] {
            let (cache, both) = (&cache, &both);
            scope.spawn(move || {
                let needed = || Ok::<_, String>(square(other));
                let ask = || {
                    // Both are in flight now.
                    both.wait();
                    let needed = cache.answer(&question(other), &Limits::default(), needed).unwrap();
                    assert_eq!(needed.answer, Verdict::Square(other * other));
                    Ok::<_, String>(square(own))
                };
                let answered = cache.answer(&question(own), &Limits::default(), ask).unwrap();
                assert_eq!(answered.answer, Verdict::Square(own * own));
            });
        }
    });
}

#[test]
fn engines_that_ask_in_threads_of_their_own_do_not_wait_in_a_circle() {
    let (cache, both) = (shared(), Barrier::new(2));
    std::thread::scope(|scope| {
        for (own, other) in [(1, 2), (2, 1)] {
            let (cache, both) = (&cache, &both);
            scope.spawn(move || {
                let needed = |number: u64| {
                    let ask = || Ok::<_, String>(square(number));
                    let needed = cache.answer(&question(number), &Limits::default(), ask).unwrap();
                    assert_eq!(needed.answer, Verdict::Square(number * number));
                };
                let ask = || {
                    both.wait();
                    let here = cache.here();
                    std::thread::scope(|scope| {
                        // Its own question, the other's, and one that nobody else asks, in threads of a thread.
                        for number in [own, other, own + 10] {
                            let here = &here;
                            scope.spawn(move || {
                                here.helped(|| {
                                    let below = cache.here();
                                    let asks = || below.helped(|| needed(number));
                                    std::thread::scope(|scope| drop(scope.spawn(asks).join()));
                                });
                            });
                        }
                    });
                    Ok::<_, String>(square(own))
                };
                let answered = cache.answer(&question(own), &Limits::default(), ask).unwrap();
                assert_eq!(answered.answer, Verdict::Square(own * own));
            });
        }
    });
    // Each is kept, and nothing is left in flight.
    let known = cache.with(|cache| cache.stats().missed());
    assert!((4..=8).contains(&known), "{known}");
    for number in [1, 2, 11, 12] {
        let ask = || Err::<Asked<Verdict>, _>("is known");
        assert!(cache.answer(&question(number), &Limits::default(), ask).is_ok());
    }
}

#[test]
fn who_helps_waits_for_what_others_are_at_work_on() {
    let (cache, asked, at_work) = (shared(), AtomicU64::new(0), Barrier::new(2));
    let ask = |number: u64| {
        asked.fetch_add(1, Ordering::Relaxed);
        Ok::<_, String>(square(number))
    };
    std::thread::scope(|scope| {
        let (cache, ask, at_work) = (&cache, &ask, &at_work);
        scope.spawn(move || {
            let slowly = || {
                at_work.wait();
                at_work.wait();
                ask(7)
            };
            cache.answer(&question(7), &Limits::default(), slowly).unwrap();
        });
        at_work.wait();
        let here = cache.here();
        let helper = scope.spawn(move || {
            here.helped(|| {
                at_work.wait();
                cache.answer(&question(7), &Limits::default(), || ask(7)).unwrap().answer
            })
        });
        assert_eq!(helper.join().unwrap(), Verdict::Square(49));
    });
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[test]
fn who_has_helped_waits_like_others() {
    let (cache, asked, at_work) = (shared(), AtomicU64::new(0), Barrier::new(2));
    let ask = || {
        asked.fetch_add(1, Ordering::Relaxed);
        Ok::<_, String>(square(7))
    };
    let here = cache.here();
    std::thread::scope(|scope| {
        let (cache, ask, at_work, here) = (&cache, &ask, &at_work, &here);
        scope.spawn(move || {
            here.helped(|| ());
            at_work.wait();
            cache.answer(&question(7), &Limits::default(), ask).unwrap();
        });
        let slowly = || {
            at_work.wait();
            // Time for the other one, which must not use it.
            (0..10_000).for_each(|_| std::thread::yield_now());
            ask()
        };
        cache.answer(&question(7), &Limits::default(), slowly).unwrap();
    });
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[test]
fn a_thread_that_meets_its_own_question_asks_it() {
    let cache = shared();
    let inner = || Ok::<_, String>(square(3));
    let outer = || {
        cache.answer(&question(3), &Limits::default(), inner).map(|inner| {
            assert!(matches!(inner.provenance, Provenance::Fresh(_)));
            square(3)
        })
    };
    let answered =
        cache.answer(&question(3), &Limits::default(), || outer().map_err(|error| error.to_string()));
    assert_eq!(answered.unwrap().answer, Verdict::Square(9));
}

#[test]
fn whoever_waits_for_an_engine_that_fails_or_panics_asks_its_own() {
    for panics in [false, true] {
        let (cache, at_work) = (shared(), Barrier::new(2));
        std::thread::scope(|scope| {
            let first = scope.spawn(|| {
                let ask = || -> std::result::Result<Asked<Verdict>, String> {
                    at_work.wait();
                    assert!(!panics, "the engine is broken");
                    Err("the engine failed".to_owned())
                };
                cache.answer(&question(4), &Limits::default(), ask).map(drop)
            });
            at_work.wait();
            let answered = cache.answer(&question(4), &Limits::default(), || Ok::<_, String>(square(4)));
            assert_eq!(answered.unwrap().answer, Verdict::Square(16));
            assert!(first.join().is_err() == panics);
        });
    }
}

#[test]
fn a_shared_cache_audits_and_keeps_its_modes() {
    let store = memory_store();
    let open = |mode, audit: &str| {
        let audit = audit.parse().unwrap();
        SharedCache::<Verdict>::new(Cache::new(
            CacheConfig::default().mode(mode).audit(audit).store(Arc::clone(&store)),
        ))
    };
    let ask = |cache: &SharedCache<Verdict>, says: u64| {
        cache.answer(&question(5), &Limits::default(), || Ok::<_, String>(square(says)))
    };
    assert!(matches!(ask(&open(Mode::Offline, "never"), 5), Err(CacheError::Offline { .. })));
    // A lie is kept, until an audit finds it.
    assert_eq!(ask(&open(Mode::ReadWrite, "never"), 6).unwrap().answer, Verdict::Square(36));
    let audited = open(Mode::ReadWrite, "always");
    assert_eq!(ask(&audited, 5).unwrap().answer, Verdict::Square(25));
    assert_eq!(audited.into_inner().disagreements().len(), 1);
    assert_eq!(ask(&open(Mode::Offline, "never"), 7).unwrap().answer, Verdict::Square(25));
}

#[test]
fn who_waits_for_another_thread_does_not_ask() {
    let (cache, at_work) = (shared(), Barrier::new(2));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let ask = || {
                at_work.wait();
                // Time for the other to arrive; what is tested holds however much of it there is.
                (0..10_000).for_each(|_| std::thread::yield_now());
                Ok::<_, String>(square(6))
            };
            cache.answer(&question(6), &Limits::default(), ask).unwrap();
        });
        at_work.wait();
        let never = || Err::<Asked<Verdict>, _>("it is being answered".to_owned());
        let answered = cache.answer(&question(6), &Limits::default(), never).unwrap();
        assert_eq!(answered.answer, Verdict::Square(36));
    });
}
