//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use cache_core::audit::Audit;
use cache_core::mode::Mode;
use clap::{Args, Parser, Subcommand};
use ivl_verifier::report::parts::Shard;
use reprise_tools::remote::{RemoteMode, Settings};

/// From which resource count of the solver on proofs are replayed where nothing else is said.
pub(crate) const REPLAYED_FROM: u64 = 100_000;

/// Verifies Boogie programs and re-proves only what an edit touched.
///
/// Results are kept on disk, so that the next run, after an edit or on the next day, asks the solver
/// about what changed and nothing else.
#[derive(Debug, Parser)]
#[command(
    version,
    name = "ivl",
    after_help = "\
Examples:
  ivl verify queue.bpl                 verify a program; what was proved before is not proved again
  ivl verify --explain queue.bpl       say for each implementation why its result was reused or not
  ivl verify --snapshots gcd.bpl       verify gcd.v0.bpl, gcd.v1.bpl, ... one after the other
  ivl watch queue.bpl                  verify again on every save, and print what changed
  ivl verify --cache offline a.bpl     ask no solver; fail where the cache has no result

Exit codes: 0 everything is proved, 1 something is not, 2 the input or the usage is wrong,
3 a result is missing offline or an audit found a wrong one."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) action: Action,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Verify programs
    Verify(Box<Verify>),
    /// Verify a program again whenever one of its files is saved, and print what changed
    Watch(Box<Watch>),
    /// Verify a program again and again, with what must not matter changed, and say which proofs hold by luck
    Stability(Box<Stability>),
    /// Serve an editor by the Language Server Protocol
    Lsp(Box<Lsp>),
    /// Print what implementations cost when they were last verified, to share them out by
    Costs(Box<Costs>),
    /// Put the reports of all shards of a job together
    Merge(Merge),
    /// Look at the cache, check it, or empty it; share it with others
    Cache(CacheCommand),
    /// Take Boogie's options and write Boogie's output
    #[command(disable_help_flag = true)]
    Boogie {
        /// Options as `-name:value` or `/name:value`, and files
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        arguments: Vec<String>,
    },
    /// Print a completion script for a shell
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(hide = true)]
    Man,
}

/// Verifies programs. Several files are one program, unless `--snapshots` says otherwise.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The files of the program
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Verify the versions F.v0.bpl, F.v1.bpl, ... of each file F.bpl one after the other
    #[arg(long)]
    pub(crate) snapshots: bool,
    /// Say for each implementation why its result was reused or not
    #[arg(long)]
    pub(crate) explain: bool,
    /// How results are printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Say with which values checks fail. Errors that are known without values are asked again for them, and what
    /// changed is asked as a whole. No verdict depends on it
    #[arg(long)]
    pub(crate) counterexample: bool,
    #[command(flatten)]
    pub(crate) run: Run,
    /// Warn of axioms that contradict each other, whatever a proof may use of them, and of code that control cannot
    /// reach
    #[arg(long)]
    pub(crate) smoke: bool,
    /// Write each query that is sent to the solver as SMT-LIB 2 into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) log_smt: Option<PathBuf>,
    /// Verify this share of the implementations only; other machines verify the others, `ivl merge` puts their reports
    /// together
    #[arg(long, value_name = "I/N", requires = "report", conflicts_with_all = ["smoke", "counterexample"])]
    pub(crate) shard: Option<Shard>,
    /// Share out by what implementations cost before, as `ivl costs` wrote it into this file. All shards must be given
    /// the same
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub(crate) costs: Option<PathBuf>,
    /// Write what is true of each implementation as JSON lines into this file, in the order of the program: the same on
    /// every machine, however results were found
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Write statistics of the run as JSON into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) stats: Option<PathBuf>,
}

/// Prints what the cache knows of costs, in microseconds, as JSON.
#[derive(Debug, Args)]
pub(crate) struct Costs {
    /// The files of the program
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) run: Run,
}

/// Merges reports of `ivl verify --shard I/N --report FILE`; prints the report that one machine would have written.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// The reports of all shards
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write the report into this file, and print a summary
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people, with excerpts of the program.
    Text,
    /// One JSON object per line.
    Json,
    /// One SARIF 2.1.0 document, for code scanning and editors.
    Sarif,
    /// GitHub's workflow commands, shown beside the lines of a change.
    Github,
}

