//! Floating point.
//!
//! Known numbers of `float` and `double` are computed with as the machine does, known numbers of other
//! formats by [`Operation::evaluate`]. Unknown ones become expressions, which the solver decides in its
//! theory of floating-point arithmetic; for what that has no operation for, the operands are made known,
//! with a warning.

use super::{ErrorKind, Executor, PathError, State, Step};
use crate::base::bits::{BinaryOp, Bits, mask, signed};
use crate::base::float::{Operation, Outside};
use crate::expr::ExprId;
use crate::memory::Value;
use crate::module::{FloatConversion, FloatFormat, FloatOp, FloatPredicate, FloatUnary};

/// A known number as the machine has it; `float` is held as `double`, which has room for each of its
/// values. `None` for other formats, and for what is not a number: which of two such operands an operation
/// passes on is for [`Operation::evaluate`] to say, and not for the order that a compiler gave them here.
fn decode(format: FloatFormat, value: Value) -> Option<f64> {
    let number = match (format, value) {
        (FloatFormat::Single, Value::Bits(bits)) => f64::from(f32::from_bits(bits as u32)),
        (FloatFormat::Double, Value::Bits(bits)) => f64::from_bits(bits),
        _ => return None,
    };
    Some(number).filter(|number| !number.is_nan())
}

/// A number of a format that [`decode`] reads; what is none was made of numbers.
fn encode(format: FloatFormat, number: f64) -> Value {
    Value::Bits(match (format, number.is_nan()) {
        (FloatFormat::Single, true) => 0xffc0_0000,
        (FloatFormat::Single, false) => u64::from((number as f32).to_bits()),
        (_, true) => 0xfff8_0000_0000_0000,
        (_, false) => number.to_bits(),
    })
}

