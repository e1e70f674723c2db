//! Questions as SMT-LIB 2 text, for people and for other solvers.

use std::fmt::Write;

use super::question::{Question, Term};
use crate::base::bits::{BinaryOp, CompareOp};

/// The question as a script that ends with `check-sat`. Every term is a definition, so sharing stays.
#[must_use]
pub fn print(question: &Question) -> String {
    let mut out = String::from("(set-logic QF_AUFBV)\n");
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
    out.push_str("(check-sat)\n");
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
