//! `ivl boogie`: Boogie's command line, with Boogie 3.5's output and exit codes.
//!
//! Options are written `-name:value` or `/name:value`. Those that only concern speed, logs or the
//! encoding of types are accepted and ignored; those that would change what is verified and are not
//! supported are refused, since ignoring them would answer another question.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use cache_core::mode::Mode;
use cache_core::worker::{Cancel, WorkerConfig};
use ivl_verifier::base::source::{FileId, Sources};
use ivl_verifier::base::system::System;
use ivl_verifier::report::boogie::{Style, Tally, diagnostics, report};
use ivl_verifier::service::{Inlining, Options, Verifier};
use ivl_verifier::syntax::library::library;

use crate::session;

/// Options without effect here: on solving, on logs, on encodings, on what is shown besides results.
const IGNORED: &[&str] = &[
    "logPrefix",
    "proverWarnings",
    "env",
    "infer",
    "trace",
    "traceTimes",
    "print",
    "printInlined",
    "printInstrumented",
    "printModel",
    "printModelToFile",
    "printSplit",
    "printSplitDeclarations",
    "printPassive",
    "printWithUniqueIds",
    "printAST",
    "pretty",
    "vcsSplitOnEveryAssert",
    "trackVerificationCoverage",
    "printVerifiedProceduresCount",
    "relaxFocus",
    "proverLogAppend",
    "normalizeNames",
    "normalizeDeclarationOrder",
    "vcsCores",
    "xml",
    "nologo",
    "removeEmptyBlocks",
    "coalesceBlocks",
    "liveVariableAnalysis",
    "overlookTypeErrors",
    "enhancedErrorMessages",
    "printUnstructured",
    "vcsMaxKeepGoingSplits",
    "vcsMaxSplits",
    "vcsMaxCost",
    "vcsKeepGoingTimeout",
    "vcsLoad",
    "vcsFinalAssertTimeout",
    "vcsPathJoinMult",
    "vcsPathCostMult",
    "vcsAssumeMult",
    "vcsPathSplitMult",
    "vcsDumpSplits",
    "restartProver",
    "proverMemoryLimit",
    "z3exe",
    "z3multipleErrors",
    "monomorphize",
    "verifySeparately",
    "noinfer",
    "printDesugared",
    "showVerifiedProcedureCount",
    "z3opt",
    "kInductionDepth",
    "emitDebugInformation",
    "timeLimitPerAssertionInPercent",
    "warningsAsErrors",
];

/// What asks for the version, and the answer: clients look for Boogie's.
const VERSION: &[&str] = &["-version", "/version", "--version"];
const BOOGIE: &str = "Boogie program verifier version 3.5.7.0, Copyright (c) 2003-2014, Microsoft.\n";

/// What asks for help: Boogie's spellings and the usual ones.
const HELP: &[&str] = &["--help", "-help", "/help", "-h", "-?", "/?"];

/// The answer to these.
const USAGE: &str = "\
Take Boogie's options and write Boogie's output

Usage: ivl boogie [OPTIONS] <FILE>...

Options, written -name:value or /name:value:
  -noVerify                 resolve and check types only
  -noResolve, -noTypecheck  the same, without the closing line
  -proc:NAME                verify only implementations with this name; * stands for any text
  -timeLimit:SECONDS        for each implementation
  -rlimit:COUNT             the solver's resource count for each implementation
  -errorLimit:N             stop looking for errors in an implementation after so many
  -errorTrace:N             0 leaves out the traces of errors
  -useBaseNameForFileName   name files without their folders
  -randomSeed:N             the solver's seed
  -vcsCores:N               how many solvers run side by side
  -inline:MODE              what becomes of {:inline} calls: none, assume, assert, spec
  -inlineDepth:N            inline every procedure with a body so deep
  -loopUnroll:N             follow N back edges of each loop; -soundLoopUnrolling: and fail beyond
  -inferModifies            procedures may change what their bodies change
  -contractInfer            find which {:existential} constants can hold; -printAssignment: print them
  -prune:1                  leave out axioms as Boogie does when it prunes
  -lib:NAME                 add a library: base, set_size
  -proverLog:FILE           write the queries as SMT-LIB 2
  -quiet, -silent           print no closing line, or nothing
  -proverOpt:O:NAME=VALUE   set an option of the solver
  -help                     print this

Boogie's options on logs, speed and encodings are accepted and do nothing. Those that would change what
is verified and are not supported are refused. Nothing is cached: for that, use `ivl verify`.

Exit codes: 0 everything is proved, 1 something is not or a file cannot be used, 2 the usage is wrong.
";

