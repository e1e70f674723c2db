//! An open document: its text, what is known of its implementations, and what is shown of that.
//!
//! Everything known has its place as bytes of the present text. An edit moves the places and makes what is known
//! old; what is old is shown as such until its implementation is answered again. What names mean is found when a
//! request asks, once for each text.

use std::collections::BTreeMap;
use std::ops::Range;

use ivl_verifier::base::diagnostic::{Diagnostic, Severity};
use ivl_verifier::base::source::{FileId, Sources, Span};
use ivl_verifier::report::finding::{self, Finding};
use ivl_verifier::report::{Report, Verdict, human};
use ivl_verifier::smt::answer::Outcome;
use ivl_verifier::syntax::ast::Ast;
use ivl_verifier::syntax::definitions::Definitions;
use ivl_verifier::syntax::parser;
use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    TextDocumentContentChangeEvent, Uri,
};
use serde::Serialize;

use super::text::{Encoding, Text};

/// What clients see as the source of diagnostics.
const SOURCE: &str = "ivl";

/// How an implementation stands, as clients are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum State {
    /// All of its checks are proved.
    Verified,
    /// A check could not be proved.
    Failed,
    /// The solver gave up, or met its limits.
    Undecided,
    /// There is no answer.
    Unanswered,
}

/// What is known of an implementation.
#[derive(Debug)]
pub(super) struct Known {
    /// Its name.
    pub(super) name: String,
    /// Where its name stands.
    pub(super) place: Range<usize>,
    /// How it stands.
    pub(super) state: State,
    /// Whether it was so of an earlier text, and is asked again.
    pub(super) old: bool,
    /// Where the answer comes from, and why, in a line.
    pub(super) reason: String,
    /// What the solver spent for it in this run: seconds, and its resource count.
    pub(super) seconds: f64,
    /// See `seconds`.
    pub(super) resource: u64,
    findings: Vec<Placed>,
}

/// A finding at its place.
#[derive(Debug)]
struct Placed {
    severity: Severity,
    rule: &'static str,
    message: String,
    place: Range<usize>,
    related: Vec<(Range<usize>, String)>,
}

/// An open document.
pub(super) struct Document {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: Text,
    /// What is wrong with the text, and whether it was so of an earlier one.
    program: Vec<Placed>,
    /// What is known of implementations, by who they are across versions.
    pub(super) known: BTreeMap<String, Known>,
    /// The tree of the present text and what its names mean, if a request asked.
    names: Option<Names>,
}

/// A tree with what its names mean.
pub(super) struct Names {
    pub(super) ast: Ast,
    pub(super) definitions: Definitions,
    /// The document among the tree's files.
    pub(super) file: FileId,
}

/// A program of which a document is the last file, as results tell of it.
pub(super) struct Version<'a> {
    pub(super) sources: &'a Sources,
    pub(super) file: FileId,
}

impl Document {
    pub(super) fn new(uri: Uri, version: i32, content: String, encoding: Encoding) -> Self {
        let text = Text::new(content, encoding);
        Self { uri, version, text, program: Vec::new(), known: BTreeMap::new(), names: None }
    }

    /// Takes changes over, one after the other.
    pub(super) fn change(&mut self, version: i32, changes: &[TextDocumentContentChangeEvent]) {
        self.version = version;
        self.names = None;
        for change in changes {
            let edit = self.text.change(change);
            for known in self.known.values_mut() {
                known.old = true;
                known.place = edit.moved(&known.place);
                known.findings.iter_mut().for_each(|placed| placed.shift(|place| edit.moved(place)));
            }
            self.program.iter_mut().for_each(|placed| placed.shift(|place| edit.moved(place)));
        }
    }

    /// Notes what there is to say of the text itself, warnings among it.
    pub(super) fn checked(&mut self, version: &Version<'_>, diagnostics: &[Diagnostic]) {
        let found = diagnostics.iter().map(finding::of_diagnostic);
        self.program = found.map(|finding| version.place(finding, &(0..0))).collect();
    }

