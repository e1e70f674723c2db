//! The code area, constants and indexing tables.

pub(super) mod instruction;
pub(super) mod listing;

use super::{Address, Instruction, Machine, REGISTERS};
use crate::term::{Cell, Record};
use rustc_hash::FxHashMap;

/// Where a predicate's clauses come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nowhere: only calls of it were seen.
    Undefined,
    /// The engine: a predicate that the standard knows, which a program cannot define.
    Control,
    /// The engine: any other predicate, which a program may define for itself.
    Library,
    /// The user's program.
    Static,
    /// assertz/1 and its relatives.
    Dynamic,
}

/// Chooses clauses by one argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwitchTable {
    /// Which argument.
    pub argument: u16,
    /// Where to go with a free variable.
    pub variable: Address,
    /// Where to go with a list cell.
    pub list: Address,
    /// Where to go with an atom, integer or functor that is not listed.
    pub other: Address,
    /// Where to go with an atom, a small integer, or a structure, by cell or functor cell.
    pub cases: Cases,
}

/// Addresses by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cases {
    /// Few: searched in order.
    Few(Vec<(Cell, Address)>),
    /// Many: hashed.
    Many(FxHashMap<Cell, Address>),
}

impl Default for Cases {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Cases {
    /// The cases in a form fit for their number.
    #[must_use]
    pub fn new(cases: Vec<(Cell, Address)>) -> Self {
        if cases.len() <= 8 { Self::Few(cases) } else { Self::Many(cases.into_iter().collect()) }
    }

    /// Does something with each cell, in no order.
    pub(super) fn for_each_cell(&self, mut does: impl FnMut(Cell)) {
        match self {
            Self::Few(cases) => cases.iter().for_each(|&(cell, _)| does(cell)),
            Self::Many(cases) => cases.keys().for_each(|&cell| does(cell)),
        }
    }

    /// The address of a cell.
    #[inline]
    #[must_use]
    pub fn get(&self, cell: Cell) -> Option<Address> {
        match self {
            Self::Few(cases) => cases.iter().find(|(known, _)| *known == cell).map(|&(_, address)| address),
            Self::Many(cases) => cases.get(&cell).copied(),
        }
    }
}

/// Numbers in clauses that do not fit into cells, each once.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// With how many instructions hold each.
    records: Vec<(Record, u32)>,
    positions: FxHashMap<Record, u32>,
    free: Vec<u32>,
}

impl Numbers {
    /// The number at a position.
    pub(super) fn get(&self, position: u32) -> Option<&Record> {
        self.records.get(position as usize).map(|(record, _)| record)
    }

    fn add(&mut self, record: Record) -> u32 {
        if let Some(&known) = self.positions.get(&record) {
            self.records[known as usize].1 += 1;
            return known;
        }
        let position = self.free.pop().unwrap_or(self.records.len() as u32);
        self.positions.insert(record.clone(), position);
        if let Some(place) = self.records.get_mut(position as usize) {
            *place = (record, 1);
        } else {
            self.records.push((record, 1));
        }
        position
    }

    fn release(&mut self, position: u32) {
        let Some((record, uses)) = self.records.get_mut(position as usize) else { return };
        *uses = uses.saturating_sub(1);
        if *uses == 0 {
            self.positions.remove(record);
            self.free.push(position);
        }
    }
}

/// The instructions of all predicates, found by their addresses.
///
/// The loop takes one instruction after the other, which is a good part of what it does, so it does not ask
/// each time whether there is one. Three invariants make that right: there is an instruction at least, the area
/// never gets shorter, and the last instruction is [`Instruction::Fail`], which has no next one. A fourth one
/// makes pairs right: an instruction that is two in one is followed by the second of the two.
#[derive(Debug)]
pub(super) struct CodeArea(Vec<Instruction>);

/// Where an instruction lies that exists: an address that was looked at, as a distance in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position(usize);

impl Position {
    /// The address of the instruction.
    #[inline(always)]
    pub(super) fn address(self) -> Address {
        (self.0 / size_of::<Instruction>()) as Address
    }
}

impl CodeArea {
    /// An area that starts with these instructions.
    pub(super) fn new(mut code: Vec<Instruction>) -> Self {
        code.push(Instruction::Fail);
        Self(code)
    }

    /// How many instructions there are, which is the address of the next one.
    pub(super) fn len(&self) -> usize {
        self.0.len() - 1
    }

    /// The instruction at an address, if there is one; of two in one the first.
    pub(super) fn get(&self, address: Address) -> Option<Instruction> {
        let instruction = self.0.get(address as usize).filter(|_| (address as usize) < self.len())?;
        Some(instruction.alone())
    }

    /// The instruction at an address, which exists; of two in one the first.
    pub(super) fn at(&self, address: Address) -> Instruction {
        self.0[address as usize].alone()
    }

    /// Appends instructions.
    pub(super) fn extend_from_slice(&mut self, code: &[Instruction]) {
        // The last instruction is written over and is last again. No step in between fails: the room is there.
        let start = self.len();
        self.0.reserve(code.len());
        self.0.pop();
        self.0.extend_from_slice(code);
        self.0.push(Instruction::Fail);
        self.pair_up(start..self.len());
    }

