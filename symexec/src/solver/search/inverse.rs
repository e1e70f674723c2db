//! What operands are to be where a term is to be something: one rule for each operation.
//!
//! A rule says what one operand is to be while the others are what they are. Nothing depends on rules for its truth:
//! where one has no answer, or the operand cannot be what it says, the term stays what it is.

use super::super::enumerate::Table;
use super::super::question::Term;
use super::super::spans::Span;
use super::{MOST_WORK, Search, element};
use crate::base::bits::{BinaryOp, CompareOp, mask, small_binary};

/// How far below a root terms are given something to be.
const DEEPEST: u32 = 400;

/// How many values of an interval are drawn where an operation on bits is to give one of them.
const TRIES: usize = 8;

/// An operand of an operation on two, and the other one.
#[derive(Clone, Copy)]
struct Operand {
    term: u32,
    other: u32,
    is_first: bool,
}

impl Search<'_> {
    /// Lets a term be something in an interval, if that is found.
    pub(super) fn give(&mut self, term: u32, wanted: Span, depth: u32) {
        // Where operands are shared, there are more ways to a term than can be gone.
        let is_enough = depth > DEEPEST || self.work > MOST_WORK;
        if is_in(self.value(term), wanted) || !self.is_unknown(term) || is_enough {
            return;
        }
        self.work += 1;
        let Some(wanted) = common(wanted, self.spans.spans[term as usize]) else { return };
        if let Some((byte, Table::Each(values))) = &self.spans.tables[term as usize] {
            let byte = *byte as usize;
            let left = self.spans.left[byte].iter().copied();
            let fitting: Vec<u8> = left.filter(|it| is_in(values[usize::from(*it)], wanted)).collect();
            if let Some(input) = self.inputs[byte].filter(|_| !fitting.is_empty()) {
                let value = self.one_of(&fitting);
                self.set(input, u64::from(value));
            }
            return;
        }
        let question = self.question;
        let (width, kind) = &question.terms[term as usize];
        let (depth, all) = (depth + 1, mask(*width));
        match kind {
            Term::Not(of) => self.give(*of, (!wanted.1 & all, !wanted.0 & all), depth),
            Term::ZeroExtend(of) => self.give(*of, wanted, depth),
            Term::SignExtend(of) => {
                let (inner, negative) = (mask(self.width(*of)), all - (mask(self.width(*of)) >> 1));
                let positive = common(wanted, (0, inner >> 1));
                let negative =
                    common(wanted, (negative, all)).map(|(least, most)| (least & inner, most & inner));
                self.give_one(*of, &[positive, negative].into_iter().flatten().collect::<Vec<_>>(), depth);
            }
            Term::Extract(of, low) => self.extract(*of, *low, all, wanted, depth),
            Term::Concat(high, low) => {
                let below = self.width(*low);
                self.give(*high, (wanted.0 >> below, wanted.1 >> below), depth);
                let above = self.value(*high) << below;
                if let Some((least, most)) = common(wanted, (above, above | mask(below))) {
                    self.give(*low, (least - above, most - above), depth);
                }
            }
            Term::Choose(condition, yes, no) => self.choose(*condition, *yes, *no, wanted, depth),
            Term::Compare(op, a, b) => self.compare(*op, *a, *b, wanted.0 & 1 == 1, depth),
            Term::Binary(op, a, b) => self.binary(*op, *a, *b, wanted, depth),
            Term::Read(array, index) => self.read(*array, *index, wanted, depth),
            _ => {}
        }
    }

    /// The same for one of several intervals, if it is in none of them.
    fn give_one(&mut self, term: u32, wanted: &[Span], depth: u32) {
        let value = self.value(term);
        if !wanted.is_empty() && !wanted.iter().any(|wanted| is_in(value, *wanted)) {
            let one = self.one_of(wanted);
            self.give(term, one, depth);
        }
    }

    /// The same for what is in an interval that may go on behind the greatest number with zero.
    fn give_around(&mut self, term: u32, (least, most): Span, depth: u32) {
        let all = mask(self.width(term));
        let (least, most) = (least & all, most & all);
        let span = self.spans.spans[term as usize];
        let parts =
            if least <= most { [Some((least, most)), None] } else { [Some((least, all)), Some((0, most))] };
        let parts: Vec<Span> = parts.into_iter().flatten().filter_map(|part| common(part, span)).collect();
        self.give_one(term, &parts, depth);
    }

    fn width(&self, term: u32) -> u32 {
        self.question.terms[term as usize].0
    }

    fn span(&self, term: u32) -> Span {
        self.spans.spans[term as usize]
    }

    /// Any value of an interval.
    fn any(&mut self, (least, most): Span) -> u64 {
        match (most - least).checked_add(1) {
            None => self.below(0),
            Some(count) => least + self.below(count),
        }
    }

    /// One of two operands that is unknown.
    fn operand(&mut self, a: u32, b: u32) -> Operand {
        let is_first = match (self.is_unknown(a), self.is_unknown(b)) {
            (true, true) => self.below(2) == 0,
            (is_first, _) => is_first,
        };
        let (term, other) = if is_first { (a, b) } else { (b, a) };
        Operand { term, other, is_first }
    }

    fn extract(&mut self, of: u32, low: u32, all: u64, wanted: Span, depth: u32) {
        let span = self.span(of);
        let above = |value: u64| value >> low & !all;
        if above(span.0) == above(span.1) {
            let above = above(span.0);
            self.give(of, ((above | wanted.0) << low, (above | wanted.1) << low | mask(low)), depth);
        } else {
            let value = self.any(wanted);
            let value = self.value(of) & !(all << low) | value << low;
            self.give(of, (value, value), depth);
        }
    }

    /// Stays on a side, or goes to the other one, rather if that is what it is to be already.
    fn choose(&mut self, condition: u32, yes: u32, no: u32, wanted: Span, depth: u32) {
        let holds = self.value(condition) & 1 == 1;
        let (here, there) = if holds { (yes, no) } else { (no, yes) };
        let can_stay = self.is_unknown(here) && common(self.span(here), wanted).is_some();
        let can_go = self.is_unknown(condition) && common(self.span(there), wanted).is_some();
        let is_there = is_in(self.value(there), wanted);
        let goes = can_go && (!can_stay || is_there && self.below(4) > 0 || self.below(3) == 0);
        if goes {
            let side = u64::from(!holds);
            self.give(condition, (side, side), depth);
            self.give(there, wanted, depth);
        } else if can_stay {
            self.give(here, wanted, depth);
        }
    }

    /// What is read is to be something, or another place is read.
    fn read(&mut self, array: u32, index: u32, wanted: Span, depth: u32) {
        let here = element(self.question, &self.values, array, self.value(index));
        if let Some(here) = here
            && self.is_unknown(here)
            && common(self.span(here), wanted).is_some()
            && (!self.is_unknown(index) || self.below(2) == 0)
        {
            return self.give(here, wanted, depth);
        }
        let question = self.question;
        let mut below = array;
        while let Term::Store(under, ..) = &question.terms[below as usize].1 {
            below = *under;
        }
        let Term::Literal(elements) = &question.terms[below as usize].1 else { return };
        self.work += elements.len() / 4;
        let span = self.span(index);
        let can_be = |it: u32| {
            is_in(self.value(it), wanted) || self.is_unknown(it) && common(self.span(it), wanted).is_some()
        };
        let fits = |(place, it): &(u64, &u32)| is_in(*place, span) && can_be(**it);
        let places: Vec<(u64, &u32)> = (0..).zip(elements).filter(fits).collect();
        if !places.is_empty() {
            let (place, there) = self.one_of(&places);
            self.give(index, (place, place), depth);
            self.give(*there, wanted, depth);
        }
    }

    fn compare(&mut self, op: CompareOp, a: u32, b: u32, holds: bool, depth: u32) {
        let Operand { term, other, is_first } = self.operand(a, b);
        let width = self.width(term);
        let (all, least_signed, other) = (mask(width), 1_u64 << (width - 1), self.value(other));
        let most_signed = least_signed - 1;
        // With signs, numbers from the least one on go around.
        let wanted = match (op, holds, is_first) {
            (CompareOp::Eq, true, _) => (other, other),
            (CompareOp::Eq, false, _) => (other.wrapping_add(1), other.wrapping_sub(1)),
            (CompareOp::Ult, true, true) if other > 0 => (0, other - 1),
            (CompareOp::Ult, true, false) if other < all => (other + 1, all),
            (CompareOp::Ult, false, true) => (other, all),
            (CompareOp::Ult, false, false) => (0, other),
            (CompareOp::Slt, true, true) if other != least_signed => (least_signed, other.wrapping_sub(1)),
            (CompareOp::Slt, true, false) if other != most_signed => (other.wrapping_add(1), most_signed),
            (CompareOp::Slt, false, true) => (other, most_signed),
            (CompareOp::Slt, false, false) => (least_signed, other),
            _ => return,
        };
        self.give_around(term, wanted, depth);
    }

    fn binary(&mut self, op: BinaryOp, a: u32, b: u32, wanted: Span, depth: u32) {
        let width = self.width(a);
        let both = self.is_unknown(a) && self.is_unknown(b);
        let one = self.operand(a, b);
        match op {
            BinaryOp::And | BinaryOp::Or
                if width == 1 && both && (op == BinaryOp::And) == (wanted.0 == 1) =>
            {
                self.give(a, wanted, depth);
                self.give(b, wanted, depth);
            }
            BinaryOp::Add | BinaryOp::Sub => {
                if both && self.below(8) > 0 {
                    self.both_of_sum(op, a, b, wanted, depth);
                } else {
                    self.one_of_sum(op, one, wanted, depth);
                }
            }
            BinaryOp::Mul => self.factor(one, wanted, depth),
            // The rules know no signs.
            BinaryOp::SDiv | BinaryOp::SRem if self.below(4) == 0 => self.give_any(one.term, depth),
            BinaryOp::UDiv | BinaryOp::SDiv => self.quotient(one, wanted, depth),
            BinaryOp::URem | BinaryOp::SRem => self.remainder(one, wanted, depth),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.bits(op, one, both, wanted, depth),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.shift(op, one, wanted, depth),
        }
    }

    /// The operand of a sum or difference that can be more things, so that the other one can do the rest, and then that.
    fn both_of_sum(&mut self, op: BinaryOp, a: u32, b: u32, wanted: Span, depth: u32) {
        let (of_a, of_b) = (self.span(a), self.span(b));
        let a_is_wider = of_a.1 - of_a.0 >= of_b.1 - of_b.0;
        let (first, rest) = if a_is_wider { (a, of_b) } else { (b, of_a) };
        let around = match (op, a_is_wider) {
            (BinaryOp::Add, _) => (wanted.0.wrapping_sub(rest.1), wanted.1.wrapping_sub(rest.0)),
            (_, true) => (wanted.0.wrapping_add(rest.0), wanted.1.wrapping_add(rest.1)),
            (_, false) => (rest.0.wrapping_sub(wanted.1), rest.1.wrapping_sub(wanted.0)),
        };
        let count = u128::from(wanted.1 - wanted.0) + u128::from(rest.1 - rest.0);
        if count < u128::from(mask(self.width(a))) {
            self.give_around(first, around, depth);
        }
        let (term, other) = if a_is_wider { (b, a) } else { (a, b) };
        self.one_of_sum(op, Operand { term, other, is_first: !a_is_wider }, wanted, depth);
    }

    fn one_of_sum(&mut self, op: BinaryOp, one: Operand, (least, most): Span, depth: u32) {
        let other = self.value(one.other);
        let wanted = match (op, one.is_first) {
            (BinaryOp::Add, _) => (least.wrapping_sub(other), most.wrapping_sub(other)),
            (_, true) => (least.wrapping_add(other), most.wrapping_add(other)),
            (_, false) => (other.wrapping_sub(most), other.wrapping_sub(least)),
        };
        self.give_around(one.term, wanted, depth);
    }

    /// The next number, from a drawn one on, whose product with the other factor is in the interval.
    fn factor(&mut self, one: Operand, (least, most): Span, depth: u32) {
        let (factor, span) = (u128::from(self.value(one.other)), self.span(one.term));
        let modulus = u128::from(mask(self.width(one.term))) + 1;
        let (least, most) = (u128::from(least), u128::from(most));
        if factor > 0 && factor * u128::from(span.1) < modulus {
            // Nothing wraps around.
            let around = (least.div_ceil(factor) as u64, (most / factor) as u64);
            if around.0 <= around.1 {
                return self.give(one.term, around, depth);
            }
        }
        let drawn = self.any(span);
        for from in [drawn, span.0] {
            let product = factor * u128::from(from) % modulus;
            let [least, most] = [least, most].map(|bound| (bound + modulus - product) % modulus);
            let steps = if least > most { Some(0) } else { first_multiple(factor, modulus, least, most) };
            let found = steps.and_then(|steps| u64::try_from(u128::from(from) + steps).ok());
            if let Some(found) = found.filter(|found| *found <= span.1) {
                return self.give(one.term, (found, found), depth);
            }
        }
        self.give_any(one.other, depth);
    }

    fn quotient(&mut self, one: Operand, (least, most): Span, depth: u32) {
        let (all, other) = (mask(self.width(one.term)), self.value(one.other));
        if one.is_first {
            // What divided by zero gives is asked for seldom.
            let Some(dividend) = least.checked_mul(other).filter(|least| other > 0 && *least <= all) else {
                return self.give_any(one.other, depth);
            };
            let last = most.saturating_mul(other).saturating_add(other - 1).min(all);
            self.give(one.term, (dividend, last), depth);
        } else if most == all {
            self.give(one.term, (0, 0), depth);
        } else {
            let last = other.checked_div(least).unwrap_or(all);
            // No divisor is greater than the greatest number.
            let Some(first) = (other / (most + 1)).checked_add(1) else { return };
            self.give(one.term, (first, last), depth);
        }
    }

    /// A dividend with the remainder that is nearest to what the dividend is, or to a drawn one.
    fn remainder(&mut self, one: Operand, (least, most): Span, depth: u32) {
        let divisor = self.value(one.other);
        if one.is_first && divisor == 0 {
            return self.give(one.term, (least, most), depth);
        }
        if !one.is_first || divisor <= least {
            let unknown = if one.is_first { one.other } else { one.term };
            return self.give_any(unknown, depth);
        }
        let (span, most) = (self.span(one.term), most.min(divisor - 1));
        let from = if self.below(2) == 0 { self.value(one.term) } else { self.any(span) };
        let multiple = from - from % divisor;
        let multiples = [
            multiple,
            multiple.saturating_sub(divisor),
            multiple.saturating_add(divisor),
            span.0 - span.0 % divisor,
        ];
        let fitting: Vec<Span> = multiples
            .into_iter()
            .filter_map(|multiple| {
                common((multiple.checked_add(least)?, multiple.saturating_add(most)), span)
            })
            .take(2)
            .collect();
        if !fitting.is_empty() {
            let one_of_them = self.one_of(&fitting);
            self.give(one.term, one_of_them, depth);
        }
    }

    /// A drawn result, with the bits that it leaves as they are.
    fn bits(&mut self, op: BinaryOp, one: Operand, both: bool, wanted: Span, depth: u32) {
        let width = self.width(one.term);
        let (now, other, span) = (self.value(one.term), self.value(one.other), self.span(one.term));
        // Bits of the operand that do not show.
        let free = match op {
            BinaryOp::And => !other & mask(width),
            BinaryOp::Or => other,
            _ => 0,
        };
        for _ in 0..TRIES {
            let drawn = self.any(wanted);
            let shown = if op == BinaryOp::Xor { drawn ^ other } else { drawn & !free };
            if !is_in(small_binary(op, width, shown, other), wanted) {
                continue;
            }
            let kept = shown | now & free;
            let value = if is_in(kept, span) { kept } else { shown | self.any(span) & free };
            return self.give(one.term, (value, value), depth);
        }
        if both {
            let value = self.any(wanted);
            self.give(one.term, (value, value), depth);
            self.give(one.other, (value, value), depth);
        }
    }

    fn shift(&mut self, op: BinaryOp, one: Operand, (least, most): Span, depth: u32) {
        let width = self.width(one.term);
        let all = mask(width);
        if !one.is_first {
            let (shifted, distances) = (self.value(one.other), 0..=u64::from(width));
            let fits = |distance: &u64| is_in(small_binary(op, width, shifted, *distance), (least, most));
            let distances: Vec<u64> = distances.filter(fits).collect();
            if distances.is_empty() {
                return self.give_any(one.other, depth);
            }
            let distance = self.one_of(&distances);
            return self.give(one.term, (distance, distance), depth);
        }
        // With the sign coming in, the longest distance leaves nothing else.
        let distance = self.value(one.other);
        let distance = if op == BinaryOp::AShr { distance.min(u64::from(width) - 1) } else { distance };
        let Some(distance) = u32::try_from(distance).ok().filter(|it| *it < width) else {
            return self.give_any(one.other, depth);
        };
        if op == BinaryOp::AShr {
            let ends = (least << distance, most << distance | mask(distance));
            return self.give_around(one.term, ends, depth);
        }
        let wanted = if op == BinaryOp::Shl {
            (u128::from(least).div_ceil(1 << distance) as u64, most >> distance)
        } else {
            let last = u128::from(most) << distance | u128::from(mask(distance));
            (least.min(all >> distance) << distance, last.min(u128::from(all)) as u64)
        };
        if wanted.0 <= wanted.1 {
            self.give(one.term, wanted, depth);
        }
    }

    /// Lets a term be anything that it can be.
    fn give_any(&mut self, term: u32, depth: u32) {
        let value = self.any(self.span(term));
        self.give(term, (value, value), depth);
    }
}

fn is_in(value: u64, (least, most): Span) -> bool {
    least <= value && value <= most
}

/// What is in both intervals.
fn common(a: Span, b: Span) -> Option<Span> {
    let both = (a.0.max(b.0), a.1.min(b.1));
    (both.0 <= both.1).then_some(both)
}

/// The least number whose product with a factor is in an interval, modulo a number that is greater than its ends. As
/// Euclid's algorithm: where no multiple is in the interval, how often the modulus is taken away is the same question
/// about the factor.
pub(super) fn first_multiple(factor: u128, modulus: u128, least: u128, most: u128) -> Option<u128> {
    if least == 0 {
        return Some(0);
    }
    if factor == 0 {
        return None;
    }
    let first = least.div_ceil(factor);
    if factor * first <= most {
        return Some(first);
    }
    let negative = |bound: u128| (factor - bound % factor) % factor;
    let times = first_multiple(modulus % factor, factor, negative(most), negative(least))?;
    Some((least + modulus * times).div_ceil(factor))
}
