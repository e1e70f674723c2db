//! Findings as GitHub's workflow commands, which it shows beside the lines.

use crate::base::diagnostic::Severity;
use crate::base::source::{Sources, Span};
use crate::report::finding::Finding;

/// One finding as one line.
#[must_use]
pub fn line(sources: &Sources, finding: &Finding) -> String {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut message = finding.message.clone();
    for (span, words) in finding.related.iter().filter(|(span, _)| *span != Span::NOWHERE) {
        let at = sources.position(*span);
        message.push_str(&format!("\n{}:{}:{}: {words}", at.file, at.line, at.column));
    }
    let place = if finding.span == Span::NOWHERE {
        String::new()
    } else {
        let at = sources.position(finding.span);
        format!("file={},line={},col={},", property(&at.file), at.line, at.column)
    };
    format!("::{command} {place}title=ivl {}::{}\n", finding.rule, text(&message))
}

/// A text with what ends a line or begins an escape written out.
fn text(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text inside a property, which commas and colons end.
fn property(value: &str) -> String {
    text(value).replace(':', "%3A").replace(',', "%2C")
}
