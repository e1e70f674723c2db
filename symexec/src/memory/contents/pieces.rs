//! Values that are not known, by where they lie in an object.
//!
//! Most objects are variables with one such value or none, and every state that writes to one has its own. A tree takes
//! some 370 bytes for its first value; one alone is beside the bytes, and a few are a list. An object with many is a
//! tree, where a new value moves no others.

use std::collections::{BTreeMap, btree_map};
use std::ops::Bound;
use std::slice;

use super::Piece;

/// A list with more values becomes a tree, for good.
const MOST_LISTED: usize = 16;

/// Pieces by offset, in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) enum Pieces {
    #[default]
    None,
    One((u64, Piece)),
    Few(Vec<(u64, Piece)>),
    Many(BTreeMap<u64, Piece>),
}

impl Pieces {
    /// Those that are no tree.
    fn list(&self) -> Result<&[(u64, Piece)], &BTreeMap<u64, Piece>> {
        match self {
            Self::None => Ok(&[]),
            Self::One(piece) => Ok(slice::from_ref(piece)),
            Self::Few(pieces) => Ok(pieces),
            Self::Many(pieces) => Err(pieces),
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::None => true,
            Self::One(_) => false,
            Self::Few(pieces) => pieces.is_empty(),
            Self::Many(pieces) => pieces.is_empty(),
        }
    }

    /// The piece that begins at an offset.
    pub(super) fn get(&self, offset: u64) -> Option<&Piece> {
        match self.list() {
            Ok(pieces) => place(pieces, offset).ok().map(|place| &pieces[place].1),
            Err(pieces) => pieces.get(&offset),
        }
    }

    pub(super) fn get_mut(&mut self, offset: u64) -> Option<&mut Piece> {
        match self {
            Self::None => None,
            Self::One((start, piece)) => (*start == offset).then_some(piece),
            Self::Few(pieces) => place(pieces, offset).ok().map(|place| &mut pieces[place].1),
            Self::Many(pieces) => pieces.get_mut(&offset),
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &Piece> {
        let (list, tree) = match self.list() {
            Ok(pieces) => (pieces, None),
            Err(pieces) => (&[][..], Some(pieces)),
        };
        list.iter().map(|(_, piece)| piece).chain(tree.into_iter().flat_map(BTreeMap::values))
    }

    pub(super) fn insert(&mut self, offset: u64, piece: Piece) {
        match self {
            Self::None => *self = Self::One((offset, piece)),
            Self::One(one) if one.0 == offset => one.1 = piece,
            Self::One(one) => {
                let mut both = vec![*one, (offset, piece)];
                both.sort_unstable_by_key(|(start, _)| *start);
                *self = Self::Few(both);
            }
            Self::Few(pieces) => match place(pieces, offset) {
                Ok(place) => pieces[place].1 = piece,
                Err(place) if pieces.len() < MOST_LISTED => pieces.insert(place, (offset, piece)),
                Err(_) => {
                    *self = Self::Many(pieces.drain(..).chain([(offset, piece)]).collect());
                }
            },
            Self::Many(pieces) => {
                pieces.insert(offset, piece);
            }
        }
    }

    pub(super) fn remove(&mut self, offset: u64) {
        match self {
            Self::None => {}
            Self::One((start, _)) => {
                if *start == offset {
                    *self = Self::None;
                }
            }
            Self::Few(pieces) => {
                if let Ok(place) = place(pieces, offset) {
                    pieces.remove(place);
                }
                if let [only] = pieces.as_slice() {
                    *self = Self::One(*only);
                }
            }
            Self::Many(pieces) => {
                pieces.remove(&offset);
            }
        }
    }

    /// Whether one shares a byte with a range.
    pub(super) fn touch(&self, from: u64, to: u64) -> bool {
        // Pieces are disjoint, so of those that begin before the end the last one ends last.
        self.before(to).is_some_and(|(start, piece)| start + u64::from(piece.bytes) > from && from < to)
    }

    /// The last piece that begins before an offset.
    pub(super) fn before(&self, offset: u64) -> Option<(u64, Piece)> {
        match self.list() {
            Ok(pieces) => pieces[..start(pieces, offset)].last().copied(),
            Err(pieces) => pieces.range(..offset).next_back().map(|(start, piece)| (*start, *piece)),
        }
    }

    /// The pieces that begin in a range.
    pub(super) fn range(&self, from: u64, to: u64) -> Range<'_> {
        match self.list() {
            Ok(pieces) => {
                let (from, to) = (start(pieces, from), start(pieces, to));
                Range::Few(pieces.get(from..to).unwrap_or_default().iter())
            }
            Err(_) if from >= to => Range::Few([].iter()),
            Err(pieces) => Range::Many(pieces.range((Bound::Included(from), Bound::Excluded(to)))),
        }
    }
}

/// Where the piece is that begins at an offset, or where it would be.
fn place(pieces: &[(u64, Piece)], offset: u64) -> Result<usize, usize> {
    pieces.binary_search_by_key(&offset, |(start, _)| *start)
}

/// Where the first piece is that begins at an offset or behind it.
fn start(pieces: &[(u64, Piece)], offset: u64) -> usize {
    pieces.partition_point(|(start, _)| *start < offset)
}

/// Pieces one after the other.
pub(super) enum Range<'a> {
    Few(slice::Iter<'a, (u64, Piece)>),
    Many(btree_map::Range<'a, u64, Piece>),
}

impl Iterator for Range<'_> {
    type Item = (u64, Piece);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Few(pieces) => pieces.next().copied(),
            Self::Many(pieces) => pieces.next().map(|(start, piece)| (*start, *piece)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{MOST_LISTED, Piece, Pieces};
    use crate::memory::Value;

    /// Random changes, against an ordinary map.
    #[test]
    fn few_pieces_and_many_are_a_map() {
        let mut random = 7u64;
        let mut next = move |bound: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % bound
        };
        for most in [4, MOST_LISTED as u64, 60] {
            let (mut pieces, mut map) = (Pieces::default(), BTreeMap::new());
            for number in 0..5_000 {
                let offset = next(most);
                let piece = Piece { bytes: 1, value: Value::Bits(number) };
                match next(5) {
                    0 | 1 => {
                        pieces.insert(offset, piece);
                        map.insert(offset, piece);
                    }
                    2 => {
                        pieces.remove(offset);
                        map.remove(&offset);
                    }
                    3 => {
                        for found in [pieces.get_mut(offset), map.get_mut(&offset)].into_iter().flatten() {
                            found.bytes += 1;
                        }
                    }
                    _ => {
                        let to = next(most);
                        let wanted: Vec<(u64, Piece)> = map
                            .iter()
                            .filter(|(start, _)| (offset..to).contains(*start))
                            .map(|(start, piece)| (*start, *piece))
                            .collect();
                        assert_eq!(pieces.range(offset, to).collect::<Vec<_>>(), wanted);
                        let before = map.range(..offset).next_back();
                        assert_eq!(pieces.before(offset), before.map(|(start, piece)| (*start, *piece)));
                    }
                }
                assert_eq!(pieces.get(offset), map.get(&offset));
                assert_eq!(pieces.is_empty(), map.is_empty());
            }
            assert_eq!(matches!(pieces, Pieces::Many(_)), most == 60);
        }
    }

    #[test]
    fn one_unknown_value_takes_no_tree() {
        let mut pieces = Pieces::default();
        pieces.insert(0, Piece { bytes: 1, value: Value::Bits(7) });
        assert!(matches!(pieces.clone(), Pieces::One(_)));
    }
}
