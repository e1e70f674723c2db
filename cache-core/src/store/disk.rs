//! A store in a folder, shared by any number of processes that never wait for each other.
//!
//! # How it works
//! Each process that writes appends to a *pack* of its own ([`writer`]); a payload of more than
//! [`DiskOptions::large_from`] bytes becomes a file of its own, written aside and renamed, and the pack
//! gets a record that refers to it. A pack to which nothing is appended any more gets an *index*, sorted
//! by digest and searched in place ([`index`]), so that opening a folder costs the same whatever it holds;
//! packs without one are read once ([`scan`]) and kept in a map ([`catalog`]). On a miss the folder is
//! looked at again, so that what others append is seen while they run; this costs one query of the folder
//! and one of each pack that is still written. On a hit it is not: a process may go on giving an answer
//! that another one has replaced in the meantime.
//!
//! Nothing is forced to the medium. After a loss of power the newest records may be missing or torn; a
//! torn one is a miss, as is a missing one, unless an older record of the same digest was there, which is
//! then found again.
//!
//! # Room
//! A store holds only so many files open, however many packs there are ([`handles`]). Runs that end without
//! [`Store::maintain`] leave a pack each; where many have piled up, the next writer merges some of them before it
//! begins its own.
//!
//! [`Store::maintain`] ([`maintain`](mod@maintain)) gives packs their indexes, merges small packs, and
//! trims the folder to 70 % of [`DiskOptions::bound`] once it has outgrown it. The entries that go first
//! are those with the lowest sequence numbers. A hit on an entry of the older half appends a copy with a
//! new number, but only while the folder is more than half full; so the numbers tell recency without a
//! clock, and a folder that never fills is never written by reading.
//!
//! # Whom it trusts
//! The folder is made for its user alone. One that belongs to another user, or in which others could
//! write, is refused unless [`DiskOptions::allow_shared`] is set. Checksums guard against accidents only.
//!
//! The bytes are described in `docs/format.md`.

mod catalog;
mod folder;
mod format;
mod handles;
mod index;
mod large;
mod lease;
mod maintain;
mod scan;
mod verify;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::storage::{Files, Storage};
use super::{Claim, Counters, Found, MAX_PAYLOAD, Store, StoreError, Usage, Verified};
use crate::digest::Digest;
use crate::key::Checksum;
use crate::stats::MissReason;
use catalog::{Catalog, Contents, Place};
use folder::Folder;
use format::{Kind, MAX_INLINE, MAX_PACK, STRUCK};
use writer::Writer;

/// A writer that ends leaves an index behind if it wrote this many bytes; less is read as quickly.
const INDEX_FROM: u64 = 64 << 10;

/// How a folder is used: `DiskOptions::default().read_only(true)`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DiskOptions {
    /// Bytes beyond which [`Store::maintain`] makes room; absent for no bound. 1 GiB by default.
    pub bound: Option<u64>,
    /// Nothing in the folder is made or changed; it need not exist. Off by default.
    pub read_only: bool,
    /// A folder of another user, or one in which others can write, is accepted: its answers are
    /// believed. Off by default.
    pub allow_shared: bool,
    /// Payloads longer than this many bytes get files of their own. At most 1 MiB; 64 KiB by default.
    pub large_from: usize,
    /// A pack is ended and another one begun once it is this long, in bytes. 64 MiB by default.
    pub pack_bytes: u64,
}

impl Default for DiskOptions {
    fn default() -> Self {
        Self {
            bound: Some(1 << 30),
            read_only: false,
            allow_shared: false,
            large_from: 64 << 10,
            pack_bytes: 64 << 20,
        }
    }
}

impl DiskOptions {
    /// With another [bound](Self::bound), or none.
    #[must_use]
    pub fn bound(self, bound: impl Into<Option<u64>>) -> Self {
        Self { bound: bound.into(), ..self }
    }

    /// For [reading alone](Self::read_only), or not.
    #[must_use]
    pub fn read_only(self, read_only: bool) -> Self {
        Self { read_only, ..self }
    }

    /// [Believing folders of others](Self::allow_shared), or not.
    #[must_use]
    pub fn allow_shared(self, allow_shared: bool) -> Self {
        Self { allow_shared, ..self }
    }

    /// With files of their own for payloads [from another length](Self::large_from) on, in bytes.
    #[must_use]
    pub fn large_from(self, large_from: usize) -> Self {
        Self { large_from, ..self }
    }

    /// With packs of [another length](Self::pack_bytes), in bytes.
    #[must_use]
    pub fn pack_bytes(self, pack_bytes: u64) -> Self {
        Self { pack_bytes, ..self }
    }
}

