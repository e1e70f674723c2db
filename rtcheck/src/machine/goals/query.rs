//! Queries: goals that somebody outside the machine runs, solution by solution.
//!
//! A query begins with a choicepoint of its own; everything above belongs to it, so queries nest: a built-in may run
//! one while another is under way. What was in the store when it began stays where it is until it ends, whatever is
//! collected meanwhile.

use crate::machine::database::reclaim::Waiting;
use crate::machine::{Address, Machine, Outcome, PredicateId, Throw, fixed};
use crate::term::{Cell, Record};

/// Runs inside runs that built-ins begin; more are an error.
pub(in crate::machine) const MOST_NESTED: usize = 256;

/// How a run ended.
#[derive(Clone, Debug)]
pub enum RunOutcome {
    /// The goal succeeded.
    Succeeded,
    /// The goal failed.
    Failed,
    /// The goal threw a ball that nothing caught.
    Threw(Record),
    /// The program asked to end, with an exit code.
    Halted(i32),
}

/// A goal that is being run. It must be closed before what was under way when it began goes on.
#[derive(Debug)]
pub struct Query {
    /// How many choicepoints there were when it began.
    base: usize,
    /// How many runs were under way.
    runs: usize,
    outer_base: usize,
    environment: usize,
    continuation: Address,
    cut_barrier: usize,
    argument_base: usize,
    /// Who called this may need its registers again. The cells in them lie below the collector's floor.
    registers: Vec<Cell>,
    /// Whether a solution was asked for already.
    started: bool,
    /// Where it goes on instead of looking for another solution.
    next: Option<Address>,
}

impl Query {
    /// The next solution is looked for from an address on, with the stacks as they are.
    pub(in crate::machine) fn go_on_at(&mut self, address: Address) {
        self.next = Some(address);
    }
}

impl Machine {
    /// Runs a goal to its first solution and keeps its bindings. Choicepoints are dropped. May be called while
    /// another run is under way.
    pub fn run(&mut self, goal: Cell) -> RunOutcome {
        let mut query = self.open_query(goal);
        let mut outcome = self.next_solution(&mut query);
        // What dropping the choicepoints cleans up belongs to the goal.
        match self.drop_choices(&query) {
            Ok(()) => {}
            Err(Throw::Ball(ball)) => outcome = RunOutcome::Threw(ball),
            Err(Throw::Halt(code)) => outcome = RunOutcome::Halted(code),
        }
        match self.close_query(query, matches!(outcome, RunOutcome::Succeeded)) {
            Some(code) => RunOutcome::Halted(code),
            None => outcome,
        }
    }

    /// Runs a goal as part of a built-in.
    pub(crate) fn run_inside(&mut self, goal: Cell) -> Outcome {
        // Each run inside another one uses the native stack.
        if self.waiting.len() > MOST_NESTED {
            let depth = self.atoms.intern("depth");
            return self.resource_error(depth);
        }
        match self.run(goal) {
            RunOutcome::Succeeded => Ok(true),
            RunOutcome::Failed => Ok(false),
            RunOutcome::Threw(ball) => Err(Throw::Ball(ball)),
            RunOutcome::Halted(code) => Err(Throw::Halt(code)),
        }
    }

    /// Begins to run a goal.
    pub fn open_query(&mut self, goal: Cell) -> Query {
        let base = self.choices.len();
        // A ball that left an earlier run has been told by now, and an equal one may be thrown elsewhere.
        self.escaped = None;
        if self.waiting.is_empty() {
            self.halting = false;
        }
        self.waiting.push(Waiting {
            at: self.waiting_at,
            continuation: self.continuation,
            environment: self.environment,
        });
        let query = Query {
            base,
            runs: self.waiting.len() - 1,
            outer_base: std::mem::replace(&mut self.run_base, base),
            environment: self.environment,
            continuation: self.continuation,
            cut_barrier: self.cut_barrier,
            argument_base: self.base,
            registers: if base == 0 { Vec::new() } else { self.x[..self.registers].to_vec() },
            started: false,
            next: None,
        };
        self.continuation = fixed::STOP;
        self.push_choice(0, fixed::STOP_FAIL);
        self.cut_barrier = self.choices.len();
        self.x[0] = goal;
        query
    }

    /// Finds the first or the next solution; its bindings hold until the next one is asked for. After anything but
    /// success there are no more.
    pub fn next_solution(&mut self, query: &mut Query) -> RunOutcome {
        let mut address = if let Some(next) = query.next.take() {
            next
        } else if std::mem::replace(&mut query.started, true) {
            self.store.forget_woken(0);
            let next = self.backtrack();
            if self.store.has_undone() { self.undone_entry() } else { next }
        } else {
            self.predicate_at(PredicateId::CALL).entry
        };
        loop {
            match self.execute(address) {
                Ok(succeeded) => {
                    return if succeeded { RunOutcome::Succeeded } else { RunOutcome::Failed };
                }
                Err(Throw::Halt(code)) => {
                    self.halting = true;
                    self.forget_cleanups(query.base);
                    return RunOutcome::Halted(code);
                }
                Err(Throw::Ball(ball)) => {
                    self.store.forget_woken(0);
                    self.note_throw(&ball);
                    match self.handle(&ball, query.base + 1) {
                        Ok(Some(handler)) => {
                            self.depth_after_throw();
                            address = handler;
                        }
                        Ok(None) => {
                            self.note_escape(&ball);
                            return RunOutcome::Threw(ball);
                        }
                        Err(code) => {
                            self.halting = true;
                            self.forget_cleanups(query.base);
                            return RunOutcome::Halted(code);
                        }
                    }
                }
            }
        }
    }

    /// Whether a query that has just succeeded may have another solution.
    #[must_use]
    pub fn may_have_more(&self, query: &Query) -> bool {
        self.choices.len() > query.base + 1
    }

    /// Cuts back to the query's own choicepoint, and cleans up.
    fn drop_choices(&mut self, query: &Query) -> Result<(), Throw> {
        self.cut_to(query.base + 1);
        self.run_cleanups()
    }

    /// Ends a query, and keeps the bindings of its last solution or undoes them. Gives the exit code if a goal of
    /// `undo/1` ended the program.
    pub fn close_query(&mut self, query: Query, keep: bool) -> Option<i32> {
        let mut halted = None;
        // Nobody waits for the outcome of what is cleaned up here.
        let _ = self.drop_choices(&query);
        let Query {
            base,
            runs,
            outer_base,
            environment,
            continuation,
            cut_barrier,
            argument_base,
            registers,
            ..
        } = query;
        // Frames that a run leaves behind are dead: everything above the saved environment is.
        if !keep && self.choices.len() > base {
            // Their saved arguments go too.
            self.cut_to(base + 1);
            self.restore_choice();
            halted = self.run_undone();
        }
        self.cut_to(base);
        self.environment = environment;
        self.continuation = continuation;
        self.cut_barrier = cut_barrier;
        self.base = argument_base;
        if let Some(run) = self.waiting.get(runs) {
            self.waiting_at = run.at;
        }
        self.waiting.truncate(runs);
        self.run_base = outer_base;
        if self.store.has_undo_goals() && !self.waking {
            self.store.tell_loop();
        }
        if self.store.has_attributes() {
            if !self.waking {
                // The loop of the outer run does not know yet.
                self.store.tell_loop();
            }
            self.store.cover_attributed();
        }
        self.x[..registers.len()].copy_from_slice(&registers);
        halted
    }
}
