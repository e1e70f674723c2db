//! The folder of a disk store: names, permissions, and errors that name the place.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::digest::Digest;
use crate::store::StoreError;
use crate::store::storage::{Access, Metadata, Storage, StoredFile};

/// What backup programs look for in folders that are not worth keeping, and its text.
const TAG: (&str, &[u8]) = (
    "CACHEDIR.TAG",
    b"Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of Reprise. It may be deleted at any time.\n",
);

/// A cache folder.
#[derive(Clone)]
pub(crate) struct Folder {
    pub(crate) storage: Arc<dyn Storage>,
    path: PathBuf,
    /// Nothing is made or removed.
    read_only: bool,
}

/// What a name in the folder of packs means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Pack(u64),
    Index(u64),
    /// Written aside; its writer has not given it its name yet, or ended before.
    Part,
}

impl Folder {
    pub(crate) fn new(storage: Arc<dyn Storage>, path: PathBuf, read_only: bool) -> Self {
        Self { storage, path, read_only }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file whose lock says that someone maintains the folder.
    pub(crate) fn maintenance(&self) -> PathBuf {
        self.path.join("maintenance")
    }

    pub(crate) fn packs(&self) -> PathBuf {
        self.path.join("packs")
    }

    pub(crate) fn pack(&self, token: u64) -> PathBuf {
        self.packs().join(format!("{token:016x}.pack"))
    }

    pub(crate) fn index(&self, token: u64) -> PathBuf {
        self.packs().join(format!("{token:016x}.index"))
    }

    /// Where a pack is prepared, and where an index is.
    pub(crate) fn pack_part(&self, token: u64) -> PathBuf {
        self.packs().join(format!("{token:016x}.pack.part"))
    }

    fn index_part(&self, token: u64) -> PathBuf {
        self.packs().join(format!("{token:016x}.index.part"))
    }

    pub(crate) fn large_folder(&self) -> PathBuf {
        self.path.join("large")
    }

    pub(crate) fn large(&self, digest: Digest) -> PathBuf {
        self.large_folder().join(large_name(digest))
    }

    /// Who is at work on what.
    pub(crate) fn leases(&self) -> PathBuf {
        self.path.join("leases")
    }

    pub(crate) fn lease(&self, digest: Digest) -> PathBuf {
        self.leases().join(format!("{digest}.lease"))
    }

    /// Where a large file is prepared by the writer of the pack `token`.
    pub(crate) fn large_part(&self, token: u64) -> PathBuf {
        self.large_folder().join(format!("{token:016x}.part"))
    }

    /// The pack that a file that was written aside belongs to.
    pub(crate) fn part_token(name: &str) -> Option<u64> {
        name.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok())
    }

    /// Makes sure that the folder can be trusted, and makes it where it may be made and does not exist.
    pub(crate) fn check(&self, allow_shared: bool) -> Result<(), StoreError> {
        let missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        match self.storage.metadata(&self.path) {
            Err(error) if missing(&error) => {
                if self.read_only {
                    return Ok(());
                }
                self.make(&self.path)?;
                self.tag();
            }
            Err(error) => return Err(StoreError::reading(&self.path, error)),
            Ok(_) => {}
        }
        for path in [self.path.clone(), self.packs(), self.large_folder()] {
            match self.storage.metadata(&path) {
                Ok(metadata) => self.trust(&path, &metadata, allow_shared)?,
                Err(error) if missing(&error) && path != self.path => {}
                Err(error) => return Err(StoreError::reading(&path, error)),
            }
        }
        Ok(())
    }

    fn trust(&self, path: &Path, metadata: &Metadata, allow_shared: bool) -> Result<(), StoreError> {
        if !metadata.is_folder {
            return Err(StoreError::NotAFolder { path: path.to_owned() });
        }
        if allow_shared {
            return Ok(());
        }
        let shared = |why: String| Err(StoreError::Shared { path: path.to_owned(), why });
        if metadata.owner != self.storage.user() {
            return shared(format!("belongs to another user (id {})", metadata.owner));
        }
        if metadata.mode & 0o022 != 0 {
            return shared(format!("can be written by others (mode {:03o})", metadata.mode & 0o777));
        }
        Ok(())
    }

