//! Programs that are talked to.

use std::io::{self, BufReader, BufWriter, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A program at work, with its standard input and output; ended when this is dropped. What it complains about is not
/// heard.
#[derive(Debug)]
pub struct Program {
    child: Child,
    /// What it reads.
    pub input: BufWriter<ChildStdin>,
    /// What it writes.
    pub output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts a program that is found by its path or name.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn start(program: &Path, arguments: &[&str]) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Self { child, input: BufWriter::new(input), output: BufReader::new(output) })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may be busy with what nobody wants to know any more, or have ended before.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// What a program prints that is found by its path or name, is given nothing to read, and ends in time.
///
/// # Errors
/// That it does not start, or does not end.
pub fn said_by(program: &Path, arguments: &[&str], patience: Duration) -> io::Result<Vec<u8>> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let Some(mut output) = child.stdout.take() else { return Ok(Vec::new()) };
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut said = Vec::new();
        let read = output.read_to_end(&mut said).map(|_| said);
        // Nobody listens any more if it took too long.
        drop(sender.send(read));
    });
    let said = receiver.recv_timeout(patience).unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
    // One that is still there has said all that it was given time for.
    drop(child.kill());
    child.wait()?;
    said
}
