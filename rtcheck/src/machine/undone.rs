//! Goals that run where backtracking has passed them: `undo/1`.
//!
//! The goal is a record that an entry of the trail stands for. While there are any, the form of the loop that looks is
//! used: back at a choicepoint it calls what is due, in a predicate that fails, before anything else continues there.
//! Where an exception, or the end of a run, goes back to a choicepoint, what is due is run at that very place.
//!
//! Cost: nothing where no program calls `undo/1`.

use super::{Address, Machine};
use crate::term::{Cell, Record, atom};

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
    pub(super) fn undone_entry(&mut self) -> Address {
        let name = self.atoms.intern("$run_undone");
        let predicate = self.predicate_in(atom::SYSTEM, name, 0);
        self.predicate_at(predicate).entry
    }

    /// Runs what is due. Nobody waits for the outcome.
    pub(super) fn run_undone(&mut self) {
        if self.store.has_undone() {
            let name = self.atoms.intern("$run_undone");
            let goal = self.qualified(atom::SYSTEM, Cell::atom(name));
            let (thrown, escaped) = (self.thrown, self.escaped.take());
            let _ = self.run(goal);
            (self.thrown, self.escaped) = (thrown, escaped);
        }
    }
}
