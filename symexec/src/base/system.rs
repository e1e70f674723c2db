//! The edge to the outside world: clock, environment, files and output behind one trait, so that
//! everything above can be tested without them.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A program that is to be run with the terminal as its output.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'a> {
    /// Which.
    pub program: &'a Path,
    /// Its arguments.
    pub arguments: &'a [OsString],
    /// Environment variables that are set for it, beside those that are.
    pub environment: &'a [(&'a str, OsString)],
    /// The folder in which it runs.
    pub folder: &'a Path,
    /// The file that is its standard input; nothing if absent.
    pub input: Option<&'a Path>,
}

/// How another program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
}

/// Clock, environment, files and output of one run.
pub trait System {
    /// Time since the run began. Never decides an answer; it serves limits and reports.
    fn elapsed(&self) -> Duration;

    /// Seconds since 1970, for files whose format demands a time; `SOURCE_DATE_EPOCH` says which where it is set, so
    /// that runs can be repeated.
    fn now(&self) -> u64 {
        0
    }

    /// The value of an environment variable, if it is set and is text.
    fn environment(&self, name: &str) -> Option<String>;

    /// All environment variables as `NAME=VALUE`, in order.
    fn variables(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// All of standard input.
    ///
    /// # Errors
    /// Those of the system.
    fn read_input(&self) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    /// The folder in which the running program lies.
    fn program_folder(&self) -> Option<PathBuf>;

    /// The name under which the program was started, without its folder.
    fn program_name(&self) -> Option<OsString> {
        None
    }

    /// The number that the system gave this process; 0 if it has none.
    fn process_id(&self) -> u32 {
        0
    }

    /// The program's own arguments.
    fn arguments(&self) -> Vec<OsString>;

    /// Runs another program to its end and collects what it says.
    ///
    /// # Errors
    /// If it cannot be started.
    fn run(&self, program: &Path, arguments: &[OsString]) -> io::Result<Output>;

    /// What a program prints that is found by its path or name, is given nothing to read, and ends in time.
    ///
    /// # Errors
    /// That it does not start, or does not end.
    fn said_by(&self, program: &Path, arguments: &[&str], patience: Duration) -> io::Result<Vec<u8>>;

    /// Runs another program to its end; what it prints is seen.
    ///
    /// # Errors
    /// If it cannot be started.
    fn execute(&self, execution: &Execution<'_>) -> io::Result<Ended>;

    /// Runs another program to its end, with this one's input and outputs.
    ///
    /// # Errors
    /// If it cannot be started.
    fn hand_over(&self, program: &Path, arguments: &[OsString]) -> io::Result<Ended>;

    /// Reads a whole file.
    ///
    /// # Errors
    /// Those of the file system.
    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Writes a whole file; what was there is replaced.
    ///
    /// # Errors
    /// Those of the file system.
    fn write_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Adds to the end of a file, which is made if it is not there.
    ///
    /// # Errors
    /// Those of the file system.
    fn append_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Makes a new folder, which must not exist yet, with those above it.
    ///
    /// # Errors
    /// Those of the file system; [`io::ErrorKind::AlreadyExists`] if something is there.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Points a symbolic link to `target`, replacing a link that was there.
    ///
    /// # Errors
    /// Those of the file system.
    fn link(&self, target: &Path, link: &Path) -> io::Result<()>;

    /// The names of what lies in a folder, in order.
    ///
    /// # Errors
    /// Those of the file system.
    fn list_folder(&self, path: &Path) -> io::Result<Vec<PathBuf>>;

    /// A path from the root on, as seen from the folder in which the process runs.
    fn absolute(&self, path: &Path) -> PathBuf;

    /// Whether something exists at a path.
    fn exists(&self, path: &Path) -> bool;

    /// Whether the user wants the run to end. Asked often.
    fn interrupted(&self) -> bool {
        false
    }

    /// How many bytes of memory this process has at the moment; 0 if that is not known.
    fn memory(&self) -> u64 {
        0
    }

    /// Gives memory back to the machine that was freed and is kept to be used again, so that [`Self::memory`] tells what
    /// is in use.
    fn give_back_memory(&self) {}

    /// How many microseconds of processor time this process has used; 0 if that is not known.
    fn processor_micros(&self) -> u64 {
        0
    }

    /// How many bytes of memory this process had at most; 0 if that is not known.
    fn peak_memory(&self) -> u64 {
        0
    }

    /// Writes bytes to standard output or standard error. Failures are ignored: nobody is left to tell.
    fn write_output(&self, descriptor: u64, bytes: &[u8]) {
        let _ = (descriptor, bytes);
    }

    /// Writes a line for the user to standard error. Failures are ignored: nobody is left to tell.
    fn say(&self, line: &str);
}

/// The machine that the program really runs on.
#[derive(Debug)]
pub struct RealSystem {
    start: Instant,
    interrupt: Arc<AtomicBool>,
    give_back_memory: fn(),
}

impl Default for RealSystem {
    fn default() -> Self {
        Self { start: Instant::now(), interrupt: Arc::default(), give_back_memory: || () }
    }
}

impl RealSystem {
    /// Whoever sets this flag asks the run to end.
    #[must_use]
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// The same system, with what the program's allocator does to give back what it keeps.
    #[must_use]
    pub fn giving_back_memory(self, give_back_memory: fn()) -> Self {
        Self { give_back_memory, ..self }
    }
}

impl System for RealSystem {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn now(&self) -> u64 {
        let told = self.environment("SOURCE_DATE_EPOCH").and_then(|text| text.parse().ok());
        told.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()))
    }

