//! The stored sets in their order, each with a signature: what a search for supersets scans.
//!
//! A signature has a bit for each member, so a set that lacks one of the bits that are wanted lacks a member, and is
//! passed over in an instruction or two; of the others the members are compared. Sets and signatures lie in blocks of
//! bounded size, so that a set that comes or goes moves a bounded number of others. Each block knows its longest set:
//! a block of shorter sets than what is wanted is passed over as a whole.

use std::slice::Iter;

use super::{NameSet, NodeId};

/// Sets of a block at most. Blocks of fewer than a quarter of it are merged.
const BLOCK: usize = 256;

/// So many members of what is wanted are looked for in signatures: more would tell few more sets apart, and cost
/// something where few sets are stored.
const SIGNED: usize = 8;

/// Stored sets in order, each with the node at which it ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Ordered {
    /// None of them is empty.
    blocks: Vec<Block>,
}

#[derive(Clone, Debug, Default)]
struct Block {
    /// That of each set, in the order of the sets.
    signatures: Vec<u64>,
    sets: Vec<(NameSet, NodeId)>,
    /// The most members that one of the sets has.
    longest: usize,
}

fn signature(set: &NameSet, most: usize) -> u64 {
    // The largest ones: what has grown from the same sets differs there.
    set.members().iter().rev().take(most).fold(0, |all, member| all | 1 << (member.digest().low() % 64))
}

impl Block {
    fn of(sets: Vec<(NameSet, NodeId)>, signatures: Vec<u64>) -> Self {
        let mut block = Self { signatures, sets, longest: 0 };
        block.measure();
        block
    }

    fn measure(&mut self) {
        self.longest = self.sets.iter().map(|(set, _)| set.members().len()).max().unwrap_or(0);
    }
}

impl Ordered {
    /// The block in which a set is, or would be.
    fn block_of(&self, set: &NameSet) -> usize {
        let behind =
            self.blocks.partition_point(|block| block.sets.first().is_some_and(|(first, _)| first <= set));
        behind.saturating_sub(1)
    }

    /// Enters a set that is not there.
    pub(super) fn insert(&mut self, set: &NameSet, end: NodeId) {
        if self.blocks.is_empty() {
            self.blocks.push(Block::default());
        }
        let number = self.block_of(set);
        let block = &mut self.blocks[number];
        let place = block.sets.partition_point(|(known, _)| known < set);
        block.sets.insert(place, (set.clone(), end));
        block.signatures.insert(place, signature(set, usize::MAX));
        block.longest = block.longest.max(set.members().len());
        if block.sets.len() > BLOCK {
            let second = Block::of(block.sets.split_off(BLOCK / 2), block.signatures.split_off(BLOCK / 2));
            block.measure();
            self.blocks.insert(number + 1, second);
        }
    }

    /// Takes a set away.
    pub(super) fn remove(&mut self, set: &NameSet) {
        let number = self.block_of(set);
        let Some(block) = self.blocks.get_mut(number) else { return };
        let Ok(place) = block.sets.binary_search_by(|(known, _)| known.cmp(set)) else { return };
        block.sets.remove(place);
        block.signatures.remove(place);
        block.measure();
        if block.sets.is_empty() {
            self.blocks.remove(number);
        } else if block.sets.len() < BLOCK / 4 && !self.merge(number) && number > 0 {
            self.merge(number - 1);
        }
    }

    /// Puts a block and the next one together if they are a half of one; whether they were.
    fn merge(&mut self, number: usize) -> bool {
        let Some([block, next]) = self.blocks.get_mut(number..number + 2) else { return false };
        if block.sets.len() + next.sets.len() > BLOCK / 2 {
            return false;
        }
        block.sets.append(&mut next.sets);
        block.signatures.append(&mut next.signatures);
        block.longest = block.longest.max(next.longest);
        self.blocks.remove(number + 1);
        true
    }

    /// The first sets in order, at most so many, if one of them can be a superset of this one.
    #[inline]
    pub(super) fn first(&self, most: usize, set: &NameSet) -> &[(NameSet, NodeId)] {
        match self.blocks.first() {
            Some(block) if set.members().len() <= block.longest => &block.sets[..block.sets.len().min(most)],
            _ => &[],
        }
    }

    /// A scan for supersets of this set.
    pub(super) fn scan<'a>(&'a self, set: &'a NameSet) -> Scan<'a> {
        Scan { set, signature: None, blocks: self.blocks.iter() }
    }
}

/// A scan for supersets of a set.
pub(super) struct Scan<'a> {
    set: &'a NameSet,
    /// Made once a block needs it.
    signature: Option<u64>,
    /// What is still to be scanned.
    blocks: Iter<'a, Block>,
}

impl Scan<'_> {
    /// Whether all sets were scanned.
    pub(super) fn has_ended(&self) -> bool {
        self.blocks.len() == 0
    }

    /// Goes on, to the end of the block in which the number of sets that it looks at reaches `least`: the first
    /// superset in order of whose end something is `found`.
    pub(super) fn go_on<T>(&mut self, least: usize, mut found: impl FnMut(NodeId) -> Option<T>) -> Option<T> {
        let mut looked = 0;
        while looked < least {
            let block = self.blocks.next()?;
            if block.longest < self.set.members().len() {
                continue;
            }
            looked += block.sets.len();
            let wanted = *self.signature.get_or_insert_with(|| signature(self.set, SIGNED));
            for (signature, (known, end)) in block.signatures.iter().zip(&block.sets) {
                if wanted & !signature == 0
                    && self.set.is_subset(known)
                    && let Some(found) = found(*end)
                {
                    return Some(found);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, NodeId, Ordered};
    use crate::rename::NameDigest;
    use crate::subsume::NameSet;

    #[test]
    fn blocks_are_split_and_merged_and_nothing_is_left_of_what_goes() {
        let mut sets: Vec<NameSet> =
            (0..2000_u32).map(|number| [NameDigest::node(&number, &[])].into_iter().collect()).collect();
        sets.sort_unstable();
        let mut ordered = Ordered::default();
        // Not in their order.
        for number in (0..sets.len()).map(|number| number * 7 % sets.len()) {
            ordered.insert(&sets[number], NodeId(number));
        }
        let are_sound = |ordered: &Ordered, sets: &[NameSet]| {
            let all: Vec<&NameSet> =
                ordered.blocks.iter().flat_map(|block| &block.sets).map(|(set, _)| set).collect();
            all.into_iter().eq(sets)
                && ordered.blocks.iter().all(|block| {
                    block.sets.len() == block.signatures.len()
                        && (1..=BLOCK).contains(&block.sets.len())
                        && block.longest == 1
                })
        };
        assert!(are_sound(&ordered, &sets));
        assert!(ordered.blocks.len() <= 2 * sets.len() / BLOCK, "{}", ordered.blocks.len());
        let mut left = Vec::new();
        for (number, set) in sets.into_iter().enumerate() {
            match number % 20 {
                0 => left.push(set),
                _ => ordered.remove(&set),
            }
        }
        assert!(are_sound(&ordered, &left));
        assert!(ordered.blocks.len() <= 2, "{}", ordered.blocks.len());
        left.iter().for_each(|set| ordered.remove(set));
        assert!(ordered.blocks.is_empty());
    }
}
