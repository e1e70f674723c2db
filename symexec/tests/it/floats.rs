//! Exact floating-point arithmetic agrees with the machine's, and with values worked out by hand where
//! the machine has none.

use proptest::prelude::*;
use symexec::base::bits::Bits;
use symexec::base::float::{
    FloatConversion, FloatFormat, FloatOp, FloatPredicate, FloatUnary, Operation, Outside,
};

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

/// The bits of a result. What is not a number is the first operand that is not, made quiet; if there is
/// none, the pattern that x86 makes of numbers. The machine's own choice is not asked, as a compiler may
/// have exchanged the operands.
fn result64(operands: &[f64], number: f64) -> Bits {
    let passed = operands.iter().find(|operand| operand.is_nan()).map(|nan| nan.to_bits() | 1 << 51);
    bits64(if number.is_nan() { f64::from_bits(passed.unwrap_or(0xfff8_0000_0000_0000)) } else { number })
}

fn result32(operands: &[f32], number: f32) -> Bits {
    let passed = operands.iter().find(|operand| operand.is_nan()).map(|nan| nan.to_bits() | 1 << 22);
    bits32(if number.is_nan() { f32::from_bits(passed.unwrap_or(0xffc0_0000)) } else { number })
}

/// The same number as a `float`: of what is none, the sign and the upper end of the fraction, quiet.
fn single(number: f64) -> f32 {
    let bits = number.to_bits();
    let nan = f32::from_bits((bits >> 32) as u32 & 1 << 31 | 0x7fc0_0000 | (bits >> 29) as u32 & 0x7f_ffff);
    if number.is_nan() { nan } else { number as f32 }
}

/// A number without its fraction as a signed integer of so many bits: the least one if it does not fit.
fn whole(number: f64, width: u32) -> u64 {
    let least = -(1i128 << (width - 1));
    // A cast goes to the nearest integer, and what is beyond 128 bits is beyond 64.
    let fits = (least..-least).contains(&(number as i128)) && !number.is_nan();
    (if fits { number as i128 } else { least }) as u64
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn operations_on_two_numbers_are_those_of_the_machine(a in doubles(), b in doubles()) {
        let (x, y) = (single(a), single(b));
        for (op, expected, expected_single) in [
            (FloatOp::Add, a + b, x + y),
            (FloatOp::Sub, a - b, x - y),
            (FloatOp::Mul, a * b, x * y),
            (FloatOp::Div, a / b, x / y),
            (FloatOp::Rem, a % b, x % y),
        ] {
            let found = Operation::Binary(op, FloatFormat::Double).evaluate(&[&bits64(a), &bits64(b)]);
            prop_assert_eq!(found, result64(&[a, b], expected), "{:?} {} {}", op, a, b);
            let operands = [&bits32(x), &bits32(y)];
            let found = Operation::Binary(op, FloatFormat::Single).evaluate(&operands);
            prop_assert_eq!(found, result32(&[x, y], expected_single), "{:?} {} {}", op, x, y);
        }
        let less = FloatPredicate { equal: false, less: true, greater: false, unordered: true };
        let found = Operation::Compare(less, FloatFormat::Double).evaluate(&[&bits64(a), &bits64(b)]);
        prop_assert_eq!(found, Bits::from_bool(a < b || a.is_nan() || b.is_nan()));
        let fused = Operation::Fused(FloatFormat::Double).evaluate(&[&bits64(a), &bits64(b), &bits64(a)]);
        prop_assert_eq!(fused, result64(&[b, a], a.mul_add(b, a)));
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
            prop_assert_eq!(found, result64(&[a], expected), "{:?} {}", op, a);
        }
        let convert = |conversion, operand: &Bits| Operation::Convert(conversion).evaluate(&[operand]);
        let narrow = FloatConversion::Format(FloatFormat::Double, FloatFormat::Single);
        prop_assert_eq!(convert(narrow, &bits64(a)), bits32(single(a)));
        let to_integer = |width, signed, outside| {
            let from = FloatFormat::Double;
            convert(FloatConversion::ToInteger { from, width, signed, outside }, &bits64(a))
        };
        prop_assert_eq!(to_integer(32, true, Outside::Nearest), Bits::new(32, u64::from(a as i32 as u32)));
        prop_assert_eq!(to_integer(64, false, Outside::Nearest), Bits::new(64, a as u64));
        for width in [16, 32, 64] {
            prop_assert_eq!(to_integer(width, true, Outside::Least), Bits::new(width, whole(a, width)));
        }
        let from = FloatConversion::FromInteger { width: 64, to: FloatFormat::Single, signed: true };
        prop_assert_eq!(convert(from, &Bits::new(64, integer as u64)), bits32(integer as f32));
        // There and back through wider formats loses nothing.
        for wide in [FloatFormat::Extended, FloatFormat::Quadruple] {
            let there = convert(FloatConversion::Format(FloatFormat::Double, wide), &bits64(a));
            let back = convert(FloatConversion::Format(wide, FloatFormat::Double), &there);
            prop_assert_eq!(back, result64(&[a], a));
        }
    }
}

