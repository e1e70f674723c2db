//! Which state goes on: searches, their weights and draws, the distance to new code, and which states are given up
//! where memory is short.

pub(super) mod chances;
pub(super) mod coverage;
pub(super) mod forks;
pub(super) mod frontier;
pub(super) mod searcher;
pub(super) mod weights;
