//! The one door to the outside world: files, environment, clock and output.
//!
//! Everything that is not a pure function of its arguments goes through [`System`], so that tests can
//! replace it and so that a glance shows what a stage can depend on.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// When a file was changed last, and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    modified: SystemTime,
    length: u64,
}

/// Files, environment, clock and output.
pub trait System: Send + Sync {
    /// The content of a file.
    ///
    /// # Errors
    /// What the operating system says.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Everything on standard input.
    ///
    /// # Errors
    /// What the operating system says.
    fn read_input(&self) -> io::Result<Vec<u8>>;

    /// When a file was changed last and how long it is, if it is there. Tells that a file may have
    /// changed; it reaches no key.
    fn stamp(&self, path: &Path) -> Option<Stamp>;

    /// Writes a file, replacing what was there.
    ///
    /// # Errors
    /// What the operating system says.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Makes a folder and its parents.
    ///
    /// # Errors
    /// What the operating system says.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Whether a file or folder is there.
    fn exists(&self, path: &Path) -> bool;

    /// How the program was called: its name, then its arguments.
    fn arguments(&self) -> Vec<String>;

    /// The value of an environment variable, if it is set and is text.
    fn variable(&self, name: &str) -> Option<String>;

    /// The path of the running program, if the operating system tells it.
    fn program(&self) -> Option<PathBuf>;

    /// What a program prints that is found by its path or name, is given nothing to read, and ends in time.
    ///
    /// # Errors
    /// That it does not start, or does not end.
    fn said_by(&self, program: &Path, arguments: &[&str], patience: Duration) -> io::Result<Vec<u8>>;

    /// The time since some fixed moment of this run. For measuring only: it reaches no key.
    fn now(&self) -> Duration;

    /// The time since the beginning of 1970. For protocols only: it reaches no key.
    fn date(&self) -> Duration;

    /// Whether standard output is a terminal.
    fn is_terminal(&self) -> bool;

    /// Prints to standard output.
    ///
    /// # Errors
    /// What the operating system says; a closed pipe is the usual one.
    fn print(&self, text: &str) -> io::Result<()>;

    /// Prints to standard error. A failure there has nowhere to be reported.
    fn print_error(&self, text: &str);
}

/// The real world.
#[derive(Debug)]
pub struct OperatingSystem {
    start: std::time::Instant,
}

impl OperatingSystem {
    /// The real world, with the clock starting now.
    #[must_use]
    pub fn new() -> Self {
        Self { start: std::time::Instant::now() }
    }
}

impl Default for OperatingSystem {
    fn default() -> Self {
        Self::new()
    }
}

impl System for OperatingSystem {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn read_input(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn stamp(&self, path: &Path) -> Option<Stamp> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Stamp { modified: metadata.modified().ok()?, length: metadata.len() })
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        std::fs::write(path, bytes)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        std::fs::create_dir_all(path)
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn arguments(&self) -> Vec<String> {
        std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect()
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn program(&self) -> Option<PathBuf> {
        std::env::current_exe().ok()
    }

    fn said_by(&self, program: &Path, arguments: &[&str], patience: Duration) -> io::Result<Vec<u8>> {
        reprise_tools::program::said_by(program, arguments, patience)
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn date(&self) -> Duration {
        let since = SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.unwrap_or_default()
    }

    fn is_terminal(&self) -> bool {
        io::IsTerminal::is_terminal(&io::stdout())
    }

    fn print(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    fn print_error(&self, text: &str) {
        let mut out = io::stderr().lock();
        if out.write_all(text.as_bytes()).is_ok() {
            drop(out.flush());
        }
    }
}
