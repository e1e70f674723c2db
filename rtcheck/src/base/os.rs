//! The operating system's files, streams and clocks.

use super::files::{FileFacts, FileHandle, FileMode, Files, OpenFiles};
use super::system::{Clock, System};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// The largest block that is read at once.
const BLOCK: usize = 1 << 16;

/// The operating system.
#[derive(Debug)]
pub struct OsSystem {
    started: Instant,
    /// What goes to standard output is dropped.
    quiet: bool,
    /// What goes to standard error is dropped too, and standard input is empty.
    silent: bool,
    open: OpenFiles<File>,
    /// The environment variables that the program has set (or unset), by name.
    variables: BTreeMap<String, Option<String>>,
}

impl OsSystem {
    /// The system as seen from now on.
    #[must_use]
    pub fn new() -> Self {
        Self {
            started: Instant::now(),
            quiet: false,
            silent: false,
            open: OpenFiles::default(),
            variables: BTreeMap::new(),
        }
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

    fn read_key(&mut self) -> io::Result<Option<u8>> {
        if self.silent || !io::stdin().is_terminal() {
            return Ok(None);
        }
        key()
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
        processor_time().unwrap_or_else(|| self.wall_time())
    }

    fn wall_time(&self) -> Duration {
        self.started.elapsed()
    }

    fn calendar_time(&self) -> Duration {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
    }

    fn sleep(&self, time: Duration) {
        let until = Instant::now() + time;
        while let Some(rest) = until.checked_duration_since(Instant::now()).filter(|rest| !rest.is_zero()) {
            std::thread::park_timeout(rest);
        }
    }

    fn clock(&self) -> Clock {
        let start = self.started;
        Box::new(move || {
            let time = processor_time().unwrap_or_else(|| start.elapsed());
            u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
        })
    }

    fn environment(&self, name: &str) -> Option<String> {
        match self.variables.get(name) {
            Some(value) => value.clone(),
            None => std::env::var(name).ok(),
        }
    }

    fn set_environment(&mut self, name: &str, value: Option<&str>) {
        // The environment of the process itself belongs to all of its threads.
        self.variables.insert(name.to_owned(), value.map(str::to_owned));
    }

    fn run_shell(&mut self, command: &str) -> io::Result<i32> {
        let mut shell = shell(command);
        for (name, value) in &self.variables {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        if self.quiet {
            shell.stdout(Stdio::null());
        }
        if self.silent {
            shell.stdin(Stdio::null()).stderr(Stdio::null());
        }
        let status = shell.status()?;
        Ok(status.code().or_else(|| signal_of(status).map(|signal| 128 + signal)).unwrap_or(1))
    }
}

/// The shell with a command.
fn shell(command: &str) -> Command {
    let (program, option) = if cfg!(windows) { ("cmd", "/C") } else { ("/bin/sh", "-c") };
    let mut shell = Command::new(program);
    shell.arg(option).arg(command);
    shell
}

/// The signal that ended a process.
#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// The signal that ended a process.
#[cfg(not(unix))]
fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

impl Files for OsSystem {
    fn open_file(&mut self, path: &Path, mode: FileMode) -> io::Result<FileHandle> {
        let file = match mode {
            FileMode::Read => File::open(path)?,
            FileMode::Write => File::create(path)?,
            FileMode::Append => OpenOptions::new().append(true).create(true).open(path)?,
            FileMode::Update => OpenOptions::new().write(true).create(true).truncate(false).open(path)?,
        };
        // A directory can be opened, but reading it fails only later.
        if file.metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(self.open.add(file))
    }

    fn read_block(&mut self, file: FileHandle, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let file = self.open.get(file)?;
        let start = buffer.len();
        buffer.resize(start + BLOCK, 0);
        let result = loop {
            match file.read(&mut buffer[start..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        buffer.truncate(start + result.as_ref().copied().unwrap_or(0));
        result
    }

    fn write_block(&mut self, file: FileHandle, bytes: &[u8]) -> io::Result<()> {
        self.open.get(file)?.write_all(bytes)
    }

    fn file_length(&mut self, file: FileHandle) -> io::Result<u64> {
        Ok(self.open.get(file)?.metadata()?.len())
    }

    fn seek_file(&mut self, file: FileHandle, offset: u64) -> io::Result<()> {
        self.open.get(file)?.seek(SeekFrom::Start(offset)).map(|_| ())
    }

    fn close_file(&mut self, file: FileHandle) {
        self.open.remove(file);
    }

    fn file_facts(&self, path: &Path) -> io::Result<FileFacts> {
        let facts = std::fs::metadata(path)?;
        let modified = facts.modified()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Ok(FileFacts { directory: facts.is_dir(), size: facts.len(), modified })
    }

    fn delete_file(&mut self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn rename_file(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn make_directory(&mut self, path: &Path) -> io::Result<()> {
        std::fs::create_dir(path)
    }

    fn delete_directory(&mut self, path: &Path) -> io::Result<()> {
        std::fs::remove_dir(path)
    }

    fn directory_names(&self, path: &Path) -> io::Result<Vec<String>> {
        let mut names = vec![".".to_owned(), "..".to_owned()];
        for entry in std::fs::read_dir(path)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    fn working_directory(&self) -> io::Result<PathBuf> {
        std::env::current_dir()
    }

    fn set_working_directory(&mut self, path: &Path) -> io::Result<()> {
        std::env::set_current_dir(path)
    }
}

/// What this thread has had of a processor, which does not go on while others have it.
fn processor_time() -> Option<Duration> {
    let time = nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID).ok()?;
    Some(Duration::from(time))
}

/// A key of the terminal on standard input, as it is pressed, also the one that interrupts. What else a key sends (an arrow is three bytes) is dropped.
#[cfg(unix)]
fn key() -> io::Result<Option<u8>> {
    use nix::sys::termios::{FlushArg, LocalFlags, SetArg, tcflush, tcgetattr, tcsetattr};
    const ESCAPE: u8 = 0x1b;
    let stdin = io::stdin();
    let lines = tcgetattr(&stdin)?;
    let mut keys = lines.clone();
    keys.local_flags.remove(LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG);
    tcsetattr(&stdin, SetArg::TCSADRAIN, &keys)?;
    let mut byte = [0];
    let read = nix::unistd::read(&stdin, &mut byte);
    if read == Ok(1) && byte == [ESCAPE] {
        // It is dropped where the terminal can do so.
        let _ = tcflush(&stdin, FlushArg::TCIFLUSH);
    }
    tcsetattr(&stdin, SetArg::TCSADRAIN, &lines)?;
    Ok((read? == 1).then_some(byte[0]))
}

/// There are lines only.
#[cfg(not(unix))]
fn key() -> io::Result<Option<u8>> {
    Ok(None)
}
