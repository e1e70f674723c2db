//! What must hold where several things are to hold together: sides of conjunctions, however C wrote them.
//!
//! `klee_assume((n > 0) & (m < 9))` is one condition, of truths as numbers of 32 bits that are compared with zero, and
//! still says something of each number. What is found follows from the question and need not be all that it says.

use super::question::{Question, Term};
use crate::base::bits::{BinaryOp, small_compare};

/// Terms that are zero or one, and which of them they are, where all roots hold; those that others follow from are not
/// among them.
pub(super) fn implied(question: &Question) -> Vec<(u32, bool)> {
    let is_truth = truths(question);
    let truth = |term: u32| is_truth.get(term as usize).copied().unwrap_or(false);
    let constant = |term: u32| match question.terms.get(term as usize) {
        Some((_, Term::Constant(value))) => Some(*value),
        _ => None,
    };
    // Each term is looked at once, as one and as zero: what is shared could be met exponentially often.
    let mut is_met = vec![[false; 2]; question.terms.len()];
    let mut open: Vec<(u32, bool)> = question.roots.iter().rev().map(|root| (*root, true)).collect();
    let mut found = Vec::new();
    while let Some((term, holds)) = open.pop() {
        let Some([zero, one]) = is_met.get_mut(term as usize) else { continue };
        if std::mem::replace(if holds { one } else { zero }, true) {
            continue;
        }
        match question.terms.get(term as usize) {
            Some((1, Term::Not(of))) => open.push((*of, !holds)),
            Some((_, Term::ZeroExtend(of))) if truth(*of) => open.push((*of, holds)),
            Some((_, Term::Binary(BinaryOp::And, a, b))) if holds && truth(*a) && truth(*b) => {
                open.extend([(*b, true), (*a, true)]);
            }
            Some((_, Term::Binary(BinaryOp::Or, a, b))) if !holds && truth(*a) && truth(*b) => {
                open.extend([(*b, false), (*a, false)]);
            }
            Some((_, Term::Compare(op, a, b))) => {
                let width = question.terms.get(*a as usize).map_or(64, |(width, _)| *width);
                let (of, as_compared) = match (constant(*a), constant(*b)) {
                    (None, Some(bound)) => (*a, [0, 1].map(|it| small_compare(*op, width, it, bound))),
                    (Some(bound), None) => (*b, [0, 1].map(|it| small_compare(*op, width, bound, it))),
                    _ => (term, [false; 2]),
                };
                // One of its two values makes the comparison what it is to be.
                if width <= 64 && of != term && truth(of) && as_compared[0] != as_compared[1] {
                    open.push((of, as_compared[1] == holds));
                } else {
                    found.push((term, holds));
                }
            }
            _ => found.push((term, holds)),
        }
    }
    found
}

/// Which terms can be nothing but zero and one.
fn truths(question: &Question) -> Vec<bool> {
    let mut truths: Vec<bool> = Vec::with_capacity(question.terms.len());
    for (width, term) in &question.terms {
        let of = |term: &u32| truths.get(*term as usize).copied().unwrap_or(false);
        let here = match term {
            Term::Constant(value) => *value <= 1,
            Term::ZeroExtend(a) => of(a),
            Term::Binary(BinaryOp::And | BinaryOp::Or, a, b) => of(a) && of(b),
            _ => false,
        };
        truths.push(here || *width == 1);
    }
    truths
}
