//! Questions as SMT-LIB 2 text, for people and for solvers' programs.
//!
//! Only what every solver of bit vectors and arrays reads is written: an array is no term of its own. A short one is
//! read by a chain of choices, a long one by its stretches if these are few, any other is a name with its elements
//! asserted, and what was written to an array
//! since is a choice for each write.

use std::fmt::Write;

use num_bigint::BigUint;

use super::question::{Question, Term};
use super::tables::as_trees;
use crate::base::bits::{BinaryOp, CompareOp};
use crate::base::float::exact::Exact;
use crate::base::float::nan::Preferred;
use crate::base::float::{FloatConversion, FloatFormat, FloatOp, FloatUnary, Operation, Outside};

/// The question as a script that ends with `check-sat`. Every vector is a definition, so sharing stays.
#[must_use]
pub fn print(question: &Question) -> String {
    let logic = if question.has_floats() { "QF_ABVFP" } else { "QF_ABV" };
    let mut out = format!("(set-logic {logic})\n");
    out.push_str(&definitions(question));
    out.push_str("(check-sat)\n");
    out
}

/// The question as declarations, definitions and assertions.
#[must_use]
pub fn definitions(question: &Question) -> String {
    let mut out = String::new();
    for input in 0..question.inputs {
        let _ = writeln!(out, "(declare-fun in{input} () (_ BitVec 8))");
    }
    out.push_str(&terms(question));
    out
}

/// The definitions and assertions alone; inputs are bytes called `in0` and so on.
pub(super) fn terms(question: &Question) -> String {
    let question = &*as_trees(question);
    let mut out = String::new();
    for (number, (width, term)) in question.terms.iter().enumerate() {
        match term {
            Term::Store(..) | Term::Literal(_) => {}
            _ => {
                let body = body(question, *width, term);
                let _ = writeln!(out, "(define-fun t{number} () (_ BitVec {width}) {body})");
            }
        }
    }
    for root in &question.roots {
        let _ = writeln!(out, "(assert (= t{root} #b1))");
    }
    out
}

fn body(question: &Question, width: u32, term: &Term) -> String {
    let operand_width = |number: u32| question.terms.get(number as usize).map_or(0, |(width, _)| *width);
    match term {
        Term::Constant(value) => format!("(_ bv{value} {width})"),
        Term::Wide(bytes) => format!("(_ bv{} {width})", BigUint::from_bytes_le(bytes)),
        Term::Input(number) => format!("in{number}"),
        Term::Not(a) => format!("(bvnot t{a})"),
        Term::Binary(op, a, b) => format!("({} t{a} t{b})", binary_name(*op)),
        Term::Compare(op, a, b) => format!("(ite ({} t{a} t{b}) #b1 #b0)", compare_name(*op)),
        Term::Extract(a, low) => format!("((_ extract {} {low}) t{a})", low + width - 1),
        Term::Concat(high, low) => format!("(concat t{high} t{low})"),
        Term::ZeroExtend(a) => format!("((_ zero_extend {}) t{a})", width - operand_width(*a)),
        Term::SignExtend(a) => format!("((_ sign_extend {}) t{a})", width - operand_width(*a)),
        Term::Choose(condition, yes, no) => format!("(ite (= t{condition} #b1) t{yes} t{no})"),
        Term::Float(operation, operands) => float(*operation, *operands, width),
        Term::Read(array, index) => read(question, width, *array, *index),
        Term::Literal(_) | Term::Store(..) => String::new(),
    }
}

/// An element of an array: of the newest write to this place, or what was there before all writes.
fn read(question: &Question, width: u32, array: u32, index: u32) -> String {
    let mut writes = String::new();
    let mut depth = 0;
    let mut below = array;
    let elements = loop {
        match question.terms.get(below as usize) {
            Some((_, Term::Store(older, place, value))) => {
                let _ = write!(writes, "(ite (= t{index} t{place}) t{value} ");
                depth += 1;
                below = *older;
            }
            Some((_, Term::Literal(elements))) => break elements.as_slice(),
            _ => break &[],
        }
    };
    for (place, element) in elements.iter().enumerate() {
        let _ = write!(writes, "(ite (= t{index} (_ bv{place} 64)) t{element} ");
        depth += 1;
    }
    let _ = write!(writes, "(_ bv0 {width})");
    writes.push_str(&")".repeat(depth));
    writes
}

