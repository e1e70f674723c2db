//! Keeping the folder small and quick: indexes, merges, trimming, cleaning.
//!
//! One process at a time, under the advisory lock of the file `maintenance`, which is only tried. Packs
//! that are still written are left alone. Everything new is complete under its name before anything old
//! is removed, and copies keep their sequence numbers, so a crash at any point leaves every entry that was
//! to stay, at worst twice. Readers that have a removed pack open keep reading it.
//!
//! - *Indexes*: every pack whose writer has ended and that is worth one.
//! - *Merges*: packs are sorted into tiers by size, each four times the one below. A tier of eight packs
//!   is merged with those below; so there are never many, and an entry is copied once per tier.
//! - *Trimming*: once the folder has outgrown its bound. Packs without survivors are removed first, which
//!   needs no room; survivors in packs with losses are copied.
//!
//! Without a reason to merge or trim the cost is a listing and the sizes of the files.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use rustc_hash::{FxHashMap, FxHashSet};

use super::catalog::{Catalog, Contents, Place};
use super::folder::{Folder, Name, large_name};
use super::format::{self, IndexEntry, Kind, LIVE};
use super::{DiskStore, State, digest_of_large, index, is_written, lease};
use crate::digest::{Confirm, Digest};
use crate::key::Checksum;
use crate::store::storage::{Access, StoredFile};
use crate::store::{StoreError, trimmed_size};

/// Packs without an index of at least this many bytes get one.
const INDEX_FROM: u64 = super::INDEX_FROM;
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

/// Maintains the folder, unless another process is at it.
pub(crate) fn maintain(store: &DiskStore, state: &mut State) -> Result<(), StoreError> {
    let folder = &store.folder;
    let Some(lock) = take_lock(folder)? else { return Ok(()) };
    // What this run wrote is maintained as well.
    if let Err(error) = store.end_pack(state) {
        state.troubles.push(error);
    }
    // Large files are listed before packs: who wrote one that is seen here has a pack that is seen below.
    let large = sizes(folder, &folder.large_folder())?;
    store.refresh(state)?;
    let tokens: Vec<u64> = state.catalog.packs().keys().copied().collect();
    let (mut ended, mut written) = (Vec::new(), Vec::new());
    for token in tokens {
        let sealed = matches!(state.catalog.pack(token), Some(Contents::Sealed(_)));
        match sealed || !is_written(folder, token) {
            true => ended.push(token),
            false => written.push(token),
        }
    }
    // A writer may have appended until it ended, which was after the last look: only what is known is copied.
    store.refresh(state)?;
    sweep(folder, &mut state.catalog, &mut ended)?;
    lease::sweep(folder)?;

    let bytes = |files: &BTreeMap<String, FileSize>| files.values().map(|file| file.bytes).sum::<u64>();
    let packs = sizes(folder, &folder.packs())?;
    let mut total = bytes(&packs) + bytes(&large);
    if let Some(bound) = store.options.bound.filter(|bound| total > *bound) {
        trim(store, state, &Situation { ended: &ended, written: &written, large: &large, total, bound })?;
        total = bytes(&sizes(folder, &folder.packs())?) + bytes(&sizes(folder, &folder.large_folder())?);
    } else {
        let chosen = crowded(&state.catalog, &ended, folder)?;
        if !chosen.is_empty() {
            merge(store, &mut state.catalog, &chosen, |_| true)?;
        }
        for token in ended.iter().filter(|token| !chosen.contains(token)) {
            if matches!(state.catalog.pack(*token), Some(Contents::Open { .. }))
                && length_of(folder, *token)? >= INDEX_FROM
            {
                write_index(folder, &mut state.catalog, *token)?;
                state.catalog.forget(*token);
            }
        }
    }
    store.refresh(state)?;
    state.counters.damaged += state.catalog.take_damaged();
    lock.write_at(&format::usage_file(total), 0)
        .map_err(|error| StoreError::writing(&folder.maintenance(), error))
}

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

