//! Ranges of numbers and truth values, and what arithmetic makes of them.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// How many bits a product may have to be a bound.
const LARGEST: u64 = 4_096;

/// The numbers between two whole ones, both included; an absent bound is infinite. Truth values are 0 and 1. Never
/// empty: where nothing is left there is no range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: Option<BigInt>,
    pub(super) high: Option<BigInt>,
}

impl Range {
    /// All numbers.
    pub(super) const ALL: Self = Self { low: None, high: None };

    pub(super) fn exactly(value: BigInt) -> Self {
        Self { low: Some(value.clone()), high: Some(value) }
    }

    pub(super) fn truth(value: bool) -> Self {
        Self::exactly(BigInt::from(u8::from(value)))
    }

    /// The only number in it, if there is just one.
    pub(super) fn only(&self) -> Option<&BigInt> {
        self.low.as_ref().filter(|low| Some(*low) == self.high.as_ref())
    }

    /// What is in both; nothing if they have nothing in common.
    pub(super) fn meet(self, other: Self) -> Option<Self> {
        let low = match (self.low, other.low) {
            (Some(one), Some(two)) => Some(one.max(two)),
            (one, two) => one.or(two),
        };
        let high = match (self.high, other.high) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        let empty = low.as_ref().zip(high.as_ref()).is_some_and(|(low, high)| low > high);
        (!empty).then_some(Self { low, high })
    }

    /// The smallest range around both.
    pub(super) fn join(&self, other: &Self) -> Self {
        Self {
            low: self.low.as_ref().zip(other.low.as_ref()).map(|(one, two)| one.min(two).clone()),
            high: self.high.as_ref().zip(other.high.as_ref()).map(|(one, two)| one.max(two).clone()),
        }
    }

    /// This range, which `grown` contains, or the next larger one whose bounds are among the sorted `steps`: what is
    /// repeated ends, since there are only so many steps.
    pub(super) fn widen(&self, grown: &Self, steps: &[BigInt]) -> Self {
        let low = match &grown.low {
            Some(low) if grown.low != self.low => {
                steps.partition_point(|it| it <= low).checked_sub(1).map(|at| steps[at].clone())
            }
            low => low.clone(),
        };
        let high = match &grown.high {
            Some(high) if grown.high != self.high => {
                steps.get(steps.partition_point(|it| it < high)).cloned()
            }
            high => high.clone(),
        };
        Self { low, high }
    }

    pub(super) fn negate(self) -> Self {
        Self { low: self.high.map(|it| -it), high: self.low.map(|it| -it) }
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        let sum =
            |one: &Option<BigInt>, two: &Option<BigInt>| one.as_ref().zip(two.as_ref()).map(|(a, b)| a + b);
        Self { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }

    pub(super) fn multiply(&self, other: &Self) -> Self {
        if let (Some(a), Some(b), Some(c), Some(d)) = (&self.low, &self.high, &other.low, &other.high) {
            // Squares of squares would fill the memory.
            if a.bits().max(b.bits()) + c.bits().max(d.bits()) > LARGEST {
                return Self::ALL;
            }
            let products = [a * c, a * d, b * c, b * d];
            let (low, high) = (products.iter().min().cloned(), products.iter().max().cloned());
            return Self { low, high };
        }
        // Of half-lines only those that do not leave the positive numbers are looked at.
        match (&self.low, &other.low) {
            (Some(a), Some(c)) if !a.is_negative() && !c.is_negative() => {
                let low = (a.bits() + c.bits() <= LARGEST).then(|| a * c);
                Self { low, high: None }
            }
            _ => Self::ALL,
        }
    }

    /// The whole quotient, rounded so that the remainder is not negative.
    pub(super) fn divide(&self, other: &Self) -> Self {
        match other.only() {
            // By a positive number that is rounding down, which keeps the order.
            Some(by) if by.is_positive() => {
                let quotient = |it: &Option<BigInt>| it.as_ref().map(|it| it.div_floor(by));
                Self { low: quotient(&self.low), high: quotient(&self.high) }
            }
            _ => Self::ALL,
        }
    }

    /// The remainder, which is not negative and less than the divisor, whatever the sign of that.
    pub(super) fn remainder(other: &Self) -> Self {
        match other.only() {
            Some(by) if !by.is_zero() => {
                Self { low: Some(BigInt::zero()), high: Some(by.abs() - BigInt::one()) }
            }
            _ => Self::ALL,
        }
    }
}
