//! What unit tests found, as text and as JSON.

use super::errors::error;
use super::show::show;
use crate::machine::Machine;
use crate::term::{Cell, Record, Tag, atom};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// How a test ended, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TestResult {
    /// Nothing that the test says is wrong.
    Passed,
    /// Something is.
    Failed,
    /// An exception that the test does not speak of, or the end of the program, came before the end of the test.
    Aborted,
}

impl TestResult {
    fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Aborted => "aborted",
        }
    }
}

/// One test that was run.
#[derive(Clone, Debug)]
pub struct TestRun {
    /// The predicate as `Name/Arity`.
    pub predicate: String,
    /// The file.
    pub file: String,
    /// The first and the last line of the assertion.
    pub lines: (usize, usize),
    /// The text behind `#`.
    pub comment: String,
    /// How it ended.
    pub result: TestResult,
    /// Why, or what is worth a note.
    pub reasons: Vec<String>,
}

/// What one run of a test's goal says: `done`, `fails`, `choices`, `failed(Why)` or `aborted(Ball)`.
pub(crate) fn test_result(machine: &mut Machine, result: &Record) -> (TestResult, Option<String>) {
    let term = machine.restore(result);
    let Some((name, arity)) = machine.store.functor(term) else { return (TestResult::Aborted, None) };
    match (machine.atoms.text(name), arity) {
        ("done", 0) => (TestResult::Passed, None),
        ("fails", 0) => {
            let note =
                "note: the goal failed, and the test does not say whether it may: add fails or not_fails";
            (TestResult::Passed, Some(note.to_owned()))
        }
        ("aborted", 1) => {
            let ball = Record::new(&machine.store, machine.store.argument(term, 0));
            // A violated assertion is what tests are for.
            let violation = machine.store.functor(machine.store.argument(term, 0));
            let violated =
                violation.is_some_and(|(name, arity)| (machine.atoms.text(name), arity) == ("rtcheck", 6));
            let result = if violated { TestResult::Failed } else { TestResult::Aborted };
            (result, Some(error(machine, &ball).trim_end().to_owned()))
        }
        ("choices", 0) => {
            let note = "note: the goal left a choicepoint: add nondet if it may";
            (TestResult::Passed, Some(note.to_owned()))
        }
        ("skipped", 1) => {
            let why = machine.store.argument(term, 0);
            (TestResult::Passed, Some(format!("note: skipped: {}", show(machine, why))))
        }
        ("failed", 1) => {
            let why = machine.store.argument(term, 0);
            (TestResult::Failed, Some(reason(machine, why)))
        }
        _ => (TestResult::Aborted, None),
    }
}

/// `precondition(failed)`, `setup(threw(Ball))` and so on, in words.
fn reason(machine: &mut Machine, why: Cell) -> String {
    let Some((part, 1)) = machine.store.functor(why) else { return show(machine, why) };
    let how = machine.store.argument(why, 0);
    let part = machine.atoms.text(part).replace('_', " ");
    // The library has put these in words.
    if part == "plunit" && how.tag() == Tag::Atm {
        return machine.atoms.text(how.as_atom()).to_owned();
    }
    if part == "precondition" && show(machine, how) == "inference_limit_exceeded" {
        return "the precondition took more than 1000000 inferences".to_owned();
    }
    if part == "timeout" {
        return format!("the goal took more than {} ms", show(machine, how));
    }
    let threw = machine.atoms.find("threw").and_then(|name| machine.store.match_structure::<1>(how, name));
    match threw {
        Some([ball]) => format!("the {part} threw {}", show(machine, ball)),
        None if how == Cell::atom(atom::FAIL) => format!("the {part} failed"),
        None => format!("the {part} {}", show(machine, how)),
    }
}

/// A line per test, indented reasons, and the sums.
#[must_use]
pub fn tests(runs: &[TestRun]) -> String {
    let mut text = String::new();
    for run in runs {
        let comment = if run.comment.is_empty() { String::new() } else { format!(": {}", run.comment) };
        let result = match run.result {
            TestResult::Passed => "passed".to_owned(),
            worse => worse.name().to_uppercase(),
        };
        let _ = writeln!(text, "{}:{}: {} {result}{comment}", run.file, run.lines.0, run.predicate);
        for line in run.reasons.iter().flat_map(|reason| reason.trim_end().lines()) {
            let _ = writeln!(text, "    {line}");
        }
    }
    let [passed, failed, aborted] = sums(runs);
    let tests = if runs.len() == 1 { "test" } else { "tests" };
    let _ = writeln!(text, "{} {tests}: {passed} passed, {failed} failed, {aborted} aborted", runs.len());
    text
}

/// The same for programs.
#[must_use]
pub fn tests_json(runs: &[TestRun]) -> Value {
    let all: Vec<Value> = runs
        .iter()
        .map(|run| {
            json!({
                "predicate": run.predicate,
                "file": run.file,
                "first_line": run.lines.0,
                "last_line": run.lines.1,
                "comment": run.comment,
                "result": run.result.name(),
                "reasons": run.reasons,
            })
        })
        .collect();
    let [passed, failed, aborted] = sums(runs);
    json!({ "tests": all, "passed": passed, "failed": failed, "aborted": aborted })
}

fn sums(runs: &[TestRun]) -> [usize; 3] {
    [TestResult::Passed, TestResult::Failed, TestResult::Aborted]
        .map(|result| runs.iter().filter(|run| run.result == result).count())
}
