//! What an entry of the query cache holds.

use cache_core::cache::Answer;
use serde::{Deserialize, Serialize};

/// Which of the two sides of a truth have solutions, as far as it was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sides {
    holds: Option<bool>,
    fails: Option<bool>,
    /// What finding each of them out cost, in the engine's units, if it was not told by the other one.
    resource: [Option<u64>; 2],
}

impl Sides {
    pub(super) fn get(self, negated: bool) -> Option<bool> {
        if negated { self.fails } else { self.holds }
    }

    /// What a side cost when it was found out; `None` if the other one told it.
    pub(super) fn resource(self, negated: bool) -> Option<u64> {
        self.resource[usize::from(negated)]
    }

    /// Says what a side cost.
    pub(super) fn cost(&mut self, negated: bool, resource: u64) {
        self.resource[usize::from(negated)] = Some(resource);
    }

    pub(super) fn set(&mut self, negated: bool, answer: bool) {
        if negated {
            self.fails = Some(answer);
        } else {
            self.holds = Some(answer);
        }
        // The constraints have a solution, so if one side has none, the other has.
        if self.holds == Some(false) {
            self.fails = Some(true);
        }
        if self.fails == Some(false) {
            self.holds = Some(true);
        }
    }
}

impl Answer for Sides {
    fn out_of_limits(&self) -> bool {
        false
    }

    /// Sides that only one of the two knows say nothing.
    fn agrees_with(&self, fresh: &Self) -> bool {
        let agrees = |a: Option<bool>, b: Option<bool>| a.is_none() || b.is_none() || a == b;
        agrees(self.holds, fresh.holds) && agrees(self.fails, fresh.fails)
    }
}

/// The values of the inputs in the order of the canonical question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Values(pub(super) Option<Vec<u8>>);

impl Answer for Values {
    fn out_of_limits(&self) -> bool {
        false
    }

    /// Solutions may differ; only whether there is one is comparable.
    fn agrees_with(&self, fresh: &Self) -> bool {
        self.0.is_some() == fresh.0.is_some()
    }
}

/// Reads bytes as what an entry holds, for tests of what comes from a damaged store.
pub fn read_entry(bytes: &[u8]) {
    let _: Result<Sides, _> = cache_core::codec::decode(bytes);
    let _: Result<Values, _> = cache_core::codec::decode(bytes);
}
