//! Results in Boogie 3.5's words and layout.

use std::time::Duration;

use crate::base::diagnostic::{Diagnostic, Severity, Stage};
use crate::base::source::{FileId, Position, Sources, Span};
use crate::report::{
    CheckAction, CheckError, Report, SmokeTest, Snapshot, TraceItem, Verdict, collated, values,
};
use crate::smt::answer::Outcome;

/// How results are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Whether positions name files without their folders.
    pub base_names: bool,
    /// Whether errors come with execution traces.
    pub traces: bool,
    /// Whether errors that have the program's own words are told in Boogie's, with their places.
    pub own_places: bool,
    /// Whether postconditions at the end of inlined bodies come with the place of the call, which Boogie does not
    /// tell.
    pub inlined_places: bool,
    /// Whether errors come with models, if there are any, behind their traces.
    pub models: bool,
    /// Whether they come with models whether they have traces or not.
    pub models_alone: bool,
    /// Whether errors come with what `{:print}` prints, behind their traces.
    pub printed: bool,
    /// Whether contracts are inferred: implementations are then told by their errors alone, and counted.
    pub inferring: bool,
    /// How much is told of the way to results.
    pub progress: Progress,
}

/// How much is told of the way to results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// Nothing.
    #[default]
    Silent,
    /// What was asked (`-tracePOs`).
    Obligations,
    /// What was asked, and what it took (`-trace`).
    Full,
}

/// What a run counts for its closing line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Verified implementations.
    pub verified: usize,
    /// Failing checks.
    pub errors: usize,
    /// Implementations about which the solver could not decide.
    pub inconclusive: usize,
    /// Implementations that ran out of time.
    pub time_outs: usize,
    /// Implementations that ran out of the resource count.
    pub out_of_resource: usize,
    /// Implementations that ran out of memory.
    pub out_of_memory: usize,
    /// Implementations at which the solver failed; told as inconclusive.
    pub solver_exceptions: usize,
}

fn place(sources: &Sources, span: Span, style: Style) -> String {
    place_from(sources, span, style, 1)
}

/// The same where what a line `#line` calls a file is told as it stands there, as in traces and of what is wrong with
/// a text: these have the names of tokens, and only a file's own name is one without folders.
fn token(sources: &Sources, span: Span, style: Style, first: u32) -> String {
    let own = |position: &Position| *position.file == *sources.file(span.file).name();
    let base_names = style.base_names && span != Span::NOWHERE && own(&sources.position(span));
    place_from(sources, span, Style { base_names, ..style }, first)
}

/// A position whose columns start at 0 or 1: Boogie counts from 0 where names and types are resolved,
/// and from 1 everywhere else.
fn place_from(sources: &Sources, span: Span, style: Style, first: u32) -> String {
    if span == Span::NOWHERE {
        return "(0,-1)".to_owned();
    }
    let position = sources.position(span);
    let name: &str = &position.file;
    let name = if style.base_names { name.rsplit('/').next().unwrap_or(name) } else { name };
    // In what Boogie printed itself columns start one earlier.
    format!("{name}({},{})", position.line, i64::from(position.column) - 1 + i64::from(first))
}

/// What is wrong with a text, with the line that counts it. Later stages say nothing while an earlier
/// one has errors, as in Boogie, which reads one file after the other and counts each one's errors behind
/// them; names and types are those of all files together, and `file` is the one that is named for them.
#[must_use]
pub fn diagnostics(sources: &Sources, snapshot: &Snapshot, file: &str, style: Style) -> String {
    let counted = |stage| if stage == Stage::Directive { Stage::Syntax } else { stage };
    let errors = |stage: Stage| {
        let of_stage = |it: &&Diagnostic| counted(it.stage) == stage && it.severity == Severity::Error;
        snapshot.diagnostics.iter().filter(of_stage).count()
    };
    let stage = [Stage::Syntax, Stage::Names, Stage::Types, Stage::Declarations]
        .into_iter()
        .find(|stage| errors(*stage) > 0);
    let mut out = String::new();
    let mut unread: Option<(FileId, usize)> = None;
    for diagnostic in &snapshot.diagnostics {
        if stage.is_some_and(|stage| diagnostic.stage > stage) || is_silent(diagnostic) {
            continue;
        }
        if diagnostic.severity == Severity::Error && counted(diagnostic.stage) == Stage::Syntax {
            let id = diagnostic.span.file;
            unread = match unread {
                Some((current, count)) if current == id => Some((id, count + 1)),
                before => {
                    out.push_str(&parse_errors(sources, before, style));
                    Some((id, 1))
                }
            };
        }
        let word = match (diagnostic.severity, diagnostic.stage) {
            (Severity::Error, Stage::Syntax | Stage::Directive) => "error",
            (Severity::Error, _) | (_, Stage::Overlooked) => "Error",
            (Severity::Warning, _) => "Warning",
            (Severity::Note, _) => "Note",
        };
        let first = u32::from(diagnostic.stage == Stage::Syntax);
        let place = token(sources, diagnostic.span, style, first);
        out.push_str(&format!("{place}: {word}: {}\n", diagnostic.message));
        if diagnostic.stage == Stage::Overlooked {
            let remarks = diagnostic.related.iter().map(|(_, remark)| format!("Warning: {remark}\n"));
            out.extend(remarks);
        }
    }
    out.push_str(&parse_errors(sources, unread, style));
    if let Some(stage) = stage {
        let what = match stage {
            Stage::Names => "name resolution",
            Stage::Types => "type checking",
            Stage::Directive
            | Stage::Syntax
            | Stage::Overlooked
            | Stage::Declarations
            | Stage::Verification => return out,
        };
        out.push_str(&format!("{} {what} errors detected in {file}\n", errors(stage)));
    }
    out
}

