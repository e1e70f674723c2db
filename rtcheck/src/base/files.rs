//! Files that are open while a program runs, and what else a program may ask of a file system.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The number of an open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileHandle(usize);

/// What a file is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileMode {
    /// Reading from its start.
    Read,
    /// Writing; what was there is lost.
    Write,
    /// Writing behind what is there.
    Append,
    /// Writing over what is there, from its start.
    Update,
}

/// What is known of a file.
#[derive(Clone, Copy, Debug)]
pub struct FileFacts {
    /// It is a directory.
    pub directory: bool,
    /// How many bytes it has.
    pub size: u64,
    /// When it was last changed, counted from the start of 1970.
    pub modified: Duration,
}

/// Files by path and by handle. All errors are what the operating system says.
pub trait Files {
    /// Opens a file.
    ///
    /// # Errors
    /// It does not exist, is a directory, or may not be opened so.
    fn open_file(&mut self, path: &Path, mode: FileMode) -> io::Result<FileHandle>;

    /// Appends the next block of a file to `buffer` and returns how many bytes came; 0 is the end.
    ///
    /// # Errors
    /// It cannot be read.
    fn read_block(&mut self, file: FileHandle, buffer: &mut Vec<u8>) -> io::Result<usize>;

    /// Writes to a file.
    ///
    /// # Errors
    /// It cannot be written, perhaps since the disk is full.
    fn write_block(&mut self, file: FileHandle, bytes: &[u8]) -> io::Result<()>;

    /// How many bytes a file has.
    ///
    /// # Errors
    /// It may not be looked at.
    fn file_length(&mut self, file: FileHandle) -> io::Result<u64>;

    /// Lets the next byte be written at an offset, which is not behind the file's end.
    ///
    /// # Errors
    /// It has no places to go to, as a terminal.
    fn seek_file(&mut self, file: FileHandle, offset: u64) -> io::Result<()>;

    /// Closes a file. Closing one again does nothing.
    fn close_file(&mut self, file: FileHandle);

    /// What is known of the file at a path.
    ///
    /// # Errors
    /// There is none, or it may not be looked at.
    fn file_facts(&self, path: &Path) -> io::Result<FileFacts>;

    /// Deletes a file.
    ///
    /// # Errors
    /// There is none, or it may not be deleted.
    fn delete_file(&mut self, path: &Path) -> io::Result<()>;

    /// Gives a file another path.
    ///
    /// # Errors
    /// There is none, or it may not be moved there.
    fn rename_file(&mut self, from: &Path, to: &Path) -> io::Result<()>;

    /// Makes an empty directory.
    ///
    /// # Errors
    /// There is something at that path, or no directory may be made there.
    fn make_directory(&mut self, path: &Path) -> io::Result<()>;

    /// Deletes an empty directory.
    ///
    /// # Errors
    /// There is none, it is not empty, or it may not be deleted.
    fn delete_directory(&mut self, path: &Path) -> io::Result<()>;

    /// The names in a directory, sorted.
    ///
    /// # Errors
    /// It is no directory, or may not be read.
    fn directory_names(&self, path: &Path) -> io::Result<Vec<String>>;

    /// The directory that relative paths start from.
    ///
    /// # Errors
    /// It was deleted, or may not be looked at.
    fn working_directory(&self) -> io::Result<PathBuf>;

    /// Replaces the directory that relative paths start from.
    ///
    /// # Errors
    /// It is no directory, or may not be entered.
    fn set_working_directory(&mut self, path: &Path) -> io::Result<()>;
}

/// Open files by handle; handles are used again.
#[derive(Debug)]
pub(super) struct OpenFiles<F>(Vec<Option<F>>);

impl<F> Default for OpenFiles<F> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<F> OpenFiles<F> {
    pub(super) fn add(&mut self, file: F) -> FileHandle {
        let free = self.0.iter().position(Option::is_none).unwrap_or_else(|| {
            self.0.push(None);
            self.0.len() - 1
        });
        self.0[free] = Some(file);
        FileHandle(free)
    }

    pub(super) fn get(&mut self, handle: FileHandle) -> io::Result<&mut F> {
        self.0
            .get_mut(handle.0)
            .and_then(Option::as_mut)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the file is closed"))
    }

    pub(super) fn remove(&mut self, handle: FileHandle) {
        if let Some(file) = self.0.get_mut(handle.0) {
            *file = None;
        }
    }
}
