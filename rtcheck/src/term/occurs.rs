//! The flag `occurs_check`: unification that makes no cyclic terms.
//!
//! While the flag is on, every binding of a variable counts as one of an old, watched variable and is noted if its value
//! is compound. The loop that looks before each instruction (the one for variables with attributes) asks in front of
//! every instruction that can tell the difference whether these values are finite. In between, inside one head or one
//! unification, cyclic terms are there, which do no harm. Cost: nothing while the flag is off; each binding costs the
//! size of its value otherwise.

use super::store::OccursCheck;
use super::{Cell, Store};

impl Store {
    /// Sets what a unification does that would make a term a part of itself.
    pub(crate) fn set_occurs_check(&mut self, what: OccursCheck) {
        self.occurs_check = what;
        self.unchecked.clear();
        self.watch();
        // The loop looks up where there are more cells than none.
        self.variable();
        self.tell_loop();
    }

    /// What a unification does that would make a term a part of itself.
    #[inline]
    pub(crate) fn occurs_check(&self) -> OccursCheck {
        self.occurs_check
    }

    /// How many bindings were not looked at.
    #[inline]
    pub(crate) fn unchecked(&self) -> usize {
        self.unchecked.len()
    }

    /// Looks at the bindings from a number on, and forgets them. Gives a variable, free again, and the value that it is a
    /// part of.
    #[cold]
    pub(crate) fn cyclic_binding(&mut self, from: usize) -> Option<(Cell, Cell)> {
        let bound = self.unchecked.split_off(from.min(self.unchecked.len()));
        let cyclic = bound.iter().copied().find(|&(_, value)| !self.is_acyclic(value));
        let (index, value) = cyclic?;
        // The trail has an entry for each of them.
        for &(index, _) in &bound {
            self.cells[index] = Cell::reference(index);
        }
        Some((Cell::reference(index), value))
    }
}
