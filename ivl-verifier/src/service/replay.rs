//! Proofs replayed: the instances that a proof needed are asked again before the whole query is.
//!
//! Where an implementation that has an earlier version was proved as a whole, and that was dear, it is proved once
//! more with its quantifiers marked, which tells the instances that the proof needs ([`crate::smt::replay`]). They are
//! kept under the name of the implementation, whatever its text. The next version is asked with these instances in the
//! place of its quantifiers, within a budget; if the solver refutes that the version is proved, else all of it is
//! asked. What is proved for the first time costs nothing more.
//!
//! What is asked in pieces has instances for each of them, known by their place among the pieces, counted from
//! the first one and from the last: an edit that makes one more leaves those before it and behind it where one
//! of the two finds them. Pieces that take the place of what ran out of its limits have none.

use cache_core::cache::{Answer, Asked, Cost, Lookup};
use cache_core::codec;
use cache_core::key::{Key, KeyBuilder};
use cache_core::limits::Limits;
use cache_core::worker::{Cancel, Request as PoolRequest};
use serde::{Deserialize, Serialize};

use super::request::{deadline, reply};
use super::{Replay, Task, Verifier, identity};
#[cfg(feature = "plant")]
use crate::base::plant::Fault;
use crate::report::Verdict;
use crate::resolve::program::Program;
use crate::smt::answer::{Outcome, Request, Response};
use crate::smt::replay::{Instances, ground, marked};
use crate::smt::term::Query;
use crate::smt::wire;

/// The least budget of an attempt, in the solver's resource count: what the smallest queries take.
const LEAST_BUDGET: u64 = 3_000;

/// So many times shorter is a proof of which the instances are asked for again that were not told of an earlier one.
const MUCH_SHORTER: u64 = 2;

/// Raised whenever the meaning of what is kept changes.
const VERSION: u32 = 3;

/// What is kept of proofs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Recorded {
    /// Of the last proof of which they were told, with what it took without them, in the solver's resource count.
    instances: Option<(Instances, u64)>,
    /// What a later proof took of which they were not told within the limit.
    not_told: Option<u64>,
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

/// What of an implementation a query asks.
#[derive(Clone, Copy)]
pub(super) enum Portion {
    /// All of it.
    Whole,
    /// The piece of this number, among so many.
    Piece(usize, usize),
}

impl Portion {
    /// Under which names its instances are kept.
    fn names(self) -> Vec<String> {
        match self {
            Self::Whole => vec!["whole".to_owned()],
            Self::Piece(number, count) => {
                let from_last = count.saturating_sub(number + 1);
                vec![format!("piece {number}"), format!("piece {from_last} from the last")]
            }
        }
    }
}

/// A proof whose instances are to be found.
pub(super) struct Recording {
    keys: Vec<Key>,
    bytes: Vec<u8>,
    limits: Limits,
    took: u64,
}

impl Verifier {
    /// The query with the instances that an earlier proof of the implementation needed, if there are any.
    pub(super) fn replayed(
        &mut self,
        program: &Program,
        task: &Task,
        portion: Portion,
        query: &Query,
    ) -> Option<Replayed> {
        // What values are wanted of is asked as a whole.
        let usual = task.audited.is_none() && !self.options.values && self.tracked.is_empty();
        let wanted = matches!(self.options.replay, Replay::AfterEdits(_));
        if !wanted || !usual || self.variant || !query.has_quantifiers() {
            return None;
        }
        let mut instances = Vec::new();
        let mut took = 0;
        for key in keys(program, task, portion) {
            if let Some((found, whole)) = self.recorded(&key).and_then(|it| it.instances) {
                took = whole.max(took);
                instances.push(found);
            }
        }
        instances.dedup();
        if instances.is_empty() {
            return None;
        }
        let ground = ground(query, &instances, self.one_choice())?;
        Some(Replayed { ground, took })
    }

    /// How much the solver may spend on telling the instances of a proof that took so much.
    fn telling_budget(&self, took: u64) -> u64 {
        took.max(LEAST_BUDGET).saturating_mul(self.options.telling).max(1)
    }

    /// What is kept under a key.
    fn recorded(&mut self, key: &Key) -> Option<Recorded> {
        match self.instances.lookup(key, &Limits::default()) {
            Lookup::Hit { answer, .. } => Some(answer),
            _ => None,
        }
    }

