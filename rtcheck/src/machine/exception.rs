//! Finding the handler of an exception.

use super::{Address, Machine, PredicateId, fixed};
use crate::term::{Cell, Record};

impl Machine {
    /// Finds the innermost active `catch/3`, among the choicepoints from `base` on, whose catcher unifies with
    /// the ball; prepares its recovery goal and returns the address to continue at. Everything since is undone.
    pub(super) fn handle(&mut self, ball: &Record, base: usize) -> Option<Address> {
        // A catch whose goal has left a choicepoint and exited is not active. It is active exactly when its
        // environment is among the continuations of the goal that threw; both lie in order on the stack.
        let mut frame = self.environment;
        while self.choices.len() > base {
            let choice = *self.choices.last()?;
            let is_catch =
                choice.alternative == fixed::POP_FAIL && self.choice_arguments.len() - choice.arguments == 3;
            if is_catch {
                while frame > choice.environment {
                    frame = self.environments[frame].int_value() as usize;
                }
            }
            if !is_catch || frame != choice.environment {
                self.pop_choice_undone();
                continue;
            }
            self.pop_choice_undone();
            let (catcher, recovery) = (self.x[1], self.x[2]);
            let store = self.store.len();
            let trail = self.store.trail.len();
            let boundary = std::mem::replace(&mut self.store.boundary, store);
            let term = ball.restore(&mut self.store);
            let unified = self.store.unify(catcher, term);
            self.store.boundary = boundary;
            if unified {
                self.environment = choice.environment;
                self.deallocate_catch();
                self.x[0] = recovery;
                self.cut_barrier = self.choices.len();
                return Some(self.predicate_at(PredicateId::CALL).entry);
            }
            self.store.undo_to(trail);
            self.store.cells.truncate(store);
        }
        None
    }

    fn pop_choice_undone(&mut self) {
        self.restore_choice();
        self.pop_choice();
    }

    fn deallocate_catch(&mut self) {
        self.continuation = self.environments[self.environment + 1].int_value() as Address;
        self.environment = self.environments[self.environment].int_value() as usize;
    }

    /// The ball as a term in the store, to be shown.
    pub fn restore(&mut self, ball: &Record) -> Cell {
        ball.restore(&mut self.store)
    }
}
