//! Exact floating-point arithmetic agrees with the machine's, and with values worked out by hand where
//! the machine has none.

use proptest::prelude::*;
use symexec::base::bits::Bits;
use symexec::base::float::{FloatConversion, FloatFormat, FloatOp, FloatPredicate, FloatUnary, Operation};

/// Numbers of all magnitudes, near each other and far apart, with the special ones.
fn doubles() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => any::<u64>().prop_map(f64::from_bits),
        2 => (-1000i32..1000).prop_map(|number| f64::from(number) / 8.0),
        1 => prop::sample::select(vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, 5e-324]),
        1 => (any::<u64>(), 1000u64..1060).prop_map(|(bits, exponent)| f64::from_bits(bits >> 12 | exponent << 52)),
    ]
}

fn bits64(number: f64) -> Bits {
    Bits::new(64, number.to_bits())
}

fn bits32(number: f32) -> Bits {
    Bits::new(32, u64::from(number.to_bits()))
}

/// The bits of a number, with one pattern for what is not a number: that which x86 makes of numbers.
fn canonical64(number: f64) -> Bits {
    bits64(if number.is_nan() { f64::from_bits(0xfff8_0000_0000_0000) } else { number })
}

fn canonical32(number: f32) -> Bits {
    bits32(if number.is_nan() { f32::from_bits(0xffc0_0000) } else { number })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn operations_on_two_numbers_are_those_of_the_machine(a in doubles(), b in doubles()) {
        for (op, expected, single) in [
            (FloatOp::Add, a + b, a as f32 + b as f32),
            (FloatOp::Sub, a - b, a as f32 - b as f32),
            (FloatOp::Mul, a * b, a as f32 * b as f32),
            (FloatOp::Div, a / b, a as f32 / b as f32),
            (FloatOp::Rem, a % b, a as f32 % b as f32),
        ] {
            let found = Operation::Binary(op, FloatFormat::Double).evaluate(&[&bits64(a), &bits64(b)]);
            prop_assert_eq!(found, canonical64(expected), "{:?} {} {}", op, a, b);
            let operands = [&bits32(a as f32), &bits32(b as f32)];
            let found = Operation::Binary(op, FloatFormat::Single).evaluate(&operands);
            prop_assert_eq!(found, canonical32(single), "{:?} {} {}", op, a as f32, b as f32);
        }
        let less = FloatPredicate { equal: false, less: true, greater: false, unordered: true };
        let found = Operation::Compare(less, FloatFormat::Double).evaluate(&[&bits64(a), &bits64(b)]);
        prop_assert_eq!(found, Bits::from_bool(a < b || a.is_nan() || b.is_nan()));
        let fused = Operation::Fused(FloatFormat::Double).evaluate(&[&bits64(a), &bits64(b), &bits64(a)]);
        prop_assert_eq!(fused, canonical64(a.mul_add(b, a)));
    }

    #[test]
    fn operations_on_one_number_are_those_of_the_machine(a in doubles(), integer in any::<i64>()) {
        for (op, expected) in [
            (FloatUnary::Sqrt, a.sqrt()),
            (FloatUnary::Floor, a.floor()),
            (FloatUnary::Ceil, a.ceil()),
            (FloatUnary::Trunc, a.trunc()),
            (FloatUnary::Round, a.round()),
            (FloatUnary::RoundEven, a.round_ties_even()),
        ] {
            let found = Operation::Unary(op, FloatFormat::Double).evaluate(&[&bits64(a)]);
            prop_assert_eq!(found, canonical64(expected), "{:?} {}", op, a);
        }
        let convert = |conversion, operand: &Bits| Operation::Convert(conversion).evaluate(&[operand]);
        let narrow = FloatConversion::Format(FloatFormat::Double, FloatFormat::Single);
        prop_assert_eq!(convert(narrow, &bits64(a)), canonical32(a as f32));
        let whole = FloatConversion::ToInteger { from: FloatFormat::Double, width: 32, signed: true };
        prop_assert_eq!(convert(whole, &bits64(a)), Bits::new(32, u64::from(a as i32 as u32)));
        let whole = FloatConversion::ToInteger { from: FloatFormat::Double, width: 64, signed: false };
        prop_assert_eq!(convert(whole, &bits64(a)), Bits::new(64, a as u64));
        let from = FloatConversion::FromInteger { width: 64, to: FloatFormat::Single, signed: true };
        prop_assert_eq!(convert(from, &Bits::new(64, integer as u64)), bits32(integer as f32));
        // There and back through wider formats loses nothing.
        for wide in [FloatFormat::Extended, FloatFormat::Quadruple] {
            let there = convert(FloatConversion::Format(FloatFormat::Double, wide), &bits64(a));
            let back = convert(FloatConversion::Format(wide, FloatFormat::Double), &there);
            prop_assert_eq!(back, canonical64(a));
        }
    }
}

