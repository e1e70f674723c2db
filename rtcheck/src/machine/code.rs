//! The code area, constants and indexing tables.

use super::{Address, Instruction, Machine, REGISTERS};
use crate::term::Cell;
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

    /// Adds a number that does not fit into a cell and returns its position.
    pub fn add_number(&mut self, cell: Cell) -> u32 {
        let record = crate::term::Record::new(&self.store, cell);
        if let Some(known) = self.numbers.iter().position(|number| *number == record) {
            return known as u32;
        }
        self.numbers.push(record);
        self.numbers.len() as u32 - 1
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

    pub(super) fn table_at(&self, table: u32) -> &SwitchTable {
        &self.tables[table as usize]
    }
}
