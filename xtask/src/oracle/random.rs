//! Random choices that depend on the seed alone, on every machine: an oracle's case is named by its
//! seed and its number.

/// A generator of random numbers (SplitMix64 by G. Steele, D. Lea, C. Flood, 2014): small, and good
/// enough to choose shapes of programs.
#[derive(Debug, Clone)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// The generator of case `number` of a run with `seed`. Cases are independent of each other, so one
    /// of them can be generated again alone.
    pub(crate) fn of_case(seed: u64, number: u64) -> Random {
        let mut random = Random { state: seed };
        random.state = random.next() ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03);
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; zero where the bound is zero.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX);
        // The high half of the product is uniform up to a bias of 2^-64 times the bound.
        let product = u128::from(self.next()) * u128::from(bound);
        usize::try_from(product >> 64).unwrap_or(0)
    }

    /// A number from a range that is not empty.
    pub(crate) fn from(&mut self, range: std::ops::RangeInclusive<usize>) -> usize {
        range.start() + self.below(range.end() + 1 - range.start())
    }

    /// True in `part` of `whole` cases.
    pub(crate) fn chance(&mut self, part: usize, whole: usize) -> bool {
        self.below(whole) < part
    }

    /// One of some things, of which there must be at least one.
    pub(crate) fn one<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())]
    }

    /// The index of a weight, chosen in proportion to it.
    pub(crate) fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            if left < *weight {
                return index;
            }
            left -= weight;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_case_is_the_same_each_time_and_differs_from_the_next() {
        let draw = |seed, number| {
            let mut random = Random::of_case(seed, number);
            (0..8).map(|_| random.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn choices_stay_in_their_bounds_and_reach_them() {
        let mut random = Random::of_case(0, 0);
        let drawn: Vec<usize> = (0..500).map(|_| random.from(2..=5)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&2), Some(&5)));
        assert!((0..100).all(|_| random.weighted(&[0, 3, 0, 1]) % 2 == 1));
        assert_eq!(random.below(0), 0);
    }
}
