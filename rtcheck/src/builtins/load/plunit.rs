//! Unit tests as SWI-Prolog's plunit writes them: `test(Name) :- Goal` and `test(Name, Options) :- Goal` between
//! `:- begin_tests(Unit)` and `:- end_tests(Unit)`.
//!
//! A clause of `test/1` or `test/2` there defines no predicate; it is kept beside the `test` assertions and run as they
//! are. All other clauses belong to a module of the unit's own, `plunit_Unit`, which sees what the text's module has
//! (`Module::base`). What the options mean is said in `library/unittest.pl`.

use super::{Loader, show};
use crate::base::Span;
use crate::machine::{AssertionPlace, Machine, Outcome, UnitTest};
use crate::read::ReadTerm;
use crate::term::{Atom, Cell, Record, WriteOptions, atom};

/// A block of tests that is open.
pub(super) struct TestBlock {
    /// Where it began.
    pub span: Span,
    /// The unit's name.
    name: String,
    /// `[Option, ...]` of the unit.
    options: Record,
    /// The module around it.
    outer: Atom,
}

/// What a unit can say of all its tests, each with one argument.
const UNIT_OPTIONS: &[&str] =
    &["blocked", "fixme", "condition", "setup", "cleanup", "timeout", "occurs_check", "sto", "concurrent"];

impl Loader {
    /// `:- begin_tests(Unit, Options)`.
    pub(super) fn begin_tests(&mut self, machine: &mut Machine, unit: Cell, options: Cell, span: Span) {
        if let Some(open) = &self.tests {
            let message = format!("the tests of `{}` have not ended: expected `:- end_tests`", open.name);
            self.error(message, span);
            self.leave_tests(machine);
        }
        let name = crate::builtins::written::text_of(machine, unit, WriteOptions::PLAIN);
        self.check_unit_options(machine, options, span);
        let outer = machine.source_module;
        let module = machine.atoms.intern(&format!("plunit_{name}"));
        machine.set_base(module, outer);
        machine.module(module).strings = machine.module(outer).strings;
        machine.source_module = module;
        self.tests = Some(TestBlock { span, name, options: Record::new(&machine.store, options), outer });
    }

    /// What only a test can say is an error where a unit says it.
    fn check_unit_options(&mut self, machine: &Machine, options: Cell, span: Span) {
        let options = machine.store.deref(options);
        let all = machine.store.list_elements(options).unwrap_or_else(|_| vec![options]);
        for option in all {
            let name = machine.store.functor(option).map(|(name, arity)| (machine.atoms.text(name), arity));
            if !name.is_some_and(|(name, arity)| arity == 1 && UNIT_OPTIONS.contains(&name)) {
                let known = UNIT_OPTIONS.join(", ");
                let text = show(machine, option);
                self.error(format!("`{text}` is no option of a unit of tests: it has {known}"), span);
            }
        }
    }

    /// Goes back to the module around the open block of tests. Returns the block, if there is one.
    pub(super) fn leave_tests(&mut self, machine: &mut Machine) -> Option<TestBlock> {
        let block = self.tests.take()?;
        machine.source_module = block.outer;
        Some(block)
    }

    /// `:- end_tests(Unit)`.
    pub(super) fn end_tests(&mut self, machine: &mut Machine, unit: Cell, span: Span) {
        let name = crate::builtins::written::text_of(machine, unit, WriteOptions::PLAIN);
        match self.leave_tests(machine) {
            None => self.error("there is no `:- begin_tests` that this belongs to", span),
            Some(open) if open.name != name => {
                self.error(format!("the tests that end here are those of `{}`", open.name), span);
            }
            Some(_) => {}
        }
    }

    /// Keeps a clause as a test, if it is one.
    pub(super) fn unit_test(&mut self, machine: &mut Machine, clause: Cell, read: &ReadTerm) -> bool {
        let Some(block) = &self.tests else { return false };
        let yes = Cell::atom(atom::TRUE);
        let [head, body] = machine.store.match_structure::<2>(clause, atom::NECK).unwrap_or([clause, yes]);
        let head = machine.store.deref(head);
        let (name, options) = match machine.store.functor(head) {
            Some((functor, arity @ (1 | 2))) if machine.atoms.text(functor) == "test" => {
                let options = (arity == 2).then(|| machine.store.argument(head, 1));
                (machine.store.argument(head, 0), options.unwrap_or(Cell::atom(atom::NIL)))
            }
            _ => return false,
        };
        let text = crate::builtins::written::text_of(machine, name, WriteOptions::PLAIN);
        let predicate = format!("{}:{text}", block.name);
        let of_unit = block.options.restore(&mut machine.store);
        let functor = machine.atoms.intern("plunit");
        let term = machine.store.compound(functor, &[of_unit, options, body]);
        let file = machine.atoms.intern(&self.source.name);
        let place = AssertionPlace { file, lines: self.lines(read.span), names: Vec::new() };
        machine.loading.tests.push(UnitTest {
            term: Record::new(&machine.store, term),
            module: machine.source_module,
            place,
            predicate,
            comment: String::new(),
            contract: None,
            unit: true,
        });
        true
    }
}

/// `'$plunit_tests'(Tests)`: those that were read so far, each `t(Name, File, Line, Module, Test)`.
pub(super) fn tests(m: &mut Machine) -> Outcome {
    let (plunit, functor) = (m.atoms.intern("plunit"), m.atoms.intern("t"));
    let mut cells = Vec::new();
    for test in m.loading.tests.clone() {
        let term = test.term.restore(&mut m.store);
        if m.store.match_structure::<3>(term, plunit).is_none() {
            continue;
        }
        let (name, line) = (Cell::atom(m.atoms.intern(&test.predicate)), Cell::count(test.place.lines.0));
        let parts = [name, Cell::atom(test.place.file), line, Cell::atom(test.module), term];
        cells.push(m.store.compound(functor, &parts));
    }
    let list = m.store.list(&cells, Cell::atom(atom::NIL));
    Ok(m.unify_argument(0, list))
}
