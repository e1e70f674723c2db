//! Budgets: a goal that may only make so many calls, or take so much time.
//!
//! `call_with_inference_limit/3` and `call_with_time_limit/2` are written in Prolog around [`Machine::begin_budget`]
//! and [`Machine::end_budget`]. There is one bound of each kind, the nearest of all goals that are under way, with the
//! number of the goal that set it. A goal that begins gets what it replaces and gives it back when it ends, so budgets
//! nest like the goals and cost nothing while a goal runs: calls are counted anyway, and the bound only moves the next
//! look up (see `limits`). That makes the bound on calls exact: the same program always ends at the same call.

use crate::machine::{Machine, Throw};
use crate::term::Cell;
use std::time::Duration;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// Calls of predicates.
    Inferences,
    /// Time that passes, in milliseconds.
    Time,
}

/// A bound, and who set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// The count at which it is used up.
    pub(crate) bound: u64,
    /// The number of the goal that it is for; 0 is none.
    pub(crate) owner: u64,
}

impl Budget {
    /// No bound at all: more than anything can use, and still a small integer.
    const NONE: Budget = Budget { bound: Cell::MAX_INT as u64, owner: 0 };
}

/// The nearest bounds, and whose was met last.
#[derive(Debug)]
pub(in crate::machine) struct Budgets {
    inferences: Budget,
    time: Budget,
    /// How many goals with budgets there have been.
    owners: u64,
    /// Whose bound was met last.
    met: u64,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets { inferences: Budget::NONE, time: Budget::NONE, owners: 0, met: 0 }
    }
}

/// A goal that catches the end of its budget, although it is not its own to catch, gets this many calls or milliseconds
/// before it is told again: enough to clean up. One that catches everything in a loop is told for ever.
const GRACE: u64 = 1000;

impl Budgets {
    fn of(&mut self, resource: Resource) -> &mut Budget {
        match resource {
            Resource::Inferences => &mut self.inferences,
            Resource::Time => &mut self.time,
        }
    }

    /// After how many more calls the bound on calls is met, if the count is `calls` now.
    pub(in crate::machine) fn calls_left(&self, calls: u64) -> u64 {
        self.inferences.bound.saturating_sub(calls)
    }
}

impl Machine {
    fn used(&self, resource: Resource) -> u64 {
        match resource {
            Resource::Inferences => self.calls(),
            Resource::Time => u64::try_from(self.system.wall_time().as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// A number for a goal with a budget.
    pub(crate) fn new_owner(&mut self) -> u64 {
        self.budgets.owners += 1;
        self.budgets.owners
    }

    /// From now on a goal may use so much, unless one around it may use less. Returns the bound that held until now.
    pub(crate) fn begin_budget(&mut self, resource: Resource, owner: u64, amount: u64) -> Budget {
        let new = Budget { bound: self.used(resource).saturating_add(amount), owner };
        let budget = self.budgets.of(resource);
        let before = *budget;
        if new.bound < before.bound {
            *budget = new;
            // The count of calls up to the next look may be too large now. Time is looked at anyway.
            if resource == Resource::Inferences {
                self.look_up_soon();
            }
        }
        before
    }

    /// Gives back the bound that held before a goal; returns how much the goal has left of its own.
    pub(crate) fn end_budget(&mut self, resource: Resource, before: Budget) -> u64 {
        let used = self.used(resource);
        let budget = self.budgets.of(resource);
        let left = budget.bound.saturating_sub(used);
        *budget = before;
        self.look_up_soon();
        left
    }

    /// Whose bound was met last.
    pub(crate) fn met_budget(&self) -> u64 {
        self.budgets.met
    }

    /// Sleeps, and lets the loop look up at the next call.
    pub(crate) fn sleep(&mut self, time: Duration) {
        self.system.sleep(time);
        self.look_up_soon();
    }

    /// Throws if a bound is met.
    pub(in crate::machine) fn keep_budgets(&mut self) -> Result<(), Throw> {
        for (resource, ball) in
            [(Resource::Inferences, "inference_limit_exceeded"), (Resource::Time, "time_limit_exceeded")]
        {
            if *self.budgets.of(resource) == Budget::NONE {
                continue;
            }
            let used = self.used(resource);
            let budget = self.budgets.of(resource);
            if used >= budget.bound {
                budget.bound = used.saturating_add(GRACE);
                self.budgets.met = self.budgets.of(resource).owner;
                let ball = Cell::atom(self.atoms.intern(ball));
                return self.throw_term(ball);
            }
        }
        Ok(())
    }
}