/// The length of a pack in bytes.
fn length_of(folder: &Folder, token: u64) -> Result<u64, StoreError> {
    let path = folder.pack(token);
    match folder.storage.metadata(&path) {
        Ok(metadata) => Ok(metadata.length),
        Err(error) => Err(StoreError::reading(&path, error)),
    }
}

/// Removes everything that is ours. Entries that others write at this moment are lost with it.
pub(crate) fn clean(store: &DiskStore, state: &mut State) -> Result<(), StoreError> {
    let folder = &store.folder;
    let Some(lock) = take_lock(folder)? else {
        return Err(StoreError::Busy { path: folder.path().to_owned() });
    };
    state.writer = None;
    state.catalog.forget_all();
    for (name, _) in folder.list_packs()? {
        folder.remove(&folder.packs().join(name))?;
    }
    for name in folder.list(&folder.large_folder())? {
        if digest_of_large(&name).is_some() || name.ends_with(".part") {
            folder.remove(&folder.large_folder().join(name))?;
        }
    }
    lease::sweep(folder)?;
    lock.write_at(&format::usage_file(0), 0)
        .map_err(|error| StoreError::writing(&folder.maintenance(), error))
}

/// Bytes that were in the folder when it was last maintained; 0 where that is not known.
pub(crate) fn last_usage(folder: &Folder) -> u64 {
    let read = || -> io::Result<u64> {
        let mut bytes = [0; format::USAGE_FILE];
        let read = folder.storage.open(&folder.maintenance(), Access::Read)?.read_at(&mut bytes, 0)?;
        Ok(format::parse_usage_file(&bytes[..read]).unwrap_or(0))
    };
    read().unwrap_or(0)
}

/// Writes the index of a pack to which nothing is appended any more.
pub(crate) fn write_index(folder: &Folder, catalog: &mut Catalog, token: u64) -> Result<(), StoreError> {
    let places = catalog.places(folder, token)?;
    if catalog.pack(token).is_none() {
        return Ok(());
    }
    let length = length_of(folder, token)?;
    let entries = places.iter().map(|(digest, place)| entry(*digest, place)).collect();
    folder.write_index(token, &index::build(token, length, entries))
}

fn entry(digest: Digest, place: &Place) -> IndexEntry {
    let Place { pack: _, offset, length, sequence, kind } = *place;
    IndexEntry { digest, sequence, offset, length, kind }
}

/// The lock, or nothing where another process has it.
fn take_lock(folder: &Folder) -> Result<Option<Box<dyn StoredFile>>, StoreError> {
    let path = folder.maintenance();
    let take = || {
        let file = folder.storage.open(&path, Access::Create)?;
        Ok(file.try_lock()?.then_some(file))
    };
    take().map_err(|error| StoreError::writing(&path, error))
}

/// A file's size and age.
struct FileSize {
    bytes: u64,
    modified: SystemTime,
}

/// The files in a folder by name.
fn sizes(folder: &Folder, path: &Path) -> Result<BTreeMap<String, FileSize>, StoreError> {
    let mut sizes = BTreeMap::new();
    for name in folder.list(path)? {
        // Gone in the meantime, or not to be read: then it does not count.
        if let Ok(metadata) = folder.storage.metadata(&path.join(&name)) {
            sizes.insert(name, FileSize { bytes: metadata.length, modified: metadata.modified });
        }
    }
    Ok(sizes)
}

