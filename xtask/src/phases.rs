//! Phases of a command: each is announced, timed, and listed with its time at the end, also when one
//! fails (then the list ends with it).
//!
//! Loops inside a phase show a bar through `indicatif`, which draws on terminals only.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::error::Error;

/// The phases of one command, in the order in which they ran.
pub(crate) struct Phases {
    command: &'static str,
    started: Instant,
    done: Vec<Phase>,
}

struct Phase {
    name: String,
    took: Duration,
    passed: bool,
}

/// Runs a command made of phases and prints the time of each at the end, whatever the outcome.
pub(crate) fn in_phases<T>(
    command: &'static str,
    work: impl FnOnce(&mut Phases) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut phases = Phases { command, started: Instant::now(), done: Vec::new() };
    let result = work(&mut phases);
    phases.print();
    result
}

impl Phases {
    /// Runs one phase. An error comes back wrapped in the phase's name.
    pub(crate) fn run<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        println!("== {}: {name}", self.command);
        let started = Instant::now();
        let result = work();
        self.done.push(Phase { name: name.to_owned(), took: started.elapsed(), passed: result.is_ok() });
        result.map_err(|source| Error::Phase { phase: name.to_owned(), source: Box::new(source) })
    }

    fn print(&self) {
        let total = "total";
        let width = self.done.iter().map(|phase| phase.name.len()).max().unwrap_or(0).max(total.len());
        println!("== {}: time per phase", self.command);
        for Phase { name, took, passed } in &self.done {
            let mark = if *passed { "" } else { "  FAILED" };
            println!("   {name:width$} {:>8.1} s{mark}", took.as_secs_f64());
        }
        println!("   {total:width$} {:>8.1} s", self.started.elapsed().as_secs_f64());
    }
}

/// A bar for `length` steps of one phase.
pub(crate) fn bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(u64::try_from(length).unwrap_or(u64::MAX));
    if let Ok(style) = ProgressStyle::with_template("   [{elapsed}] {bar:30} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}
