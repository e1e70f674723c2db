//! Running `test` assertions as unit tests: what `rtcheck test` does.

use super::{Session, exit};
use crate::machine::{RunOutcome, UnitTest};
use crate::report;
use crate::report::{TestResult, TestRun};
use crate::term::{Cell, Record, atom};

/// How something ended, and why.
#[derive(Clone)]
struct Finding {
    result: TestResult,
    reasons: Vec<String>,
}

impl Finding {
    fn passed() -> Self {
        Self { result: TestResult::Passed, reasons: Vec::new() }
    }
}

/// Why a test is aborted that ended the program.
fn halted(code: i32) -> String {
    format!("it halted with exit code {code}")
}

impl Session {
    /// Runs the unit tests whose predicate, file, line or text contains the filter, each by itself: what one binds or
    /// leaves is undone before the next. What a unit of plunit's sets up is set up before the first of its tests and
    /// cleaned up behind the last. Goals of `initialization/1` are not run.
    pub fn test(&mut self, filter: &str) -> Vec<TestRun> {
        let tests = std::mem::take(&mut self.machine.loading.tests);
        let chosen = tests.iter().filter(|test| {
            let file = self.machine.atoms.text(test.place.file);
            let place = format!("{file}:{}", test.place.lines.0);
            [&test.predicate, &test.comment, &place].into_iter().any(|text| text.contains(filter))
        });
        let chosen: Vec<UnitTest> = chosen.cloned().collect();
        let of_one_unit =
            |one: &UnitTest, other: &UnitTest| one.unit && other.unit && one.module == other.module;
        let mut runs = Vec::new();
        for unit in chosen.chunk_by(of_one_unit) {
            self.run_unit(unit, &mut runs);
        }
        self.machine.loading.tests = tests;
        self.machine.flush_output();
        runs
    }

    /// Runs tests that follow each other and belong to one unit, or a single one. What the unit's setup binds is bound
    /// in its cleanup.
    fn run_unit(&mut self, tests: &[UnitTest], runs: &mut Vec<TestRun>) {
        let scope = self.machine.begin_scope();
        let shared = tests.first().filter(|test| test.unit);
        let shared = shared.map(|test| (test, test.term.restore(&mut self.machine.store)));
        let ready =
            shared.map_or_else(Finding::passed, |(test, term)| self.finding("$unit_begin", test, term));
        let done = !ready.reasons.is_empty();
        for test in tests {
            let Finding { result, reasons } = if done { ready.clone() } else { self.run_test(test) };
            runs.push(TestRun {
                predicate: test.predicate.clone(),
                file: self.machine.atoms.text(test.place.file).to_owned(),
                lines: test.place.lines,
                comment: test.comment.clone(),
                result,
                reasons,
            });
        }
        if let (Some((test, term)), false, Some(last)) = (shared, done, runs.last_mut()) {
            let end = self.finding("$unit_end", test, term);
            last.result = last.result.max(end.result);
            last.reasons.extend(end.reasons);
        }
        if let (Some(code), Some(last)) = (self.machine.end_scope(scope), runs.last_mut()) {
            last.result = last.result.max(TestResult::Aborted);
            last.reasons.push(halted(code));
        }
    }

    fn run_test(&mut self, test: &UnitTest) -> Finding {
        let scope = self.machine.begin_scope();
        let term = test.term.restore(&mut self.machine.store);
        let mut finding = self.finding("$run_test", test, term);
        if let Some(code) = self.machine.end_scope(scope) {
            finding.result = finding.result.max(TestResult::Aborted);
            finding.reasons.push(halted(code));
        }
        finding
    }

    /// What a predicate of `library/unittest.pl` says of a test, whose term is in the store.
    fn finding(&mut self, predicate: &str, test: &UnitTest, term: Cell) -> Finding {
        let machine = &mut self.machine;
        let before = std::mem::take(&mut machine.recorded);
        let contract = match test.contract {
            Some(number) => Cell::count(number as usize),
            None => Cell::atom(machine.atoms.intern("none")),
        };
        let results = machine.store.variable();
        let name = machine.atoms.intern(predicate);
        let goal = machine.store.compound(name, &[Cell::atom(test.module), term, contract, results]);
        let goal = machine.store.compound(atom::COLON, &[Cell::atom(atom::SYSTEM), goal]);
        let outcome = machine.run(goal);
        let mut reasons: Vec<String> = Vec::new();
        let mut result = match outcome {
            RunOutcome::Succeeded => {
                let results = machine.store.list_elements(results).unwrap_or_default();
                let records: Vec<Record> =
                    results.into_iter().map(|cell| Record::new(&machine.store, cell)).collect();
                let mut worst = TestResult::Passed;
                for record in records {
                    let (one, reason) = report::test_result(machine, &record);
                    worst = worst.max(one);
                    reasons.extend(reason.filter(|reason| !reasons.contains(reason)));
                }
                worst
            }
            RunOutcome::Failed => TestResult::Aborted,
            RunOutcome::Halted(code) => {
                reasons.push(halted(code));
                TestResult::Aborted
            }
            RunOutcome::Threw(ball) => {
                reasons.push(report::error(machine, &ball).trim_end().to_owned());
                TestResult::Aborted
            }
        };
        for ball in std::mem::replace(&mut machine.recorded, before) {
            let told = report::violation(machine, &ball).unwrap_or_default();
            if !reasons.contains(&told) {
                reasons.push(told);
            }
            result = result.max(TestResult::Failed);
        }
        Finding { result, reasons }
    }

    /// The exit code of a run of tests.
    #[must_use]
    pub fn test_exit(&self, runs: &[TestRun]) -> i32 {
        if let Some(code) = self.halted {
            return code;
        }
        if self.machine.loading.errors > 0 {
            exit::UNUSABLE
        } else if runs.iter().all(|run| run.result == TestResult::Passed) {
            exit::OK
        } else {
            exit::FINDINGS
        }
    }
}
