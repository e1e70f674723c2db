//! Stores that fail, lie or give back rubbish: time is lost, a warning is left, no answer changes.

use super::*;

/// A store that fails at what it is told to fail at.
#[derive(Default)]
struct Failing {
    inner: MemoryStore,
    reads: AtomicBool,
    writes: AtomicBool,
    /// Only at putting: what is there can still be removed.
    puts: AtomicBool,
    /// Counts failures, to give each message another text.
    failures: Mutex<u64>,
}

impl Failing {
    fn fails(&self, switch: &AtomicBool) -> std::result::Result<(), StoreError> {
        if switch.load(Ordering::Relaxed) {
            let mut failures = self.failures.lock().unwrap();
            *failures += 1;
            return Err(StoreError::Unreadable {
                path: format!("/cache/{failures}").into(),
                source: std::io::Error::other("the disk is gone"),
            });
        }
        Ok(())
    }
}

impl Store for Failing {
    fn get(&self, id: &Checksum) -> std::result::Result<Found, StoreError> {
        self.fails(&self.reads)?;
        self.inner.get(id)
    }
    fn put(&self, id: &Checksum, payload: &[u8]) -> std::result::Result<(), StoreError> {
        self.fails(&self.writes)?;
        self.fails(&self.puts)?;
        self.inner.put(id, payload)
    }
    fn remove(&self, id: &Checksum) -> std::result::Result<(), StoreError> {
        self.fails(&self.writes)?;
        self.inner.remove(id)
    }
    fn flush(&self) -> std::result::Result<(), StoreError> {
        self.fails(&self.writes)
    }
    fn maintain(&self) -> std::result::Result<(), StoreError> {
        self.fails(&self.writes)
    }
    fn clean(&self) -> std::result::Result<(), StoreError> {
        self.inner.clean()
    }
    fn usage(&self) -> std::result::Result<Usage, StoreError> {
        self.fails(&self.reads)?;
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
fn a_failing_store_costs_time_and_leaves_warnings() {
    for (reads, writes) in [(true, false), (false, true), (true, true)] {
        let failing = Failing { reads: reads.into(), writes: writes.into(), ..Failing::default() };
        let store: Arc<dyn Store> = Arc::new(failing);
        let engine = Engine::default();
        let mut cache = cache(Mode::ReadWrite, &store);
        for number in [1, 2, 1] {
            let answered = ask(&mut cache, &engine, number, &Limits::default()).unwrap();
            assert_eq!(answered.answer, Verdict::Square(number * number));
        }
        cache.remember("number", &question(1));
        assert_eq!(engine.asked(), 2, "memory still works");
        let expected = if reads { MissReason::Unreachable } else { MissReason::Absent };
        assert_eq!(cache.finish().misses[&expected], 2);
        let warnings = cache.take_warnings();
        assert!(warnings.iter().any(|warning| warning.contains("the disk is gone")), "{warnings:?}");
        assert!(cache.take_warnings().is_empty(), "each thing is said once");
    }
}

#[test]
fn a_store_that_fails_offline_is_a_miss_and_not_another_error() {
    let store: Arc<dyn Store> = Arc::new(Failing { reads: true.into(), ..Failing::default() });
    let error =
        ask(&mut cache(Mode::Offline, &store), &Engine::default(), 1, &Limits::default()).unwrap_err();
    assert!(matches!(error, CacheError::Offline { why: MissReason::Unreachable, .. }));
}

#[test]
fn warnings_are_bounded_and_counted_beyond() {
    let store: Arc<dyn Store> = Arc::new(Failing { reads: true.into(), ..Failing::default() });
    let engine = Engine::default();
    let mut cache = cache(Mode::ReadWrite, &store);
    for number in 0..100 {
        ask(&mut cache, &engine, number, &Limits::default()).unwrap();
    }
    let warnings = cache.take_warnings();
    assert_eq!(warnings.len(), 17);
    assert_eq!(warnings.last().unwrap(), "84 more cache warnings are not shown");
}

/// A store that gives back what it was told to, whatever it is asked for.
struct Lying(MemoryStore, Mutex<Vec<u8>>);

impl Lying {
    fn with(payload: Vec<u8>) -> Self {
        Self(MemoryStore::new(), Mutex::new(payload))
    }
}

impl Store for Lying {
    fn get(&self, _id: &Checksum) -> std::result::Result<Found, StoreError> {
        Ok(Found::Hit(self.1.lock().unwrap().clone()))
    }
    fn put(&self, id: &Checksum, payload: &[u8]) -> std::result::Result<(), StoreError> {
        self.0.put(id, payload)
    }
    fn remove(&self, id: &Checksum) -> std::result::Result<(), StoreError> {
        self.0.remove(id)
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

/// The payload that a cache stores for a number.
fn payload(number: u64) -> Vec<u8> {
    let store = memory_store();
    ask(&mut cache(Mode::ReadWrite, &store), &Engine::default(), number, &Limits::default()).unwrap();
    let key = question(number);
    store.get(&Checksum { digest: key.digest(), confirm: key.confirm() }).unwrap().payload().unwrap()
}

#[test]
fn the_entry_of_another_question_is_not_served() {
    let store: Arc<dyn Store> = Arc::new(Lying::with(payload(3)));
    let engine = Engine::default();
    let answered = ask(&mut cache(Mode::ReadWrite, &store), &engine, 4, &Limits::default()).unwrap();
    assert_eq!(answered.answer, Verdict::Square(16));
    assert_eq!(answered.provenance, Provenance::Fresh(MissReason::Unconfirmed));
    let answered = ask(&mut cache(Mode::ReadWrite, &store), &engine, 3, &Limits::default()).unwrap();
    assert_eq!(answered.provenance, Provenance::Store, "to its own question it is");
}

#[test]
fn the_entry_of_another_format_is_a_miss() {
    for at in [0, 1] {
        let mut payload = payload(3);
        payload[at] = payload[at].wrapping_add(1);
        let store: Arc<dyn Store> = Arc::new(Lying::with(payload));
        let answered =
            ask(&mut cache(Mode::ReadWrite, &store), &Engine::default(), 3, &Limits::default()).unwrap();
        assert_eq!(answered.provenance, Provenance::Fresh(MissReason::ForeignVersion), "byte {at}");
    }
}

#[test]
fn a_cut_entry_is_damaged_and_no_panic() {
    let whole = payload(3);
    for length in 0..whole.len() {
        let store: Arc<dyn Store> = Arc::new(Lying::with(whole[..length].to_vec()));
        let answered =
            ask(&mut cache(Mode::ReadWrite, &store), &Engine::default(), 3, &Limits::default()).unwrap();
        assert_eq!(answered.provenance, Provenance::Fresh(MissReason::Damaged), "{length} bytes");
        assert_eq!(answered.answer, Verdict::Square(9));
    }
}

#[test]
fn rubbish_in_the_history_is_no_history() {
    let store: Arc<dyn Store> = Arc::new(Lying::with(vec![1, 255, 255, 255]));
    let mut cache = cache(Mode::ReadWrite, &store);
    assert!(cache.recall("number").is_empty());
    assert_eq!(cache.explain_miss("number", &question(1)), None);
}

#[test]
fn a_faster_tier_that_fails_is_a_warning_of_the_cache() {
    let fast: Arc<dyn Store> = Arc::new(Failing { writes: true.into(), ..Failing::default() });
    let slow: Arc<dyn Store> = memory_store();
    ask(&mut cache(Mode::ReadWrite, &slow), &Engine::default(), 3, &Limits::default()).unwrap();
    let tiers: Vec<Box<dyn Store>> = vec![Box::new(fast), Box::new(slow)];
    let store: Arc<dyn Store> = Arc::new(Tiered::new(tiers));
    let mut cache = cache(Mode::ReadWrite, &store);
    let answered = ask(&mut cache, &Engine::default(), 3, &Limits::default()).unwrap();
    assert_eq!(answered.provenance, Provenance::Store);
    assert!(cache.take_warnings().iter().any(|warning| warning.contains("the disk is gone")));
}

#[test]
fn a_wrong_answer_that_cannot_be_replaced_is_removed() {
    let (engine, store) = (Engine::default(), Arc::new(Failing::default()));
    let shared = Arc::clone(&store) as Arc<dyn Store>;
    engine.lies.set(true);
    ask(&mut cache(Mode::ReadWrite, &shared), &engine, 3, &Limits::default()).unwrap();
    engine.lies.set(false);
    store.puts.store(true, Ordering::Relaxed);
    let audited = CacheConfig::default().mode(Mode::ReadWrite).audit("always".parse().unwrap());
    let mut cache: Cache<Verdict> = Cache::new(audited.store(Arc::clone(&shared)));
    assert_eq!(ask(&mut cache, &engine, 3, &Limits::default()).unwrap().answer, Verdict::Square(9));
    // Whoever comes next finds nothing, rather than what is known to be wrong.
    assert_eq!(store.inner.usage().unwrap().entries, 0);
}
