//! Name digests: digests with names and concrete addresses kept.

use serde::{Deserialize, Serialize};

use super::encoding::write_head;
use crate::digest::{Digest, Encoder};
use crate::key::CacheKey;

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

    /// Declares that `digest` was taken with all names kept.
    #[must_use]
    pub fn from_digest(digest: Digest) -> Self {
        Self(digest)
    }

    /// The digest.
    #[must_use]
    pub fn digest(self) -> Digest {
        self.0
    }
}
