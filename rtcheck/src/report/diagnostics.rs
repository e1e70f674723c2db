//! Diagnostics with excerpts of the source.

use std::ops::Range;

use crate::base::{Diagnostic, Severity, Source};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// The text of all diagnostics, in order.
#[must_use]
pub fn diagnostics(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let renderer = Renderer::plain();
    let mut text = String::new();
    for diagnostic in diagnostics {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let end = source.text.len();
        let span = diagnostic.span.start.min(end)..diagnostic.span.end.min(end);
        let (line, around) = lines_around(&source.text, &span);
        let mut annotation = AnnotationKind::Primary.span(span.start - around.start..span.end - around.start);
        if !diagnostic.label.is_empty() {
            annotation = annotation.label(&diagnostic.label);
        }
        // The renderer goes through the whole of what it is given, and a text may be long and have many mistakes.
        let excerpt = source.text.get(around).unwrap_or_default();
        let snippet = Snippet::source(excerpt).line_start(line).path(&source.name).annotation(annotation);
        let mut group = level.primary_title(&diagnostic.message).element(snippet);
        if !diagnostic.help.is_empty() {
            group = group.element(Level::HELP.message(&diagnostic.help));
        }
        text.push_str(&renderer.render(&[group]));
        text.push('\n');
    }
    text
}

/// The lines, all of them whole, that a range of bytes lies in: the number of the first one, from 1, and where they
/// lie in the text. Behind the last line's end there is only that line to show.
fn lines_around(text: &str, range: &Range<usize>) -> (usize, Range<usize>) {
    let bytes = text.as_bytes();
    let from = range.start.min(bytes.len().saturating_sub(1));
    let is_end = |byte: &u8| *byte == b'\n';
    let start = bytes.iter().take(from).rposition(is_end).map_or(0, |end| end + 1);
    let end = bytes.iter().skip(range.end).position(is_end).map_or(bytes.len(), |end| range.end + end + 1);
    let before = bytes.iter().take(start).filter(|byte| is_end(byte)).count();
    (before + 1, start..end)
}
