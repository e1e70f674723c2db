//! What a store knows of the packs in its folder: which there are, and where the newest record of a
//! digest is.
//!
//! What is known is of bounded size for each pack; the files themselves are open only while they are read
//! ([`super::handles`]).
//!
//! Packs with an index are searched in place ([`super::index`]); the records of the others, which are
//! small or still written, are kept in one map. The newest record is the one with the highest sequence
//! number; a sequence number is one more than the highest its writer had seen (Lamport's clock), so what
//! is put by someone who saw an entry replaces it, and of what is put at the same time either stays.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashMap;

use super::folder::{Folder, Name};
use super::format::{self, Header, IndexEntry, Kind, PACK_HEADER, Record, SEQUENCE_END};
use super::handles::{Handles, Part};
use super::index::{Index, Lookup};
use super::scan::scan;
use crate::digest::Digest;
use crate::store::StoreError;
use crate::store::storage::StoredFile;

/// A folder whose modification time is older than this cannot change without changing it again: the
/// coarsest clocks of file systems tick every two seconds.
const SETTLED: Duration = Duration::from_secs(2);

/// How often a folder is listed at most while packs go. What is missed beyond that is a miss.
const LISTINGS: usize = 16;

/// What a listing of the folder showed.
struct Listing {
    /// No pack was gone, neither from the listing nor when it was to be opened.
    complete: bool,
    /// Something is not as it was.
    differs: bool,
}

/// Where a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) pack: u64,
    pub(crate) offset: u64,
    /// Length of the payload in the pack.
    pub(crate) length: u32,
    pub(crate) sequence: u64,
    pub(crate) kind: Kind,
}

impl Place {
    pub(crate) fn of(pack: u64, offset: u64, record: &Record) -> Self {
        Self { pack, offset, length: record.length, sequence: record.sequence, kind: record.kind }
    }

    fn indexed(pack: u64, entry: &IndexEntry) -> Self {
        let IndexEntry { digest: _, sequence, offset, length, kind } = *entry;
        Self { pack, offset, length, sequence, kind }
    }

    /// Length of the whole record.
    pub(crate) fn size(&self) -> u64 {
        Record::size(self.length)
    }
}

/// A pack whose index cannot be used.
enum Lost {
    /// It is damaged.
    Damaged(u64),
    /// Its file is not there any more.
    Gone(u64),
}

/// How the records of a pack are found.
pub(crate) enum Contents {
    /// Nothing is appended any more.
    Sealed(Index),
    /// Its records up to `known` are in the map; behind it there was nothing whole when the file had
    /// `length` bytes.
    Open { known: u64, length: u64 },
    /// Written in another version of the format.
    Foreign,
    /// Nothing can be read from it.
    Damaged,
}

/// What is known of all packs.
#[derive(Default)]
pub(crate) struct Catalog {
    packs: BTreeMap<u64, Contents>,
    handles: Handles,
    /// The newest records of the open packs.
    open: FxHashMap<Digest, Place>,
    /// The highest sequence number seen.
    max_sequence: u64,
    /// The folder's modification time when it was listed, where that can be trusted.
    listed: Option<SystemTime>,
    /// Damage met while reading, not yet fetched by [`Catalog::take_damaged`].
    damaged: u64,
}

impl Catalog {
    /// Looks for what other processes did since the last time; says whether anything may have changed.
    /// Costs one query of the folder and one of each open pack where nothing did. `own` is the pack that
    /// this process writes, whose records it enters itself.
    pub(crate) fn refresh(&mut self, folder: &Folder, own: Option<u64>) -> Result<bool, StoreError> {
        let mut changed = self.relist(folder)?;
        let open: Vec<u64> = self
            .packs
            .iter()
            .filter(|(token, pack)| Some(**token) != own && matches!(pack, Contents::Open { .. }))
            .map(|(token, _)| *token)
            .collect();
        for token in open {
            changed |= self.read_on(folder, token)?;
        }
        Ok(changed)
    }

    /// The highest sequence number seen.
    pub(crate) fn max_sequence(&self) -> u64 {
        self.max_sequence
    }

    /// The number for the next record.
    pub(crate) fn next_sequence(&mut self) -> u64 {
        self.max_sequence = (self.max_sequence + 1).min(SEQUENCE_END - 1);
        self.max_sequence
    }

