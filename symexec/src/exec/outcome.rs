//! What an exploration tells: how paths end, what was counted, and to whom.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Coverage, Executor, Front};
use crate::expr::{Arena, ExprId};
use crate::memory::ObjectId;
use crate::module::{FunctionId, LocationId, Module, OUTSIDE_OF_VECTOR};
use crate::solver::Counts;
use crate::solver::condition::Condition;

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
    Panic,
    Ptr,
    ReadOnly,
    Report,
    Solver,
    UncaughtException,
    UnexpectedException,
    User,
}

impl ErrorKind {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::Abort,
        Self::Assert,
        Self::Div,
        Self::Exec,
        Self::External,
        Self::Free,
        Self::Model,
        Self::Overshift,
        Self::Panic,
        Self::Ptr,
        Self::ReadOnly,
        Self::Report,
        Self::Solver,
        Self::UncaughtException,
        Self::UnexpectedException,
        Self::User,
    ];

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
            Self::Panic => "panic",
            Self::Ptr => "ptr",
            Self::ReadOnly => "read_only",
            Self::Report => "report_error",
            Self::Solver => "solver",
            Self::UncaughtException => "uncaught_exception",
            Self::UnexpectedException => "unexpected_exception",
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
    /// File and line, if the program told where it is.
    pub place: Option<(String, u32)>,
    /// Where the access was to go, if it is one that failed.
    pub reached: Option<Box<Reached>>,
}

/// Where an access that failed was to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// A number at which nothing lies.
    Number(u64),
    /// So many bytes from the beginning of an object.
    Known(ObjectId, u64),
    /// The same, of an unknown number.
    Unknown(ObjectId, ExprId),
}

impl PathError {
    /// An error without details.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), details: Vec::new(), suffix: None, place: None, reached: None }
    }

    /// What a path ends with at an instruction that only says why it cannot go on.
    #[must_use]
    pub fn refused(text: &str) -> Self {
        let suffix = OUTSIDE_OF_VECTOR.contains(&text).then(|| "bad_vector_access".to_owned());
        Self { suffix, ..Self::new(ErrorKind::Exec, text) }
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
    /// At which instruction, by position in the code of a function.
    pub place: (FunctionId, u32),
    /// The sides that it took where others were possible, if parts of the program are explored.
    pub trail: Vec<u32>,
    /// The lines of these places in [`Module::assembly`]; empty if there is no such text.
    pub assembly: Vec<u32>,
    /// The number of the state.
    pub state: u64,
    /// What the functions on the stack were called with, as texts.
    pub values: Vec<Vec<String>>,
    /// The inputs in the order in which they were made, with bytes that lead down this path; `None` if
    /// no test is wanted or no solution was found.
    pub inputs: Option<Vec<(String, Vec<u8>)>>,
    /// How it went, as far as that was asked for.
    pub record: Record,
}

/// How a path went.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// What holds on it, if asked for.
    pub condition: Option<Condition>,
    /// Which side each branch took, if asked for.
    pub branches: Vec<bool>,
    /// The same of those where both sides were possible.
    pub choices: Vec<bool>,
    /// Lines that it was the first to execute something of.
    pub new_lines: BTreeSet<LocationId>,
}

/// A state that has become several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forked<'a> {
    /// Its number, which one of them keeps.
    pub state: u64,
    /// The numbers of the others.
    pub others: &'a [u64],
    /// Why.
    pub kind: ForkKind,
    /// Where, as a line of [`Module::assembly`]; 0 if there is no such text.
    pub line: u32,
}

/// An instruction of LLVM's that a state executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The state's number.
    pub state: u64,
    /// Its line in [`Module::assembly`].
    pub line: u32,
    /// Where it came from.
    pub location: LocationId,
}

/// Who is told what happens.
pub trait Observer {
    /// A path has ended.
    fn path(&mut self, module: &Module, path: &Path);

    /// Something that users should know.
    fn warn(&mut self, text: &str);

    /// The same, of something that is told only once although it happens again.
    fn warn_once(&mut self, text: &str) {
        self.warn(text);
    }

    /// How far the run is, as users are told.
    fn tell(&mut self, text: &str) {
        let _ = text;
    }

    /// The run stops early, for a reason; the live states end after this.
    fn halt(&mut self, reason: &Halt) {
        let _ = reason;
    }

    /// A line that the program wants to be seen.
    fn print(&mut self, line: &str) {
        let _ = line;
    }

    /// An instruction is executed next, if these are to be shown.
    fn instruction(&mut self, module: &Module, shown: &Shown) {
        let _ = (module, shown);
    }

    /// A state has become several.
    fn forked(&mut self, forked: &Forked<'_>) {
        let _ = forked;
    }

    /// The path of a state has ended at a line of [`Module::assembly`]; 0 if there is no such text. Told of all
    /// paths, with and without a test.
    fn ended(&mut self, state: u64, line: u32, ending: &Ending) {
        let _ = (state, line, ending);
    }

    /// The program writes bytes to a descriptor; those it does not know are `?`.
    fn output(&mut self, descriptor: u64, bytes: &[u8]) {
        let _ = (descriptor, bytes);
    }

    /// Whether counts are wanted at this time since the run began. Asked often.
    fn wants_progress(&mut self, elapsed: Duration) -> bool {
        let _ = elapsed;
        false
    }

    /// Counts in the middle of the run, or at its end.
    fn progress(&mut self, now: &Progress) {
        let _ = now;
    }
}

