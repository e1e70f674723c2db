//! Two versions of the contents of one object as one.

use super::{AsExpression, Contents, at, value_of};
use crate::expr::{Arena, ExprId};

/// No differing part is longer, in bytes: a part is what was written as one.
const LONGEST: u64 = 4096;

/// What stands for two values of which a condition decides.
pub(in crate::memory) type Choose<'a> = dyn FnMut(&mut Arena, ExprId, ExprId) -> ExprId + 'a;

impl Contents {
    /// These contents, with a choice wherever others differ; `None` if they were written at unknown places since
    /// they parted. A choice is made of what was written as one; of known bytes, of four in a row where objects
    /// consist of such, as most variables do.
    pub(in crate::memory) fn joined(
        &self,
        other: &Self,
        arena: &mut Arena,
        as_expression: &mut AsExpression<'_>,
        choose: &mut Choose<'_>,
    ) -> Option<Self> {
        if self.size != other.size || self.columns != other.columns {
            return None;
        }
        let mut joined = self.clone();
        joined.gathered.get_mut().clear();
        let mut offset = 0;
        while offset < self.size {
            let pieces = [self, other].map(|contents| Self::touching(&contents.pieces, offset, 1).next());
            match pieces {
                [None, None] if self.bytes.get(at(offset)) == other.bytes.get(at(offset)) => {
                    offset += 1;
                    continue;
                }
                [Some((start, one)), Some((second, two))] if (start, one) == (second, two) => {
                    offset = start + u64::from(one.bytes);
                    continue;
                }
                _ => {}
            }
            if self.in_column(offset, 1) {
                offset += 1;
                continue;
            }
            let (start, end) = self.differing(other, offset);
            let count = u32::try_from(end - start).ok().filter(|_| end - start <= LONGEST)?;
            if self.in_column(start, count.into()) {
                return None;
            }
            let one = self.read(arena, start, count, as_expression);
            let two = other.read(arena, start, count, as_expression);
            if one != two {
                let [one, two] = [one, two].map(|value| as_expression(arena, value, count * 8));
                let chosen = choose(arena, one, two);
                let chosen = value_of(arena, chosen);
                joined.write(arena, start, count, chosen, as_expression);
            }
            offset = end;
        }
        Some(joined)
    }

    /// The range around an offset that cuts no piece of either.
    fn differing(&self, other: &Self, offset: u64) -> (u64, u64) {
        let word = offset & !3;
        let (mut start, mut end) =
            if self.size.is_multiple_of(4) { (word, word + 4) } else { (offset, offset + 1) };
        loop {
            let before = (start, end);
            for contents in [self, other] {
                for (place, piece) in Self::touching(&contents.pieces, start, end - start) {
                    start = start.min(place);
                    end = end.max(place + u64::from(piece.bytes));
                }
            }
            if (start, end) == before {
                return before;
            }
        }
    }
}
