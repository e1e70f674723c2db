//! Payloads in files of their own.
//!
//! The file is written aside and renamed, then the pack gets a record that refers to it; so a file
//! without a record is what a crash left, and maintenance removes it. A record without a file (someone
//! made room) is an absent entry.

use super::format::{self, CHECKSUM, Header, Kind, LARGE_HEADER};
use super::{DiskStore, State};
use crate::key::Checksum;
use crate::stats::MissReason;
use crate::store::{Found, MAX_PAYLOAD, StoreError};

/// Longest honest file.
const MAX_FILE: u64 = (LARGE_HEADER + MAX_PAYLOAD + CHECKSUM) as u64;

/// Writes the payload's file and the record that refers to it.
pub(crate) fn write(
    store: &DiskStore,
    state: &mut State,
    id: &Checksum,
    payload: &[u8],
) -> Result<(), StoreError> {
    store.begin(state)?;
    let Some(writer) = &state.writer else { return Ok(()) };
    let folder = &store.folder;
    folder.make(&folder.large_folder())?;
    let bytes = format::large_file(id, payload);
    folder.write_whole(&folder.large_part(writer.token()), &folder.large(id.digest), &bytes)?;
    store.append(state, Kind::Large, id, &(bytes.len() as u64).to_le_bytes())
}

/// Reads the file of an entry whose record was found. A damaged file is removed.
pub(crate) fn read(store: &DiskStore, state: &mut State, id: &Checksum) -> Result<Found, StoreError> {
    let path = store.folder.large(id.digest);
    let Some(file) = store.folder.open(&path)? else { return Ok(Found::Missing(MissReason::Absent)) };
    let failed = |error| StoreError::reading(&path, error);
    let length = file.length().map_err(failed)?;
    let mut bytes = vec![0; usize::try_from(length.min(MAX_FILE + 1)).unwrap_or(usize::MAX)];
    let read = file.read_at(&mut bytes, 0).map_err(failed)?;
    bytes.truncate(read);
    Ok(match format::parse_large_file(&bytes) {
        Header::Ours(found) if found == *id => {
            bytes.truncate(bytes.len() - CHECKSUM);
            bytes.drain(..LARGE_HEADER);
            Found::Hit(bytes)
        }
        // Another question with the same digest was put at the same time.
        Header::Ours(_) => Found::Missing(MissReason::Unconfirmed),
        Header::Foreign => Found::Missing(MissReason::ForeignVersion),
        Header::Damaged => {
            state.counters.damaged += 1;
            let _ = store.folder.remove(&path);
            Found::Missing(MissReason::Damaged)
        }
    })
}
