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
mod in_order;
mod known;
mod models;
mod options;
mod passive;
mod questions;
mod recall;
mod replay;
mod request;
mod shared_out;
mod smoke;
mod trace;
mod values;

use std::sync::Arc;
use std::time::Duration;

use cache_core::cache::{Cache, CacheConfig, Lookup, Provenance};
use cache_core::key::Key;
use cache_core::limits::Limits;
use cache_core::mode::Mode;
use cache_core::stats::{CacheStats, MissReason};
use cache_core::store::Store;
use cache_core::worker::{Cancel, Pool};

use crate::base::arena::Id;
use crate::base::diagnostic::Diagnostic;
use crate::base::source::{FileId, Sources};
use crate::base::system::System;
use crate::report::{Origin, Report, Snapshot};
use crate::resolve::program::{AxiomId, ImplementationId, Program};
pub use crate::resolve::reach::Axioms;
use crate::resolve::reach::{AxiomIndex, Reach, Visited, reach};
pub use crate::smt::disturb::Disturbance;
use crate::smt::stored::{StoredResult, StoredValues};
use crate::smt::translate::Shared;
pub use crate::smt::translate::access::Maps;
use crate::smt::translate::builtin::needs_arrays;
use crate::snapshot::checksum::Checksums;
pub use crate::snapshot::key::KeepGoing;
use crate::snapshot::key::{KeyOptions, Priority, describe, key};
use crate::snapshot::proof::Proof;
pub use crate::transform::{Expansion, Hiding, Inlining, Instrument, Passifying};
use crate::transform::{bound, follow_loops, name_parts, put_in_place};
pub use front::{Printing, Prints, on_deep_stack, print_expanded, print_flow, print_inlined, print_parsed};
use front::{Reading, front_end};
use in_order::InOrder;
pub use options::{Options, Replay};
pub use passive::{
    PassiveImplementation, PassivePart, PassivePrinting, Pruned, passive_parts, print_passive, pruned,
};
pub use questions::Question;
pub use shared_out::Share;

/// What to do when the worker program does not start.
const WAY_OUT: &str = "results from the cache are shown all the same; to get the solver, run \
    `cargo xtask setup` and build all programs with `cargo build`";

/// Why a result that is known still holds.
const UNCHANGED: &str = "neither it nor anything it depends on changed";

/// How many queries' values are kept in memory: they may be large, and are looked at when their errors are.
const HELD_VALUES: usize = 256;

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

/// A program that was parsed, resolved and type checked, and not verified.
pub struct Checked {
    program: Option<Program>,
    /// The text, where places in it are looked for later.
    sources: Option<Sources>,
    /// Where it was printed.
    prints: Prints,
    /// What there is to say about the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// Whether the text is no program.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.program.is_none()
    }
}

/// A program as it is verified, or what is wrong with that.
pub struct Expanded {
    checked: Checked,
    /// How long it took to infer bounds of variables, where that was asked for.
    pub bounding: Option<Duration>,
}

/// Verifies snapshots; keeps results between them.
pub struct Verifier {
    options: Options,
    system: Arc<dyn System>,
    cache: Cache<StoredResult>,
    /// What was found out about single checks, beside the results.
    proofs: Cache<Proof>,
    /// The values with which checks fail, beside the results too.
    values: Cache<StoredValues>,
    /// The instances of quantifiers that dear proofs needed, and those that are to be found.
    instances: Cache<replay::Recorded>,
    recordings: Vec<replay::Recording>,
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
    /// What the queries of the program have in common that is being verified.
    shared: Shared,
    /// Errors that were reused, for a lie about their positions.
    #[cfg(feature = "plant")]
    old_errors: std::collections::BTreeMap<String, Vec<crate::report::CheckError>>,
}

/// An implementation with what identifies its result.
struct Keyed {
    id: ImplementationId,
    reach: Reach,
    key: Key,
    axioms: Vec<AxiomId>,
    limits: Limits,
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
    /// A stored result whose errors lack values, and where it was found.
    valued: Option<(StoredResult, Origin)>,
}

