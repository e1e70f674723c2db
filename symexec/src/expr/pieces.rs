//! Parts of vectors and vectors of parts.

use super::{Arena, ExprId, Node};
use crate::base::bits::{BinaryOp, Bits, mask, signed};

impl Arena {
    /// `width` bits from position `low` on; they lie inside.
    pub fn extract(&mut self, value: ExprId, low: u32, width: u32) -> ExprId {
        let (mut value, mut low) = (value, low);
        loop {
            let from = self.width(value);
            if low == 0 && width == from {
                return value;
            }
            match self.node(value) {
                Node::Extract(inner, below) => {
                    value = inner;
                    low += below;
                }
                Node::Concat(high, lower) => {
                    let split = self.width(lower);
                    if low >= split {
                        value = high;
                        low -= split;
                    } else if low + width <= split {
                        value = lower;
                    } else {
                        let upper = self.raw_extract(high, 0, low + width - split);
                        let lower = self.extract(lower, low, split - low);
                        return self.concat(upper, lower);
                    }
                }
                Node::ZeroExtend(inner) if low >= self.width(inner) => return self.constant(width, 0),
                Node::ZeroExtend(inner) | Node::SignExtend(inner) if low + width <= self.width(inner) => {
                    value = inner;
                }
                Node::ZeroExtend(inner) if low == 0 => return self.zero_extend(inner, width),
                Node::SignExtend(inner) if low == 0 => return self.sign_extend(inner, width),
                _ => return self.raw_extract(value, low, width),
            }
        }
    }

    pub(super) fn raw_extract(&mut self, value: ExprId, low: u32, width: u32) -> ExprId {
        if low == 0 && width == self.width(value) {
            return value;
        }
        if let Some(bits) = self.as_bits(value) {
            return self.bits(&bits.extract(low, width));
        }
        // The low bits of a sum depend on the low bits of its parts only. Worth it where the parts
        // shrink at once: arithmetic on `char`, which C does on `int`.
        if let Node::Binary(op, a, b) = self.node(value) {
            let shrinks = |arena: &Self, id| {
                arena.is_constant(id)
                    || matches!(arena.node(id), Node::ZeroExtend(x) | Node::SignExtend(x) if arena.width(x) <= width)
            };
            let low_bits = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) && low == 0;
            let each_bit = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
            if (low_bits || each_bit) && low == 0 && shrinks(self, a) && shrinks(self, b) {
                let (a, b) = (self.extract(a, 0, width), self.extract(b, 0, width));
                return self.binary(op, a, b);
            }
        }
        let info = self.plain(width, &[value]);
        self.add(Node::Extract(value, low), info)
    }

    /// One vector above another.
    pub fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let width = self.width(high) + self.width(low);
        if let Some(value) = self.as_bits(high) {
            if let Some(lower) = self.as_bits(low) {
                return self.bits(&Bits::concat(&value, &lower));
            }
            if value.is_zero() {
                return self.zero_extend(low, width);
            }
        }
        // Neighbouring pieces of one vector.
        if let Node::Extract(whole, from) = self.node(high) {
            let below = match self.node(low) {
                Node::Extract(other, start) if other == whole => Some((start, self.width(low))),
                _ => None,
            };
            if let Some((start, count)) = below
                && start + count == from
            {
                return self.extract(whole, start, width);
            }
        }
        let info = self.plain(width, &[high, low]);
        self.add(Node::Concat(high, low), info)
    }

    /// Zeros added above up to `width`.
    pub fn zero_extend(&mut self, value: ExprId, width: u32) -> ExprId {
        if self.width(value) == width {
            return value;
        }
        if let Some(bits) = self.as_bits(value) {
            return self.bits(&bits.zero_extend(width));
        }
        let value = if let Node::ZeroExtend(inner) = self.node(value) { inner } else { value };
        let info = self.plain(width, &[value]);
        self.add(Node::ZeroExtend(value), info)
    }

    /// Copies of the highest bit added above up to `width`.
    pub fn sign_extend(&mut self, value: ExprId, width: u32) -> ExprId {
        if self.width(value) == width {
            return value;
        }
        if let Some(bits) = self.as_bits(value) {
            return self.bits(&bits.sign_extend(width));
        }
        if let Some(distance) = self.whole_distance(value, width) {
            return distance;
        }
        let value = match self.node(value) {
            Node::ZeroExtend(_) => return self.zero_extend(value, width),
            Node::SignExtend(inner) => inner,
            _ => value,
        };
        let info = self.plain(width, &[value]);
        self.add(Node::SignExtend(value), info)
    }

    /// The distance between two places of which these are the lower bits, if they are enough for it. Tables
    /// of position-independent code keep distances so, and linkers see to it that they are enough.
    fn whole_distance(&mut self, value: ExprId, width: u32) -> Option<ExprId> {
        let Node::Extract(distance, 0) = self.node(value) else { return None };
        let Node::Binary(BinaryOp::Sub, one, other) = self.node(distance) else { return None };
        if width != 64 || !self.class(one).is_pointer() || !self.class(other).is_pointer() {
            return None;
        }
        let bits = self.width(value);
        let known = self.concrete(distance);
        let known = self.as_u64(known)?;
        (signed(known & mask(bits), bits) as u64 == known).then_some(distance)
    }
}
