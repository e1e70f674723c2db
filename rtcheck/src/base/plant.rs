//! Planted faults: ways to lie on purpose, so that the oracle can prove that it would notice. Behind the feature
//! `plant`, off by default; no program for users is built with it. Each is a row of `docs/soundness.md`.

/// A way in which `rtcheck` can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Entries survive the undoing of what made them true.
    IgnoreMarks,
    /// Entries keep their keys when what the keys name moves.
    IgnoreMoves,
    /// Failures and other properties that may change are remembered.
    RememberFailures,
    /// A term that is changed in place keeps what was known of it.
    IgnoreChanges,
    /// What follows from an entry is believed without looking whether the entry is still there.
    TrustParents,
    /// The tag of a compound term counts as proof of its type.
    TrustTags,
    /// Of what is remembered beside a term that is older than the newest choicepoint nothing is noted.
    NoteNothing,
    /// A call whose condition is not proved promises its successes all the same.
    BelieveCalls,
    /// Behind branches that is known which the first of them leaves.
    FirstWay,
    /// What was known before something unknown was called is known behind it.
    ForgetUnknown,
    /// Of the properties that have to be looked at where a call is proved in part, the first is not.
    OverlookMissing,
    /// A last call whose contract promises something of another variable spares its clause the check.
    HandAnythingOn,
    /// An atom in an expression counts as a number that is known.
    KnownAtoms,
    /// A goal that is a variable is converted when it is called, with what it is bound to by then.
    BoundGoals,
    /// Arguments that need a module have none in calls of their own module.
    OwnArguments,
    /// A string in a clause is compiled as the atom of its text.
    StringAtoms,
    /// What records outside the store mention may be collected.
    ForgetRecords,
    /// Tables stay as they are when clauses that they follow change.
    KeepTables,
}

reprise_tools::names!(
    Fault, "fault":
    IgnoreMarks = "ignore-marks",
    IgnoreMoves = "ignore-moves",
    RememberFailures = "remember-failures",
    IgnoreChanges = "ignore-changes",
    TrustParents = "trust-parents",
    TrustTags = "trust-tags",
    NoteNothing = "note-nothing",
    BelieveCalls = "believe-calls",
    FirstWay = "first-way",
    ForgetUnknown = "forget-unknown",
    OverlookMissing = "overlook-missing",
    HandAnythingOn = "hand-anything-on",
    KnownAtoms = "known-atoms",
    BoundGoals = "bound-goals",
    OwnArguments = "own-arguments",
    StringAtoms = "string-atoms",
    ForgetRecords = "forget-records",
    KeepTables = "keep-tables",
);
