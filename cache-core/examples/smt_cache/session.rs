//! A session: command by command, answered from what is known, or by the solver.
//!
//! What a solver accepts in silence is *pending* until an answer is due. Then either an answer is known to exactly the
//! statements that hold, so that they are in order, or it is known that the solver accepts them, or the solver is
//! asked. The solver is given everything that was said and holds its peace about, and, of the questions before, those
//! about the last check only; a question of its own it answers once.
//!
//! Answers about one model belong together: what was said of a model goes into the question for more of it. Where the
//! solver has to be asked for more, it must have the same model: what was said is asked again and compared, and
//! the values that were given are asserted if it differs (`model`).

mod about;
mod live;
mod pending;

use std::io::{self, Read, Write};
use std::ops::Range;
use std::time::Instant;

use cache_core::key::Checksum;
use cache_core::limits::Limits;
use cache_core::rename::Renaming;
use yaspar::tokens::Command;

use super::answer::{Piece, Said, Verdict, to_own};
use super::knowledge::{Keys, Knowledge};
use super::program::Program;
use super::read::{Form, Reader, Tree};
use super::scope::{Id, Scope};
use super::script::{Next, Script};
use super::solver::Solver;
use super::term::{Bound, Term, term};
use about::About;
use live::Asked;

/// What Z3 says when its time is up, and ends.
const TIMEOUT: &str = "timeout\n";

/// The solver as it is started, and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub(crate) program: Program,
    pub(crate) arguments: Vec<String>,
    /// The script, if it is a file, as the asker named it.
    pub(crate) file: Option<String>,
    pub(crate) limits: Limits,
    /// After how many milliseconds in all it gives up and ends, if it does.
    pub(crate) patience: Option<u64>,
    /// Whether it tells statistics when it ends.
    pub(crate) tells_statistics: bool,
    /// Whether it behaves as Z3 does: it goes on after an error, ends with status 1 then, and echoes without quotes.
    pub(crate) is_z3: bool,
    /// Whether it may be started: not offline.
    pub(crate) may_start: bool,
}

/// What happened in a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Questions (checks, and questions about them) answered from the cache, and by the solver.
    pub(crate) known: u64,
    pub(crate) asked: u64,
    /// Questions that are not kept: the solver's word was given as it came.
    pub(crate) passed: u64,
    /// Audits that found another answer.
    pub(crate) disagreements: u64,
    /// Whether the solver was started.
    pub(crate) started: bool,
}

/// What a command of the script was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// It changed what holds, or is to.
    Statement,
    /// It was to change what holds, and the solver refused it.
    Refused,
    Check,
    Query,
}

#[derive(Clone, Debug)]
struct Step {
    range: Range<usize>,
    what: What,
    sent: bool,
}

/// A statement that the solver is not known to accept yet.
#[derive(Clone, Copy, Debug)]
struct Pending {
    id: Id,
    /// Its place among the steps.
    step: usize,
    /// Whether the solver says `success` to it.
    praised: bool,
    /// Whether the solver may refuse it because of the last check.
    behind_check: bool,
}

/// The last check, as long as nothing changed since.
struct Last {
    terms: Vec<Term>,
    verdict: Verdict,
    limits: Limits,
    /// What was asked about it, if anything was.
    about: Option<About>,
    /// The responses to that.
    responses: Vec<String>,
    check: Range<usize>,
    /// The solver's model, if it has one, is not the one that was spoken of.
    other_model: bool,
    /// The solver, told of this check alone, did not decide it.
    gives_up: bool,
}

/// See the [module](self).
pub(crate) struct Session<'a> {
    engine: Engine,
    pub(crate) knowledge: Knowledge,
    pub(crate) tally: Tally,
    pub(crate) warnings: Vec<String>,
    out: &'a mut dyn Write,
    script: Script,
    reader: Reader,
    scope: Scope,
    solver: Option<Solver>,
    steps: Vec<Step>,
    pending: Vec<Pending>,
    last: Option<Last>,
    /// The verdicts so far, by their keys.
    checks: Vec<Checksum>,
    /// The place of the last check among the steps.
    checked: usize,
    /// Nothing is looked up and kept any more.
    opaque: bool,
    /// The cache gave an error.
    failed: bool,
    /// The solver gave one and went on.
    survived: bool,
}

