//! What is known of quotients and remainders without dividing.
//!
//! Dividers are what solvers find hardest, by the square of their width. Programs divide by constants to take numbers
//! apart (digits, hours and minutes, rows and columns) and put them together again, so a quotient and the remainder
//! beside it become the number that they are of, and results are as narrow as their divisor lets them be. The rules are
//! tried for all values of small widths (`tests/it/divisions.rs`), and know widths only by what fits into them.

use super::{Arena, ExprId, Node};
use crate::base::bits::{BinaryOp, CompareOp};

/// How a narrower vector was made as wide as its neighbours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extended {
    /// Not at all.
    Not,
    Zero,
    Sign,
}

/// What is divided by what, and how.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Division {
    /// The quotient's operation, whichever result it is.
    op: BinaryOp,
    dividend: ExprId,
    divisor: ExprId,
    /// How the result is extended. Then the divisor is a constant and the division exact in the narrower width.
    extended: Extended,
}

/// The operation of the quotient, and whether it is the remainder's.
fn quotient_of(op: BinaryOp) -> Option<(BinaryOp, bool)> {
    match op {
        BinaryOp::UDiv => Some((BinaryOp::UDiv, false)),
        BinaryOp::URem => Some((BinaryOp::UDiv, true)),
        BinaryOp::SDiv => Some((BinaryOp::SDiv, false)),
        BinaryOp::SRem => Some((BinaryOp::SDiv, true)),
        _ => None,
    }
}

/// The operation of the remainder beside a quotient.
fn remainder_beside(quotient: BinaryOp) -> BinaryOp {
    if quotient == BinaryOp::UDiv { BinaryOp::URem } else { BinaryOp::SRem }
}

impl Arena {
    /// In how many bits a result of a division by a constant fits, and whether its sign is one of them; `None` if it
    /// needs all bits, or is something else.
    fn bits_of_result(&self, id: ExprId) -> Option<(u32, bool)> {
        let Node::Binary(op, _, divisor) = self.node(id) else { return None };
        let width = self.width(id);
        let divisor = self.as_u64(divisor).filter(|divisor| *divisor > 1 && width <= 64)?;
        let below = 64 - (divisor - 1).leading_zeros();
        let (bits, is_signed) = match op {
            BinaryOp::URem => (below, false),
            // A divisor that is below zero is left.
            BinaryOp::SRem if divisor >> (width - 1) == 0 => (below + 1, true),
            BinaryOp::UDiv => (width + divisor.leading_zeros() - 63, false),
            _ => return None,
        };
        (bits < width).then_some((bits, is_signed))
    }

    /// A result of a division by a constant, in no more bits than it can have and extended again.
    pub(super) fn narrow_result(&mut self, result: ExprId) -> ExprId {
        let Some((bits, is_signed)) = self.bits_of_result(result) else { return result };
        let width = self.width(result);
        let narrow = self.raw_extract(result, 0, bits);
        if is_signed { self.sign_extend(narrow, width) } else { self.zero_extend(narrow, width) }
    }

    /// The division that an expression is a result of, and whether it is the remainder.
    fn as_result(&self, id: ExprId) -> Option<(Division, bool)> {
        let (inner, kind) = match self.node(id) {
            Node::ZeroExtend(inner) => (inner, Extended::Zero),
            Node::SignExtend(inner) => (inner, Extended::Sign),
            _ => (id, Extended::Not),
        };
        let (result, extended) = match self.node(inner) {
            // What was made narrow is the whole result, which may be extended further than it was wide. As long as it
            // is narrower, what it is a result of does not fit beside it.
            Node::Extract(whole, 0)
                if self.width(whole) <= self.width(id)
                    && self.bits_of_result(whole) == Some((self.width(inner), kind == Extended::Sign)) =>
            {
                (whole, if self.width(whole) == self.width(id) { Extended::Not } else { kind })
            }
            _ => (inner, kind),
        };
        let Node::Binary(op, dividend, divisor) = self.node(result) else { return None };
        let (op, is_remainder) = quotient_of(op)?;
        let is_exact = match extended {
            Extended::Not => true,
            // Neither a division by zero nor the quotient that does not fit.
            Extended::Zero => op == BinaryOp::UDiv && self.as_u64(divisor).is_some_and(|divisor| divisor > 0),
            Extended::Sign => op == BinaryOp::SDiv && self.as_i64(divisor).is_some_and(|divisor| divisor > 0),
        };
        is_exact.then_some((Division { op, dividend, divisor, extended }, is_remainder))
    }

