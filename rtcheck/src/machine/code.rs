//! The code area, constants and indexing tables.

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

    /// The instruction at an address.
    pub(crate) fn code_at(&self, address: Address) -> Instruction {
        self.code[address as usize]
    }

    /// Replaces an instruction.
    pub(crate) fn set_code(&mut self, address: Address, instruction: Instruction) {
        self.code[address as usize] = instruction;
    }

    pub(super) fn table_at(&self, table: u32) -> &SwitchTable {
        &self.tables[table as usize]
    }
}
