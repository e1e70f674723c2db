//! Goals that run where backtracking has passed them: `undo/1`.
//!
//! The goal is a record that an entry of the trail stands for. While there are any, the form of the loop that looks is
//! used: back at a choicepoint it calls what is due, in a predicate that fails, before anything else continues there.
//! Where an exception, or the end of a run, goes back to a choicepoint, what is due is run at that very place. Goals
//! inside goals that are run so are as deep as runs inside runs may be; those of deeper ones are left out, with a message.
//!
//! Cost: nothing where no program calls `undo/1`.

use super::query::MOST_NESTED;
use crate::machine::{Address, Machine, RunOutcome, fixed};
use crate::term::{Cell, Record, atom};

/// So many runs inside runs it takes at most to say that there are too many.
const TELLING: usize = 8;

impl Machine {
    /// Lets a goal run when backtracking passes this moment.
    pub(crate) fn push_undo(&mut self, goal: Cell) {
        let goal = Record::new(&self.store, goal);
        let number = self.undo_goals.last_key_value().map_or(0, |(last, _)| last + 1);
        self.undo_goals.insert(number, goal);
        self.store.push_undo(number);
        self.store.tell_loop();
    }

    /// Takes the goals that are due, in the order in which they were passed.
    pub(crate) fn take_undone(&mut self) -> Vec<Record> {
        let numbers = self.store.take_undone();
        numbers.into_iter().filter_map(|number| self.undo_goals.remove(&number)).collect()
    }

    /// Where to continue at the choicepoint that was just returned to, while goals are due.
    pub(in crate::machine) fn undone_entry(&mut self) -> Address {
        let name = self.atoms.intern("$run_undone");
        let predicate = self.predicate_in(atom::SYSTEM, name, 0);
        // It never returns, and the choicepoint says itself what it needs: its environment and continuation belong
        // together only for some kinds of choicepoints, and a collection would follow them.
        self.continuation = fixed::STOP;
        self.predicate_at(predicate).entry
    }

    /// Runs what is due. Nobody waits for the outcome but for the exit code of a goal that ended the program. Once the
    /// program has ended, nothing runs any more.
    pub(in crate::machine) fn run_undone(&mut self) -> Option<i32> {
        if !self.store.has_undone() {
            return None;
        }
        if self.halting {
            self.take_undone();
            return None;
        }
        let name = self.atoms.intern("$run_undone");
        let mut goal = Cell::atom(name);
        // Exceptions of goals whose goals throw use the native stack.
        if self.waiting.len() > MOST_NESTED {
            self.take_undone();
            // To say so may run goals of the program again, whose goals are left out without a word.
            if self.waiting.len() > MOST_NESTED + TELLING {
                return None;
            }
            goal = self.too_many_undone();
        }
        let goal = self.qualified(atom::SYSTEM, goal);
        let (thrown, escaped) = (self.thrown, self.escaped.take());
        let outcome = self.run(goal);
        (self.thrown, self.escaped) = (thrown, escaped);
        match outcome {
            RunOutcome::Halted(code) => Some(code),
            RunOutcome::Succeeded | RunOutcome::Failed | RunOutcome::Threw(_) => None,
        }
    }

    /// A goal that says that goals of `undo/1` were left out.
    fn too_many_undone(&mut self) -> Cell {
        let [print, resource, depth] =
            ["print_message", "resource_error", "depth"].map(|name| self.atoms.intern(name));
        let what = self.store.compound(resource, &[Cell::atom(depth)]);
        let place = self.store.variable();
        let error = self.store.compound(atom::ERROR, &[what, place]);
        self.store.compound(print, &[Cell::atom(atom::ERROR), error])
    }
}
