//! Numbers that were read digit by digit.
//!
//! Length: a third are tests, which make such numbers in the ways in which programs do.
//!
//! A program that reads `123` computes `10 * (10 * d1 + d2) + d3`, and later asks whether the number is zero, or less
//! than the length of something. A solver works on such a sum in full width, with a carry from digit to digit, for a
//! second and more. But where the path says of each digit that it is less than ten, the sum is written in a positional
//! system: no two lists of digits have one sum, and numbers are ordered as their digits are. So a comparison with a
//! constant is one of the digits with those of the constant, and each part of it is a question about one byte.
//!
//! The factors need not be powers of ten: each has to be greater than what the terms behind it can come to, and the
//! whole must not wrap around.

use std::cmp::Reverse;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::base::bits::{BinaryOp, CompareOp};
use crate::exec::{Executor, State};
use crate::expr::{Arena, Class, ExprId, Node};
use crate::solver::SolverError;

/// Sums that are looked through have at most so many nodes.
const MOST_NODES: usize = 128;

/// Wider numbers are left alone.
const MOST_WIDTH: u32 = 64;

/// What the path says of a number: the least and the greatest value, without a sign.
#[derive(Clone, Copy, Debug)]
struct Range {
    least: u64,
    most: u64,
}

/// A sum that does not wrap around.
#[derive(Clone, Debug)]
struct Sum {
    /// Factors and what they are multiplied with, whose greatest value follows.
    terms: Vec<(u128, ExprId, u64)>,
    constant: u128,
    most: u128,
}

/// What the constraints of a path say of single numbers.
struct Ranges<'a> {
    arena: &'a Arena,
    unsigned: FxHashMap<ExprId, Range>,
    signed: FxHashMap<ExprId, (i64, i64)>,
    /// How many nodes may still be looked at.
    nodes: usize,
}

