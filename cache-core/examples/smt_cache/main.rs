//! Stands in for an SMT solver: says what the solver would say, and starts it only for what is not known.
//!
//! ```text
//! smt_cache --cache-dir DIR --solver z3 -- -in -t:5000      as `z3 -in -t:5000`
//! ln -s smt_cache z3                                         the same by name: the next `z3` on the PATH is the solver
//! ```
//!
//! Reads SMT-LIB 2 from standard input or from the file among the solver's arguments and answers as it goes, so
//! that a client at the other end of two pipes notices nothing. What is written differently and means the same
//! is one question: names of `declare-*` and `define-*` (testers, labels of `:named`, `:qid` and `:skolemid`
//! and bound variables too), the order of declarations and of assertions, how they are spread over levels,
//! white space and comments. Models, values and cores come back in the asker's names. `unknown` speaks for
//! requests with no larger `:timeout` and `:rlimit`, after the same commands, written the same: whether a
//! solver gives up may depend on names. So does `timeout`, with which Z3 ends under `-T`, for no larger `-T`.
//! What `-st` tells are the statistics of the run that answered.
//!
//! # How it works
//! `script` cuts commands out of the input, `read` reads them (with the crate `yaspar`), `scope` keeps what holds,
//! `term` makes shapes of it ([`cache_core::rename`]), `knowledge` makes keys and asks the cache, `answer` takes names
//! out of responses and puts them back, `solver` is the real one, `program` starts it so that it ends with this one and
//! with whoever reads, and `session` decides who answers.
//!
//! # What it does not see
//! - Two terms that differ in more than names and order are two questions, however simple the difference: `(> x 0)` and
//!   `(< 0 x)`.
//! - Names that belong to a theory (`theory`) are never renamed, so that a function called `bvfoo` keeps its name.
//! - Text that the grammar of SMT-LIB 2.7 does not have (a solver's own commands but for `(labels)` and
//!   `(push)` of Z3, attributes whose value is a list but for `:pattern` and `:no-pattern`, block comments, `\`
//!   in a quoted symbol, stray parentheses) is given to the solver as it stands, and so is all that follows; so
//!   is everything after `:global-declarations` behind a statement, a redirected output, or an option the
//!   solver only warns of.
//! - Errors are kept only where they speak of no name and no place but the end of their command, and those
//!   about statements where all commands are written the same; for others the solver is started. Proofs,
//!   `:all-statistics` and `get-assertions` are always the solver's.
//! - A solver that answers differently because of a command that holds no more (learned clauses, a random seed that
//!   moved on) is believed to mean the same, but for `unknown`.
//! - Audits compare verdicts, and ask the solver whether kept values are possible; cores, and functions in
//!   models, are not judged.
//! - Several files, formats other than SMT-LIB 2 and options that ask for no answer (`--version`) start the
//!   solver at once.
//! - A solver's version is asked once for each executable, by its place, length and time: libraries that it is linked with
//!   may change unseen. A script that starts a solver is asked each time.
//! - What the solver writes to standard error may count lines that the asker did not write.
#![expect(clippy::print_stderr, reason = "a program whose user reads what it prints")]

mod answer;
mod knowledge;
mod model;
mod program;
mod read;
mod scope;
mod script;
mod session;
mod solver;
mod term;
mod theory;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use cache_core::audit::Audit;
use cache_core::cache::{Cache, CacheConfig};
use cache_core::key::KeyBuilder;
use cache_core::limits::{Limits, MachineId};
use cache_core::mode::Mode;
use cache_core::store::{DiskOptions, DiskStore, Store};
use clap::Parser;

use knowledge::{Knowledge, VERSION, Version, version};
use program::Program;
pub(crate) use program::become_solver;
use session::{Engine, Session, Tally};

/// Says what an SMT solver would say, and starts it only for what is not known.
#[derive(Clone, Debug, Parser)]
#[command(name = "smt_cache", max_term_width = 100)]
pub(crate) struct Options {
    /// The real solver: a program on the PATH, or its path.
    #[arg(long, env = "SMT_CACHE_SOLVER", value_name = "PROGRAM")]
    pub(crate) solver: PathBuf,
    /// The folder of the cache [default: smt_cache in the user's cache folder]
    #[arg(long, env = "SMT_CACHE_DIR", value_name = "DIR")]
    pub(crate) cache_dir: Option<PathBuf>,
    /// What may be taken and left: off, read, read-write, rebuild, offline.
    #[arg(long, env = "SMT_CACHE_MODE", value_name = "MODE", default_value = "read-write")]
    pub(crate) mode: Mode,
    /// How often a known answer is compared with the solver's: never, sample=N, always.
    #[arg(long, env = "SMT_CACHE_AUDIT", value_name = "AUDIT", default_value = "never")]
    pub(crate) audit: Audit,
    /// A line is added to this file: what was known, asked, passed on; disagreements.
    #[arg(long, env = "SMT_CACHE_STATS", value_name = "FILE")]
    pub(crate) stats: Option<PathBuf>,
    /// A part that is left out of keys, for those who look whether it is missed.
    #[cfg(feature = "plant")]
    #[arg(long, hide = true)]
    pub(crate) leave_out: Option<String>,
    /// The solver's arguments.
    #[arg(last = true)]
    pub(crate) arguments: Vec<String>,
    /// See [`Program::launcher`].
    #[arg(skip)]
    pub(crate) launcher: Option<Vec<std::ffi::OsString>>,
}

