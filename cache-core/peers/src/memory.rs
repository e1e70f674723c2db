//! Look-ups of what is held in memory.

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;

use cache_core::cache::{Cache, CacheConfig, Lookup};
use cache_core::key::{Checksum, Key};
use cache_core::limits::Limits;
use cache_core::store::{MemoryStore, Store};

use crate::subject::{Scattered, Verdict, asked, key, verdict};
use crate::{Least, each};

const LOOKUPS: u64 = 1_000_000;

pub(crate) fn measure(rounds: usize) -> Result<(), Box<dyn Error>> {
    let mut least = Least::default();
    for (entries, what) in [
        (1_000, "a look-up among 1,000"),
        (10_000, "a look-up among 10,000"),
        (60_000, "a look-up among 60,000"),
    ] {
        among(entries, what, rounds, &mut least)?;
    }
    least.tell("memory")
}

fn among(entries: u64, what: &'static str, rounds: usize, least: &mut Least) -> Result<(), Box<dyn Error>> {
    let keys: Vec<Key> = (0..entries).map(key).collect();
    let limits = Limits::unlimited();
    let filled = |store: Option<Arc<dyn Store>>| {
        let mut cache: Cache<Verdict> = Cache::new(CacheConfig::default().store(store));
        for (key, number) in keys.iter().zip(0..) {
            cache.fill(key, &limits, &asked(number));
        }
        cache
    };
    let mut alone = filled(None);
    let mut confirmed = filled(Some(Arc::new(MemoryStore::new())));
    let ids: Vec<Checksum> =
        keys.iter().map(|key| Checksum { digest: key.digest(), confirm: key.confirm() }).collect();
    let moka: moka::sync::Cache<Checksum, Verdict> = moka::sync::Cache::new(1 << 16);
    let quick: quick_cache::sync::Cache<Checksum, Verdict> = quick_cache::sync::Cache::new(1 << 16);
    for (id, number) in ids.iter().zip(0..) {
        moka.insert(*id, verdict(number));
        quick.insert(*id, verdict(number));
    }
    moka.run_pending_tasks();

    for _ in 0..rounds {
        let mut row = |system, found: &mut dyn FnMut(usize) -> bool| -> Result<(), Box<dyn Error>> {
            let mut numbers = Scattered(1);
            let mut hits = 0;
            let ns = each(LOOKUPS, || {
                (0..LOOKUPS).for_each(|_| hits += u64::from(found(numbers.below(entries))));
                Ok(())
            })?;
            if hits != LOOKUPS {
                return Err(format!("{system} held {hits} of {LOOKUPS}").into());
            }
            least.add(what, system, ns, "ns");
            Ok(())
        };
        row("Cache", &mut |place| {
            matches!(black_box(alone.lookup(&keys[place], &limits)), Lookup::Hit { .. })
        })?;
        row("Cache, over a store", &mut |place| {
            matches!(black_box(confirmed.lookup(&keys[place], &limits)), Lookup::Hit { .. })
        })?;
        row("moka", &mut |place| black_box(moka.get(&ids[place])).is_some())?;
        row("quick_cache", &mut |place| black_box(quick.get(&ids[place])).is_some())?;
        row("the loop alone", &mut |place| black_box(ids[place]).digest.low() != 0)?;
    }
    Ok(())
}
