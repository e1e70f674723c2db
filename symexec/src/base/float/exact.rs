//! Floating-point numbers as exact binary fractions.
//!
//! A finite number is an integer times a power of two. Sums, products, remainders and what is rounded
//! to an integer are computed exactly; quotients and roots to more bits than any format has, with a last
//! bit that says whether something was cut off. Rounding happens in one place, [`Exact::encode`]. Costs
//! grow with the distance of exponents, at most some 33,000 bits.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::{FloatFormat, FloatOp, FloatUnary, Outside};
use crate::base::bits::Bits;

/// A number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exact {
    /// Not a number.
    Nan,
    /// An infinity; whether it is negative.
    Infinite(bool),
    /// `integer * 2^exponent`; zeros have a sign as well.
    Finite {
        /// Whether it is negative.
        negative: bool,
        /// The integer.
        integer: BigUint,
        /// The power of two.
        exponent: i64,
    },
}

/// More bits than the significand of any format, and some.
const PLENTY: u64 = 160;

impl Exact {
    fn zero(negative: bool) -> Self {
        Self::Finite { negative, integer: BigUint::zero(), exponent: 0 }
    }

    /// The number that bits stand for; `None` for a format that is not computed with.
    #[must_use]
    pub fn decode(format: FloatFormat, bits: &Bits) -> Option<Self> {
        let (exponent_bits, precision) = format.parts()?;
        let value = bits.to_big();
        let negative = value.bit(u64::from(format.width()) - 1);
        let explicit = matches!(format, FloatFormat::Extended);
        let stored = if explicit { precision } else { precision - 1 };
        let most = (1u64 << exponent_bits) - 1;
        let exponent = (&value >> stored).to_u64_digits().first().copied().unwrap_or(0) & most;
        let mut fraction = &value & ((BigUint::one() << stored) - 1u32);
        let bias = i64::from((1u32 << (exponent_bits - 1)) - 1);
        if exponent == most {
            fraction.set_bit(u64::from(precision) - 1, false);
            return Some(if fraction.is_zero() { Self::Infinite(negative) } else { Self::Nan });
        }
        if exponent != 0 && !explicit {
            fraction.set_bit(u64::from(precision) - 1, true);
        }
        let exponent = i64::try_from(exponent.max(1)).unwrap_or(1) - bias - i64::from(precision - 1);
        Some(Self::Finite { negative, integer: fraction, exponent })
    }

    /// The nearest number of a format, ties to even; `None` for a format that is not computed with.
    #[must_use]
    pub fn encode(&self, format: FloatFormat) -> Option<Bits> {
        let (exponent_bits, precision) = format.parts()?;
        let explicit = matches!(format, FloatFormat::Extended);
        let stored = if explicit { precision } else { precision - 1 };
        let most = (1u64 << exponent_bits) - 1;
        let bias = i64::from((1u32 << (exponent_bits - 1)) - 1);
        let build = |negative: bool, exponent: u64, fraction: BigUint| {
            let mut fraction = fraction;
            if !explicit {
                fraction.set_bit(u64::from(precision) - 1, false);
            }
            let sign = BigUint::from(u32::from(negative)) << (format.width() - 1);
            Bits::from_big(format.width(), &(sign | (BigUint::from(exponent) << stored) | fraction))
        };
        let leading = || BigUint::one() << (precision - 1);
        let (negative, integer, exponent) = match self {
            // The one that x86 makes where no operand is one: its sign is set.
            Self::Nan => return Some(build(true, most, leading() | (BigUint::one() << (precision - 2)))),
            Self::Infinite(negative) => return Some(build(*negative, most, leading())),
            Self::Finite { negative, integer, exponent } => (*negative, integer, *exponent),
        };
        if integer.is_zero() {
            return Some(build(negative, 0, BigUint::zero()));
        }
        let length = i64::try_from(integer.bits()).unwrap_or(i64::MAX);
        let least = 1 - bias - i64::from(precision - 1);
        // The exponent of the last bit that is kept.
        let last = (exponent + length - i64::from(precision)).max(least);
        let mut kept = shift_rounded(integer, exponent - last);
        let mut last = last;
        if kept.bits() > u64::from(precision) {
            kept >>= 1u32;
            last += 1;
        }
        let biased = if kept.bits() < u64::from(precision) { 0 } else { last - least + 1 };
        let biased = u64::try_from(biased).unwrap_or(0);
        if biased >= most {
            return Some(build(negative, most, leading()));
        }
        Some(build(negative, biased, kept))
    }

    /// An integer.
    #[must_use]
    pub fn from_integer(bits: &Bits, signed: bool) -> Self {
        let negative = signed && bits.bit(bits.width() - 1);
        let value = bits.to_big();
        let integer = if negative { (BigUint::one() << bits.width()) - value } else { value };
        Self::Finite { negative, integer, exponent: 0 }
    }

