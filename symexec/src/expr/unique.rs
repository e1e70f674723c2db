//! Which entry of a growing list equals something: a hash table that holds the numbers of entries only.
//!
//! A run has millions of expressions, and long ones more of them than anything else. Each is in the arena's list
//! already, so a table that found them by copies of themselves would be larger than the list.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// A place that nothing is in.
const FREE: u32 = u32::MAX;

/// The fewest places of a part that has some.
const FEWEST: usize = 16;

/// How many bits of an entry's hash say in which part it is.
const PART_BITS: u32 = 6;

/// Numbers of entries by what they are; never listed.
///
/// In parts, each of which grows by itself: where a table is filled anew the old one is there too, and of a large one that
/// would be felt by a run that has used up its memory.
#[derive(Debug)]
pub(super) struct Unique {
    parts: [Part; 1 << PART_BITS],
}

#[derive(Debug, Default)]
struct Part {
    /// As many as a power of two, at least half of them free.
    places: Vec<u32>,
    taken: usize,
}

impl Default for Unique {
    fn default() -> Self {
        Self { parts: std::array::from_fn(|_| Part::default()) }
    }
}

/// The part of an entry, and what tells its place there.
fn hash(entry: &impl Hash) -> (usize, usize) {
    let hash = FxBuildHasher.hash_one(entry);
    ((hash & ((1 << PART_BITS) - 1)) as usize, ((hash >> PART_BITS) ^ (hash >> 32)) as usize)
}

impl Unique {
    /// The number of the entry that equals this one; `next`, which it has from now on, if there is none. `entry` is
    /// asked for those that are there.
    pub(super) fn number<E: Hash + Eq>(&mut self, new: &E, next: u32, entry: impl Fn(u32) -> E) -> u32 {
        let (part, hash) = hash(new);
        self.parts[part].number(new, hash, next, &entry)
    }

    /// Forgets the numbers that are not to be kept. `entry` is asked for those that are.
    pub(super) fn retain<E: Hash + Eq>(&mut self, keep: impl Fn(u32) -> bool, entry: impl Fn(u32) -> E) {
        for part in &mut self.parts {
            part.retain(&keep, &entry);
        }
    }

    /// How many bytes the places take.
    pub(super) fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.places.len() * size_of::<u32>()).sum()
    }
}

impl Part {
    fn number<E: Hash + Eq>(&mut self, new: &E, hash: usize, next: u32, entry: &impl Fn(u32) -> E) -> u32 {
        if (self.taken + 1) * 2 > self.places.len() {
            self.grow(entry);
        }
        let place = self.place(new, hash, entry);
        match self.places[place] {
            FREE => {
                self.places[place] = next;
                self.taken += 1;
                next
            }
            known => known,
        }
    }

    /// Where an entry is, or would be.
    fn place<E: Hash + Eq>(&self, wanted: &E, hash: usize, entry: &impl Fn(u32) -> E) -> usize {
        let mask = self.places.len() - 1;
        let mut place = hash & mask;
        while self.places[place] != FREE && entry(self.places[place]) != *wanted {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow<E: Hash + Eq>(&mut self, entry: &impl Fn(u32) -> E) {
        let more = (self.places.len() * 2).max(FEWEST);
        let numbers = std::mem::replace(&mut self.places, vec![FREE; more]);
        self.fill(numbers, entry);
    }

    /// Puts numbers at free places, of which there are enough.
    fn fill<E: Hash + Eq>(&mut self, numbers: Vec<u32>, entry: &impl Fn(u32) -> E) {
        for number in numbers.into_iter().filter(|number| *number != FREE) {
            let known = entry(number);
            let place = self.place(&known, hash(&known).1, entry);
            self.places[place] = number;
        }
    }

    fn retain<E: Hash + Eq>(&mut self, keep: &impl Fn(u32) -> bool, entry: &impl Fn(u32) -> E) {
        let mut numbers = std::mem::take(&mut self.places);
        numbers.retain(|number| *number != FREE && keep(*number));
        self.taken = numbers.len();
        if self.taken > 0 {
            self.places = vec![FREE; ((self.taken + 1) * 2).next_power_of_two().max(FEWEST)];
            self.fill(numbers, entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Unique;

    #[test]
    fn equal_entries_have_one_number_however_many_there_are() {
        let (mut unique, mut list, mut known) = (Unique::default(), Vec::new(), BTreeMap::new());
        let mut random = 7u64;
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let new = (random >> 40) % 9000;
            let next = list.len() as u32;
            let number = unique.number(&new, next, |number| list[number as usize]);
            assert_eq!(number, *known.entry(new).or_insert(next));
            if number == next {
                list.push(new);
            }
        }
        assert_eq!(list.len(), known.len());
        // No part is much larger than the others, so none takes much when it grows.
        let places: Vec<usize> = unique.parts.iter().map(|part| part.places.len()).collect();
        let (most, all) = (places.iter().max().copied().unwrap_or(0), places.iter().sum::<usize>());
        assert!(most * 24 < all && all < list.len() * 8, "{most} of {all}");
    }

    #[test]
    fn what_is_kept_has_its_number_and_the_rest_another_one() {
        let mut unique = Unique::default();
        let list: Vec<u32> = (0..4000).map(|number| number * 3).collect();
        for (number, entry) in (0..).zip(&list) {
            assert_eq!(unique.number(entry, number, |number| list[number as usize]), number);
        }
        let before = unique.bytes();
        // The entries of those that go are not asked for.
        unique.retain(
            |number| number % 5 == 0,
            |number| if number % 5 == 0 { list[number as usize] } else { 1 },
        );
        assert!(unique.bytes() * 3 < before, "{} of {before}", unique.bytes());
        for (number, entry) in (0..).zip(&list) {
            let known = |number: u32| if number < 4000 { list[number as usize] } else { (number - 4000) * 3 };
            let expected = if number % 5 == 0 { number } else { 4000 + number };
            assert_eq!(unique.number(entry, 4000 + number, known), expected);
        }
        unique.retain(|_| false, |_| 0);
        assert_eq!((unique.bytes(), unique.number(&7, 9, |_| 0)), (0, 9));
    }
}
