//! Garbage collection of a store: marking with an explicit stack, then sliding what is marked together.
//!
//! Marks are bits beside the store. After marking, a count of the marks in front of each word of bits gives every
//! cell's new index by one look-up and a population count, so pointers are adjusted in the same pass in which cells
//! slide: no pointer is reversed and no cell is visited that is not live. The order of cells does not change, so
//! ages (the order of variables, which of two variables is bound, what a choicepoint removes) stay what they were.
//! Cost: live cells, plus one word per 64 cells.
//!
//! References through variables whose binding lasts are left out. Where a program may overwrite arguments (`setarg/3`),
//! that would be seen: whoever refers to a variable that lives in an argument sees what is put there later, and would no
//! longer. Then only what lies in no argument is left out, once all terms are marked.
//!
//! Cells below the *floor* are neither looked at nor moved. Whoever changed one of them since the floor was laid has
//! a trail entry for it, and the machine gives those cells as roots.

use super::{Bits, Cell, Store, Tag};

/// One collection under way.
pub(crate) struct Collector {
    floor: usize,
    /// Cells that are live, counted from the floor.
    marks: Bits,
    /// Cells whose content may be undone, counted from the floor.
    changeable: Bits,
    /// Cells that are arguments of live terms, counted from the floor; `None` if nobody overwrites arguments.
    arguments: Option<Bits>,
    /// How many marks there are in front of each word of marks.
    counts: Vec<usize>,
    /// Marked cells whose content was not followed yet.
    pending: Vec<usize>,
}

