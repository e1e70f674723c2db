//! Merging: many packs become few.
//!
//! Packs are sorted into tiers by size, each four times the one below. A tier of eight packs is merged with those
//! below; so there are never many, and an entry is copied once per tier. Nothing is removed before all that is to stay
//! of it lies, with its sequence number, in packs that have their names.

use std::collections::{BTreeMap, BTreeSet};

use super::{INDEX_FROM, entry, length_of, remove_pack, take_lock};
use crate::digest::{Confirm, Digest};
use crate::key::Checksum;
use crate::store::StoreError;
use crate::store::disk::catalog::{Catalog, Contents, Place};
use crate::store::disk::folder::Folder;
use crate::store::disk::format::{self, IndexEntry, Kind, LIVE};
use crate::store::disk::{DiskStore, State, index, is_written};
use crate::store::storage::{Access, StoredFile};

/// A tier with this many packs is merged.
const TIER: usize = 8;
/// Packs of more bytes are not merged any more.
const MERGE_TO: u64 = 64 << 20;
/// So many packs without an index are a pile.
const PILE: usize = 64;
/// So many packs of a pile are merged at once.
const AT_ONCE: usize = 256;
/// Copies are written in stretches of this many bytes.
const STRETCH: usize = 1 << 20;

/// Merges packs that ended without an index where they have piled up: runs that end without maintenance leave one
/// each. Done before this process begins a pack; bounded by [`AT_ONCE`] packs of at most [`INDEX_FROM`] bytes.
pub(crate) fn merge_some(store: &DiskStore, state: &mut State) -> Result<(), StoreError> {
    let folder = &store.folder;
    let piled_up = |catalog: &Catalog| {
        let open = catalog.packs().iter().filter(|(_, pack)| matches!(pack, Contents::Open { .. }));
        open.map(|(token, _)| *token).collect::<Vec<u64>>()
    };
    if piled_up(&state.catalog).len() < PILE {
        return Ok(());
    }
    let Some(_lock) = take_lock(folder)? else { return Ok(()) };
    let mut chosen = BTreeSet::new();
    for token in piled_up(&state.catalog) {
        if chosen.len() == AT_ONCE {
            break;
        }
        // Gone in the meantime, or to be indexed as it is: then it is none of those.
        let short = length_of(folder, token).is_ok_and(|length| length < INDEX_FROM);
        if short && !is_written(folder, token) {
            chosen.insert(token);
        }
    }
    // A writer may have appended until it ended, which was after the last look.
    store.refresh(state)?;
    merge(store, &mut state.catalog, &chosen, |_| true)?;
    store.refresh(state).map(drop)
}

/// The packs that are to be merged because there are many of their size.
pub(super) fn crowded(
    catalog: &Catalog,
    ended: &[u64],
    folder: &Folder,
) -> Result<BTreeSet<u64>, StoreError> {
    let mut tiers: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for token in ended {
        if catalog.pack(*token).is_none() {
            continue;
        }
        let length = length_of(folder, *token)?;
        if length <= MERGE_TO / 2 {
            tiers
                .entry((length / INDEX_FROM).checked_ilog(4).map_or(0, |tier| tier + 1))
                .or_default()
                .push(*token);
        }
    }
    let highest = tiers.iter().rev().find(|(_, packs)| packs.len() >= TIER).map(|(tier, _)| *tier);
    Ok(highest.map_or_else(BTreeSet::new, |highest| {
        tiers.range(..=highest).flat_map(|(_, packs)| packs.clone()).collect()
    }))
}

/// Copies what is to stay of the chosen packs into new ones and removes the chosen.
///
/// `stays` is asked for records that are the newest of their digest; the others are left behind.
pub(super) fn merge(
    store: &DiskStore,
    catalog: &mut Catalog,
    chosen: &BTreeSet<u64>,
    stays: impl Fn(Digest) -> bool,
) -> Result<(), StoreError> {
    let folder = &store.folder;
    let mut output = Output::new(folder, store.options.pack_bytes.min(MERGE_TO));
    let copied = copy(folder, catalog, chosen, stays, &mut output).and_then(|()| output.end_pack());
    if let Err(error) = copied {
        output.abandon();
        return Err(error);
    }
    chosen.iter().try_for_each(|token| remove_pack(folder, catalog, *token))
}

