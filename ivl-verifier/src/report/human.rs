//! Results for people: excerpts of the source in rustc's style.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use crate::base::diagnostic::{Diagnostic, Severity, Stage};
use crate::base::source::{FileId, Sources, Span};
use crate::report::{Counterexample, Origin, PrintedValue, Report, Verdict, values};
use crate::smt::answer::Outcome;

/// One diagnostic with the places it speaks of.
#[must_use]
pub fn diagnostic(sources: &Sources, diagnostic: &Diagnostic, colours: bool) -> String {
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.render(&[group(sources, diagnostic)]);
    text.push('\n');
    text
}

/// Places in one file, and what is said of each.
type Annotated<'s> = (Span, Option<&'s str>, AnnotationKind);

/// The lines from the first to the last of some places in one file, which are all that the renderer looks at: it
/// goes through the whole of what it is given, and a file may be long and have many mistakes.
fn excerpt<'s>(sources: &'s Sources, file: FileId, places: &[Annotated<'s>]) -> Snippet<'s, Annotation<'s>> {
    let source = sources.file(file);
    let length = source.text().len();
    let range = |span: Span| {
        let start = (span.start as usize).min(length);
        start..(span.end as usize).clamp(start, length)
    };
    let first = places.iter().map(|(span, ..)| range(*span).start).min().unwrap_or(0);
    let last = places.iter().map(|(span, ..)| range(*span).end).max().unwrap_or(first);
    let (line, around) = source.lines_around(&(first..last));
    let text = source.text().get(around.clone()).unwrap_or_default();
    let annotations = places.iter().map(|(span, label, kind)| {
        let range = range(*span);
        let annotation = kind.span(range.start - around.start..range.end - around.start);
        match label {
            Some(label) => annotation.label(*label),
            None => annotation,
        }
    });
    Snippet::source(text).line_start(line).path(source.name()).annotations(annotations)
}

fn group<'s>(sources: &'s Sources, diagnostic: &'s Diagnostic) -> Group<'s> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    if diagnostic.span == Span::NOWHERE {
        return Group::with_title(level.primary_title(diagnostic.message.as_str()));
    }
    let file = diagnostic.span.file;
    let related = diagnostic.related.iter().map(|(span, message)| {
        let place: Annotated<'s> = (*span, Some(message.as_str()), AnnotationKind::Context);
        place
    });
    let (mut here, others): (Vec<_>, Vec<_>) = related.partition(|(span, ..)| span.file == file);
    here.insert(0, (diagnostic.span, None, AnnotationKind::Primary));
    let mut group = level.primary_title(diagnostic.message.as_str()).element(excerpt(sources, file, &here));
    for other in others {
        group = group.element(excerpt(sources, other.0.file, &[other]));
    }
    group
}

/// Values with which a check fails, at the places on the way to it.
fn counterexample(sources: &Sources, found: &Counterexample, colours: bool) -> String {
    let title = if found.candidate {
        "the solver gave up; it may fail with these values"
    } else {
        "it fails with these values"
    };
    // What becomes known at one place is told in one line, and each file has its places in one excerpt.
    let mut places: Vec<(Span, String)> = Vec::new();
    for step in found.steps.iter().filter(|step| !step.values.is_empty()) {
        let text = values::bindings(&step.values);
        match places.iter_mut().find(|(span, _)| *span == step.span) {
            Some((_, known)) => {
                known.push_str("; then ");
                known.push_str(&text);
            }
            None => places.push((step.span, text)),
        }
    }
    let mut printed = Vec::new();
    for line in &found.printed {
        let pieces: Vec<String> = line
            .iter()
            .map(|piece| match piece {
                PrintedValue::Text(text) => text.clone(),
                PrintedValue::Value(Some(value)) => values::plain(value),
                PrintedValue::Value(None) => "?".to_owned(),
            })
            .collect();
        printed.push(format!("printed on the way: {}", pieces.concat()));
    }
    let mut files: Vec<FileId> = Vec::new();
    for (span, _) in places.iter().filter(|(span, _)| *span != Span::NOWHERE) {
        if !files.contains(&span.file) {
            files.push(span.file);
        }
    }
    if files.is_empty() && printed.is_empty() {
        return String::new();
    }
    let mut group = Level::NOTE.primary_title(title).elements(files.iter().map(|file| {
        let here = places.iter().filter(|(span, _)| span.file == *file);
        let here: Vec<Annotated<'_>> =
            here.map(|(span, text)| (*span, Some(text.as_str()), AnnotationKind::Context)).collect();
        excerpt(sources, *file, &here)
    }));
    for line in &printed {
        group = group.element(Level::NOTE.message(line.as_str()));
    }
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.render(&[group]);
    text.push('\n');
    text
}

