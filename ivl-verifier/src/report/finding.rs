//! What there is to say of a run, one finding for each place: what formats of other tools are made of.

use crate::base::diagnostic::{Diagnostic, Severity, Stage};
use crate::base::source::Span;
use crate::report::values::bindings;
use crate::report::{CheckError, Report, Step, Verdict};
use crate::smt::answer::Outcome;

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What kind of finding it is, a word with hyphens.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What else to look at.
    pub related: Vec<(Span, String)>,
}

/// The kinds of findings, with what they mean.
pub const RULES: [(&str, &str); 6] = [
    ("program", "the text is no program, or a part of it is hardly meant"),
    ("check", "a check could not be proved"),
    ("undecided", "the solver could not decide"),
    ("limits", "the limits were met"),
    ("unanswered", "there is no answer"),
    ("told", "the program wants this to be told where something is verified"),
];

/// What is wrong with the text.
#[must_use]
pub fn of_diagnostic(diagnostic: &Diagnostic) -> Finding {
    let Diagnostic { severity, stage, message, span, related } = diagnostic.clone();
    let rule = if stage == Stage::Verification { "check" } else { "program" };
    Finding { severity, rule, message, span, related }
}

/// A failing check; values with which it fails stand at the places where they become known.
fn of_error(error: &CheckError) -> Finding {
    let mut finding = of_diagnostic(&error.diagnostic);
    let steps = error.counterexample.iter().flat_map(|found| &found.steps);
    for Step { span, values, .. } in steps.filter(|step| !step.values.is_empty()) {
        finding.related.push((*span, bindings(values)));
    }
    finding
}

/// What is wrong with an implementation.
#[must_use]
pub fn of_report(report: &Report) -> Vec<Finding> {
    let mut found: Vec<Finding> = report.errors.iter().map(of_error).collect();
    let name = &report.name;
    let (severity, rule, message) = match &report.verdict {
        Verdict::Decided(Outcome::Valid) => match report.told() {
            Some(text) => (Severity::Note, "told", text.to_owned()),
            None => return found,
        },
        Verdict::Decided(Outcome::TimeOut) => (Severity::Error, "limits", format!("{name} ran out of time")),
        Verdict::Decided(Outcome::OutOfResource) => {
            (Severity::Error, "limits", format!("{name} ran out of the solver's resource limit"))
        }
        Verdict::Decided(Outcome::OutOfMemory) => {
            (Severity::Error, "limits", format!("{name} ran out of memory"))
        }
        Verdict::Decided(Outcome::NotProved) if report.errors.is_empty() => {
            (Severity::Error, "undecided", format!("{name} could not be decided by the solver"))
        }
        Verdict::Unsupported(message) | Verdict::Failed(message) | Verdict::Offline(message) => {
            (Severity::Error, "unanswered", format!("{name} is not verified: {message}"))
        }
        Verdict::Decided(_) if report.limits_met => (
            Severity::Warning,
            "limits",
            format!("{name}: the limits were met before all of its checks were decided"),
        ),
        Verdict::Decided(_) | Verdict::Cancelled => return found,
    };
    found.push(Finding { severity, rule, message, span: report.span, related: Vec::new() });
    found
}
