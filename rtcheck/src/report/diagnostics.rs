//! Diagnostics with excerpts of the source.

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
        let mut annotation = AnnotationKind::Primary.span(span);
        if !diagnostic.label.is_empty() {
            annotation = annotation.label(&diagnostic.label);
        }
        let snippet = Snippet::source(&source.text).path(&source.name).annotation(annotation);
        let mut group = level.primary_title(&diagnostic.message).element(snippet);
        if !diagnostic.help.is_empty() {
            group = group.element(Level::HELP.message(&diagnostic.help));
        }
        text.push_str(&renderer.render(&[group]));
        text.push('\n');
    }
    text
}