    /// Makes a folder for its owner alone.
    pub(crate) fn make(&self, path: &Path) -> Result<(), StoreError> {
        self.storage.create_folder(path).map_err(|error| StoreError::writing(path, error))
    }

    /// Marks the folder as a cache. Nothing depends on it, so a failure is not worth a word.
    fn tag(&self) {
        let (name, text) = TAG;
        if let Ok(file) = self.storage.open(&self.path.join(name), Access::CreateNew) {
            let _ = file.write_at(text, 0);
        }
    }

    /// What is in the folder of packs, sorted by name. Strange names are left out.
    pub(crate) fn list_packs(&self) -> Result<Vec<(String, Name)>, StoreError> {
        let names = self.list(&self.packs())?;
        Ok(names.into_iter().filter_map(|name| Name::parse(&name).map(|meaning| (name, meaning))).collect())
    }

    /// The names in a folder; none where it does not exist yet.
    pub(crate) fn list(&self, path: &Path) -> Result<Vec<String>, StoreError> {
        match self.storage.list(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            listed => listed.map_err(|error| StoreError::reading(path, error)),
        }
    }

    /// Writes a file aside and gives it its name, so that it is whole or absent.
    pub(crate) fn write_whole(&self, part: &Path, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        let write = || -> io::Result<()> {
            let file = self.storage.open(part, Access::Create)?;
            // A file that was cut off to nothing is forced to the medium by some file systems when it is
            // closed, so only what someone left there is.
            if file.length()? > 0 {
                file.truncate(0)?;
            }
            file.write_at(bytes, 0)?;
            self.storage.rename(part, path)
        };
        write().map_err(|error| {
            let _ = self.storage.remove(part);
            StoreError::writing(path, error)
        })
    }

    /// Writes the index of a pack.
    pub(crate) fn write_index(&self, token: u64, bytes: &[u8]) -> Result<(), StoreError> {
        self.write_whole(&self.index_part(token), &self.index(token), bytes)
    }

    /// Removes a file that may be gone already. Does nothing where nothing may be removed.
    pub(crate) fn remove(&self, path: &Path) -> Result<(), StoreError> {
        if self.read_only {
            return Ok(());
        }
        match self.storage.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::writing(path, error)),
            _ => Ok(()),
        }
    }

    /// Opens a file that may be gone, to read it.
    pub(crate) fn open(&self, path: &Path) -> Result<Option<Box<dyn StoredFile>>, StoreError> {
        Self::opened(path, self.storage.open(path, Access::Read))
    }

    /// Opens a file that may be gone, to read it and, where that may be, to strike out in it.
    pub(crate) fn open_to_strike(&self, path: &Path) -> Result<Option<Box<dyn StoredFile>>, StoreError> {
        if self.read_only {
            return self.open(path);
        }
        match self.storage.open(path, Access::Write) {
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
                ) =>
            {
                self.open(path)
            }
            opened => Self::opened(path, opened),
        }
    }

    fn opened(
        path: &Path,
        opened: io::Result<Box<dyn StoredFile>>,
    ) -> Result<Option<Box<dyn StoredFile>>, StoreError> {
        match opened {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::reading(path, error)),
        }
    }
}

/// The name of the large file of a digest.
pub(crate) fn large_name(digest: Digest) -> String {
    format!("{digest}.large")
}

impl Name {
    fn parse(name: &str) -> Option<Self> {
        if name.ends_with(".part") {
            return Some(Self::Part);
        }
        let (stem, extension) = name.split_once('.')?;
        let token = u64::from_str_radix(stem, 16).ok().filter(|_| stem.len() == 16)?;
        match extension {
            "pack" => Some(Self::Pack(token)),
            "index" => Some(Self::Index(token)),
            _ => None,
        }
    }
}
