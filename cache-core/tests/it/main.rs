//! The laws of the core, a file per subject.

mod cache;
mod deps;
mod key;
mod limits;
mod policy;
mod rename;
mod store;
mod subsume;
mod table;
mod worker;
