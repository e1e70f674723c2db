//! One run of a program from its file to its exit code: what `rtcheck run`, `expand` and `listing` do.

use crate::assertions::expand;
use crate::base::{Diagnostic, Severity, Source, System};
use crate::builtins::{LoadError, Loader, new_machine};
use crate::check::Configuration;
use crate::machine::{Machine, OnViolation, RunOutcome};
use crate::regtype::TypeExpression;
use crate::report;
use crate::term::{Cell, Record, atom};
use std::path::Path;

/// Exit codes.
pub mod exit {
    /// Nothing wrong was found.
    pub const OK: i32 = 0;
    /// A violation, an uncaught error, or a goal that failed.
    pub const FINDINGS: i32 = 1;
    /// Input that cannot be used.
    pub const UNUSABLE: i32 = 2;
    /// An audit found a remembered check to be wrong.
    pub const DISAGREEMENT: i32 = 3;
}

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether assertions are checked.
    pub checks: bool,
    /// How.
    pub configuration: Configuration,
    /// What happens when one is violated.
    pub on_violation: OnViolation,
    /// For tests: a collection of garbage every so many calls.
    pub collect_every: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            checks: true,
            configuration: Configuration::default(),
            on_violation: OnViolation::Throw,
            collect_every: None,
        }
    }
}

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The file cannot be read.
    #[error("cannot read {path}: {reason} (is the path right?)")]
    Read {
        /// The path as given.
        path: String,
        /// What the operating system says.
        reason: String,
    },
    /// The file is not text.
    #[error("{path} is not UTF-8 text: the byte at offset {offset} does not fit; convert the file to UTF-8")]
    Encoding {
        /// The path as given.
        path: String,
        /// Where.
        offset: usize,
    },
    /// The library or the program ended while it was loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// A program in a machine.
pub struct Session {
    /// The machine.
    pub machine: Machine,
    loader: Loader,
    loaded: Result<(), LoadError>,
}

impl Session {
    /// Reads and loads a program.
    ///
    /// # Errors
    /// The file cannot be read or is not text. What is wrong inside it is in [`Session::diagnostics`].
    pub fn open(system: Box<dyn System>, path: &Path, options: Options) -> Result<Self, SessionError> {
        let name = path.display().to_string();
        let bytes = system
            .read_file(path)
            .map_err(|error| SessionError::Read { path: name.clone(), reason: error.to_string() })?;
        let text = String::from_utf8(bytes).map_err(|error| SessionError::Encoding {
            path: name.clone(),
            offset: error.utf8_error().valid_up_to(),
        })?;
        let mut machine = new_machine(system, options.configuration, report::report_violation)?;
        machine.on_violation = options.on_violation;
        machine.collect_every(options.collect_every);
        let mut loader = Loader::new(Source::new(name, text), options.checks);
        let loaded = loader.load(&mut machine);
        Ok(Self { machine, loader, loaded })
    }

