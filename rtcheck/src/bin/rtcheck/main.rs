//! The command line: parses, calls the library, prints.

mod terminal;

use cache_core::audit::Audit;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use rtcheck::base::{OsSystem, System};
use rtcheck::builtins::LoadError;
use rtcheck::check::{CacheKind, Configuration};
use rtcheck::machine::{CheckFlags, Limits, OnViolation};
use rtcheck::read::Quotes;
use rtcheck::report;
use rtcheck::session::{Options, PlainLines, Session, exit};
use std::io::{IsTerminal as _, Write as _};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use terminal::Terminal;

/// Runs Prolog whose assertion checks are cheap enough to stay on.
///
/// Assertions are written as in Ciao: `:- pred p(X,Y) : list(X) => int(Y).` Every call and success is checked.
/// Checks that held are remembered by the term's address until backtracking undoes what made them hold, so
/// passing a large structure around costs a look-up, not a walk.
#[derive(Parser)]
#[command(name = "rtcheck", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a program: its initialization goals, or main/0, or main/1 with the arguments.
    ///
    /// Exit codes: 0 nothing wrong found; 1 a violation, an uncaught error or a failed goal; 2 the program cannot
    /// be used; 3 an audit found a remembered check to be wrong; 130 interrupted. `halt(N)` in the program wins.
    Run {
        /// The program.
        file: PathBuf,
        /// Arguments for main/1; behind `--` if they begin with a hyphen.
        arguments: Vec<String>,
        #[command(flatten)]
        checks: CheckArguments,
        /// Writes counts of checks, node visits and cache hits as JSON.
        #[arg(long, value_name = "FILE")]
        stats: Option<PathBuf>,
    },
    /// Runs a program and shows where the time of its checks goes: a row per predicate and property.
    Profile {
        /// The program.
        file: PathBuf,
        /// Arguments for main/1.
        #[arg(last = true)]
        arguments: Vec<String>,
        #[command(flatten)]
        checks: CheckArguments,
        /// Prints JSON, and nothing of what the program prints.
        #[arg(long)]
        json: bool,
        /// Runs the program again, without input and output, under other settings of the cache, and tells which of them
        /// saves visits.
        #[arg(long)]
        compare: bool,
    },
    /// Answers queries: a top level with line editing, history and completion of names.
    ///
    /// Without a terminal, queries are read and answered without prompts; a line with `;` behind an answer asks for
    /// the next one.
    Top {
        /// Programs to load first.
        files: Vec<PathBuf>,
        #[command(flatten)]
        checks: CheckArguments,
    },
    /// Shows the transformed program: what is checked around each predicate with assertions.
    Expand {
        /// The program.
        file: PathBuf,
    },
    /// Tells of each assertion condition whether it is proved, refuted or left to run time, and why.
    ///
    /// Exit codes: 0 nothing is refuted; 1 something is; 2 the program cannot be used.
    Analyze {
        /// The program.
        file: PathBuf,
        /// Writes what was found as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Shows the automaton of a regular type.
    Automaton {
        /// The program that defines it.
        file: PathBuf,
        /// The type, such as `bintree(int)`.
        regtype: String,
    },
    /// Runs the unit tests of a program: its `test` assertions, and what plunit would run.
    ///
    /// Each test runs its precondition, calls the predicate and checks what it says of solutions and of the
    /// computation. Exit codes: 0 all passed; 1 some did not; 2 the program cannot be used.
    Test {
        /// The program.
        file: PathBuf,
        /// Only tests whose predicate, text or place (FILE:LINE) contains this.
        #[arg(long, value_name = "TEXT", default_value = "")]
        filter: String,
        /// Writes the results as JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        checks: CheckArguments,
    },
    /// Shows the instructions of a predicate.
    Listing {
        /// The program.
        file: PathBuf,
        /// The predicate, as NAME/ARITY.
        predicate: String,
        /// Whether calls go through the checks of assertions.
        #[arg(long, value_enum, default_value_t = Switch::On)]
        checks: Switch,
    },
    /// Prints a completion script for a shell.
    #[command(hide = true)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Prints the manual page.
    #[command(hide = true)]
    Man,
}