    pub(crate) fn packs(&self) -> &BTreeMap<u64, Contents> {
        &self.packs
    }

    /// How the records of a pack are found, if it is known.
    pub(crate) fn pack(&self, token: u64) -> Option<&Contents> {
        self.packs.get(&token)
    }

    /// The file of a pack, unless the pack is not known or gone.
    pub(crate) fn file(
        &self,
        folder: &Folder,
        token: u64,
    ) -> Result<Option<Arc<dyn StoredFile>>, StoreError> {
        if !self.packs.contains_key(&token) {
            return Ok(None);
        }
        self.handles.get(folder, token, Part::Pack)
    }

    /// Damage met since the last call.
    pub(crate) fn take_damaged(&mut self) -> u64 {
        std::mem::take(&mut self.damaged)
    }

    /// How many entries there are, counting each pack's on their own.
    pub(crate) fn entries(&self) -> u64 {
        let sealed = self.packs.values().map(|pack| match pack {
            Contents::Sealed(index) => index.count(),
            _ => 0,
        });
        sealed.sum::<u64>() + self.open.len() as u64
    }

    /// Enters a pack that this process has begun to write.
    pub(crate) fn enter_own(&mut self, token: u64) {
        let contents = Contents::Open { known: PACK_HEADER as u64, length: PACK_HEADER as u64 };
        self.packs.insert(token, contents);
    }

    /// Enters a record that this process has appended to its own pack.
    pub(crate) fn enter(&mut self, digest: Digest, place: Place) {
        if let Some(Contents::Open { known, length }) = self.packs.get_mut(&place.pack) {
            *known = place.offset + place.size();
            *length = *known;
        }
        self.note(digest, place);
    }

    /// Forgets a pack: it will be looked at afresh if it is still there.
    pub(crate) fn forget(&mut self, token: u64) {
        if let Some(pack) = self.packs.remove(&token)
            && !matches!(pack, Contents::Sealed(_))
        {
            self.open.retain(|_, place| place.pack != token);
        }
        self.handles.close(token);
        self.listed = None;
    }

    /// Forgets everything but the sequence.
    pub(crate) fn forget_all(&mut self) {
        self.packs.clear();
        self.handles.close_all();
        self.open.clear();
        self.listed = None;
    }

    /// Where the newest record of a digest is.
    pub(crate) fn find(&mut self, folder: &Folder, digest: Digest) -> Result<Option<Place>, StoreError> {
        for _ in 0..LISTINGS {
            let (places, lost) = self.find_in_each(folder, digest, true)?;
            if lost.is_empty() {
                return Ok(places.into_iter().max_by_key(|place| place.sequence));
            }
            self.recover(folder, lost)?;
        }
        // The folder changes faster than it can be listed. What is not found is a miss.
        Ok(None)
    }

    /// All places of a digest, newest or not, for removal.
    pub(crate) fn find_all(&mut self, folder: &Folder, digest: Digest) -> Result<Vec<Place>, StoreError> {
        // What cannot be read now is met by the tombstone.
        self.find(folder, digest)?;
        let (mut places, _) = self.find_in_each(folder, digest, false)?;
        places.sort_unstable_by_key(|place| (place.pack, place.offset));
        places.dedup();
        Ok(places)
    }

    /// The places of a digest in the map and in each index, and the packs whose indexes cannot be used. With
    /// `newest`, indexes are left out that hold nothing newer than what was found before.
    fn find_in_each(
        &self,
        folder: &Folder,
        digest: Digest,
        newest: bool,
    ) -> Result<(Vec<Place>, Vec<Lost>), StoreError> {
        let (mut places, mut lost) = (Vec::new(), Vec::new());
        places.extend(self.open.get(&digest));
        for (token, pack) in &self.packs {
            let Contents::Sealed(index) = pack else { continue };
            let best = places.iter().map(|place: &Place| place.sequence).max();
            if newest && best.is_some_and(|best| best >= index.max_sequence()) {
                continue;
            }
            let Some(file) = self.handles.get(folder, *token, Part::Index)? else {
                lost.push(Lost::Gone(*token));
                continue;
            };
            let found = index.find(file.as_ref(), digest);
            match found.map_err(|error| StoreError::reading(&folder.index(*token), error))? {
                Lookup::Absent => {}
                Lookup::Damaged => lost.push(Lost::Damaged(*token)),
                Lookup::Found(entry) => places.push(Place::indexed(*token, &entry)),
            }
        }
        Ok((places, lost))
    }

