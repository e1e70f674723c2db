//! Loading programs: files become texts, texts become terms, terms become clauses and directives.
//!
//! A [`Loader`] reads one file. What must outlive a term is copied out of the store ([`Record`]), and the store is
//! brought back to where it was before the term was read: loading takes memory for the program and not for its
//! reading, and it may happen while a program runs. Assertions alone keep their terms to the end of the text.
//!
//! The clauses of a file are compiled together when it ends, and those so far before a directive runs. Each kind of
//! work has its file: `files` (finding and decoding; `libraries` their names), `unloading` (what a file takes back), `expansion` (what a program
//! makes of its terms), `directives` (what `:- ...` does), `import` (modules), `dialects` (what other systems read),
//! `declarations` (assertions and types), `so_far` (checks while it is read), `plunit` (unit tests that are clauses),
//! `predicates` (built-ins that load or tell what is loaded), `state` (what holds for one file).
//!
//! Cost: linear in the text. A file that loads itself again through others ends at a fixed depth.

mod clauses;
mod compiling;
mod declarations;
mod dialects;
mod directives;
mod dynamic;
mod exits;
mod expansion;
mod files;
mod functional;
mod import;
mod libraries;
mod outside;
mod packages;
mod plunit;
mod predicates;
mod proofs;
mod so_far;
mod state;
mod translate;
mod transparent;
mod unloading;
mod wrapped;

pub(super) use self::predicates::define;

use self::clauses::Pending;
use self::declarations::Declarations;
use self::directives::Condition;
use self::state::FileState;
use self::translate::Translation;
use crate::base::{Diagnostic, Severity, Source, Span};
use crate::machine::{Goal, LoadMessage, Loading, Machine, PredicateId, RunOutcome};
use crate::read::{Parser, ReadTerm};
use crate::term::{Atom, Cell, Record, WriteOptions, atom};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;
use std::rc::Rc;

/// Why a file cannot be loaded. What is wrong inside a text is told as diagnostics.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no such file.
    #[error("cannot find {name}: is the path right? (looked for {})", tried.join(", "))]
    Missing {
        /// As it was given.
        name: String,
        /// The paths that were tried.
        tried: Vec<String>,
    },
    /// There is no such library.
    #[error("there is no library {0}")]
    NoLibrary(String),
    /// The file cannot be read.
    #[error("cannot read {path}: {reason} (is the path right?)")]
    Read {
        /// The path.
        path: String,
        /// What the operating system says.
        reason: String,
    },
    /// The file is not text.
    #[error("{path} is not UTF-8 text: the byte at offset {offset} does not fit; convert the file to UTF-8")]
    Encoding {
        /// The path.
        path: String,
        /// Where.
        offset: usize,
    },
    /// The file does not begin with `:- module(...)`.
    #[error("{path} is not a module: it does not begin with `:- module(...)`")]
    NotAModule {
        /// The path.
        path: String,
    },
    /// Files load each other without end.
    #[error("files are loaded inside each other more than {} levels deep", Loading::MAX_NESTING)]
    TooDeep,
    /// The program asked to end while it was loaded.
    #[error("the program ended with halt({0}) while it was loaded")]
    Halted(i32),
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}

/// How a file is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Again if it was loaded before: `consult/1`.
    Consult,
    /// Unless it was loaded before: `ensure_loaded/1`.
    Ensure,
    /// The same, and it must be a module: `use_module/1`.
    Module,
}

/// Loads a program for `rtcheck run` and its like. The goals of `initialization/1` wait in [`Loading`].
///
/// # Errors
/// The file cannot be used at all, or the program ended while it was loaded.
pub fn load_program(machine: &mut Machine, path: &Path) -> Result<(), LoadError> {
    let name = path.display().to_string();
    machine.loading.deferred = true;
    let loaded = files::load(machine, &files::Spec::Path(name), atom::USER, Mode::Consult);
    machine.loading.deferred = false;
    loaded.map(|_| ())
}

