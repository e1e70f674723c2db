//! How much a folder holds, what, and whether it is whole.

use std::collections::BTreeMap;
use std::io;

use super::catalog::Contents;
use super::format::{self, Kind, LIVE, PACK_HEADER, STRUCK};
use super::scan::scan;
use super::{DiskStore, State, digest_of_large, is_written, large};
use crate::digest::Digest;
use crate::key::Checksum;
use crate::stats::MissReason;
use crate::store::{Found, StoreError, Usage, Verified};

/// Entries, bytes and files.
pub(crate) fn usage(store: &DiskStore, state: &State) -> Result<Usage, StoreError> {
    let folder = &store.folder;
    let mut usage = Usage { entries: state.catalog.entries(), ..Usage::default() };
    for path in [folder.packs(), folder.large_folder()] {
        for name in folder.list(&path)? {
            match folder.storage.metadata(&path.join(name)) {
                Ok(metadata) => {
                    usage.files += 1;
                    usage.bytes += metadata.length;
                }
                // Someone removed it in the meantime.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(StoreError::reading(&path, error)),
            }
        }
    }
    usage.foreign_files = foreign_packs(state);
    Ok(usage)
}

fn foreign_packs(state: &State) -> u64 {
    let foreign = state.catalog.packs().values().filter(|pack| matches!(pack, Contents::Foreign));
    foreign.count() as u64
}

/// The ids of all live entries, sorted.
pub(crate) fn ids(store: &DiskStore, state: &mut State) -> Result<Vec<Checksum>, StoreError> {
    let tokens: Vec<u64> = state.catalog.packs().keys().copied().collect();
    // An id has many records where it was put again or removed; the newest counts.
    let mut newest: BTreeMap<Digest, (u64, Option<Checksum>)> = BTreeMap::new();
    for token in tokens {
        for (digest, place) in state.catalog.places(&store.folder, token)? {
            let Some(bytes) = store.read(state, &place)? else { continue };
            let record = format::parse_record(&bytes).map(|(record, _)| record);
            let Some(record) = record.filter(|record| record.id.digest == digest && record.state == LIVE)
            else {
                continue;
            };
            let id = matches!(record.kind, Kind::Inline | Kind::Large).then_some(record.id);
            match newest.get(&digest) {
                Some((sequence, _)) if *sequence > place.sequence => {}
                _ => {
                    newest.insert(digest, (place.sequence, id));
                }
            }
        }
    }
    let mut ids: Vec<Checksum> = newest.into_values().filter_map(|(_, id)| id).collect();
    ids.sort_unstable();
    Ok(ids)
}

/// Reads and checks every record, index and large file. Damaged large files are removed.
pub(crate) fn verify(store: &DiskStore, state: &mut State) -> Result<Verified, StoreError> {
    let folder = &store.folder;
    let mut verified = Verified { foreign_files: foreign_packs(state), ..Verified::default() };
    let tokens: Vec<u64> = state.catalog.packs().keys().copied().collect();
    let mut larges = Vec::new();
    for token in tokens {
        // In an order that visits the indexes, too; one that is damaged is set aside here.
        let places = state.catalog.places(folder, token)?;
        verified.damaged += state.catalog.take_damaged();
        let (Some(pack), Some(file)) = (state.catalog.pack(token), state.catalog.file(folder, token)?) else {
            continue;
        };
        let failed = |error| StoreError::reading(&folder.pack(token), error);
        match pack {
            Contents::Foreign => continue,
            Contents::Damaged => {
                verified.damaged += 1;
                continue;
            }
            Contents::Sealed(_) => {
                let mut header = [0; PACK_HEADER];
                let read = file.read_at(&mut header, 0).map_err(failed)?;
                let whole = format::parse_pack_header(&header[..read]) == format::Header::Ours(token);
                verified.damaged += u64::from(!whole);
            }
            Contents::Open { .. } => {
                let (_, clean) = scan(file.as_ref(), PACK_HEADER as u64, |_, _| {}).map_err(failed)?;
                // What is behind the last whole record may be one that is being appended.
                verified.damaged += u64::from(!clean && !is_written(folder, token));
            }
        }
        for (digest, place) in places {
            let Some(bytes) = store.read(state, &place)? else { continue };
            match format::parse_record(&bytes) {
                Some((record, _)) if record.id.digest == digest && record.sequence == place.sequence => {
                    match (record.state, record.kind) {
                        (LIVE, Kind::Inline) => verified.whole += 1,
                        (LIVE, Kind::Large) => larges.push(record.id),
                        _ => {}
                    }
                }
                // Struck out because it was damaged: that was counted when it was met.
                _ if bytes.first() == Some(&STRUCK) => {}
                _ => verified.damaged += 1,
            }
        }
    }
    larges.sort_unstable();
    larges.dedup();
    for id in larges {
        match large::read(store, state, &id)? {
            Found::Hit(_) => verified.whole += 1,
            Found::Missing(MissReason::Damaged) => verified.damaged += 1,
            Found::Missing(MissReason::ForeignVersion) => verified.foreign_files += 1,
            // Room was made, or another question's answer took its place.
            Found::Missing(_) => {}
        }
    }
    for name in folder.list(&folder.large_folder())? {
        verified.foreign_files += u64::from(digest_of_large(&name).is_none() && !name.ends_with(".part"));
    }
    Ok(verified)
}
