//! The evaluable functions: numbers in, a number or the reason why there is none out.
//!
//! Integers of 64 bits are computed in registers as long as they stay there; everything that overflows goes to
//! big integers. Where the standard leaves a choice, it is SWI-Prolog's with its flags `iso` and
//! `prefer_rationals` off: `/` of two integers is an integer where it is exact, `2 ** -1` is 0.5; but `2 ^ -1`
//! is the standard's error of type.

use crate::term::{Atom, Number, Rational, atom, quotient_as_float};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, One, Pow, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// Why a function has no value.
#[derive(Debug, PartialEq)]
pub(super) enum Undefined {
    /// `evaluation_error(...)`, or this value where the flags `float_overflow`, `float_undefined` and `float_zero_div`
    /// say so: what IEEE 754 gives.
    Evaluation(Atom, f64),
    /// `evaluation_error(...)`, whatever the flags say.
    NoInteger(Atom),
    /// `type_error(..., culprit)`.
    Type(Atom, Number),
    /// `domain_error(..., culprit)`.
    Domain(&'static str, Number),
    /// The result needs too much memory.
    Memory,
    /// There is no such function.
    Unknown,
}

/// From here on `x * x + 1` and `x * x - 1` are `x * x`, to the last digit of its logarithm.
const LARGE: f64 = 1e9;

/// The inverse of the hyperbolic sine, and cosine, of the absolute value of a large number.
fn large(value: f64) -> f64 {
    value.abs().ln() + std::f64::consts::LN_2
}

pub(super) type Value = Result<Number, Undefined>;

/// Results larger than this many bits are an error of resources rather than an hour of multiplication.
const MAX_BITS: u64 = 1 << 30;

/// 0/0 in integers: an error of division, or no number.
fn no_value<T>() -> Result<T, Undefined> {
    Err(Undefined::Evaluation(atom::ZERO_DIVISOR, f64::NAN))
}

fn undefined<T>() -> Result<T, Undefined> {
    Err(Undefined::Evaluation(atom::UNDEFINED, f64::NAN))
}

/// A division by 0 whose limit is infinite, with the sign of a number.
fn zero_divisor<T>(sign: f64) -> Result<T, Undefined> {
    Err(Undefined::Evaluation(atom::ZERO_DIVISOR, f64::INFINITY.copysign(sign)))
}

/// A division of integers by 0.
fn no_quotient<T>() -> Result<T, Undefined> {
    Err(Undefined::NoInteger(atom::ZERO_DIVISOR))
}

/// A float that is a number.
fn finite(value: f64) -> Value {
    if value.is_nan() {
        undefined()
    } else if value.is_infinite() {
        Err(Undefined::Evaluation(atom::FLOAT_OVERFLOW, value))
    } else {
        Ok(Number::Float(value))
    }
}

/// An operand as a float; an integer that is too large has none.
fn float(number: &Number) -> Result<f64, Undefined> {
    let value = number.to_f64();
    if value.is_infinite() && !matches!(number, Number::Float(_)) {
        return Err(Undefined::Evaluation(atom::FLOAT_OVERFLOW, value));
    }
    Ok(value)
}

/// An operand that must be an integer.
fn integer(number: Number) -> Result<BigInt, Undefined> {
    match number {
        Number::Int(value) => Ok(BigInt::from(value)),
        Number::Big(value) => Ok(value),
        Number::Float(_) | Number::Rational(_) => Err(Undefined::Type(atom::INTEGER, number)),
    }
}

/// An operand whose size is bounded in every use, such as the position of a bit.
fn position(number: Number) -> Result<u64, Undefined> {
    match number {
        Number::Int(value) => {
            u64::try_from(value).map_err(|_| Undefined::Domain("not_less_than_zero", Number::Int(value)))
        }
        Number::Big(ref value) if value.is_positive() => Err(Undefined::Memory),
        Number::Big(_) => Err(Undefined::Domain("not_less_than_zero", number)),
        Number::Float(_) | Number::Rational(_) => Err(Undefined::Type(atom::INTEGER, number)),
    }
}

/// The value of a function of one argument that is a fraction, if it has one of its own there.
fn of_rational(name: Atom, value: &Rational) -> Option<Number> {
    Some(match name {
        atom::ABS if value.is_negative() => Number::Rational(Box::new(value.clone())).negated(),
        atom::ABS => Number::Rational(Box::new(value.clone())),
        atom::SIGN => Number::Int(if value.is_negative() { -1 } else { 1 }),
        atom::INTEGER | atom::ROUND => big(value.round()),
        atom::TRUNCATE | atom::TRUNC | atom::FLOAT_INTEGER_PART => big(value.truncate()),
        atom::FLOOR => big(value.floor()),
        atom::CEILING => big(value.floor() + 1),
        atom::FLOAT_FRACTIONAL_PART => {
            let left = value.numerator() - value.truncate() * value.denominator();
            Number::quotient(left, value.denominator().clone())?
        }
        atom::NUMERATOR => big(value.numerator().clone()),
        atom::DENOMINATOR => big(value.denominator().clone()),
        _ => return None,
    })
}

/// The value of a function of one argument.
pub(super) fn unary(name: Atom, value: Number) -> Value {
    if let Number::Rational(fraction) = &value
        && let Some(value) = of_rational(name, fraction)
    {
        return Ok(value);
    }
    Ok(match name {
        atom::PLUS => value,
        atom::MINUS => value.negated(),
        atom::ABS => match value {
            Number::Int(small) => {
                small.checked_abs().map_or_else(|| big(BigInt::from(small).abs()), Number::Int)
            }
            Number::Float(float) => Number::Float(float.abs()),
            Number::Big(value) => big(value.abs()),
            fraction @ Number::Rational(_) => fraction,
        },
        atom::SIGN => match value {
            Number::Int(small) => Number::Int(small.signum()),
            Number::Float(float) if float == 0.0 || float.is_nan() => Number::Float(float),
            Number::Float(float) => Number::Float(float.signum()),
            Number::Big(value) => big(value.signum()),
            fraction @ Number::Rational(_) => fraction,
        },
        atom::BIT_NOT => match value {
            Number::Int(small) => Number::Int(!small),
            other => big(!integer(other)?),
        },
        atom::SUCC => return binary(atom::PLUS, value, Number::Int(1)),
        atom::MSB => {
            let bits = integer(value)?;
            if !bits.is_positive() {
                return Err(Undefined::Domain("not_less_than_one", big(bits)));
            }
            Number::Int(bits.bits() as i64 - 1)
        }
        atom::LSB => {
            let bits = integer(value)?;
            if !bits.is_positive() {
                return Err(Undefined::Domain("not_less_than_one", big(bits)));
            }
            Number::Int(bits.trailing_zeros().unwrap_or(0) as i64)
        }
        atom::POPCOUNT => {
            let bits = integer(value)?;
            if bits.is_negative() {
                return Err(Undefined::Domain("not_less_than_zero", big(bits)));
            }
            Number::Int(bits.iter_u64_digits().map(|digit| i64::from(digit.count_ones())).sum())
        }
        atom::RATIONAL | atom::RATIONALIZE => match value {
            Number::Float(float) => {
                let exact =
                    if name == atom::RATIONAL { Number::exactly(float) } else { Number::nearly(float) };
                return exact.map_or_else(undefined, Ok);
            }
            rational => rational,
        },
        atom::NUMERATOR | atom::DENOMINATOR => match value.to_ratio() {
            Some((above, below)) => big(if name == atom::NUMERATOR { above } else { below }),
            None => return Err(Undefined::Type(atom::RATIONAL, value)),
        },
        atom::FLOAT => return float(&value).and_then(finite),
        atom::INTEGER | atom::ROUND => return rounded(value, f64::round),
        atom::TRUNCATE | atom::TRUNC => return rounded(value, f64::trunc),
        atom::FLOOR => return rounded(value, f64::floor),
        atom::CEILING => return rounded(value, f64::ceil),
        atom::FLOAT_INTEGER_PART => match value {
            Number::Float(float) => return finite(float.trunc()),
            integer => integer,
        },
        atom::FLOAT_FRACTIONAL_PART => match value {
            Number::Float(float) => return finite(float.fract()),
            _ => Number::Int(0),
        },
        _ => return real(name, &value),
    })
}

/// The functions of real numbers.
fn real(name: Atom, value: &Number) -> Value {
    let function: fn(f64) -> f64 = match name {
        atom::SQRT => f64::sqrt,
        atom::EXP => f64::exp,
        atom::LOG => f64::ln,
        atom::LOG2 => f64::log2,
        atom::LOG10 => f64::log10,
        atom::SIN => f64::sin,
        atom::COS => f64::cos,
        atom::TAN => f64::tan,
        atom::ASIN => f64::asin,
        atom::ACOS => f64::acos,
        atom::ATAN => f64::atan,
        atom::SINH => f64::sinh,
        atom::COSH => f64::cosh,
        atom::TANH => f64::tanh,
        // Of large numbers the library's functions take squares, or sums, that are too large for a float.
        atom::ASINH => |value| if value.abs() < LARGE { value.asinh() } else { large(value).copysign(value) },
        atom::ACOSH => |value| if value < LARGE { value.acosh() } else { large(value) },
        atom::ATANH => f64::atanh,
        atom::ERF => libm::erf,
        atom::ERFC => libm::erfc,
        atom::LGAMMA => libm::lgamma,
        atom::COT => |value| value.tan().recip(),
        atom::ACOT => |value| value.recip().atan(),
        _ => return Err(Undefined::Unknown),
    };
    let value = float(value)?;
    let pole = matches!(name, atom::LOG | atom::LOG2 | atom::LOG10 | atom::COT) && value == 0.0;
    if pole { Err(Undefined::Evaluation(atom::UNDEFINED, function(value))) } else { finite(function(value)) }
}

fn big(value: BigInt) -> Number {
    Number::integer(value)
}

fn rounded(value: Number, round: fn(f64) -> f64) -> Value {
    match value {
        Number::Float(float) => BigInt::from_f64(round(float))
            .map_or(Err(Undefined::Evaluation(atom::UNDEFINED, float)), |value| Ok(big(value))),
        integer => Ok(integer),
    }
}

/// The value of a function of two arguments.
pub(super) fn binary(name: Atom, left: Number, right: Number) -> Value {
    if let (&Number::Int(left), &Number::Int(right)) = (&left, &right)
        && let Some(value) = small_binary(name, left, right)
    {
        return Ok(Number::Int(value));
    }
    let fractions =
        name == atom::RDIV || [&left, &right].iter().any(|side| matches!(side, Number::Rational(_)));
    if fractions && let Some(value) = rational_binary(name, &left, &right) {
        return value;
    }
    match name {
        atom::PLUS | atom::PLUS_FUNCTION | atom::MINUS | atom::STAR
            if matches!(left, Number::Float(_)) || matches!(right, Number::Float(_)) =>
        {
            let (left, right) = (float(&left)?, float(&right)?);
            finite(match name {
                atom::MINUS => left - right,
                atom::STAR => left * right,
                _ => left + right,
            })
        }
        atom::SLASH => divide(&left, &right),
        atom::POWER | atom::CARET => power(name, &left, &right),
        atom::MIN | atom::MAX => {
            let wanted = if name == atom::MIN { Ordering::Less } else { Ordering::Greater };
            Ok(match right.compare(&left) {
                // Of two zeros the negative one is the smaller.
                Some(Ordering::Equal) if let (Number::Float(l), Number::Float(r)) = (&left, &right) => {
                    let right_is_wanted = if wanted == Ordering::Less {
                        r.is_sign_negative() || l.is_sign_positive()
                    } else {
                        r.is_sign_positive() || l.is_sign_negative()
                    };
                    if right_is_wanted { right } else { left }
                }
                Some(Ordering::Equal) if matches!(right, Number::Float(_)) => right,
                Some(order) if order == wanted => right,
                // What is no number is passed over.
                None if matches!(left, Number::Float(value) if value.is_nan()) => right,
                _ => left,
            })
        }
        atom::ATAN2 | atom::ATAN => {
            let (y, x) = (float(&left)?, float(&right)?);
            // With the flag `float_undefined` it is what C has.
            if x == 0.0 && y == 0.0 {
                Err(Undefined::Evaluation(atom::UNDEFINED, y.atan2(x)))
            } else {
                finite(y.atan2(x))
            }
        }
        atom::COPYSIGN => match left {
            Number::Float(left) => Ok(Number::Float(left.copysign(float(&right)?))),
            // What is exact stays so.
            exact => {
                let below = exact.compare(&Number::Int(0)) == Some(Ordering::Less);
                let negated = below != float(&right)?.is_sign_negative();
                if negated { unary(atom::MINUS, exact) } else { Ok(exact) }
            }
        },
        atom::NEXTTOWARD => {
            let (from, to) = (float(&left)?, float(&right)?);
            finite(match from.partial_cmp(&to) {
                Some(Ordering::Less) => from.next_up(),
                Some(Ordering::Greater) => from.next_down(),
                Some(Ordering::Equal) => to,
                None => f64::NAN,
            })
        }
        atom::LOG => {
            let (base, value) = (float(&left)?, float(&right)?);
            if base <= 0.0 || value <= 0.0 {
                undefined()
            } else if base == 1.0 {
                zero_divisor(value.ln())
            } else {
                finite(value.ln() / base.ln())
            }
        }
        atom::GETBIT => {
            let (bits, at) = (integer(left)?, position(right)?);
            if bits.is_negative() {
                return Err(Undefined::Domain("not_less_than_zero", big(bits)));
            }
            Ok(Number::Int(i64::from(bits.bit(at))))
        }
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
        | atom::GCD
        | atom::LCM => integer_binary(name, integer(left)?, integer(right)?).map(big),
        _ => Err(Undefined::Unknown),
    }
}

/// Functions of two small integers whose value is one; `None` where the general way is needed.
fn small_binary(name: Atom, left: i64, right: i64) -> Option<i64> {
    match name {
        atom::PLUS | atom::PLUS_FUNCTION => left.checked_add(right),
        atom::MINUS => left.checked_sub(right),
        atom::STAR => left.checked_mul(right),
        atom::INT_DIVIDE => left.checked_div(right),
        atom::SLASH => (left.checked_rem(right)? == 0).then(|| left / right),
        atom::MOD => left.checked_rem(right).map(|_| Integer::mod_floor(&left, &right)),
        atom::REM => left.checked_rem(right),
        atom::DIV => left.checked_div(right).map(|_| Integer::div_floor(&left, &right)),
        atom::MIN => Some(left.min(right)),
        atom::MAX => Some(left.max(right)),
        atom::BIT_AND => Some(left & right),
        atom::BIT_OR => Some(left | right),
        atom::XOR | atom::HASH => Some(left ^ right),
        atom::SHIFT_RIGHT if (0..64).contains(&right) => Some(left >> right),
        atom::SHIFT_LEFT if (0..63).contains(&right) => left.checked_mul(1 << right),
        atom::GCD => i64::try_from(left.unsigned_abs().gcd(&right.unsigned_abs())).ok(),
        atom::POWER | atom::CARET => left.checked_pow(u32::try_from(right).ok()?),
        _ => None,
    }
}

/// `/`, `**` or `^`, with a rational number as the value where it is one.
pub(super) fn exact(name: Atom, left: Number, right: Number) -> Value {
    rational_binary(name, &left, &right).unwrap_or_else(|| binary(name, left, right))
}

/// The value of a function of two integers or rational numbers, if it has one of its own for them.
fn rational_binary(name: Atom, left: &Number, right: &Number) -> Option<Value> {
    let (Some((a, b)), Some((c, d))) = (left.to_ratio(), right.to_ratio()) else {
        // An error of this function alone.
        let culprit = if matches!(left, Number::Float(_)) { left } else { right };
        return (name == atom::RDIV).then(|| Err(Undefined::Type(atom::RATIONAL, culprit.clone())));
    };
    if [&a, &b, &c, &d].iter().map(|part| part.bits()).sum::<u64>() > MAX_BITS {
        return Some(Err(Undefined::Memory));
    }
    let (above, below) = match name {
        atom::PLUS | atom::PLUS_FUNCTION => (a * &d + c * &b, b * d),
        atom::MINUS => (a * &d - c * &b, b * d),
        atom::STAR => (a * c, b * d),
        atom::SLASH | atom::RDIV => (a * d, b * c),
        // A power is exact where the base has the root that the exponent asks for.
        atom::POWER | atom::CARET => {
            let (Some(a), Some(b)) = (exact_root(&a, &d), exact_root(&b, &d)) else {
                return Some(odd_root_power(left, right, &c, &d));
            };
            let bits = a.bits().max(b.bits());
            let size = c.abs().to_u64().filter(|&times| bits.saturating_mul(times) <= MAX_BITS);
            let Some(times) = size else { return Some(Err(Undefined::Memory)) };
            let (above, below) = (Pow::pow(a, times), Pow::pow(b, times));
            if c.is_negative() { (below, above) } else { (above, below) }
        }
        _ => return None,
    };
    let sign = if above.is_negative() { -1.0 } else { 1.0 };
    Some(Number::quotient(above, below).map_or_else(|| zero_divisor(sign), Ok))
}

fn integer_binary(name: Atom, left: BigInt, right: BigInt) -> Result<BigInt, Undefined> {
    let divides = matches!(name, atom::INT_DIVIDE | atom::MOD | atom::REM | atom::DIV);
    if divides && right.is_zero() {
        return no_quotient();
    }
    Ok(match name {
        atom::MINUS => left - right,
        atom::STAR => {
            if left.bits() + right.bits() > MAX_BITS {
                return Err(Undefined::Memory);
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
        atom::LCM => left.lcm(&right),
        atom::SHIFT_LEFT | atom::SHIFT_RIGHT => {
            let to_left = (name == atom::SHIFT_LEFT) != right.is_negative();
            match right.abs().to_u64().filter(|&shift| shift <= MAX_BITS) {
                Some(shift) if to_left && left.bits().saturating_add(shift) <= MAX_BITS => left << shift,
                Some(shift) if !to_left => left >> shift,
                _ if to_left && !left.is_zero() => return Err(Undefined::Memory),
                _ => BigInt::from(if left.is_negative() && !to_left { -1 } else { 0 }),
            }
        }
        _ => left + right,
    })
}

/// `/`: an integer where the division of integers is exact, a float otherwise.
fn divide(left: &Number, right: &Number) -> Value {
    if let (Some(dividend), Some(divisor)) = (left.to_big(), right.to_big()) {
        if divisor.is_zero() {
            return if dividend.is_zero() { no_value() } else { zero_divisor(float(left)?) };
        }
        let (quotient, remainder) = dividend.div_rem(&divisor);
        if remainder.is_zero() {
            return Ok(big(quotient));
        }
        if dividend.bits().max(divisor.bits()) > 53 {
            return finite(quotient_as_float(&dividend, &divisor));
        }
    }
    let (dividend, divisor) = (float(left)?, float(right)?);
    if divisor == 0.0 {
        return if dividend == 0.0 || dividend.is_nan() {
            undefined()
        } else {
            zero_divisor(dividend * divisor.signum())
        };
    }
    finite(dividend / divisor)
}

/// `**` and `^`: on integers exact.
fn power(name: Atom, left: &Number, right: &Number) -> Value {
    let (Some(base), Some(exponent)) = (left.to_big(), right.to_big()) else {
        if let Number::Rational(exponent) = right {
            return odd_root_power(left, right, exponent.numerator(), exponent.denominator());
        }
        return float_power(float(left)?, float(right)?);
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
            return zero_divisor(1.0);
        }
        if name == atom::CARET {
            return Err(Undefined::Type(atom::FLOAT, left.clone()));
        }
        return float_power(float(left)?, float(right)?);
    }
    match exponent.to_u64().filter(|&exponent| base.bits().saturating_mul(exponent) <= MAX_BITS) {
        Some(exponent) => Ok(big(Pow::pow(base, exponent))),
        None if base.is_zero() => Ok(Number::Int(0)),
        None => Err(Undefined::Memory),
    }
}

/// The root of an integer where it is an integer.
fn exact_root(value: &BigInt, degree: &BigInt) -> Option<BigInt> {
    if degree.is_one() {
        return Some(value.clone());
    }
    if value.is_negative() && degree.is_even() {
        return None;
    }
    let degree = degree.to_u32()?;
    let root = value.nth_root(degree);
    (Pow::pow(&root, degree) == *value).then_some(root)
}

/// A power with a fraction as the exponent, as a float. Odd roots of what is negative are negative.
fn odd_root_power(left: &Number, right: &Number, numerator: &BigInt, denominator: &BigInt) -> Value {
    let (base, exponent) = (float(left)?, float(right)?);
    if base >= 0.0 || denominator.is_even() {
        return float_power(base, exponent);
    }
    let magnitude = float_power(-base, exponent)?;
    Ok(if numerator.is_odd() { magnitude.negated() } else { magnitude })
}

fn float_power(base: f64, exponent: f64) -> Value {
    if base == 0.0 && exponent < 0.0 {
        return zero_divisor(base.powf(exponent));
    }
    finite(base.powf(exponent))
}

/// `powm(Base, Exponent, Modulus)`.
pub(super) fn power_modulo(base: Number, exponent: Number, modulus: Number) -> Value {
    let (base, exponent, modulus) = (integer(base)?, integer(exponent)?, integer(modulus)?);
    if exponent.is_negative() {
        return Err(Undefined::Domain("not_less_than_zero", big(exponent)));
    }
    if !modulus.is_positive() {
        return Err(Undefined::Domain("not_less_than_one", big(modulus)));
    }
    Ok(big(base.modpow(&exponent, &modulus)))
}
