//! `ivl verify`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use cache_core::worker::Cancel;
use indicatif::{ProgressBar, ProgressStyle};
use ivl_verifier::base::diagnostic::{Diagnostic, Stage};
use ivl_verifier::base::source::{FileId, Sources, Span};
use ivl_verifier::base::system::System;
use ivl_verifier::report::boogie::Tally;
use ivl_verifier::report::finding::{self, Finding};
use ivl_verifier::report::parts::Parts;
use ivl_verifier::report::{Report, Snapshot, Verdict, github, human, json, sarif};
use ivl_verifier::service::{Axioms, Options, Replay, Share, Verifier};
use reprise_tools::report::Report as Statistics;

use crate::arguments::{Caching, Format, Run, Verify};
use crate::session;

/// Runs the subcommand and gives the exit code.
pub(crate) fn run(arguments: &Verify, system: &Arc<dyn System>) -> u8 {
    let cache = &arguments.run.cache;
    let (store, mut warnings) = session::store_for(&**system, cache);
    let asked = share(arguments, &**system)
        .and_then(|share| Ok(Options { share, ..options(&arguments.run, &**system)? }));
    let options = match asked {
        Ok(options) => Options {
            log_queries: arguments.log_smt.is_some(),
            values: arguments.counterexample,
            smoke: arguments.smoke,
            in_order: true,
            ..options
        },
        Err(message) => return session::unusable(&**system, &message),
    };
    let mut verifier = Verifier::new(options, store, Arc::clone(system));
    let mut printer = Printer {
        system: &**system,
        arguments,
        colours: system.is_terminal(),
        tally: Tally::default(),
        code: session::FINE,
        earlier: 0,
        lost_output: false,
        progress: progress(),
        format: if arguments.json { Format::Json } else { arguments.format },
        found: Vec::new(),
    };
    let mut results = Vec::new();
    let mut parts = Parts::default();
    for (title, files) in programs(arguments, &**system, &mut printer) {
        let mut sources = Sources::default();
        let read: Result<Vec<FileId>, String> =
            files.iter().map(|file| session::read(&**system, &mut sources, file)).collect();
        match read {
            Ok(files) => {
                if arguments.snapshots && matches!(printer.format, Format::Text | Format::Github) {
                    printer.print(&format!("{title}\n"));
                }
                let snapshot = verifier
                    .verify(&sources, &files, &Cancel::new(), |report| printer.report(&sources, report));
                printer.snapshot(&sources, &snapshot);
                if arguments.smoke
                    && !snapshot.is_broken()
                    && contradict(arguments, &mut sources, &files, system)
                {
                    printer.doubt(&sources, &files);
                }
                if arguments.report.is_some() {
                    parts.add(&title, &sources, &files, &snapshot);
                }
                if arguments.stats.is_some() {
                    results.push(summary(&title, &sources, &snapshot));
                }
            }
            Err(message) => printer.unusable(&message),
        }
    }
    printer.progress.finish_and_clear();
    let cache = verifier.finish();
    warnings.extend(verifier.take_warnings());
    for warning in warnings {
        system.print_error(&format!("warning: {warning}\n"));
    }
    if verifier.disagreements() > 0 {
        let count = verifier.disagreements();
        system.print_error(&format!("error: an audit found {count} wrong results in the cache\n"));
        printer.worse(session::CACHE_FAULT);
    }
    if printer.format == Format::Sarif {
        let document = sarif::document(env!("CARGO_PKG_VERSION"), &printer.found);
        let text = serde_json::to_string_pretty(&document).unwrap_or_else(|_| document.to_string());
        printer.print(&(text + "\n"));
    }
    if matches!(printer.format, Format::Text | Format::Github) {
        let line = printer.tally.line(true);
        printer.print(&line);
    }
    if let Some(path) = &arguments.stats {
        let mut statistics = Statistics::new("ivl", env!("CARGO_PKG_VERSION"));
        let counters = verifier.counters();
        statistics.cache = cache;
        statistics.engine("queries", counters.implementations);
        statistics.engine("solver_requests", counters.queries);
        statistics.engine("solver_queries", counters.solver_checks);
        statistics.engine("solver_resource", counters.solver_resource);
        statistics.engine("solver_starts", verifier.solver_starts());
        statistics.result = serde_json::Value::Array(results);
        let written = match statistics.to_json() {
            Ok(text) => system.write(path, text.as_bytes()).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = written {
            printer.unusable(&format!("cannot write {}: {error}", path.display()));
        }
    }
    if let Some(path) = &arguments.report {
        let report = parts.finish(arguments.shard, env!("CARGO_PKG_VERSION"), printer.code);
        if let Err(error) = system.write(path, report.as_bytes()) {
            printer.unusable(&format!("cannot write {}: {error}", path.display()));
        }
    }
    printer.code
}

/// Which part of the implementations is verified.
fn share(arguments: &Verify, system: &dyn System) -> Result<Option<Share>, String> {
    let Some(shard) = arguments.shard else { return Ok(None) };
    let costs = arguments.costs.as_deref().map(|path| read_costs(system, path)).transpose()?;
    Ok(Some(Share { shard, costs: costs.unwrap_or_default() }))
}

/// The costs in a file that `ivl costs` printed.
fn read_costs(system: &dyn System, path: &Path) -> Result<BTreeMap<String, u64>, String> {
    let bytes = system.read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| format!("{} holds no costs as `ivl costs` prints them: {error}", path.display()))
}

