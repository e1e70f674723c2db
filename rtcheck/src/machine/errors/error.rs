//! Exceptions: what a built-in gives back instead of success or failure, and ISO's error terms.

use crate::machine::Machine;
use crate::term::{Atom, Cell, Record, atom, quoted_atom};

/// Why a goal neither succeeded nor failed.
#[derive(Clone, Debug)]
pub enum Throw {
    /// A ball was thrown.
    Ball(Record),
    /// The program asked to end, with an exit code.
    Halt(i32),
}

/// The result of a built-in: success, failure, or an exception.
pub type Outcome = Result<bool, Throw>;

impl Machine {
    /// Throws a term.
    pub(crate) fn throw_term<T>(&self, ball: Cell) -> Result<T, Throw> {
        Err(Throw::Ball(Record::new(&self.store, ball)))
    }

    /// Throws `error(Formal, _)`.
    pub(crate) fn throw_error<T>(&mut self, formal: Cell) -> Result<T, Throw> {
        let context = self.store.variable();
        let ball = self.store.compound(atom::ERROR, &[formal, context]);
        self.throw_term(ball)
    }

    /// An argument is not instantiated enough.
    pub(crate) fn instantiation_error<T>(&mut self) -> Result<T, Throw> {
        self.throw_error(Cell::atom(atom::INSTANTIATION_ERROR))
    }

    /// Throws `uninstantiation_error(Culprit)`.
    pub(crate) fn uninstantiation_error<T>(&mut self, culprit: Cell) -> Result<T, Throw> {
        let name = self.atoms.intern("uninstantiation_error");
        let formal = self.store.compound(name, &[culprit]);
        self.throw_error(formal)
    }

    /// Throws `occurs_check(Variable, Value)`: a unification would have made the variable a part of itself.
    pub(crate) fn occurs_error(&mut self, variable: Cell, value: Cell) -> Result<(), Throw> {
        let name = self.atoms.intern("occurs_check");
        let formal = self.store.compound(name, &[variable, value]);
        self.throw_error(formal)
    }

    /// An argument is of the wrong type; if it is a free variable, it is not instantiated enough.
    pub(crate) fn type_error<T>(&mut self, expected: Atom, culprit: Cell) -> Result<T, Throw> {
        let culprit = self.store.deref(culprit);
        if culprit.tag() == crate::term::Tag::Ref {
            return self.instantiation_error();
        }
        let formal = self.store.compound(atom::TYPE_ERROR, &[Cell::atom(expected), culprit]);
        self.throw_error(formal)
    }

    /// As [`Machine::type_error`], with the type by its text.
    pub(crate) fn type_error_named<T>(&mut self, expected: &str, culprit: Cell) -> Result<T, Throw> {
        let expected = self.atoms.intern(expected);
        self.type_error(expected, culprit)
    }

    /// An argument is of the right type but outside what is defined.
    pub(crate) fn domain_error<T>(&mut self, expected: &str, culprit: Cell) -> Result<T, Throw> {
        let expected = Cell::atom(self.atoms.intern(expected));
        let formal = self.store.compound(atom::DOMAIN_ERROR, &[expected, culprit]);
        self.throw_error(formal)
    }

    /// An operation is not allowed on something.
    pub(crate) fn permission_error<T>(
        &mut self,
        action: &str,
        kind: &str,
        culprit: Cell,
    ) -> Result<T, Throw> {
        let (action, kind) = (Cell::atom(self.atoms.intern(action)), Cell::atom(self.atoms.intern(kind)));
        let formal = self.store.compound(atom::PERMISSION_ERROR, &[action, kind, culprit]);
        self.throw_error(formal)
    }

    /// Something does not exist.
    pub(crate) fn existence_error<T>(&mut self, kind: &str, culprit: Cell) -> Result<T, Throw> {
        let kind = Cell::atom(self.atoms.intern(kind));
        let formal = self.store.compound(atom::EXISTENCE_ERROR, &[kind, culprit]);
        self.throw_error(formal)
    }

    /// An evaluation has no result.
    pub(crate) fn evaluation_error<T>(&mut self, what: Atom) -> Result<T, Throw> {
        let formal = self.store.compound(atom::EVALUATION_ERROR, &[Cell::atom(what)]);
        self.throw_error(formal)
    }

    /// A limit of this implementation is reached.
    pub(crate) fn representation_error<T>(&mut self, what: &str) -> Result<T, Throw> {
        let what = Cell::atom(self.atoms.intern(what));
        let formal = self.store.compound(atom::REPRESENTATION_ERROR, &[what]);
        self.throw_error(formal)
    }

    /// Memory or another resource is used up.
    pub(crate) fn resource_error<T>(&mut self, what: Atom) -> Result<T, Throw> {
        let formal = self.store.compound(atom::RESOURCE_ERROR, &[Cell::atom(what)]);
        self.throw_error(formal)
    }

    /// Tells of a call of an unknown predicate that fails, as the flag `unknown` demands.
    pub(in crate::machine) fn warn_of_unknown(&mut self, module: Atom, name: Atom, arity: usize) {
        let qualifier =
            if module == atom::USER { String::new() } else { format!("{}:", self.atoms.text(module)) };
        let text =
            format!("warning: unknown procedure {qualifier}{}/{arity}\n", quoted_atom(self.atoms.text(name)));
        self.flush_output();
        if let Some(stream) = self.streams.get_mut(crate::machine::StreamId::ERROR) {
            // Nothing better can be done when standard error is closed.
            let _ = stream.write(&mut *self.system, &text);
        }
    }

    /// `Name/Arity` as a term.
    pub(crate) fn indicator(&mut self, name: Atom, arity: usize) -> Cell {
        self.store.compound(atom::SLASH, &[Cell::atom(name), Cell::count(arity)])
    }
}