/// Copies what is to stay, in the order in which it lies.
fn copy(
    folder: &Folder,
    catalog: &mut Catalog,
    chosen: &BTreeSet<u64>,
    stays: impl Fn(Digest) -> bool,
    output: &mut Output<'_>,
) -> Result<(), StoreError> {
    for token in chosen {
        let mut places = catalog.places(folder, *token)?;
        places.sort_unstable_by_key(|(_, place)| place.offset);
        for (digest, place) in places {
            if catalog.find(folder, digest)? != Some(place) || !stays(digest) {
                continue;
            }
            let bytes = match place.kind {
                Kind::Tombstone => None,
                Kind::Inline | Kind::Large => live_bytes(folder, catalog, digest, &place)?,
            };
            match bytes {
                Some(bytes) => output.push(digest, &place, &bytes)?,
                // What was removed, struck out or is damaged still hides older records in other packs.
                None => {
                    let places = catalog.find_all(folder, digest)?;
                    if places.iter().any(|older| !chosen.contains(&older.pack)) {
                        let id = Checksum { digest, confirm: Confirm::from_bytes([0; 32]) };
                        let bytes = format::record(Kind::Tombstone, place.sequence, &id, &[]);
                        output.push(digest, &Place { kind: Kind::Tombstone, length: 0, ..place }, &bytes)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// The bytes of a whole record that counts.
fn live_bytes(
    folder: &Folder,
    catalog: &Catalog,
    digest: Digest,
    place: &Place,
) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(file) = catalog.file(folder, place.pack)? else { return Ok(None) };
    let mut bytes = vec![0; usize::try_from(place.size()).unwrap_or(usize::MAX)];
    let read = file
        .read_at(&mut bytes, place.offset)
        .map_err(|error| StoreError::reading(&folder.pack(place.pack), error))?;
    bytes.truncate(read);
    let live = format::parse_record(&bytes).is_some_and(|(record, _)| {
        record.state == LIVE && record.id.digest == digest && record.sequence == place.sequence
    });
    Ok(live.then_some(bytes))
}

/// New packs with their indexes.
struct Output<'a> {
    folder: &'a Folder,
    /// Length at which a pack is ended.
    pack_bytes: u64,
    pack: Option<OutputPack>,
}

/// The one that is being written.
struct OutputPack {
    token: u64,
    file: Box<dyn StoredFile>,
    /// Bytes in the file.
    written: u64,
    /// Bytes to come.
    stretch: Vec<u8>,
    entries: Vec<IndexEntry>,
}

impl<'a> Output<'a> {
    fn new(folder: &'a Folder, pack_bytes: u64) -> Self {
        Self { folder, pack_bytes, pack: None }
    }

    /// Appends a whole record.
    fn push(&mut self, digest: Digest, place: &Place, bytes: &[u8]) -> Result<(), StoreError> {
        let pack = match &mut self.pack {
            Some(pack) => pack,
            None => {
                let token = self.folder.storage.token();
                let path = self.folder.pack_part(token);
                let file = self
                    .folder
                    .storage
                    .open(&path, Access::CreateNew)
                    .map_err(|error| StoreError::writing(&path, error))?;
                let stretch = format::pack_header(token);
                self.pack.insert(OutputPack { token, file, written: 0, stretch, entries: Vec::new() })
            }
        };
        let offset = pack.written + pack.stretch.len() as u64;
        pack.entries.push(entry(digest, &Place { offset, ..*place }));
        pack.stretch.extend_from_slice(bytes);
        if pack.stretch.len() >= STRETCH {
            pack.write(self.folder)?;
        }
        if pack.written >= self.pack_bytes {
            self.end_pack()?;
        }
        Ok(())
    }

    /// Gives the pack its name, after its index has its own.
    fn end_pack(&mut self) -> Result<(), StoreError> {
        let Some(pack) = &mut self.pack else { return Ok(()) };
        pack.write(self.folder)?;
        let bytes = index::build(pack.token, pack.written, std::mem::take(&mut pack.entries));
        self.folder.write_index(pack.token, &bytes)?;
        let path = self.folder.pack(pack.token);
        self.folder
            .storage
            .rename(&self.folder.pack_part(pack.token), &path)
            .map_err(|error| StoreError::writing(&path, error))?;
        self.pack = None;
        Ok(())
    }

    /// Removes what was not ended.
    fn abandon(&mut self) {
        if let Some(pack) = self.pack.take() {
            let _ = self.folder.remove(&self.folder.pack_part(pack.token));
            let _ = self.folder.remove(&self.folder.index(pack.token));
        }
    }
}

impl OutputPack {
    /// Writes the bytes to come.
    fn write(&mut self, folder: &Folder) -> Result<(), StoreError> {
        self.file
            .write_at(&self.stretch, self.written)
            .map_err(|error| StoreError::writing(&folder.pack_part(self.token), error))?;
        self.written += self.stretch.len() as u64;
        self.stretch.clear();
        Ok(())
    }
}
