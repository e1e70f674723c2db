//! Leases as files: who has the advisory lock of `leases/DIGEST.lease` holds the lease of that digest.
//!
//! The system gives the lock up however its holder ends, so a crash costs nobody more than the time until he asks
//! again. A holder removes its file when it is done. Somebody else may have opened it just before: he then gets the
//! lock of a file that has no name any more, while a third one makes the file anew. So who has the lock writes a
//! number of his own into the file and looks whether it is there under the name as well.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::DiskStore;
use super::folder::Folder;
use crate::digest::Digest;
use crate::store::storage::{Access, Storage, StoredFile};
use crate::store::{Claim, Lease, StoreError};

/// How often a file that others remove is made anew before they are taken to be at work.
const ATTEMPTS: u32 = 8;

/// Of each lease that is held.
struct Held {
    storage: Arc<dyn Storage>,
    path: PathBuf,
    /// Has the lock; closing it gives it up.
    _file: Box<dyn StoredFile>,
}

impl Drop for Held {
    fn drop(&mut self) {
        // While the lock is still held, or the next holder's file would be removed. One that stays is swept up.
        let _ = self.storage.remove(&self.path);
    }
}

/// Asks for the lease of a digest. Never waits.
pub(crate) fn claim(store: &DiskStore, digest: Digest) -> Result<Claim, StoreError> {
    if store.options.read_only {
        return Ok(Claim::Unsupported);
    }
    let folder = &store.folder;
    let path = folder.lease(digest);
    let failed = |error| StoreError::writing(&path, error);
    folder.make(&folder.leases())?;
    for _ in 0..ATTEMPTS {
        let file = folder.storage.open(&path, Access::Create).map_err(failed)?;
        match file.try_lock() {
            Ok(true) => {}
            Ok(false) => return Ok(Claim::Taken),
            // A file system without locks has no leases.
            Err(_) => return Ok(Claim::Unsupported),
        }
        let own = folder.storage.token().to_le_bytes();
        file.write_at(&own, 0).map_err(failed)?;
        if named(folder, &path).map_err(failed)? == Some(own) {
            let storage = Arc::clone(&folder.storage);
            return Ok(Claim::Held(Lease::new(Held { storage, path, _file: file })));
        }
    }
    Ok(Claim::Taken)
}

/// The number in the file that has this name now.
fn named(folder: &Folder, path: &std::path::Path) -> io::Result<Option<[u8; 8]>> {
    let mut number = [0; 8];
    match folder.storage.open(path, Access::Read) {
        Ok(file) => Ok((file.read_at(&mut number, 0)? == number.len()).then_some(number)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the files of those who ended without removing them.
pub(crate) fn sweep(folder: &Folder) -> Result<(), StoreError> {
    for name in folder.list(&folder.leases())?.into_iter().filter(|name| name.ends_with(".lease")) {
        let path = folder.leases().join(name);
        if let Some(file) = folder.open(&path)?
            && file.try_lock().unwrap_or(false)
        {
            folder.remove(&path)?;
        }
    }
    Ok(())
}
