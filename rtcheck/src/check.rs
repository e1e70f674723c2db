//! Algorithm 1 of the paper: does a term have a type?
//!
//! `walk` runs the automaton over a term with an explicit stack: no choicepoint, no trail entry, no heap
//! cell. `memory` remembers pairs of a cell and a type that held, in one of `cache-core`'s tables. The
//! policy is chosen once per check ([`Checker::check`]); the walk itself is compiled once per policy.
//!
//! What follows the paper to the letter: the root has depth 0; an entry is made only for what held, and only
//! at depths below the limit; atomic terms are never remembered. What is our reading: a list's spine counts as
//! one level (Table 1's depths show that theirs did), of which the first cell is remembered. What is ours: a term
//! that is an argument of the one checked just before inherits its type from it. So a recursion down a checked
//! list or tree visits one node per step, for any size of the cache; without it the walk to a list's end would
//! be repeated at every step, since a small cache cannot hold the cells of a long list.

mod memory;
mod walk;

pub use memory::{CacheKind, CheckMark};
pub use walk::{Checker, Configuration, Counters, Site};
