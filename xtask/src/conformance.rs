//! `cargo xtask conformance boogie DIR`: any folder laid out like Boogie's tests, run through
//! `ivl boogie`.
//!
//! A test is a file with `RUN:` lines ([`recipe`]); its output is compared with the `.expect` file beside
//! it by kinds of lines ([`output`]). Diagnostics with their positions and related locations count, and
//! execution traces and the summary. Models, values in traces, printed programs and cache actions are
//! reported apart. Tests run side by side in a copy of the folder, so that nothing is written into the original.

mod checks;
pub(crate) mod clients;
pub(crate) mod klee;
mod output;
pub(crate) mod prolog;
mod recipe;
mod shell;
pub(crate) mod viper;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use crate::error::Error;
use crate::phases::{bar, in_phases};
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::root;
use crate::workers::side_by_side;
use output::{Differences, Kind};

/// How long one run of the verifier may take before it is ended: far more than its own limit of 30
/// seconds per implementation should ever add up to in these tests.
const PATIENCE: Duration = Duration::from_secs(300);
/// How many tests of the folder that CI uses must pass, at least.
const FLOOR: &str = "xtask/conformance-floor.txt";

/// How one test ended.
#[derive(Debug, Clone, Serialize)]
struct Outcome {
    /// Relative to the folder.
    test: String,
    verdict: Verdict,
    /// Kinds of lines that differ without counting.
    apart: Vec<Kind>,
    /// What differs, for a failure; why it was not run, for a skip.
    detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    Passed,
    Failed,
    Skipped,
}

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
}

/// Builds `ivl` and runs the folder's tests; fails unless every one passes.
pub(crate) fn run(programs: &Programs, folder: &Path, format: Format) -> Result<(), Error> {
    let outcomes = match format {
        Format::Json => run_all(programs, folder)?,
        Format::Text => in_phases("conformance", |phases| phases.run("run", || run_all(programs, folder)))?,
    };
    let passed = count(&outcomes, Verdict::Passed);
    match format {
        Format::Json => {
            let json = serde_json::json!({
                "passed": passed,
                "failed": count(&outcomes, Verdict::Failed),
                "skipped": count(&outcomes, Verdict::Skipped),
                "tests": outcomes,
            });
            println!("{json:#}");
        }
        Format::Text => print(&outcomes, true),
    }
    if passed == outcomes.len() {
        return Ok(());
    }
    Err(Error::Findings(format!("{} of {} tests do not pass", outcomes.len() - passed, outcomes.len())))
}

/// What CI asks for: as many tests pass as the committed floor says.
pub(crate) fn run_to_floor(programs: &Programs, folder: &Path) -> Result<(), Error> {
    let file = root().join(FLOOR);
    let text = fs::read_to_string(&file).map_err(Error::reading(&file))?;
    let number =
        text.lines().find(|line| !line.starts_with('#')).and_then(|line| line.trim().parse::<usize>().ok());
    let Some(floor) = number else { return Err(Error::Findings(format!("{FLOOR} holds no number"))) };
    let outcomes = run_all(programs, folder)?;
    print(&outcomes, false);
    let passed = count(&outcomes, Verdict::Passed);
    if passed < floor {
        return Err(Error::Findings(format!("{passed} tests pass; {FLOOR} demands {floor}")));
    }
    if passed > floor {
        println!("   {passed} tests pass, more than the {floor} in {FLOOR}: raise it");
    }
    Ok(())
}

fn count(outcomes: &[Outcome], verdict: Verdict) -> usize {
    outcomes.iter().filter(|outcome| outcome.verdict == verdict).count()
}

fn print(outcomes: &[Outcome], details: bool) {
    for outcome in outcomes.iter().filter(|outcome| outcome.verdict != Verdict::Passed) {
        println!(
            "{}: {}",
            if outcome.verdict == Verdict::Failed { "FAILED" } else { "SKIPPED" },
            outcome.test
        );
        if details {
            for line in outcome.detail.lines() {
                println!("    {line}");
            }
        }
    }
    let mut folders: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for outcome in outcomes {
        let folder = outcome.test.split('/').next().unwrap_or_default();
        let (passed, all) = folders.entry(folder).or_default();
        *passed += usize::from(outcome.verdict == Verdict::Passed);
        *all += 1;
    }
    for (folder, (passed, all)) in folders {
        println!("   {folder:20} {passed:>4} of {all:>4}");
    }
    let apart = |kind: Kind| {
        let passed = outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Passed);
        passed.filter(|outcome| outcome.apart.contains(&kind)).count()
    };
    println!(
        "   among those that pass, {} differ in models, {} in printed programs, {} in cache actions",
        apart(Kind::Model),
        apart(Kind::Program),
        apart(Kind::Action)
    );
    println!(
        "{} passed, {} failed, {} skipped",
        count(outcomes, Verdict::Passed),
        count(outcomes, Verdict::Failed),
        count(outcomes, Verdict::Skipped)
    );
}

/// Runs every test of a copy of the folder, as many at a time as there are processors.
fn run_all(programs: &Programs, folder: &Path) -> Result<Vec<Outcome>, Error> {
    let scratch = Scratch::new()?;
    let copy = scratch.path().join("tests");
    let mut tests = Vec::new();
    copy_folder(folder, &copy, &mut tests)?;
    tests.sort();
    let progress = bar(tests.len());
    let outcomes = side_by_side(&tests, |test| {
        let name = test.strip_prefix(&copy).unwrap_or(test).to_string_lossy().into_owned();
        let outcome = run_test(programs, &scratch, test, &name);
        progress.inc(1);
        outcome
    });
    progress.finish_and_clear();
    Ok(outcomes)
}

/// Copies a folder, and lists the files in it that say how they are run.
fn copy_folder(from: &Path, to: &Path, tests: &mut Vec<PathBuf>) -> Result<(), Error> {
    let mut open = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = open.pop() {
        fs::create_dir_all(&to).map_err(Error::writing(&to))?;
        for entry in fs::read_dir(&from).map_err(Error::reading(&from))? {
            let from = entry.map_err(Error::reading(&from))?.path();
            let Some(name) = from.file_name() else { continue };
            let to = to.join(name);
            if from.is_dir() {
                open.push((from, to));
                continue;
            }
            let bytes = fs::read(&from).map_err(Error::reading(&from))?;
            let is_input = from.extension().is_some_and(|ending| ending == "bpl" || ending == "snapshot");
            if is_input && String::from_utf8_lossy(&bytes).contains("RUN:") {
                tests.push(to.clone());
            }
            fs::write(&to, bytes).map_err(Error::writing(&to))?;
        }
    }
    Ok(())
}

fn run_test(programs: &Programs, scratch: &Scratch, test: &Path, name: &str) -> Outcome {
    let failed = |detail: String| Outcome {
        test: name.to_owned(),
        verdict: Verdict::Failed,
        apart: Vec::new(),
        detail,
    };
    let recipe = match fs::read(test).map(|bytes| recipe::read(&String::from_utf8_lossy(&bytes))) {
        Ok(Ok(recipe)) => recipe,
        Ok(Err(detail)) => {
            return Outcome { verdict: Verdict::Skipped, ..failed(detail) };
        }
        Err(error) => return failed(error.to_string()),
    };
    match recipe.run(programs, scratch, test, PATIENCE) {
        Err(detail) => failed(detail),
        Ok(differences) => {
            let verdict = if differences.counting.is_empty() { Verdict::Passed } else { Verdict::Failed };
            let Differences { counting, apart } = differences;
            Outcome { test: name.to_owned(), verdict, apart, detail: counting.join("\n") }
        }
    }
}
