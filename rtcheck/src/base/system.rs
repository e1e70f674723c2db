//! The world outside: files, standard streams, clocks. Everything that is not a function of the program's
//! text and its arguments passes through this trait, so that tests run without a disk and without a clock.

use super::files::{Files, OpenFiles, OpenMemory};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Files, standard streams and clocks.
pub trait System: Files {
    /// The bytes of a file.
    ///
    /// # Errors
    /// Whatever the operating system says.
    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Replaces the contents of a file.
    ///
    /// # Errors
    /// Whatever the operating system says.
    fn write_file(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Appends the next block of standard input to `buffer` and returns how many bytes came; 0 is the end.
    ///
    /// # Errors
    /// Whatever the operating system says.
    fn read_input(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize>;

    /// Writes to standard output.
    ///
    /// # Errors
    /// Whatever the operating system says, a closed pipe above all.
    fn write_output(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Writes to standard error.
    ///
    /// # Errors
    /// Whatever the operating system says.
    fn write_error(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Processor time that this process has used.
    fn cpu_time(&self) -> Duration;

    /// Time since the process started.
    fn wall_time(&self) -> Duration;

    /// Lets time pass.
    fn sleep(&self, time: Duration);

    /// A clock that may be asked very often: nanoseconds since some moment.
    fn clock(&self) -> Clock;

    /// The value of an environment variable, if it is set and is Unicode.
    fn environment(&self, name: &str) -> Option<String>;
}

/// Nanoseconds since some moment, growing.
pub type Clock = Box<dyn Fn() -> u64>;

/// The operating system.
#[derive(Debug)]
pub struct OsSystem {
    started: Instant,
    /// What goes to standard output is dropped.
    quiet: bool,
    /// What goes to standard error is dropped too, and standard input is empty.
    silent: bool,
    pub(super) open: OpenFiles<File>,
}

impl OsSystem {
    /// The system as seen from now on.
    #[must_use]
    pub fn new() -> Self {
        Self { started: Instant::now(), quiet: false, silent: false, open: OpenFiles::default() }
    }

    /// The same without standard output.
    #[must_use]
    pub fn quiet() -> Self {
        Self { quiet: true, ..Self::new() }
    }

    /// The same without standard input, output and error, for running a program once more to see what it costs.
    #[must_use]
    pub fn silent() -> Self {
        Self { quiet: true, silent: true, ..Self::new() }
    }
}

impl Default for OsSystem {
    fn default() -> Self {
        Self::new()
    }
}

impl System for OsSystem {
    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn write_file(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        std::fs::write(path, bytes)
    }

    fn read_input(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        if self.silent {
            return Ok(0);
        }
        let mut block = [0; 4096];
        let count = io::stdin().lock().read(&mut block)?;
        buffer.extend_from_slice(&block[..count]);
        Ok(count)
    }

    fn write_output(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.quiet {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        out.flush()
    }

    fn write_error(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.silent {
            return Ok(());
        }
        io::stderr().lock().write_all(bytes)
    }

    fn cpu_time(&self) -> Duration {
        // Linux tells a thread's time on the processor in nanoseconds; elsewhere the wall clock stands in.
        std::fs::read_to_string("/proc/thread-self/schedstat")
            .ok()
            .and_then(|text| text.split_whitespace().next()?.parse().ok())
            .map_or_else(|| self.wall_time(), Duration::from_nanos)
    }

    fn wall_time(&self) -> Duration {
        self.started.elapsed()
    }

    fn sleep(&self, time: Duration) {
        let until = Instant::now() + time;
        while let Some(rest) = until.checked_duration_since(Instant::now()).filter(|rest| !rest.is_zero()) {
            std::thread::park_timeout(rest);
        }
    }

    fn clock(&self) -> Clock {
        let start = self.started;
        Box::new(move || u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    fn environment(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

/// A system in memory: files are a map, output is collected, and time passes only while somebody sleeps.
#[derive(Debug, Default)]
pub struct MemorySystem {
    /// The files, by path.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// What is left to read from standard input.
    pub input: Vec<u8>,
    /// What went to standard output.
    pub output: Vec<u8>,
    /// What went to standard error.
    pub error: Vec<u8>,
    /// Standard output takes no more than this many bytes, as if the disk were full then; `None` for no end.
    pub output_limit: Option<usize>,
    /// Nobody reads standard output.
    pub output_closed: bool,
    /// Directories besides those that files lie in.
    pub directories: BTreeSet<PathBuf>,
    /// How long was slept.
    pub slept: Cell<Duration>,
    pub(super) open: OpenFiles<OpenMemory>,
}

impl MemorySystem {
    /// A system with one file.
    #[must_use]
    pub fn with_file(path: impl Into<PathBuf>, text: &str) -> Self {
        let mut system = Self::default();
        system.files.insert(path.into(), text.as_bytes().to_vec());
        system
    }
}

impl System for MemorySystem {
    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn write_file(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.insert(path.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn read_input(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        buffer.extend_from_slice(&self.input);
        Ok(std::mem::take(&mut self.input).len())
    }

    fn write_output(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.output_closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if self.output_limit.is_some_and(|limit| self.output.len() + bytes.len() > limit) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.output.extend_from_slice(bytes);
        Ok(())
    }

    fn write_error(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.error.extend_from_slice(bytes);
        Ok(())
    }

    fn cpu_time(&self) -> Duration {
        Duration::ZERO
    }

    fn wall_time(&self) -> Duration {
        self.slept.get()
    }

    fn sleep(&self, time: Duration) {
        self.slept.set(self.slept.get() + time);
    }

    fn clock(&self) -> Clock {
        Box::new(|| 0)
    }

    fn environment(&self, _name: &str) -> Option<String> {
        None
    }
}

/// A system in memory that its owner can look into while a machine uses it.
impl System for Rc<RefCell<MemorySystem>> {
    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.borrow().read_file(path)
    }

    fn write_file(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.borrow_mut().write_file(path, bytes)
    }

    fn read_input(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        self.borrow_mut().read_input(buffer)
    }

    fn write_output(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.borrow_mut().write_output(bytes)
    }

    fn write_error(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.borrow_mut().write_error(bytes)
    }

    fn cpu_time(&self) -> Duration {
        Duration::ZERO
    }

    fn wall_time(&self) -> Duration {
        self.borrow().wall_time()
    }

    fn sleep(&self, time: Duration) {
        self.borrow().sleep(time);
    }

    fn clock(&self) -> Clock {
        Box::new(|| 0)
    }

    fn environment(&self, _name: &str) -> Option<String> {
        None
    }
}
