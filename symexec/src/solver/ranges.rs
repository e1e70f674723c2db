//! Sets of numbers as intervals: what comparisons with a bound hold for, and what is in both of two sets or in none.

use crate::base::bits::{CompareOp, mask};

/// The most intervals that a set may have.
const MOST_INTERVALS: usize = 1 << 10;

/// Numbers from the first to the second, both included.
pub(super) type Interval = (u64, u64);

/// Disjoint intervals in ascending order.
pub(super) type Set = Vec<Interval>;

/// Of all vectors of a width those that are equal to a bound, or below it.
pub(super) fn below(op: CompareOp, bound: u64, width: u32) -> Set {
    let half = 1 << (width - 1);
    let up_to = |first: u64| if bound > first { vec![(first, bound - 1)] } else { Set::new() };
    match op {
        CompareOp::Eq => vec![(bound, bound)],
        CompareOp::Ult => up_to(0),
        CompareOp::Slt if bound >= half => up_to(half),
        CompareOp::Slt => [up_to(0), vec![(half, mask(width))]].concat(),
    }
}

/// Of all vectors of a width those that are equal to a bound, or above it.
pub(super) fn above(op: CompareOp, bound: u64, width: u32) -> Set {
    let half = 1 << (width - 1);
    let from = |last: u64| if bound < last { vec![(bound + 1, last)] } else { Set::new() };
    match op {
        CompareOp::Eq => vec![(bound, bound)],
        CompareOp::Ult => from(mask(width)),
        CompareOp::Slt if bound < half => from(half - 1),
        CompareOp::Slt => [vec![(0, half - 1)], from(mask(width))].concat(),
    }
}

/// What is in no interval.
pub(super) fn complement(set: &[Interval], most: u64) -> Set {
    let mut result = Set::new();
    let mut next = Some(0);
    for (first, last) in set {
        if let Some(next) = next
            && next < *first
        {
            result.push((next, first - 1));
        }
        next = last.checked_add(1);
    }
    if let Some(next) = next
        && next <= most
    {
        result.push((next, most));
    }
    result
}

/// What is in both sets; `None` if it is in too many intervals.
pub(super) fn intersection(a: &[Interval], b: &[Interval]) -> Option<Set> {
    let mut result = Set::new();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some((first, last)), Some((other_first, other_last))) = (a.peek(), b.peek()) {
        let common = (*first.max(other_first), *last.min(other_last));
        if common.0 <= common.1 {
            result.push(common);
        }
        if last < other_last {
            a.next();
        } else {
            b.next();
        }
    }
    (result.len() <= MOST_INTERVALS).then_some(result)
}
