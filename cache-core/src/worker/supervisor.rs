//! One child process: started on demand, asked, killed, started again.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::cancel::Cancel;
use super::frame::{self, FrameError, Greeting};
use crate::system::processes;

/// How much of a child's standard error is kept.
const TAIL_BYTES: usize = 8 * 1024;

/// How long a child that ended its output may take to end itself, and its standard error to run dry; less where
/// the request's deadline is nearer.
const GRACE: Duration = Duration::from_millis(500);

/// How often it is looked whether a child has ended itself.
const GLANCE: Duration = Duration::from_millis(2);

/// How often a request that may be given up looks whether it is.
const LOOK: Duration = Duration::from_millis(100);

/// Which program answers, and within which bounds: `WorkerConfig::new(program)`, and what differs from it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerConfig {
    /// The program, which calls [`super::serve()`].
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Environment variables that it gets beside the parent's.
    pub environment: Vec<(OsString, OsString)>,
    /// How much address space it may take, in bytes, its own program and libraries included.
    pub memory_bytes: Option<u64>,
    /// How long it may take until it is ready to be asked.
    pub start_deadline: Duration,
    /// The longest request or answer, in bytes.
    pub frame_bytes: usize,
}

impl WorkerConfig {
    /// A program without arguments and without a memory limit, with a minute to start and frames of up
    /// to 1 GiB.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            memory_bytes: None,
            start_deadline: Duration::from_mins(1),
            frame_bytes: 1 << 30,
        }
    }

    /// With [arguments](Self::arguments).
    #[must_use]
    pub fn arguments<A: Into<OsString>>(self, arguments: impl IntoIterator<Item = A>) -> Self {
        Self { arguments: arguments.into_iter().map(Into::into).collect(), ..self }
    }

    /// With a variable more in its [environment](Self::environment).
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// With a [bound on its memory](Self::memory_bytes), or none.
    #[must_use]
    pub fn memory_bytes(self, bytes: impl Into<Option<u64>>) -> Self {
        Self { memory_bytes: bytes.into(), ..self }
    }

    /// With another [time to start](Self::start_deadline).
    #[must_use]
    pub fn start_deadline(self, deadline: Duration) -> Self {
        Self { start_deadline: deadline, ..self }
    }

    /// With another [length of requests and answers](Self::frame_bytes).
    #[must_use]
    pub fn frame_bytes(self, bytes: usize) -> Self {
        Self { frame_bytes: bytes, ..self }
    }
}

/// Why a request was not answered. Whatever it was, the next request meets a fresh child.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The program is not there, or ended before it was ready: a missing shared library, say. The
    /// reason is what the system or the program itself says; the caller knows the way out.
    #[error("could not start `{}`: {reason}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// What went wrong.
        reason: String,
    },
    /// The child ended in the middle of the request.
    #[error("`{}` ended while it was at work ({how}){}", program.display(), after_colon(said))]
    Died {
        /// The program.
        program: PathBuf,
        /// Its exit status or signal.
        how: String,
        /// The end of its standard error.
        said: String,
    },
    /// The child did not answer in time and was killed.
    #[error("`{}` did not answer within {after:?} and was stopped", program.display())]
    Deadline {
        /// The program.
        program: PathBuf,
        /// How long it had.
        after: Duration,
    },
    /// The child ended because it may take no more memory.
    #[error("`{}` ran out of its memory limit of {limit} bytes", program.display())]
    Memory {
        /// The program.
        program: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// The child wrote something to its standard output that is no answer.
    #[error("`{}` wrote no answer but {what}", program.display())]
    Garbage {
        /// The program.
        program: PathBuf,
        /// What it wrote.
        what: String,
    },
    /// The request is longer than frames may be.
    #[error("a request of {bytes} bytes is longer than the {bound} that a worker takes")]
    TooLarge {
        /// Its length.
        bytes: usize,
        /// The bound.
        bound: usize,
    },
    /// The request was cancelled.
    #[error("the request was cancelled")]
    Cancelled,
}

fn after_colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

/// What wakes a waiting request.
#[derive(Debug)]
enum Event {
    /// A frame arrived.
    Answer(Vec<u8>),
    /// The child's output ended, or is no frame.
    Broken(FrameError),
    /// The child ended. Its output may not have: what it started may hold it open.
    Ended,
    /// The request may have been cancelled.
    Woken,
}

/// Keeps one child process at work. See the [module](super).
pub struct Supervisor {
    config: WorkerConfig,
    running: Option<Running>,
    starts: u64,
}

