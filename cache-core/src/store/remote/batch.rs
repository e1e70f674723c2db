//! One signature for the records that are sent together: pure, no input may panic it.
//!
//! Their digests are the leaves of a binary tree (Merkle's), whose root is what is signed. A record carries the
//! siblings on its way to the root, so each is judged by itself, wherever it is found, and a reader checks one
//! signature for all that it meets of a batch:
//! ```text
//!         root            signed
//!        /    \
//!      ab      c          c has no neighbour and is lifted
//!     /  \                a carries b, c; b carries a, c; c carries ab
//!    a    b
//! ```
//! What is hashed begins with a byte that says whether it is a leaf's or an inner node's, so none can stand for the
//! other.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::digest::Confirm;

/// A digest of the tree.
pub(super) type Node = [u8; 32];
/// Records of a batch: with more the siblings outweigh the signature that is saved.
pub(super) const MOST: usize = 64;
/// The most siblings of a record of a batch.
const DEEPEST: usize = MOST.ilog2() as usize;

const LEAF: u8 = 0;
const INNER: u8 = 1;

/// The leaf of a record, from the parts of what is signed of it.
pub(super) fn leaf(parts: &[&[u8]]) -> Node {
    let mut bytes = vec![LEAF];
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    Confirm::of(&bytes).to_bytes()
}

fn inner(left: &Node, right: &Node) -> Node {
    let mut bytes = [INNER; 65];
    bytes[1..33].copy_from_slice(left);
    bytes[33..].copy_from_slice(right);
    Confirm::of(&bytes).to_bytes()
}

/// The way from a leaf to the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Path {
    /// A bit for each sibling, the leaf's own in the lowest: whether it stands on the left.
    sides: u8,
    siblings: Vec<Node>,
}

impl Path {
    /// The root of the tree in which a leaf has this way.
    pub(super) fn root(&self, leaf: Node) -> Node {
        self.siblings.iter().enumerate().fold(leaf, |node, (level, sibling)| {
            if self.sides >> level & 1 == 1 { inner(sibling, &node) } else { inner(&node, sibling) }
        })
    }

    /// The number of siblings, their sides, and they themselves.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        #[expect(clippy::cast_possible_truncation, reason = "at most DEEPEST")]
        out.extend([self.siblings.len() as u8, self.sides]);
        self.siblings.iter().for_each(|sibling| out.extend_from_slice(sibling));
    }

    /// What [`Path::write`] wrote, and what follows it.
    pub(super) fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (&[count, sides], rest) = bytes.split_first_chunk()?;
        let count = usize::from(count);
        if count > DEEPEST || usize::from(sides) >> count != 0 {
            return None;
        }
        let (siblings, rest) = rest.split_at_checked(count * size_of::<Node>())?;
        let siblings = siblings.as_chunks().0.to_vec();
        Some((Self { sides, siblings }, rest))
    }
}

/// The root over at most [`MOST`] leaves, and the way of each to it.
pub(super) fn tree(leaves: &[Node]) -> (Node, Vec<Path>) {
    let mut paths = vec![Path::default(); leaves.len()];
    // A node, and the leaves below it.
    let mut level: Vec<(Node, Range<usize>)> =
        leaves.iter().enumerate().map(|(at, leaf)| (*leaf, at..at + 1)).collect();
    while level.len() > 1 {
        let pair = |pair: &[(Node, Range<usize>)]| match pair {
            [(left, of_left), (right, of_right)] => {
                for path in &mut paths[of_left.clone()] {
                    path.siblings.push(*right);
                }
                for path in &mut paths[of_right.clone()] {
                    path.sides |= 1 << path.siblings.len();
                    path.siblings.push(*left);
                }
                (inner(left, right), of_left.start..of_right.end)
            }
            alone => alone[0].clone(),
        };
        level = level.chunks(2).map(pair).collect();
    }
    (level.first().map_or([0; 32], |(root, _)| *root), paths)
}