/// Why a run stopped before all paths had ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Halt {
    /// The limit of instructions.
    Instructions,
    /// The limit of tests.
    Tests,
    /// The limit of states.
    States,
    /// The limit of time.
    Time,
    /// The limit of memory.
    Memory,
    /// An error, where the first one was to stop the run.
    Error,
    /// All seeds were followed, and nothing else was to be explored.
    Seeds,
    /// The user.
    Interrupt,
}

impl Halt {
    /// For users to read.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Instructions => "the limit of instructions was reached",
            Self::Tests => "the limit of tests was reached",
            Self::States => "the limit of states was reached",
            Self::Time => "the time limit was reached",
            Self::Memory => "the memory limit was reached",
            Self::Error => "an error was found",
            Self::Seeds => "all seeds were followed",
            Self::Interrupt => "the run was interrupted",
        }
    }
}

/// What a run has counted at some time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Of the exploration.
    pub explored: Explored,
    /// Of the solvers.
    pub counts: Counts,
    /// Live states.
    pub states: u64,
    /// Conditional branches: all, those of which both sides were taken, those of which one was.
    pub branches: [u64; 3],
    /// Since the run began.
    pub elapsed: Duration,
    /// Of that, what the engine's own work took.
    pub times: Times,
}

/// What parts of the engine's own work took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// Making states of states.
    pub forks: Duration,
    /// Finding the objects that unknown pointers point to, with the questions for that.
    pub resolution: Duration,
}

/// Why a state became several; the names are those of KLEE's statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names of columns")]
pub enum ForkKind {
    Conditional,
    Indirect,
    Switch,
    Call,
    MemOp,
    ResolvePointer,
    Alloc,
    Realloc,
    Free,
    GetVal,
}

impl ForkKind {
    /// All of them, in the order of the columns.
    pub const ALL: [Self; 10] = [
        Self::Conditional,
        Self::Indirect,
        Self::Switch,
        Self::Call,
        Self::MemOp,
        Self::ResolvePointer,
        Self::Alloc,
        Self::Realloc,
        Self::Free,
        Self::GetVal,
    ];
}

/// How a path ended; the names are those of KLEE's statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names of columns")]
pub enum TerminationKind {
    Exit,
    Early,
    SolverError,
    ProgramError,
    UserError,
    ExecutionError,
    EarlyAlgorithm,
    EarlyUser,
}

impl TerminationKind {
    /// All of them, in the order of the columns.
    pub const ALL: [Self; 8] = [
        Self::Exit,
        Self::Early,
        Self::SolverError,
        Self::ProgramError,
        Self::UserError,
        Self::ExecutionError,
        Self::EarlyAlgorithm,
        Self::EarlyUser,
    ];

    /// Which one an ending is.
    #[must_use]
    pub fn of(ending: &Ending) -> Self {
        match ending {
            Ending::Exit => Self::Exit,
            Ending::Early(_) => Self::Early,
            Ending::Silent => Self::EarlyUser,
            Ending::Error(error) => match error.kind {
                ErrorKind::Solver => Self::SolverError,
                ErrorKind::User | ErrorKind::Report => Self::UserError,
                ErrorKind::Exec | ErrorKind::External | ErrorKind::Model => Self::ExecutionError,
                ErrorKind::Abort
                | ErrorKind::Assert
                | ErrorKind::Div
                | ErrorKind::Free
                | ErrorKind::Overshift
                | ErrorKind::Panic
                | ErrorKind::Ptr
                | ErrorKind::ReadOnly
                | ErrorKind::UncaughtException
                | ErrorKind::UnexpectedException => Self::ProgramError,
            },
        }
    }
}

/// What happened at one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hot {
    /// Where it came from.
    pub location: LocationId,
    /// States that it made.
    pub forks: u64,
    /// How often it had to ask.
    pub questions: u64,
    /// How many questions were given up because they were dear.
    pub given_up: u32,
    /// How long the answers took.
    pub time: Duration,
    /// How long the longest of them took.
    pub longest: Duration,
}

impl Hot {
    /// Nothing happened there yet.
    pub(super) fn new(location: LocationId) -> Self {
        Self { location, forks: 0, questions: 0, given_up: 0, time: Duration::ZERO, longest: Duration::ZERO }
    }
}

/// What an exploration counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Choices of which only one side was followed, by a limit or on the program's demand.
    pub inhibited_forks: u64,
    /// Objects that the program allocated on its heap.
    pub allocations: u64,
    /// Calls of functions outside of the program.
    pub external_calls: u64,
    /// States that were made, by reason.
    pub forks_by: BTreeMap<ForkKind, u64>,
    /// Paths that ended, by the way they did.
    pub ends_by: BTreeMap<TerminationKind, u64>,
    /// Why the exploration was stopped, if it was.
    pub stopped: Option<Halt>,
}

impl Executor<'_> {
    /// What was counted so far.
    #[must_use]
    pub fn explored(&self) -> &Explored {
        &self.explored
    }

    /// Where states were made and questions asked, by function and position.
    #[must_use]
    pub fn hot_spots(&self) -> &BTreeMap<(FunctionId, u32), Hot> {
        &self.hot
    }

    /// How often each instruction was executed; empty unless that is counted.
    #[must_use]
    pub fn executions(&self) -> &BTreeMap<(FunctionId, u32), u64> {
        &self.executions
    }

    /// What was executed.
    #[must_use]
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
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