/// What has no name of its own in a program: its check fails unless all axioms together prove everything.
const NOTHING: &str = "axioms##contradict";

/// Whether the axioms of a program, all of them, contradict each other, as far as the solver finds out.
fn contradict(arguments: &Verify, sources: &mut Sources, files: &[FileId], system: &Arc<dyn System>) -> bool {
    let file = sources.add("axioms.bpl", &format!("procedure {NOTHING}() {{ assert false; }}\n"));
    let Ok(usual) = options(&arguments.run, &**system) else { return false };
    let options = Options {
        axioms: Axioms::All,
        only: vec![NOTHING.to_owned()],
        mode: cache_core::mode::Mode::Off,
        ..usual
    };
    let mut verifier = Verifier::new(options, None, Arc::clone(system));
    let files: Vec<FileId> = files.iter().copied().chain([file]).collect();
    let snapshot = verifier.verify(sources, &files, &Cancel::new(), |_| {});
    snapshot
        .reports
        .iter()
        .any(|it| it.verdict == Verdict::Decided(ivl_verifier::smt::answer::Outcome::Valid))
}

/// What the command line asks of the verifier.
///
/// # Errors
/// A message that says why the solver that is asked for cannot answer.
pub(crate) fn options(arguments: &Run, system: &dyn System) -> Result<Options, String> {
    let mut solver = session::worker(system);
    solver.memory_bytes = arguments.limits.memory_limit.map(|megabytes| megabytes.saturating_mul(1 << 20));
    let cores =
        arguments.cores.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let seconds = arguments.limits.time_limit.or(arguments.limits.rlimit.is_none().then_some(10));
    let mut options = Options {
        cores,
        error_limit: arguments.limits.error_limit,
        resource_limit: arguments.limits.rlimit,
        time_limit_ms: seconds.map(|seconds| seconds.saturating_mul(1000)),
        machine: session::machine(system),
        switch_after: arguments.limits.switch_after,
        solver_options: arguments.solver_options.clone(),
        each_check: arguments.each_check,
        only: arguments.only.clone(),
        mode: arguments.cache.mode,
        audit: arguments.cache.audit,
        fine_grained: arguments.caching != Caching::Basic,
        thrifty: arguments.caching != Caching::Eager,
        past_additions: arguments.caching != Caching::Eager,
        replay: match arguments.caching {
            Caching::Replay => Replay::AfterEdits(arguments.replay_from),
            Caching::Basic | Caching::Eager | Caching::FineGrained => Replay::Never,
        },
        #[cfg(feature = "plant")]
        fault: arguments.plant,
        ..Options::new(solver)
    };
    options.expansion.infer_modifies = arguments.infer_modifies;
    if let Some(program) = &arguments.solver {
        session::ask_program(&mut options, system, program)?;
    }
    Ok(options)
}

/// A line on the terminal that tells of a long run; nowhere else.
fn progress() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} [{elapsed}] {wide_msg}") {
        bar.set_style(style);
    }
    // A run that is over within the first tick draws nothing.
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// The programs to verify, one after the other, each with a title.
fn programs(
    arguments: &Verify,
    system: &dyn System,
    printer: &mut Printer<'_>,
) -> Vec<(String, Vec<PathBuf>)> {
    if !arguments.snapshots {
        let title =
            arguments.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" ");
        return vec![(title, arguments.files.clone())];
    }
    let mut programs = Vec::new();
    for file in &arguments.files {
        let versions = session::versions(system, file);
        if versions.is_empty() {
            let first = file.with_extension("v0.bpl");
            printer.unusable(&format!(
                "there is no {}, the first version of {}",
                first.display(),
                file.display()
            ));
        }
        programs.extend(versions.into_iter().map(|version| (version.display().to_string(), vec![version])));
    }
    programs
}

/// What the statistics say about one program.
fn summary(title: &str, sources: &Sources, snapshot: &Snapshot) -> serde_json::Value {
    let implementations: Vec<_> =
        snapshot.reports.iter().map(|report| json::verdict(sources, report)).collect();
    let mut tally = Tally::default();
    snapshot.reports.iter().for_each(|report| tally.add(report));
    serde_json::json!({
        "program": title,
        "diagnostics": snapshot.diagnostics.len(),
        "verified": tally.verified,
        "errors": tally.errors,
        "undecided": tally.inconclusive + tally.time_outs + tally.out_of_memory + tally.out_of_resource,
        "failed": tally.solver_exceptions,
        "implementations": implementations,
    })
}

/// A value as a line of its own.
fn line(value: &serde_json::Value) -> String {
    let mut text = serde_json::to_string(value).unwrap_or_else(|_| value.to_string());
    text.push('\n');
    text
}

