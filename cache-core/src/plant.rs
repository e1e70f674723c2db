//! Planted faults: ways to make the cache lie on purpose, so that an oracle can prove that it would
//! notice. Behind the feature `plant`, off by default; no program for users is built with it.
//!
//! A fault is switched on at run time, by a parameter of what commits it: the cache's configuration, a
//! table, a key builder; the tools take the same names for the lies of their own layers. Each variant is
//! a row of `docs/soundness.md`.

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
    /// Failures and other properties that may change are remembered.
    RememberFailures,
    /// Specifications are taken from the latest snapshot and not from the one an entry was proved under.
    LatestSpecifications,
    /// Assumptions about checks that an entry covers hide checks that it does not.
    CoverNewChecks,
    /// Checks that were never reached count as verified.
    UnreachedIsVerified,
    /// Declarations that a proof used may be gone.
    IgnoreDeclarations,
    /// Errors are reported where they stood.
    OldPositions,
    /// Queries whose truth depends on where objects lie are answered without looking.
    IgnoreLayout,
    /// Where objects lie is substituted wrongly where it matters.
    MisplaceObjects,
    /// What is known of one side of a question is given for the other.
    MixSides,
    /// A model is used without being evaluated under the state's own constraints.
    TrustModels,
    /// A term that is changed in place keeps what was known of it.
    IgnoreChanges,
    /// What follows from an entry is believed without looking whether the entry is still there.
    TrustParents,
    /// A variable that only the condition of another one mentions counts as one that nothing mentions.
    IgnoreConditions,
    /// The preconditions of a call count as checked everywhere, also where the call says what they are known under.
    TrustCalls,
}

crate::names!(
    Fault, "fault":
    DropPart = "drop-part",
    CancelDigests = "cancel-digests",
    SkipConfirmation = "skip-confirmation",
    IgnoreLimits = "ignore-limits",
    IgnoreMarks = "ignore-marks",
    IgnoreMoves = "ignore-moves",
    RememberFailures = "remember-failures",
    LatestSpecifications = "latest-specifications",
    CoverNewChecks = "cover-new-checks",
    UnreachedIsVerified = "unreached-is-verified",
    IgnoreDeclarations = "ignore-declarations",
    OldPositions = "old-positions",
    IgnoreLayout = "ignore-layout",
    MisplaceObjects = "misplace-objects",
    MixSides = "mix-sides",
    TrustModels = "trust-models",
    IgnoreChanges = "ignore-changes",
    TrustParents = "trust-parents",
    IgnoreConditions = "ignore-conditions",
    TrustCalls = "trust-calls",
);
