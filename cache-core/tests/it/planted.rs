//! Proof that a law can fail: it is run over something that breaks it.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Whether a law is broken for some of `cases` values, which are the same on every run.
pub(crate) fn is_broken<S: Strategy>(
    cases: u32,
    values: &S,
    law: impl Fn(S::Value) -> Result<(), TestCaseError>,
) -> bool {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, rng).run(values, law).is_err()
}
