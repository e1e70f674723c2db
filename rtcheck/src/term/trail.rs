//! What backtracking undoes.

use super::Cell;

/// What an entry of the trail undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undo {
    /// The binding of the variable at this index.
    Binding(usize),
    /// An assignment to the cell at this index; below the entry lies the old cell.
    Assignment(usize),
    /// An assignment to the root of this number; below the entry lies the old cell. From [`super::undoing::ROOT`] on a
    /// goal of `undo/1`; below the entry lies its number.
    Root(usize),
    /// A variable at this index got attributes; below the entry lies a cell that says nothing.
    Attributed(usize),
}

impl Undo {
    pub(crate) fn entry(self) -> Cell {
        match self {
            Self::Binding(index) => Cell::count(index << 2),
            Self::Assignment(index) => Cell::count(index << 2 | 1),
            Self::Root(number) => Cell::count(number << 2 | 2),
            Self::Attributed(index) => Cell::count(index << 2 | 3),
        }
    }

    pub(crate) fn read(entry: Cell) -> Self {
        let value = entry.int_value() as usize;
        match value & 3 {
            0 => Self::Binding(value >> 2),
            1 => Self::Assignment(value >> 2),
            2 => Self::Root(value >> 2),
            _ => Self::Attributed(value >> 2),
        }
    }
}
