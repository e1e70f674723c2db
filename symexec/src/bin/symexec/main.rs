//! `symexec`: explores C programs and LLVM bitcode symbolically. Parses, calls, prints.

mod allocator;
mod arguments;
mod compiling;
mod klee;
mod merging;
mod replaying;
mod testcomp;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{CommandFactory, Parser};
use symexec::base::system::{RealSystem, System};
use symexec::capture::{Language, LinkOptions, cc, link};
use symexec::report::{
    MergeOptions, Options, Restart, merge, replay, run, serve_team, show_profile, show_tests,
};

/// Errors of the program were found.
const FINDINGS: u8 = 1;

/// Unusable input or usage.
const UNUSABLE: u8 = 2;

/// KLEE's exit code for the same.
const UNUSABLE_AS_KLEE: u8 = 1;

/// A second interrupt ends the process at once.
const INTERRUPTED: i32 = 130;

/// Signals that come within this time are one request.
const ONE_REQUEST: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let system = RealSystem::default().giving_back_memory(allocator::give_back);
    let warning = listen(&system).err();
    let interrupt = system.interrupt();
    let system: Rc<dyn System> = Rc::new(system);
    if let Some(warning) = warning {
        system.say(&format!("symexec: warning: interrupts end the process at once: {warning}"));
    }
    if system.program_name().is_some_and(|name| name == "klee") {
        let arguments = system.arguments();
        let arguments: Vec<String> =
            arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        return as_klee(&arguments, 0, &system, &interrupt);
    }
    if system.program_name().is_some_and(|name| name == "ktest-tool") {
        return show(&system.arguments().into_iter().map(Into::into).collect::<Vec<_>>(), &system);
    }
    match arguments::Cli::parse().command {
        arguments::Command::Run(arguments) if arguments.as_worker => {
            work(&arguments.options(), &system, &interrupt)
        }
        arguments::Command::Merge { output, shards, stats } => {
            match merge(&MergeOptions { output, shards, stats }, &system) {
                Ok(code) => ExitCode::from(code),
                Err(error) => failed(&error, &system),
            }
        }
        arguments::Command::Run(arguments) => match run(&arguments.options(), &system) {
            Ok(code) => ExitCode::from(code),
            Err(error) => failed(&error, &system),
        },
        arguments::Command::Testcomp(arguments) => {
            let as_worker = arguments.as_worker;
            match arguments.options(&|path| system.read_file(path)) {
                Ok(options) if as_worker => work(&options, &system, &interrupt),
                Ok(options) => match run(&options, &system) {
                    // What the suite finds is no failure of making it.
                    Ok(FINDINGS) => ExitCode::SUCCESS,
                    Ok(code) => ExitCode::from(code),
                    Err(error) => failed(&error, &system),
                },
                Err(error) => {
                    system.say(&format!("symexec: error: {error}"));
                    ExitCode::from(UNUSABLE)
                }
            }
        }
        arguments::Command::Replay(arguments) => match replay(&arguments.options(), &*system) {
            Ok(code) => ExitCode::from(code),
            Err(error) => failed(&error, &system),
        },
        arguments::Command::Report { folder, top } => match show_profile(&*system, &folder, top) {
            Ok(text) => {
                system.write_output(1, text.as_bytes());
                ExitCode::SUCCESS
            }
            Err(error) => failed(&error, &system),
        },
        arguments::Command::Ktest { files } => show(&files, &system),
        arguments::Command::Klee { arguments } => as_klee(&arguments, 1, &system, &interrupt),
        arguments::Command::Cc { arguments } => compile(&*system, Language::C, &arguments),
        arguments::Command::Cpp { arguments } => compile(&*system, Language::Cpp, &arguments),
        arguments::Command::Link { files, output } => match link(&*system, &LinkOptions { files, output }) {
            Ok((output, modules)) => {
                system.say(&format!("symexec: {}: {modules} modules", output.display()));
                ExitCode::SUCCESS
            }
            Err(error) => failed(&error, &system),
        },
        arguments::Command::Completions { shell } => {
            clap_complete::generate(shell, &mut arguments::Cli::command(), "symexec", &mut std::io::stdout());
            ExitCode::SUCCESS
        }
        arguments::Command::Man => {
            match clap_mangen::Man::new(arguments::Cli::command()).render(&mut std::io::stdout()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => failed(&error, &system),
            }
        }
    }
}

/// Shows tests.
fn show(files: &[PathBuf], system: &Rc<dyn System>) -> ExitCode {
    match show_tests(&**system, files) {
        Ok(text) => {
            system.write_output(1, text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => failed(&error, system),
    }
}

/// Explores parts of a program for the process that started this one.
fn work(options: &Options, system: &Rc<dyn System>, interrupt: &Arc<AtomicBool>) -> ExitCode {
    match serve_team(options, system, interrupt) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error, system),
    }
}

fn compile(system: &dyn System, language: Language, arguments: &[OsString]) -> ExitCode {
    match cc(system, language, arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            system.say(&format!("symexec cc: error: {error}"));
            ExitCode::from(UNUSABLE)
        }
    }
}

fn failed(error: &dyn std::error::Error, system: &Rc<dyn System>) -> ExitCode {
    system.say(&format!("symexec: error: {error}"));
    ExitCode::from(UNUSABLE)
}

/// The first interrupt or request to terminate asks the run to end; a later one ends the process. What comes at once
/// after the first one is the same request: `timeout` sends it to the process, and then to its whole group.
fn listen(system: &RealSystem) -> std::io::Result<()> {
    let signals = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];
    for signal in signals {
        signal_hook::flag::register(signal, Arc::clone(&system.interrupt()))?;
    }
    let mut asked = signal_hook::iterator::Signals::new(signals)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let mut first = None;
        for _ in asked.forever() {
            if first.get_or_insert_with(RealSystem::default).elapsed() >= ONE_REQUEST {
                signal_hook::low_level::exit(INTERRUPTED);
            }
        }
    })?;
    Ok(())
}

/// Does what KLEE would with these arguments, of which so many words before them asked for that.
fn as_klee(
    arguments: &[String],
    words: usize,
    system: &Rc<dyn System>,
    interrupt: &Arc<AtomicBool>,
) -> ExitCode {
    let template = || system.environment("KLEE_TEMPLATE").filter(|file| !file.is_empty()).map(Into::into);
    match klee::parse(arguments) {
        Ok(klee::Parsed::Part(mut options)) => {
            options.template = template();
            work(&options, system, interrupt)
        }
        Ok(klee::Parsed::Help(text)) => {
            system.write_output(1, text.as_bytes());
            ExitCode::SUCCESS
        }
        Ok(klee::Parsed::Version) => {
            system.write_output(
                1,
                format!("symexec {}, with KLEE's conventions\n", env!("CARGO_PKG_VERSION")).as_bytes(),
            );
            ExitCode::SUCCESS
        }
        Ok(klee::Parsed::Run(mut options, warnings)) => {
            options.template = template();
            options.restart = Restart { subcommand: "klee", replaces: words };
            options.warnings = warnings;
            match run(&options, system) {
                Ok(code) => ExitCode::from(code),
                Err(error) => {
                    system
                        .say(&format!("KLEE: ERROR: {}", klee::in_its_words(&error, &options.program.files)));
                    ExitCode::from(UNUSABLE_AS_KLEE)
                }
            }
        }
        Err(what) => {
            system.say(&format!("klee: {what}"));
            ExitCode::from(UNUSABLE_AS_KLEE)
        }
    }
}
