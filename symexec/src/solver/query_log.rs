//! Questions as KLEE logs them (`--use-query-log`): each as a query in KLEE's language or as an SMT-LIB 2 script,
//! behind a comment with its number, its kind and how many instructions were executed before it, and followed by how
//! it ended and how long it took.
//!
//! A log stands at one place of the chain and passes everything on: in front of it what it sees is all that
//! the engine asks, in front of the solver what nobody before knew. Truths are queries whose last part is what must
//! hold for the answer to be "no"; models are queries whose values are wanted.

use std::cell::Cell;
use std::fmt::{Display, Write};
use std::io::Write as _;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use cache_core::cache::Cost;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::condition::Condition;
use super::{Counts, Decided, Query, Solver, SolverError};
use crate::base::system::System;
use crate::expr::{Arena, ArrayId, ExprId, InputId, Model, Node};

/// How many instructions were executed, for whoever notes it. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Instructions(Rc<Cell<u64>>);

impl Instructions {
    /// Says how many there are now.
    pub fn set(&self, count: u64) {
        self.0.set(count);
    }
}

/// In which languages questions are logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Languages {
    /// In KLEE's own.
    pub kquery: bool,
    /// As SMT-LIB 2 scripts.
    pub smtlib: bool,
}

/// Which questions are logged, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Logged {
    /// Everything that the engine asks.
    pub all: Languages,
    /// What reaches the solver.
    pub solver: Languages,
    /// How long a question takes at least to be logged.
    pub least_time: Duration,
    /// Whether questions are left out for which the solver's time was too short.
    pub only_answered: bool,
    /// Whether questions are written before they are asked, so that one that ends the process is there.
    pub early: bool,
    /// Whether the files are compressed.
    pub compressed: bool,
}

impl Logged {
    /// Whether there are logs.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        [self.all, self.solver].iter().any(|languages| languages.kquery || languages.smtlib)
    }
}

/// The files of a log, at one place of the chain.
#[derive(Clone)]
pub(super) struct LogFiles {
    /// The folder of the run.
    pub(super) folder: PathBuf,
    /// What their names begin with.
    pub(super) name: &'static str,
    /// In which languages.
    pub(super) languages: Languages,
    /// Which questions.
    pub(super) logged: Logged,
}

/// So many bytes of questions are compressed together.
const COMPRESSED_TOGETHER: usize = 1 << 18;

/// What is to be compressed waits no longer than this, so that little is lost with a process that is killed.
const WAITS_AT_MOST: Duration = Duration::from_secs(5);

/// A place of the chain where questions are logged.
pub(super) struct QueryLog {
    inner: Box<dyn Solver>,
    system: Rc<dyn System>,
    files: LogFiles,
    instructions: Instructions,
    /// How many questions there were.
    number: u64,
    /// What is not written yet, as many questions together are compressed better than each by itself.
    waiting: Texts,
    /// When something was written last.
    written: Duration,
    warnings: Vec<String>,
}

/// What KLEE calls a question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Truth,
    Values,
}

/// A question's texts, in both languages or in one.
#[derive(Default)]
struct Texts {
    kquery: String,
    smtlib: String,
}

impl QueryLog {
    pub(super) fn new(
        inner: Box<dyn Solver>,
        system: Rc<dyn System>,
        files: LogFiles,
        instructions: Instructions,
    ) -> Self {
        Self {
            inner,
            written: system.elapsed(),
            system,
            files,
            instructions,
            number: 0,
            waiting: Texts::default(),
            warnings: Vec::new(),
        }
    }

