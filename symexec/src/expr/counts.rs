//! Counts of bits, in the forms that cost a solver least.

use super::{Arena, ExprId};
use crate::base::bits::BinaryOp;

impl Arena {
    /// How many bits of a value are one, in its width.
    ///
    /// A tree of sums, each as wide as what it may be: that a sum of all bits is compared with another way to count takes a
    /// solver a hundred times less than where bits are added one after the other in the width of the value.
    pub fn count_ones(&mut self, value: ExprId) -> ExprId {
        let width = self.width(value);
        let mut sums: Vec<ExprId> = (0..width).map(|bit| self.extract(value, bit, 1)).collect();
        while sums.len() > 1 {
            let pairs = sums.chunks(2).map(|pair| match *pair {
                [one, other] => {
                    let wide = (self.width(one).max(self.width(other)) + 1).min(width);
                    let (one, other) = (self.zero_extend(one, wide), self.zero_extend(other, wide));
                    self.binary(BinaryOp::Add, one, other)
                }
                _ => pair[0],
            });
            sums = pairs.collect();
        }
        self.zero_extend(sums[0], width)
    }

    /// How many bits are zero in front of the first one from either end, in a value's width.
    pub fn count_zeros(&mut self, value: ExprId, leading: bool) -> ExprId {
        let width = self.width(value);
        let mut count = self.constant(width, u64::from(width));
        for step in (0..width).rev() {
            let position = if leading { width - 1 - step } else { step };
            let bit = self.extract(value, position, 1);
            let here = self.constant(width, u64::from(step));
            count = self.choose(bit, here, count);
        }
        count
    }
}
