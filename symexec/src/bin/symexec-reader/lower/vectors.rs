//! Intrinsic functions that move, count or join the elements of vectors.

use symexec::base::bits::BinaryOp;
use symexec::module::{Operand, Predicate, Register};

use super::Failure;
use super::function::Body;
use crate::llvm::Value;

impl<'p> Body<'_, 'p> {
    /// Lowers such a function; `None` if it is none.
    pub(super) fn vector_intrinsic(
        &mut self,
        value: Value<'p>,
        name: &str,
        to: Register,
    ) -> Option<Result<(), Failure>> {
        let name = name.strip_prefix("experimental.").unwrap_or(name);
        let is = |whole: &str| name.strip_prefix(whole).is_some_and(|rest| rest.starts_with('.'));
        if let Some(kind) = name.strip_prefix("vector.reduce.") {
            return Some(self.reduce(value, kind.split('.').next().unwrap_or_default(), to));
        }
        if is("stepvector") {
            return Some(self.numbered(value, to));
        }
        const MOVES: [&str; 6] = [
            "vector.reverse",
            "vector.insert",
            "vector.extract",
            "vector.interleave2",
            "vector.deinterleave2",
            "vector.splice",
        ];
        MOVES.into_iter().find(|whole| is(whole)).map(|whole| self.moved_elements(value, whole, to))
    }

    /// Every element is its own number.
    fn numbered(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        for (index, lane) in self.lowering.lanes(value.ty())?.iter().enumerate() {
            let number = self.lowering.bits(lane.width, index as u64);
            self.copy(lane.width, Self::after(to, index), number);
        }
        Ok(())
    }

    /// The elements of operands in another order.
    fn moved_elements(&mut self, value: Value<'p>, kind: &str, to: Register) -> Result<(), Failure> {
        let first = self.operands(value.operand(0).ok_or("an operand is missing")?)?;
        let second = match value.operand(1).filter(|_| value.argument_count() > 1) {
            Some(second) => self.operands(second)?,
            None => Vec::new(),
        };
        let number = |index| {
            let number = value.operand(index).and_then(Value::small_int);
            number.and_then(|number| usize::try_from(number).ok()).ok_or("a place that is not known")
        };
        let lanes = self.lowering.lanes(value.ty())?;
        let count = lanes.len();
        let moved: Vec<Operand> = match kind {
            "vector.reverse" => first.into_iter().rev().collect(),
            "vector.insert" => {
                let (from, mut whole) = (number(2)?, first);
                for (place, element) in whole.iter_mut().skip(from).zip(second) {
                    *place = element;
                }
                whole
            }
            "vector.extract" => first.into_iter().skip(number(1)?).collect(),
            "vector.interleave2" => first.into_iter().zip(second).flat_map(|(a, b)| [a, b]).collect(),
            "vector.deinterleave2" => {
                let of = |parity| first.iter().copied().skip(parity).step_by(2);
                of(0).chain(of(1)).collect()
            }
            _ => {
                // A place below zero counts from the end of the first vector.
                let place = value.operand(2).and_then(Value::small_int).ok_or("a place that is not known")?;
                let place = i64::from(place as u32 as i32);
                let from = if place < 0 { count as i64 + place } else { place };
                let from = usize::try_from(from).map_err(|_| "a place outside of its vector")?;
                first.into_iter().chain(second).skip(from).collect()
            }
        };
        if moved.len() < count {
            return Err("a place outside of its vector".to_owned());
        }
        for (index, (lane, element)) in lanes.iter().zip(moved).enumerate() {
            self.copy(lane.width, Self::after(to, index), element);
        }
        Ok(())
    }

    fn reduce(&mut self, value: Value<'p>, kind: &str, to: Register) -> Result<(), Failure> {
        if kind.starts_with('f') {
            return self.reduce_floats(value, kind, to);
        }
        let width = self.width(value)?;
        let lanes = self.operands(value.operand(0).ok_or("an operand is missing")?)?;
        let (first, rest) = lanes.split_first().ok_or("an empty vector")?;
        let mut result = *first;
        for lane in rest {
            result = match kind {
                "add" => self.binary(BinaryOp::Add, width, result, *lane),
                "mul" => self.binary(BinaryOp::Mul, width, result, *lane),
                "and" => self.binary(BinaryOp::And, width, result, *lane),
                "or" => self.binary(BinaryOp::Or, width, result, *lane),
                "xor" => self.binary(BinaryOp::Xor, width, result, *lane),
                "smax" => self.choice(Predicate::Sgt, width, result, *lane),
                "smin" => self.choice(Predicate::Slt, width, result, *lane),
                "umax" => self.choice(Predicate::Ugt, width, result, *lane),
                "umin" => self.choice(Predicate::Ult, width, result, *lane),
                _ => {
                    return Err(format!("the intrinsic function `{}` is not supported", value.text().trim()));
                }
            };
        }
        self.copy(width, to, result);
        Ok(())
    }
}
