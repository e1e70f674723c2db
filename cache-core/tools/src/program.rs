//! Programs that are talked to.

use std::io::{self, BufReader, BufWriter};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

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
