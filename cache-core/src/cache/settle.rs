//! The end of an audit: what a hit said is compared with what the engine says now, whose answer wins.

use std::fmt;

use super::{Answer, Asked, Cache, Known, Question};
use crate::digest::Digest;
use crate::key::Checksum;
use crate::limits::Limits;
use crate::policy::Policy;
use crate::stats::MissReason;

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
    /// Who signed the wrong answer, where it came from a remote cache, in this run or an earlier one.
    pub signer: Option<String>,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the cache held another answer to {} than the engine gives", self.question)?;
        match &self.signer {
            Some(signer) => write!(f, ", signed by {signer}"),
            None => Ok(()),
        }
    }
}

impl<A: Answer, P: Policy> Cache<A, P> {
    /// Ends an audit: compares the answer of a hit that [`Cache::lookup`] wants audited with what the engine says now.
    /// The engine's answer takes the place of an entry that is wrong, or that ran out of limits where the engine
    /// decides now; nothing else is kept, so no [`Cache::fill`] follows. What to go on with is for the caller:
    ///
    /// | settled | the answer |
    /// | --- | --- |
    /// | [`Settled::Agrees`] | `stored` |
    /// | [`Settled::Disagrees`] | `fresh`: the hit was wrong, is told as a warning and counted as a miss |
    /// | [`Settled::Undecided`] | whichever of the two did not run out of limits |
    ///
    /// An engine that fails in an audit has settled nothing: then this is not called, and `stored` stands.
    /// [`Cache::answer`] does all of it.
    pub fn settle_audit(
        &mut self,
        question: &(impl Question + ?Sized),
        limits: &Limits,
        stored: &A,
        fresh: &Asked<A>,
    ) -> Settled {
        self.stats.audits += 1;
        match (stored.out_of_limits(), fresh.answer.out_of_limits()) {
            (true, true) => Settled::Agrees,
            (false, true) => Settled::Undecided,
            (true, false) => {
                self.fill(question, limits, fresh);
                Settled::Undecided
            }
            (false, false) if stored.agrees_with(&fresh.answer) => Settled::Agrees,
            (false, false) => {
                self.replace(question, limits, fresh);
                Settled::Disagrees
            }
        }
    }

    /// Puts what the engine says now in the place of an entry that is wrong.
    fn replace(&mut self, question: &(impl Question + ?Sized), limits: &Limits, fresh: &Asked<A>) {
        let digest = question.digest();
        let id = Checksum { digest, confirm: question.confirm() };
        let signer = self.store.as_ref().and_then(|store| store.signer(&id));
        let disagreement = Disagreement { question: question.name(), digest, signer };
        self.warnings.add(format!("{disagreement}: the engine's answer is given and kept"));
        if self.disagreed.insert(digest) {
            self.disagreements.push(disagreement);
        }
        // The look-up was no hit after all.
        self.stats.disagreements += 1;
        self.stats.hits = self.stats.hits.saturating_sub(1);
        self.stats.miss(MissReason::Quarantined);
        self.memory.remove(digest);
        let in_place = self.keep(question, Known::one(limits, fresh.cost, fresh.answer.clone()));
        if self.store.is_some() && !in_place {
            self.quarantined.insert(digest);
            self.remove_from_store(&Checksum { digest, confirm: question.confirm() });
        }
    }

    pub(super) fn remove_from_store(&mut self, id: &Checksum) {
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
}