/// The line that counts the errors of a file that cannot be read, if there is one.
fn parse_errors(sources: &Sources, unread: Option<(FileId, usize)>, style: Style) -> String {
    unread.map_or_else(String::new, |(id, count)| {
        let name = sources.file(id).name();
        let name = if style.base_names { name.rsplit('/').next().unwrap_or(name) } else { name };
        format!("{count} parse errors detected in {name}\n")
    })
}

/// What became of the checks of one implementation because of an earlier version.
#[must_use]
pub fn trace(sources: &Sources, report: &Report, style: Style) -> String {
    let mut out = String::new();
    let at = |span| match place(sources, span, style).as_str() {
        "(0,-1)" => "<unknown location>".to_owned(),
        place => place.to_owned(),
    };
    for item in &report.trace {
        match item {
            TraceItem::Call { callee, implementation, span, added } => {
                out.push_str(&format!(
                    "Processing call to procedure {callee} in implementation {implementation} (at {}):\n",
                    at(*span)
                ));
                for line in added {
                    out.push_str(&format!("  >>> {line}\n"));
                }
            }
            TraceItem::Check { span, text, action, .. } => {
                let action = match action {
                    CheckAction::Skipped => "MarkAsFullyVerified",
                    CheckAction::PartlyVerified => "MarkAsPartiallyVerified",
                    CheckAction::Recycled => "RecycleError",
                    CheckAction::Proved => "DoNothingToAssert",
                };
                out.push_str(&format!("Processing command (at {}) {text}\n  >>> {action}\n", at(*span)));
            }
        }
    }
    out
}

/// What is proved of an implementation and says nothing, where that was to be found out.
#[must_use]
pub fn vain(sources: &Sources, report: &Report, style: Style) -> String {
    let line = |span: &Span| format!("{}: Warning: Proved vacuously\n", place_from(sources, *span, style, 0));
    report.vain.iter().map(line).collect()
}

/// What is told of an attempt to prove that control does not come somewhere, which is the number `number` of its
/// implementation's, and of the part that control cannot reach.
#[must_use]
pub fn smoke_test(number: usize, test: &SmokeTest, style: Style) -> String {
    let mut out = String::new();
    if style.progress == Progress::Full {
        let outcome = match test.outcome {
            Outcome::Valid => "OOPS".to_owned(),
            Outcome::Refuted => "OK".to_owned(),
            other => format!("OK ({})", other.word()),
        };
        out = format!("    soundness smoke test #{number} ...   [{:.6} s] {outcome}\n", test.seconds);
    }
    if let Some(part) = &test.unreachable {
        out.push_str(&format!("found unreachable code:\n{}\n\n\n", part.trim()));
    }
    out
}

/// What is told of the search for bounds of variables.
#[must_use]
pub fn bounding(taken: Duration, style: Style) -> String {
    if style.progress != Progress::Full {
        return String::new();
    }
    format!("\nRunning abstract interpretation...\n  [{:.6} s]\n", taken.as_secs_f64())
}