/// How a session goes on after a command.
enum Then {
    Goes,
    Ends(u8),
}

type Outcome = io::Result<Then>;

impl<'a> Session<'a> {
    pub(crate) fn new(engine: Engine, knowledge: Knowledge, out: &'a mut dyn Write) -> Self {
        let (scope, script) = (Scope::new(engine.is_z3), Script::new(engine.is_z3));
        Self {
            engine,
            knowledge,
            tally: Tally::default(),
            warnings: Vec::new(),
            out,
            script,
            reader: Reader::default(),
            scope,
            solver: None,
            steps: Vec::new(),
            pending: Vec::new(),
            last: None,
            checks: Vec::new(),
            checked: 0,
            opaque: false,
            failed: false,
            survived: false,
        }
    }

    /// Answers a script; the status with which the solver would end.
    pub(crate) fn run(&mut self, mut input: Box<dyn Read + Send>) -> io::Result<u8> {
        loop {
            let range = match self.script.next(&mut *input)? {
                Next::Command(range) => range,
                Next::Strange(at) => return self.pass(at, input),
                Next::End => return self.finish(),
            };
            let then = match self.reader.read(self.script.bytes(range.clone())) {
                // What marks the end of a response would go there too.
                Some(Form::Command(read)) if moves_output(read.0, &read.1) => {
                    return self.pass(range.start, input);
                }
                Some(Form::Command(read)) => self.command(read.0, &read.1, range)?,
                Some(Form::Labels(tree)) if self.engine.is_z3 => self.about(&tree, range)?,
                _ => return self.pass(range.start, input),
            };
            if let Then::Ends(status) = then {
                return Ok(status);
            }
        }
    }

    fn command(&mut self, command: Command, tree: &Tree, range: Range<usize>) -> Outcome {
        let count = match tree.members(tree.root()) {
            // Z3 goes one level; others may refuse.
            [_] => self.engine.is_z3.then_some(1),
            [_, first, ..] => tree.text(*first).parse::<usize>().ok(),
            _ => None,
        };
        self.scope.hear(self.script.bytes(range.clone()));
        match (command, count) {
            (Command::CheckSat | Command::CheckSatAssuming, _) => self.check(tree, range),
            (Command::Push, Some(count)) if count <= 1_000 && !self.scope.says_success() && !self.opaque => {
                // What is pending goes on to hold.
                self.scope.push(count);
                self.last = None;
                self.steps.push(Step { range, what: What::Statement, sent: false });
                Ok(Then::Goes)
            }
            (Command::Push, Some(count)) if count <= 1_000 => self.move_level(range, |scope| {
                scope.push(count);
                true
            }),
            (Command::Pop, Some(count)) => self.move_level(range, |scope| scope.pop(count)),
            (Command::Reset, _) => {
                self.reader.remember();
                self.move_level(range, |scope| {
                    scope.reset();
                    true
                })
            }
            (Command::ResetAssertions, _) => self.move_level(range, |scope| {
                scope.reset_assertions();
                true
            }),
            (Command::Exit, _) => {
                if let Then::Ends(status) = self.settle()? {
                    return Ok(Then::Ends(status));
                }
                if self.solver.is_some() {
                    self.feed(Asked::Nothing)?;
                    let place = self.script.place(range.start);
                    if let Some(solver) = &mut self.solver {
                        solver.write(self.script.bytes(range), place);
                    }
                } else if self.scope.says_success() {
                    self.say("success\n")?;
                }
                Ok(Then::Ends(self.end()?))
            }
            (Command::Echo, _) => self.echo(tree, range),
            (Command::GetInfo, _) => match tree.members(tree.root()).get(1).map_or("", |it| tree.text(*it)) {
                ":name" | ":version" | ":authors" | ":error-behavior" => self.alone(range),
                ":reason-unknown" => self.about(tree, range),
                _ => self.unkept(range, false),
            },
            (Command::GetOption, _) => self.alone(range),
            (
                Command::GetModel
                | Command::GetValue
                | Command::GetUnsatCore
                | Command::GetUnsatAssumptions
                | Command::GetAssignment,
                _,
            ) => self.about(tree, range),
            (Command::GetAssertions | Command::GetProof, _) => self.unkept(range, false),
            _ => match self.scope.state(command, tree) {
                Some(id) => {
                    self.last = None;
                    self.steps.push(Step { range, what: What::Statement, sent: false });
                    let praised = self.scope.says_success();
                    let behind_check = self.scope.is_option_behind_check(id);
                    self.pending.push(Pending { id, step: self.steps.len() - 1, praised, behind_check });
                    self.opaque |= self.scope.is_opaque();
                    if self.scope.says_success() || self.opaque { self.settle() } else { Ok(Then::Goes) }
                }
                None => self.unkept(range, true),
            },
        }
    }

