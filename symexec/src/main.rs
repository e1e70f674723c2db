//! `symexec`: explores C programs and LLVM bitcode symbolically. Parses, calls, prints.

mod cli;

use std::process::ExitCode;
use std::rc::Rc;

use clap::Parser;
use symexec::base::system::{RealSystem, System};
use symexec::report::run;

/// Unusable input or usage.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    let system: Rc<dyn System> = Rc::new(RealSystem::default());
    match cli::Cli::parse().command {
        cli::Command::Run(arguments) => match run(&arguments.options(), &system) {
            Ok(code) => ExitCode::from(code),
            Err(error) => {
                system.say(&format!("symexec: error: {error}"));
                ExitCode::from(UNUSABLE)
            }
        },
        cli::Command::Completions { shell } => {
            cli::completions(shell, &mut std::io::stdout());
            ExitCode::SUCCESS
        }
        cli::Command::Man => match cli::manual(&mut std::io::stdout()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                system.say(&format!("symexec: error: {error}"));
                ExitCode::from(UNUSABLE)
            }
        },
    }
}
