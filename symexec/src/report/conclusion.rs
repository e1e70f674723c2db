//! The end of a run: what it counted, what is written then, and its exit code.

use std::io;
use std::rc::Rc;
use std::time::Duration;

use reprise_tools::report::{QUERIES, Report, SOLVER_QUERIES, SOLVER_RESOURCE};

use super::coverage::lcov;
use super::info::{done_lines, info};
use super::istats::{ISTATS, istats};
use super::joint::Joint;
use super::options::{Options, Style};
use super::output::Output;
use super::profile::{PROFILE, profile};
use super::run_error::RunError;
use crate::base::system::System;
use crate::exec::{Account, Coverage, Explored, Halt};
use crate::module::Module;
use crate::solver::Counts;
use crate::solver::process::SOLVER_START_FAILURES;

/// How often `run.stats` gets a row if nothing else was asked for, as in KLEE.
pub(super) const STATS_INTERVAL: Duration = Duration::from_secs(60);

/// Nothing wrong was found.
const CLEAN: u8 = 0;

/// Errors of the program were found.
const FINDINGS: u8 = 1;

/// The run could not do its work: there is no solver.
const UNUSABLE: u8 = 2;

/// A cache mode that exists to fail did: a miss offline, or an audit that disagreed.
const CACHE_FAILED: u8 = 3;

/// What a run counted.
pub(super) struct Outcome {
    pub(super) account: Account,
    pub(super) coverage: Coverage,
    pub(super) counts: Counts,
    pub(super) expressions: u64,
    /// Of memory, in bytes.
    pub(super) peak: u64,
}

impl From<Joint> for Outcome {
    fn from(joint: Joint) -> Self {
        let Joint { account, coverage, counts, expressions, peak, found: _, warnings: _, divided: _ } = joint;
        Self { account, coverage, counts, expressions, peak }
    }
}

/// Writes everything that is written at the end of a run.
pub(super) fn conclude(
    output: &mut Output,
    options: &Options,
    system: &Rc<dyn System>,
    module: &Module,
    result: &Outcome,
) -> Result<(), RunError> {
    let Outcome { account: Account { explored, hot, executions, times: _ }, coverage, counts, .. } = result;
    output.end_status();
    output.add_file("coverage.info", &lcov(module, coverage));
    output.add_file(PROFILE, &profile(module, hot));
    if options.style == Style::Klee && !options.left_out.counts_by_instruction {
        let command = options.exec.arguments.join(" ");
        let executions = options.exec.count_executions.then_some(executions);
        output.add_file(ISTATS, &istats(module, &command, coverage, hot, executions));
    }
    summarize(output, explored);
    let written = output.finish(&info(options, system, explored, counts));
    write_stats(options, system, result)?;
    written.map_err(RunError::Incomplete)
}

/// What tests say that the program was called with.
pub(super) fn shown_arguments(options: &Options) -> Vec<String> {
    let program = options.program.files.first().map(|file| file.display().to_string());
    let others = options.exec.arguments.iter().skip(1).cloned();
    std::iter::once(program.unwrap_or_default()).chain(others).collect()
}

pub(super) fn exit_code(options: &Options, explored: &Explored, counts: &Counts) -> u8 {
    if counts.disagreements > 0 || counts.get("offline_misses") > 0 {
        CACHE_FAILED
    } else if counts.get(SOLVER_START_FAILURES) > 0 {
        // Paths that end for want of a solver say nothing about the program.
        UNUSABLE
    } else if options.style == Style::Klee {
        let ended_by_error = explored.stopped == Some(Halt::Error) && options.exec.exit_on_error;
        if ended_by_error { FINDINGS } else { CLEAN }
    } else if explored.errors > 0 {
        FINDINGS
    } else {
        CLEAN
    }
}

/// The last lines, in KLEE's words.
fn summarize(output: &mut Output, explored: &Explored) {
    for line in done_lines(explored) {
        output.message(&line);
    }
}

fn write_stats(options: &Options, system: &Rc<dyn System>, result: &Outcome) -> Result<(), RunError> {
    let Outcome { account: Account { explored, .. }, counts, expressions, peak, .. } = result;
    let Some(path) = &options.stats else { return Ok(()) };
    let mut report = Report::new("symexec", env!("CARGO_PKG_VERSION"));
    report.cache = counts.cache.clone();
    for (name, number) in &counts.numbers {
        report.engine(name, *number);
    }
    for name in [QUERIES, SOLVER_QUERIES, SOLVER_RESOURCE] {
        report.engine(name, counts.get(name));
    }
    report.engine("solver_seconds", counts.seconds);
    report.engine("expressions", *expressions);
    report.engine("peak_memory_bytes", *peak);
    report.result = serde_json::json!({
        "solver": options.solver.name(),
        "query_cache": options.query_cache.name(),
        "memory_model": options.exec.memory_model.name(),
        "instructions": explored.instructions,
        "paths": explored.completed + explored.partial,
        "completed": explored.completed,
        "partial": explored.partial,
        "errors": explored.errors,
        "tests": explored.tests,
        "forks": explored.forks,
        "most_states": explored.most_states,
        "covered_instructions": explored.covered,
        "code_instructions": explored.total,
        "stopped": explored.stopped.map(Halt::reason),
    });
    let failed = |error| RunError::Write { path: path.clone(), error };
    let text = report.to_json().map_err(|error| failed(io::Error::other(error)))?;
    system.write_file(path, text.as_bytes()).map_err(failed)
}
