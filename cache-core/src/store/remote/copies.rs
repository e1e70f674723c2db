//! What the stores in front of a server keep of its answers: copies that say who signed them.
//!
//! A copy lies under an id of its own and begins with its signer, so it never passes for an answer of this machine, and
//! is served as long as its signer is trusted. Who trusts a key no more need not know which folders have what it signed.
//!
//! ```text
//! what    bytes
//! mark       16   of this layout
//! signer     16   digest of the public key
//! payload
//! ```

use super::Remote;
use super::keys::PublicKey;
use crate::digest::Digest;
use crate::key::Checksum;
use crate::store::Copies;

const DIGEST: usize = 16;
const HEAD: usize = 2 * DIGEST;

fn mark() -> [u8; DIGEST] {
    Digest::of(b"reprise copy of a remote record 1").to_bytes()
}

fn signer_of(key: &PublicKey) -> [u8; DIGEST] {
    Digest::of(key.to_string().as_bytes()).to_bytes()
}

/// Whether a payload is a copy. One of another kind that looks like it is as good as never met.
pub(super) fn is_copy(payload: &[u8]) -> bool {
    payload.starts_with(&mark())
}

impl Copies for Remote {
    fn copy_id(&self, id: &Checksum) -> Checksum {
        Checksum::of(&("copy of a remote record", id))
    }

    fn copy(&self, id: &Checksum, payload: &[u8]) -> Option<Vec<u8>> {
        let signer = *self.state().signers.get(&id.digest)?;
        let key = self.options.trust.key(signer)?;
        Some([&mark(), &signer_of(key), payload].concat())
    }

    fn original(&self, id: &Checksum, mut copy: Vec<u8>) -> Option<Vec<u8>> {
        let signer = copy.strip_prefix(&mark())?.first_chunk::<DIGEST>()?;
        let trusted = self.options.trust.position(|key| signer_of(key) == *signer);
        let signer = trusted.or_else(|| self.believes_all().then_some(usize::MAX))?;
        self.state().signers.insert(id.digest, signer);
        copy.drain(..HEAD);
        Some(copy)
    }
}
