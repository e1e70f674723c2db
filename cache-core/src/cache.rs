//! The cache that puts everything together: look up, confirm, judge limits, audit, ask, fill.
//!
//! ```text
//! question ──> memory table ──> store ──> confirm ──> judge limits ──> hit ──> audit?
//!                                  │ miss, with its reason                       │
//!                                  └──> engine ──> fill memory and store <───────┘ fresh answer wins
//! ```
//!
//! [`Cache::answer`] does it in one go, with the engine as a function. Engines that run several workers
//! take the pieces: [`Cache::lookup`] before, [`Cache::fill`] after, [`Cache::settle_audit`] where a hit
//! was to be audited.
//!
//! # What is promised
//! - A cache failure never changes an answer: every error of the store becomes a warning
//!   ([`Cache::take_warnings`]) and a miss.
//! - An answer from disk is served only if its 256-bit digest is the question's, whatever the store says.
//! - An answer that ran out of limits is served only where [`Limits::exhausted_for`] holds; a decided one
//!   whatever the limits.
//! - An entry that an audit found wrong is served no more, and removed from the store if the mode writes;
//!   what the engine says now is the answer.
//! - What a [`Mode`] does not allow does not happen: `read` writes nothing to the store, `rebuild` takes
//!   nothing from anywhere, `off` touches nothing, `offline` asks no engine.
//!
//! # What it costs
//! Without a store, no confirming digest and no parts are asked for. A hit in memory is one look-up and a
//! clone of the answer.

mod entry;
mod history;
mod question;
mod warnings;

use std::fmt;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

pub use history::{DEPTH as HISTORY_DEPTH, Remembered};
pub use question::{Answer, Asked, Cost, Question};

use crate::audit::{Audit, Auditor};
use crate::digest::Digest;
use crate::limits::Limits;
use crate::mode::Mode;
use crate::policy::{Policy, S3Fifo};
use crate::stats::{CacheStats, MissReason};
use crate::store::{EntryId, Found, Store};
use crate::table::{Counting, Table};
use entry::Entry;
use warnings::Warnings;

/// How a cache behaves. Fill in what differs from `CacheConfig::default()`.
#[derive(Clone)]
pub struct CacheConfig {
    /// What may be taken and left.
    pub mode: Mode,
    /// How often a hit is checked against the engine. Nothing is audited offline.
    pub audit: Audit,
    /// Where answers are kept beyond this run; several caches may share one. Caches over one store keep
    /// apart by the schemas of their keys.
    pub store: Option<Arc<dyn Store>>,
    /// The most answers kept in memory.
    pub memory_entries: usize,
    /// A lie that is to be told.
    #[cfg(feature = "plant")]
    pub fault: Option<crate::plant::Fault>,
}

impl Default for CacheConfig {
    /// Read and write, no audit, no store, 65,536 answers in memory.
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            audit: Audit::default(),
            store: None,
            memory_entries: 1 << 16,
            #[cfg(feature = "plant")]
            fault: None,
        }
    }
}

impl fmt::Debug for CacheConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CacheConfig")
            .field("mode", &self.mode)
            .field("audit", &self.audit)
            .field("store", &self.store.is_some())
            .field("memory_entries", &self.memory_entries)
            .finish_non_exhaustive()
    }
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// The engine was asked, for this reason.
    Fresh(MissReason),
    /// The answer was in memory.
    Memory,
    /// The answer was in the store.
    Disk,
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
        /// Where it comes from: memory or disk.
        provenance: Provenance,
        /// What it cost when it was computed.
        saved: Cost,
        /// Whether the caller is to ask the engine all the same and call [`Cache::settle_audit`].
        audit: bool,
    },
    /// It is not.
    Miss(MissReason),
}

/// What an audit of a hit found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Both answers say the same.
    Agrees,
    /// They do not; the entry is served no more.
    Disagrees,
    /// One of them ran out of limits, so nothing can be said; the decided one is the answer.
    Undecided,
}