impl Supervisor {
    /// A supervisor whose child is not started yet.
    #[must_use]
    pub fn new(config: WorkerConfig) -> Self {
        Self { config, running: None, starts: 0 }
    }

    /// How often a child was started so far.
    #[must_use]
    pub fn starts(&self) -> u64 {
        self.starts
    }

    /// Sends a request and waits for the answer, at most until the deadline (counted from when the
    /// child is ready, so that starting it is not the request's fault). Starts a child if none is
    /// running.
    ///
    /// # Errors
    /// See [`WorkerError`]. After an error the child is gone, and the next call starts another.
    pub fn ask(&mut self, request: &[u8], deadline: Option<Duration>) -> Result<Vec<u8>, WorkerError> {
        self.ask_unless(&Cancel::new(), request, deadline)
    }

    /// [`Supervisor::ask`], unless or until the request is cancelled.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub fn ask_unless(
        &mut self,
        cancel: &Cancel,
        request: &[u8],
        deadline: Option<Duration>,
    ) -> Result<Vec<u8>, WorkerError> {
        self.ask_with(cancel, request, deadline, None)
    }

    /// [`Supervisor::ask`], as long as `goes_on` says so, which is asked ten times a second. An answer that is
    /// there is given in any case.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub fn ask_while(
        &mut self,
        goes_on: &dyn Fn() -> bool,
        request: &[u8],
        deadline: Option<Duration>,
    ) -> Result<Vec<u8>, WorkerError> {
        self.ask_with(&Cancel::new(), request, deadline, Some(goes_on))
    }

    fn ask_with(
        &mut self,
        cancel: &Cancel,
        request: &[u8],
        deadline: Option<Duration>,
        goes_on: Option<&dyn Fn() -> bool>,
    ) -> Result<Vec<u8>, WorkerError> {
        let (bytes, bound) = (request.len(), self.config.frame_bytes);
        if bytes > bound {
            return Err(WorkerError::TooLarge { bytes, bound });
        }
        if cancel.is_cancelled() {
            return Err(WorkerError::Cancelled);
        }
        // A child that ended while it had nothing to do did not end because of this request.
        let idle = self.running.as_mut().is_some_and(Running::is_idle);
        let running = match self.running.take() {
            Some(running) if idle => running,
            _ => {
                self.starts += 1;
                Running::start(&self.config, cancel, goes_on)?
            }
        };
        running.send(request);
        // A deadline beyond what the clock can name is none.
        let until = deadline.and_then(|after| Instant::now().checked_add(after));
        match running.wait(deadline, cancel, goes_on) {
            Ok(answer) => {
                self.running = Some(running);
                Ok(answer)
            }
            Err(wait) => Err(self.failed(running.stop(&wait, until), wait)),
        }
    }

    /// Ends the child, if there is one. The next request starts another.
    pub fn stop(&mut self) {
        self.running = None;
    }

    fn failed(&self, end: End, wait: WaitError) -> WorkerError {
        let program = self.config.program.clone();
        match wait {
            WaitError::Deadline(after) => WorkerError::Deadline { program, after },
            WaitError::Cancelled => WorkerError::Cancelled,
            WaitError::Broken(FrameError::Garbage(bytes)) => {
                WorkerError::Garbage { program, what: format!("\"{}...\"", bytes.escape_ascii()) }
            }
            WaitError::Broken(FrameError::TooLong(bytes)) => WorkerError::Garbage {
                program,
                what: format!("a frame of {bytes} bytes, more than is taken"),
            },
            WaitError::Broken(FrameError::End | FrameError::Torn | FrameError::Unreadable) => {
                match self.config.memory_bytes {
                    Some(limit) if ran_out_of_memory(&end.said) => WorkerError::Memory { program, limit },
                    _ => WorkerError::Died { program, how: end.how, said: end.said },
                }
            }
        }
    }
}

impl fmt::Debug for Supervisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Supervisor")
            .field("config", &self.config)
            .field("running", &self.running.is_some())
            .field("starts", &self.starts)
            .finish()
    }
}

/// Whether a program's last words say that memory was refused: Rust's allocator, C++'s and Z3's do.
fn ran_out_of_memory(said: &str) -> bool {
    ["memory allocation of", "std::bad_alloc", "out of memory", "Cannot allocate memory"]
        .iter()
        .any(|words| said.contains(words))
}

