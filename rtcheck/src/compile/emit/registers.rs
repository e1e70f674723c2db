//! Where the values of variables are on one path through a clause: which registers are taken, which slots are given.

use super::{Emitter, Location, Path};
use crate::compile::CompileError;
use crate::compile::allocate::VariableId;
use crate::machine::{Instruction as I, X, Y};
use crate::term::Cell;
use rustc_hash::FxHashSet;

impl Emitter<'_> {
    pub(in crate::compile) fn occupy(&mut self, register: X) {
        let index = register as usize;
        let length = self.path.taken.len();
        if length <= index {
            self.path.taken.resize(index + 1, false);
            self.path.gaps.extend(length.max(self.analysis.most_arguments)..index);
        }
        if !std::mem::replace(&mut self.path.taken[index], true) {
            self.path.gaps.remove(&index);
            self.newly_taken.push(register);
        }
        let Path { copies, copied, .. } = &mut self.path;
        copied.retain(|id| {
            let copy = &mut copies[id.0 as usize];
            *copy = copy.filter(|&copy| copy != register);
            copy.is_some()
        });
        self.most_registers = self.most_registers.max(index + 1);
    }

    pub(in crate::compile) fn free(&mut self, register: X) {
        let index = register as usize;
        if let Some(taken) = self.path.taken.get_mut(index) {
            *taken = false;
            if index >= self.analysis.most_arguments {
                self.path.gaps.insert(index);
            }
        }
    }

    /// Frees a register unless a variable is there that found its place since there were so many in registers.
    pub(super) fn free_unless_located(&mut self, register: X, since: usize) {
        let new = self.path.in_registers.get(since..).unwrap_or(&self.path.in_registers);
        if !new.iter().any(|&id| self.location(id) == Some(Location::X(register))) {
            self.free(register);
        }
    }

    pub(super) fn is_taken(&self, register: X) -> bool {
        self.path.taken.get(register as usize).copied().unwrap_or(false)
    }

    /// A register that is no argument register of the head or of a call, and free.
    pub(in crate::compile) fn fresh(&mut self) -> Result<X, CompileError> {
        let behind = self.path.taken.len().max(self.analysis.most_arguments);
        let register = register(self.path.gaps.first().copied().unwrap_or(behind))?;
        self.occupy(register);
        Ok(register)
    }

    pub(in crate::compile) fn location(&self, id: VariableId) -> Option<Location> {
        self.path.locations[id.0 as usize]
    }

    pub(in crate::compile) fn set_location(&mut self, id: VariableId, location: Location) {
        self.path.locations[id.0 as usize] = Some(location);
        if matches!(location, Location::X(_)) {
            self.path.in_registers.push(id);
        }
    }

    /// A variable that lives in a slot is still in the register given.
    pub(super) fn set_copy(&mut self, id: VariableId, register: X) {
        self.path.copies[id.0 as usize] = Some(register);
        self.path.copied.push(id);
    }

    pub(in crate::compile) fn is_void(&self, id: VariableId) -> bool {
        self.analysis.variable(id).occurrences == 1
    }

    pub(in crate::compile) fn slot(&mut self, id: VariableId) -> Y {
        if let Some(slot) = self.slots[id.0 as usize] {
            return slot;
        }
        let slot = self.new_slot();
        self.slots[id.0 as usize] = Some(slot);
        slot
    }

    pub(super) fn new_slot(&mut self) -> Y {
        // Too many slots are found out when the environment's size is filled in.
        let slot = self.next_slot as Y;
        self.next_slot += 1;
        slot
    }

    /// Gives a variable at its first occurrence a place: its slot, the argument register where the next call
    /// wants it if that is free, or a fresh register.
    pub(in crate::compile) fn place(&mut self, id: VariableId) -> Result<Location, CompileError> {
        let variable = self.analysis.variable(id);
        let location = if variable.permanent {
            Location::Y(self.slot(id))
        } else {
            match variable.wanted {
                Some(wanted) if !self.is_taken(wanted) => {
                    self.occupy(wanted);
                    Location::X(wanted)
                }
                _ => Location::X(self.fresh()?),
            }
        };
        self.set_location(id, location);
        Ok(location)
    }

    /// No register is taken.
    fn free_all(&mut self) {
        self.path.taken.clear();
        self.path.gaps.clear();
    }

    /// A call overwrites every register.
    pub(super) fn forget_registers(&mut self) {
        self.free_all();
        let Path { locations, copies, in_registers, copied, .. } = &mut self.path;
        for id in copied.drain(..) {
            copies[id.0 as usize] = None;
        }
        for id in in_registers.drain(..) {
            let location = &mut locations[id.0 as usize];
            *location = location.filter(|location| !matches!(location, Location::X(_)));
        }
    }

    /// Frees the registers of variables that are not among a call's arguments.
    pub(super) fn release_dead(&mut self, cells: &[Cell]) {
        let mut alive = FxHashSet::default();
        let mut pending = cells.to_vec();
        while let Some(cell) = pending.pop() {
            let cell = self.machine.store.deref(cell);
            if let Some(id) = self.analysis.id(cell) {
                alive.insert(id);
            } else {
                let (first, count) = self.machine.store.arguments(cell);
                pending.extend((first..first + count).map(|i| self.machine.store.at(i)));
            }
        }
        self.free_all();
        for id in std::mem::take(&mut self.path.in_registers) {
            match self.location(id) {
                Some(Location::X(register)) if alive.contains(&id) => {
                    self.occupy(register);
                    self.path.in_registers.push(id);
                }
                Some(Location::X(_)) => self.path.locations[id.0 as usize] = None,
                _ => {}
            }
        }
    }

    /// Moves registers as if all at once.
    pub(super) fn parallel_move(&mut self, mut moves: Vec<(X, X)>) -> Result<(), CompileError> {
        while !moves.is_empty() {
            let free = moves.iter().position(|&(_, to)| moves.iter().all(|&(from, _)| from != to));
            match free {
                Some(position) => {
                    let (from, to) = moves.swap_remove(position);
                    self.push(I::Move(from, to));
                    self.occupy(to);
                }
                None => {
                    // Only cycles are left: one register steps aside.
                    let (from, _) = moves[0];
                    let aside = self.fresh()?;
                    self.push(I::Move(from, aside));
                    for (source, _) in &mut moves {
                        if *source == from {
                            *source = aside;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// A register by its number.
pub(in crate::compile) fn register(index: usize) -> Result<X, CompileError> {
    // The highest registers stay free for the machine's own use.
    X::try_from(index).ok().filter(|&x| x < X::MAX - 32).ok_or(CompileError::TooLarge)
}