/// An operation on floating-point numbers, from bits to bits, as [`Operation::evaluate`] has it. Only
/// operations on formats with [`FloatFormat::parts`] occur, and no remainders, for which the theory has
/// none.
fn float(operation: Operation, operands: [u32; 3], width: u32) -> String {
    let result = computed(operation, operands, width);
    let (places, from, to) = operation.passes_on();
    let terms = places.iter().filter_map(|place| operands.get(*place)).map(|number| format!("t{number}"));
    let Some(chosen) = terms.reduce(|first, second| preferred(from, &first, &second)) else { return result };
    let quiet = to.quiet_bit().map(|bits| bits.to_big()).unwrap_or_default();
    let passed = format!("(bvor {} (_ bv{quiet} {width}))", not_a_number(from, to, "m"));
    format!("(let ((m {chosen})) (ite {} {passed} {result}))", is_nan(from, "m"))
}

/// The one of two operands that is not a number and is passed on; the second if none is such.
fn preferred(format: FloatFormat, first: &str, second: &str) -> String {
    let one = is_nan(format, "a");
    let chosen = match format.preferred() {
        Preferred::First => format!("(ite {one} a b)"),
        Preferred::Larger => {
            let significand = |term: &str| format!("((_ extract {} 0) {term})", format.width() - 2);
            let (x, y) = (significand("a"), significand("b"));
            let larger = format!("(ite (bvult {x} {y}) b (ite (bvult {y} {x}) a (bvand a b)))");
            format!("(ite {one} (ite {} {larger} a) b)", is_nan(format, "b"))
        }
    };
    format!("(let ((a {first}) (b {second})) {chosen})")
}

fn is_nan(format: FloatFormat, term: &str) -> String {
    format!("(fp.isNaN {})", of_text(format, term))
}

/// Bits that are not a number in another format or the same.
fn not_a_number(from: FloatFormat, to: FloatFormat, term: &str) -> String {
    if from == to {
        return term.to_owned();
    }
    let (Some((_, before)), Some((exponent, after))) = (from.parts(), to.parts()) else {
        return term.to_owned();
    };
    let sign = from.width() - 1;
    let ones = exponent + (to.width() - exponent - after);
    let fraction = if after <= before {
        format!("((_ extract {} {}) {term})", before - 2, before - after)
    } else {
        format!("(concat ((_ extract {} 0) {term}) (_ bv0 {}))", before - 2, after - before)
    };
    format!("(concat ((_ extract {sign} {sign}) {term}) (bvnot (_ bv0 {ones})) {fraction})")
}