    /// The nearest integer towards zero; `outside` says which one if that does not fit.
    #[must_use]
    pub fn to_integer(&self, width: u32, signed: bool, outside: Outside) -> Bits {
        let one = || BigInt::one();
        let (least, most) = if signed {
            (-(one() << (width - 1)), (one() << (width - 1)) - 1)
        } else {
            (BigInt::zero(), (one() << width) - 1)
        };
        let whole = match self {
            Self::Nan | Self::Infinite(_) => None,
            Self::Finite { negative, integer, exponent } => {
                let whole = if *exponent >= 0 {
                    integer << exponent.unsigned_abs()
                } else {
                    integer >> exponent.unsigned_abs()
                };
                let sign = if *negative { Sign::Minus } else { Sign::Plus };
                Some(BigInt::from_biguint(sign, whole)).filter(|whole| least <= *whole && *whole <= most)
            }
        };
        let value = whole.unwrap_or_else(|| match (outside, self) {
            (Outside::Least, _) => one() << (width - 1),
            (Outside::Nearest, Self::Nan) => BigInt::zero(),
            (Outside::Nearest, _) if self.is_negative() => least,
            (Outside::Nearest, _) => most,
        });
        let modulus = BigInt::one() << width;
        let value = value.mod_floor(&modulus).to_biguint().unwrap_or_default();
        Bits::from_big(width, &value)
    }

    fn is_negative(&self) -> bool {
        matches!(self, Self::Infinite(true) | Self::Finite { negative: true, .. })
    }

    fn is_zero(&self) -> bool {
        matches!(self, Self::Finite { integer, .. } if integer.is_zero())
    }

    fn with_sign(self, negative: bool) -> Self {
        match self {
            Self::Nan => Self::Nan,
            Self::Infinite(_) => Self::Infinite(negative),
            Self::Finite { integer, exponent, .. } => Self::Finite { negative, integer, exponent },
        }
    }

