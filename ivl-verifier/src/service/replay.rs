//! Proofs replayed: the instances that a proof needed are asked again before the whole query is.
//!
//! Where an implementation that has an earlier version was proved as a whole, and that was dear, it is proved once
//! more with its quantifiers marked, which tells the instances that the proof needs ([`crate::smt::replay`]). They are
//! kept under the name of the implementation, whatever its text. The next version is asked with these instances in the
//! place of its quantifiers, within a budget; if the solver refutes that the version is proved, else all of it is
//! asked. What is proved for the first time costs nothing more.

use cache_core::cache::{Answer, Asked, Cost, Lookup};
use cache_core::codec;
use cache_core::key::{Key, KeyBuilder};
use cache_core::limits::Limits;
use cache_core::worker::{Cancel, Request as PoolRequest};
use serde::{Deserialize, Serialize};

use super::ask::{Sent, reply};
use super::{Task, Verifier, identity};
#[cfg(feature = "plant")]
use crate::base::plant::Fault;
use crate::resolve::program::Program;
use crate::smt::answer::{Outcome, Request, Response};
use crate::smt::replay::{Instances, ground, marked};
use crate::smt::term::Query;
use crate::smt::wire;

/// The least budget of an attempt, in the solver's resource count: what the smallest queries take.
const LEAST_BUDGET: u64 = 3_000;

/// How much more than the proof itself telling its instances may take.
const TELLING: u64 = 4;

/// Raised whenever the meaning of what is kept changes.
const VERSION: u32 = 1;

/// What is kept of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Recorded {
    instances: Instances,
    /// What the proof took without them, in the solver's resource count.
    whole: u64,
}

impl Answer for Recorded {
    fn out_of_limits(&self) -> bool {
        false
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

/// A query that instances stand in.
pub(super) struct Replayed {
    /// The query with the instances.
    pub(super) ground: Query,
    /// What the whole took when the instances were found.
    pub(super) took: u64,
}

impl Replayed {
    /// How much the solver may spend on it before the whole is asked.
    pub(super) fn budget(&self) -> u64 {
        (self.took / 2).max(LEAST_BUDGET)
    }
}

/// A proof whose instances are to be found.
pub(super) struct Recording {
    key: Key,
    bytes: Vec<u8>,
    limits: Limits,
    took: u64,
}

impl Verifier {
    /// The query with the instances that an earlier proof of the implementation needed, if there are any.
    pub(super) fn replayed(&mut self, program: &Program, task: &Task, query: &Query) -> Option<Replayed> {
        // What values are wanted of is asked as a whole.
        let usual = task.audited.is_none() && !self.options.values && self.tracked.is_empty();
        if self.options.replay.is_none() || !usual || self.variant || !query.has_quantifiers() {
            return None;
        }
        let key = key(program, task);
        let Lookup::Hit { answer, .. } = self.instances.lookup(&key, &Limits::default()) else { return None };
        let ground = ground(query, &answer.instances, self.one_choice())?;
        Some(Replayed { ground, took: answer.whole })
    }

    /// Whether the instances are to be found that a proof of an implementation needs: it has an earlier version.
    pub(super) fn is_edited(&mut self, program: &Program, task: &Task) -> bool {
        self.options.replay.is_some()
            && self.options.mode.writes()
            && !self.variant
            && self.tracked.is_empty()
            && self
                .cache
                .recall(&identity(program, task.id))
                .iter()
                .any(|it| it.confirm != task.key.confirm())
    }

    /// Notes that the instances of a proof are to be found, if it is one and was dear.
    pub(super) fn note(&mut self, program: &Program, sent: &mut Sent, response: &Response) {
        let Some(bytes) = sent.edited.take() else { return };
        if proves(response) && self.options.replay.is_some_and(|dear| response.resource >= dear) {
            let (key, limits) = (key(program, &sent.task), sent.limits.clone());
            self.recordings.push(Recording { key, bytes, limits, took: response.resource });
        }
    }

    /// Finds the instances of the proofs that were noted.
    pub(super) fn record_instances(&mut self, cancel: &Cancel) {
        let mut asked = Vec::new();
        let mut requests = Vec::new();
        for recording in std::mem::take(&mut self.recordings) {
            let Recording { bytes, limits, took, .. } = &recording;
            let Some(query) = wire::read(bytes).ok().and_then(|it| marked(&it)) else { continue };
            let budget = (*took).max(LEAST_BUDGET).saturating_mul(TELLING);
            let request = Request {
                resource: limits.resource.into_iter().chain([budget]).min(),
                wall_ms: limits.wall_ms,
                decide: true,
                values: false,
                query: wire::write(&query),
                wanted: None,
                tracked: Vec::new(),
                instances: true,
            };
            if let Ok(bytes) = codec::encode(&request) {
                requests.push(PoolRequest { bytes, deadline: super::ask::deadline(limits, 1) });
                asked.push(recording);
            }
        }
        if requests.is_empty() {
            return;
        }
        self.counters.queries += requests.len() as u64;
        let mut told = Vec::new();
        self.pool.run(&requests, cancel, |index, result| told.push((index, result)));
        for (index, result) in told {
            let Ok(reply) = reply(result) else { continue };
            self.counters.solver_checks += u64::from(reply.response.checks);
            self.counters.solver_resource += reply.response.resource;
            if let (Some(instances), Some(recording)) = (reply.instances, asked.get(index)) {
                let answer = Recorded { instances, whole: recording.took };
                let fresh = Asked { answer, cost: Cost::default() };
                self.instances.fill(&recording.key, &Limits::default(), &fresh);
            }
        }
    }

    #[cfg(feature = "plant")]
    fn one_choice(&self) -> bool {
        self.options.fault == Some(Fault::OneChoice)
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "the test build's twin uses it")]
    fn one_choice(&self) -> bool {
        false
    }
}

/// Whether a response says that everything holds.
pub(super) fn proves(response: &Response) -> bool {
    response.outcome == Outcome::Valid && !response.incomplete && response.failures.is_empty()
}

fn key(program: &Program, task: &Task) -> Key {
    KeyBuilder::new("ivl instances", VERSION).content("implementation", &identity(program, task.id)).finish()
}