    /// Whether the instances are to be found that a proof of an implementation needs: it has an earlier version, or
    /// those of all proofs are wanted.
    pub(super) fn is_recorded(&mut self, program: &Program, task: &Task) -> bool {
        if self.variant || !self.tracked.is_empty() {
            return false;
        }
        match self.options.replay {
            Replay::Never => false,
            Replay::AfterEdits(_) => {
                let mut versions = || self.cache.recall(&identity(program, task.id)).into_iter();
                self.options.mode.writes() && versions().any(|it| it.confirm != task.key.confirm())
            }
            Replay::Record => true,
        }
    }

    /// Notes that the instances of a proof are to be found, if it is one and was dear: of the query with these bytes.
    pub(super) fn note(
        &mut self,
        program: &Program,
        (task, portion): (&Task, Portion),
        bytes: Option<Vec<u8>>,
        limits: &Limits,
        response: &Response,
    ) {
        let Some(bytes) = bytes else { return };
        let (dear, limits) = match self.options.replay {
            Replay::Never => return,
            Replay::AfterEdits(dear) => (dear, limits.clone()),
            // The limit is one of answers, of which this is none: it may be all but met by the proof itself.
            Replay::Record => (0, Limits { resource: None, ..limits.clone() }),
        };
        if proves(response) && response.resource >= dear {
            let keys = keys(program, task, portion);
            // What was not told of a proof is not told of the next one either, unless that is a much shorter one.
            let given_up = |known: Recorded| {
                known.not_told.is_some_and(|whole| response.resource >= whole / MUCH_SHORTER)
            };
            let replaying = matches!(self.options.replay, Replay::AfterEdits(_));
            if replaying && keys.iter().any(|key| self.recorded(key).is_some_and(given_up)) {
                return;
            }
            let same = |it: &Recording| it.keys.iter().zip(&keys).any(|(a, b)| a.confirm() == b.confirm());
            // One of an earlier version that nobody had the time for.
            self.recordings.retain(|it| !same(it));
            self.recordings.push(Recording { keys, bytes, limits, took: response.resource });
        }
    }

    /// Finds the instances of the proofs that were noted; those that are interrupted stay noted.
    pub(super) fn record_instances(&mut self, cancel: &Cancel) {
        let mut asked = Vec::new();
        let mut requests = Vec::new();
        for recording in std::mem::take(&mut self.recordings) {
            let Recording { bytes, limits, took, .. } = &recording;
            let Some(query) = wire::read(bytes).ok().and_then(|it| marked(&it)) else { continue };
            let request = Request {
                resource: limits.resource.into_iter().chain([self.telling_budget(*took)]).min(),
                wall_ms: limits.wall_ms,
                decide: true,
                values: false,
                query: wire::write(&query),
                wanted: None,
                tracked: Vec::new(),
                instances: true,
            };
            if let Ok(bytes) = codec::encode(&request) {
                requests.push(PoolRequest { bytes, deadline: deadline(limits, 1) });
                asked.push(recording);
            }
        }
        if requests.is_empty() {
            return;
        }
        self.counters.queries += requests.len() as u64;
        let mut told = Vec::new();
        self.pool.run(&requests, cancel, |index, result| told.push((index, result)));
        let mut asked: Vec<Option<Recording>> = asked.into_iter().map(Some).collect();
        for (index, result) in told {
            let recording = asked.get_mut(index).and_then(Option::take);
            let reply = match reply(result) {
                Ok(reply) => reply,
                Err(Verdict::Cancelled) => {
                    // Who types on is told of nothing; there is a pause later.
                    self.recordings.extend(recording);
                    continue;
                }
                Err(_) => continue,
            };
            self.counters.solver_checks += u64::from(reply.response.checks);
            self.counters.solver_resource += reply.response.resource;
            let Some(recording) = recording else { continue };
            let Recording { keys, took, .. } = recording;
            // Where another limit ended it, another run may have more.
            let not_told = reply.response.resource >= self.telling_budget(took);
            for key in &keys {
                let answer = match &reply.instances {
                    Some(found) => Recorded { instances: Some((found.clone(), took)), not_told: None },
                    // What was told of an earlier proof may be of use yet.
                    None if not_told => {
                        Recorded { not_told: Some(took), ..self.recorded(key).unwrap_or_default() }
                    }
                    None => continue,
                };
                let fresh = Asked { answer, cost: Cost::default() };
                self.instances.fill(key, &Limits::default(), &fresh);
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

fn keys(program: &Program, task: &Task, portion: Portion) -> Vec<Key> {
    let begin =
        KeyBuilder::new("ivl instances", VERSION).content("implementation", &identity(program, task.id));
    let named = |name: String| begin.clone().content("portion", &name).finish();
    portion.names().into_iter().map(named).collect()
}
