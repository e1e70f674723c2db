//! The payload of an answer in a store: one byte of format version, then, in the encoding of
//! [`crate::codec`], the confirming digest of the question, the limits and the cost of the answer, the
//! parts of the question's key, and the answer.
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
const VERSION: u8 = 1;

/// An answer with what must be known to serve it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry<A> {
    /// Of the question that was answered.
    pub(super) confirm: Confirm,
    /// The budget under which the answer was computed.
    pub(super) limits: Limits,
    /// What it cost.
    pub(super) cost: Cost,
    /// What the question's key was made of.
    pub(super) parts: Vec<Part>,
    /// The answer.
    pub(super) answer: A,
}

impl<A: Answer> Entry<A> {
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, CodecError> {
        let mut bytes = vec![VERSION];
        bytes.extend(codec::encode(self)?);
        Ok(bytes)
    }

    /// The entry that [`Entry::to_bytes`] wrote, or why there is none.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, MissReason> {
        match bytes.split_first() {
            Some((&VERSION, body)) => codec::decode(body).map_err(|error| match error {
                CodecError::ForeignVersion { .. } => MissReason::ForeignVersion,
                _ => MissReason::Damaged,
            }),
            Some(_) => Err(MissReason::ForeignVersion),
            None => Err(MissReason::Damaged),
        }
    }
}
