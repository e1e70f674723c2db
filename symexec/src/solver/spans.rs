//! What each term of a question can be, as far as that shows without a solver.
//!
//! Of a term that depends on one unknown byte all values are known: they are computed for the 256 values of the byte at
//! once. What is asked of one byte alone leaves some of its values, exactly those; every other term then has a least and
//! a greatest value, from those of its operands. Where a byte has no value left, or what is to be one is at most zero, the
//! question has no solution. That is found so for most questions that have none about texts, and all that is found
//! follows from the question, so that nothing is missed that a solver finds.

use super::enumerate::{Table, Vectors, tables};
use super::question::{Question, Term};
use crate::base::bits::{BinaryOp, CompareOp, mask, signed};

/// A least and a greatest value, read unsigned.
pub(super) type Span = (u64, u64);

/// What the terms of a question can be.
pub(super) struct Spans {
    /// The values that are left of each byte, in ascending order.
    pub(super) left: Vec<Vec<u8>>,
    /// By term: the byte on which alone it depends, and its values for all values of this.
    pub(super) tables: Vec<Option<(u32, Table)>>,
    /// By term.
    pub(super) spans: Vec<Span>,
    /// By term: whether an unknown byte is below it.
    pub(super) is_unknown: Vec<bool>,
    /// Whether the question has no solution.
    pub(super) is_refuted: bool,
}

impl Spans {
    /// Those of a question, where so many values of each byte are looked at: all of them, but in a lie. `None` for
    /// questions with vectors of more than 64 bits, or with floating-point arithmetic over several bytes.
    pub(super) fn of(question: &Question, values: usize, vectors: &mut Vectors) -> Option<Self> {
        let tables = tables(question, vectors)?;
        let mut left: Vec<Vec<u8>> = vec![(0..=u8::MAX).take(values).collect(); question.inputs as usize];
        let mut is_refuted = false;
        for root in &question.roots {
            match tables.get(*root as usize)? {
                Some((_, Table::Same(truth))) => is_refuted |= truth & 1 == 0,
                Some((byte, Table::Each(truths))) => {
                    left.get_mut(*byte as usize)?
                        .retain(|value| truths.get(usize::from(*value)).is_some_and(|it| it & 1 == 1));
                }
                None => {}
            }
        }
        is_refuted |= left.iter().any(Vec::is_empty);
        let mut known = Self { left, tables, spans: Vec::new(), is_unknown: Vec::new(), is_refuted };
        for (place, (width, term)) in question.terms.iter().enumerate() {
            let mut is_unknown = matches!(term, Term::Input(_));
            let mut is_in_order = !matches!(term, Term::Input(input) if *input >= question.inputs);
            let _ = term.map(|operand| {
                is_in_order &= (operand as usize) < place;
                is_unknown |= known.is_unknown.get(operand as usize).copied().unwrap_or(true);
                operand
            });
            if !is_in_order {
                return None;
            }
            let span = known.span(question, place, *width, term)?;
            known.spans.push(span);
            known.is_unknown.push(is_unknown);
        }
        for root in &question.roots {
            known.is_refuted |= known.spans.get(*root as usize)?.1 == 0;
        }
        Some(known)
    }

    /// Gives back what tables are made of.
    pub(super) fn give_back(self, vectors: &mut Vectors) {
        for (_, table) in self.tables.into_iter().flatten() {
            if let Table::Each(values) = table {
                vectors.keep(values);
            }
        }
    }

    /// What a term can be, by what its operands can.
    fn span(&self, question: &Question, place: usize, width: u32, term: &Term) -> Option<Span> {
        match self.tables.get(place)? {
            Some((_, Table::Same(value))) => return Some((*value, *value)),
            Some((byte, Table::Each(values))) => {
                let seen = self.left.get(*byte as usize)?.iter().map(|value| values[usize::from(*value)]);
                return Some((seen.clone().min().unwrap_or(0), seen.max().unwrap_or(0)));
            }
            None => {}
        }
        let of = |operand: &u32| self.spans.get(*operand as usize).copied();
        let width_of = |operand: &u32| question.terms.get(*operand as usize).map(|(width, _)| *width);
        let all = mask(width);
        Some(match term {
            Term::Not(a) => {
                let (least, most) = of(a)?;
                (!most & all, !least & all)
            }
            Term::ZeroExtend(a) => of(a)?,
            Term::SignExtend(a) => {
                let ((least, most), inner) = (of(a)?, width_of(a)?);
                let (least, most) = (signed(least, inner), signed(most, inner));
                let same_sign = (least < 0) == (most < 0);
                if same_sign { (least as u64 & all, most as u64 & all) } else { (0, all) }
            }
            Term::Concat(high, low) => {
                let (high, (least, most), below) = (of(high)?, of(low)?, width_of(low)?);
                (high.0 << below | least, high.1 << below | most)
            }
            Term::Extract(a, low) => {
                let (least, most) = of(a)?;
                let (least, most) = (least >> low, most >> low);
                if least & !all == most & !all { (least & all, most & all) } else { (0, all) }
            }
            Term::Choose(condition, yes, no) => {
                let (yes, no) = (of(yes)?, of(no)?);
                match of(condition)? {
                    (1, _) => yes,
                    (_, 0) => no,
                    _ => (yes.0.min(no.0), yes.1.max(no.1)),
                }
            }
            Term::Binary(op, a, b) => binary(*op, width, of(a)?, of(b)?),
            Term::Compare(op, a, b) => compare(*op, width_of(a)?, of(a)?, of(b)?),
            _ => (0, all),
        })
    }
}

