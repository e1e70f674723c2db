//! Trimming: a folder that has outgrown its bound is brought down to 70 % of it.
//!
//! The newest entries stay. Packs of which nothing stays are removed first, which needs no room; what stays of packs
//! with losses is copied; the others are not touched. Files of other versions go before anything of this one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::merge::merge;
use super::{FileSize, remove_pack};
use crate::digest::Digest;
use crate::store::disk::catalog::{Catalog, Contents, Place};
use crate::store::disk::folder::{Folder, large_name};
use crate::store::disk::format::{self, Kind};
use crate::store::disk::{DiskStore, State, digest_of_large, is_written};
use crate::store::{StoreError, trimmed_size};

/// What trimming finds.
pub(super) struct Situation<'a> {
    /// Packs to which nothing is appended any more.
    pub(super) ended: &'a [u64],
    /// Packs that are still written.
    pub(super) written: &'a [u64],
    /// Files of large entries by name.
    pub(super) large: &'a BTreeMap<String, FileSize>,
    /// Bytes in the folder.
    pub(super) total: u64,
    /// Bytes that it may hold.
    pub(super) bound: u64,
}

/// What the packs hold.
#[derive(Default)]
struct Held {
    /// Records in packs that have ended.
    all: Vec<(Digest, Place)>,
    /// The newest record of each digest, wherever it is.
    newest: FxHashMap<Digest, Place>,
    /// Digests with a record in a pack that is written.
    fixed: FxHashSet<Digest>,
}

/// An entry that may have to go.
struct Candidate {
    digest: Digest,
    place: Place,
    /// Bytes that go with it.
    bytes: u64,
}

/// Brings the folder down to 70 % of its bound, as far as packs that are still written allow.
pub(super) fn trim(
    store: &DiskStore,
    state: &mut State,
    situation: &Situation<'_>,
) -> Result<(), StoreError> {
    let Situation { ended: _, written, large, total, bound } = *situation;
    let folder = &store.folder;
    let catalog = &mut state.catalog;
    let goal = trimmed_size(bound);
    trim_foreign(folder, catalog, large, total.saturating_sub(goal))?;
    // Where some of those stay all of ours fits beside them.
    let mut room = goal;
    for token in written {
        let length = folder.storage.metadata(&folder.pack(*token)).map_or(0, |metadata| metadata.length);
        room = room.saturating_sub(length);
    }

    let held = Held::of(folder, catalog, situation)?;
    // A file whose record is still to come belongs to a pack that is written.
    if written.is_empty() {
        held.remove_unreferenced(folder, large)?;
    }
    let (candidates, room) = held.candidates(large, room);
    let dropped = beyond(&candidates, room);
    held.rewrite(store, catalog, &dropped)?;
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

impl Held {
    fn of(folder: &Folder, catalog: &mut Catalog, situation: &Situation<'_>) -> Result<Self, StoreError> {
        let mut held = Self::default();
        for token in situation.ended.iter().chain(situation.written) {
            for (digest, place) in catalog.places(folder, *token)? {
                if situation.written.contains(token) {
                    held.fixed.insert(digest);
                } else {
                    held.all.push((digest, place));
                }
                let best = held.newest.entry(digest).or_insert(place);
                if best.sequence < place.sequence {
                    *best = place;
                }
            }
        }
        Ok(held)
    }

    /// Removes files of large entries that no record speaks of.
    fn remove_unreferenced(
        &self,
        folder: &Folder,
        large: &BTreeMap<String, FileSize>,
    ) -> Result<(), StoreError> {
        let referenced = |digest| self.newest.get(&digest).is_some_and(|place| place.kind == Kind::Large);
        for name in large.keys() {
            if digest_of_large(name).is_some_and(|digest| !referenced(digest)) {
                folder.remove(&folder.large_folder().join(name))?;
            }
        }
        Ok(())
    }

    /// The entries that may go, the newest first, and the room that is left for them.
    fn candidates(&self, large: &BTreeMap<String, FileSize>, mut room: u64) -> (Vec<Candidate>, u64) {
        let mut candidates: Vec<Candidate> = Vec::new();
        for (digest, place) in &self.all {
            // Superseded records go in any case; what has an older record in a pack that is written has to
            // stay, since it hides that record.
            let bytes = room_for(place) + large_bytes(large, *digest, place);
            match self.newest.get(digest) == Some(place) {
                true if self.fixed.contains(digest) => room = room.saturating_sub(bytes),
                true => candidates.push(Candidate { digest: *digest, place: *place, bytes }),
                false => {}
            }
        }
        candidates.sort_unstable_by_key(|candidate| Reverse((candidate.place.sequence, candidate.digest)));
        (candidates, room)
    }

    /// Removes packs of which nothing stays, and copies what stays of those that lose something.
    fn rewrite(
        &self,
        store: &DiskStore,
        catalog: &mut Catalog,
        dropped: &FxHashSet<Digest>,
    ) -> Result<(), StoreError> {
        let (mut losing, mut keeping) = (BTreeSet::new(), BTreeSet::new());
        for (digest, place) in &self.all {
            let stays = self.newest.get(digest) == Some(place) && !dropped.contains(digest);
            if stays {
                keeping.insert(place.pack)
            } else {
                losing.insert(place.pack)
            };
        }
        for token in losing.difference(&keeping) {
            remove_pack(&store.folder, catalog, *token)?;
        }
        let mixed = losing.intersection(&keeping).copied().collect();
        merge(store, catalog, &mixed, |digest| !dropped.contains(&digest))
    }
}

/// What does not fit into the room, taken in order.
fn beyond(candidates: &[Candidate], mut room: u64) -> FxHashSet<Digest> {
    let mut dropped = FxHashSet::default();
    for candidate in candidates {
        if candidate.bytes <= room {
            room -= candidate.bytes;
        } else {
            dropped.insert(candidate.digest);
        }
    }
    dropped
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

/// Removes files of other versions, the oldest first, until so much is freed.
fn trim_foreign(
    folder: &Folder,
    catalog: &mut Catalog,
    large: &BTreeMap<String, FileSize>,
    excess: u64,
) -> Result<(), StoreError> {
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
    let mut freed = 0;
    for (_, path, bytes, token) in files {
        if freed >= excess {
            break;
        }
        folder.remove(&path)?;
        freed += bytes;
        if let Some(token) = token {
            folder.remove(&folder.index(token))?;
            catalog.forget(token);
        }
    }
    Ok(())
}