/// Verifies a program now and whenever one of its files is saved. Results that a save makes pointless are
/// not waited for; what was just edited comes first.
#[derive(Debug, Args)]
pub(crate) struct Watch {
    /// The files of the program
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Say for each implementation why its result was reused or not
    #[arg(long)]
    pub(crate) explain: bool,
    /// Milliseconds between two looks at the files
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) interval: u64,
    #[command(flatten)]
    pub(crate) run: Run,
}

/// Verifies a program from scratch with other seeds of the solver, with what is known in other orders and with other
/// names, and once within half of the limits: what is proved in some runs and not in others is unstable. No answer is
/// taken from the cache or left there. With `--caching replay` what is not proved in some run is asked there with the
/// instances of quantifiers that an earlier proof needed, which the cache has or one of the runs found: what is proved
/// everywhere that way is told as `was proved, replayed`, and its instances are kept. The exit code is 1 if something
/// is left that is proved in some runs and in others neither by itself nor so. Without a limit one of 20,000,000 is set in the solver's resource count, so that
/// what is found does not depend on the machine. An implementation without an answer (it is not supported, or the
/// solver failed) is told in its line.
#[derive(Debug, Args)]
pub(crate) struct Stability {
    /// The files of the program
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// How many seeds, how many orders and how many sets of names
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// Print one JSON object per implementation, with every run
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) run: Run,
}

/// Serves an editor over standard input and output: diagnostics while one types, how each implementation stands and
/// why, definitions and uses of names. docs/editors.md tells how editors are set up.
#[derive(Debug, Args)]
pub(crate) struct Lsp {
    #[command(flatten)]
    pub(crate) run: Run,
    /// Accepted, since many clients say how they talk: there is no other way
    #[arg(long, hide = true)]
    stdio: bool,
}

/// How programs are verified.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Verify only implementations with this name; `*` stands for any text. May be given several times
    #[arg(long = "proc", value_name = "NAME")]
    pub(crate) only: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) cache: Cache,
    /// What is reused of earlier versions: whole results, or single checks as well
    #[arg(long, value_enum, value_name = "KIND", default_value_t = Caching::FineGrained)]
    pub(crate) caching: Caching,
    /// From which resource count of the solver on a proof is replayed, with `--caching replay`
    #[arg(long, value_name = "COUNT", default_value_t = REPLAYED_FROM)]
    pub(crate) replay_from: u64,
    /// How many solvers to run side by side [default: one per core]
    #[arg(long, value_name = "N")]
    pub(crate) cores: Option<NonZeroUsize>,
    /// Ask about each check by itself, with the limits of an implementation: for proofs that are too much at once.
    /// `{:isolate}`, `{:split_here}` and `{:focus}` in a program say so of some checks only
    #[arg(long)]
    pub(crate) each_check: bool,
    /// Add to the modifies clauses of procedures with bodies what these change, themselves or by calls
    #[arg(long)]
    pub(crate) infer_modifies: bool,
    /// Set an option of Z3, with or without `smt.` in front; part of what identifies a result. May be given several
    /// times
    #[arg(long = "solver-option", value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) solver_options: Vec<(String, String)>,
    /// Ask this program instead of the linked Z3: a Z3 of another version, or cvc5, by its path or name. Part of what
    /// identifies a result. Values of counterexamples are told of constants only
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) solver: Option<PathBuf>,
    /// Tell a lie, for the oracle to find
    #[cfg(feature = "plant")]
    #[arg(long, hide = true, value_name = "FAULT")]
    pub(crate) plant: Option<ivl_verifier::base::plant::Fault>,
}

/// What is to be done with the cache.
#[derive(Debug, Args)]
pub(crate) struct CacheCommand {
    /// What to do
    #[arg(value_enum)]
    pub(crate) action: CacheAction,
    /// The file in which `keygen` leaves the secret key
    #[arg(value_name = "FILE", required_if_eq("action", "keygen"))]
    pub(crate) file: Option<PathBuf>,
    /// The folder of the cache [default: $REPRISE_CACHE_DIR/ivl, or reprise/ivl in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache_dir: Option<PathBuf>,
    /// Use the cache folder even if others can write to it or it belongs to another user
    #[arg(long)]
    pub(crate) allow_shared_cache: bool,
    #[command(flatten)]
    pub(crate) remote: Remote,
}

