//! Offsets as `constant + stride * index`, and ranges of expressions.
//!
//! What an access at an unknown offset can reach is a matter of arithmetic that C programs show openly:
//! `a[i].f` is at `sizeof(a[0]) * i + offsetof(f)`. Where that can be read off an offset, an access
//! becomes one read of an array of just the values that it can reach.

use num_integer::Integer;

use super::{Arena, ExprId, Node};
use crate::base::bits::BinaryOp;

/// An offset that equals `constant + stride * index`, without wrapping around, whenever it lies within
/// an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// Less than the stride.
    pub constant: u64,
    /// At least one.
    pub stride: u64,
    /// The index, 64 bits wide; a number from 0 on whenever the offset lies within an object.
    pub index: ExprId,
}

/// A sum that is looked through for common factors has at most so many levels.
const DEEPEST: u32 = 8;

/// A sum whose bounds are asked for has at most so many terms and sums: the length of an unknown text is one
/// with a term for each character.
const LONGEST: usize = 2048;

/// A table of numbers that is looked through has at most so many.
const LARGEST: usize = 256;

impl Arena {
    /// Bounds, both included, of the signed reading of an expression of at most 64 bits.
    #[must_use]
    pub fn range(&self, id: ExprId) -> (i128, i128) {
        self.range_within(id, DEEPEST)
    }

    fn range_within(&self, id: ExprId, levels: u32) -> (i128, i128) {
        let width = self.width(id).min(64);
        let all = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
        if let Some(value) = self.as_i64(id) {
            return (value.into(), value.into());
        }
        if levels == 0 || self.width(id) > 64 {
            return all;
        }
        let fits = |range: (i128, i128)| if range.0 >= all.0 && range.1 <= all.1 { range } else { all };
        match self.node(id) {
            Node::ZeroExtend(inner) => {
                let width = self.width(inner);
                let most = (1i128 << width.min(64)) - 1;
                // The lower bits of a number that has no others are the number.
                let whole = match self.node(inner) {
                    Node::Extract(whole, 0) => self.range_within(whole, levels - 1),
                    _ => (0, most),
                };
                match self.range_within(inner, levels - 1) {
                    _ if whole.0 >= 0 && whole.1 < most => whole,
                    (low, high) if low >= 0 => (low, high),
                    _ => (0, most),
                }
            }
            Node::Extract(whole, 0) => fits(self.range_within(whole, levels - 1)),
            Node::SignExtend(inner) => self.range_within(inner, levels - 1),
            Node::Binary(BinaryOp::Add, ..) => self.range_of_sum(id, levels - 1, all).unwrap_or(all),
            Node::Binary(BinaryOp::Mul, a, b) => match self.as_i64(a) {
                Some(factor) if factor > 0 => {
                    let (low, high) = self.range_within(b, levels - 1);
                    let factor = i128::from(factor);
                    match (low.checked_mul(factor), high.checked_mul(factor)) {
                        (Some(low), Some(high)) => fits((low, high)),
                        _ => all,
                    }
                }
                _ => all,
            },
            Node::Binary(BinaryOp::Shl, a, b) => match self.as_u64(b) {
                Some(shift) if shift < 63 => {
                    let (low, high) = self.range_within(a, levels - 1);
                    fits((low << shift, high << shift))
                }
                _ => all,
            },
            Node::Binary(BinaryOp::And, a, b) => match self.as_i64(a) {
                Some(mask) if mask >= 0 => match self.range_within(b, levels - 1) {
                    (low, high) if low >= 0 => (0, high.min(mask.into())),
                    _ => (0, mask.into()),
                },
                _ => all,
            },
            Node::Binary(BinaryOp::URem, a, b) => match self.as_i64(b) {
                Some(divisor) if divisor > 0 => match self.range_within(a, levels - 1) {
                    (low, high) if low >= 0 => (0, high.min(i128::from(divisor) - 1)),
                    _ => (0, i128::from(divisor) - 1),
                },
                _ => all,
            },
            Node::Binary(BinaryOp::SRem, a, b) => match self.as_i64(b) {
                Some(divisor) if divisor > 0 => {
                    let (low, high) = self.range_within(a, levels - 1);
                    let most = i128::from(divisor) - 1;
                    (low.clamp(-most, 0), high.clamp(0, most))
                }
                _ => all,
            },
            Node::Binary(op @ (BinaryOp::UDiv | BinaryOp::SDiv), a, b) => match self.as_i64(b) {
                Some(divisor) if divisor > 1 => {
                    let divisor = i128::from(divisor);
                    let (low, high) = match self.range_within(a, levels - 1) {
                        (low, _) if low < 0 && op == BinaryOp::UDiv => (0, (1i128 << width) - 1),
                        range => range,
                    };
                    (low / divisor, high / divisor)
                }
                _ => all,
            },
            Node::Binary(BinaryOp::LShr, a, b) => match self.as_u64(b) {
                Some(shift) if shift > 0 && shift < u64::from(width) => {
                    match self.range_within(a, levels - 1) {
                        (low, high) if low >= 0 => (low >> shift, high >> shift),
                        _ => (0, ((1i128 << width) - 1) >> shift),
                    }
                }
                _ => all,
            },
            Node::Read(array, _) => self.range_of_elements(array, levels - 1).unwrap_or(all),
            Node::Choose(_, yes, no) => {
                let (yes, no) = (self.range_within(yes, levels - 1), self.range_within(no, levels - 1));
                (yes.0.min(no.0), yes.1.max(no.1))
            }
            _ => all,
        }
    }

