//! One run of a tool: what it counted, and the processor time it took.
//!
//! Counts come from the file that `--stats` writes and do not depend on the machine. Times do, and are
//! only ever compared within one invocation, as ratios of runs that alternate with each other.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;

use crate::error::Error;
use crate::process;
use crate::scratch::Scratch;

/// What one run gave.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    /// The JSON of `--stats`.
    pub(crate) stats: Value,
    /// Processor seconds of the tool and its workers together.
    pub(crate) seconds: f64,
    pub(crate) stdout: String,
}

impl Run {
    /// A count of the section `engine`; absent means that there was nothing to count.
    pub(crate) fn engine(&self, name: &str) -> u64 {
        self.stats["engine"][name].as_u64().unwrap_or(0)
    }

    /// A count of the section `result`.
    pub(crate) fn result(&self, name: &str) -> u64 {
        self.stats["result"][name].as_u64().unwrap_or(0)
    }

    /// A count of the section `cache`.
    pub(crate) fn cache(&self, name: &str) -> u64 {
        self.stats["cache"][name].as_u64().unwrap_or(0)
    }
}

/// Runs a tool, to which `--stats FILE` is added after `before` (its subcommand and options) and before
/// `after` (what goes to the analysed program). Exit codes 0 and 1 are results; others are errors.
pub(crate) fn run(mut command: Command, before: &[&str], after: &[&str]) -> Result<Run, Error> {
    command.args(before);
    finish(command, after, &[0, 1])
}

/// The same with all options before, where further exit codes are results.
pub(crate) fn run_any(mut command: Command, options: &[&str], codes: &[i32]) -> Result<Run, Error> {
    command.args(options);
    finish(command, &[], codes)
}

fn finish(mut command: Command, after: &[&str], codes: &[i32]) -> Result<Run, Error> {
    let scratch = Scratch::new()?;
    let file = scratch.path().join("stats.json");
    command.arg("--stats").arg(&file).args(after);
    let start = children_seconds();
    let output = process::output(&mut command)?;
    let seconds = children_seconds() - start;
    if !output.status.code().is_some_and(|code| codes.contains(&code)) {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        return Err(Error::Ended { command: process::shown(&command), status: output.status });
    }
    let text = fs::read_to_string(&file).map_err(Error::reading(&file))?;
    let stats = serde_json::from_str(&text).map_err(|source| Error::Statistics { path: file, source })?;
    Ok(Run { stats, seconds, stdout: String::from_utf8_lossy(&output.stdout).into_owned() })
}

/// Instructions of one run, counted by valgrind's cachegrind without its caches (from its closing line
/// `I refs: 1,234`). They do not depend on the machine's load, but take some 20 times as long to count.
pub(crate) fn instructions<A: AsRef<OsStr>>(program: &Path, arguments: &[A]) -> Result<u64, Error> {
    let scratch = Scratch::new()?;
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments);
    scratch.guard(&mut command);
    let output = process::output(&mut command)?;
    let text = String::from_utf8_lossy(&output.stderr);
    let refs =
        text.lines().find_map(|line| line.split_once("I   refs:").or_else(|| line.split_once("I refs:")));
    let collected = refs.and_then(|(_, number)| number.trim().replace(',', "").parse().ok());
    collected.filter(|_| matches!(output.status.code(), Some(0 | 1))).ok_or_else(|| Error::Output {
        command: process::shown(&command),
        detail: text.lines().last().unwrap_or("no count").to_owned(),
    })
}

/// Processor seconds of all children that ended so far, and of theirs.
pub(crate) fn children_seconds() -> f64 {
    let seconds = |usage: nix::sys::resource::Usage| {
        let of = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
        of(usage.user_time()) + of(usage.system_time())
    };
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0.0, seconds)
}
