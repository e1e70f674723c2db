//! Proofs that held before, made to hold again by the instances of quantifiers that they needed.
//!
//! What a run does not prove is asked once more in that very run, under its seed, order or names, with instances in the
//! place of quantifiers; these come from the cache, or from a proof that another run found. They are terms in the
//! program's own names, so a run with other names has no use for what it finds, and all for what others found. A proof
//! by instances is a proof ([`ivl_verifier::smt::replay`]): nothing is told as proved that the solver did not refute.

use std::collections::BTreeMap;
use std::sync::Arc;

use cache_core::audit::Audit;
use cache_core::mode::Mode;
use cache_core::store::{MemoryStore, Store};
use cache_core::worker::Cancel;
use ivl_verifier::base::source::{FileId, Sources};
use ivl_verifier::base::system::System;
use ivl_verifier::report::{Origin, Report, Snapshot};
use ivl_verifier::service::{Options, Replay, Verifier};

use super::{Kind, Known, Runs, Standing, proved};

/// Of how many proofs of an implementation the instances are tried: those of one that luck found may be out of reach
/// where it is made once more for them, or too few elsewhere.
const PROOFS: usize = 3;

/// Proofs that held before, made to hold again.
pub(super) struct Again<'a> {
    /// All runs.
    plan: &'a [(Kind, Options)],
    sources: &'a Sources,
    files: &'a [FileId],
    system: &'a Arc<dyn System>,
    /// Whether the store's warnings were told.
    warned: bool,
}

impl<'a> Again<'a> {
    /// For a program and the runs that it was verified in.
    pub(super) fn new(
        plan: &'a [(Kind, Options)],
        (sources, files): (&'a Sources, &'a [FileId]),
        system: &'a Arc<dyn System>,
    ) -> Self {
        Self { plan, sources, files, system, warned: false }
    }

    /// Asks what is not proved with the instances in the store, and then with those of the proofs that were found here,
    /// which are kept there; without a store that writes, as long as this takes.
    pub(super) fn hold(mut self, known: &mut Known, store: Option<Arc<dyn Store>>, mode: Mode) {
        if let Some(store) = store.as_ref().filter(|_| mode.reads()) {
            self.replay(known, store, |standing| {
                matches!(standing, Standing::Unstable | Standing::NotProved)
            });
        }
        let store = store.filter(|_| mode.writes()).unwrap_or_else(|| Arc::new(MemoryStore::new()));
        for attempt in 0..PROOFS {
            if !self.record(known, &store, attempt) {
                break;
            }
            self.replay(known, &store, |standing| standing == Standing::Unstable);
        }
    }

    /// Finds the instances that the proof of this number of each unstable implementation needs. Proofs with other names
    /// have no instances for others. Says whether there is such a proof.
    fn record(&mut self, known: &Known, store: &Arc<dyn Store>, attempt: usize) -> bool {
        let mut wanted: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for runs in known.values().filter(|runs| runs.standing() == Standing::Unstable) {
            let proof = runs.whole().filter(|run| run.proved && run.kind != Kind::Names).nth(attempt);
            if let Some(proof) = proof {
                wanted.entry(proof.number).or_default().push(runs.name.clone());
            }
        }
        let any = !wanted.is_empty();
        for (number, only) in wanted {
            self.verify((number, only), Replay::Record, (store, Mode::ReadWrite));
        }
        any
    }

    /// Asks implementations of a standing with instances, in each run that does not prove them. One that these do not
    /// prove in some run stays as it is, so its other runs are not asked.
    fn replay(&mut self, known: &mut Known, store: &Arc<dyn Store>, asked: impl Fn(Standing) -> bool) {
        let mut left: Vec<(usize, String)> =
            known.iter().filter(|(_, runs)| asked(runs.standing())).map(|(which, _)| which.clone()).collect();
        for number in 0..self.plan.len() {
            let missed = |which: &&(usize, String)| {
                let mut whole = known.get(*which).into_iter().flat_map(Runs::whole);
                whole.any(|run| run.number == number && !run.proved && !run.replayed)
            };
            let tried: Vec<(usize, String)> = left.iter().filter(missed).cloned().collect();
            if tried.is_empty() {
                continue;
            }
            let names = tried.iter().filter_map(|which| Some(known.get(which)?.name.clone()));
            let only = names.collect();
            let snapshot = self.verify((number, only), Replay::AfterEdits(0), (store, Mode::Read));
            for which in tried {
                let report =
                    snapshot.reports.iter().find(|it| (it.index, &it.identity) == (which.0, &which.1));
                if report.is_some_and(replayed) {
                    let runs = known.get_mut(&which).into_iter().flat_map(|runs| &mut runs.all);
                    runs.filter(|run| run.number == number).for_each(|run| run.replayed = true);
                } else {
                    left.retain(|other| *other != which);
                }
            }
        }
    }

    /// Verifies some implementations as in a run, with what becomes of instances.
    fn verify(
        &mut self,
        (number, only): (usize, Vec<String>),
        replay: Replay,
        (store, mode): (&Arc<dyn Store>, Mode),
    ) -> Snapshot {
        let Some((_, options)) = self.plan.get(number) else { return Snapshot::default() };
        // A run's own answer is no proof, so there is nothing to compare with it.
        let options = Options { only, replay, audit: Audit::Never, ..options.clone() };
        let mut verifier =
            Verifier::new(options, None, Arc::clone(self.system)).with_instances(Arc::clone(store), mode);
        let snapshot = verifier.verify(self.sources, self.files, &Cancel::new(), |_| {});
        for warning in verifier.take_warnings() {
            if !std::mem::replace(&mut self.warned, true) {
                self.system.print_error(&format!("warning: {warning}\n"));
            }
        }
        snapshot
    }
}

/// Whether instances prove what is not proved without. Of what is asked in pieces only those need them that have
/// quantifiers.
fn replayed(report: &Report) -> bool {
    proved(report) && (report.origin == Origin::Replayed || !report.pieces.is_empty())
}
