//! What is known of the texts that were loaded. It lies in the machine because programs load while they run.

use super::texts::TextIndex;
use crate::base::{Diagnostic, Source};
use crate::machine::{AssertionPlace, CheckFlags, ClauseId, Machine, PredicateId, fixed};
use crate::term::{Atom, Record, SourceNames};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How much is loaded, and how.
#[derive(Debug, Default)]
pub struct Loading {
    /// The files in the order in which they were first loaded.
    pub files: Vec<SourceFile>,
    /// The files that are being loaded, the outermost first.
    pub open: Vec<OpenFile>,
    /// Errors in texts so far.
    pub errors: usize,
    /// Those of them that are syntax errors.
    pub syntax_errors: usize,
    /// Goals of directives that failed or threw so far.
    pub failed_goals: usize,
    /// Whether the goals of `initialization/1` in the outermost file wait for whoever loads it.
    pub deferred: bool,
    /// Those that wait.
    pub initialization: Vec<Goal>,
    /// The goal of `initialization(Goal, main)`.
    pub main: Option<Goal>,
    /// The texts of the engine's library, by name.
    pub libraries: Vec<Atom>,
    /// Predicates with contracts, and the numbers of these in their order.
    contracts: FxHashMap<PredicateId, Vec<u32>>,
    /// The texts that set the flag `runtime_checks`, by path, and to what.
    pub own_checks: FxHashMap<Atom, bool>,
    /// The flags of run-time checking with which the text began that others are loaded inside of.
    pub outermost: CheckFlags,
    /// Unit tests in the order of the texts.
    pub tests: Vec<UnitTest>,
    /// The clauses of static predicates of programs, for listings.
    pub texts: FxHashMap<PredicateId, Vec<Record>>,
    /// Where they are found by their arguments, as far as they were looked for.
    pub(crate) text_indexes: FxHashMap<PredicateId, TextIndex>,
    /// Those of them that are rules with `=>`, as they were written.
    pub text_rules: FxHashMap<PredicateId, Vec<Record>>,
    /// The names of the variables, clause by clause, as far as they are known; of rules as they were written.
    pub text_names: FxHashMap<PredicateId, Vec<Option<SourceNames>>>,
    /// Those of the clauses of dynamic predicates that texts bring.
    pub clause_names: FxHashMap<ClauseId, SourceNames>,
    /// The clauses of predicates that several files define together, by file.
    shared: FxHashMap<PredicateId, Vec<(Atom, Vec<Record>)>>,
    /// How often these changed.
    changes_shared: FxHashMap<PredicateId, usize>,
    /// The assertions on predicates that are checked, by file, that of the file that was loaded last at the end.
    asserted: BTreeMap<PredicateId, Vec<(Atom, Vec<KeptAssertion>)>>,
    /// The same of texts that are still read, as far as their assertions are checked already.
    asserted_so_far: BTreeMap<PredicateId, Vec<(Atom, Vec<KeptAssertion>)>>,
}

/// An assertion that is checked, kept for when another file speaks of its predicate.
#[derive(Clone, Debug)]
pub struct KeptAssertion {
    /// What it says: the form is that of `assertions::keep`.
    pub term: Record,
    /// Where it is.
    pub place: AssertionPlace,
    /// The module in which its properties are called what they are called.
    pub module: Atom,
    /// Whether its file wants calls from inside the module checked too.
    pub inside: bool,
}

/// A `test` or `texec` assertion, kept to be run.
#[derive(Clone, Debug)]
pub struct UnitTest {
    /// `test(Kind, Head, Precondition, Postcondition, [Comp, ...], [Name=Variable, ...])`.
    pub term: Record,
    /// The module of the text.
    pub module: Atom,
    /// Where it is.
    pub place: AssertionPlace,
    /// The predicate as `Name/Arity`.
    pub predicate: String,
    /// The text behind `#`.
    pub comment: String,
    /// The number of the contract that its goal must satisfy, if it must satisfy any.
    pub contract: Option<u32>,
    /// It is one of a unit of plunit's, whose name is the module's.
    pub unit: bool,
}

/// When a file was last changed, counted from the start of 1970, and how many bytes it had.
pub type FileVersion = (Duration, u64);

