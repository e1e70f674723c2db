//! The laws of the core, a file per subject.

mod audit;
mod cache;
mod codec;
mod deps;
mod examples;
mod key;
mod limits;
mod planted;
mod policy;
mod rename;
mod sets;
mod smt_cache;
mod stats;
mod store;
mod subsume;
mod table;
mod worker;