/// Loads a file as `consult/1` does in `user`.
///
/// # Errors
/// The file cannot be used at all, or the program ended while it was loaded.
pub fn load_into_user(machine: &mut Machine, path: &Path) -> Result<(), LoadError> {
    let spec = files::Spec::Path(path.display().to_string());
    load_and_import(machine, &spec, atom::USER, Mode::Consult, None).map(|_| ())
}

/// Loads a text that was typed.
///
/// # Errors
/// The program ended while it was loaded.
pub fn load_text(machine: &mut Machine, name: &str, text: String) -> Result<(), LoadError> {
    files::load_text(machine, name, text, atom::USER).map(|_| ())
}

/// Loads a file for a goal and imports what it offers. Returns whether all that was asked for is there.
fn load_and_import(
    machine: &mut Machine,
    spec: &files::Spec,
    module: Atom,
    mode: Mode,
    imports: Option<Cell>,
) -> Result<bool, LoadError> {
    let loaded = files::load(machine, spec, module, mode)?;
    // Imports are told as in a text that is this goal.
    let source = Rc::new(Source::new("<goal>", spec.show()));
    let span = Span::new(0, source.text.len());
    let mut loader = Loader::new(source, None);
    loader.import_loaded(machine, loaded, spec, module, imports, span);
    let errors = machine.loading.errors;
    loader.flush(machine);
    Ok(machine.loading.errors == errors)
}

/// Loads one source text into a machine.
pub struct Loader {
    /// The text.
    source: Rc<Source>,
    /// What was wrong, in the order of the text, and is not told yet.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Goals to run when everything is loaded.
    initialization: Vec<Goal>,
    library: bool,
    /// Whether the assertions of the text are checked: not with the package `nortchecks`.
    checks: bool,
    /// The position of the file among those that are loaded; none for the library's own texts.
    file: Option<usize>,
    predicates: Vec<Pending>,
    positions: FxHashMap<PredicateId, usize>,
    /// Those of them with clauses that are not compiled.
    dirty: Vec<PredicateId>,
    /// The predicate of the clause before this one.
    previous: Option<PredicateId>,
    scattered: FxHashSet<PredicateId>,
    declarations: Declarations,
    /// What is checked while the text is read.
    so_far: so_far::SoFar,
    /// Whether the text sets the flag `runtime_checks` to `yes`.
    asks_for_checks: bool,
    conditions: Vec<Condition>,
    /// Tabled predicates, and under which name their clauses are.
    tabled: FxHashMap<PredicateId, Atom>,
    /// Predicates that know the module of who calls them, and whether they have clauses.
    transparent: FxHashMap<PredicateId, bool>,
    /// The block of unit tests that is open.
    tests: Option<plunit::TestBlock>,
    /// Whether nothing was read yet.
    at_start: bool,
    /// `end_of_file` was read.
    ended: bool,
    warn_singletons: bool,
    warn_discontiguous: bool,
    /// How the text uses functional notation, if it does.
    functional: Option<functional::Functional>,
    /// Ciao's package `define_flag`: facts of `define_flag/3` are flags.
    defines_flags: bool,
    /// Ciao's package `argnames`: structures are written with the names of their arguments.
    names_arguments: bool,
    /// Ciao's translations of sentences, by priority.
    translations: Vec<Translation>,
    /// Those of goals.
    goal_translations: Vec<Translation>,
    exported_operators: Vec<(Atom, crate::term::OperatorDefinition)>,
    /// What is defined elsewhere.
    outside: outside::Outside,
    included: usize,
    /// Whether the module offers all it defines.
    exports_all: bool,
    /// Whether what is imported by name gives way to a definition: with `autoload/2`.
    imports_what_is_missing: bool,
    /// Where the module is declared.
    module_span: Span,
}