    /// Notes the result of an implementation.
    pub(super) fn answered(&mut self, version: &Version<'_>, report: &Report) {
        let state = match &report.verdict {
            Verdict::Cancelled => return,
            Verdict::Decided(_) if !report.errors.is_empty() => State::Failed,
            Verdict::Decided(Outcome::Valid) => State::Verified,
            Verdict::Decided(_) => State::Undecided,
            Verdict::Unsupported(_) | Verdict::Offline(_) | Verdict::Failed(_) => State::Unanswered,
        };
        let place = version.bytes(report.span).unwrap_or(0..0);
        let explanation = human::explanation(version.sources, report);
        let reason = explanation.lines().next().unwrap_or_default().to_owned();
        let found = finding::of_report(report);
        let findings = found.into_iter().map(|finding| version.place(finding, &place)).collect();
        let known = Known {
            name: report.name.clone(),
            place,
            state,
            old: false,
            reason,
            seconds: report.seconds,
            resource: report.resource,
            findings,
        };
        self.known.insert(report.identity.clone(), known);
    }

    /// Forgets what the present text has no answer for: implementations that are gone.
    pub(super) fn completed(&mut self) {
        self.known.retain(|_, known| !known.old);
    }

    /// What the client is to show.
    pub(super) fn diagnostics(&self) -> Vec<lsp_types::Diagnostic> {
        let of_program = self.program.iter().map(|placed| self.diagnostic(placed, false));
        let known = self.known.values();
        let of_known = known.flat_map(|it| it.findings.iter().map(|placed| self.diagnostic(placed, it.old)));
        of_program.chain(of_known).collect()
    }

    fn diagnostic(&self, placed: &Placed, old: bool) -> lsp_types::Diagnostic {
        let severity = match placed.severity {
            _ if old => DiagnosticSeverity::INFORMATION,
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        };
        let message = if old {
            format!("{} (before the last edit; not answered again yet)", placed.message)
        } else {
            placed.message.clone()
        };
        let related = placed.related.iter().map(|(place, message)| DiagnosticRelatedInformation {
            location: Location { uri: self.uri.clone(), range: self.text.range(place) },
            message: message.clone(),
        });
        let related: Vec<_> = related.collect();
        lsp_types::Diagnostic {
            range: self.text.range(&placed.place),
            severity: Some(severity),
            code: Some(NumberOrString::String(placed.rule.to_owned())),
            source: Some(SOURCE.to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            data: old.then(|| serde_json::json!({ "old": true })),
            ..lsp_types::Diagnostic::default()
        }
    }

    /// The tree of the text and what its names mean.
    pub(super) fn names(&mut self) -> &Names {
        let text = &self.text;
        self.names.get_or_insert_with(|| {
            let mut sources = Sources::default();
            let file = sources.add("", text.content());
            let mut ast = Ast::default();
            // What is wrong with the text is told when it is checked.
            drop(parser::parse(&sources, file, &mut ast));
            let definitions = Definitions::of(&ast);
            Names { ast, definitions, file }
        })
    }
}

impl Placed {
    fn shift(&mut self, moved: impl Fn(&Range<usize>) -> Range<usize>) {
        self.place = moved(&self.place);
        for (place, _) in &mut self.related {
            *place = moved(place);
        }
    }
}

impl Version<'_> {
    /// The bytes of a span in the document; nothing if it is in another file.
    fn bytes(&self, span: Span) -> Option<Range<usize>> {
        (span.file == self.file).then_some(span.start as usize..span.end as usize)
    }

    /// A message about another file, which names the place.
    fn elsewhere(&self, span: Span, message: &str) -> String {
        if span == Span::NOWHERE {
            return message.to_owned();
        }
        let position = self.sources.position(span);
        format!("{}({},{}): {message}", position.file, position.line, position.column)
    }

    /// A finding at its place in the document, or at another one if it is about another file.
    fn place(&self, finding: Finding, otherwise: &Range<usize>) -> Placed {
        let Finding { severity, rule, message, span, related } = finding;
        let (place, message) = match self.bytes(span) {
            Some(place) => (place, message),
            None => (otherwise.clone(), self.elsewhere(span, &message)),
        };
        let related = related.into_iter().map(|(span, message)| match self.bytes(span) {
            Some(place) => (place, message),
            None => (place.clone(), self.elsewhere(span, &message)),
        });
        let related = related.collect();
        Placed { severity, rule, message, place, related }
    }
}
