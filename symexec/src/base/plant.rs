//! Planted faults: ways to lie on purpose, so that the oracle can prove that it would notice. Behind the feature
//! `plant`, off by default; no program for users is built with it. Each is a row of `docs/soundness.md`.

/// A way in which `symexec` can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A part that matters is left out of the key.
    DropPart,
    /// Queries whose truth depends on where objects lie are answered without looking.
    IgnoreLayout,
    /// Where objects lie is substituted wrongly where it matters.
    MisplaceObjects,
    /// What is known of one side of a question is given for the other.
    MixSides,
    /// A model is used without being evaluated under the state's own constraints.
    TrustModels,
    /// An answer that ran out of limits serves every request.
    IgnoreLimits,
    /// Not all values are tried where trying all of them is to decide a question.
    SkipValues,
    /// Bounds are one off where comparisons of one number are decided by intervals.
    MoveBounds,
    /// Two bytes of a long unknown buffer are exchanged where it is read at unknown places.
    MixBytes,
    /// Subtrees that a worker gives away are explored by nobody.
    DropSubtree,
    /// Subtrees that a worker gives away are explored twice.
    RepeatSubtree,
    /// A solver's program answers with the contradiction that it found before.
    LateAnswers,
    /// What a search for a solution ends with is one, whatever the question.
    TrustSearch,
    /// A field that was written at an unknown place does not see what is written over a part of it.
    IgnoreOverlaps,
    /// A kept program is taken by the names of its files, whatever they hold by now.
    StaleProgram,
    /// `longjmp` goes to the first place where `setjmp` was called.
    FirstLanding,
    /// The last digit is left out where numbers are compared by their digits.
    ForgetDigit,
    /// Of two states that become one each has the values of the other one.
    SwapMerged,
    /// What a cache knows costs nothing where what questions cost decides which states wait.
    FreeAnswers,
    /// What a program writes to its files is lost.
    LoseWrites,
    /// Expressions go though a state that waits has them.
    ForgetWaiting,
    /// Weak symbols that nobody defines have an address.
    KeepMissing,
}

reprise_tools::names!(
    Fault, "fault":
    DropPart = "drop-part",
    IgnoreLayout = "ignore-layout",
    MisplaceObjects = "misplace-objects",
    MixSides = "mix-sides",
    TrustModels = "trust-models",
    IgnoreLimits = "ignore-limits",
    SkipValues = "skip-values",
    MoveBounds = "move-bounds",
    MixBytes = "mix-bytes",
    DropSubtree = "drop-subtree",
    RepeatSubtree = "repeat-subtree",
    LateAnswers = "late-answers",
    TrustSearch = "trust-search",
    IgnoreOverlaps = "ignore-overlaps",
    StaleProgram = "stale-program",
    FirstLanding = "first-landing",
    ForgetDigit = "forget-digit",
    SwapMerged = "swap-merged",
    FreeAnswers = "free-answers",
    LoseWrites = "lose-writes",
    ForgetWaiting = "forget-waiting",
    KeepMissing = "keep-missing",
);
