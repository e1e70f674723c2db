//! Finding the handler of an exception.

use crate::machine::{Address, Machine, PredicateId, Throw, fixed};
use crate::term::{Cell, Record};

impl Machine {
    /// Finds the innermost active `catch/3`, among the choicepoints from `base` on, whose catcher unifies with
    /// the ball; prepares its recovery goal and returns the address to continue at. Everything since is undone, and
    /// cleaned up. `Err`: a cleanup, or a goal of `undo/1`, asked to end the program, with an exit code.
    pub(in crate::machine) fn handle(&mut self, ball: &Record, base: usize) -> Result<Option<Address>, i32> {
        // A catch whose goal has left a choicepoint and exited is not active. It is active exactly when its
        // environment is among the continuations of the goal that threw; both lie in order on the stack.
        let mut frame = self.environment;
        while self.choices.len() > base {
            let Some(&choice) = self.choices.last() else { break };
            let is_catch =
                choice.alternative == fixed::POP_FAIL && self.choice_arguments.len() - choice.arguments == 3;
            if is_catch || choice.alternative == fixed::CLEANUP {
                while frame > choice.environment {
                    frame = self.environments[frame].int_value() as usize;
                }
            }
            // A cleanup overwrites the environments made since; the chain is followed beyond them first.
            while frame >= choice.environment_top {
                frame = self.environments[frame].int_value() as usize;
            }
            self.restore_choice();
            if let Some(code) = self.run_undone() {
                return Err(code);
            }
            if let Some(Throw::Halt(code)) = self.unwind_cleanup(ball, frame == choice.environment) {
                return Err(code);
            }
            self.pop_choice();
            if !is_catch || frame != choice.environment {
                continue;
            }
            self.unguard_above(self.choices.len());
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
                return Ok(Some(self.predicate_at(PredicateId::CALL).entry));
            }
            self.store.undo_to(trail);
            self.store.forget_woken(0);
            self.store.cells.truncate(store);
        }
        self.unguard_above(self.choices.len());
        Ok(None)
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
