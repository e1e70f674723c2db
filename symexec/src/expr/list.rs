//! A list that grows without being moved, and of which entries can go.
//!
//! A vector that is full is copied to one of twice its size, and for a moment both are there: in a run that has used up
//! its memory, with millions of expressions, that moment is a third of what it may have. So entries lie in pieces of one
//! size, and only the list of these is copied.
//!
//! Entries that go leave their places to nobody, or whoever still has a number would read what is not meant. A piece
//! without entries takes no room; one with few becomes *sparse*: its entries stand one behind the other, and bits say
//! which places they have. The last piece, which grows, stays as it is.

use super::collect::Bits;

/// How many bits of a place say where an entry lies in its piece.
const BITS: usize = 12;
const LENGTH: usize = 1 << BITS;

/// So many words of bits say which places of a piece have entries.
const WORDS: usize = LENGTH / 64;

/// A piece with no more entries becomes sparse: to find one then takes longer. The first piece has constants and input
/// bytes, which are asked for again and again, and stays as it is.
const MOST_SPARSE: usize = LENGTH / 4;

/// Entries by their places, from 0 on.
#[derive(Debug)]
pub(super) struct List<T> {
    pieces: Vec<Piece<T>>,
    /// How many places have no entry any more.
    gone: usize,
}

#[derive(Debug)]
struct Piece<T> {
    /// By place; none if the piece is sparse.
    entries: Vec<T>,
    sparse: Option<Box<Sparse<T>>>,
}

/// A piece of which few places have entries.
#[derive(Debug)]
struct Sparse<T> {
    has: [u64; WORDS],
    /// How many entries stand before those of each word.
    before: [u16; WORDS],
    entries: Box<[T]>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { pieces: Vec::new(), gone: 0 }
    }
}

impl<T: Copy> List<T> {
    /// How many places were given out.
    pub(super) fn len(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * LENGTH + last.entries.len())
    }

    /// How many of them have entries.
    pub(super) fn kept(&self) -> usize {
        self.len() - self.gone
    }

    /// About how many bytes the entries take.
    pub(super) fn bytes(&self) -> usize {
        self.kept() * size_of::<T>()
    }

    /// The entry at a place that was given out and has not gone. By reference, so that whoever needs a part of it reads
    /// no more: a copy would have to be one for pieces of both kinds.
    #[inline]
    pub(super) fn at(&self, place: usize) -> &T {
        let piece = &self.pieces[place >> BITS];
        match piece.entries.get(place & (LENGTH - 1)) {
            Some(entry) => entry,
            None => piece.sparse(place & (LENGTH - 1)),
        }
    }

    /// Puts an entry at the next place.
    pub(super) fn push(&mut self, entry: T) {
        match self.pieces.last_mut() {
            // The first piece grows, since most lists stay small.
            Some(Piece { entries, .. }) if entries.len() < LENGTH => entries.push(entry),
            last => {
                let mut entries = Vec::with_capacity(if last.is_some() { LENGTH } else { 0 });
                entries.push(entry);
                self.pieces.push(Piece { entries, sparse: None });
            }
        }
    }

    /// Takes the entries away whose places are not among these. Where that gives no room back they stay, out of use;
    /// or `gone` is there instead, if whoever still reads them is to be found out.
    pub(super) fn keep(&mut self, places: &Bits, gone: Option<T>) {
        let full = self.pieces.len().saturating_sub(1);
        self.gone = 0;
        for (number, piece) in self.pieces[..full].iter_mut().enumerate() {
            let has: [u64; WORDS] = std::array::from_fn(|word| places.word(number * WORDS + word));
            let count = has.iter().map(|word| word.count_ones() as usize).sum::<usize>();
            let most = if gone.is_some() { LENGTH - 1 } else { MOST_SPARSE };
            if piece.sparse.is_none() && (count > most || number == 0 && gone.is_none()) {
                continue;
            }
            self.gone += LENGTH - count;
            if piece.sparse.as_ref().is_none_or(|sparse| sparse.entries.len() != count) {
                *piece = piece.with(has, count);
            }
        }
        if let (Some(gone), Some(last)) = (gone, self.pieces.last_mut()) {
            for (place, entry) in (full * LENGTH..).zip(&mut last.entries) {
                if !places.has(place) {
                    *entry = gone;
                }
            }
        }
    }
}