/// What the command line asks for.
struct Request {
    files: Vec<PathBuf>,
    style: Style,
    verify: bool,
    resolve_only: bool,
    /// Whether the closing line is printed.
    summary: bool,
    /// Whether anything is printed.
    results: bool,
    /// Whether it is printed which constants hold.
    assignment: bool,
    /// Where queries are written.
    log: Option<PathBuf>,
    /// Boogie's libraries that the program uses, by name.
    libraries: Vec<String>,
    /// A program to use as the solver, which is not there.
    no_solver: Option<String>,
    options: Options,
}

/// Runs the subcommand and gives the exit code.
pub(crate) fn run(arguments: &[String], system: &Arc<dyn System>) -> u8 {
    if arguments.iter().any(|argument| HELP.contains(&argument.as_str())) {
        return session::print(&**system, USAGE);
    }
    if arguments.iter().any(|argument| VERSION.contains(&argument.as_str())) {
        return session::print(&**system, BOOGIE);
    }
    let request = match parse(arguments, &**system) {
        Ok(request) => request,
        Err(message) => {
            system.print_error(&format!("*** Error: {message}\n"));
            return session::UNUSABLE;
        }
    };
    let Request {
        files,
        style,
        verify,
        resolve_only,
        summary,
        results,
        assignment,
        log,
        libraries,
        no_solver,
        options,
    } = request;
    let mut sources = Sources::default();
    let mut ids: Vec<FileId> = Vec::new();
    for name in &libraries {
        match library(name) {
            Some(text) => ids.push(sources.add(&format!("{name}.bpl"), text)),
            None => {
                system.print_error(&format!("*** Error: there is no library {name}\n"));
                return session::UNUSABLE;
            }
        }
    }
    for file in &files {
        match session::read(&**system, &mut sources, file) {
            Ok(id) => ids.push(id),
            Err(message) => {
                system.print_error(&format!("Error opening file: {message}\n"));
                return session::FINDINGS;
            }
        }
    }
    let mut verifier = Verifier::new(options, None, Arc::clone(system));
    let snapshot = if verify {
        verifier.verify(&sources, &ids, &Cancel::new(), |_| {})
    } else {
        verifier.check(&sources, &ids)
    };
    let name = files.last().map_or_else(String::new, |file| {
        let shown = if style.base_names { file.file_name().map(PathBuf::from) } else { None };
        shown.unwrap_or_else(|| file.clone()).display().to_string()
    });
    let mut text = diagnostics(&sources, &snapshot, &name, style);
    if assignment && verify && !snapshot.is_broken() {
        text.push_str("Assignment computed by Houdini:\n");
        for (name, holds) in &snapshot.assignment {
            text.push_str(&format!("{name} = {}\n", if *holds { "True" } else { "False" }));
        }
    }
    if let Some(log) = log {
        let queries: Vec<&str> = snapshot.reports.iter().filter_map(|it| it.query.as_deref()).collect();
        if let Err(error) = system.write(&log, queries.join("\n").as_bytes()) {
            system.print_error(&format!("Error: cannot write {}: {error}\n", log.display()));
            return session::FINDINGS;
        }
    }
    let mut tally = Tally::default();
    for result in &snapshot.reports {
        text.push_str(&report(&sources, result, style));
        tally.add(result);
    }
    let broken = snapshot.is_broken();
    if let (Some(solver), true) = (&no_solver, verify && !broken) {
        let text = format!("Fatal Error: ProverException: Cannot find specified prover: {solver}\n");
        session::print(&**system, &text);
        return session::FINDINGS;
    }
    if !broken && !resolve_only && summary {
        text.push_str(&tally.line());
    }
    if !results {
        text.clear();
    }
    let printed = session::print(&**system, &text);
    if printed != session::FINE {
        return printed;
    }
    let clean = tally == Tally { verified: tally.verified, ..Tally::default() };
    if broken || !clean { session::FINDINGS } else { session::FINE }
}

fn parse(arguments: &[String], system: &dyn System) -> Result<Request, String> {
    let mut request = Request {
        files: Vec::new(),
        style: Style { base_names: false, traces: true, own_places: false },
        verify: true,
        resolve_only: false,
        summary: true,
        results: true,
        assignment: false,
        log: None,
        libraries: Vec::new(),
        no_solver: None,
        options: Options {
            mode: Mode::Off,
            time_limit_ms: None,
            ..Options::new(WorkerConfig::new(session::solver(system)))
        },
    };
    for argument in arguments {
        let path = PathBuf::from(argument);
        let option = argument.strip_prefix('-').or_else(|| {
            // A path may start like an option in Boogie's other spelling.
            argument.strip_prefix('/').filter(|option| {
                let name = option.split(':').next().unwrap_or(option);
                !name.contains('/') && !system.exists(&path)
            })
        });
        match option {
            Some(option) => apply(option, &mut request)?,
            None => request.files.push(path),
        }
    }
    // Our own solver is asked in any case; a path that leads nowhere is a mistake all the same.
    request.no_solver = request.no_solver.filter(|path| !system.exists(&PathBuf::from(path)));
    if request.files.is_empty() {
        return Err("No input files were specified".to_owned());
    }
    Ok(request)
}

