//! Running a program on unknown inputs, path by path.
//!
//! An [`Executor`] takes a [`State`] from its searcher and runs it until it ends or has to choose. A
//! choice whose sides are all possible makes one state per side; each knows its side as a constraint
//! and *executes the same instruction again*, which then finds its choice made. So an instruction may
//! choose as often as it likes (where does this pointer point, is the access inside, which case), as
//! long as it changes nothing before its last choice.
//!
//! What ends a path is told to an [`Observer`], which writes tests. What steers the exploration
//! (which sides are possible, least values) is a fact about the program and never a solver's choice.

mod access;
mod builtins;
mod calls;
mod choose;
mod float;
mod interpret;
mod resolve;
mod searcher;
mod start;
mod state;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

pub use builtins::provides;
pub use searcher::{Search, UnknownSearch};
pub use state::{Frame, State, SymbolicObject};

use crate::base::system::System;
use crate::expr::{Arena, Model};
use crate::memory::{Allocator, Placement};
use crate::module::{FunctionId, LocationId, Module};
use crate::solver::{Front, SolverError};
use builtins::Builtin;
use searcher::Searcher;

/// Why a path ended otherwise than by the program's own end; the names are those of KLEE's error files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words that users know from KLEE's file names")]
pub enum ErrorKind {
    Abort,
    Assert,
    Div,
    Exec,
    External,
    Free,
    Model,
    Overshift,
    Ptr,
    ReadOnly,
    Report,
    Solver,
    User,
}

impl ErrorKind {
    /// The part of an error file's name.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Abort => "abort",
            Self::Assert => "assert",
            Self::Div => "div",
            Self::Exec => "exec",
            Self::External => "external",
            Self::Free => "free",
            Self::Model => "model",
            Self::Overshift => "overshift",
            Self::Ptr => "ptr",
            Self::ReadOnly => "read_only",
            Self::Report => "report_error",
            Self::Solver => "solver",
            Self::User => "user",
        }
    }
}

/// An error of the program, or of the engine on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError {
    /// Which sort.
    pub kind: ErrorKind,
    /// What happened, in KLEE's words where KLEE has some.
    pub message: String,
    /// More, line by line.
    pub details: Vec<String>,
    /// What an error file is called by, if the program chose it.
    pub suffix: Option<String>,
}

impl PathError {
    /// An error without details.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), details: Vec::new(), suffix: None }
    }
}

/// How a path ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The program ended by itself.
    Exit,
    /// It came to an error.
    Error(PathError),
    /// The run was stopped before.
    Early(String),
    /// The program asked to be forgotten (`klee_silent_exit`).
    Silent,
}

/// A path that has ended.
#[derive(Clone, Debug)]
pub struct Path {
    /// How.
    pub ending: Ending,
    /// Where, innermost first: function and position.
    pub stack: Vec<(FunctionId, LocationId)>,
    /// The inputs in the order in which they were made, with bytes that lead down this path; `None` if
    /// no test is wanted or no solution was found.
    pub inputs: Option<Vec<(String, Vec<u8>)>>,
}

/// Who is told what happens.
pub trait Observer {
    /// A path has ended.
    fn path(&mut self, module: &Module, path: &Path);

    /// Something that users should know.
    fn warn(&mut self, text: &str);
}

/// Limits and ways of an exploration.
#[derive(Clone, Debug)]
pub struct ExecConfig {
    /// Who decides where objects lie.
    pub placement: Placement,
    /// Which state runs next.
    pub search: Search,
    /// The seed of random searchers.
    pub seed: u64,
    /// The function to start with.
    pub entry: String,
    /// The program's arguments, its name first.
    pub arguments: Vec<String>,
    /// Stop after so much time.
    pub max_time: Option<Duration>,
    /// Stop after so many instructions.
    pub max_instructions: Option<u64>,
    /// End a path after so many choices.
    pub max_depth: Option<u64>,
    /// Stop when more states than this are live.
    pub max_states: Option<usize>,
    /// Stop after so many tests.
    pub max_tests: Option<u64>,
    /// Activations may nest so deep.
    pub max_stack: usize,
    /// Whether every error gets a test, and not only the first one at its place.
    pub all_errors: bool,
    /// Whether the run stops at the first error.
    pub exit_on_error: bool,
    /// Whether tests are wanted.
    pub tests: bool,
}

