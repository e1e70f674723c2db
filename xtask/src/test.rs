//! `cargo xtask test`: set-up, then every test of the workspace.

use std::fs;
use std::process::Command;

use crate::error::Error;
use crate::phases::in_phases;
use crate::process;
use crate::programs::{PACKAGES, Programs};
use crate::scratch::Scratch;
use crate::setup;

/// Every test that there is: [`run`], where a test that lacks a server or a solver is an error, and the lies that
/// faults guard are built in, honest until told to lie. Gives back what was built with the tests, examples too, for
/// the oracles: nothing is compiled a second time for them.
pub(crate) fn run_all() -> Result<Programs, Error> {
    tests(&[], true)?;
    Programs::of_tests()
}

/// Sets up, builds and runs all tests; ends with the test runner's closing lines and the time per phase.
/// `arguments` go to the test programs.
pub(crate) fn run(arguments: &[String]) -> Result<(), Error> {
    tests(arguments, false)
}

fn tests(arguments: &[String], all: bool) -> Result<(), Error> {
    let mut closing = Vec::new();
    let result = in_phases("test", |phases| {
        phases.run("set up", || Ok(setup::run(false)?))?;
        phases.run("build", || {
            // By `build`, since to `test` an example is one more thing to test.
            let mut command = of_workspace("build", &PROGRAMS, all);
            if all {
                command.args(["--bins", "--examples"]);
            }
            process::run(&mut command)
        })?;
        phases.run("run", || run_tests(arguments, all, &mut closing))
    });
    if !closing.is_empty() {
        println!("== test: the test runner's closing lines");
        for line in &closing {
            println!("   {line}");
        }
        println!("   {}", total(&closing));
    }
    let missing = setup::missing_services();
    if !missing.is_empty() {
        println!(
            "   left out: tests with real servers, for want of {}; `cargo xtask setup --services` installs them",
            missing.join(" and ")
        );
    }
    if !setup::solvers::are_present() {
        println!("   left out: tests with other solvers than Z3; `cargo xtask setup --solvers` fetches them");
    }
    if !setup::languages::has_cxx() || !setup::languages::rustc_is_present() {
        println!(
            "   left out: tests with symexec's C++ library, or with Rust; `cargo xtask setup --languages` brings both"
        );
    }
    result
}

/// What holds tests, but for libraries and programs that say they have none (`--lib` and `--bins` would build those too).
/// Examples are not built for them: tests contain the examples' text, and clippy reads all of it.
const PROGRAMS: [&str; 1] = ["--tests"];
const DOCUMENTATION: [&str; 1] = ["--doc"];

/// What builds tests of some kinds, or runs them: with the feature by which the core's plant lies, or with `all` of
/// those by which the tools lie as well.
fn of_workspace(subcommand: &str, kinds: &[&str], all: bool) -> Command {
    let mut command = process::cargo(&setup::root(), subcommand);
    let packages = if all { &PACKAGES[..] } else { &PACKAGES[..1] };
    let features: Vec<String> = packages.iter().map(|package| format!("{package}/plant")).collect();
    command.arg("--workspace").args(kinds).args(["--features", &features.join(",")]);
    command
}

fn run_tests(arguments: &[String], all: bool, closing: &mut Vec<String>) -> Result<(), Error> {
    let scratch = Scratch::new()?;
    let mut subject = String::new();
    let mut watch = |line: &str| {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("Running ").or_else(|| line.strip_prefix("Doc-tests ")) {
            subject = name.split(" (").next().unwrap_or(name).to_owned();
        } else if line.starts_with("test result:") {
            closing.push(format!("{subject}: {line}"));
        }
    };
    let threads = threads(arguments);
    // One that fails does not keep the others from being run.
    let mut outcome = Ok(());
    for kinds in [&PROGRAMS[..], &DOCUMENTATION] {
        let mut command = of_workspace("test", kinds, all);
        command.args(["--no-fail-fast", "--"]).args(arguments).args(&threads);
        scratch.guard(&mut command);
        if all {
            command.env("REPRISE_SERVICES", "required");
        }
        outcome = outcome.and(process::run_watched(&mut command, &mut watch));
    }
    outcome?;
    // Every test has a folder of its own; one that fell back to the default would, on another day, have
    // used the cache of whoever runs it.
    let default = scratch.default_cache();
    let left = fs::read_dir(&default).map(Iterator::count).unwrap_or(0);
    if left > 0 {
        return Err(Error::Findings("a test used the default cache folder instead of its own".to_owned()));
    }
    Ok(())
}

/// How many tests run side by side, unless somebody has said so: twice as many as there are processors, since many wait
/// for programs that they started, or for a limit of time to end.
fn threads(arguments: &[String]) -> Option<String> {
    let said = arguments.iter().any(|argument| argument.starts_with("--test-threads"));
    if said || std::env::var_os("RUST_TEST_THREADS").is_some() {
        return None;
    }
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Some(format!("--test-threads={}", 2 * processors))
}

/// Adds up the figures of lines such as `test result: ok. 3 passed; 0 failed; 1 ignored; ...`.
fn total(closing: &[String]) -> String {
    let sum = |what: &str| -> u64 {
        closing
            .iter()
            .filter_map(|line| line.split(what).next()?.rsplit(' ').next()?.parse::<u64>().ok())
            .sum()
    };
    format!("all together: {} passed; {} failed; {} ignored", sum(" passed"), sum(" failed"), sum(" ignored"))
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn closing_lines_are_added_up() {
        let line = |text: &str| text.to_owned();
        let closing = [
            line("unittests src/lib.rs: test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured"),
            line("tests/it/main.rs: test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured"),
        ];
        assert_eq!(total(&closing), "all together: 13 passed; 2 failed; 1 ignored");
    }
}
