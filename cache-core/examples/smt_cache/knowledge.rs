//! Questions to the cache: what enters their keys.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::UNIX_EPOCH;

use cache_core::cache::{Answer, Asked, Cache, Cost, Lookup};
use cache_core::key::{Checksum, Key, KeyBuilder};
use cache_core::limits::Limits;
use cache_core::rename::{Canonical, Confirmed, Normalizer, Renaming};
use serde::{Deserialize, Serialize};

use super::answer::{Piece, Said, Verdict};
use super::scope::Scope;
use super::term::Term;

/// Raised whenever the meaning of a key or of an answer changes.
pub(crate) const VERSION: u32 = 7;

/// The cache, with what all questions to one solver share.
pub(crate) struct Knowledge {
    pub(crate) cache: Cache<Said>,
    /// Whether hits are asked again.
    pub(crate) audited: bool,
    base: KeyBuilder,
}

/// The keys of a check. A solver that does not decide it may do so because of what it saw before, or of how things are
/// called, so that this has keys of its own, with everything that was said, as it was written.
pub(crate) struct Keys {
    /// Satisfiable or not.
    pub(crate) decided: Key,
    /// The solver gave the check up.
    pub(crate) gave_up: Key,
    /// Its time was up before the check had used its own, and it ended.
    pub(crate) ended: Key,
}

impl Keys {
    /// Where a verdict lies.
    pub(crate) fn of(&self, verdict: Verdict) -> &Key {
        if verdict == Verdict::Unknown { &self.gave_up } else { &self.decided }
    }
}

/// A question in normal form.
pub(crate) struct Question {
    pub(crate) checksum: Checksum,
    pub(crate) back: Canonical,
}

/// A term in the names of a question: its shape, and the numbers of its names.
#[derive(Clone, Debug)]
pub(crate) struct Numbered {
    shape: Checksum,
    names: Vec<u32>,
}

impl Numbered {
    /// Names that are new to the question are numbered behind the others.
    pub(crate) fn of(term: Term, scope: &Scope, renaming: &mut Renaming) -> Self {
        let Question { checksum: shape, back } = question(scope, Some(term), &[]);
        Self { shape, names: back.renaming.atoms().iter().map(|atom| renaming.add(*atom)).collect() }
    }
}

/// A set of statements, and perhaps something that is asked of them, up to renaming and order.
pub(crate) fn question(scope: &Scope, query: Option<Term>, statements: &[Term]) -> Question {
    let normal = scope.names.shapes.normalize(Confirmed { expression: query, constraints: statements });
    Question { checksum: normal.checksum, back: normal.back }
}

impl Knowledge {
    /// `base` is what all keys begin with: the solver with its version, and the arguments that can change an answer.
    pub(crate) fn new(cache: Cache<Said>, audited: bool, base: KeyBuilder) -> Self {
        Self { cache, audited, base }
    }

    fn begin(&self, scope: &Scope) -> KeyBuilder {
        self.base.clone().option("settings", &scope.options())
    }

    /// Whether the solver accepts these statements.
    pub(crate) fn accepted(&self, scope: &Scope, statements: &[Term]) -> Key {
        self.begin(scope).content("accepted", &question(scope, None, statements).checksum).finish()
    }

    /// What the solver says of these statements, of which it refuses some: errors are told in the order of what
    /// was said, as it was written.
    pub(crate) fn objected(&self, scope: &Scope, statements: &[&[u8]]) -> Key {
        self.begin(scope).content("objected", &scope.history()).content("statements", &statements).finish()
    }

    /// What holds is satisfiable, or not, or not decided within these limits.
    pub(crate) fn verdict(&self, scope: &Scope, statements: &[Term], limits: &Limits) -> Keys {
        let begun = self.begin(scope).content("check", &question(scope, None, statements).checksum);
        let own = (limits.wall_ms, limits.resource, limits.memory_bytes);
        let session = begun.clone().content("session", &scope.session()).content("limits", &own);
        Keys {
            decided: begun.clone().finish(),
            gave_up: begun.content("history", &scope.history()).finish(),
            ended: session.finish(),
        }
    }

    /// A question about the last check, behind what was `said` about it.
    pub(crate) fn about(&self, scope: &Scope, verdict: Verdict, said: &Checksum, asked: &Numbered) -> Key {
        let key = self.begin(scope).content("verdict", verdict.word()).content("said", said);
        let key = key.content("asked", &asked.shape).content("names", &asked.names);
        match verdict {
            Verdict::Unknown => key.content("history", &scope.history()).finish(),
            _ => key.finish(),
        }
    }

    /// What was said about a check, with one response more. It is kept as a digest, so that a question costs the same
    /// however many there were.
    pub(crate) fn said(&self, before: &Checksum, asked: &Numbered, response: &[Piece]) -> Checksum {
        let key = self.base.clone().content("said", before);
        let key = key.content("asked", &asked.shape).content("names", &asked.names);
        key.content("response", &format!("{response:?}")).finish().checksum()
    }

    /// What the solver says of its own work when it ends, after these checks.
    pub(crate) fn statistics(&self, scope: &Scope, checks: &[Checksum]) -> Key {
        self.begin(scope).content("statistics", checks).finish()
    }

    /// A question that no statement has to do with.
    /// That `success` is said is no option that changes answers; but it can be asked for, and some say it to an `echo`.
    pub(crate) fn alone(&self, scope: &Scope, text: &str) -> Key {
        self.begin(scope).content("alone", text).content("praised", &scope.says_success()).finish()
    }

    /// With which status the solver ends that gave an error and went on.
    pub(crate) fn behind_error(&self) -> Key {
        self.base.clone().content("behind an error", &true).finish()
    }

    /// What is known, and whether the solver is to be asked all the same.
    pub(crate) fn lookup(&mut self, key: &Key, limits: &Limits) -> Option<(Said, bool)> {
        match self.cache.lookup(key, limits) {
            Lookup::Hit { answer, audit, .. } => Some((answer, audit)),
            Lookup::Miss(_) => None,
        }
    }

    /// Keeps what the solver said.
    pub(crate) fn fill(&mut self, key: &Key, limits: &Limits, said: Said, seconds: f64) {
        self.cache.fill(key, limits, &Asked { answer: said, cost: Cost { seconds, resource: 0 } });
    }
}

/// What a solver's executable calls itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Version(pub(crate) String);

impl Answer for Version {
    fn out_of_limits(&self) -> bool {
        false
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

/// The version of a solver's executable, asked once for each file; of a script, which starts another program that may
/// change, each time. Absent if it cannot be asked.
pub(crate) fn version(
    cache: &mut Cache<Version>,
    program: &Path,
    ask: impl FnOnce() -> Option<String>,
) -> Option<String> {
    if is_script(program) {
        return ask();
    }
    let about = std::fs::metadata(program).ok()?;
    let changed = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let path = std::fs::canonicalize(program).ok()?;
    let key = KeyBuilder::new("smt-solver", VERSION)
        .content("file", path.as_path())
        .content("length", &about.len())
        .content("changed", &changed)
        .finish();
    let answered = cache.answer(&key, &Limits::unlimited(), || {
        let said = ask().ok_or("it does not say")?;
        Ok::<_, &str>(Asked { answer: Version(said), cost: Cost::default() })
    });
    answered.ok().map(|answered| answered.answer.0)
}

/// Whether a program is text for another one, as wrappers of solvers are.
fn is_script(program: &Path) -> bool {
    let mut begin = [0; 2];
    let read = File::open(program).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == *b"#!"
}
