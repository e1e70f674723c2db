//! The cache that puts everything together: look up, confirm, judge limits, audit, ask, fill.
//!
//! ```text
//! question ──> memory table ──> store ──> confirm ──> judge limits ──> hit ──> audit?
//!                                  │ miss, with its reason                       │
//!                                  └──> engine ──> fill memory and store <───────┘ fresh answer wins
//! ```
//!
//! [`Cache::answer`] does it in one go, with the engine as a function; [`SharedCache::answer`] does so for threads,
//! and for engines that ask the cache themselves. Engines that run several workers
//! take the pieces: [`Cache::lookup`] before, [`Cache::fill`] after, [`Cache::settle_audit`] where a hit
//! was to be audited.
//!
//! # What is promised
//! - A cache failure never changes an answer: every error of the store becomes a warning
//!   ([`Cache::take_warnings`]) and a miss.
//! - An answer from disk is served only if its 256-bit digest is the question's, whatever the store says; where
//!   there is a store, one in memory as well.
//! - What is stored was decoded and compared before: an answer that the encoding would alter is not stored.
//! - An answer that ran out of limits is served only where [`Limits::exhausted_for`] holds; a decided one
//!   whatever the limits. Budgets that cannot be compared keep their answers side by side, and none of them takes
//!   the place of a decided answer (but in mode `rebuild`, which believes nothing that was there).
//! - An entry that an audit found wrong is served no more: what the engine says now is the answer, and is kept.
//!   Audits and disagreements are counted, and a warning names the question.
//! - What a [`Mode`] does not allow does not happen: `read` writes nothing to the store, `rebuild` takes
//!   nothing from anywhere, `off` touches nothing, `offline` asks no engine.
//!
//! # Several processes
//! Two that miss the same question at once ask their engines both, unless [`CacheConfig::lease_wait`] says that they
//! take turns. That costs a miss some 50 microseconds, so it is for questions that are dear.
//!
//! # What it costs
//! Without a store, no confirming digest is asked for. A hit in memory is one look-up and a
//! clone of the answer, with a store a comparison of confirming digests beside. An answer that is kept is cloned once
//! and, if it is stored, decoded once;
//! storing one that ran out of limits looks into the store first, where another process may have decided it.
//!
//! # The end of a run
//! [`Cache::finish`] brings the store in order. A cache that is dropped without it does the same, as far as it can:
//! what goes wrong then is told to nobody.

mod ahead;
mod config;
mod entry;
mod history;
mod known;
mod question;
mod settle;
mod shared;
mod turn;
mod warnings;

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

pub use config::CacheConfig;
pub use history::Remembered;
pub use question::{Answer, Asked, Cost, Question};
pub use settle::{Disagreement, Settled};
pub use shared::{Here, SharedCache};

use crate::audit::{Audit, Auditor};
use crate::digest::{Confirm, Digest};
use crate::key::Checksum;
use crate::limits::Limits;
use crate::mode::Mode;
use crate::policy::{Policy, S3Fifo};
use crate::stats::{CacheStats, MissReason};
use crate::store::{Found, Store};
use crate::table::{Counting, Table};
use known::Known;
use warnings::Warnings;

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// The engine was asked, for this reason.
    Fresh(MissReason),
    /// The answer was in memory.
    Memory,
    /// The answer was in the store: on a disk as a rule, or at a server behind it.
    Store,
}

/// An answer with its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered<A> {
    /// The answer.
    pub answer: A,
    /// Where it comes from.
    pub provenance: Provenance,
    /// What it cost the engine when it was computed: now if it is fresh, else what a hit saved.
    pub cost: Cost,
}

/// What a cache knows about a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Lookup<A> {
    /// The answer is known.
    Hit {
        /// The answer.
        answer: A,
        /// Where it comes from: memory or the store.
        provenance: Provenance,
        /// What it cost when it was computed.
        saved: Cost,
        /// Whether the caller is to ask the engine all the same, with the same limits, and to call
        /// [`Cache::settle_audit`] before it gives an answer.
        audit: bool,
    },
    /// It is not.
    Miss(MissReason),
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError<E> {
    /// The mode is offline and the cache does not have the answer.
    #[error("no answer to {question} offline, because {why}: run once with the cache mode read-write")]
    Offline {
        /// The question's name.
        question: String,
        /// Why the cache does not have it.
        why: MissReason,
    },
    /// The engine failed.
    #[error("{0}")]
    Engine(E),
}