impl Loader {
    fn new(source: Rc<Source>, file: Option<usize>) -> Self {
        Self {
            source,
            diagnostics: Vec::new(),
            initialization: Vec::new(),
            library: false,
            checks: true,
            file,
            predicates: Vec::new(),
            positions: FxHashMap::default(),
            dirty: Vec::new(),
            previous: None,
            scattered: FxHashSet::default(),
            declarations: Declarations::default(),
            so_far: so_far::SoFar::default(),
            asks_for_checks: false,
            conditions: Vec::new(),
            tabled: FxHashMap::default(),
            transparent: FxHashMap::default(),
            tests: None,
            at_start: true,
            ended: false,
            warn_singletons: true,
            warn_discontiguous: true,
            functional: None,
            defines_flags: false,
            names_arguments: false,
            translations: Vec::new(),
            goal_translations: Vec::new(),
            exported_operators: Vec::new(),
            outside: outside::Outside::default(),
            included: 0,
            exports_all: false,
            imports_what_is_missing: false,
            module_span: Span::default(),
        }
    }

    /// A loader for the engine's own library.
    #[must_use]
    pub fn library(source: Source) -> Self {
        Self { library: true, ..Self::new(Rc::new(source), None) }
    }

    /// Reads and compiles the text and runs its directives.
    ///
    /// # Errors
    /// The program asked to end. Everything else is told as diagnostics.
    pub fn load(&mut self, machine: &mut Machine) -> Result<(), LoadError> {
        let state = FileState::save(machine);
        let result =
            self.text(machine).and_then(|()| self.end_of_text(machine)).and_then(|()| self.finish(machine));
        self.flush(machine);
        state.restore(machine, self);
        result?;
        self.run_initialization(machine)
    }

    fn text(&mut self, machine: &mut Machine) -> Result<(), LoadError> {
        let source = Rc::clone(&self.source);
        // A first line `#!` is for the operating system.
        let start = if source.text.starts_with("#!") {
            source.text.find('\n').unwrap_or(source.text.len())
        } else {
            0
        };
        let mut parser = Parser::new(&source.text, start, machine.flags);
        while !self.ended {
            parser.flags = machine.flags;
            if !self.library {
                parser.convert(machine.conversions());
            }
            let start = parser.position();
            let scope = machine.begin_scope();
            let result = parser.read(&mut machine.store, &mut machine.atoms, &machine.operators);
            let result = match result {
                Ok(None) => {
                    machine.drop_scope(scope);
                    break;
                }
                Ok(Some(read)) => self.term(machine, &read),
                Err(error) => {
                    let clause = Span::new(start, parser.position());
                    if self.is_active() && self.reads_as_elsewhere(machine, clause)? {
                        machine.drop_scope(scope);
                        parser = Parser::new(&source.text, start, machine.flags);
                        continue;
                    }
                    if self.is_active() {
                        machine.loading.syntax_errors += 1;
                        let diagnostic = Diagnostic::error("syntax error", error.span).label(error.message);
                        self.diagnostics.push(diagnostic);
                    }
                    Ok(false)
                }
            };
            match result {
                Ok(true) => machine.keep_scope(scope),
                Ok(false) => {
                    if let Some(code) = machine.end_scope(scope) {
                        return Err(LoadError::Halted(code));
                    }
                }
                Err(error) => {
                    return Err(machine.end_scope(scope).map_or(error, LoadError::Halted));
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self, machine: &mut Machine) -> Result<(), LoadError> {
        self.close_blocks(machine);
        self.compile_all(machine);
        if self.library {
            let name = machine.atoms.intern(&self.source.name);
            machine.loading.libraries.push(name);
            return Ok(());
        }
        self.define_regtypes(machine);
        self.install_contracts(machine);
        self.check_exports(machine);
        // Types may mean something else now, and predicates too.
        machine.checker.clear();
        // What a library on demand defines, nothing was computed with.
        if !self.source.name.starts_with("library(") {
            machine.abolish_tables();
        }
        Ok(())
    }

    fn lines(&self, span: Span) -> (usize, usize) {
        lines_of(&self.source, span)
    }

    /// Tells the user what was found so far.
    fn flush(&mut self, machine: &mut Machine) {
        let diagnostics = std::mem::take(&mut self.diagnostics);
        if diagnostics.is_empty() {
            return;
        }
        if self.library {
            // A mistake in the library is found by its tests.
            self.diagnostics = diagnostics;
            return;
        }
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        machine.loading.errors += errors;
        let source = Rc::clone(&self.source);
        machine.report_loading(&LoadMessage::Diagnostics(&source, &diagnostics));
    }

    /// Tells the user about another text than the one that is being read.
    fn tell(&mut self, machine: &mut Machine, source: &Rc<Source>, diagnostic: Diagnostic) {
        if Rc::ptr_eq(source, &self.source) {
            self.diagnostics.push(diagnostic);
            return;
        }
        let source = std::mem::replace(&mut self.source, Rc::clone(source));
        let before = std::mem::replace(&mut self.diagnostics, vec![diagnostic]);
        self.flush(machine);
        self.source = source;
        self.diagnostics = before;
    }

    fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(message, span));
    }

    fn warning(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::warning(message, span));
    }

