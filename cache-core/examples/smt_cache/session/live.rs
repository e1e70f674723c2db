//! The solver's side of a session: what it is given, and when; and what it is bound to where it has another model than
//! the one that was spoken of.

use std::io;
use std::ops::Range;

use super::super::answer::Verdict;
use super::super::model::{same_words, values};
use super::super::solver::{Manner, Solver};
use super::{Engine, Last, Session, Step, What};

/// What a solver is asked beside what it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Nothing,
    /// The last check, and the questions about it.
    Last,
    /// All checks and all questions.
    All,
}

impl Session<'_> {
    /// Gives the solver what it needs to be asked about the last check, if it would still have a model of it.
    pub(super) fn feed_last(&mut self) -> io::Result<()> {
        let behind = self.steps.get(self.checked..).unwrap_or_default();
        let ended = behind
            .iter()
            .any(|step| step.what == What::Statement && ends_model(self.script.bytes(step.range.clone())));
        if ended {
            return self.feed(Asked::Nothing);
        }
        self.feed(Asked::Last)?;
        let left_out = |step: &Step| !step.sent && matches!(step.what, What::Check | What::Query);
        let helped = self.steps.get(..self.checked).unwrap_or_default().iter().any(left_out);
        let Some(last) = self.last.as_mut().filter(|last| last.gives_up && helped) else { return Ok(()) };
        // A solver may decide a check thanks to those before it: one that is told all of it again says what it said to
        // whoever had no cache.
        (last.gives_up, last.other_model) = (false, false);
        self.solver = None;
        for step in &mut self.steps {
            step.sent = false;
        }
        self.feed(Asked::All)
    }

    /// Gives the solver, which is started if need be, what it was not given, up to what is pending. The answers about
    /// the last check are compared with those that were given.
    pub(super) fn feed(&mut self, asked: Asked) -> io::Result<()> {
        self.start()?;
        let first_pending = self.pending.first().map_or(self.steps.len(), |it| it.step);
        let mut silent = false;
        for number in 0..first_pending {
            let Some(step) = self.steps.get_mut(number).filter(|step| !step.sent) else { continue };
            let is_told = match (step.what, asked) {
                (What::Statement, _) => true,
                (_, Asked::Nothing) => false,
                (What::Check | What::Query, Asked::All) => true,
                _ => number >= self.checked,
            };
            if !is_told {
                continue;
            }
            step.sent = true;
            let Step { range, what, .. } = step.clone();
            let place = self.script.place(range.start);
            let Some(solver) = &mut self.solver else { continue };
            if what == What::Statement {
                solver.write(self.script.bytes(range), place);
                silent = true;
                continue;
            }
            if std::mem::take(&mut silent) {
                solver.response();
            }
            let shift = solver.write(self.script.bytes(range), place);
            let response = solver.response();
            let text = String::from_utf8_lossy(&solver.counted_back(&response.text, shift)).into_owned();
            let Some(last) = self.last.as_mut().filter(|_| number >= self.checked) else { continue };
            if what == What::Check {
                let verdict = Verdict::of(&text);
                last.other_model |= verdict != Some(last.verdict);
                last.gives_up = verdict == Some(Verdict::Unknown) && last.verdict != Verdict::Unknown;
            } else {
                let place = self.steps.get(self.checked..number).unwrap_or_default();
                let place = place.iter().filter(|step| step.what == What::Query).count();
                if last.responses.get(place).is_some_and(|given| !same_words(given, &text)) {
                    last.other_model = true;
                }
            }
        }
        if silent && let Some(solver) = &mut self.solver {
            solver.response();
        }
        Ok(())
    }

    pub(super) fn start(&mut self) -> io::Result<()> {
        if self.solver.is_some() {
            return Ok(());
        }
        if !self.engine.may_start {
            let words = "the answer is not known offline: run once with the cache mode read-write";
            return Err(io::Error::other(words));
        }
        self.tally.started = true;
        let mut mark = "end-of-response".to_owned();
        while self.script.contains(mark.as_bytes()) {
            mark.push('-');
        }
        let Engine { program, arguments, is_z3, file, .. } = &self.engine;
        let manner = if *is_z3 { Manner::Z3 } else { Manner::Other(file.clone()) };
        let solver = Solver::start(program.command(arguments), mark, manner).map_err(|error| {
            let program = program.path.display();
            io::Error::new(error.kind(), format!("cannot start the solver `{program}`: {error}"))
        })?;
        self.solver = Some(solver);
        Ok(())
    }

    /// Gives one command to the solver, which was given all before; the response, and whether it is still there.
    pub(super) fn ask(&mut self, range: &Range<usize>) -> io::Result<(Vec<u8>, bool)> {
        self.start()?;
        let place = self.script.place(range.start);
        let Some(solver) = &mut self.solver else { return Ok((Vec::new(), false)) };
        let shift = solver.write(self.script.bytes(range.clone()), place);
        let response = solver.response();
        Ok((solver.counted_back(&response.text, shift), response.alive))
    }

    /// Asks where the values that were given are asserted; an error where that cannot be done. One core is as good as
    /// another.
    pub(super) fn ask_in_model(&mut self, last: &Last, range: &Range<usize>) -> io::Result<(Vec<u8>, bool)> {
        if last.verdict == Verdict::Unsat {
            return self.ask(range);
        }
        let given: Option<Vec<(String, String)>> = last
            .responses
            .iter()
            .map(|response| values(response))
            .collect::<Option<Vec<_>>>()
            .map(|it| it.concat());
        let answer = match given {
            Some(given) => self.with_values(last, &given, Some(range))?,
            None => None,
        };
        let refusal = "(error \"the solver has another model than the one that was given: \
                       run without a cache (SMT_CACHE_MODE=off)\")\n";
        Ok(answer.unwrap_or_else(|| (refusal.as_bytes().to_vec(), true)))
    }

    /// Whether the solver finds the values of a response possible. Responses without values always are.
    pub(super) fn is_possible(&mut self, last: &Last, response: &str) -> io::Result<bool> {
        match values(response) {
            Some(given) if last.verdict == Verdict::Sat => {
                Ok(self.with_values(last, &given, None)?.is_some())
            }
            _ => Ok(true),
        }
    }

    /// Asserts that terms have these values and checks again; then asks, if there is something to be asked. Nothing if
    /// it cannot be.
    fn with_values(
        &mut self,
        last: &Last,
        given: &[(String, String)],
        range: Option<&Range<usize>>,
    ) -> io::Result<Option<(Vec<u8>, bool)>> {
        let place = self.script.place(last.check.start);
        let check = self.script.bytes(last.check.clone()).to_vec();
        let Some(solver) = &mut self.solver else { return Ok(None) };
        solver.write(b"(push 1)", place);
        for (term, value) in given {
            solver.write(format!("(assert (= {term} {value}))").as_bytes(), place);
        }
        let refused = solver.response();
        solver.write(&check, place);
        let checked = solver.response();
        let verdict = checked.as_text().and_then(Verdict::of);
        let errors = refused.text.windows(6).any(|it| it == b"(error");
        let answer = match (verdict, range) {
            // What cannot be asserted (an element that has no name) cannot be judged.
            (_, None) if errors => Some((Vec::new(), true)),
            (Some(Verdict::Unsat), _) => None,
            (_, None) => Some((Vec::new(), true)),
            (Some(Verdict::Sat), Some(range)) if !errors => Some(self.ask(range)?),
            _ => None,
        };
        if let Some(solver) = &mut self.solver {
            solver.write(b"(pop 1)", place);
            solver.response();
        }
        Ok(answer)
    }
}

/// Whether a solver has no model any more behind a statement.
fn ends_model(statement: &[u8]) -> bool {
    let words = statement.strip_prefix(b"(").unwrap_or_default().trim_ascii_start();
    let name = words.split(|byte| byte.is_ascii_whitespace() || *byte == b')').next().unwrap_or_default();
    [&b"assert"[..], b"push", b"pop", b"reset"].contains(&name)
}