impl Executor<'_> {
    /// An operation in general: folded if all operands are known.
    fn compute(&mut self, state: &mut State, operation: Operation, operands: &[(Value, u32)]) -> Step<Value> {
        if let Some(format) = operation.unsupported() {
            let message =
                format!("arithmetic on floating-point numbers of {} bits is not supported", format.width());
            return Err(PathError::new(ErrorKind::Exec, message).into());
        }
        let operands: Vec<ExprId> =
            operands.iter().map(|(value, width)| self.expression(state, *value, *width)).collect();
        let result = self.arena.float(operation, &operands);
        Ok(self.value(result))
    }

    pub(super) fn float(
        &mut self,
        state: &mut State,
        op: FloatOp,
        format: FloatFormat,
        left: Value,
        right: Value,
    ) -> Step<Value> {
        if op == FloatOp::CopySign {
            return Ok(self.copy_sign(state, format.width(), left, right));
        }
        let (mut left, mut right) = (left, right);
        if op == FloatOp::Rem {
            left = self.known(state, left, format.width())?;
            right = self.known(state, right, format.width())?;
        }
        let (Some(a), Some(b)) = (decode(format, left), decode(format, right)) else {
            let width = format.width();
            return self.compute(state, Operation::Binary(op, format), &[(left, width), (right, width)]);
        };
        // A sum, difference, product or quotient of `float`s, computed in `double` and rounded once
        // more, is the correctly rounded one: 53 bits are more than twice 24 plus two.
        Ok(encode(
            format,
            match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
                FloatOp::Rem | FloatOp::CopySign => a % b,
            },
        ))
    }

    /// A value that is known from now on.
    fn known(&mut self, state: &mut State, value: Value, width: u32) -> Step<Value> {
        if let Value::Bits(_) = value {
            return Ok(value);
        }
        let expr = self.expression(state, value, width);
        if self.arena.as_bits(expr).is_some() {
            return Ok(value);
        }
        let bits = self.concretize_bits(state, expr, "floating-point number")?;
        let known = self.arena.bits(&bits);
        Ok(self.value(known))
    }

    /// A constant of any width with these bits shifted to the left.
    fn shifted(&mut self, width: u32, bits: u64, left: u32) -> ExprId {
        let shift = Bits::new(width, u64::from(left));
        let shifted = Bits::binary(BinaryOp::Shl, &Bits::new(width, bits), &shift);
        self.arena.bits(&shifted)
    }

    fn copy_sign(&mut self, state: &mut State, width: u32, left: Value, right: Value) -> Value {
        let sign = self.shifted(width, 1, width - 1);
        let rest = self.arena.not(sign);
        let left = self.expression(state, left, width);
        let right = self.expression(state, right, width);
        let magnitude = self.arena.binary(BinaryOp::And, rest, left);
        let sign = self.arena.binary(BinaryOp::And, sign, right);
        let result = self.arena.binary(BinaryOp::Or, sign, magnitude);
        self.value(result)
    }

    pub(super) fn float_unary(
        &mut self,
        state: &mut State,
        op: FloatUnary,
        format: FloatFormat,
        value: Value,
    ) -> Step<Value> {
        let width = format.width();
        // The sign is one bit, whatever the rest is.
        if let FloatUnary::Neg | FloatUnary::Abs = op {
            let expr = self.expression(state, value, width);
            let sign = self.shifted(width, 1, width - 1);
            let result = if op == FloatUnary::Neg {
                self.arena.binary(BinaryOp::Xor, sign, expr)
            } else {
                let rest = self.arena.not(sign);
                self.arena.binary(BinaryOp::And, rest, expr)
            };
            return Ok(self.value(result));
        }
        let Some(a) = decode(format, value) else {
            return self.compute(state, Operation::Unary(op, format), &[(value, width)]);
        };
        Ok(encode(
            format,
            match op {
                FloatUnary::Neg => -a,
                FloatUnary::Abs => a.abs(),
                FloatUnary::Sqrt => a.sqrt(),
                FloatUnary::Floor => a.floor(),
                FloatUnary::Ceil => a.ceil(),
                FloatUnary::Trunc => a.trunc(),
                FloatUnary::Round => a.round(),
                FloatUnary::RoundEven => a.round_ties_even(),
            },
        ))
    }

    pub(super) fn float_fused(
        &mut self,
        state: &mut State,
        format: FloatFormat,
        operands: [Value; 3],
    ) -> Step<Value> {
        if let (FloatFormat::Double, [Some(a), Some(b), Some(c)]) =
            (format, operands.map(|operand| decode(format, operand)))
        {
            return Ok(encode(format, a.mul_add(b, c)));
        }
        let operands = operands.map(|operand| (operand, format.width()));
        self.compute(state, Operation::Fused(format), &operands)
    }

    pub(super) fn float_compare(
        &mut self,
        state: &mut State,
        predicate: FloatPredicate,
        format: FloatFormat,
        left: Value,
        right: Value,
    ) -> Step<Value> {
        let (Some(a), Some(b)) = (decode(format, left), decode(format, right)) else {
            let width = format.width();
            let operation = Operation::Compare(predicate, format);
            return self.compute(state, operation, &[(left, width), (right, width)]);
        };
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
        let operand_width = match conversion {
            FloatConversion::Format(from, to) => {
                if let (Some(number), FloatFormat::Single | FloatFormat::Double) = (decode(from, value), to) {
                    return Ok(encode(to, number));
                }
                from.width()
            }
            FloatConversion::ToInteger { from, width, signed: is_signed, outside } => {
                // A cast goes to the nearest integer of its type, and this to the nearest of the width:
                // if that is not the number without its fraction, the number does not fit.
                if let Some(number) = decode(from, value)
                    && width <= 64
                {
                    let most = (mask(width) >> 1) as i64;
                    let (bits, nearest) = if is_signed {
                        let nearest = (number as i64).clamp(-most - 1, most);
                        (nearest as u64, nearest as f64)
                    } else {
                        let nearest = (number as u64).min(mask(width));
                        (nearest, nearest as f64)
                    };
                    // The greatest integers of 64 bits are nearest to a number above them.
                    let fits =
                        nearest == number.trunc() && number < 2f64.powi(width as i32 - i32::from(is_signed));
                    let bits = if fits || outside == Outside::Nearest { bits } else { 1 << (width - 1) };
                    return Ok(Value::Bits(bits & mask(width)));
                }
                from.width()
            }
            FloatConversion::FromInteger { width, to, signed: is_signed } => {
                // `float` is rounded once, from the integer itself.
                if let (Value::Bits(bits), true) = (value, width <= 64) {
                    let number = signed(bits, width);
                    match (to, is_signed) {
                        (FloatFormat::Single, true) => {
                            return Ok(Value::Bits(u64::from((number as f32).to_bits())));
                        }
                        (FloatFormat::Single, false) => {
                            return Ok(Value::Bits(u64::from(((bits & mask(width)) as f32).to_bits())));
                        }
                        (FloatFormat::Double, true) => return Ok(encode(to, number as f64)),
                        (FloatFormat::Double, false) => return Ok(encode(to, (bits & mask(width)) as f64)),
                        _ => {}
                    }
                }
                width
            }
        };
        self.compute(state, Operation::Convert(conversion), &[(value, operand_width)])
    }
}
