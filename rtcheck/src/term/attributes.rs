//! Variables with attributes.
//!
//! Such a variable is a free variable like any other, so whatever looks at terms (comparing, writing, checking types,
//! matching) needs to know nothing of it. Its attributes are one term, in the cell behind the variable's own, and a
//! table tells which variables there are: their indices, ascending. Putting attributes on a variable makes a new pair
//! of cells and binds the old variable to it; other attributes are assigned, so backtracking restores all of it. The
//! trail has an entry for each pair, which takes it out of the table.
//!
//! Binding a variable with attributes goes through, and is noted: the machine calls what waits for it before the next
//! goal. Of two variables that meet the one without attributes is bound.
//!
//! # Cost
//! Nothing for programs without attributes: binding an old variable compares its index with `watched`, which is
//! the bound of protected variables otherwise; and newer ones count as old (`boundary`) as long as some variable above
//! them has attributes. With attributes, a look-up by bisection for each binding of an old variable.

use super::steps::Steps;
use super::store::OccursCheck;
use super::{Cell, Store, Tag, Undo};

impl Store {
    /// Whether any variable has attributes.
    #[inline]
    pub(crate) fn has_attributes(&self) -> bool {
        !self.attributes.variables.is_empty()
    }

    /// The indices of the variables that have attributes, or had them when they were bound.
    pub(crate) fn attributed(&self) -> Vec<usize> {
        self.attributes.variables.clone()
    }

    /// The attributes of the free variable at an index, if it has any.
    pub(crate) fn attributes_of(&self, index: usize) -> Option<Cell> {
        self.is_attributed(index).then(|| self.cells[index + 1])
    }

    /// Whether the variable at an index has attributes, or had them when it was bound.
    #[inline]
    pub(crate) fn is_attributed(&self, index: usize) -> bool {
        self.has_attributes() && self.attributes.variables.binary_search(&index).is_ok()
    }

    /// Gives a free variable, by its index, other attributes, which must not be a variable. False if it is protected.
    #[must_use]
    pub(crate) fn put_attributes(&mut self, index: usize, attributes: Cell) -> bool {
        if index < self.protected() {
            return false;
        }
        if self.is_attributed(index) {
            self.assign(index + 1, attributes);
            return true;
        }
        let pair = self.variable();
        self.push(attributes);
        if !self.bind(index, pair) {
            return false;
        }
        self.add_attributed(pair.index());
        true
    }

    /// Notes that the newest variables with attributes is at an index, with its attributes in the cell behind.
    pub(super) fn add_attributed(&mut self, index: usize) {
        if self.attributes.variables.is_empty() {
            self.tell_loop();
        }
        self.attributes.variables.push(index);
        self.trail.push(Cell::count(0));
        self.trail.push(Undo::Attributed(index).entry());
        self.watch();
    }

    /// Lets the loop look up behind the built-in that is running, and see that there are variables with attributes.
    pub(crate) fn tell_loop(&mut self) {
        if self.attributes.collect_at == 0 {
            self.attributes.collect_at = std::mem::replace(&mut self.collect_at, 0);
        }
    }

    /// A store and a trail of this many cells together are worth a collection from now on.
    pub(crate) fn set_collect_at(&mut self, count: usize) {
        let told = self.attributes.collect_at > 0;
        *(if told { &mut self.attributes.collect_at } else { &mut self.collect_at }) = count;
    }

    /// What was put aside for the loop to look up is in force again.
    pub(crate) fn loop_knows_attributes(&mut self) {
        if self.attributes.collect_at > 0 {
            self.collect_at = std::mem::take(&mut self.attributes.collect_at);
        }
    }

    /// A variable with attributes is undone.
    pub(super) fn forget_attributed(&mut self, index: usize) {
        while self.attributes.variables.last().is_some_and(|&last| last >= index) {
            self.attributes.variables.pop();
        }
        self.watch();
    }

    /// Whoever changed what is protected or has attributes.
    pub(super) fn watch(&mut self) {
        let attributed = self.attributes.variables.last().map_or(0, |last| last + 1);
        self.watched = match self.occurs_check() {
            OccursCheck::Off => self.protected().max(attributed),
            OccursCheck::Fail | OccursCheck::Throw => usize::MAX,
        };
        self.cover_attributed();
    }

    /// Variables with attributes count as older than the newest choicepoint, so that binding them takes a second look.
    #[inline]
    pub(crate) fn cover_attributed(&mut self) {
        if let Some(last) = self.attributes.variables.last() {
            self.boundary = self.boundary.max(last + 1);
        }
        if self.occurs_check() != OccursCheck::Off {
            self.boundary = usize::MAX;
        }
    }

    /// Binds a variable that may be protected or have attributes.
    #[cold]
    pub(super) fn bind_watched(&mut self, index: usize, value: Cell) -> bool {
        if index < self.protected() {
            return false;
        }
        let (mut index, mut value) = (index, value);
        if self.is_attributed(index) {
            // The other one may be bound instead if it is free, without attributes and not protected.
            let other = value.index();
            if value.tag() == Tag::Ref && other >= self.protected() && !self.is_attributed(other) {
                (index, value) = (other, Cell::reference(index));
            } else {
                self.attributes.woken.push((index, value));
            }
        }
        if self.occurs_check() != OccursCheck::Off && matches!(value.tag(), Tag::Lis | Tag::Str) {
            self.unchecked.push((index, value));
        }
        if index < self.boundary {
            self.trail.push(Undo::Binding(index).entry());
        }
        self.cells[index] = value;
        true
    }