/// A question to which the cache had a wrong answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The question's name.
    pub question: String,
    /// Its digest.
    pub digest: Digest,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the cache held another answer to {} than the engine gives", self.question)
    }
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
    limits: Limits,
    cost: Cost,
    answer: A,
}

/// A cache for answers of type `A`, with the policy `P` in memory. See the [module](self).
pub struct Cache<A: Answer, P: Policy = S3Fifo> {
    mode: Mode,
    auditor: Auditor,
    store: Option<Arc<dyn Store>>,
    memory: Table<Digest, Held<A>, P, Counting>,
    quarantined: FxHashSet<Digest>,
    disagreements: Vec<Disagreement>,
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
            memory: Table::new(config.memory_entries),
            quarantined: FxHashSet::default(),
            disagreements: Vec::new(),
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
        match self.lookup(question, limits) {
            Lookup::Hit { answer, provenance, saved, audit: false } => {
                Ok(Answered { answer, provenance, cost: saved })
            }
            Lookup::Hit { answer, provenance, saved, audit: true } => {
                let Ok(fresh) = ask() else {
                    self.warnings.add(format!("{} was not audited: the engine failed", question.name()));
                    return Ok(Answered { answer, provenance, cost: saved });
                };
                Ok(match self.settle_audit(question, limits, &answer, &fresh) {
                    Settled::Agrees => Answered { answer, provenance, cost: saved },
                    Settled::Undecided if fresh.answer.out_of_limits() => {
                        Answered { answer, provenance, cost: saved }
                    }
                    Settled::Undecided => fresh_answer(fresh, MissReason::Limits),
                    Settled::Disagrees => fresh_answer(fresh, MissReason::Quarantined),
                })
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
        if self.quarantined.contains(&digest) {
            return Err(MissReason::Quarantined);
        }
        let ignore_limits = self.commits_ignored_limits();
        let serves = |answer: &A, spent: &Limits| {
            ignore_limits || !answer.out_of_limits() || spent.exhausted_for(limits)
        };
        let mut known_within_limits = false;
        if let Some(held) = self.memory.get(digest) {
            if serves(&held.answer, &held.limits) {
                return Ok((held.answer.clone(), Provenance::Memory, held.cost));
            }
            // Another process may have decided it in the meantime.
            known_within_limits = true;
        }
        let Some(store) = &self.store else {
            return Err(if known_within_limits { MissReason::Limits } else { MissReason::Absent });
        };
        let id = EntryId { digest, confirm: question.confirm() };
        let bytes = match store.get(&id) {
            Ok(Found::Hit(bytes)) => bytes,
            Ok(Found::Missing(MissReason::Absent)) if known_within_limits => return Err(MissReason::Limits),
            Ok(Found::Missing(why)) => return Err(why),
            Err(error) => {
                self.warnings.add(error.to_string());
                return Err(MissReason::Unreachable);
            }
        };
        let entry = match Entry::<A>::from_bytes(&bytes) {
            Ok(entry) => entry,
            Err(why) => {
                if why == MissReason::Damaged {
                    self.remove_from_store(&id);
                }
                return Err(why);
            }
        };
        if entry.confirm != id.confirm && !self.commits_skipped_confirmation() {
            return Err(MissReason::Unconfirmed);
        }
        let Entry { confirm: _, limits: spent, cost, answer } = entry;
        let served = serves(&answer, &spent);
        self.memory.insert(digest, Held { limits: spent, cost, answer: answer.clone() });
        if served { Ok((answer, Provenance::Disk, cost)) } else { Err(MissReason::Limits) }
    }

    /// Keeps a fresh answer, as the mode allows: in memory, and in the store over what was there.
    pub fn fill(&mut self, question: &(impl Question + ?Sized), limits: &Limits, fresh: &Asked<A>) {
        let digest = question.digest();
        if self.quarantined.contains(&digest) {
            return;
        }
        if self.mode.reads() {
            let held = Held { limits: limits.clone(), cost: fresh.cost, answer: fresh.answer.clone() };
            self.memory.insert(digest, held);
        }
        if !self.mode.writes() {
            return;
        }
        let Some(store) = &self.store else { return };
        let confirm = question.confirm();
        let entry = Entry { confirm, limits: limits.clone(), cost: fresh.cost, answer: fresh.answer.clone() };
        let kept = match entry.to_bytes(&question.parts()) {
            Ok(bytes) => store.put(&EntryId { digest, confirm }, &bytes).map_err(|error| error.to_string()),
            Err(error) => Err(format!("the answer to {} is not kept: {error}", question.name())),
        };
        if let Err(warning) = kept {
            self.warnings.add(warning);
        }
    }

    /// Compares the answer of an audited hit with what the engine says now. An entry that is wrong is
    /// removed and served no more in this run; one that ran out of limits is replaced if the engine
    /// decides now.
    pub fn settle_audit(
        &mut self,
        question: &(impl Question + ?Sized),
        limits: &Limits,
        stored: &A,
        fresh: &Asked<A>,
    ) -> Settled {
        match (stored.out_of_limits(), fresh.answer.out_of_limits()) {
            (true, true) => Settled::Agrees,
            (false, true) => Settled::Undecided,
            (true, false) => {
                self.fill(question, limits, fresh);
                Settled::Undecided
            }
            (false, false) if stored.agrees_with(&fresh.answer) => Settled::Agrees,
            (false, false) => {
                self.quarantine(question);
                Settled::Disagrees
            }
        }
    }

    fn quarantine(&mut self, question: &(impl Question + ?Sized)) {
        let digest = question.digest();
        self.memory.remove(digest);
        if self.quarantined.insert(digest) {
            self.disagreements.push(Disagreement { question: question.name(), digest });
        }
        // The look-up was no hit after all.
        self.stats.hits = self.stats.hits.saturating_sub(1);
        self.stats.miss(MissReason::Quarantined);
        if self.store.is_some() {
            self.remove_from_store(&EntryId { digest, confirm: question.confirm() });
        }
    }

    fn remove_from_store(&mut self, id: &EntryId) {
        if self.mode.writes()
            && let Some(store) = &self.store
            && let Err(error) = store.remove(id)
        {
            self.warnings.add(error.to_string());
        }
    }

    /// What audits found wrong so far.
    #[must_use]
    pub fn disagreements(&self) -> &[Disagreement] {
        &self.disagreements
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
    /// size and its evictions to the statistics. Of several caches over one store, one calls this, last.
    pub fn finish(&mut self) -> CacheStats {
        let mut stats = self.stats();
        let Some(store) = self.store.clone() else { return stats };
        if self.mode.writes() {
            for error in [store.flush(), store.maintain()].into_iter().filter_map(Result::err) {
                self.warnings.add(error.to_string());
            }
        }
        stats.evicted += store.counters().evicted;
        match store.usage() {
            Ok(usage) => stats.bytes = usage.bytes,
            Err(error) => self.warnings.add(error.to_string()),
        }
        stats
    }

    #[cfg(feature = "plant")]
    fn commits_ignored_limits(&self) -> bool {
        self.fault == Some(crate::plant::Fault::IgnoreLimits)
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "it has a fault only where faults can be planted")]
    fn commits_ignored_limits(&self) -> bool {
        false
    }

    #[cfg(feature = "plant")]
    fn commits_skipped_confirmation(&self) -> bool {
        self.fault == Some(crate::plant::Fault::SkipConfirmation)
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "it has a fault only where faults can be planted")]
    fn commits_skipped_confirmation(&self) -> bool {
        false
    }
}

fn fresh_answer<A>(fresh: Asked<A>, why: MissReason) -> Answered<A> {
    let Asked { answer, cost } = fresh;
    Answered { answer, provenance: Provenance::Fresh(why), cost }
}
