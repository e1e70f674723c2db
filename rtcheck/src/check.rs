//! Algorithm 1 of the paper: does a term have a type?
//!
//! `checker` is what the machine talks to. `walk` runs the automaton over a term with an explicit stack: no
//! choicepoint, no trail entry, no heap cell. `memory` remembers pairs of a cell and a type that held, in one of
//! `cache-core`'s tables, or in `cells` beside the terms themselves, where a `glance` decides most new terms. The
//! policy is chosen once per check; the walk itself is compiled once per policy. What is checked in one place is a
//! `batch`, which `checker/pass` goes through where nothing is violated.
//! `compatible` is the walk for `::`, where free variables are acceptable.
//!
//! What follows the paper to the letter: the root has depth 0; an entry is made only for what held, and only
//! at depths below the limit; atomic terms are never remembered. What is our reading: a list's spine counts as
//! one level (Table 1's depths show that theirs did), of which the first cell is remembered and, of a list
//! checked at the root, some more at equal distances, so that a recursion down the list is linear. What is ours: a
//! term that is an argument of the one checked just before inherits its type from it. So a recursion down a checked
//! list or tree visits one node per step, for any size of the cache.

mod batch;
mod cells;
mod checker;
mod compatible;
mod configuration;
mod footprint;
mod glance;
mod memory;
mod walk;

pub(crate) use batch::{Batch, BatchCheck};
pub use batch::{Counter, Site};
pub use checker::{Checker, Counters, SiteCounters};
pub use compatible::compatible;
pub use configuration::Configuration;
pub use memory::{CacheKind, CheckMark};
