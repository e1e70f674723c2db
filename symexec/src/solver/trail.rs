//! What a run asks, noted for the next run of the same program.
//!
//! A run explores, so it cannot say beforehand what it will ask, and to a store that is far away each question would be
//! a trip of its own. But a run asks mostly what the run before it asked. So a run leaves its *trail*: the checksums of
//! its questions in the order in which they came up, as an answer of its own in the same store, found by the names of
//! the program's files, so that an edit of the program does not lose it. The next run fetches all of them side by side
//! before it begins.
//!
//! A trail is a hint. What it says wrong costs time: each fetched record is judged as if it had been looked up, and the
//! trail's own length is bounded. Where no store is far it is neither read nor left.

use std::sync::Arc;

use cache_core::audit::Audit;
use cache_core::cache::{Answer, Asked, Cache, CacheConfig, Cost, Lookup};
use cache_core::key::{Checksum, Key, KeyBuilder};
use cache_core::limits::Limits;
use cache_core::policy::Unbounded;
use cache_core::store::Store;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// A trail names so many questions at most: about 400 kB, and fetched in a second over HTTP on one machine.
const LONGEST: usize = 8192;

/// Changes whenever a trail changes its meaning.
const SCHEMA: u32 = 1;

/// The questions of a run, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Questions(Vec<Checksum>);

impl Answer for Questions {
    fn out_of_limits(&self) -> bool {
        false
    }

    /// Runs differ, and no trail is wrong.
    fn agrees_with(&self, _: &Self) -> bool {
        true
    }
}

/// See the [module](self).
pub(super) struct Trail {
    key: Key,
    cache: Cache<Questions, Unbounded>,
    earlier: Questions,
    asked: Vec<Checksum>,
    /// What is in `asked`.
    met: FxHashSet<Checksum>,
}

impl Trail {
    /// Fetches what the last run of the program asked; nothing where the store is near. `settings` tells runs apart
    /// that ask other questions about the same program.
    pub(super) fn follow(program: &str, settings: &str, config: CacheConfig) -> Option<Self> {
        let store = config.store.as_ref().filter(|store| store.is_far()).map(Arc::clone)?;
        let key = KeyBuilder::new("symexec trail", SCHEMA)
            .content("program", program)
            .option("settings", settings)
            .finish();
        let mut cache: Cache<Questions, Unbounded> = Cache::new(config.audit(Audit::Never));
        let earlier = match cache.lookup(&key, &Limits::unlimited()) {
            Lookup::Hit { answer: Questions(mut asked), .. } => {
                asked.truncate(LONGEST);
                store.prefetch(&asked);
                Questions(asked)
            }
            Lookup::Miss(_) => Questions::default(),
        };
        Some(Self { key, cache, earlier, asked: Vec::new(), met: FxHashSet::default() })
    }

    /// Notes a question.
    pub(super) fn note(&mut self, question: Checksum) {
        if self.asked.len() < LONGEST && self.met.insert(question) {
            self.asked.push(question);
        }
    }

    /// How many questions were known beforehand.
    pub(super) fn foreseen(&self) -> u64 {
        self.earlier.0.len() as u64
    }

    /// Leaves the trail, if it has something that the last one had not. What the last one had besides is kept behind
    /// it: another part of the same exploration may have asked that.
    pub(super) fn leave(&mut self) {
        let before: FxHashSet<Checksum> = self.earlier.0.iter().copied().collect();
        if self.asked.iter().all(|question| before.contains(question)) {
            return;
        }
        let besides = self.earlier.0.iter().filter(|question| !self.met.contains(question));
        let all = self.asked.iter().chain(besides).copied().take(LONGEST).collect();
        let trail = Asked { answer: Questions(all), cost: Cost::default() };
        self.cache.fill(&self.key, &Limits::unlimited(), &trail);
    }
}
