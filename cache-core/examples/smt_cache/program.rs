//! The solver's program, started so that it works for nobody in vain.
//!
//! Clients end a solver that takes too long by killing the process that they started, which is this one; and a solver
//! at work does not notice that its input has ended. So what is started is this program once more (`become_solver`),
//! which asks the system to be killed when its parent ends, and only then becomes the solver. This program itself ends
//! as soon as nobody reads what it says any more (`end_with_reader`): nobody would see an answer. What the solver has
//! started itself is its own business. On systems other than Linux the solver is started as it is, and ends when it has
//! read its input.
//!
//! Where nothing is to be known of what a solver is asked (`pass_on`), this program becomes the solver.

use std::io;
use std::path::PathBuf;
use std::process::Command;

/// Holds the process that a program which is to become a solver belongs to.
const PARENT: &str = "SMT_CACHE_PARENT";

/// A solver's program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// The program that becomes it, which is this one, with the arguments in front of the solver's; none where the
    /// solver is started as it is.
    pub(crate) launcher: Option<Vec<std::ffi::OsString>>,
}

impl Program {
    /// What starts it, and sees to it that it ends with this process. The thread that starts it has to last as long:
    /// it is the end of that one which the system tells.
    pub(crate) fn command(&self, arguments: &[String]) -> Command {
        let mut command = match self.launcher.as_deref() {
            Some([launcher, first @ ..]) if cfg!(target_os = "linux") => {
                let mut command = Command::new(launcher);
                command.args(first).arg(&self.path).env(PARENT, std::process::id().to_string());
                command
            }
            _ => Command::new(&self.path),
        };
        command.args(arguments);
        if self.launcher.is_some() {
            end_with_reader();
        }
        command
    }

    /// Lets the solver do it all; its status.
    pub(crate) fn pass_on(&self, arguments: &[String]) -> io::Result<u8> {
        let mut command = Command::new(&self.path);
        command.args(arguments);
        #[cfg(unix)]
        if self.launcher.is_some() {
            return Err(std::os::unix::process::CommandExt::exec(&mut command));
        }
        let status = command.status()?;
        Ok(status.code().and_then(|code| u8::try_from(code & 255).ok()).unwrap_or(1))
    }
}

/// Becomes the solver that is first among `arguments`, if this process was started for that. Returns only if it was
/// not, or with what the system has against it.
pub(crate) fn become_solver(
    mut arguments: impl Iterator<Item = std::ffi::OsString>,
) -> Option<(PathBuf, io::Error)> {
    let parent = std::env::var(PARENT).ok()?;
    let program = PathBuf::from(arguments.next()?);
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, getppid, set_parent_process_death_signal};
        if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
            return Some((program, error.into()));
        }
        // It may have ended before.
        if getppid().map(|id| id.as_raw_nonzero().to_string()) != Some(parent) {
            return Some((program, io::Error::other("who wanted its answers has ended")));
        }
        let mut command = Command::new(&program);
        command.args(arguments).env_remove(PARENT);
        let error = std::os::unix::process::CommandExt::exec(&mut command);
        Some((program, error))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = parent;
        Some((program, io::Error::other("programs become others on Linux alone")))
    }
}

/// Ends this process when nobody reads its standard output any more, as writing to it would.
#[cfg(unix)]
#[expect(clippy::exit, reason = "the other thread waits for the solver and cannot be told")]
fn end_with_reader() {
    use rustix::event::{PollFd, PollFlags, poll};
    static WATCHED: std::sync::Once = std::sync::Once::new();
    /// Of a process that ended by the signal for a pipe without a reader, as shells tell it.
    const STATUS: i32 = 128 + 13;
    WATCHED.call_once(|| {
        // Without a thread the process ends later: when it writes.
        let _ = std::thread::Builder::new().name("reader".to_owned()).stack_size(128 * 1024).spawn(|| {
            let output = io::stdout();
            let mut watched = [PollFd::new(&output, PollFlags::empty())];
            loop {
                match poll(&mut watched, None) {
                    Err(rustix::io::Errno::INTR) => {}
                    Ok(_) if watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => {
                        std::process::exit(STATUS)
                    }
                    // There is no such output, or it cannot be watched.
                    _ => return,
                }
            }
        });
    });
}

#[cfg(not(unix))]
fn end_with_reader() {}
