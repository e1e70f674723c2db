//! A part of a program's paths: found again by another process, given away, divided among machines.
//!
//! An executor that [goes to](Executor::go_to) a [`Subtree`] starts the program, takes the sides of its
//! decisions without asking about them, and has the state that another one gave away. Meanwhile it tells
//! nobody anything and counts nothing: the way there belongs to whoever went it first. A decision also says at
//! which instruction, and among how many sides, it was made; if that does not agree, the way is lost, and the
//! executor says so instead of exploring something else. Where objects lie must be a function of the path for
//! that, so parts need [`Placement::PerState`].
//!
//! What is given away are states that have done nothing since they forked: all instructions, questions and
//! findings before that belong to the giver, all after it to the taker, so that the sums over all parts are
//! those of a whole run.
//!
//! [`Placement::PerState`]: crate::memory::Placement::PerState

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::trail::{Decision, Subtree, Way, place};
use crate::exec::interpret::known;
use crate::exec::{
    ErrorKind, Executor, Explored, Halt, Hot, Observer, Path, PathError, StartError, State, Step, Stop, Times,
};
use crate::expr::ExprId;
use crate::module::{FunctionId, Module};

/// A state for each machine is few: some have much below them, others nothing.
const STATES_PER_SHARE: usize = 16;

/// How many instructions are looked at most until there are states to be divided. A count, so that all machines
/// divide alike.
const MOST_BEFORE_SHARES: u64 = 4_000_000;

/// Which of several equal shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// From 1 on.
    pub number: u32,
    /// How many there are.
    pub count: u32,
}

/// What was counted since the last account.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Account {
    /// Of the exploration.
    pub explored: Explored,
    /// Where states were made and questions asked, by function and position.
    pub hot: BTreeMap<(FunctionId, u32), Hot>,
    /// How often each instruction was executed; empty unless that is counted.
    pub executions: BTreeMap<(FunctionId, u32), u64>,
    /// What parts of the engine's own work took.
    pub times: Times,
}

/// Hears nothing.
#[derive(Debug)]
pub(in crate::exec) struct Nobody;

impl Observer for Nobody {
    fn path(&mut self, _: &Module, _: &Path) {}
    fn warn(&mut self, _: &str) {}
}

/// A path that is followed does not go where it went.
pub(in crate::exec) fn lost() -> Stop {
    PathError::new(ErrorKind::Exec, "the way to a subtree is lost").into()
}

