//! What is not a number, as bits: which of its operands an operation passes on.
//!
//! x86_64's vector instructions, which compute `float` and `double` and through them the narrow formats,
//! pass the first operand on that is not a number; the x87, and the library for the widest format, the one
//! with the larger significand, and of two that differ in their sign alone the positive one. What is passed
//! on becomes quiet. A fused product looks at its second factor first.

use num_bigint::BigUint;
use num_traits::One;

use super::exact::Exact;
use super::{FloatConversion, FloatFormat, FloatOp, FloatUnary, Operation};
use crate::base::bits::{BinaryOp, Bits, CompareOp};

/// Which of two operands that are not numbers is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preferred {
    /// The first.
    First,
    /// The one with the larger significand.
    Larger,
}

impl FloatFormat {
    /// Which of two operands of this format is passed on.
    #[must_use]
    pub fn preferred(self) -> Preferred {
        match self {
            Self::Extended | Self::Quadruple | Self::Other(_) => Preferred::Larger,
            Self::Half | Self::Brain | Self::Single | Self::Double => Preferred::First,
        }
    }

    /// The bit that makes what is not a number quiet; `None` for a format that is not computed with.
    #[must_use]
    pub fn quiet_bit(self) -> Option<Bits> {
        let (_, precision) = self.parts()?;
        Some(Bits::from_big(self.width(), &(BigUint::one() << (precision - 2))))
    }
}

impl Operation {
    /// The operands that may be passed on, in the order in which they are looked at, with their format and
    /// that of the result. Empty for what treats all bits alike, and for what gives no such number.
    #[must_use]
    pub fn passes_on(self) -> (&'static [usize], FloatFormat, FloatFormat) {
        match self {
            Self::Binary(FloatOp::CopySign, format)
            | Self::Unary(FloatUnary::Neg | FloatUnary::Abs, format)
            | Self::Compare(_, format) => (&[], format, format),
            Self::Binary(_, format) => (&[0, 1], format, format),
            Self::Unary(_, format) => (&[0], format, format),
            Self::Fused(format) => (&[1, 0, 2], format, format),
            Self::Convert(FloatConversion::Format(from, to)) => (&[0], from, to),
            Self::Convert(
                FloatConversion::ToInteger { from: format, .. }
                | FloatConversion::FromInteger { to: format, .. },
            ) => (&[], format, format),
        }
    }

    /// The result, if an operand is not a number and is passed on.
    pub(super) fn passed_on(self, operands: &[&Bits]) -> Option<Bits> {
        let (places, from, to) = self.passes_on();
        let operands = places.iter().filter_map(|place| operands.get(*place));
        let nans =
            operands.filter(|bits| Exact::decode(from, bits) == Some(Exact::Nan)).map(|bits| (*bits).clone());
        let chosen = nans.reduce(|first, second| match from.preferred() {
            Preferred::First => first,
            Preferred::Larger => larger(first, second),
        })?;
        convert(from, to, &chosen)
    }
}

fn larger(first: Bits, second: Bits) -> Bits {
    let significand = |bits: &Bits| bits.extract(0, bits.width() - 1);
    let (one, other) = (significand(&first), significand(&second));
    if Bits::compare(CompareOp::Ult, &one, &other) {
        second
    } else if Bits::compare(CompareOp::Ult, &other, &one) {
        first
    } else {
        Bits::binary(BinaryOp::And, &first, &second)
    }
}

/// In another format or the same, quiet: the sign stays, and of the fraction the upper end.
fn convert(from: FloatFormat, to: FloatFormat, nan: &Bits) -> Option<Bits> {
    let ((_, before), (exponent, after)) = (from.parts()?, to.parts()?);
    let sign = nan.extract(from.width() - 1, 1);
    let fraction = nan.extract(0, before - 1);
    let fraction = if after <= before {
        fraction.extract(before - after, after - 1)
    } else {
        Bits::concat(&fraction, &Bits::new(after - before, 0))
    };
    // The written leading one of the x87 stands between them.
    let leading = to.width() - exponent - after;
    let ones = Bits::new(exponent + leading, 0).not();
    let nan = Bits::concat(&Bits::concat(&sign, &ones), &fraction);
    Some(Bits::binary(BinaryOp::Or, &nan, &to.quiet_bit()?))
}
