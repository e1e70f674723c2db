//! A run: read, explore, report.

use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use cache_core::audit::Audit;
use cache_core::mode::Mode;
use cache_core::store::Store;
use reprise_tools::remote::Settings;
use reprise_tools::report::{QUERIES, Report, SOLVER_QUERIES, SOLVER_RESOURCE};

use super::coverage::lcov;
use super::folder::{make_folder, output_folder};
use super::istats::{ISTATS, istats};
use super::joint::Joint;
use super::listing::Listing;
use super::output::{Output, TestFiles, XmlTests};
use super::parts::check_parts;
use super::profile::{PROFILE, profile};
use super::program::{config, environment, read_seeds, undefined};
use super::render::Renderer;
use super::test_suite::Suite;
use super::workers::{Restart, locate};
use super::{kept, shard, team};
use crate::base::system::System;
use crate::exec::environment::EnvironmentError;
use crate::exec::{
    Account, Coverage, Declaration, ExecConfig, Executor, Explored, Halt, Observer, Share, StartError,
};
use crate::expr::{Arena, RenameInputs};
use crate::module::reader::Request;
use crate::module::{AliasError, Module};
use crate::solver::Counts;
use crate::solver::chain::{ChainConfig, assemble};
use crate::solver::engine::{Choice, Engine};
use crate::solver::process::{Budget, Patience, ProcessConfig, QUERY_CONSTRUCTS, SOLVER_START_FAILURES};
use crate::solver::query_cache::Naming;
use crate::solver::query_log::Logged;

/// Which query cache a run has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueryCacheKind {
    /// None: every question goes to the counterexample cache.
    None,
    /// Keyed by names and numeric addresses.
    Plain,
    /// Keyed up to a renaming of addresses and inputs.
    #[default]
    AddressAware,
}

reprise_tools::names!(
    QueryCacheKind, "query cache":
    None = "none", Plain = "plain", AddressAware = "address-aware"
);

/// Whose exit codes and defaults a run has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Ours: 1 if errors of the program were found.
    #[default]
    Own,
    /// KLEE's: 0 if the run did its work, whatever it found, unless an error ended it.
    Klee,
}

/// The file that is standard input.
pub const STANDARD_INPUT: &str = "-";

/// Everything that a run can be told.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program's files, and how C sources among them are compiled.
    pub program: Request,
    /// A file with the program's environment, a variable in each line.
    pub env_file: Option<PathBuf>,
    /// Functions whose uses mean another one: which, and what they mean.
    pub aliases: Vec<(String, String)>,
    /// Whether KLEE's options for unknown arguments and files are taken from the program's arguments.
    pub symbolic_arguments: bool,
    /// Which bytes of unknown files are known: all of this file's but question marks.
    pub template: Option<PathBuf>,
    /// How it is explored.
    pub exec: ExecConfig,
    /// Functions outside of the program that it may call.
    pub externals: Vec<Declaration>,
    /// Libraries and object files in which they are.
    pub libraries: Vec<PathBuf>,
    /// Whose exit codes it has.
    pub style: Style,
    /// Tests whose paths are followed first, and folders of such tests.
    pub seeds: Vec<PathBuf>,
    /// Tests that are replayed instead of an exploration, and folders of such tests.
    pub replays: Vec<PathBuf>,
    /// A file with the sides that branches take.
    pub replay_path: Option<PathBuf>,
    /// What is written beside tests.
    pub files: TestFiles,
    /// How often a line is added to `run.stats`.
    pub stats_interval: Option<Duration>,
    /// Who answers questions.
    pub solver: Choice,
    /// Which query cache.
    pub query_cache: QueryCacheKind,
    /// What the query cache may take and leave.
    pub mode: Mode,
    /// Where the query cache is kept beyond the run; nowhere if absent.
    pub cache_dir: Option<PathBuf>,
    /// Whether that folder is used even if others can write to it, and so what they leave is believed.
    pub allow_shared_cache: bool,
    /// The cache on a server that is behind it.
    pub remote: Settings,
    /// Which of its hits are checked.
    pub audit: Audit,
    /// Whether input bytes are renamed as well as addresses.
    pub rename_inputs: bool,
    /// Whether solutions and contradictions are reused for other sets of constraints.
    pub counterexamples: bool,
    /// Whether every solution is tried on every set of constraints.
    pub try_all: bool,
    /// Whether what constraints fix is substituted into later ones.
    pub equalities: bool,
    /// Whether questions over one or two bytes are decided by trying their values.
    pub enumerate: bool,
    /// In how many other layouts each address-agnostic question is solved again; for test runs.
    pub check_layouts: u32,
    /// How long the solver may work on one question.
    pub max_solver_time: Option<Duration>,
    /// How much it may do for one question, in its own units.
    pub solver_resource: Option<u64>,
    /// How much memory the solver may take, in bytes.
    pub solver_memory: Option<u64>,
    /// A lie that the query cache is to tell, for the oracle to find.
    #[cfg(feature = "plant")]
    pub fault: Option<crate::base::plant::Fault>,
    /// A folder for every question as SMT-LIB 2.
    pub log_smt: Option<PathBuf>,
    /// Where instructions are printed before they are executed, and how; nowhere if absent.
    pub instructions: Option<Listing>,
    /// Which questions are logged as KLEE does.
    pub query_log: Logged,
    /// The output folder; `klee-out-N` beside the first file if absent.
    pub output_dir: Option<PathBuf>,
    /// A file for the counts as JSON.
    pub stats: Option<PathBuf>,
    /// What test suites as XML say of themselves; what is absent is found out.
    pub suite: Suite,
    /// How many processes explore it at once.
    pub jobs: usize,
    /// How these get the options of this one.
    pub restart: Restart,
    /// Which share of its paths is explored, if not all.
    pub share: Option<Share>,
}