    /// Bounds of the elements of an array, and of zero, which is what is behind its end; `None` if there are too many.
    fn range_of_elements(&self, array: ExprId, levels: u32) -> Option<(i128, i128)> {
        let (mut array, mut range) = (array, (0, 0));
        let mut join = |(low, high): (i128, i128)| range = (range.0.min(low), range.1.max(high));
        for _ in 0..LARGEST {
            match self.node(array) {
                Node::Store(below, _, value) => {
                    // What was stored is a number as a rule; the levels below keep the walk short.
                    join(self.range_within(value, levels.min(2)));
                    array = below;
                }
                Node::Literal(literal) if self.literal(literal).len() <= LARGEST => {
                    for element in self.literal(literal) {
                        let value = self.as_i64(*element)?.into();
                        join((value, value));
                    }
                    return Some(range);
                }
                _ => return None,
            }
        }
        None
    }

    /// Bounds of a sum; `None` if one of its sums may wrap around, or if it is too long.
    fn range_of_sum(&self, sum: ExprId, levels: u32, all: (i128, i128)) -> Option<(i128, i128)> {
        let mut pending = vec![sum];
        let (mut range, mut least, mut most) = ((0, 0), 0, 0);
        for _ in 0..LONGEST {
            let Some(id) = pending.pop() else {
                // Each sum of some of the terms lies between these.
                return (least >= all.0 && most <= all.1).then_some(range);
            };
            if let Node::Binary(BinaryOp::Add, a, b) = self.node(id) {
                pending.extend([a, b]);
                continue;
            }
            let (low, high) = self.range_within(id, levels);
            range = (range.0 + low, range.1 + high);
            least += low.min(0);
            most += high.max(0);
        }
        None
    }

    /// An offset of 64 bits as a stride and an index.
    pub fn scaled(&mut self, offset: ExprId) -> Scaled {
        let (constant, rest) = self.split_sum(offset);
        let Some(rest) = rest else {
            return Scaled { constant: 0, stride: 1, index: offset };
        };
        let stride = self.factor(rest, DEEPEST);
        let exact = {
            let (low, high) = self.range(rest);
            let constant = i128::from(constant as i64);
            low + constant > i128::from(i64::MIN) && high + constant < i128::from(i64::MAX)
        };
        // Without known bounds the sum may wrap around; division is exact then by powers of two only.
        let stride =
            if exact && self.shows_no_wrap(rest, DEEPEST) { stride } else { 1 << stride.trailing_zeros() };
        if stride <= 1 {
            return Scaled { constant: 0, stride: 1, index: offset };
        }
        let quotient = (constant as i64).div_euclid(stride as i64);
        let remainder = (constant as i64).rem_euclid(stride as i64);
        let index = if exact && self.shows_no_wrap(rest, DEEPEST) {
            let index = self.divided(rest, stride, DEEPEST);
            let quotient = self.constant(64, quotient as u64);
            self.binary(BinaryOp::Add, quotient, index)
        } else {
            let remainder = self.constant(64, remainder as u64);
            let multiple = self.binary(BinaryOp::Sub, offset, remainder);
            let shift = self.constant(64, u64::from(stride.trailing_zeros()));
            self.binary(BinaryOp::LShr, multiple, shift)
        };
        Scaled { constant: remainder as u64, stride, index }
    }

