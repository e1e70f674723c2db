//! Arithmetic: small integers in the loop, everything else here.

use super::{Arithmetic, Machine, Throw};
use crate::term::{Atom, Cell, Number, Tag, atom};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, Pow, Signed, ToPrimitive, Zero};

/// An operation on small integers; `None` where the general way is needed.
#[inline]
pub(super) fn small(operation: Arithmetic, left: i64, right: i64) -> Option<i64> {
    match operation {
        Arithmetic::Add => left.checked_add(right),
        Arithmetic::Subtract => left.checked_sub(right),
        Arithmetic::Multiply => left.checked_mul(right),
        Arithmetic::Divide => left.checked_div(right),
        Arithmetic::Modulo => (right != 0).then(|| left.mod_floor(&right)),
        Arithmetic::Remainder => left.checked_rem(right),
        Arithmetic::And => Some(left & right),
        Arithmetic::Or => Some(left | right),
        Arithmetic::ShiftRight => (0..64).contains(&right).then(|| left >> right),
        Arithmetic::ShiftLeft => {
            let shift = u32::try_from(right).ok().filter(|&shift| shift < 60)?;
            left.checked_mul(1 << shift)
        }
    }
}

/// Results larger than this many bits are an error of resources rather than an hour of multiplication.
const MAX_BITS: u64 = 1 << 30;

impl Machine {
    pub(super) fn general_arithmetic(
        &mut self,
        operation: Arithmetic,
        left: Cell,
        right: Cell,
    ) -> Result<Cell, Throw> {
        let left = self.evaluate(left)?;
        let right = self.evaluate(right)?;
        let name = match operation {
            Arithmetic::Add => atom::PLUS,
            Arithmetic::Subtract => atom::MINUS,
            Arithmetic::Multiply => atom::STAR,
            Arithmetic::Divide => atom::INT_DIVIDE,
            Arithmetic::Modulo => atom::MOD,
            Arithmetic::Remainder => atom::REM,
            Arithmetic::And => atom::BIT_AND,
            Arithmetic::Or => atom::BIT_OR,
            Arithmetic::ShiftLeft => atom::SHIFT_LEFT,
            Arithmetic::ShiftRight => atom::SHIFT_RIGHT,
        };
        let value = self.binary(name, left, right)?;
        Ok(self.store.make_number(&value))
    }

