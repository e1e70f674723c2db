//! A file system that can be made to fail: it crashes at a given step, is full, denies writing, belongs to
//! someone else, and counts what is read.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use cache_core::store::storage::{Access, Files, Metadata, Storage, StoredFile};

/// The real files with faults. Everything that changes them is a step.
#[derive(Default)]
pub(crate) struct Faults {
    counts: Arc<Counts>,
    user: OnceLock<u32>,
    token: OnceLock<u64>,
    after_listing: Mutex<Vec<Deed>>,
    before_lock: Mutex<Option<Deed>>,
    parts: Mutex<Vec<DeedOn>>,
    /// Files and folders with this name cannot be looked at.
    hidden: OnceLock<&'static str>,
}

/// What others do.
type Deed = Box<dyn FnOnce() + Send>;

/// What others do with a file.
type DeedOn = Box<dyn FnOnce(&Path) + Send>;

#[derive(Default)]
struct Counts {
    steps: AtomicU64,
    /// The step at which the process dies, half done if it is a write; 0 for never.
    crash_at: AtomicU64,
    dead: AtomicBool,
    /// Bytes that may still be written, plus one; 0 for any number.
    room: AtomicU64,
    denied: AtomicBool,
    /// Files that are open now, and the most that there were.
    open: AtomicU64,
    most_open: AtomicU64,
    /// How many files may be open; 0 for any number.
    may_open: AtomicU64,
    reads: AtomicU32,
    bytes_read: AtomicU64,
}

impl Faults {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    pub(crate) fn crash_at(step: u64) -> Arc<Self> {
        let faults = Self::new();
        faults.counts.crash_at.store(step, SeqCst);
        faults
    }

    /// Makes the process belong to this user.
    pub(crate) fn of_user(user: u32) -> Arc<Self> {
        let faults = Self::new();
        faults.user.set(user).unwrap();
        faults
    }

    /// Gives all packs this token; for one pack at a time.
    pub(crate) fn with_token(token: u64) -> Arc<Self> {
        let faults = Self::new();
        faults.token.set(token).unwrap();
        faults
    }

    /// Denies looking at what has this name.
    pub(crate) fn hiding(name: &'static str) -> Arc<Self> {
        let faults = Self::new();
        faults.hidden.set(name).unwrap();
        faults
    }

    /// Lets others do something when this process has listed a folder and has not looked at what it holds; the
    /// last thing that is said first.
    pub(crate) fn after_a_listing(&self, deed: impl FnOnce() + Send + 'static) {
        self.after_listing.lock().unwrap().push(Box::new(deed));
    }

    /// Lets others do something when this process is about to find out whether a pack is still written.
    pub(crate) fn before_a_lock_is_tried(&self, deed: impl FnOnce() + Send + 'static) {
        *self.before_lock.lock().unwrap() = Some(Box::new(deed));
    }

    /// Lets others do something with a pack that this process has made aside and has not locked; the last thing
    /// that is said first, one for each pack.
    pub(crate) fn after_a_pack_is_made(&self, deed: impl FnOnce(&Path) + Send + 'static) {
        self.parts.lock().unwrap().push(Box::new(deed));
    }

    pub(crate) fn steps(&self) -> u64 {
        self.counts.steps.load(SeqCst)
    }

    /// Leaves room for so many bytes; `None` for any number.
    pub(crate) fn leave_room(&self, bytes: Option<u64>) {
        self.counts.room.store(bytes.map_or(0, |bytes| bytes + 1), SeqCst);
    }

    pub(crate) fn deny_writing(&self, denied: bool) {
        self.counts.denied.store(denied, SeqCst);
    }

    /// Lets the process open so many files; `None` for any number.
    pub(crate) fn may_open(&self, files: Option<u64>) {
        self.counts.may_open.store(files.unwrap_or(0), SeqCst);
    }

    /// The most files that were open at a time.
    pub(crate) fn most_open(&self) -> u64 {
        self.counts.most_open.load(SeqCst)
    }

    /// How many files are open.
    pub(crate) fn open_now(&self) -> u64 {
        self.counts.open.load(SeqCst)
    }

    /// How many reads there were, and of how many bytes, since the last call.
    pub(crate) fn take_reads(&self) -> (u32, u64) {
        (self.counts.reads.swap(0, SeqCst), self.counts.bytes_read.swap(0, SeqCst))
    }
}

