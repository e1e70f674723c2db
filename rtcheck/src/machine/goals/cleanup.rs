//! Cleanup of `setup_call_cleanup/3`: a goal that runs once when another one is done, however that comes about.
//!
//! While the other goal may still give solutions there is a choicepoint that holds the cleanup. It runs when that
//! choicepoint goes: where it is backtracked to (the goal failed), where an exception passes it, and where a cut
//! removes it. A goal that leaves no choicepoint is done at its exit, which the library sees to. Cuts and exceptions
//! run the cleanup by a run of its own at that very place; the others continue there as at any call.
//!
//! The cleanup is told why it runs: `fail`, `!`, `exception(Ball)` of the goal itself, `external_exception(Ball)` of
//! what came after it while it had choicepoints left; the library says `exit`.
//!
//! Cost: one comparison per cut while there is nothing to clean up.

use crate::machine::{Address, Machine, RunOutcome, Throw, fixed};
use crate::term::{Cell, Record, atom};

/// Cleanups inside cleanups that cuts start use the native stack; deeper than this is an error.
const MOST_NESTED: usize = 64;

/// The cleanups that wait.
#[derive(Debug, Default)]
pub(in crate::machine) struct Cleanups {
    /// The positions of their choicepoints.
    waiting: Vec<usize>,
    /// Those whose choicepoints a cut removed, the innermost first.
    due: Vec<Cell>,
    /// How many runs of cleanups are inside each other.
    nested: usize,
}

impl Cleanups {
    /// Whether a cut back to this many choicepoints removes one of a cleanup.
    #[inline]
    pub(in crate::machine) fn concerned(&self, count: usize) -> bool {
        self.waiting.last().is_some_and(|&last| last >= count)
    }

    /// The cleanups whose choicepoints a cut removed.
    pub(in crate::machine) fn due(&self) -> &[Cell] {
        &self.due
    }

    /// Whether a cut removed choicepoints of cleanups that did not run yet.
    #[inline]
    pub(in crate::machine) fn is_due(&self) -> bool {
        !self.due.is_empty()
    }
}

impl Machine {
    /// Makes the choicepoint of a cleanup, and returns its position.
    pub(crate) fn push_cleanup(&mut self, goal: Cell) -> usize {
        let register = std::mem::replace(&mut self.x[0], goal);
        self.push_choice(1, fixed::CLEANUP);
        self.x[0] = register;
        let position = self.choices.len() - 1;
        self.cleanups.waiting.push(position);
        position
    }

    /// At the exit of a goal with a cleanup: removes the choicepoint if it is the newest, and says whether. The exit of
    /// a continuation that was called elsewhere finds none.
    pub(crate) fn leave_cleanup(&mut self, position: usize) -> bool {
        if position + 1 != self.choices.len() || self.cleanups.waiting.last() != Some(&position) {
            return false;
        }
        self.cleanups.waiting.pop();
        self.pop_choice();
        true
    }

    /// Continues at a choicepoint of a cleanup, whose goal is in the first register: runs it and fails.
    pub(in crate::machine) fn fail_into_cleanup(&mut self) -> Address {
        self.cleanups.waiting.pop();
        self.pop_choice();
        let name = self.atoms.intern("$fail_cleanup");
        let predicate = self.predicate_in(atom::SYSTEM, name, 1);
        self.predicate_at(predicate).entry
    }

    /// Before choicepoints are cut: notes the cleanups among them.
    #[cold]
    pub(in crate::machine) fn take_cleanups(&mut self, count: usize) {
        while self.cleanups.concerned(count) {
            let Some(position) = self.cleanups.waiting.pop() else { break };
            let goal = self.choice_arguments[self.choices[position].arguments];
            self.cleanups.due.push(goal);
        }
    }

    /// After a cut: runs the cleanups that it caused. The first exception of one is that of the cut.
    #[cold]
    pub(crate) fn run_cleanups(&mut self) -> Result<(), Throw> {
        let due = std::mem::take(&mut self.cleanups.due);
        let mut result = Ok(());
        for goal in due {
            if let Err(throw) = self.run_cleanup(goal, Cell::atom(atom::CUT))
                && (result.is_ok() || matches!(throw, Throw::Halt(_)))
            {
                result = Err(throw);
            }
        }
        result
    }

    fn run_cleanup(&mut self, goal: Cell, reason: Cell) -> Result<(), Throw> {
        if self.cleanups.nested >= MOST_NESTED {
            let depth = self.atoms.intern("depth");
            return self.resource_error(depth);
        }
        self.cleanups.nested += 1;
        let name = self.atoms.intern("$clean_up");
        let goal = self.store.compound(name, &[goal, reason]);
        let outcome = self.run(goal);
        self.cleanups.nested -= 1;
        match outcome {
            RunOutcome::Threw(ball) => Err(Throw::Ball(ball)),
            RunOutcome::Halted(code) => Err(Throw::Halt(code)),
            RunOutcome::Succeeded | RunOutcome::Failed => Ok(()),
        }
    }

    /// An exception is about to remove the newest choicepoint, and everything is as it was when it was made: runs the
    /// cleanup if it is one; `inside` says whether its goal was still running. The exception under way stays what it
    /// is.
    pub(in crate::machine) fn unwind_cleanup(&mut self, ball: &Record, inside: bool) -> Option<Throw> {
        let position = self.choices.len().checked_sub(1)?;
        if !self.cleanups.concerned(position) {
            return None;
        }
        self.cleanups.waiting.pop();
        let goal = self.choice_arguments[self.choices[position].arguments];
        let thrown = self.thrown;
        let reason = self.atoms.intern(if inside { "exception" } else { "external_exception" });
        let ball = ball.restore(&mut self.store);
        let reason = self.store.compound(reason, &[ball]);
        let outcome = self.run_cleanup(goal, reason);
        // What the cleanup threw is gone.
        self.thrown = thrown;
        self.escaped = None;
        match outcome {
            Err(Throw::Halt(code)) => Some(Throw::Halt(code)),
            Err(Throw::Ball(_)) | Ok(()) => None,
        }
    }

    /// The run ends in a way that runs no more goals: forgets the cleanups of its choicepoints.
    pub(in crate::machine) fn forget_cleanups(&mut self, count: usize) {
        self.cleanups.waiting.retain(|&position| position < count);
    }
}
