//! What a program may use, and looking up from the loop to see.
//!
//! The loop counts calls down, and when the count ends it *looks up*: at the interrupt flag, the clock, the stacks, and
//! whether a collection is due. Every endless computation makes calls, so nothing runs on unseen; and a call costs one
//! decrement, which is also the count of calls. What happens between two looks is bounded by what that many clauses
//! build; built-ins, which may build more, ask for a look themselves.

use super::{Address, Choice, Live, Machine, PredicateId, Throw, Y};
use crate::term::{Cell, Record, atom};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a program may use. More is a `resource_error/1`, which it can catch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all stacks, atoms, clauses and collected solutions together: `resource_error(memory)`.
    pub memory: usize,
    /// Calls under way, without last calls: `resource_error(depth)`.
    pub depth: Option<u64>,
    /// Bytes of the stacks of the goal that is running: `resource_error(stack)`. A program sets it by the flag
    /// `stack_limit`.
    pub stacks: Option<usize>,
    /// Time of the processor since the process started: `resource_error(time)`.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 2 << 30, depth: None, stacks: None, time: None }
    }
}

/// How many calls there are between two looks.
const INTERVAL: u32 = 512;

impl Machine {
    /// A flag that stops the goal that is running when it is set, from a signal handler or another thread: the goal
    /// throws `unwind(keyboard_interrupt)`.
    #[must_use]
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// What a goal throws that was interrupted: `unwind(keyboard_interrupt)`.
    pub(crate) fn interrupt_term(&mut self) -> Cell {
        let what = Cell::atom(self.atoms.intern("keyboard_interrupt"));
        let name = self.atoms.intern("unwind");
        self.store.compound(name, &[what])
    }

    /// Whether a ball says that the goal was interrupted.
    pub(crate) fn is_interrupt(&mut self, ball: &Record) -> bool {
        let scope = self.begin_scope();
        let term = ball.restore(&mut self.store);
        let interrupt = self.interrupt_term();
        let same = crate::term::compare(&self.store, &self.atoms, term, interrupt).is_eq();
        self.drop_scope(scope);
        same
    }

    /// Makes collections happen every so many calls, for tests that want cells to move often.
    pub fn collect_every(&mut self, calls: Option<u32>) {
        self.collect_every = calls.map(|calls| calls.max(1));
        self.look_up_soon();
    }

