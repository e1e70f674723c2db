//! Running a program on unknown inputs, path by path.
//!
//! An [`Executor`] takes a [`State`] from its searcher and runs it until it ends or has to choose. A choice whose
//! sides are all possible makes one state per side; each knows its side as a constraint and *executes the same
//! instruction again*, which then finds its choice made. So an instruction may choose as often as it likes (where
//! does this pointer point, is the access inside, which case), as long as it changes nothing before its last choice.
//!
//! What ends a path is told to an [`Observer`], which writes tests. What steers the exploration
//! (which sides are possible, least values) is a fact about the program and never a solver's choice.

mod access;
mod calls;
mod config;
mod decisions;
mod endings;
pub mod environment;
mod inputs;
mod interpret;
mod merge;
mod outcome;
mod search;
mod start;
mod state;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

pub use access::pointers::{Targets, Whereabouts};
pub use calls::builtins::{CERTAIN_ACCESS, SIGNATURE, provides};
pub use calls::external::{
    Declaration, DeclarationError, External, ExternalCalls, ExternalWarnings, Passed, Undefined, mathematics,
};
pub(crate) use calls::external::{MOST_PARAMETERS, by_parts};
pub use config::{ExecConfig, MemoryModel, REACHED};
pub use decisions::part::{Account, Share};
pub use decisions::replays::Replay;
pub use decisions::seeds::{Seed, Seeds};
pub use decisions::trail::{Decision, Subtree, Trail, Way};
pub use outcome::{
    Ending, ErrorKind, Explored, ForkKind, Forked, Halt, Hot, Observer, Path, PathError, Progress, Reached,
    Record, Shown, TerminationKind, Times,
};
pub use search::coverage::Coverage;
pub use search::frontier::OverMemory;
pub use search::searcher::Search;
pub use start::{FINISH, START};
pub use state::{Followed, Frame, Landing, Stack, State, SymbolicObject, Variadic};

use crate::base::system::System;
use crate::expr::{Arena, ExprId};
use crate::memory::{Allocator, SegmentPlaces, Value};
use crate::module::{FunctionId, Module};
use crate::solver::independence::Slices;
use crate::solver::{Front, SolverError};
use calls::builtins::Builtin;
use calls::operators::OwnOperators;
use decisions::part::Nobody;
use interpret::decoded::Decoded;
use interpret::known::Switches;
use merge::meetings::Meetings;
use search::searcher::Searcher;
use search::weights::CallPaths;

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
    /// It is to be executed again when other states have ended: a question that it asks is dear.
    PutOff,
    /// It stands where it may become one with others.
    Met,
}

impl Stop {
    /// Whether the instruction has done what it does, and not been left for want of an answer or of who could do it.
    fn executes(&self) -> bool {
        match self {
            Self::Ended(Ending::Exit | Ending::Silent) | Self::Met => true,
            Self::Ended(Ending::Error(error)) => !matches!(
                error.kind,
                ErrorKind::Exec | ErrorKind::External | ErrorKind::Model | ErrorKind::Solver
            ),
            Self::Ended(Ending::Early(_)) | Self::Again | Self::PutOff => false,
        }
    }
}

impl From<PathError> for Stop {
    fn from(error: PathError) -> Self {
        Self::Ended(Ending::Error(error))
    }
}

impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Self {
        if error == SolverError::Dear {
            return Self::PutOff;
        }
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
    /// Where segments lie in questions, if they are used again.
    segment_places: SegmentPlaces,
    observer: &'a mut dyn Observer,
    builtins: Vec<Option<Builtin>>,
    /// The program's own operators of C++, if it has some.
    own_operators: OwnOperators,
    /// The function whose call ends a path.
    reach: Option<FunctionId>,
    /// The places of the variables of which each thread has one of its own.
    thread_variables: Rc<[usize]>,
    /// The functions in which one way is followed.
    one_way: BTreeSet<FunctionId>,
    /// How often an example was wanted at each place.
    examples: BTreeMap<(FunctionId, u32), u32>,
    slices: Slices,
    /// The two sides of the condition that is decided by comparing digits, if it is, with what was asked.
    digits: Vec<(ExprId, ExprId)>,
    /// New states of the current instruction.
    forked: Vec<State>,
    searcher: Searcher,
    meetings: Meetings,
    explored: Explored,
    /// Errors that have a test already, with its path where that matters.
    seen_errors: BTreeMap<ErrorPlace, Vec<u32>>,
    /// Warnings that are given once.
    warned: BTreeSet<String>,
    coverage: Coverage,
    /// The module's constants as values; `None` where they are expressions.
    constants: Vec<Option<Value>>,
    switches: Switches,
    decoded: Decoded,
    /// The functions that are entered by nothing but a new activation.
    plain_callees: Vec<bool>,
    next_state: u64,
    /// Where states were made and questions asked.
    hot: BTreeMap<(FunctionId, u32), Hot>,
    /// How many instructions each call path executed, if a search wants to know.
    call_paths: Option<CallPaths>,
    /// How often each instruction was executed, if that is counted.
    executions: BTreeMap<(FunctionId, u32), u64>,
    times: Times,
    /// Instructions that were executed one by one.
    steps: u64,
    /// When the time for exploring is over; reading the program is not part of it.
    deadline: Option<Duration>,
    /// The decisions of another state that are taken again; none otherwise.
    ahead: Rc<[Decision]>,
    /// Prefixes of paths that belong to others.
    without: BTreeSet<Vec<Decision>>,
    nobody: Nobody,
    pause_at: Option<Duration>,
    /// Whether the running state was put off before, so that it gets its answers.
    patient: bool,
    /// Whether the current instruction chose between an error and none, and the error is to be told first.
    errs: bool,
    /// Whether the current instruction gave sides up, so that it has to be executed to its end.
    is_bound: bool,
    /// Whether the time for a pause has come.
    pausing: bool,
    /// Forks of other parts of the program.
    forks_elsewhere: u64,
    /// How much memory the run has, and for what.
    watch: search::frontier::Watch,
    /// How much of a heap the running state has.
    heap: u64,
    /// Whether the running state is given up, since there is no other one to free memory.
    is_over: bool,
    /// When exploring began; reading the program is no part of it.
    begun: Option<Duration>,
    /// Which test is replayed.
    replayed: Option<usize>,
    /// Whether there is a state yet that follows a seed.
    is_seeding: bool,
    /// How often it was looked whether expressions are to be looked through.
    #[cfg(feature = "plant")]
    looks: u64,
}

/// What an error says, and where it happens.
type ErrorPlace = (String, FunctionId, u32);

/// How many instructions a state runs before others get their turn, where searches are fair.
const TURN: u64 = 10_000;

/// How many instructions run between two looks at the clock.
const CLOCK_INTERVAL: u64 = 4096;

/// How many of those that are not known in advance to be quick.
const STEPS: u64 = 64;