/// A file.
#[derive(Debug)]
pub struct SourceFile {
    /// Its path, as it was reached at first.
    pub path: Atom,
    /// The same from the root, by which it is known again however it is reached; `None` if it is no file of the disk.
    pub absolute: Option<PathBuf>,
    /// The module it defines, or else the one that it was loaded into.
    pub module: Atom,
    /// Whether it defines the module.
    pub is_module: bool,
    /// What told it from later versions when it was read; `None` if it is no file of the disk.
    pub version: Option<FileVersion>,
    /// The predicates it defines.
    pub predicates: Vec<PredicateId>,
    /// The clauses of dynamic predicates it adds.
    pub clauses: Vec<ClauseId>,
    /// Predicates of which nothing is checked from when it began to be loaded anew until it has ended, though other
    /// files have assertions on them.
    pub unchecked: Vec<PredicateId>,
    /// Whether it was unloaded.
    pub gone: bool,
}

/// A file that is being loaded.
#[derive(Clone, Copy, Debug)]
pub struct OpenFile {
    /// Which one.
    pub file: usize,
    /// The lines of the term that was read last.
    pub lines: (usize, usize),
}

/// A goal that a text wants to be run, and where.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The goal.
    pub term: Record,
    /// The file and the line, for messages.
    pub place: String,
    /// A package wants it, not the program: it does not start the program.
    pub prepares: bool,
}

/// What the user is told while texts are loaded.
pub enum LoadMessage<'a> {
    /// Something is wrong with a text.
    Diagnostics(&'a Source, &'a [Diagnostic]),
    /// A goal failed.
    Failed(&'a Goal),
    /// A goal threw a ball that nothing caught.
    Threw(&'a Goal, &'a Record),
}

impl Loading {
    /// More texts than this cannot be loaded one inside the other.
    pub const MAX_NESTING: usize = 100;

    /// The position of a file by its path.
    #[must_use]
    pub fn file(&self, path: Atom) -> Option<usize> {
        self.files.iter().position(|file| file.path == path)
    }