/// Numbers of the x87 by sign and exponent, and significand.
fn extended(high: u64, low: u64) -> Bits {
    Bits::concat(&Bits::new(16, high), &Bits::new(64, low))
}

#[test]
fn the_wide_and_narrow_formats_round_as_their_definitions_say() {
    let divide = |format, a: &Bits, b: &Bits| Operation::Binary(FloatOp::Div, format).evaluate(&[a, b]);
    // 1/3 has the significand 0xaaaa...; the cut-off rest is above one half.
    let (one, three) = (extended(0x3fff, 1 << 63), extended(0x4000, 3 << 62));
    assert_eq!(divide(FloatFormat::Extended, &one, &three), extended(0x3ffd, 0xaaaa_aaaa_aaaa_aaab));
    // The least number, halved, is a tie that goes to the even zero; halves of the next go to it.
    let two = extended(0x4000, 1 << 63);
    assert_eq!(divide(FloatFormat::Extended, &extended(0, 1), &two), extended(0, 0));
    assert_eq!(divide(FloatFormat::Extended, &extended(0, 3), &two), extended(0, 2));
    assert_eq!(divide(FloatFormat::Extended, &one, &extended(0, 0)), extended(0x7fff, 1 << 63));
    // 1/3 in half precision is 0x3555: significand 1.0101010101 at exponent -2.
    let (one, three) = (Bits::new(16, 0x3c00), Bits::new(16, 0x4200));
    assert_eq!(divide(FloatFormat::Half, &one, &three), Bits::new(16, 0x3555));
    // 65504 is the greatest; 65519 still rounds to it, 65520 is a tie to the even infinity.
    let half = |number: u64| {
        let conversion = FloatConversion::FromInteger { width: 32, to: FloatFormat::Half, signed: false };
        Operation::Convert(conversion).evaluate(&[&Bits::new(32, number)])
    };
    assert_eq!(
        [half(65504), half(65519), half(65520)].map(|bits| bits.to_u64().unwrap()),
        [0x7bff, 0x7bff, 0x7c00]
    );
    // The upper half of 1/3 as a float, 0x3eaaaaab, rounds up to 0x3eab.
    let conversion = FloatConversion::Format(FloatFormat::Single, FloatFormat::Brain);
    let third = bits32(1.0 / 3.0);
    assert_eq!(Operation::Convert(conversion).evaluate(&[&third]), Bits::new(16, 0x3eab));
}

/// Zero over zero, once by the machine and once decided by the solver: the sign of both is set, as natively.
const ZERO_OVER_ZERO: &str = r#"
#include <klee/klee.h>
#include <string.h>
int main(void) {
  volatile double zero = 0;
  double known = zero / zero, unknown;
  unsigned long bits, all[2];
  klee_make_symbolic(&bits, sizeof bits, "bits");
  klee_assume(bits << 1 == 0);
  memcpy(&unknown, &bits, sizeof unknown);
  unknown = unknown / unknown;
  memcpy(all, &known, sizeof known);
  memcpy(all + 1, &unknown, sizeof unknown);
  klee_assert(all[0] == all[1] && all[0] == 0xfff8000000000000);
  return 0;
}
"#;

#[test]
fn what_is_no_number_has_the_same_bits_computed_from_known_and_unknown_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nan.c");
    std::fs::write(&file, ZERO_OVER_ZERO).unwrap();
    let ran = crate::program::explore_files(&folder, &[file], &["--no-equality-substitution"]);
    assert_eq!((ran.code, ran.result("completed")), (0, 1), "{}", ran.stderr);
}