    /// A command that changes the levels.
    fn move_level(&mut self, range: Range<usize>, change: impl FnOnce(&mut Scope) -> bool) -> Outcome {
        if let Then::Ends(status) = self.settle()? {
            return Ok(Then::Ends(status));
        }
        let success = self.scope.says_success();
        if self.opaque || !change(&mut self.scope) {
            return self.unkept(range, true);
        }
        self.last = None;
        self.steps.push(Step { range, what: What::Statement, sent: false });
        if success && self.scope.says_success() {
            self.say("success\n")?;
        }
        Ok(Then::Goes)
    }

    fn check(&mut self, tree: &Tree, range: Range<usize>) -> Outcome {
        // An error in what is pending changes what holds, so that it comes first where anything may be wrong.
        let success = self.scope.says_success();
        if (success || self.opaque || self.knowledge.audited)
            && let Then::Ends(status) = self.settle()?
        {
            return Ok(Then::Ends(status));
        }
        if self.opaque {
            self.checked = self.steps.len();
            return self.unkept(range, false);
        }
        let mut assumed = Vec::new();
        for literal in tree.members(tree.root()).get(1).map_or(&[][..], |list| tree.members(*list)) {
            let literal = term(tree, *literal, Bound::Renamed, &mut self.scope.names);
            assumed.push(self.scope.names.build(("assume", 0), &[literal]));
        }
        self.scope.remember();
        let limits = self.scope.limits(&self.engine.limits);
        let patience = self.engine.patience;
        let patience = patience.map(|patience| Limits { wall_ms: Some(patience), ..limits.clone() });
        let mut found = None;
        let mut keys = self.keys(&assumed, &limits);
        for settled in [false, true] {
            if settled {
                let before = self.pending.len();
                if let Then::Ends(status) = self.settle()? {
                    return Ok(Then::Ends(status));
                }
                if before == 0 || self.opaque {
                    break;
                }
                keys = self.keys(&assumed, &limits);
            }
            found = self.knowledge.lookup(&keys.decided, &limits);
            found = found.or_else(|| self.knowledge.lookup(&keys.gave_up, &limits));
            found = found.or_else(|| self.knowledge.lookup(&keys.ended, patience.as_ref()?));
            if found.is_some() {
                break;
            }
        }
        self.scope.note_check();
        let terms = self.holding(&assumed);
        let before = std::mem::replace(&mut self.checked, self.steps.len());
        self.steps.push(Step { range: range.clone(), what: What::Check, sent: false });
        let new = |verdict| Last {
            terms,
            verdict,
            limits: limits.clone(),
            about: None,
            responses: Vec::new(),
            check: range.clone(),
            other_model: false,
            gives_up: false,
        };
        if let Some((Said::Verdict(verdict), false)) = found {
            self.pending.clear();
            self.tally.known += 1;
            self.checks.push(keys.of(verdict).checksum());
            self.last = Some(new(verdict));
            self.say(&format!("{}\n", verdict.word()))?;
            return Ok(Then::Goes);
        }
        if let Some((Said::Ended { text, status }, false)) = found {
            self.pending.clear();
            self.tally.known += 1;
            self.say(&text)?;
            return Ok(Then::Ends(status));
        }
        self.feed(Asked::Nothing)?;
        self.sent_last();
        let begun = Instant::now();
        let (text, alive) = self.ask(&range)?;
        let seconds = begun.elapsed().as_secs_f64();
        self.out.write_all(&text)?;
        self.out.flush()?;
        if !alive {
            let status = self.end()?;
            if let (Some(patience), Ok(text)) = (&patience, String::from_utf8(text))
                && text.starts_with(TIMEOUT)
                && !self.opaque
            {
                self.knowledge.fill(&keys.ended, patience, Said::Ended { text, status }, seconds);
            }
            return Ok(Then::Ends(status));
        }
        self.tally.asked += 1;
        let verdict = str::from_utf8(&text).ok().and_then(Verdict::of);
        self.last = verdict.map(new);
        if verdict.is_none() {
            // The solver refused, and goes on to speak of the check before.
            self.checked = before;
        }
        let Some(verdict) = verdict.filter(|_| !self.opaque) else { return Ok(Then::Goes) };
        let key = keys.of(verdict);
        self.checks.push(key.checksum());
        if let Some((Said::Verdict(known), _)) = found {
            if known != verdict && known != Verdict::Unknown && verdict != Verdict::Unknown {
                let words =
                    format!("the cache held {} where the solver says {}", known.word(), verdict.word());
                self.disagree(&words);
                self.knowledge.fill(key, &limits, Said::Verdict(verdict), seconds);
            }
        } else {
            self.knowledge.fill(key, &limits, Said::Verdict(verdict), seconds);
        }
        Ok(Then::Goes)
    }

