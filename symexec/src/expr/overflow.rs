//! Whether a product with a constant fits into fewer bits than it was computed in: a question about its
//! other factor alone.
//!
//! That is what `__builtin_mul_overflow` asks and what parsers of numbers ask for every digit. A solver would
//! multiply in twice the width; here it is a comparison.

use super::{Arena, Class, ExprId, Node};
use crate::base::bits::{BinaryOp, Bits, CompareOp};

/// More bits than any number here has.
const WIDE: u32 = 192;

impl Arena {
    /// Equality of a product with its own lower bits, extended again; `None` if it is something else.
    pub(super) fn product_fits(&mut self, product: ExprId, back: ExprId) -> Option<ExprId> {
        let (Node::ZeroExtend(low) | Node::SignExtend(low)) = self.node(back) else { return None };
        let Node::Binary(BinaryOp::Mul, constant, factor) = self.node(product) else { return None };
        let (Node::ZeroExtend(x) | Node::SignExtend(x)) = self.node(factor) else { return None };
        let (whole, fitting, known) = (self.width(product), self.width(low), self.width(x));
        if whole > 128 || known > 64 || self.class(x) != Class::Integer {
            return None;
        }
        let constant = self.as_bits(constant)?;
        if constant.is_zero() || self.extract(product, 0, fitting) != low {
            return None;
        }
        let signed_factor = matches!(self.node(factor), Node::SignExtend(_));
        let (constant, least, most) = match self.node(back) {
            Node::ZeroExtend(_) if signed_factor || fitting >= 127 => return None,
            Node::ZeroExtend(_) => (number(&constant.zero_extend(WIDE))?, 0, (1_i128 << fitting) - 1),
            _ if fitting > 127 => return None,
            _ => {
                let most = (1_i128 << (fitting - 1)) - 1;
                (number(&constant.sign_extend(WIDE))?, -most - 1, most)
            }
        };
        // The product is exact: within the whole width, and within the numbers that are computed with here.
        let room = whole.saturating_sub(known + 1);
        if room == 0 || constant.unsigned_abs() > 1 << (room - 1) {
            return None;
        }
        // Quotients are rounded to zero, which is inwards: the product of zero fits.
        let (one, other) = (least / constant, most / constant);
        let (lower, upper) = (one.min(other), one.max(other));
        let within = |arena: &mut Self, op: CompareOp, bound: i128, above: bool| {
            let bound = arena.bits(&Bits::new(known, bound as u64));
            let outside = if above { arena.compare(op, bound, x) } else { arena.compare(op, x, bound) };
            arena.not(outside)
        };
        let (op, first, last) = match signed_factor {
            true => (CompareOp::Slt, -(1_i128 << (known - 1)), (1_i128 << (known - 1)) - 1),
            false => (CompareOp::Ult, 0, (1_i128 << known) - 1),
        };
        let mut fits = self.truth(true);
        if upper < last {
            fits = within(self, op, upper, true);
        }
        if lower > first {
            let enough = within(self, op, lower, false);
            fits = self.and(fits, enough);
        }
        Some(fits)
    }
}

/// The value of a signed number, if it is small enough to be computed with.
fn number(bits: &Bits) -> Option<i128> {
    let narrow = bits.extract(0, 64);
    let value = narrow.to_u64()?;
    let extended = |whole: Bits| whole == *bits;
    if extended(narrow.zero_extend(bits.width())) {
        return Some(i128::from(value));
    }
    extended(narrow.sign_extend(bits.width())).then_some(i128::from(value as i64))
}
