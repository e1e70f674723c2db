//! The library's door: verifies a stream of snapshots of a program.
//!
//! For every snapshot: parse, resolve, find what each implementation reaches, and look its key up. What
//! the cache knows is reported at once, before any solver is started. The rest is ordered by the
//! priorities of section 3.3 of the paper, lowered, translated, and asked, by as many worker programs
//! as there are cores; answers are stored and reported as they arrive. A cancelled run keeps what it
//! has stored.
//!
//! On a miss of the key, the digest of the exact query is looked up before the solver is asked: a
//! change that does not reach the query (a procedure's unused parameter, say) costs nothing.

mod ask;
mod candidates;
mod chosen;
mod client;
mod coverage;
mod failures;
mod front;
mod pieces;
mod questions;
mod recall;
mod smoke;
mod trace;
mod values;

use std::sync::Arc;

use cache_core::audit::Audit;
use cache_core::cache::{Cache, CacheConfig, Lookup, Provenance};
use cache_core::key::Key;
use cache_core::limits::{Limits, MachineId};
use cache_core::mode::Mode;
use cache_core::stats::{CacheStats, MissReason};
use cache_core::store::Store;
use cache_core::worker::{Cancel, Pool, WorkerConfig};
use std::num::NonZeroUsize;

use crate::base::arena::Id;
use crate::base::source::{FileId, Sources};
use crate::base::system::System;
use crate::report::{Origin, Report, Snapshot, Verdict};
use crate::resolve::expand;
use crate::resolve::graph::ConstantId;
use crate::resolve::program::{AxiomId, ImplementationId, Program};
use crate::resolve::reach::{AxiomIndex, Reach, Visited, reach};
pub use crate::resolve::{Expansion, Hiding, Inlining, Instrument};
use crate::smt::stored::StoredResult;
use crate::snapshot::checksum::Checksums;
pub use crate::snapshot::key::KeepGoing;
use crate::snapshot::key::{KeyOptions, Priority, describe, key};
use crate::snapshot::proof::Proof;
use front::front_end;
pub use front::{Printing, on_deep_stack, print_expanded, print_inlined, print_parsed};
pub use questions::Question;

/// What to do when the worker program does not start.
const WAY_OUT: &str = "results from the cache are shown all the same; to get the solver, run \
    `cargo xtask setup` and build all programs with `cargo build`";

/// How snapshots are verified.
#[derive(Clone, Debug)]
pub struct Options {
    /// The worker program.
    pub solver: WorkerConfig,
    /// How many worker programs work side by side.
    pub cores: NonZeroUsize,
    /// After how many failing checks of an implementation to stop; 0 means never.
    pub error_limit: u32,
    /// The budget of an implementation in the solver's resource count.
    pub resource_limit: Option<u64>,
    /// The budget of an implementation in milliseconds.
    pub time_limit_ms: Option<u64>,
    /// Where time is measured: results that ran out of time are replayed on the same machine only.
    pub machine: Option<MachineId>,
    /// Further options of the solver, such as `smt.arith.solver` and `2`.
    pub solver_options: Vec<(String, String)>,
    /// How far the resource count of a query with quantifiers goes before it is asked afresh with [case splits that
    /// follow the goal](crate::smt::turns); 0 means that it never is.
    pub switch_after: u64,
    /// What is done to a program before it is verified.
    pub expansion: Expansion,
    /// Whether it is to be found out which `{:existential}` constants can hold.
    pub infer_contracts: bool,
    /// Whether axioms are pruned as Boogie prunes them when it is asked to.
    pub prune: bool,
    /// Whether lambdas are functions of the variables in them, not of the largest parts that stay the same.
    pub lift_variables: bool,
    /// Whether to look for code that control cannot reach, in what is verified.
    pub smoke: bool,
    /// Believes `{:checksum}` as Boogie does at this level of its `-verifySnapshots`, and traces what
    /// becomes of checks: for Boogie's own tests of its caching.
    pub client_checksums: Option<u32>,
    /// Which implementations to verify, by name; all if there are none. `*` stands for any text.
    pub only: Vec<String>,
    /// Which implementations not to verify, by name, in the same way.
    pub except: Vec<String>,
    /// What the cache may take and leave.
    pub mode: Mode,
    /// How often a cached result is checked against the solver.
    pub audit: Audit,
    /// Whether earlier proofs of single checks are used where an implementation's result is not known.
    pub fine_grained: bool,
    /// Whether a part of a query is asked only where that is likely to be cheaper than to ask the whole.
    pub thrifty: bool,
    /// Whether each check is a query of its own, within limits of its own.
    pub each_check: bool,
    /// Into how many pieces the checks of an implementation are shared out otherwise; 0 and 1 leave them together.
    pub max_pieces: u32,
    /// What becomes of pieces that run out of their limits.
    pub keep_going: KeepGoing,
    /// Whether the text of queries is wanted, as SMT-LIB 2.
    pub log_queries: bool,
    /// Whether values are wanted with which checks fail. They are not stored: what fails is asked again for them,
    /// and changed implementations are asked as a whole. No verdict and no key depends on it.
    pub values: bool,
    /// A lie that is to be told.
    #[cfg(feature = "plant")]
    pub fault: Option<cache_core::plant::Fault>,
}

