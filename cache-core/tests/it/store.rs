//! Laws of `cache_core::store`, and a file per kind of store fault.

mod location;
mod memory;
mod tiered;

use cache_core::digest::{Confirm, Digest};
use cache_core::store::{EntryId, Found};

/// The id of the question that `name` names.
pub(crate) fn id(name: &str) -> EntryId {
    EntryId { digest: Digest::of(name.as_bytes()), confirm: Confirm::of(name.as_bytes()) }
}

/// A hit with these bytes.
pub(crate) fn hit(payload: impl Into<Vec<u8>>) -> Found {
    Found::Hit(payload.into())
}
