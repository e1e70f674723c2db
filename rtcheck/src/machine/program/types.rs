//! What a module means by the name of a type.
//!
//! The types know names, not modules. Where two modules define types of the same name, the second one's is known under
//! a longer name, which is looked up here; what a module means is decided by whose predicate it sees under the
//! name, as for calls.

use crate::machine::{Link, Machine, PredicateId};
use crate::regtype::{NotRegular, TypeExpression};
use crate::term::{Atom, Cell, atom};

impl Machine {
    /// The name under which [`Machine::types`] know what a module calls so.
    #[must_use]
    pub fn type_name(&self, module: Atom, name: Atom, parameters: usize) -> Atom {
        let home = self
            .find_predicate_in(module, name, parameters + 1)
            .map_or(atom::SYSTEM, |id| self.predicate_at(id).module);
        // Ciao's strings are lists of codes: the name means them too, but where text is read as strings.
        if home == atom::SYSTEM
            && parameters == 0
            && self.atoms.text(name) == "string"
            && self.find_module(module).is_some_and(|module| module.strings)
            && let Some(strings) = self.atoms.find("$string")
        {
            return strings;
        }
        self.types.known_as(home, name, parameters)
    }

    /// Lets `string/1` mean in a module what it means to Ciao: lists of codes too.
    pub(crate) fn take_codes_as_strings(&mut self, module: Atom) {
        if self.module(module).strings {
            return;
        }
        let (from, name) = (self.strings_or_codes(), self.atoms.intern("string"));
        // A definition of the program's own stands.
        let _ = self.import(module, from, name, true);
    }

    /// The opposite, if nothing else was done about it.
    pub(crate) fn forget_codes_as_strings(&mut self, module: Atom) {
        let name = self.atoms.intern("string");
        let Some(id) = self.find_predicate_in(module, name, 1) else { return };
        let strings = self.predicate_in(atom::SYSTEM, name, 1);
        if module != atom::SYSTEM && id != strings && self.origin(id) == self.strings_or_codes() {
            let id = self.predicate_in(module, name, 1);
            self.set_link(id, Link::Inherited(strings));
        }
    }

    fn strings_or_codes(&mut self) -> PredicateId {
        let name = self.atoms.intern("$string_or_codes");
        self.predicate_in(atom::SYSTEM, name, 1)
    }

    /// Reads a type such as `list(int)` as a module writes it.
    ///
    /// # Errors
    /// The term is not a type.
    pub fn type_expression(&self, module: Atom, cell: Cell) -> Result<TypeExpression, NotRegular> {
        let mut expression = TypeExpression::read(&self.store, cell, 0, &|_| None)?;
        expression.rename(&mut |name, parameters| self.type_name(module, name, parameters));
        Ok(expression)
    }
}
