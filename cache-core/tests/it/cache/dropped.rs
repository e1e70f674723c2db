//! A cache that is dropped without `finish` leaves its store as `finish` does.

use std::sync::atomic::AtomicU64;

use super::*;

/// Counts how often it is brought in order.
#[derive(Default)]
struct Tidied {
    inner: MemoryStore,
    times: AtomicU64,
}

impl Store for Tidied {
    fn get(&self, id: &Checksum) -> std::result::Result<Found, StoreError> {
        self.inner.get(id)
    }
    fn put(&self, id: &Checksum, payload: &[u8]) -> std::result::Result<(), StoreError> {
        self.inner.put(id, payload)
    }
    fn remove(&self, id: &Checksum) -> std::result::Result<(), StoreError> {
        self.inner.remove(id)
    }
    fn maintain(&self) -> std::result::Result<(), StoreError> {
        self.times.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
    fn clean(&self) -> std::result::Result<(), StoreError> {
        self.inner.clean()
    }
    fn usage(&self) -> std::result::Result<Usage, StoreError> {
        self.inner.usage()
    }
    fn verify(&self) -> std::result::Result<Verified, StoreError> {
        self.inner.verify()
    }
    fn counters(&self) -> Counters {
        self.inner.counters()
    }
}

/// How often the store is brought in order by a cache in this mode with which something is done.
fn times(mode: Mode, act: impl FnOnce(&mut Cache<Verdict>)) -> u64 {
    let tidied = Arc::new(Tidied::default());
    let mut cache = cache(mode, &(Arc::clone(&tidied) as Arc<dyn Store>));
    act(&mut cache);
    drop(cache);
    tidied.times.load(Ordering::Relaxed)
}

fn ask_one(cache: &mut Cache<Verdict>) {
    ask(cache, &Engine::default(), 3, &Limits::default()).unwrap();
}

#[test]
fn what_was_stored_is_brought_in_order_once() {
    assert_eq!(times(Mode::ReadWrite, ask_one), 1);
    assert_eq!(times(Mode::Rebuild, ask_one), 1);
    assert_eq!(times(Mode::ReadWrite, |cache| cache.remember("number", &question(3))), 1);
    let finished = |cache: &mut Cache<Verdict>| {
        ask_one(cache);
        cache.finish();
    };
    assert_eq!(times(Mode::ReadWrite, finished), 1);
    let gone_on = |cache: &mut Cache<Verdict>| {
        finished(cache);
        ask(cache, &Engine::default(), 4, &Limits::default()).unwrap();
    };
    assert_eq!(times(Mode::ReadWrite, gone_on), 2);
}

#[test]
fn nothing_is_done_where_nothing_was_stored() {
    assert_eq!(times(Mode::Read, ask_one), 0);
    assert_eq!(times(Mode::Off, ask_one), 0);
    assert_eq!(times(Mode::ReadWrite, |_| {}), 0);
}
