//! The machine's own arithmetic, where it gives what [`Operation::evaluate`] does.
//!
//! It serves where one operation is computed for thousands of operands. Numbers of `float` are held as `double`: a sum,
//! difference, product, quotient or root that is rounded to 53 bits and then to 24 is the correctly rounded one, as
//! 53 is not less than twice 24 plus two.

use super::{FloatConversion, FloatFormat, FloatOp, FloatUnary, Operation};
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

/// Its bits, rounded to the format.
fn encode(format: FloatFormat, number: f64) -> Option<u64> {
    match format {
        _ if number.is_nan() => None,
        FloatFormat::Single => Some(u64::from((number as f32).to_bits())),
        FloatFormat::Double => Some(number.to_bits()),
        _ => None,
    }
}

/// A number without its fraction as an integer, if it fits.
fn whole(number: f64, width: u32, is_signed: bool) -> Option<u64> {
    let (number, end) = (number.trunc(), 2f64.powi(width as i32 - i32::from(is_signed)));
    let least = if is_signed { -end } else { 0.0 };
    let fits = width <= 64 && least <= number && number < end;
    fits.then(|| (if is_signed { number as i64 as u64 } else { number as u64 }) & mask(width))
}

impl Operation {
    /// The value as [`Operation::evaluate`] has it, of operands and to a result of at most 64 bits; `None` where
    /// something is not a number, and for formats and operations that the machine does not have.
    #[must_use]
    pub fn evaluate_natively(self, [first, second, _]: [u64; 3]) -> Option<u64> {
        match self {
            Self::Binary(op, format) => {
                let (a, b) = (decode(format, first)?, decode(format, second)?);
                let result = match op {
                    FloatOp::Add => a + b,
                    FloatOp::Sub => a - b,
                    FloatOp::Mul => a * b,
                    FloatOp::Div => a / b,
                    FloatOp::Rem | FloatOp::CopySign => return None,
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
            Self::Compare(predicate, format) => {
                let (a, b) = (decode(format, first)?, decode(format, second)?);
                let holds =
                    predicate.less && a < b || predicate.equal && a == b || predicate.greater && a > b;
                Some(u64::from(holds))
            }
            Self::Convert(FloatConversion::Format(from, to)) => encode(to, decode(from, first)?),
            Self::Convert(FloatConversion::ToInteger { from, width, signed, .. }) => {
                whole(decode(from, first)?, width, signed)
            }
            Self::Convert(FloatConversion::FromInteger { width, to, signed: is_signed }) => {
                // In one step: the way through `double` would round twice.
                match to {
                    _ if width > 64 => None,
                    FloatFormat::Single if is_signed => {
                        Some(u64::from((signed(first, width) as f32).to_bits()))
                    }
                    FloatFormat::Single => Some(u64::from((first as f32).to_bits())),
                    FloatFormat::Double if is_signed => Some((signed(first, width) as f64).to_bits()),
                    FloatFormat::Double => Some((first as f64).to_bits()),
                    _ => None,
                }
            }
            Self::Fused(_) => None,
        }
    }
}
