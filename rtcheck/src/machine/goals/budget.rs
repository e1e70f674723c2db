//! Budgets: a goal that may only make so many calls, or take so much time.
//!
//! `call_with_inference_limit/3` and `call_with_time_limit/2` are written in Prolog around [`Machine::begin_budget`]
//! and [`Machine::end_budget`]. There is one bound of each kind, the nearest of all goals that are under way, with the
//! number of the goal that set it. A goal that begins gets what it replaces and gives it back when it ends, so budgets
//! nest like the goals and cost nothing while a goal runs: calls are counted anyway, and the bound only moves the next
//! look up (see `limits`). That makes the bound on calls exact: the same program always ends at the same call.
//!
//! The bounds belong to the stacks of an engine: what others do while it waits is not counted, and its bounds do not end
//! what they do. Whoever asks an engine for a solution waits for it, so the asker's bounds hold in there too; not those
//! of the thread whose turn ended for a thread that has its own (see `engine`).

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

/// How many goals with budgets there have been, and whose bound was met last.
#[derive(Debug, Default)]
pub(in crate::machine) struct Budgets {
    owners: u64,
    met: u64,
}

/// The nearest bounds of the goals of one engine.
#[derive(Debug)]
pub(in crate::machine) struct Bounds {
    own: Pair,
    /// Those of whoever asked, in calls of all engines.
    asked: Pair,
    /// Calls that were made while this engine waited, which it does not count.
    elsewhere: u64,
    /// The count of calls when it began to wait.
    left_at: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    inferences: Budget,
    time: Budget,
}

impl Pair {
    const NONE: Pair = Pair { inferences: Budget::NONE, time: Budget::NONE };
}

impl Bounds {
    /// Those of an engine that nobody has asked for anything, when so many calls have been made.
    pub(in crate::machine) fn at(calls: u64) -> Bounds {
        Bounds { own: Pair::NONE, asked: Pair::NONE, elsewhere: 0, left_at: calls }
    }

    fn of(&mut self, resource: Resource) -> &mut Budget {
        self.own.of(resource)
    }

    /// After how many more calls the nearest bound on calls is met, if the count of all is `calls` now.
    pub(in crate::machine) fn calls_left(&self, calls: u64) -> u64 {
        let own = self.own.inferences.bound.saturating_add(self.elsewhere);
        own.min(self.asked.inferences.bound).saturating_sub(calls)
    }

    /// What holds in an engine that is asked from here: the nearest of these bounds.
    fn for_asked(&self) -> Pair {
        let mut own = self.own;
        own.inferences.bound = own.inferences.bound.saturating_add(self.elsewhere);
        Pair {
            inferences: own.inferences.nearest(self.asked.inferences),
            time: own.time.nearest(self.asked.time),
        }
    }
}

/// A goal that catches the end of its budget, although it is not its own to catch, gets this many calls or milliseconds
/// before it is told again: enough to clean up. One that catches everything in a loop is told for ever.
const GRACE: u64 = 1000;

impl Budget {
    fn nearest(self, other: Budget) -> Budget {
        if other.bound < self.bound { other } else { self }
    }
}

impl Pair {
    fn of(&mut self, resource: Resource) -> &mut Budget {
        match resource {
            Resource::Inferences => &mut self.inferences,
            Resource::Time => &mut self.time,
        }
    }
}

impl Machine {
    fn used(&self, resource: Resource) -> u64 {
        match resource {
            Resource::Inferences => self.calls().saturating_sub(self.bounds.elsewhere),
            Resource::Time => self.milliseconds(),
        }
    }

    /// The clock of bounds on time: milliseconds since the process started.
    pub(in crate::machine) fn milliseconds(&self) -> u64 {
        u64::try_from(self.system.wall_time().as_millis()).unwrap_or(u64::MAX)
    }

    /// The stacks of an engine have become the machine's, and those of whoever asked are the others. A thread that is
    /// given its turn is not bound by what the one before may use.
    pub(in crate::machine) fn enter_bounds(&mut self, asker: &Bounds, is_thread: bool) {
        self.bounds.asked = if is_thread { Pair::NONE } else { asker.for_asked() };
        self.bounds.elsewhere += self.calls().saturating_sub(self.bounds.left_at);
        self.look_up_soon();
    }

    /// The engine that is running is going to wait.
    pub(in crate::machine) fn leave_bounds(&mut self) {
        self.bounds.left_at = self.calls();
        self.look_up_soon();
    }

    /// In how many milliseconds a bound on time is met, if there is one.
    pub(in crate::machine) fn time_left(&self) -> Option<u64> {
        let bound = self.bounds.own.time.nearest(self.bounds.asked.time);
        (bound != Budget::NONE).then(|| bound.bound.saturating_sub(self.milliseconds()))
    }

    /// A number for a goal with a budget.
    pub(crate) fn new_owner(&mut self) -> u64 {
        self.budgets.owners += 1;
        self.budgets.owners
    }

    /// From now on a goal may use so much, unless one around it may use less. Returns the bound that held until now.
    pub(crate) fn begin_budget(&mut self, resource: Resource, owner: u64, amount: u64) -> Budget {
        let new = Budget { bound: self.used(resource).saturating_add(amount), owner };
        let budget = self.bounds.of(resource);
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
        let met = self.budgets.met;
        let budget = self.bounds.of(resource);
        let left = budget.bound.saturating_sub(used);
        *budget = before;
        // A bound that was met inside of the goal has been told.
        if before.owner == met && before != Budget::NONE {
            budget.bound = before.bound.max(used.saturating_add(GRACE));
        }
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
        if self.bounds.own == Pair::NONE && self.bounds.asked == Pair::NONE {
            return Ok(());
        }
        for (resource, ball) in
            [(Resource::Inferences, "inference_limit_exceeded"), (Resource::Time, "time_limit_exceeded")]
        {
            let elsewhere = if resource == Resource::Inferences { self.bounds.elsewhere } else { 0 };
            for (is_own, apart) in [(true, 0), (false, elsewhere)] {
                let bounds = if is_own { self.bounds.own } else { self.bounds.asked };
                let budget = { bounds }.of(resource).to_owned();
                if budget == Budget::NONE {
                    continue;
                }
                let used = self.used(resource).saturating_add(apart);
                if used >= budget.bound {
                    let bounds = if is_own { &mut self.bounds.own } else { &mut self.bounds.asked };
                    bounds.of(resource).bound = used.saturating_add(GRACE);
                    self.budgets.met = budget.owner;
                    let ball = Cell::atom(self.atoms.intern(ball));
                    return self.throw_term(ball);
                }
            }
        }
        Ok(())
    }
}