impl Options {
    /// What all keys of answers begin with.
    fn begin_key(&self) -> KeyBuilder {
        let key = KeyBuilder::new("smt", VERSION);
        #[cfg(feature = "plant")]
        let key = self.leave_out.iter().fold(key, |key, part| key.drop_part(part));
        key
    }
}

/// What went wrong before any answer, with the place and the way out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cannot find a solver `{0}` on the PATH: name it with --solver or SMT_CACHE_SOLVER")]
    NoSolver(String),
    #[error("cannot start `{}`: {source}", program.display())]
    Start { program: PathBuf, source: io::Error },
    #[error("cannot read or write the script and its answers: {0}")]
    Script(#[from] io::Error),
}

fn main() -> ExitCode {
    let outcome = match become_solver(std::env::args_os().skip(1)) {
        Some((program, source)) => Err(Failure::Start { program, source }),
        None => options(),
    };
    let outcome = outcome.and_then(|options| run(&options, Box::new(io::stdin()), &mut io::stdout().lock()));
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            eprintln!("smt_cache: {failure}");
            ExitCode::from(2)
        }
    }
}

/// From the command line; where this program is started under another name, all arguments are the solver's.
fn options() -> Result<Options, Failure> {
    // What was replaced since it was started cannot be started again.
    let own = std::env::current_exe().ok().filter(|own| own.is_file());
    let launcher = own.map(|own| vec![own.into_os_string()]);
    let called = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let name = called.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if matches!(name.as_str(), "" | "smt_cache" | "smt-cache") {
        return Ok(Options { launcher, ..Options::parse() });
    }
    let solver = match std::env::var_os("SMT_CACHE_SOLVER") {
        Some(solver) => PathBuf::from(solver),
        None => on_path(&name).ok_or(Failure::NoSolver(name))?,
    };
    let mut options =
        Options::parse_from([std::ffi::OsStr::new("smt_cache"), "--solver".as_ref(), solver.as_os_str()]);
    options.launcher = launcher;
    options.arguments = std::env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned()).collect();
    Ok(options)
}

/// The first program of this name on the PATH that is not this one.
fn on_path(name: &str) -> Option<PathBuf> {
    let own = std::env::current_exe().ok().and_then(|path| path.canonicalize().ok());
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file() && path.canonicalize().ok() != own)
}

/// Answers a script; the exit status.
pub(crate) fn run(
    options: &Options,
    input: Box<dyn Read + Send>,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let solver = match options.solver.components().count() {
        1 => on_path(&options.solver.to_string_lossy())
            .ok_or_else(|| Failure::NoSolver(options.solver.display().to_string()))?,
        _ => options.solver.clone(),
    };
    let failed = |source| Failure::Start { program: solver.clone(), source };
    let program = Program { path: solver.clone(), launcher: options.launcher.clone() };
    let mut warnings = Vec::new();
    let store = store(options, &mut warnings);
    let config = CacheConfig::default().store(store).mode(options.mode);
    let mut versions: Cache<Version> = Cache::new(config.clone().memory_entries(1));
    let version = version(&mut versions, &solver, || ask_version(&solver));
    // A solver may have any name.
    let is_z3 = version.as_ref().is_some_and(|version| version.starts_with("Z3"));
    let Some(request) = request(&options.arguments, is_z3) else {
        drop(versions);
        return program.pass_on(&options.arguments).map_err(failed);
    };
    let Some(version) = version else { return Err(failed(io::Error::other("it does not tell its version"))) };
    let input: Box<dyn Read + Send> = match &request.file {
        Some(file) => match File::open(file) {
            Ok(file) => Box::new(file),
            // The solver has its own words for that.
            Err(_) => {
                drop(versions);
                return program.pass_on(&options.arguments).map_err(failed);
            }
        },
        None => input,
    };
    let cache = Cache::new(config.audit(options.audit).memory_entries(4096));
    let base = options.begin_key().engine("solver", &version).option("arguments", &request.keyed);
    let knowledge = Knowledge::new(cache, options.audit != Audit::Never, base);
    let engine = Engine {
        program,
        arguments: request.arguments,
        file: request.file.map(|file| file.to_string_lossy().into_owned()),
        limits: request.limits,
        patience: request.patience.filter(|_| is_z3),
        tells_statistics: request.tells_statistics && is_z3,
        is_z3,
        may_start: options.mode.asks(),
    };
    let mut session = Session::new(engine, knowledge, out);
    let status = session.run(input)?;
    warnings.append(&mut session.warnings);
    warnings.append(&mut session.knowledge.cache.take_warnings());
    for warning in warnings {
        eprintln!("smt_cache: warning: {warning}");
    }
    if let Some(file) = &options.stats {
        note(file, &session.tally);
    }
    // The process ends, and with it its memory.
    std::mem::forget(session);
    // The last cache over the store that goes brings it in order, and counts nothing that nobody reads.
    drop(versions);
    Ok(status)
}

