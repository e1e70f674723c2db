//! The payload of an answer in a store: a byte of layout version, then, in the encoding of [`crate::codec`],
//! some of the question's confirming digest and what is known of it. `docs/format.md` has the table.
//!
//! The store has its own frame around it, with the whole confirming digest and a check against damage. Some of the
//! digest is here as well because a cache trusts no store: one that mixes up its entries is noticed. What the key
//! was made of is not here: the history has it, where a miss is explained.
//!
//! The encoding does not carry all that serde can say, and does not always notice. So what is to be stored is
//! decoded and compared first: an entry whose answers do not come back as they went in is not written. An answer that
//! does not even equal itself cannot be compared, so it is not written either.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::known::Known;
use super::question::Answer;
use crate::codec::{self, CodecError};
use crate::digest::Confirm;
use crate::stats::MissReason;

/// Raised whenever the payload's shape changes.
const VERSION: u8 = 5;

/// How much of the question's confirming digest is repeated: the store has compared all of it.
type Mark = [u8; 8];

fn mark(confirm: Confirm) -> Mark {
    let mut mark = Mark::default();
    mark.copy_from_slice(&confirm.to_bytes()[..size_of::<Mark>()]);
    mark
}

/// What is written behind the version.
#[derive(Serialize)]
struct Written<'a, A> {
    mark: Mark,
    known: &'a Known<A>,
}

/// The same when it is read.
#[derive(Deserialize)]
#[serde(bound = "A: DeserializeOwned")]
struct Read<A> {
    mark: Mark,
    known: Known<A>,
}

/// Why an entry cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum EntryError {
    #[error(transparent)]
    Codec(#[from] CodecError),
    #[error(
        "it does not come back from the encoding as it went in: see `cache_core::cache::Answer` for what its type must avoid"
    )]
    Altered,
}

/// The payload for what is known of the question with this confirming digest. If it goes `unseen`, as a planted lie has
/// it, what comes back may be another.
pub(super) fn to_bytes<A: Answer>(
    confirm: Confirm,
    known: &Known<A>,
    unseen: bool,
) -> Result<Vec<u8>, EntryError> {
    let mut bytes = Vec::with_capacity(128);
    bytes.push(VERSION);
    codec::append(&Written { mark: mark(confirm), known }, &mut bytes)?;
    let back: Read<A> = codec::decode(&bytes[1..]).map_err(|_| EntryError::Altered)?;
    if unseen || back.known.same_as(known, PartialEq::eq) { Ok(bytes) } else { Err(EntryError::Altered) }
}

/// What [`to_bytes`] wrote for the question with this confirming digest, or why it cannot be served.
pub(super) fn from_bytes<A: Answer>(bytes: &[u8], confirm: Option<Confirm>) -> Result<Known<A>, MissReason> {
    match bytes.first() {
        Some(&VERSION) => {}
        Some(_) => return Err(MissReason::ForeignVersion),
        None => return Err(MissReason::Damaged),
    }
    match codec::decode::<Read<A>>(&bytes[1..]) {
        Err(CodecError::ForeignVersion { .. }) => Err(MissReason::ForeignVersion),
        Ok(entry) if !entry.known.is_sound() => Err(MissReason::Damaged),
        Ok(entry) if confirm.is_some_and(|confirm| mark(confirm) != entry.mark) => {
            Err(MissReason::Unconfirmed)
        }
        Ok(entry) => Ok(entry.known),
        Err(_) => Err(MissReason::Damaged),
    }
}