    /// Asks the next one, and writes question and answer.
    fn logged<T>(
        &mut self,
        arena: &mut Arena,
        query: &Query,
        kind: Kind,
        ask: impl FnOnce(&mut dyn Solver, &mut Arena) -> Result<T, SolverError>,
        told: impl Fn(&Arena, &T, &[ArrayId]) -> Vec<String>,
    ) -> Result<T, SolverError> {
        let arrays = arrays(arena, query);
        let mut texts = self.texts(arena, query, kind, &arrays);
        self.number += 1;
        if self.files.logged.early {
            self.append(&std::mem::take(&mut texts));
        }
        let start = self.system.elapsed();
        // The question may take as long.
        if start.saturating_sub(self.written) >= WAITS_AT_MOST {
            self.write_waiting();
        }
        let answer = ask(&mut *self.inner, arena);
        let took = self.system.elapsed().saturating_sub(start);
        let status = if answer.is_ok() { "OK" } else { "FAIL" };
        let mut lines = vec![format!("{status} -- Elapsed: {}", Seconds(took))];
        match &answer {
            Ok(answer) => lines.extend(told(arena, answer, &arrays)),
            Err(error) => {
                lines.push(format!("Failure reason: {}", error.to_string().lines().next().unwrap_or("")));
            }
        }
        for line in lines {
            let _ = writeln!(texts.kquery, "#   {line}");
            let _ = writeln!(texts.smtlib, ";   {line}");
        }
        texts.kquery.push('\n');
        texts.smtlib.push('\n');
        let left_out = self.files.logged.only_answered && answer.is_err();
        if self.files.logged.early || took >= self.files.logged.least_time && !left_out {
            self.append(&texts);
        }
        answer
    }

    /// The question, with the line in front of it.
    fn texts(&self, arena: &mut Arena, query: &Query, kind: Kind, arrays: &[ArrayId]) -> Texts {
        let name = match kind {
            Kind::Truth => "Truth",
            Kind::Values => "InitialValues",
        };
        let header =
            format!("Query {} -- Type: {name}, Instructions: {}", self.number, self.instructions.0.get());
        let mut texts = Texts { kquery: format!("# {header}\n"), smtlib: format!("; {header}\n") };
        let with = |expr: ExprId| {
            let mut all = query.constraints.clone();
            all.push(expr);
            all
        };
        if self.files.languages.kquery {
            let text = match kind {
                Kind::Truth => {
                    let opposite = arena.not(query.expr);
                    Condition::new(arena, &with(opposite), arrays).implication()
                }
                Kind::Values => {
                    let asked = arena.is_true(query.expr);
                    let all = if asked { query.constraints.clone() } else { with(query.expr) };
                    Condition::new(arena, &all, arrays).values()
                }
            };
            let text = text.unwrap_or_else(|error| format!("# not written: {error}\n"));
            texts.kquery.push_str(&text);
        }
        if self.files.languages.smtlib {
            let condition = Condition::new(arena, &with(query.expr), arrays);
            texts.smtlib.push_str(&condition.script(kind == Kind::Values));
        }
        texts
    }

    /// Writes texts, or keeps them until there are enough to be compressed together.
    fn append(&mut self, texts: &Texts) {
        if !self.files.logged.compressed {
            return self.write(texts);
        }
        self.waiting.kquery.push_str(&texts.kquery);
        self.waiting.smtlib.push_str(&texts.smtlib);
        let length = self.waiting.kquery.len() + self.waiting.smtlib.len();
        let long_ago = self.system.elapsed().saturating_sub(self.written) >= WAITS_AT_MOST;
        if self.files.logged.early || length >= COMPRESSED_TOGETHER || long_ago {
            self.write_waiting();
        }
    }

    fn write_waiting(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.write(&waiting);
        self.written = self.system.elapsed();
    }

    fn write(&mut self, texts: &Texts) {
        let Languages { kquery, smtlib } = self.files.languages;
        let compressed = self.files.logged.compressed;
        for (wanted, ending, text) in [(kquery, "kquery", &texts.kquery), (smtlib, "smt2", &texts.smtlib)] {
            if !wanted || text.is_empty() {
                continue;
            }
            let packed = if compressed { ".gz" } else { "" };
            let path = self.files.folder.join(format!("{}.{ending}{packed}", self.files.name));
            let written = if compressed {
                zipped(text.as_bytes()).and_then(|bytes| self.system.append_file(&path, &bytes))
            } else {
                self.system.append_file(&path, text.as_bytes())
            };
            if let Err(error) = written {
                self.warnings.push(format!("the log of questions ends: {}: {error}", path.display()));
                self.files.languages = Languages::default();
                return;
            }
        }
    }
}

