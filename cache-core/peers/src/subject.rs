//! What is asked and answered: the same for all systems.

use cache_core::cache::{Answer, Asked, Cost};
use cache_core::key::{Key, KeyBuilder};
use serde::{Deserialize, Serialize};

/// A verdict of a solver with a short model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Verdict {
    pub(crate) satisfiable: bool,
    pub(crate) model: [u64; 6],
}

impl Answer for Verdict {
    fn out_of_limits(&self) -> bool {
        false
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

/// A question's key, of four parts.
pub(crate) fn key(number: u64) -> Key {
    KeyBuilder::new("query", 1)
        .engine("solver", "5.4.0")
        .option("timeout-sensitive", &true)
        .content("query", &number)
        .finish()
}

pub(crate) fn verdict(number: u64) -> Verdict {
    Verdict { satisfiable: number.is_multiple_of(2), model: [number; 6] }
}

pub(crate) fn asked(number: u64) -> Asked<Verdict> {
    Asked { answer: verdict(number), cost: Cost { seconds: 0.001, resource: 1000 } }
}

/// Visits numbers below a bound in no order. Knuth's constants for 64 bits; the high bits are the random ones.
pub(crate) struct Scattered(pub(crate) u64);

impl Scattered {
    pub(crate) fn below(&mut self, bound: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound) as usize
    }
}