fn computed(operation: Operation, [a, b, c]: [u32; 3], width: u32) -> String {
    match operation {
        Operation::Binary(op, format) => {
            let name = match op {
                FloatOp::Add => "fp.add RNE",
                FloatOp::Sub => "fp.sub RNE",
                FloatOp::Mul => "fp.mul RNE",
                FloatOp::Div => "fp.div RNE",
                FloatOp::Rem | FloatOp::CopySign => "fp.rem",
            };
            to_bits(format, &format!("({name} {} {})", of_bits(format, a), of_bits(format, b)))
        }
        Operation::Unary(op, format) => {
            let name = match op {
                FloatUnary::Neg => "fp.neg",
                FloatUnary::Abs => "fp.abs",
                FloatUnary::Sqrt => "fp.sqrt RNE",
                FloatUnary::Floor => "fp.roundToIntegral RTN",
                FloatUnary::Ceil => "fp.roundToIntegral RTP",
                FloatUnary::Trunc => "fp.roundToIntegral RTZ",
                FloatUnary::Round => "fp.roundToIntegral RNA",
                FloatUnary::RoundEven => "fp.roundToIntegral RNE",
            };
            to_bits(format, &format!("({name} {})", of_bits(format, a)))
        }
        Operation::Fused(format) => {
            let [a, b, c] = [a, b, c].map(|number| of_bits(format, number));
            to_bits(format, &format!("(fp.fma RNE {a} {b} {c})"))
        }
        Operation::Compare(predicate, format) => {
            let (a, b) = (of_bits(format, a), of_bits(format, b));
            let mut sides = String::new();
            for (holds, name) in
                [(predicate.less, "fp.lt"), (predicate.greater, "fp.gt"), (predicate.equal, "fp.eq")]
            {
                if holds {
                    let _ = write!(sides, " ({name} x y)");
                }
            }
            if predicate.unordered {
                sides.push_str(" (fp.isNaN x) (fp.isNaN y)");
            }
            format!("(let ((x {a}) (y {b})) (ite (or false{sides}) #b1 #b0))")
        }
        Operation::Convert(FloatConversion::Format(from, to)) => {
            to_bits(to, &format!("({} RNE {})", to_float(to), of_bits(from, a)))
        }
        Operation::Convert(FloatConversion::FromInteger { to, signed, .. }) => {
            let name = to_float(to);
            let name = if signed { name } else { name.replace("to_fp", "to_fp_unsigned") };
            to_bits(to, &format!("({name} RNE t{a})"))
        }
        Operation::Convert(FloatConversion::ToInteger { from, width: _, signed, outside }) => {
            // Bounds as numbers of the format: the first integer above, and the least. In narrow formats
            // both may be infinite, which no conversion is defined for; so they count as outside.
            let (name, bits) = if signed { ("fp.to_sbv", width - 1) } else { ("fp.to_ubv", width) };
            let number = |value: BigUint| format!("(_ bv{value} {width})");
            let lowest = BigUint::from(1u32) << (width - 1);
            let all = (BigUint::from(1u32) << width) - 1u32;
            let (above_all, below_all, none) = match (outside, signed) {
                (Outside::Least, _) => (lowest.clone(), lowest.clone(), lowest),
                (Outside::Nearest, true) => (&lowest - 1u32, lowest, BigUint::ZERO),
                (Outside::Nearest, false) => (all, BigUint::ZERO, BigUint::ZERO),
            };
            let (most, least, none) = (number(above_all), number(below_all), number(none));
            let real = BigUint::from(1u32) << bits;
            let above = format!("({} RNE {real}.0)", to_float(from));
            let below = if signed {
                format!("(fp.leq x (fp.neg {above}))")
            } else {
                format!("(fp.lt x ({} RNE 0.0))", to_float(from))
            };
            format!(
                "(let ((x (fp.roundToIntegral RTZ {}))) (ite (fp.isNaN x) {none} (ite (fp.geq x {above}) {most} \
                 (ite {below} {least} ((_ {name} {width}) RTZ x)))))",
                of_bits(from, a)
            )
        }
    }
}

fn to_float(format: FloatFormat) -> String {
    let (exponent, precision) = format.parts().unwrap_or((5, 11));
    format!("(_ to_fp {exponent} {precision})")
}

/// The number that the bits of a term are.
fn of_bits(format: FloatFormat, number: u32) -> String {
    of_text(format, &format!("t{number}"))
}

fn of_text(format: FloatFormat, term: &str) -> String {
    let name = to_float(format);
    if format == FloatFormat::Extended {
        // The written leading one is no part of the theory's format.
        return format!("({name} (concat ((_ extract 79 64) {term}) ((_ extract 62 0) {term})))");
    }
    format!("({name} {term})")
}

/// The bits of a number.
fn to_bits(format: FloatFormat, number: &str) -> String {
    let nan = Exact::Nan.encode(format).map(|bits| bits.to_big()).unwrap_or_default();
    let width = format.width();
    let bits = if format == FloatFormat::Extended {
        let plain = "(fp.to_ieee_bv r)";
        let leading = format!("(ite (= ((_ extract 77 63) {plain}) (_ bv0 15)) #b0 #b1)");
        format!("(concat ((_ extract 78 63) {plain}) {leading} ((_ extract 62 0) {plain}))")
    } else {
        "(fp.to_ieee_bv r)".to_owned()
    };
    format!("(let ((r {number})) (ite (fp.isNaN r) (_ bv{nan} {width}) {bits}))")
}

fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "bvadd",
        BinaryOp::Sub => "bvsub",
        BinaryOp::Mul => "bvmul",
        BinaryOp::UDiv => "bvudiv",
        BinaryOp::SDiv => "bvsdiv",
        BinaryOp::URem => "bvurem",
        BinaryOp::SRem => "bvsrem",
        BinaryOp::And => "bvand",
        BinaryOp::Or => "bvor",
        BinaryOp::Xor => "bvxor",
        BinaryOp::Shl => "bvshl",
        BinaryOp::LShr => "bvlshr",
        BinaryOp::AShr => "bvashr",
    }
}

fn compare_name(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "=",
        CompareOp::Ult => "bvult",
        CompareOp::Slt => "bvslt",
    }
}
