//! The disk store: opening a folder with a million small entries, hits, misses, and puts.
//!
//! What does not depend on the machine is counted first and printed above the times: how many reads, of
//! how many bytes, each takes on that folder. Only with the feature `plant`, by which a store can be put on files
//! that are counted.

use std::sync::LazyLock;

use cache_core::digest::{Confirm, Digest};
use cache_core::key::Checksum;
use cache_core::store::{DiskOptions, DiskStore, Found, Store};
use tempfile::TempDir;

/// Entries of the large folder.
const COUNT: u64 = 1_000_000;
/// Bytes of their payloads: a verdict with what it cost.
const PAYLOAD: [u8; 64] = [7; 64];

#[cfg(feature = "plant")]
#[path = "store/reads.rs"]
mod reads;

fn main() {
    #[cfg(feature = "plant")]
    reads::count();
    divan::main();
}

fn id(number: u64) -> Checksum {
    let bytes = number.to_le_bytes();
    Checksum { digest: Digest::of(&bytes), confirm: Confirm::of(&bytes) }
}

/// A number sequence that visits the entries in no order.
struct Scattered(u64);

impl Scattered {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % COUNT
    }
}

fn options() -> DiskOptions {
    DiskOptions::default().bound(None)
}

/// The folder with a million entries, filled once.
static MILLION: LazyLock<TempDir> = LazyLock::new(|| {
    #[expect(clippy::unwrap_used, reason = "a benchmark without its folder has nothing to say")]
    let folder = TempDir::new().unwrap();
    let fill = || -> Result<(), cache_core::store::StoreError> {
        let store = DiskStore::open(folder.path().join("cache"), options())?;
        for number in 0..COUNT {
            store.put(&id(number), &PAYLOAD)?;
        }
        store.maintain()
    };
    #[expect(clippy::unwrap_used, reason = "as above")]
    fill().unwrap();
    folder
});

#[expect(clippy::unwrap_used, reason = "as above")]
fn open(folder: &TempDir) -> DiskStore {
    DiskStore::open(folder.path().join("cache"), options()).unwrap()
}

/// The result must be a hit, else something else would be measured.
#[expect(clippy::unwrap_used, reason = "as above")]
fn hit(store: &DiskStore, number: u64) -> Vec<u8> {
    store.get(&id(number)).unwrap().payload().unwrap()
}

#[divan::bench(sample_count = 200)]
fn open_a_million() -> DiskStore {
    open(&MILLION)
}

#[divan::bench(sample_count = 200)]
fn open_a_million_and_hit_once() -> Vec<u8> {
    hit(&open(&MILLION), 77)
}

#[divan::bench(sample_count = 100, sample_size = 1000)]
fn hit_among_a_million(bencher: divan::Bencher<'_, '_>) {
    let store = open(&MILLION);
    let mut numbers = Scattered(1);
    bencher.bench_local(move || hit(&store, numbers.next()));
}

#[divan::bench(sample_count = 100, sample_size = 1000)]
fn miss_among_a_million(bencher: divan::Bencher<'_, '_>) {
    let store = open(&MILLION);
    let mut numbers = Scattered(1);
    bencher.bench_local(move || {
        let found = store.get(&id(COUNT + numbers.next()));
        assert!(matches!(found, Ok(Found::Missing(_))));
    });
}

#[divan::bench(sample_count = 50, sample_size = 1000)]
#[expect(clippy::unwrap_used, reason = "as above")]
fn put_64_bytes(bencher: divan::Bencher<'_, '_>) {
    let folder = TempDir::new().unwrap();
    let store = open(&folder);
    let mut number = 0;
    bencher.bench_local(|| {
        number += 1;
        store.put(&id(number), &PAYLOAD).unwrap();
    });
}

#[divan::bench(sample_count = 50, sample_size = 4)]
#[expect(clippy::unwrap_used, reason = "as above")]
fn put_100_kilobytes(bencher: divan::Bencher<'_, '_>) {
    let folder = TempDir::new().unwrap();
    let store = open(&folder);
    let payload = vec![7; 100_000];
    let mut number = 0;
    bencher.bench_local(|| {
        number += 1;
        store.put(&id(number), &payload).unwrap();
    });
}