/// A cache on a server that a team shares.
#[derive(Debug, Args)]
pub(crate) struct Remote {
    /// Take results from this server that is shared with others, behind the cache on disk: http://, https://
    /// (`/ac/` as Bazel's remote caches have it), redis:// or rediss:// [default: $REPRISE_REMOTE]
    #[arg(long, value_name = "URL")]
    remote: Option<String>,
    /// Whether results are only taken from the server (read) or signed and left there as well (read-write)
    /// [default: $REPRISE_REMOTE_MODE, or read]
    #[arg(long, value_name = "MODE")]
    remote_mode: Option<RemoteMode>,
    /// Believe results that this public key signed, and no others: `[NAME=]ed25519:...`, or a file with such lines. May
    /// be given several times [default: $REPRISE_REMOTE_TRUST]
    #[arg(long, value_name = "KEY")]
    remote_trust: Vec<String>,
    /// Sign with the secret key in this file [default: $REPRISE_REMOTE_KEY, which is a key itself, or the file
    /// $REPRISE_REMOTE_SIGN]
    #[arg(long, value_name = "FILE")]
    remote_sign: Option<PathBuf>,
}

impl Remote {
    /// What the command line says.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            url: self.remote.clone(),
            mode: self.remote_mode,
            trust: self.remote_trust.clone(),
            sign: self.remote_sign.clone(),
            ..Settings::default()
        }
    }
}

/// What can be done with the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CacheAction {
    /// Say where it lies and how much it holds, and what a remote cache lists.
    Stats,
    /// Make a key that signs results for others: the secret one goes into FILE, the public one is printed.
    Keygen,
    /// Sign what is there, and send what the remote cache lacks.
    Push,
    /// Fetch what was pushed to the remote cache and is not there.
    Pull,
    /// Forget all results.
    Clean,
    /// Read every entry and check that it is whole.
    Verify,
}

/// What is reused of earlier versions of an implementation: the paper's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Caching {
    /// Whole results of implementations.
    Basic,
    /// Also the results of single checks in implementations that changed, where that is likely to be cheaper.
    FineGrained,
    /// Also where the solver is likely to give up on the rest, so that all has to be asked after it.
    Eager,
    /// As fine-grained; and where a proof that was dear is made again after an edit, the instances of quantifiers that
    /// it needs are kept, and tried before anything else after the next one.
    Replay,
}

/// The budget of each implementation.
#[derive(Debug, Args)]
pub(crate) struct Limits {
    /// Seconds for each implementation, 0 for no limit [default: 10, or none with --rlimit]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) time_limit: Option<u64>,
    /// The solver's resource count for each implementation: the same on every machine
    #[arg(long, value_name = "COUNT")]
    pub(crate) rlimit: Option<u64>,
    /// How far the resource count of a query with quantifiers goes before it is asked afresh with case splits that
    /// follow the goal; 0: never. Programs with polymorphic maps begin with these, for eight times as long
    #[arg(long, value_name = "COUNT", default_value_t = ivl_verifier::smt::turns::SHARE)]
    pub(crate) switch_after: u64,
    /// Megabytes of memory for each solver
    #[arg(long, value_name = "MB")]
    pub(crate) memory_limit: Option<u64>,
    /// Stop looking for errors in an implementation after this many; 0 means never
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) error_limit: u32,
}

/// How results are kept.
#[derive(Debug, Args)]
pub(crate) struct Cache {
    /// What to take from the cache and leave there: off, read, read-write, rebuild, offline
    #[arg(long = "cache", value_name = "MODE", default_value_t = Mode::ReadWrite)]
    pub(crate) mode: Mode,
    /// The folder of the cache [default: $REPRISE_CACHE_DIR/ivl, or reprise/ivl in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache_dir: Option<PathBuf>,
    /// Use the cache folder even if others can write to it or it belongs to another user: what they
    /// leave there is believed
    #[arg(long)]
    pub(crate) allow_shared_cache: bool,
    /// Check cached results against the solver: never, sample=N, always
    #[arg(long, value_name = "WHEN", default_value_t = Audit::Never)]
    pub(crate) audit: Audit,
    #[command(flatten)]
    pub(crate) remote: Remote,
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
