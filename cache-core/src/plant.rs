//! Planted faults: ways to make the cache lie on purpose, so that an oracle can prove that it would
//! notice. Behind the feature `plant`, off by default; no program for users is built with it.
//!
//! A fault is switched on at run time, by a parameter of what commits it: the cache's configuration, a
//! table, a key builder. Each variant is a row of `docs/soundness.md`. A tool has a list of its own for the
//! lies of its layers.

/// A way in which a cache can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// A part that matters is left out of the key.
    DropPart,
    /// Digests of dependencies are combined so that order is lost and equal ones cancel out.
    CancelDigests,
    /// A hit on disk is not confirmed.
    SkipConfirmation,
    /// An answer that ran out of limits serves every request.
    IgnoreLimits,
    /// Entries survive the undoing of what made them true.
    IgnoreMarks,
    /// Entries keep their keys when what the keys name moves.
    IgnoreMoves,
    /// Records of a remote cache are served whoever signed them.
    TrustRecords,
    /// Who waited for another process takes what that one left, whatever its limits were.
    TrustTurns,
    /// Members of sets that persist are not confirmed.
    TrustMembers,
    /// Sets that were removed come back with what others saved.
    ReviveSets,
    /// An answer is stored that the encoding alters.
    KeepAltered,
    /// A late answer that ran out of limits takes the place of a decided one.
    ForgetDecided,
}
