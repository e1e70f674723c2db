//! Diagnostics as data: what is wrong, where, and the way out.

use std::ops::Range;

/// A range of bytes in one source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range from `start` up to, and without, `end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// The same range in the standard library's terms.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A source text with the name under which messages speak of it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as the user gave it, or a name in angle brackets for texts without a file.
    pub name: String,
    /// The text.
    pub text: String,
    line_starts: Vec<usize>,
}

impl Source {
    /// A source text under its name.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(newline, _)| newline + 1)).collect();
        Self { name: name.into(), text, line_starts }
    }

    /// The line, counted from 1, on which a byte lies.
    #[must_use]
    pub fn line(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte).max(1)
    }

    /// The line and the column, both counted from 1 (columns in characters), at which a byte lies.
    #[must_use]
    pub fn line_column(&self, byte: usize) -> (usize, usize) {
        let line = self.line(byte);
        let start = self.line_starts[line - 1];
        let column = self.text.get(start..byte).map_or(0, |before| before.chars().count());
        (line, column + 1)
    }
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program runs, but probably not as meant.
    Warning,
    /// Part of the program could not be used.
    Error,
}

/// One thing that is wrong with a program, found before it runs.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong: a lower-case fragment.
    pub message: String,
    /// Where in the source text.
    pub span: Span,
    /// What is at that place, shown under the excerpt; may be empty.
    pub label: String,
    /// The way out; may be empty.
    pub help: String,
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(message: impl Into<String>, span: Span) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            help: String::new(),
        }
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(message: impl Into<String>, span: Span) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message, span) }
    }

    /// The same with a label for the excerpt.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same with a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}
