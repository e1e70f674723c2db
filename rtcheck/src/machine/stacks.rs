//! Environments and choicepoints: making them, leaving them, returning to them.
//!
//! All of this is a part of the loop, which has each of these functions in few places.

use super::{Address, Choice, ENVIRONMENT_HEADER, Machine, fixed};
use crate::term::Cell;

impl Machine {
    /// The first free place on the stack of environments, and the size word of the current environment.
    #[inline(always)]
    pub(super) fn top(&self) -> (usize, i64) {
        let word = self.environments[self.environment + 2].int_value();
        let top = self.environment + ENVIRONMENT_HEADER + (word as usize & 0xffff);
        (top.max(self.environment_floor), word)
    }

    pub(super) fn environment_top(&self) -> usize {
        self.top().0
    }

    #[inline(always)]
    pub(super) fn allocate(&mut self, slots: u16) {
        let (start, word) = self.top();
        let end = start + ENVIRONMENT_HEADER + slots as usize;
        if end > self.environments.len() {
            self.grow_environments(end);
        }
        // Slots keep what dead environments left: nobody reads them before they are written.
        let header = [
            Cell::count(self.environment),
            Cell::count(self.continuation as usize),
            Cell::int(((word >> 16) + 1) << 16 | i64::from(slots)),
        ];
        if let Some(place) = self.environments[start..].first_chunk_mut() {
            *place = header;
        }
        self.environment = start;
    }

    #[inline(always)]
    pub(super) fn deallocate(&mut self) {
        if let Some(&[environment, continuation]) = self.environments[self.environment..].first_chunk() {
            self.continuation = continuation.int_value() as Address;
            self.environment = environment.int_value() as usize;
        }
    }

    /// Makes a choicepoint that saves this many argument registers.
    #[inline(always)]
    pub(super) fn push_choice(&mut self, arity: usize, alternative: Address) {
        let environment_top = self.environment_top();
        let arguments = self.choice_arguments.len();
        // Few arguments are copied without a call of memcpy, some too many and those dropped again.
        if arity <= 4 {
            self.choice_arguments.extend_from_slice(&self.x[..4]);
            self.choice_arguments.truncate(arguments + arity);
        } else if arity <= 8 {
            self.choice_arguments.extend_from_slice(&self.x[..8]);
            self.choice_arguments.truncate(arguments + arity);
        } else {
            self.choice_arguments.extend_from_slice(&self.x[..arity]);
        }
        let mark = self.checker.mark();
        self.choices.push(Choice {
            alternative,
            continuation: self.continuation,
            environment: self.environment,
            environment_top,
            store: self.store.len(),
            trail: self.store.trail.len(),
            arguments,
            mark,
        });
        self.store.boundary = self.store.len();
        self.environment_floor = environment_top;
    }

    #[inline]
    pub(super) fn pop_choice(&mut self) {
        if let Some(choice) = self.choices.pop() {
            self.choice_arguments.truncate(choice.arguments);
        }
        self.keep_below_newest();
    }

    /// What the newest choicepoint, which is another one now, returns to is kept: terms and environments below it.
    #[inline(always)]
    fn keep_below_newest(&mut self) {
        (self.store.boundary, self.environment_floor) =
            self.choices.last().map_or((0, 0), |choice| (choice.store, choice.environment_top));
    }

    /// Drops choicepoints until this many are left.
    #[inline]
    pub(crate) fn cut_to(&mut self, count: usize) {
        if count < self.choices.len() {
            if self.cleanups.concerned(count) {
                self.take_cleanups(count);
            }
            self.choice_arguments.truncate(self.choices[count].arguments);
            self.choices.truncate(count);
            self.keep_below_newest();
        }
    }

    /// Writes a cell so that backtracking leaves it as it is. What it refers to must be new and its own: it is kept
    /// from now on at every choicepoint there is, which costs their number.
    pub(crate) fn assign_forever(&mut self, index: usize, value: Cell) {
        self.store.cells[index] = value;
        if value.is_immediate() {
            return;
        }
        let length = self.store.len();
        // Below the floor of the innermost run nothing is collected or moved: what a cell there refers to must
        // come to lie there as well. Else the floor stays, so that what is above can be collected.
        let below = self.choices.get(self.run_base).is_some_and(|base| index < base.store);
        let first = if below { 0 } else { (self.run_base + 1).min(self.choices.len()) };
        for choice in &mut self.choices[first..] {
            choice.store = length;
        }
        self.store.boundary = self.choices.last().map_or(0, |choice| choice.store);
    }

    /// How many choicepoints there are.
    pub(crate) fn level(&self) -> usize {
        self.choices.len()
    }

    /// Returns to the newest choicepoint and gives the address to continue at: stacks, bindings and argument registers
    /// are as they were there, and what was checked since is forgotten: the bindings that made it true are gone.
    #[inline(always)]
    pub(super) fn backtrack(&mut self) -> Address {
        let Some(choice) = self.choices.last_mut() else { return fixed::STOP_FAIL };
        choice.mark = self.checker.backtrack(&self.store, choice.mark, choice.trail, choice.store);
        self.store.undo_to(choice.trail);
        self.store.cells.truncate(choice.store);
        self.environment = choice.environment;
        self.continuation = choice.continuation;
        match self.choice_arguments[choice.arguments..] {
            [] => {}
            [a] => self.x[0] = a,
            [a, b] => (self.x[0], self.x[1]) = (a, b),
            [a, b, c] => (self.x[0], self.x[1], self.x[2]) = (a, b, c),
            [a, b, c, d] => (self.x[0], self.x[1], self.x[2], self.x[3]) = (a, b, c, d),
            [a, b, c, d, ref more @ ..] => {
                (self.x[0], self.x[1], self.x[2], self.x[3]) = (a, b, c, d);
                for (register, &argument) in self.x[4..].iter_mut().zip(more) {
                    *register = argument;
                }
            }
        }
        choice.alternative
    }

    /// [`Machine::backtrack`], to continue elsewhere.
    pub(super) fn restore_choice(&mut self) {
        self.backtrack();
    }
}
