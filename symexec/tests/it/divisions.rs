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
