//! One run of a program from its file to its exit code: what `rtcheck run`, `expand`, `listing` and `top` do.

mod top;

pub use top::{Line, Lines, PlainLines, Wish};

mod test;

use crate::assertions::expand;
use crate::base::System;
use crate::builtins::{LoadError, load_program, new_machine};
use crate::check::Configuration;
use crate::machine::{CheckFlags, Goal, Kind, Limits, LoadMessage, Machine, OnViolation, RunOutcome};
use crate::read::Quotes;
use crate::report;
use crate::term::{Atom, Cell, Record, atom};
use cache_core::audit::Audit;
use std::path::{Path, PathBuf};

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
    /// The user interrupted the program: what shells say of a process that this signal ended.
    pub const INTERRUPTED: i32 = 130;
}

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether assertions are checked.
    pub checks: bool,
    /// How.
    pub configuration: Configuration,
    /// Whether checks that cannot fail are left out; those that are remembered or left out are made all the same where
    /// the configuration audits.
    pub analysis: bool,
    /// Whether programs are read as the standard says, and nothing beyond (the flag `iso`).
    pub iso: bool,
    /// What text in double quotes is read as (the flag `double_quotes`).
    pub double_quotes: Quotes,
    /// What happens when one is violated.
    pub on_violation: OnViolation,
    /// The other flags of run-time checking.
    pub flags: CheckFlags,
    /// What the program may use.
    pub limits: Limits,
    /// For tests: a collection of garbage every so many calls.
    pub collect_every: Option<u32>,
    /// What the tool does wrong, for oracles.
    #[cfg(feature = "plant")]
    pub plant: Option<crate::base::plant::Fault>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            checks: true,
            configuration: Configuration::default(),
            analysis: true,
            iso: false,
            double_quotes: Quotes::default(),
            on_violation: OnViolation::Throw,
            flags: CheckFlags::default(),
            limits: Limits::default(),
            collect_every: None,
            #[cfg(feature = "plant")]
            plant: None,
        }
    }
}

/// A program in a machine.
pub struct Session {
    /// The machine.
    pub machine: Machine,
    /// The exit code that the program asked for while it was loaded.
    halted: Option<i32>,
}

impl Session {
    /// A machine without a program.
    ///
    /// # Errors
    /// The library does not load, which only a mistake in it can cause.
    pub fn new(system: Box<dyn System>, options: Options) -> Result<Self, LoadError> {
        let mut machine = new_machine(system, options.configuration, report::REPORTERS)?;
        machine.rtchecks =
            CheckFlags { checks: options.checks, on_violation: options.on_violation, ..options.flags };
        #[cfg(feature = "plant")]
        machine.plant(options.plant);
        machine.set_analysis(options.analysis, options.configuration.audit != Audit::Never);
        machine.limits = options.limits;
        machine.read_strictly(options.iso);
        machine.read_text_as(options.double_quotes);
        machine.flags_of_modules = machine.flags;
        machine.collect_every(options.collect_every);
        Ok(Self { machine, halted: None })
    }

    /// A machine with a program. What is wrong inside it is told on standard error.
    ///
    /// # Errors
    /// The file cannot be read or is not text.
    pub fn open(system: Box<dyn System>, path: &Path, options: Options) -> Result<Self, LoadError> {
        let mut session = Self::new(system, options)?;
        session.load(path)?;
        Ok(session)
    }

