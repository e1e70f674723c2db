//! Floating-point numbers as bits: formats, operations, and their values.
//!
//! [`Operation::evaluate`] computes every operation of every format: exactly, by big integers, and then
//! rounded once to the nearest, ties to even ([`exact`]). It is what expressions mean; the machine's own
//! arithmetic, which is faster, serves where it gives the same. A result that is not a number is the
//! operand that x86_64 passes on ([`nan`]), or, if none is such, the format's quiet one with the sign set,
//! which x86_64 makes then.

pub mod exact;
pub mod nan;
mod native;

use serde::{Deserialize, Serialize};

use super::bits::Bits;
use exact::Exact;

/// A floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FloatFormat {
    /// IEEE binary16.
    Half,
    /// The upper half of a binary32.
    Brain,
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
    /// The 80 bits of the x87, whose highest fraction bit is written down.
    Extended,
    /// IEEE binary128.
    Quadruple,
    /// Anything else, with its width: it can be moved and compared bit by bit, not computed with.
    Other(u32),
}

impl FloatFormat {
    /// The number of bits.
    #[must_use]
    pub fn width(self) -> u32 {
        match self {
            Self::Half | Self::Brain => 16,
            Self::Single => 32,
            Self::Double => 64,
            Self::Extended => 80,
            Self::Quadruple => 128,
            Self::Other(width) => width,
        }
    }

    /// The bits of the exponent, and those of the significand with its leading one; `None` for a format
    /// that is not computed with.
    #[must_use]
    pub fn parts(self) -> Option<(u32, u32)> {
        Some(match self {
            Self::Half => (5, 11),
            Self::Brain => (8, 8),
            Self::Single => (8, 24),
            Self::Double => (11, 53),
            Self::Extended => (15, 64),
            Self::Quadruple => (15, 113),
            Self::Other(_) => return None,
        })
    }
}

/// An operation on two floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it; the remainder is C's fmod")]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    CopySign,
}

/// An operation on one floating-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names of C's functions")]
pub enum FloatUnary {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundEven,
}

/// A comparison of floating-point numbers: the set of outcomes for which it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FloatPredicate {
    /// Holds if both are equal.
    pub equal: bool,
    /// Holds if the left one is less.
    pub less: bool,
    /// Holds if the left one is greater.
    pub greater: bool,
    /// Holds if one is not a number.
    pub unordered: bool,
}

/// What a conversion makes of a number that is none of the integers' (undefined in C).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outside {
    /// The nearest integer, and 0 of what is not a number.
    Nearest,
    /// The least signed integer, as x86_64's instructions do.
    Least,
}

/// A conversion to or from floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FloatConversion {
    /// Between formats.
    Format(FloatFormat, FloatFormat),
    /// To an integer of so many bits, rounded to zero.
    ToInteger {
        /// From which format.
        from: FloatFormat,
        /// To how many bits.
        width: u32,
        /// Whether the integer is signed.
        signed: bool,
        /// What becomes of what does not fit.
        outside: Outside,
    },
    /// From an integer of so many bits.
    FromInteger {
        /// From how many bits.
        width: u32,
        /// To which format.
        to: FloatFormat,
        /// Whether the integer is signed.
        signed: bool,
    },
}

/// Anything that is computed from floating-point numbers, or to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Operation {
    /// On two numbers.
    Binary(FloatOp, FloatFormat),
    /// On one number.
    Unary(FloatUnary, FloatFormat),
    /// The product of the first two plus the third, rounded once.
    Fused(FloatFormat),
    /// A truth about two numbers.
    Compare(FloatPredicate, FloatFormat),
    /// A conversion.
    Convert(FloatConversion),
}

impl Operation {
    /// The number of bits of the result.
    #[must_use]
    pub fn width(self) -> u32 {
        match self {
            Self::Binary(_, format) | Self::Unary(_, format) | Self::Fused(format) => format.width(),
            Self::Compare(..) => 1,
            Self::Convert(FloatConversion::Format(_, to) | FloatConversion::FromInteger { to, .. }) => {
                to.width()
            }
            Self::Convert(FloatConversion::ToInteger { width, .. }) => width,
        }
    }

    /// The format that is not computed with, if the operation has one.
    #[must_use]
    pub fn unsupported(self) -> Option<FloatFormat> {
        let formats = match self {
            Self::Binary(_, format)
            | Self::Unary(_, format)
            | Self::Fused(format)
            | Self::Compare(_, format) => [format, format],
            Self::Convert(FloatConversion::Format(from, to)) => [from, to],
            Self::Convert(FloatConversion::FromInteger { to: format, .. })
            | Self::Convert(FloatConversion::ToInteger { from: format, .. }) => [format, format],
        };
        formats.into_iter().find(|format| format.parts().is_none())
    }

    /// The value; operands that are missing are zero, and so is what a format that is not computed with
    /// would be.
    #[must_use]
    pub fn evaluate(self, operands: &[&Bits]) -> Bits {
        if let Some(nan) = self.passed_on(operands) {
            return nan;
        }
        let zero = Bits::new(self.width(), 0);
        let operand = |place: usize| operands.get(place).copied().unwrap_or(&zero);
        let number = |format, place| Exact::decode(format, operand(place));
        let result = match self {
            Self::Binary(op, format) => {
                let (a, b) = (number(format, 0), number(format, 1));
                a.zip(b).and_then(|(a, b)| a.binary(op, &b).encode(format))
            }
            Self::Unary(op, format) => number(format, 0).and_then(|a| a.unary(op).encode(format)),
            Self::Fused(format) => {
                let product =
                    number(format, 0).zip(number(format, 1)).map(|(a, b)| a.binary(FloatOp::Mul, &b));
                let sum = product.zip(number(format, 2)).map(|(product, c)| product.binary(FloatOp::Add, &c));
                sum.and_then(|sum| sum.encode(format))
            }
            Self::Compare(predicate, format) => number(format, 0).zip(number(format, 1)).map(|(a, b)| {
                Bits::from_bool(match a.order(&b) {
                    None => predicate.unordered,
                    Some(std::cmp::Ordering::Less) => predicate.less,
                    Some(std::cmp::Ordering::Equal) => predicate.equal,
                    Some(std::cmp::Ordering::Greater) => predicate.greater,
                })
            }),
            Self::Convert(FloatConversion::Format(from, to)) => number(from, 0).and_then(|a| a.encode(to)),
            Self::Convert(FloatConversion::ToInteger { from, width, signed, outside }) => {
                number(from, 0).map(|a| a.to_integer(width, signed, outside))
            }
            Self::Convert(FloatConversion::FromInteger { to, signed, .. }) => {
                Exact::from_integer(operand(0), signed).encode(to)
            }
        };
        result.unwrap_or(zero)
    }
}
