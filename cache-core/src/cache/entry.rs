//! The payload of an answer in a store: one byte of format version, then, in the encoding of
//! [`crate::codec`], the confirming digest of the question, the limits and the cost of the answer, the
//! answer, and the parts of the question's key, which serve no answer and are not read with it; last its length.
//!
//! The store has its own frame around it, with a check against damage. The confirming digest is
//! repeated here because a cache trusts no store: what it serves, it has confirmed itself.

use serde::{Deserialize, Serialize};

use super::question::{Answer, Cost};
use crate::codec::{self, CodecError};
use crate::digest::Confirm;
use crate::key::Part;
use crate::limits::Limits;
use crate::stats::MissReason;

/// Raised whenever the payload's shape changes.
const VERSION: u8 = 2;

/// Bytes of the length at the end.
const LENGTH: usize = 4;

/// An answer with what must be known to serve it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry<A> {
    /// Of the question that was answered.
    pub(super) confirm: Confirm,
    /// The budget under which the answer was computed.
    pub(super) limits: Limits,
    /// What it cost.
    pub(super) cost: Cost,
    /// The answer.
    pub(super) answer: A,
}

impl<A: Answer> Entry<A> {
    /// The payload, with what the question's key was made of behind.
    pub(super) fn to_bytes(&self, parts: &[Part]) -> Result<Vec<u8>, CodecError> {
        let mut bytes = vec![VERSION];
        bytes.extend(codec::encode(&(self, parts))?);
        // The encoding's own bound is below this one.
        let length = u32::try_from(bytes.len()).map_err(|_| CodecError::TooLong { length: bytes.len() })?;
        bytes.extend(length.to_le_bytes());
        Ok(bytes)
    }

    /// The entry that [`Entry::to_bytes`] wrote, or why there is none.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, MissReason> {
        match bytes.first() {
            Some(&VERSION) => {}
            Some(_) => return Err(MissReason::ForeignVersion),
            None => return Err(MissReason::Damaged),
        }
        // What is not read must be there as well.
        let whole = bytes
            .split_last_chunk::<LENGTH>()
            .filter(|(before, length)| u32::from_le_bytes(**length) as usize == before.len());
        let decoded = codec::decode_start(&bytes[1..]);
        match (decoded, whole) {
            (Err(CodecError::ForeignVersion { .. }), _) => Err(MissReason::ForeignVersion),
            (Ok((entry, _)), Some(_)) => Ok(entry),
            _ => Err(MissReason::Damaged),
        }
    }
}