    /// The value of an arithmetic term, by an explicit stack.
    pub(crate) fn evaluate(&mut self, term: Cell) -> Result<Number, Throw> {
        enum Task {
            Term(Cell),
            Apply(Atom, usize),
        }
        let cell = self.store.deref(term);
        if let Some(number) = self.store.number(cell) {
            return Ok(number);
        }
        let mut tasks = vec![Task::Term(cell)];
        let mut values: Vec<Number> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Apply(name, arity) => {
                    let right = values.pop().unwrap_or(Number::Int(0));
                    let value = if arity == 1 {
                        self.unary(name, right)?
                    } else {
                        let left = values.pop().unwrap_or(Number::Int(0));
                        self.binary(name, left, right)?
                    };
                    values.push(value);
                }
                Task::Term(cell) => {
                    let cell = self.store.deref(cell);
                    if let Some(number) = self.store.number(cell) {
                        values.push(number);
                        continue;
                    }
                    match self.store.functor(cell) {
                        None => return self.instantiation_error(),
                        Some((name, 0)) => values.push(self.constant_function(name)?),
                        Some((name, arity @ (1 | 2))) => {
                            if cell.tag() == Tag::Lis {
                                // `[X]` is the value of X.
                                if self.store.argument(cell, 1) != Cell::atom(atom::NIL) {
                                    return self.type_error(atom::EVALUABLE, cell);
                                }
                                tasks.push(Task::Term(self.store.argument(cell, 0)));
                                continue;
                            }
                            tasks.push(Task::Apply(name, arity));
                            for i in (0..arity).rev() {
                                tasks.push(Task::Term(self.store.argument(cell, i)));
                            }
                        }
                        Some((name, arity)) => return self.not_evaluable(name, arity),
                    }
                }
            }
        }
        Ok(values.pop().unwrap_or(Number::Int(0)))
    }

    fn not_evaluable<T>(&mut self, name: Atom, arity: usize) -> Result<T, Throw> {
        let indicator = self.indicator(name, arity);
        self.type_error(atom::EVALUABLE, indicator)
    }

    fn constant_function(&mut self, name: Atom) -> Result<Number, Throw> {
        Ok(match name {
            atom::PI => Number::Float(std::f64::consts::PI),
            atom::E => Number::Float(std::f64::consts::E),
            atom::INF => Number::Float(f64::INFINITY),
            atom::NAN => Number::Float(f64::NAN),
            atom::EPSILON => Number::Float(f64::EPSILON),
            atom::MAX_TAGGED_INTEGER => Number::Int(Cell::MAX_INT),
            atom::MIN_TAGGED_INTEGER => Number::Int(Cell::MIN_INT),
            atom::CPUTIME => Number::Float(self.system.cpu_time().as_secs_f64()),
            atom::REALTIME => Number::Int(self.system.wall_time().as_secs() as i64),
            atom::RANDOM => Number::Float((self.next_random() >> 11) as f64 / (1_u64 << 53) as f64),
            _ => return self.not_evaluable(name, 0),
        })
    }

    /// The next pseudo-random number (xorshift64*): the same in every run.
    pub(crate) fn next_random(&mut self) -> u64 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        self.random.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn integer_operand(&mut self, number: &Number) -> Result<BigInt, Throw> {
        match number.to_big() {
            Some(value) => Ok(value),
            None => {
                let culprit = self.store.make_number(number);
                self.type_error(atom::INTEGER, culprit)
            }
        }
    }

    fn finite(&mut self, value: f64) -> Result<Number, Throw> {
        if value.is_nan() {
            return self.evaluation_error(atom::UNDEFINED);
        }
        if value.is_infinite() {
            return self.evaluation_error(atom::FLOAT_OVERFLOW);
        }
        Ok(Number::Float(value))
    }

    fn unary(&mut self, name: Atom, value: Number) -> Result<Number, Throw> {
        let float = value.to_f64();
        Ok(match name {
            atom::PLUS => value,
            atom::MINUS => match value {
                Number::Float(value) => Number::Float(-value),
                other => Number::integer(-self.integer_operand(&other)?),
            },
            atom::ABS => match value {
                Number::Float(value) => Number::Float(value.abs()),
                other => Number::integer(self.integer_operand(&other)?.abs()),
            },
            atom::SIGN => match value {
                Number::Float(value) if value == 0.0 || value.is_nan() => Number::Float(value),
                Number::Float(value) => Number::Float(value.signum()),
                other => Number::integer(self.integer_operand(&other)?.signum()),
            },
            atom::MIN | atom::MAX => return self.not_evaluable(name, 1),
            atom::BIT_NOT => Number::integer(!self.integer_operand(&value)?),
            atom::SUCC => Number::integer(self.integer_operand(&value)? + 1),
            atom::MSB => {
                let value = self.integer_operand(&value)?;
                if !value.is_positive() {
                    return self.evaluation_error(atom::UNDEFINED);
                }
                Number::Int(value.bits() as i64 - 1)
            }
            atom::FLOAT => return self.finite(float),
            atom::INTEGER | atom::ROUND => return self.rounded(value, f64::round),
            atom::TRUNCATE => return self.rounded(value, f64::trunc),
            atom::FLOOR => return self.rounded(value, f64::floor),
            atom::CEILING => return self.rounded(value, f64::ceil),
            atom::FLOAT_INTEGER_PART => return self.finite(float.trunc()),
            atom::FLOAT_FRACTIONAL_PART => return self.finite(float.fract()),
            atom::SQRT if float < 0.0 => return self.evaluation_error(atom::UNDEFINED),
            atom::SQRT => return self.finite(float.sqrt()),
            atom::LOG | atom::LOG2 if float <= 0.0 => return self.evaluation_error(atom::UNDEFINED),
            atom::LOG => return self.finite(float.ln()),
            atom::LOG2 => return self.finite(float.log2()),
            atom::EXP => return self.finite(float.exp()),
            atom::SIN => return self.finite(float.sin()),
            atom::COS => return self.finite(float.cos()),
            atom::TAN => return self.finite(float.tan()),
            atom::ASIN => return self.finite(float.asin()),
            atom::ACOS => return self.finite(float.acos()),
            atom::ATAN => return self.finite(float.atan()),
            atom::RANDOM => {
                let limit = self.integer_operand(&value)?.to_u64().filter(|&limit| limit > 0);
                let Some(limit) = limit else { return self.evaluation_error(atom::UNDEFINED) };
                Number::Int((self.next_random() % limit) as i64)
            }
            _ => return self.not_evaluable(name, 1),
        })
    }

    fn rounded(&mut self, value: Number, round: fn(f64) -> f64) -> Result<Number, Throw> {
        match value {
            Number::Float(float) => match BigInt::from_f64(round(float)) {
                Some(value) => Ok(Number::integer(value)),
                None => self.evaluation_error(atom::UNDEFINED),
            },
            integer => Ok(integer),
        }
    }

    pub(super) fn binary(&mut self, name: Atom, left: Number, right: Number) -> Result<Number, Throw> {
        let float = matches!(left, Number::Float(_)) || matches!(right, Number::Float(_));
        Ok(match name {
            atom::PLUS | atom::PLUS_FUNCTION | atom::MINUS | atom::STAR if float => {
                let (left, right) = (left.to_f64(), right.to_f64());
                return self.finite(match name {
                    atom::MINUS => left - right,
                    atom::STAR => left * right,
                    _ => left + right,
                });
            }
            atom::SLASH => return self.divide(&left, &right),
            atom::POWER => return self.power(&left, &right),
            atom::CARET => return self.power(&left, &right),
            atom::MIN | atom::MAX => {
                let wanted =
                    if name == atom::MIN { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater };
                if right.compare(&left) == Some(wanted) { right } else { left }
            }
            atom::ATAN2 | atom::ATAN => return self.finite(left.to_f64().atan2(right.to_f64())),
            atom::COPYSIGN => Number::Float(left.to_f64().copysign(right.to_f64())),
            atom::LOG => return self.finite(right.to_f64().ln() / left.to_f64().ln()),
            atom::TRUNCATE => return self.not_evaluable(name, 2),
            atom::PLUS
            | atom::PLUS_FUNCTION
            | atom::MINUS
            | atom::STAR
            | atom::INT_DIVIDE
            | atom::MOD
            | atom::REM
            | atom::DIV
            | atom::BIT_AND
            | atom::BIT_OR
            | atom::XOR
            | atom::HASH
            | atom::SHIFT_LEFT
            | atom::SHIFT_RIGHT
            | atom::GCD => {
                let left = self.integer_operand(&left)?;
                let right = self.integer_operand(&right)?;
                Number::integer(self.integer_binary(name, left, right)?)
            }
            _ => return self.not_evaluable(name, 2),
        })
    }

    fn integer_binary(&mut self, name: Atom, left: BigInt, right: BigInt) -> Result<BigInt, Throw> {
        let divides = matches!(name, atom::INT_DIVIDE | atom::MOD | atom::REM | atom::DIV);
        if divides && right.is_zero() {
            return self.evaluation_error(atom::ZERO_DIVISOR);
        }
        Ok(match name {
            atom::MINUS => left - right,
            atom::STAR => {
                if left.bits() + right.bits() > MAX_BITS {
                    return self.resource_error(atom::MEMORY);
                }
                left * right
            }
            atom::INT_DIVIDE => left / right,
            atom::MOD => left.mod_floor(&right),
            atom::REM => left % right,
            atom::DIV => left.div_floor(&right),
            atom::BIT_AND => left & right,
            atom::BIT_OR => left | right,
            atom::XOR | atom::HASH => left ^ right,
            atom::GCD => left.gcd(&right),
            atom::SHIFT_LEFT | atom::SHIFT_RIGHT => {
                let left_shift = (name == atom::SHIFT_LEFT) != right.is_negative();
                match right.abs().to_u64().filter(|&shift| shift <= MAX_BITS) {
                    Some(shift) if left_shift => left << shift,
                    Some(shift) => left >> shift,
                    None if left_shift && !left.is_zero() => return self.resource_error(atom::MEMORY),
                    None => BigInt::from(if left.is_negative() && !left_shift { -1 } else { 0 }),
                }
            }
            _ => left + right,
        })
    }

    /// `/`: an integer where the division of integers is exact, a float otherwise.
    fn divide(&mut self, left: &Number, right: &Number) -> Result<Number, Throw> {
        if let (Some(left), Some(right)) = (left.to_big(), right.to_big()) {
            if right.is_zero() {
                return self.evaluation_error(atom::ZERO_DIVISOR);
            }
            let (quotient, remainder) = left.div_rem(&right);
            if remainder.is_zero() {
                return Ok(Number::integer(quotient));
            }
        }
        let divisor = right.to_f64();
        if divisor == 0.0 {
            return self.evaluation_error(atom::ZERO_DIVISOR);
        }
        self.finite(left.to_f64() / divisor)
    }

    /// `**` and `^`: on integers exact.
    fn power(&mut self, left: &Number, right: &Number) -> Result<Number, Throw> {
        let (Some(base), Some(exponent)) = (left.to_big(), right.to_big()) else {
            return self.finite(left.to_f64().powf(right.to_f64()));
        };
        let one = BigInt::from(1);
        if base == one || (base == -&one && exponent.is_even()) {
            return Ok(Number::Int(1));
        }
        if base == -&one {
            return Ok(Number::Int(-1));
        }
        if exponent.is_negative() {
            if base.is_zero() {
                return self.evaluation_error(atom::ZERO_DIVISOR);
            }
            let culprit = self.store.make_number(left);
            return self.type_error(atom::FLOAT, culprit);
        }
        match exponent.to_u64().filter(|&exponent| base.bits().saturating_mul(exponent) <= MAX_BITS) {
            Some(exponent) => Ok(Number::integer(Pow::pow(base, exponent))),
            None if base.is_zero() => Ok(Number::Int(0)),
            None => self.resource_error(atom::MEMORY),
        }
    }
}
