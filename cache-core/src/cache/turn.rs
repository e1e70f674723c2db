//! Taking turns with other processes: who is about to ask the engine takes the question's lease in the store, and who
//! finds it taken waits and looks the question up again.
//!
//! Nobody waits beyond the bound of the configuration, whatever a holder does, and a lease ends with its holder; so a
//! process that dies costs the others nothing but that they ask themselves, and one that hangs costs them the bound
//! once for each question that it holds. What is answered never depends on a lease.

use std::sync::Arc;

use super::question::{Answer, Question};
use super::{Cache, Lookup};
use crate::key::Checksum;
use crate::limits::Limits;
#[cfg(feature = "plant")]
use crate::plant::Fault;
use crate::policy::Policy;
use crate::stats::MissReason;
use crate::store::{StoreError, Taken, Turn};

impl<A: Answer, P: Policy> Cache<A, P> {
    /// The turn to take before the engine is asked, where processes take turns.
    pub(super) fn turn(&self, question: &(impl Question + ?Sized)) -> Option<Turn> {
        let most = self.lease_wait.filter(|_| self.mode.reads() && self.mode.writes())?;
        let store = Arc::clone(self.store.as_ref()?);
        let id = Checksum { digest: question.digest(), confirm: question.confirm() };
        Some(Turn::new(store, id, most))
    }

    /// Looks a question up that had missed before its turn came: whoever was at work on it may have answered it.
    pub(super) fn look_again(
        &mut self,
        question: &(impl Question + ?Sized),
        limits: &Limits,
        why: MissReason,
        taken: &Result<Taken, StoreError>,
    ) -> Lookup<A> {
        if let Err(trouble) = taken {
            self.warnings.add(trouble.to_string());
        }
        // One look-up for those who count.
        self.stats.forget_miss(why);
        #[cfg(feature = "plant")]
        if self.fault == Some(Fault::TrustTurns) {
            self.fault = Some(Fault::IgnoreLimits);
            let looked_up = self.lookup(question, limits);
            self.fault = Some(Fault::TrustTurns);
            return looked_up;
        }
        self.lookup(question, limits)
    }
}