    /// Unification that binds variables from left to right, so that what waits for them is called in this order.
    pub(super) fn unify_in_order(&mut self, left: Cell, right: Cell) -> bool {
        let mut pending = vec![(left, right)];
        let mut steps = Steps::new(self.len());
        while let Some((left, right)) = pending.pop() {
            let (left, right) = (self.deref(left), self.deref(right));
            if left == right {
                continue;
            }
            if left.tag() == Tag::Ref || right.tag() == Tag::Ref {
                if !self.bind_either(left, right) {
                    return false;
                }
                continue;
            }
            if left.tag() == Tag::Box && right.tag() == Tag::Box && self.same_box(left, right) {
                continue;
            }
            let compound = matches!(left.tag(), Tag::Lis | Tag::Str);
            if !compound || left.tag() != right.tag() || self.functor(left) != self.functor(right) {
                return false;
            }
            if steps.step(left, right) {
                let ((first, count), (other, _)) = (self.arguments(left), self.arguments(right));
                pending.extend((0..count).rev().map(|i| (self.cells[first + i], self.cells[other + i])));
            }
        }
        true
    }

    /// How many bound variables wait for their goals.
    #[inline]
    pub(crate) fn woken(&self) -> usize {
        self.attributes.woken.len()
    }

    /// Forgets those from a number on: what they were bound to is undone.
    #[inline]
    pub(crate) fn forget_woken(&mut self, from: usize) {
        self.attributes.woken.truncate(from);
        if from == 0 {
            self.unchecked.clear();
        }
    }

    /// The attributes of variables that were bound, and what to.
    pub(crate) fn take_woken(&mut self) -> Vec<(Cell, Cell)> {
        let woken = std::mem::take(&mut self.attributes.woken);
        woken.into_iter().map(|(index, value)| (self.cells[index + 1], value)).collect()
    }

    /// The bindings that would make two terms equal, the last first; nothing is bound. `None` if they do not unify.
    pub(crate) fn unifier(&mut self, left: Cell, right: Cell) -> Option<Vec<(Cell, Cell)>> {
        let (trail, woken) = (self.trail.len(), self.woken());
        // The trail holds every binding if all cells count as old.
        let boundary = std::mem::replace(&mut self.boundary, usize::MAX);
        let unchecked = self.unchecked();
        let unified = self.unify_in_order(left, right) && self.cyclic_binding(unchecked).is_none();
        let bindings = self.trail[trail..].iter().rev().filter_map(|&entry| match Undo::read(entry) {
            Undo::Binding(index) => Some((Cell::reference(index), self.cells[index])),
            _ => None,
        });
        let bindings = unified.then(|| bindings.collect());
        self.undo_to(trail);
        self.forget_woken(woken);
        self.boundary = boundary;
        bindings
    }

    /// After a collection: variables that are gone go, the others have new indices.
    pub(crate) fn move_attributed(&mut self, moved: impl Fn(usize) -> Option<usize>) {
        let variables = std::mem::take(&mut self.attributes.variables);
        self.attributes.variables = variables.into_iter().filter_map(moved).collect();
        self.watch();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backtracking_restores_attributes_and_forgets_variables() {
        let mut store = Store::new();
        let variable = store.variable();
        store.boundary = store.len();
        assert!(store.put_attributes(variable.index(), Cell::int(1)));
        store.boundary = store.len();
        let (trail, length) = (store.trail.len(), store.len());
        let attributes = |store: &Store| store.attributes_of(store.deref(variable).index());
        let pair = store.deref(variable).index();
        assert!(store.put_attributes(pair, Cell::int(2)));
        let other = store.variable();
        assert!(store.put_attributes(other.index(), Cell::int(3)) && store.unify(other, variable));
        // The younger one was bound to the older one, whose attributes are what they were.
        assert_eq!(
            (attributes(&store), store.take_woken()),
            (Some(Cell::int(2)), vec![(Cell::int(3), Cell::reference(pair))])
        );
        store.undo_to(trail);
        store.cells.truncate(length);
        assert_eq!((attributes(&store), store.is_attributed(length + 1)), (Some(Cell::int(1)), false));
        store.undo_to(0);
        assert!(!store.has_attributes() && store.deref(variable) == variable && store.watched == 0);
    }

    #[test]
    fn of_two_variables_the_one_without_attributes_is_bound() {
        for plain_first in [false, true] {
            let mut store = Store::new();
            let plain = store.variable();
            let variable = store.variable();
            assert!(store.put_attributes(variable.index(), Cell::int(1)));
            let young = store.variable();
            for other in [plain, young] {
                assert!(if plain_first {
                    store.unify(other, variable)
                } else {
                    store.unify(variable, other)
                });
                assert!(store.is_attributed(store.deref(other).index()));
            }
            assert_eq!(store.woken(), 0);
            assert!(store.unify(plain, Cell::int(7)));
            assert_eq!(store.take_woken(), [(Cell::int(1), Cell::int(7))]);
        }
    }
}