    fn environment(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn variables(&self) -> Vec<Vec<u8>> {
        let one = |(name, value): (OsString, OsString)| [name.as_bytes(), b"=", value.as_bytes()].concat();
        let mut all: Vec<Vec<u8>> = std::env::vars_os().map(one).collect();
        all.sort();
        all
    }

    fn read_input(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn program_folder(&self) -> Option<PathBuf> {
        std::env::current_exe().ok()?.parent().map(Path::to_path_buf)
    }

    fn program_name(&self) -> Option<OsString> {
        Path::new(&std::env::args_os().next()?).file_name().map(OsString::from)
    }

    fn process_id(&self) -> u32 {
        std::process::id()
    }

    fn arguments(&self) -> Vec<OsString> {
        std::env::args_os().skip(1).collect()
    }

    fn run(&self, program: &Path, arguments: &[OsString]) -> io::Result<Output> {
        std::process::Command::new(program).args(arguments).output()
    }

    fn said_by(&self, program: &Path, arguments: &[&str], patience: Duration) -> io::Result<Vec<u8>> {
        reprise_tools::program::said_by(program, arguments, patience)
    }

    fn execute(&self, execution: &Execution<'_>) -> io::Result<Ended> {
        let input = match execution.input {
            Some(file) => Stdio::from(std::fs::File::open(file)?),
            None => Stdio::null(),
        };
        let status = std::process::Command::new(execution.program)
            .args(execution.arguments)
            .envs(execution.environment.iter().map(|(name, value)| (*name, value)))
            .current_dir(execution.folder)
            .stdin(input)
            .status()?;
        let code = status.code().map(Ended::Code);
        Ok(code.unwrap_or_else(|| Ended::Signal(status.signal().unwrap_or(0))))
    }

    fn hand_over(&self, program: &Path, arguments: &[OsString]) -> io::Result<Ended> {
        let status = std::process::Command::new(program).args(arguments).status()?;
        let code = status.code().map(Ended::Code);
        Ok(code.unwrap_or_else(|| Ended::Signal(status.signal().unwrap_or(0))))
    }

    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn write_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        std::fs::write(path, bytes)
    }

    fn append_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        std::fs::OpenOptions::new().append(true).create(true).open(path)?.write_all(bytes)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::create_dir(path)
    }

    fn link(&self, target: &Path, link: &Path) -> io::Result<()> {
        if std::fs::symlink_metadata(link).is_ok_and(|found| found.file_type().is_symlink()) {
            std::fs::remove_file(link)?;
        }
        std::os::unix::fs::symlink(target, link)
    }

    fn list_folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let names = std::fs::read_dir(path)?.map(|entry| Ok(entry?.file_name().into()));
        let mut names: Vec<PathBuf> = names.collect::<io::Result<_>>()?;
        names.sort();
        Ok(names)
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
    }

    fn exists(&self, path: &Path) -> bool {
        std::fs::symlink_metadata(path).is_ok()
    }

    fn interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    fn memory(&self) -> u64 {
        // The second number is the count of resident pages; pages have 4096 bytes on x86_64.
        let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
        pages.unwrap_or(0) * 4096
    }

    fn give_back_memory(&self) {
        (self.give_back_memory)();
    }

    fn processor_micros(&self) -> u64 {
        // Behind the program's name in brackets, the 12th number counts hundredths of a second.
        let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let numbers = text.rsplit(')').next().unwrap_or_default();
        numbers.split_whitespace().nth(11).and_then(|ticks| ticks.parse::<u64>().ok()).unwrap_or(0) * 10_000
    }

    fn peak_memory(&self) -> u64 {
        // A line such as `VmHWM:     1234 kB`.
        let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        kilobytes.unwrap_or(0) * 1024
    }

    fn write_output(&self, descriptor: u64, bytes: &[u8]) {
        let _ = match descriptor {
            1 => io::stdout().lock().write_all(bytes),
            _ => io::stderr().lock().write_all(bytes),
        };
    }

    fn say(&self, line: &str) {
        let _ = writeln!(io::stderr().lock(), "{line}");
    }
}