/// The failing checks of an implementation, and what else there is to say if it is not verified.
#[must_use]
pub fn report(sources: &Sources, report: &Report, colours: bool) -> String {
    let mut out = String::new();
    for error in &report.errors {
        out.push_str(&diagnostic(sources, &error.diagnostic, colours));
        if let Some(found) = &error.counterexample {
            out.push_str(&counterexample(sources, found, colours));
        }
    }
    if let Some(text) = report.told() {
        let shown = Diagnostic::note(Stage::Verification, report.span, text);
        out.push_str(&diagnostic(sources, &shown, colours));
    }
    let said = match &report.verdict {
        Verdict::Decided(Outcome::TimeOut) => "ran out of time".to_owned(),
        Verdict::Decided(Outcome::OutOfResource) => "ran out of the solver's resource limit".to_owned(),
        Verdict::Decided(Outcome::OutOfMemory) => "ran out of memory".to_owned(),
        Verdict::Decided(Outcome::NotProved) if report.errors.is_empty() => {
            "could not be decided by the solver".to_owned()
        }
        Verdict::Unsupported(message) => format!("is not verified: {message}"),
        Verdict::Offline(message) => {
            format!("has no usable result in the cache, and the mode is offline: {message}")
        }
        Verdict::Failed(message) => format!("is not verified: {message}"),
        Verdict::Decided(_) if report.limits_met => {
            let message =
                format!("{}: the limits were met before all of its checks were decided", report.name);
            out.push_str(&diagnostic(
                sources,
                &Diagnostic::warning(Stage::Verification, report.span, message),
                colours,
            ));
            return out;
        }
        Verdict::Decided(_) | Verdict::Cancelled => return out,
    };
    let message = format!("{} {said}", report.name);
    let shown = Diagnostic::error(Stage::Verification, report.span, message);
    out.push_str(&diagnostic(sources, &shown, colours));
    out
}

/// Why a result was reused or not, in one line; if a part of it was, a line for each check.
#[must_use]
pub fn explanation(sources: &Sources, report: &Report) -> String {
    let how = match report.origin {
        Origin::Memory => "reused from memory",
        Origin::Disk => "reused from disk",
        Origin::SameQuery => "reused, since its query was answered before",
        Origin::Checks => "reused check by check",
        Origin::Replayed => "replayed",
        Origin::Solver => "verified",
        Origin::Nowhere => "not verified",
    };
    let result = match &report.verdict {
        Verdict::Decided(Outcome::Valid) => "valid".to_owned(),
        Verdict::Decided(_) if !report.errors.is_empty() => {
            let plural = if report.errors.len() == 1 { "" } else { "s" };
            let limits = if report.limits_met { " before the limits were met" } else { "" };
            format!("{} error{plural}{limits}", report.errors.len())
        }
        Verdict::Decided(Outcome::TimeOut | Outcome::OutOfResource | Outcome::OutOfMemory) => {
            "out of limits".to_owned()
        }
        Verdict::Decided(_) => "not proved".to_owned(),
        Verdict::Cancelled => "cancelled".to_owned(),
        Verdict::Unsupported(_) | Verdict::Offline(_) | Verdict::Failed(_) => "no result".to_owned(),
    };
    let mut out = format!(
        "{}: {how} ({} priority): {result}: {}\n",
        report.name,
        report.priority.name(),
        report.because.join(", ")
    );
    for note in &report.checks {
        let place = sources.position(note.span);
        let (line, column) = (place.line, place.column);
        out.push_str(&format!("  {line}:{column}: {}: {}\n", note.kind, note.action.name()));
    }
    out
}
