//! All that a disk store asks of the system.
//!
//! [`DiskStore`](super::DiskStore) touches no file but through a [`Storage`], so that tests can put
//! another one underneath: one that stops at the n-th write, is full, denies, counts or flips bits.
//! [`Files`] is the real one.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use crate::system::files as system;

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To read an existing file.
    Read,
    /// To read and write an existing file.
    Write,
    /// To read and write a file, made for its owner alone where there is none.
    Create,
    /// To read and write a file that must not exist yet, made for its owner alone.
    CreateNew,
}

/// What is known of a path.
#[derive(Clone, Copy, Debug)]
pub struct Metadata {
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Bytes of a file.
    pub length: u64,
    /// When it was last modified; for folders, when an entry was added or removed.
    pub modified: SystemTime,
    /// The id of the user that owns it.
    pub owner: u32,
    /// Its permission bits.
    pub mode: u32,
}

/// A file system, as far as a disk store needs one. Paths are followed through symbolic links.
pub trait Storage: Send + Sync {
    /// Makes a folder and the folders above it, for their owner alone. An existing folder is no error.
    ///
    /// # Errors
    /// What the system says.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// What is known of a path.
    ///
    /// # Errors
    /// What the system says.
    fn metadata(&self, path: &Path) -> io::Result<Metadata>;

    /// The names in a folder, sorted; those that are no Unicode are left out.
    ///
    /// # Errors
    /// What the system says.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;

    /// Opens a file.
    ///
    /// # Errors
    /// What the system says.
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn StoredFile>>;

    /// Gives a file another name in one step; a file of that name is replaced.
    ///
    /// # Errors
    /// What the system says.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file. Those who have it open keep it.
    ///
    /// # Errors
    /// What the system says.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// The id of the user on whose behalf the process runs.
    fn user(&self) -> u32;

    /// The time. Only compared with modification times, to tell a settled folder from one that may
    /// still change within the resolution of its clock.
    fn now(&self) -> SystemTime;

    /// A number that no other call gave, on this machine or another, as far as chance goes.
    fn token(&self) -> u64;
}

/// An open file. Closing it gives up its lock.
pub trait StoredFile: Send + Sync {
    /// Its length in bytes.
    ///
    /// # Errors
    /// What the system says.
    fn length(&self) -> io::Result<u64>;

    /// Reads at an offset, as much as there is up to the length of `buffer`; returns how much.
    ///
    /// # Errors
    /// What the system says.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Writes all of `bytes` at an offset. After an error a part of them may be there.
    ///
    /// # Errors
    /// What the system says.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Cuts the file off at a length.
    ///
    /// # Errors
    /// What the system says.
    fn truncate(&self, length: u64) -> io::Result<()>;

    /// Takes the file's advisory lock unless someone else has it; says whether it was taken. Never
    /// waits. The system gives it up when its holder ends, however it ends.
    ///
    /// # Errors
    /// What the system says, such as that this file system has no locks.
    fn try_lock(&self) -> io::Result<bool>;
}

/// The real files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Storage for Files {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        system::folders().recursive(true).create(path)
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        let metadata = fs::metadata(path)?;
        let (owner, mode) = system::owner_and_mode(&metadata);
        Ok(Metadata {
            is_folder: metadata.is_dir(),
            length: metadata.len(),
            modified: metadata.modified()?,
            owner,
            mode,
        })
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(path)? {
            names.extend(entry?.file_name().into_string());
        }
        names.sort_unstable();
        Ok(names)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn StoredFile>> {
        let mut options = OpenOptions::new();
        options.read(true).write(access != Access::Read);
        system::make_private(&mut options);
        match access {
            Access::Read | Access::Write => {}
            Access::Create => {
                options.create(true);
            }
            Access::CreateNew => {
                options.create_new(true);
            }
        }
        Ok(Box::new(RealFile { file: options.open(path)?, locked: AtomicBool::new(false) }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn user(&self) -> u32 {
        system::user()
    }

    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn token(&self) -> u64 {
        // The standard library seeds each process from the system's randomness and every state anew.
        RandomState::new().hash_one((std::process::id(), SystemTime::now()))
    }
}

struct RealFile {
    file: File,
    /// Whether its lock was taken.
    locked: AtomicBool,
}

impl Drop for RealFile {
    /// Gives the lock up and does not leave it to closing: a process that this one is starting has a copy of every
    /// open file until its own program begins, and the lock would last as long as the last copy.
    fn drop(&mut self) {
        if *self.locked.get_mut() {
            // Where this fails, closing does it, if not at once.
            let _ = self.file.unlock();
        }
    }
}

impl StoredFile for RealFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match system::read_at(&self.file, &mut buffer[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        system::write_all_at(&self.file, bytes, offset)
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn try_lock(&self) -> io::Result<bool> {
        match self.file.try_lock() {
            Ok(()) => {
                self.locked.store(true, Ordering::Relaxed);
                Ok(true)
            }
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}
