//! Questions as SMT-LIB 2 text, for people and for other solvers.

use std::fmt::Write;

use super::question::{Question, Term};
use crate::base::bits::{BinaryOp, CompareOp};
use crate::base::float::exact::Exact;
use crate::base::float::{FloatConversion, FloatFormat, FloatOp, FloatUnary, Operation};

/// The question as a script that ends with `check-sat`. Every term is a definition, so sharing stays.
#[must_use]
pub fn print(question: &Question) -> String {
    let logic = if question.has_floats() { "QF_AUFBVFP" } else { "QF_AUFBV" };
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
        let _ = writeln!(out, "(declare-const in{input} (_ BitVec 8))");
    }
    for (number, (width, term)) in question.terms.iter().enumerate() {
        let sort = match term {
            Term::Literal(_) | Term::Store(..) => format!("(Array (_ BitVec 64) (_ BitVec {width}))"),
            _ => format!("(_ BitVec {width})"),
        };
        let _ = writeln!(out, "(define-fun t{number} () {sort} {})", body(question, *width, term));
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
        Term::Wide(bytes) => format!("(_ bv{} {width})", num_bigint::BigUint::from_bytes_le(bytes)),
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
        Term::Read(array, index) => format!("(select t{array} t{index})"),
        Term::Store(array, index, value) => format!("(store t{array} t{index} t{value})"),
        Term::Literal(elements) => {
            let sort = format!("(Array (_ BitVec 64) (_ BitVec {width}))");
            let mut array = format!("((as const {sort}) (_ bv0 {width}))");
            for (place, element) in elements.iter().enumerate() {
                array = format!("(store {array} (_ bv{place} 64) t{element})");
            }
            array
        }
    }
}

/// An operation on floating-point numbers, from bits to bits. What is not a number becomes the one quiet
/// number of [`Operation::evaluate`]. Only operations on formats with [`FloatFormat::parts`] occur, and
/// no remainders, for which the theory has none.
fn float(operation: Operation, [a, b, c]: [u32; 3], width: u32) -> String {
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
        Operation::Convert(FloatConversion::ToInteger { from, width: _, signed }) => {
            // Bounds as numbers of the format: the first integer above, and the least. In narrow formats
            // both may be infinite, which no conversion is defined for; so they count as outside.
            let (name, bits) = if signed { ("fp.to_sbv", width - 1) } else { ("fp.to_ubv", width) };
            let (most, least) = if signed {
                (
                    format!("(concat #b0 (bvnot (_ bv0 {})))", width - 1),
                    format!("(concat #b1 (_ bv0 {}))", width - 1),
                )
            } else {
                (format!("(bvnot (_ bv0 {width}))"), format!("(_ bv0 {width})"))
            };
            let most = if width == 1 && signed { "#b0".to_owned() } else { most };
            let least = if width == 1 && signed { "#b1".to_owned() } else { least };
            let real = num_bigint::BigUint::from(1u32) << bits;
            let above = format!("({} RNE {real}.0)", to_float(from));
            let below =
                if signed { format!("(fp.neg {above})") } else { format!("({} RNE 0.0)", to_float(from)) };
            format!(
                "(let ((x (fp.roundToIntegral RTZ {}))) (ite (fp.isNaN x) (_ bv0 {width}) (ite (fp.geq x {above}) {most} \
                 (ite (fp.leq x {below}) {least} ((_ {name} {width}) RTZ x)))))",
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
    let name = to_float(format);
    if format == FloatFormat::Extended {
        // The written leading one is no part of the theory's format.
        return format!("({name} (concat ((_ extract 79 64) t{number}) ((_ extract 62 0) t{number})))");
    }
    format!("({name} t{number})")
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