impl<T: Copy> Piece<T> {
    /// An entry of a sparse piece. Whoever asks for one that has gone would be given a wrong one, so the run ends instead.
    #[cold]
    fn sparse(&self, place: usize) -> &T {
        let Some(Sparse { has, before, entries }) = self.sparse.as_deref() else {
            return &self.entries[place];
        };
        let (word, bit) = (has[place / 64], 1_u64 << (place % 64));
        let among = (word & (bit - 1)).count_ones() as usize;
        &entries[if word & bit == 0 { usize::MAX } else { usize::from(before[place / 64]) + among }]
    }

    /// The same with entries at these places only.
    fn with(&self, has: [u64; WORDS], count: usize) -> Self {
        let mut entries = Vec::with_capacity(count);
        let mut before = [0; WORDS];
        for (word, bits) in has.iter().enumerate() {
            before[word] = u16::try_from(entries.len()).unwrap_or(u16::MAX);
            let mut left = *bits;
            while left != 0 {
                let place = word * 64 + left.trailing_zeros() as usize;
                entries.push(*self.entries.get(place).unwrap_or_else(|| self.sparse(place)));
                left &= left - 1;
            }
        }
        let entries = entries.into_boxed_slice();
        let sparse = Sparse { has, before, entries };
        Self { entries: Vec::new(), sparse: (count > 0).then(|| Box::new(sparse)) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, LENGTH, List};

    #[test]
    fn entries_are_where_they_were_put_and_stay_there() {
        let mut list = List::default();
        assert_eq!(list.len(), 0);
        let count = 3 * LENGTH + 1;
        let mut first = std::ptr::null();
        for number in 0..count {
            list.push(number);
            assert_eq!(
                (list.len(), *list.at(number), *list.at(number / 2)),
                (number + 1, number, number / 2)
            );
            // A full piece is never moved.
            if number + 1 == LENGTH {
                first = list.pieces[0].entries.as_ptr();
            }
        }
        assert_eq!((list.pieces.len(), list.pieces[0].entries.as_ptr()), (4, first));
        assert!(list.pieces.iter().all(|piece| piece.entries.capacity() == LENGTH));
    }

    /// Entries are ten times their places.
    fn numbers(count: usize) -> List<usize> {
        let mut list = List::default();
        (0..count).for_each(|number| list.push(10 * number));
        list
    }

    #[test]
    fn what_is_kept_stays_where_it_was_and_what_goes_gives_its_room_back() {
        let (count, mut list) = (4 * LENGTH + 7, numbers(4 * LENGTH + 7));
        // All of the first piece, each 64th of the second, a fifth of the third, nothing of the fourth.
        let is_kept = |place: usize, round: usize| match place / LENGTH {
            0 => round < 2 || place.is_multiple_of(5),
            1 => place.is_multiple_of(64 << round) || place == LENGTH + 63,
            2 => place.is_multiple_of(5),
            3 => false,
            _ => place.is_multiple_of(3),
        };
        for round in 0..3 {
            let mut kept = Bits::of(count);
            (0..count).filter(|place| is_kept(*place, round)).for_each(|place| kept.set(place));
            list.keep(&kept, (round == 2).then_some(1));
            for place in (0..count).filter(|place| is_kept(*place, round)) {
                assert_eq!(*list.at(place), 10 * place);
            }
            let here = |from: usize| (from..from + LENGTH).filter(|place| is_kept(*place, round)).count();
            assert_eq!(list.kept(), here(0) + here(LENGTH) + here(2 * LENGTH) + 7);
        }
        let next = list.len();
        list.push(1);
        assert_eq!((next, list.len(), *list.at(next)), (count, count + 1, 1));
        assert_eq!([0, 2].map(|place| *list.at(4 * LENGTH + place)), [1, 40 * LENGTH + 20]);
        assert!(list.pieces[3].entries.capacity() == 0 && list.pieces[3].sparse.is_none());
    }

    #[test]
    fn what_has_gone_is_not_read() {
        let mut list = numbers(3 * LENGTH);
        let mut kept = Bits::of(3 * LENGTH);
        kept.set(LENGTH + 8);
        list.keep(&kept, None);
        let read = |place: usize| std::panic::catch_unwind(|| *list.at(place)).ok();
        assert_eq!([7, 8, 9].map(|place| read(LENGTH + place)), [None, Some(10 * LENGTH + 80), None]);
    }
}