/// How long tests of live states are made at the end of a run whose time is over.
const TIME_FOR_TESTS: Duration = Duration::from_secs(1);

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
        let builtins = module.functions.iter().map(calls::builtins::find).collect();
        let named = |name: &String| (0..).zip(&module.functions).find(|(_, function)| function.name == *name);
        let reach = config.reach.as_ref().and_then(named).map(|(index, _)| FunctionId(index));
        let one_way = config.one_way.iter().filter_map(named).map(|(index, _)| FunctionId(index)).collect();
        Self {
            module,
            config,
            system,
            arena,
            solver,
            allocator: Allocator::new(config.placement),
            segment_places: SegmentPlaces::default(),
            observer,
            builtins,
            own_operators: OwnOperators::of(module),
            reach,
            thread_variables: calls::threads::variables(module),
            one_way,
            examples: BTreeMap::new(),
            slices: Slices::default(),
            digits: Vec::new(),
            forked: Vec::new(),
            searcher: Searcher::new(&config.search, config.seed),
            meetings: Meetings::default(),
            explored: Explored { total: module.instructions() as u64, ..Explored::default() },
            seen_errors: BTreeMap::new(),
            warned: BTreeSet::new(),
            coverage: Coverage::new(module),
            constants: Vec::new(),
            switches: Switches::of(module),
            decoded: Decoded::of(module),
            plain_callees: Vec::new(),
            next_state: 1,
            hot: BTreeMap::new(),
            call_paths: config.search.contains(&Search::CallPaths).then(CallPaths::default),
            executions: BTreeMap::new(),
            times: Times::default(),
            steps: 0,
            deadline: None,
            ahead: Rc::default(),
            without: BTreeSet::new(),
            nobody: Nobody,
            pause_at: None,
            patient: false,
            errs: false,
            is_bound: false,
            pausing: false,
            forks_elsewhere: 0,
            watch: search::frontier::Watch::default(),
            heap: 0,
            is_over: false,
            begun: None,
            replayed: None,
            is_seeding: !config.seeds.all.is_empty(),
            #[cfg(feature = "plant")]
            looks: 0,
        }
    }

    /// Explores until all paths have ended or a limit is reached. Live states then get tests as well.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn run(&mut self) -> Result<(), StartError> {
        if self.config.replays.is_empty() {
            self.go_to(&Subtree::default())?;
            self.explore(None, false);
        }
        let count = self.config.replays.len();
        for (place, replay) in self.config.replays.iter().enumerate() {
            self.observer.print(&replay.title(place + 1, count));
            self.replayed = Some(place);
            self.go_to(&Subtree::default())?;
            self.explore(None, false);
            if self.explored.stopped.is_some() {
                break;
            }
        }
        self.end_all();
        Ok(())
    }

    /// Goes on until all paths have ended or a limit is reached, which it says; or pauses at a time since the
    /// process began, or as soon as a state can be given away.
    pub fn explore(&mut self, pause_at: Option<Duration>, to_give: bool) -> bool {
        self.pause_at = pause_at;
        self.pausing = false;
        while let Some(state) = self.next_state_to_run() {
            self.follow_path(state);
            for warning in self.solver.take_warnings() {
                self.observer.warn(&warning);
            }
            self.look_outside();
            self.collect_in_time(None);
            self.look_at_seeds();
            if self.config.seeds.only && !self.config.seeds.all.is_empty() && !self.searcher.has_seeded() {
                self.explored.stopped = self.explored.stopped.or(Some(Halt::Seeds));
            }
            if self.explored.stopped.is_some() {
                return true;
            }
            if self.pausing || to_give && self.searcher.can_give() {
                return self.searcher.len() == 0;
            }
        }
        true
    }

    /// Ends what is left, with tests if they are wanted, and tells the last counts.
    pub fn end_all(&mut self) {
        self.end_meetings();
        if let Some(halt) = self.explored.stopped {
            // Followed seeds are no early end, unless something is left.
            if halt != Halt::Seeds || self.searcher.len() > 0 {
                self.observer.halt(&halt);
            }
            let ending = Ending::Early(halt.reason().to_owned());
            let later: fn(&State) -> bool =
                if self.config.new_coverage_only { |state| !state.new_coverage } else { |_| false };
            // Where the user waits, tests of what is left are made for a moment.
            if matches!(halt, Halt::Time | Halt::Interrupt) {
                let until = self.system.elapsed() + TIME_FOR_TESTS;
                self.solver.patience().set(Some(until), halt == Halt::Interrupt);
            }
            for mut state in self.searcher.drain(later) {
                if self.config.dump_states && self.solver.patience().lasts(&*self.system) {
                    self.end(&mut state, ending.clone());
                } else {
                    self.count_ending(&state, &ending);
                }
            }
        }
        self.solver.finish();
        for warning in self.solver.take_warnings() {
            self.observer.warn(&warning);
        }
        self.tell_progress();
    }

    fn next_state_to_run(&mut self) -> Option<State> {
        if self.searcher.is_weighted() && self.coverage.is_stale(self.explored.instructions) {
            self.coverage.measure(self.module, self.explored.instructions, self.searcher.len());
            self.reweigh();
        }
        if self.searcher.len() == 0 {
            self.end_meetings();
        }
        let state = self.searcher.take()?;
        let live = self.searcher.len() as u64 + 1;
        self.explored.most_states = self.explored.most_states.max(live);
        Some(state)
    }

    /// Runs a state until it ends, becomes several, or others have waited long enough.
    fn follow_path(&mut self, mut state: State) {
        debug_assert!(!state.is_packed());
        self.solver.see(state.memory.merged_places());
        state.fresh = false;
        self.is_over = false;
        self.solver.take_dearest();
        self.patient = state.dear.take().is_some();
        let (mut put_off, mut met) = (None, false);
        let turn = if self.searcher.is_fair() { TURN } else { u64::MAX };
        let (begun, covered) = (self.explored.instructions, self.coverage.covered());
        let last = begun.saturating_add(turn);
        if let Some(paths) = &mut self.call_paths {
            paths.enter(&state);
        }
        let mut counted = begun;
        let end = loop {
            if let Some(paths) = &mut self.call_paths {
                paths.count(&state, self.explored.instructions - counted);
                counted = self.explored.instructions;
            }
            if let Some(reason) = self.reason_to_stop() {
                self.explored.stopped = Some(reason);
                break None;
            }
            if self.pausing && !self.is_retracing() {
                break None;
            }
            self.heap = state.memory.heap();
            if std::mem::take(&mut self.is_over) {
                break Some(Ending::Early(search::frontier::EXCEEDED.to_owned()));
            }
            let straight = self.straight(last);
            if self.run_straight(&mut state, straight) == straight && straight > 0 {
                if self.explored.instructions >= last {
                    break None;
                }
                continue;
            }
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS) {
                self.look_outside();
                self.collect_in_time(Some(&state));
            }
            // What an instruction found out before a dear question is found out once more, and noted then.
            let trail = self.config.put_off.map(|_| state.trail.clone());
            (self.is_bound, self.errs) = (false, false);
            match self.step(&mut state) {
                Ok(()) if self.explored.instructions >= last => break None,
                Ok(()) => {}
                Err(Stop::Again) => {
                    self.explored.forks += 1;
                    state.depth += 1;
                    // The sides of a choice are equals: the searcher says which goes on.
                    state.fresh = true;
                    break None;
                }
                Err(Stop::PutOff) => {
                    put_off = self.config.put_off.map(|limit| limit.saturating_add(1));
                    state.trail = trail.unwrap_or(state.trail);
                    break None;
                }
                Err(Stop::Met) => {
                    met = true;
                    break None;
                }
                // A question that the end of the run took the answer from says nothing about the path.
                Err(Stop::Ended(ending)) => {
                    self.look_outside();
                    let unanswered =
                        matches!(&ending, Ending::Error(error) if error.kind == ErrorKind::Solver);
                    let over = matches!(self.explored.stopped, Some(Halt::Time | Halt::Interrupt));
                    break (!unanswered || !over).then_some(ending);
                }
            }
        };
        self.note_new(&mut state, covered, begun);
        let price = self.solver.take_dearest();
        state.dear = put_off.or(self.config.put_off.filter(|limit| price > *limit).map(|_| price));
        if self.is_costly(&mut state, price)
            && end.is_none()
            && !met
            && let Some(example) = self.example(&state)
        {
            self.forked.push(example);
        }
        let made = self.forked.len() as u64;
        if made > 0 {
            let kind = self.fork_kind(&state);
            *self.explored.forks_by.entry(kind).or_default() += made;
            self.hot(&state).forks += made;
            let others: Vec<u64> = self.forked.iter().map(|forked| forked.id).collect();
            let line = self.line(&state);
            self.observer().forked(&Forked { state: state.id, others: &others, kind, line });
        }
        let mut forked = std::mem::take(&mut self.forked);
        self.searcher.forked(state.id, &forked);
        for forked in &mut forked {
            forked.since_new = state.since_new;
            forked.dear = state.dear.filter(|_| !forked.is_example || state.is_example);
            self.join_meetings(forked);
        }
        // The later one waits, the newer it is.
        if self.config.ages_at_forks && !self.errs {
            self.put_back(state, end, met);
            forked.into_iter().rev().for_each(|forked| self.wait(forked));
        } else {
            forked.into_iter().for_each(|forked| self.wait(forked));
            self.put_back(state, end, met);
        }
    }

    /// Puts a state among those that wait.
    fn wait(&mut self, state: State) {
        if state.fresh && !self.without.is_empty() && self.without.contains(&state.trail.to_vec()) {
            self.searcher.ended(state.id);
            return;
        }
        let Self { coverage, executions, call_paths, searcher, .. } = self;
        searcher.add(state, |order, state| {
            search::weights::weight(coverage, executions, call_paths.as_ref(), order, state)
        });
    }

    fn reason_to_stop(&mut self) -> Option<Halt> {
        let config = self.config;
        let reached = |limit: Option<u64>, now: u64| limit.is_some_and(|limit| now >= limit);
        if reached(config.max_instructions, self.explored.instructions) {
            return Some(Halt::Instructions);
        }
        if self.explored.instructions.is_multiple_of(CLOCK_INTERVAL) {
            self.look_outside();
        }
        self.explored.stopped
    }

    /// Looks at what does not change with every instruction: the clock, the user, what paths have left.
    fn look_outside(&mut self) {
        let config = self.config;
        let elapsed = self.system.elapsed();
        self.pausing |= self.pause_at.is_some_and(|at| elapsed >= at);
        if self.observer.wants_progress(elapsed) {
            self.tell_progress();
        }
        let reached = |limit: Option<u64>, now: u64| limit.is_some_and(|limit| now >= limit);
        let reason = if self.system.interrupted() {
            Halt::Interrupt
        } else if self.deadline.is_some_and(|end| elapsed >= end) {
            Halt::Time
        } else if self.look_at_memory() {
            Halt::Memory
        } else if reached(config.max_tests, self.explored.tests) {
            Halt::Tests
        } else if config.max_states.is_some_and(|limit| self.searcher.len() >= limit) {
            Halt::States
        } else {
            return;
        };
        self.explored.stopped = self.explored.stopped.or(Some(reason));
    }

    fn tell_progress(&mut self) {
        self.explored.covered = self.coverage.covered();
        let mut counts = self.solver.counts();
        counts.add("expressions", self.arena.len() as u64);
        let now = Progress {
            explored: self.explored.clone(),
            counts,
            states: self.searcher.len() as u64,
            branches: self.coverage.branches(self.module),
            elapsed: self.system.elapsed(),
            times: self.times,
        };
        self.observer.progress(&now);
    }

    /// Warns once about something.
    pub(crate) fn warn_once(&mut self, text: &str) {
        self.warn_once_of(text, text);
    }

    /// Warns about something unless something of this kind was warned of.
    pub(crate) fn warn_once_of(&mut self, kind: &str, text: &str) {
        if !self.is_retracing() && self.warned.insert(kind.to_owned()) {
            self.observer.warn_once(text);
        }
    }

    /// Who is told what the running path does: nobody of what another one did before.
    pub(crate) fn observer(&mut self) -> &mut dyn Observer {
        if self.is_retracing() { &mut self.nobody } else { self.observer }
    }
}
