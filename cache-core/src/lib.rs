//! Caching for program-analysis engines.

#[cfg(feature = "plant")]
pub mod plant;
pub mod digest;
pub mod key;
pub mod codec;
pub mod rename;
pub mod deps;
pub mod limits;
pub mod policy;
pub mod stats;
pub mod table;
pub mod subsume;
pub mod store;
pub mod mode;
pub mod audit;
#[cfg(feature = "worker")]
pub mod worker;
pub mod cache;
