//! The table of KLEE's options.
//!
//! Length: an entry for each of KLEE's two hundred options.

use std::fmt::Write;
use std::str::FromStr;
use std::time::Duration;

use symexec::exec::environment::Follow;
use symexec::exec::{ErrorKind, ExternalCalls, ExternalWarnings, MemoryModel, OverMemory, Search, Undefined};
use symexec::memory::Placement;
use symexec::report::{Listing, Options, QueryCacheKind, Shape, XmlTests};
use symexec::solver::engine::Choice;

use super::span;

/// What an option expects behind its name.
#[derive(Clone, Copy)]
enum Takes {
    /// Nothing, or `=true`, `=false`, `=1`, `=0`.
    Switch,
    /// A value, behind `=` or in the next word.
    Value,
    /// The same, of those that are looked at here since nothing else does.
    Checked(fn(&str) -> Result<(), String>),
    /// A value behind `=`, or this one.
    Or(&'static str),
}

/// What an option does.
#[derive(Clone, Copy)]
enum Effect {
    /// Turns something on or off.
    Turn(fn(&mut Options, bool)),
    /// Sets something.
    Set(fn(&mut Options, &str) -> Result<(), String>),
    /// Asks for what happens anyhow.
    Anyhow,
    /// Means nothing here: a warning, if it is turned on.
    Ignored,
    /// Cannot be done and would change results.
    Refused(&'static str),
}

/// An option of KLEE.
struct Known {
    name: &'static str,
    takes: Takes,
    effect: Effect,
}

const fn turn(name: &'static str, effect: fn(&mut Options, bool)) -> Known {
    Known { name, takes: Switch, effect: Effect::Turn(effect) }
}

const fn set(name: &'static str, effect: fn(&mut Options, &str) -> Result<(), String>) -> Known {
    Known { name, takes: Value, effect: Effect::Set(effect) }
}

const fn set_or(
    name: &'static str,
    value: &'static str,
    effect: fn(&mut Options, &str) -> Result<(), String>,
) -> Known {
    Known { name, takes: Or(value), effect: Effect::Set(effect) }
}

const fn anyhow(name: &'static str, takes: Takes) -> Known {
    Known { name, takes, effect: Effect::Anyhow }
}

const fn ignored(name: &'static str, takes: Takes) -> Known {
    Known { name, takes, effect: Effect::Ignored }
}

const fn refused(name: &'static str, takes: Takes, why: &'static str) -> Known {
    Known { name, takes, effect: Effect::Refused(why) }
}

use Takes::{Checked, Or, Switch, Value};

/// A number, a fraction or a time that has no effect.
const NUMBER: Takes = Checked(|value| number::<u32>(value).map(|_| ()));
const LONG: Takes = Checked(|value| number::<u64>(value).map(|_| ()));
const SIGNED: Takes = Checked(|value| if value == "-1" { Ok(()) } else { number::<u32>(value).map(|_| ()) });
const FRACTION: Takes = Checked(|value| match value.parse::<f64>() {
    Ok(_) => Ok(()),
    Err(_) => Err(format!("'{value}' value invalid for floating point argument!")),
});
const TIME: Takes = Checked(|value| span::parse(value).map(|_| ()));

/// The options, by subject as in KLEE's help.
const OPTIONS: &[Known] = &[
    // Start and files.
    set("output-dir", |options, value| {
        options.output_dir = Some(value.into());
        Ok(())
    }),
    set("entry-point", |options, value| {
        value.clone_into(&mut options.exec.entry);
        Ok(())
    }),
    set("link-llvm-lib", |options, value| {
        options.program.files.push(value.into());
        Ok(())
    }),
    set("function-alias", |options, value| {
        let (from, to) = value.split_once(':').ok_or("write NAME:REPLACEMENT")?;
        options.aliases.push((from.to_owned(), to.to_owned()));
        Ok(())
    }),
    turn("posix-runtime", |options, on| {
        options.symbolic_arguments = on;
        options.exec.library_is_outside &= !on;
    }),
    set("libc", |options, value| match value {
        "none" => Ok(()),
        "klee" | "uclibc" => {
            options.exec.library_is_outside = false;
            Ok(())
        }
        _ => Err(no_value(value, &["none", "klee", "uclibc"])),
    }),
    set("env-file", |options, value| {
        options.env_file = Some(value.into());
        Ok(())
    }),
    // Ours: KLEE has one process.
    set("jobs", |options, value| {
        options.jobs = number(value)?;
        let fits = (1..=512).contains(&options.jobs);
        if fits { Ok(()) } else { Err(format!("'{value}' is no number from 1 to 512")) }
    }),
    // Programs run in a folder of the model, wherever this one does.
    anyhow("run-in-dir", Value),
    turn("optimize", |options, on| options.program.optimize = on),
    // One pipeline for both.
    anyhow("optimize-aggressive", Switch),
    anyhow("disable-verify", Switch),
    anyhow("verify-each", Switch),
    turn("strip-debug", |options, on| options.program.strip = on),
    turn("strip-all", |options, on| options.program.strip = on),
    anyhow("disable-opt", Switch),
    anyhow("disable-inlining", Switch),
    anyhow("disable-internalize", Switch),
    anyhow("klee-call-optimisation", Switch),
    anyhow("runtime-build", Value),
    turn("output-source", |options, on| options.files.no_assembly = !on),
    turn("output-module", |options, on| options.files.bitcode = on),
    set("switch-type", |options, value| {
        options.exec.split_switches = match value {
            "llvm" | "internal" => false,
            "simple" => true,
            _ => return Err(no_value(value, &["llvm", "simple", "internal"])),
        };
        Ok(())
    }),
    ignored("lower-switch", Switch),
    turn("warnings-only-to-file", |options, on| options.left_out.shown_warnings = on),
    // libc++ is linked where a program needs it.
    anyhow("libcxx", Switch),
    // Errors.
    turn("exit-on-error", |options, on| options.exec.exit_on_error = on),
    set("exit-on-error-type", |options, value| {
        match REPORTED.iter().find(|(name, _)| name.eq_ignore_ascii_case(value)) {
            Some((_, file)) => options.exec.exit_on_named.push((*file).to_owned()),
            None => options.exec.exit_on.push(error_kind(value)?),
        }
        Ok(())
    }),
    turn("emit-all-errors", |options, on| options.exec.all_errors = on),
    turn("silent-klee-assume", |options, on| options.exec.silent_assumptions = on),
    turn("check-overshift", |options, on| options.exec.check_overshift = on),
    turn("check-div-zero", |options, on| options.exec.check_div_zero = on),
    refused("ignore-solver-failures", Switch, "a path that the solver cannot decide ends with an error here"),
    anyhow("ubsan-runtime", Switch),
    // External functions.
    set("external-calls", |options, value| {
        options.exec.external_calls = match value {
            "none" => ExternalCalls::None,
            "concrete" => ExternalCalls::Concrete,
            "all" | "over-approx" => ExternalCalls::All,
            _ => return Err(no_value(value, &["none", "concrete", "all", "over-approx"])),
        };
        Ok(())
    }),
    turn("suppress-external-warnings", |options, on| {
        options.exec.external_warnings = if on { ExternalWarnings::None } else { ExternalWarnings::Once };
    }),
    turn("all-external-warnings", |options, on| {
        options.exec.external_warnings = if on { ExternalWarnings::All } else { ExternalWarnings::Once };
    }),
    set("external-call-warnings", |options, value| {
        options.exec.external_warnings = ExternalWarnings::from_str(value)
            .map_err(|_| no_value(value, &ExternalWarnings::ALL.map(ExternalWarnings::name)))?;
        Ok(())
    }),
    anyhow("warn-all-external-symbols", Switch),
    ignored("debug-print-escaping-functions", Switch),
    // Search and limits.
    set("search", |options, value| {
        let search = match value {
            "random-state" => Search::Random,
            "nurs:rp" => Search::RandomPath,
            _ => Search::from_str(value).map_err(|_| no_value(value, &Search::ALL.map(Search::name)))?,
        };
        options.exec.search.push(search);
        Ok(())
    }),
    ignored("use-batching-search", Switch),
    ignored("batch-instructions", NUMBER),
    ignored("batch-time", TIME),
    ignored("use-iterative-deepening-search", Or("depth")),
    // A state whose step takes a second waits until the others have ended; here its questions, in the solver's units.
    turn("use-iterative-deepening-time-search", |options, on| {
        if on {
            options.exec.put_off = Some(3 * super::DEAR);
        }
    }),
    turn("use-merge", |options, on| options.exec.merging = on),
    turn("use-incomplete-merge", |options, on| options.exec.incomplete_merging = on),
    turn("debug-log-merge", |options, on| options.exec.log_merges = on),
    turn("debug-log-incomplete-merge", |options, on| options.exec.log_incomplete_merges = on),
    set("max-instructions", |options, value| limit::<u64>(value, &mut options.exec.max_instructions)),
    // Its name before.
    set("stop-after-n-instructions", |options, value| {
        limit::<u64>(value, &mut options.exec.max_instructions)
    }),
    set("max-time", |options, value| {
        options.exec.max_time = Some(span::parse(value)?).filter(|time| !time.is_zero());
        Ok(())
    }),
    set("max-memory", |options, value| {
        limit::<u32>(value, &mut options.exec.max_memory)?;
        options.exec.max_memory = options.exec.max_memory.map(|megabytes| megabytes.saturating_mul(1 << 20));
        Ok(())
    }),
    turn("max-memory-inhibit", |options, on| {
        options.exec.over_memory = OverMemory::GiveUp { inhibits: on };
    }),
    set("max-forks", |options, value| {
        // Here zero and -1 differ: no forks at all, and no limit.
        options.exec.max_forks = if value == "-1" { None } else { Some(number::<u32>(value)?.into()) };
        Ok(())
    }),
    set("max-depth", |options, value| limit::<u32>(value, &mut options.exec.max_depth)),
    set("max-tests", |options, value| limit::<u32>(value, &mut options.exec.max_tests)),
    set("stop-after-n-tests", |options, value| limit::<u32>(value, &mut options.exec.max_tests)),
    set("max-stack-frames", |options, value| {
        let frames: u32 = number(value)?;
        options.exec.max_stack = if frames == 0 { usize::MAX } else { frames as usize };
        Ok(())
    }),
    set("max-solver-time", |options, value| {
        options.max_solver_time = Some(span::parse(value)?).filter(|time| !time.is_zero());
        Ok(())
    }),
    set("max-core-solver-time", |options, value| {
        options.max_solver_time = Some(span::parse(value)?).filter(|time| !time.is_zero());
        Ok(())
    }),
    set("rng-initial-seed", |options, value| {
        options.exec.seed = number(value)?;
        Ok(())
    }),
    // A value may follow, but behind `=` only.
    set_or("dump-states-on-halt", "all", |options, value| {
        options.exec.dump_states = match value {
            "none" | "false" | "0" => false,
            "all" | "unreached" | "true" | "1" | "" => true,
            _ => return Err(no_value(value, &["none", "unreached", "all"])),
        };
        Ok(())
    }),
    ignored("watchdog", Switch),
    ignored("max-instruction-time", TIME),
    ignored("randomize-fork", Switch),
    ignored("max-static-fork-pct", FRACTION),
    ignored("max-static-solve-pct", FRACTION),
    ignored("max-static-cpfork-pct", FRACTION),
    ignored("max-static-cpsolve-pct", FRACTION),
    ignored("max-static-pct-check-delay", NUMBER),
    ignored("max-sym-array-size", LONG),
    ignored("max-array-size", NUMBER),
    ignored("fork-partial-validity", Switch),
    // Memory.
    turn("kdalloc", |options, on| {
        options.exec.placement = if on { Placement::PerState } else { Placement::Shared };
    }),
    turn("allocate-determ", |options, on| {
        if on {
            options.exec.placement = Placement::Shared;
        }
    }),
    anyhow("allocate-determ-size", NUMBER),
    anyhow("allocate-determ-start-address", LONG),
    anyhow("kdalloc-quarantine", SIGNED),
    anyhow("kdalloc-mark-as-unneeded", Switch),
    anyhow("kdalloc-globals-size", NUMBER),
    anyhow("kdalloc-constants-size", NUMBER),
    anyhow("kdalloc-heap-size", NUMBER),
    anyhow("kdalloc-stack-size", NUMBER),
    anyhow("kdalloc-globals-start-address", LONG),
    anyhow("kdalloc-constants-start-address", LONG),
    anyhow("kdalloc-heap-start-address", LONG),
    anyhow("kdalloc-stack-start-address", LONG),
    anyhow("kdalloc-check-existing", Switch),
    turn("zero-seed-extension", |options, on| options.exec.seeds.extend |= on),
    turn("return-null-on-zero-malloc", |options, on| options.exec.no_empty_objects = on),
    ignored("redzone-size", NUMBER),
    // The names of the authors of the segmented model.
    turn("use-rebase", |options, on| {
        options.exec.memory_model = if on { MemoryModel::Segmented } else { MemoryModel::Forking };
    }),
    // Merged objects always have the same places in their segment, and segments that meet become one.
    anyhow("use-recursive-rebase", Switch),
    turn("reuse-segments", |options, on| options.exec.reuse_segments = on),
    turn("use-sym-addr", |options, on| options.exec.symbolic_bases.heap = on),
    turn("use-local-sym-addr", |options, on| options.exec.symbolic_bases.stack = on),
    ignored("use-global-id", Switch),
    ignored("simplify-sym-indices", Switch),
    // A pointer with an unknown distance is looked up in the objects that it was made from, and in no others.
    anyhow("single-object-resolution", Switch),
    turn("equality-substitution", |options, on| options.equalities = on),
    // Its name before.
    turn("equal-substitution", |options, on| options.equalities = on),
    ignored("use-constant-arrays", Switch),
    set("make-concrete-symbolic", |options, value| limit::<u32>(value, &mut options.exec.doubted_reads)),
    anyhow("use-visitor-hash", Switch),
    anyhow("use-construct-hash-z3", Switch),
    anyhow("use-construct-hash-metasmt", Switch),
    ignored(
        "stp-sat-solver",
        Checked(|value| one_of(value, &["minisat", "simpleminisat", "cryptominisat", "riss"])),
    ),
    anyhow("use-construct-hash-stp", Switch),
    // Tests.
    turn("write-no-tests", |options, on| options.exec.tests = !on),
    turn("write-ktests", |options, on| options.exec.tests = on),
    turn("only-output-states-covering-new", |options, on| options.exec.new_coverage_only = on),
    turn("write-kqueries", |options, on| options.files.kquery = on),
    turn("write-smt2s", |options, on| options.files.smtlib = on),
    turn("write-cvcs", |options, on| options.files.cvc = on),
    turn("write-cov", |options, on| options.files.coverage = on),
    turn("write-paths", |options, on| options.files.paths = on),
    turn("write-sym-paths", |options, on| options.files.symbolic_paths = on),
    turn("write-test-info", |options, on| options.files.info = on),
    turn("write-xml-tests", |options, on| {
        options.files.xml = if on { XmlTests::All } else { XmlTests::None };
    }),
    set("xml-metadata-programfile", |options, value| {
        options.suite.program = Some(value.to_owned());
        Ok(())
    }),
    set("xml-metadata-programhash", |options, value| {
        options.suite.hash = Some(value.to_owned());
        Ok(())
    }),
    turn("write-exec-tree", |options, on| options.files.tree = on),
    // Its name before.
    turn("write-ptree", |options, on| options.files.tree = on),
    ignored("compress-exec-tree", Switch),
    anyhow("exec-tree-batch-size", NUMBER),
    // The names that these two had before.
    ignored("compress-process-tree", Switch),
    anyhow("ptree-batch-size", NUMBER),
    ignored("posix-prefer-cex", Switch),
    anyhow("readable-posix-inputs", Switch),
    turn("only-seed", |options, on| options.exec.seeds.only = on),
    turn("only-replay-seeds", |options, on| options.exec.seeds.discards = on),
    turn("always-output-seeds", |options, on| options.exec.seeds.no_tests = !on),
    set("seed-file", seed),
    set("seed-dir", seed),
    // The names that these two had before.
    set("seed-out", seed),
    set("seed-out-dir", seed),
    set("replay-ktest-file", replay),
    set("replay-ktest-dir", replay),
    anyhow("replay-keep-symbolic", Switch),
    set("replay-path", |options, value| {
        options.replay_path = Some(value.into());
        Ok(())
    }),
    turn("named-seed-matching", |options, on| options.exec.seeds.by_name = on),
    turn("allow-seed-extension", |options, on| options.exec.seeds.extend = on),
    turn("allow-seed-truncation", |options, on| options.exec.seeds.truncate = on),
    set("seed-time", |options, value| {
        options.exec.seeds.time = Some(span::parse(value)?).filter(|time| !time.is_zero());
        Ok(())
    }),
    // Solvers.
    turn("use-cex-cache", |options, on| options.counterexamples = on),
    turn("use-iso-cache", |options, on| {
        options.query_cache = if on { QueryCacheKind::AddressAware } else { QueryCacheKind::Plain };
    }),
    turn("use-branch-cache", |options, on| {
        if !on && options.query_cache == QueryCacheKind::Plain {
            options.query_cache = QueryCacheKind::None;
        }
    }),
    turn("use-cache", |options, on| {
        options.query_cache = if on { QueryCacheKind::AddressAware } else { QueryCacheKind::None };
    }),
    // Our own.
    set("solver", |options, value| {
        options.solver = Choice::from_str(value).map_err(|error| error.to_string())?;
        Ok(())
    }),
    set("query-cache", |options, value| {
        options.query_cache = QueryCacheKind::from_str(value).map_err(|error| error.to_string())?;
        Ok(())
    }),
    set("undefined", |options, value| {
        options.exec.undefined = Undefined::from_str(value).map_err(|error| error.to_string())?;
        Ok(())
    }),
    turn("sym-metadata", |options, on| options.symbolic_metadata = on),
    set("follow-fork", |options, value| {
        options.follow_fork = Follow::from_str(value).map_err(|error| error.to_string())?;
        Ok(())
    }),
    set("put-off", |options, value| limit::<u64>(value, &mut options.exec.put_off)),
    turn("examples", |options, on| options.exec.examples = on),
    set("one-way", |options, value| {
        options.exec.one_way.extend(value.split(',').map(str::to_owned));
        Ok(())
    }),
    set("cache-dir", |options, value| {
        options.cache_dir = Some(value.into());
        Ok(())
    }),
    set("stats", |options, value| {
        options.stats = Some(value.into());
        Ok(())
    }),
    // Constraints that cannot matter are always left out, and the solver is always another process.
    anyhow("use-independent-solver", Switch),
    anyhow("use-forked-solver", Switch),
    ignored("use-fast-cex-solver", Switch),
    ignored("use-node-cache-stp", Switch),
    ignored("use-resolve-opt", Switch),
    ignored("validate-caching", Switch),
    ignored("use-assignment-validating-solver", Switch),
    turn("cex-cache-try-all", |options, on| options.try_all = on),
    ignored("cex-cache-superset", Switch),
    ignored("cex-cache-exp", Switch),
    ignored("cex-cache-validity-cores", Switch),
    set("solver-backend", |options, value| match value {
        "bitwuzla" => {
            options.solver = Choice::Bitwuzla;
            Ok(())
        }
        // The linked Z3 stands for these.
        "z3" | "stp" | "metasmt" => Ok(()),
        _ => Err(no_value(value, &["z3", "bitwuzla", "stp", "metasmt"])),
    }),
    ignored(
        "debug-crosscheck-core-solver",
        Checked(|value| one_of(value, &["stp", "metasmt", "dummy", "z3", "none"])),
    ),
    ignored("debug-validate-solver", Switch),
    ignored("debug-z3-validate-models", Switch),
    ignored("debug-z3-dump-queries", Value),
    ignored("debug-z3-log-api-interaction", Value),
    ignored("debug-z3-verbosity", NUMBER),
    ignored("debug-stp-dump-queries", Switch),
    ignored("debug-dump-stp-queries", Switch),
    ignored("debug-cex-cache-check-binding", Switch),
    ignored(
        "metasmt-backend",
        Checked(|value| one_of(value, &["btor", "boolector", "cvc4", "yices2", "stp", "z3"])),
    ),
    ignored("solver-optimize-divides", Switch),
    set("use-query-log", |options, value| {
        for which in value.split(',') {
            let log = &mut options.query_log;
            match which {
                "all:kquery" => log.all.kquery = true,
                "all:smt2" => log.all.smtlib = true,
                "solver:kquery" => log.solver.kquery = true,
                "solver:smt2" => log.solver.smtlib = true,
                _ => {
                    let all = ["all:kquery", "all:smt2", "solver:kquery", "solver:smt2"];
                    return Err(no_value(which, &all));
                }
            }
        }
        Ok(())
    }),
    set("min-query-time-to-log", |options, value| {
        options.query_log.least_time = span::parse(value)?;
        Ok(())
    }),
    turn("compress-query-log", |options, on| options.query_log.compressed = on),
    // How the texts of questions look.
    ignored("smtlib-abbreviation-mode", Checked(|value| one_of(value, &["none", "let", "named"]))),
    ignored("smtlib-display-constants", Checked(|value| one_of(value, &["bin", "hex", "dec"]))),
    ignored("smtlib-human-readable", Switch),
    ignored("pc-all-const-widths", Switch),
    ignored("pc-all-widths", Switch),
    ignored("pc-multibyte-reads", Switch),
    ignored("pc-prefix-width", Switch),
    ignored("pc-width-as-arg", Switch),
    turn("log-partial-queries-early", |options, on| options.query_log.early = on),
    turn("log-timed-out-queries", |options, on| options.query_log.only_answered = !on),
    set_or("rewrite-equalities", "simple", |options, value| match value {
        // Equalities that are rewritten beyond single values are not.
        "simple" | "full" | "true" | "1" => {
            options.equalities = true;
            Ok(())
        }
        "none" | "false" | "0" => {
            options.equalities = false;
            Ok(())
        }
        _ => Err(no_value(value, &["none", "simple", "full"])),
    }),
    ignored("optimize-array", Checked(|value| one_of(value, &["all", "index", "value"]))),
    ignored("array-value-ratio", FRACTION),
    ignored("array-value-symb-ratio", FRACTION),
    ignored("use-intermediate-equivalence", Switch),
    ignored("const-array-opt", Switch),
    // Statistics and debugging.
    turn("output-stats", |options, on| options.left_out.counts = !on),
    // What is written anyhow, with executions counted if it is asked for.
    turn("output-istats", |options, on| {
        options.exec.count_executions = on;
        options.left_out.counts_by_instruction = !on;
    }),
    set("stats-write-interval", |options, value| {
        options.stats_interval = Some(span::parse(value)?).filter(|time| !time.is_zero());
        Ok(())
    }),
    ignored("stats-write-after-instructions", NUMBER),
    anyhow("stats-commit-after", NUMBER),
    anyhow("istats-write-interval", TIME),
    anyhow("istats-write-after-instructions", NUMBER),
    anyhow("uncovered-update-interval", TIME),
    anyhow("track-instruction-time", Switch),
    anyhow("use-call-paths", Switch),
    set("debug-print-instructions", |options, value| {
        let (what, place) = value.split_once(':').unwrap_or((value, "stderr"));
        let is_known = matches!(place, "stderr" | "file");
        options.instructions = Some(Listing {
            to_file: place == "file",
            shape: Shape::from_str(what)
                .ok()
                .filter(|_| is_known)
                .ok_or("it is all:stderr, src:stderr, compact:stderr, all:file, src:file or compact:file")?,
        });
        options.exec.show_instructions = true;
        Ok(())
    }),
    ignored("debug-compress-instructions", Switch),
    ignored("debug-assignment-validating-solver", Switch),
    ignored("debug-report-symbdex", Switch),
    ignored("no-warnings", Switch),
    turn("no-output", |options, on| options.exec.tests = !on),
    anyhow("color", Switch),
    ignored("abort-on-uclibc", Switch),
    anyhow("timer-interval", TIME),
];

/// A number, written in C's ways: `10`, `0xa`, `012`, `0b1010`.
fn number<N: TryFrom<u64>>(value: &str) -> Result<N, String> {
    let (digits, base) = match value.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&value[2..], 16),
        [b'0', b'b' | b'B', ..] => (&value[2..], 2),
        [b'0', b'o', ..] => (&value[2..], 8),
        [b'0', b'0'..=b'9', ..] => (&value[1..], 8),
        _ => (value, 10),
    };
    let unsigned = Some(digits).filter(|digits| !digits.starts_with('+'));
    let found = unsigned.and_then(|digits| u64::from_str_radix(digits, base).ok());
    found.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
        let kind = if size_of::<N>() > 4 { "ullong" } else { "uint" };
        format!("'{value}' value invalid for {kind} argument!")
    })
}