fn apply(option: &str, request: &mut Request) -> Result<(), String> {
    let option = option.trim_start_matches('-');
    let (name, value) = option.split_once(':').unwrap_or((option, ""));
    let number =
        || value.parse::<u64>().map_err(|_| format!("Invalid argument \"{value}\" to option {name}"));
    let options = &mut request.options;
    match name {
        // Maps that are not the solver's arrays have no axiom that says when two of them are equal.
        "typeEncoding" if !matches!(value, "p" | "predicates" | "a" | "arguments") => {}
        "typeEncoding" | "useArrayAxioms" => {
            options.solver_options.push(("array.extensional".to_owned(), "false".to_owned()));
        }
        "freeVarLambdaLifting" => options.lift_variables = true,
        "noVerify" => request.verify = false,
        "noResolve" | "noTypecheck" => {
            request.verify = false;
            request.resolve_only = true;
        }
        "useBaseNameForFileName" => request.style.base_names = true,
        "errorTrace" => request.style.traces = number()? > 0,
        "errorLimit" => options.error_limit = u32::try_from(number()?).unwrap_or(u32::MAX),
        "timeLimit" => options.time_limit_ms = Some(number()?.saturating_mul(1000)),
        "rlimit" => options.resource_limit = Some(number()?),
        "proc" => options.only.push(value.to_owned()),
        "randomSeed" | "randomizeVcIterations" => {
            options.solver_options.push(("random_seed".to_owned(), number()?.to_string()));
        }
        "proverOpt" => {
            if let Some(path) = value.strip_prefix("PROVER_PATH=") {
                request.no_solver = (!path.is_empty()).then(|| path.to_owned());
            }
            prover_option(value, options)?;
        }
        "vcsCores" => {
            options.cores =
                usize::try_from(number()?).ok().and_then(NonZeroUsize::new).unwrap_or(options.cores);
        }
        "inferModifies" | "doModSetAnalysis" => options.expansion.infer_modifies = true,
        "contractInfer" => options.infer_contracts = true,
        "printAssignment" => request.assignment = true,
        "subsumption" => options.expansion.subsumption = Some(narrow(number()?)),
        "forceBplErrors" => request.style.own_places = true,
        "noProc" => options.except.push(value.to_owned()),
        "prune" => options.prune = number()? > 0,
        "quiet" => request.summary = false,
        "silent" => {
            request.summary = false;
            request.results = false;
        }
        "proverLog" => {
            options.log_queries = true;
            request.log = Some(PathBuf::from(value));
        }
        "lib" => request.libraries.push(value.to_owned()),
        "extractLoops"
        | "stratifiedInline"
        | "verifySnapshots"
        | "traceCaching"
        | "mv"
        | "smoke"
        | "warnVacuousProofs"
        | "printVerificationCoverage" => {
            return Err(format!("the option {name} is not supported by ivl yet"));
        }
        "inline" => {
            options.expansion.inlining = match value {
                "none" | "n" => Inlining::None,
                "assume" | "a" | "" => Inlining::Assume,
                "assert" => Inlining::Assert,
                "spec" | "s" => Inlining::Spec,
                _ => return Err(format!("Invalid argument \"{value}\" to option inline")),
            }
        }
        "inlineDepth" => options.expansion.inline_depth = Some(narrow(number()?)),
        "loopUnroll" => options.expansion.loop_unroll = Some(narrow(number()?)),
        "soundLoopUnrolling" => options.expansion.sound_unrolling = true,
        _ if IGNORED.contains(&name) => {}
        _ => return Err(format!("unknown switch: {option}")),
    }
    Ok(())
}

/// A count that is as large as it can be where it is larger.
fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// `O:name=value` sets an option of the solver; the solver's own program and logs are not ours.
fn prover_option(value: &str, options: &mut Options) -> Result<(), String> {
    let Some(setting) = value.strip_prefix("O:") else {
        return match value.split_once('=').map_or(value, |(name, _)| name) {
            "PROVER_PATH" | "PROVER_NAME" | "LOG_FILE" | "VERBOSITY" | "USE_WEIGHTS" | "BATCH_MODE" => Ok(()),
            _ => Err(format!("the prover option {value} is not supported by ivl yet")),
        };
    };
    let (name, value) =
        setting.split_once('=').ok_or_else(|| format!("prover option without a value: {setting}"))?;
    let name = name.strip_prefix("smt.").unwrap_or(name);
    options.solver_options.push((name.to_owned(), value.to_owned()));
    Ok(())
}