    fn keys(&self, assumed: &[Term], limits: &Limits) -> Keys {
        self.knowledge.verdict(&self.scope, &self.holding(assumed), limits)
    }

    fn holding(&self, assumed: &[Term]) -> Vec<Term> {
        let mut terms = self.scope.terms();
        terms.extend_from_slice(assumed);
        terms
    }

    /// A question that no statement has to do with.
    fn alone(&mut self, range: Range<usize>) -> Outcome {
        if let Then::Ends(status) = self.settle()? {
            return Ok(Then::Ends(status));
        }
        let text = String::from_utf8_lossy(self.script.bytes(range.clone())).into_owned();
        let key = self.knowledge.alone(&self.scope, &text);
        let limits = Limits::unlimited();
        if !self.opaque
            && let Some((Said::Text { pieces, .. }, false)) = self.knowledge.lookup(&key, &limits)
        {
            let renaming = Renaming::default();
            let repeated = self.repeated(&range);
            if let Some(response) = to_own(&pieces, &repeated, &self.scope.names, &renaming) {
                self.tally.known += 1;
                return self.say(&response).map(|()| Then::Goes);
            }
        }
        self.feed_last()?;
        let (text, alive) = self.ask(&range)?;
        self.out.write_all(&text)?;
        self.out.flush()?;
        if !alive {
            return Ok(Then::Ends(self.end()?));
        }
        self.tally.asked += 1;
        if let Ok(response) = String::from_utf8(text)
            && !self.opaque
            && !response.contains("(error")
            && !response.starts_with("unsupported")
        {
            let pieces = vec![Piece::Raw(response)];
            self.knowledge.fill(&key, &limits, Said::Text { pieces, gave_up: false }, 0.0);
        }
        Ok(Then::Goes)
    }

    fn echo(&mut self, tree: &Tree, range: Range<usize>) -> Outcome {
        if !self.engine.is_z3 {
            return self.alone(range);
        }
        if let Then::Ends(status) = self.settle()? {
            return Ok(Then::Ends(status));
        }
        let literal = tree.members(tree.root()).get(1).map_or("", |text| tree.text(*text));
        let text = literal.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(literal);
        self.say(&format!("{}\n", text.replace("\"\"", "\"")))?;
        Ok(Then::Goes)
    }

