//! Earlier proofs, asked before the solver is: fine-grained caching (section 4 of the paper).
//!
//! The history of an implementation leads to the proofs of its last versions; of those that may be used,
//! the one that says most about the present version is taken. What it says changes the query: checks that
//! are known are left out, and others become easier. The answer to the changed query, put together with
//! what was known, is the answer to the whole one. Where that is not certain the whole query is asked as
//! well: if the changed one was not decided, if the solver gave up on one of its checks, or if
//! so many checks fail that the limit of errors decides which of them are shown.
//!
//! Then the part was asked for nothing, so a thrifty run asks it only where it is likely to be decided
//! ([`Recalled::doubt`]), within a budget ([`Recalled::budget`]), and stops at the first check on which the
//! solver gives up. That changes what is asked, and no verdict.

use std::sync::Arc;

#[cfg(feature = "plant")]
use crate::base::plant::Fault;
use cache_core::cache::{Asked, Cost, Lookup};
use cache_core::digest::Confirm;
use cache_core::limits::Limits;

use super::{Task, Verifier, identity};
use crate::lower::cut::Cut;
#[cfg(feature = "plant")]
use crate::lower::recall::Mark;
use crate::lower::recall::{Recollection, Settlement};
use crate::lower::{CheckKind, Passive, passive};
use crate::report::{CheckAction, CheckNote};
use crate::resolve::program::Program;
use crate::smt::answer::{Failure, Outcome, Response};
use crate::snapshot::closure::Closures;
use crate::snapshot::portable::Dictionary;
use crate::snapshot::proof::{
    Background, Effort, Finding, Found, Proof, Recollected, background, proof_key, recollect, settings,
};
use crate::snapshot::statement::{Counted, Statements, statements};
use crate::vc;

/// What is needed of a program to write proofs about it and to read earlier ones; made once per program.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) closures: Closures,
    dictionary: Dictionary,
}

impl Names {
    pub(super) fn new(program: &Program) -> Option<Self> {
        Some(Self { closures: Closures::new(program)?, dictionary: Dictionary::new(program) })
    }
}

/// What is needed to write a proof of an implementation.
pub(super) struct Record {
    names: Arc<Names>,
    settings: Confirm,
    background: Background,
    statements: Statements,
    /// The block of the cut implementation behind each passive one.
    order: Vec<usize>,
}

/// What is known of earlier versions.
struct Earlier {
    /// The proof that says most.
    best: Proof,
    /// The present statements without what that proof did not know, if additions are looked past.
    past_additions: Option<Statements>,
    /// What the last version took.
    effort: Effort,
}

/// What an earlier proof changes.
pub(super) struct Recalled {
    /// The implementation without what is known.
    pub(super) passive: Passive,
    /// The checks that are known to fail, with the ways to them.
    failures: Vec<Failure>,
    /// Why it was possible to leave something out, for the report.
    pub(super) notes: Vec<CheckNote>,
    recollection: Recollection,
    /// What the last version took that was asked about, whether or not it is the one that says most.
    effort: Effort,
}

/// The least budget of an attempt, in the solver's resource count: what the smallest queries take.
const LEAST_BUDGET: u64 = 3_000;

/// Of how many checks something must be known at least for an attempt, unless it is known of all.
const LEAST_KNOWN: usize = 4;

/// Of how many checks something must be known for an attempt of which more than half of them are left.
const SEVERAL: usize = 6;

/// How many checks must be known for each that is asked where the solver gave up before. Of 40 attempts with fewer, in
/// 21 edit sessions, 33 came to nothing, and cost nearly twice what the others saved.
const KNOWN_AFTER_GIVING_UP: usize = 12;

impl Recalled {
    /// What a trace tells of: what was known, and what became of each check.
    pub(super) fn for_trace(&self) -> (&Recollection, &[Option<Settlement>]) {
        (&self.recollection, &self.passive.settlements)
    }

    /// Whether nothing is left to be asked.
    pub(super) fn is_complete(&self) -> bool {
        let mut reached = self.passive.settlements.iter().flatten();
        reached.all(|it| matches!(it, Settlement::Held | Settlement::Failed))
    }

