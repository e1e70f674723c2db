//! Calling a goal that is a term: `call/N`, and whatever looks a predicate up by its name.

use crate::machine::{Address, Link, MAX_PROCEDURE_ARITY, Machine, Throw};
use crate::term::{Atom, Cell, Tag, atom, nullary};

impl Machine {
    /// Calls the goal in X0 with additional arguments from X1 on, in the module that it says. Control constructs go
    /// to the library's interpreter, which keeps their cuts local.
    pub(in crate::machine) fn meta_call(&mut self, additional: usize) -> Result<Address, Throw> {
        let whole = self.store.deref(self.x[0]);
        let (module, mut goal) = self.strip_module(atom::USER, whole);
        let (name, mut arity) = match self.store.functor(goal) {
            Some((atom::NULLARY_FUNCTOR, 1)) => {
                goal = nullary::as_goal(&self.store, goal);
                self.store.functor(goal).unwrap_or((atom::NULLARY_FUNCTOR, 1))
            }
            Some(functor) => functor,
            None => return self.type_error(atom::CALLABLE, goal),
        };
        let control = matches!(
            (name, arity + additional),
            (atom::COMMA | atom::SEMICOLON | atom::ARROW | atom::SOFT_ARROW, 2) | (atom::NOT, 1)
        );
        let mut additional = additional;
        if control && additional > 0 {
            // The goal that the arguments complete, such as `;(If -> Then, Else)`, is called as a whole.
            let (first, count) = self.store.arguments(goal);
            let mut arguments: Vec<Cell> = (first..first + count).map(|i| self.store.at(i)).collect();
            arguments.extend_from_slice(&self.x[1..=additional]);
            goal = self.store.compound(name, &arguments);
            (arity, additional) = (arity + additional, 0);
        }
        if (name, arity) == (atom::COLON, 2) {
            let qualifier = self.store.argument(goal, 0);
            return match qualifier.tag() {
                Tag::Ref => self.instantiation_error(),
                // Only of a cyclic term there are qualifiers left.
                Tag::Atm => self.representation_error("cyclic_term"),
                _ => self.type_error(atom::ATOM, qualifier),
            };
        }
        if additional == 0 {
            if control {
                self.check_body(goal)?;
                let goal = self.with_calls(goal, true);
                self.x[0] = if module == atom::USER { goal } else { self.qualified(module, goal) };
                self.x[1] = Cell::count(self.choices.len());
                return Ok(self.enter(atom::SYSTEM, atom::EXEC, 2));
            }
            if goal == Cell::atom(atom::CUT) {
                return Ok(self.continuation);
            }
        }
        let (first, _) = self.store.arguments(goal);
        let total = arity + additional;
        // Behind the arguments a dynamic predicate keeps two cells.
        if total > MAX_PROCEDURE_ARITY {
            return self.representation_error("max_procedure_arity");
        }
        self.reserve_registers(total + 16);
        self.x.copy_within(1..=additional, arity);
        for i in 0..arity {
            self.x[i] = self.store.at(first + i);
        }
        Ok(self.enter(module, name, total))
    }

    /// Prepares a call of a predicate, whose arguments are in their registers, as the continuation's next step.
    pub(in crate::machine) fn enter(&mut self, module: Atom, name: Atom, arity: usize) -> Address {
        let predicate = self.predicate_in(module, name, arity);
        self.cut_barrier = self.choices.len();
        if self.predicate_at(predicate).link == Link::Own && self.qualifies(predicate) {
            self.qualify_arguments(predicate, module);
        }
        self.predicate_at(predicate).exported
    }
}
