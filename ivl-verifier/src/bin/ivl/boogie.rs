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
use ivl_verifier::service::{Options, Verifier};

use crate::session;

/// Options without effect here: on solving, on logs, on encodings, on what is shown besides results.
const IGNORED: &[&str] = &[
    "typeEncoding",
    "logPrefix",
    "proverWarnings",
    "env",
    "infer",
    "trace",
    "traceTimes",
    "proverLog",
    "proverLogAppend",
    "normalizeNames",
    "normalizeDeclarationOrder",
    "prune",
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
    "useArrayAxioms",
    "monomorphize",
    "verifySeparately",
    "noinfer",
    "printDesugared",
    "showVerifiedProcedureCount",
    "z3opt",
    "kInductionDepth",
    "emitDebugInformation",
    "subsumption",
    "timeLimitPerAssertionInPercent",
    "warningsAsErrors",
];

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
    options: Options,
}

/// Runs the subcommand and gives the exit code.
pub(crate) fn run(arguments: &[String], system: &Arc<dyn System>) -> u8 {
    if arguments.iter().any(|argument| HELP.contains(&argument.as_str())) {
        return session::print(&**system, USAGE);
    }
    let request = match parse(arguments, &**system) {
        Ok(request) => request,
        Err(message) => {
            system.print_error(&format!("*** Error: {message}\n"));
            return session::UNUSABLE;
        }
    };
    let Request { files, style, verify, resolve_only, options } = request;
    let mut sources = Sources::default();
    let mut ids: Vec<FileId> = Vec::new();
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
    let mut tally = Tally::default();
    for result in &snapshot.reports {
        text.push_str(&report(&sources, result, style));
        tally.add(result);
    }
    let broken = snapshot.is_broken();
    if !broken && !resolve_only {
        text.push_str(&tally.line());
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
        style: Style { base_names: false, traces: true },
        verify: true,
        resolve_only: false,
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
            argument.strip_prefix('/').filter(|option| !option.contains('/') && !system.exists(&path))
        });
        match option {
            Some(option) => apply(option, &mut request)?,
            None => request.files.push(path),
        }
    }
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
        "proverOpt" => prover_option(value, options)?,
        "vcsCores" => {
            options.cores =
                usize::try_from(number()?).ok().and_then(NonZeroUsize::new).unwrap_or(options.cores);
        }
        "inferModifies"
        | "contractInfer"
        | "loopUnroll"
        | "extractLoops"
        | "stratifiedInline"
        | "printInlined"
        | "soundLoopUnrolling"
        | "print"
        | "printInstrumented"
        | "lib"
        | "verifySnapshots"
        | "traceCaching"
        | "mv"
        | "printModel"
        | "smoke"
        | "noProc"
        | "trackVerificationCoverage"
        | "warnVacuousProofs"
        | "vcsSplitOnEveryAssert"
        | "printSplit"
        | "inlineDepth" => {
            return Err(format!("the option {name} is not supported by ivl yet"));
        }
        "inline" if value != "assume" && !value.is_empty() => {
            return Err("of the option inline, only the value assume is supported by ivl yet".to_owned());
        }
        "inline" => {}
        _ if IGNORED.contains(&name) => {}
        _ => return Err(format!("unknown switch: {option}")),
    }
    Ok(())
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
