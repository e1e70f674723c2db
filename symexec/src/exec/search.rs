//! Which state goes on: searches, their weights and draws, the distance to new code, which states are given up
//! where memory is short, and when expressions that nobody has any more go.

pub(super) mod chances;
pub(super) mod collection;
pub(super) mod coverage;
pub(super) mod forks;
pub(super) mod frontier;
pub(super) mod searcher;
pub(super) mod weights;
