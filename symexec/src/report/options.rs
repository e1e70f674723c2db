//! Everything that a run can be told.

use std::path::PathBuf;
use std::time::Duration;

use cache_core::audit::Audit;
use cache_core::mode::Mode;
use reprise_tools::remote::Settings;

use super::listing::Listing;
use super::test_suite::Suite;
use super::workers::Restart;
use crate::exec::environment::Follow;
use crate::exec::{Declaration, ExecConfig, Share};
use crate::module::reader::Request;
use crate::solver::engine::Choice;
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
    /// Whether what unknown files are besides their content is unknown although no argument of the program says so.
    pub symbolic_metadata: bool,
    /// Which processes are followed where the program makes one, if no argument of the program says so.
    pub follow_fork: Follow,
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
    /// Whether questions over one or two bytes are decided by trying their values, and those that compare one number
    /// with constants by intervals.
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
    /// What is to be warned of before the run begins.
    pub warnings: Vec<String>,
    /// What is left out of the output folder, and off the terminal.
    pub left_out: LeftOut,
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
            symbolic_metadata: false,
            follow_fork: Follow::Nobody,
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
            warnings: Vec::new(),
            left_out: LeftOut::default(),
            output_dir: None,
            stats: None,
            suite: Suite::default(),
            jobs: 1,
            restart: Restart::default(),
            share: None,
        }
    }
}

/// What is left out of what a run writes and says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Counts over time (`run.stats`).
    pub counts: bool,
    /// Counts by instruction (`run.istats`), where they would be written.
    pub counts_by_instruction: bool,
    /// Warnings on the terminal; they are in `warnings.txt` only.
    pub shown_warnings: bool,
}

/// Which files are written beside a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestFiles {
    /// The tree of states (`exec_tree.db`).
    pub tree: bool,
    /// The linked program as bitcode is written as well (`final.bc`).
    pub bitcode: bool,
    /// The program in LLVM's assembly language is left out (`assembly.ll`), where it would be written once.
    pub no_assembly: bool,
    /// Its path's condition in KLEE's query language (`.kquery`).
    pub kquery: bool,
    /// The same in CVC's language (`.cvc`).
    pub cvc: bool,
    /// The same as an SMT-LIB 2 script (`.smt2`).
    pub smtlib: bool,
    /// The lines that its path was the first to execute (`.cov`).
    pub coverage: bool,
    /// The sides that branches took, a digit each (`.path`).
    pub paths: bool,
    /// The same of branches of which both sides were possible (`.sym.path`).
    pub symbolic_paths: bool,
    /// How long it took until there was this test (`.info`).
    pub info: bool,
    /// Its values as XML (`.xml`), and once what they are for (`metadata.xml`).
    pub xml: XmlTests,
}

/// Which tests are written as XML.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum XmlTests {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// Those that call the function that is to be reached.
    Reaching,
}
