//! The store of terms and the trail: cells, dereferencing, binding, unification.

use super::steps::Steps;
use super::trail::Undo;
use super::undoing::{ROOT, Undoing};
use super::{Atom, Cell, Tag, atom};
use rustc_hash::FxHashMap;

/// The variables with attributes, and those of them that were bound just now.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    /// The indices of the variables, ascending.
    pub(super) variables: Vec<usize>,
    /// The indices of variables that were bound since the last goal, and what to.
    pub(super) woken: Vec<(usize, Cell)>,
    /// The bound of collections that was put aside when the first variable got attributes; 0 if none is.
    pub(super) collect_at: usize,
}

/// What a unification does that would make a term a part of itself: the flag `occurs_check`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum OccursCheck {
    /// It makes a cyclic term.
    #[default]
    Off,
    /// It fails.
    Fail,
    /// It is an error.
    Throw,
}

/// All cells of a run, and the trail of bindings that backtracking undoes.
#[derive(Debug, Default)]
pub struct Store {
    pub(crate) cells: Vec<Cell>,
    /// Entries of the trail, as [`Undo`] reads them from the top, with old cells below some of them.
    pub(crate) trail: Vec<Cell>,
    /// Cells outside the store that terms are kept in over a collection: values of global variables.
    pub(crate) roots: Vec<Cell>,
    /// Cells from here on are younger than the newest choicepoint: binding them needs no trail entry.
    pub(crate) boundary: usize,
    /// Variables below this index may not be bound: a property is being evaluated, and it must hold of the terms
    /// as they are. While it is not 0, there is a choicepoint that is younger than every such variable.
    protected: usize,
    /// Variables below this index are protected, or have attributes, or neither: binding them takes a second look.
    pub(crate) watched: usize,
    /// A store and a trail of this many cells together are worth a collection.
    pub(crate) collect_at: usize,
    pub(super) attributes: Attributes,
    pub(super) undoing: Undoing,
    /// What a unification does that would make a term a part of itself.
    pub(super) occurs_check: OccursCheck,
    /// Variables that were bound to compound terms since somebody looked whether these are finite.
    pub(super) unchecked: Vec<(usize, Cell)>,
    /// Whether the standard order has all floats before all integers, as ISO says, instead of numbers by value.
    pub(crate) floats_first: bool,
    pending: Vec<(Cell, Cell)>,
}

impl Store {
    /// A store without cells.
    #[must_use]
    pub fn new() -> Self {
        Self { collect_at: 1 << 18, ..Self::default() }
    }

    /// How many cells there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are no cells.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cell at an index.
    #[inline]
    #[must_use]
    pub fn at(&self, index: usize) -> Cell {
        self.cells[index]
    }

