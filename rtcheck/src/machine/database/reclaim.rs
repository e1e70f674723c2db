//! The room of retracted clauses: their instructions, their numbers, and their entries in the table of clauses.
//!
//! A clause that no search can reach any more may still be running. Its code is *retired* first, and only free when no
//! return address, no alternative of a choicepoint and no built-in under way leads into it. That is looked up, at the
//! cost of all stacks, when room is wanted and as much was retired as there is to look at, so it is constant for each
//! clause in the long run. Free code is handed out again by its length; the entry of a clause is free at once
//! unless a file keeps its number.

use crate::machine::{Address, Choice, ClauseId, Instruction, Machine};
use crate::term::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

/// Code is written as if it began here, until its place is known.
pub(crate) const UNPLACED: Address = 1 << 30;

/// Fewer retired instructions are not worth looking for.
const LEAST_RETIRED: usize = 1 << 12;

/// What waits for a run to end.
#[derive(Clone, Copy, Debug)]
pub(in crate::machine) struct Waiting {
    /// Where the built-in continues that began the run.
    pub(in crate::machine) at: Address,
    pub(in crate::machine) continuation: Address,
    pub(in crate::machine) environment: usize,
}

/// What can be used again.
#[derive(Debug, Default)]
pub(in crate::machine) struct Reclaimed {
    /// Code of clauses that are gone but may still run, from start to end.
    retired: Vec<(Address, Address)>,
    /// How many instructions that is, and how many there must be before somebody looks whether they run.
    retired_length: usize,
    look_at: usize,
    /// Starts of free code by its length.
    free: BTreeMap<usize, Vec<Address>>,
    /// Whether terms stand for addresses, which nobody finds: then no code is free any more.
    pub(in crate::machine) pinned: bool,
    /// Free entries of the table of clauses.
    pub(in crate::machine) clauses: Vec<ClauseId>,
}

impl Machine {
    /// Places the code of a clause that may go again, written for [`UNPLACED`]. `targets` gives where an instruction
    /// may continue besides the next one.
    pub(crate) fn place_code(
        &mut self,
        mut code: Vec<Instruction>,
        targets: impl Fn(&mut Instruction) -> Option<&mut Address>,
    ) -> Range<Address> {
        let start = self.room_for(code.len()).unwrap_or_else(|| self.next_address());
        for to in code.iter_mut().filter_map(targets) {
            if *to >= UNPLACED {
                *to = *to - UNPLACED + start;
            }
        }
        let end = start + code.len() as Address;
        if start == self.next_address() {
            self.code.extend_from_slice(&code);
        } else {
            self.code.overwrite(start, &code);
        }
        start..end
    }

    /// Takes free code of a length. What is left of a longer piece stays free.
    fn room_for(&mut self, length: usize) -> Option<Address> {
        let mut fit = self.reclaimed.free.range(length..).next().map(|(&length, _)| length);
        if fit.is_none()
            && !self.reclaimed.pinned
            && self.reclaimed.retired_length > self.reclaimed.look_at.max(LEAST_RETIRED)
        {
            self.free_retired();
            fit = self.reclaimed.free.range(length..).next().map(|(&length, _)| length);
        }
        let fit = fit?;
        let starts = self.reclaimed.free.get_mut(&fit)?;
        let start = starts.pop()?;
        if starts.is_empty() {
            self.reclaimed.free.remove(&fit);
        }
        if fit > length {
            self.reclaimed.free.entry(fit - length).or_default().push(start + length as Address);
        }
        Some(start)
    }

    /// Gives up the code of a clause that no call can reach any more.
    pub(in crate::machine) fn retire_code(&mut self, start: Address, end: Address) {
        self.reclaimed.retired_length += (end - start) as usize;
        self.reclaimed.retired.push((start, end));
    }

    /// Frees what is retired and does not run.
    fn free_retired(&mut self) {
        let running = self.addresses_in_use();
        let mut retired = std::mem::take(&mut self.reclaimed.retired);
        retired.retain(|&(start, end)| {
            let runs = running[running.partition_point(|&address| address < start)..]
                .first()
                .is_some_and(|&address| address < end);
            if !runs {
                self.free_code(start, end);
            }
            runs
        });
        self.reclaimed.retired_length = retired.iter().map(|&(start, end)| (end - start) as usize).sum();
        self.reclaimed.retired = retired;
        self.forget_wakes();
        self.reclaimed.look_at = 2 * self.reclaimed.retired_length + running.len();
    }

    fn free_code(&mut self, start: Address, end: Address) {
        for address in start..end {
            // Nobody may rely on what free code does.
            let old = self.code_at(address);
            self.set_code(address, Instruction::Fail);
            if let Instruction::PutBoxed(_, number) = old {
                self.release_number(number);
            }
        }
        self.reclaimed.free.entry((end - start) as usize).or_default().push(start);
    }

    /// Every address at which something waits, in order: continuations, alternatives, and built-ins under way.
    fn addresses_in_use(&self) -> Vec<Address> {
        let mut addresses = Vec::new();
        let own = InUse {
            waiting_at: self.waiting_at,
            waiting: &self.waiting,
            continuation: self.continuation,
            environment: self.environment,
            environments: &self.environments,
            choices: &self.choices,
        };
        own.add_addresses(&mut addresses);
        for stacks in self.other_stacks() {
            let others = InUse {
                waiting_at: stacks.waiting_at,
                waiting: &stacks.waiting,
                continuation: stacks.continuation,
                environment: stacks.environment,
                environments: &stacks.environments,
                choices: &stacks.choices,
            };
            others.add_addresses(&mut addresses);
        }
        addresses.sort_unstable();
        addresses.dedup();
        addresses
    }
}

/// Where addresses are on stacks.
struct InUse<'a> {
    waiting_at: Address,
    waiting: &'a [Waiting],
    continuation: Address,
    environment: usize,
    environments: &'a [Cell],
    choices: &'a [Choice],
}

impl InUse<'_> {
    fn add_addresses(&self, addresses: &mut Vec<Address>) {
        addresses.push(self.waiting_at);
        addresses.extend(self.waiting.iter().map(|run| run.at));
        let mut visited = crate::term::Bits::new(self.environments.len());
        let mut follow = |mut continuation: Address, mut environment: usize| {
            loop {
                addresses.push(continuation);
                // The outermost environment leads to itself.
                if !visited.insert(environment) {
                    return;
                }
                continuation = self.environments[environment + 1].int_value() as Address;
                environment = self.environments[environment].int_value() as usize;
            }
        };
        follow(self.continuation, self.environment);
        for run in self.waiting {
            follow(run.continuation, run.environment);
        }
        for choice in self.choices {
            follow(choice.continuation, choice.environment);
        }
        addresses.extend(self.choices.iter().map(|choice| choice.alternative));
    }
}