impl Drop for QueryLog {
    fn drop(&mut self) {
        self.write_waiting();
    }
}

/// Bytes as a member of a file of `gzip`, which may have many.
fn zipped(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// What is said of a model: each array with its bytes.
fn values(arena: &Arena, model: Option<&Model>, arrays: &[ArrayId]) -> Vec<String> {
    let mut lines = vec![format!("Solvable: {}", model.is_some())];
    for array in model.iter().flat_map(|model| arrays.iter().map(move |array| (model, array))) {
        let (model, array) = (array.0, arena.array(*array.1));
        let bytes: Vec<String> = array.bytes.iter().map(|byte| model.get(*byte).to_string()).collect();
        lines.push(format!("  {} = [{}]", array.name, bytes.join(",")));
    }
    lines
}

/// The inputs of which bytes occur in a question, in the order in which they were made.
fn arrays(arena: &Arena, query: &Query) -> Vec<ArrayId> {
    let mut stack: Vec<ExprId> = query.constraints.iter().copied().chain([query.expr]).collect();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut found: Vec<InputId> = Vec::new();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        match arena.node(id) {
            Node::Input(input) => found.push(input),
            _ => arena.children(id, &mut stack),
        }
    }
    let mut arrays: Vec<ArrayId> = found.into_iter().map(|input| arena.array_of(input)).collect();
    arrays.sort_unstable();
    arrays.dedup();
    arrays
}

/// A time as KLEE writes it: seconds, with six digits behind the point.
struct Seconds(Duration);

impl Display for Seconds {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:.6}s", self.0.as_secs_f64())
    }
}

impl Solver for QueryLog {
    fn inner(&self) -> Option<&dyn Solver> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Solver> {
        Some(&mut *self.inner)
    }

    /// What is logged is asked one by one.
    fn possible(&mut self, _: &mut Arena, _: &[ExprId], _: &[ExprId]) -> Option<Vec<bool>> {
        None
    }

    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
        let told = |_: &Arena, holds: &bool, _: &[ArrayId]| vec![format!("Is Valid: {}", !holds)];
        self.logged(arena, query, Kind::Truth, |inner, arena| inner.satisfiable(arena, query), told)
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        let told =
            |arena: &Arena, model: &Option<Model>, arrays: &[ArrayId]| values(arena, model.as_ref(), arrays);
        self.logged(arena, query, Kind::Values, |inner, arena| inner.model(arena, query), told)
    }

    fn witness(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        let told =
            |arena: &Arena, model: &Option<Model>, arrays: &[ArrayId]| values(arena, model.as_ref(), arrays);
        self.logged(arena, query, Kind::Values, |inner, arena| inner.witness(arena, query), told)
    }

    fn decide(&mut self, arena: &mut Arena, query: &Query) -> Result<Decided, SolverError> {
        let told = |_: &Arena, answer: &Decided, _: &[ArrayId]| {
            vec![format!("Is Valid: {}", matches!(answer, Decided::Contradictory))]
        };
        self.logged(arena, query, Kind::Truth, |inner, arena| inner.decide(arena, query), told)
    }

    fn learn(&mut self, arena: &mut Arena, query: &Query, answer: Decided) {
        self.inner.learn(arena, query, answer);
    }

    fn spent(&self) -> Cost {
        self.inner.spent()
    }

    fn count(&self, counts: &mut Counts) {
        self.inner.count(counts);
    }

    fn finish(&mut self) {
        self.write_waiting();
        self.inner.finish();
    }

    fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut self.warnings);
        warnings.extend(self.inner.take_warnings());
        warnings
    }
}
