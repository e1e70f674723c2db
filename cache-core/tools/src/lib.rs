//! What `ivl`, `symexec` and `rtcheck` share beside caching, and users of `cache-core` need not see: how values of
//! options are [named](mod@names) on command lines, [where](mod@location) a tool's cache folder lies, how solvers'
//! [programs](mod@program) are talked to, and the [`report`] of a run, in one shape for all.

pub mod names;
pub mod location;
pub mod program;
pub mod report;
#[cfg(feature = "remote")]
pub mod remote;
