//! Which of two pointers is the lower one.
//!
//! Of two places in one object no layout decides this: it is the order of their offsets. Of places in different
//! objects the layout does (C leaves it undefined; what manages memory asks it all the same: does this pointer
//! lie in my pool). Where objects lie never changes, so a program's comparison is answered for each object that
//! a pointer may be, as it is for known pointers: what is left is the pointer's own tree of choices and reads,
//! with truths at its leaves, a condition on the indexes alone. It mentions no address, so the rest of a
//! question can be renamed; and where all truths are the same it is one.
//!
//! A read behind the end of a table is zero, and so is null: leaves are kept relative to what holds of null.

use rustc_hash::FxHashMap;

use super::{Arena, ExprId, Node};
use crate::base::bits::BinaryOp;

/// So many pairs of objects are looked at; where there are more, the comparison stays one.
const MOST: usize = 256;

/// Offsets below this keep every address from wrapping around: all objects lie below it as well.
pub(super) const HALF: i128 = 1 << 62;

/// A pointer: its base, and what is added to it.
type Place = (ExprId, ExprId);

impl Arena {
    /// Unsigned `a < b` of two pointers where objects lie now, as a condition without addresses, if what is known
    /// of their offsets decides it for all objects that they may be.
    pub fn pointer_less(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let zero = self.constant(64, 0);
        let place = |id| {
            let (base, added) = self.split_markable(id)?;
            Some((base, added.unwrap_or(zero)))
        };
        let (a, b) = (place(a)?, place(b)?);
        let count = |arena: &Self, base| {
            let (addresses, markers) = arena.candidates(base);
            addresses.len() + markers.len()
        };
        let pairs = count(self, a.0).checked_mul(count(self, b.0))?;
        if pairs > MOST {
            return None;
        }
        if a.0 == b.0 {
            return self.same_object(a, b);
        }
        self.tree_less(a, b)
    }

    /// Places at two offsets from one base.
    fn same_object(&mut self, a: Place, b: Place) -> Option<ExprId> {
        let low = |arena: &Self, offset| {
            let (least, most) = arena.range(offset);
            least >= 0 && most < HALF
        };
        let (_, markers) = self.candidates(a.0);
        let near = markers.iter().all(|marker| *marker == 0);
        (near && low(self, a.1) && low(self, b.1)).then(|| self.less(a.1, b.1))
    }

    /// `a < b`, by each object that `a` may be.
    fn tree_less(&mut self, a: Place, b: Place) -> Option<ExprId> {
        if self.is_leaf(a.0) {
            return if self.is_leaf(b.0) {
                self.leaf_less(a, b)
            } else {
                self.by_leaves(b.0, |arena, leaf| arena.leaf_less(a, (leaf, b.1)))
            };
        }
        self.by_leaves(a.0, |arena, leaf| arena.tree_less((leaf, a.1), b))
    }

    fn is_leaf(&self, base: ExprId) -> bool {
        matches!(self.node(base), Node::Address(_) | Node::Constant(_))
    }

    /// The tree of a base with a truth for each thing that it may be in that thing's place.
    fn by_leaves(
        &mut self,
        base: ExprId,
        mut truth: impl FnMut(&mut Self, ExprId) -> Option<ExprId>,
    ) -> Option<ExprId> {
        let zero = self.constant(64, 0);
        let of_null = truth(self, zero)?;
        let (addresses, markers) = self.candidates(base);
        let (mut values, mut marked) = (FxHashMap::default(), FxHashMap::default());
        for address in addresses {
            let leaf = self.address_node(address);
            let value = truth(self, leaf)?;
            values.insert(address, self.binary(BinaryOp::Xor, value, of_null));
        }
        for marker in markers {
            let leaf = self.constant(64, marker);
            let value = truth(self, leaf)?;
            marked.insert(marker, self.binary(BinaryOp::Xor, value, of_null));
        }
        // Where all are the same, the tree is not needed.
        let mut all = values.values().chain(marked.values());
        if all.all(|value| self.is_false(*value)) {
            return Some(of_null);
        }
        let relative = self.select_all(base, 1, &values, &marked);
        Some(self.binary(BinaryOp::Xor, relative, of_null))
    }

    fn leaf_less(&mut self, a: Place, b: Place) -> Option<ExprId> {
        if a.0 == b.0 {
            return self.same_object(a, b);
        }
        let (a, b) = (self.numbers(a)?, self.numbers(b)?);
        if a.1 < b.0 {
            return Some(self.truth(true));
        }
        (a.0 >= b.1).then(|| self.truth(false))
    }

    /// Bounds of the numbers that a place may be.
    fn numbers(&self, (base, added): Place) -> Option<(i128, i128)> {
        let base = match self.node(base) {
            Node::Address(address) => i128::from(self.address(address).base),
            _ => i128::from(self.as_u64(base)?),
        };
        let (least, most) = self.range(added);
        let (least, most) = (base + least, base + most);
        (least >= 0 && most <= i128::from(u64::MAX)).then_some((least, most))
    }
}
