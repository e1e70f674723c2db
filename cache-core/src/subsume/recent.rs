//! The sets that came last: bounded, searched from the newest on.
//!
//! Questions of an exploration grow by a constraint at a time, so what is known of a set is asked for by sets that
//! have a little more or a little less, soon after. So each set is found by all its members (for supersets, by the
//! rarest member of what is asked) and by its newest member, the largest one (for subsets: a subset of what is asked
//! has one of its members as the newest). Searches begin with the sets that came last and look at a bounded number of
//! them, and the oldest sets are forgotten: a missing answer is asked for again, and none is ever another one.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::{Member, MemberSet};

/// How much [`RecentSets`] keep and look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecentBounds {
    /// Sets that are kept.
    pub sets: usize,
    /// Members of all sets that are kept.
    pub members: usize,
    /// Sets that are looked at for each search of a superset, and for each member of what is asked in one of subsets.
    pub looks: usize,
}

impl Default for RecentBounds {
    fn default() -> Self {
        Self { sets: 1 << 16, members: 1 << 21, looks: 512 }
    }
}

impl RecentBounds {
    /// With so many sets at most.
    #[must_use]
    pub fn sets(self, sets: usize) -> Self {
        Self { sets, ..self }
    }

    /// With so many members of all sets at most.
    #[must_use]
    pub fn members(self, members: usize) -> Self {
        Self { members, ..self }
    }

    /// With so many looks at most.
    #[must_use]
    pub fn looks(self, looks: usize) -> Self {
        Self { looks, ..self }
    }
}

/// Numbers of sets, the oldest first.
type Numbers = VecDeque<u32>;

/// A bounded map from sets to values that is searched for subsets and supersets, the newest first.
///
/// Where [`SetTree`](super::SetTree) finds whatever is stored, this finds what was stored lately, and costs as little
/// at any number of sets. Members that were made later should be larger: expressions that are numbered as they are
/// made are.
///
/// ```
/// use cache_core::rename::NameDigest;
/// use cache_core::subsume::{NameSet, RecentBounds, RecentSets};
///
/// let set = |texts: &[&str]| texts.iter().map(|text| NameDigest::node(text, &[])).collect::<NameSet>();
///
/// let mut solutions = RecentSets::new(RecentBounds::default().sets(1000));
/// solutions.insert(set(&["x < 3"]), "x = 0");
/// solutions.insert(set(&["x < 3", "x > 1"]), "x = 2");
/// assert_eq!(solutions.superset(&set(&["x > 1"])), Some(&"x = 2"));
/// let tried: Vec<_> = solutions.subsets(&set(&["x > 1", "y = x", "x < 3"])).map(|(_, solution)| *solution).collect();
/// assert_eq!(tried, ["x = 2", "x = 0"]);
/// ```
#[derive(Clone, Debug)]
pub struct RecentSets<M, V> {
    bounds: RecentBounds,
    /// Oldest first; the first one has the number `first`, which may wrap around.
    sets: VecDeque<(MemberSet<M>, V)>,
    first: u32,
    /// Members of all sets.
    members: usize,
    /// Looked up, never listed, as the next one.
    with: FxHashMap<M, Numbers>,
    with_newest: FxHashMap<M, Numbers>,
}

impl<M: Member, V> RecentSets<M, V> {
    /// No sets yet.
    #[must_use]
    pub fn new(bounds: RecentBounds) -> Self {
        Self {
            bounds: bounds.sets(bounds.sets.min(1 << 31)),
            sets: VecDeque::new(),
            first: 0,
            members: 0,
            with: FxHashMap::default(),
            with_newest: FxHashMap::default(),
        }
    }

    /// How many sets are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether no set is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The sets with their values, the oldest first.
    pub fn sets(&self) -> impl Iterator<Item = (&MemberSet<M>, &V)> {
        self.sets.iter().map(|(set, value)| (set, value))
    }

    /// Keeps a value for a set that has none yet; the oldest ones go. Nothing is kept for the empty set.
    pub fn insert(&mut self, set: MemberSet<M>, value: V) {
        let Some(newest) = set.members().last() else { return };
        if self.looked_at(&self.with_newest, newest).any(|(known, _)| *known == set) {
            return;
        }
        let number = self.first.wrapping_add(self.sets.len() as u32);
        for member in set.members() {
            self.with.entry(*member).or_default().push_back(number);
        }
        self.with_newest.entry(*newest).or_default().push_back(number);
        self.members += set.members().len();
        self.sets.push_back((set, value));
        self.shrink(self.bounds.sets);
    }

