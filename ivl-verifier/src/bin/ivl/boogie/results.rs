//! What is told of a version of a program: of each implementation as soon as it and those that are told before it are
//! known, so that a client that reads along, or that stops a run, has what there is; or all at the end, where what is
//! told first is known last. When nobody reads any more, the run ends.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use cache_core::worker::Cancel;
use ivl_verifier::base::diagnostic::{Diagnostic, Severity, Stage};
use ivl_verifier::base::source::{FileId, Sources};
use ivl_verifier::base::system::System;
use ivl_verifier::report::boogie::{
    Progress, Style, Tally, bounding, diagnostics, needs, progress, remarks, report, smoke_test,
    syntax_warnings, trace, vain,
};
use ivl_verifier::report::{Report, Snapshot, inference, xml};
use ivl_verifier::service::{Prints, Verifier};
use ivl_verifier::syntax::ast::Ast;
use ivl_verifier::syntax::parser::parse;

use super::options::Request;
use super::{FATAL, UNHEARD, passive, shown, write_models, write_queries};
use crate::session;

/// What was told so far.
struct Telling<'t> {
    request: &'t Request,
    system: &'t dyn System,
    sources: &'t Sources,
    style: Style,
    /// What is to be printed next.
    text: String,
    /// What goes to standard error next.
    aside: String,
    tally: Tally,
    passive: passive::Printed,
    /// Whether what stands above all results was told.
    begun: bool,
    /// How long it took to infer bounds of variables, if they were.
    bounding: Option<Duration>,
    /// What became of printing.
    result: Result<(), u8>,
    /// What became of files that are written at the end.
    late: Result<(), u8>,
}

impl Telling<'_> {
    /// What stands above the results.
    fn begin(&mut self, snapshot: &Snapshot, name: &str) {
        let Self { request, style, .. } = *self;
        self.begun = true;
        self.text.push_str(&diagnostics(self.sources, snapshot, name, style));
        self.aside.push_str(&syntax_warnings(self.sources, snapshot, style));
        if style.progress == Progress::Full && !request.resolve_only && !snapshot.is_broken() {
            if !request.options.expansion.keep_blocks_apart {
                self.text.push_str("Coalescing blocks...\n");
            }
            self.text.push_str("Inlining...\n");
            let bounds = self.bounding.map(|taken| bounding(taken, style));
            self.text.push_str(&bounds.unwrap_or_default());
        }
    }

    /// The result of an implementation.
    fn add(&mut self, result: &Report) {
        let Self { request, system, sources, style, .. } = *self;
        if request.trace_caching {
            self.text.push_str(&trace(sources, result, style));
        }
        match self.passive.before(system, result) {
            Ok(text) => self.text.push_str(&text),
            Err(code) => self.note(Err(code)),
        }
        self.text.push_str(&vain(sources, result, style));
        self.text.push_str(&progress(sources, result, style));
        self.text.push_str(&report(sources, result, style));
        self.aside.push_str(&remarks(sources, result, style));
        self.tally.add(result);
    }

    /// Prints what there is; what cannot be printed is told once, and what nobody reads any more is no error.
    fn print(&mut self) {
        let (text, aside) = (std::mem::take(&mut self.text), std::mem::take(&mut self.aside));
        if !aside.is_empty() {
            self.system.print_error(&aside);
        }
        if !self.request.results || self.result.is_err() {
            return;
        }
        self.result = match self.system.print(&text) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(session::FINE),
            Err(error) => {
                self.system.print_error(&format!("error: cannot write standard output: {error}\n"));
                Err(UNHEARD)
            }
        };
    }

    /// Goes on after what could not be written, to say so at the end.
    fn note(&mut self, written: Result<(), u8>) {
        self.late = self.late.and(written);
    }
}

/// Whether results can be told as they come: nothing is told first that is known last, or for which the whole program
/// is made.
fn as_they_come(request: &Request) -> bool {
    let Request { options, .. } = request;
    let whole = options.smoke || options.infer_contracts || options.expansion.track || options.vacuity;
    let passive = request.print_passive.is_some()
        || request.print_split.is_some()
        || request.print_pruned.is_some()
        || request.dump_splits;
    request.snapshots.is_none() && request.no_solver.is_none() && !whole && !passive
}