    /// Why the part is not likely to be decided, or not to be cheaper by more than it costs where it is not. Where
    /// the solver gave up on the earlier version it gives up again most of the time, unless little of the version
    /// is left to be asked; on a check to which nothing happened nearly always. What is known of few checks, or of
    /// fewer than are asked, saves little, and may be lost where there are quantifiers: without any the solver gives
    /// up on next to nothing. Where the checks are few altogether, the axioms are most of what both cost.
    pub(super) fn doubt(&self, quantifiers: bool) -> Option<&'static str> {
        let (known, asked) = self.known_and_asked();
        let again = self.count(|it| it == Settlement::AskedAgain);
        let gave_up = self.effort.gave_up;
        if again > 0 || gave_up && known < LEAST_KNOWN.max(KNOWN_AFTER_GIVING_UP * asked) {
            return Some("the solver gave up on it before");
        }
        let few = known < LEAST_KNOWN.max(asked) || known < SEVERAL && known < 2 * asked;
        let saves_little = quantifiers && few;
        saves_little.then_some("too little is known of it")
    }

    fn count(&self, wanted: fn(Settlement) -> bool) -> usize {
        self.passive.settlements.iter().flatten().filter(|it| wanted(**it)).count()
    }

    /// Of how many checks something is known, and how many are asked though nothing was known of them.
    fn known_and_asked(&self) -> (usize, usize) {
        (
            self.count(|it| matches!(it, Settlement::Held | Settlement::Failed)),
            self.count(|it| matches!(it, Settlement::Partly | Settlement::Asked)),
        )
    }

    /// How much the solver may spend on the part, in its resource count, before the whole is asked: what the part
    /// costs is lost if it is not decided, and beyond what the whole took last time nothing can be won. Where that
    /// was more than the first [turn's share](crate::smt::turns) the part should be much easier than the whole, unless
    /// next to nothing is left to be asked: then the part is most likely decided.
    pub(super) fn budget(&self, share: u64) -> u64 {
        let Effort { whole, gave_up } = self.effort;
        let hard = gave_up || share > 0 && whole > share;
        let (known, asked) = self.known_and_asked();
        let budget = match (hard, !gave_up && known >= 8 * asked) {
            (false, _) => whole,
            (true, true) => whole / 2,
            (true, false) => whole / 8,
        };
        budget.max(LEAST_BUDGET)
    }
}

impl Verifier {
    pub(super) fn record(&self, program: &Program, names: &Arc<Names>, task: &Task, cut: &Cut) -> Record {
        let implementation = &program.implementations[task.id];
        Record {
            names: Arc::clone(names),
            settings: settings(&self.key_options(program), &implementation.wishes.solver_options),
            background: background(program, &names.closures, task.id, &task.reach),
            statements: statements(
                program,
                &names.closures,
                implementation,
                cut,
                self.conditions_count(),
                if self.overlooks_gone() { Counted::Known(&[]) } else { Counted::All },
            ),
            order: cut.order.clone(),
        }
    }

    /// The implementation without what the best earlier proof knows; `None` if there is no such proof.
    pub(super) fn recalled(
        &mut self,
        program: &mut Program,
        task: &Task,
        cut: &Cut,
        record: &Record,
    ) -> Option<Recalled> {
        let Earlier { best, past_additions, effort } = self.earlier(program, task, cut, record)?;
        let mut recollected = recollect(
            program,
            &record.names.closures,
            &record.names.dictionary,
            &best,
            &record.background,
            cut,
            (&record.statements, past_additions.as_ref().unwrap_or(&record.statements)),
        );
        self.plant(&mut recollected, cut);
        let passive = passive(program, task.id, &task.reach, cut, &recollected.recollection);
        let nothing_known = |it: &Settlement| matches!(it, Settlement::Asked | Settlement::AskedAgain);
        if passive.settlements.iter().flatten().all(nothing_known) {
            return None;
        }
        let failures = known_failures(&passive, &recollected, cut)?;
        let notes = notes(&passive);
        Some(Recalled { passive, failures, notes, effort, recollection: recollected.recollection })
    }