/// Why waiting for a frame ended without one.
enum WaitError {
    Deadline(Duration),
    Cancelled,
    Broken(FrameError),
}

/// How a child ended.
struct End {
    how: String,
    said: String,
}

/// A child that runs, and the threads at its pipes. Dropping it kills the child and what the child started.
struct Running {
    child: Child,
    /// Whether the child was waited for: from then on its id, which is its group's as well, may be another's.
    waited_for: bool,
    /// To the thread that writes the child's standard input.
    requests: Sender<Vec<u8>>,
    events: Receiver<Event>,
    /// The other end of `events`, for those who wake a waiting request.
    wake: Sender<Event>,
    said: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when the child's standard error has run dry.
    silent: Receiver<()>,
}

impl Running {
    /// Starts a child, greets it and waits until it is ready.
    fn start(
        config: &WorkerConfig,
        cancel: &Cancel,
        goes_on: Option<&dyn Fn() -> bool>,
    ) -> Result<Self, WorkerError> {
        let failed = |reason: String| WorkerError::Start { program: config.program.clone(), reason };
        let running = Self::spawn(config).map_err(|error| failed(error.to_string()))?;
        running.send(&Greeting { memory_bytes: config.memory_bytes }.to_bytes());
        match running.wait(Some(config.start_deadline), cancel, goes_on) {
            Ok(answer) => match frame::is_ready(&answer) {
                Ok(()) => Ok(running),
                Err(why) => Err(failed(why)),
            },
            Err(WaitError::Cancelled) => Err(WorkerError::Cancelled),
            Err(WaitError::Deadline(after)) => Err(failed(format!("it was not ready within {after:?}"))),
            Err(wait @ WaitError::Broken(_)) => {
                let garbage =
                    matches!(wait, WaitError::Broken(FrameError::Garbage(_) | FrameError::TooLong(_)));
                let end = running.stop(&wait, None);
                let reason = match (end.said.as_str(), garbage) {
                    (_, true) => "it does not speak the worker protocol".to_owned(),
                    ("", false) => format!("it ended before it was ready ({})", end.how),
                    (said, false) => without_loader_prefix(config, said).to_owned(),
                };
                Err(failed(reason))
            }
        }
    }

