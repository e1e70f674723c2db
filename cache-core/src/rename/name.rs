//! Name digests: digests with names and concrete addresses kept.

use serde::{Deserialize, Serialize};

use super::encoding::write_head;
use crate::digest::{Confirm, Digest, Encoder};
use crate::key::{CacheKey, Checksum};

/// A digest of a term with all names kept: equal for the very same term only.
///
/// A type of its own, because sets of these may be compared for subsets ([`crate::subsume`]) and sets of
/// shape digests may not: a shape has forgotten which of its atoms another shape has as well.
///
/// ```
/// use cache_core::rename::NameDigest;
///
/// let [x, y] = ["x", "y"].map(|name| NameDigest::node(name, &[]));
/// assert_eq!(NameDigest::node("<", &[x, y]), NameDigest::node("<", &[x, y]));
/// assert_ne!(NameDigest::node("<", &[x, y]), NameDigest::node("<", &[y, x]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NameDigest(Digest);

impl NameDigest {
    /// The digest of a node. `label` is everything about the node itself, names and addresses included.
    #[must_use]
    pub fn node<L: CacheKey + ?Sized>(label: &L, children: &[Self]) -> Self {
        let (mut own, mut out) = (Encoder::new(), Encoder::new());
        label.encode(&mut own);
        write_head(own.bytes(), children.len(), &mut out);
        for Self(child) in children {
            out.nested(*child);
        }
        Self(out.digest())
    }

    /// The digest.
    #[must_use]
    pub fn digest(self) -> Digest {
        self.0
    }
}

/// A name digest with what confirms it: of a term whose names are kept and that meets the disk.
///
/// ```
/// use cache_core::rename::NameChecksum;
///
/// let [x, y] = ["x", "y"].map(|name| NameChecksum::node(name, &[]));
/// let less = NameChecksum::node("<", &[x, y]);
/// // In a set neither order nor repetition matters, however deep it lies.
/// let some = NameChecksum::set("or", &[x, less, x]);
/// let same = NameChecksum::set("or", &[less, x]);
/// assert_eq!(NameChecksum::set("and", &[some, y]), NameChecksum::set("and", &[y, same]));
/// assert_ne!(NameChecksum::node("and", &[some, y]), NameChecksum::node("and", &[y, same]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NameChecksum(Checksum);

/// Which children of a node are told apart by their places.
#[derive(Clone, Copy)]
enum Children {
    All,
    None,
}

impl NameChecksum {
    /// Of a node whose children stand in order. `label` is everything about the node itself, names and addresses
    /// included.
    #[must_use]
    pub fn node<L: CacheKey + ?Sized>(label: &L, children: &[Self]) -> Self {
        Self::of(label, Children::All, children)
    }

    /// Of a node whose children are a set: their order does not matter, nor does it if one is there twice.
    #[must_use]
    pub fn set<L: CacheKey + ?Sized>(label: &L, children: &[Self]) -> Self {
        let mut members = children.to_vec();
        members.sort_unstable();
        members.dedup();
        Self::of(label, Children::None, &members)
    }

    fn of<L: CacheKey + ?Sized>(label: &L, told_apart: Children, children: &[Self]) -> Self {
        let mut own = Encoder::new();
        label.encode(&mut own);
        let (mut short, mut long) = (Encoder::new(), Encoder::new());
        for out in [&mut short, &mut long] {
            out.bool(matches!(told_apart, Children::All));
            write_head(own.bytes(), children.len(), out);
        }
        for Self(child) in children {
            short.nested(child.digest);
            long.nested_confirm(child.confirm);
        }
        Self(Checksum { digest: short.digest(), confirm: long.confirm() })
    }

    /// The name digest, for sets that are compared ([`crate::subsume`]).
    #[must_use]
    pub fn digest(self) -> NameDigest {
        NameDigest(self.0.digest)
    }

    /// What confirms it.
    #[must_use]
    pub fn confirm(self) -> Confirm {
        self.0.confirm
    }
}