/// Removes what crashes left: files that were written aside, indexes without a pack, packs of which
/// nothing can be read.
fn sweep(folder: &Folder, catalog: &mut Catalog, ended: &mut Vec<u64>) -> Result<(), StoreError> {
    let names = folder.list_packs()?;
    for (name, meaning) in &names {
        let path = folder.packs().join(name);
        let left = match meaning {
            // A pack that is being begun is locked; an index is written by a process that still has its
            // pack locked, or by maintenance.
            Name::Part => match Folder::part_token(name) {
                Some(token) if folder.storage.metadata(&folder.pack(token)).is_ok() => {
                    !is_written(folder, token)
                }
                _ => folder.open(&path)?.is_some_and(|file| file.try_lock().unwrap_or(false)),
            },
            Name::Index(token) => !names.iter().any(|(_, other)| *other == Name::Pack(*token)),
            Name::Pack(_) => false,
        };
        if left {
            folder.remove(&path)?;
        }
    }
    for token in ended.clone() {
        if matches!(catalog.pack(token), Some(Contents::Damaged)) {
            folder.remove(&folder.pack(token))?;
            catalog.forget(token);
        }
    }
    ended.retain(|token| catalog.pack(*token).is_some_and(|pack| !matches!(pack, Contents::Foreign)));
    for name in folder.list(&folder.large_folder())? {
        if let Some(token) = name.ends_with(".part").then(|| Folder::part_token(&name)).flatten()
            && !is_written(folder, token)
        {
            folder.remove(&folder.large_folder().join(name))?;
        }
    }
    Ok(())
}

/// The packs that are to be merged because there are many of their size.
fn crowded(catalog: &Catalog, ended: &[u64], folder: &Folder) -> Result<BTreeSet<u64>, StoreError> {
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

/// What trimming finds.
struct Situation<'a> {
    ended: &'a [u64],
    written: &'a [u64],
    large: &'a BTreeMap<String, FileSize>,
    total: u64,
    bound: u64,
}

/// An entry that may have to go.
struct Candidate {
    digest: Digest,
    place: Place,
    /// Bytes that go with it.
    bytes: u64,
}

/// Brings the folder down to 70 % of its bound, as far as packs that are still written allow.
fn trim(store: &DiskStore, state: &mut State, situation: &Situation<'_>) -> Result<(), StoreError> {
    let Situation { ended, written, large, total, bound } = *situation;
    let folder = &store.folder;
    let catalog = &mut state.catalog;
    let goal = trimmed_size(bound);
    let foreign = trim_foreign(folder, catalog, large, total.saturating_sub(goal))?;
    let mut room = goal.saturating_sub(foreign);
    for token in written {
        let length = folder.storage.metadata(&folder.pack(*token)).map_or(0, |metadata| metadata.length);
        room = room.saturating_sub(length);
    }

    let mut newest: FxHashMap<Digest, Place> = FxHashMap::default();
    let mut all: Vec<(Digest, Place)> = Vec::new();
    let mut fixed: FxHashSet<Digest> = FxHashSet::default();
    for token in ended.iter().chain(written) {
        for (digest, place) in catalog.places(folder, *token)? {
            if written.contains(token) {
                fixed.insert(digest);
            } else {
                all.push((digest, place));
            }
            let best = newest.entry(digest).or_insert(place);
            if best.sequence < place.sequence {
                *best = place;
            }
        }
    }
    // A file whose record is still to come belongs to a pack that is written.
    if written.is_empty() {
        for name in large.keys() {
            let referenced = |digest| newest.get(&digest).is_some_and(|place| place.kind == Kind::Large);
            if digest_of_large(name).is_some_and(|digest| !referenced(digest)) {
                folder.remove(&folder.large_folder().join(name))?;
            }
        }
    }

    let mut candidates: Vec<Candidate> = Vec::new();
    for (digest, place) in &all {
        // Superseded records go in any case; what has an older record in a pack that is written has to
        // stay, since it hides that record.
        let bytes = room_for(place) + large_bytes(large, *digest, place);
        match newest.get(digest) == Some(place) {
            true if fixed.contains(digest) => room = room.saturating_sub(bytes),
            true => candidates.push(Candidate { digest: *digest, place: *place, bytes }),
            false => {}
        }
    }
    candidates.sort_unstable_by_key(|candidate| Reverse((candidate.place.sequence, candidate.digest)));
    let mut dropped: FxHashSet<Digest> = FxHashSet::default();
    for candidate in &candidates {
        if candidate.bytes <= room {
            room -= candidate.bytes;
        } else {
            dropped.insert(candidate.digest);
        }
    }

    // Packs that lose everything need no room to go, so they go first; those that lose something are
    // copied; the others are not touched.
    let (mut losing, mut keeping) = (BTreeSet::new(), BTreeSet::new());
    for (digest, place) in &all {
        let stays = newest.get(digest) == Some(place) && !dropped.contains(digest);
        if stays {
            keeping.insert(place.pack)
        } else {
            losing.insert(place.pack)
        };
    }
    for token in losing.difference(&keeping) {
        remove_pack(folder, catalog, *token)?;
    }
    let mixed = losing.intersection(&keeping).copied().collect();
    merge(store, catalog, &mixed, |digest| !dropped.contains(&digest))?;
    for Candidate { digest, place, .. } in candidates {
        if dropped.contains(&digest) && place.kind != Kind::Tombstone {
            state.counters.evicted += 1;
            if place.kind == Kind::Large {
                folder.remove(&folder.large(digest))?;
            }
        }
    }
    Ok(())
}

