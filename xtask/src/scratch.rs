//! Fresh folders, so that nothing started here reads or writes the user's cache.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::error::Error;

/// A temporary folder that is removed when this value goes.
pub(crate) struct Scratch {
    folder: TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Result<Scratch, Error> {
        tempfile::Builder::new()
            .prefix("reprise-")
            .tempdir()
            .map(|folder| Scratch { folder })
            .map_err(Error::Scratch)
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The cache folder that a guarded program would use if it were told nothing else.
    pub(crate) fn default_cache(&self) -> PathBuf {
        self.path().join("default-cache")
    }

    /// Points every default from which a tool derives its cache folder into this one, and lets `ivl boogie`, which
    /// such a folder alone asks to keep results, keep none.
    pub(crate) fn guard<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
            .env("REPRISE_CACHE_DIR", self.default_cache())
            .env("REPRISE_CACHE", "off")
            .env("XDG_CACHE_HOME", self.path().join("xdg-cache"))
    }
}