/// What is kept in memory.
struct Held<A> {
    /// Of the question, where there is a store.
    confirm: Option<Confirm>,
    known: Known<A>,
}

/// A cache for answers of type `A`, with the policy `P` in memory. See the [module](self).
pub struct Cache<A: Answer, P: Policy = S3Fifo> {
    mode: Mode,
    auditor: Auditor,
    store: Option<Arc<dyn Store>>,
    lease_wait: Option<Duration>,
    memory: Table<Digest, Held<A>, P, Counting>,
    /// Questions whose entries in the store were found wrong and could not be replaced.
    quarantined: FxHashSet<Digest>,
    disagreements: Vec<Disagreement>,
    /// The questions of the disagreements.
    disagreed: FxHashSet<Digest>,
    /// Whether the store was brought in order since something was last stored.
    finished: bool,
    /// By the digest of the identity; looked up, never listed.
    history: FxHashMap<Digest, Vec<Remembered>>,
    warnings: Warnings,
    stats: CacheStats,
    #[cfg(feature = "plant")]
    fault: Option<crate::plant::Fault>,
}

impl<A: Answer, P: Policy> Cache<A, P> {
    /// An empty cache over the store of the configuration.
    #[must_use]
    pub fn new(config: CacheConfig) -> Self {
        let mut warnings = Warnings::default();
        let mut audit = config.audit;
        if audit != Audit::Never && !config.mode.asks() {
            warnings.add(format!("audit `{audit}` has no effect offline, where no engine may be asked"));
            audit = Audit::Never;
        }
        Self {
            mode: config.mode,
            auditor: Auditor::new(audit),
            // `off` does not even hold the store.
            store: config.store.filter(|_| config.mode != Mode::Off),
            lease_wait: config.lease_wait,
            memory: Table::new(config.memory_entries),
            quarantined: FxHashSet::default(),
            disagreements: Vec::new(),
            disagreed: FxHashSet::default(),
            finished: true,
            history: FxHashMap::default(),
            warnings,
            stats: CacheStats::default(),
            #[cfg(feature = "plant")]
            fault: config.fault,
        }
    }

    /// Answers a question: from the cache if it may, else by asking the engine, whose answer is kept.
    ///
    /// # Errors
    /// [`CacheError::Offline`] for a miss where no engine may be asked; [`CacheError::Engine`] if the
    /// engine fails on a miss, and then nothing is kept. An engine that fails in an audit leaves a
    /// warning, and the cached answer stands.
    pub fn answer<E>(
        &mut self,
        question: &(impl Question + ?Sized),
        limits: &Limits,
        ask: impl FnOnce() -> Result<Asked<A>, E>,
    ) -> Result<Answered<A>, CacheError<E>> {
        let mut looked_up = self.lookup(question, limits);
        // Held until the answer is kept.
        let mut taken = None;
        if let Lookup::Miss(why) = looked_up
            && let Some(turn) = self.turn(question)
        {
            looked_up = self.look_again(question, limits, why, taken.insert(turn.take()));
        }
        match looked_up {
            Lookup::Hit { answer, provenance, saved, audit: false } => {
                Ok(Answered { answer, provenance, cost: saved })
            }
            Lookup::Hit { answer, provenance, saved, audit: true } => {
                let stored = Answered { answer, provenance, cost: saved };
                Ok(self.settled(question, limits, stored, ask().ok()))
            }
            Lookup::Miss(why) if !self.mode.asks() => {
                Err(CacheError::Offline { question: question.name(), why })
            }
            Lookup::Miss(why) => {
                let fresh = ask().map_err(CacheError::Engine)?;
                self.fill(question, limits, &fresh);
                Ok(fresh_answer(fresh, why))
            }
        }
    }

    /// The answer after an audit, in which the engine may have failed.
    fn settled(
        &mut self,
        question: &(impl Question + ?Sized),
        limits: &Limits,
        stored: Answered<A>,
        fresh: Option<Asked<A>>,
    ) -> Answered<A> {
        let Some(fresh) = fresh else {
            self.warnings.add(format!("{} was not audited: the engine failed", question.name()));
            return stored;
        };
        match self.settle_audit(question, limits, &stored.answer, &fresh) {
            Settled::Agrees => stored,
            Settled::Undecided if fresh.answer.out_of_limits() => stored,
            Settled::Undecided => fresh_answer(fresh, MissReason::Limits),
            Settled::Disagrees => fresh_answer(fresh, MissReason::Quarantined),
        }
    }

