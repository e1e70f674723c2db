//! Negation and comparisons: there is only equality and `<`, and what is decided in every layout is
//! decided here.

use super::{Arena, Class, ExprId, Node};
use crate::base::bits::{BinaryOp, Bits, CompareOp};

/// No object lies below this, in any layout.
const NULL_PAGE: i128 = 4096;

impl Arena {
    /// All bits inverted; the negation of a truth value.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        if let Some(bits) = self.as_bits(a) {
            return self.bits(&bits.not());
        }
        if let Node::Not(inner) = self.node(a) {
            return inner;
        }
        let info = self.plain(self.width(a), &[a]);
        self.add(Node::Not(a), info)
    }

    /// Conjunction of truth values.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::And, a, b)
    }

    /// Equality.
    pub fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.compare(CompareOp::Eq, a, b)
    }

    /// Unsigned `a < b`.
    pub fn less(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.compare(CompareOp::Ult, a, b)
    }

    /// A comparison of two vectors of one width.
    pub fn compare(&mut self, op: CompareOp, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return self.truth(op == CompareOp::Eq);
        }
        if self.is_constant(a)
            && self.is_constant(b)
            && let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b))
        {
            return self.truth(Bits::compare(op, &x, &y));
        }
        let (a, b) = if op == CompareOp::Eq && self.is_constant(b) { (b, a) } else { (a, b) };
        if self.width(a) == 1 && op != CompareOp::Eq {
            // Of two bits the unsigned one that is set is above, the signed one below.
            let (clear, set) = if op == CompareOp::Ult { (a, b) } else { (b, a) };
            let clear = self.not(clear);
            return self.and(clear, set);
        }
        if let Some(truth) = self.decided_by_division(op, a, b) {
            return self.truth(truth);
        }
        let simplified = match op {
            CompareOp::Eq => self.simplify_equal(a, b),
            CompareOp::Ult => self.simplify_less(a, b),
            CompareOp::Slt => self.simplify_signed_less(a, b),
        };
        simplified.unwrap_or_else(|| {
            let pointer = |arena: &Self, id| arena.class(id) == Class::Pointer || arena.is_marker(id);
            let mut info = self.plain(1, &[a, b]);
            if op == CompareOp::Eq && pointer(self, a) && pointer(self, b) {
                info.class = Class::Integer;
            }
            self.add(Node::Compare(op, a, b), info)
        })
    }

    fn simplify_equal(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if let Some(answer) = self.simplify_pointer_equal(a, b) {
            return Some(answer);
        }
        if let (Node::ZeroExtend(x), Node::ZeroExtend(y)) | (Node::SignExtend(x), Node::SignExtend(y)) =
            (self.node(a), self.node(b))
            && self.width(x) == self.width(y)
        {
            return Some(self.equal(x, y));
        }
        if let Some((x, y)) = self.difference(b)
            && self.as_bits(a).is_some_and(|value| value.is_zero())
        {
            return Some(self.equal(x, y));
        }
        if let Some(fits) = self.product_fits(a, b).or_else(|| self.product_fits(b, a)) {
            return Some(fits);
        }
        let value = self.as_bits(a)?;
        let width = value.width();
        if width == 1 {
            return Some(if value.is_zero() { self.not(b) } else { b });
        }
        match self.node(b) {
            Node::Not(x) => {
                let value = self.bits(&value.not());
                Some(self.equal(value, x))
            }
            Node::ZeroExtend(x) | Node::SignExtend(x) => {
                let narrow = value.extract(0, self.width(x));
                let back = match self.node(b) {
                    Node::ZeroExtend(_) => narrow.zero_extend(width),
                    _ => narrow.sign_extend(width),
                };
                if back != value {
                    return Some(self.truth(false));
                }
                let narrow = self.bits(&narrow);
                Some(self.equal(narrow, x))
            }
            Node::Binary(BinaryOp::Add, c, x) if self.class(b) == Class::Integer => {
                let c = self.as_bits(c)?;
                let rest = self.bits(&Bits::binary(BinaryOp::Sub, &value, &c));
                Some(self.equal(rest, x))
            }
            Node::Binary(BinaryOp::And, mask, x) => self.equal_under_mask(&value, mask, x),
            Node::Choose(condition, yes, no) => {
                let (yes, no) = (self.as_bits(yes)?, self.as_bits(no)?);
                Some(match (yes == value, no == value) {
                    (true, true) => self.truth(true),
                    (false, false) => self.truth(false),
                    (true, false) => condition,
                    (false, true) => self.not(condition),
                })
            }
            _ => None,
        }
    }

    /// Whether the bits under a mask are these. Where all of them are in one byte, the others do not matter: a test of a
    /// flag in a word is a question about one byte.
    fn equal_under_mask(&mut self, value: &Bits, mask: ExprId, x: ExprId) -> Option<ExprId> {
        let (value, mask, width) = (value.to_u64()?, self.as_u64(mask)?, self.width(x));
        if value & !mask != 0 {
            return Some(self.truth(false));
        }
        // No test meets a mask of zero, since `binary` leaves none in an expression; it would be shifted too far here.
        let low = mask.trailing_zeros() / 8 * 8;
        let is_part = mask != 0 && width > 8 && low + 8 <= width && mask >> low <= 0xff;
        if !is_part || self.class(x) != Class::Integer {
            return None;
        }
        let (byte, kept) = (self.extract(x, low, 8), self.constant(8, mask >> low));
        let (tested, wanted) = (self.binary(BinaryOp::And, kept, byte), self.constant(8, value >> low));
        Some(self.equal(wanted, tested))
    }

    /// Equalities of pointers that hold, or do not, in every layout.
    fn simplify_pointer_equal(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (base, added) = self.split_markable(a)?;
        let (other, added_to_other) = self.split_markable(b)?;
        if base == other {
            let zero = self.constant(64, 0);
            return Some(self.equal(added.unwrap_or(zero), added_to_other.unwrap_or(zero)));
        }
        // A pointer with something added is null if it is nothing added to null: no object reaches so far.
        let zero = self.constant(64, 0);
        for (null, pointer, added) in [(a, other, added_to_other), (b, base, added)] {
            let Some(added) = added else { continue };
            let (least, most) = self.range(added);
            let near = self.is_null(null) && least >= 0 && most < super::order::HALF;
            if near && self.candidates(pointer).1.iter().all(|marker| *marker == 0) {
                let (of_null, nothing) = (self.equal(zero, pointer), self.equal(zero, added));
                return Some(self.and(of_null, nothing));
            }
        }
        // Places in different objects (or just behind them, in the red zone) and markers are distinct.
        let inside = |arena: &Self, base: ExprId, added: Option<ExprId>| match arena.node(base) {
            Node::Address(id) => {
                let added = added.map_or(Some(0), |added| arena.as_u64(added));
                added.is_some_and(|added| added <= arena.address(id).size)
            }
            Node::Constant(_) => added.is_none(),
            _ => false,
        };
        if inside(self, base, added) && inside(self, other, added_to_other) {
            return Some(self.truth(false));
        }
        // Places that lie inside whatever object they are in are equal if object and offset are.
        if (added.is_some() || added_to_other.is_some())
            && self.lies_inside(base, added)
            && self.lies_inside(other, added_to_other)
        {
            let same = self.equal(base, other);
            let as_far = self.equal(added.unwrap_or(zero), added_to_other.unwrap_or(zero));
            return Some(self.and(same, as_far));
        }
        // A choice between such places against one of them.
        for (choice, place) in [(a, b), (b, a)] {
            let Node::Choose(condition, yes, no) = self.node(choice) else { continue };
            let simple = |arena: &Self, id| matches!(arena.node(id), Node::Address(_) | Node::Constant(_));
            if simple(self, place) && simple(self, yes) && simple(self, no) {
                return Some(match (yes == place, no == place) {
                    (true, true) => self.truth(true),
                    (false, false) => self.truth(false),
                    (true, false) => condition,
                    (false, true) => self.not(condition),
                });
            }
        }
        None
    }

    /// Whether a pointer with something added is, whichever object it points to, a place in it or just behind it; or
    /// null with so little added that no object lies there.
    fn lies_inside(&self, base: ExprId, added: Option<ExprId>) -> bool {
        let (least, most) = added.map_or((0, 0), |added| self.range(added));
        let (addresses, markers) = self.candidates(base);
        least >= 0
            && addresses.iter().all(|address| most <= self.address(*address).size.into())
            && markers.iter().all(|marker| *marker == 0 && most < NULL_PAGE)
    }

    fn simplify_less(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        if let (Node::ZeroExtend(x), Node::ZeroExtend(y)) = (self.node(a), self.node(b))
            && self.width(x) == self.width(y)
        {
            return Some(self.less(x, y));
        }
        if let Some(value) = self.as_bits(b) {
            if value.is_zero() {
                return Some(self.truth(false));
            }
            if value.to_u64() == Some(1) {
                let zero = self.constant(width, 0);
                return Some(self.equal(zero, a));
            }
            if let Node::ZeroExtend(x) = self.node(a) {
                let narrow = value.extract(0, self.width(x));
                if narrow.zero_extend(width) != value {
                    return Some(self.truth(true));
                }
                let narrow = self.bits(&narrow);
                return Some(self.less(x, narrow));
            }
        }
        if let Some(value) = self.as_bits(a) {
            if value.is_ones() {
                return Some(self.truth(false));
            }
            if let Node::ZeroExtend(x) = self.node(b) {
                let narrow = value.extract(0, self.width(x));
                if narrow.zero_extend(width) != value {
                    return Some(self.truth(false));
                }
                let narrow = self.bits(&narrow);
                return Some(self.less(narrow, x));
            }
        }
        None
    }

    fn simplify_signed_less(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        if let Some(order) = self.order_by_difference(a, b) {
            return Some(order);
        }
        // A zero-extended vector is not negative; neither is a constant without its highest bit.
        let positive = |arena: &Self, id| match arena.node(id) {
            Node::ZeroExtend(_) => true,
            _ => arena.as_bits(id).is_some_and(|bits| !bits.bit(width - 1)),
        };
        match (positive(self, a), positive(self, b)) {
            (true, true) => return Some(self.less(a, b)),
            (true, false) if self.is_constant(b) => return Some(self.truth(false)),
            (false, true) if self.is_constant(a) => return Some(self.truth(true)),
            _ => {}
        }
        if let (Node::SignExtend(x), Node::SignExtend(y)) = (self.node(a), self.node(b))
            && self.width(x) == self.width(y)
        {
            return Some(self.compare(CompareOp::Slt, x, y));
        }
        for (extended, constant) in [(a, b), (b, a)] {
            let (Node::SignExtend(x), Some(value)) = (self.node(extended), self.as_bits(constant)) else {
                continue;
            };
            let narrow = value.extract(0, self.width(x));
            if narrow.sign_extend(width) == value {
                let narrow = self.bits(&narrow);
                let (x, y) = if extended == a { (x, narrow) } else { (narrow, x) };
                return Some(self.compare(CompareOp::Slt, x, y));
            }
            // The constant lies beyond all values of the other side.
            let below = value.bit(width - 1);
            return Some(self.truth((extended == a) != below));
        }
        None
    }

    /// The operands of a difference of two numbers.
    fn difference(&self, id: ExprId) -> Option<(ExprId, ExprId)> {
        let Node::Binary(BinaryOp::Sub, x, y) = self.node(id) else { return None };
        let numbers = [x, y].into_iter().all(|operand| self.class(operand) == Class::Integer);
        numbers.then_some((x, y))
    }

    /// The sign of a difference of narrow numbers that were made wide says which is below: that is what functions tell that
    /// compare for `qsort`, as `strcmp` does.
    fn order_by_difference(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (constant, difference) = if self.is_constant(a) { (a, b) } else { (b, a) };
        let ((x, y), value) = (self.difference(difference)?, self.as_bits(constant)?);
        // Without overflow: both are within half of the numbers of the whole width, or both are not negative.
        let width = self.width(a);
        let narrow = |id, bits: u32| match self.node(id) {
            Node::ZeroExtend(inner) => self.width(inner) + bits <= width,
            Node::SignExtend(inner) => self.width(inner) < width,
            _ => false,
        };
        let both = |bits| narrow(x, bits) && narrow(y, bits);
        let zeros = [x, y].into_iter().all(|id| matches!(self.node(id), Node::ZeroExtend(_)));
        if !both(if zeros { 1 } else { 2 }) {
            return None;
        }
        // x - y < 0, x - y < 1, 0 < x - y, -1 < x - y
        let (first, second, inverted) = match (difference == a, value.to_u64()) {
            (true, Some(0)) => (x, y, false),
            (true, Some(1)) => (y, x, true),
            (false, Some(0)) => (y, x, false),
            (false, _) if value.is_ones() => (x, y, true),
            _ => return None,
        };
        let order = self.compare(CompareOp::Slt, first, second);
        Some(if inverted { self.not(order) } else { order })
    }
}
