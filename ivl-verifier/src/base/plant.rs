//! Planted faults: ways to lie on purpose, so that the oracle can prove that it would notice. Behind the feature
//! `plant`, off by default; no program for users is built with it. Each is a row of `docs/soundness.md`.

/// A way in which `ivl` can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A part that matters is left out of the key.
    DropPart,
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
    /// A variable that only the condition of another one mentions counts as one that nothing mentions.
    IgnoreConditions,
    /// The preconditions of a call count as checked everywhere, also where the call says what they are known under.
    TrustCalls,
    /// What was checked or assumed before a check and is gone is looked past, as what is new.
    OverlookGone,
    /// What quantifiers choose in a replayed proof is one thing wherever it has the same type.
    OneChoice,
    /// An axiom says that a map has what it had at all places, those that were written among them.
    KeepWritten,
    /// An axiom says that all constants of a type differ, not the unique ones alone.
    TellConstantsApart,
    /// What is chosen for quantifiers that have to do with pools is one thing wherever it has the same name and type.
    ChooseOnce,
    /// A number above the value that a constant has on entry is sent as that value.
    BlurNumbers,
    /// The values of a counterexample are those of any query that was asked last.
    OtherValues,
}

reprise_tools::names!(
    Fault, "fault":
    DropPart = "drop-part",
    LatestSpecifications = "latest-specifications",
    CoverNewChecks = "cover-new-checks",
    UnreachedIsVerified = "unreached-is-verified",
    IgnoreDeclarations = "ignore-declarations",
    OldPositions = "old-positions",
    IgnoreConditions = "ignore-conditions",
    TrustCalls = "trust-calls",
    OverlookGone = "overlook-gone",
    OneChoice = "one-choice",
    KeepWritten = "keep-written",
    TellConstantsApart = "tell-constants-apart",
    ChooseOnce = "choose-once",
    BlurNumbers = "blur-numbers",
    OtherValues = "other-values",
);