    /// Looks a question up: in memory, then in the store.
    pub fn lookup(&mut self, question: &(impl Question + ?Sized), limits: &Limits) -> Lookup<A> {
        match self.find(question, limits) {
            Ok((answer, provenance, saved)) => {
                let audit = self.auditor.due();
                self.stats.hits += 1;
                if !audit {
                    self.stats.seconds_saved += saved.seconds;
                }
                Lookup::Hit { answer, provenance, saved, audit }
            }
            Err(why) => {
                self.stats.miss(why);
                Lookup::Miss(why)
            }
        }
    }

    fn find(
        &mut self,
        question: &(impl Question + ?Sized),
        limits: &Limits,
    ) -> Result<(A, Provenance, Cost), MissReason> {
        if !self.mode.reads() {
            return Err(MissReason::NotRead);
        }
        let digest = question.digest();
        let confirm = self.confirm_of(question);
        let ignore_limits = self.commits(Lie::IgnoreLimits);
        let mut known_within_limits = false;
        if let Some(held) = self.memory.get(digest)
            && held.confirm == confirm
        {
            if let Some((answer, cost)) = serve(&held.known, limits, ignore_limits) {
                return Ok((answer.clone(), Provenance::Memory, cost));
            }
            // Another process may have decided it in the meantime.
            known_within_limits = true;
        }
        let known = match self.stored(question) {
            Err(MissReason::Absent) if known_within_limits => return Err(MissReason::Limits),
            known => known?,
        };
        let served = serve(&known, limits, ignore_limits);
        let served = served.map(|(answer, cost)| (answer.clone(), Provenance::Store, cost));
        self.memory.insert(digest, Held { confirm, known });
        served.ok_or(MissReason::Limits)
    }

    /// What the store knows of a question.
    fn stored(&mut self, question: &(impl Question + ?Sized)) -> Result<Known<A>, MissReason> {
        let Some(store) = &self.store else { return Err(MissReason::Absent) };
        let id = Checksum { digest: question.digest(), confirm: question.confirm() };
        if self.quarantined.contains(&id.digest) {
            return Err(MissReason::Quarantined);
        }
        let bytes = match store.get(&id) {
            Ok(Found::Hit(bytes)) => bytes,
            Ok(Found::Missing(why)) => return Err(why),
            Err(error) => {
                self.warnings.add(error.to_string());
                return Err(MissReason::Unreachable);
            }
        };
        let confirm = (!self.commits(Lie::SkipConfirmation)).then_some(id.confirm);
        let known = entry::from_bytes(&bytes, confirm);
        if matches!(known, Err(MissReason::Damaged)) {
            self.remove_from_store(&id);
        }
        known
    }

    /// The confirming digest of a question, where answers are compared by it.
    fn confirm_of(&self, question: &(impl Question + ?Sized)) -> Option<Confirm> {
        self.store.as_ref().filter(|_| !self.commits(Lie::SkipConfirmation)).map(|_| question.confirm())
    }

    /// Keeps a fresh answer, as the mode allows: in memory, and in the store. It takes the place of what was there
    /// unless that says more: a decided answer stays where the fresh one ran out of limits.
    pub fn fill(&mut self, question: &(impl Question + ?Sized), limits: &Limits, fresh: &Asked<A>) {
        let mut known = Known::one(limits, fresh.cost, fresh.answer.clone());
        if !known.is_decided()
            && self.mode.reads()
            && !self.commits(Lie::ForgetDecided)
            && let Some(before) = self.known(question)
        {
            if before.is_decided() {
                // Whoever gave it vouches for it: put once more it would pass for an answer of this machine.
                self.hold(question, before);
                return;
            }
            known = before.with(known);
        }
        self.keep(question, known);
    }

    /// All that is known of a question, in memory or in the store.
    fn known(&mut self, question: &(impl Question + ?Sized)) -> Option<Known<A>> {
        let confirm = self.confirm_of(question);
        let held = self.memory.get(question.digest());
        let held = held.filter(|held| held.confirm == confirm).map(|held| held.known.clone());
        if held.as_ref().is_some_and(Known::is_decided) {
            return held;
        }
        // What others put into the store while the engine was at work comes first.
        self.stored(question).ok().or(held)
    }

    /// Keeps what is known of a question in memory and in the store; says whether the store has it now.
    fn keep(&mut self, question: &(impl Question + ?Sized), known: Known<A>) -> bool {
        let stored = self.mode.writes() && self.store(question, &known);
        if self.mode.reads() {
            self.hold(question, known);
        }
        stored
    }

