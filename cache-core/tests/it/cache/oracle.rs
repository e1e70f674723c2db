//! The oracle: for random requests over random runs, the cached answer is the answer from scratch,
//! except that a decided answer may stand where the engine would run out of limits now, and does where the store
//! had it. And it notices every lie that the cache can be made to tell.

use std::collections::BTreeSet;
use std::fmt;

use cache_core::codec;
use serde::Serializer;

use super::*;

#[derive(Clone, Debug)]
struct Step {
    number: u64,
    limit: Option<u64>,
    memory: Option<u64>,
    /// The cache is opened anew before this step, in this mode.
    reopened: Option<Mode>,
    /// If the engine is asked, another process decides the question in the meantime.
    overtaken: bool,
}

fn step() -> impl Strategy<Value = Step> {
    let mode = prop_oneof![Just(Mode::Off), Just(Mode::Read), Just(Mode::ReadWrite), Just(Mode::Rebuild)];
    let limit = || prop::option::of(0_u64..8);
    (0_u64..6, limit(), limit(), prop::option::weighted(0.2, mode), prop::bool::weighted(0.5)).prop_map(
        |(number, limit, memory, reopened, overtaken)| Step { number, limit, memory, reopened, overtaken },
    )
}

/// Where the cache differs from an engine that is always asked, if it does anywhere.
fn difference<A: Answer + From<Verdict> + fmt::Debug>(
    steps: &[Step],
    open: &dyn Fn(Mode) -> Cache<A>,
    question: &dyn Fn(u64) -> Box<dyn Question>,
) -> Option<String> {
    let engine = Engine::default();
    let run = |number, limits: &Limits| {
        let Asked { answer, cost } = engine.run(number, limits);
        Asked { answer: A::from(answer), cost }
    };
    let mut mode = Mode::ReadWrite;
    let mut cache = open(mode);
    // What other processes decided, and no run without looking has put something else in the place of.
    let mut decided = BTreeSet::new();
    // Questions of one digest push each other out.
    let apart = question(0).digest() != question(1).digest();
    for step in steps {
        if let Some(reopened) = step.reopened {
            mode = reopened;
            cache = open(mode);
        }
        let limits = Limits { resource: step.limit, memory_bytes: step.memory, ..Limits::default() };
        let scratch = run(step.number, &limits).answer;
        let known = apart && mode.reads() && decided.contains(&step.number);
        if mode == Mode::Rebuild {
            decided.remove(&step.number);
        }
        let answered: Result<_> = cache.answer(&*question(step.number), &limits, || {
            if step.overtaken {
                let ask = || Ok::<_, String>(run(step.number, &Limits::default()));
                open(Mode::ReadWrite).answer(&*question(step.number), &Limits::default(), ask).unwrap();
                if mode != Mode::Rebuild {
                    decided.insert(step.number);
                }
            }
            Ok(run(step.number, &limits))
        });
        let answered = answered.unwrap().answer;
        let right = A::from(Verdict::Square(step.number * step.number));
        if known && survives(&right) && answered != right {
            return Some(format!("{step:?}: {answered:?}, and {right:?} was known"));
        }
        if answered != scratch && !(scratch.out_of_limits() && answered == right) {
            return Some(format!("{step:?}: {answered:?} and not {scratch:?}"));
        }
    }
    None
}

/// Whether the encoding carries this.
fn survives<A: Answer>(answer: &A) -> bool {
    let bytes = codec::encode(answer).unwrap();
    codec::decode::<A>(&bytes).is_ok_and(|back| back == *answer)
}

fn honest(number: u64) -> Box<dyn Question> {
    Box::new(question(number))
}

/// A verdict of which the encoding writes too little.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Clipped {
    Square(#[serde(serialize_with = "three_bits")] u64),
    OutOfLimits,
}

fn three_bits<S: Serializer>(number: &u64, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_u64(number & 7)
}

impl From<Verdict> for Clipped {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Square(square) => Self::Square(square),
            Verdict::OutOfLimits => Self::OutOfLimits,
        }
    }
}

impl Answer for Clipped {
    fn out_of_limits(&self) -> bool {
        *self == Self::OutOfLimits
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_cached_answer_is_the_answer_from_scratch(steps in prop::collection::vec(step(), 0..60)) {
        let store = memory_store();
        prop_assert_eq!(difference(&steps, &|mode| cache(mode, &store), &honest), None);
    }

    #[test]
    fn an_answer_that_the_encoding_alters_is_the_answer_from_scratch(
        steps in prop::collection::vec(step(), 0..60),
    ) {
        let store = memory_store();
        let open = |mode| Cache::<Clipped>::new(CacheConfig::default().mode(mode).store(Arc::clone(&store)));
        prop_assert_eq!(difference(&steps, &open, &honest), None);
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
    fn found<A: Answer + From<Verdict> + fmt::Debug>(
        fault: Option<Fault>,
        question: &dyn Fn(u64) -> Box<dyn Question>,
    ) -> usize {
        let mut runner = TestRunner::deterministic();
        let steps = prop::collection::vec(step(), 0..60);
        (0..100)
            .filter(|_| {
                let steps = steps.new_tree(&mut runner).unwrap().current();
                let store: Arc<dyn Store> = Arc::new(Trusting(MemoryStore::new()));
                let open = |mode| {
                    let store = Some(Arc::clone(&store));
                    Cache::<A>::new(CacheConfig::default().mode(mode).store(store).fault(fault))
                };
                difference(&steps, &open, question).is_some()
            })
            .count()
    }

    #[test]
    fn the_oracle_finds_every_lie_that_the_cache_can_tell() {
        assert_eq!(found::<Verdict>(None, &honest), 0);
        assert_eq!(found::<Clipped>(None, &honest), 0);
        assert!(found::<Verdict>(Some(Fault::IgnoreLimits), &honest) > 20);
        // Only who asks the same again within limits as small meets this one.
        assert!(found::<Verdict>(Some(Fault::ForgetDecided), &honest) > 5);
        assert!(found::<Clipped>(Some(Fault::KeepAltered), &honest) > 20);
        assert_eq!(found::<Verdict>(None, &colliding), 0);
        assert!(found::<Verdict>(Some(Fault::SkipConfirmation), &colliding) > 20);
        assert!(found::<Verdict>(None, &incomplete) > 20, "the fault is in the key: `Fault::DropPart`");
    }
}