/// A line of statistics.
fn note(file: &Path, tally: &Tally) {
    let Tally { known, asked, passed, disagreements, started } = tally;
    let line = format!(
        "known {known} asked {asked} passed {passed} disagreements {disagreements} started {}\n",
        u8::from(*started)
    );
    let opened = File::options().append(true).create(true).open(file);
    if let Err(error) = opened.and_then(|mut file| file.write_all(line.as_bytes())) {
        eprintln!("smt_cache: warning: cannot write {}: {error}", file.display());
    }
}

fn store(options: &Options, warnings: &mut Vec<String>) -> Option<Arc<dyn Store>> {
    if options.mode == Mode::Off {
        return None;
    }
    // A relative one would depend on where the program was started.
    let user = |name| std::env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
    let base = || user("XDG_CACHE_HOME").or_else(|| Some(user("HOME")?.join(".cache")));
    let folder = options.cache_dir.clone().or_else(|| Some(base()?.join("smt_cache")))?;
    let store_options = DiskOptions::default().read_only(!options.mode.writes());
    match DiskStore::open(folder, store_options) {
        Ok(store) => Some(Arc::new(store)),
        Err(error) => {
            warnings.push(error.to_string());
            None
        }
    }
}

fn ask_version(solver: &Path) -> Option<String> {
    let output = Command::new(solver).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|text| !text.trim().is_empty())?;
    Some(text.lines().next()?.trim().to_owned())
}

/// What the arguments of a solver ask for.
struct Request {
    file: Option<PathBuf>,
    /// With which the solver is started, to read its standard input.
    arguments: Vec<String>,
    /// Those that can change an answer.
    keyed: Vec<String>,
    limits: Limits,
    patience: Option<u64>,
    tells_statistics: bool,
}

/// What a solver is asked to do, if it is to answer one script in SMT-LIB 2.
fn request(arguments: &[String], is_z3: bool) -> Option<Request> {
    let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let mut request = Request {
        file: None,
        arguments: Vec::new(),
        keyed: Vec::new(),
        limits: Limits { machine: Some(MachineId(machine)), ..Limits::default() },
        patience: None,
        tells_statistics: false,
    };
    let mut reads_input = !is_z3;
    let mut arguments_left = arguments.iter();
    while let Some(argument) = arguments_left.next() {
        let (name, value) = argument.split_once([':', '=']).unwrap_or((argument, ""));
        let number: Option<u64> = value.parse().ok().filter(|number| *number > 0);
        match (name, number) {
            ("-in" | "-smt2" | "--incremental" | "-", _) if value.is_empty() => {
                reads_input |= argument == "-in" || argument == "-";
                if name == "--incremental" {
                    request.keyed.push(argument.clone());
                }
                if argument != "-in" && argument != "-" {
                    request.arguments.push(argument.clone());
                }
                continue;
            }
            ("-t" | "timeout" | "--tlimit-per", Some(number)) => request.limits.wall_ms = Some(number),
            ("rlimit" | "--rlimit-per", Some(number)) => request.limits.resource = Some(number),
            ("-memory", Some(number)) => request.limits.memory_bytes = Some(number << 20),
            // Ends the solver, which then has no answer; Z3 says so.
            ("-T", Some(number)) => request.patience = Some(number.saturating_mul(1_000)),
            ("--tlimit", Some(_)) => {}
            ("-st", _) if is_z3 => request.tells_statistics = true,
            ("--lang" | "-L", _) => {
                let language = if value.is_empty() { arguments_left.next()?.as_str() } else { value };
                if !matches!(language, "smt" | "smt2" | "smtlib" | "smt2.6" | "smtlib2.6") {
                    return None;
                }
                request.arguments.push(argument.clone());
                if value.is_empty() {
                    request.arguments.push(language.to_owned());
                }
                continue;
            }
            (
                "-version" | "--version" | "-V" | "-h" | "--help" | "-help" | "-?" | "-p" | "-pd" | "-pm"
                | "-pp",
                _,
            )
            | ("-dimacs" | "-wcnf" | "-opb" | "-lp" | "-log" | "-dl" | "-drat" | "-v" | "-tr", _)
            | ("-st" | "--show-config" | "-o" | "--stats", _) => return None,
            _ if !argument.starts_with('-') && !argument.contains('=') => {
                let is_smt = argument.ends_with(".smt2") || arguments.iter().any(|it| it == "-smt2");
                if request.file.is_some() || !is_smt {
                    return None;
                }
                request.file = Some(PathBuf::from(argument));
                continue;
            }
            _ => request.keyed.push(argument.clone()),
        }
        request.arguments.push(argument.clone());
    }
    if !reads_input && request.file.is_none() {
        return None;
    }
    if is_z3 {
        request.arguments.push("-in".to_owned());
    }
    Some(request)
}
