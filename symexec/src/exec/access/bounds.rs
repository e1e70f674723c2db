//! Indices that the path bounds, with their bounds in sight.
//!
//! What an unknown offset can reach is read off it ([`Arena::scaled`](crate::expr::Arena::scaled)): `3 * i` is the
//! start of a row only where the product does not wrap around, which an index of 64 bits does not show, even if the
//! path says `i < n`. Where it does, the index is as good as its low bits with zeros above them, and these show it.
//! So rows of such a table are fields in arrays, and not an array of bytes.

use crate::base::bits::{BinaryOp, CompareOp};
use crate::exec::{Executor, State};
use crate::expr::{ExprId, Node};

/// Bounds of more bits than this say nothing that an object is small enough for.
const MOST_BITS: u32 = 32;

/// An offset that is looked through has at most so many terms.
const MOST_TERMS: usize = 16;

impl Executor<'_> {
    /// An offset that is the given one on this path, whose indices show the bounds that the path gives them.
    pub(in crate::exec) fn bounded_offset(&mut self, state: &State, offset: ExprId) -> ExprId {
        let (mut pending, mut terms) = (vec![offset], Vec::new());
        while let Some(term) = pending.pop() {
            match self.arena.node(term) {
                Node::Binary(BinaryOp::Add, a, b) => pending.extend([b, a]),
                _ => terms.push(term),
            }
            if terms.len() + pending.len() > MOST_TERMS {
                return offset;
            }
        }
        let mut changed = false;
        for term in &mut terms {
            let Node::Binary(BinaryOp::Mul, factor, index) = self.arena.node(*term) else { continue };
            // Powers of two divide whatever wraps around.
            let divides = self.arena.as_u64(factor).is_none_or(u64::is_power_of_two);
            if divides || self.arena.width(index) != 64 || self.arena.range(index).0 >= 0 {
                continue;
            }
            let Some(most) = self.most_of(state, index) else { continue };
            let bits = u64::BITS - most.leading_zeros();
            if bits == 0 || bits > MOST_BITS {
                continue;
            }
            let low = self.arena.extract(index, 0, bits);
            let low = self.arena.zero_extend(low, 64);
            *term = self.arena.binary(BinaryOp::Mul, factor, low);
            changed = true;
        }
        if !changed {
            return offset;
        }
        let zero = self.arena.constant(64, 0);
        terms.into_iter().fold(zero, |sum, term| self.arena.binary(BinaryOp::Add, sum, term))
    }

    /// The least bound, itself included, that the path's constraints give an unsigned number of 64 bits.
    fn most_of(&self, state: &State, number: ExprId) -> Option<u64> {
        let mut bound: Option<u64> = None;
        let mut signed_bound: Option<u64> = None;
        let mut is_negative_excluded = false;
        let lower =
            |bound: &mut Option<u64>, most: u64| *bound = Some(bound.map_or(most, |old| old.min(most)));
        for truth in state.constraints.iter() {
            let (holds, truth) = match self.arena.node(*truth) {
                Node::Not(inner) => (false, inner),
                _ => (true, *truth),
            };
            let Node::Compare(op, left, right) = self.arena.node(truth) else { continue };
            if (left != number) == (right != number) {
                continue;
            }
            // Both of `number < c` and `not (c < number)` are bounds from above.
            match (op, holds, self.arena.as_u64(left), self.arena.as_u64(right)) {
                (CompareOp::Ult, true, _, Some(limit)) if limit > 0 => lower(&mut bound, limit - 1),
                (CompareOp::Ult, false, Some(most), _) => lower(&mut bound, most),
                (CompareOp::Slt, true, _, Some(limit)) if limit as i64 > 0 => {
                    lower(&mut signed_bound, limit - 1);
                }
                (CompareOp::Slt, false, Some(most), _) if most as i64 >= 0 => lower(&mut signed_bound, most),
                (CompareOp::Slt, true, Some(least), _) => is_negative_excluded |= least as i64 >= -1,
                (CompareOp::Slt, false, _, Some(least)) => is_negative_excluded |= least as i64 >= 0,
                _ => {}
            }
        }
        match signed_bound.filter(|_| is_negative_excluded) {
            Some(most) => Some(bound.map_or(most, |bound| bound.min(most))),
            None => bound,
        }
    }
}
