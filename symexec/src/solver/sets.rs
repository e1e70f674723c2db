//! Sets of constraints with what is known of them, the newest first, and not more than can be kept.
//!
//! Paths grow by a constraint at a time, so what is known of a set is asked for by sets that have a little more or a
//! little less, soon after. So each set is found by all its members (for supersets, by the rarest member of what is
//! asked) and by its newest member (for subsets: a subset of what is asked has one of its members as the newest).
//! Searches begin with the sets that came last and look at a bounded number of them, and the oldest sets are forgotten:
//! a missing answer is asked for again, and none is ever another one.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::expr::ExprId;

/// Sets that are kept.
const MOST_SETS: usize = 1 << 16;

/// Members of all sets that are kept.
const MOST_MEMBERS: usize = 1 << 21;

/// Sets that are looked at for each search of a superset, and for each member of what is asked in one of subsets.
const MOST_LOOKS: usize = 512;

/// Sorted members, each once.
pub(super) fn sorted(members: &[ExprId]) -> Box<[ExprId]> {
    let mut sorted = members.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.into_boxed_slice()
}

/// Numbers of sets, the oldest first.
type Numbers = VecDeque<u32>;

/// Sets and their values. No order of a hash map shows: they are looked up only.
#[derive(Debug)]
pub(super) struct Sets<V> {
    /// Oldest first; the first one has the number `first`, which may wrap around.
    sets: VecDeque<(Box<[ExprId]>, V)>,
    first: u32,
    members: usize,
    with: FxHashMap<ExprId, Numbers>,
    with_newest: FxHashMap<ExprId, Numbers>,
}

impl<V> Default for Sets<V> {
    fn default() -> Self {
        Self {
            sets: VecDeque::new(),
            first: 0,
            members: 0,
            with: FxHashMap::default(),
            with_newest: FxHashMap::default(),
        }
    }
}

impl<V> Sets<V> {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Keeps a value for a sorted set that is not empty and has none yet; the oldest ones go.
    pub(super) fn insert(&mut self, set: Box<[ExprId]>, value: V) {
        let Some(newest) = set.last() else { return };
        let known = self.with_newest.get(newest).into_iter().flatten().rev().take(MOST_LOOKS);
        if known.filter_map(|number| self.get(*number)).any(|(known, _)| *known == set) {
            return;
        }
        let number = self.first.wrapping_add(self.sets.len() as u32);
        for member in &set {
            self.with.entry(*member).or_default().push_back(number);
        }
        self.with_newest.entry(*newest).or_default().push_back(number);
        self.members += set.len();
        self.sets.push_back((set, value));
        self.shrink(MOST_SETS, MOST_MEMBERS);
    }

    /// Forgets the older half.
    pub(super) fn halve(&mut self) {
        self.shrink(self.sets.len() / 2, MOST_MEMBERS);
        self.sets.shrink_to_fit();
        self.with.shrink_to_fit();
        self.with_newest.shrink_to_fit();
    }

    fn shrink(&mut self, sets: usize, members: usize) {
        while self.sets.len() > sets || self.members > members {
            let Some((set, _)) = self.sets.pop_front() else { return };
            self.first = self.first.wrapping_add(1);
            self.members -= set.len();
            for member in &set {
                forget_first(&mut self.with, *member);
            }
            if let Some(newest) = set.last() {
                forget_first(&mut self.with_newest, *newest);
            }
        }
    }

    fn get(&self, number: u32) -> Option<&(Box<[ExprId]>, V)> {
        self.sets.get(number.wrapping_sub(self.first) as usize)
    }

    /// The newest of the sets that have all these members, sorted, if one of those that are looked at does.
    pub(super) fn superset(&self, wanted: &[ExprId]) -> Option<&V> {
        let mut rarest: Option<&Numbers> = None;
        for member in wanted {
            // What is in no set has none.
            let numbers = self.with.get(member)?;
            if rarest.is_none_or(|rarest| numbers.len() < rarest.len()) {
                rarest = Some(numbers);
            }
        }
        let newest_first = rarest?.iter().rev().take(MOST_LOOKS);
        let mut sets = newest_first.filter_map(|number| self.get(*number));
        sets.find(|(set, _)| is_subset(wanted, set)).map(|(_, value)| value)
    }

    /// The numbers of sets all of whose members are among these, sorted, the newest set first.
    pub(super) fn subsets(&self, members: &[ExprId]) -> Vec<u32> {
        let mut found = Vec::new();
        for member in members {
            let Some(numbers) = self.with_newest.get(member) else { continue };
            let is_inside = |number: &u32| self.get(*number).is_some_and(|(set, _)| is_subset(set, members));
            found.extend(numbers.iter().rev().take(MOST_LOOKS).copied().filter(is_inside));
        }
        let age = |number: &u32| std::cmp::Reverse(number.wrapping_sub(self.first));
        found.sort_unstable_by_key(age);
        found
    }