/// A store in a folder.
///
/// ```no_run
/// use cache_core::store::{DiskOptions, DiskStore, Store};
/// let store = DiskStore::open("cache", DiskOptions::default())?;
/// // ... get, put ...
/// store.maintain()?;
/// # Ok::<(), cache_core::store::StoreError>(())
/// ```
pub struct DiskStore {
    folder: Folder,
    options: DiskOptions,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    catalog: Catalog,
    writer: Option<Writer>,
    /// Whether the folder was looked at at all.
    looked: bool,
    /// Whether the folder was more than half full when it was last maintained.
    half_full: bool,
    counters: Counters,
    troubles: Vec<StoreError>,
    /// Whether it was told that something is damaged: more of it is only counted.
    told_damage: bool,
    /// Whether it was told that another version wrote here.
    told_foreign: bool,
}

impl State {
    /// Whether this run wrote nothing, met nothing that is broken, and saw no pack that wants an index. What else others
    /// left to do is done by whoever writes next.
    fn is_untouched(&self) -> bool {
        let wants_index =
            |pack: &Contents| matches!(pack, Contents::Open { length, .. } if *length >= INDEX_FROM);
        self.writer.is_none()
            && (self.counters.puts, self.counters.damaged) == (0, 0)
            && !self.half_full
            && !self.catalog.packs().values().any(wants_index)
    }

    /// Counts damage that was met and tells of the first.
    fn damaged(&mut self, count: u64, path: PathBuf) {
        if count > 0 {
            self.counters.damaged += count;
            if !std::mem::replace(&mut self.told_damage, true) {
                self.troubles.push(StoreError::Damaged { path });
            }
        }
    }
}

impl DiskStore {
    /// Opens a folder and makes it where there is none. Reads nothing in it yet.
    ///
    /// # Errors
    /// [`StoreError::NotAFolder`], [`StoreError::Shared`], [`StoreError::Unreadable`], and
    /// [`StoreError::Unwritable`] where the folder does not exist and cannot be made.
    pub fn open(folder: impl Into<PathBuf>, options: DiskOptions) -> Result<Self, StoreError> {
        Self::on(Arc::new(Files), folder.into(), options)
    }

    /// Like [`DiskStore::open`], on another file system.
    ///
    /// # Errors
    /// As [`DiskStore::open`].
    #[cfg(feature = "plant")]
    pub fn open_on(
        storage: Arc<dyn Storage>,
        folder: impl Into<PathBuf>,
        options: DiskOptions,
    ) -> Result<Self, StoreError> {
        Self::on(storage, folder.into(), options)
    }

