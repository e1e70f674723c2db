//! Solvers in their worker programs: the end of the chain.
//!
//! There is one worker for each [engine](super::engine); mostly that is Z3 alone. With several they race for truths;
//! a solution that decides what is written is the first engine's whenever that one has an answer. Every question is
//! sent in canonical form, so what the worker answers (a model, above all) is a function of the canonical question,
//! whatever caches stand above.

use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use cache_core::cache::Cost;
use cache_core::codec;
use cache_core::digest::Digest;
use cache_core::worker::{Supervisor, WorkerConfig, WorkerError};

use super::engine::Engine;
use super::question::{Question, Request, Response, Verdict, Wanted};
use super::translate::{Canonical, LastForm, Layout, Translated, concrete, in_order, question, question_in};
use super::{Counts, Query, Solver, SolverError, enumerate, intervals, race, search, smtlib};
use crate::base::system::System;
use crate::expr::{Arena, ExprId, Marks, Model};

/// How long questions are still answered, for the whole chain. Clones are the same.
#[derive(Clone, Default)]
pub struct Patience(Rc<Cell<Limit>>);

/// Until when, and whether an interrupt ends it before.
#[derive(Clone, Copy, Default)]
struct Limit {
    until: Option<Duration>,
    deaf: bool,
}

impl Patience {
    /// Ends at a time since the run began; never, if absent. `deaf` says that interrupts do not end it.
    pub fn set(&self, until: Option<Duration>, deaf: bool) {
        self.0.set(Limit { until, deaf });
    }

    /// What is left of it; nothing if it is at its end.
    fn left(&self, system: &dyn System) -> Result<Option<Duration>, SolverError> {
        let Limit { until, .. } = self.0.get();
        let left = until.map(|until| until.saturating_sub(system.elapsed()));
        match left {
            _ if !self.lasts(system) => {
                Err(SolverError::Unknown("the time of the run is used up".to_owned()))
            }
            left => Ok(left),
        }
    }

    /// Whether it is not at its end.
    #[must_use]
    pub fn lasts(&self, system: &dyn System) -> bool {
        let Limit { until, deaf } = self.0.get();
        until.is_none_or(|until| system.elapsed() < until) && (deaf || !system.interrupted())
    }
}

/// How much is spent on a question for now, in the engine's units: what would take more is [`SolverError::Dear`], also
/// where a cache knows the answer, so that nothing depends on who knows it. Clones are the same; without a bound at
/// first.
#[derive(Clone, Default)]
pub struct Budget(Rc<Cell<Option<u64>>>);

impl Budget {
    /// Bounds the next questions, or does not.
    pub fn set(&self, most: Option<u64>) {
        self.0.set(most);
    }

    /// The bound.
    #[must_use]
    pub fn get(&self) -> Option<u64> {
        self.0.get()
    }
}

/// What the worker may spend on one question, and where it is.
#[derive(Clone)]
pub struct ProcessConfig {
    /// The clock, and where logs go.
    pub system: Rc<dyn System>,
    /// The worker's program.
    pub program: PathBuf,
    /// Who answers: the first one, and where that takes it long the others as well.
    pub engines: Vec<Engine>,
    /// How long there are answers at all.
    pub patience: Patience,
    /// How long one question may take.
    pub wall: Option<Duration>,
    /// How much work one question may be, in the engine's units.
    pub resource: Option<u64>,
    /// How much is done for one question for now.
    pub budget: Budget,
    /// Whether what a question costs is to be a function of it, since that decides what comes first. It takes a
    /// millisecond more for each.
    pub exact: bool,
    /// How much memory the worker may take, in bytes.
    pub memory_bytes: Option<u64>,
    /// A folder for every question as SMT-LIB 2.
    pub log: Option<PathBuf>,
    /// Whether questions over one or two bytes, or over numbers of which comparisons leave few values, are decided by
    /// trying these, questions that compare one number with constants by intervals, and others where a search finds a
    /// solution, or what their terms can be shows that there is none.
    pub enumerate: bool,
    /// Whether most values are forgotten there: a lie for the oracle to find.
    #[cfg(feature = "plant")]
    pub skip_values: bool,
    /// Whether bounds are one off where intervals decide: another lie.
    #[cfg(feature = "plant")]
    pub move_bounds: bool,
    /// Whether reads from long unknown buffers see the byte behind: another lie.
    #[cfg(feature = "plant")]
    pub mix_bytes: bool,
    /// Whether solvers' programs answer late: another lie.
    #[cfg(feature = "plant")]
    pub late_answers: bool,
    /// Whether what a search ends with is a solution: another lie.
    #[cfg(feature = "plant")]
    pub trust_search: bool,
    /// Whether questions are asked in the state's own layout even where that does not matter: for
    /// audits, which are to check exactly this.
    pub own_layout: bool,
}