    /// Whether a subset is there.
    pub(super) fn has_subset(&self, members: &[ExprId]) -> bool {
        members.iter().any(|member| {
            let numbers = self.with_newest.get(member).into_iter().flatten().rev().take(MOST_LOOKS);
            numbers.filter_map(|number| self.get(*number)).any(|(set, _)| is_subset(set, members))
        })
    }

    /// The set of a number, and its value.
    pub(super) fn at(&self, number: u32) -> Option<(&[ExprId], &V)> {
        self.get(number).map(|(set, value)| (&**set, value))
    }
}

/// Takes the oldest number of a member away.
fn forget_first(numbers: &mut FxHashMap<ExprId, Numbers>, member: ExprId) {
    if let Some(known) = numbers.get_mut(&member) {
        known.pop_front();
        if known.is_empty() {
            numbers.remove(&member);
        }
    }
}

/// Whether a sorted set lies in another one.
fn is_subset(set: &[ExprId], of: &[ExprId]) -> bool {
    if set.len() > of.len() {
        return false;
    }
    let mut rest = of;
    set.iter().all(|member| match rest.binary_search(member) {
        Ok(place) => {
            rest = &rest[place + 1..];
            true
        }
        Err(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::{Sets, is_subset, sorted};
    use crate::expr::ExprId;

    fn set(members: &[u32]) -> Box<[ExprId]> {
        sorted(&members.iter().map(|member| ExprId(*member)).collect::<Vec<_>>())
    }

    #[test]
    fn the_newest_fitting_set_is_found_and_the_oldest_ones_are_forgotten() {
        let mut sets = Sets::default();
        for (value, members) in [&[1, 2][..], &[1, 2, 3], &[5], &[2, 3, 7], &[]].into_iter().enumerate() {
            sets.insert(set(members), value);
        }
        sets.insert(set(&[3, 2, 1]), 9);
        assert_eq!(sets.len(), 4);
        assert_eq!(sets.superset(&set(&[2])), Some(&3));
        assert_eq!(sets.superset(&set(&[1, 2])), Some(&1));
        assert_eq!(sets.superset(&set(&[3, 5])), None);
        let values = |sets: &Sets<usize>, members: &[u32]| -> Vec<usize> {
            sets.subsets(&set(members)).into_iter().map(|number| *sets.at(number).unwrap().1).collect()
        };
        assert_eq!(values(&sets, &[1, 2, 3, 5]), [2, 1, 0]);
        assert!(sets.has_subset(&set(&[5, 9])) && !sets.has_subset(&set(&[2, 3])));
        sets.halve();
        assert_eq!((sets.len(), values(&sets, &[1, 2, 3, 5])), (2, vec![2]));
        assert_eq!((sets.superset(&set(&[1, 2])), sets.superset(&set(&[7]))), (None, Some(&3)));
        for _ in 0..2 {
            sets.halve();
        }
        assert!(sets.len() == 0 && sets.with.is_empty() && sets.with_newest.is_empty() && sets.members == 0);
    }

    proptest! {
        #[test]
        fn what_is_found_fits_and_what_fits_is_found(
            stored in prop::collection::hash_set(prop::collection::btree_set(0u32..8, 1..5), 0..40),
            asked in prop::collection::btree_set(0u32..8, 0..6),
            kept in 0usize..40,
        ) {
            let stored: Vec<BTreeSet<u32>> = stored.into_iter().collect();
            let mut sets = Sets::default();
            for (value, members) in stored.iter().enumerate() {
                sets.insert(set(&members.iter().copied().collect::<Vec<_>>()), value);
            }
            sets.shrink(kept, usize::MAX);
            let first = stored.len().saturating_sub(kept);
            let newest_first = || (first..stored.len()).rev();
            let members = set(&asked.iter().copied().collect::<Vec<_>>());
            let above = newest_first().find(|place| stored[*place].is_superset(&asked));
            if !asked.is_empty() {
                prop_assert_eq!(sets.superset(&members).copied(), above);
            }
            let below: Vec<usize> = newest_first().filter(|place| stored[*place].is_subset(&asked)).collect();
            let found: Vec<usize> =
                sets.subsets(&members).into_iter().map(|number| *sets.at(number).unwrap().1).collect();
            prop_assert_eq!(sets.has_subset(&members), !below.is_empty());
            prop_assert_eq!(found, below);
        }

        #[test]
        fn subsets_are_told_by_sorted_members(
            one in prop::collection::btree_set(0u32..9, 0..6),
            other in prop::collection::btree_set(0u32..9, 0..6),
        ) {
            let of = |members: &BTreeSet<u32>| set(&members.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(is_subset(&of(&one), &of(&other)), one.is_subset(&other));
        }
    }
}
