//! Questions in CVC's presentation language, which STP and CVC4 read (`.cvc` files).
//!
//! As in SMT-LIB scripts ([`super::smtlib`]) every vector is a definition, so that sharing stays, and arrays are no
//! terms of their own: a read is a choice among elements and writes. The language has no floating-point arithmetic.

use std::fmt::Write;

use num_bigint::BigUint;

use super::no_floats::NoFloats;
use super::question::{Question, Term};
use super::tables::as_trees;
use crate::base::bits::{BinaryOp, CompareOp};

/// Definitions and assertions of a question; inputs are bytes called `in0` and so on.
///
/// # Errors
/// If there is floating-point arithmetic.
pub(super) fn terms(question: &Question) -> Result<String, NoFloats> {
    let question = &*as_trees(question);
    let mut out = String::new();
    for (number, (width, term)) in question.terms.iter().enumerate() {
        if !matches!(term, Term::Store(..) | Term::Literal(_)) {
            let body = body(question, *width, term)?;
            let _ = writeln!(out, "t{number} : BITVECTOR({width}) = {body};");
        }
    }
    for root in &question.roots {
        let _ = writeln!(out, "ASSERT(t{root} = 0bin1);");
    }
    Ok(out)
}

/// A number of some bits.
fn number(value: &BigUint, width: u32) -> String {
    format!("0bin{:0>width$}", value.to_str_radix(2), width = width as usize)
}

fn body(question: &Question, width: u32, term: &Term) -> Result<String, NoFloats> {
    let operand_width = |number: u32| question.terms.get(number as usize).map_or(0, |(width, _)| *width);
    let bit = |truth: String| format!("IF {truth} THEN 0bin1 ELSE 0bin0 ENDIF");
    Ok(match term {
        Term::Constant(value) => number(&BigUint::from(*value), width),
        Term::Wide(bytes) => number(&BigUint::from_bytes_le(bytes), width),
        Term::Input(number) => format!("in{number}"),
        Term::Not(a) => format!("~t{a}"),
        Term::Binary(op, a, b) => binary(*op, *a, *b, width),
        Term::Compare(CompareOp::Eq, a, b) => bit(format!("t{a} = t{b}")),
        Term::Compare(CompareOp::Ult, a, b) => bit(format!("BVLT(t{a}, t{b})")),
        Term::Compare(CompareOp::Slt, a, b) => bit(format!("BVSLT(t{a}, t{b})")),
        Term::Extract(a, low) => format!("t{a}[{}:{low}]", low + width - 1),
        Term::Concat(high, low) => format!("t{high} @ t{low}"),
        Term::ZeroExtend(a) => match width - operand_width(*a) {
            0 => format!("t{a}"),
            more => format!("{} @ t{a}", number(&BigUint::ZERO, more)),
        },
        Term::SignExtend(a) => format!("SX(t{a}, {width})"),
        Term::Choose(condition, yes, no) => format!("IF t{condition} = 0bin1 THEN t{yes} ELSE t{no} ENDIF"),
        Term::Float(..) => return Err(NoFloats),
        Term::Read(array, index) => read(question, width, *array, *index),
        Term::Literal(_) | Term::Store(..) => String::new(),
    })
}

fn binary(op: BinaryOp, a: u32, b: u32, width: u32) -> String {
    match op {
        BinaryOp::Add => format!("BVPLUS({width}, t{a}, t{b})"),
        BinaryOp::Sub => format!("BVSUB({width}, t{a}, t{b})"),
        BinaryOp::Mul => format!("BVMULT({width}, t{a}, t{b})"),
        BinaryOp::UDiv => format!("BVUDIV(t{a}, t{b})"),
        BinaryOp::SDiv => format!("BVSDIV(t{a}, t{b})"),
        BinaryOp::URem => format!("BVUREM(t{a}, t{b})"),
        BinaryOp::SRem => format!("BVSREM(t{a}, t{b})"),
        BinaryOp::And => format!("t{a} & t{b}"),
        BinaryOp::Or => format!("t{a} | t{b}"),
        BinaryOp::Xor => format!("BVXOR(t{a}, t{b})"),
        BinaryOp::Shl => format!("BVSHL(t{a}, t{b})"),
        BinaryOp::LShr => format!("BVLSHR(t{a}, t{b})"),
        BinaryOp::AShr => format!("BVASHR(t{a}, t{b})"),
    }
}

/// An element of an array: of the newest write to this place, or what was there before all writes.
fn read(question: &Question, width: u32, array: u32, index: u32) -> String {
    let mut text = String::new();
    let mut depth = 0;
    let mut below = array;
    let elements = loop {
        match question.terms.get(below as usize) {
            Some((_, Term::Store(older, place, value))) => {
                let _ = write!(text, "IF t{index} = t{place} THEN t{value} ELSE ");
                depth += 1;
                below = *older;
            }
            Some((_, Term::Literal(elements))) => break elements.as_slice(),
            _ => break &[],
        }
    };
    for (place, element) in elements.iter().enumerate() {
        let place = number(&BigUint::from(place), 64);
        let _ = write!(text, "IF t{index} = {place} THEN t{element} ELSE ");
        depth += 1;
    }
    text.push_str(&number(&BigUint::ZERO, width));
    text.push_str(&" ENDIF".repeat(depth));
    text
}