/// The counter of expressions in all questions together.
pub(crate) const QUERY_CONSTRUCTS: &str = "query_constructs";

/// The counter of questions for which the worker could not even be started.
pub(crate) const SOLVER_START_FAILURES: &str = "solver_start_failures";

/// What glibc's allocator is told in the worker. A context of Z3's begins with tables of 32 megabytes, of
/// which most questions use little: with large pages, and kept for the next context, they cost a third
/// less of a short run.
const TUNABLES: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.malloc.hugetlb=1:glibc.malloc.trim_threshold=268435456:glibc.malloc.mmap_threshold=268435456",
);

/// How much longer than the engine's own limit the worker may take before it is killed.
const GRACE: Duration = Duration::from_secs(1);

/// The solver that asks the worker.
pub struct Process {
    config: ProcessConfig,
    forms: LastForm,
    /// One for each engine.
    workers: Vec<Supervisor>,
    asked: u64,
    /// In which values are tried.
    vectors: enumerate::Vectors,
    /// Questions that were decided by trying all values, or as intervals.
    enumerated: u64,
    /// Those of them that compare one number with constants, or leave nothing of a number.
    bounded: u64,
    /// Those of them whose solution was found by a search, and those that have none by what their terms can be.
    searched: u64,
    refuted: u64,
    /// Questions with long arrays of unknown bytes that were those of the solver's theory.
    buffers: u64,
    /// Choices all of whose sides were decided by trying all values once.
    together: u64,
    failed: u64,
    /// Questions that were put off.
    dear: u64,
    unstarted: u64,
    /// Questions without a solution.
    contradictions: u64,
    /// Questions whose solution was wanted and found, or found missing.
    solutions: u64,
    /// Expressions in all questions.
    constructs: u64,
    spent: Cost,
    /// What the questions that were answered cost.
    price: u64,
    warnings: Vec<String>,
}

impl Process {
    /// A solver whose worker starts with the first question.
    #[must_use]
    pub fn new(config: ProcessConfig) -> Self {
        Self::sharing(config, LastForm::default())
    }

    /// One that shares canonical forms with the cache above it.
    #[must_use]
    pub fn sharing(config: ProcessConfig, forms: LastForm) -> Self {
        let workers = config.engines.iter().map(|engine| Supervisor::new(worker(&config, engine))).collect();
        Self {
            config,
            forms,
            workers,
            asked: 0,
            vectors: enumerate::Vectors::default(),
            enumerated: 0,
            bounded: 0,
            searched: 0,
            refuted: 0,
            buffers: 0,
            together: 0,
            failed: 0,
            dear: 0,
            unstarted: 0,
            contradictions: 0,
            solutions: 0,
            constructs: 0,
            spent: Cost::default(),
            price: 0,
            warnings: Vec::new(),
        }
    }

    /// How many values of a byte are tried, and of 256 values of anything else.
    fn values(&self) -> usize {
        #[cfg(feature = "plant")]
        if self.config.skip_values {
            return 64;
        }
        enumerate::VALUES
    }

    /// The answer to a question over few bytes or few values, or about one number and constants.
    fn enumerated(&mut self, question: &Question) -> Option<Verdict> {
        if !self.config.enumerate {
            return None;
        }
        let values = self.values();
        let tried = enumerate::decide_up_to(question, values, &mut self.vectors);
        if tried.is_some() {
            return tried;
        }
        self.among_left(question, values).or_else(|| self.searched(question, values))
    }

    /// The answer where comparisons with constants leave one number, or few values.
    fn among_left(&mut self, question: &Question, values: usize) -> Option<Verdict> {
        let left = intervals::left_off(question, self.off())?;
        let decided = left.verdict();
        self.bounded += u64::from(decided.is_some());
        decided.or_else(|| enumerate::decide_among(question, &left, values, &mut self.vectors))
    }

    /// The answer that a search finds.
    fn searched(&mut self, question: &Question, values: usize) -> Option<Verdict> {
        let found = search::decide_among(question, values, self.check(), &mut self.vectors);
        match &found {
            Some(Verdict::Satisfiable(_)) => self.searched += 1,
            Some(_) => self.refuted += 1,
            None => {}
        }
        found
    }

