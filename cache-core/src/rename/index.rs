//! A persistent map from atoms to positions: a Patricia trie in an arena.
//!
//! Every version of a list of atoms needs its own look-up "where does this atom stand", and versions
//! share almost everything. An insertion copies the path to the new leaf, which has at most 32 nodes and
//! about log2(n) for n atoms; nothing is ever freed before the arena is.

use super::atom::small;

/// A version of the map. Copying it copies the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Root(u32);

impl Root {
    /// The map without entries.
    pub(crate) const EMPTY: Self = Self(u32::MAX);
}

/// What `bit` is for a leaf; branches have the number of the bit that they decide.
const LEAF: u8 = u8::MAX;

/// A leaf holds its key and, in `zero`, its value. A branch holds in `key` the common high bits of the
/// keys below it and its two sides.
#[derive(Clone, Copy, Debug)]
struct Node {
    key: u32,
    zero: u32,
    one: u32,
    bit: u8,
}

impl Node {
    /// Whether `key` has the high bits that all keys below this branch share.
    fn covers(&self, key: u32) -> bool {
        high_bits(key, self.bit) == self.key
    }
}

/// The bits of `key` above `bit`.
fn high_bits(key: u32, bit: u8) -> u32 {
    key & (u32::MAX << bit << 1)
}

fn has(key: u32, bit: u8) -> bool {
    (key >> bit) & 1 == 1
}

/// The arena of all versions.
#[derive(Debug, Default)]
pub(crate) struct Index {
    nodes: Vec<Node>,
}

impl Index {
    fn node(&self, id: u32) -> Option<Node> {
        self.nodes.get(id as usize).copied()
    }

    fn push(&mut self, node: Node) -> u32 {
        let id = small(self.nodes.len());
        self.nodes.push(node);
        id
    }

    /// The value of `key`, counting the nodes visited into `steps`.
    pub(crate) fn get(&self, root: Root, key: u32, steps: &mut u64) -> Option<u32> {
        let mut at = root.0;
        while let Some(node) = self.node(at) {
            *steps += 1;
            if node.bit == LEAF {
                return (node.key == key).then_some(node.zero);
            }
            if !node.covers(key) {
                return None;
            }
            at = if has(key, node.bit) { node.one } else { node.zero };
        }
        None
    }

    /// The version that also maps `key`, which the old one does not.
    pub(crate) fn insert(&mut self, root: Root, key: u32, value: u32, steps: &mut u64) -> Root {
        // The branches on the way down; keys have 32 bits, so there are at most 32.
        let mut path = [Node { key: 0, zero: 0, one: 0, bit: LEAF }; 32];
        let mut depth = 0;
        let mut at = root.0;
        let mut below = None;
        while let Some(node) = self.node(at) {
            if node.bit == LEAF || !node.covers(key) {
                below = Some((at, node.key));
                break;
            }
            path[depth] = node;
            depth += 1;
            at = if has(key, node.bit) { node.one } else { node.zero };
        }
        let mut new = self.push(Node { key, zero: value, one: 0, bit: LEAF });
        if let Some((old, old_key)) = below
            && old_key != key
        {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "at most 31 leading zeros, for the keys differ"
            )]
            let bit = 31 - (key ^ old_key).leading_zeros() as u8;
            let (zero, one) = if has(key, bit) { (old, new) } else { (new, old) };
            new = self.push(Node { key: high_bits(key, bit), zero, one, bit });
        }
        for branch in path[..depth].iter().rev() {
            let node = if has(key, branch.bit) {
                Node { one: new, ..*branch }
            } else {
                Node { zero: new, ..*branch }
            };
            new = self.push(node);
        }
        *steps += depth as u64 + 1;
        Root(new)
    }
}