    /// Goes on without indexes that cannot be used: packs whose indexes are damaged are read without them; where
    /// an index is gone, another process has merged its pack or set the index aside.
    fn recover(&mut self, folder: &Folder, lost: Vec<Lost>) -> Result<(), StoreError> {
        let mut gone = false;
        for lost in lost {
            match lost {
                Lost::Damaged(token) => self.set_index_aside(folder, token)?,
                Lost::Gone(token) => {
                    self.forget(token);
                    gone = true;
                }
            }
        }
        if gone {
            self.relist(folder)?;
        }
        Ok(())
    }

    /// The newest record of each digest in one pack. Damaged indexes are set aside on the way.
    pub(crate) fn places(&mut self, folder: &Folder, token: u64) -> Result<Vec<(Digest, Place)>, StoreError> {
        let mut places = Vec::new();
        if let Some(Contents::Sealed(index)) = self.packs.get(&token) {
            match self.handles.get(folder, token, Part::Index)? {
                None => self.recover(folder, vec![Lost::Gone(token)])?,
                Some(file) => {
                    let whole = index
                        .each(file.as_ref(), |entry| {
                            places.push((entry.digest, Place::indexed(token, &entry)));
                        })
                        .map_err(|error| StoreError::reading(&folder.index(token), error))?;
                    if whole {
                        return Ok(places);
                    }
                    places.clear();
                    self.set_index_aside(folder, token)?;
                }
            }
        }
        // The map knows only the newest record over all open packs, so the pack is read once more.
        if let Some(Contents::Open { .. }) = self.packs.get(&token)
            && let Some(file) = self.file(folder, token)?
        {
            let mut newest: BTreeMap<Digest, Place> = BTreeMap::new();
            scan(file.as_ref(), PACK_HEADER as u64, |offset, record| {
                newest.insert(record.id.digest, Place::of(token, offset, record));
            })
            .map_err(|error| StoreError::reading(&folder.pack(token), error))?;
            places.extend(newest);
        }
        Ok(places)
    }

    /// Goes on without the index of a pack: it is damaged.
    fn set_index_aside(&mut self, folder: &Folder, token: u64) -> Result<(), StoreError> {
        self.damaged += 1;
        // Where it cannot be removed it will be found damaged again, which is no harm.
        let _ = folder.remove(&folder.index(token));
        self.handles.close(token);
        match self.file(folder, token)? {
            Some(file) => {
                let contents = contents_by_header(folder, token, file.as_ref())?;
                self.packs.insert(token, contents);
                self.read_on(folder, token)?;
            }
            None => self.forget(token),
        }
        Ok(())
    }

    /// Enters a record into the map of open packs where it is the newest.
    fn note(&mut self, digest: Digest, place: Place) {
        self.max_sequence = self.max_sequence.max(place.sequence);
        let newest = self.open.entry(digest).or_insert(place);
        // Within a pack the later record wins even if a forged number says otherwise.
        if newest.sequence <= place.sequence {
            *newest = place;
        }
    }

