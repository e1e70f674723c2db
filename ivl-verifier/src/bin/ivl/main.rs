//! `ivl`: verifies Boogie programs and re-proves only what an edit touched.

mod arguments;
mod boogie;
mod cache;
mod lsp;
mod session;
mod shards;
mod stability;
mod verify;
mod watch;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory, Parser};
use ivl_verifier::base::system::{OperatingSystem, System};
use ivl_verifier::service::on_deep_stack;

use arguments::{Action, Arguments};

/// A fifth of what `ivl` does with a program in which nothing changed would be the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let system: Arc<dyn System> = Arc::new(OperatingSystem::new());
    ExitCode::from(on_deep_stack(&|| run(&system)))
}

fn run(system: &Arc<dyn System>) -> u8 {
    // Under the name `boogie` it is Boogie.
    let called = system.arguments();
    if called.first().and_then(|name| Path::new(name).file_stem()).is_some_and(|name| name == "boogie") {
        return boogie::run(&called[1..], system);
    }
    let arguments = Arguments::parse();
    match arguments.action {
        Action::Verify(arguments) => verify::run(&arguments, system),
        Action::Watch(arguments) => watch::run(&arguments, system),
        Action::Lsp(arguments) => lsp::run(&arguments, system),
        Action::Stability(arguments) => stability::run(&arguments, system),
        Action::Costs(arguments) => shards::costs(&arguments, system),
        Action::Merge(arguments) => shards::merge(&arguments, &**system),
        Action::Cache(arguments) => cache::run(&arguments, &**system),
        Action::Boogie { arguments } => boogie::run(&arguments, system),
        Action::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "ivl", &mut text);
            print(&**system, &text)
        }
        Action::Man => {
            let mut text = Vec::new();
            match clap_mangen::Man::new(Arguments::command()).render(&mut text) {
                Ok(()) => print(&**system, &text),
                Err(_) => session::UNUSABLE,
            }
        }
    }
}

fn print(system: &dyn System, text: &[u8]) -> u8 {
    session::print(system, &String::from_utf8_lossy(text))
}