/// Bytes that a record takes, its part of an index included.
fn room_for(place: &Place) -> u64 {
    // Slots: at most two for 16 entries.
    place.size() + (format::INDEX_ENTRY + 2 * format::SLOT / 16) as u64
}

/// Bytes of the file that a record refers to.
fn large_bytes(large: &BTreeMap<String, FileSize>, digest: Digest, place: &Place) -> u64 {
    let file = (place.kind == Kind::Large).then(|| large.get(&large_name(digest))).flatten();
    file.map_or(0, |file| file.bytes)
}

/// Removes files of other versions, the oldest first, until so much is freed; returns the bytes of those
/// that stay.
fn trim_foreign(
    folder: &Folder,
    catalog: &mut Catalog,
    large: &BTreeMap<String, FileSize>,
    excess: u64,
) -> Result<u64, StoreError> {
    let foreign = catalog.packs().iter().filter(|(_, pack)| matches!(pack, Contents::Foreign));
    let tokens: Vec<u64> = foreign.map(|(token, _)| *token).collect();
    let mut files = Vec::new();
    for token in tokens {
        if let Ok(metadata) = folder.storage.metadata(&folder.pack(token))
            && !is_written(folder, token)
        {
            files.push((metadata.modified, folder.pack(token), metadata.length, Some(token)));
        }
    }
    // Names that this version would not give.
    for (name, file) in large {
        if digest_of_large(name).is_none() && !name.ends_with(".part") {
            files.push((file.modified, folder.large_folder().join(name), file.bytes, None));
        }
    }
    files.sort_unstable();
    let (mut freed, mut stay) = (0, 0);
    for (_, path, bytes, token) in files {
        if freed >= excess {
            stay += bytes;
            continue;
        }
        folder.remove(&path)?;
        freed += bytes;
        if let Some(token) = token {
            folder.remove(&folder.index(token))?;
            catalog.forget(token);
        }
    }
    Ok(stay)
}

/// Copies what is to stay of the chosen packs into new ones and removes the chosen.
///
/// `stays` is asked for records that are the newest of their digest; the others are left behind.
fn merge(
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

/// Removes a pack and its index, in this order: an index without its pack is swept up.
fn remove_pack(folder: &Folder, catalog: &mut Catalog, token: u64) -> Result<(), StoreError> {
    folder.remove(&folder.pack(token))?;
    folder.remove(&folder.index(token))?;
    catalog.forget(token);
    Ok(())
}

/// New packs with their indexes.
struct Output<'a> {
    folder: &'a Folder,
    /// Length at which a pack is ended.
    pack_bytes: u64,
    pack: Option<OutputPack>,
}

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
    fn write(&mut self, folder: &Folder) -> Result<(), StoreError> {
        self.file
            .write_at(&self.stretch, self.written)
            .map_err(|error| StoreError::writing(&folder.pack_part(self.token), error))?;
        self.written += self.stretch.len() as u64;
        self.stretch.clear();
        Ok(())
    }
}