/// What is told of the way to a result.
#[must_use]
pub fn progress(sources: &Sources, report: &Report, style: Style) -> String {
    let count = report.obligations.len();
    let plural = if count == 1 { "" } else { "s" };
    let spent = match style.progress {
        Progress::Silent => return String::new(),
        // The search was told before, and there what failed for a constant alone is an error of none.
        _ if style.inferring
            && report.verdict == Verdict::Decided(Outcome::Refuted)
            && report.errors.is_empty() =>
        {
            return "errors\n".to_owned();
        }
        _ if style.inferring => return format!("{}\n", outcome(report)),
        Progress::Obligations => format!("[{count} proof obligation{plural}]"),
        Progress::Full => format!(
            "[{:.3} s, solver resource count: {}, {count} proof obligation{plural}]",
            report.seconds, report.resource
        ),
    };
    let mut out = format!("\nVerifying {} ...\n", called(report));
    if style.progress == Progress::Full {
        let count = report.pieces.len();
        for (index, piece) in report.pieces.iter().enumerate() {
            let line = piece.obligations.first().map_or(0, |first| sources.position(first.span).line);
            let share = 100.0 * index as f64 / count as f64;
            let fails = piece.obligations.iter().any(|obligation| obligation.failed);
            let failed = fails && piece.outcome != Outcome::Valid;
            let outcome = if failed { Outcome::Refuted } else { piece.outcome }.word();
            let number = index + 1;
            out.push_str(&format!(
                "    checking split {number}/{count} (line {line}), {share:.2}%, (cost:1/1) ...\n"
            ));
            out.push_str(&format!("      --> split #{number} done,  [{:.3} s] {outcome}\n", piece.seconds));
        }
    }
    let outcome = outcome(report);
    out.push_str(&format!("  {spent}  {outcome}\n"));
    if !report.needs.is_empty() {
        out.push_str("Proof dependencies:\n");
        report.needs.iter().for_each(|word| out.push_str(&format!("  {word}\n")));
    }
    out
}

/// What became of an implementation, in a word or two.
fn outcome(report: &Report) -> &'static str {
    match &report.verdict {
        Verdict::Decided(Outcome::Valid) => "verified",
        Verdict::Decided(_) if report.errors.len() == 1 => "error",
        Verdict::Decided(_) if !report.errors.is_empty() => "errors",
        Verdict::Decided(Outcome::TimeOut) => "timed out",
        Verdict::Decided(Outcome::OutOfResource) => "out of resource",
        Verdict::Decided(Outcome::OutOfMemory) => "out of memory",
        Verdict::Decided(Outcome::NotProved | Outcome::Refuted) => "inconclusive",
        Verdict::Decided(Outcome::Failed)
        | Verdict::Unsupported(_)
        | Verdict::Offline(_)
        | Verdict::Failed(_)
        | Verdict::Cancelled => "inconclusive",
    }
}

/// What the proofs of a program need of the parts that have names.
#[must_use]
pub fn needs(reports: &[Report], style: Style) -> String {
    let mut all: Vec<&String> = reports.iter().flat_map(|report| &report.needs).collect();
    all.sort_by_cached_key(|word| collated(word));
    all.dedup();
    if all.is_empty() || style.progress != Progress::Full {
        return String::new();
    }
    let lines: String = all.into_iter().map(|word| format!("  {word}\n")).collect();
    format!("Proof dependencies of whole program:\n{lines}")
}

/// The models of the errors of one implementation, with their states.
#[must_use]
pub fn models(report: &Report) -> String {
    let found = report.errors.iter().filter_map(|error| error.counterexample.as_deref());
    found.map(values::boogie_model).collect()
}

/// The errors of one implementation.
#[must_use]
pub fn report(sources: &Sources, report: &Report, style: Style) -> String {
    let mut out = String::new();
    let hidden = |error: &CheckError| {
        error.inlined_end && !style.inlined_places && !sources.is_printed(error.diagnostic.span)
    };
    // What has no place comes first.
    let (nowhere, mut placed): (Vec<_>, Vec<_>) = report.errors.iter().partition(|error| hidden(error));
    if placed.iter().any(|error| sources.is_printed(error.diagnostic.span)) {
        // Lines of the text and of what was printed are compared as if they were of one file.
        placed.sort_by_cached_key(|error| {
            let Position { line, column, .. } = sources.position(error.diagnostic.span);
            (line, column)
        });
    }
    for error in nowhere.into_iter().chain(placed) {
        let Diagnostic { message, span, related, .. } = &error.diagnostic;
        if error.own_words && !style.own_places {
            out.push_str(&format!("{message}\n"));
        } else {
            let at = if hidden(error) { "(0,0)".to_owned() } else { place(sources, *span, style) };
            out.push_str(&format!("{at}: Error: {}\n", error.words));
        }
        for (span, message) in related.iter().filter(|_| style.own_places || !error.own_words) {
            out.push_str(&format!("{}: Related location: {message}\n", place(sources, *span, style)));
        }
        if style.traces {
            out.push_str("Execution trace:\n");
            for (span, label) in &error.trace {
                let at = match *span {
                    // What Boogie says of blocks that it adds.
                    Span::NOWHERE => "(-17,-4)".to_owned(),
                    span => token(sources, span, style, 1),
                };
                out.push_str(&format!("    {at}: {label}\n"));
            }
        }
        if let Some(found) = &error.counterexample {
            if style.printed && style.traces {
                out.push_str(&values::augmented_trace(found));
            }
            if style.models && style.traces || style.models_alone {
                out.push_str(&values::boogie_model(found));
            }
        }
    }
    if style.inferring {
        return out;
    }
    let at = place(sources, report.span, style);
    let name = called(report);
    match &report.verdict {
        Verdict::Decided(Outcome::TimeOut) => {
            let seconds = report.time_limit.unwrap_or(0);
            out.push_str(&format!("{at}: Verification of '{name}' timed out after {seconds} seconds\n"));
        }
        Verdict::Decided(Outcome::OutOfResource) => {
            out.push_str(&format!("{at}: Verification out of resource ({name})\n"));
        }
        Verdict::Decided(Outcome::OutOfMemory) => {
            out.push_str(&format!("{at}: Verification out of memory ({name})\n"));
        }
        Verdict::Decided(Outcome::NotProved) if report.errors.is_empty() => {
            out.push_str(&format!("{at}: Verification inconclusive ({name})\n"));
        }
        // Clients know no other words for it; what went wrong is among the remarks.
        Verdict::Unsupported(_) | Verdict::Offline(_) | Verdict::Failed(_) => {
            out.push_str(&format!("{at}: Verification inconclusive ({name})\n"));
        }
        Verdict::Decided(Outcome::Valid) => {
            if let Some(text) = &report.praise {
                out.push_str(&format!("{text}\n"));
            }
        }
        Verdict::Decided(_) | Verdict::Cancelled => {}
    }
    out
}