/// Verifies one version of a program and prints what came out.
pub(super) fn version(
    request: &Request,
    system: &Arc<dyn System>,
    verifier: &mut Verifier,
    (sources, ids, prints): (&Sources, &[FileId], Prints),
    files: &[PathBuf],
    protocol: &mut String,
) -> Result<(), u8> {
    let counts = |it: &Diagnostic| it.severity == Severity::Warning && it.stage != Stage::Syntax;
    let warned = |diagnostics: &[Diagnostic]| request.strict && diagnostics.iter().any(counts);
    // Models go to the file or to the output.
    let to_output = request.model_file.is_none();
    let style = Style {
        models: request.style.models && to_output,
        models_alone: request.style.models_alone && to_output,
        inferring: request.options.infer_contracts,
        ..request.style
    };
    let name = files.last().map_or_else(String::new, |file| shown(file, style));
    let live = as_they_come(request);
    // What is written into files is whole, whoever reads what is printed.
    let to_files = request.xml.is_some() || request.log.is_some() || request.model_file.is_some();
    let mut told = Telling {
        request,
        system: &**system,
        sources,
        style,
        text: String::new(),
        aside: String::new(),
        tally: Tally::default(),
        passive: passive::Printed::default(),
        begun: false,
        bounding: None,
        result: Ok(()),
        late: Ok(()),
    };
    let (snapshot, refused) = if request.parse_only {
        let mut ast = Ast::default();
        let diagnostics: Vec<_> = ids.iter().flat_map(|id| parse(sources, *id, &mut ast)).collect();
        (Snapshot { diagnostics, ..Snapshot::default() }, false)
    } else {
        let checked = verifier.check_printed(sources, ids, prints);
        let refused = warned(&checked.diagnostics);
        if refused || !request.verify {
            let mut diagnostics = checked.diagnostics.clone();
            // Boogie infers bounds also where nothing is verified, and a trace says how long that takes.
            if style.progress == Progress::Full && !request.resolve_only && !refused {
                told.bounding = verifier.expand(checked).bounding;
            }
            // Types are not looked at where Boogie does not look at them.
            diagnostics.retain(|it| !request.resolve_only || it.stage < Stage::Types);
            (Snapshot { diagnostics, ..Snapshot::default() }, refused)
        } else {
            let early = Snapshot { diagnostics: checked.diagnostics.clone(), ..Snapshot::default() };
            let cancel = Cancel::new();
            let expanded = verifier.expand(checked);
            told.bounding = expanded.bounding;
            let snapshot = verifier.verify_expanded(expanded, &cancel, |result| {
                if live && told.result.is_ok() {
                    if !told.begun {
                        told.begin(&early, &name);
                    }
                    told.add(result);
                    told.print();
                    if told.result.is_err() && !to_files {
                        cancel.cancel();
                    }
                }
            });
            (snapshot, false)
        }
    };
    let broken = snapshot.is_broken() || refused;
    if !told.begun {
        told.begin(&snapshot, &name);
    }
    if request.xml.is_some() {
        let names: Vec<String> = files.iter().map(|file| shown(file, style)).collect();
        let reports = &snapshot.reports;
        protocol.push_str(&xml::program(sources, &names, (reports, style.own_places), system.date()));
    }
    let searched = request.options.infer_contracts && request.verify && !broken;
    let traced = searched && style.progress == Progress::Full;
    if traced {
        told.text.push_str(&inference::search(&snapshot.inference, &snapshot.assignment));
    }
    if request.assignment && searched {
        told.text.push_str("Assignment computed by Houdini:\n");
        for (name, holds) in &snapshot.assignment {
            told.text.push_str(&format!("{name} = {}\n", if *holds { "True" } else { "False" }));
        }
    }
    if traced {
        told.text.push_str(&inference::figures(&snapshot.inference, &snapshot.assignment));
    }
    if let Some(log) = &request.log {
        let written = write_queries(&**system, log, &snapshot);
        told.note(written);
    }
    if let Some(target) = &request.model_file {
        let written = write_models(&**system, target, &snapshot);
        told.note(written);
    }
    if !live {
        match passive::Printed::of(request, &**system, sources, ids, broken) {
            Ok(passive) => told.passive = passive,
            Err(code) => told.note(Err(code)),
        }
        for (at, result) in snapshot.reports.iter().enumerate() {
            for (number, test) in snapshot.smoke_tests.iter().filter(|it| it.report == at).enumerate() {
                told.text.push_str(&smoke_test(number, test, style));
            }
            told.add(result);
        }
    }
    told.text.push_str(&needs(&snapshot.reports, style));
    if let (Some(solver), true) = (&request.no_solver, request.verify && !broken) {
        let text = format!("Fatal Error: ProverException: Cannot find specified prover: {solver}\n");
        session::print(&**system, &text);
        return Err(FATAL);
    }
    if !broken && !request.resolve_only && request.summary {
        let line = told.tally.line(request.count_verified);
        told.text.push_str(&line);
    }
    told.print();
    told.result.and(told.late)
}
