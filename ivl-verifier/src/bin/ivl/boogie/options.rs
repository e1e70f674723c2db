//! Boogie's options: `-name:value` or `/name:value`, or the value as the next word.
//!
//! Those that only concern speed, logs or what is shown besides results are accepted and ignored; those
//! that would change what is verified and are not supported are refused.

mod known;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use cache_core::mode::Mode;
use ivl_verifier::base::system::System;
use ivl_verifier::report::boogie::{Progress, Style};
use ivl_verifier::report::xml;
use ivl_verifier::service::{Axioms, Hiding, Inlining, Instrument, Maps, Options, Replay};

use reprise_tools::location::CACHE_DIR;

use crate::arguments::REPLAYED_FROM;
use crate::session;
use known::{FLAGS, IGNORED, SHOWN, Takes, takes_value};

/// Which solver answers, whatever the command line names.
const SOLVER: &str = "IVL_BOOGIE_SOLVER";
/// What the cache may be used for.
const CACHE_MODE: &str = "REPRISE_CACHE";
/// Says whether proofs are replayed as well.
const CACHING: &str = "REPRISE_CACHING";
/// From which resource count of the solver on they are.
const REPLAY_FROM: &str = "REPRISE_REPLAY_FROM";

/// What the command line asks for.
pub(super) struct Request {
    pub(super) files: Vec<PathBuf>,
    pub(super) style: Style,
    pub(super) verify: bool,
    pub(super) resolve_only: bool,
    /// Whether nothing is looked at but the grammar.
    pub(super) parse_only: bool,
    /// Whether the closing line is printed.
    pub(super) summary: bool,
    /// Whether it says how many implementations are verified.
    pub(super) count_verified: bool,
    /// Whether long lines of printed programs are broken.
    pub(super) pretty: bool,
    /// Whether anything is printed.
    pub(super) results: bool,
    /// Whether it is printed which constants hold.
    pub(super) assignment: bool,
    /// Whether each file is a program of its own.
    pub(super) separately: bool,
    /// Verify versions of files one after the other, and at which level results are reused.
    pub(super) snapshots: Option<u32>,
    /// Whether it is printed what becomes of checks because of earlier versions.
    pub(super) trace_caching: bool,
    /// Where the program is printed, `-` for the output.
    pub(super) print: Option<String>,
    /// Whether it is printed as labelled blocks.
    pub(super) unstructured: u32,
    /// Whether it is printed once more with what calls stand for.
    pub(super) print_desugared: bool,
    /// What the files begin with that the control flow of implementations is written to.
    pub(super) flow: Option<String>,
    /// Whether what inlining makes of it is printed.
    pub(super) print_inlined: bool,
    /// Whether it is printed as it is verified.
    pub(super) print_instrumented: bool,
    /// What the files begin with that the parts of implementations are written to, in their passive form; `-` for the
    /// output.
    pub(super) print_split: Option<String>,
    /// Whether parts are written with the declarations that pruning leaves.
    pub(super) print_declarations: bool,
    /// What the files begin with that these declarations are written to.
    pub(super) print_pruned: Option<String>,
    /// Whether parts are written with their costs, too.
    pub(super) dump_splits: bool,
    /// Where the passive form of the program is written.
    pub(super) print_passive: Option<String>,
    /// Whether `{:focus}` marks are looked at from the last one on.
    pub(super) relax_focus: bool,
    /// Whether warnings are errors.
    pub(super) strict: bool,
    /// What `@PREFIX@` stands for in the names of files that are written.
    prefix: String,
    /// Where queries are written.
    pub(super) log: Option<PathBuf>,
    /// Where models are written, if not among the errors; `@PROC@` in the name stands for the implementation.
    pub(super) model_file: Option<String>,
    /// Boogie's libraries that the program uses, by name.
    pub(super) libraries: Vec<String>,
    /// A program to use as the solver, which is not there.
    pub(super) no_solver: Option<String>,
    /// The path or name of another solver's program that is to answer.
    pub(super) other_solver: Option<String>,
    /// Why the linked solver answers in its place.
    pub(super) linked_instead: Option<String>,
    /// Whether bounds of variables are inferred, and where they are assumed.
    pub(super) infer: bool,
    pub(super) instrument: Instrument,
    /// Where results are written as XML.
    pub(super) xml: Option<String>,
    /// Whether the words of the command line are printed.
    pub(super) show_arguments: bool,
    /// Whether what is printed says by which command.
    pub(super) print_header: bool,
    pub(super) options: Options,
}

