//! Ranges of numbers and truth values, and what arithmetic makes of them: as much as Boogie says, unless that is wrong.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{One, Signed};

/// How many bits a product may have to be a bound.
const LARGEST: u64 = 4_096;

/// The numbers between two whole ones, both included; an absent bound is infinite. Truth values are 0 and 1. Never
/// empty: where nothing is left there is no range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: Option<BigInt>,
    pub(super) high: Option<BigInt>,
}

/// Where widening stops; both sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct Thresholds {
    pub(super) low: Vec<BigInt>,
    pub(super) high: Vec<BigInt>,
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

    /// The truth value that it is, if it is one.
    pub(super) fn as_truth(&self) -> Option<bool> {
        self.only().map(One::is_one)
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

    /// Whether all that is in it is in another one.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        let low = other.low.as_ref().is_none_or(|least| self.low.as_ref().is_some_and(|it| it >= least));
        low && other.high.as_ref().is_none_or(|most| self.high.as_ref().is_some_and(|it| it <= most))
    }

    /// A range around both whose bounds, where they had to move, are among the thresholds: what is repeated ends,
    /// since there are only so many.
    pub(super) fn widen(&self, other: &Self, thresholds: &Thresholds) -> Self {
        let joined = self.join(other);
        let low = match joined.low {
            Some(low) if Some(&low) != self.low.as_ref() => {
                thresholds.low.iter().rev().find(|it| **it <= low).cloned()
            }
            low => low,
        };
        let high = match joined.high {
            Some(high) if Some(&high) != self.high.as_ref() => {
                thresholds.high.iter().find(|it| **it >= high).cloned()
            }
            high => high,
        };
        Self { low, high }
    }

    /// How each number of this one stands to each of another one, if that is the same for all: less or equal, and so
    /// on.
    pub(super) fn compare(&self, other: &Self) -> Comparison {
        let order =
            |a: &Option<BigInt>, b: &Option<BigInt>| a.as_ref().zip(b.as_ref()).map(|(a, b)| a.cmp(b));
        Comparison {
            most_to_least: order(&self.high, &other.low),
            least_to_most: order(&self.low, &other.high),
        }
    }

    pub(super) fn negate(self) -> Self {
        Self { low: self.high.map(|it| -it), high: self.low.map(|it| -it) }
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        let sum =
            |one: &Option<BigInt>, two: &Option<BigInt>| one.as_ref().zip(two.as_ref()).map(|(a, b)| a + b);
        Self { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }

    /// Of factors that may be negative little is said.
    pub(super) fn multiply(&self, other: &Self) -> Self {
        // Squares of squares would fill the memory.
        let product = |a: &BigInt, b: &BigInt| (a.bits() + b.bits() <= LARGEST).then(|| a * b);
        let (Some(a), Some(b)) = (&self.low, &other.low) else { return Self::ALL };
        let most = self.high.as_ref().zip(other.high.as_ref());
        if !a.is_negative() && !b.is_negative() {
            return Self { low: product(a, b), high: most.and_then(|(a, b)| product(a, b)) };
        }
        // Boogie says this also where a factor may be positive, which is wrong: -2 * -2 is not the largest of the
        // squares of the numbers from -2 to 5.
        let no_positive = most.is_some_and(|(a, b)| !a.is_positive() && !b.is_positive());
        let high = if no_positive { product(a, b) } else { None };
        Self { low: None, high }
    }

    /// The quotient of numbers that are not negative. Boogie says the same of divisors that may be 0, or less than 1,
    /// which is wrong.
    pub(super) fn divide(&self, other: &Self) -> Self {
        if self.is_natural() && other.is_positive() {
            Self { low: Some(BigInt::ZERO), high: self.high.clone() }
        } else {
            Self::ALL
        }
    }

    /// The remainder of numbers that are not negative. As for divisors, Boogie says it of those that may be 0 as well.
    pub(super) fn remainder(&self, other: &Self) -> Self {
        if !self.is_natural() || !other.is_positive() {
            return Self::ALL;
        }
        if self.compare(other).most_to_least == Some(Ordering::Less) {
            return self.clone();
        }
        // One less would be true as well.
        Self { low: Some(BigInt::ZERO), high: other.high.clone() }
    }

    fn is_natural(&self) -> bool {
        self.low.as_ref().is_some_and(|it| !it.is_negative())
    }

    fn is_positive(&self) -> bool {
        self.low.as_ref().is_some_and(Signed::is_positive)
    }
}

/// How two ranges stand to each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    most_to_least: Option<Ordering>,
    least_to_most: Option<Ordering>,
}

impl Comparison {
    /// Whether what is in the first is less than what is in the second.
    pub(super) fn less(self) -> Option<bool> {
        match (self.most_to_least, self.least_to_most) {
            (Some(Ordering::Less), _) => Some(true),
            (_, Some(Ordering::Greater | Ordering::Equal)) => Some(false),
            _ => None,
        }
    }

    /// Whether it is less or equal.
    pub(super) fn at_most(self) -> Option<bool> {
        match (self.most_to_least, self.least_to_most) {
            (Some(Ordering::Less | Ordering::Equal), _) => Some(true),
            (_, Some(Ordering::Greater)) => Some(false),
            _ => None,
        }
    }

    /// Whether it is equal.
    pub(super) fn equal(self) -> Option<bool> {
        match (self.most_to_least, self.least_to_most) {
            (Some(Ordering::Less), _) | (_, Some(Ordering::Greater)) => Some(false),
            (Some(Ordering::Equal), Some(Ordering::Equal)) => Some(true),
            _ => None,
        }
    }
}