impl Options {
    /// Boogie's defaults with the given worker program on one core: five errors, 10 seconds.
    #[must_use]
    pub fn new(solver: WorkerConfig) -> Self {
        Self {
            solver,
            cores: NonZeroUsize::MIN,
            error_limit: 5,
            resource_limit: None,
            time_limit_ms: Some(10_000),
            machine: None,
            solver_options: Vec::new(),
            switch_after: crate::smt::turns::SHARE,
            expansion: Expansion::default(),
            infer_contracts: false,
            prune: false,
            lift_variables: false,
            smoke: false,
            client_checksums: None,
            only: Vec::new(),
            except: Vec::new(),
            mode: Mode::default(),
            audit: Audit::Never,
            fine_grained: true,
            thrifty: true,
            each_check: false,
            max_pieces: 1,
            keep_going: KeepGoing::default(),
            log_queries: false,
            values: false,
            #[cfg(feature = "plant")]
            fault: None,
        }
    }
}

/// What happened so far beside the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Implementations that were to be verified.
    pub implementations: u64,
    /// Queries that were sent to the solver.
    pub queries: u64,
    /// Satisfiability checks of the solver.
    pub solver_checks: u64,
    /// What the solver spent, in its resource count.
    pub solver_resource: u64,
}

/// Verifies snapshots; keeps results between them.
pub struct Verifier {
    options: Options,
    system: Arc<dyn System>,
    cache: Cache<StoredResult>,
    /// What was found out about single checks, beside the results.
    proofs: Cache<Proof>,
    pool: Pool,
    counters: Counters,
    /// The last results of implementations with checksums of their own, where these count.
    claims: std::collections::BTreeMap<String, client::Claimed>,
    /// Whether what is being verified is not a version of the program but a variant of one. Its results are
    /// those of the variant alone: nothing is claimed of it, and no later version looks for them.
    variant: bool,
    /// The constants of which it is to be found out whether proofs need them; and those that the last one needed, by
    /// their places.
    tracked: Vec<String>,
    core: Vec<u32>,
    /// Errors that were reused, for a lie about their positions.
    #[cfg(feature = "plant")]
    old_errors: std::collections::BTreeMap<String, Vec<crate::report::CheckError>>,
}

/// An implementation whose result is not known.
struct Task {
    id: ImplementationId,
    key: Key,
    reach: Reach,
    priority: Priority,
    because: Vec<String>,
    /// A stored result that is to be compared with the solver's.
    audited: Option<StoredResult>,
    /// A stored result whose errors lack values.
    valued: Option<StoredResult>,
}

impl Verifier {
    /// A verifier with a cache over a store, or in memory alone.
    #[must_use]
    pub fn new(options: Options, store: Option<Arc<dyn Store>>, system: Arc<dyn System>) -> Self {
        let config = CacheConfig {
            mode: options.mode,
            audit: options.audit,
            store: store.clone(),
            ..CacheConfig::default()
        };
        let cache = Cache::new(config);
        let proofs = Cache::new(CacheConfig { mode: options.mode, store, ..CacheConfig::default() });
        let pool = Pool::new(&options.solver, options.cores);
        Self {
            options,
            system,
            cache,
            proofs,
            pool,
            counters: Counters::default(),
            claims: std::collections::BTreeMap::new(),
            variant: false,
            tracked: Vec::new(),
            core: Vec::new(),
            #[cfg(feature = "plant")]
            old_errors: std::collections::BTreeMap::new(),
        }
    }

    /// What happened so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// How often a worker program was started so far.
    #[must_use]
    pub fn solver_starts(&self) -> u64 {
        self.pool.starts()
    }

