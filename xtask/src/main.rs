//! Everything one does with the workspace: `cargo xtask help`.
//!
//! This crate depends on neither Z3 nor LLVM, so that it builds on a fresh machine; it sets up what
//! the tools need, builds them and starts them as programs.

mod setup;

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
}

fn main() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    let result = match command {
        Command::Setup { check } => setup::run(check),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