/// All operations that the machine has too, on `float` and `double`.
fn of_machine() -> Vec<Operation> {
    let mut all = Vec::new();
    for format in [FloatFormat::Single, FloatFormat::Double] {
        for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Rem, FloatOp::CopySign] {
            all.push(Operation::Binary(op, format));
        }
        all.push(Operation::Fused(format));
        for op in [
            FloatUnary::Neg,
            FloatUnary::Abs,
            FloatUnary::Sqrt,
            FloatUnary::Floor,
            FloatUnary::Ceil,
            FloatUnary::Trunc,
            FloatUnary::Round,
            FloatUnary::RoundEven,
        ] {
            all.push(Operation::Unary(op, format));
        }
        for sides in 0..8 {
            let [equal, less, greater] = [1, 2, 4].map(|side| sides & side != 0);
            all.push(Operation::Compare(FloatPredicate { equal, less, greater, unordered: less }, format));
        }
        for to in [FloatFormat::Single, FloatFormat::Double] {
            all.push(Operation::Convert(FloatConversion::Format(format, to)));
        }
        for (width, signed) in [(8, true), (32, true), (32, false), (64, true), (64, false)] {
            for outside in [Outside::Nearest, Outside::Least] {
                let conversion = FloatConversion::ToInteger { from: format, width, signed, outside };
                all.push(Operation::Convert(conversion));
            }
            all.push(Operation::Convert(FloatConversion::FromInteger { width, to: format, signed }));
        }
    }
    all
}

/// How wide an operand of such an operation is.
fn operand_width(operation: Operation) -> u32 {
    match operation {
        Operation::Binary(_, format)
        | Operation::Unary(_, format)
        | Operation::Fused(format)
        | Operation::Compare(_, format) => format.width(),
        Operation::Convert(FloatConversion::Format(from, _) | FloatConversion::ToInteger { from, .. }) => {
            from.width()
        }
        Operation::Convert(FloatConversion::FromInteger { width, .. }) => width,
    }
}