    /// What went wrong with the cache, which changes no verdict.
    pub fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = self.cache.take_warnings();
        warnings.extend(self.proofs.take_warnings());
        warnings
    }

    /// The questions to which the cache had a wrong answer, as audits found out.
    #[must_use]
    pub fn disagreements(&self) -> usize {
        self.cache.disagreements().len()
    }

    /// Ends the run: brings the store in order and gives the cache's statistics.
    pub fn finish(&mut self) -> CacheStats {
        self.cache.finish()
    }

    /// Parses, resolves and type checks a program, and verifies nothing.
    #[must_use]
    pub fn check(&self, sources: &Sources, files: &[FileId]) -> Snapshot {
        let infer = self.options.expansion.infer_modifies;
        Snapshot { diagnostics: front_end(sources, files, infer).1, ..Snapshot::default() }
    }

    /// Verifies one snapshot, which consists of files. `each` sees every result as it arrives, cached
    /// ones first.
    pub fn verify(
        &mut self,
        sources: &Sources,
        files: &[FileId],
        cancel: &Cancel,
        mut each: impl FnMut(&Report),
    ) -> Snapshot {
        let (program, mut diagnostics) = front_end(sources, files, self.options.expansion.infer_modifies);
        let Some(mut program) = program else { return Snapshot { diagnostics, ..Snapshot::default() } };
        let problems = expand(&mut program, &self.options.expansion);
        if !problems.is_empty() {
            diagnostics.extend(problems);
            return Snapshot { diagnostics, ..Snapshot::default() };
        }
        if self.options.infer_contracts {
            let (assignment, reports) = self.infer(&mut program, cancel);
            reports.iter().for_each(each);
            return Snapshot { diagnostics, reports, assignment, ..Snapshot::default() };
        }
        let mut reports = self.verify_program(&mut program, None, cancel, &mut each);
        if self.options.expansion.track {
            self.cover(&program, &mut reports, cancel);
        }
        let unreachable =
            if self.options.smoke { self.unreachable(&program, &reports, cancel) } else { Vec::new() };
        Snapshot { diagnostics, reports, unreachable, ..Snapshot::default() }
    }

    /// Verifies the implementations of a program, or those that reach one of the given constants.
    fn verify_program(
        &mut self,
        program: &mut Program,
        reaching: Option<&[ConstantId]>,
        cancel: &Cancel,
        each: &mut dyn FnMut(&Report),
    ) -> Vec<Report> {
        let mut reports = Vec::new();
        let mut add = |report: Report, reports: &mut Vec<Report>| {
            each(&report);
            reports.push(report);
        };

        let index = AxiomIndex::new(program, self.options.prune);
        let mut work: Vec<(Task, Vec<AxiomId>)> = Vec::new();
        let mut known = Vec::new();
        let options = self.key_options(program);
        let begin = options.begin();
        {
            let mut visited = Visited::default();
            let mut checksums = Checksums::new(program);
            for id in program.implementations.ids() {
                if !self.verifies(program, id) {
                    continue;
                }
                let reach = reach(program, &index, id, &mut visited);
                if reaching.is_some_and(|constants| !constants.iter().any(|it| reach.constants.contains(it)))
                {
                    continue;
                }
                self.counters.implementations += 1;
                let begin = self.begin_key(&begin, program, id);
                let (key, axioms) =
                    key(program, &mut checksums, id, &reach, &begin, options.drop_dependencies);
                let limits = self.limits(program, id);
                if let Some(level) = self.believed() {
                    if let Some(report) = self.claimed(program, id, level).filter(|_| level > 0) {
                        add(report, &mut reports);
                        continue;
                    }
                    let (priority, because) = self.explain(program, id, &key, MissReason::Absent);
                    let task = Task { id, key, reach, priority, because, audited: None, valued: None };
                    work.push((task, axioms));
                    continue;
                }
                // What parts of a proof are needed is stored with no result.
                let found = match self.tracked.is_empty() {
                    true => self.cache.lookup(&key, &limits),
                    false => Lookup::Miss(MissReason::Absent),
                };
                match found {
                    Lookup::Hit { answer, provenance, audit, .. } => {
                        known.push((id, key, reach, axioms, answer, origin(provenance), audit));
                    }
                    Lookup::Miss(reason) => {
                        let (priority, because) = self.explain(program, id, &key, reason);
                        let task = Task { id, key, reach, priority, because, audited: None, valued: None };
                        work.push((task, axioms));
                    }
                }
            }
        }
        // Hits that are to be audited are asked as well; those whose positions cannot be found are
        // asked instead.
        for (id, key, reach, axioms, answer, origin, audit) in known {
            self.remember(&identity(program, id), &key);
            match self.known(program, id, &reach, &answer, origin) {
                Some(report) if !audit && !self.lacks_values(&report.errors) => add(report, &mut reports),
                Some(mut report) if !audit && !self.options.mode.asks() => {
                    report.because.push("values of its errors are not stored".to_owned());
                    add(report, &mut reports);
                }
                found => {
                    let lacks = !audit && found.is_some();
                    let why = if lacks {
                        "its errors are known, and asked again for values"
                    } else {
                        "its cached result is being checked"
                    };
                    let because = vec![why.to_owned()];
                    let (audited, valued) =
                        if lacks { (None, Some(answer)) } else { (audit.then_some(answer), None) };
                    let priority = Priority::Highest;
                    work.push((Task { id, key, reach, priority, because, audited, valued }, axioms));
                }
            }
        }
        work.sort_by_key(|(task, _)| {
            let wish = program.implementations[task.id].wishes.priority.unwrap_or(1);
            (std::cmp::Reverse((wish, task.priority)), task.id.index())
        });
        if self.options.mode.asks() {
            self.ask(program, work, cancel, &mut |report| add(report, &mut reports));
        } else {
            for (task, _) in work {
                let verdict = Verdict::Offline(task.because.join(", "));
                add(self.blank(program, &task, verdict), &mut reports);
            }
        }
        reports.sort_by_key(|report| report.index);
        if let Some(level) = self.believed() {
            reports.iter_mut().for_each(|report| self.claim(program, report, level));
        }
        reports
    }

    /// At which level `{:checksum}` is believed. It says nothing of variants of a program, nor of what its
    /// constants are taken for while it is found out which of them hold.
    fn believed(&self) -> Option<u32> {
        self.options.client_checksums.filter(|_| !self.variant && !self.options.infer_contracts)
    }

    /// Lets later versions of an implementation find what is found out about this one.
    fn remember(&mut self, identity: &str, key: &Key) {
        if !self.variant {
            self.cache.remember(identity, key);
        }
    }

    fn uses_proofs(&self) -> bool {
        let keeps = self.options.mode.reads() || self.options.mode.writes();
        self.options.fine_grained && keeps && self.tracked.is_empty()
    }

    fn key_options(&self, program: &Program) -> KeyOptions {
        let mut solver = self.solver_options(program, &[]);
        if self.options.lift_variables {
            solver.push(("lambdas".to_owned(), "by variables".to_owned()));
        }
        solver.push(("switch after".to_owned(), self.options.switch_after.to_string()));
        KeyOptions {
            solver_version: crate::smt::answer::SOLVER_VERSION,
            error_limit: self.options.error_limit,
            each_check: self.options.each_check,
            max_pieces: self.options.max_pieces.max(1),
            keep_going: self.options.keep_going,
            solver,
            #[cfg(feature = "plant")]
            drop_dependencies: self.options.fault == Some(cache_core::plant::Fault::DropPart),
            #[cfg(not(feature = "plant"))]
            drop_dependencies: false,
        }
    }

    /// The solver's options, those last that an implementation has of its own. Model-based quantifier instantiation is
    /// off, as Boogie sets it.
    ///
    /// Polymorphic maps are the heaps of front ends (Dafny 2, Viper), whose axioms are written for quantifiers that
    /// are instantiated early: Boogie 2 has it so for all programs, Boogie 3 leaves it to those who call it. By hand
    /// programs are written without them, and most of what fails there takes longer to fail so.
    fn solver_options(&self, program: &Program, own: &[(String, String)]) -> Vec<(String, String)> {
        let mut options = vec![("mbqi".to_owned(), "false".to_owned())];
        if program.types.has_polymorphic_maps() {
            options.push(("qi.eager_threshold".to_owned(), "100".to_owned()));
        }
        options.extend(self.options.solver_options.iter().chain(own).cloned());
        options
    }

    fn limits(&self, program: &Program, id: ImplementationId) -> Limits {
        let wishes = &program.implementations[id].wishes;
        let nonzero = |limit: Option<u64>| limit.filter(|limit| *limit > 0);
        Limits {
            wall_ms: match wishes.time_limit {
                Some(seconds) => nonzero(Some(seconds.saturating_mul(1000))),
                None => nonzero(self.options.time_limit_ms),
            },
            resource: match wishes.resource_limit {
                Some(limit) => nonzero(Some(limit)),
                None => nonzero(self.options.resource_limit),
            },
            memory_bytes: self.options.solver.memory_bytes,
            machine: self.options.machine.clone(),
        }
    }

    /// How urgent an implementation without a result is, and why it has none.
    fn explain(
        &mut self,
        program: &Program,
        id: ImplementationId,
        key: &Key,
        reason: MissReason,
    ) -> (Priority, Vec<String>) {
        let identity = identity(program, id);
        let changes = match reason {
            MissReason::Absent => self.cache.explain_miss(&identity, key),
            _ => None,
        };
        self.remember(&identity, key);
        let because = match &changes {
            Some(changes) if !changes.is_empty() => changes.iter().map(describe).collect(),
            _ if reason == MissReason::Absent => vec!["no result of it is stored".to_owned()],
            _ => vec![reason.explain().to_owned()],
        };
        (Priority::of_changes(changes.as_deref()), because)
    }

    /// The report of a stored result, at the current positions. `None` if the result does not fit.
    fn known(
        &mut self,
        program: &mut Program,
        id: ImplementationId,
        reach: &Reach,
        stored: &StoredResult,
        origin: Origin,
    ) -> Option<Report> {
        let errors = if stored.response.failures.is_empty() {
            Vec::new()
        } else {
            let passive = crate::lower::lower(program, id, reach).ok()?;
            failures::errors(program, &passive, &stored.response, &|_| None)?
        };
        #[cfg(feature = "plant")]
        let errors = self.planted_positions(program, id, errors);
        let implementation = &program.implementations[id];
        Some(Report {
            index: id.index(),
            name: program.names.text(implementation.name).to_owned(),
            verbose_name: implementation.wishes.verbose_name.clone(),
            identity: implementation.identity.clone(),
            sibling: implementation.sibling,
            span: implementation.span,
            verdict: Verdict::Decided(stored.response.outcome),
            limits_met: stored.response.out_of_limits,
            errors,
            origin,
            priority: Priority::Highest,
            because: vec!["neither it nor anything it depends on changed".to_owned()],
            time_limit: self.limits(program, id).wall_ms.map(|wall| wall / 1000),
            resource: 0,
            seconds: 0.0,
            obligations: Vec::new(),
            pieces: Vec::new(),
            needs: Vec::new(),
            checks: Vec::new(),
            trace: Vec::new(),
            query: None,
        })
    }

    /// The errors where they stood when they were first reused, if that lie is to be told.
    #[cfg(feature = "plant")]
    fn planted_positions(
        &mut self,
        program: &Program,
        id: ImplementationId,
        errors: Vec<crate::report::CheckError>,
    ) -> Vec<crate::report::CheckError> {
        if self.options.fault != Some(cache_core::plant::Fault::OldPositions) {
            return errors;
        }
        self.old_errors.entry(identity(program, id)).or_insert(errors).clone()
    }

    /// A report without errors and without a query.
    fn blank(&self, program: &Program, task: &Task, verdict: Verdict) -> Report {
        let implementation = &program.implementations[task.id];
        Report {
            index: task.id.index(),
            name: program.names.text(implementation.name).to_owned(),
            verbose_name: implementation.wishes.verbose_name.clone(),
            identity: implementation.identity.clone(),
            sibling: implementation.sibling,
            span: implementation.span,
            verdict,
            limits_met: false,
            errors: Vec::new(),
            origin: Origin::Nowhere,
            priority: task.priority,
            because: task.because.clone(),
            time_limit: self.limits(program, task.id).wall_ms.map(|wall| wall / 1000),
            resource: 0,
            seconds: 0.0,
            obligations: Vec::new(),
            pieces: Vec::new(),
            needs: Vec::new(),
            checks: Vec::new(),
            trace: Vec::new(),
            query: None,
        }
    }
}

fn origin(provenance: Provenance) -> Origin {
    match provenance {
        Provenance::Memory => Origin::Memory,
        Provenance::Disk => Origin::Disk,
        Provenance::Fresh(_) => Origin::Solver,
    }
}

/// Who an implementation is across snapshots.
fn identity(program: &Program, id: ImplementationId) -> String {
    format!("implementation {}", program.implementations[id].identity)
}
