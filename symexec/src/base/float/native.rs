//! The machine's own arithmetic, where it gives what [`Operation::evaluate`] does.
//!
//! It serves where the operands are known, and where one operation is computed for thousands of them. Numbers of `float`
//! are held as `double`, which has room for each of their values: a sum, difference, product, quotient or root that is
//! rounded to 53 bits and then to 24 is the correctly rounded one, as 53 is not less than twice 24 plus two. Which of
//! two operands that are no numbers an operation passes on is for [`Operation::evaluate`] to say, and not for the order
//! that a compiler gave them here.

use super::{FloatConversion, FloatFormat, FloatOp, FloatUnary, Operation, Outside};
use crate::base::bits::{mask, signed};

/// A number of `float` or `double`; `None` for other formats, and for what is not a number.
fn decode(format: FloatFormat, bits: u64) -> Option<f64> {
    let number = match format {
        FloatFormat::Single => f64::from(f32::from_bits(bits as u32)),
        FloatFormat::Double => f64::from_bits(bits),
        _ => return None,
    };
    (!number.is_nan()).then_some(number)
}

/// Its bits, rounded to the format; what is not a number was made of numbers.
fn encode(format: FloatFormat, number: f64) -> Option<u64> {
    match (format, number.is_nan()) {
        (FloatFormat::Single, true) => Some(0xffc0_0000),
        (FloatFormat::Single, false) => Some(u64::from((number as f32).to_bits())),
        (FloatFormat::Double, true) => Some(0xfff8_0000_0000_0000),
        (FloatFormat::Double, false) => Some(number.to_bits()),
        _ => None,
    }
}

/// A number without its fraction as an integer of at most 64 bits.
fn to_integer(number: f64, width: u32, is_signed: bool, outside: Outside) -> u64 {
    // A cast goes to the nearest integer of its type, and this to the nearest of the width: if that is not the number
    // without its fraction, the number does not fit.
    let most = (mask(width) >> 1) as i64;
    let (bits, nearest) = if is_signed {
        let nearest = (number as i64).clamp(-most - 1, most);
        (nearest as u64, nearest as f64)
    } else {
        let nearest = (number as u64).min(mask(width));
        (nearest, nearest as f64)
    };
    // The greatest integers of 64 bits are nearest to a number above them.
    let fits = nearest == number.trunc() && number < 2f64.powi(width as i32 - i32::from(is_signed));
    let bits = if fits || outside == Outside::Nearest { bits } else { 1 << (width - 1) };
    bits & mask(width)
}

/// The number of an integer of at most 64 bits, rounded once: the way through `double` would round twice.
fn from_integer(bits: u64, width: u32, is_signed: bool, to: FloatFormat) -> Option<u64> {
    let (integer, natural) = (signed(bits, width), bits & mask(width));
    Some(match (to, is_signed) {
        (FloatFormat::Single, true) => u64::from((integer as f32).to_bits()),
        (FloatFormat::Single, false) => u64::from((natural as f32).to_bits()),
        (FloatFormat::Double, true) => (integer as f64).to_bits(),
        (FloatFormat::Double, false) => (natural as f64).to_bits(),
        _ => return None,
    })
}

impl Operation {
    /// The value as [`Operation::evaluate`] has it, of operands and to a result of at most 64 bits; `None` where
    /// an operand is not a number, and for formats and operations that the machine does not have.
    #[must_use]
    pub fn evaluate_natively(self, [first, second, third]: [u64; 3]) -> Option<u64> {
        match self {
            Self::Binary(op, format) => {
                let (a, b) = (decode(format, first)?, decode(format, second)?);
                let result = match op {
                    FloatOp::Add => a + b,
                    FloatOp::Sub => a - b,
                    FloatOp::Mul => a * b,
                    FloatOp::Div => a / b,
                    FloatOp::Rem => a % b,
                    FloatOp::CopySign => a.copysign(b),
                };
                encode(format, result)
            }
            Self::Unary(op, format) => {
                let a = decode(format, first)?;
                let result = match op {
                    FloatUnary::Neg => -a,
                    FloatUnary::Abs => a.abs(),
                    FloatUnary::Sqrt => a.sqrt(),
                    FloatUnary::Floor => a.floor(),
                    FloatUnary::Ceil => a.ceil(),
                    FloatUnary::Trunc => a.trunc(),
                    FloatUnary::Round => a.round(),
                    FloatUnary::RoundEven => a.round_ties_even(),
                };
                encode(format, result)
            }
            // Of `float`, rounding to 53 bits first is seen.
            Self::Fused(FloatFormat::Double) => {
                let number = |bits| decode(FloatFormat::Double, bits);
                encode(FloatFormat::Double, number(first)?.mul_add(number(second)?, number(third)?))
            }
            Self::Fused(_) => None,
            Self::Compare(predicate, format) => {
                let (a, b) = (decode(format, first)?, decode(format, second)?);
                let holds =
                    predicate.less && a < b || predicate.equal && a == b || predicate.greater && a > b;
                Some(u64::from(holds))
            }
            Self::Convert(FloatConversion::Format(from, to)) => encode(to, decode(from, first)?),
            Self::Convert(FloatConversion::ToInteger { from, width, signed, outside }) => {
                let number = decode(from, first)?;
                (width <= 64).then(|| to_integer(number, width, signed, outside))
            }
            Self::Convert(FloatConversion::FromInteger { width, to, signed }) => {
                if width <= 64 {
                    from_integer(first, width, signed, to)
                } else {
                    None
                }
            }
        }
    }
}