proptest! {
    #[test]
    fn what_the_machine_computes_is_what_the_definitions_say(
        a in doubles(),
        b in doubles(),
        c in doubles(),
        raw in any::<bool>(),
    ) {
        let mut answered = 0;
        for operation in of_machine() {
            let width = operand_width(operation);
            let bits = |number: f64| {
                let narrowed = if width == 32 && !raw { u64::from((number as f32).to_bits()) } else { number.to_bits() };
                Bits::new(width, narrowed)
            };
            let (x, y, z) = (bits(a), bits(b), bits(c));
            let values = [&x, &y, &z].map(|operand| operand.to_u64().unwrap());
            if let Some(value) = operation.evaluate_natively(values) {
                answered += 1;
                let expected = operation.evaluate(&[&x, &y, &z]);
                prop_assert_eq!(Bits::new(operation.width(), value), expected, "{:?} {:?} {:?} {:?}", operation, x, y, z);
            }
        }
        // Conversions from integers are answered whatever the operands are.
        prop_assert!(answered >= 10);
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

/// Functions by formats are those with the older names, of numbers that are known and such as are not.
const BY_FORMATS: &str = r#"
#define _GNU_SOURCE
#include <klee/klee.h>
#include <math.h>
int main(void) {
  volatile double two = 2;
  int exponent = 0;
  double whole;
  klee_assert(sqrtf64(two + 0.25) == 1.5 && powf32x(two + 1, 4) == 81 && floorf32(-0.5f) == -1);
  klee_assert(fmaf64x(two, two, two) == 6 && cosf64(two - 2) == 1 && lroundf32x(two + 0.5) == 3);
  klee_assert(frexpf64(two, &exponent) == 0.5 && exponent == 2 && modff64(two + 0.75, &whole) == 0.75 && whole == 2);
  klee_assert(scalblnf32(1.5f, 3) == 12 && copysignf64x(two, -1) == -2 && ldexpf64(two, 3) == 16);
  short number;
  klee_make_symbolic(&number, sizeof number, "number");
  klee_assert(fabsf64(number) >= 0 && truncf32(number + 0.0f) == number);
  return 0;
}
"#;

#[test]
fn functions_of_mathematics_have_names_by_formats() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formats.c");
    std::fs::write(&file, BY_FORMATS).unwrap();
    let ran = crate::program::explore_files(&folder, &[file], &[]);
    assert_eq!((ran.code, ran.errors()), (0, vec![]), "{}", ran.stderr);
}

/// Sums and products that lie next to the middle between two numbers of the result's format: rounding first to the
/// operands' format gives another number. And exact functions of `_Float128`, and complex ones by formats.
const NARROWED: &str = r#"
#include <complex.h>
#include <klee/klee.h>
float fadd(double, double), fmul(double, double), fdiv(double, double), fsqrt(double), ffma(double, double, double);
double daddl(long double, long double), dsubl(long double, long double), f64addf128(__float128, __float128);
float f32addf64x(long double, long double);
__float128 floorf128(__float128), sqrtf128(__float128), fmaf128(__float128, __float128, __float128);
double cabsf64(double _Complex);
float _Complex conjf32(float _Complex);
double _Complex csqrtf32x(double _Complex);
int main(void) {
  volatile double middle = 1 + 0x1p-24, tiny = 0x1p-200, four = 4;
  volatile long double middle_of_double = 1 + 0x1p-53L;
  klee_assert(fadd(middle, tiny) == 1 + 0x1p-23f && fadd(middle, -tiny) == 1 && fadd(middle, 0) == 1);
  klee_assert((float)(middle + tiny) == 1 && fmul(middle, 1 + 0x1p-50) == 1 + 0x1p-23f && fdiv(1, 3) == 1.0f / 3);
  klee_assert(fsqrt(four) == 2 && ffma(middle, 1, tiny) == 1 + 0x1p-23f && ffma(-0.0, 1, -0.0) == 0);
  klee_assert(daddl(middle_of_double, tiny) == 1 + 0x1p-52 && dsubl(middle_of_double, tiny) == 1);
  klee_assert(f64addf128(middle_of_double, tiny) == 1 + 0x1p-52 && f32addf64x(middle, tiny) == 1 + 0x1p-23f);
  klee_assert(floorf128(-0.5) == -1 && sqrtf128(four) == 2 && fmaf128(four, four, 1) == 17);
  klee_assert(cabsf64(3 + 4i) == 5 && __imag__ conjf32(1 + 2i) == -2 && __real__ csqrtf32x(-1.0) == 0);
  return 0;
}
"#;

#[test]
fn narrower_results_are_rounded_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("narrow.c");
    std::fs::write(&file, NARROWED).unwrap();
    let ran = crate::program::explore_files(&folder, &[file], &[]);
    assert_eq!((ran.code, ran.errors()), (0, vec![]), "{}", ran.stderr);
}
