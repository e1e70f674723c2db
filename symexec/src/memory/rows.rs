//! Structures that are copied or filled as a whole at places that are not known: `t[i] = t[j]`.
//!
//! Such a copy is a load and a store for each field. Nothing but memory tells which fields a structure has: where a
//! value begins or ends in one of the rows that the copy may reach, in its source or in its target, a piece of the
//! copy does; and what lies between is divided into words, as far as rows are aligned to these. So pointers are
//! copied as pointers, and columns as they are.

use std::collections::BTreeSet;

use num_integer::Integer;

use super::{Contents, MOST_TABULATED, Memory, ObjectId};
use crate::expr::{Arena, ExprId};

/// A copy has at most so many pieces,
const MOST_PIECES: usize = 256;

/// in so many rows at most, which are as many elements of arrays as pieces times rows.
const MOST_ELEMENTS: u64 = 1 << 14;

/// Where something begins in an object.
#[derive(Clone, Copy, Debug)]
pub enum Distance {
    /// So many bytes from its start.
    Known(u64),
    /// An unknown number of bytes from its start.
    Unknown(ExprId),
}

/// What an object held, to be brought back.
#[derive(Debug)]
pub struct Kept(Contents);

impl Memory {
    /// The lengths of the pieces, one behind the other, in which `length` bytes are read and written, at a
    /// place each; both lie inside their objects. `None` if none of them is unknown, if an offset shows no
    /// rows, or if that would be too much.
    #[must_use]
    pub fn pieces(
        &self,
        arena: &mut Arena,
        target: Option<(ObjectId, Distance)>,
        source: Option<(ObjectId, Distance)>,
        length: u64,
    ) -> Option<Vec<u32>> {
        let mut cuts = BTreeSet::from([0, length]);
        let (mut word, mut phase, mut rows) = (None, 0, 0);
        // The target comes first: its words count.
        let both = target.map(|place| (place, true)).into_iter().chain(source.map(|place| (place, false)));
        for ((id, distance), written) in both {
            let starts = match distance {
                Distance::Known(offset) => vec![self.holder(id)?.1 + offset],
                Distance::Unknown(offset) => {
                    let (starts, common) = self.starts(arena, id, offset, length, written)?;
                    rows = rows.max(starts.len() as u64);
                    if word.is_none() {
                        (word, phase) = (Some(common), *starts.first()?);
                    }
                    starts
                }
            };
            let held = self.held(self.holder(id)?.0)?;
            for start in starts {
                held.contents()?.cuts(start, length, &mut cuts);
                if cuts.len() > MOST_PIECES {
                    return None;
                }
            }
        }
        let word = word?;
        if length / word > MOST_PIECES as u64 {
            return None;
        }
        let mut pieces = Vec::new();
        let ends: Vec<u64> = cuts.into_iter().collect();
        for pair in ends.windows(2) {
            let (mut from, end) = (pair[0], pair[1]);
            while from < end {
                // Words begin where rows have them.
                let next = (from + word - (from + phase) % word).min(end);
                pieces.push(u32::try_from(next - from).ok()?);
                from = next;
            }
        }
        (pieces.len() <= MOST_PIECES && rows * pieces.len() as u64 <= MOST_ELEMENTS).then_some(pieces)
    }

    /// The offsets, in who holds an object, at which `length` bytes may begin, at least one; and how many bytes all of
    /// them are multiples of, but for the first.
    fn starts(
        &self,
        arena: &mut Arena,
        id: ObjectId,
        offset: ExprId,
        length: u64,
        written: bool,
    ) -> Option<(Vec<u64>, u64)> {
        let (_, (low, high)) = self.bounds(id)?;
        let starts: Vec<u64> = match arena.tabulated(offset) {
            Some((_, _, numbers)) if written && numbers.len() > MOST_TABULATED => return None,
            Some((constant, _, numbers)) => {
                let starts = numbers.into_iter().map(|number| number.wrapping_add(constant));
                let inside = |start: &u64| start.checked_add(length).is_some_and(|end| end <= high - low);
                starts.filter(inside).map(|start| low + start).collect()
            }
            None => {
                let offset = Self::moved(arena, offset, low);
                let access = Self::access(arena, offset, u32::try_from(length).ok()?, (low, high))?;
                let places = access.places();
                if places.stride == 1 && length > 1 || places.count > MOST_ELEMENTS {
                    return None;
                }
                (0..places.count).map(|number| places.place(number)).collect()
            }
        };
        let first = *starts.first()?;
        let common = starts.iter().fold(8, |common: u64, start| common.gcd(&start.abs_diff(first)));
        Some((starts, common))
    }

    /// What an object holds, so that [`Self::bring_back`] can undo what is written to it.
    #[must_use]
    pub fn keep(&self, id: ObjectId) -> Option<Kept> {
        let held = self.held(self.holder(id)?.0)?;
        Some(Kept(held.contents()?.clone()))
    }

    /// Gives an object what it held.
    pub fn bring_back(&mut self, id: ObjectId, Kept(kept): Kept) {
        if let Some((holder, _)) = self.holder(id)
            && let Some(contents) = self.contents_mut(holder)
        {
            *contents = kept;
        }
    }
}
