//! Where answers are kept: bytes in, bytes out.
//!
//! Everything meets in one synchronous trait, [`Store`]. A store knows nothing of questions, limits or
//! modes ([`crate::cache`] does); it keeps payloads under a [`Checksum`] and gives back exactly what was
//! put, or nothing.
//!
//! # The contract
//! - *Confirmed*: a payload is returned only if the 256-bit [`Confirm`] of the request is that of the
//!   entry. One digest has one entry; the newest put wins.
//! - *Whole or absent*: a torn, altered, foreign or forged entry is a miss with its reason, never another
//!   answer and never a panic.
//! - *Never in the way*: an error tells its place and the way out; the caller turns it into a warning and
//!   a miss. Making room is never done by [`Store::get`] or [`Store::put`] but by [`Store::maintain`],
//!   which callers run at the end.
//!
//! # The stores
//! - [`MemoryStore`]: a map, for tests, for services, and as the faster tier.
//! - [`DiskStore`]: a folder, shared by any number of processes.
//! - [`Tiered`]: several stores, the fastest first; a hit in a slower one fills the faster ones.
//! - `Remote` (feature `remote`): a server that a team shares and that need not be believed, as the last tier.
//!

mod counters;
mod disk;
mod error;
mod lease;
mod memory;
#[cfg(feature = "remote")]
pub mod remote;
#[cfg(feature = "plant")]
pub mod storage;
#[cfg(not(feature = "plant"))]
#[expect(unreachable_pub, reason = "public where tests put another in its place")]
mod storage;
mod tiered;

pub use counters::{Counters, Usage, Verified};
pub use disk::{DiskOptions, DiskStore};
pub use error::StoreError;
pub use lease::{Claim, Lease};
pub(crate) use lease::{Taken, Turn};
pub use memory::MemoryStore;
#[cfg(feature = "remote")]
pub use remote::Remote;
pub use tiered::Tiered;

use std::sync::Arc;

#[cfg(doc)]
use crate::digest::Confirm;
use crate::key::Checksum;
use crate::stats::MissReason;

/// Longest payload in bytes that a store accepts.
pub const MAX_PAYLOAD: usize = crate::codec::MAX_BYTES;

/// What a store has under an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The payload that was put, byte for byte.
    Hit(Vec<u8>),
    /// Nothing that may be used. Stores give [`MissReason::Absent`], [`MissReason::Damaged`],
    /// [`MissReason::ForeignVersion`] and [`MissReason::Unconfirmed`], servers [`MissReason::Untrusted`] and
    /// [`MissReason::Unreachable`] as well.
    Missing(MissReason),
}

impl Found {
    /// The payload of a hit.
    #[must_use]
    pub fn payload(self) -> Option<Vec<u8>> {
        match self {
            Self::Hit(payload) => Some(payload),
            Self::Missing(_) => None,
        }
    }
}

/// Keeps payloads. See the [module](self) for what every implementation promises.
///
/// All methods take `&self` and may be called from several threads.
pub trait Store: Send + Sync {
    /// What is kept under `id`. Entries that other processes wrote in the meantime are seen too.
    ///
    /// # Errors
    /// Only where the store cannot be read at all; damage to one entry is a miss.
    fn get(&self, id: &Checksum) -> Result<Found, StoreError>;

    /// Whether [`Store::prefetch`] is worth calling.
    fn is_far(&self) -> bool {
        false
    }

    /// Says which ids will be asked for soon, so that a store to which the way is long asks for them side by side.
    /// Changes nothing but the time that [`Store::get`] takes.
    fn prefetch(&self, _ids: &[Checksum]) {}

    /// Keeps `payload` under `id`; what was there before is replaced.
    ///
    /// # Errors
    /// Where the store cannot be written (unwritable, full) or the payload exceeds [`MAX_PAYLOAD`].
    /// After an error the id holds what it held before.
    fn put(&self, id: &Checksum, payload: &[u8]) -> Result<(), StoreError>;

    /// Forgets whatever is kept under the digest of `id`, confirmed or not.
    ///
    /// # Errors
    /// Where the store cannot be written.
    fn remove(&self, id: &Checksum) -> Result<(), StoreError>;

    /// Asks for the right to compute what is kept under `id`, so that others who ask wait for the answer. Who
    /// gets it sees what its earlier holders put, also over an entry that he knows. Never waits itself. Stores
    /// that no other process uses know nothing of leases.
    ///
    /// # Errors
    /// Where the store cannot be written.
    fn claim(&self, id: &Checksum) -> Result<Claim, StoreError> {
        let _ = id;
        Ok(Claim::Unsupported)
    }