/// How many letters have to be put in, left out or exchanged to make one name another. No name is longer than a line.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (before, letter) in one.chars().take(80).enumerate() {
        let mut corner = std::mem::replace(&mut row[0], before + 1);
        for (place, its) in other.iter().enumerate() {
            let exchanged = corner + usize::from(*its != letter);
            corner = row[place + 1];
            row[place + 1] = exchanged.min(corner + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}

/// What is said of a value that is none of those that there are.
fn no_value(value: &str, all: &[&str]) -> String {
    let list = match all {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => all.concat(),
    };
    format!("Cannot find option named '{value}'! It is {list}")
}

fn one_of(value: &str, all: &[&str]) -> Result<(), String> {
    if all.contains(&value) { Ok(()) } else { Err(no_value(value, all)) }
}

/// A test, or a folder of tests.
fn seed(options: &mut Options, value: &str) -> Result<(), String> {
    options.seeds.push(value.into());
    Ok(())
}

/// A test that is replayed, or a folder of tests.
fn replay(options: &mut Options, value: &str) -> Result<(), String> {
    options.replays.push(value.into());
    Ok(())
}

/// A limit; zero means that there is none.
fn limit<N: TryFrom<u64> + Into<u64>>(value: &str, place: &mut Option<u64>) -> Result<(), String> {
    *place = Some(number::<N>(value)?.into()).filter(|number| *number > 0);
    Ok(())
}

/// KLEE's names for what sanitized code reports and for elements that a vector does not have, and how files of such
/// errors are named.
const REPORTED: [(&str, &str); 9] = [
    ("BadVectorAccess", "bad_vector_access"),
    ("Overflow", "overflow"),
    ("InvalidBuiltin", "invalid_builtin_use"),
    ("ImplicitTruncation", "implicit_truncation"),
    ("ImplicitConversion", "implicit_conversion"),
    ("UnreachableCall", "unreachable_call"),
    ("MissingReturn", "missing_return"),
    ("InvalidLoad", "invalid_load"),
    ("NullableAttribute", "nullable_attribute"),
];

fn error_kind(value: &str) -> Result<ErrorKind, String> {
    let wanted = value.to_ascii_lowercase().replace('_', "");
    let found = ErrorKind::ALL.into_iter().find(|kind| {
        let name = kind.suffix().replace('_', "");
        name == wanted || name == wanted.trim_end_matches("error") || wanted == "execution" && name == "exec"
    });
    found.ok_or_else(|| {
        let kinds = ErrorKind::ALL.into_iter().map(ErrorKind::suffix);
        let all: Vec<&str> = kinds.chain(REPORTED.map(|(_, file)| file)).collect();
        no_value(value, &all)
    })
}

/// The options of a command line so far.
pub(super) struct Given {
    options: Options,
    /// Whether `--search` was given, which replaces the searches of the default.
    searches: bool,
    warnings: Vec<String>,
}

impl Given {
    pub(super) fn new(options: Options) -> Self {
        Self { options, searches: false, warnings: Vec::new() }
    }

    /// Takes an option; `next` gives the next word where a value stands there.
    pub(super) fn take<'a>(
        &mut self,
        word: &str,
        name: &str,
        value: Option<&'a str>,
        next: impl FnOnce() -> Option<&'a str>,
    ) -> Result<(), String> {
        let Some(known) = OPTIONS.iter().find(|known| known.name == name) else {
            let like = OPTIONS.iter().map(|known| known.name).min_by_key(|known| distance(name, known));
            let like = like.filter(|like| distance(name, like) <= like.len() / 2);
            let like = like.map_or(String::new(), |like| format!("\nklee: Did you mean '--{like}'?"));
            return Err(format!("Unknown command line argument '{word}'.  Try: 'klee --help'{like}"));
        };
        let of_option = |what: String| format!("for the --{name} option: {what}");
        let value = match (known.takes, value) {
            (Value | Checked(_), None) => {
                Some(next().ok_or_else(|| of_option("requires a value!".to_owned()))?)
            }
            (Or(value), None) => Some(value),
            (_, value) => value,
        };
        let on = match (known.takes, value) {
            (Switch, None | Some("" | "true" | "TRUE" | "True" | "1")) => true,
            (Switch, Some("false" | "FALSE" | "False" | "0")) => false,
            (Switch, Some(value)) => {
                let what = format!("'{value}' is invalid value for boolean argument! Try 0 or 1");
                return Err(of_option(what));
            }
            (Checked(check), value) => {
                check(value.unwrap_or_default()).map_err(of_option)?;
                true
            }
            (Value | Or(_), _) => true,
        };
        match known.effect {
            Effect::Turn(effect) => effect(&mut self.options, on),
            Effect::Set(effect) => {
                if name == "search" && !std::mem::replace(&mut self.searches, true) {
                    self.options.exec.search.clear();
                }
                effect(&mut self.options, value.unwrap_or_default()).map_err(of_option)?;
            }
            Effect::Anyhow => {}
            Effect::Ignored if !on => {}
            Effect::Ignored => self.warnings.push(format!("{word}: this option has no effect here")),
            Effect::Refused(why) if on => return Err(format!("--{name}: {why}")),
            Effect::Refused(_) => {}
        }
        Ok(())
    }

    /// The options, and what is to be said about them.
    pub(super) fn finish(mut self) -> (Options, Vec<String>) {
        self.options.stats_interval = self.options.stats_interval.or(Some(Duration::from_secs(60)));
        (self.options, self.warnings)
    }
}

/// The list of options, for users.
pub(super) fn help() -> String {
    let mut out = String::from(
        "OVERVIEW:  klee\n\n\
         USAGE: klee [options] <input bytecode> <program arguments>...\n\n\
         The program is LLVM bitcode, LLVM assembly or C. With --posix-runtime,\n\
         --sym-arg N, --sym-args MIN MAX N, --sym-files N SIZE and --sym-stdin SIZE among its\n\
         arguments make input symbolic.\n\n\
         OPTIONS (with one dash or two):\n",
    );
    let mut ignored = Vec::new();
    for known in OPTIONS {
        let value = if matches!(known.takes, Value | Checked(_)) { "=<value>" } else { "" };
        match known.effect {
            Effect::Turn(_) | Effect::Set(_) => {
                let _ = writeln!(out, "  --{}{value}", known.name);
            }
            Effect::Anyhow | Effect::Ignored | Effect::Refused(_) => ignored.push(known.name),
        }
    }
    let _ = writeln!(out, "\nAccepted without effect, or refused with a reason:");
    for names in ignored.chunks(5) {
        let _ = writeln!(out, "  {}", names.join(" "));
    }
    out
}