    /// Forgets the older half, and gives its memory back.
    pub fn halve(&mut self) {
        self.shrink(self.sets.len() / 2);
        self.sets.shrink_to_fit();
        self.with.shrink_to_fit();
        self.with_newest.shrink_to_fit();
    }

    fn shrink(&mut self, most: usize) {
        while self.sets.len() > most || self.members > self.bounds.members {
            let Some((set, _)) = self.sets.pop_front() else { return };
            self.first = self.first.wrapping_add(1);
            self.members -= set.members().len();
            for member in set.members() {
                forget_oldest(&mut self.with, *member);
            }
            if let Some(newest) = set.members().last() {
                forget_oldest(&mut self.with_newest, *newest);
            }
        }
    }

    fn get(&self, number: u32) -> Option<&(MemberSet<M>, V)> {
        self.sets.get(number.wrapping_sub(self.first) as usize)
    }

    /// Those of a member's sets that are looked at, the newest first.
    fn looked_at<'a>(
        &'a self,
        index: &'a FxHashMap<M, Numbers>,
        member: &M,
    ) -> impl Iterator<Item = &'a (MemberSet<M>, V)> + use<'a, M, V> {
        let newest_first = index.get(member).into_iter().flatten().rev().take(self.bounds.looks);
        newest_first.filter_map(|number| self.get(*number))
    }

    /// The value of the newest superset of `set` (the set itself included) among those that are looked at. The empty
    /// set has none.
    #[must_use]
    pub fn superset(&self, set: &MemberSet<M>) -> Option<&V> {
        let mut rarest = None;
        for member in set.members() {
            // What is in no set has none.
            let sets = self.with.get(member)?.len();
            if rarest.is_none_or(|(_, least)| sets < least) {
                rarest = Some((member, sets));
            }
        }
        let mut sets = self.looked_at(&self.with, rarest?.0);
        sets.find(|(known, _)| set.is_subset(known)).map(|(_, value)| value)
    }

    /// Subsets of `set` (the set itself included) among those that are looked at, and their values, the newest first.
    pub fn subsets(&self, set: &MemberSet<M>) -> impl Iterator<Item = (&MemberSet<M>, &V)> + use<'_, M, V> {
        let mut found = Vec::new();
        for member in set.members() {
            let Some(numbers) = self.with_newest.get(member) else { continue };
            let is_inside = |number: &u32| self.get(*number).is_some_and(|(known, _)| known.is_subset(set));
            found.extend(numbers.iter().rev().take(self.bounds.looks).copied().filter(is_inside));
        }
        let first = self.first;
        found.sort_unstable_by_key(|number| std::cmp::Reverse(number.wrapping_sub(first)));
        found.into_iter().filter_map(|number| self.get(number)).map(|(set, value)| (set, value))
    }

    /// Whether a subset of `set` is among those that are looked at.
    #[must_use]
    pub fn has_subset(&self, set: &MemberSet<M>) -> bool {
        let mut below = set.members().iter().flat_map(|member| self.looked_at(&self.with_newest, member));
        below.any(|(known, _)| known.is_subset(set))
    }
}

/// Takes the oldest number of a member away.
fn forget_oldest<M: Member>(numbers: &mut FxHashMap<M, Numbers>, member: M) {
    if let Some(known) = numbers.get_mut(&member) {
        known.pop_front();
        if known.is_empty() {
            numbers.remove(&member);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RecentBounds, RecentSets};
    use crate::rename::NameDigest;
    use crate::subsume::NameSet;

    #[test]
    fn nothing_is_left_of_sets_that_are_forgotten() {
        let set =
            |members: &[u8]| members.iter().map(|member| NameDigest::node(member, &[])).collect::<NameSet>();
        let mut sets = RecentSets::new(RecentBounds::default());
        for members in [&[1, 2][..], &[1, 2, 3], &[5]] {
            sets.insert(set(members), ());
        }
        assert_eq!(sets.members, 6);
        for _ in 0..2 {
            sets.halve();
        }
        assert!(sets.is_empty() && sets.with.is_empty() && sets.with_newest.is_empty() && sets.members == 0);
    }
}