    /// How it compares to another; `None` if one is not a number.
    #[must_use]
    pub fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Nan, _) | (_, Self::Nan) => None,
            (Self::Infinite(a), Self::Infinite(b)) => Some(b.cmp(a)),
            (Self::Infinite(negative), _) => Some(if *negative { Ordering::Less } else { Ordering::Greater }),
            (_, Self::Infinite(negative)) => Some(if *negative { Ordering::Greater } else { Ordering::Less }),
            _ => {
                let difference = self.binary(FloatOp::Sub, other);
                Some(match difference {
                    difference if difference.is_zero() => Ordering::Equal,
                    difference if difference.is_negative() => Ordering::Less,
                    _ => Ordering::Greater,
                })
            }
        }
    }

    /// An operation on two numbers, exact but for what [`Self::encode`] rounds away in any case.
    #[must_use]
    pub fn binary(&self, op: FloatOp, other: &Self) -> Self {
        if op == FloatOp::CopySign {
            // The sign of what is not a number is not kept here; whoever needs it works on the bits.
            return self.clone().with_sign(other.is_negative());
        }
        if matches!((self, other), (Self::Nan, _) | (_, Self::Nan)) {
            return Self::Nan;
        }
        match op {
            FloatOp::Add => self.plus(other),
            FloatOp::Sub => self.plus(&other.clone().with_sign(!other.is_negative())),
            FloatOp::Mul => self.times(other),
            FloatOp::Div => self.over(other),
            FloatOp::Rem | FloatOp::CopySign => self.remainder(other),
        }
    }

    fn plus(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Infinite(a), Self::Infinite(b)) if a != b => Self::Nan,
            (Self::Infinite(negative), _) | (_, Self::Infinite(negative)) => Self::Infinite(*negative),
            (
                Self::Finite { negative: a, integer: x, exponent: e },
                Self::Finite { negative: b, integer: y, exponent: f },
            ) => {
                if x.is_zero() && y.is_zero() {
                    return Self::zero(*a && *b);
                }
                let exponent = *e.min(f);
                let (x, y) = (x << (e - exponent).unsigned_abs(), y << (f - exponent).unsigned_abs());
                let sign = |negative: bool| if negative { Sign::Minus } else { Sign::Plus };
                let sum = BigInt::from_biguint(sign(*a), x) + BigInt::from_biguint(sign(*b), y);
                Self::Finite {
                    negative: sum.sign() == Sign::Minus,
                    integer: sum.magnitude().clone(),
                    exponent,
                }
            }
            (Self::Nan, _) | (_, Self::Nan) => Self::Nan,
        }
    }

    fn times(&self, other: &Self) -> Self {
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Self::Infinite(_), _) | (_, Self::Infinite(_)) if self.is_zero() || other.is_zero() => Self::Nan,
            (Self::Infinite(_), _) | (_, Self::Infinite(_)) => Self::Infinite(negative),
            (Self::Finite { integer: x, exponent: e, .. }, Self::Finite { integer: y, exponent: f, .. }) => {
                Self::Finite { negative, integer: x * y, exponent: e + f }
            }
            (Self::Nan, _) | (_, Self::Nan) => Self::Nan,
        }
    }

    fn over(&self, other: &Self) -> Self {
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Self::Infinite(_), Self::Infinite(_)) => Self::Nan,
            (Self::Infinite(_), _) => Self::Infinite(negative),
            (_, Self::Infinite(_)) => Self::zero(negative),
            (Self::Finite { integer: x, exponent: e, .. }, Self::Finite { integer: y, exponent: f, .. }) => {
                match (x.is_zero(), y.is_zero()) {
                    (true, true) => return Self::Nan,
                    (true, false) => return Self::zero(negative),
                    (false, true) => return Self::Infinite(negative),
                    (false, false) => {}
                }
                let more = PLENTY + y.bits();
                let (quotient, rest) = (x << more).div_rem(y);
                let integer = (quotient << 1u32) | BigUint::from(u32::from(!rest.is_zero()));
                let more = i64::try_from(more).unwrap_or(i64::MAX);
                Self::Finite { negative, integer, exponent: e - f - more - 1 }
            }
            (Self::Nan, _) | (_, Self::Nan) => Self::Nan,
        }
    }

    fn remainder(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Infinite(_) | Self::Nan, _) | (_, Self::Nan) => Self::Nan,
            (_, Self::Infinite(_)) => self.clone(),
            (
                Self::Finite { negative, integer: x, exponent: e },
                Self::Finite { integer: y, exponent: f, .. },
            ) => {
                if y.is_zero() {
                    return Self::Nan;
                }
                let exponent = *e.min(f);
                let (x, y) = (x << (e - exponent).unsigned_abs(), y << (f - exponent).unsigned_abs());
                Self::Finite { negative: *negative, integer: x % y, exponent }
            }
        }
    }

    /// An operation on one number.
    #[must_use]
    pub fn unary(&self, op: FloatUnary) -> Self {
        match op {
            FloatUnary::Neg => self.clone().with_sign(!self.is_negative()),
            FloatUnary::Abs => self.clone().with_sign(false),
            FloatUnary::Sqrt => self.root(),
            _ => self.integral(op),
        }
    }

    fn root(&self) -> Self {
        match self {
            Self::Finite { integer, .. } if integer.is_zero() => self.clone(),
            Self::Infinite(false) => Self::Infinite(false),
            Self::Finite { negative: false, integer, exponent } => {
                // An even exponent, and enough bits.
                let mut more = i64::try_from(2 * PLENTY).unwrap_or(0);
                if (exponent - more).rem_euclid(2) == 1 {
                    more += 1;
                }
                let wide = integer << more.unsigned_abs();
                let root = wide.sqrt();
                let rest = &wide - &root * &root;
                let integer = (root << 1u32) | BigUint::from(u32::from(!rest.is_zero()));
                Self::Finite { negative: false, integer, exponent: (exponent - more) / 2 - 1 }
            }
            _ => Self::Nan,
        }
    }

    fn integral(&self, op: FloatUnary) -> Self {
        let Self::Finite { negative, integer, exponent } = self else { return self.clone() };
        if *exponent >= 0 {
            return self.clone();
        }
        let cut = exponent.unsigned_abs();
        let whole = integer >> cut;
        let rest = integer - (&whole << cut);
        let half = BigUint::one() << (cut - 1);
        let up = match op {
            FloatUnary::Floor => *negative && !rest.is_zero(),
            FloatUnary::Ceil => !*negative && !rest.is_zero(),
            FloatUnary::Round => rest >= half,
            FloatUnary::RoundEven => match rest.cmp(&half) {
                Ordering::Less => false,
                Ordering::Equal => whole.is_odd(),
                Ordering::Greater => true,
            },
            _ => false,
        };
        let integer = if up { whole + 1u32 } else { whole };
        Self::Finite { negative: *negative, integer, exponent: 0 }
    }
}

/// `value * 2^shift`, rounded to the nearest integer, ties to even.
fn shift_rounded(value: &BigUint, shift: i64) -> BigUint {
    if shift >= 0 {
        return value << shift.unsigned_abs();
    }
    let cut = shift.unsigned_abs();
    if cut > value.bits() + 1 {
        return BigUint::zero();
    }
    let kept = value >> cut;
    let rest = value - (&kept << cut);
    let up = match rest.cmp(&(BigUint::one() << (cut - 1))) {
        Ordering::Less => false,
        Ordering::Equal => kept.is_odd(),
        Ordering::Greater => true,
    };
    if up { kept + 1u32 } else { kept }
}

impl std::fmt::Display for Exact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        match self {
            Self::Nan => f.write_str("nan"),
            Self::Infinite(_) => write!(f, "{sign}inf"),
            Self::Finite { integer, exponent, .. } => match integer.to_u64() {
                Some(small) => write!(f, "{sign}{small}p{exponent}"),
                None => write!(f, "{sign}{integer}p{exponent}"),
            },
        }
    }
}
