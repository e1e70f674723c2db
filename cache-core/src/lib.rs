//! Caching for program-analysis engines.

pub mod digest;
pub mod key;
pub mod limits;
pub mod mode;
