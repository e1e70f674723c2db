//! Everything one does with the workspace: `cargo xtask help`.
//!
//! This crate depends on neither Z3 nor LLVM, so that it builds on a fresh machine; it sets up what
//! the tools need, builds them and starts them as programs. There is one file or folder per command;
//! what commands share is named by its concept: [`phases`] (what runs, and how long), [`process`]
//! (starting programs), [`programs`] (the tools as built), [`scratch`] (folders that keep everything
//! away from the user's cache).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program of the developers, who read what it prints"
)]

mod error;
mod phases;
mod process;
mod workers;
mod scratch;
mod setup;
mod programs;
mod explore;
mod test;
mod bench;
mod compare;
mod tidy;
mod oracle;
mod conformance;
mod interface;
mod ci;
mod install;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::Error;
use programs::{Build, Programs};

/// Set-up, tests, benchmarks and checks of the Reprise workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Fetches Z3 and LLVM where they are missing; takes a second when nothing is.
    Setup {
        /// Only looks, installs nothing; fails if something is missing.
        #[arg(long)]
        check: bool,
        /// Installs the servers too that tests of remote caches start (Debian's redis-server, nginx and openssl).
        #[arg(long)]
        services: bool,
        /// Fetches Bitwuzla and Yices too, for `symexec --solver`.
        #[arg(long)]
        solvers: bool,
        /// Brings what symexec needs for C++ and Rust too: libc++ as bitcode, and Debian's rustc.
        #[arg(long)]
        languages: bool,
    },
    /// Sets up, then builds and runs every test of the workspace.
    Test {
        /// For the test programs: names to filter by, `--nocapture` and so on.
        #[arg(last = true, value_name = "ARGS")]
        arguments: Vec<String>,
    },
    /// Runs the tools on the fixtures; ends with a table per tool and an HTML report with charts.
    Bench {
        /// What to measure; the three tools where none is named.
        subjects: Vec<bench::Subject>,
        /// Only shows that everything runs, in seconds.
        #[arg(long)]
        smoke: bool,
        /// Measures everything, however long it takes.
        #[arg(long, conflicts_with = "smoke")]
        full: bool,
        /// Explores the programs of the paper on address-aware query caching instead, from the distribution's sources
        /// (`bench symexec --programs`): some minutes, after they were fetched and made.
        #[arg(long, conflicts_with_all = ["smoke", "full", "peers", "sessions", "git"])]
        programs: bool,
        /// With `--programs`: the default.
        #[arg(long, requires = "programs")]
        quick: bool,
        /// With `--programs`: more of each, within an hour of two processors.
        #[arg(long, requires = "programs", conflicts_with = "quick")]
        hour: bool,
        /// With `--programs`: this program of the paper alone. May be given several times.
        #[arg(long, requires = "programs", value_name = "NAME")]
        only: Vec<String>,
        /// With `--programs`: the folder with the programs of the project, instead of building them.
        #[arg(long, requires = "programs", value_name = "DIR")]
        built: Option<PathBuf>,
        /// Runs the programs on other systems as well, where they are installed: Prologs, `boogie`, `dafny`.
        #[arg(long)]
        peers: bool,
        /// Edit sessions for `ivl` beside the eight: a folder of snapshots NAME.v0.bpl, NAME.v1.bpl, ... or of
        /// files in the order of their names (.bpl; .dfy where `dafny` is installed). May be given several
        /// times.
        #[arg(long, value_name = "DIR")]
        sessions: Vec<PathBuf>,
        /// The same from the history of this file in git. May be given several times.
        #[arg(long, value_name = "FILE")]
        git: Vec<PathBuf>,
    },
    /// Runs a folder of programs under every cache and tabulates counts; what must not differ is demanded.
    Compare {
        /// The tool.
        tool: Compared,
        /// The folder; a file says in a line `// symexec: -DN=4 --max-depth 9` how it is explored, several
        /// lines make several programs.
        folder: PathBuf,
        /// For every run of the tool.
        #[arg(last = true, value_name = "ARGS")]
        arguments: Vec<String>,
    },
    /// Compares cached answers with answers from scratch on random programs and edits.
    Oracle {
        /// Whose answers.
        tool: oracle::Tool,
        /// How many random cases.
        #[arg(long, visible_aliases = ["runs", "edits", "programs"], default_value_t = 1000, value_name = "N")]
        cases: usize,
        /// Where the random cases begin.
        #[arg(long, default_value_t = 1, value_name = "N")]
        seed: u64,
        /// The number of the first case, to run again what was found.
        #[arg(long, default_value_t = 0, value_name = "N")]
        first: usize,
        /// Builds the tool so that it commits this fault, and demands that the oracle finds it.
        #[arg(long, value_name = "FAULT")]
        plant: Option<String>,
        /// Runs the programs in this folder as they are instead of building them, for long searches beside other work.
        #[arg(long, value_name = "DIR")]
        built: Option<PathBuf>,
        /// Compares with other systems that are installed as well: `goals` with `swipl`.
        #[arg(long)]
        peers: bool,
    },
    /// Runs a folder laid out like another tool's tests, and counts which agree.
    Conformance {
        /// Whose tests they are.
        suite: Suite,
        /// The folder; `prolog` and `viper` have programs of their own and need none.
        folder: Option<PathBuf>,
        /// Runs the programs in this folder as they are instead of building them.
        #[arg(long, value_name = "DIR")]
        built: Option<PathBuf>,
        #[command(flatten)]
        how: SuiteOptions,
    },
    /// Runs every check a change must pass, cheapest first; stops at the first that fails.
    Ci,
    /// Compares the library's public interface with the listing in `cache-core`.
    Interface {
        /// Writes the listing anew.
        #[arg(long)]
        accept: bool,
    },
    /// Tests the workspace's own rules: layers, purity, files, dependencies.
    Tidy,
    /// Builds the tools optimized and installs them with completions and man pages.
    Install {
        /// The folder to install into [default: ~/.local].
        #[arg(long, value_name = "DIR")]
        prefix: Option<PathBuf>,
    },
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Suite {
    /// Boogie's: run through `ivl boogie`.
    Boogie,
    /// KLEE's: `RUN:` lines of LLVM's lit, with `symexec klee` for KLEE. There are own ones.
    Klee,
    /// Programs of clients of a `boogie` executable: BASIL, the Move Prover, Dafny.
    Clients,
    /// Cases of the Prolog standard, for `rtcheck`; a folder may hold Hodgson's suite (`inriasuite.pl`).
    Prolog,
    /// Viper programs, verified by Carbon with `ivl` as its `boogie` (needs Java; Carbon is fetched). There are
    /// own ones.
    Viper,
}

