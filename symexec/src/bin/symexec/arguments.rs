//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use cache_core::audit::Audit;
use cache_core::mode::Mode;
use clap::{Args, Parser, Subcommand};
use reprise_tools::remote::{RemoteMode, Settings};
use symexec::exec::{Declaration, ExecConfig, ExternalCalls, MemoryModel, Search, Seeds, Share, Undefined};
use symexec::memory::{Placement, SymbolicBases};
use symexec::module::reader::Request;
use symexec::report::{Options, QueryCacheKind, TestFiles};
use symexec::solver::engine::Choice;

use crate::compiling::Compiling;
use crate::merging::Merging;
use crate::replaying::ReplayArguments;
use crate::testcomp::Testcomp;

/// Explores C programs and LLVM bitcode symbolically, with a query cache that sees through addresses.
#[derive(Debug, Parser)]
#[command(name = "symexec", version, about, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 nothing wrong was found, 1 errors of the program were found, \
                          2 unusable input or usage, 3 a miss with `--cache offline` or an audit that disagreed.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Explore a program and write a test for every path.
    Run(Box<RunArguments>),
    /// Understand KLEE's command line: KLEE's options, the program, the program's arguments. The same
    /// happens when this program is started under the name `klee`.
    #[command(disable_help_flag = true)]
    Klee {
        /// As after `klee`; `symexec klee --help` lists the options.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        arguments: Vec<String>,
    },
    /// Compile C as clang does, and put bitcode into each object and program for `symexec link`. For builds:
    /// `CC="symexec cc" ./configure && make`. `SYMEXEC_CLANG` names another compiler than clang-19.
    #[command(disable_help_flag = true)]
    Cc {
        /// The compiler's.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        arguments: Vec<OsString>,
    },
    /// The same for C++ (clang++-19, or `SYMEXEC_CLANGXX`).
    #[command(name = "c++", disable_help_flag = true)]
    Cpp {
        /// The compiler's.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        arguments: Vec<OsString>,
    },
    /// Write the bitcode of a program that was built with `symexec cc` to one file.
    Link {
        /// The program; or shared libraries, objects and archives (what is needed of them), linked together.
        #[arg(required = true, value_name = "PROGRAM")]
        files: Vec<PathBuf>,
        /// Where the bitcode goes; PROGRAM.bc without it.
        #[arg(short = 'o', long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Write a test suite for a program of the International Competition on Software Testing.
    Testcomp(Testcomp),
    /// Run tests natively and say what happens.
    Replay(ReplayArguments),
    /// Put the output folders of all shards of a run (`symexec run --shard I/N`) together: tests and errors as a
    /// whole run would have them, coverage, counts.
    Merge {
        /// The folder that is written; must not exist.
        output: PathBuf,
        /// The output folders of the shards, in any order.
        #[arg(required = true, value_name = "SHARD")]
        shards: Vec<PathBuf>,
        /// Write counts as JSON.
        #[arg(long, value_name = "FILE")]
        stats: Option<PathBuf>,
    },
    /// Show what a run left in its output folder: where it asked slow questions, and where states come from.
    Report {
        /// The output folder of a run, as `klee-last`.
        folder: PathBuf,
        /// How many places are listed.
        #[arg(long, default_value_t = 10, value_name = "N")]
        top: usize,
    },
    /// Show the inputs in tests, as KLEE's ktest-tool does, under whose name this program does the same.
    Ktest {
        /// Tests (`.ktest`).
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Write shell completions to standard output.
    #[command(hide = true)]
    Completions {
        /// For which shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual page to standard output.
    #[command(hide = true)]
    Man,
}

const RUN_HELP: &str = "Inputs are what the program makes symbolic with klee_make_symbolic. Example:\n\n  \
    symexec run matrix.c -D N=4 --stats stats.json\n  \
    symexec run parser.bc -- --verbose file\n  \
    symexec run cat.c -- --sym-args 0 2 4 --sym-files 1 8\n\n\
    Among the program's arguments make input unknown: --sym-arg N, --sym-args MIN MAX N (arguments of at most N \
    characters), --sym-files N SIZE (files A, B, ... and standard input), --sym-stdin SIZE, --sym-stdin-from FILE, \
    --sym-file-from NAME FILE (a file in which `?` is unknown), --real-file PATH (a file of this machine, all known), \
    --sym-metadata (what files are besides their content is unknown), --sym-env NAME N (a variable of the environment), \
    --max-fail N (up to N calls of the system fail), --follow-fork child|parent|both (which processes are followed where \
    the program makes one; none can be made otherwise).\n\n\
    Every path gets a test, `test000001.ktest` and so on, in the output folder; errors get a file such as \
    `test000002.ptr.err` beside their test.";

#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
pub(crate) struct RunArguments {
    /// The program's files: C and C++ sources (compiled with clang-19; .i if they are preprocessed), bitcode
    /// (.bc) or LLVM assembly (.ll). Several are linked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The program's own arguments.
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,

    #[command(flatten)]
    compiling: Compiling,

    /// The function to start with.
    #[arg(long, default_value = "main", value_name = "NAME")]
    entry_point: String,

    /// Who answers questions: the linked Z3, the program of Bitwuzla or of Yices (`yices-smt2`), or Z3 and, for
    /// questions that take it long, every other one that is there.
    #[arg(long, default_value_t, value_name = "z3|bitwuzla|yices|race")]
    solver: Choice,

    /// When two solver questions are the same: never, if all names and addresses agree, or if they agree
    /// after a renaming of addresses (and inputs).
    #[arg(long, default_value_t, value_name = "none|plain|address-aware")]
    query_cache: QueryCacheKind,

    /// What the query cache may take and leave.
    #[arg(long = "cache", default_value_t, value_name = "off|read|read-write|rebuild|offline")]
    mode: Mode,

    /// Keep the query cache in this folder between runs. Without it the cache ends with the run.
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    /// Use the folder of --cache-dir even if others can write to it or it belongs to another user: what
    /// they leave there is believed
    #[arg(long)]
    allow_shared_cache: bool,

    /// Take answers from this server that is shared with others, behind the cache on disk: http://, https:// (`/ac/`
    /// as Bazel's remote caches have it), redis:// or rediss:// [default: $REPRISE_REMOTE].
    #[arg(long, value_name = "URL")]
    remote: Option<String>,
    /// Whether answers are only taken from the server or signed and left there as well [default: $REPRISE_REMOTE_MODE,
    /// or read].
    #[arg(long, value_name = "read|read-write")]
    remote_mode: Option<RemoteMode>,
    /// Believe answers that this public key signed, and no others: `[NAME=]ed25519:...`, or a file with such
    /// lines. May be given several times [default: $REPRISE_REMOTE_TRUST].
    #[arg(long, value_name = "KEY")]
    remote_trust: Vec<String>,
    /// Sign with the secret key in this file [default: $REPRISE_REMOTE_KEY, which is a key itself, or the file
    /// $REPRISE_REMOTE_SIGN].
    #[arg(long, value_name = "FILE")]
    remote_sign: Option<PathBuf>,

    /// Ask the solver again on cache hits, in the state's own layout, and compare.
    #[arg(long, default_value_t, value_name = "never|sample=N|always")]
    audit: Audit,

    /// Take the names of input bytes as part of a question: two questions are then the same after a
    /// renaming of addresses only. By default inputs are renamed as well.
    #[arg(long)]
    keep_input_names: bool,

    /// Solve every address-agnostic question again with the objects at other places, so many times, and
    /// compare: slow, a check of the tool itself.
    #[arg(long, default_value_t = 0, value_name = "N")]
    check_layouts: u32,

    /// Do not reuse solutions and contradictions for other sets of constraints.
    #[arg(long)]
    no_counterexample_cache: bool,

    /// Try every solution that was found on every set of constraints.
    #[arg(long)]
    try_all_counterexamples: bool,

    /// Do not substitute what a constraint fixes into later ones.
    #[arg(long)]
    no_equality_substitution: bool,

    /// Do not decide questions over one or two bytes, or numbers with few values, by trying these, nor those that
    /// compare one number with constants by intervals, nor search for solutions.
    #[arg(long)]
    no_enumeration: bool,

    /// Which state runs next: dfs, bfs, random-state, random-path, nurs:covnew, nurs:md2u, nurs:depth, nurs:icnt,
    /// nurs:cpicnt or nurs:qc. Several, between commas, are used by turns.
    #[arg(long, value_delimiter = ',', default_value = "dfs", value_name = "SEARCH")]
    search: Vec<Search>,

    /// The seed of random searches.
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Who decides where objects lie: one allocator for all states, or one per state [default: shared; per-state
    /// with --jobs or --shard].
    #[arg(long, value_name = "shared|per-state", value_parser = placement)]
    allocation: Option<Placement>,

    /// Let so many processes explore the program at once, with one query cache. Tests are numbered in the order of
    /// their paths, so that runs that end by themselves leave the same folder, however many there are.
    #[arg(short = 'j', long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: u16,

    /// Explore the I-th of N shares of the paths only, so that N machines can each explore one. `symexec merge` puts
    /// their output folders together.
    #[arg(long, value_name = "I/N", value_parser = share)]
    shard: Option<Share>,

    /// Work for another process of the same run.
    #[arg(long, hide = true)]
    pub(crate) as_worker: bool,

    /// Whose base addresses are symbols in questions, which the address-aware cache renames; those of
    /// other objects are numbers there.
    #[arg(long, default_value_t, value_name = "none|heap,stack,globals")]
    symbolic_addresses: SymbolicBases,

    /// What happens where a pointer may be one of several objects: a path for each, or the objects become
    /// one segment.
    #[arg(long, default_value_t, value_name = "forking|segmented")]
    memory_model: MemoryModel,

    /// In the segmented memory model, let questions see a segment at the place of an earlier one of the same
    /// objects, as the base does that the paper on address-aware query caching compares with. Spares the plain
    /// cache questions and changes nothing else; for comparison.
    #[arg(long)]
    reuse_segments: bool,

    /// Ask about the order of objects to end the search for what a pointer may be, as the paper on
    /// address-aware query caching does. Costs questions and changes nothing; for comparison.
    #[arg(long)]
    ordering_queries: bool,

    /// Write tests and reports here; must not exist. Without it: klee-out-N beside the first file.
    #[arg(long, value_name = "DIR")]
    output_dir: Option<PathBuf>,

    /// Write counts as JSON.
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,

    /// Which bytes of unknown standard input and files are known: all bytes of this file but `?`.
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,

    /// Write every solver question as SMT-LIB 2 into this folder.
    #[arg(long, value_name = "DIR")]
    log_smt: Option<PathBuf>,

    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    max_time: Option<u64>,

    /// Stop after so many instructions.
    #[arg(long, value_name = "N")]
    max_instructions: Option<u64>,

    /// End paths after so many choices.
    #[arg(long, value_name = "N")]
    max_depth: Option<u64>,

    /// Stop when so many states are live.
    #[arg(long, value_name = "N")]
    max_states: Option<usize>,

    /// Stop after so many tests.
    #[arg(long, value_name = "N")]
    max_tests: Option<u64>,

    /// Stop when this much memory is in use, in megabytes, that of the solver apart.
    #[arg(long, value_name = "MB")]
    max_memory: Option<u64>,

    /// After so many forks, follow one side of each choice only.
    #[arg(long, value_name = "N")]
    max_forks: Option<u64>,

    /// States wait until others have ended whose last question cost the solver more than so many units; 0 for none.
    #[arg(long, value_name = "N")]
    put_off: Option<u64>,

    #[command(flatten)]
    merging: Merging,

    /// How deep calls may nest.
    #[arg(long, default_value_t = 8192, value_name = "N")]
    max_stack: usize,

    /// How many seconds the solver may work on one question.
    #[arg(long, value_name = "SECONDS")]
    max_solver_time: Option<u64>,

    /// How much work one question may be, in the solver's own units; the same on every machine.
    #[arg(long, value_name = "N")]
    solver_resource: Option<u64>,

    /// How much memory the solver may take, in megabytes.
    #[arg(long, default_value_t = 8192, value_name = "MB")]
    max_solver_memory: u64,

    /// Follow the path of this test before others, or of all tests in this folder.
    #[arg(long = "seed-tests", value_name = "TEST|DIR")]
    seed_tests: Vec<PathBuf>,

    /// Explore nothing beside the paths of --seed-tests.
    #[arg(long, requires = "seed_tests")]
    only_seeds: bool,

    /// What may be called outside of the program: nothing, functions whose arguments are known, or all; the
    /// arguments are then made known, with a warning. It is about inexact functions of `math.h` and those
    /// given by --external-call.
    #[arg(long, default_value_t, value_name = "none|concrete|all")]
    external_calls: ExternalCalls,

    /// What a call of a function does that nobody defines: the path ends with an error, or the call fails with
    /// ENOSYS and a warning.
    #[arg(long, default_value_t, value_name = "error|enosys")]
    undefined: Undefined,

    /// Follow one way only through this function and what it calls, errors besides: for functions that write inputs
    /// into messages, whose paths would crowd out the rest. Example: quotearg_buffer_restyled
    #[arg(long, value_delimiter = ',', value_name = "FUNCTION")]
    one_way: Vec<String>,

    /// Let the program call this function of the system's C library, or of --external-library. It gets the
    /// objects that its arguments point to, and keeps nothing between two calls. Example: 'double erf(double)'
    #[arg(long, value_name = "PROTOTYPE")]
    external_call: Vec<Declaration>,

    /// A library or object file with functions given by --external-call.
    #[arg(long, value_name = "FILE")]
    external_library: Vec<PathBuf>,

    /// Write a test for every error, and not only for the first one at its place.
    #[arg(long)]
    emit_all_errors: bool,

    /// Stop at the first error.
    #[arg(long)]
    exit_on_error: bool,

    /// Write tests of paths without errors only if they reached code that no path had reached before.
    #[arg(long)]
    only_output_states_covering_new: bool,

    /// Show what the program writes to its standard output and standard error; unknown bytes are shown
    /// as question marks.
    #[arg(long)]
    show_output: bool,

    /// Tell this lie, for the oracle to find.
    #[cfg(feature = "plant")]
    #[arg(long, value_name = "FAULT")]
    plant: Option<symexec::base::plant::Fault>,

    /// Take expressions away that nobody has at every so many looks at them, to see that it changes nothing.
    #[cfg(feature = "plant")]
    #[arg(long, value_name = "N")]
    collect_every: Option<u64>,

    /// Write no tests.
    #[arg(long)]
    write_no_tests: bool,

    #[command(flatten)]
    beside: Beside,
}

/// What is written beside tests.
#[derive(Debug, Args)]
struct Beside {
    /// Write the condition of each test's path in KLEE's query language (test000001.kquery).
    #[arg(long)]
    write_kqueries: bool,

    /// Write the condition of each test's path as SMT-LIB 2 (test000001.smt2).
    #[arg(long)]
    write_smt2s: bool,

    /// Write the lines that each test's path was the first to execute (test000001.cov).
    #[arg(long)]
    write_cov: bool,

    /// Write the side that each branch took on a test's path (test000001.path). The run is slower.
    #[arg(long)]
    write_paths: bool,

    /// The same of branches of which both sides were possible (test000001.sym.path).
    #[arg(long)]
    write_sym_paths: bool,

    /// Write how long it took until there was each test (test000001.info).
    #[arg(long)]
    write_test_info: bool,
}

impl Beside {
    fn files(&self) -> TestFiles {
        TestFiles {
            kquery: self.write_kqueries,
            smtlib: self.write_smt2s,
            coverage: self.write_cov,
            paths: self.write_paths,
            symbolic_paths: self.write_sym_paths,
            info: self.write_test_info,
            ..TestFiles::default()
        }
    }
}

fn placement(text: &str) -> Result<Placement, String> {
    match text {
        "shared" => Ok(Placement::Shared),
        "per-state" => Ok(Placement::PerState),
        _ => Err(format!("unknown allocation `{text}`: use shared or per-state")),
    }
}

fn share(text: &str) -> Result<Share, String> {
    let numbers =
        text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
    match numbers {
        Some((number, count)) if (1..=count).contains(&number) => Ok(Share { number, count }),
        _ => Err(format!("unknown share `{text}`: give I/N, two numbers with I from 1 to N")),
    }
}

impl RunArguments {
    /// What was asked for, as the library takes it.
    pub(crate) fn options(self) -> Options {
        let program = self.files.first().map(|file| file.display().to_string()).unwrap_or_default();
        let arguments = std::iter::once(program).chain(self.arguments).collect();
        let in_parts = self.jobs > 1 || self.shard.is_some();
        let placement = if in_parts { Placement::PerState } else { Placement::Shared };
        Options {
            jobs: usize::from(self.jobs),
            share: self.shard,
            program: Request {
                files: self.files,
                defines: self.compiling.defines,
                include: self.compiling.include,
                flags: self.compiling.options,
                clang: self.compiling.clang,
                #[cfg(feature = "plant")]
                keeps_missing: self.plant == Some(symexec::base::plant::Fault::KeepMissing),
                ..Request::default()
            },
            exec: ExecConfig {
                placement: self.allocation.unwrap_or(placement),
                symbolic_bases: self.symbolic_addresses,
                memory_model: self.memory_model,
                reuse_segments: self.reuse_segments,
                ordering_queries: self.ordering_queries,
                search: self.search,
                seed: self.seed,
                entry: self.entry_point,
                arguments,
                max_time: self.max_time.map(Duration::from_secs),
                max_instructions: self.max_instructions,
                max_depth: self.max_depth,
                max_states: self.max_states,
                max_tests: self.max_tests,
                max_stack: self.max_stack,
                all_errors: self.emit_all_errors,
                exit_on_error: self.exit_on_error,
                tests: !self.write_no_tests,
                max_memory: self.max_memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
                max_forks: self.max_forks,
                put_off: self.put_off.filter(|limit| *limit > 0),
                merging: self.merging.use_merge,
                incomplete_merging: self.merging.use_incomplete_merge,
                log_merges: self.merging.debug_log_merge,
                new_coverage_only: self.only_output_states_covering_new,
                external_calls: self.external_calls,
                undefined: self.undefined,
                one_way: self.one_way,
                echo: self.show_output,
                seeds: Seeds { only: self.only_seeds, discards: self.only_seeds, ..Seeds::default() },
                #[cfg(feature = "plant")]
                ignore_overlaps: self.plant == Some(symexec::base::plant::Fault::IgnoreOverlaps),
                #[cfg(feature = "plant")]
                first_landing: self.plant == Some(symexec::base::plant::Fault::FirstLanding),
                #[cfg(feature = "plant")]
                swap_merged: self.plant == Some(symexec::base::plant::Fault::SwapMerged),
                #[cfg(feature = "plant")]
                forget_waiting: self.plant == Some(symexec::base::plant::Fault::ForgetWaiting),
                #[cfg(feature = "plant")]
                collect_every: self
                    .collect_every
                    .or((self.plant == Some(symexec::base::plant::Fault::ForgetWaiting)).then_some(4)),
                #[cfg(feature = "plant")]
                lose_writes: self.plant == Some(symexec::base::plant::Fault::LoseWrites),
                #[cfg(feature = "plant")]
                forget_digit: self.plant == Some(symexec::base::plant::Fault::ForgetDigit),
                ..ExecConfig::default()
            },
            seeds: self.seed_tests,
            files: self.beside.files(),
            externals: self.external_call,
            libraries: self.external_library,
            solver: self.solver,
            query_cache: self.query_cache,
            mode: self.mode,
            cache_dir: self.cache_dir,
            allow_shared_cache: self.allow_shared_cache,
            remote: Settings {
                url: self.remote,
                mode: self.remote_mode,
                trust: self.remote_trust,
                sign: self.remote_sign,
                ..Settings::default()
            },
            audit: self.audit,
            rename_inputs: !self.keep_input_names,
            counterexamples: !self.no_counterexample_cache,
            try_all: self.try_all_counterexamples,
            equalities: !self.no_equality_substitution,
            enumerate: !self.no_enumeration,
            check_layouts: self.check_layouts,
            max_solver_time: self.max_solver_time.map(Duration::from_secs),
            solver_resource: self.solver_resource,
            solver_memory: Some(self.max_solver_memory << 20),
            #[cfg(feature = "plant")]
            fault: self.plant,
            log_smt: self.log_smt,
            output_dir: self.output_dir,
            stats: self.stats,
            symbolic_arguments: true,
            template: self.template,
            ..Options::default()
        }
    }
}
