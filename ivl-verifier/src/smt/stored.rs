//! What is stored about an implementation.

use cache_core::cache::Answer;
use cache_core::digest::Digest;
use serde::{Deserialize, Serialize};

use crate::smt::answer::{Model, Outcome, Response};

/// The result of verifying an implementation: what the solver said, and the digest of what it was asked.
///
/// Failing checks are numbers of checks and blocks of the lowered implementation, never positions: the
/// same numbers mean the current positions in whatever program has the same key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredResult {
    /// The digest of the exact query that was sent.
    pub(crate) query: Digest,
    /// What the solver said.
    pub(crate) response: Response,
}

impl Answer for StoredResult {
    fn out_of_limits(&self) -> bool {
        self.response.out_of_limits
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        let found = |response: &Response| {
            let mut labels: Vec<u32> = response.failures.iter().map(|failure| failure.label).collect();
            labels.sort_unstable();
            labels
        };
        // What is stored under a key is the answer to exactly the query that the key stands for. Whether an error has a
        // model or a candidate for one is the solver's affair; it is an error.
        let fails = |outcome| if outcome == Outcome::NotProved { Outcome::Refuted } else { outcome };
        self.query == fresh.query
            && fails(self.response.outcome) == fails(fresh.response.outcome)
            && found(&self.response) == found(&fresh.response)
    }
}

/// The values with which checks of a query fail: what the solver said, and a model for each failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredValues {
    /// What the solver said when the models were found.
    pub(crate) response: Response,
    /// The models, in the order of the failures.
    pub(crate) models: Vec<Model>,
}

impl Answer for StoredValues {
    fn out_of_limits(&self) -> bool {
        self.response.out_of_limits
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        // Each query is solved in a context of its own, so equal queries have equal models.
        self.response.failures == fresh.response.failures && self.models == fresh.models
    }
}
