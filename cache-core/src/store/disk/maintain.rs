//! Keeping the folder small and quick: indexes, merges, trimming, cleaning.
//!
//! One process at a time, under the advisory lock of the file `maintenance`, which is only tried. Packs
//! that are still written are left alone. Everything new is complete under its name before anything old
//! is removed, and copies keep their sequence numbers, so a crash at any point leaves every entry that was
//! to stay, at worst twice. Readers that have a removed pack open keep reading it.
//!
//! - *Indexes*: every pack whose writer has ended and that is worth one.
//! - *Merges* (`merge`): packs of one size of which there are many.
//! - *Trimming* (`trim`): once the folder has outgrown its bound.
//!
//! Without a reason to merge or trim the cost is a listing and the sizes of the files.

mod merge;
mod trim;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::SystemTime;

pub(crate) use self::merge::merge_some;
use self::merge::{crowded, merge};
use self::trim::{Situation, trim};
use super::catalog::{Catalog, Contents, Place};
use super::folder::{Folder, Name};
use super::format::{self, IndexEntry};
use super::{DiskStore, State, digest_of_large, index, is_written, lease};
use crate::digest::Digest;
use crate::store::StoreError;
use crate::store::storage::{Access, StoredFile};

/// Packs without an index of at least this many bytes get one.
const INDEX_FROM: u64 = super::INDEX_FROM;

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

/// What an index says of a record.
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

/// Removes a pack and its index, in this order: an index without its pack is swept up.
fn remove_pack(folder: &Folder, catalog: &mut Catalog, token: u64) -> Result<(), StoreError> {
    folder.remove(&folder.pack(token))?;
    folder.remove(&folder.index(token))?;
    catalog.forget(token);
    Ok(())
}