/// What there is to say of an implementation that has no result, for standard error: clients read every line of
/// standard output.
#[must_use]
pub fn remarks(sources: &Sources, report: &Report, style: Style) -> String {
    match &report.verdict {
        Verdict::Unsupported(message) | Verdict::Offline(message) | Verdict::Failed(message) => {
            format!("{}: {} is not verified: {message}\n", place(sources, report.span, style), called(report))
        }
        Verdict::Decided(_) | Verdict::Cancelled => String::new(),
    }
}

/// The warnings about what Boogie says nothing of, for standard error.
#[must_use]
pub fn syntax_warnings(sources: &Sources, snapshot: &Snapshot, style: Style) -> String {
    let found = snapshot.diagnostics.iter().filter(|it| is_silent(it));
    found.map(|it| format!("{}: Warning: {}\n", place_from(sources, it.span, style, 1), it.message)).collect()
}

/// Whether Boogie says nothing of it.
fn is_silent(diagnostic: &Diagnostic) -> bool {
    let silent = matches!(diagnostic.stage, Stage::Syntax | Stage::Verification);
    diagnostic.severity == Severity::Warning && silent
}

/// What an implementation is called.
fn called(report: &Report) -> &str {
    report.verbose_name.as_deref().unwrap_or(&report.name)
}

impl Tally {
    /// Counts one implementation.
    pub fn add(&mut self, report: &Report) {
        match &report.verdict {
            Verdict::Decided(Outcome::Valid) => self.verified += 1,
            Verdict::Decided(_) if !report.errors.is_empty() => self.errors += report.errors.len(),
            Verdict::Decided(Outcome::TimeOut) => self.time_outs += 1,
            Verdict::Decided(Outcome::OutOfResource) => self.out_of_resource += 1,
            Verdict::Decided(Outcome::OutOfMemory) => self.out_of_memory += 1,
            Verdict::Decided(Outcome::NotProved) => self.inconclusive += 1,
            // Its errors are those of inferred contracts, and are not told.
            Verdict::Decided(Outcome::Refuted) => {}
            Verdict::Decided(Outcome::Failed)
            | Verdict::Failed(_)
            | Verdict::Offline(_)
            | Verdict::Unsupported(_) => {
                self.solver_exceptions += 1;
            }
            Verdict::Cancelled => {}
        }
    }

    /// The closing line, with an empty line before it; with the count of what is verified, if that is wanted.
    #[must_use]
    pub fn line(&self, counted: bool) -> String {
        let Self {
            verified,
            errors,
            inconclusive,
            time_outs,
            out_of_resource,
            out_of_memory,
            solver_exceptions,
        } = *self;
        let inconclusive = inconclusive + solver_exceptions;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let verified = if counted { format!("{verified} verified, ") } else { String::new() };
        let mut out =
            format!("\nBoogie program verifier finished with {verified}{errors} error{}", plural(errors));
        if inconclusive > 0 {
            out.push_str(&format!(", {inconclusive} inconclusive{}", plural(inconclusive)));
        }
        if time_outs > 0 {
            out.push_str(&format!(", {time_outs} time out{}", plural(time_outs)));
        }
        if out_of_memory > 0 {
            out.push_str(&format!(", {out_of_memory} out of memory"));
        }
        if out_of_resource > 0 {
            out.push_str(&format!(", {out_of_resource} out of resource"));
        }
        out.push('\n');
        out
    }
}
