//! Sets of small numbers, a bit for each that there may be.

/// A set of small numbers.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    /// 64 numbers in each word, the least in its lowest bit.
    pub(super) words: Vec<u64>,
}

impl Bits {
    /// The empty set with room for numbers below `count`.
    pub(crate) fn new(count: usize) -> Self {
        Self { words: vec![0; count / 64 + 1] }
    }

    /// Adds a number, and tells whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (&mut self.words[number / 64], 1 << (number % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    #[inline]
    pub(crate) fn contains(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 == 1
    }

    /// Its numbers in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(position, &word)| {
            std::iter::successors((word != 0).then_some(word), |&rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| position * 64 + rest.trailing_zeros() as usize)
        })
    }
}