    fn as_remainder(&self, id: ExprId) -> Option<Division> {
        self.as_result(id).filter(|(_, is_remainder)| *is_remainder).map(|(division, _)| division)
    }

    /// The division whose quotient, times its divisor, an expression is.
    fn as_multiple(&self, id: ExprId) -> Option<Division> {
        let Node::Binary(BinaryOp::Mul, a, b) = self.node(id) else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(factor, quotient)| {
            let (division, is_remainder) = self.as_result(quotient)?;
            let is_divisor = match division.extended {
                Extended::Not => factor == division.divisor,
                _ => self.as_u64(factor).is_some() && self.as_u64(factor) == self.as_u64(division.divisor),
            };
            (is_divisor && !is_remainder).then_some(division)
        })
    }

    /// An expression of the narrower width of a division in the width of its result.
    fn widened(&mut self, division: &Division, id: ExprId, width: u32) -> ExprId {
        match division.extended {
            Extended::Not => id,
            Extended::Zero => self.zero_extend(id, width),
            Extended::Sign => self.sign_extend(id, width),
        }
    }

    /// `x / d * d + x % d` is `x`, whatever `d` is.
    pub(super) fn put_together(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        for (multiple, rest) in [(a, b), (b, a)] {
            let Some(division) = self.as_remainder(rest) else { continue };
            if let Some(whole) = self.whole_of(multiple, &division) {
                return Some(whole);
            }
            // With something else before it, as in `h * 3600 + m * 60 + s`.
            let Node::Binary(BinaryOp::Add, first, second) = self.node(multiple) else { continue };
            for (other, multiple) in [(first, second), (second, first)] {
                if let Some(whole) = self.whole_of(multiple, &division) {
                    return Some(self.binary(BinaryOp::Add, other, whole));
                }
            }
        }
        None
    }

    /// What a multiple of a divisor and the rest of a division are together.
    fn whole_of(&mut self, multiple: ExprId, rest: &Division) -> Option<ExprId> {
        let width = self.width(multiple);
        let division = self.as_multiple(multiple)?;
        let whole = self.widened(&division, division.dividend, width);
        if division == *rest {
            return Some(whole);
        }
        // `x % c / d * d + x % d` is `x % c` where `d` divides `c`, since `x % c % d` is `x % d` then.
        let outer = self.as_remainder(whole)?;
        let [c, d, same] = [outer.divisor, division.divisor, rest.divisor]
            .map(|id| self.as_i64(id).filter(|value| *value > 0));
        let (c, d) = (c?, d?);
        let is_same = division.op == rest.op && Division { divisor: rest.divisor, ..outer } == *rest;
        (is_same && same == Some(d) && c % d == 0).then_some(whole)
    }

    /// `x - x / d * d` is `x % d`, and `x - x % d` is `x / d * d`.
    pub(super) fn taken_apart(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        let (division, is_remainder) = match self.as_multiple(b) {
            Some(division) => (division, false),
            None => (self.as_remainder(b)?, true),
        };
        if self.widened(&division, division.dividend, width) != a {
            return None;
        }
        let Division { op, dividend, divisor, .. } = division;
        if !is_remainder {
            let rest = self.binary(remainder_beside(op), dividend, divisor);
            return Some(self.widened(&division, rest, width));
        }
        let quotient = self.binary(op, dividend, divisor);
        let quotient = self.widened(&division, quotient, width);
        let factor = self.widened(&division, divisor, width);
        Some(self.binary(BinaryOp::Mul, factor, quotient))
    }

    /// Divisions of what a division by the same constant has left or made: `x % d % d`, `x % d / d`, `x / d * d % d` and
    /// `x / d * d / d`; and `x % c % d` where `d` divides `c`.
    pub(super) fn divided_again(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.as_bits(b).is_none_or(|divisor| divisor.is_zero()) {
            return None;
        }
        let (quotient, wants_remainder) = quotient_of(op)?;
        let width = self.width(a);
        // What was made narrow for this division is divided as wide as it was, and made narrow again.
        if let Node::Extract(whole, 0) = self.node(a)
            && quotient == BinaryOp::UDiv
            && self.bits_of_result(whole) == Some((width, false))
            && let Some(divisor) = self.as_u64(b)
        {
            let divisor = self.constant(self.width(whole), divisor);
            let result = self.divided_again(op, whole, divisor)?;
            return Some(self.extract(result, 0, width));
        }
        let is_same = |division: &Division| {
            let is_divisor = match division.extended {
                Extended::Not => division.divisor == b,
                _ => self.as_u64(b).is_some() && self.as_u64(b) == self.as_u64(division.divisor),
            };
            division.op == quotient && is_divisor
        };
        let [same_rest, same_multiple] =
            [self.as_remainder(a), self.as_multiple(a)].map(|found| found.filter(is_same));
        let zero = self.constant(width, 0);
        if let Some(division) = self.as_remainder(a)
            && let (Some(c), Some(d)) = (self.as_i64(division.divisor), self.as_i64(b))
            && wants_remainder
            && division.op == quotient
            && division.extended == Extended::Not
            && d > 0
            && c > d
            && c % d == 0
        {
            return Some(self.binary(op, division.dividend, b));
        }
        if same_rest.is_some() {
            return Some(if wants_remainder { a } else { zero });
        }
        let division = same_multiple?;
        if wants_remainder {
            return Some(zero);
        }
        let result = self.binary(quotient, division.dividend, division.divisor);
        Some(self.widened(&division, result, width))
    }

    /// A comparison with a constant that holds for all results of a division, or for none.
    pub(super) fn decided_by_division(&self, op: CompareOp, a: ExprId, b: ExprId) -> Option<bool> {
        let width = self.width(a);
        let (other, constant) = match (self.as_u64(a), self.as_u64(b)) {
            (Some(constant), None) => (b, constant),
            (None, Some(constant)) => (a, constant),
            _ => return None,
        };
        if !self.is_of_division(other) {
            return None;
        }
        let (least, most) = self.range(other);
        let constant = if op == CompareOp::Ult {
            i128::from(constant)
        } else {
            i128::from(crate::base::bits::signed(constant, width))
        };
        if op == CompareOp::Ult && least < 0 {
            return None;
        }
        match op {
            CompareOp::Eq => (constant < least || constant > most).then_some(false),
            CompareOp::Ult | CompareOp::Slt if other == a => match () {
                () if most < constant => Some(true),
                () if least >= constant => Some(false),
                () => None,
            },
            CompareOp::Ult | CompareOp::Slt => match () {
                () if constant < least => Some(true),
                () if constant >= most => Some(false),
                () => None,
            },
        }
    }

    /// Whether an expression is a result of a division, with something known added or in another width.
    fn is_of_division(&self, id: ExprId) -> bool {
        const STEPS: usize = 6;
        let mut id = id;
        for _ in 0..STEPS {
            id = match self.node(id) {
                Node::ZeroExtend(inner) | Node::SignExtend(inner) | Node::Extract(inner, 0) => inner,
                Node::Binary(BinaryOp::Add, constant, inner) if self.is_constant(constant) => inner,
                Node::Binary(op, ..) => return quotient_of(op).is_some(),
                _ => return false,
            };
        }
        false
    }
}