#[derive(Args)]
struct CheckArguments {
    /// Programs are read as the standard says, and nothing beyond: the flag `iso` from the beginning.
    #[arg(long)]
    iso: bool,
    /// What text in double quotes is read as: codes, chars, atom or string (as in SWI-Prolog). A text's own
    /// set_prolog_flag comes later.
    #[arg(long, value_name = "KIND", default_value = "codes", value_parser = parse_quotes)]
    double_quotes: Quotes,
    /// Whether assertions are checked.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    checks: Switch,
    /// How checks are remembered: beside the terms (cells), in a table whose entries are replaced in one of three ways
    /// (lru, direct, s3fifo), or not at all (none). Size, depths and inheritance are those of tables.
    #[arg(long, value_name = "POLICY", default_value = "cells")]
    check_cache: CacheKind,
    /// How many checks are remembered at most.
    #[arg(long, value_name = "N", default_value_t = 256)]
    cache_size: usize,
    /// Only checks at depths below N are remembered (the checked term has depth 0); `none` for no limit.
    #[arg(long, value_name = "N", default_value = "2", value_parser = parse_limit)]
    depth_limit: DepthLimit,
    /// Of these depths only the multiples of C: fewer entries, and a check visits at most the levels up to the next.
    #[arg(long, value_name = "C", default_value = "1")]
    cache_every: NonZeroU32,
    /// How often a remembered check is done again and compared: never, sample=N or always.
    #[arg(long, value_name = "HOW", default_value = "never")]
    audit: Audit,
    /// Whether conditions that are proved when a program is loaded are left out of its run; `--audit` makes
    /// them all the same.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    analysis: Switch,
    /// Whether an argument of a term checked just before inherits its type from it; `off` is the paper's algorithm
    /// to the letter.
    #[arg(long, value_enum, default_value_t = Switch::On)]
    inherit: Switch,
    /// What a violation does that the program does not intercept: throw rtcheck/6, print a message and go on, or
    /// record it for recorded_violations/1 and the end of the run.
    #[arg(long, value_enum, default_value_t = Violations::Throw)]
    on_violation: Violations,
    /// Sets one of Ciao's flags of run-time checking, such as rtchecks_level=exports; may be repeated. A program's own
    /// set_prolog_flag comes later.
    #[arg(long = "flag", value_name = "NAME=VALUE", value_parser = parse_flag)]
    flags: Vec<(String, String)>,
    /// Whether conditions share the statuses of properties (section 4 of the paper) or evaluate each by themselves.
    #[arg(long, value_enum, default_value_t = Transformation::Reified)]
    transformation: Transformation,
    /// A goal that uses more processor time than this gets a resource error.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time_limit: Option<Duration>,
    /// A goal that needs more memory than this gets a resource error: bytes, or with K, M or G behind the number.
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory_limit: Option<usize>,
    /// A goal with more calls under way than this gets a resource error.
    #[arg(long, value_name = "N")]
    frame_limit: Option<u64>,
    /// Collects garbage every N calls, for tests.
    #[arg(long, value_name = "N", hide = true)]
    collect_every: Option<u32>,
    /// Makes the cache lie in this way.
    #[cfg(feature = "plant")]
    #[arg(long, value_name = "FAULT")]
    plant: Option<rtcheck::base::plant::Fault>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
enum Violations {
    Throw,
    Report,
    Record,
}

#[derive(Clone, Copy, ValueEnum)]
enum Transformation {
    Reified,
    Old,
}

fn parse_flag(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    match CheckFlags::ALL.iter().find(|(known, _)| *known == name) {
        Some((_, values)) if values.contains(&value) => Ok((name.to_owned(), value.to_owned())),
        Some((_, values)) => Err(format!("expected one of {}", values.join(", "))),
        None => {
            let names: Vec<&str> = CheckFlags::ALL.iter().map(|&(name, _)| name).collect();
            Err(format!("unknown flag `{name}`: use one of {}", names.join(", ")))
        }
    }
}

fn parse_quotes(text: &str) -> Result<Quotes, String> {
    Quotes::named(text).ok_or_else(|| "expected codes, chars, atom or string".to_owned())
}

#[derive(Clone, Copy)]
struct DepthLimit(Option<u32>);

fn parse_limit(text: &str) -> Result<DepthLimit, String> {
    if text == "none" {
        return Ok(DepthLimit(None));
    }
    text.parse().map(|limit| DepthLimit(Some(limit))).map_err(|_| "expected a number or `none`".to_owned())
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn parse_bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((last, 'k' | 'K')) => (&text[..last], 1 << 10),
        Some((last, 'm' | 'M')) => (&text[..last], 1 << 20),
        Some((last, 'g' | 'G')) => (&text[..last], 1 << 30),
        _ => (text, 1),
    };
    let number: usize = number.parse().map_err(|_| "expected a number of bytes, such as 512M".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "more than this machine can address".to_owned())
}

