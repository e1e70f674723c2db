//! What goes wrong with a store as a whole.

use std::io;
use std::path::{Path, PathBuf};

/// Why a store could not be used. Every message names the place and the way out; none is a reason to
/// change an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// What should be the cache folder is something else.
    #[error("cache folder `{path}` is not a folder: remove it or choose another cache folder")]
    NotAFolder {
        /// The place.
        path: PathBuf,
    },
    /// Others could write into the cache folder, and so plant answers.
    #[error(
        "cache folder `{path}` {why}: answers in it could be planted; choose another cache folder, \
         make it yours alone (chmod go-w), or allow a shared cache"
    )]
    Shared {
        /// The place.
        path: PathBuf,
        /// Who could write there.
        why: String,
    },
    /// The folder or a file in it could not be read.
    #[error(
        "cache `{path}` cannot be read ({source}): check its permissions, choose another cache folder, or run without a cache"
    )]
    Unreadable {
        /// The place.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder or a file in it could not be written.
    #[error(
        "cache `{path}` cannot be written ({source}): check its permissions, choose another cache folder, or only read from it"
    )]
    Unwritable {
        /// The place.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The process has as many files open as it may, or the system has.
    #[error(
        "cache `{path}` cannot be used because too many files are open ({source}): raise the limit (ulimit -n), or close files"
    )]
    TooManyFiles {
        /// The place.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No space is left.
    #[error("no space is left for cache `{path}`: free some, lower the cache's bound, or clean it")]
    Full {
        /// The place.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something that was written does not read as it was written.
    #[error(
        "cache `{path}` is damaged: what it held there is found anew; if this happens again, check the disk or remove the file"
    )]
    Damaged {
        /// The place.
        path: PathBuf,
    },
    /// Another version of the format wrote here.
    #[error(
        "cache `{path}` holds entries of another version, which are not used: choose a cache folder for each version, or remove the old entries"
    )]
    Foreign {
        /// The place.
        path: PathBuf,
    },
    /// The store was opened for reading only.
    #[error("cache `{path}` was opened for reading only: open it for writing to keep answers")]
    ReadOnly {
        /// The place.
        path: PathBuf,
    },
    /// The payload is longer than any store keeps.
    #[error("answer of {length} bytes is too large to be cached (at most {} bytes)", super::MAX_PAYLOAD)]
    TooLarge {
        /// Its length in bytes.
        length: usize,
    },
    /// Something is wrong with a remote cache.
    #[error("remote cache `{place}`: {what}")]
    Remote {
        /// Where it is, without passwords.
        place: String,
        /// What is wrong, and the way out.
        what: String,
    },
    /// Another process is making room or cleaning at this moment.
    #[error("cache `{path}` is being maintained by another process: try again later")]
    Busy {
        /// The place.
        path: PathBuf,
    },
}

impl StoreError {
    /// The place that the error is about, where there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::NotAFolder { path }
            | Self::Shared { path, .. }
            | Self::Unreadable { path, .. }
            | Self::Unwritable { path, .. }
            | Self::TooManyFiles { path, .. }
            | Self::Full { path, .. }
            | Self::Damaged { path }
            | Self::Foreign { path }
            | Self::ReadOnly { path }
            | Self::Busy { path } => Some(path),
            Self::TooLarge { .. } | Self::Remote { .. } => None,
        }
    }

    pub(crate) fn reading(path: &Path, source: io::Error) -> Self {
        match crate::system::files::too_many_files(&source) {
            true => Self::TooManyFiles { path: path.to_owned(), source },
            false => Self::Unreadable { path: path.to_owned(), source },
        }
    }

    pub(crate) fn writing(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::Full { path: path.to_owned(), source }
            }
            _ if crate::system::files::too_many_files(&source) => {
                Self::TooManyFiles { path: path.to_owned(), source }
            }
            _ => Self::Unwritable { path: path.to_owned(), source },
        }
    }
}