fn greatest(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// A number of so many bits as a signed one.
fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

impl<'a> Ranges<'a> {
    fn of<'c>(arena: &'a Arena, constraints: impl IntoIterator<Item = &'c ExprId>) -> Self {
        let mut ranges =
            Self { arena, unsigned: FxHashMap::default(), signed: FxHashMap::default(), nodes: MOST_NODES };
        for constraint in constraints {
            ranges.learn(*constraint);
        }
        ranges
    }

    fn learn(&mut self, constraint: ExprId) {
        let (holds, truth) = match self.arena.node(constraint) {
            Node::Not(inner) => (false, inner),
            _ => (true, constraint),
        };
        let Node::Compare(op, left, right) = self.arena.node(truth) else { return };
        let width = self.arena.width(left);
        if width > MOST_WIDTH {
            return;
        }
        let (known, number, is_left) = match (self.arena.as_u64(left), self.arena.as_u64(right)) {
            (Some(known), None) => (known, right, true),
            (None, Some(known)) => (known, left, false),
            _ => return,
        };
        match op {
            CompareOp::Eq if holds => self.within(number, Range { least: known, most: known }),
            CompareOp::Eq => {}
            CompareOp::Ult => {
                let most = greatest(width);
                let range = match (holds, is_left) {
                    // known < number
                    (true, true) => Range { least: known.saturating_add(1), most },
                    // number < known
                    (true, false) => Range { least: 0, most: known.saturating_sub(1) },
                    // number <= known
                    (false, true) => Range { least: 0, most: known },
                    // known <= number
                    (false, false) => Range { least: known, most },
                };
                self.within(number, range);
            }
            CompareOp::Slt => {
                let known = signed(known, width);
                let entry = self.signed.entry(number).or_insert((i64::MIN, i64::MAX));
                match (holds, is_left) {
                    (true, true) => entry.0 = entry.0.max(known.saturating_add(1)),
                    (true, false) => entry.1 = entry.1.min(known.saturating_sub(1)),
                    (false, true) => entry.1 = entry.1.min(known),
                    (false, false) => entry.0 = entry.0.max(known),
                }
            }
        }
    }

    fn within(&mut self, number: ExprId, range: Range) {
        let entry = self.unsigned.entry(number).or_insert(range);
        entry.least = entry.least.max(range.least);
        entry.most = entry.most.min(range.most);
    }

    /// What a number can be, as far as that is seen without a solver.
    fn range(&self, number: ExprId) -> Range {
        let width = self.arena.width(number);
        let mut range = Range { least: 0, most: greatest(width) };
        let mut meet = |other: Range| {
            range.least = range.least.max(other.least);
            range.most = range.most.min(other.most);
        };
        if let Some(known) = self.unsigned.get(&number) {
            meet(*known);
        }
        if let Some((least, most)) = self.signed.get(&number).copied()
            && least >= 0
        {
            // Not negative, so signs make no difference.
            meet(Range { least: least as u64, most: (most as u64).min(greatest(width) / 2) });
        }
        match self.arena.node(number) {
            Node::Constant(value) => meet(Range { least: value, most: value }),
            Node::ZeroExtend(inner) if self.arena.width(inner) <= MOST_WIDTH => meet(self.range(inner)),
            Node::SignExtend(inner) if self.arena.width(inner) <= MOST_WIDTH => {
                let inner_range = self.range(inner);
                if inner_range.most <= greatest(self.arena.width(inner)) / 2 {
                    meet(inner_range);
                }
            }
            Node::Binary(BinaryOp::Add, added, inner) => {
                // A subtraction that does not wrap around: `c - '0'`.
                if let Some(added) = self.arena.as_u64(added)
                    && width <= MOST_WIDTH
                {
                    let less = added.wrapping_neg() & greatest(width);
                    let inner = self.range(inner);
                    if less > 0 && less <= inner.least {
                        // Of a path that the solver gave up on, what it says may contradict itself.
                        meet(Range { least: inner.least - less, most: inner.most.saturating_sub(less) });
                    }
                }
            }
            _ => {}
        }
        range
    }

    /// A number as a sum; of one term if it shows nothing else.
    fn sum(&mut self, number: ExprId) -> Sum {
        let width = self.arena.width(number);
        let limit = 1_u128 << width.min(MOST_WIDTH);
        let itself = |ranges: &Self| {
            let most = ranges.range(number).most;
            Sum { terms: vec![(1, number, most)], constant: 0, most: u128::from(most) }
        };
        self.nodes = self.nodes.saturating_sub(1);
        if self.nodes == 0 || width > MOST_WIDTH {
            return itself(self);
        }
        let sum = match self.arena.node(number) {
            Node::Constant(value) => {
                let constant = u128::from(value);
                Some(Sum { terms: Vec::new(), constant, most: constant })
            }
            Node::ZeroExtend(inner) if self.arena.width(inner) <= MOST_WIDTH => Some(self.sum(inner)),
            Node::SignExtend(inner) if self.arena.width(inner) <= MOST_WIDTH => {
                let half = 1_u128 << (self.arena.width(inner) - 1);
                Some(self.sum(inner)).filter(|sum| sum.most < half)
            }
            Node::Extract(inner, 0) if self.arena.width(inner) <= MOST_WIDTH => Some(self.sum(inner)),
            Node::Binary(BinaryOp::Add, one, other) => {
                let (mut one, other) = (self.sum(one), self.sum(other));
                one.terms.extend(other.terms);
                one.constant += other.constant;
                one.most += other.most;
                Some(one)
            }
            Node::Binary(BinaryOp::Mul, factor, inner) => self.arena.as_u64(factor).map(|factor| {
                let (factor, mut sum) = (u128::from(factor), self.sum(inner));
                for term in &mut sum.terms {
                    term.0 = term.0.saturating_mul(factor);
                }
                sum.constant = sum.constant.saturating_mul(factor);
                sum.most = sum.most.saturating_mul(factor);
                sum
            }),
            _ => None,
        };
        let most = u128::from(self.range(number).most);
        match sum.filter(|sum| sum.most < limit) {
            // What is known of the whole is more than its terms tell.
            Some(sum) => Sum { most: sum.most.min(most), ..sum },
            None => itself(self),
        }
    }

    /// A number as a sum whose terms are digits of a positional system, greatest first.
    fn positional(&mut self, number: ExprId) -> Option<Sum> {
        let mut sum = self.sum(number);
        sum.terms.retain(|(factor, _, most)| *factor > 0 && *most > 0);
        sum.terms.sort_by_key(|(factor, ..)| Reverse(*factor));
        // One product alone, a size mostly, is no harder as it stands.
        if sum.terms.len() < 2 {
            return None;
        }
        let mut behind = 0_u128;
        for (factor, _, most) in sum.terms.iter().rev() {
            if *factor <= behind {
                return None;
            }
            behind += factor * u128::from(*most);
        }
        Some(sum)
    }
}