impl Counts {
    fn alive(&self) -> io::Result<()> {
        if self.dead.load(SeqCst) { Err(io::Error::other("the process is dead")) } else { Ok(()) }
    }

    /// Counts a step; says whether it is the one at which the process dies.
    fn step(&self) -> io::Result<bool> {
        self.alive()?;
        if self.denied.load(SeqCst) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let step = self.steps.fetch_add(1, SeqCst) + 1;
        let crash = step == self.crash_at.load(SeqCst);
        if crash {
            self.dead.store(true, SeqCst);
        }
        Ok(crash)
    }

    fn whole_step(&self) -> io::Result<()> {
        if self.step()? { Err(io::Error::other("crashed")) } else { Ok(()) }
    }
}

impl Storage for Faults {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            self.counts.alive()?;
        } else {
            self.counts.whole_step()?;
        }
        Files.create_folder(path)
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.counts.alive()?;
        if self.hidden.get().is_some_and(|name| path.ends_with(name)) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Files.metadata(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.counts.alive()?;
        let names = Files.list(path)?;
        let deed = self.after_listing.lock().unwrap().pop();
        if let Some(deed) = deed {
            deed();
        }
        Ok(names)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn StoredFile>> {
        self.counts.alive()?;
        if access == Access::Write && self.counts.denied.load(SeqCst) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        if matches!(access, Access::Create | Access::CreateNew) {
            self.counts.whole_step()?;
        }
        // Packs are opened for reading alone to try their locks.
        if access == Access::Read && path.extension().is_some_and(|it| it == "pack") {
            let deed = self.before_lock.lock().unwrap().take();
            if let Some(deed) = deed {
                deed();
            }
        }
        let may_open = self.counts.may_open.load(SeqCst);
        if may_open > 0 && self.counts.open.load(SeqCst) >= may_open {
            return Err(io::Error::from_raw_os_error(rustix::io::Errno::MFILE.raw_os_error()));
        }
        let file = Files.open(path, access)?;
        if access == Access::CreateNew && path.extension().is_some_and(|it| it == "part") {
            let deed = self.parts.lock().unwrap().pop();
            if let Some(deed) = deed {
                deed(path);
            }
        }
        let open = self.counts.open.fetch_add(1, SeqCst) + 1;
        self.counts.most_open.fetch_max(open, SeqCst);
        Ok(Box::new(FaultyFile { file, counts: Arc::clone(&self.counts) }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.counts.whole_step()?;
        Files.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        if path.exists() {
            self.counts.whole_step()?;
        }
        Files.remove(path)
    }

    fn user(&self) -> u32 {
        self.user.get().copied().unwrap_or_else(|| Files.user())
    }

    fn now(&self) -> SystemTime {
        Files.now()
    }

    fn token(&self) -> u64 {
        self.token.get().copied().unwrap_or_else(|| Files.token())
    }
}

struct FaultyFile {
    file: Box<dyn StoredFile>,
    counts: Arc<Counts>,
}

impl Drop for FaultyFile {
    fn drop(&mut self) {
        self.counts.open.fetch_sub(1, SeqCst);
    }
}

impl StoredFile for FaultyFile {
    fn length(&self) -> io::Result<u64> {
        self.counts.alive()?;
        self.file.length()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.counts.alive()?;
        let read = self.file.read_at(buffer, offset)?;
        self.counts.reads.fetch_add(1, SeqCst);
        self.counts.bytes_read.fetch_add(read as u64, SeqCst);
        Ok(read)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        if self.counts.step()? {
            self.file.write_at(&bytes[..bytes.len() / 2], offset)?;
            return Err(io::Error::other("crashed"));
        }
        match self.counts.room.load(SeqCst) {
            0 => self.file.write_at(bytes, offset),
            room => {
                let fits = bytes.len().min(usize::try_from(room - 1).unwrap());
                self.file.write_at(&bytes[..fits], offset)?;
                self.counts.room.store(room - fits as u64, SeqCst);
                if fits < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
            }
        }
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.counts.whole_step()?;
        self.file.truncate(length)
    }

    fn try_lock(&self) -> io::Result<bool> {
        self.counts.alive()?;
        self.file.try_lock()
    }
}