    /// A command whose answer is not kept. One that `changes` what holds, if the solver takes it, leaves that unknown.
    fn unkept(&mut self, range: Range<usize>, changes: bool) -> Outcome {
        if let Then::Ends(status) = self.settle()? {
            return Ok(Then::Ends(status));
        }
        self.feed_last()?;
        self.steps.push(Step { range: range.clone(), what: What::Query, sent: true });
        let (text, alive) = self.ask(&range)?;
        self.tally.passed += 1;
        self.opaque |= changes && !text.windows(6).any(|it| it == b"(error");
        self.out.write_all(&text)?;
        self.out.flush()?;
        Ok(if alive { Then::Goes } else { Then::Ends(self.end()?) })
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    fn disagree(&mut self, words: &str) {
        self.tally.disagreements += 1;
        self.warnings.push(format!("{words}: the solver's answer is given and kept"));
    }

    fn sent_last(&mut self) {
        if let Some(step) = self.steps.last_mut() {
            step.sent = true;
        }
    }

    /// The solver answers from here on.
    fn pass(&mut self, at: usize, input: Box<dyn Read + Send>) -> io::Result<u8> {
        if let Then::Ends(status) = self.settle()? {
            return Ok(status);
        }
        self.feed_last()?;
        self.tally.passed += 1;
        let (rest, place) = (self.script.rest(at).to_vec(), self.script.place(at));
        if let Some(solver) = &mut self.solver {
            solver.pass(&rest, input, place, self.out)?;
        }
        self.end()
    }

    /// The end of the script.
    fn finish(&mut self) -> io::Result<u8> {
        match self.settle()? {
            Then::Ends(status) => Ok(status),
            Then::Goes => self.end(),
        }
    }

    fn end(&mut self) -> io::Result<u8> {
        if self.engine.tells_statistics && self.solver.is_none() {
            let key = self.knowledge.statistics(&self.scope, &self.checks);
            let known = self.knowledge.lookup(&key, &self.engine.limits.clone());
            if let Some((Said::Words(words), false)) = known {
                self.say(&words)?;
                return Ok(self.status());
            }
            self.feed_last()?;
        }
        let Some(mut solver) = self.solver.take() else { return Ok(self.status()) };
        let mut last_words = Vec::new();
        let status = solver.finish(&mut last_words)?;
        self.out.write_all(&last_words)?;
        self.out.flush()?;
        // Those of a solver that answered every check.
        if self.engine.tells_statistics
            && !self.opaque
            && (self.tally.known, self.tally.passed) == (0, 0)
            && let Ok(words) = String::from_utf8(last_words)
            && words.starts_with("(:")
        {
            let key = self.knowledge.statistics(&self.scope, &self.checks);
            self.knowledge.fill(&key, &self.engine.limits.clone(), Said::Words(words), 0.0);
        }
        if self.survived && !self.opaque {
            let key = self.knowledge.behind_error();
            self.knowledge.fill(&key, &Limits::unlimited(), Said::Words(status.to_string()), 0.0);
        }
        Ok(if status == 0 { self.status() } else { status })
    }

    /// The status for the errors that the cache gave.
    fn status(&mut self) -> u8 {
        if self.failed { self.status_behind_error().unwrap_or(1) } else { 0 }
    }

    /// What the solver ends with behind an error that it goes on after: 1 where it is Z3, and where it is another what
    /// was seen, if anything was.
    fn status_behind_error(&mut self) -> Option<u8> {
        if self.engine.is_z3 {
            return Some(1);
        }
        let key = self.knowledge.behind_error();
        match self.knowledge.lookup(&key, &Limits::unlimited()) {
            Some((Said::Words(status), _)) => status.parse().ok(),
            _ => None,
        }
    }
}

/// Whether a command lets a solver write its answers elsewhere.
fn moves_output(command: Command, tree: &Tree) -> bool {
    let words: Vec<&str> = tree.members(tree.root()).iter().skip(1).map(|it| tree.text(*it)).collect();
    command == Command::SetOption
        && words.first() == Some(&":regular-output-channel")
        && words.get(1) != Some(&"\"stdout\"")
}
