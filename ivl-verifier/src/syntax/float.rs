//! Floating-point literals: `0x1.8e-3f24e8` is 1.5 times 16 to the power of -3, with a significand of 24
//! bits and an exponent of 8; `0NaN24e8`, `0+oo24e8` and `0-oo24e8` are the values that are no numbers.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

/// The value of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FloatValue {
    /// Not a number.
    NaN,
    /// Infinity, and whether it is the negative one.
    Infinity(bool),
    /// The bits of the interchange format: sign, exponent, significand.
    Bits(BigInt),
}

/// A literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Float {
    /// How many bits the exponent has.
    pub exponent: u32,
    /// How many bits the significand has, the hidden one included.
    pub significand: u32,
    /// The value.
    pub value: FloatValue,
}

/// The most bits that an exponent or significand may have.
const MAX_WIDTH: u32 = 1024;

/// Reads a literal. `None` if it is ill-formed, or stands for no value of its type exactly. Below the smallest normal
/// number it stands for the nearest subnormal one, as in Boogie, of two the even one, unless that is zero or no longer
/// subnormal.
#[must_use]
pub fn parse(text: &str) -> Option<Float> {
    let (rest, exponent) = text.rsplit_once('e')?;
    let digits = rest.rfind(|c: char| !c.is_ascii_digit())? + 1;
    let (exponent, significand): (u32, u32) = (exponent.parse().ok()?, rest[digits..].parse().ok()?);
    if !(2..=MAX_WIDTH).contains(&significand) || !(2..=30).contains(&exponent) {
        return None;
    }
    let value = match &rest[..digits] {
        "0NaN" | "0nan" => FloatValue::NaN,
        "0+oo" => FloatValue::Infinity(false),
        "0-oo" => FloatValue::Infinity(true),
        number => FloatValue::Bits(bits(number.strip_suffix('f')?, exponent, significand)?),
    };
    Some(Float { exponent, significand, value })
}

/// The bits of a hexadecimal number with an exponent that counts powers of 16.
fn bits(text: &str, exponent_width: u32, significand_width: u32) -> Option<BigInt> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (number, power) = text.strip_prefix("0x")?.rsplit_once('e')?;
    let (whole, fraction) = number.split_once('.')?;
    if whole.is_empty() || fraction.is_empty() {
        return None;
    }
    let mantissa = BigInt::parse_bytes(format!("{whole}{fraction}").as_bytes(), 16)?;
    let digits = power.strip_prefix('-').unwrap_or(power);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let sign =
        if negative { BigInt::one() << (exponent_width + significand_width - 1) } else { BigInt::zero() };
    if mantissa.is_zero() {
        return Some(sign);
    }
    let power: i64 = power.parse::<i32>().ok()?.into();
    // The value is mantissa * 2^scale.
    let scale = 4 * (power - i64::try_from(fraction.len()).ok()?);
    debug_assert_ne!(mantissa.sign(), Sign::Minus, "only digits were read");
    let bias = (1_i64 << (exponent_width - 1)) - 1;
    let fraction_width = i64::from(significand_width) - 1;
    // The power of two of the leading bit.
    let leading = i64::try_from(mantissa.bits()).ok()? - 1 + scale;
    if leading > bias {
        return None;
    }
    let subnormal = leading < 1 - bias;
    // How far the mantissa moves so that its last bit is the last one of the significand.
    let last = if subnormal { 1 - bias - fraction_width } else { leading - fraction_width };
    let shift = scale - last;
    if shift.abs() > 1 << 20 {
        return None;
    }
    let significand = if shift >= 0 {
        mantissa << shift
    } else {
        let kept = &mantissa >> -shift;
        let lost = &mantissa - (&kept << -shift);
        if lost.is_zero() {
            kept
        } else if subnormal {
            let half = BigInt::one() << (-shift - 1);
            let up = lost > half || lost == half && kept.bit(0);
            let rounded = kept + i32::from(up);
            let normal = BigInt::one() << fraction_width;
            if rounded.is_zero() || rounded >= normal {
                return None;
            }
            rounded
        } else {
            return None;
        }
    };
    let fraction = if subnormal { significand } else { significand - (BigInt::one() << fraction_width) };
    let biased = if subnormal { 0 } else { leading + bias };
    Some(sign + (BigInt::from(biased) << fraction_width) + fraction)
}
