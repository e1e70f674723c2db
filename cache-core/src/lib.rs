//! Caching for program-analysis engines: verifiers, symbolic executors, type checkers, run-time checkers.
//!
//! Each of them spends its time asking an *engine* (a solver, a term walker) *questions*, and most of the
//! questions have been asked before: by the run before the last edit, by another path through the same
//! program, about the same term one call ago. A cache helps as far as it sees that two questions are the
//! same, and does harm where it believes so wrongly. This crate holds what such caches have in common,
//! so that nobody gets keys, invalidation and staleness wrong once more.
//!
//! # The model
//! A question becomes a key, the key finds an answer, and the answer is judged before it is served.
//!
//! | step | modules |
//! | --- | --- |
//! | **What is the same question?** Everything that can change the answer goes into the key by name, typed, in order. | [`digest`], [`key`] |
//! | Names, addresses and order that do not matter are taken out first, and put back into the answer. | [`rename`] |
//! | What a question refers to goes in by its dependency checksum. | [`deps`] |
//! | Answers to smaller or larger sets of constraints may do, beyond a run as well. | [`subsume`], `sets` |
//! | **Where is the answer?** In a table for an inner loop, in memory, on disk. | [`policy`], [`table`], [`store`], [`codec`] |
//! | **May it be served?** If it was computed within limits that speak for these, in a mode that reads, unless an audit says no. | [`limits`], [`mode`], [`audit`] |
//! | **Who answers otherwise?** The engine, in a process of its own that may crash. | `worker` |
//! | **What happened?** Hits, misses with their reasons, time saved, in one shape for all tools. | [`stats`] |
//! | All of it in one piece. | [`cache`] |
//!
//! Every part works alone and costs nothing when unused. The modules are layers: none imports one that
//! stands further down in this crate's list.
//!
//! # Never wrong
//! A cache failure never changes an answer: a damaged entry, a foreign version, a full disk is a miss and
//! a warning. What comes from disk is confirmed by a 256-bit digest. A time-out is no verdict: it is
//! replayed only to requests with no larger limits. How a cache could lie, and what stops it, is listed in
//! `docs/soundness.md`, each row with its test.
//!
//! # An example
//! ```
//! use std::convert::Infallible;
//! use std::sync::Arc;
//!
//! use cache_core::cache::{Answer, Asked, Cache, CacheConfig, Cost, Provenance};
//! use cache_core::key::{Key, KeyBuilder};
//! use cache_core::limits::Limits;
//! use cache_core::store::{MemoryStore, Store};
//! use serde::{Deserialize, Serialize};
//!
//! /// The engine says whether a number is prime, if it may try enough divisors.
//! #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
//! enum Verdict {
//!     Prime,
//!     Divisor(u64),
//!     OutOfLimits,
//! }
//!
//! impl Answer for Verdict {
//!     fn out_of_limits(&self) -> bool {
//!         *self == Self::OutOfLimits
//!     }
//!     fn agrees_with(&self, fresh: &Self) -> bool {
//!         self == fresh
//!     }
//! }
//!
//! fn engine(number: u64, limits: &Limits) -> Asked<Verdict> {
//!     let most = limits.resource.unwrap_or(u64::MAX);
//!     let mut tried = 2;
//!     let answer = loop {
//!         if tried * tried > number {
//!             break Verdict::Prime;
//!         } else if number % tried == 0 {
//!             break Verdict::Divisor(tried);
//!         } else if tried > most {
//!             break Verdict::OutOfLimits;
//!         }
//!         tried += 1;
//!     };
//!     Asked { answer, cost: Cost { seconds: 0.0, resource: tried } }
//! }
//!
//! fn question(number: u64) -> Key {
//!     KeyBuilder::new("primality", 1).engine("trial division", "1").content("number", &number).finish()
//! }
//!
//! let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
//! let run = |number: u64, resource: Option<u64>| {
//!     let mut cache: Cache<Verdict> =
//!         Cache::new(CacheConfig::default().store(Arc::clone(&store)));
//!     let limits = Limits { resource, ..Limits::default() };
//!     let ask = || Ok::<_, Infallible>(engine(number, &limits));
//!     let answered = cache.answer(&question(number), &limits, ask)?;
//!     cache.finish();
//!     Ok((answered.answer, answered.provenance))
//! };
//! // Out of limits the first time, and again with smaller limits without asking; then decided for good.
//! assert_eq!(run(10_403, Some(50))?.0, Verdict::OutOfLimits);
//! assert_eq!(run(10_403, Some(40))?, (Verdict::OutOfLimits, Provenance::Store));
//! assert_eq!(run(10_403, None)?.0, Verdict::Divisor(101));
//! assert_eq!(run(10_403, Some(1))?, (Verdict::Divisor(101), Provenance::Store));
//! # Ok::<(), cache_core::cache::CacheError<Infallible>>(())
//! ```
//!
//! `examples/toy_types` caches the types of a small language: renamed variables, dependencies, and why a miss
//! happened. `examples/summaries` makes keys of the answers to what is called, so that most edits stop at the function
//! that was edited. `examples/solver_queries.rs` is the query cache of a solver, `examples/supervised_worker.rs` an
//! engine in a child process. `examples/normal_forms.rs` asks one prover four kinds of questions, each in the normal
//! form that fits it, `examples/side_by_side.rs` looks at what an edit touched on several threads,
//! `examples/backtracking.rs` remembers truths that are undone, and `examples/lookup_cost.rs` shows what a look-up in
//! an inner loop costs. `examples/smt_cache` puts all of it to use: it stands in for an SMT solver's executable.
//!
//! # Features
//! Keys, normal forms, policies, tables and limits are always there, and need little to compile. Beyond that:
//! - `store` (default): answers in memory and on disk, and the cache that puts all parts together.
//! - `graph` (default): dependencies between entities, and their checksums.
//! - `worker` (default): supervision of child processes.
//! - `confirm` (with `store`): [confirming digests](digest::Confirm). Without it they hold nothing, and checksums are
//!   equal where 128 bits are: enough inside a process, too little for what is kept.
//! - `remote`, with `http` and `redis`: a cache on a server that a team shares, whose records are signed.
//! - `derive`: `#[derive(CacheKey)]`, as [`key::CacheKey`].
//! - `plant`: faults that oracles switch on to prove that they would notice, and the places where tests put a file
//!   system and streams of their own. Never in a program for users.

#[cfg(feature = "plant")]
pub mod plant;
#[cfg(any(feature = "store", feature = "worker"))]
mod system;
pub mod digest;
pub mod key;
#[cfg(feature = "store")]
pub mod codec;
pub mod rename;
#[cfg(feature = "graph")]
pub mod deps;
pub mod limits;
pub mod policy;
pub mod stats;
pub mod table;
pub mod subsume;
#[cfg(feature = "store")]
pub mod store;
#[cfg(feature = "store")]
pub mod sets;
pub mod mode;
pub mod audit;
#[cfg(feature = "worker")]
pub mod worker;
#[cfg(feature = "store")]
pub mod cache;