/// That somebody signed a root: how the key begins, the root, the signature.
pub(super) type Claim = ([u8; 8], Node, [u8; 64]);

/// The claims that were found to be true in this run, the latest of them, and by which key.
#[derive(Debug, Default)]
pub(super) struct Signed(Mutex<Claims>);

#[derive(Debug, Default)]
struct Claims {
    signers: FxHashMap<Claim, usize>,
    /// The same, the oldest first.
    order: VecDeque<Claim>,
}

impl Signed {
    /// So many are remembered, each in about 300 bytes.
    const REMEMBERED: usize = 4096;

    /// Whose a claim is: as is known, or as is found out, and then known.
    pub(super) fn by(&self, claim: Claim, find_out: impl FnOnce() -> Option<usize>) -> Option<usize> {
        if let Some(signer) = self.claims().signers.get(&claim) {
            return Some(*signer);
        }
        // The lock is not held meanwhile: a check takes longer than all else here.
        let signer = find_out()?;
        let mut claims = self.claims();
        if claims.signers.insert(claim, signer).is_none() {
            claims.order.push_back(claim);
        }
        if claims.order.len() > Self::REMEMBERED
            && let Some(oldest) = claims.order.pop_front()
        {
            claims.signers.remove(&oldest);
        }
        Some(signer)
    }

    fn claims(&self) -> MutexGuard<'_, Claims> {
        // What a panic could leave behind is a claim that is checked again.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Node, Path, Signed, leaf, tree};

    fn leaves(count: usize) -> Vec<Node> {
        (0..count).map(|number| leaf(&[&number.to_le_bytes()])).collect()
    }

    #[test]
    fn every_leaf_of_every_tree_leads_to_the_root_and_nothing_else_does() {
        for count in 1..=MOST {
            let leaves = leaves(count);
            let (root, paths) = tree(&leaves);
            for (at, path) in paths.iter().enumerate() {
                for (other, leaf) in leaves.iter().enumerate() {
                    assert_eq!(path.root(*leaf) == root, at == other, "{count} leaves, {at} and {other}");
                }
            }
        }
    }

    #[test]
    fn a_path_is_read_as_it_was_written_and_no_other_bytes_are_one() {
        for path in tree(&leaves(37)).1 {
            let mut bytes = Vec::new();
            path.write(&mut bytes);
            bytes.extend(b"what follows");
            assert_eq!(Path::read(&bytes), Some((path.clone(), b"what follows".as_slice())));
            for length in 0..bytes.len() - b"what follows".len() {
                assert_eq!(Path::read(&bytes[..length]), None);
            }
            // A side of a sibling that is not there.
            bytes[1] |= 0x80;
            assert_eq!(Path::read(&bytes), None);
        }
        assert_eq!(Path::read(&[[7, 0].as_slice(), &[0; 1000]].concat()), None, "too deep");
    }

    #[test]
    fn an_inner_node_is_no_leaf() {
        let leaves = leaves(2);
        let (root, _) = tree(&leaves);
        assert_ne!(leaf(&[&leaves[0], &leaves[1]]), root);
    }

    #[test]
    fn a_claim_is_checked_once_and_others_of_the_same_root_by_themselves() {
        let (signed, root) = (Signed::default(), leaf(&[b"root"]));
        let claim = |signature: u8| ([7; 8], root, [signature; 64]);
        assert_eq!(signed.by(claim(1), || Some(3)), Some(3));
        assert_eq!(signed.by(claim(1), || unreachable!("it is known")), Some(3));
        assert_eq!(signed.by(([8; 8], root, [1; 64]), || None), None, "another key's");
        assert_eq!(signed.by(claim(2), || None), None);
        assert_eq!(signed.by(claim(2), || Some(4)), Some(4), "what is not true is not known");
        for number in 0..Signed::REMEMBERED {
            signed.by(([7; 8], leaf(&[&number.to_le_bytes()]), [1; 64]), || Some(0));
        }
        assert_eq!(signed.by(claim(1), || Some(5)), Some(5), "the oldest are forgotten");
    }
}
