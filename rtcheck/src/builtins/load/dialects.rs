//! What other systems read without a directive: GNU Prolog its constraints, SICStus Prolog `block`.
//!
//! A clause that cannot be read is read once more with the operators of `library(gprolog_fd)`, or with that of `block`.
//! Where that helps, the text uses them from there on, as if it had asked for them.

use super::files::{self, Loaded, Spec};
use super::{LoadError, Loader, Mode};
use crate::base::Span;
use crate::machine::Machine;
use crate::read::Parser;
use crate::term::{OperatorKind, Operators};
use std::rc::Rc;

/// The library of GNU Prolog's constraints.
const LIBRARY: &str = "gprolog_fd";
/// What declares predicates that wait.
pub(super) const BLOCK: &[(&str, u16, OperatorKind)] = &[("block", 1150, OperatorKind::Fx)];

impl Loader {
    /// Whether a clause that cannot be read can be as another system reads it; then the text is read like that from
    /// here on, with this clause once more.
    pub(super) fn reads_as_elsewhere(
        &mut self,
        machine: &mut Machine,
        clause: Span,
    ) -> Result<bool, LoadError> {
        if self.library || machine.flags.strict {
            return Ok(false);
        }
        Ok(self.blocks(machine, clause) || self.uses_constraints(machine, clause)?)
    }

    /// A declaration `:- block p(-, ?)`.
    fn blocks(&self, machine: &mut Machine, clause: Span) -> bool {
        let text = &self.source.text[clause.start..clause.end];
        let name = machine.atoms.intern("block");
        if !text.contains("block") || machine.operators.is_operator(name) {
            return false;
        }
        let before = machine.operators.clone();
        self.define_operators(machine, BLOCK);
        let operators = machine.operators.clone();
        let helps = self.can_be_read(machine, clause, &operators);
        if !helps {
            machine.operators = before;
        }
        helps
    }

    /// Whether a clause can be read with some operators.
    fn can_be_read(&self, machine: &mut Machine, clause: Span, operators: &Operators) -> bool {
        let source = Rc::clone(&self.source);
        let scope = machine.begin_scope();
        let mut parser = Parser::new(&source.text, clause.start, machine.flags);
        let read = parser.read(&mut machine.store, &mut machine.atoms, operators).is_ok();
        machine.drop_scope(scope);
        read
    }

    /// One of GNU Prolog's constraints.
    fn uses_constraints(&mut self, machine: &mut Machine, clause: Span) -> Result<bool, LoadError> {
        let text = &self.source.text.as_bytes()[clause.start..clause.end];
        let may_be = text.windows(2).any(|pair| pair[0] == b'#' && b"=<>\\/#".contains(&pair[1]));
        let equals = machine.atoms.intern("#=");
        let is_known = machine.operators.is_operator(equals);
        if !may_be || is_known {
            return Ok(false);
        }
        let spec = Spec::Alias("library".to_owned(), LIBRARY.to_owned());
        let module = machine.source_module;
        let Loaded::File(file) = files::load(machine, &spec, module, Mode::Module)? else { return Ok(false) };
        let library = machine.loading.files[file].module;
        let mut operators = machine.operators.clone();
        for &(name, definition) in &machine.module(library).operators {
            operators.define(name, definition);
        }
        let helps = self.can_be_read(machine, clause, &operators);
        if helps {
            self.load_other(machine, &spec, module, None, Mode::Module, clause)?;
        }
        Ok(helps)
    }
}
