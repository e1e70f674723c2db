//! Lists of distinct atoms: interned, persistent, sharing their prefixes.
//!
//! A list is a node of a trie: its parent is the list without the last atom. Lists are interned, so equal
//! lists are the same node and the longest common prefix of two lists is their lowest common ancestor,
//! found in O(log n) through skewed jump pointers. Long lists carry a persistent index from atoms to
//! positions; short ones are scanned.

use rustc_hash::FxHashMap;

use super::atom::{AtomId, small};
use super::index::{Index, Root};

/// A list of distinct atoms, as a handle into the [`super::Shapes`] that made it. Equal handles if and
/// only if equal lists. Never part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AtomList(u32);

impl AtomList {
    /// The list of no atoms.
    pub const EMPTY: Self = Self(0);
}

/// Lists up to this length are scanned instead of indexed.
pub(super) const SHORT: u32 = 16;

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The list without the last atom; of the empty list, itself.
    parent: AtomList,
    /// A shorter list on the way to the root, chosen so that any ancestor is O(log n) jumps away.
    jump: AtomList,
    first: AtomId,
    last: AtomId,
    length: u32,
    index: Root,
}

/// The arena of all lists.
#[derive(Debug)]
pub(super) struct Lists {
    nodes: Vec<Node>,
    interned: FxHashMap<(AtomList, AtomId), AtomList>,
    index: Index,
}

impl Default for Lists {
    fn default() -> Self {
        let empty = Node {
            parent: AtomList::EMPTY,
            jump: AtomList::EMPTY,
            first: AtomId(u32::MAX),
            last: AtomId(u32::MAX),
            length: 0,
            index: Root::EMPTY,
        };
        Self { nodes: vec![empty], interned: FxHashMap::default(), index: Index::default() }
    }
}

impl Lists {
    /// The node of a list. A handle of another arena that is out of range reads as the empty list.
    fn node(&self, list: AtomList) -> Node {
        self.nodes.get(list.0 as usize).copied().unwrap_or(self.nodes[0])
    }

    pub(super) fn length(&self, list: AtomList) -> u32 {
        self.node(list).length
    }

    /// Where `atom` stands in `list`.
    pub(super) fn position(&self, list: AtomList, atom: AtomId, steps: &mut u64) -> Option<u32> {
        let mut node = self.node(list);
        if node.length > SHORT {
            return self.index.get(node.index, atom.0, steps);
        }
        while node.length > 0 {
            *steps += 1;
            if node.last == atom {
                return Some(node.length - 1);
            }
            node = self.node(node.parent);
        }
        None
    }

    /// The list with `atom`, which must not be in it, at the end.
    pub(super) fn push(&mut self, list: AtomList, atom: AtomId, steps: &mut u64) -> AtomList {
        *steps += 1;
        if let Some(&known) = self.interned.get(&(list, atom)) {
            return known;
        }
        let parent = self.node(list);
        let (near, far) = (self.node(parent.jump), self.node(self.node(parent.jump).jump));
        let balanced = parent.length - near.length == near.length - far.length;
        let jump = if balanced && parent.length > 0 { near.jump } else { list };
        let length = parent.length + 1;
        let first = if parent.length == 0 { atom } else { parent.first };
        let index = if length <= SHORT {
            Root::EMPTY
        } else if parent.length > SHORT {
            self.index.insert(parent.index, atom.0, parent.length, steps)
        } else {
            let mut root = Root::EMPTY;
            for (position, known) in self.suffix(list, 0).into_iter().chain([atom]).enumerate() {
                root = self.index.insert(root, known.0, small(position), steps);
            }
            root
        };
        let new = AtomList(small(self.nodes.len()));
        self.nodes.push(Node { parent: list, jump, first, last: atom, length, index });
        self.interned.insert((list, atom), new);
        new
    }

    /// The atoms of `list` from position `from` on.
    pub(super) fn suffix(&self, list: AtomList, from: u32) -> Vec<AtomId> {
        let mut node = self.node(list);
        let mut atoms = Vec::with_capacity(node.length.saturating_sub(from) as usize);
        while node.length > from {
            atoms.push(node.last);
            node = self.node(node.parent);
        }
        atoms.reverse();
        atoms
    }

    /// How many atoms both lists begin with.
    pub(super) fn common_prefix(&self, left: AtomList, right: AtomList, steps: &mut u64) -> u32 {
        let length = self.length(left).min(self.length(right));
        // Most lists are short and most pairs have nothing in common.
        if length == 0 || self.node(left).first != self.node(right).first {
            return 0;
        }
        if length == 1 {
            return 1;
        }
        let mut left = self.ancestor(left, length, steps);
        let mut right = self.ancestor(right, length, steps);
        // Lists of one length have jumps of one length, so both sides stay level.
        while left != right {
            *steps += 1;
            let (a, b) = (self.node(left), self.node(right));
            (left, right) = if a.jump == b.jump { (a.parent, b.parent) } else { (a.jump, b.jump) };
        }
        self.length(left)
    }

    /// The first `length` atoms of `list`.
    fn ancestor(&self, mut list: AtomList, length: u32, steps: &mut u64) -> AtomList {
        loop {
            let node = self.node(list);
            if node.length <= length {
                return list;
            }
            *steps += 1;
            list = if self.length(node.jump) >= length { node.jump } else { node.parent };
        }
    }
}
