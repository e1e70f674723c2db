//! The disk store: opening a folder with a million small entries, hits, misses, and puts.
//!
//! What does not depend on the machine is counted first and printed above the times: how many reads, of
//! how many bytes, each takes on that folder.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};
use std::time::{Instant, SystemTime};
use std::{hint, io};

use cache_core::digest::{Confirm, Digest};
use cache_core::key::Checksum;
use cache_core::store::storage::{Access, Files, Metadata, Storage, StoredFile};
use cache_core::store::{DiskOptions, DiskStore, Found, Store};
use tempfile::TempDir;

/// Entries of the large folder.
const COUNT: u64 = 1_000_000;
/// Bytes of their payloads: a verdict with what it cost.
const PAYLOAD: [u8; 64] = [7; 64];

fn main() {
    count();
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

/// Prints how much each operation reads.
#[expect(clippy::print_stdout, reason = "a benchmark's output is its purpose")]
#[expect(clippy::unwrap_used, reason = "as above")]
fn count() {
    let start = Instant::now();
    LazyLock::force(&MILLION);
    println!(
        "folder with {COUNT} entries of {} bytes filled in {:.1} s",
        PAYLOAD.len(),
        start.elapsed().as_secs_f64()
    );
    let counting = Arc::new(Counting::default());
    let line = |what: &str| {
        let (opens, reads, bytes) = counting.take();
        println!("{what:<28} {opens:>4} files opened {reads:>4} reads {bytes:>8} bytes");
    };
    let open = DiskStore::open_on(Arc::clone(&counting) as Arc<_>, MILLION.path().join("cache"), options());
    let store = open.unwrap();
    line("open");
    hint::black_box(hit(&store, 1));
    line("first hit");
    hint::black_box(hit(&store, 2));
    line("next hit");
    hint::black_box(store.get(&id(COUNT)).unwrap());
    line("miss");
    let usage = store.usage().unwrap();
    println!(
        "{} bytes in {} files, {:.1} bytes an entry",
        usage.bytes,
        usage.files,
        usage.bytes as f64 / COUNT as f64
    );
}

/// The real files, counted.
#[derive(Default)]
struct Counting {
    opens: AtomicU64,
    reads: Arc<(AtomicU64, AtomicU64)>,
}

impl Counting {
    fn take(&self) -> (u64, u64, u64) {
        (self.opens.swap(0, Relaxed), self.reads.0.swap(0, Relaxed), self.reads.1.swap(0, Relaxed))
    }
}

impl Storage for Counting {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        Files.create_folder(path)
    }
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        Files.metadata(path)
    }
    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        Files.list(path)
    }
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn StoredFile>> {
        self.opens.fetch_add(1, Relaxed);
        Ok(Box::new(CountedFile(Files.open(path, access)?, Arc::clone(&self.reads))))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Files.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        Files.remove(path)
    }
    fn user(&self) -> u32 {
        Files.user()
    }
    fn now(&self) -> SystemTime {
        Files.now()
    }
    fn token(&self) -> u64 {
        Files.token()
    }
}

struct CountedFile(Box<dyn StoredFile>, Arc<(AtomicU64, AtomicU64)>);

impl StoredFile for CountedFile {
    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = self.0.read_at(buffer, offset)?;
        self.1.0.fetch_add(1, Relaxed);
        self.1.1.fetch_add(read as u64, Relaxed);
        Ok(read)
    }
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.0.write_at(bytes, offset)
    }
    fn truncate(&self, length: u64) -> io::Result<()> {
        self.0.truncate(length)
    }
    fn try_lock(&self) -> io::Result<bool> {
        self.0.try_lock()
    }
}
