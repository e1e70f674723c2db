//! Starting programs: cargo with this workspace as its folder, and whatever else a command needs.
//!
//! Standard input is always closed, so that no child waits for someone to type.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::error::Error;

/// A cargo command in `root`: the cargo that runs xtask, or the one on the PATH.
pub(crate) fn cargo(root: &Path, subcommand: &str) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root).arg(subcommand);
    command
}

/// Runs a command with its output going to the user.
pub(crate) fn run(command: &mut Command) -> Result<(), Error> {
    announce(command);
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|source| Error::Start { command: shown(command), source })?;
    if status.success() { Ok(()) } else { Err(Error::Ended { command: shown(command), status }) }
}

/// Runs a command and returns what it printed, whatever its exit code.
pub(crate) fn output(command: &mut Command) -> Result<Output, Error> {
    command.stdin(Stdio::null()).output().map_err(|source| Error::Start { command: shown(command), source })
}

/// Runs a command that must succeed and returns its standard output.
pub(crate) fn stdout(command: &mut Command) -> Result<String, Error> {
    let output = output(command)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Err(Error::Ended { command: shown(command), status: output.status })
}

/// Runs a command, passes each line of its standard output and error on to the user, and shows it to
/// `watch` as well. Both go through one pipe, so that the lines keep their order.
pub(crate) fn run_watched(command: &mut Command, watch: &mut impl FnMut(&str)) -> Result<(), Error> {
    announce(command);
    let start = |source| Error::Start { command: "a pipe".to_owned(), source };
    let (reader, writer) = io::pipe().map_err(start)?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(writer.try_clone().map_err(start)?)
        .stderr(writer)
        .spawn()
        .map_err(|source| Error::Start { command: shown(command), source })?;
    // The command holds the pipe's writing end; it must go, or reading would never end.
    let shown = shown(command);
    command.stdout(Stdio::null()).stderr(Stdio::null());

    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    let mut out = io::stdout().lock();
    while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        // A user's closed pipe must not stop the run, whose exit code still counts.
        out.write_all(&line).and_then(|()| out.flush()).ok();
        watch(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    let status = child.wait().map_err(|source| Error::Start { command: shown.clone(), source })?;
    if status.success() { Ok(()) } else { Err(Error::Ended { command: shown, status }) }
}

fn announce(command: &Command) {
    eprintln!("   $ {}", shown(command));
}

/// A command as one would type it, without the folder of its program.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let mut text = program.to_string_lossy().into_owned();
    for argument in command.get_args() {
        let argument = argument.to_string_lossy();
        text.push(' ');
        if argument.is_empty() || argument.contains([' ', '*', '"']) {
            text.push_str(&format!("'{argument}'"));
        } else {
            text.push_str(&argument);
        }
    }
    text
}
