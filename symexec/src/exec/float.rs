//! Floating point, on known numbers.
//!
//! Known gap: an unknown operand is made known (its least bit pattern; with a warning), so other values
//! are not explored; and formats other than `float` and `double` are moved and compared bit by bit, but
//! not computed with.

use super::{ErrorKind, Executor, PathError, State, Step};
use crate::base::bits::{BinaryOp, mask, signed};
use crate::memory::Value;
use crate::module::{FloatConversion, FloatFormat, FloatOp, FloatPredicate, FloatUnary};

/// A known number; `float` is held as `double`, which has room for each of its values.
#[derive(Clone, Copy)]
struct Number(f64);

fn decode(format: FloatFormat, bits: u64) -> Step<Number> {
    match format {
        FloatFormat::Single => Ok(Number(f64::from(f32::from_bits(bits as u32)))),
        FloatFormat::Double => Ok(Number(f64::from_bits(bits))),
        FloatFormat::Other(width) => Err(unsupported(width)),
    }
}

fn encode(format: FloatFormat, number: f64) -> Step<Value> {
    match format {
        FloatFormat::Single => Ok(Value::Bits(u64::from((number as f32).to_bits()))),
        FloatFormat::Double => Ok(Value::Bits(number.to_bits())),
        FloatFormat::Other(width) => Err(unsupported(width)),
    }
}

fn unsupported(width: u32) -> super::Stop {
    let message = format!("arithmetic on floating-point numbers of {width} bits is not supported");
    PathError::new(ErrorKind::Exec, message).into()
}

impl Executor<'_> {
    fn known_bits(&mut self, state: &mut State, value: Value, width: u32) -> Step<u64> {
        if let Value::Bits(bits) = value {
            return Ok(bits);
        }
        let expr = self.expression(state, value, width);
        self.concretize(state, expr, "floating-point number")
    }

    fn known_number(&mut self, state: &mut State, format: FloatFormat, value: Value) -> Step<Number> {
        if let FloatFormat::Other(width) = format {
            return Err(unsupported(width));
        }
        let bits = self.known_bits(state, value, format.width())?;
        decode(format, bits)
    }

    pub(super) fn float(
        &mut self,
        state: &mut State,
        op: FloatOp,
        format: FloatFormat,
        left: Value,
        right: Value,
    ) -> Step<Value> {
        let Number(a) = self.known_number(state, format, left)?;
        let Number(b) = self.known_number(state, format, right)?;
        // A sum, difference, product or quotient of `float`s, computed in `double` and rounded once
        // more, is the correctly rounded one: 53 bits are more than twice 24 plus two.
        let result = match op {
            FloatOp::Add => a + b,
            FloatOp::Sub => a - b,
            FloatOp::Mul => a * b,
            FloatOp::Div => a / b,
            FloatOp::Rem => a % b,
            FloatOp::Min => a.min(b),
            FloatOp::Max => a.max(b),
            FloatOp::CopySign => a.copysign(b),
        };
        encode(format, result)
    }

    pub(super) fn float_unary(
        &mut self,
        state: &mut State,
        op: FloatUnary,
        format: FloatFormat,
        value: Value,
    ) -> Step<Value> {
        // The sign is one bit, whatever the rest is.
        if let FloatUnary::Neg | FloatUnary::Abs = op {
            let width = format.width();
            let expr = self.expression(state, value, width);
            let one = self.arena.constant(width, 1);
            let position = self.arena.constant(width, u64::from(width) - 1);
            let sign = self.arena.binary(BinaryOp::Shl, one, position);
            let result = if op == FloatUnary::Neg {
                self.arena.binary(BinaryOp::Xor, sign, expr)
            } else {
                let rest = self.arena.not(sign);
                self.arena.binary(BinaryOp::And, rest, expr)
            };
            return Ok(self.value(result));
        }
        let Number(a) = self.known_number(state, format, value)?;
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

    pub(super) fn float_compare(
        &mut self,
        state: &mut State,
        predicate: FloatPredicate,
        format: FloatFormat,
        left: Value,
        right: Value,
    ) -> Step<Value> {
        let Number(a) = self.known_number(state, format, left)?;
        let Number(b) = self.known_number(state, format, right)?;
        let holds = match a.partial_cmp(&b) {
            None => predicate.unordered,
            Some(std::cmp::Ordering::Less) => predicate.less,
            Some(std::cmp::Ordering::Equal) => predicate.equal,
            Some(std::cmp::Ordering::Greater) => predicate.greater,
        };
        Ok(Value::Bits(u64::from(holds)))
    }

    pub(super) fn float_convert(
        &mut self,
        state: &mut State,
        conversion: FloatConversion,
        value: Value,
    ) -> Step<Value> {
        match conversion {
            FloatConversion::Format(from, to) => {
                let Number(number) = self.known_number(state, from, value)?;
                encode(to, number)
            }
            FloatConversion::ToInteger { from, width, signed: is_signed } => {
                let Number(number) = self.known_number(state, from, value)?;
                if width > 64 {
                    return Err(unsupported(width));
                }
                // Out of range is undefined; what is here saturates.
                let bits = if is_signed { (number as i64) as u64 } else { number as u64 };
                Ok(Value::Bits(bits & mask(width)))
            }
            FloatConversion::FromInteger { width, to, signed: is_signed } => {
                if width > 64 {
                    return Err(unsupported(width));
                }
                let bits = self.known_bits(state, value, width)?;
                // `float` is rounded once, from the integer itself.
                match (to, is_signed) {
                    (FloatFormat::Single, true) => {
                        Ok(Value::Bits(u64::from((signed(bits, width) as f32).to_bits())))
                    }
                    (FloatFormat::Single, false) => Ok(Value::Bits(u64::from((bits as f32).to_bits()))),
                    (_, true) => encode(to, signed(bits, width) as f64),
                    (_, false) => encode(to, bits as f64),
                }
            }
        }
    }
}