    /// Calls of predicates written in Prolog so far (logical inferences, without built-ins).
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls_before + u64::from(self.refuel - self.fuel)
    }

    /// Bytes in use: all stacks, atoms, code, and records outside the store.
    #[must_use]
    pub fn memory_in_use(&self) -> usize {
        let code = self.code.len() * size_of::<super::Instruction>();
        let clauses = self.clauses.len() * size_of::<super::Clause>();
        self.outside + self.atoms.bytes() + self.checker.bytes() + code + clauses + self.stacks()
    }

    /// Bytes in use for terms, for environments, for the trail, and for choicepoints with their arguments.
    #[must_use]
    pub fn stacks_in_use(&self) -> [usize; 4] {
        let cells = size_of::<Cell>();
        [
            self.store.len() * cells,
            self.environment_top() * cells,
            self.store.trail.len() * cells,
            self.choice_arguments.len() * cells + self.choices.len() * size_of::<Choice>(),
        ]
    }

    /// Notes that a built-in keeps so many bytes more outside the store.
    pub(crate) fn hold(&mut self, bytes: usize) {
        self.outside += bytes;
        if self.memory_in_use() > self.limits.memory {
            self.look_up_soon();
        }
    }

    /// A text of so many bytes that a built-in is about to make fits into the memory.
    pub(crate) fn text_fits(&mut self, bytes: usize) -> Result<(), Throw> {
        if self.atoms.are_due() {
            self.look_up_soon();
        }
        if self.memory_in_use().saturating_add(bytes) > self.limits.memory {
            return self.resource_error(atom::MEMORY);
        }
        Ok(())
    }

    /// Bytes in use on all stacks.
    fn stacks(&self) -> usize {
        self.stacks_in_use().iter().sum()
    }

    /// Calls under way: environments that the continuation leads through.
    #[must_use]
    pub fn depth(&self) -> u64 {
        (self.environments[self.environment + 2].int_value() >> 16) as u64
    }

    /// Lets the loop look up at the next call.
    #[cold]
    pub(super) fn look_up_soon(&mut self) {
        self.refuel -= self.fuel - 1;
        self.fuel = 1;
    }

    /// Looks up from the loop, at the call of a predicate. Gives the address at which to go on: the predicate's, unless
    /// the goal is interrupted.
    #[cold]
    pub(super) fn look_up(&mut self, predicate: PredicateId) -> Result<Address, Throw> {
        if self.waking {
            self.store.loop_knows_attributes();
        }
        self.calls_before += u64::from(self.refuel);
        // At least one, and no more than there are up to the next bound.
        let most = self.collect_every.unwrap_or(INTERVAL);
        let left = self.bounds.calls_left(self.calls_before).clamp(1, u64::from(most));
        self.refuel = left as u32;
        self.fuel = self.refuel;
        if self.interrupt.swap(false, Ordering::Relaxed) {
            let ball = self.interrupt_term();
            return self.throw_term(ball);
        }
        self.keep_budgets()?;
        if self.limits.time.is_some_and(|limit| self.system.cpu_time() > limit) {
            // The handler gets as much time again.
            self.limits.time = self.limits.time.map(|limit| limit.saturating_mul(2));
            let time = self.atoms.intern("time");
            return self.resource_error(time);
        }
        if self.limits.depth.is_some_and(|limit| self.depth() > limit) {
            let depth = self.atoms.intern("depth");
            return self.resource_error(depth);
        }
        self.keep_stacks(predicate)?;
        // Who gets the error may need some memory to give up the rest.
        self.granted &= self.memory_in_use() > self.limits.memory - self.limits.memory / 8;
        let limit = self.limits.memory + if self.granted { self.limits.memory / 8 } else { 0 };
        let full = self.memory_in_use() > limit;
        let often = self.collect_every.is_some();
        let atoms = (self.atoms.are_due() || full || often && self.atoms.made() > 0) && self.atoms_may_go();
        let [_, environments, _, choicepoints] = self.stacks_in_use();
        if full && environments + choicepoints > limit - limit / 16 {
            // Calls that do not end fill it by themselves, and no collection gives that back.
            self.granted = true;
            return self.resource_error(atom::MEMORY);
        }
        if full || self.collectable() > self.store.collect_at || often || atoms {
            let arity = self.predicate_at(predicate).arity;
            self.collect(arity);
            if atoms {
                // What the store does not hold any more mentions nothing.
                self.collect_atoms();
            }
            // Close under the limit a program would do little but collect.
            if self.memory_in_use() > limit - limit / 16 {
                self.granted = true;
                return self.resource_error(atom::MEMORY);
            }
            let room = (limit - self.memory_in_use()) / size_of::<Cell>();
            let collect_at = self.store.collect_at.min(self.collectable() + room);
            self.store.set_collect_at(collect_at.max(1));
        }
        Ok(self.interruption(predicate).unwrap_or_else(|| self.predicate_at(predicate).entry))
    }

    /// Throws if the stacks are full of what is needed. Close under their limit a program would do little but collect.
    fn keep_stacks(&mut self, predicate: PredicateId) -> Result<(), Throw> {
        let Some(limit) = self.limits.stacks.filter(|&limit| self.stacks() > limit) else { return Ok(()) };
        let arity = self.predicate_at(predicate).arity;
        self.collect(arity);
        if self.stacks() > limit - limit / 16 {
            let stack = self.atoms.intern("stack");
            return self.resource_error(stack);
        }
        Ok(())
    }

    /// The slots of an environment as an instruction holds them.
    pub(crate) fn live(&mut self, slots: &[Y]) -> Live {
        if let Some(few) = Live::few(slots) {
            return few;
        }
        let slots: Box<[Y]> = slots.into();
        let next = self.live_sets.len() as u32;
        let number = *self.live_set_numbers.entry(slots.clone()).or_insert(next);
        if number == next {
            self.live_sets.push(slots);
        }
        Live::numbered(number)
    }
}