    /// Whether what a search finds is looked at again.
    #[cfg_attr(
        not(feature = "plant"),
        expect(clippy::unused_self, reason = "lies are told with the feature")
    )]
    fn check(&self) -> search::Check {
        #[cfg(feature = "plant")]
        if self.config.trust_search {
            return search::Check::Omitted;
        }
        search::Check::Computed
    }

    /// How far bounds of intervals are off.
    fn off(&self) -> u64 {
        #[cfg(feature = "plant")]
        if self.config.move_bounds {
            return 1;
        }
        0
    }

    fn ask(&mut self, question: Question, wanted: Wanted) -> Result<Verdict, SolverError> {
        if let Some(verdict) = self.enumerated(&question) {
            self.enumerated += 1;
            return Ok(verdict);
        }
        self.asked += 1;
        self.constructs += question.terms.len() as u64;
        let result = self.ask_once(question, wanted);
        self.dear += u64::from(matches!(result, Err(SolverError::Dear)));
        self.failed += u64::from(result.as_ref().is_err_and(|error| *error != SolverError::Dear));
        self.contradictions += u64::from(matches!(result, Ok(Verdict::Unsatisfiable)));
        self.solutions += u64::from(result.is_ok() && wanted != Wanted::Truth);
        result
    }

    fn ask_once(&mut self, question: Question, wanted: Wanted) -> Result<Verdict, SolverError> {
        self.log(&question);
        #[cfg(feature = "plant")]
        let question = if self.config.mix_bytes { super::planted::mixed(question) } else { question };
        let system = Rc::clone(&self.config.system);
        let left = self.config.patience.left(&*system)?;
        let wall = [self.config.wall, left].into_iter().flatten().min();
        let request = Request {
            question,
            wanted,
            wall_ms: wall.map(|wall| u64::try_from(wall.as_millis()).unwrap_or(u64::MAX).max(1)),
            resource: self.config.resource,
            give_up: self.config.budget.get(),
            exact: self.config.exact,
        };
        let bytes = codec::encode(&request).map_err(|error| SolverError::Worker(error.to_string()))?;
        let deadline = [self.config.wall.map(|wall| wall + GRACE), left].into_iter().flatten().min();
        let start = system.elapsed();
        let patience = self.config.patience.clone();
        let answer = ask(&mut self.workers, &|| patience.lasts(&*system), &bytes, deadline, wanted);
        self.spent.seconds += self.config.system.elapsed().saturating_sub(start).as_secs_f64();
        self.unstarted += u64::from(matches!(answer, Err(WorkerError::Start { .. })));
        let answer = answer.map_err(|error| match error {
            WorkerError::Deadline { .. } | WorkerError::Memory { .. } | WorkerError::Cancelled => {
                SolverError::Unknown(error.to_string())
            }
            WorkerError::Start { .. } => SolverError::Worker(format!(
                "{error}\nthe solver lies beside `symexec` or in PREFIX/lib/reprise and needs the Z3 library \
                 {version}; `cargo xtask setup` and `cargo build` (or `cargo xtask install`) put both there",
                version = super::Z3_VERSION
            )),
            _ => SolverError::Worker(error.to_string()),
        })?;
        let response: Response =
            codec::decode(&answer).map_err(|error| SolverError::Worker(error.to_string()))?;
        self.spent.resource += response.resource;
        self.buffers += u64::from(response.buffers);
        let budget = self.config.budget.get();
        match response.verdict {
            // Whatever it says, it is asked again without the bound.
            Verdict::Unknown(_) if budget.is_some_and(|most| response.resource >= most) => {
                Err(SolverError::Dear)
            }
            Verdict::Unknown(reason) => Err(SolverError::Unknown(reason)),
            // The engine looks at its limit now and then only. A cache that knew the answer would refuse it.
            _ if budget.is_some_and(|most| response.resource > most) => Err(SolverError::Dear),
            verdict => {
                self.price += response.resource;
                Ok(verdict)
            }
        }
    }

    /// Writes the question as SMT-LIB 2, named by its digest, so that each is there once.
    fn log(&mut self, question: &Question) {
        let Some(folder) = &self.config.log else { return };
        let Ok(bytes) = codec::encode(question) else { return };
        let path = folder.join(format!("{}.smt2", Digest::of(&bytes)));
        let written = self.config.system.write_file(&path, smtlib::print(question).as_bytes());
        if let Err(error) = written {
            self.warnings.push(format!("no log of questions: {}: {error}", path.display()));
            self.config.log = None;
        }
    }

    fn solution(
        &mut self,
        arena: &mut Arena,
        query: &Query,
        wanted: Wanted,
    ) -> Result<Option<Model>, SolverError> {
        let Translated { question, inputs } = self.translate(arena, query);
        match self.ask(question, wanted)? {
            Verdict::Satisfiable(values) => Ok(Some(Model::new(inputs.into_iter().zip(values)))),
            _ => Ok(None),
        }
    }

    fn translate(&self, arena: &mut Arena, query: &Query) -> Translated {
        let replaced;
        let query = if self.config.own_layout {
            replaced = concrete(arena, query);
            &replaced
        } else {
            query
        };
        let form = self.forms.of(arena, query);
        question(arena, &form)
    }
}