    /// The numbers of a predicate's contracts.
    #[must_use]
    pub fn contracts(&self, id: PredicateId) -> &[u32] {
        self.contracts.get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    /// The numbers of all contracts, as they were added.
    #[must_use]
    pub fn all_contracts(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.contracts.values().flatten().copied().collect();
        // Numbers are given in the order in which contracts are made.
        all.sort_unstable();
        all
    }

    /// Lets a contract be one of a predicate's.
    pub fn add_contract(&mut self, id: PredicateId, number: u32) {
        self.contracts.entry(id).or_default().push(number);
    }

    /// Lets a predicate have no contracts. Whether it had some.
    pub fn drop_contracts(&mut self, id: PredicateId) -> bool {
        self.contracts.remove(&id).is_some()
    }

    /// The clauses of a predicate that files define together, without those of one of them.
    #[must_use]
    pub fn shared_clauses(&self, id: PredicateId, without: Option<Atom>) -> Vec<Record> {
        let files = self.shared.get(&id).map(Vec::as_slice).unwrap_or_default();
        let others = files.iter().filter(|(file, _)| Some(*file) != without);
        others.flat_map(|(_, clauses)| clauses.iter().cloned()).collect()
    }

    /// The same with the files that they are in.
    #[must_use]
    pub fn shared_by_file(&self, id: PredicateId, without: Option<Atom>) -> Vec<(Atom, Vec<Record>)> {
        let files = self.shared.get(&id).map(Vec::as_slice).unwrap_or_default();
        files.iter().filter(|(file, _)| Some(*file) != without).cloned().collect()
    }

    /// Keeps a file's clauses of a predicate that files define together: behind those that are known of the file, of
    /// which so many stay.
    pub fn share_clauses(&mut self, id: PredicateId, file: Atom, stay: usize, new: Vec<Record>) {
        *self.changes_shared.entry(id).or_default() += 1;
        let files = self.shared.entry(id).or_default();
        match files.iter_mut().find(|(known, _)| *known == file) {
            Some((_, known)) => {
                known.truncate(stay);
                known.extend(new);
            }
            None => files.push((file, new)),
        }
    }

    /// Keeps assertions of a file on a predicate, with what it said before: text that is typed adds to what was typed.
    pub fn keep_assertions(&mut self, id: PredicateId, file: Atom, assertions: Vec<KeptAssertion>) {
        let files = self.asserted.entry(id).or_default();
        let known = files.iter().position(|&(known, _)| known == file);
        let mut all = known.map_or_else(Vec::new, |position| files.remove(position).1);
        all.extend(assertions);
        files.push((file, all));
    }

    /// The assertions on a predicate.
    #[must_use]
    pub fn kept_assertions(&self, id: PredicateId) -> Vec<KeptAssertion> {
        self.said(id).cloned().collect()
    }

    fn said(&self, id: PredicateId) -> impl Iterator<Item = &KeptAssertion> + Clone {
        let files =
            [&self.asserted, &self.asserted_so_far].into_iter().filter_map(move |known| known.get(&id));
        files.flatten().flat_map(|(_, assertions)| assertions)
    }

    /// Keeps what a file that is still read says of a predicate so far, for texts that it loads and that speak of the
    /// predicate too.
    pub fn keep_so_far(&mut self, id: PredicateId, file: Atom, assertions: Vec<KeptAssertion>) {
        self.drop_so_far(id, file);
        if !assertions.is_empty() {
            self.asserted_so_far.entry(id).or_default().push((file, assertions));
        }
    }

    /// Forgets what a file says of a predicate so far.
    pub fn drop_so_far(&mut self, id: PredicateId, file: Atom) {
        if let Some(files) = self.asserted_so_far.get_mut(&id) {
            files.retain(|&(known, _)| known != file);
        }
    }

    /// Forgets what a file says so far: it has ended.
    pub fn end_so_far(&mut self, file: Atom) {
        self.asserted_so_far.retain(|_, files| {
            files.retain(|&(known, _)| known != file);
            !files.is_empty()
        });
    }

    /// The predicates that assertions are kept of.
    #[must_use]
    pub fn asserted(&self) -> Vec<PredicateId> {
        self.asserted.keys().copied().collect()
    }

    /// Whether all that is said of a predicate is about calls from other modules only.
    #[must_use]
    pub fn is_checked_outside(&self, id: PredicateId) -> bool {
        let mut kept = self.said(id);
        kept.clone().next().is_some() && kept.all(|kept| !kept.inside)
    }

    /// Forgets what is said of a predicate by files that define it themselves, when a new definition takes the place of
    /// theirs. What others say is about whatever there is.
    pub fn drop_replaced(&mut self, id: PredicateId) {
        let Self { files, asserted, .. } = self;
        let defines =
            |path: Atom| files.iter().any(|file| file.path == path && file.predicates.contains(&id));
        if let Some(known) = asserted.get_mut(&id) {
            known.retain(|&(path, _)| !defines(path));
        }
    }

    /// Forgets a file's assertions. Returns the predicates that they were on.
    #[must_use]
    pub fn drop_assertions(&mut self, file: Atom) -> Vec<PredicateId> {
        let mut dropped = Vec::new();
        for (&id, files) in &mut self.asserted {
            let count = files.len();
            files.retain(|(known, _)| *known != file);
            if files.len() < count {
                dropped.push(id);
            }
        }
        dropped
    }

    /// How often files changed what they share of a predicate.
    pub(crate) fn changes_shared(&self, id: PredicateId) -> usize {
        self.changes_shared.get(&id).copied().unwrap_or(0)
    }

    /// Whether a file is being loaded.
    #[must_use]
    pub fn is_open(&self, file: usize) -> bool {
        self.open.iter().any(|open| open.file == file)
    }
}

impl Machine {
    /// What tells a file from later versions; `None` if there is none.
    pub(crate) fn file_version(&self, path: &Path) -> Option<FileVersion> {
        let facts = self.system.file_facts(path).ok().filter(|facts| !facts.directory)?;
        Some((facts.modified, facts.size))
    }

    /// Starts something whose bindings and terms are not needed afterwards.
    pub(crate) fn begin_scope(&mut self) -> usize {
        self.push_choice(0, fixed::STOP_FAIL);
        self.level()
    }

    /// Removes what was built since the scope began, which no goal has run in.
    pub(crate) fn drop_scope(&mut self, scope: usize) {
        let halted = self.end_scope(scope);
        debug_assert!(halted.is_none(), "goals ran here: their exit code is somebody's");
    }

    /// Removes what was built since the scope began. Gives the exit code if a goal of `undo/1` ended the program.
    #[must_use = "a goal of `undo/1` may have ended the program"]
    pub(crate) fn end_scope(&mut self, scope: usize) -> Option<i32> {
        self.cut_to(scope);
        self.restore_choice();
        let halted = self.run_undone();
        self.pop_choice();
        self.store.forget_woken(0);
        self.store.cover_attributed();
        halted
    }

    /// Ends a scope and keeps what was built.
    pub(crate) fn keep_scope(&mut self, scope: usize) {
        self.cut_to(scope - 1);
        self.store.cover_attributed();
    }
}