/// What an operation can give.
fn binary(op: BinaryOp, width: u32, a: Span, b: Span) -> Span {
    let all = mask(width);
    let half = 1 << (width - 1);
    let is_positive = a.1 < half && b.1 < half;
    match op {
        BinaryOp::Add => {
            let modulus = u128::from(all) + 1;
            let sum = |a: u64, b: u64| u128::from(a) + u128::from(b);
            let (least, most) = (sum(a.0, b.0), sum(a.1, b.1));
            // Where all sums wrap around, or none.
            if least / modulus == most / modulus {
                ((least % modulus) as u64, (most % modulus) as u64)
            } else {
                (0, all)
            }
        }
        BinaryOp::Sub if a.0 >= b.1 => (a.0 - b.1, a.1 - b.0),
        BinaryOp::Mul => match a.1.checked_mul(b.1) {
            Some(most) if most <= all => (a.0 * b.0, most),
            _ => (0, all),
        },
        BinaryOp::UDiv if b.0 > 0 => (a.0 / b.1, a.1 / b.0),
        BinaryOp::SDiv if b.0 > 0 && is_positive => (a.0 / b.1, a.1 / b.0),
        BinaryOp::URem if b.0 > 0 => remainder(a, b),
        BinaryOp::SRem if b.0 > 0 && is_positive => remainder(a, b),
        BinaryOp::And => (0, a.1.min(b.1)),
        BinaryOp::Or => (a.0.max(b.0), below_power(a.1 | b.1)),
        BinaryOp::Xor => (0, below_power(a.1 | b.1)),
        BinaryOp::Shl if b.0 == b.1 && b.0 < u64::from(width) && a.1 <= all >> b.0 => {
            (a.0 << b.0, a.1 << b.0)
        }
        BinaryOp::LShr if b.0 == b.1 && b.0 < u64::from(width) => (a.0 >> b.0, a.1 >> b.0),
        BinaryOp::AShr if b.0 == b.1 && b.0 < u64::from(width) && a.1 < half => (a.0 >> b.0, a.1 >> b.0),
        _ => (0, all),
    }
}

fn remainder(a: Span, b: Span) -> Span {
    if a.1 < b.0 { a } else { (0, a.1.min(b.1 - 1)) }
}

/// The greatest number with no more bits than this one.
fn below_power(most: u64) -> u64 {
    mask(u64::BITS - most.leading_zeros())
}

/// What a comparison of operands of a width can be.
fn compare(op: CompareOp, width: u32, a: Span, b: Span) -> Span {
    let half = 1_u64 << (width - 1);
    // As unsigned numbers, where no operand has both signs.
    let order =
        |(least, most): Span| ((least < half) == (most < half)).then_some((least ^ half, most ^ half));
    let below = |a: Span, b: Span| {
        if a.1 < b.0 {
            (1, 1)
        } else if a.0 >= b.1 {
            (0, 0)
        } else {
            (0, 1)
        }
    };
    match op {
        CompareOp::Eq if a.1 < b.0 || b.1 < a.0 => (0, 0),
        CompareOp::Eq if a.0 == a.1 && a == b => (1, 1),
        CompareOp::Eq => (0, 1),
        CompareOp::Ult => below(a, b),
        CompareOp::Slt => order(a).zip(order(b)).map_or((0, 1), |(a, b)| below(a, b)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Span, binary, compare};
    use crate::base::bits::{BinaryOp, CompareOp, mask, small_binary, small_compare};

    /// All spans of a width.
    fn spans(width: u32) -> impl Iterator<Item = Span> + Clone {
        (0..=mask(width)).flat_map(move |least| (least..=mask(width)).map(move |most| (least, most)))
    }

    #[test]
    fn every_result_of_an_operation_is_in_its_span() {
        for width in 1..=3 {
            for (a, b) in spans(width).flat_map(|a| spans(width).map(move |b| (a, b))) {
                let pairs = (a.0..=a.1).flat_map(|x| (b.0..=b.1).map(move |y| (x, y)));
                for op in BinaryOp::ALL {
                    let (least, most) = binary(op, width, a, b);
                    for (x, y) in pairs.clone() {
                        let result = small_binary(op, width, x, y);
                        assert!(least <= result && result <= most, "{op:?} {a:?} {b:?} {x} {y}");
                    }
                }
                for op in [CompareOp::Eq, CompareOp::Ult, CompareOp::Slt] {
                    let (least, most) = compare(op, width, a, b);
                    for (x, y) in pairs.clone() {
                        let result = u64::from(small_compare(op, width, x, y));
                        assert!(least <= result && result <= most, "{op:?} {a:?} {b:?} {x} {y}");
                    }
                }
            }
        }
    }

    #[test]
    fn spans_of_wide_vectors_are_as_exact_as_those_of_narrow_ones() {
        let all = u64::MAX;
        assert_eq!(binary(BinaryOp::Add, 64, (1, 9), (all - 3, all)), (0, all));
        assert_eq!(binary(BinaryOp::Add, 64, (5, 9), (all - 3, all)), (1, 8));
        assert_eq!(binary(BinaryOp::Mul, 64, (2, 3), (0, all / 3)), (0, all));
        assert_eq!(binary(BinaryOp::Shl, 64, (1, 3), (62, 62)), (1 << 62, 3 << 62));
        assert_eq!(binary(BinaryOp::Or, 64, (1, 1 << 40), (4, 7)), (4, (1 << 41) - 1));
        assert_eq!(compare(CompareOp::Slt, 64, (1 << 63, all), (0, 4)), (1, 1));
        assert_eq!(compare(CompareOp::Slt, 64, (4, all), (0, 4)), (0, 1));
    }
}