    /// The earlier proof that says most about the present version, the latest of them if several do; and what the
    /// latest version of all took.
    fn earlier(&mut self, program: &Program, task: &Task, cut: &Cut, record: &Record) -> Option<Earlier> {
        let mut best: Option<(usize, Proof, Option<Statements>)> = None;
        let mut latest = None;
        for remembered in self.cache.recall(&identity(program, task.id)) {
            let key = proof_key(remembered.confirm);
            let Lookup::Hit { answer, .. } = self.proofs.lookup(&key, &Limits::default()) else { continue };
            latest.get_or_insert(answer.effort());
            if !self.is_usable(&answer, record) {
                continue;
            }
            let past_additions = self.options.past_additions.then(|| {
                let implementation = &program.implementations[task.id];
                let conditions_count = self.conditions_count();
                let closures = &record.names.closures;
                let known = if self.overlooks_gone() { Counted::Known(&[]) } else { answer.known() };
                statements(program, closures, implementation, cut, conditions_count, known)
            });
            let worth = answer.worth(past_additions.as_ref().unwrap_or(&record.statements));
            if worth > best.as_ref().map_or(0, |(known, ..)| *known) {
                best = Some((worth, answer, past_additions));
            }
        }
        let (_, best, past_additions) = best?;
        Some(Earlier { best, past_additions, effort: latest? })
    }

    fn is_usable(&self, proof: &Proof, record: &Record) -> bool {
        #[cfg(feature = "plant")]
        if self.options.fault == Some(Fault::IgnoreDeclarations) {
            return proof.is_usable(record.settings, &proof.background().clone());
        }
        proof.is_usable(record.settings, &record.background)
    }

    /// Makes what is recalled a lie, if one is to be told.
    #[cfg(feature = "plant")]
    fn plant(&self, recollected: &mut Recollected, cut: &Cut) {
        match self.options.fault {
            Some(Fault::LatestSpecifications) => recollected.recollection.calls.clear(),
            Some(Fault::TrustCalls) => {
                let calls = recollected.recollection.calls.values_mut();
                calls.filter_map(|call| call.specification.as_mut()).for_each(|it| it.under = None);
            }
            Some(Fault::CoverNewChecks) => {
                for check in 0..cut.checks.len() {
                    recollected.recollection.marks.entry(check).or_insert(Mark::Held);
                }
            }
            _ => {}
        }
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "the test build's twin uses it")]
    fn plant(&self, _: &mut Recollected, _: &Cut) {}

    /// Stores what a run found out about the checks of an implementation.
    pub(super) fn keep(
        &mut self,
        program: &Program,
        task: &Task,
        record: &Record,
        (recalled, replayed): (Option<&Recalled>, Option<u64>),
        passive: &Passive,
        response: &Response,
    ) {
        if self.variant {
            return;
        }
        let effort = Effort {
            whole: recalled.map(|it| it.effort.whole).or(replayed).unwrap_or(response.resource),
            gave_up: response.incomplete || response.failures.iter().any(|failure| !failure.refuted),
        };
        let findings = findings(record, passive, response, self.counts_unreached());
        let proof = Proof::new(
            program,
            &record.names.closures,
            &task.reach,
            (record.settings, record.background.clone()),
            &record.statements,
            &findings,
            effort,
        );
        let asked = Asked { answer: proof, cost: Cost::default() };
        self.proofs.fill(&proof_key(task.key.confirm()), &Limits::default(), &asked);
    }

    #[cfg(feature = "plant")]
    fn conditions_count(&self) -> bool {
        self.options.fault != Some(Fault::IgnoreConditions)
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "the test build's twin uses it")]
    fn conditions_count(&self) -> bool {
        true
    }

    /// Whether checks and assumptions that are gone are to be looked past.
    #[cfg(feature = "plant")]
    fn overlooks_gone(&self) -> bool {
        self.options.fault == Some(Fault::OverlookGone)
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "the test build's twin uses it")]
    fn overlooks_gone(&self) -> bool {
        false
    }

    #[cfg(feature = "plant")]
    fn counts_unreached(&self) -> bool {
        self.options.fault == Some(Fault::UnreachedIsVerified)
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "the test build's twin uses it")]
    fn counts_unreached(&self) -> bool {
        false
    }

    /// The answer to the whole query, from what was known and what the solver said to the rest; `None` if
    /// the whole query has to be asked.
    pub(super) fn whole(&self, recalled: &Recalled, rest: &Response) -> Option<Response> {
        let limit = self.options.error_limit as usize;
        let failing = recalled.failures.len() + rest.failures.len();
        let undecided = rest.incomplete || rest.out_of_limits || rest.outcome == Outcome::Failed;
        // Where the solver gives up is its own affair: it may come further with the whole query.
        let doubtful = rest.failures.iter().any(|failure| !failure.refuted);
        if undecided || doubtful || (limit > 0 && failing >= limit) {
            return None;
        }
        let outcome = match (rest.outcome, recalled.failures.is_empty()) {
            (Outcome::Valid, false) => Outcome::Refuted,
            (outcome, _) => outcome,
        };
        let failures = recalled.failures.iter().chain(&rest.failures).cloned().collect();
        Some(Response { outcome, failures, ..rest.clone() })
    }
}