    /// Lists the folder again unless it cannot have changed.
    ///
    /// A merge gives the new pack its name before it removes the old ones, but a listing takes its time: it may be
    /// too early for the new name and too late for the old files. So where a pack is gone, or goes before it is
    /// opened, the folder is listed once more, which shows where its records are.
    fn relist(&mut self, folder: &Folder) -> Result<bool, StoreError> {
        let path = folder.packs();
        let mut changed = false;
        for _ in 0..LISTINGS {
            let modified = match folder.storage.metadata(&path) {
                Ok(metadata) => metadata.modified,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    changed |= !self.packs.is_empty();
                    self.forget_all();
                    return Ok(changed);
                }
                Err(error) => return Err(StoreError::reading(&path, error)),
            };
            if self.listed == Some(modified) {
                return Ok(changed);
            }
            let settled =
                modified.checked_add(SETTLED).is_some_and(|settled| settled <= folder.storage.now());
            let Listing { complete, differs } = self.list(folder)?;
            changed |= differs;
            if complete {
                self.listed = settled.then_some(modified);
                break;
            }
        }
        Ok(changed)
    }

    /// Makes the packs those that a listing of the folder shows.
    fn list(&mut self, folder: &Folder) -> Result<Listing, StoreError> {
        let (mut packs, mut indexes) = (BTreeSet::new(), BTreeSet::new());
        for (_, name) in folder.list_packs()? {
            match name {
                Name::Pack(token) => packs.insert(token),
                Name::Index(token) => indexes.insert(token),
                Name::Part => false,
            };
        }
        let gone: Vec<u64> = self.packs.keys().copied().filter(|token| !packs.contains(token)).collect();
        let mut listing = Listing { complete: gone.is_empty(), differs: !gone.is_empty() };
        for token in gone {
            self.forget(token);
        }
        for token in packs {
            let known = match self.packs.get(&token) {
                None => false,
                // Sealed in the meantime: the index serves better than the map.
                Some(Contents::Open { .. }) => !indexes.contains(&token),
                Some(_) => true,
            };
            if !known {
                self.forget(token);
                listing.complete &= self.load(folder, token)?;
                listing.differs = true;
            }
        }
        Ok(listing)
    }

    /// Opens a pack; says whether it was still there.
    fn load(&mut self, folder: &Folder, token: u64) -> Result<bool, StoreError> {
        self.handles.close(token);
        let Some(file) = self.handles.get(folder, token, Part::Pack)? else { return Ok(false) };
        let length = file.length().map_err(|error| StoreError::reading(&folder.pack(token), error))?;
        // The index first: where it is whole it stands for the pack, whose records then speak for
        // themselves even if the pack was cut off to nothing.
        let index = match self.handles.get(folder, token, Part::Index)? {
            None => None,
            Some(index) => match Index::open(index.as_ref(), token, length)
                .map_err(|error| StoreError::reading(&folder.index(token), error))?
            {
                Header::Ours(index) => Some(index),
                Header::Foreign => None,
                Header::Damaged => {
                    self.damaged += 1;
                    self.handles.close(token);
                    let _ = folder.remove(&folder.index(token));
                    None
                }
            },
        };
        let contents = match index {
            Some(index) => {
                self.max_sequence = self.max_sequence.max(index.max_sequence());
                Contents::Sealed(index)
            }
            None => contents_by_header(folder, token, file.as_ref())?,
        };
        if matches!(contents, Contents::Damaged) {
            self.damaged += 1;
        }
        self.packs.insert(token, contents);
        self.read_on(folder, token)?;
        Ok(true)
    }

    /// Reads what was appended to an open pack; says whether anything was.
    fn read_on(&mut self, folder: &Folder, token: u64) -> Result<bool, StoreError> {
        let Some(Contents::Open { length, .. }) = self.packs.get(&token) else { return Ok(false) };
        let failed = |error| StoreError::reading(&folder.pack(token), error);
        // Asked by name, so that looking needs no open file.
        let now = match folder.storage.metadata(&folder.pack(token)) {
            Ok(metadata) => metadata.length,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(failed(error)),
        };
        if now == *length {
            return Ok(false);
        }
        let Some(file) = self.file(folder, token)? else { return Ok(false) };
        let Some(Contents::Open { known, length }) = self.packs.get_mut(&token) else { return Ok(false) };
        let mut found = Vec::new();
        let (end, _) = scan(file.as_ref(), *known, |offset, record| {
            found.push((record.id.digest, Place::of(token, offset, record)));
        })
        .map_err(failed)?;
        (*known, *length) = (end, now);
        let any = !found.is_empty();
        for (digest, place) in found {
            self.note(digest, place);
        }
        Ok(any)
    }
}

/// How a pack without an index is to be read.
fn contents_by_header(folder: &Folder, token: u64, file: &dyn StoredFile) -> Result<Contents, StoreError> {
    let mut bytes = [0; PACK_HEADER];
    let read =
        file.read_at(&mut bytes, 0).map_err(|error| StoreError::reading(&folder.pack(token), error))?;
    Ok(match format::parse_pack_header(&bytes[..read]) {
        Header::Ours(found) if found == token => {
            Contents::Open { known: PACK_HEADER as u64, length: PACK_HEADER as u64 }
        }
        Header::Foreign => Contents::Foreign,
        Header::Ours(_) | Header::Damaged => Contents::Damaged,
    })
}
