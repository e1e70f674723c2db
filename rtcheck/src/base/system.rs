//! The world outside: files, standard streams, clocks. Everything that is not a function of the program's
//! text and its arguments passes through this trait, so that tests run without a disk and without a clock.

use super::files::Files;
use std::io;
use std::path::Path;
use std::time::Duration;

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

    /// The next key that is pressed on the terminal of standard input, which does not show it: a byte, or the first one
    /// of the several that a key sends. `None` at the end of the input, or if there is no terminal.
    ///
    /// # Errors
    /// Whatever the operating system says.
    fn read_key(&mut self) -> io::Result<Option<u8>>;

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

    /// Time since the beginning of 1970, as the calendar has it.
    fn calendar_time(&self) -> Duration;

    /// Lets time pass.
    fn sleep(&self, time: Duration);

    /// A clock that may be asked very often: nanoseconds since some moment.
    fn clock(&self) -> Clock;

    /// The value of an environment variable, if it is set and is Unicode.
    fn environment(&self, name: &str) -> Option<String>;

    /// Sets an environment variable from now on, for this program and the commands that it runs; `None` unsets it.
    fn set_environment(&mut self, name: &str, value: Option<&str>);

    /// Runs a command of the shell until it ends, and returns its exit code; that of one which a signal ended
    /// is 128 and the signal's number.
    ///
    /// # Errors
    /// Whatever the operating system says, or that there is no shell.
    fn run_shell(&mut self, command: &str) -> io::Result<i32>;
}

/// Nanoseconds since some moment, growing.
pub type Clock = Box<dyn Fn() -> u64>;