    /// Keeps what is known of a question in memory.
    fn hold(&mut self, question: &(impl Question + ?Sized), known: Known<A>) {
        let held = Held { confirm: self.confirm_of(question), known };
        self.memory.insert(question.digest(), held);
    }

    /// Puts what is known of a question into the store, if there is one.
    fn store(&mut self, question: &(impl Question + ?Sized), known: &Known<A>) -> bool {
        let Some(store) = &self.store else { return false };
        self.finished = false;
        let id = Checksum { digest: question.digest(), confirm: question.confirm() };
        let stored = match entry::to_bytes(id.confirm, known, self.commits(Lie::KeepAltered)) {
            Ok(bytes) => store.put(&id, &bytes).map_err(|error| error.to_string()),
            Err(error) => Err(format!("the answer to {} is not kept: {error}", question.name())),
        };
        match stored {
            Ok(()) => {
                self.quarantined.remove(&id.digest);
                true
            }
            Err(warning) => {
                self.warnings.add(warning);
                false
            }
        }
    }

    /// What went wrong without consequences for any answer, since the last call: for users, each thing
    /// once, and not more than a screenful.
    pub fn take_warnings(&mut self) -> Vec<String> {
        if let Some(store) = &self.store {
            for trouble in store.take_troubles() {
                self.warnings.add(trouble.to_string());
            }
        }
        self.warnings.take()
    }

    /// What this cache did so far, without what its store says of itself. Entries that left memory for
    /// room count as evicted even if the store has them.
    #[must_use]
    pub fn stats(&self) -> CacheStats {
        CacheStats { evicted: self.memory.recorder().evicted, ..self.stats.clone() }
    }

    /// Ends the run: brings the store in order and within its bound, if the mode writes, and adds its
    /// size and its evictions to the statistics. Of several caches over one store, one calls this, last; dropping
    /// the others then finds nothing left to do.
    pub fn finish(&mut self) -> CacheStats {
        let mut stats = self.stats();
        let Some(store) = self.store.clone() else { return stats };
        self.tidy_store();
        stats.evicted += store.counters().evicted;
        match store.usage() {
            Ok(usage) => stats.bytes = usage.bytes,
            Err(error) => self.warnings.add(error.to_string()),
        }
        stats
    }

    fn tidy_store(&mut self) {
        self.finished = true;
        let Some(store) = self.store.as_ref().filter(|_| self.mode.writes()) else { return };
        if let Err(error) = store.finish() {
            self.warnings.add(error.to_string());
        }
    }

    /// Whether this cache tells a lie. Only one that can be told where faults are planted is ever told.
    #[cfg(feature = "plant")]
    fn commits(&self, lie: Lie) -> bool {
        use crate::plant::Fault;
        self.fault
            == Some(match lie {
                Lie::IgnoreLimits => Fault::IgnoreLimits,
                Lie::SkipConfirmation => Fault::SkipConfirmation,
                Lie::KeepAltered => Fault::KeepAltered,
                Lie::ForgetDecided => Fault::ForgetDecided,
            })
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "it has a fault only where faults can be planted")]
    fn commits(&self, _lie: Lie) -> bool {
        false
    }
}

impl<A: Answer, P: Policy> Drop for Cache<A, P> {
    fn drop(&mut self) {
        // In a panic the store may be what failed; it is in order for readers in any case.
        if !self.finished && !std::thread::panicking() {
            self.tidy_store();
        }
    }
}

/// The lies that a cache can be made to tell.
#[derive(Clone, Copy)]
enum Lie {
    IgnoreLimits,
    SkipConfirmation,
    KeepAltered,
    ForgetDecided,
}

/// The answer to a request within `limits`, if there is one.
#[inline]
fn serve<'a, A: Answer>(known: &'a Known<A>, limits: &Limits, ignore_limits: bool) -> Option<(&'a A, Cost)> {
    #[cfg(feature = "plant")]
    if ignore_limits {
        return known.latest();
    }
    #[cfg(not(feature = "plant"))]
    let _ = ignore_limits;
    known.answer_within(limits)
}

fn fresh_answer<A>(fresh: Asked<A>, why: MissReason) -> Answered<A> {
    let Asked { answer, cost } = fresh;
    Answered { answer, provenance: Provenance::Fresh(why), cost }
}
