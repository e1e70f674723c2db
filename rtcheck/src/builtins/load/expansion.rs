//! What a program puts in the place of its terms and goals: `term_expansion/2`, `goal_expansion/2`, and the same with
//! four arguments, of which two are places, which are left open.
//!
//! The text's own module is asked first, then the module that it is built on, then `user`, then `system`. Clauses of
//! the text that stand in front of a term are compiled before they are asked about it.

use super::{LoadError, Loader};
use crate::machine::{Machine, RunOutcome};
use crate::read::ReadTerm;
use crate::term::{Atom, Cell, atom};

impl Loader {
    /// What `term_expansion/2` makes of a term, if the program has one.
    pub(super) fn expand(
        &mut self,
        machine: &mut Machine,
        term: Cell,
        read: &ReadTerm,
    ) -> Result<Option<Cell>, LoadError> {
        let name = machine.atoms.intern("term_expansion");
        let (mut terms, mut is_made) = (vec![term], false);
        // Each term that the text's own module makes goes on to `user`.
        for module in self.expanding(machine, name) {
            let mut next = Vec::new();
            for term in terms {
                match self.expanded_in(machine, module, name, term, read)? {
                    Some(made) => {
                        is_made = true;
                        next.extend(made);
                    }
                    None => next.push(term),
                }
            }
            terms = next;
        }
        let made = match *terms {
            _ if !is_made => self.translate(machine, term, read)?,
            [made] => Some(made),
            _ => Some(machine.store.list(&terms, Cell::atom(atom::NIL))),
        };
        self.with_package_terms(machine, term, made, read)
    }

    /// The terms that a module's `term_expansion/2` makes of one, if it makes any.
    fn expanded_in(
        &mut self,
        machine: &mut Machine,
        module: Atom,
        name: Atom,
        term: Cell,
        read: &ReadTerm,
    ) -> Result<Option<Vec<Cell>>, LoadError> {
        for with_places in [true, false] {
            if !self.is_expanding(machine, module, name, with_places) {
                continue;
            }
            self.compile(machine);
            let result = machine.store.variable();
            let goal = if with_places {
                let places = [machine.store.variable(), machine.store.variable()];
                machine.store.compound(name, &[term, places[0], result, places[1]])
            } else {
                machine.store.compound(name, &[term, result])
            };
            let goal = machine.qualified(module, goal);
            match machine.run(goal) {
                RunOutcome::Succeeded => {
                    let made = machine.store.deref(result);
                    return Ok(Some(machine.store.list_elements(made).unwrap_or_else(|_| vec![made])));
                }
                RunOutcome::Failed => {}
                RunOutcome::Halted(code) => return Err(LoadError::Halted(code)),
                RunOutcome::Threw(ball) => self.threw(machine, goal, &ball, read.span),
            }
        }
        Ok(None)
    }

    /// Whether a module has clauses that expand, with two arguments or with four.
    fn is_expanding(&self, machine: &mut Machine, module: Atom, name: Atom, with_places: bool) -> bool {
        let arity = if with_places { 4 } else { 2 };
        let id = machine.find_predicate_in(module, name, arity);
        // Clauses of this very text are compiled when they are needed.
        id.is_some_and(|id| machine.predicate_at(id).module == module) || {
            let own = machine.predicate_in(module, name, arity);
            self.positions.contains_key(&own)
        }
    }

    /// The modules that expand what this text says, of its own, `user` and `system`.
    fn expanding(&self, machine: &mut Machine, name: Atom) -> Vec<Atom> {
        // The engine's own texts mean what they say.
        if self.source.name.starts_with("library(") {
            return Vec::new();
        }
        let mut modules = vec![machine.source_module];
        modules.extend(machine.base_of(machine.source_module));
        for module in [atom::USER, atom::SYSTEM] {
            if !modules.contains(&module) {
                modules.push(module);
            }
        }
        modules.retain(|&module| {
            self.is_expanding(machine, module, name, false) || self.is_expanding(machine, module, name, true)
        });
        modules
    }

    /// A clause or directive with the goals of its body as `goal_expansion/2` wants them, if the program has one.
    pub(super) fn expand_goals(
        &mut self,
        machine: &mut Machine,
        term: Cell,
        read: &ReadTerm,
    ) -> Result<Cell, LoadError> {
        if self.library {
            return Ok(term);
        }
        let name = machine.atoms.intern("goal_expansion");
        let modules = self.expanding(machine, name);
        if modules.is_empty() && self.goal_translations.is_empty() {
            return Ok(term);
        }
        if !modules.is_empty() || self.translates_goals_itself(machine) {
            self.compile(machine);
        }
        let mut asked: Vec<Cell> = modules.into_iter().map(Cell::atom).collect();
        asked.extend(self.goal_translations(machine));
        let modules = machine.store.list(&asked, Cell::atom(atom::NIL));
        let result = machine.store.variable();
        let name = machine.atoms.intern("$expand_clause");
        let goal = machine.store.compound(name, &[term, modules, result]);
        match machine.run(goal) {
            RunOutcome::Succeeded => Ok(machine.store.deref(result)),
            RunOutcome::Failed => Ok(term),
            RunOutcome::Halted(code) => Err(LoadError::Halted(code)),
            RunOutcome::Threw(ball) => {
                self.threw(machine, goal, &ball, read.span);
                Ok(term)
            }
        }
    }

    /// The terms that stand in place of one: a list of them, or a single one.
    pub(super) fn expanded(
        &mut self,
        machine: &mut Machine,
        terms: Cell,
        read: &ReadTerm,
    ) -> Result<bool, LoadError> {
        let terms = match machine.store.list_elements(terms) {
            Ok(terms) => terms,
            Err(_) => vec![terms],
        };
        let read = ReadTerm { variables: Vec::new(), ..read.clone() };
        let mut kept = false;
        for term in terms {
            kept |= self.plain_term(machine, machine.store.deref(term), &read)?;
        }
        Ok(kept)
    }
}
