//! Laws of `cache_core::store`, and a file per kind of store fault.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod concurrent;
mod corrupt;
mod crash;
mod disk;
mod faults;
mod finish;
mod foreign_version;
mod format;
mod full;
mod many;
mod memory;
mod merge;
mod permissions;
#[cfg(all(feature = "http", feature = "redis"))]
mod remote;
mod shared;
mod tiered;
mod trim;
mod upkeep;

use std::path::PathBuf;
use std::sync::Arc;

use cache_core::digest::{Confirm, Digest};
use cache_core::key::Checksum;
use cache_core::store::{DiskOptions, DiskStore, Found};
use tempfile::TempDir;

/// The id of the question that `name` names.
pub(crate) fn id(name: &str) -> Checksum {
    Checksum { digest: Digest::of(name.as_bytes()), confirm: Confirm::of(name.as_bytes()) }
}

/// A hit with these bytes.
pub(crate) fn hit(payload: impl Into<Vec<u8>>) -> Found {
    Found::Hit(payload.into())
}

/// A folder of its own for each test.
pub(crate) fn fresh_folder() -> TempDir {
    TempDir::new().unwrap()
}

/// Options that make small tests go through packs, indexes and large files.
pub(crate) fn small() -> DiskOptions {
    DiskOptions::default().bound(None).large_from(200).pack_bytes(4000)
}

pub(crate) fn open(folder: &TempDir) -> DiskStore {
    DiskStore::open(folder.path().join("cache"), small()).unwrap()
}

/// A store on a file system that can be made to fail.
pub(crate) fn open_on(faults: &Arc<faults::Faults>, folder: &TempDir) -> DiskStore {
    DiskStore::open_on(Arc::clone(faults) as Arc<_>, folder.path().join("cache"), small()).unwrap()
}

/// The files in a part of the cache folder whose names end so, sorted.
pub(crate) fn files(folder: &TempDir, place: &str, suffix: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.path().join("cache").join(place))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && path.to_string_lossy().ends_with(suffix))
        .collect();
    files.sort();
    files
}
