//! Rational numbers that are no integers, in lowest terms.

use super::Number;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// A numerator over a denominator above 1 that has no factor in common with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rational {
    numerator: BigInt,
    denominator: BigInt,
}

impl Rational {
    /// The numerator, which has the sign.
    #[must_use]
    pub fn numerator(&self) -> &BigInt {
        &self.numerator
    }

    /// The denominator, which is above 1.
    #[must_use]
    pub fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    /// The largest integer that is not larger.
    pub(crate) fn floor(&self) -> BigInt {
        self.numerator.div_floor(&self.denominator)
    }

    /// The nearest integer, of two the one away from zero.
    pub(crate) fn round(&self) -> BigInt {
        let two = BigInt::from(2);
        let magnitude =
            (self.numerator.abs() * &two + &self.denominator).div_floor(&(&self.denominator * two));
        if self.numerator.is_negative() { -magnitude } else { magnitude }
    }

    /// The integer part.
    pub(crate) fn truncate(&self) -> BigInt {
        &self.numerator / &self.denominator
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.numerator.is_negative()
    }
}

impl Number {
    /// A quotient in its normal form, as an integer where it is one; `None` of a divisor 0.
    #[must_use]
    pub fn quotient(dividend: BigInt, divisor: BigInt) -> Option<Self> {
        if divisor.is_zero() {
            return None;
        }
        let common = dividend.gcd(&divisor);
        let common = if divisor.is_negative() { -common } else { common };
        let (numerator, denominator) = (dividend / &common, divisor / common);
        Some(if denominator.is_one() {
            Self::integer(numerator)
        } else {
            Self::Rational(Box::new(Rational { numerator, denominator }))
        })
    }

    /// Numerator and denominator of an integer or a rational number; `None` of a float.
    #[must_use]
    pub fn to_ratio(&self) -> Option<(BigInt, BigInt)> {
        match self {
            Self::Rational(value) => Some((value.numerator.clone(), value.denominator.clone())),
            other => Some((other.to_big()?, BigInt::one())),
        }
    }

    /// The same with the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Int(value) => {
                value.checked_neg().map_or_else(|| Self::integer(-BigInt::from(value)), Self::Int)
            }
            Self::Big(value) => Self::integer(-value),
            Self::Float(value) => Self::Float(-value),
            Self::Rational(value) => Self::Rational(Box::new(Rational {
                numerator: -value.numerator,
                denominator: value.denominator,
            })),
        }
    }

    /// The rational number that a float is exactly; `None` of what is no number.
    pub(crate) fn exactly(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        let bits = value.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i64;
        let mantissa = bits & ((1 << 52) - 1);
        // Small floats have no hidden digit.
        let (mantissa, exponent) =
            if exponent == 0 { (mantissa, -1074) } else { (mantissa | 1 << 52, exponent - 1075) };
        let mantissa =
            if value.is_sign_negative() { -BigInt::from(mantissa) } else { BigInt::from(mantissa) };
        let power = BigInt::one() << exponent.unsigned_abs();
        if exponent < 0 { Self::quotient(mantissa, power) } else { Some(Self::integer(mantissa * power)) }
    }

    /// The first convergent of a float's continued fraction that is the same float.
    pub(crate) fn nearly(value: f64) -> Option<Self> {
        let (mut rest_over, mut rest_under) = Self::exactly(value)?.to_ratio()?;
        let (mut before, mut now) = ((BigInt::zero(), BigInt::one()), (BigInt::one(), BigInt::zero()));
        loop {
            let whole = rest_over.div_floor(&rest_under);
            let next = (&whole * &now.0 + before.0, &whole * &now.1 + before.1);
            (before, now) = (now, next);
            let convergent = Self::quotient(now.0.clone(), now.1.clone())?;
            let left = rest_over - whole * &rest_under;
            if convergent.to_f64() == value || left.is_zero() {
                return Some(convergent);
            }
            (rest_over, rest_under) = (rest_under, left);
        }
    }
}

/// Compares fractions with denominators above 0.
pub(super) fn compare_ratios(left: &(BigInt, BigInt), right: &(BigInt, BigInt)) -> Ordering {
    (&left.0 * &right.1).cmp(&(&right.0 * &left.1))
}

/// The float nearest to a quotient of integers; the divisor is not 0.
pub(crate) fn quotient_as_float(dividend: &BigInt, divisor: &BigInt) -> f64 {
    // As many digits of the quotient as a float has, and some; a last one stands for all that follow.
    let shift = divisor.bits() as i64 - dividend.bits() as i64 + 70;
    let (scaled, divisor) = if shift >= 0 {
        (dividend << shift.unsigned_abs(), divisor.clone())
    } else {
        (dividend.clone(), divisor << shift.unsigned_abs())
    };
    let (quotient, remainder) = scaled.div_rem(&divisor);
    let sticky = BigInt::from(u8::from(!remainder.is_zero()));
    let quotient =
        (quotient << 1_u8) + if scaled.is_negative() == divisor.is_negative() { sticky } else { -sticky };
    let mut value = quotient.to_f64().unwrap_or(f64::INFINITY);
    let mut exponent = -(shift + 1);
    // Powers of two are exact, but not every one of them is a float.
    while exponent != 0 {
        let step = exponent.clamp(-1000, 1000);
        value *= 2.0_f64.powi(step as i32);
        exponent -= step;
    }
    value
}

/// The integer that a float without a fraction is.
pub(super) fn whole(value: f64) -> BigInt {
    FromPrimitive::from_f64(value).unwrap_or_else(BigInt::zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_in_lowest_terms() {
        let of = |dividend: i64, divisor: i64| Number::quotient(dividend.into(), divisor.into());
        assert_eq!(of(6, -4), of(-3, 2));
        assert_eq!(of(6, -3), Some(Number::Int(-2)));
        assert_eq!(of(0, 5), Some(Number::Int(0)));
        assert_eq!(of(1, 0), None);
    }

    #[test]
    fn floats_are_rational_numbers_exactly_and_nearly() {
        for value in [0.1, -0.75, 1e-320, 5e300, 123_456.789] {
            assert_eq!(Number::exactly(value).map(|number| number.to_f64()), Some(value));
            assert_eq!(Number::nearly(value).map(|number| number.to_f64()), Some(value));
        }
        assert_eq!(Number::nearly(0.1), Number::quotient(1.into(), 10.into()));
        assert_eq!(Number::exactly(f64::NAN), None);
    }
}
