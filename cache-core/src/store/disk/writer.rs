//! The pack that a process appends to: one per writer, so that writers never wait for each other.
//!
//! The pack is prepared aside, locked and then given its name. The lock is never waited for; it only
//! tells maintenance that the writer is alive, and the system gives it up however the writer ends.

use std::io;

use super::folder::Folder;
use super::format::{self, PACK_HEADER};
use crate::store::StoreError;
use crate::store::storage::{Access, StoredFile};

/// How often a pack is begun before it is said that it cannot be.
const ATTEMPTS: usize = 16;

/// A pack that this process appends to.
pub(crate) struct Writer {
    token: u64,
    file: Box<dyn StoredFile>,
    /// Where the next record goes.
    end: u64,
}

impl Writer {
    /// Begins a pack.
    pub(crate) fn begin(folder: &Folder) -> Result<Self, StoreError> {
        folder.make(&folder.packs())?;
        // Maintenance may take the file for one that was left behind, in the instant between its making and its
        // locking; then another one is made. One look at the folder spoils one attempt at most.
        for _ in 1..ATTEMPTS {
            match Self::try_begin(folder) {
                Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::WouldBlock) => {
                }
                begun => return begun.map_err(|error| StoreError::writing(&folder.packs(), error)),
            }
        }
        Self::try_begin(folder).map_err(|error| StoreError::writing(&folder.packs(), error))
    }

    fn try_begin(folder: &Folder) -> io::Result<Self> {
        let token = folder.storage.token();
        let part = folder.pack_part(token);
        let prepare = || {
            let file = folder.storage.open(&part, Access::CreateNew)?;
            // Held by maintenance, which is about to remove the file. A pack without a lock would pass for one that
            // has ended. On a file system without locks maintenance finds that out too, and leaves the pack alone.
            if matches!(file.try_lock(), Ok(false)) {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            file.write_at(&format::pack_header(token), 0)?;
            folder.storage.rename(&part, &folder.pack(token))?;
            Ok(file)
        };
        match prepare() {
            Ok(file) => Ok(Self { token, file, end: PACK_HEADER as u64 }),
            Err(error) => {
                let _ = folder.storage.remove(&part);
                Err(error)
            }
        }
    }

    /// Which pack it is.
    pub(crate) fn token(&self) -> u64 {
        self.token
    }

    /// Bytes written so far.
    pub(crate) fn length(&self) -> u64 {
        self.end
    }

    /// Appends a record in one write; returns its offset. After an error the pack ends where it ended
    /// before, or has a torn tail that the next append writes over.
    pub(crate) fn append(&mut self, folder: &Folder, record: &[u8]) -> Result<u64, StoreError> {
        let offset = self.end;
        if let Err(error) = self.file.write_at(record, offset) {
            let _ = self.file.truncate(offset);
            return Err(StoreError::writing(&folder.pack(self.token), error));
        }
        self.end += record.len() as u64;
        Ok(offset)
    }
}