    /// Deals with a term. Returns whether something keeps a part of it.
    fn term(&mut self, machine: &mut Machine, read: &ReadTerm) -> Result<bool, LoadError> {
        let term = machine.store.deref(read.term);
        if let Some(open) = machine.loading.open.last_mut() {
            open.lines =
                (self.source.line(read.span.start), self.source.line(read.span.end.saturating_sub(1)));
        }
        let directive = [atom::NECK, atom::QUERY]
            .into_iter()
            .find_map(|name| machine.store.match_structure::<1>(term, name));
        if let Some([directive]) = directive
            && let Some(result) = self.block(machine, directive, read)
        {
            return result.map(|()| false);
        }
        if !self.is_active() {
            return Ok(false);
        }
        if !self.library
            && let Some(expanded) = self.expand(machine, term, read)?
        {
            return self.expanded(machine, expanded, read);
        }
        self.plain_term(machine, term, read)
    }

    fn plain_term(&mut self, machine: &mut Machine, term: Cell, read: &ReadTerm) -> Result<bool, LoadError> {
        if let Some(result) = self.functional_clause(machine, term, read) {
            return result;
        }
        let at_start = std::mem::replace(&mut self.at_start, false);
        let term = self.expand_goals(machine, term, read)?;
        for name in [atom::NECK, atom::QUERY] {
            if let Some([directive]) = machine.store.match_structure::<1>(term, name) {
                return self.directive(machine, directive, read, at_start);
            }
        }
        if term == Cell::atom(atom::END_OF_FILE) {
            self.ended = true;
            return Ok(false);
        }
        self.warn_of_singletons(read);
        let is_grammar_rule = machine.store.match_structure::<2>(term, atom::DCG_ARROW).is_some()
            || machine.store.match_structure::<2>(term, atom::MATCHING_DCG_ARROW).is_some()
                // Programs that give it another priority, or library(chr), mean a term of their own.
                && !machine.flags.strict
                && machine.operators.infix(atom::MATCHING_DCG_ARROW).is_some_and(|known| known.priority == 1200);
        if is_grammar_rule {
            return self.grammar_rule(machine, term, read).map(|()| false);
        }
        if !self.unit_test(machine, term, read) {
            self.clause(machine, term, read);
        }
        Ok(false)
    }