/// A response to a query that was never sent, since nothing of it was left.
pub(super) fn nothing_left() -> Response {
    Response::valid()
}

/// The failures that are known, in the labels and passive blocks of the present version.
fn known_failures(passive: &Passive, recollected: &Recollected, cut: &Cut) -> Option<Vec<Failure>> {
    let mut number = vec![0_u32; cut.blocks.len()];
    for (at, block) in (0_u32..).zip(&cut.order) {
        *number.get_mut(*block)? = at;
    }
    let mut failures = Vec::new();
    for (label, check) in (0_u32..).zip(vc::condition(passive).checks) {
        if passive.settlements.get(check) == Some(&Some(Settlement::Failed)) {
            let way = recollected.ways.get(&check)?;
            let path = way.iter().filter_map(|block| number.get(*block).copied()).collect();
            failures.push(Failure { label, path, refuted: true });
        }
    }
    Some(failures)
}

/// What a response says about each check that control can reach.
fn findings(record: &Record, passive: &Passive, response: &Response, unreached: bool) -> Vec<Finding> {
    let complete = !response.incomplete || unreached;
    let mut findings = Vec::new();
    for (label, check) in (0_u32..).zip(vc::condition(passive).checks) {
        let failure = response.failures.iter().find(|failure| failure.label == label);
        let known = passive.settlements.get(check) == Some(&Some(Settlement::Held));
        let (found, way) = match failure {
            Some(Failure { refuted: false, .. }) => (Found::GaveUp, Vec::new()),
            Some(failure) => {
                let way = failure.path.iter().filter_map(|at| record.order.get(*at as usize).copied());
                (Found::Failed, way.collect())
            }
            None if complete || known => (Found::Held, Vec::new()),
            None => continue,
        };
        findings.push(Finding { check, found, way });
    }
    findings
}

/// What becomes of each check, in the order of their positions.
fn notes(passive: &Passive) -> Vec<CheckNote> {
    let mut notes: Vec<CheckNote> = passive
        .checks
        .iter()
        .zip(&passive.settlements)
        .filter_map(|(check, settlement)| Some((check, (*settlement)?)))
        .map(|(check, settlement)| CheckNote {
            span: check.span,
            kind: match check.kind {
                CheckKind::Assertion | CheckKind::Unpacking => "assertion",
                CheckKind::Precondition => "precondition",
                CheckKind::Postcondition | CheckKind::InlinedPostcondition => "postcondition",
                CheckKind::InvariantEntry => "invariant on entry",
                CheckKind::InvariantMaintained => "invariant maintained",
            },
            action: match settlement {
                Settlement::Held => CheckAction::Skipped,
                Settlement::Failed => CheckAction::Recycled,
                Settlement::Partly => CheckAction::PartlyVerified,
                Settlement::Asked | Settlement::AskedAgain => CheckAction::Proved,
            },
        })
        .collect();
    notes.sort_by_key(|note| (note.span, note.action));
    notes
}
