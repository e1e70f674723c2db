//! Checksums: a digest for look-up and one that confirms it.

use serde::{Deserialize, Serialize};

use crate::digest::{Confirm, Digest, Encoder};
use crate::key::CacheKey;

/// The checksum of an entity, of a statement, or of an entity and its dependencies. Equal only if both
/// digests are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Checksum {
    /// For look-up.
    pub digest: Digest,
    /// Collision resistant.
    pub confirm: Confirm,
}

impl Checksum {
    /// The checksum of a value: of resolved and typed content, not of text, so that comments and white
    /// space do not matter and the meaning of names does.
    #[must_use]
    pub fn of<T: CacheKey + ?Sized>(value: &T) -> Self {
        let mut out = Encoder::new();
        value.encode(&mut out);
        Self::of_encoded(&out)
    }

    /// The checksum of what an encoder holds.
    #[must_use]
    pub fn of_encoded(encoder: &Encoder) -> Self {
        Self { digest: encoder.digest(), confirm: encoder.confirm() }
    }
}

/// Both digests are written, so whatever is confirmed by the key is confirmed by this one as well.
impl CacheKey for Checksum {
    fn encode(&self, out: &mut Encoder) {
        let Self { digest, confirm } = self;
        out.nested(*digest);
        out.nested_confirm(*confirm);
    }
}
