//! Diagnostics as data: what is wrong, where, and what else to look at. `report` shows them.

use crate::base::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something to know.
    Note,
    /// Something that deserves attention.
    Warning,
    /// Something that makes the input unusable, or a check that failed.
    Error,
}

/// Which stage found it. Boogie counts and words these apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// A line that begins with `#` is none that is known. These count as errors of syntax.
    Directive,
    /// The text is not a program.
    Syntax,
    /// A name means nothing in an implementation that is left out therefore, which its last finding says as a remark.
    Overlooked,
    /// A name means nothing, or two things.
    Names,
    /// A type does not fit.
    Types,
    /// Declarations do not go together, which Boogie finds last and does not count.
    Declarations,
    /// A check could not be proved.
    Verification,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Which stage found it.
    pub stage: Stage,
    /// What is wrong, in Boogie's words where Boogie has words for it.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What else to look at, with a remark each.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error without related places.
    #[must_use]
    pub fn error(stage: Stage, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, stage, message: message.into(), span, related: Vec::new() }
    }

    /// Whether it makes the input unusable.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// A note without related places.
    #[must_use]
    pub fn note(stage: Stage, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::error(stage, span, message) }
    }

    /// A warning without related places.
    #[must_use]
    pub fn warning(stage: Stage, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(stage, span, message) }
    }
}
