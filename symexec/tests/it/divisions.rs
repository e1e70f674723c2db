//! What is known of quotients and remainders without dividing is true.

use symexec::base::bits::{BinaryOp, Bits, CompareOp};
use symexec::expr::{Arena, Evaluator, ExprId, Model, RenameInputs};

/// A dividend, a divisor and what is made of them: by the arena, and by hand.
type Made = (ExprId, Bits);

fn apply(arena: &mut Arena, op: BinaryOp, (a, x): &Made, (b, y): &Made) -> Made {
    (arena.binary(op, *a, *b), Bits::binary(op, x, y))
}

/// What programs make of quotients and remainders by one divisor, and comparisons of these with constants.
fn divisions(arena: &mut Arena, x: &Made, d: &Made, bounds: &[Made]) -> Vec<Made> {
    let mut all = Vec::new();
    for (div, rem) in [(BinaryOp::UDiv, BinaryOp::URem), (BinaryOp::SDiv, BinaryOp::SRem)] {
        let quotient = apply(arena, div, x, d);
        let rest = apply(arena, rem, x, d);
        let multiple = apply(arena, BinaryOp::Mul, &quotient, d);
        let whole = apply(arena, BinaryOp::Add, &multiple, &rest);
        let taken = apply(arena, BinaryOp::Sub, x, &multiple);
        let lower = apply(arena, BinaryOp::Sub, x, &rest);
        let shifted = apply(arena, BinaryOp::Add, &rest, &bounds[0]);
        let again = apply(arena, BinaryOp::Add, &multiple, &shifted);
        let doubled = apply(arena, BinaryOp::Add, x, &multiple);
        let beside = apply(arena, BinaryOp::Add, &doubled, &rest);
        let mut results = vec![
            quotient,
            rest.clone(),
            multiple.clone(),
            whole,
            taken,
            lower,
            shifted,
            again,
            doubled,
            beside,
        ];
        for of in [&rest, &multiple] {
            for op in [div, rem] {
                results.push(apply(arena, op, of, d));
            }
        }
        // A rest of three times the divisor, as of hours and minutes.
        let outer = apply(arena, BinaryOp::Mul, &bounds[0], d);
        let outer = apply(arena, rem, x, &outer);
        // With and without a sign in one expression, as C programs that mix their types have it.
        for (div, rem) in [(BinaryOp::UDiv, BinaryOp::URem), (BinaryOp::SDiv, BinaryOp::SRem)] {
            results.push(apply(arena, rem, &outer, d));
            let minutes = apply(arena, div, &outer, d);
            let minutes = apply(arena, BinaryOp::Mul, &minutes, d);
            results.push(apply(arena, BinaryOp::Add, &minutes, &rest));
            let other = apply(arena, rem, x, d);
            for multiple in [&minutes, &multiple] {
                results.push(apply(arena, BinaryOp::Add, multiple, &other));
                results.push(apply(arena, BinaryOp::Sub, x, multiple));
                results.push(apply(arena, BinaryOp::Sub, &outer, multiple));
                results.push(apply(arena, rem, multiple, d));
                results.push(apply(arena, div, multiple, d));
            }
            for of in [&rest, &outer] {
                results.push(apply(arena, rem, of, d));
                results.push(apply(arena, div, of, d));
            }
        }
        for result in &results[..7] {
            for bound in bounds {
                for op in [CompareOp::Eq, CompareOp::Ult, CompareOp::Slt] {
                    for (one, other) in [(result, bound), (bound, result)] {
                        let truth = Bits::from_bool(Bits::compare(op, &one.1, &other.1));
                        all.push((arena.compare(op, one.0, other.0), truth));
                    }
                }
            }
        }
        all.extend(results);
    }
    all
}

