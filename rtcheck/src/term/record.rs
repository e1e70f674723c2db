//! Terms outside the store: compact, relocatable copies.

use super::{Cell, Store, Tag};
use rustc_hash::FxHashMap;

/// A copy of a term with its own variables, which have attributes if those of the term do. Cell 0 is the term; pointers
/// count from cell 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    cells: Box<[Cell]>,
    /// Where variables with attributes are; the attributes are in the cell behind.
    attributed: Box<[usize]>,
}

impl Record {
    /// Copies a term. Costs its size; shared subterms are copied once per occurrence, unless there are so many
    /// of them that the copy outgrows the store, or the term is cyclic: then sharing is kept.
    #[must_use]
    pub fn new(store: &Store, term: Cell) -> Self {
        Self::of(store, term, true)
    }

    /// Copies a term; its variables have no attributes.
    #[must_use]
    pub fn plain(store: &Store, term: Cell) -> Self {
        Self::of(store, term, false)
    }

    fn of(store: &Store, term: Cell, attributes: bool) -> Self {
        let limit = store.len() + 64;
        let attributes = attributes && store.has_attributes();
        Self::copy(store, term, limit, None, attributes)
            .or_else(|| Self::copy(store, term, usize::MAX, Some(FxHashMap::default()), attributes))
            .unwrap_or_else(|| Self { cells: Box::new([term]), attributed: Box::default() })
    }

    /// The copy, or nothing if it needs more cells than the limit. `copies`: where each compound term of the
    /// store was copied to.
    fn copy(
        store: &Store,
        term: Cell,
        limit: usize,
        mut copies: Option<FxHashMap<Cell, Cell>>,
        with_attributes: bool,
    ) -> Option<Self> {
        let mut cells = vec![store.deref(term)];
        let mut variables: FxHashMap<usize, usize> = FxHashMap::default();
        let mut attributed = Vec::new();
        let mut position = 0;
        // Cells behind `position` are finished; those from it on still point into the store. Functor cells
        // and boxed numbers are finished when they are pushed.
        while position < cells.len() {
            if cells.len() > limit {
                return None;
            }
            let cell = cells[position];
            match cell.tag() {
                Tag::Hdr if cell.is_functor() => {}
                Tag::Hdr => position += cell.header_words(),
                _ => {
                    let cell = store.deref(cell);
                    let known = copies.as_ref().and_then(|copies| copies.get(&cell).copied());
                    let copy = known.unwrap_or_else(|| match cell.tag() {
                        Tag::Ref => Cell::reference(*variables.entry(cell.index()).or_insert_with(|| {
                            let attributes =
                                if with_attributes { store.attributes_of(cell.index()) } else { None };
                            let Some(attributes) = attributes else { return position };
                            // The variable's own cell is finished when its turn comes.
                            attributed.push(cells.len());
                            cells.extend_from_slice(&[cell, attributes]);
                            cells.len() - 2
                        })),
                        Tag::Lis => {
                            let copy = Cell::list(cells.len());
                            cells.extend_from_slice(&store.cells[cell.index()..cell.index() + 2]);
                            copy
                        }
                        Tag::Str => {
                            let copy = Cell::structure(cells.len());
                            let arity = store.cells[cell.index()].arity();
                            cells.extend_from_slice(&store.cells[cell.index()..=cell.index() + arity]);
                            copy
                        }
                        Tag::Box => {
                            let copy = Cell::boxed(cells.len());
                            let words = store.cells[cell.index()].header_words();
                            cells.extend_from_slice(&store.cells[cell.index()..=cell.index() + words]);
                            copy
                        }
                        Tag::Atm | Tag::Int | Tag::Txt | Tag::Hdr => cell,
                    });
                    if let (Some(copies), Tag::Lis | Tag::Str) = (&mut copies, cell.tag()) {
                        copies.insert(cell, copy);
                    }
                    cells[position] = copy;
                }
            }
            position += 1;
        }
        Some(Self { cells: cells.into_boxed_slice(), attributed: attributed.into_boxed_slice() })
    }

    /// A record of a term that its word tells whole.
    #[must_use]
    pub fn immediate(cell: Cell) -> Self {
        debug_assert!(cell.is_immediate(), "{cell:?} has parts in the store");
        Self { cells: Box::new([cell]), attributed: Box::default() }
    }

    /// Copies the term into a store, with fresh variables.
    pub fn restore(&self, store: &mut Store) -> Cell {
        let root = self.cells[0];
        if root.is_immediate() {
            return root;
        }
        let base = store.cells.len();
        store.cells.reserve(self.cells.len());
        let mut rest = self.cells.iter();
        while let Some(&cell) = rest.next() {
            store.cells.push(cell.moved_up(base));
            if cell.is_number_header() {
                for &word in rest.by_ref().take(cell.header_words()) {
                    store.cells.push(word);
                }
            }
        }
        for &position in &self.attributed {
            store.add_attributed(base + position);
        }
        store.cells[base]
    }

    /// Its cells, with the raw words of its numbers.
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// How many cells the copy takes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// How many bytes the copy takes, with what the system keeps beside it.
    #[must_use]
    pub(crate) fn bytes(&self) -> usize {
        (self.cells.len() + 4) * size_of::<Cell>()
    }

    /// Never: a record holds at least one cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }
}
