//! Terms as bodies (ISO 13211-1, 7.6.2): what can be called, and where a variable stands for a goal.
//!
//! A goal that is a variable is `call/1` of it from the moment that the body is converted, be it compiled, asserted or
//! called: what it is bound to later is a goal of its own, whose cut is local to it.

use crate::machine::{Lie, Machine, Throw};
use crate::term::{Cell, Tag, atom};

impl Machine {
    /// Throws unless a term can be called as a body: every part under the control constructs is a variable or
    /// callable.
    pub(crate) fn check_body(&mut self, body: Cell) -> Result<(), Throw> {
        let mut pending = vec![body];
        let mut steps = self.store.len();
        while let Some(goal) = pending.pop() {
            let goal = self.store.deref(goal);
            match steps.checked_sub(1) {
                Some(left) => steps = left,
                // More steps than cells: parts are shared, or the body is cyclic.
                None if self.store.is_acyclic(body) => steps = usize::MAX,
                None => return self.representation_error("cyclic_term"),
            }
            match self.store.functor(goal) {
                Some((atom::COMMA | atom::SEMICOLON | atom::ARROW | atom::SOFT_ARROW, 2)) => {
                    pending.extend([self.store.argument(goal, 0), self.store.argument(goal, 1)]);
                }
                Some((atom::COLON, 2)) => pending.push(self.store.argument(goal, 1)),
                Some(_) => {}
                None if goal.tag() == Tag::Ref => {}
                None => return self.type_error(atom::CALLABLE, body),
            }
        }
        Ok(())
    }

    /// A body whose goals that are variables are `call/1` of them. `deep`: those of negations and of goals of other
    /// modules as well, which the compiler converts with the body, while the term that `clause/2` shows keeps them.
    pub(crate) fn with_calls(&mut self, body: Cell, deep: bool) -> Cell {
        let body = self.store.deref(body);
        if !self.has_variable_goal(body, deep) || self.tells(Lie::BoundGoals) {
            return body;
        }
        // Bodies that are still to be converted, and constructs to be put together from the last results.
        let mut tasks = vec![(body, false)];
        let mut results = Vec::new();
        while let Some((goal, built)) = tasks.pop() {
            let parts = self.body_parts(goal, deep);
            if built {
                let Some((name, arity)) = self.store.functor(goal) else { break };
                let mut arguments: Vec<Cell> = (0..arity).map(|i| self.store.argument(goal, i)).collect();
                for argument in arguments.iter_mut().rev().take(parts.len()) {
                    // As many results as the construct has parts were pushed since.
                    *argument = results.pop().unwrap_or(*argument);
                }
                results.push(self.store.compound(name, &arguments));
            } else if self.is_variable_goal(goal) {
                results.push(self.store.compound(atom::CALL, &[goal]));
            } else if parts.is_empty() {
                results.push(goal);
            } else {
                tasks.push((goal, true));
                tasks.extend(parts.into_iter().rev().map(|part| (part, false)));
            }
        }
        results.pop().unwrap_or(body)
    }

    fn has_variable_goal(&self, body: Cell, deep: bool) -> bool {
        let mut pending = vec![body];
        let mut steps = self.store.len();
        while let Some(goal) = pending.pop() {
            if self.is_variable_goal(goal) {
                return true;
            }
            match steps.checked_sub(1) {
                Some(left) => steps = left,
                None if self.store.is_acyclic(body) => steps = usize::MAX,
                // What is called finds the cycle.
                None => return false,
            }
            pending.extend(self.body_parts(goal, deep));
        }
        false
    }

    /// Whether a goal is known only when it is called: a variable, or one of an unknown module.
    fn is_variable_goal(&self, goal: Cell) -> bool {
        match self.store.match_structure::<2>(goal, atom::COLON) {
            Some([module, inner]) => module.tag() == Tag::Ref || inner.tag() == Tag::Ref,
            None => goal.tag() == Tag::Ref,
        }
    }

    /// The goals that a control construct is made of: its last arguments.
    fn body_parts(&self, goal: Cell, deep: bool) -> Vec<Cell> {
        let argument = |i: usize| self.store.argument(goal, i);
        match self.store.functor(goal) {
            Some((atom::COMMA | atom::SEMICOLON | atom::ARROW | atom::SOFT_ARROW, 2)) => {
                vec![argument(0), argument(1)]
            }
            Some((atom::NOT, 1)) if deep => vec![argument(0)],
            Some((atom::COLON, 2)) if deep && argument(0).tag() == Tag::Atm => vec![argument(1)],
            _ => Vec::new(),
        }
    }
}
