//! Results for programs: one JSON object for each implementation and each diagnostic.

use serde::Serialize;
use serde_json::{Value, json};

use crate::base::diagnostic::{Diagnostic, Severity, Stage};
use crate::base::source::{Sources, Span};
use crate::report::{Binding, CheckAction, Counterexample, Origin, PrintedValue, Report, Verdict, values};
use crate::smt::answer::Outcome;

fn place(sources: &Sources, span: Span) -> Value {
    let position = sources.position(span);
    json!({ "file": &*position.file, "line": position.line, "column": position.column })
}

/// One diagnostic.
#[must_use]
pub fn diagnostic(sources: &Sources, diagnostic: &Diagnostic) -> Value {
    let related: Vec<Value> = diagnostic
        .related
        .iter()
        .map(|(span, message)| json!({ "at": place(sources, *span), "message": message }))
        .collect();
    json!({
        "kind": "diagnostic",
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        "stage": match diagnostic.stage {
            Stage::Directive | Stage::Syntax => "syntax",
            Stage::Overlooked | Stage::Names => "names",
            Stage::Types => "types",
            Stage::Declarations => "declarations",
            Stage::Verification => "verification",
        },
        "message": diagnostic.message,
        "at": place(sources, diagnostic.span),
        "related": related,
    })
}

/// Values with which a check fails: at each place of the trace, and last at the check, what changed since the
/// place before. Numbers are texts.
fn counterexample(sources: &Sources, found: &Counterexample) -> Value {
    let bindings = |values: &[Binding]| -> Vec<Value> {
        values.iter().map(|(name, value)| json!({ "name": name, "value": values::json(value) })).collect()
    };
    let steps: Vec<Value> = found
        .steps
        .iter()
        .map(|step| {
            json!({ "at": place(sources, step.span), "label": step.label, "values": bindings(&step.values) })
        })
        .collect();
    let states: Vec<Value> = found
        .captured
        .iter()
        .map(|(name, values)| json!({ "name": name, "values": bindings(values) }))
        .collect();
    let printed: Vec<Vec<Value>> = found
        .printed
        .iter()
        .map(|line| {
            let pieces = line.iter().map(|piece| match piece {
                PrintedValue::Text(text) => json!(text),
                PrintedValue::Value(value) => value.as_ref().map_or(Value::Null, values::json),
            });
            pieces.collect()
        })
        .collect();
    json!({ "certain": !found.candidate, "steps": steps, "states": states, "printed": printed })
}

/// What is true of an implementation, however it was found: its verdict and the positions of its failing
/// checks, without the ways to them, of which a solver may choose any.
#[must_use]
pub fn verdict(sources: &Sources, report: &Report) -> Value {
    let errors: Vec<Value> =
        report.errors.iter().map(|error| diagnostic(sources, &error.diagnostic)).collect();
    json!({
        "name": report.name,
        "verdict": judged(&report.verdict).0,
        "limits_met": report.limits_met,
        "errors": errors,
    })
}

/// The word for a verdict, and what else there is to say of it.
fn judged(verdict: &Verdict) -> (&'static str, Option<&str>) {
    match verdict {
        Verdict::Decided(outcome) => (
            match outcome {
                Outcome::Valid => "valid",
                Outcome::Refuted => "refuted",
                Outcome::NotProved => "not-proved",
                Outcome::TimeOut => "out-of-time",
                Outcome::OutOfResource => "out-of-resource",
                Outcome::OutOfMemory => "out-of-memory",
                Outcome::Failed => "failed",
            },
            None,
        ),
        Verdict::Unsupported(message) => ("unsupported", Some(message)),
        Verdict::Offline(message) => ("offline", Some(message)),
        Verdict::Failed(message) => ("failed", Some(message)),
        Verdict::Cancelled => ("cancelled", None),
    }
}

/// Where something is, its fields in the order of their names, as in all that is written here.
#[derive(Serialize)]
struct At<'a> {
    column: u32,
    file: &'a str,
    line: u32,
}

/// The line of an implementation: most lines are of these, so they are written without a tree of values.
#[derive(Serialize)]
struct Line<'a> {
    at: At<'a>,
    because: &'a [String],
    checks: Vec<Value>,
    detail: Option<&'a str>,
    errors: Vec<Value>,
    kind: &'static str,
    limits_met: bool,
    name: &'a str,
    origin: &'static str,
    priority: &'static str,
    resource: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    told: Option<&'a str>,
    verdict: &'static str,
}

/// One implementation, as a text.
///
/// # Errors
/// None that is known: nothing in it can fail to be written.
pub fn report(sources: &Sources, report: &Report) -> serde_json::Result<String> {
    let (verdict, detail) = judged(&report.verdict);
    let errors: Vec<Value> = report
        .errors
        .iter()
        .map(|error| {
            let mut value = diagnostic(sources, &error.diagnostic);
            let trace: Vec<Value> = error
                .trace
                .iter()
                .map(|(span, label)| json!({ "at": place(sources, *span), "label": label }))
                .collect();
            if let Value::Object(fields) = &mut value {
                fields.insert("trace".to_owned(), Value::Array(trace));
                if let Some(found) = &error.counterexample {
                    fields.insert("counterexample".to_owned(), counterexample(sources, found));
                }
            }
            value
        })
        .collect();
    let checks: Vec<Value> = report
        .checks
        .iter()
        .map(|note| {
            let action = match note.action {
                CheckAction::Skipped => "skipped",
                CheckAction::PartlyVerified => "partly-verified",
                CheckAction::Recycled => "recycled",
                CheckAction::Proved => "proved",
            };
            json!({ "at": place(sources, note.span), "kind": note.kind, "action": action })
        })
        .collect();
    let position = sources.position(report.span);
    serde_json::to_string(&Line {
        at: At { column: position.column, file: &position.file, line: position.line },
        because: &report.because,
        checks,
        detail,
        errors,
        kind: "implementation",
        limits_met: report.limits_met,
        name: &report.name,
        origin: match report.origin {
            Origin::Solver => "solver",
            Origin::Replayed => "replayed",
            Origin::Memory => "memory",
            Origin::Disk => "disk",
            Origin::Checks => "checks",
            Origin::SameQuery => "same-query",
            Origin::Nowhere => "nowhere",
        },
        priority: report.priority.name(),
        resource: report.resource,
        told: report.told(),
        verdict,
    })
}