/// What a number is the opposite of, where it was written so: `-n`.
fn opposite(arena: &Arena, number: ExprId) -> Option<ExprId> {
    match arena.node(number) {
        Node::Binary(BinaryOp::Sub, zero, inner) if arena.as_u64(zero) == Some(0) => Some(inner),
        _ => None,
    }
}

/// Whether a number looks as if it was computed from digits.
fn is_product(arena: &Arena, mut number: ExprId) -> bool {
    for _ in 0..8 {
        number = match arena.node(number) {
            Node::Binary(BinaryOp::Mul, factor, _) => return arena.as_u64(factor).is_some(),
            Node::Binary(BinaryOp::Add, one, other) => {
                if is_factor(arena, one) || is_factor(arena, other) {
                    return true;
                }
                if arena.as_u64(one).is_some() { other } else { one }
            }
            Node::ZeroExtend(inner) | Node::SignExtend(inner) | Node::Extract(inner, 0) => inner,
            _ => return false,
        };
    }
    false
}

fn is_factor(arena: &Arena, number: ExprId) -> bool {
    matches!(arena.node(number), Node::Binary(BinaryOp::Mul, factor, _) if arena.as_u64(factor).is_some())
}

/// A condition that holds, beside constraints, where the given one does: put as comparisons of digits if it compares a
/// number of digits with a constant.
fn by_digits<'c>(
    arena: &mut Arena,
    constraints: impl IntoIterator<Item = &'c ExprId>,
    condition: ExprId,
    forgets: bool,
) -> Option<ExprId> {
    let (holds, truth) = match arena.node(condition) {
        Node::Not(inner) => (false, inner),
        _ => (true, condition),
    };
    let Node::Compare(op, left, right) = arena.node(truth) else { return None };
    let (known, number, is_left) = match (arena.as_u64(left), arena.as_u64(right)) {
        (Some(known), None) => (known, right, true),
        (None, Some(known)) => (known, left, false),
        _ => return None,
    };
    let width = arena.width(number);
    if width > MOST_WIDTH {
        return None;
    }
    let half = 1_u128 << (width - 1);
    let (known, number, is_left) = match opposite(arena, number) {
        None => (u128::from(known), number, is_left),
        // -n < k where -k < n, of numbers that have an opposite.
        Some(inner) if op == CompareOp::Eq || op == CompareOp::Slt && u128::from(known) != half => {
            let known = known.wrapping_neg() & greatest(width);
            (u128::from(known), inner, is_left != (op == CompareOp::Slt))
        }
        Some(_) => return None,
    };
    if !is_product(arena, number) || arena.class(number) != Class::Integer {
        return None;
    }
    let mut ranges = Ranges::of(arena, constraints);
    let (whole, mut known, mut number) = (number, known, number);
    if let Node::Binary(BinaryOp::Add, added, minuend) = arena.node(number)
        && let Some(added) = arena.as_u64(added)
    {
        // What is left of a number after something was taken away, of which there is enough: `n - 8`.
        let less = added.wrapping_neg() & greatest(width);
        if less > 0 && less <= ranges.range(minuend).least {
            (known, number) = (known + u128::from(less), minuend);
        }
    }
    let mut sum = ranges.positional(number)?;
    if forgets {
        sum.terms.pop();
    }
    if op == CompareOp::Slt && (sum.most >= half || number != whole) {
        return None;
    }
    let compared = match op {
        // What is below zero is less than what was read.
        CompareOp::Slt if known >= half => arena.truth(is_left),
        CompareOp::Eq => digits_equal(arena, &sum, known),
        // number < known
        CompareOp::Ult | CompareOp::Slt if !is_left => digits_less(arena, &sum, known),
        // known < number
        CompareOp::Ult | CompareOp::Slt => {
            let at_most = digits_less(arena, &sum, known + 1);
            arena.not(at_most)
        }
    };
    Some(if holds { compared } else { arena.not(compared) })
}