    /// Leaves what was put in a state that costs the next reader least. What was put is visible to
    /// others without it.
    ///
    /// # Errors
    /// Where the store cannot be written.
    fn flush(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Makes room: where the store has outgrown its bound, drops the entries that were used longest ago
    /// until 70 % of it are left. Never called on the path of an answer. Returns at once where another
    /// process is at it already.
    ///
    /// # Errors
    /// Where the store cannot be written; no live entry is lost by that.
    fn maintain(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Ends a run: [`Store::flush`], and [`Store::maintain`] unless nothing was written and nothing was found that
    /// others left to do.
    ///
    /// # Errors
    /// As these.
    fn finish(&self) -> Result<(), StoreError> {
        self.flush().and(self.maintain())
    }

    /// Forgets everything.
    ///
    /// # Errors
    /// Where the store cannot be written.
    fn clean(&self) -> Result<(), StoreError>;

    /// How much is kept. May read all of the store's indexes.
    ///
    /// # Errors
    /// Where the store cannot be read.
    fn usage(&self) -> Result<Usage, StoreError>;

    /// Reads every entry and checks it.
    ///
    /// # Errors
    /// Where the store cannot be read at all; damaged entries are counted in the result.
    fn verify(&self) -> Result<Verified, StoreError>;

    /// What this instance did since it was opened.
    fn counters(&self) -> Counters;

    /// Who vouches for what this instance gave last under `id`, where somebody does: a name for messages.
    fn signer(&self, id: &Checksum) -> Option<String> {
        let _ = id;
        None
    }

    /// How stores in front of this one keep what it gave, where that must not pass for their own.
    fn copies(&self) -> Option<&dyn Copies> {
        None
    }

    /// Troubles that cost no answer and so reached no caller (a faster tier that could not be filled,
    /// recency that could not be noted), each once; for warnings.
    fn take_troubles(&self) -> Vec<StoreError> {
        Vec::new()
    }
}

/// How what a store gave, and what may rest on it, is kept in front of it: under ids of its own, and in a form that says
/// whether it may be served.
pub trait Copies {
    /// Where the copy of what is under an id lies.
    fn copy_id(&self, id: &Checksum) -> Checksum;

    /// The copy of a payload that was given last under an id. `None` where it is not to be kept in front.
    fn copy(&self, id: &Checksum, payload: &[u8]) -> Option<Vec<u8>>;

    /// How and where an answer of those in front is kept that may rest on what this store gave. `None` where nothing
    /// was given yet.
    fn resting(&self, id: &Checksum, payload: &[u8]) -> Option<(Checksum, Vec<u8>)>;

    /// Whether a copy of what is under an id may be served.
    fn may_serve(&self, id: &Checksum, copy: &[u8]) -> bool;

    /// The payload of a copy, if it may be served; then it counts as given.
    fn original(&self, id: &Checksum, copy: Vec<u8>) -> Option<Vec<u8>>;
}

/// A shared store is a store: it may be a tier and have other users beside.
impl<S: Store + ?Sized> Store for Arc<S> {
    fn get(&self, id: &Checksum) -> Result<Found, StoreError> {
        (**self).get(id)
    }

    fn is_far(&self) -> bool {
        (**self).is_far()
    }

    fn prefetch(&self, ids: &[Checksum]) {
        (**self).prefetch(ids);
    }

    fn put(&self, id: &Checksum, payload: &[u8]) -> Result<(), StoreError> {
        (**self).put(id, payload)
    }

    fn remove(&self, id: &Checksum) -> Result<(), StoreError> {
        (**self).remove(id)
    }

    fn claim(&self, id: &Checksum) -> Result<Claim, StoreError> {
        (**self).claim(id)
    }

    fn flush(&self) -> Result<(), StoreError> {
        (**self).flush()
    }

    fn maintain(&self) -> Result<(), StoreError> {
        (**self).maintain()
    }

    fn finish(&self) -> Result<(), StoreError> {
        (**self).finish()
    }

    fn clean(&self) -> Result<(), StoreError> {
        (**self).clean()
    }

    fn usage(&self) -> Result<Usage, StoreError> {
        (**self).usage()
    }

    fn verify(&self) -> Result<Verified, StoreError> {
        (**self).verify()
    }

    fn counters(&self) -> Counters {
        (**self).counters()
    }

    fn signer(&self, id: &Checksum) -> Option<String> {
        (**self).signer(id)
    }

    fn copies(&self) -> Option<&dyn Copies> {
        (**self).copies()
    }

    fn take_troubles(&self) -> Vec<StoreError> {
        (**self).take_troubles()
    }
}

/// To how many bytes a store is trimmed that has outgrown `bound`: 70 % of it, so that the next run does
/// not have to trim again at once.
fn trimmed_size(bound: u64) -> u64 {
    bound / 10 * 7 + bound % 10 * 7 / 10
}
