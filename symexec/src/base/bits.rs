//! Concrete bit vectors of any width, with the meaning of SMT-LIB's `FixedSizeBitVectors`.
//!
//! Up to 64 bits are inline; wider ones are big integers. Every operation is total: division by zero
//! gives all ones and the remainder of it the dividend, shifts by the width or more give what is
//! shifted in. So concrete evaluation, construction-time folding and the solver can never disagree.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// An operation on two bit vectors of one width that gives a third of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum BinaryOp {
    /// Sum modulo 2^width.
    Add,
    /// Difference modulo 2^width.
    Sub,
    /// Product modulo 2^width.
    Mul,
    /// Unsigned quotient.
    UDiv,
    /// Signed quotient, rounded to zero.
    SDiv,
    /// Unsigned remainder.
    URem,
    /// Signed remainder with the dividend's sign.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift to the left.
    Shl,
    /// Shift to the right, zeros come in.
    LShr,
    /// Shift to the right, copies of the sign come in.
    AShr,
}

impl BinaryOp {
    /// Every operation.
    pub const ALL: [Self; 13] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::UDiv,
        Self::SDiv,
        Self::URem,
        Self::SRem,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Shl,
        Self::LShr,
        Self::AShr,
    ];
}

/// A comparison of two bit vectors of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum CompareOp {
    /// Equal.
    Eq,
    /// Unsigned less than.
    Ult,
    /// Signed less than.
    Slt,
}

/// A bit vector: a width of at least one and a value below 2^width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Value {
    /// Widths up to 64.
    Small(u64),
    /// Wider ones.
    Wide(BigUint),
}

/// All ones in the low `width` bits; `width` is at most 64.
#[must_use]
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The signed reading of the low `width` bits; `width` is from 1 to 64.
#[must_use]
pub fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

/// [`Bits::binary`] for widths up to 64; both operands are below 2^width, and so is the result.
#[must_use]
#[inline]
pub fn small_binary(op: BinaryOp, width: u32, a: u64, b: u64) -> u64 {
    let all = mask(width);
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).unwrap_or(all),
        BinaryOp::URem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::SDiv => {
            let (x, y) = (signed(a, width), signed(b, width));
            match y {
                0 if x < 0 => 1,
                0 => all,
                _ => x.wrapping_div(y) as u64,
            }
        }
        BinaryOp::SRem => match signed(b, width) {
            0 => a,
            y => signed(a, width).wrapping_rem(y) as u64,
        },
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => {
            if b >= u64::from(width) {
                0
            } else {
                a << b
            }
        }
        BinaryOp::LShr => {
            if b >= u64::from(width) {
                0
            } else {
                a >> b
            }
        }
        BinaryOp::AShr => (signed(a, width) >> b.min(63)) as u64,
    };
    result & all
}

/// [`Bits::compare`] for widths up to 64.
#[must_use]
#[inline]
pub fn small_compare(op: CompareOp, width: u32, a: u64, b: u64) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ult => a < b,
        CompareOp::Slt => signed(a, width) < signed(b, width),
    }
}

impl Bits {
    /// The low `width` bits of `value`.
    #[must_use]
    pub fn new(width: u32, value: u64) -> Self {
        if width <= 64 {
            Self { width, value: Value::Small(value & mask(width)) }
        } else {
            Self { width, value: Value::Wide(BigUint::from(value)) }
        }
    }

    /// The low `width` bits of a big integer.
    #[must_use]
    pub fn from_big(width: u32, value: &BigUint) -> Self {
        let value = value % (BigUint::one() << width);
        if width <= 64 {
            Self { width, value: Value::Small(value.to_u64().unwrap_or(0)) }
        } else {
            Self { width, value: Value::Wide(value) }
        }
    }

    fn from_signed(width: u32, value: &BigInt) -> Self {
        let modulus = BigInt::from(BigUint::one() << width);
        Self::from_big(width, &value.mod_floor(&modulus).to_biguint().unwrap_or_default())
    }

    /// Little-endian bytes, of which the low `width` bits are taken.
    #[must_use]
    pub fn from_le_bytes(width: u32, bytes: &[u8]) -> Self {
        Self::from_big(width, &BigUint::from_bytes_le(bytes))
    }

    /// A truth value as one bit.
    #[must_use]
    pub fn from_bool(value: bool) -> Self {
        Self::new(1, u64::from(value))
    }