/// Reads the command line.
///
/// # Errors
/// All that is wrong with it.
pub(super) fn parse(arguments: &[String], system: &dyn System) -> Result<Request, Vec<String>> {
    let mut request = Request {
        files: Vec::new(),
        style: Style { traces: true, ..Style::default() },
        verify: true,
        resolve_only: false,
        parse_only: false,
        summary: true,
        count_verified: true,
        pretty: true,
        results: true,
        assignment: false,
        separately: false,
        snapshots: None,
        trace_caching: false,
        print: None,
        unstructured: 0,
        print_desugared: false,
        flow: None,
        print_inlined: false,
        print_instrumented: false,
        print_split: None,
        print_declarations: false,
        print_pruned: None,
        dump_splits: false,
        print_passive: None,
        relax_focus: false,
        strict: false,
        prefix: String::new(),
        log: None,
        model_file: None,
        libraries: Vec::new(),
        no_solver: None,
        other_solver: None,
        linked_instead: None,
        infer: false,
        instrument: Instrument::Loops,
        xml: None,
        show_arguments: false,
        print_header: true,
        options: Options {
            mode: Mode::Off,
            time_limit_ms: None,
            axioms: Axioms::All,
            ..Options::new(session::worker(system))
        },
    };
    let mut mistakes = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let path = PathBuf::from(argument);
        let option = argument.strip_prefix('-').or_else(|| {
            // A path may start like an option in Boogie's other spelling.
            argument.strip_prefix('/').filter(|option| {
                let name = option.split(':').next().unwrap_or(option);
                !(name.contains('/') || name.contains('.') && system.exists(&path))
            })
        });
        match option {
            Some("") | None => request.files.push(path),
            Some(option) => {
                let mark = argument.chars().next().unwrap_or('-');
                let applied = if !takes_value(option) {
                    apply(mark, option, &mut request)
                } else if let Some(value) = arguments.next() {
                    apply(mark, &format!("{option}:{value}"), &mut request)
                } else {
                    Err(Mistake::Wrong(format!("\"{argument}\" expects 1 argument")))
                };
                match applied {
                    Ok(()) => {}
                    Err(Mistake::Wrong(message)) => mistakes.push(message),
                    // What begins like a path is one, if it is no option.
                    Err(Mistake::Unknown(_)) if mark == '/' => request.files.push(path),
                    Err(Mistake::Unknown(messages)) => mistakes.extend(messages),
                }
            }
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    expand_names(&mut request, system);
    cache(&mut request, system).map_err(|message| vec![message])?;
    // Boogie hides axioms by pruning them, for all that it asks at once.
    request.options.expansion.hiding =
        match (request.options.axioms == Axioms::AsPruned, request.options.each_check) {
            (false, _) => Hiding::Ignored,
            (true, false) => Hiding::Together,
            (true, true) => Hiding::EachCheck,
        };
    request.options.expansion.merge_exits = true;
    request.options.expansion.intervals = request.infer.then_some(request.instrument);
    answering(&mut request, system).map_err(|message| vec![message])?;
    Ok(request)
}

/// Puts in the names of files that are written what stands for `@PREFIX@` (what `-logPrefix` says), `@TIME@` and
/// `@FILE@` (the last file of the command line), as Boogie does.
fn expand_names(request: &mut Request, system: &dyn System) {
    let flat = |path: &str| path.replace(['/', '\\'], "-");
    let file = request.files.last().map(|it| flat(&it.to_string_lossy())).unwrap_or_default();
    let prefix = request.prefix.clone();
    let expand = |name: &str| {
        let name = name.replace("@PREFIX@", &prefix).replace("@FILE@", &file);
        if name.contains("@TIME@") { name.replace("@TIME@", &xml::moment(system.date())) } else { name }
    };
    let names = [
        &mut request.xml,
        &mut request.print,
        &mut request.model_file,
        &mut request.print_split,
        &mut request.print_passive,
        &mut request.print_pruned,
    ];
    for name in names.into_iter().flatten() {
        *name = expand(name);
    }
    if let Some(log) = &mut request.log {
        *log = PathBuf::from(expand(&log.to_string_lossy()));
    }
}

/// Who answers: the program that the command line names, unless the environment has the linked Z3 answer whatever is
/// named. Clients may name a program in every call, and some read standard error as well, so nothing is said of it.
fn answering(request: &mut Request, system: &dyn System) -> Result<(), String> {
    match system.variable(SOLVER).as_deref() {
        None | Some("") => {}
        Some("linked") => (request.no_solver, request.other_solver) = (None, None),
        Some(other) => return Err(format!("{SOLVER}: `{other}`; `linked` is the only value")),
    }
    // A path that leads nowhere is a mistake, whoever could answer instead.
    request.no_solver = request.no_solver.take().filter(|path| !system.exists(&PathBuf::from(path)));
    if let (Some(solver), None) = (&request.other_solver, &request.no_solver) {
        let asked = session::ask_program(&mut request.options, system, Path::new(solver));
        request.linked_instead = asked.err();
    }
    Ok(())
}

/// The environment says whether results are kept, so that a client needs no change: `REPRISE_CACHE` is the mode, and
/// a folder in `REPRISE_CACHE_DIR` alone asks for one that reads and writes. What is printed does not depend on it, but
/// for times: whole results are reused, which are those of the same queries. `REPRISE_CACHING=replay` has proofs
/// replayed as well, which are proofs like others.
fn cache(request: &mut Request, system: &dyn System) -> Result<(), String> {
    let mode = match system.variable(CACHE_MODE).filter(|text| !text.is_empty()) {
        Some(text) => text.parse::<Mode>().map_err(|error| format!("{CACHE_MODE}: {error}"))?,
        None if system.variable(CACHE_DIR).is_some_and(|text| !text.is_empty()) => Mode::ReadWrite,
        None => Mode::Off,
    };
    request.options.mode = match mode {
        // What is written of queries and times is that of this run.
        Mode::Read if request.log.is_some() || request.xml.is_some() => Mode::Off,
        Mode::ReadWrite if request.log.is_some() || request.xml.is_some() => Mode::Rebuild,
        mode => mode,
    };
    request.options.fine_grained = false;
    request.options.replay = match system.variable(CACHING).filter(|text| !text.is_empty()).as_deref() {
        None | Some("basic") => Replay::Never,
        Some("replay") => {
            Replay::AfterEdits(match system.variable(REPLAY_FROM).filter(|text| !text.is_empty()) {
                None => REPLAYED_FROM,
                Some(text) => text.parse().map_err(|error| format!("{REPLAY_FROM}: {error}"))?,
            })
        }
        Some(other) => {
            return Err(format!("{CACHING}: {other} is none of basic and replay"));
        }
    };
    request.options.retell = request.style.progress != Progress::Silent || request.xml.is_some();
    request.options.by_priority = true;
    request.options.in_order = true;
    request.options.at_once = true;
    request.options.machine = session::machine(system);
    Ok(())
}

/// What is wrong with an option.
enum Mistake {
    /// It exists, and is not used as it may be.
    Wrong(String),
    /// There is none like it; with what is to be said if it is no path.
    Unknown(Vec<String>),
}

impl From<String> for Mistake {
    fn from(message: String) -> Self {
        Self::Wrong(message)
    }
}

/// Applies an option, whose first character is given apart.
fn apply(mark: char, option: &str, request: &mut Request) -> Result<(), Mistake> {
    let (name, value) = option.split_once(':').unwrap_or((option, ""));
    let option_name = format!("{mark}{name}");
    // The other usual spelling of options.
    let name = name.trim_start_matches('-');
    let unknown = || format!("unknown switch: {option_name}");
    let ignored = IGNORED.iter().find(|(known, _)| *known == name).map(|(_, takes)| *takes);
    let is_flag = FLAGS.contains(&name) || matches!(ignored, Some(Takes::Nothing));
    if option.contains(':') && is_flag {
        let colon = format!("\"{option_name}\" cannot take a colon argument");
        return Err(match mark {
            '/' => Mistake::Wrong(colon),
            _ => Mistake::Unknown(vec![colon, unknown()]),
        });
    }
    let wrong = || Mistake::Wrong(format!("Invalid argument \"{value}\" to option {option_name}"));
    // Counts are signed numbers of 32 bits in Boogie, and limits of an implementation are unsigned ones.
    let below = |end: u64| value.trim().parse::<u64>().ok().filter(|it| *it < end).ok_or_else(wrong);
    let number = || below(1 << 31);
    let limit = || below(1 << 32);
    let upto = |most: u64| number().and_then(|it| if it <= most { Ok(it) } else { Err(wrong()) });
    let positive = || number().and_then(|it| if it > 0 { Ok(it) } else { Err(wrong()) });
    let options = &mut request.options;
    match name {
        // Maps that are not the solver's arrays have no axiom that says when two of them are equal.
        "typeEncoding" => match value {
            "p" | "predicates" | "a" | "arguments" => options.maps = Maps::Axioms,
            // What Boogie 3 does where nothing is said; Boogie 2 had none for programs without type parameters.
            "m" | "monomorphic" | "n" | "none" => {}
            _ => return Err(wrong()),
        },
        "useArrayAxioms" => options.maps = Maps::Axioms,
        "useArrayTheory" => options.maps = Maps::Arrays,
        // Options of Boogie 2, which has axioms where nothing else is said.
        "monomorphize" | "doModSetAnalysis" => {
            options.expansion.infer_modifies |= name == "doModSetAnalysis";
            if options.maps == Maps::Chosen {
                options.maps = Maps::Axioms;
            }
        }
        "freeVarLambdaLifting" => options.lift_variables = true,
        "noVerify" => request.verify = false,
        "noResolve" => {
            request.verify = false;
            request.parse_only = true;
            request.resolve_only = true;
        }
        "noTypecheck" => {
            request.verify = false;
            request.resolve_only = true;
        }
        "useBaseNameForFileName" => request.style.base_names = true,
        "errorTrace" => {
            let level = upto(2)?;
            request.style.traces = level > 0;
            options.expansion.show_added_blocks = level > 1;
        }
        "errorLimit" => options.error_limit = u32::try_from(number()?).unwrap_or(u32::MAX),
        "timeLimit" => options.time_limit_ms = Some(limit()?.saturating_mul(1000)),
        "rlimit" => options.resource_limit = Some(limit()?),
        "proc" => options.only.push(value.to_owned()),
        // Each question is asked once; what changes from one time to the next is the order of declarations.
        "randomizeVcIterations" => drop(positive()?),
        "randomSeed" => {
            options.solver_options.push(("random_seed".to_owned(), number()?.to_string()));
        }
        "proverOpt" | "p" => {
            if let Some(path) = value.strip_prefix("PROVER_PATH=") {
                request.no_solver = (!path.is_empty()).then(|| path.to_owned());
                request.other_solver = request.no_solver.clone();
            }
            // Without a path it is looked for by its name.
            if let Some(name) = value.strip_prefix("SOLVER=")
                && !name.eq_ignore_ascii_case("z3")
                && request.no_solver.is_none()
            {
                request.other_solver = Some(name.to_ascii_lowercase());
            }
            prover_option(value, options)?;
        }
        "vcsCores" => {
            options.cores =
                usize::try_from(positive()?).ok().and_then(NonZeroUsize::new).unwrap_or(options.cores);
        }
        "vcsLoad" => {
            let load: f64 = value.parse().map_err(|_| wrong())?;
            if !(0.0..3.0).contains(&load) {
                let message =
                    format!("surprisingly high load specified; got {value}, expected nothing above 3.0");
                return Err(Mistake::Wrong(message));
            }
        }
        "logPrefix" => request.prefix.push_str(&value.replace(['/', '\\'], "-")),
        "overlookTypeErrors" => options.expansion.overlook = true,
        "inferModifies" => options.expansion.infer_modifies = true,
        // Bounds are the only domain that says anything; other letters and digits are about how it is run.
        "infer" => {
            if let Some(other) = value.chars().find(|it| !matches!(it, 't' | 'j' | 's' | '0'..='9')) {
                return Err(Mistake::Wrong(format!("Invalid argument '{other}' to option {option_name}")));
            }
            request.infer = value.contains('j');
            if request.infer == value.contains('t') {
                let message =
                    format!("Option {option_name} requires the selection of exactly one abstract domain");
                return Err(Mistake::Wrong(message));
            }
        }
        "checkInfer" => options.expansion.check_inferred = true,
        "alwaysAssumeFreeLoopInvariants" => options.expansion.assume_free_invariants = true,
        "noinfer" => request.infer = false,
        "instrumentInfer" => {
            request.instrument = match value {
                "h" => Instrument::Loops,
                "e" => Instrument::Everywhere,
                _ => return Err(wrong()),
            }
        }
        "contractInfer" => options.infer_contracts = true,
        "printAssignment" => request.assignment = true,
        "subsumption" => options.expansion.subsumption = Some(narrow(upto(2)?)),
        "forceErrors" | "forceBplErrors" => request.style.own_places = true,
        "removeEmptyBlocks" => options.expansion.keep_empty_blocks = upto(1)? == 0,
        "coalesceBlocks" => options.expansion.keep_blocks_apart = upto(1)? == 0,
        "noProc" => options.except.push(value.to_owned()),
        "prune" => options.axioms = if upto(1)? > 0 { Axioms::AsPruned } else { Axioms::All },
        "vcsSplitOnEveryAssert" => options.each_check = true,
        "vcsMaxSplits" => options.max_pieces = narrow(number()?.max(1)),
        "vcsMaxKeepGoingSplits" => options.keep_going.pieces = narrow(number()?.max(1)),
        "vcsKeepGoingTimeout" => options.keep_going.limit_ms = number()?.saturating_mul(1000),
        "vcsFinalAssertTimeout" => options.keep_going.last_ms = number()?.saturating_mul(1000),
        "trackVerificationCoverage" | "printVerificationCoverage" => options.expansion.track = true,
        "warnVacuousProofs" => (options.expansion.track, options.vacuity) = (true, true),
        "trace" => request.style.progress = Progress::Full,
        "tracePOs" => {
            if request.style.progress == Progress::Silent {
                request.style.progress = Progress::Obligations;
            }
        }
        "xml" => request.xml = Some(value.to_owned()),
        "env" => {
            let level = upto(2)?;
            request.show_arguments = level == 2;
            request.print_header = level > 0;
        }
        "pretty" => request.pretty = upto(1)? > 0,
        "printVerifiedProceduresCount" => request.count_verified = upto(1)? > 0,
        "quiet" => request.summary = false,
        "silent" => {
            request.summary = false;
            request.results = false;
        }
        "proverLog" => {
            options.log_queries = true;
            request.log = Some(PathBuf::from(value));
        }
        "printUnstructured" => request.unstructured = if value.is_empty() { 1 } else { narrow(upto(2)?) },
        "printDesugared" => request.print_desugared = true,
        "printCFG" => request.flow = Some(value.to_owned()),
        "printInlined" => request.print_inlined = true,
        "printInstrumented" => request.print_instrumented = true,
        "printSplit" => request.print_split = Some(value.to_owned()),
        "printSplitDeclarations" => request.print_declarations = true,
        "printPruned" => request.print_pruned = Some(value.to_owned()),
        "vcsDumpSplits" => request.dump_splits = true,
        "printPassive" => request.print_passive = Some(value.to_owned()),
        "relaxFocus" => request.relax_focus = true,
        "printModel" => {
            request.style.models = upto(4)? > 0;
            options.values |= request.style.models;
        }
        "enhancedErrorMessages" => {
            request.style.printed = upto(1)? > 0;
            options.values |= request.style.printed;
        }
        "mv" | "printModelToFile" => {
            options.values = true;
            request.style.models_alone |= value == "-";
            request.model_file = (value != "-").then(|| value.to_owned());
        }
        // The others stand on the first one, and none is wanted twice.
        "lib" => {
            for name in ["base", value] {
                if !request.libraries.iter().any(|it| it == name) {
                    request.libraries.push(name.to_owned());
                }
            }
        }
        "smoke" => options.smoke = true,
        "verifySeparately" => request.separately = true,
        "verifySnapshots" => request.snapshots = Some(narrow(upto(3)?)),
        "traceCaching" => request.trace_caching = upto(3)? & 1 == 1,
        "print" => request.print = Some(value.to_owned()),
        "warningsAsErrors" => request.strict = true,
        "extractLoops" | "stratifiedInline" | "fixedPointEngine" | "randomSeedIterations" => {
            return Err(Mistake::Wrong(format!("the option {name} is not supported by ivl yet")));
        }
        "inline" => {
            options.expansion.inlining = match value {
                "none" | "n" => Inlining::None,
                "assume" | "a" => Inlining::Assume,
                "assert" => Inlining::Assert,
                "spec" | "s" => Inlining::Spec,
                _ => return Err(wrong()),
            }
        }
        "inlineDepth" => options.expansion.inline_depth = Some(narrow(number()?)),
        "loopUnroll" => options.expansion.loop_unroll = Some(narrow(number()?)),
        "kInductionDepth" => options.expansion.induction = Some(narrow(number()?)),
        "soundLoopUnrolling" => options.expansion.sound_unrolling = true,
        _ => {
            let fits = match ignored {
                None => return Err(Mistake::Unknown(vec![unknown()])),
                Some(Takes::Nothing | Takes::Anything) => true,
                Some(Takes::Count) => number().is_ok(),
                Some(Takes::UpTo(most)) => upto(most).is_ok(),
                Some(Takes::Real) => value.parse::<f64>().is_ok_and(|it| it >= 0.0 && it.is_finite()),
                Some(Takes::Word(words)) => words.contains(&value),
            };
            if !fits {
                return Err(wrong());
            }
        }
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
            "PROVER_PATH" | "PROVER_NAME" | "LOG_FILE" | "APPEND_LOG_FILE" | "VERBOSITY" | "USE_WEIGHTS"
            | "BATCH_MODE" | "MULTI_TRACES" | "DIAGNOSE_TIMEOUTS" | "MEMORY_LIMIT" | "INSPECTOR" => Ok(()),
            // In milliseconds, where the command line's own limit is in seconds.
            "TIME_LIMIT" => match value.split_once('=').and_then(|(_, limit)| limit.parse().ok()) {
                Some(limit) => {
                    options.time_limit_ms = Some(limit);
                    Ok(())
                }
                None => Err(format!("Invalid argument \"{value}\" to option -proverOpt")),
            },
            // The logic with everything in it is the one that is used.
            "LOGIC" if matches!(value, "LOGIC=" | "LOGIC=ALL" | "LOGIC=all") => Ok(()),
            "SOLVER"
                if ["SOLVER=z3", "SOLVER=cvc5", "SOLVER=yices2"]
                    .iter()
                    .any(|it| value.eq_ignore_ascii_case(it)) =>
            {
                Ok(())
            }
            _ => Err(format!("the prover option {value} is not supported by ivl yet")),
        };
    };
    let (name, value) =
        setting.split_once('=').ok_or_else(|| format!("prover option without a value: {setting}"))?;
    // Z3 does not look at the case of names, and reads a symbol between bars.
    let name = name.to_ascii_lowercase();
    let value = value.trim_matches('|');
    let name = name.strip_prefix("smt.").unwrap_or(&name);
    let first = name.split('.').next().unwrap_or(name);
    if !SHOWN.contains(&first) {
        options.solver_options.push((name.to_owned(), value.to_owned()));
    }
    Ok(())
}