impl Verifier {
    /// A verifier with a cache over a store, or in memory alone.
    #[must_use]
    pub fn new(options: Options, store: Option<Arc<dyn Store>>, system: Arc<dyn System>) -> Self {
        let config = CacheConfig::default().mode(options.mode).audit(options.audit).store(store.clone());
        let cache = Cache::new(config);
        let proofs = Cache::new(CacheConfig::default().mode(options.mode).store(store.clone()));
        let values =
            CacheConfig::default().mode(options.mode).store(store.clone()).memory_entries(HELD_VALUES);
        let values = Cache::new(values);
        let instances = Cache::new(CacheConfig::default().mode(options.mode).store(store));
        let pool = Pool::new(&options.solver, options.cores);
        Self {
            options,
            system,
            cache,
            proofs,
            values,
            instances,
            recordings: Vec::new(),
            pool,
            counters: Counters::default(),
            claims: std::collections::BTreeMap::new(),
            variant: false,
            tracked: Vec::new(),
            shared: Shared::default(),
            core: Vec::new(),
            #[cfg(feature = "plant")]
            old_errors: std::collections::BTreeMap::new(),
        }
    }

    /// Looks for the instances that proofs need in a store of their own, and keeps them there if the mode writes,
    /// whatever becomes of results: a verifier that forgets every answer can still prove by instances.
    #[must_use]
    pub fn with_instances(mut self, store: Arc<dyn Store>, mode: Mode) -> Self {
        self.instances = Cache::new(CacheConfig::default().mode(mode).store(Some(store)));
        self
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
        warnings.extend(self.values.take_warnings());
        warnings.extend(self.instances.take_warnings());
        warnings
    }

    /// The questions to which the cache had a wrong answer, as audits found out.
    #[must_use]
    pub fn disagreements(&self) -> usize {
        self.cache.disagreements().len() + self.values.disagreements().len()
    }

    /// Ends the run: brings the store in order and gives the cache's statistics.
    pub fn finish(&mut self) -> CacheStats {
        self.cache.finish()
    }

    /// What runs with these options need of a program besides itself.
    fn reading(&self) -> Reading {
        let Options { ref expansion, smoke, .. } = self.options;
        Reading { modifies: expansion.infer_modifies, overlook: expansion.overlook, spelling: smoke }
    }

    /// Parses, resolves and type checks a program, and verifies nothing.
    #[must_use]
    pub fn check(&self, sources: &Sources, files: &[FileId]) -> Checked {
        self.check_printed(sources, files, Prints::default())
    }

    /// The same for a program that was printed: what is said of it has the places of what was printed.
    #[must_use]
    pub fn check_printed(&self, sources: &Sources, files: &[FileId], prints: Prints) -> Checked {
        let (program, diagnostics) = front_end(sources, files, self.reading(), &prints);
        let sources = self.options.vacuity.then(|| sources.clone());
        Checked { program, sources, prints, diagnostics }
    }

    /// Verifies one snapshot, which consists of files. `each` sees every result as it arrives, cached
    /// ones first, or in the order of the program ([`Options::in_order`]).
    pub fn verify(
        &mut self,
        sources: &Sources,
        files: &[FileId],
        cancel: &Cancel,
        each: impl FnMut(&Report),
    ) -> Snapshot {
        self.verify_checked(self.check(sources, files), cancel, each)
    }

    /// Expands what was checked before. What is wrong with that is told when it is to be verified.
    #[must_use]
    pub fn expand(&self, mut checked: Checked) -> Expanded {
        let expansion = &self.options.expansion;
        let Some(mut program) = checked.program.take() else { return Expanded { checked, bounding: None } };
        let mut problems = put_in_place(&mut program, expansion);
        let start = self.system.now();
        bound(&mut program, expansion);
        let bounding = expansion.intervals.map(|_| self.system.now().saturating_sub(start));
        problems.extend(follow_loops(&mut program, expansion));
        if problems.is_empty() {
            checked.program = Some(program);
        } else {
            checked.diagnostics.extend(problems);
        }
        Expanded { checked, bounding }
    }