    /// What was wrong with the text.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.loader.diagnostics
    }

    /// The same as text with excerpts.
    #[must_use]
    pub fn shown_diagnostics(&self) -> String {
        report::diagnostics(&self.loader.source, &self.loader.diagnostics)
    }

    fn has_errors(&self) -> bool {
        self.loader.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    fn print_error(&mut self, text: &str) {
        self.machine.flush_output();
        // Nothing better can be done when standard error is closed.
        let _ = self.machine.system.write_error(text.as_bytes());
    }

    /// Runs the program: its initialization goals, or `main/0`, or `main/1` with the arguments. Returns the exit
    /// code.
    pub fn run(&mut self, arguments: Vec<String>) -> i32 {
        let code = self.run_goals(arguments);
        self.machine.flush_output();
        let disagreements = self.machine.checker.counters().disagreements;
        if disagreements > 0 {
            let text = format!("error: {disagreements} audits found a remembered check to be wrong\n");
            self.print_error(&text);
            return exit::DISAGREEMENT;
        }
        code
    }

    fn run_goals(&mut self, arguments: Vec<String>) -> i32 {
        let diagnostics = self.shown_diagnostics();
        self.print_error(&diagnostics);
        if let Err(LoadError::Halted(code)) = self.loaded {
            return code;
        }
        if self.has_errors() {
            return exit::UNUSABLE;
        }
        let mut worst = exit::OK;
        for (span, ball) in std::mem::take(&mut self.loader.failed_directives) {
            let line = self.loader.source.line(span.start);
            let reason = match ball {
                Some(ball) => report::error(&mut self.machine, &ball),
                None => "warning: the directive failed\n".to_owned(),
            };
            let text = format!("{}:{line}: {reason}", self.loader.source.name);
            self.print_error(&text);
            worst = exit::FINDINGS;
        }
        self.machine.arguments = arguments;
        let mut goals = std::mem::take(&mut self.loader.initialization);
        if goals.is_empty() {
            goals.extend(self.main_goal());
        }
        for goal in goals {
            let term = goal.restore(&mut self.machine.store);
            match self.machine.run(term) {
                RunOutcome::Succeeded => {}
                RunOutcome::Halted(code) => return code,
                RunOutcome::Failed => {
                    let text = format!("warning: the goal {} failed\n", self.show(&goal));
                    self.print_error(&text);
                    worst = exit::FINDINGS;
                }
                RunOutcome::Threw(ball) => {
                    let text = report::error(&mut self.machine, &ball);
                    self.print_error(&text);
                    worst = exit::FINDINGS;
                }
            }
        }
        if self.machine.violations > 0 && self.machine.on_violation == OnViolation::Report {
            worst = exit::FINDINGS;
        }
        worst
    }

    fn show(&mut self, goal: &Record) -> String {
        let term = goal.restore(&mut self.machine.store);
        let options = crate::term::WriteOptions { quoted: true, ..crate::term::WriteOptions::default() };
        crate::term::Writer::new(&self.machine.store, &self.machine.atoms, &self.machine.operators, options)
            .text(term, 1200)
    }

    fn main_goal(&mut self) -> Option<Record> {
        use crate::machine::Kind;
        if self.machine.kind_of(atom::MAIN, 0) == Kind::Static {
            return Some(Record::immediate(Cell::atom(atom::MAIN)));
        }
        if self.machine.kind_of(atom::MAIN, 1) == Kind::Static {
            let arguments = self.machine.arguments.clone();
            let cells: Vec<Cell> =
                arguments.iter().map(|text| Cell::atom(self.machine.atoms.intern(text))).collect();
            let list = self.machine.store.list(&cells, Cell::atom(atom::NIL));
            let goal = self.machine.store.compound(atom::MAIN, &[list]);
            return Some(Record::new(&self.machine.store, goal));
        }
        None
    }

    /// The transformed program of every predicate with assertions.
    #[must_use]
    pub fn expand(&mut self) -> String {
        let contracts: Vec<u32> = self.loader.contracts.iter().map(|&(_, number)| number).collect();
        let texts: Vec<String> = contracts
            .into_iter()
            .map(|number| {
                let contract = self.machine.contracts[number as usize].clone();
                expand(&mut self.machine, &contract)
            })
            .collect();
        texts.join("\n")
    }

    /// The instructions of a predicate.
    #[must_use]
    pub fn listing(&self, name: &str, arity: usize) -> Option<String> {
        let name = self.machine.atoms.find(name)?;
        let id = self.machine.find_predicate(name, arity)?;
        Some(self.machine.listing(id))
    }

    /// The transitions of a type, given as text such as `bintree(int)`.
    ///
    /// # Errors
    /// The text is no term, or no type that an automaton recognizes.
    pub fn automaton(&mut self, text: &str) -> Result<String, String> {
        let machine = &mut self.machine;
        let text = format!("{text} .");
        let mut parser = crate::read::Parser::new(&text, 0, machine.flags);
        let read = parser
            .read(&mut machine.store, &mut machine.atoms, &machine.operators)
            .map_err(|error| error.to_string())?
            .ok_or_else(|| "expected a type".to_owned())?;
        let term = machine.store.deref(read.term);
        let expression =
            TypeExpression::read(&machine.store, term, 0, &|_| None).map_err(|error| error.to_string())?;
        machine.types.describe(&machine.atoms, &expression).map_err(|error| error.to_string())
    }
}
