//! Collections: which cells of the stacks are live, and their adjustment.
//!
//! Roots are the argument registers of the predicate that is being called, the environments of its continuation, and
//! for each choicepoint its saved arguments and environments. Of an environment only the slots count that the code at
//! the continuation still reads ([`Live`], computed with the code); the others may hold anything, even what
//! backtracking removed. Choicepoints are looked at from the newest to the oldest: a variable that nothing newer than
//! a choicepoint reaches is reset before that choicepoint's own roots are marked, and its trail entry is dropped.
//!
//! A collection concerns the innermost [`Machine::run`] only. What was there when it began lies below the collector's
//! floor: those cells do not move, so whatever called `run` may hold any cell across it, and needs no roots. A built-in
//! itself sees no collection, since collections happen only at calls of predicates.
//!
//! Cost: what is live, plus the stacks. The next collection waits until as much was added, so the sum stays
//! proportional to what a program allocates, whatever it keeps and however deep it is.

use super::{Address, Choice, ENVIRONMENT_HEADER, Instruction, Live, Machine, fixed};
use crate::term::{Bits, Cell, Collector, Undo, Watch};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// At least this many cells are added to the store between collections.
const LEAST_ADDED: usize = 1 << 18;

/// What was found while marking.
struct Marking {
    collector: Collector,
    /// Environments whose continuation was followed.
    environments: Bits,
    /// Words of the stack of environments that hold live cells.
    slots: Bits,
    /// The entries of the trail that are kept, the newest first.
    trail: Vec<Cell>,
    /// Where, since the choicepoint that is being looked at, the old cell of an assignment's entry lies in it.
    assigned: FxHashMap<Cell, usize>,
    /// Cells below the floor that were changed since.
    changed: Vec<usize>,
}

impl Machine {
    /// Removes what no goal under way can reach from the store and the trail. The arguments of the predicate that is
    /// being called are in the first `arguments` registers; no other register may be needed.
    pub(super) fn collect(&mut self, arguments: usize) {
        let base = self.run_base;
        let Some(&Choice { store: floor, trail: trail_floor, .. }) = self.choices.get(base) else { return };
        let mut marking = Marking {
            collector: Collector::new(&self.store, floor, self.atoms.has_watched(Watch::Arguments)),
            environments: Bits::new(self.environments.len()),
            slots: Bits::new(self.environments.len()),
            trail: Vec::new(),
            assigned: FxHashMap::default(),
            changed: Vec::new(),
        };
        self.note_changes(&mut marking, trail_floor);
        self.mark(&mut marking, arguments, trail_floor);
        marking.collector.finish_marking(&mut self.store);
        self.adjust(&marking, arguments, trail_floor);
        self.protect_again();
        self.counters.collections += 1;
        let stacks = self.store.trail.len()
            + self.environment_top()
            + self.choice_arguments.len()
            + 8 * self.choices.len();
        self.store.set_collect_at(self.store.len() + LEAST_ADDED.max(self.store.len() - floor + stacks));
    }

    /// How many cells there are that a collection might remove.
    #[inline]
    pub(super) fn collectable(&self) -> usize {
        self.store.len() + self.store.trail.len()
    }

    /// Finds the cells that backtracking may change, and those below the floor that were changed.
    fn note_changes(&self, marking: &mut Marking, trail_floor: usize) {
        let mut position = self.store.trail.len();
        while position > trail_floor {
            position -= 1;
            match Undo::read(self.store.trail[position]) {
                Undo::Root(_) | Undo::Attributed(_) => position -= 1,
                undo @ (Undo::Binding(index) | Undo::Assignment(index)) => {
                    if matches!(undo, Undo::Assignment(_)) {
                        position -= 1;
                    }
                    marking.collector.note_changeable(index);
                    if marking.collector.is_fixed(index) {
                        marking.changed.push(index);
                    }
                }
            }
        }
        marking.changed.sort_unstable();
        marking.changed.dedup();
    }

    fn mark(&mut self, marking: &mut Marking, arguments: usize, trail_floor: usize) {
        for register in &mut self.x[..arguments] {
            *register = marking.collector.mark(&mut self.store, *register);
        }
        for number in 0..self.store.roots.len() {
            let root = self.store.roots[number];
            self.store.roots[number] = marking.collector.mark(&mut self.store, root);
        }
        for &index in &marking.changed {
            let cell = self.store.cells[index];
            self.store.cells[index] = marking.collector.mark(&mut self.store, cell);
        }
        self.mark_environments(marking, self.environment, self.continuation);
        let mut trail_top = self.store.trail.len();
        let mut arguments_top = self.choice_arguments.len();
        for position in (self.run_base..self.choices.len()).rev() {
            let choice = self.choices[position];
            self.mark_trail(marking, choice, trail_top);
            trail_top = choice.trail;
            // For the time being a length counted from the end.
            self.choices[position].trail = marking.trail.len();
            for argument in &mut self.choice_arguments[choice.arguments..arguments_top] {
                *argument = marking.collector.mark(&mut self.store, *argument);
            }
            arguments_top = choice.arguments;
            self.mark_choice_environments(marking, choice);
        }
        for choice in &mut self.choices[self.run_base..] {
            choice.trail = trail_floor + marking.trail.len() - choice.trail;
        }
    }