impl Default for ExecConfig {
    fn default() -> Self {
        Self {
            placement: Placement::Shared,
            search: Search::DepthFirst,
            seed: 0,
            entry: "main".to_owned(),
            arguments: vec!["program".to_owned()],
            max_time: None,
            max_instructions: None,
            max_depth: None,
            max_states: None,
            max_tests: None,
            max_stack: 8192,
            all_errors: false,
            exit_on_error: false,
            tests: true,
        }
    }
}

/// What an exploration counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// Instructions that were completed, on all paths.
    pub instructions: u64,
    /// Paths to the program's own end.
    pub completed: u64,
    /// Paths that ended otherwise.
    pub partial: u64,
    /// Paths that ended in an error.
    pub errors: u64,
    /// Tests that were given out.
    pub tests: u64,
    /// Choices with more than one possible side.
    pub forks: u64,
    /// The most states that were live at once.
    pub most_states: u64,
    /// Instructions that some path completed, of those in functions with code.
    pub covered: u64,
    /// Instructions in functions with code.
    pub total: u64,
    /// Why the exploration was stopped, if it was.
    pub stopped: Option<String>,
}

/// Why the program cannot be run at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// There is no such function.
    #[error(
        "the program has no function `{0}`: give all its files, or name the function to start with by --entry-point"
    )]
    NoEntry(String),
    /// The entry has parameters that nobody can supply.
    #[error(
        "the function `{0}` takes parameters that are not those of `main`: start with a function that makes its inputs itself"
    )]
    Parameters(String),
    /// The program's variables do not fit.
    #[error("the program's variables do not fit into the address space")]
    TooLarge,
}

/// Why a state cannot go on with the next instruction.
pub(crate) enum Stop {
    /// The path has ended.
    Ended(Ending),
    /// The instruction is to be executed again, with what is known now.
    Again,
}

impl From<PathError> for Stop {
    fn from(error: PathError) -> Self {
        Self::Ended(Ending::Error(error))
    }
}

impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Self {
        let kind = ErrorKind::Solver;
        Self::Ended(Ending::Error(PathError::new(kind, format!("solver failure: {error}"))))
    }
}

/// What an instruction, or a part of it, comes to.
pub(crate) type Step<T> = Result<T, Stop>;

/// Explores a program.
pub struct Executor<'a> {
    module: &'a Module,
    config: &'a ExecConfig,
    system: Rc<dyn System>,
    arena: Arena,
    solver: Front,
    allocator: Allocator,
    observer: &'a mut dyn Observer,
    builtins: Vec<Option<Builtin>>,
    /// New states of the current instruction.
    forked: Vec<State>,
    searcher: Searcher,
    explored: Explored,
    /// Places of errors that have a test already.
    seen_errors: BTreeSet<(ErrorKind, FunctionId, u32)>,
    /// Warnings that are given once.
    warned: BTreeSet<String>,
    covered: Vec<Vec<bool>>,
    next_state: u64,
}

/// How many instructions run between two looks at the clock.
const CLOCK_INTERVAL: u64 = 4096;

impl<'a> Executor<'a> {
    /// An executor that has not begun.
    #[must_use]
    pub fn new(
        module: &'a Module,
        config: &'a ExecConfig,
        system: Rc<dyn System>,
        arena: Arena,
        solver: Front,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let builtins = module.functions.iter().map(builtins::find).collect();
        let covered = module.functions.iter().map(|function| vec![false; function.code.len()]).collect();
        Self {
            module,
            config,
            system,
            arena,
            solver,
            allocator: Allocator::new(config.placement),
            observer,
            builtins,
            forked: Vec::new(),
            searcher: Searcher::new(config.search, config.seed),
            explored: Explored { total: module.instructions() as u64, ..Explored::default() },
            seen_errors: BTreeSet::new(),
            warned: BTreeSet::new(),
            covered,
            next_state: 0,
        }
    }

