//! What a module means by the name of a type.
//!
//! The types know names, not modules. Where two modules define types of the same name, the second one's is known under
//! a longer name, which is looked up here; what a module means is decided by whose predicate it sees under the
//! name, as for calls.

use super::Machine;
use crate::regtype::{NotRegular, TypeExpression};
use crate::term::{Atom, Cell, atom};

impl Machine {
    /// The name under which [`Machine::types`] know what a module calls so.
    #[must_use]
    pub fn type_name(&self, module: Atom, name: Atom, parameters: usize) -> Atom {
        let home = self
            .find_predicate_in(module, name, parameters + 1)
            .map_or(atom::SYSTEM, |id| self.predicate_at(id).module);
        self.types.known_as(home, name, parameters)
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
