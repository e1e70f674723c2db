//! Saying what will be looked up soon, for stores to which the way is long.

use super::Cache;
use super::history::id_of;
use super::question::{Answer, Question};
use crate::key::Checksum;
use crate::policy::Policy;
use crate::store::Store;

impl<A: Answer, P: Policy> Cache<A, P> {
    /// Whether the way to the store is so long that saying what will be looked up is worth it.
    #[must_use]
    pub fn is_far(&self) -> bool {
        self.store.as_ref().is_some_and(Store::is_far)
    }

    /// Says which questions will be looked up soon, so that a store to which the way is long is asked for all of
    /// them side by side. Changes nothing but the time that looking up takes.
    pub fn prefetch<'q, Q: Question + 'q>(&self, questions: impl IntoIterator<Item = &'q Q>) {
        let Some(store) = self.store.as_ref().filter(|store| self.mode.reads() && store.is_far()) else {
            return;
        };
        let id = |question: &Q| Checksum { digest: question.digest(), confirm: question.confirm() };
        let ids: Vec<Checksum> = questions.into_iter().map(id).collect();
        store.prefetch(&ids);
    }

    /// [`Cache::prefetch`] of what is remembered of identities.
    pub fn prefetch_history<'i>(&self, identities: impl IntoIterator<Item = &'i str>) {
        // Whoever writes reads them as well, to add to them, and `off` holds no store.
        let Some(store) = self.store.as_ref().filter(|store| store.is_far()) else { return };
        let id = |identity| {
            let (digest, confirm) = id_of(identity);
            Checksum { digest, confirm }
        };
        let ids: Vec<Checksum> = identities.into_iter().map(id).collect();
        store.prefetch(&ids);
    }
}