    /// The cell at an index, if there is one.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Cell> {
        self.cells.get(index).copied()
    }

    /// Follows references until a free variable or something that is not a variable.
    #[inline]
    #[must_use]
    pub fn deref(&self, mut cell: Cell) -> Cell {
        while cell.tag() == Tag::Ref {
            let next = self.cells[cell.index()];
            if next == cell {
                break;
            }
            cell = next;
        }
        cell
    }

    /// Appends a cell and returns its index.
    #[inline]
    pub(crate) fn push(&mut self, cell: Cell) -> usize {
        let index = self.cells.len();
        self.cells.push(cell);
        index
    }

    /// Appends two cells.
    #[inline]
    pub(crate) fn push_pair(&mut self, first: Cell, second: Cell) {
        self.cells.extend_from_slice(&[first, second]);
    }

    /// The cells at an index and the next.
    #[inline]
    pub(crate) fn pair(&self, index: usize) -> [Cell; 2] {
        let cells = &self.cells[index..index + 2];
        [cells[0], cells[1]]
    }

    /// A new free variable.
    #[inline]
    pub fn variable(&mut self) -> Cell {
        let cell = Cell::reference(self.cells.len());
        self.cells.push(cell);
        cell
    }

    /// A new list cell.
    pub fn cons(&mut self, head: Cell, tail: Cell) -> Cell {
        let index = self.push(head);
        self.push(tail);
        Cell::list(index)
    }

    /// A new list of given elements and tail.
    pub fn list(&mut self, elements: &[Cell], tail: Cell) -> Cell {
        elements.iter().rev().fold(tail, |tail, &head| self.cons(head, tail))
    }

    /// A new structure, or an atom if there are no arguments; a list cell for `'.'/2`.
    pub fn compound(&mut self, name: Atom, arguments: &[Cell]) -> Cell {
        match *arguments {
            [] => Cell::atom(name),
            [head, tail] if name == atom::DOT => self.cons(head, tail),
            _ => {
                let index = self.push(Cell::functor(name, arguments.len()));
                self.cells.extend_from_slice(arguments);
                Cell::structure(index)
            }
        }
    }

    /// Name and number of arguments of a dereferenced atom, list or structure.
    #[must_use]
    pub fn functor(&self, cell: Cell) -> Option<(Atom, usize)> {
        match cell.tag() {
            Tag::Atm => Some((cell.as_atom(), 0)),
            Tag::Lis => Some((atom::DOT, 2)),
            Tag::Str => {
                let functor = self.cells[cell.index()];
                Some((functor.name(), functor.arity()))
            }
            _ => None,
        }
    }

    /// The index of the first argument of a dereferenced list or structure, and how many there are; 0 of
    /// anything else.
    #[must_use]
    pub fn arguments(&self, cell: Cell) -> (usize, usize) {
        match cell.tag() {
            Tag::Lis => (cell.index(), 2),
            Tag::Str => (cell.index() + 1, self.cells[cell.index()].arity()),
            _ => (0, 0),
        }
    }

    /// The `i`-th argument, counted from 0, of a dereferenced list or structure that has it; dereferenced.
    #[must_use]
    pub fn argument(&self, cell: Cell, i: usize) -> Cell {
        let (first, _) = self.arguments(cell);
        self.deref(self.cells[first + i])
    }

    /// The arguments of a dereferenced structure with a given name and arity, dereferenced.
    #[must_use]
    pub fn match_structure<const N: usize>(&self, cell: Cell, name: Atom) -> Option<[Cell; N]> {
        (self.functor(cell)? == (name, N)).then(|| std::array::from_fn(|i| self.argument(cell, i)))
    }

    /// Gives a free variable, by its index, a value. False, and no binding, if the variable is protected.
    #[inline]
    #[must_use]
    pub(crate) fn bind(&mut self, index: usize, value: Cell) -> bool {
        if index < self.boundary {
            if index < self.watched {
                return self.bind_watched(index, value);
            }
            self.trail.push(Undo::Binding(index).entry());
        }
        self.cells[index] = value;
        true
    }

    /// Lets no variable below this index be bound; 0 ends it.
    pub(crate) fn protect(&mut self, below: usize) {
        self.protected = below;
        self.watch();
    }

    /// Which variables may not be bound.
    pub(crate) fn protected(&self) -> usize {
        self.protected
    }

    /// Overwrites a cell so that backtracking restores it.
    pub(crate) fn assign(&mut self, index: usize, value: Cell) {
        self.trail.push(self.cells[index]);
        self.trail.push(Undo::Assignment(index).entry());
        self.cells[index] = value;
    }

    /// What a root holds; `[]` if it was never assigned.
    #[must_use]
    pub fn root(&self, number: usize) -> Cell {
        self.roots.get(number).copied().unwrap_or(Cell::atom(atom::NIL))
    }

    /// Overwrites a root, made if it does not exist, so that backtracking restores it. Roots start as `[]`.
    pub fn assign_root(&mut self, number: usize, value: Cell) {
        if self.roots.len() <= number {
            self.roots.resize(number + 1, Cell::atom(atom::NIL));
        }
        let old = self.roots[number];
        // A structure that is younger than the newest choicepoint was assigned behind it, and what the root held before
        // is on the trail already.
        if old.tag() != Tag::Str || old.index() < self.boundary {
            self.trail.push(old);
            self.trail.push(Undo::Root(number).entry());
        }
        self.roots[number] = value;
    }

    /// Undoes what the trail holds from an earlier length on.
    pub(crate) fn undo_to(&mut self, length: usize) {
        while self.trail.len() > length {
            let Some(entry) = self.trail.pop() else { break };
            match Undo::read(entry) {
                Undo::Binding(index) => self.cells[index] = Cell::reference(index),
                undo => self.undo_other(undo),
            }
        }
    }

    /// Undoes what has an old cell on the trail.
    #[inline(never)]
    fn undo_other(&mut self, undo: Undo) {
        let Some(old) = self.trail.pop() else { return };
        match undo {
            Undo::Root(number) if number >= ROOT => self.undoing.pass(old),
            Undo::Root(number) => self.roots[number] = old,
            Undo::Attributed(index) => self.forget_attributed(index),
            Undo::Binding(index) | Undo::Assignment(index) => self.cells[index] = old,
        }
    }

    /// Lets a number be due when backtracking passes this moment.
    pub(crate) fn push_undo(&mut self, number: usize) {
        self.undoing.push(number, &mut self.trail);
    }

    /// Whether numbers wait on the trail, or are due.
    #[inline]
    pub(crate) fn has_undo_goals(&self) -> bool {
        self.undoing.is_used()
    }

    /// Whether numbers are due.
    #[inline]
    pub(crate) fn has_undone(&self) -> bool {
        self.undoing.is_due()
    }

    /// Takes the numbers that are due, in the order in which they were passed.
    pub(crate) fn take_undone(&mut self) -> Vec<usize> {
        self.undoing.take()
    }

    /// Makes two terms equal if that can be. Bindings made before a failure stay; the caller backtracks.
    pub fn unify(&mut self, left: Cell, right: Cell) -> bool {
        self.unify_here(left, right)
    }

    /// [`Store::unify`] as a part of its caller.
    #[inline(always)]
    pub(crate) fn unify_here(&mut self, left: Cell, right: Cell) -> bool {
        // Most unifications end at the first comparison: no stack is touched for them.
        let (left, right) = (self.deref(left), self.deref(right));
        if left == right {
            return true;
        }
        if left.tag() == Tag::Ref || right.tag() == Tag::Ref {
            return self.bind_either(left, right);
        }
        if left.is_immediate() || right.is_immediate() {
            return false;
        }
        self.unify_compound(left, right)
    }

    #[inline(always)]
    pub(super) fn bind_either(&mut self, left: Cell, right: Cell) -> bool {
        // Of two variables the younger is bound, so that no reference points to a cell that backtracking
        // removes before the one that holds it.
        if left.tag() == Tag::Ref && (right.tag() != Tag::Ref || right.index() < left.index()) {
            self.bind(left.index(), right)
        } else {
            self.bind(right.index(), left)
        }
    }

    fn unify_compound(&mut self, left: Cell, right: Cell) -> bool {
        if self.has_attributes() {
            return self.unify_in_order(left, right);
        }
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        pending.push((left, right));
        let mut equal = true;
        let mut steps = Steps::new(self.len());
        'pairs: while let Some((left, right)) = pending.pop() {
            let (mut left, mut right) = (self.deref(left), self.deref(right));
            // The loop runs along last arguments, so that a list needs no stack.
            loop {
                if left == right {
                    break;
                }
                if left.tag() == Tag::Ref || right.tag() == Tag::Ref {
                    if !self.bind_either(left, right) {
                        equal = false;
                        break 'pairs;
                    }
                    break;
                }
                if left.tag() != right.tag() {
                    equal = false;
                    break 'pairs;
                }
                let (first_left, first_right, count) = match left.tag() {
                    Tag::Lis => (left.index(), right.index(), 2),
                    Tag::Str => {
                        let functor = self.cells[left.index()];
                        if functor != self.cells[right.index()] {
                            equal = false;
                            break 'pairs;
                        }
                        (left.index() + 1, right.index() + 1, functor.arity())
                    }
                    Tag::Box if self.same_box(left, right) => break,
                    _ => {
                        equal = false;
                        break 'pairs;
                    }
                };
                if !steps.step(left, right) {
                    break;
                }
                // Of all but the last argument compound terms wait, the others are unified here: most structures are
                // flat, and most that differ do so in a constant.
                for i in 0..count - 1 {
                    let (left, right) = (self.cells[first_left + i], self.cells[first_right + i]);
                    if left == right {
                        continue;
                    }
                    let (left, right) = (self.deref(left), self.deref(right));
                    if left == right {
                        continue;
                    }
                    let done = if left.tag() == Tag::Ref || right.tag() == Tag::Ref {
                        self.bind_either(left, right)
                    } else if left.tag() != right.tag() || left.is_immediate() {
                        false
                    } else {
                        pending.push((left, right));
                        true
                    };
                    if !done {
                        equal = false;
                        break 'pairs;
                    }
                }
                left = self.deref(self.cells[first_left + count - 1]);
                right = self.deref(self.cells[first_right + count - 1]);
            }
        }
        self.pending = pending;
        equal
    }

    /// Whether two boxed numbers are the same number of the same kind.
    pub(crate) fn same_box(&self, left: Cell, right: Cell) -> bool {
        let words = |cell: Cell| {
            let header = self.cells[cell.index()];
            &self.cells[cell.index()..=cell.index() + header.header_words()]
        };
        words(left) == words(right)
    }

    /// Whether a term is finite. Costs the number of its distinct cells.
    #[must_use]
    pub fn is_acyclic(&self, term: Cell) -> bool {
        self.is_small_tree(term) || self.is_acyclic_by_marks(term)
    }

    /// Whether a walk over a term without marks ends after as many steps as the store has cells: most terms are finite
    /// and share little.
    fn is_small_tree(&self, term: Cell) -> bool {
        let mut left = self.cells.len() + 8;
        let mut pending = vec![self.deref(term)];
        while let Some(cell) = pending.pop() {
            let (first, count) = self.arguments(cell);
            if count >= left {
                return false;
            }
            left -= count;
            let compound = |cell: &Cell| matches!(cell.tag(), Tag::Lis | Tag::Str);
            pending.extend((first..first + count).map(|i| self.deref(self.cells[i])).filter(compound));
        }
        true
    }

    fn is_acyclic_by_marks(&self, term: Cell) -> bool {
        // Cells of finished subterms, and of those on the way from the root (true).
        let mut state: FxHashMap<Cell, bool> = FxHashMap::default();
        let mut pending = vec![(self.deref(term), false)];
        while let Some((cell, leaving)) = pending.pop() {
            if leaving {
                state.insert(cell, false);
                continue;
            }
            let (first, count) = self.arguments(cell);
            if count == 0 {
                continue;
            }
            match state.get(&cell) {
                Some(true) => return false,
                Some(false) => continue,
                None => {}
            }
            state.insert(cell, true);
            pending.push((cell, true));
            pending.extend((first..first + count).map(|i| (self.deref(self.cells[i]), false)));
        }
        true
    }

    /// The elements of a proper list, dereferenced. `Err` gives what stands where `[]` should: a free
    /// variable for a partial list; for a cyclic list the first cell found twice.
    ///
    /// # Errors
    /// The tail that is neither a list cell nor `[]`.
    pub fn list_elements(&self, list: Cell) -> Result<Vec<Cell>, Cell> {
        let mut elements = Vec::new();
        let mut cell = self.deref(list);
        // A proper list cannot have more cells than the store has pairs.
        while cell.tag() == Tag::Lis {
            if elements.len() > self.cells.len() / 2 {
                return Err(cell);
            }
            elements.push(self.argument(cell, 0));
            cell = self.argument(cell, 1);
        }
        if cell == Cell::atom(atom::NIL) { Ok(elements) } else { Err(cell) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_a_million_levels_deep_unify_without_the_native_stack() {
        let f = Atom(0);
        for left_deep in [false, true] {
            let mut store = Store::new();
            let mut build = |end: Cell| {
                (0..1_000_000).fold(end, |inner, _| {
                    let pair = if left_deep { [inner, Cell::int(0)] } else { [Cell::int(0), inner] };
                    store.compound(f, &pair)
                })
            };
            let (left, right, other) = (build(Cell::int(1)), build(Cell::int(1)), build(Cell::int(2)));
            assert!(store.unify(left, right));
            assert!(!store.unify(left, other));
        }
    }

    #[test]
    fn undoing_restores_bindings_and_assignments_in_order() {
        let mut store = Store::new();
        let variable = store.variable();
        store.boundary = store.len();
        assert!(store.bind(variable.index(), Cell::int(1)));
        store.assign(variable.index(), Cell::int(2));
        store.assign(variable.index(), Cell::int(3));
        store.undo_to(2 + 1);
        assert_eq!(store.deref(variable), Cell::int(2));
        store.undo_to(0);
        assert_eq!(store.deref(variable), variable);
    }
    #[test]
    fn protected_variables_are_not_bound() {
        let mut store = Store::new();
        let (old, other) = (store.variable(), store.variable());
        store.protect(store.len());
        store.boundary = store.len();
        let young = store.variable();
        assert!(!store.unify(old, Cell::int(1)) && !store.unify(old, other) && store.unify(old, old));
        assert!(store.unify(young, old));
        assert!(!store.unify(young, Cell::int(1)));
        assert_eq!((store.deref(old), store.deref(young)), (old, old));
    }
}