#[test]
fn rules_about_quotients_and_remainders_hold_for_all_numbers_of_small_widths() {
    // The width in which numbers are unknown, and the one in which they are divided.
    for (narrow, width) in [(4, 4), (5, 5), (4, 7), (8, 8)] {
        for signed in [false, true] {
            let divisors = (0..1u64 << narrow.min(5)).map(Some).chain([Some(0x5f), Some(u64::MAX), None]);
            for divisor in divisors {
                if narrow == 8 && divisor.is_some_and(|divisor| divisor % 5 != 3) {
                    continue;
                }
                let mut arena = Arena::new(RenameInputs(true));
                let array = arena.input_array("i", 2);
                let bytes = arena.array(array).bytes.clone();
                let second = if divisor.is_none() { 1u8 << narrow.min(5) } else { 1 };
                for (first, second) in
                    (0..1u16 << narrow).flat_map(|first| (0..second).map(move |second| (first, second)))
                {
                    let values = [first as u8, second];
                    let mut unknown = |place: usize| {
                        let byte = arena.input_byte(bytes[place]);
                        let low = arena.extract(byte, 0, narrow);
                        let bits = Bits::new(narrow, u64::from(values[place]));
                        match signed {
                            true => (arena.sign_extend(low, width), bits.sign_extend(width)),
                            false => (arena.zero_extend(low, width), bits.zero_extend(width)),
                        }
                    };
                    let (x, other) = (unknown(0), unknown(1));
                    let known =
                        |arena: &mut Arena, value| (arena.constant(width, value), Bits::new(width, value));
                    let d = divisor.map_or(other, |divisor| known(&mut arena, divisor));
                    let bounds =
                        [3, 0, 1, 7, u64::MAX, 1 << (width - 1)].map(|bound| known(&mut arena, bound));
                    let made = divisions(&mut arena, &x, &d, &bounds);
                    let model = Model::new(bytes.iter().copied().zip(values));
                    let mut evaluator = Evaluator::new(&arena, &model);
                    for (place, (id, expected)) in made.into_iter().enumerate() {
                        let found = evaluator.value(id);
                        assert_eq!(
                            found, expected,
                            "{narrow}/{width} {signed} {divisor:?} {values:?}: {place}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn remainders_of_remainders_are_as_wide_as_what_they_are_of() {
    // Each is narrower than the one before, so what is left of it is divided in its own width.
    for signed in [false, true] {
        let mut arena = Arena::new(RenameInputs(true));
        let array = arena.input_array("i", 1);
        let byte = arena.array(array).bytes[0];
        let input = arena.input_byte(byte);
        let x = if signed { arena.sign_extend(input, 64) } else { arena.zero_extend(input, 64) };
        let (div, rem) =
            if signed { (BinaryOp::SDiv, BinaryOp::SRem) } else { (BinaryOp::UDiv, BinaryOp::URem) };
        let mut made = Vec::new();
        for c in 60..100 {
            for (d, e) in (2..40).flat_map(|d| (2..=d).map(move |e| (d, e))).filter(|(d, e)| d % e == 0) {
                let [c, d, e] = [c, d, e].map(|value| arena.constant(64, value));
                let outer = arena.binary(rem, x, c);
                let outer = arena.binary(rem, outer, d);
                for op in [div, rem, BinaryOp::UDiv, BinaryOp::URem] {
                    made.push((arena.binary(op, outer, e), [c, d, e], op));
                }
            }
        }
        for value in [0u8, 1, 59, 61, 99, 127, 128, 200, 255] {
            let model = Model::new([(byte, value)]);
            let x = Bits::new(8, u64::from(value));
            let x = if signed { x.sign_extend(64) } else { x.zero_extend(64) };
            let mut evaluator = Evaluator::new(&arena, &model);
            for (id, constants, op) in &made {
                let [c, d, e] = constants.map(|id| Bits::new(64, arena.as_u64(id).unwrap()));
                let expected = Bits::binary(rem, &Bits::binary(rem, &x, &c), &d);
                let expected = Bits::binary(*op, &expected, &e);
                assert_eq!(evaluator.value(*id), expected, "{signed} {value} {c:?} {d:?} {e:?}");
            }
        }
    }
}

#[test]
fn parts_of_parts_of_a_number_are_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("time.c");
    let text = "#include <klee/klee.h>
        int main(void) {
          unsigned long s; klee_make_symbolic(&s, 8, \"s\");
          unsigned long year = s / 31557600, days = s % 31557600, month = days / 2630016, left = days % 2630016;
          unsigned long day = left / 86400, rest = left % 86400, hour = rest / 3600, minute = rest % 3600 / 60;
          klee_assume(year < 3);
          if (minute == 59 && hour == 23 && day == 29) { if (month == 11) return 1; return 2; }
          return 0; }";
    std::fs::write(&file, text).unwrap();
    let ran = crate::program::explore_files(&folder, &[file], &["--solver-resource", "200000000"]);
    assert_eq!(ran.errors(), vec![], "{}", ran.stderr);
    assert_eq!((ran.code, ran.result("completed")), (0, 5), "{}", ran.stderr);
}

#[test]
fn what_a_division_took_apart_is_put_together_without_one() {
    for (narrow, width, signed) in
        [(64, 64, false), (64, 64, true), (8, 32, false), (8, 32, true), (32, 64, true)]
    {
        let mut arena = Arena::new(RenameInputs(true));
        let array = arena.input_array("i", 9);
        let bytes = arena.array(array).bytes.clone();
        let mut low = arena.input_byte(bytes[0]);
        for byte in &bytes[1..narrow as usize / 8] {
            let byte = arena.input_byte(*byte);
            low = arena.concat(byte, low);
        }
        let x = if signed { arena.sign_extend(low, width) } else { arena.zero_extend(low, width) };
        let seven = arena.constant(width, 7);
        let three = arena.constant(width, 3);
        let (div, rem) =
            if signed { (BinaryOp::SDiv, BinaryOp::SRem) } else { (BinaryOp::UDiv, BinaryOp::URem) };
        let quotient = arena.binary(div, x, seven);
        let rest = arena.binary(rem, x, seven);
        let multiple = arena.binary(BinaryOp::Mul, quotient, seven);
        let offset = arena.binary(BinaryOp::Add, three, rest);
        let whole = arena.binary(BinaryOp::Add, multiple, offset);
        assert_eq!(whole, arena.binary(BinaryOp::Add, three, x), "{narrow} {width} {signed}");
        assert_eq!(arena.binary(BinaryOp::Sub, x, multiple), rest, "{narrow} {width} {signed}");
        assert_eq!(arena.binary(BinaryOp::Sub, x, rest), multiple, "{narrow} {width} {signed}");
        let again = arena.binary(rem, rest, seven);
        assert_eq!(again, rest, "{narrow} {width} {signed}");
        let below = arena.compare(CompareOp::Slt, rest, seven);
        assert!(arena.is_true(below), "{narrow} {width} {signed}");
    }
}