    /// Loads the program. What is wrong inside it is told on standard error.
    ///
    /// # Errors
    /// The file cannot be read or is not text.
    pub fn load(&mut self, path: &Path) -> Result<(), LoadError> {
        match load_program(&mut self.machine, path) {
            Ok(()) => {}
            Err(LoadError::Halted(code)) => self.halted = Some(code),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Loads files and answers queries until the input ends or a goal asks to end. Returns the exit code.
    pub fn top(&mut self, files: &[PathBuf], lines: &mut dyn Lines) -> i32 {
        top::top(&mut self.machine, files, lines)
    }

    /// The module of the program: the one that its file defines, or `user`.
    fn main_module(&self) -> Atom {
        self.machine.loading.files.first().map_or(atom::USER, |file| file.module)
    }

    fn print_error(&mut self, text: &str) {
        self.machine.flush_output();
        // Nothing better can be done when standard error is closed.
        let _ = self.machine.system.write_error(text.as_bytes());
    }

    /// Runs the program: its initialization goals, or `main/0`, or `main/1` with the arguments. Returns the exit
    /// code.
    pub fn run(&mut self, arguments: Vec<String>) -> i32 {
        let mut code = self.run_goals(arguments);
        code = self.run_at_halt().unwrap_or(code);
        // A program that ends itself does not know what of it is missing.
        if code == exit::OK && self.machine.loading.errors > 0 {
            code = exit::FINDINGS;
        }
        for ball in self.machine.recorded.clone() {
            let text = report::violation(&mut self.machine, &ball).unwrap_or_default();
            self.print_error(&text);
        }
        self.machine.flush_output();
        let disagreements = self.machine.checker.counters().disagreements;
        if disagreements > 0 {
            let text =
                format!("error: {disagreements} audits found a remembered or proved check to be wrong\n");
            self.print_error(&text);
            return exit::DISAGREEMENT;
        }
        // A reader that went away wants no more text, which is no fault of the program.
        match self.machine.streams.lost.take() {
            Some(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                self.print_error(&format!("error: cannot write standard output: {error}\n"));
                exit::UNUSABLE
            }
            _ => code,
        }
    }

    /// Runs the goals of `at_halt/1`. Returns the exit code of one that ended the program.
    fn run_at_halt(&mut self) -> Option<i32> {
        let machine = &mut self.machine;
        let scope = machine.begin_scope();
        let name = machine.atoms.intern("$run_at_halt");
        let goal = machine.qualified(atom::SYSTEM, Cell::atom(name));
        let outcome = machine.run(goal);
        let halted = machine.end_scope(scope);
        match outcome {
            RunOutcome::Halted(code) => Some(code),
            RunOutcome::Succeeded | RunOutcome::Failed | RunOutcome::Threw(_) => halted,
        }
    }

    fn run_goals(&mut self, arguments: Vec<String>) -> i32 {
        if let Some(code) = self.halted {
            return code;
        }
        // One clause that cannot be read costs itself, as long as there is something to run.
        let loading = &self.machine.loading;
        let (errors, syntax_errors) = (loading.errors, loading.syntax_errors);
        if errors > syntax_errors {
            return exit::UNUSABLE;
        }
        self.machine.arguments = arguments;
        let goals = std::mem::take(&mut self.machine.loading.initialization);
        let mut worst = if self.machine.loading.failed_goals > 0 { exit::FINDINGS } else { exit::OK };
        let none = goals.iter().all(|goal| goal.prepares);
        if errors > 0 {
            let files = &self.machine.loading.files;
            let some = files.iter().any(|file| !file.predicates.is_empty() || !file.clauses.is_empty());
            if !some && none && self.main_goal(none, false).is_none() {
                return exit::UNUSABLE;
            }
            let clauses = if errors == 1 { "a clause is" } else { "clauses are" };
            self.print_error(&format!("note: {clauses} missing, the rest of the program runs\n"));
        }
        // A program that starts `main` itself, as SWI's do, does not have it started again because it exports it.
        let started = goals.iter().any(|goal| self.is_main(goal));
        for goal in goals {
            match self.goal(&goal) {
                Ok(code) => worst = worst.max(code),
                Err(halted) => return halted,
            }
        }
        if let Some(goal) = self.main_goal(none, started) {
            match self.goal(&goal) {
                Ok(code) => worst = worst.max(code),
                Err(halted) => return halted,
            }
        }
        if self.machine.loading.errors > 0 {
            worst = worst.max(exit::FINDINGS);
        }
        if self.machine.violations > 0 && self.machine.rtchecks.on_violation != OnViolation::Throw {
            worst = exit::FINDINGS;
        }
        worst
    }

    /// Runs a goal and tells how it ended unless it succeeded; an error is the exit code of `halt/1`.
    fn goal(&mut self, goal: &Goal) -> Result<i32, i32> {
        let machine = &mut self.machine;
        let scope = machine.begin_scope();
        let term = goal.term.restore(&mut machine.store);
        machine.let_atoms_go(true);
        let outcome = machine.run(term);
        machine.let_atoms_go(false);
        if let Some(code) = machine.end_scope(scope) {
            return Err(code);
        }
        // Which goal started the program says little about what went wrong in it.
        let goal = &Goal { place: String::new(), ..goal.clone() };
        match outcome {
            RunOutcome::Succeeded => return Ok(exit::OK),
            RunOutcome::Halted(code) => return Err(code),
            RunOutcome::Failed => machine.report_loading(&LoadMessage::Failed(goal)),
            RunOutcome::Threw(ball) if machine.is_interrupt(&ball) => {
                self.print_error("error: interrupted\n");
                return Err(exit::INTERRUPTED);
            }
            RunOutcome::Threw(ball) => machine.report_loading(&LoadMessage::Threw(goal, &ball)),
        }
        Ok(exit::FINDINGS)
    }

    /// Whether a goal is `main/0` or `main/1`, whatever module it names.
    fn is_main(&mut self, goal: &Goal) -> bool {
        let machine = &mut self.machine;
        let scope = machine.begin_scope();
        let term = goal.term.restore(&mut machine.store);
        let (_, inner) = machine.strip_module(atom::USER, term);
        let is_main = matches!(machine.store.functor(inner), Some((atom::MAIN, 0 | 1)));
        machine.drop_scope(scope);
        is_main
    }

    /// The goal that starts the program: that of `initialization(Goal, main)`; or `main/0` or `main/1`, if there were
    /// no other goals to start it, or its module exports it as Ciao's programs do.
    fn main_goal(&mut self, no_other: bool, started: bool) -> Option<Goal> {
        let machine = &self.machine;
        let module = self.main_module();
        let asked = machine.loading.main.clone();
        let place = asked.as_ref().map_or_else(String::new, |goal| goal.place.clone());
        let defined = |arity: usize| {
            let found = machine.find_predicate_in(module, atom::MAIN, arity);
            found.is_some_and(|id| matches!(machine.predicate_at(id).kind, Kind::Static | Kind::Dynamic))
        };
        let (no_arguments, with_arguments) = (defined(0), defined(1));
        if let Some(goal) = asked {
            let (_, inner) = {
                let machine = &mut self.machine;
                let term = goal.term.restore(&mut machine.store);
                machine.strip_module(atom::USER, term)
            };
            // SWI's library(main): main/0 hands the arguments to main/1.
            if inner != Cell::atom(atom::MAIN) || no_arguments || !with_arguments {
                return Some(goal);
            }
        } else {
            let exports = &machine.find_module(module)?.exports;
            let exported = module != atom::USER && exports.iter().any(|&(name, _)| name == atom::MAIN);
            if started || !no_other && !exported {
                return None;
            }
        }
        let machine = &mut self.machine;
        let goal = if no_arguments {
            Cell::atom(atom::MAIN)
        } else if with_arguments {
            let arguments = machine.arguments.clone();
            let cells: Vec<Cell> =
                arguments.iter().map(|text| Cell::atom(machine.atoms.intern(text))).collect();
            let list = machine.store.list(&cells, Cell::atom(atom::NIL));
            machine.store.compound(atom::MAIN, &[list])
        } else {
            return None;
        };
        let goal = if module == atom::USER { goal } else { machine.qualified(module, goal) };
        Some(Goal { term: Record::new(&machine.store, goal), place, prepares: false })
    }

    /// Runs the program as [`Session::run`] does and tells what each property's checks cost.
    pub fn profile(&mut self, arguments: Vec<String>) -> (i32, report::Profile) {
        let clock = self.machine.system.clock();
        self.machine.checker.measure(self.machine.system.clock());
        let start = clock();
        let code = self.run(arguments);
        let spent = clock() - start;
        let rows = report::rows(&mut self.machine);
        (code, report::Profile::new(rows, spent))
    }

    /// The exit code of an analysis.
    #[must_use]
    pub fn analysis_exit(&self, conditions: &[report::Condition]) -> i32 {
        if self.machine.loading.errors > 0 {
            return exit::UNUSABLE;
        }
        let refuted = conditions.iter().any(|condition| condition.verdict == report::Verdict::Refuted);
        if refuted { exit::FINDINGS } else { exit::OK }
    }

    /// The transformed program of every predicate with assertions.
    #[must_use]
    pub fn expand(&mut self) -> String {
        let contracts: Vec<u32> = self.machine.loading.all_contracts();
        let texts: Vec<String> = contracts
            .into_iter()
            .map(|number| {
                let contract = self.machine.contracts[number as usize].clone();
                expand(&mut self.machine, &contract)
            })
            .collect();
        texts.join("\n")
    }

    /// The instructions of a predicate, which one of the library has from its first call on.
    #[must_use]
    pub fn listing(&mut self, name: &str, arity: usize) -> Option<String> {
        let name = self.machine.atoms.find(name)?;
        let id = self.machine.find_predicate_in(self.main_module(), name, arity)?;
        self.machine.compile_waiting(id);
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
            machine.type_expression(machine.source_module, term).map_err(|error| error.to_string())?;
        machine.types.describe(&machine.atoms, &expression).map_err(|error| error.to_string())
    }
}