impl Options {
    /// Whether what is explored is found by several processes, or one of several.
    #[must_use]
    pub fn in_parts(&self) -> bool {
        self.jobs > 1 || self.share.is_some()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            program: Request::default(),
            env_file: None,
            aliases: Vec::new(),
            symbolic_arguments: false,
            template: None,
            exec: ExecConfig::default(),
            externals: Vec::new(),
            libraries: Vec::new(),
            style: Style::default(),
            seeds: Vec::new(),
            replays: Vec::new(),
            replay_path: None,
            files: TestFiles::default(),
            stats_interval: None,
            solver: Choice::default(),
            query_cache: QueryCacheKind::default(),
            mode: Mode::default(),
            cache_dir: None,
            allow_shared_cache: false,
            remote: Settings::default(),
            audit: Audit::default(),
            rename_inputs: true,
            counterexamples: true,
            try_all: false,
            equalities: true,
            enumerate: true,
            check_layouts: 0,
            max_solver_time: None,
            solver_resource: None,
            solver_memory: Some(8 << 30),
            #[cfg(feature = "plant")]
            fault: None,
            log_smt: None,
            instructions: None,
            query_log: Logged::default(),
            output_dir: None,
            stats: None,
            suite: Suite::default(),
            jobs: 1,
            restart: Restart::default(),
            share: None,
        }
    }
}

