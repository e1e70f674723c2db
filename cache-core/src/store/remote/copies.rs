//! What the stores in front of a server keep of its answers and of what may rest on these: copies that say whose they are.
//!
//! A copy lies under an id of its own and begins with its signer, so it never passes for an answer of this machine, and
//! is served as long as its signer is trusted. Who trusts a key no more need not know which folders have what it signed.
//! The store in front remembers whom the last run trusted that named a server ([`Remote::remember`]), so that runs that
//! name none have its copies too ([`Remote::remembered`]).
//!
//! Answers that are put once a server's were given are kept in the same way: they may be made of these, so they say whose
//! these were. Which of them they are made of nobody writes down; that they may be costs nothing while all are trusted.
//!
//! ```text
//! what    bytes
//! mark       16   of this layout
//! kind        1   0: signed by the first of the keys, 1: made here
//! keys        2   n, little-endian
//!           16n   digests of the public keys on whose answers it rests
//! id         48   where it was made here: the question's two digests
//! payload
//! ```

use super::keys::{Fingerprint, Trust};
use super::transport::{Deadline, Transport, TransportError};
use super::{Remote, RemoteOptions};
use crate::digest::{Confirm, Digest};
use crate::key::Checksum;
use crate::store::{Copies, Found, Store, StoreError};

const SIGNED: u8 = 0;
const MADE_HERE: u8 = 1;

fn mark() -> [u8; 16] {
    Digest::of(b"reprise copy of a remote record 2").to_bytes()
}

/// Of the layout before this one, and of what says who is trusted.
fn mark_of_trust() -> [u8; 16] {
    Digest::of(b"reprise copy of a remote record 1").to_bytes()
}

/// Where a store in front of a server remembers who is trusted.
pub(super) fn trust_id() -> Checksum {
    Checksum::of("whose copies of remote records are trusted")
}

/// Whether a payload is a copy, or says who is trusted. One of another kind that looks like it is as good as never met.
pub(super) fn is_copy(payload: &[u8]) -> bool {
    payload.starts_with(&mark()) || payload.starts_with(&mark_of_trust())
}

/// What a store keeps of a server's answers, or of answers that may rest on these.
pub(super) struct Copy<'a> {
    pub(super) keys: &'a [Fingerprint],
    /// Of the question, where the answer was made here.
    pub(super) id: Option<Checksum>,
    pub(super) payload: &'a [u8],
}

impl<'a> Copy<'a> {
    fn to_bytes(&self) -> Vec<u8> {
        let kind = if self.id.is_some() { MADE_HERE } else { SIGNED };
        #[expect(clippy::cast_possible_truncation, reason = "no list of trusted keys is so long")]
        let count = self.keys.len() as u16;
        let mut bytes = [&mark()[..], &[kind], &count.to_le_bytes(), self.keys.as_flattened()].concat();
        if let Some(id) = &self.id {
            bytes.extend(id.digest.to_bytes());
            bytes.extend(id.confirm.to_bytes());
        }
        bytes.extend_from_slice(self.payload);
        bytes
    }

    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (&[kind], rest) = bytes.strip_prefix(&mark())?.split_first_chunk()?;
        let (count, rest) = rest.split_first_chunk()?;
        let (keys, rest) =
            rest.split_at_checked(usize::from(u16::from_le_bytes(*count)) * size_of::<Fingerprint>())?;
        let keys = keys.as_chunks().0;
        match kind {
            SIGNED => Some(Self { keys, id: None, payload: rest }),
            MADE_HERE => {
                let (digest, rest) = rest.split_first_chunk()?;
                let (confirm, payload) = rest.split_first_chunk()?;
                let id =
                    Checksum { digest: Digest::from_bytes(*digest), confirm: Confirm::from_bytes(*confirm) };
                Some(Self { keys, id: Some(id), payload })
            }
            _ => None,
        }
    }
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
        let said = [&mark_of_trust()[..], self.options.trust.to_string().as_bytes()].concat();
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
        let text = said.strip_prefix(&mark_of_trust()).and_then(|text| std::str::from_utf8(text).ok());
        // What is no list of keys trusts nobody.
        let known = text.is_some_and(|text| trust.add_all(text).is_ok()) && !trust.is_empty();
        Ok(known.then(|| Self::new(Box::new(Nowhere), RemoteOptions::default().trust(trust))))
    }
}

impl Remote {
    /// The payload of a copy of what is under an id, which trusted key signed it, and on which others it rests.
    fn judged<'a>(
        &self,
        id: &Checksum,
        copy: &'a [u8],
    ) -> Option<(&'a [u8], Option<usize>, Vec<Fingerprint>)> {
        let Copy { keys, id: made, payload } = Copy::read(copy)?;
        let (signer, others) = match (made, keys) {
            (None, [signer, others @ ..]) => {
                let signer = self.options.trust.position(signer);
                (Some(signer.or_else(|| self.believes_all().then_some(usize::MAX))?), others)
            }
            (Some(of), keys) if of == *id => (None, keys),
            _ => return None,
        };
        self.trusts(others).then(|| (payload, signer, others.to_vec()))
    }
}

impl Copies for Remote {
    fn copy_id(&self, id: &Checksum) -> Checksum {
        Checksum::of(&("copy of a remote record", id))
    }

    fn copy(&self, id: &Checksum, payload: &[u8]) -> Option<Vec<u8>> {
        let state = self.state();
        let given = state.given.get(&id.digest).filter(|given| given.payload == Digest::of(payload))?;
        // Without a signer it is this run's own, which those in front were given.
        let signer = self.options.trust.fingerprint(given.signer?)?;
        let keys: Vec<Fingerprint> = std::iter::once(signer).chain(&given.others).copied().collect();
        Some(Copy { keys: &keys, id: None, payload }.to_bytes())
    }

    fn resting(&self, id: &Checksum, payload: &[u8]) -> Option<(Checksum, Vec<u8>)> {
        let keys = self.rests_on();
        let bytes = || Copy { keys: &keys, id: Some(*id), payload }.to_bytes();
        (!keys.is_empty()).then(|| (self.copy_id(id), bytes()))
    }

    fn may_serve(&self, id: &Checksum, copy: &[u8]) -> bool {
        self.judged(id, copy).is_some()
    }

    fn original(&self, id: &Checksum, mut copy: Vec<u8>) -> Option<Vec<u8>> {
        let (payload, signer, others) = self.judged(id, &copy)?;
        let length = payload.len();
        self.was_given(id, payload, signer, others);
        copy.drain(..copy.len() - length);
        Some(copy)
    }
}