/// Prints results as they arrive, and keeps the exit code.
struct Printer<'a> {
    system: &'a dyn System,
    arguments: &'a Verify,
    colours: bool,
    tally: Tally,
    code: u8,
    /// How many implementations the programs before this one have.
    earlier: usize,
    /// Standard output could not be written; that is said once.
    lost_output: bool,
    progress: ProgressBar,
    format: Format,
    /// What a document holds that is written at the end.
    found: Vec<serde_json::Value>,
}

impl Printer<'_> {
    fn worse(&mut self, code: u8) {
        self.code = self.code.max(code);
    }

    fn print(&mut self, text: &str) {
        if self.lost_output {
            return;
        }
        let code = self.progress.suspend(|| session::print(self.system, text));
        self.lost_output = code != session::FINE;
        self.worse(code);
    }

    fn unusable(&mut self, message: &str) {
        self.system.print_error(&format!("error: {message}\n"));
        self.worse(session::UNUSABLE);
    }

    fn report(&mut self, sources: &Sources, report: &Report) {
        self.tally.add(report);
        if !self.progress.is_hidden() {
            let Tally { verified, errors, .. } = self.tally;
            self.progress.set_message(format!("{}: {verified} verified, {errors} errors", report.name));
        }
        self.worse(match &report.verdict {
            Verdict::Decided(ivl_verifier::smt::answer::Outcome::Valid) => session::FINE,
            Verdict::Decided(_) => session::FINDINGS,
            Verdict::Offline(_) => session::CACHE_FAULT,
            Verdict::Unsupported(_) | Verdict::Failed(_) | Verdict::Cancelled => session::UNUSABLE,
        });
        let text = match self.format {
            Format::Json => match json::report(sources, report) {
                Ok(text) => text + "\n",
                Err(error) => return self.unusable(&format!("cannot tell of {}: {error}", report.name)),
            },
            Format::Text => {
                let mut text = human::report(sources, report, self.colours);
                if self.arguments.explain {
                    text.push_str(&human::explanation(sources, report));
                }
                text
            }
            Format::Sarif | Format::Github => self.findings(sources, &finding::of_report(report)),
        };
        self.print(&text);
        if let (Some(folder), Some(query)) = (&self.arguments.log_smt, &report.query) {
            self.log(folder, report, query);
        }
    }

    /// Warns that the axioms of a program prove everything.
    fn doubt(&mut self, sources: &Sources, files: &[FileId]) {
        let span = files.first().map_or(Span::NOWHERE, |file| Span { file: *file, start: 0, end: 0 });
        let message = "the axioms contradict each other: with all of them everything can be proved";
        self.warning(sources, &Diagnostic::warning(Stage::Verification, span, message));
    }

    fn warning(&mut self, sources: &Sources, diagnostic: &Diagnostic) {
        let text = match self.format {
            Format::Json => line(&json::diagnostic(sources, diagnostic)),
            Format::Text => human::diagnostic(sources, diagnostic, self.colours),
            Format::Sarif | Format::Github => self.findings(sources, &[finding::of_diagnostic(diagnostic)]),
        };
        self.print(&text);
    }

    /// Findings in a format of other tools; those of a document are kept for its end.
    fn findings(&mut self, sources: &Sources, findings: &[Finding]) -> String {
        if self.format == Format::Sarif {
            self.found.extend(findings.iter().map(|it| sarif::result(sources, it)));
            return String::new();
        }
        findings.iter().map(|it| github::line(sources, it)).collect()
    }

    /// Writes a query, numbered by where its implementation stands, whenever its answer comes.
    fn log(&mut self, folder: &Path, report: &Report, query: &str) {
        let safe: String = report
            .name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
            .collect();
        let path = folder.join(format!("{:04}-{safe}.smt2", self.earlier + report.index));
        let written =
            self.system.create_folder(folder).and_then(|()| self.system.write(&path, query.as_bytes()));
        if let Err(error) = written {
            self.unusable(&format!("cannot write {}: {error}", path.display()));
        }
    }

    fn snapshot(&mut self, sources: &Sources, snapshot: &Snapshot) {
        for diagnostic in &snapshot.diagnostics {
            let text = match self.format {
                Format::Json => line(&json::diagnostic(sources, diagnostic)),
                Format::Text => human::diagnostic(sources, diagnostic, self.colours),
                Format::Sarif | Format::Github => {
                    self.findings(sources, &[finding::of_diagnostic(diagnostic)])
                }
            };
            self.print(&text);
        }
        for part in snapshot.smoke_tests.iter().filter_map(|it| it.unreachable.as_ref()) {
            let message = format!("control cannot reach the end of this:\n{}", part.trim());
            self.warning(sources, &Diagnostic::warning(Stage::Verification, Span::NOWHERE, message));
        }
        if snapshot.is_broken() {
            self.worse(session::UNUSABLE);
        }
        self.earlier += snapshot.reports.iter().map(|report| report.index + 1).max().unwrap_or(0);
    }
}