    /// The constants and functors in all instructions.
    pub(super) fn constants(&self) -> impl Iterator<Item = Cell> {
        self.0.iter().filter_map(|instruction| instruction.constant())
    }

    /// Writes instructions over others.
    pub(super) fn overwrite(&mut self, address: Address, code: &[Instruction]) {
        let start = address as usize;
        let end = start + code.len();
        debug_assert!(end < self.0.len());
        if let Some(before) = start.checked_sub(1) {
            self.0[before] = self.0[before].alone();
        }
        self.0[start..end].copy_from_slice(code);
        self.pair_up(start..end);
    }

    /// Puts frequent pairs together.
    fn pair_up(&mut self, addresses: std::ops::Range<usize>) {
        for address in addresses {
            if let Some(&next) = self.0.get(address + 1).filter(|_| address + 1 < self.len())
                && let Some(both) = self.0[address].with(next.alone())
            {
                self.0[address] = both;
            }
        }
    }

    /// The position of an address. Whoever asks for one that does not exist has lost its way: that ends the program.
    #[inline(always)]
    pub(super) fn position(&self, address: Address) -> Position {
        let _exists = &self.0[address as usize];
        Position(address as usize * size_of::<Instruction>())
    }

    /// The instruction at a position of this area, and the position of the next one.
    ///
    /// # Safety
    /// The position is one that [`CodeArea::position`] gave, or one that this gave beside another instruction than
    /// `Fail`, or for the position behind an instruction that is two in one, the second of which is not `Fail`.
    #[inline(always)]
    #[expect(unsafe_code, reason = "the loop takes every instruction here; see the area's invariants")]
    pub(super) unsafe fn take(&self, position: Position) -> (&Instruction, Position) {
        debug_assert!(position.0 / size_of::<Instruction>() < self.0.len());
        // SAFETY: the position was that of an instruction when it was made: it was looked up, or stands behind one
        // that is not the last, since the last is `Fail`. The area has not become shorter since.
        let instruction = unsafe { &*self.0.as_ptr().byte_add(position.0) };
        (instruction, Position(position.0 + size_of::<Instruction>()))
    }
}

impl Machine {
    /// Where the next instruction will lie.
    #[must_use]
    pub fn next_address(&self) -> Address {
        self.code.len() as Address
    }

    /// Appends instructions and returns the address of the first.
    pub fn add_code(&mut self, code: &[Instruction]) -> Address {
        let address = self.next_address();
        self.code.extend_from_slice(code);
        address
    }

    /// Notes that code uses this many registers.
    pub fn reserve_registers(&mut self, count: usize) {
        self.registers = self.registers.max(count.min(REGISTERS));
    }

    /// Adds a number that does not fit into a cell, for one instruction, and returns its position.
    pub fn add_number(&mut self, cell: Cell) -> u32 {
        self.numbers.add(Record::new(&self.store, cell))
    }

    /// An instruction that holds the position of a number is gone.
    pub(super) fn release_number(&mut self, number: u32) {
        self.numbers.release(number);
    }

    /// Adds an indexing table and returns its number.
    pub fn add_table(&mut self, table: SwitchTable) -> u32 {
        self.tables.push(table);
        self.tables.len() as u32 - 1
    }

    /// The instruction at an address; of two in one the first. There must be one.
    pub(crate) fn code_at(&self, address: Address) -> Instruction {
        self.code.at(address)
    }

    /// Replaces an instruction.
    pub(crate) fn set_code(&mut self, address: Address, instruction: Instruction) {
        self.code.overwrite(address, &[instruction]);
    }

    pub(super) fn table_at(&self, table: u32) -> &SwitchTable {
        &self.tables[table as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::PredicateId;
    use instruction::Instruction as I;

    #[test]
    fn two_instructions_in_one_are_seen_by_the_loop_alone_and_end_with_either() {
        let mut area = CodeArea::new(vec![I::Fail]);
        let execute = I::Execute(PredicateId::CALL);
        area.extend_from_slice(&[I::Move(1, 0), execute, I::Move(2, 0)]);
        area.extend_from_slice(&[execute]);
        assert_eq!(area.0[1], I::MoveExecute(1, 0, PredicateId::CALL));
        // What was placed apart stays apart, and the area ends in `Fail`.
        assert_eq!(area.0[3..], [I::Move(2, 0), execute, I::Fail]);
        let code: Vec<I> = (0..area.len() as Address).map(|address| area.at(address)).collect();
        assert_eq!(code, [I::Fail, I::Move(1, 0), execute, I::Move(2, 0), execute]);
        area.overwrite(2, &[I::Fail]);
        assert_eq!(area.0[1], I::Move(1, 0));
        area.overwrite(2, &[execute]);
        area.overwrite(1, &[I::Move(3, 0), execute]);
        assert_eq!(area.0[1], I::MoveExecute(3, 0, PredicateId::CALL));
    }
}