    /// Keeps the entries made since a choicepoint that it needs: of several assignments to a cell the oldest.
    /// Variables that nothing newer reaches are reset at once.
    fn mark_trail(&mut self, marking: &mut Marking, choice: Choice, top: usize) {
        let start = marking.trail.len();
        marking.assigned.clear();
        let mut position = top;
        while position > choice.trail {
            position -= 1;
            let entry = self.store.trail[position];
            let undo = Undo::read(entry);
            if let Undo::Binding(index) = undo {
                if index < choice.store && marking.collector.is_live(index) {
                    marking.trail.push(entry);
                } else if index < choice.store {
                    self.store.cells[index] = Cell::reference(index);
                }
                continue;
            }
            position -= 1;
            let old = self.store.trail[position];
            if let Undo::Assignment(index) = undo {
                if index >= choice.store {
                    continue;
                }
                if !marking.collector.is_live(index) {
                    self.store.cells[index] = old;
                    continue;
                }
            }
            if let Undo::Attributed(index) = undo
                && !marking.collector.is_live(index)
            {
                continue;
            }
            match marking.assigned.entry(entry) {
                Entry::Occupied(known) => marking.trail[*known.get()] = old,
                Entry::Vacant(unknown) => {
                    unknown.insert(marking.trail.len() + 1);
                    marking.trail.extend([entry, old]);
                }
            }
        }
        if !marking.assigned.is_empty() {
            let mut position = start;
            while position < marking.trail.len() {
                if !matches!(Undo::read(marking.trail[position]), Undo::Binding(_)) {
                    position += 1;
                    let old = marking.trail[position];
                    marking.trail[position] = marking.collector.mark(&mut self.store, old);
                }
                position += 1;
            }
        }
    }

    fn mark_choice_environments(&mut self, marking: &mut Marking, choice: Choice) {
        let parent = |machine: &Self| {
            let environment = machine.environments[choice.environment].int_value() as usize;
            (environment, machine.environments[choice.environment + 1].int_value() as Address)
        };
        match self.code_at(choice.alternative) {
            // A catch/3: its own environment holds no term. Or a choicepoint that only fails.
            Instruction::PopFail | Instruction::Cleanup => {
                let (environment, continuation) = parent(self);
                self.mark_environments(marking, environment, continuation);
            }
            // A branch of the clause to which the environment belongs.
            Instruction::TrustElse(live) => {
                self.mark_slots(marking, choice.environment, live);
                if marking.environments.insert(choice.environment) {
                    let (environment, continuation) = parent(self);
                    self.mark_environments(marking, environment, continuation);
                }
            }
            _ => self.mark_environments(marking, choice.environment, choice.continuation),
        }
    }

    /// Marks the environments that a continuation leads through.
    fn mark_environments(&mut self, marking: &mut Marking, environment: usize, continuation: Address) {
        let (mut environment, mut continuation) = (environment, continuation);
        while continuation != fixed::STOP {
            // Before the place where a call returns to lies the call.
            let live = match self.code_at(continuation - 1) {
                Instruction::Call(_, live) => live,
                _ => Live::ALL,
            };
            self.mark_slots(marking, environment, live);
            if !marking.environments.insert(environment) {
                return;
            }
            continuation = self.environments[environment + 1].int_value() as Address;
            environment = self.environments[environment].int_value() as usize;
        }
    }

    fn mark_slots(&mut self, marking: &mut Marking, environment: usize, live: Live) {
        let first = environment + ENVIRONMENT_HEADER;
        let all = slots_of(self.environments[environment + 2]);
        let mut mark = |slot: usize| {
            if marking.slots.insert(first + slot) {
                let cell = self.environments[first + slot];
                self.environments[first + slot] = marking.collector.mark(&mut self.store, cell);
            }
        };
        if live == Live::ALL {
            (0..all).for_each(mark);
        } else if let Some(number) = live.set_number() {
            self.live_sets[number].iter().for_each(|&slot| mark(slot as usize));
        } else {
            live.slots().for_each(&mut mark);
        }
    }

    /// Gives everything that points into the store its new index, and slides the cells.
    fn adjust(&mut self, marking: &Marking, arguments: usize, trail_floor: usize) {
        let collector = &marking.collector;
        let moved = |cell: &mut Cell| *cell = collector.moved(*cell);
        self.x[..arguments].iter_mut().for_each(moved);
        self.store.roots.iter_mut().for_each(moved);
        for &index in &marking.changed {
            moved(&mut self.store.cells[index]);
        }
        for slot in marking.slots.iter() {
            moved(&mut self.environments[slot]);
        }
        let first_argument = self.choices[self.run_base].arguments;
        self.choice_arguments[first_argument..].iter_mut().for_each(moved);
        for choice in &mut self.choices[self.run_base..] {
            choice.store = collector.moved_index(choice.store);
        }
        let protected = collector.moved_index(self.store.protected());
        self.store.boundary = self.choices.last().map_or(0, |choice| choice.store);
        self.store.trail.truncate(trail_floor);
        let mut entries = marking.trail.iter();
        while let Some(&entry) = entries.next() {
            // Still the newest first: an old cell follows its entry.
            let undo = Undo::read(entry);
            self.store.trail.push(match undo {
                Undo::Binding(index) => Undo::Binding(collector.moved_index(index)).entry(),
                Undo::Assignment(index) => Undo::Assignment(collector.moved_index(index)).entry(),
                Undo::Root(_) => entry,
                Undo::Attributed(index) => Undo::Attributed(collector.moved_index(index)).entry(),
            });
            if !matches!(undo, Undo::Binding(_))
                && let Some(&old) = entries.next()
            {
                self.store.trail.push(collector.moved(old));
            }
        }
        self.store.trail[trail_floor..].reverse();
        let store = &self.store;
        let next = |index| collector.next_live(index);
        self.checker.relocate(|index| collector.moved_compound(store, index), next);
        collector.compact(&mut self.store);
        self.store.move_attributed(|index| collector.is_live(index).then(|| collector.moved_index(index)));
        self.store.protect(protected);
    }
}

/// How many slots an environment has, by the third word of its header.
fn slots_of(word: Cell) -> usize {
    word.int_value() as usize & 0xffff
}
