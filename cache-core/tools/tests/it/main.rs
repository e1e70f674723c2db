//! Tests of what the tools share.

mod location;
mod names;
#[cfg(feature = "remote")]
mod remote;
mod report;