    /// Explores until all paths have ended or a limit is reached. Live states then get tests as well.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn run(&mut self) -> Result<(), StartError> {
        let first = self.initial_state()?;
        self.searcher.add(first);
        while let Some(mut state) = self.searcher.take() {
            let live = self.searcher.len() as u64 + 1;
            self.explored.most_states = self.explored.most_states.max(live);
            let end = loop {
                if let Some(reason) = self.reason_to_stop() {
                    self.explored.stopped = Some(reason);
                    break None;
                }
                match self.step(&mut state) {
                    Ok(()) => {}
                    Err(Stop::Again) => {
                        // The sides of a choice are equals: the searcher says which goes on.
                        self.explored.forks += 1;
                        state.depth += 1;
                        break None;
                    }
                    Err(Stop::Ended(ending)) => break Some(ending),
                }
            };
            for forked in std::mem::take(&mut self.forked) {
                self.searcher.add(forked);
            }
            match end {
                Some(ending) => self.end(&mut state, ending),
                None => self.searcher.add(state),
            }
            for warning in self.solver.take_warnings() {
                self.observer.warn(&warning);
            }
            if self.explored.stopped.is_some() {
                break;
            }
        }
        let reason = self.explored.stopped.clone().unwrap_or_default();
        while let Some(mut state) = self.searcher.take() {
            self.end(&mut state, Ending::Early(reason.clone()));
        }
        self.solver.finish();
        for warning in self.solver.take_warnings() {
            self.observer.warn(&warning);
        }
        self.explored.covered = self.covered.iter().flatten().filter(|covered| **covered).count() as u64;
        Ok(())
    }

    fn reason_to_stop(&self) -> Option<String> {
        let config = self.config;
        let reached = |limit: Option<u64>, now: u64| limit.is_some_and(|limit| now >= limit);
        if reached(config.max_instructions, self.explored.instructions) {
            return Some("the limit of instructions was reached".to_owned());
        }
        if reached(config.max_tests, self.explored.tests) {
            return Some("the limit of tests was reached".to_owned());
        }
        if config.max_states.is_some_and(|limit| self.searcher.len() >= limit) {
            return Some("the limit of states was reached".to_owned());
        }
        if config.exit_on_error && self.explored.errors > 0 {
            return Some("an error was found".to_owned());
        }
        if self.explored.instructions.is_multiple_of(CLOCK_INTERVAL)
            && config.max_time.is_some_and(|limit| self.system.elapsed() >= limit)
        {
            return Some("the time limit was reached".to_owned());
        }
        None
    }

    /// Tells the observer that a path has ended, with a test if it deserves one.
    fn end(&mut self, state: &mut State, ending: Ending) {
        let stack = state.stack();
        let wanted = match &ending {
            Ending::Exit => {
                self.explored.completed += 1;
                true
            }
            Ending::Silent => {
                self.explored.partial += 1;
                false
            }
            Ending::Early(_) => {
                self.explored.partial += 1;
                true
            }
            Ending::Error(error) => {
                self.explored.partial += 1;
                self.explored.errors += 1;
                let (function, position) = state.position();
                self.config.all_errors || self.seen_errors.insert((error.kind, function, position))
            }
        };
        if !wanted {
            return;
        }
        let inputs = if self.config.tests { self.inputs(state) } else { None };
        self.explored.tests += u64::from(inputs.is_some());
        self.observer.path(self.module, &Path { ending, stack, inputs });
    }

    /// Bytes for a state's inputs that lead down its path.
    fn inputs(&mut self, state: &State) -> Option<Vec<(String, Vec<u8>)>> {
        let model = match self.solver.model(&mut self.arena, &state.constraints) {
            Ok(model) => model,
            Err(error) => {
                self.observer.warn(&format!("no test for a path: {error}"));
                return None;
            }
        };
        Some(state.inputs.iter().map(|input| (input.name.clone(), self.input_bytes(input, &model))).collect())
    }

    fn input_bytes(&self, input: &SymbolicObject, model: &Model) -> Vec<u8> {
        self.arena.array(input.array).bytes.iter().map(|byte| model.get(*byte)).collect()
    }

    /// Warns once about something.
    pub(crate) fn warn_once(&mut self, text: &str) {
        if self.warned.insert(text.to_owned()) {
            self.observer.warn(text);
        }
    }

    /// What was counted so far.
    #[must_use]
    pub fn explored(&self) -> &Explored {
        &self.explored
    }

    /// The solver, for its counts.
    #[must_use]
    pub fn solver(&self) -> &Front {
        &self.solver
    }

    /// The expressions, for their number.
    #[must_use]
    pub fn arena(&self) -> &Arena {
        &self.arena
    }
}
