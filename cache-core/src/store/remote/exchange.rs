//! Carrying what one machine has to a remote cache at once, and from there.
//!
//! Servers of this kind do not list what they have, so who pushes leaves a *listing* there: the ids of
//! everything that was pushed, as a signed record of its own under a key that all know. Of two who push at the same
//! time one may write over what the other listed; what is missing in a listing costs those who pull a look-up
//! later, and nothing else.

use std::collections::BTreeSet;

use super::copies::{self, Copy};
use super::record::Outgoing;
use super::{MAX_RECORD, Remote};
use crate::codec;
use crate::key::{Checksum, KeyBuilder};
use crate::store::{Copies as _, DiskStore, Found, Store, StoreError};

/// So many records are asked for at a time.
const AT_ONCE: usize = 1024;
/// Bytes of an id in a listing.
const ID: usize = 48;
/// A listing names no more ids than fit into a record.
const MOST: usize = MAX_RECORD / ID - 100;

/// What was carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exchanged {
    /// Entries that were carried.
    pub carried: u64,
    /// Entries that were there already.
    pub present: u64,
    /// Entries that could not be had.
    pub missing: u64,
}

/// What a listing says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The ids, sorted.
    pub ids: Vec<Checksum>,
    /// Who signed it.
    pub signer: Option<String>,
}

/// The listing of what was pushed for a tool; an empty one where there is none, or none that is trusted.
///
/// # Errors
/// None of a [`Remote`]: what goes wrong is among its troubles.
pub fn listing(remote: &Remote, tool: &str) -> Result<Listing, StoreError> {
    let id = id_of(tool);
    let ids = match remote.get(&id)? {
        Found::Hit(bytes) => decode(&bytes).unwrap_or_default(),
        Found::Missing(_) => return Ok(Listing::default()),
    };
    Ok(Listing { ids, signer: remote.signer(&id) })
}

/// Sends what a folder has of its own and the remote cache lacks, or has otherwise, and lists all of it there. Copies of
/// what others signed are not signed anew, and what may rest on these says so there too.
///
/// # Errors
/// Where the folder cannot be read. What goes wrong with the remote cache is among its troubles.
pub fn push(disk: &DiskStore, remote: &Remote, tool: &str) -> Result<Exchanged, StoreError> {
    let mut done = Exchanged::default();
    let ids = disk.ids()?;
    let plain: BTreeSet<Checksum> = ids.iter().copied().collect();
    let mut own = BTreeSet::new();
    for some in ids.chunks(AT_ONCE) {
        let mut entries = Vec::new();
        for id in some {
            match disk.get(id)? {
                // What lies there by itself is newer than a copy of it.
                Found::Hit(bytes) => entries.extend(
                    of_its_own(*id, bytes, remote)
                        .filter(|entry| entry.id == *id || !plain.contains(&entry.id)),
                ),
                Found::Missing(_) => {
                    own.insert(*id);
                    done.missing += 1;
                }
            }
        }
        let asked: Vec<Checksum> = entries.iter().map(|entry| entry.id).collect();
        remote.prefetch(&asked);
        for Outgoing { id, payload, others } in entries {
            own.insert(id);
            if remote.get(&id)? == Found::Hit(payload.clone()) && remote.rests_within(&id, &others) {
                done.present += 1;
            } else {
                remote.queue(&id, &payload, others)?;
            }
        }
    }
    let listed: BTreeSet<Checksum> = listing(remote, tool)?.ids.into_iter().collect();
    // What this machine has comes first, should there be too many.
    let all: Vec<Checksum> = own.iter().chain(listed.difference(&own)).take(MOST).copied().collect();
    remote.flush()?;
    done.carried = remote.counters().puts;
    if all.iter().collect::<BTreeSet<_>>() != listed.iter().collect() {
        remote.queue(&id_of(tool), &encode(&all), Vec::new())?;
        remote.flush()?;
    }
    Ok(done)
}

/// An entry of a folder as it is sent, if it was made there and all that it may rest on is trusted.
fn of_its_own(id: Checksum, bytes: Vec<u8>, remote: &Remote) -> Option<Outgoing> {
    if !copies::is_copy(&bytes) {
        return Some(Outgoing { id, payload: bytes, others: Vec::new() });
    }
    let Copy { keys, id: made, payload } = Copy::read(&bytes)?;
    let made = made.filter(|made| remote.copy_id(made) == id && remote.trusts(keys))?;
    let others = keys.iter().filter(|key| remote.own.as_ref() != Some(key)).copied().collect();
    Some(Outgoing { id: made, payload: payload.to_vec(), others })
}

/// Fetches what a remote cache lists and a store lacks, side by side, as copies that say who signed them, and lets the
/// store know who is trusted.
///
/// # Errors
/// Where the store cannot be written. What goes wrong with the remote cache is among its troubles.
pub fn pull(remote: &Remote, into: &dyn Store, tool: &str) -> Result<Exchanged, StoreError> {
    let mut done = Exchanged::default();
    let mut lacking = Vec::new();
    // A folder that is only read goes on without.
    match remote.remember(into) {
        Ok(()) | Err(StoreError::ReadOnly { .. }) => {}
        Err(error) => return Err(error),
    }
    // Whom the store trusts is not for others to say.
    for id in listing(remote, tool)?.ids.into_iter().filter(|id| *id != copies::trust_id()) {
        let copy = into.get(&remote.copy_id(&id))?.payload();
        let copied = copy.is_some_and(|copy| remote.may_serve(&id, &copy));
        if copied || matches!(into.get(&id)?, Found::Hit(_)) {
            done.present += 1;
        } else {
            lacking.push(id);
        }
    }
    for some in lacking.chunks(AT_ONCE) {
        remote.prefetch(some);
        for id in some {
            match remote.get(id)?.payload().and_then(|payload| remote.copy(id, &payload)) {
                Some(copy) => {
                    into.put(&remote.copy_id(id), &copy)?;
                    done.carried += 1;
                }
                None => done.missing += 1,
            }
        }
    }
    into.flush()?;
    Ok(done)
}

fn id_of(tool: &str) -> Checksum {
    let key = KeyBuilder::new("cache-core listing", 1).content("tool", tool).finish();
    Checksum { digest: key.digest(), confirm: key.confirm() }
}

fn encode(ids: &[Checksum]) -> Vec<u8> {
    // Encoding fails for no such list; without a listing nothing is pulled.
    codec::encode(ids).unwrap_or_default()
}

fn decode(bytes: &[u8]) -> Option<Vec<Checksum>> {
    codec::decode(bytes).ok()
}