impl CheckArguments {
    fn options(&self) -> Options {
        let mut flags = CheckFlags {
            checks: matches!(self.checks, Switch::On),
            on_violation: match self.on_violation {
                Violations::Throw => OnViolation::Throw,
                Violations::Report => OnViolation::Report,
                Violations::Record => OnViolation::Record,
            },
            shares: matches!(self.transformation, Transformation::Reified),
            ..CheckFlags::default()
        };
        for (name, value) in &self.flags {
            flags.set(name, value);
        }
        Options {
            checks: flags.checks,
            configuration: Configuration {
                cache: self.check_cache,
                size: self.cache_size,
                depth_limit: self.depth_limit.0,
                every: self.cache_every,
                audit: self.audit,
                inherit: matches!(self.inherit, Switch::On),
            },
            analysis: matches!(self.analysis, Switch::On),
            iso: self.iso,
            double_quotes: self.double_quotes,
            on_violation: flags.on_violation,
            flags,
            limits: Limits {
                memory: self.memory_limit.unwrap_or(Limits::default().memory),
                depth: self.frame_limit,
                stacks: None,
                time: self.time_limit,
            },
            collect_every: self.collect_every,
            #[cfg(feature = "plant")]
            plant: self.plant,
        }
    }
}

fn main() -> ExitCode {
    let code = run(Cli::parse().command);
    ExitCode::from((code & 0xff) as u8)
}

fn open(file: &std::path::Path, options: Options) -> Result<Session, i32> {
    open_in(OsSystem::new(), file, options)
}

fn open_in(system: OsSystem, file: &std::path::Path, options: Options) -> Result<Session, i32> {
    let mut session = begin(system, options)?;
    session.load(file).map_err(|error| unusable(&error))?;
    Ok(session)
}

/// A session that an interrupt from the keyboard reaches.
fn begin(system: OsSystem, options: Options) -> Result<Session, i32> {
    let session = Session::new(Box::new(system), options).map_err(|error| unusable(&error))?;
    let interrupt = session.machine.interrupt();
    // A second interrupt before the goal saw the first one ends the process: the goal may not be able to see it.
    let registered = signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGINT,
        exit::INTERRUPTED,
        std::sync::Arc::clone(&interrupt),
    )
    .and_then(|_| signal_hook::flag::register(signal_hook::consts::SIGINT, interrupt));
    if let Err(error) = registered {
        complain(&format!("interrupts will end the process at once: {error}"));
    }
    Ok(session)
}

fn unusable(error: &LoadError) -> i32 {
    complain(&error.to_string());
    if matches!(error, LoadError::Interrupted) { exit::INTERRUPTED } else { exit::UNUSABLE }
}

/// Other settings of the cache, and how they are asked for.
fn alternatives(base: Configuration) -> Vec<(String, Configuration)> {
    let has_table = base.cache.has_table();
    let mut settings: Vec<(String, Configuration)> = [4, 16]
        .into_iter()
        .filter(|_| has_table)
        .map(|factor| base.size.max(1) * factor)
        .map(|size| (format!("--cache-size {size}"), Configuration { size, ..base }))
        .collect();
    for cache in CacheKind::ALL {
        if cache != base.cache && cache != CacheKind::None {
            settings.push((format!("--check-cache {}", cache.name()), Configuration { cache, ..base }));
        }
    }
    if let Some(limit) = base.depth_limit
        && has_table
    {
        let deeper = limit + 1;
        settings
            .push((format!("--depth-limit {deeper}"), Configuration { depth_limit: Some(deeper), ..base }));
        settings.push(("--depth-limit none".to_owned(), Configuration { depth_limit: None, ..base }));
    }
    settings
}

fn complain(message: &str) {
    // Nothing better can be done when standard error is closed.
    let _ = writeln!(std::io::stderr(), "error: {message}");
}

fn show(text: &str) -> i32 {
    // A reader that closed its end does not want the rest.
    let _ = OsSystem::new().write_output(text.as_bytes());
    exit::OK
}

