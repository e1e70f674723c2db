//! What the stores in front of a server keep of its answers: copies that say who signed them.
//!
//! A copy lies under an id of its own and begins with its signer, so it never passes for an answer of this machine, and
//! is served as long as its signer is trusted. Who trusts a key no more need not know which folders have what it signed.
//! The store in front remembers whom the last run trusted that named a server ([`Remote::remember`]), so that runs that
//! name none have its copies too ([`Remote::remembered`]).
//!
//! ```text
//! what    bytes
//! mark       16   of this layout
//! signer     16   digest of the public key
//! payload
//! ```

use super::keys::{PublicKey, Trust};
use super::transport::{Deadline, Transport, TransportError};
use super::{Remote, RemoteOptions};
use crate::digest::Digest;
use crate::key::Checksum;
use crate::store::{Copies, Found, Store, StoreError};

const DIGEST: usize = 16;
const HEAD: usize = 2 * DIGEST;

fn mark() -> [u8; DIGEST] {
    Digest::of(b"reprise copy of a remote record 1").to_bytes()
}

fn signer_of(key: &PublicKey) -> [u8; DIGEST] {
    Digest::of(key.to_string().as_bytes()).to_bytes()
}

/// Where a store in front of a server remembers who is trusted.
pub(super) fn trust_id() -> Checksum {
    Checksum::of("whose copies of remote records are trusted")
}

/// Whether a payload is a copy, or says who is trusted. One of another kind that looks like it is as good as never met.
pub(super) fn is_copy(payload: &[u8]) -> bool {
    payload.starts_with(&mark())
}

/// Where no server is named: nothing is there.
struct Nowhere;

impl Transport for Nowhere {
    fn place(&self) -> &'static str {
        "no server"
    }

    fn get(&self, addresses: &[String], _: Deadline) -> Vec<Result<Option<Vec<u8>>, TransportError>> {
        addresses.iter().map(|_| Ok(None)).collect()
    }

    fn put(&self, _: &[(String, Vec<u8>)], _: Deadline) -> Result<(), TransportError> {
        Ok(())
    }

    fn is_far(&self) -> bool {
        false
    }
}

impl Remote {
    /// Lets a store in front of this one know who is trusted, for runs that do not say so.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn remember(&self, front: &dyn Store) -> Result<(), StoreError> {
        let said = [&mark()[..], self.options.trust.to_string().as_bytes()].concat();
        if front.get(&trust_id())? == Found::Hit(said.clone()) {
            return Ok(());
        }
        front.put(&trust_id(), &said)
    }

    /// No server, but whom the last run trusted that named one in front of which this store is: so the store's copies
    /// are served. `None` where there was none.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn remembered(front: &dyn Store) -> Result<Option<Self>, StoreError> {
        let Found::Hit(said) = front.get(&trust_id())? else { return Ok(None) };
        let mut trust = Trust::nobody();
        let text = said.strip_prefix(&mark()).and_then(|text| std::str::from_utf8(text).ok());
        // What is no list of keys trusts nobody.
        let known = text.is_some_and(|text| trust.add_all(text).is_ok()) && !trust.is_empty();
        Ok(known.then(|| Self::new(Box::new(Nowhere), RemoteOptions::default().trust(trust))))
    }
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