    fn on(storage: Arc<dyn Storage>, folder: PathBuf, options: DiskOptions) -> Result<Self, StoreError> {
        let folder = Folder::new(storage, folder, options.read_only);
        folder.check(options.allow_shared)?;
        let large_from = options.large_from.min(MAX_INLINE);
        let pack_bytes = options.pack_bytes.min(MAX_PACK);
        let options = options.large_from(large_from).pack_bytes(pack_bytes);
        Ok(Self { folder, options, state: Mutex::default() })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The ids of everything that is kept, sorted.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    pub fn ids(&self) -> Result<Vec<Checksum>, StoreError> {
        let mut state = self.looked()?;
        self.refresh(&mut state)?;
        verify::ids(self, &mut state)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What a panic could leave behind is a map that knows less than the folder, which is no harm.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, with everything known that was in the folder when it was first used.
    fn looked(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        let mut state = self.state();
        if !state.looked {
            self.refresh(&mut state)?;
            state.half_full =
                self.options.bound.is_some_and(|bound| maintain::last_usage(&self.folder) > bound / 2);
            state.looked = true;
        }
        Ok(state)
    }

    fn refresh(&self, state: &mut State) -> Result<bool, StoreError> {
        let own = state.writer.as_ref().map(Writer::token);
        let changed = state.catalog.refresh(&self.folder, own)?;
        // Someone cleaned the folder: what is appended to a removed file is seen by nobody.
        if own.is_some_and(|token| state.catalog.pack(token).is_none()) {
            state.writer = None;
        }
        let damaged = state.catalog.take_damaged();
        state.damaged(damaged, self.folder.packs());
        Ok(changed)
    }

    /// What is kept under an id, as far as the catalog knows.
    fn look(&self, state: &mut State, id: &Checksum) -> Result<Found, StoreError> {
        let place = state.catalog.find(&self.folder, id.digest)?;
        let damaged = state.catalog.take_damaged();
        state.damaged(damaged, self.folder.packs());
        let Some(place) = place.filter(|place| place.kind != Kind::Tombstone) else {
            return Ok(Found::Missing(MissReason::Absent));
        };
        let Some(bytes) = self.read(state, &place)? else { return Ok(Found::Missing(MissReason::Absent)) };
        if bytes.first() == Some(&STRUCK) {
            return Ok(Found::Missing(MissReason::Absent));
        }
        let payload = match format::parse_record(&bytes) {
            Some((record, payload)) if record.id.digest == id.digest && record.sequence == place.sequence => {
                if record.id.confirm != id.confirm {
                    return Ok(Found::Missing(MissReason::Unconfirmed));
                }
                payload
            }
            _ => {
                state.damaged(1, self.folder.pack(place.pack));
                self.strike(state, &place);
                return Ok(Found::Missing(MissReason::Damaged));
            }
        };
        let found = match place.kind {
            Kind::Large => large::read(self, state, id)?,
            _ => Found::Hit(payload.to_vec()),
        };
        if matches!(found, Found::Hit(_)) {
            self.remember_use(state, &place, id, payload);
        }
        Ok(found)
    }

    /// The bytes of a record, as many as there are; nothing where its pack is not known any more.
    fn read(&self, state: &State, place: &Place) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(file) = state.catalog.file(&self.folder, place.pack)? else { return Ok(None) };
        let mut bytes = vec![0; usize::try_from(place.size()).unwrap_or(usize::MAX)];
        let read = file
            .read_at(&mut bytes, place.offset)
            .map_err(|error| StoreError::reading(&self.folder.pack(place.pack), error))?;
        bytes.truncate(read);
        Ok(Some(bytes))
    }

    /// Strikes a record out in place: one byte, so that readers see it before or after.
    fn strike(&self, state: &State, place: &Place) {
        if self.options.read_only {
            return;
        }
        // Beyond the end of a pack that was cut off nothing must be written. Where the pack cannot be
        // written the record stays as it is: damaged ones are found damaged again, and a removed one is
        // covered by its tombstone.
        if let Ok(Some(file)) = state.catalog.file(&self.folder, place.pack)
            && file.length().is_ok_and(|length| place.offset < length)
        {
            let _ = file.write_at(&[STRUCK], place.offset);
        }
    }

    /// Appends a copy of an entry that was used and is among the older half, so that it is not among the
    /// first to go.
    fn remember_use(&self, state: &mut State, place: &Place, id: &Checksum, payload: &[u8]) {
        let age = state.catalog.max_sequence().saturating_sub(place.sequence);
        if self.options.read_only || !state.half_full || age <= state.catalog.entries() / 2 {
            return;
        }
        if let Err(error) = self.append(state, place.kind, id, payload) {
            // Once is enough: an unwritable folder stays so.
            state.half_full = false;
            state.troubles.push(error);
        }
    }

    /// Appends a record to this process's pack and enters it into the catalog.
    fn append(&self, state: &mut State, kind: Kind, id: &Checksum, payload: &[u8]) -> Result<(), StoreError> {
        self.begin(state)?;
        let Some(writer) = state.writer.as_mut() else { return Ok(()) };
        let sequence = state.catalog.next_sequence();
        let bytes = format::record(kind, sequence, id, payload);
        let offset = writer.append(&self.folder, &bytes)?;
        #[expect(clippy::cast_possible_truncation, reason = "within MAX_INLINE")]
        let length = payload.len() as u32;
        let place = Place { pack: writer.token(), offset, length, sequence, kind };
        let full = writer.length() >= self.options.pack_bytes;
        state.catalog.enter(id.digest, place);
        if full && let Err(error) = self.end_pack(state) {
            state.troubles.push(error);
        }
        Ok(())
    }

    /// Begins a pack unless there is one.
    fn begin(&self, state: &mut State) -> Result<(), StoreError> {
        if self.options.read_only {
            return Err(StoreError::ReadOnly { path: self.folder.path().to_owned() });
        }
        if state.writer.is_none() {
            if let Err(error) = maintain::merge_some(self, state) {
                state.troubles.push(error);
            }
            let writer = Writer::begin(&self.folder)?;
            state.catalog.enter_own(writer.token());
            state.writer = Some(writer);
        }
        Ok(())
    }

    /// Ends this process's pack, with an index if it is worth one. Nothing is lost where that fails.
    fn end_pack(&self, state: &mut State) -> Result<(), StoreError> {
        let Some(writer) = state.writer.take() else { return Ok(()) };
        let token = writer.token();
        if writer.length() < INDEX_FROM {
            return Ok(());
        }
        let indexed = maintain::write_index(&self.folder, &mut state.catalog, token);
        // It is opened afresh, with its index, at the next look at the folder.
        state.catalog.forget(token);
        indexed?;
        self.refresh(state).map(drop)
    }
}

impl Store for DiskStore {
    fn get(&self, id: &Checksum) -> Result<Found, StoreError> {
        let mut state = self.looked()?;
        let mut found = self.look(&mut state, id)?;
        if let Found::Missing(first) = found
            && self.refresh(&mut state)?
        {
            found = match self.look(&mut state, id)? {
                // A record that was damaged is struck out now; the request is told why.
                Found::Missing(MissReason::Absent) => Found::Missing(first),
                second => second,
            };
        }
        let foreign =
            |state: &State| state.catalog.packs().values().any(|pack| matches!(pack, Contents::Foreign));
        if found == Found::Missing(MissReason::Absent) && foreign(&state) {
            found = Found::Missing(MissReason::ForeignVersion);
            if !std::mem::replace(&mut state.told_foreign, true) {
                state.troubles.push(StoreError::Foreign { path: self.folder.packs() });
            }
        }
        match &found {
            Found::Hit(_) => state.counters.hits += 1,
            Found::Missing(reason) => state.counters.miss(*reason),
        }
        Ok(found)
    }

