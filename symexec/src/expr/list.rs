//! A list that grows without being moved.
//!
//! A vector that is full is copied to one of twice its size, and for a moment both are there: in a run that has used up
//! its memory, with millions of expressions, that moment is a third of what it may have. So entries lie in pieces of one
//! size, and only the list of these is copied.

/// How many bits of a place say where an entry lies in its piece.
const BITS: usize = 12;
const LENGTH: usize = 1 << BITS;

/// Entries by their places, from 0 on; never fewer.
#[derive(Debug)]
pub(super) struct List<T> {
    pieces: Vec<Vec<T>>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { pieces: Vec::new() }
    }
}

impl<T: Copy> List<T> {
    pub(super) fn len(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * LENGTH + last.len())
    }

    /// The entry at a place that was given out.
    #[inline]
    pub(super) fn at(&self, place: usize) -> T {
        self.pieces[place >> BITS][place & (LENGTH - 1)]
    }

    /// Puts an entry at the next place.
    pub(super) fn push(&mut self, entry: T) {
        match self.pieces.last_mut() {
            // The first piece grows, since most lists stay small.
            Some(last) if last.len() < LENGTH => last.push(entry),
            last => {
                let mut piece = Vec::with_capacity(if last.is_some() { LENGTH } else { 0 });
                piece.push(entry);
                self.pieces.push(piece);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LENGTH, List};

    #[test]
    fn entries_are_where_they_were_put_and_stay_there() {
        let mut list = List::default();
        assert_eq!(list.len(), 0);
        let count = 3 * LENGTH + 1;
        let mut first = std::ptr::null();
        for number in 0..count {
            list.push(number);
            assert_eq!((list.len(), list.at(number), list.at(number / 2)), (number + 1, number, number / 2));
            // A full piece is never moved.
            if number + 1 == LENGTH {
                first = list.pieces[0].as_ptr();
            }
        }
        assert_eq!((list.pieces.len(), list.pieces[0].as_ptr()), (4, first));
        assert!(list.pieces.iter().all(|piece| piece.capacity() == LENGTH));
    }
}