/// Why a run could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The program could not be read.
    #[error("{0}")]
    Program(String),
    /// The reader could not be started, or died.
    #[error("{0}")]
    Reader(String),
    /// An option among the program's arguments is used wrongly.
    #[error("among the program's arguments: {0}")]
    Environment(#[from] EnvironmentError),
    /// Unknown arguments are for `main`.
    #[error("unknown arguments and files need `main` to start with, and not `{0}`")]
    Entry(String),
    /// A path that is to be replayed cannot be read.
    #[error("the path {}: {error}", path.display())]
    Path {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: String,
    },
    /// A seed, or a test to be replayed, cannot be read.
    #[error("the test {}: {error}", path.display())]
    Seed {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        error: String,
    },
    /// The program of declared external functions does not compile.
    #[error("the functions given by --external-call cannot be called: {0}")]
    External(String),
    /// The solver that was asked for is not there.
    #[error("{0}")]
    Solver(String),
    /// A function cannot be replaced by another one.
    #[error(transparent)]
    Alias(#[from] AliasError),
    /// The program could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It cannot be explored in parts.
    #[error("{0}")]
    Parts(String),
    /// The run came to its end, but not everything could be written.
    #[error("the output folder is incomplete: {0}")]
    Incomplete(String),
    /// A folder or file could not be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

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

/// Does a run; gives its exit code.
///
/// # Errors
/// If the program cannot be read or started, or nothing can be written; exit code 2 belongs to these.
pub fn run(options: &Options, system: &Rc<dyn System>) -> Result<u8, RunError> {
    check_parts(options)?;
    let engines = options.solver.engines(&**system).map_err(RunError::Solver)?;
    let environment = environment(options, system)?;
    let seeds = read_seeds(options, &**system)?;
    let assembly = options.style == Style::Klee;
    // It lasts as long as the run.
    let outside = tempfile::tempdir().map_err(|error| RunError::External(error.to_string()))?;
    let bitcode = options.files.bitcode;
    let mut request = Request { start: environment.is_some(), assembly, bitcode, ..options.program.clone() };
    for file in request.files.iter_mut().filter(|file| file.as_os_str() == STANDARD_INPUT) {
        let failed = |error| RunError::Write { path: PathBuf::from(STANDARD_INPUT), error };
        let copy = outside.path().join("standard-input.bc");
        let bytes = system.read_input().map_err(failed)?;
        system.write_file(&copy, &bytes).map_err(failed)?;
        *file = copy;
    }
    let (program, mut module) = kept::read(&request, options, system)?;
    for (from, to) in &options.aliases {
        module.alias(from, to)?;
    }
    let folder = output_folder(options, system)?;
    let arguments = shown_arguments(options);
    let renderer = Renderer::new(Rc::clone(system), arguments, options.exec.all_errors, options.files);
    let interval = options.stats_interval.unwrap_or(STATS_INTERVAL);
    let mut output = Output::new(Rc::clone(system), folder, renderer, interval);
    output.message(&format!("output directory is \"{}\"", output.folder().display()));
    for warning in environment.iter().flat_map(|environment| &environment.warnings) {
        output.warn(warning);
    }
    if options.solver_resource.is_some() && options.solver != Choice::Z3 {
        output.warn("work in the solver's own units (--solver-resource) is limited for Z3 only");
    }
    if !seeds.is_empty() {
        output.message(&format!("using {} seeds", seeds.len()));
    }
    if assembly {
        for warning in undefined(&module) {
            output.warn(&warning);
        }
    }
    for warning in &module.warnings {
        output.warn(warning);
    }
    if options.files.tree {
        output.write_tree();
    }
    if let Some(listing) = options.instructions {
        output.list_instructions(listing, &module.assembly);
    }
    if assembly && !options.files.no_assembly {
        output.add_file("assembly.ll", &std::mem::take(&mut module.assembly));
    }
    if bitcode {
        output.add_bytes("final.bc", &std::mem::take(&mut module.bitcode));
    }
    if options.files.xml != XmlTests::None {
        output.add_file(
            "metadata.xml",
            &options.suite.metadata(&options.program.files, &options.exec.entry, &**system).document(),
        );
    }
    if let Some(folder) = &options.log_smt {
        make_folder(&**system, folder)?;
    }
    let config = config(options, system, environment, seeds, outside.path())?;
    let result = if options.in_parts() {
        let joint = team::explore(options, system, &program, &module, &mut output, outside.path())?;
        for found in &joint.found {
            output.put(found, true);
        }
        if options.share.is_some() {
            shard::keep(&mut output, options, &config, &program, &joint);
        }
        Outcome::from(joint)
    } else {
        drop(program);
        let store = kept::open(options, &**system, &mut output);
        let chain = ChainConfig {
            logs: Some((output.folder().to_owned(), options.query_log)),
            ..chain(options, system, engines, store)
        };
        let solver = assemble(&chain);
        let arena = Arena::new(RenameInputs(options.rename_inputs));
        let mut executor = Executor::new(&module, &config, Rc::clone(system), arena, solver, &mut output);
        executor.run()?;
        Outcome {
            counts: executor.solver().counts(),
            expressions: executor.arena().len() as u64,
            peak: system.peak_memory(),
            coverage: executor.coverage().clone(),
            account: executor.take_account(),
        }
    };
    if result.account.explored.stopped == Some(Halt::Error) && assembly && options.exec.exit_on_error {
        output.tell_last_error();
    }
    conclude(&mut output, options, system, &module, &result)?;
    Ok(exit_code(options, &result.account.explored, &result.counts))
}

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
    if options.style == Style::Klee {
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

/// What a program is called, wherever it lies.
fn named(files: &[PathBuf]) -> String {
    let names = files.iter().filter_map(|file| file.file_name()).map(|name| name.to_string_lossy());
    names.collect::<Vec<_>>().join(" ")
}

pub(super) fn chain(
    options: &Options,
    system: &Rc<dyn System>,
    engines: Vec<Engine>,
    store: Option<Arc<dyn Store>>,
) -> ChainConfig {
    ChainConfig {
        process: ProcessConfig {
            system: Rc::clone(system),
            program: locate(&**system, "symexec-solver"),
            engines,
            patience: Patience::default(),
            enumerate: options.enumerate,
            #[cfg(feature = "plant")]
            skip_values: options.fault == Some(crate::base::plant::Fault::SkipValues),
            #[cfg(feature = "plant")]
            late_answers: options.fault == Some(crate::base::plant::Fault::LateAnswers),
            wall: options.max_solver_time,
            resource: options.solver_resource,
            budget: Budget::default(),
            memory_bytes: options.solver_memory,
            log: options.log_smt.clone(),
            own_layout: false,
        },
        query_cache: match options.query_cache {
            QueryCacheKind::None => None,
            QueryCacheKind::Plain => Some(Naming::Plain),
            QueryCacheKind::AddressAware => Some(Naming::AddressAware),
        },
        mode: options.mode,
        audit: options.audit,
        store,
        program: named(&options.program.files),
        #[cfg(feature = "plant")]
        fault: options.fault,
        counterexamples: options.counterexamples,
        try_all: options.try_all,
        equalities: options.equalities,
        check_layouts: options.check_layouts,
        logs: None,
    }
}

/// The last lines, in KLEE's words.
fn summarize(output: &mut Output, explored: &Explored) {
    for line in done_lines(explored) {
        output.message(&line);
    }
}

fn done_lines(explored: &Explored) -> [String; 4] {
    [
        format!("done: total instructions = {}", explored.instructions),
        format!("done: completed paths = {}", explored.completed),
        format!("done: partially completed paths = {}", explored.partial),
        format!("done: generated tests = {}", explored.tests),
    ]
}

fn info(options: &Options, system: &Rc<dyn System>, explored: &Explored, counts: &Counts) -> String {
    let mut lines = vec![
        system.arguments().iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "),
        format!("symexec {}", env!("CARGO_PKG_VERSION")),
        format!("solver: {}, query cache: {}", options.solver, options.query_cache),
        format!("Elapsed: {:.2} s", system.elapsed().as_secs_f64()),
    ];
    // Valid is what has no counterexample.
    let asked = counts.get(SOLVER_QUERIES);
    let valid = counts.get("solver_contradictions");
    let numbers = [
        ("explored paths", explored.completed + explored.partial),
        ("avg. constructs per query", counts.get(QUERY_CONSTRUCTS).checked_div(asked).unwrap_or(0)),
        ("total queries", counts.get(QUERIES)),
        ("solver queries", asked),
        ("valid queries", valid),
        ("invalid queries", asked.saturating_sub(valid + counts.get("solver_failures"))),
        ("query cex", counts.get("solver_models")),
    ];
    lines.extend(numbers.map(|(what, number)| format!("KLEE: done: {what} = {number}")));
    lines.extend(done_lines(explored).map(|line| format!("KLEE: {line}")));
    lines.join("\n") + "\n"
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
