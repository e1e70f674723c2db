//! Tabled predicates: `:- table p/2, q(_, min)`. The predicate becomes a clause that calls through its table, and the
//! clauses of the text go to a predicate of another name.

use super::directives::{indicator, items};
use super::{LoadError, Loader, show};
use crate::base::Diagnostic;
use crate::machine::{Kind, Machine, PredicateId, RunOutcome};
use crate::read::ReadTerm;
use crate::term::{Atom, Cell, atom};

impl Loader {
    /// `:- table Specs`.
    pub(super) fn table(
        &mut self,
        machine: &mut Machine,
        specs: Cell,
        read: &ReadTerm,
    ) -> Result<(), LoadError> {
        let as_name = machine.atoms.intern("as");
        let dynamic = machine.atoms.intern("dynamic");
        for (module, item) in items(machine, machine.source_module, specs) {
            let item = machine.store.match_structure::<2>(item, as_name).map_or(item, |[item, _]| item);
            for (module, item) in items(machine, module, item) {
                let item = machine.store.match_structure::<1>(item, dynamic).map_or(item, |[inner]| inner);
                self.table_one(machine, module, item, read)?;
            }
        }
        Ok(())
    }

    fn table_one(
        &mut self,
        machine: &mut Machine,
        module: Atom,
        spec: Cell,
        read: &ReadTerm,
    ) -> Result<(), LoadError> {
        let known = match indicator(machine, spec) {
            Some((name, arity)) => {
                let arguments: Vec<Cell> = (0..arity).map(|_| machine.store.variable()).collect();
                let head =
                    if arity == 0 { Cell::atom(name) } else { machine.store.compound(name, &arguments) };
                Some((name, arity, head))
            }
            None => machine.store.functor(spec).map(|(name, arity)| (name, arity, spec)),
        };
        let Some((name, arity, head)) = known else {
            let message =
                format!("expected Name/Arity or a head with modes, found `{}`", show(machine, spec));
            self.error(message, read.span);
            return Ok(());
        };
        let Some(id) = self.defined_predicate(machine, module, name, arity, read.span) else { return Ok(()) };
        if self.tabled.contains_key(&id) {
            return Ok(());
        }
        let worker = format!("{} tabled", machine.atoms.text(name));
        if self.positions.contains_key(&id) || machine.predicate_at(id).kind == Kind::Dynamic {
            let text = format!("`{}/{arity}` has clauses already, or is dynamic", machine.atoms.text(name));
            let diagnostic = Diagnostic::error(text, read.span).help("declare it tabled before its clauses");
            self.diagnostics.push(diagnostic);
            return Ok(());
        }
        let worker = machine.atoms.intern(&worker);
        let result = machine.store.variable();
        let wrapper = machine.atoms.intern("$table_wrapper");
        let goal = machine.store.compound(wrapper, &[Cell::atom(module), head, Cell::atom(worker), result]);
        let goal = machine.qualified(atom::SYSTEM, goal);
        match machine.run(goal) {
            RunOutcome::Succeeded => {}
            RunOutcome::Halted(code) => return Err(LoadError::Halted(code)),
            RunOutcome::Failed | RunOutcome::Threw(_) => {
                let message = format!("no modes of a table: `{}`", show(machine, spec));
                let diagnostic = Diagnostic::error(message, read.span)
                    .help("a mode is `_`, `index`, `min`, `max`, `first`, `last`, `sum`, `lattice(P/3)` or `po(P/2)`");
                self.diagnostics.push(diagnostic);
                return Ok(());
            }
        }
        let clause = machine.store.deref(result);
        let clause = if module == machine.source_module { clause } else { machine.qualified(module, clause) };
        self.clause(machine, clause, read);
        if let Some(clauses) = self.defined_predicate(machine, module, worker, arity, read.span)
            && machine.predicate_at(clauses).kind == Kind::Undefined
        {
            machine.define_empty(clauses);
        }
        self.tabled.insert(id, worker);
        Ok(())
    }

    /// The head of a clause, under the name of the clauses if its predicate is tabled.
    pub(super) fn tabled_head(&self, machine: &mut Machine, id: PredicateId, head: Cell) -> Option<Cell> {
        let &worker = self.tabled.get(&id)?;
        let (first, arity) = machine.store.arguments(head);
        let arguments: Vec<Cell> = (first..first + arity).map(|i| machine.store.at(i)).collect();
        Some(if arity == 0 { Cell::atom(worker) } else { machine.store.compound(worker, &arguments) })
    }
}