/// How the worker of an engine is started.
fn worker(config: &ProcessConfig, engine: &Engine) -> WorkerConfig {
    let mut worker = WorkerConfig::new(config.program.clone()).arguments(engine.arguments());
    worker.memory_bytes = config.memory_bytes;
    #[cfg(feature = "plant")]
    if config.late_answers && engine.program.is_some() {
        worker.arguments.push(super::engine::LATE_FLAG.into());
    }
    if config.system.environment(TUNABLES.0).is_none() {
        worker.environment.push((TUNABLES.0.into(), TUNABLES.1.into()));
    }
    worker
}

/// Asks the only worker, or several: for truths and witnesses side by side, for models one after the other, so that who
/// is faster decides about no model.
fn ask(
    workers: &mut [Supervisor],
    goes_on: &dyn Fn() -> bool,
    request: &[u8],
    deadline: Option<Duration>,
    wanted: Wanted,
) -> Result<Vec<u8>, WorkerError> {
    let decided = |answer: &[u8]| {
        codec::decode::<Response>(answer).is_ok_and(|it| !matches!(it.verdict, Verdict::Unknown(_)))
    };
    if wanted != Wanted::Model && workers.len() > 1 {
        return race::ask(workers, goes_on, request, deadline, &decided);
    }
    let mut workers = workers.iter_mut();
    let Some(first) = workers.next() else { return Err(WorkerError::Cancelled) };
    let first = first.ask_while(goes_on, request, deadline);
    if first.as_ref().is_ok_and(|answer| decided(answer)) {
        return first;
    }
    let others = workers.map(|worker| worker.ask_while(goes_on, request, deadline));
    others.flatten().find(|answer| decided(answer)).map_or(first, Ok)
}

impl Process {
    /// Whether a question has a solution with objects at given places.
    pub(super) fn satisfiable_in(
        &mut self,
        arena: &Arena,
        form: &Canonical,
        layout: &Layout,
    ) -> Result<bool, SolverError> {
        let Translated { question, .. } = question_in(arena, form, layout);
        Ok(matches!(self.ask(question, Wanted::Truth)?, Verdict::Satisfiable(_)))
    }
}

impl Solver for Process {
    fn trace(&mut self, _: &mut Marks) {
        self.forms.forget();
    }

    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
        let Translated { question, .. } = self.translate(arena, query);
        Ok(matches!(self.ask(question, Wanted::Truth)?, Verdict::Satisfiable(_)))
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        self.solution(arena, query, Wanted::Model)
    }

    fn witness(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        self.solution(arena, query, Wanted::Witness)
    }

    fn possible(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        conditions: &[ExprId],
    ) -> Option<Vec<bool>> {
        // With addresses in them they are asked one by one, for caches to see, and so they are without a cache: what
        // questions cost is to be the same.
        let has_addresses = constraints.iter().chain(conditions).any(|id| arena.info(*id).addresses);
        if !self.config.enumerate || has_addresses {
            return None;
        }
        let Translated { question, .. } = in_order(arena, &[conditions, constraints].concat());
        let possible = enumerate::possible(&question, conditions.len(), self.values(), &mut self.vectors)?;
        self.together += 1;
        Some(possible)
    }

    fn spent(&self) -> Cost {
        self.spent
    }

    fn price(&self) -> u64 {
        self.price
    }

    fn count(&self, counts: &mut Counts) {
        counts.add("solver_queries", self.asked);
        counts.add("choices_enumerated", self.together);
        counts.add("enumerated_queries", self.enumerated);
        counts.add("interval_queries", self.bounded);
        counts.add("searched_queries", self.searched);
        counts.add("refuted_queries", self.refuted);
        counts.add("buffer_queries", self.buffers);
        counts.add("solver_failures", self.failed);
        counts.add("put_off_queries", self.dear);
        counts.add("solver_contradictions", self.contradictions);
        counts.add("solver_models", self.solutions);
        counts.add(QUERY_CONSTRUCTS, self.constructs);
        counts.add(SOLVER_START_FAILURES, self.unstarted);
        counts.add("solver_resource", self.spent.resource);
        counts.add("solver_starts", self.workers.iter().map(Supervisor::starts).sum());
        counts.seconds += self.spent.seconds;
    }

    fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}
