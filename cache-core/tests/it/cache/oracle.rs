//! The oracle: for random requests over random runs, the cached answer is the answer from scratch,
//! except that a decided answer may stand where the engine would run out of limits now. And it notices
//! every lie that the cache can be made to tell.

use super::*;

#[derive(Clone, Debug)]
struct Step {
    number: u64,
    limit: Option<u64>,
    memory: Option<u64>,
    /// The cache is opened anew before this step, in this mode.
    reopened: Option<Mode>,
}

fn step() -> impl Strategy<Value = Step> {
    let mode = prop_oneof![Just(Mode::Off), Just(Mode::Read), Just(Mode::ReadWrite), Just(Mode::Rebuild)];
    let limit = || prop::option::of(0_u64..8);
    (0_u64..6, limit(), limit(), prop::option::weighted(0.2, mode))
        .prop_map(|(number, limit, memory, reopened)| Step { number, limit, memory, reopened })
}

/// Where the cache differs from an engine that is always asked, if it does anywhere.
fn difference(
    steps: &[Step],
    open: &dyn Fn(Mode) -> Cache<Verdict>,
    question: &dyn Fn(u64) -> Box<dyn Question>,
) -> Option<String> {
    let engine = Engine::default();
    let mut cache = open(Mode::ReadWrite);
    for step in steps {
        if let Some(mode) = step.reopened {
            cache = open(mode);
        }
        let limits = Limits { resource: step.limit, memory_bytes: step.memory, ..Limits::default() };
        let scratch = engine.run(step.number, &limits).answer;
        let answered: Result<_> =
            cache.answer(&*question(step.number), &limits, || Ok(engine.run(step.number, &limits)));
        let answered = answered.unwrap().answer;
        let decided = Verdict::Square(step.number * step.number);
        if answered != scratch && !(scratch.out_of_limits() && answered == decided) {
            return Some(format!("{step:?}: {answered:?} and not {scratch:?}"));
        }
    }
    None
}

fn honest(number: u64) -> Box<dyn Question> {
    Box::new(question(number))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_cached_answer_is_the_answer_from_scratch(steps in prop::collection::vec(step(), 0..60)) {
        let store = memory_store();
        prop_assert_eq!(difference(&steps, &|mode| cache(mode, &store), &honest), None);
    }
}

#[cfg(feature = "plant")]
mod planted {
    use cache_core::plant::Fault;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    use super::*;

    /// A store that confirms nothing.
    struct Trusting(MemoryStore);

    impl Trusting {
        fn id(id: &Checksum) -> Checksum {
            Checksum { digest: id.digest, confirm: Confirm::of(b"whatever") }
        }
    }

    impl Store for Trusting {
        fn get(&self, id: &Checksum) -> std::result::Result<Found, StoreError> {
            self.0.get(&Self::id(id))
        }
        fn put(&self, id: &Checksum, payload: &[u8]) -> std::result::Result<(), StoreError> {
            self.0.put(&Self::id(id), payload)
        }
        fn remove(&self, id: &Checksum) -> std::result::Result<(), StoreError> {
            self.0.remove(&Self::id(id))
        }
        fn clean(&self) -> std::result::Result<(), StoreError> {
            self.0.clean()
        }
        fn usage(&self) -> std::result::Result<Usage, StoreError> {
            self.0.usage()
        }
        fn verify(&self) -> std::result::Result<Verified, StoreError> {
            self.0.verify()
        }
        fn counters(&self) -> Counters {
            self.0.counters()
        }
    }

    /// A question whose short digest it shares with others.
    struct Colliding(Key);

    impl Question for Colliding {
        fn digest(&self) -> Digest {
            Digest::of(b"the same for all")
        }
        fn confirm(&self) -> Confirm {
            self.0.confirm()
        }
    }

    fn colliding(number: u64) -> Box<dyn Question> {
        Box::new(Colliding(question(number)))
    }

    /// A key in which the number is forgotten.
    fn incomplete(number: u64) -> Box<dyn Question> {
        let builder = KeyBuilder::new("square", 1).drop_part("number").content("number", &number);
        Box::new(builder.finish())
    }

    /// How many of a hundred cases of the oracle find a difference.
    fn found(fault: Option<Fault>, question: &dyn Fn(u64) -> Box<dyn Question>) -> usize {
        let mut runner = TestRunner::deterministic();
        let steps = prop::collection::vec(step(), 0..60);
        (0..100)
            .filter(|_| {
                let steps = steps.new_tree(&mut runner).unwrap().current();
                let store: Arc<dyn Store> = Arc::new(Trusting(MemoryStore::new()));
                let open = |mode| {
                    let store = Some(Arc::clone(&store));
                    Cache::new(CacheConfig::default().mode(mode).store(store).fault(fault))
                };
                difference(&steps, &open, question).is_some()
            })
            .count()
    }

    #[test]
    fn the_oracle_finds_every_lie_that_the_cache_can_tell() {
        assert_eq!(found(None, &honest), 0);
        assert!(found(Some(Fault::IgnoreLimits), &honest) > 20);
        assert_eq!(found(None, &colliding), 0);
        assert!(found(Some(Fault::SkipConfirmation), &colliding) > 20);
        assert!(found(None, &incomplete) > 20, "the fault is in the key: `Fault::DropPart`");
    }
}