impl Executor<'_> {
    /// Goes to the root of a subtree, so that it is explored next, in an executor that has nothing else left;
    /// false if the way is lost, or the run ended on it.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn go_to(&mut self, subtree: &Subtree) -> Result<bool, StartError> {
        let first = self.initial_state()?;
        if self.constants.is_empty() {
            self.constants = known::constants(self.module, &first);
            self.plain_callees = self.plainly_entered();
            let is_there = |name: &String| self.module.functions.iter().any(|it| it.name == *name);
            for name in self.config.one_way.iter().filter(|name| !is_there(name)) {
                self.observer
                    .warn(&format!("the program has no function `{name}` to follow one way in (--one-way)"));
            }
        }
        let length = subtree.prefix.len();
        self.ahead = Rc::from(subtree.prefix.as_slice());
        self.without = BTreeSet::new();
        let explored = std::mem::take(&mut self.explored);
        self.explored.stopped = explored.stopped;
        let hot = std::mem::take(&mut self.hot);
        let executions = std::mem::take(&mut self.executions);
        let times = self.times;
        let mut found = Some(first);
        while let Some(state) = found.take_if(|state| state.trail.len() < length) {
            if self.explored.stopped.is_some() {
                break;
            }
            self.follow_path(state);
            found = self.searcher.take();
        }
        self.ahead = Rc::default();
        let stopped = self.explored.stopped;
        self.explored = Explored { stopped, ..explored };
        (self.hot, self.executions, self.times) = (hot, executions, times);
        let Some(mut state) = found else { return Ok(false) };
        state.fresh = true;
        state.new_coverage = subtree.new_coverage;
        state.new_lines = Rc::new(subtree.new_lines.clone());
        self.without.clone_from(&subtree.without);
        self.wait(state);
        // A question that takes longer than the run ends with it.
        if self.begun.is_none() {
            self.begun = Some(self.system.elapsed());
            self.watch.begin(self.system.memory());
        }
        if self.deadline.is_none() {
            self.deadline = self.config.max_time.map(|limit| self.system.elapsed().saturating_add(limit));
        }
        self.solver.patience().set(self.deadline, false);
        Ok(true)
    }

    /// Whether a state only goes where another one went.
    pub(in crate::exec) fn is_retracing(&self) -> bool {
        !self.ahead.is_empty()
    }

    /// Takes the side of a choice that was taken before.
    pub(in crate::exec) fn retake(
        &mut self,
        state: &mut State,
        sides: &[ExprId],
        decision: Decision,
    ) -> Step<usize> {
        let side = usize::try_from(decision.side).unwrap_or(usize::MAX);
        let Some(truth) =
            sides.get(side).copied().filter(|_| decision.place == place(state.position(), sides))
        else {
            return Err(lost());
        };
        state.trail.push(decision);
        if decision.way != Way::Only {
            self.assume(state, truth);
        }
        match decision.way {
            Way::Only | Way::Seeded => Ok(side),
            Way::Inhibited => {
                self.drop_seeds(state, truth);
                Ok(side)
            }
            Way::Forked => {
                self.keep_seeds(state, truth);
                if self.is_at_branch(state) && self.records_branch(state) {
                    state.choices.push_back_mut(side == 0);
                }
                Err(Stop::Again)
            }
        }
    }

    /// Explores until there are states to be divided among shares, and keeps those of one share. What was found
    /// before belongs to the first share; an observer of another one is to forget it, as this does. Gives the
    /// decisions of all states that were divided, which are the same for every share.
    pub fn divide(&mut self, share: Share) -> Vec<Vec<Decision>> {
        let enough = STATES_PER_SHARE.saturating_mul(share.count as usize);
        self.searcher.widen(true);
        while self.searcher.len() < enough && self.explored.instructions < MOST_BEFORE_SHARES {
            let Some(state) = self.next_state_to_run() else { break };
            self.follow_path(state);
            if self.explored.stopped.is_some() {
                break;
            }
        }
        self.searcher.widen(false);
        let mut open: Vec<(Vec<Decision>, State)> =
            std::iter::from_fn(|| self.searcher.take()).map(|state| (state.trail.to_vec(), state)).collect();
        open.sort_by(|(one, _), (other, _)| other.cmp(one));
        let prefixes: Vec<Vec<Decision>> = open.iter().rev().map(|(prefix, _)| prefix.clone()).collect();
        let count = open.len();
        // The first path is added last: a search that goes depth first then finds paths in their order.
        for (place, (_, state)) in open.into_iter().enumerate() {
            let turn = (count - 1 - place) % share.count.max(1) as usize;
            if turn + 1 == share.number as usize {
                self.wait(state);
            } else {
                self.searcher.ended(state.id);
            }
        }
        if share.number != 1 {
            let stopped = self.explored.stopped;
            self.take_account();
            self.explored.stopped = stopped;
            self.seen_errors.clear();
            self.warned.clear();
        }
        prefixes
    }

    /// What was counted since this was asked before.
    pub fn take_account(&mut self) -> Account {
        self.explored.covered = self.coverage.covered();
        let next =
            Explored { total: self.explored.total, stopped: self.explored.stopped, ..Explored::default() };
        Account {
            explored: std::mem::replace(&mut self.explored, next),
            hot: std::mem::take(&mut self.hot),
            executions: std::mem::take(&mut self.executions),
            times: std::mem::take(&mut self.times),
        }
    }

    /// Says when the run ends, as a time since the process began, and how many forks others have made.
    pub fn set_bounds(&mut self, end: Option<Duration>, forks: u64) {
        self.deadline = end;
        self.forks_elsewhere = forks;
        self.solver.patience().set(end, false);
    }

    /// Stops the exploration for a reason that others found.
    pub fn stop(&mut self, reason: Halt) {
        self.explored.stopped = self.explored.stopped.or(Some(reason));
    }

    /// How many states wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.searcher.len()
    }

    /// Gives up to so many waiting states away, those with the fewest choices behind them first, since most is
    /// below them; one stays.
    pub fn give(&mut self, count: usize) -> Vec<Subtree> {
        let mut given = Vec::new();
        while given.len() < count && self.searcher.len() > 1 {
            let Some(state) = self.searcher.give() else { break };
            self.searcher.ended(state.id);
            given.push(Subtree {
                prefix: state.trail.to_vec(),
                without: BTreeSet::new(),
                new_coverage: state.new_coverage,
                new_lines: BTreeSet::clone(&state.new_lines),
            });
        }
        given
    }
}