impl Collector {
    /// A collection of the cells from the floor on; `overwritten`: in a program that may overwrite arguments.
    pub(crate) fn new(store: &Store, floor: usize, overwritten: bool) -> Self {
        let count = store.len().saturating_sub(floor);
        Self {
            floor,
            marks: Bits::new(count),
            changeable: Bits::new(count),
            arguments: overwritten.then(|| Bits::new(count)),
            counts: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Whether a cell lies below the floor.
    pub(crate) fn is_fixed(&self, index: usize) -> bool {
        index < self.floor
    }

    /// Whether a cell is live as far as is known.
    pub(crate) fn is_live(&self, index: usize) -> bool {
        index < self.floor || self.marks.contains(index - self.floor)
    }

    /// Notes that backtracking may change a cell, so that references to it must stay references.
    pub(crate) fn note_changeable(&mut self, index: usize) {
        if index >= self.floor {
            self.changeable.insert(index - self.floor);
        }
    }

    /// Marks a term. Gives its cell, with references left out that lead through variables whose binding lasts.
    pub(crate) fn mark(&mut self, store: &mut Store, cell: Cell) -> Cell {
        let early = self.arguments.is_none();
        let cell = if early { self.settled(store, cell) } else { cell };
        let mut next = self.follow(store, cell);
        while let Some(index) = next.or_else(|| self.pending.pop()) {
            if early {
                store.cells[index] = self.settled(store, store.cells[index]);
            }
            next = self.follow(store, store.cells[index]);
        }
        cell
    }

    /// Marks what a cell points to. Cells newly marked whose content is to be followed become pending, the last one
    /// is the result.
    #[inline]
    fn follow(&mut self, store: &Store, cell: Cell) -> Option<usize> {
        let tag = cell.tag();
        if !matches!(tag, Tag::Ref | Tag::Lis | Tag::Str | Tag::Box) || cell.index() < self.floor {
            return None;
        }
        let index = cell.index();
        let (first, count) = match tag {
            // The attributes of a variable live as long as it does.
            Tag::Ref => (index, if store.is_attributed(index) { 2 } else { 1 }),
            Tag::Lis => (index, 2),
            _ => {
                // Functors and headers are only reached as wholes: the first mark stands for all.
                if !self.marks.insert(index - self.floor) {
                    return None;
                }
                if tag == Tag::Box {
                    for word in index + 1..=index + store.cells[index].header_words() {
                        self.marks.insert(word - self.floor);
                    }
                    return None;
                }
                (index + 1, store.cells[index].arity())
            }
        };
        if tag != Tag::Ref
            && let Some(arguments) = &mut self.arguments
        {
            for i in first..first + count {
                arguments.insert(i - self.floor);
            }
        }
        let mut last = None;
        for i in (first..first + count).rev() {
            let new = self.marks.insert(i - self.floor);
            if new && matches!(store.cells[i].tag(), Tag::Ref | Tag::Lis | Tag::Str | Tag::Box) {
                match last {
                    None => last = Some(i),
                    Some(_) => self.pending.push(i),
                }
            }
        }
        last
    }

    /// A cell without references through variables whose binding lasts.
    #[inline]
    fn settled(&self, store: &Store, mut cell: Cell) -> Cell {
        while cell.tag() == Tag::Ref {
            let index = cell.index();
            if index < self.floor {
                break;
            }
            let next = store.cells[index];
            let offset = index - self.floor;
            let stays = |cells: &Bits| cells.contains(offset);
            if next == cell || stays(&self.changeable) || self.arguments.as_ref().is_some_and(stays) {
                break;
            }
            cell = next;
        }
        cell
    }

    /// Ends marking. From here on cells have new indices.
    pub(crate) fn finish_marking(&mut self, store: &mut Store) {
        if self.arguments.is_some() {
            self.settle_all(store);
        }
        self.changeable = Bits::default();
        let mut sum = 0;
        self.counts = self
            .marks
            .words
            .iter()
            .map(|word| {
                let before = sum;
                sum += word.count_ones() as usize;
                before
            })
            .collect();
    }

    /// Leaves out, in all live cells, references that lead through variables that lie in no argument and whose binding
    /// lasts. Nothing refers to these from then on but what was marked from outside the store, so the next collection
    /// does not find them.
    fn settle_all(&self, store: &mut Store) {
        let mut raw = 0;
        for offset in self.marks.iter() {
            let cell = store.cells[self.floor + offset];
            if raw > 0 {
                raw -= 1;
            } else if cell.is_number_header() {
                raw = cell.header_words();
            } else if cell.tag() == Tag::Ref {
                store.cells[self.floor + offset] = self.settled(store, cell);
            }
        }
    }

    /// How many live cells there are below an index: the new index of a live cell, and the new length of a store cut
    /// there.
    #[inline]
    pub(crate) fn moved_index(&self, index: usize) -> usize {
        if index < self.floor {
            return index;
        }
        let offset = index - self.floor;
        let below = self.marks.words[offset / 64] & ((1 << (offset % 64)) - 1);
        self.floor + self.counts[offset / 64] + below.count_ones() as usize
    }

    /// The first live cell from an index on; the greatest number if there is none.
    #[inline]
    pub(crate) fn next_live(&self, index: usize) -> usize {
        let Some(offset) = index.checked_sub(self.floor) else { return index };
        let words = self.marks.words.get(offset / 64..).unwrap_or_default();
        let Some((first, others)) = words.split_first() else { return usize::MAX };
        let here = first >> (offset % 64);
        if here != 0 {
            return index + here.trailing_zeros() as usize;
        }
        let Some(position) = others.iter().position(|&word| word != 0) else { return usize::MAX };
        let word = offset / 64 + 1 + position;
        self.floor + 64 * word + others[position].trailing_zeros() as usize
    }

    /// A live term's cell after the move.
    #[inline]
    pub(crate) fn moved(&self, cell: Cell) -> Cell {
        match cell.tag() {
            Tag::Ref | Tag::Lis | Tag::Str | Tag::Box => cell.with_index(self.moved_index(cell.index())),
            Tag::Atm | Tag::Int | Tag::Txt | Tag::Hdr => cell,
        }
    }

    /// Where a compound term lies after the move, by the index of its first cell; `None` if it is not live as a whole.
    pub(crate) fn moved_compound(&self, store: &Store, index: usize) -> Option<usize> {
        if index < self.floor {
            return Some(index);
        }
        let is_live = |index: usize| index < store.len() && self.is_live(index);
        let whole = is_live(index) && (store.cells[index].is_functor() || is_live(index + 1));
        whole.then(|| self.moved_index(index))
    }

    /// Slides the live cells together.
    pub(crate) fn compact(&self, store: &mut Store) {
        let mut to = self.floor;
        let mut raw = 0;
        for offset in self.marks.iter() {
            let cell = store.cells[self.floor + offset];
            store.cells[to] = if raw > 0 {
                raw -= 1;
                cell
            } else {
                if cell.is_number_header() {
                    raw = cell.header_words();
                }
                self.moved(cell)
            };
            to += 1;
        }
        store.cells.truncate(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Atom, Number, Record};

    #[test]
    fn what_is_reachable_keeps_its_shape_and_its_order() {
        let mut store = Store::new();
        let garbage = |store: &mut Store| store.list(&[Cell::int(7); 5], Cell::int(0));
        garbage(&mut store);
        let variable = store.variable();
        garbage(&mut store);
        let float = store.make_number(&Number::Float(1.5));
        let big = store.make_number(&Number::integer(num_bigint::BigInt::from(1) << 200));
        garbage(&mut store);
        let inner = store.compound(Atom(1), &[variable, float, variable]);
        let list = store.list(&[inner, big, inner], variable);
        let before = Record::new(&store, list);
        let length = store.len();
        let mut collector = Collector::new(&store, 0, false);
        let root = collector.mark(&mut store, list);
        collector.finish_marking(&mut store);
        let root = collector.moved(root);
        let (old_variable, old_top) =
            (collector.moved_index(variable.index()), collector.moved_index(length));
        collector.compact(&mut store);
        assert_eq!(Record::new(&store, root), before);
        assert_eq!((old_variable, old_top), (0, store.len()));
        assert_eq!(store.len(), length - 30);
    }

    #[test]
    fn chains_of_references_vanish_unless_a_binding_may_be_undone() {
        for changeable in [false, true] {
            let mut store = Store::new();
            let variables: Vec<Cell> = (0..10).map(|_| store.variable()).collect();
            for pair in variables.windows(2) {
                assert!(store.bind(pair[1].index(), pair[0]));
            }
            assert!(store.bind(variables[0].index(), Cell::int(1)));
            let mut collector = Collector::new(&store, 0, false);
            if changeable {
                collector.note_changeable(variables[4].index());
            }
            let root = collector.mark(&mut store, variables[9]);
            collector.finish_marking(&mut store);
            let root = collector.moved(root);
            collector.compact(&mut store);
            assert_eq!(store.deref(root), Cell::int(1));
            assert_eq!(store.len(), usize::from(changeable));
        }
    }

    #[test]
    fn where_arguments_are_overwritten_references_to_them_stay_and_other_chains_vanish() {
        let mut store = Store::new();
        let variables: Vec<Cell> = (0..10).map(|_| store.variable()).collect();
        let term = store.compound(Atom(1), &[Cell::int(1), variables[9]]);
        let shared = Cell::reference(term.index() + 1);
        for pair in variables.windows(2) {
            assert!(store.bind(pair[1].index(), pair[0]));
        }
        assert!(store.bind(variables[0].index(), shared));
        let mut roots = [term, variables[9]];
        for _ in 0..2 {
            let mut collector = Collector::new(&store, 0, true);
            roots = roots.map(|root| collector.mark(&mut store, root));
            collector.finish_marking(&mut store);
            roots = roots.map(|root| collector.moved(root));
            collector.compact(&mut store);
        }
        // The variable in front of the term is held from outside only.
        assert_eq!(store.len(), 4);
        store.cells[roots[0].index() + 1] = Cell::int(2);
        assert_eq!((store.deref(roots[1]), store.argument(roots[0], 1)), (Cell::int(2), Cell::int(2)));
    }

    #[test]
    fn terms_a_million_levels_deep_are_marked_without_the_native_stack() {
        let mut store = Store::new();
        let deep = (0..1_000_000).fold(Cell::int(0), |inner, _| store.compound(Atom(1), &[inner, inner]));
        let length = store.len();
        let mut collector = Collector::new(&store, 0, false);
        collector.mark(&mut store, deep);
        collector.finish_marking(&mut store);
        collector.compact(&mut store);
        assert_eq!(store.len(), length);
    }
}
