//! Floating point.
//!
//! Known numbers of `float` and `double` are computed with as the machine does
//! ([`Operation::evaluate_natively`]), known numbers of other formats by [`Operation::evaluate`]. Unknown ones become expressions, which the solver decides in its
//! theory of floating-point arithmetic; for what that has no operation for, the operands are made known,
//! with a warning.

use crate::base::bits::{BinaryOp, Bits};
use crate::base::float::Operation;
use crate::exec::{ErrorKind, Executor, PathError, State, Step};
use crate::expr::ExprId;
use crate::memory::Value;
use crate::module::{FloatConversion, FloatFormat, FloatOp, FloatPredicate, FloatUnary};

impl Executor<'_> {
    /// An operation: folded if all operands are known, of which the width is told.
    fn compute(&mut self, state: &mut State, operation: Operation, operands: &[(Value, u32)]) -> Step<Value> {
        if let Some(result) = natively(operation, operands) {
            return Ok(Value::Bits(result));
        }
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

    pub(in crate::exec) fn float(
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
        let width = format.width();
        self.compute(state, Operation::Binary(op, format), &[(left, width), (right, width)])
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

    pub(in crate::exec) fn float_unary(
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
        self.compute(state, Operation::Unary(op, format), &[(value, width)])
    }

    pub(in crate::exec) fn float_fused(
        &mut self,
        state: &mut State,
        format: FloatFormat,
        operands: [Value; 3],
    ) -> Step<Value> {
        let operands = operands.map(|operand| (operand, format.width()));
        self.compute(state, Operation::Fused(format), &operands)
    }

    pub(in crate::exec) fn float_compare(
        &mut self,
        state: &mut State,
        predicate: FloatPredicate,
        format: FloatFormat,
        left: Value,
        right: Value,
    ) -> Step<Value> {
        let width = format.width();
        self.compute(state, Operation::Compare(predicate, format), &[(left, width), (right, width)])
    }

    pub(in crate::exec) fn float_convert(
        &mut self,
        state: &mut State,
        conversion: FloatConversion,
        value: Value,
    ) -> Step<Value> {
        let width = match conversion {
            FloatConversion::Format(from, _) | FloatConversion::ToInteger { from, .. } => from.width(),
            FloatConversion::FromInteger { width, .. } => width,
        };
        self.compute(state, Operation::Convert(conversion), &[(value, width)])
    }
}

/// The result of known operands, where the machine has the operation.
fn natively(operation: Operation, operands: &[(Value, u32)]) -> Option<u64> {
    let mut bits = [0; 3];
    for (bits, (value, _)) in bits.iter_mut().zip(operands) {
        let Value::Bits(known) = value else { return None };
        *bits = *known;
    }
    operation.evaluate_natively(bits)
}