/// What only some suites know.
#[derive(clap::Args)]
struct SuiteOptions {
    /// `boogie`: prints every test's outcome as JSON.
    #[arg(long)]
    json: bool,
    /// `prolog`: runs other systems that are installed as well (Debian's swi-prolog-nox and gprolog), and fetches the
    /// public tests that a package holds.
    #[arg(long)]
    peers: bool,
    /// `prolog`: writes docs/iso.md anew; with `--peers` only.
    #[arg(long, requires = "peers")]
    accept: bool,
}

impl Suite {
    /// Runs a suite with the programs of a folder, or with those that it needs and that are built now.
    fn run(self, folder: Option<&Path>, built: Option<&Path>, how: &SuiteOptions) -> Result<(), Error> {
        if built.is_none() {
            setup::run(false)?;
        }
        let programs = match (built, self) {
            (Some(built), _) => Programs::built(built),
            (None, Suite::Prolog) => Programs::of_package("rtcheck")?,
            (None, Suite::Viper) => Programs::of_package("ivl-verifier")?,
            (None, Suite::Boogie | Suite::Klee | Suite::Clients) => Programs::build(Build::Release)?,
        };
        let format = if how.json { conformance::Format::Json } else { conformance::Format::Text };
        match (self, folder) {
            (Suite::Prolog, folder) => conformance::prolog::run(&programs, folder, how.peers, how.accept),
            (Suite::Viper, folder) => conformance::viper::run(&programs, folder),
            (Suite::Boogie, Some(folder)) => conformance::run(&programs, folder, format),
            (Suite::Klee, Some(folder)) => conformance::klee::run(&programs, folder),
            (Suite::Klee, None) => conformance::klee::run_own(&programs),
            (Suite::Clients, Some(folder)) => conformance::clients::run(&programs, folder),
            (Suite::Boogie | Suite::Clients, None) => {
                Err(Error::Findings("this suite needs the folder that it lies in".to_owned()))
            }
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Compared {
    /// C programs (`*.c`), under every query cache, memory model and allocation.
    Symexec,
}

fn main() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    let result = match command {
        Command::Setup { check, services, solvers, languages } => setup::run(check)
            .and_then(|()| if services { setup::services(check) } else { Ok(()) })
            .and_then(|()| if solvers { setup::solvers::solvers(check) } else { Ok(()) })
            .and_then(|()| if languages { setup::languages::languages(check) } else { Ok(()) })
            .map_err(Error::from),
        Command::Test { arguments } => test::run(&arguments),
        Command::Bench { subjects, programs: true, hour, only, built, .. } => {
            if subjects.iter().any(|subject| *subject != bench::Subject::Symexec) {
                Err(Error::Findings("`--programs` is of `symexec` alone".to_owned()))
            } else {
                let length = if hour { bench::Length::Hour } else { bench::Length::Quick };
                bench::programs(length, &only, built.as_deref())
            }
        }
        Command::Bench { subjects, smoke, full, peers, sessions, git, .. } => {
            let size = match (smoke, full) {
                (true, _) => bench::Size::Smoke,
                (_, true) => bench::Size::Full,
                _ => bench::Size::Default,
            };
            bench::run(&subjects, size, peers, &bench::Brought { folders: sessions, histories: git })
        }
        Command::Compare { tool: Compared::Symexec, folder, arguments } => {
            compare::symexec(&folder, &arguments)
        }
        Command::Oracle { tool, cases, seed, first, plant, built, peers } => {
            let cases = first..first.saturating_add(cases);
            oracle::run(tool, seed, cases, plant.as_deref(), built.as_deref(), peers)
        }
        Command::Conformance { suite, folder, built, how } => {
            suite.run(folder.as_deref(), built.as_deref(), &how)
        }
        Command::Ci => ci::run(),
        Command::Interface { accept } => interface::run(accept),
        Command::Tidy => tidy::run(),
        Command::Install { prefix } => install::run(prefix.as_deref()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Arguments;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }
}
