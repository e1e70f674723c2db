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
mod scratch;
mod setup;
mod programs;
mod test;
mod tidy;
mod ci;
mod install;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    },
    /// Sets up, then builds and runs every test of the workspace.
    Test {
        /// For the test programs: names to filter by, `--nocapture` and so on.
        #[arg(last = true, value_name = "ARGS")]
        arguments: Vec<String>,
    },
    /// Runs every check a change must pass, cheapest first; stops at the first that fails.
    Ci,
    /// Tests the workspace's own rules: layers, purity, files, dependencies.
    Tidy,
    /// Builds the tools optimized and installs them with completions and man pages.
    Install {
        /// The folder to install into [default: ~/.local].
        #[arg(long, value_name = "DIR")]
        prefix: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    let result = match command {
        Command::Setup { check } => setup::run(check).map_err(error::Error::from),
        Command::Test { arguments } => test::run(&arguments),
        Command::Ci => ci::run(),
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
