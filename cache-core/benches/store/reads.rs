//! How many reads, of how many bytes, each operation takes.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};
use std::time::{Instant, SystemTime};
use std::{hint, io};

use cache_core::store::storage::{Access, Files, Metadata, Storage, StoredFile};
use cache_core::store::{DiskStore, Store};

use super::{COUNT, MILLION, PAYLOAD, hit, id, options};

/// Prints how much each operation reads.
#[expect(clippy::print_stdout, reason = "a benchmark's output is its purpose")]
#[expect(clippy::unwrap_used, reason = "as above")]
pub(crate) fn count() {
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
