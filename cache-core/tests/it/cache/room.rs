//! What an answer takes beside its own bytes: on disk, and in copies.

use cache_core::codec;
use cache_core::store::{DiskOptions, DiskStore};
use tempfile::TempDir;

use super::*;

/// A key as a tool makes it: four parts, with a dependency.
fn query(number: u64) -> Key {
    KeyBuilder::new("query", 1)
        .engine("solver", "5.4.0")
        .content("query", &number)
        .dependency("callee", &Checksum::of("ensures 0 <= r"))
        .finish()
}

/// An hour, and more than a solver counts in it.
const DEAR: Cost = Cost { seconds: 3600.0, resource: (1 << 42) - 1 };

#[test]
fn an_answer_takes_at_most_120_bytes_around_it_on_disk() {
    const COUNT: u64 = 5000;
    let folder = TempDir::new().unwrap();
    let store: Arc<dyn Store> =
        Arc::new(DiskStore::open(folder.path().join("cache"), DiskOptions::default()).unwrap());
    let mut cache: Cache<Verdict> = Cache::new(CacheConfig::default().store(Arc::clone(&store)));
    let mut answers = 0;
    for number in 0..COUNT {
        let answer = Verdict::Square(number * number);
        // The encoding without the byte that says which it is.
        answers += codec::encode(&answer).unwrap().len() as u64 - 1;
        cache.fill(&query(number), &Limits::unlimited(), &Asked { answer, cost: DEAR });
    }
    let bytes = cache.finish().bytes;
    let around = (bytes - answers) as f64 / COUNT as f64;
    assert!(around <= 120.0, "{around} bytes around an answer");
    // All of it is there.
    let mut next: Cache<Verdict> = Cache::new(CacheConfig::default().store(store));
    for number in 0..COUNT {
        let Lookup::Hit { answer, saved, .. } = next.lookup(&query(number), &Limits::unlimited()) else {
            unreachable!("{number} is missing");
        };
        assert_eq!(answer, Verdict::Square(number * number));
        assert_eq!(saved, DEAR);
    }
}

thread_local! {
    static COPIES: Cell<u64> = const { Cell::new(0) };
}

/// An answer that counts its copies; the number 0 ran out of limits.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Copied(u64);

impl Clone for Copied {
    fn clone(&self) -> Self {
        COPIES.set(COPIES.get() + 1);
        Self(self.0)
    }
}

impl Answer for Copied {
    fn out_of_limits(&self) -> bool {
        self.0 == 0
    }
    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

#[test]
fn an_answer_that_is_kept_is_copied_once() {
    let copies = |number: u64, limit: u64| {
        let mut cache: Cache<Copied> =
            Cache::new(CacheConfig::default().store(memory_store() as Arc<dyn Store>));
        COPIES.set(0);
        let asked = Asked { answer: Copied(number), cost: Cost::default() };
        cache.fill(&question(1), &resource(limit), &asked);
        COPIES.get()
    };
    assert_eq!(copies(5, 10), 1, "decided");
    assert_eq!(copies(0, 10), 1, "out of limits");
}