    /// The number of bits.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value if it fits 64 bits, whatever the width.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.value {
            Value::Small(value) => Some(*value),
            Value::Wide(value) => value.to_u64(),
        }
    }

    /// The value as a big integer.
    #[must_use]
    pub fn to_big(&self) -> BigUint {
        match &self.value {
            Value::Small(value) => BigUint::from(*value),
            Value::Wide(value) => value.clone(),
        }
    }

    fn to_signed(&self) -> BigInt {
        let value = BigInt::from_biguint(Sign::Plus, self.to_big());
        if self.bit(self.width - 1) { value - BigInt::from(BigUint::one() << self.width) } else { value }
    }

    /// As many little-endian bytes as the width needs, the last padded with zeros.
    #[must_use]
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let mut bytes = self.to_big().to_bytes_le();
        bytes.resize(self.width.div_ceil(8) as usize, 0);
        bytes
    }

    /// The bit at a position, counted from the lowest.
    #[must_use]
    pub fn bit(&self, position: u32) -> bool {
        match &self.value {
            Value::Small(value) => position < 64 && (value >> position) & 1 == 1,
            Value::Wide(value) => value.bit(u64::from(position)),
        }
    }

    /// Whether all bits are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match &self.value {
            Value::Small(value) => *value == 0,
            Value::Wide(value) => value.is_zero(),
        }
    }

    /// Whether all bits are one.
    #[must_use]
    pub fn is_ones(&self) -> bool {
        match &self.value {
            Value::Small(value) => *value == mask(self.width),
            Value::Wide(value) => value.count_ones() == u64::from(self.width),
        }
    }

    /// All bits inverted.
    #[must_use]
    pub fn not(&self) -> Self {
        match &self.value {
            Value::Small(value) => Self::new(self.width, !value),
            Value::Wide(value) => {
                let ones = (BigUint::one() << self.width) - 1u32;
                Self { width: self.width, value: Value::Wide(ones - value) }
            }
        }
    }

    /// The result of an operation. Both operands have this width.
    #[must_use]
    pub fn binary(op: BinaryOp, a: &Self, b: &Self) -> Self {
        let width = a.width;
        if let (Value::Small(x), Value::Small(y)) = (&a.value, &b.value) {
            return Self { width, value: Value::Small(small_binary(op, width, *x, *y)) };
        }
        let (x, y) = (a.to_big(), b.to_big());
        let shift = y.to_u64().filter(|shift| *shift < u64::from(width));
        match op {
            BinaryOp::Add => Self::from_big(width, &(x + y)),
            BinaryOp::Sub => Self::from_signed(width, &(BigInt::from(x) - BigInt::from(y))),
            BinaryOp::Mul => Self::from_big(width, &(x * y)),
            BinaryOp::UDiv if y.is_zero() => Self::new(width, 0).not(),
            BinaryOp::UDiv => Self::from_big(width, &(x / y)),
            BinaryOp::URem if y.is_zero() => a.clone(),
            BinaryOp::URem => Self::from_big(width, &(x % y)),
            BinaryOp::SDiv if y.is_zero() && a.bit(width - 1) => Self::new(width, 1),
            BinaryOp::SDiv if y.is_zero() => Self::new(width, 0).not(),
            BinaryOp::SDiv => Self::from_signed(width, &(a.to_signed() / b.to_signed())),
            BinaryOp::SRem if y.is_zero() => a.clone(),
            BinaryOp::SRem => Self::from_signed(width, &(a.to_signed() % b.to_signed())),
            BinaryOp::And => Self::from_big(width, &(x & y)),
            BinaryOp::Or => Self::from_big(width, &(x | y)),
            BinaryOp::Xor => Self::from_big(width, &(x ^ y)),
            BinaryOp::Shl => shift.map_or(Self::new(width, 0), |s| Self::from_big(width, &(x << s))),
            BinaryOp::LShr => shift.map_or(Self::new(width, 0), |s| Self::from_big(width, &(x >> s))),
            BinaryOp::AShr => {
                let shift = shift.unwrap_or(u64::from(width));
                Self::from_signed(width, &(a.to_signed() >> shift))
            }
        }
    }

    /// Whether a comparison holds. Both operands have one width.
    #[must_use]
    pub fn compare(op: CompareOp, a: &Self, b: &Self) -> bool {
        if let (Value::Small(x), Value::Small(y)) = (&a.value, &b.value) {
            return small_compare(op, a.width, *x, *y);
        }
        match op {
            CompareOp::Eq => a.to_big() == b.to_big(),
            CompareOp::Ult => a.to_big() < b.to_big(),
            CompareOp::Slt => a.to_signed() < b.to_signed(),
        }
    }

    /// The `width` bits from position `low` on; they lie inside.
    #[must_use]
    pub fn extract(&self, low: u32, width: u32) -> Self {
        match &self.value {
            Value::Small(value) => Self::new(width, value.checked_shr(low).unwrap_or(0)),
            Value::Wide(value) => Self::from_big(width, &(value >> low)),
        }
    }

    /// `high` above `low`.
    #[must_use]
    pub fn concat(high: &Self, low: &Self) -> Self {
        let width = high.width + low.width;
        Self::from_big(width, &((high.to_big() << low.width) | low.to_big()))
    }

    /// Zeros added above up to `width`.
    #[must_use]
    pub fn zero_extend(&self, width: u32) -> Self {
        match &self.value {
            Value::Small(value) => Self::new(width, *value),
            Value::Wide(value) => Self::from_big(width, value),
        }
    }

    /// Copies of the highest bit added above up to `width`.
    #[must_use]
    pub fn sign_extend(&self, width: u32) -> Self {
        match &self.value {
            Value::Small(value) if width <= 64 => Self::new(width, signed(*value, self.width) as u64),
            _ => Self::from_signed(width, &self.to_signed()),
        }
    }
}
