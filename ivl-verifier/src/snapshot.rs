//! Snapshots: what identifies a result, and what an edit did to each implementation.
//!
//! [`checksum`] digests entities from their resolved, typed content: comments, layout and positions
//! do not matter, names and types do. [`key`] puts an implementation's checksum together with those of
//! everything it reaches, the options and the solver's version; that is what a result is stored under.
//! The classes of section 3.3 of the paper (which implementations to verify first) follow from how a
//! key differs from the one that the implementation had last.
//!
//! Below whole implementations, [`closure`] gives entities with all that they depend on, [`statement`]
//! gives each check with all that precedes it, and [`proof`] compares what an earlier run found out about
//! them with the present program; [`portable`] is how that run's specifications are written down.

pub(crate) mod checksum;
pub(crate) mod closure;
pub(crate) mod key;
pub(crate) mod portable;
pub(crate) mod proof;
pub(crate) mod statement;
mod ways;