    /// Verifies what was checked before, as `verify` would.
    pub fn verify_checked(
        &mut self,
        checked: Checked,
        cancel: &Cancel,
        each: impl FnMut(&Report),
    ) -> Snapshot {
        let expanded = self.expand(checked);
        self.verify_expanded(expanded, cancel, each)
    }

    /// Verifies what was expanded before, as `verify` would.
    pub fn verify_expanded(
        &mut self,
        expanded: Expanded,
        cancel: &Cancel,
        mut each: impl FnMut(&Report),
    ) -> Snapshot {
        let Checked { program, sources, prints, mut diagnostics } = expanded.checked;
        let Some(mut program) = program else { return Snapshot { diagnostics, ..Snapshot::default() } };
        prints.place_inlined(&mut program);
        if self.options.infer_contracts {
            let (assignment, inference, reports) = match self.infer(&mut program, cancel) {
                Ok(inferred) => inferred,
                Err(problems) => {
                    diagnostics.extend(problems);
                    return Snapshot { diagnostics, ..Snapshot::default() };
                }
            };
            reports.iter().for_each(each);
            return Snapshot { diagnostics, reports, assignment, inference, ..Snapshot::default() };
        }
        let goals = sources.map(|sources| name_parts(&mut program, &|span| sources.position(span)));
        let total = program.implementations.ids().filter(|id| self.verifies(&program, *id)).count();
        let mut reports = self.verify_program(&mut program, None, cancel, &mut each);
        if self.options.expansion.track {
            self.cover(&program, &mut reports, &goals.unwrap_or_default(), cancel);
        }
        let smoke_tests =
            if self.options.smoke { self.smoke(&program, &reports, cancel) } else { Vec::new() };
        Snapshot { diagnostics, reports, total, smoke_tests, ..Snapshot::default() }
    }

