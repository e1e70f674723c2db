//! Rational numbers that are no integers, in lowest terms.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// A numerator over a denominator above 1 that has no factor in common with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rational {
    numerator: BigInt,
    denominator: BigInt,
}

impl Rational {
    /// A fraction in lowest terms with a denominator above 1.
    pub(super) fn reduced(numerator: BigInt, denominator: BigInt) -> Self {
        Self { numerator, denominator }
    }

    /// The same with the other sign.
    pub(super) fn negated(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }

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
