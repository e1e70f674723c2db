//! The chain, put together.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use cache_core::audit::Audit;
use cache_core::cache::CacheConfig;
use cache_core::mode::Mode;
use cache_core::store::Store;

use super::counterexample::Counterexamples;
use super::equalities::Equalities;
use super::independence::Independence;
use super::layouts::Layouts;
use super::places::MergedPlaces;
use super::process::{Budget, Process, ProcessConfig};
use super::query_cache::{Naming, QueryCache};
use super::query_log::{Instructions, Languages, LogFiles, Logged, QueryLog};
use super::translate::LastForm;
use super::{Front, Solver};

/// Which parts the chain has.
#[derive(Clone)]
pub struct ChainConfig {
    /// The worker at its end.
    pub process: ProcessConfig,
    /// The query cache; `None` for none.
    pub query_cache: Option<Naming>,
    /// What the query cache may take and leave.
    pub mode: Mode,
    /// Which of its hits are checked.
    pub audit: Audit,
    /// Where its entries are kept beyond the run.
    pub store: Option<Arc<dyn Store>>,
    /// What the program is called: under this name its questions are noted for the next run.
    pub program: String,
    /// A lie that the query cache is to tell, for the oracle to find.
    #[cfg(feature = "plant")]
    pub fault: Option<crate::base::plant::Fault>,
    /// In how many other layouts each address-agnostic question is solved again; for test runs.
    pub check_layouts: u32,
    /// Whether solutions and contradictions are reused for subsets and supersets of constraints.
    pub counterexamples: bool,
    /// Whether every stored solution is tried, and not only those of subsets and supersets.
    pub try_all: bool,
    /// Whether what constraints fix is substituted into later ones.
    pub equalities: bool,
    /// The folder of logs of questions, and which there are.
    pub logs: Option<(PathBuf, Logged)>,
}

impl ChainConfig {
    /// The solver behind a log, if it is wanted.
    fn logging(
        &self,
        inner: Box<dyn Solver>,
        name: &'static str,
        languages: fn(&Logged) -> Languages,
        instructions: &Instructions,
    ) -> Box<dyn Solver> {
        let Some((folder, logged)) = &self.logs else { return inner };
        let languages = languages(logged);
        if languages == Languages::default() {
            return inner;
        }
        let files = LogFiles { folder: folder.clone(), name, languages, logged: *logged };
        Box::new(QueryLog::new(inner, Rc::clone(&self.process.system), files, instructions.clone()))
    }

    /// Whether a lie is to be told.
    #[cfg(feature = "plant")]
    fn tells(&self, fault: crate::base::plant::Fault) -> bool {
        self.fault == Some(fault)
    }

    /// Whether questions that depend on the layout are to be treated as if they did not.
    #[cfg(feature = "plant")]
    fn believes_all(&self) -> bool {
        self.tells(crate::base::plant::Fault::IgnoreLayout)
    }

    /// Whether the counterexample cache stands in front of the query cache. Where what questions cost decides what
    /// comes first, what costs nothing must not depend on what the query cache had: so the one that answers for nothing
    /// sees all questions, and hears for each the solution that the solver always gives, from whoever knows it.
    fn reuses_first(&self) -> bool {
        // Several solvers give whichever solution is found first; then nothing is won.
        self.process.exact && self.process.engines.len() == 1
    }

    /// Solutions and contradictions that are reused, in front of a solver.
    fn reusing(&self, inner: Box<dyn Solver>) -> Box<dyn Solver> {
        if !self.counterexamples {
            return inner;
        }
        Box::new(Counterexamples::new(inner, self.try_all, Rc::clone(&self.process.system)))
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "it has a fault only where faults can be planted")]
    fn believes_all(&self) -> bool {
        false
    }
}

/// Puts the chain together:
///
/// ```text
/// engine ─> Front ─> (QueryLog) ─> Equalities ─> Independence ─> (Layouts) ─> QueryCache ─> Counterexamples
///                                                                                     ─> (QueryLog) ─> Process (Z3, others)
///                                                      │            └─ audits ─> Process in the state's own layout
///                                                      └─ for test runs: Process in other layouts
/// ```
///
/// Where questions that are dear wait for others, `Counterexamples` stands in front of `QueryCache`.
///
/// Where segments are used again, the query cache and those behind it are shown questions with merged
/// objects at the segments' places, as the engine tells them ([`MergedPlaces`]); audits and checks of layouts
/// are not.
#[must_use]
pub fn assemble(config: &ChainConfig) -> Front {
    let forms = LastForm::default();
    let places = MergedPlaces::default();
    let instructions = Instructions::default();
    let mut solver: Box<dyn Solver> = Box::new(Process::sharing(config.process.clone(), forms.clone()));
    solver = config.logging(solver, "solver-queries", |logged| logged.solver, &instructions);
    if !config.reuses_first() {
        solver = config.reusing(solver);
    }
    #[cfg(feature = "plant")]
    if config.tells(crate::base::plant::Fault::MisplaceObjects) {
        solver = Box::new(super::planted::Misplaced::new(solver));
    }
    if let Some(naming) = config.query_cache {
        let audited = ProcessConfig {
            own_layout: true,
            // An audit asks the solver itself.
            enumerate: false,
            budget: Budget::default(),
            #[cfg(feature = "plant")]
            skip_values: false,
            #[cfg(feature = "plant")]
            move_bounds: false,
            #[cfg(feature = "plant")]
            mix_bytes: false,
            #[cfg(feature = "plant")]
            late_answers: false,
            #[cfg(feature = "plant")]
            trust_search: false,
            system: Rc::clone(&config.process.system),
            ..config.process.clone()
        };
        let auditor = Box::new(Process::new(audited));
        let cache = CacheConfig::default().mode(config.mode).audit(config.audit).store(config.store.clone());
        let cache = QueryCache::new(solver, auditor, naming, cache.clone())
            .sharing(forms)
            .seeing(places.clone())
            .within(config.process.budget.clone())
            .answered_by(&config.process.engines)
            .trying_values(config.process.enumerate)
            .pricing(config.process.exact)
            .on_the_trail_of(&config.program, cache);
        #[cfg(feature = "plant")]
        let cache = cache.planting(config.fault);
        solver = Box::new(cache);
    }
    if config.reuses_first() {
        solver = config.reusing(solver);
    }
    if config.check_layouts > 0 {
        let process = Process::new(ProcessConfig {
            enumerate: false,
            budget: Budget::default(),
            #[cfg(feature = "plant")]
            skip_values: false,
            #[cfg(feature = "plant")]
            move_bounds: false,
            #[cfg(feature = "plant")]
            mix_bytes: false,
            #[cfg(feature = "plant")]
            late_answers: false,
            #[cfg(feature = "plant")]
            trust_search: false,
            ..config.process.clone()
        });
        solver = Box::new(Layouts::new(solver, process, config.check_layouts, config.believes_all()));
    }
    solver = Box::new(Independence::new(solver));
    if config.equalities {
        solver = Box::new(Equalities::new(solver));
    }
    solver = config.logging(solver, "all-queries", |logged| logged.all, &instructions);
    Front::new(solver, Rc::clone(&config.process.system))
        .telling(places)
        .noting(instructions)
        .lasting(config.process.patience.clone())
        .spending(config.process.budget.clone())
}