    /// Verifies the implementations of a program, or the given ones of these.
    fn verify_program(
        &mut self,
        program: &mut Program,
        only: Option<&[ImplementationId]>,
        cancel: &Cancel,
        each: &mut dyn FnMut(&Report),
    ) -> Vec<Report> {
        let mut work: Vec<(Task, Vec<AxiomId>)> = Vec::new();
        let mut known = Vec::new();
        let keyed = self.keyed(program, only);
        let urgencies = self.urgencies(program);
        // By what is told first.
        let turn = |index: usize| (std::cmp::Reverse(urgencies.get(index).copied()), index);
        let order = self.options.in_order.then(|| {
            let mut order: Vec<usize> = keyed.iter().map(|it| it.id.index()).collect();
            order.sort_by_key(|index| turn(*index));
            order
        });
        let mut reports = Vec::new();
        let mut passed_on = InOrder::new(each, order);
        let mut add = |report: Report, reports: &mut Vec<Report>| {
            passed_on.add(&report);
            reports.push(report);
        };
        self.cache.prefetch(keyed.iter().map(|it| &it.key));
        self.prefetch_history(program, &keyed);
        for Keyed { id, reach, key, axioms, limits } in keyed {
            self.counters.implementations += 1;
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
        // Hits that are to be audited are asked as well; those whose positions cannot be found are
        // asked instead.
        for (id, key, reach, axioms, answer, origin, audit) in known {
            self.remember(&identity(program, id), &key);
            match self.known(program, id, &reach, &answer, origin) {
                Some(report) if !audit && !self.lacks_values(&report.errors) => add(report, &mut reports),
                found => {
                    let lacks = !audit && found.is_some();
                    let why = if lacks {
                        "its errors are known, and asked again for values"
                    } else {
                        "its cached result is being checked"
                    };
                    let because = vec![why.to_owned()];
                    let (audited, valued) =
                        if lacks { (None, Some((answer, origin))) } else { (audit.then_some(answer), None) };
                    let priority = Priority::Highest;
                    work.push((Task { id, key, reach, priority, because, audited, valued }, axioms));
                }
            }
        }
        if self.options.in_order && self.options.by_priority {
            work.sort_by_key(|(task, _)| turn(task.id.index()));
        } else {
            work.sort_by_key(|(task, _)| {
                let wish = program.implementations[task.id].wishes.priority.unwrap_or(1);
                (std::cmp::Reverse((wish, task.priority)), task.id.index())
            });
        }
        self.ask(program, work, cancel, &mut |report| add(report, &mut reports));
        passed_on.end();
        reports.sort_by_key(|report| turn(report.index));
        if let Some(level) = self.believed() {
            reports.iter_mut().for_each(|report| self.claim(program, report, level));
        }
        reports
    }

    /// How early it is told what came out of each implementation, in their order.
    fn urgencies(&self, program: &Program) -> Vec<u64> {
        let wished = |id| {
            let wish: Option<u64> = program.implementations[id].wishes.priority;
            wish.filter(|wish| self.options.by_priority && *wish > 1).unwrap_or(1)
        };
        program.implementations.ids().map(wished).collect()
    }

    /// The implementations that are this run's to verify, or the given ones of these, with what identifies their
    /// results.
    fn keyed(&self, program: &Program, only: Option<&[ImplementationId]>) -> Vec<Keyed> {
        let index = AxiomIndex::new(program, self.options.axioms);
        let options = self.key_options(program);
        let begin = options.begin();
        let own = self.shared_out(program);
        let mut visited = Visited::default();
        let mut checksums = Checksums::new(program);
        let mut keyed = Vec::new();
        for id in program.implementations.ids() {
            let asked = only.is_none_or(|ids| ids.contains(&id));
            if !asked || !self.verifies(program, id) || !own[id.index()] {
                continue;
            }
            let reach = reach(program, &index, id, &mut visited);
            let begin = self.begin_key(&begin, program, id);
            let (key, axioms) = key(program, &mut checksums, id, &reach, &begin, options.drop_dependencies);
            let limits = self.limits(program, id);
            keyed.push(Keyed { id, reach, key, axioms, limits });
        }
        keyed
    }

    /// Says to a far store which histories will be looked up.
    fn prefetch_history(&self, program: &Program, keyed: &[Keyed]) {
        if self.cache.is_far() && !self.variant {
            let identities: Vec<String> = keyed.iter().map(|it| identity(program, it.id)).collect();
            self.cache.prefetch_history(identities.iter().map(String::as_str));
        }
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
        if self.maps_by_axioms(program) {
            solver.push(("maps".to_owned(), "by axioms".to_owned()));
        }
        if let Some(disturbance) = self.options.disturbance {
            solver.push(("disturbance".to_owned(), disturbance.name()));
        }
        solver.push(("switch after".to_owned(), self.options.switch_after.to_string()));
        KeyOptions {
            engine: self.options.engine.clone(),
            error_limit: self.options.error_limit,
            each_check: self.options.each_check,
            max_pieces: self.options.max_pieces.max(1),
            keep_going: self.options.keep_going,
            solver,
            #[cfg(feature = "plant")]
            drop_dependencies: self.options.fault == Some(crate::base::plant::Fault::DropPart),
            #[cfg(not(feature = "plant"))]
            drop_dependencies: false,
        }
    }

    /// Whether maps are values of a sort with axioms for the solver.
    fn maps_by_axioms(&self, program: &Program) -> bool {
        let wanted = match self.options.maps {
            Maps::Chosen => program.types.has_polymorphic_maps(),
            Maps::Arrays => false,
            Maps::Axioms => true,
        };
        wanted && !needs_arrays(program)
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
            Some(changes) if !changes.is_empty() => describe(changes),
            _ if reason == MissReason::Absent => vec!["no result of it is stored".to_owned()],
            _ => vec![reason.explain().to_owned()],
        };
        (Priority::of_changes(changes.as_deref()), because)
    }
}

fn origin(provenance: Provenance) -> Origin {
    match provenance {
        Provenance::Memory => Origin::Memory,
        Provenance::Store => Origin::Disk,
        Provenance::Fresh(_) => Origin::Solver,
    }
}

/// Who an implementation is across snapshots.
fn identity(program: &Program, id: ImplementationId) -> String {
    format!("implementation {}", program.implementations[id].identity)
}