    /// The numbers that an offset may be, if it is a constant plus a tree of choices and of reads of tables with few
    /// numbers at its leaves: the constant, the tree, and its leaves. What is behind the end of a table is no leaf, so
    /// reads are to be of places that are there, as all that loads have made are.
    #[must_use]
    pub fn tabulated(&self, offset: ExprId) -> Option<(u64, ExprId, Vec<u64>)> {
        let (constant, rest) = self.split_sum(offset);
        let tree = rest.filter(|tree| matches!(self.node(*tree), Node::Read(..)))?;
        let numbers = self.leaf_numbers(tree, LARGEST)?;
        Some((constant, tree, numbers))
    }

    /// A number that divides the expression as it is written.
    fn factor(&self, id: ExprId, levels: u32) -> u64 {
        if levels == 0 {
            return 1;
        }
        match self.node(id) {
            Node::Constant(value) => (value as i64).unsigned_abs(),
            Node::Binary(BinaryOp::Add, a, b) => {
                self.factor(a, levels - 1).gcd(&self.factor(b, levels - 1)).max(1)
            }
            Node::Binary(BinaryOp::Mul, a, b) => match self.as_i64(a) {
                Some(factor) if factor > 0 => {
                    (factor as u64).checked_mul(self.factor(b, levels - 1).max(1)).unwrap_or(factor as u64)
                }
                _ => 1,
            },
            Node::Binary(BinaryOp::Shl, _, b) => match self.as_u64(b) {
                Some(shift) if shift < 62 => 1 << shift,
                _ => 1,
            },
            _ => 1,
        }
    }

    /// Whether every product and sum that [`Self::factor`] looked through stays within 64 signed bits.
    fn shows_no_wrap(&self, id: ExprId, levels: u32) -> bool {
        let unbounded = (i128::from(i64::MIN), i128::from(i64::MAX));
        match self.node(id) {
            _ if levels == 0 => true,
            Node::Binary(BinaryOp::Add, a, b) => {
                self.range(id) != unbounded
                    && self.shows_no_wrap(a, levels - 1)
                    && self.shows_no_wrap(b, levels - 1)
            }
            Node::Binary(BinaryOp::Mul, _, b) => {
                self.range(id) != unbounded && self.shows_no_wrap(b, levels - 1)
            }
            Node::Binary(BinaryOp::Shl, _, _) => self.range(id) != unbounded,
            _ => true,
        }
    }

    /// The expression divided by a divisor of [`Self::factor`].
    fn divided(&mut self, id: ExprId, divisor: u64, levels: u32) -> ExprId {
        if divisor == 1 || levels == 0 {
            return id;
        }
        match self.node(id) {
            Node::Constant(value) => self.constant(64, ((value as i64) / divisor as i64) as u64),
            Node::Binary(BinaryOp::Add, a, b) => {
                let (a, b) = (self.divided(a, divisor, levels - 1), self.divided(b, divisor, levels - 1));
                self.binary(BinaryOp::Add, a, b)
            }
            Node::Binary(BinaryOp::Mul, a, b) => {
                let factor = self.as_u64(a).unwrap_or(1);
                let common = factor.gcd(&divisor);
                let b = self.divided(b, divisor / common, levels - 1);
                let rest = self.constant(64, factor / common);
                self.binary(BinaryOp::Mul, rest, b)
            }
            Node::Binary(BinaryOp::Shl, a, b) => {
                let shift = self.as_u64(b).unwrap_or(0);
                let rest = self.constant(64, shift - u64::from(divisor.trailing_zeros()));
                self.binary(BinaryOp::Shl, a, rest)
            }
            _ => id,
        }
    }
}
