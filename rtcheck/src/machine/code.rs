//! The code area, constants, indexing tables and predicates.

use super::{Address, Builtin, ClauseId, ConstantId, Instruction, Machine, Throw, fixed};
use crate::term::{Atom, Cell};
use rustc_hash::FxHashMap;

/// The number of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredicateId(pub(crate) u32);

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

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: Atom,
    /// Its number of arguments.
    pub arity: usize,
    /// Where its clauses come from.
    pub kind: Kind,
    /// Where calls go.
    pub entry: Address,
    /// Where its clauses start.
    pub body: Address,
    /// Where its wrapper starts, if it has a contract.
    pub wrapper: Option<Address>,
    /// The first and the last clause of a dynamic predicate.
    pub(crate) clauses: Option<(ClauseId, ClauseId)>,
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

    /// Makes sure that there are this many registers.
    pub fn reserve_registers(&mut self, count: usize) {
        if self.x.len() < count {
            self.x.resize(count, Cell::int(0));
        }
    }

    /// The number of a constant or functor.
    pub fn constant(&mut self, cell: Cell) -> ConstantId {
        *self.constant_ids.entry(cell).or_insert_with(|| {
            self.constants.push(cell);
            self.constants.len() as ConstantId - 1
        })
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

    /// The predicate of a name and arity, made if there is none yet.
    pub fn predicate(&mut self, name: Atom, arity: usize) -> PredicateId {
        if let Some(&id) = self.predicate_ids.get(&(name, arity)) {
            return id;
        }
        let id = PredicateId(self.predicates.len() as u32);
        let entry = self.add_code(&[Instruction::Undefined(id)]);
        self.predicates.push(Predicate {
            name,
            arity,
            kind: Kind::Undefined,
            entry,
            body: entry,
            wrapper: None,
            clauses: None,
        });
        self.predicate_ids.insert((name, arity), id);
        // Calls put all arguments into registers, one more for call/N.
        self.reserve_registers(arity + 16);
        id
    }

    /// Makes a new predicate under the name of a library predicate that the user's program defines itself. The
    /// library goes on calling its own.
    pub(crate) fn shadow(&mut self, name: Atom, arity: usize) -> PredicateId {
        self.predicate_ids.remove(&(name, arity));
        self.predicate(name, arity)
    }

    /// The predicate of a name and arity, if there is one.
    #[must_use]
    pub fn find_predicate(&self, name: Atom, arity: usize) -> Option<PredicateId> {
        self.predicate_ids.get(&(name, arity)).copied()
    }

    /// A predicate by its number.
    #[must_use]
    pub fn predicate_at(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.0 as usize]
    }

    pub(crate) fn predicate_mut(&mut self, id: PredicateId) -> &mut Predicate {
        &mut self.predicates[id.0 as usize]
    }

    /// All predicates in the order in which they were first seen.
    pub fn predicates(&self) -> impl Iterator<Item = (PredicateId, &Predicate)> {
        self.predicates.iter().enumerate().map(|(i, predicate)| (PredicateId(i as u32), predicate))
    }

    /// Gives a predicate its clauses' code.
    pub fn define(&mut self, id: PredicateId, kind: Kind, address: Address) {
        let predicate = self.predicate_mut(id);
        predicate.kind = kind;
        predicate.body = address;
        predicate.entry = predicate.wrapper.unwrap_or(address);
    }

    /// Lets calls of a predicate go through a wrapper, or directly to its clauses.
    pub fn set_wrapper(&mut self, id: PredicateId, wrapper: Option<Address>) {
        let predicate = self.predicate_mut(id);
        predicate.wrapper = wrapper;
        predicate.entry = wrapper.unwrap_or(predicate.body);
    }

    /// Adds a built-in, callable as a predicate and as an instruction.
    pub fn define_builtin(&mut self, name: &str, arity: usize, builtin: Builtin) {
        let number = self.builtins.len() as u32;
        self.builtins.push(builtin);
        let name = self.atoms.intern(name);
        let id = self.predicate(name, arity);
        self.define_code(id, &[Instruction::Builtin(number, 0), Instruction::Proceed]);
    }

    /// The number of the built-in behind a predicate, if that is what it is.
    #[must_use]
    pub fn builtin_of(&self, id: PredicateId) -> Option<u32> {
        let predicate = self.predicate_at(id);
        match (predicate.kind, self.code[predicate.body as usize]) {
            (Kind::Control | Kind::Library, Instruction::Builtin(number, _)) => Some(number),
            _ => None,
        }
    }

    /// A predicate without clauses was called.
    pub(super) fn undefined(&mut self, id: PredicateId) -> Result<Address, Throw> {
        let Predicate { name, arity, kind, .. } = *self.predicate_at(id);
        let unknown = self.atoms.find("unknown").and_then(|flag| self.prolog_flags.get(&flag).copied());
        if kind == Kind::Dynamic || unknown == Some(Cell::atom(crate::term::atom::FAIL)) {
            return Ok(fixed::FAIL);
        }
        let indicator = self.indicator(name, arity);
        self.existence_error("procedure", indicator)
    }

    pub(super) fn code_at(&self, address: Address) -> Instruction {
        self.code[address as usize]
    }

    /// The constant or functor of a number.
    #[must_use]
    pub fn constant_at(&self, id: ConstantId) -> Cell {
        self.constants[id as usize]
    }

    pub(super) fn table_at(&self, table: u32) -> &SwitchTable {
        &self.tables[table as usize]
    }
}
