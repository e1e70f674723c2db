//! Numbers as quotients of integers: in lowest terms, and floats as the fractions that they are or stand for.

use super::{Number, Rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

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
            Self::Rational(Box::new(Rational::reduced(numerator, denominator)))
        })
    }

    /// Numerator and denominator of an integer or a rational number; `None` of a float.
    #[must_use]
    pub fn to_ratio(&self) -> Option<(BigInt, BigInt)> {
        match self {
            Self::Rational(value) => Some((value.numerator().clone(), value.denominator().clone())),
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
            Self::Rational(value) => Self::Rational(Box::new(value.negated())),
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
