//! Interruptions: goals that are called in the middle of another, between one call and the next.
//!
//! There are three reasons: somebody sent a signal to the thread that is running, an alarm is due, or a thread has had
//! its turn for so many calls that the others come first. What is to be done then is written in Prolog
//! (`library/swi/threads.pl`); here is only when. The loop looks for reasons where it looks up (see `limits`), and lets
//! the library be called in front of the predicate that it was about to call, as `wake` does for what waits for
//! variables. So an interruption may throw, wait, and be collected around like every goal, and costs nothing while there
//! is none.
//!
//! A turn is counted in calls, not in time, so that a program always does the same.

use crate::machine::{Address, Instruction, Machine, PredicateId};
use crate::term::{Cell, atom};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// After so many calls a thread lets the others go on: more than most threads make that end by themselves.
const TURN: u64 = 4_000_000;

/// The number of the program's main thread, which is no engine.
const MAIN: i64 = 0;

/// What goals are interrupted for.
#[derive(Debug, Default)]
pub(crate) struct Interruptions {
    /// The threads that were sent signals.
    signalled: BTreeSet<i64>,
    /// When an alarm is due, in milliseconds since the process started.
    alarm: Option<u64>,
    /// The count of calls at which the turn of the thread that is running ends, and those of whoever waits for it.
    turn_ends: Option<u64>,
    outer_turns: Vec<Option<u64>>,
    /// Whether a thread was interrupted at the end of its turn. Then the turns of all end.
    is_shared: bool,
    /// Code that calls a predicate with the arguments that are there.
    calls: FxHashMap<PredicateId, Address>,
}

impl Machine {
    /// A signal was left for the engine of a thread, or for the main one, which has the number 0.
    pub(crate) fn signal(&mut self, number: i64) {
        self.signals.signalled.insert(number);
        self.look_up_soon();
    }

    /// The next alarm is due in so many milliseconds, or there is none.
    pub(crate) fn set_alarm(&mut self, milliseconds: Option<u64>) {
        self.signals.alarm = milliseconds.map(|left| self.milliseconds().saturating_add(left));
        self.look_up_soon();
    }

    /// After how many milliseconds a bound on time or an alarm would end a wait.
    pub(crate) fn wakes_in(&self) -> Option<u64> {
        let alarm = self.signals.alarm.map(|due| due.saturating_sub(self.milliseconds()));
        [alarm, self.time_left()].into_iter().flatten().min()
    }

    /// An engine runs from here on.
    pub(in crate::machine) fn begin_turn(&mut self, is_thread: bool) {
        let outer = self.signals.turn_ends;
        self.signals.outer_turns.push(outer);
        if is_thread {
            self.signals.turn_ends = Some(self.calls().saturating_add(TURN));
        }
    }

    /// Whoever asked it runs again.
    pub(in crate::machine) fn end_turn(&mut self) {
        self.signals.turn_ends = self.signals.outer_turns.pop().flatten();
        if self.signals.is_shared {
            self.signals.turn_ends = Some(self.calls().saturating_add(TURN));
        }
    }

    /// Where to go on if the goal that is running is to be interrupted in front of a predicate's call.
    pub(in crate::machine) fn interruption(&mut self, predicate: PredicateId) -> Option<Address> {
        let own = self.own_engine().unwrap_or(MAIN);
        let mut reasons = Vec::new();
        if self.signals.alarm.is_some_and(|due| due <= self.milliseconds()) {
            self.signals.alarm = None;
            reasons.push("alarm");
        }
        if self.signals.signalled.remove(&own) {
            reasons.push("signal");
        }
        if self.signals.turn_ends.is_some_and(|end| end <= self.calls()) {
            self.signals.turn_ends = Some(self.calls().saturating_add(TURN));
            self.signals.is_shared = true;
            reasons.push("turn");
        }
        if reasons.is_empty() {
            return None;
        }
        let reasons: Vec<Cell> =
            reasons.into_iter().map(|reason| Cell::atom(self.atoms.intern(reason))).collect();
        let reasons = self.store.list(&reasons, Cell::atom(atom::NIL));
        let name = self.atoms.intern("interrupted");
        let goal = self.store.compound(name, &[reasons]);
        let call = match self.signals.calls.get(&predicate) {
            Some(&call) => call,
            None => {
                let call = self.place_code(vec![Instruction::Execute(predicate)], |_| None).start;
                self.signals.calls.insert(predicate, call);
                call
            }
        };
        Some(self.insert_call(call, goal))
    }
}