fn digits_equal(arena: &mut Arena, sum: &Sum, known: u128) -> ExprId {
    let Some(mut rest) = known.checked_sub(sum.constant) else { return arena.truth(false) };
    let mut all = arena.truth(true);
    for (factor, digit, most) in &sum.terms {
        let value = rest / factor;
        rest %= factor;
        match u64::try_from(value).ok().filter(|value| value <= most) {
            None => return arena.truth(false),
            Some(value) => {
                let value = arena.constant(arena.width(*digit), value);
                let here = arena.equal(value, *digit);
                all = arena.and(all, here);
            }
        }
    }
    if rest == 0 { all } else { arena.truth(false) }
}

fn digits_less(arena: &mut Arena, sum: &Sum, known: u128) -> ExprId {
    let Some(mut rest) = known.checked_sub(sum.constant) else { return arena.truth(false) };
    // The comparison of each digit, from the greatest on, until one decides.
    let mut steps = Vec::new();
    let mut last = None;
    for (factor, digit, most) in &sum.terms {
        let value = rest / factor;
        rest %= factor;
        match u64::try_from(value).ok().filter(|value| value <= most) {
            None => {
                last = Some(true);
                break;
            }
            Some(value) => {
                let value = arena.constant(arena.width(*digit), value);
                let less = arena.less(*digit, value);
                let equal = arena.equal(value, *digit);
                steps.push((less, equal));
            }
        }
    }
    let mut result = arena.truth(last.unwrap_or(rest > 0));
    for (less, equal) in steps.into_iter().rev() {
        let goes_on = arena.and(equal, result);
        result = arena.binary(BinaryOp::Or, less, goes_on);
    }
    result
}