fn run(command: Command) -> i32 {
    match command {
        Command::Run { file, arguments, checks, stats } => {
            let mut session = match open(&file, checks.options()) {
                Ok(session) => session,
                Err(code) => return code,
            };
            let code = session.run(arguments);
            if let Some(path) = stats {
                let report = report::statistics(&mut session.machine, code);
                let written = report.to_json().map_err(|error| error.to_string()).and_then(|json| {
                    session
                        .machine
                        .system
                        .write_file(&path, json.as_bytes())
                        .map_err(|error| error.to_string())
                });
                if let Err(reason) = written {
                    complain(&format!("cannot write {}: {reason}", path.display()));
                    return exit::UNUSABLE;
                }
            }
            code
        }
        Command::Profile { file, arguments, checks, json, compare } => {
            // What is proved is measured, too: the whole is what tells where checks are dear.
            let options = Options { analysis: false, ..checks.options() };
            let system = if json { OsSystem::quiet() } else { OsSystem::new() };
            let mut session = match open_in(system, &file, options) {
                Ok(session) => session,
                Err(code) => return code,
            };
            let (code, mut profile) = session.profile(arguments.clone());
            for (name, configuration) in alternatives(options.configuration).into_iter().filter(|_| compare) {
                let options = Options { configuration, ..options };
                if let Ok(mut session) = open_in(OsSystem::silent(), &file, options) {
                    profile.compare(&name, &session.profile(arguments.clone()).1);
                }
            }
            show(&if json { format!("{:#}\n", profile.json()) } else { profile.table() });
            code
        }
        Command::Top { files, checks } => {
            let mut session = match begin(OsSystem::new(), checks.options()) {
                Ok(session) => session,
                Err(code) => return code,
            };
            if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
                match Terminal::new(&mut *session.machine.system) {
                    Ok(mut terminal) => return session.top(&files, &mut terminal),
                    Err(error) => complain(&format!("no line editing: {error}")),
                }
            }
            session.top(&files, &mut PlainLines::default())
        }
        Command::Expand { file } => match open(&file, Options::default()) {
            Ok(mut session) => show(&session.expand()),
            Err(code) => code,
        },
        Command::Analyze { file, json } => match begin(OsSystem::new(), Options::default()) {
            Ok(mut session) => {
                session.machine.proofs.tells = true;
                if let Err(error) = session.load(&file) {
                    return unusable(&error);
                }
                let conditions = report::conditions(&mut session.machine);
                let text = if json {
                    format!("{:#}\n", report::conditions_json(&conditions))
                } else {
                    report::conditions_text(&conditions)
                };
                show(&text);
                session.analysis_exit(&conditions)
            }
            Err(code) => code,
        },
        Command::Automaton { file, regtype } => match open(&file, Options::default()) {
            Ok(mut session) => match session.automaton(&regtype) {
                Ok(text) => show(&text),
                Err(reason) => {
                    complain(&format!("{regtype}: {reason}"));
                    exit::UNUSABLE
                }
            },
            Err(code) => code,
        },
        Command::Test { file, filter, json, checks } => match open(&file, checks.options()) {
            Ok(mut session) => {
                let runs = session.test(&filter);
                let text =
                    if json { format!("{:#}\n", report::tests_json(&runs)) } else { report::tests(&runs) };
                // A reader that closed its end does not want the rest.
                let _ = session.machine.system.write_output(text.as_bytes());
                session.test_exit(&runs)
            }
            Err(code) => code,
        },
        Command::Listing { file, predicate, checks } => {
            let options = Options { checks: matches!(checks, Switch::On), ..Options::default() };
            let mut session = match open(&file, options) {
                Ok(session) => session,
                Err(code) => return code,
            };
            let listing = predicate
                .rsplit_once('/')
                .and_then(|(name, arity)| session.listing(name, arity.parse().ok()?));
            match listing {
                Some(text) => show(&text),
                None => {
                    complain(&format!("no predicate `{predicate}`: give it as NAME/ARITY"));
                    exit::UNUSABLE
                }
            }
        }
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "rtcheck", &mut text);
            show(&String::from_utf8_lossy(&text))
        }
        Command::Man => {
            let mut text = Vec::new();
            if clap_mangen::Man::new(Cli::command()).render(&mut text).is_err() {
                return exit::UNUSABLE;
            }
            show(&String::from_utf8_lossy(&text))
        }
    }
}