    fn put(&self, id: &Checksum, payload: &[u8]) -> Result<(), StoreError> {
        if payload.len() > MAX_PAYLOAD {
            return Err(StoreError::TooLarge { length: payload.len() });
        }
        let mut state = self.looked()?;
        if payload.len() <= self.options.large_from {
            self.append(&mut state, Kind::Inline, id, payload)?;
        } else {
            large::write(self, &mut state, id, payload)?;
        }
        state.counters.puts += 1;
        Ok(())
    }

    fn remove(&self, id: &Checksum) -> Result<(), StoreError> {
        let mut state = self.looked()?;
        self.refresh(&mut state)?;
        let places = state.catalog.find_all(&self.folder, id.digest)?;
        // What is removed already stays so.
        if places.iter().all(|place| place.kind == Kind::Tombstone) {
            return Ok(());
        }
        // Both: the strike reaches those who know the place already and outlives a lost tail, the
        // tombstone covers copies that maintenance is making at this moment.
        for place in &places {
            self.strike(&state, place);
        }
        let large = places.iter().any(|place| place.kind == Kind::Large);
        self.append(&mut state, Kind::Tombstone, id, &[])?;
        if large { self.folder.remove(&self.folder.large(id.digest)) } else { Ok(()) }
    }

    fn claim(&self, id: &Checksum) -> Result<Claim, StoreError> {
        let claim = lease::claim(self, id.digest)?;
        if matches!(claim, Claim::Held(_)) {
            // Also where an older entry is known, for which nobody would look at the folder again.
            let mut state = self.looked()?;
            self.refresh(&mut state)?;
        }
        Ok(claim)
    }

    fn flush(&self) -> Result<(), StoreError> {
        let mut state = self.state();
        if state.writer.as_ref().is_some_and(|writer| writer.length() >= INDEX_FROM) {
            self.end_pack(&mut state)?;
        }
        Ok(())
    }

    fn maintain(&self) -> Result<(), StoreError> {
        if self.options.read_only {
            return Ok(());
        }
        let mut state = self.looked()?;
        maintain::maintain(self, &mut state)
    }

    /// Most runs of a client that asks what is known only read, and are short beside a listing of the folder.
    fn finish(&self) -> Result<(), StoreError> {
        if self.state().is_untouched() { Ok(()) } else { self.flush().and(self.maintain()) }
    }

    fn clean(&self) -> Result<(), StoreError> {
        if self.options.read_only {
            return Err(StoreError::ReadOnly { path: self.folder.path().to_owned() });
        }
        maintain::clean(self, &mut self.state())
    }

    fn usage(&self) -> Result<Usage, StoreError> {
        let mut state = self.looked()?;
        self.refresh(&mut state)?;
        verify::usage(self, &state)
    }

    fn verify(&self) -> Result<Verified, StoreError> {
        let mut state = self.looked()?;
        self.refresh(&mut state)?;
        verify::verify(self, &mut state)
    }

    fn counters(&self) -> Counters {
        self.state().counters.clone()
    }

    fn take_troubles(&self) -> Vec<StoreError> {
        std::mem::take(&mut self.state().troubles)
    }
}

impl Drop for DiskStore {
    fn drop(&mut self) {
        // An index spares the next reader a scan; without it nothing is lost.
        let _ = self.flush();
    }
}

/// Whether anyone but this process writes a pack at this moment. A pack whose lock cannot be asked for
/// counts as written.
fn is_written(folder: &Folder, token: u64) -> bool {
    match folder.open(&folder.pack(token)) {
        Ok(Some(file)) => !file.try_lock().unwrap_or(false),
        Ok(None) => false,
        Err(_) => true,
    }
}

/// The digest that the name of a large file says.
fn digest_of_large(name: &str) -> Option<Digest> {
    let stem = name.strip_suffix(".large").filter(|stem| stem.len() == 32)?;
    let value = u128::from_str_radix(stem, 16).ok()?;
    Some(Digest::from_bytes(value.to_le_bytes()))
}