impl Executor<'_> {
    /// [`by_digits`] of what holds on a path; until [`Self::end_digits`] its parts are asked and assumed one by one.
    pub(in crate::exec) fn by_digits(&mut self, state: &State, condition: ExprId) -> ExprId {
        let known = state.constraints.iter().chain(state.facts.iter());
        #[cfg(feature = "plant")]
        let forgets = self.config.forget_digit;
        #[cfg(not(feature = "plant"))]
        let forgets = false;
        let Some(compared) = by_digits(&mut self.arena, known, condition, forgets) else { return condition };
        let (no_digits, opposite) = (self.arena.not(condition), self.arena.not(compared));
        self.digits = [(compared, condition), (opposite, no_digits)].to_vec();
        compared
    }

    /// The condition that is decided is decided: another one that has the same parts, on another path, may come from
    /// numbers that are none of digits.
    pub(in crate::exec) fn end_digits(&mut self) {
        self.digits.clear();
    }

    /// The condition that is decided, or its opposite, as it was before [`Self::by_digits`].
    fn asked_for(&self, condition: ExprId) -> Option<ExprId> {
        self.digits.iter().find(|(compared, _)| *compared == condition).map(|(_, asked)| *asked)
    }

    /// Whether a condition can hold beside constraints; one of digits is asked part by part, each of which is
    /// about few bytes.
    pub(in crate::exec) fn may_hold(
        &mut self,
        constraints: &[ExprId],
        condition: ExprId,
    ) -> Result<bool, SolverError> {
        if self.asked_for(condition).is_none() {
            return self.solver.may_hold(&mut self.arena, constraints, condition);
        }
        let mut constraints = constraints.to_vec();
        self.parts_may_hold(&mut constraints, condition, true)
    }

    /// Whether a condition, or its opposite, can hold beside constraints.
    fn parts_may_hold(
        &mut self,
        constraints: &mut Vec<ExprId>,
        condition: ExprId,
        holds: bool,
    ) -> Result<bool, SolverError> {
        let (op, one, other) = match self.arena.node(condition) {
            Node::Not(inner) => return self.parts_may_hold(constraints, inner, !holds),
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), one, other) => (op, one, other),
            _ => {
                let asked = if holds { condition } else { self.arena.not(condition) };
                return self.solver.may_hold(&mut self.arena, constraints, asked);
            }
        };
        if (op == BinaryOp::And) != holds {
            // One of both is enough.
            return Ok(self.parts_may_hold(constraints, one, holds)?
                || self.parts_may_hold(constraints, other, holds)?);
        }
        // Both, the second with the first: what can hold of the first alone is to be found out first.
        let before = constraints.len();
        let asked = if holds { one } else { self.arena.not(one) };
        if !self.parts_may_hold(constraints, one, holds)? {
            return Ok(false);
        }
        constraints.push(asked);
        let both = self.parts_may_hold(constraints, other, holds);
        constraints.truncate(before);
        both
    }

    /// Adds what is known from now on; of a condition of digits, each part that has to hold by itself.
    pub(in crate::exec) fn assume(&mut self, state: &mut State, truth: ExprId) {
        let Some(asked) = self.asked_for(truth) else {
            state.assume(truth);
            return;
        };
        Rc::make_mut(&mut state.facts).push(asked);
        let mut parts = vec![(truth, true)];
        while let Some((part, holds)) = parts.pop() {
            match self.arena.node(part) {
                Node::Not(inner) => parts.push((inner, !holds)),
                Node::Binary(BinaryOp::And, one, other) if holds => {
                    parts.extend([(other, true), (one, true)]);
                }
                Node::Binary(BinaryOp::Or, one, other) if !holds => {
                    parts.extend([(other, false), (one, false)]);
                }
                _ => {
                    let part = if holds { part } else { self.arena.not(part) };
                    if !self.arena.is_true(part) {
                        state.assume(part);
                    }
                }
            }
        }
        // Last, or a condition that is its own only part would be taken for known.
        state.assumed.insert_mut(truth);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::by_digits;
    use crate::base::bits::{BinaryOp, CompareOp};
    use crate::expr::{Arena, Evaluator, ExprId, InputId, Model, RenameInputs};

    /// `base * (... + (byte - first)) + ...`, and that each is less than the base, in one of the ways in which programs
    /// find it out.
    fn number(arena: &mut Arena, inputs: &[InputId], base: u64, first: u8, way: u8) -> (ExprId, Vec<ExprId>) {
        let (mut sum, mut constraints) = (arena.constant(64, 0), Vec::new());
        for input in inputs {
            let byte = arena.input_byte(*input);
            let wide = if way == 1 { arena.sign_extend(byte, 32) } else { arena.zero_extend(byte, 32) };
            let less = arena.constant(32, u64::from(u32::from(first).wrapping_neg()));
            let digit = arena.binary(BinaryOp::Add, less, wide);
            let (low, high) =
                (arena.constant(32, u64::from(first)), arena.constant(32, u64::from(first) + base));
            let limit = arena.constant(32, base);
            match way {
                0 => constraints.push(arena.less(digit, limit)),
                _ => {
                    let op = if way == 1 { CompareOp::Slt } else { CompareOp::Ult };
                    let below = arena.compare(op, wide, low);
                    constraints.push(arena.not(below));
                    constraints.push(arena.compare(op, wide, high));
                }
            }
            let digit = if way == 1 { arena.sign_extend(digit, 64) } else { arena.zero_extend(digit, 64) };
            let base = arena.constant(64, base);
            let product = arena.binary(BinaryOp::Mul, base, sum);
            sum = arena.binary(BinaryOp::Add, product, digit);
        }
        (sum, constraints)
    }

    proptest! {
        #[test]
        fn digits_compare_as_their_number_does(
            digits in prop::collection::vec(0_u8..10, 2..7),
            (base, first, way) in (2_u64..11, prop::sample::select(vec![1_u8, 40, 48, 97]), 0_u8..3),
            (near, far, is_near) in (-12_i64..12, any::<u32>(), any::<bool>()),
            (op, known_left, negated) in (0_usize..3, any::<bool>(), any::<bool>()),
            (is_opposite, is_below_zero) in (any::<bool>(), any::<bool>()),
        ) {
            let digits: Vec<u8> = digits.into_iter().map(|digit| (u64::from(digit) % base) as u8).collect();
            let mut arena = Arena::new(RenameInputs(true));
            let array = arena.input_array("text", digits.len());
            let inputs = arena.array(array).bytes.clone();
            let (sum, constraints) = number(&mut arena, &inputs, base, first, way);
            let value = digits.iter().fold(0, |sum, digit| sum * base + u64::from(*digit));
            let known = if is_near { value.saturating_add_signed(near) } else { u64::from(far) };
            let known = if is_below_zero { known.wrapping_neg() } else { known };
            let known = arena.constant(64, known);
            let zero = arena.constant(64, 0);
            let sum = if is_opposite { arena.binary(BinaryOp::Sub, zero, sum) } else { sum };
            let op = [CompareOp::Eq, CompareOp::Ult, CompareOp::Slt][op];
            let condition = if known_left { arena.compare(op, known, sum) } else { arena.compare(op, sum, known) };
            let condition = if negated { arena.not(condition) } else { condition };
            let compared = by_digits(&mut arena, &constraints, condition, false);
            let model = Model::new(inputs.iter().copied().zip(digits.iter().map(|digit| digit + first)));
            let mut evaluator = Evaluator::new(&arena, &model);
            for constraint in constraints {
                prop_assert!(evaluator.holds(constraint));
            }
            if let Some(compared) = compared {
                prop_assert_eq!(evaluator.holds(compared), evaluator.holds(condition));
            }
        }
    }

    #[test]
    fn what_is_left_of_a_number_is_compared_where_there_is_enough_of_it() {
        let mut arena = Arena::new(RenameInputs(true));
        let array = arena.input_array("text", 2);
        let inputs = arena.array(array).bytes.clone();
        let (sum, mut constraints) = number(&mut arena, &inputs, 10, b'0', 0);
        let (eight, less, limit) =
            (arena.constant(64, 8), arena.constant(64, 8_u64.wrapping_neg()), arena.constant(64, 5));
        let left = arena.binary(BinaryOp::Add, less, sum);
        let below = arena.less(left, limit);
        assert_eq!(by_digits(&mut arena, &constraints, below, false), None);
        let too_few = arena.less(sum, eight);
        constraints.push(arena.not(too_few));
        let thirteen = arena.constant(64, 13);
        let whole = arena.less(sum, thirteen);
        let expected = by_digits(&mut arena, &constraints, whole, false);
        assert!(expected.is_some());
        assert_eq!(by_digits(&mut arena, &constraints, below, false), expected);
    }

    #[test]
    fn numbers_with_a_sign_are_compared_with_what_is_below_zero() {
        let mut arena = Arena::new(RenameInputs(true));
        let array = arena.input_array("text", 3);
        let inputs = arena.array(array).bytes.clone();
        let (sum, constraints) = number(&mut arena, &inputs, 10, b'0', 0);
        let zero = arena.constant(64, 0);
        let minus = arena.binary(BinaryOp::Sub, zero, sum);
        let (hundred, below) = (arena.constant(64, 100), arena.constant(64, 100_u64.wrapping_neg()));
        let never = arena.compare(CompareOp::Slt, sum, below);
        assert_eq!(by_digits(&mut arena, &constraints, never, false), Some(arena.truth(false)));
        let (of_minus, of_sum) =
            (arena.compare(CompareOp::Slt, minus, below), arena.compare(CompareOp::Slt, hundred, sum));
        let expected = by_digits(&mut arena, &constraints, of_sum, false);
        assert!(expected.is_some());
        assert_eq!(by_digits(&mut arena, &constraints, of_minus, false), expected);
        // The least number has no opposite.
        let least = arena.constant(64, 1 << 63);
        let beyond = arena.compare(CompareOp::Slt, least, minus);
        assert_eq!(by_digits(&mut arena, &constraints, beyond, false), None);
    }

    #[test]
    fn a_number_of_digits_is_compared_digit_by_digit_and_others_are_not() {
        let mut arena = Arena::new(RenameInputs(true));
        let array = arena.input_array("text", 3);
        let inputs = arena.array(array).bytes.clone();
        let (sum, constraints) = number(&mut arena, &inputs, 10, b'0', 0);
        let known = arena.constant(64, 120);
        let equal = arena.equal(known, sum);
        let bytes = arena.array(array).bytes.clone();
        let mut all = arena.truth(true);
        for (input, digit) in bytes.into_iter().zip(*b"120") {
            let (byte, digit) = (arena.input_byte(input), arena.constant(8, u64::from(digit)));
            let here = arena.equal(digit, byte);
            all = arena.and(all, here);
        }
        assert_eq!(by_digits(&mut arena, &constraints, equal, false), Some(all));
        // Without the bounds a sum is no list of digits.
        assert_eq!(by_digits(&mut arena, &constraints[..2], equal, false), None);
        let known = arena.constant(64, 1000);
        let less = arena.less(sum, known);
        assert_eq!(by_digits(&mut arena, &constraints, less, false), Some(arena.truth(true)));
    }
}