    fn spawn(config: &WorkerConfig) -> io::Result<Self> {
        let mut command = Command::new(&config.program);
        processes::lead_group(&mut command);
        let mut child = command
            .args(&config.arguments)
            .envs(config.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(mut stdout), Some(mut stderr)) = pipes else {
            return Err(io::Error::other("its standard streams could not be connected"));
        };
        let (requests, to_write) = mpsc::channel::<Vec<u8>>();
        let (wake, events) = mpsc::channel();
        let (speaking, silent) = mpsc::channel();
        let said = Arc::new(Mutex::new(Vec::new()));

        let threads = || -> io::Result<()> {
            // Ends, and closes the child's standard input, when `requests` is dropped.
            named("worker-writer").spawn(move || {
                while let Ok(request) = to_write.recv() {
                    if frame::write(&mut stdin, &request).is_err() {
                        // The child is gone, which the reading thread notices too.
                        break;
                    }
                }
            })?;
            let (answers, bound) = (wake.clone(), config.frame_bytes);
            named("worker-reader").spawn(move || {
                loop {
                    let (event, last) = match frame::read(&mut stdout, bound) {
                        Ok(answer) => (Event::Answer(answer), false),
                        Err(error) => (Event::Broken(error), true),
                    };
                    if answers.send(event).is_err() || last {
                        break;
                    }
                }
            })?;
            if let Some(wait) = processes::end_of(&child) {
                let ended = wake.clone();
                named("worker-end").spawn(move || {
                    wait();
                    let _ = ended.send(Event::Ended);
                })?;
            }
            let tail = Arc::clone(&said);
            named("worker-stderr").spawn(move || {
                let _speaking: Sender<()> = speaking;
                let mut piece = [0; 1024];
                while let Ok(length @ 1..) = stderr.read(&mut piece) {
                    let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
                    tail.extend_from_slice(&piece[..length]);
                    let excess = tail.len().saturating_sub(TAIL_BYTES);
                    tail.drain(..excess);
                }
            })?;
            Ok(())
        };
        match threads() {
            Ok(()) => Ok(Self { child, waited_for: false, requests, events, wake, said, silent }),
            Err(error) => {
                // Nothing more can be done about a child that cannot be killed.
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// Whether the child runs and has said nothing that it was not asked.
    fn is_idle(&mut self) -> bool {
        loop {
            match self.events.try_recv() {
                Ok(Event::Woken) => {}
                Ok(Event::Answer(_) | Event::Broken(_) | Event::Ended) | Err(TryRecvError::Disconnected) => {
                    return false;
                }
                Err(TryRecvError::Empty) => return !processes::has_ended(&mut self.child),
            }
        }
    }

    fn send(&self, request: &[u8]) {
        // Fails only if the child is gone, which the reading thread notices too.
        let _ = self.requests.send(request.to_vec());
    }

    fn wait(
        &self,
        deadline: Option<Duration>,
        cancel: &Cancel,
        goes_on: Option<&dyn Fn() -> bool>,
    ) -> Result<Vec<u8>, WaitError> {
        let wake = self.wake.clone();
        // Whoever waited has its answer already if this fails.
        let _watch = cancel.watch(move || drop(wake.send(Event::Woken)));
        // A deadline beyond what the clock can name is none.
        let deadline = deadline.and_then(|after| Some((after, Instant::now().checked_add(after)?)));
        // When a child that has ended must have been read to its end.
        let mut read_until: Option<Instant> = None;
        loop {
            let until = [deadline.map(|(_, until)| until), read_until].into_iter().flatten().min();
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let look = goes_on.map(|_| LOOK).filter(|look| left.is_none_or(|left| left > *look));
            let event = match look.or(left) {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(span) => self.events.recv_timeout(span),
            };
            match (event, deadline) {
                (Err(RecvTimeoutError::Timeout), _) if look.is_some() => {
                    if goes_on.is_some_and(|goes_on| !goes_on()) {
                        return Err(WaitError::Cancelled);
                    }
                }
                (Ok(Event::Answer(answer)), _) => return Ok(answer),
                (Ok(Event::Broken(error)), _) => return Err(WaitError::Broken(error)),
                (Ok(Event::Woken), _) if cancel.is_cancelled() => return Err(WaitError::Cancelled),
                (Ok(Event::Woken), _) => {}
                (Ok(Event::Ended), _) => read_until = Instant::now().checked_add(GRACE),
                (Err(RecvTimeoutError::Timeout), Some((after, until)))
                    if read_until.is_none() && until <= Instant::now() =>
                {
                    return Err(WaitError::Deadline(after));
                }
                // It ended, and what it left holds its output open: no matter of time, however near the deadline is.
                // (`wake` keeps the channel connected.)
                (Err(_), _) => return Err(WaitError::Broken(FrameError::End)),
            }
        }
    }

    /// Ends the child with all that it started, and learns how it ended. Takes no longer than until `until`, but for
    /// what the system needs to end processes.
    fn stop(mut self, wait: &WaitError, until: Option<Instant>) -> End {
        let grace =
            || until.map_or(GRACE, |until| GRACE.min(until.saturating_duration_since(Instant::now())));
        let by_itself =
            matches!(wait, WaitError::Broken(FrameError::End | FrameError::Torn | FrameError::Unreadable));
        if by_itself {
            // It is about to end by itself, with a status that says why: from then on killing it does not change
            // the status.
            let patience = Instant::now() + grace();
            while !processes::has_ended(&mut self.child) && Instant::now() < patience {
                let _ = self.silent.recv_timeout(GLANCE);
            }
        }
        let how = self.end().map_or_else(|error| error.to_string(), |status| status.to_string());
        if matches!(wait, WaitError::Broken(_)) {
            // Someone who left the child's group may keep standard error open; then what was said so far must do.
            let _ = self.silent.recv_timeout(grace());
        }
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        End { how, said: String::from_utf8_lossy(&said).trim().to_owned() }
    }

    fn end(&mut self) -> io::Result<ExitStatus> {
        if !std::mem::replace(&mut self.waited_for, true) {
            processes::end_group(&mut self.child);
        }
        self.child.wait()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Nothing more can be done about a child that cannot be killed; its input closes in any case.
        let _ = self.end();
    }
}

fn named(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.to_owned())
}

/// What the dynamic loader says, without the program's name and the general part.
fn without_loader_prefix<'a>(config: &WorkerConfig, said: &'a str) -> &'a str {
    let program = config.program.to_string_lossy();
    said.strip_prefix(program.as_ref())
        .and_then(|rest| rest.strip_prefix(": error while loading shared libraries: "))
        .unwrap_or(said)
}