    /// Runs a goal of the text in its module. Tells whether it succeeded; `None` if it threw, which the user knows.
    fn run_goal(&mut self, machine: &mut Machine, goal: Cell, span: Span) -> Result<Option<bool>, LoadError> {
        self.compile(machine);
        self.flush(machine);
        let goal = if machine.source_module == atom::USER || self.library {
            goal
        } else {
            machine.qualified(machine.source_module, goal)
        };
        match machine.run(goal) {
            RunOutcome::Succeeded => Ok(Some(true)),
            RunOutcome::Halted(code) => Err(LoadError::Halted(code)),
            RunOutcome::Failed => Ok(Some(false)),
            RunOutcome::Threw(ball) if machine.is_interrupt(&ball) => Err(LoadError::Interrupted),
            RunOutcome::Threw(ball) => {
                self.threw(machine, goal, &ball, span);
                Ok(None)
            }
        }
    }

    fn goal(&self, machine: &Machine, goal: Cell, span: Span) -> Goal {
        let place = format!("{}:{}", self.source.name, self.source.line(span.start));
        Goal { term: Record::new(&machine.store, goal), place, prepares: false }
    }

    fn threw(&mut self, machine: &mut Machine, goal: Cell, ball: &Record, span: Span) {
        machine.loading.failed_goals += 1;
        let goal = self.goal(machine, goal, span);
        self.flush(machine);
        machine.report_loading(&LoadMessage::Threw(&goal, ball));
    }

    fn run_directive(&mut self, machine: &mut Machine, goal: Cell, span: Span) -> Result<(), LoadError> {
        if self.run_goal(machine, goal, span)? == Some(false) {
            machine.loading.failed_goals += 1;
            let goal = self.goal(machine, goal, span);
            machine.report_loading(&LoadMessage::Failed(&goal));
        }
        Ok(())
    }

    fn run_initialization(&mut self, machine: &mut Machine) -> Result<(), LoadError> {
        let goals = std::mem::take(&mut self.initialization);
        if machine.loading.deferred && machine.loading.open.len() == 1 {
            machine.loading.initialization.extend(goals);
            return Ok(());
        }
        for goal in goals {
            run_and_tell(machine, &goal)?;
        }
        Ok(())
    }
}

/// Runs a goal of a text that is loaded, and tells what goes wrong.
fn run_and_tell(machine: &mut Machine, goal: &Goal) -> Result<(), LoadError> {
    let scope = machine.begin_scope();
    let term = goal.term.restore(&mut machine.store);
    let outcome = machine.run(term);
    if let Some(code) = machine.end_scope(scope) {
        return Err(LoadError::Halted(code));
    }
    match outcome {
        RunOutcome::Succeeded => {}
        RunOutcome::Halted(code) => return Err(LoadError::Halted(code)),
        RunOutcome::Failed => {
            machine.loading.failed_goals += 1;
            machine.report_loading(&LoadMessage::Failed(goal));
        }
        RunOutcome::Threw(ball) if machine.is_interrupt(&ball) => return Err(LoadError::Interrupted),
        RunOutcome::Threw(ball) => {
            machine.loading.failed_goals += 1;
            machine.report_loading(&LoadMessage::Threw(goal, &ball));
        }
    }
    Ok(())
}

/// The first and the last line of a span.
fn lines_of(source: &Source, span: Span) -> (usize, usize) {
    (source.line(span.start), source.line(span.end.saturating_sub(1)))
}

/// `p/2`, or `m:p/2` if its module is not `user`.
fn show_indicator(machine: &Machine, id: PredicateId) -> String {
    let predicate = machine.predicate_at(id);
    let name = show_atom(machine, predicate.name);
    if predicate.module == atom::USER {
        format!("{name}/{}", predicate.arity)
    } else {
        format!("{}:{name}/{}", show_atom(machine, predicate.module), predicate.arity)
    }
}

fn show_atom(machine: &Machine, name: Atom) -> String {
    crate::term::quoted_atom(machine.atoms.text(name))
}

/// A term as programs write it, for messages.
fn show(machine: &Machine, term: Cell) -> String {
    let options = WriteOptions {
        quoted: true,
        number_variables: true,
        most_steps: Some(400),
        ..WriteOptions::default()
    };
    crate::builtins::written::text_of(machine, term, options)
}
