//! Files that are open while a program runs, and what else a program may ask of a file system.

use super::system::{MemorySystem, OsSystem};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, SystemTime};

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

/// The largest block that is read at once.
const BLOCK: usize = 1 << 16;

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
    fn add(&mut self, file: F) -> FileHandle {
        let free = self.0.iter().position(Option::is_none).unwrap_or_else(|| {
            self.0.push(None);
            self.0.len() - 1
        });
        self.0[free] = Some(file);
        FileHandle(free)
    }

    fn get(&mut self, handle: FileHandle) -> io::Result<&mut F> {
        self.0
            .get_mut(handle.0)
            .and_then(Option::as_mut)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the file is closed"))
    }

    fn remove(&mut self, handle: FileHandle) {
        if let Some(file) = self.0.get_mut(handle.0) {
            *file = None;
        }
    }
}

impl Files for OsSystem {
    fn open_file(&mut self, path: &Path, mode: FileMode) -> io::Result<FileHandle> {
        let file = match mode {
            FileMode::Read => File::open(path)?,
            FileMode::Write => File::create(path)?,
            FileMode::Append => OpenOptions::new().append(true).create(true).open(path)?,
            FileMode::Update => OpenOptions::new().write(true).create(true).truncate(false).open(path)?,
        };
        // A directory can be opened, but reading it fails only later.
        if file.metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(self.open.add(file))
    }

    fn read_block(&mut self, file: FileHandle, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let file = self.open.get(file)?;
        let start = buffer.len();
        buffer.resize(start + BLOCK, 0);
        let result = loop {
            match file.read(&mut buffer[start..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        buffer.truncate(start + result.as_ref().copied().unwrap_or(0));
        result
    }

    fn write_block(&mut self, file: FileHandle, bytes: &[u8]) -> io::Result<()> {
        self.open.get(file)?.write_all(bytes)
    }

    fn close_file(&mut self, file: FileHandle) {
        self.open.remove(file);
    }

    fn file_facts(&self, path: &Path) -> io::Result<FileFacts> {
        let facts = std::fs::metadata(path)?;
        let modified = facts.modified()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Ok(FileFacts { directory: facts.is_dir(), size: facts.len(), modified })
    }

    fn delete_file(&mut self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn rename_file(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn make_directory(&mut self, path: &Path) -> io::Result<()> {
        std::fs::create_dir(path)
    }

    fn delete_directory(&mut self, path: &Path) -> io::Result<()> {
        std::fs::remove_dir(path)
    }

    fn directory_names(&self, path: &Path) -> io::Result<Vec<String>> {
        let mut names = vec![".".to_owned(), "..".to_owned()];
        for entry in std::fs::read_dir(path)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    fn working_directory(&self) -> io::Result<PathBuf> {
        std::env::current_dir()
    }

    fn set_working_directory(&mut self, path: &Path) -> io::Result<()> {
        std::env::set_current_dir(path)
    }
}

/// A file of a [`MemorySystem`] that is open.
#[derive(Debug)]
pub(super) struct OpenMemory {
    path: PathBuf,
    /// Where the next block is read or written.
    position: usize,
    writes: bool,
}

fn missing() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl MemorySystem {
    /// The directories there are: those made, and those that files lie in.
    fn has_directory(&self, path: &Path) -> bool {
        path.as_os_str().is_empty()
            || path == Path::new(".")
            || path == Path::new("/")
            || self.directories.contains(path)
            || self.files.keys().any(|file| file != path && file.starts_with(path))
    }
}

impl Files for MemorySystem {
    fn open_file(&mut self, path: &Path, mode: FileMode) -> io::Result<FileHandle> {
        if self.has_directory(path) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !path.parent().is_none_or(|parent| self.has_directory(parent)) {
            return Err(missing());
        }
        match mode {
            FileMode::Read if !self.files.contains_key(path) => return Err(missing()),
            FileMode::Read => {}
            FileMode::Write => {
                self.files.insert(path.to_owned(), Vec::new());
            }
            FileMode::Append | FileMode::Update => {
                self.files.entry(path.to_owned()).or_default();
            }
        }
        let position = if mode == FileMode::Append { self.files[path].len() } else { 0 };
        Ok(self.open.add(OpenMemory { path: path.to_owned(), position, writes: mode != FileMode::Read }))
    }

    fn read_block(&mut self, file: FileHandle, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let file = self.open.get(file)?;
        let bytes = self.files.get(&file.path).ok_or_else(missing)?;
        let rest = bytes.get(file.position..).unwrap_or_default();
        let count = rest.len().min(BLOCK);
        buffer.extend_from_slice(&rest[..count]);
        file.position += count;
        Ok(count)
    }

    fn write_block(&mut self, file: FileHandle, bytes: &[u8]) -> io::Result<()> {
        let file = self.open.get(file)?;
        if !file.writes {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let content = self.files.get_mut(&file.path).ok_or_else(missing)?;
        let end = file.position + bytes.len();
        content.resize(content.len().max(end), 0);
        content[file.position..end].copy_from_slice(bytes);
        file.position = end;
        Ok(())
    }

    fn close_file(&mut self, file: FileHandle) {
        self.open.remove(file);
    }

    fn file_facts(&self, path: &Path) -> io::Result<FileFacts> {
        let modified = Duration::ZERO;
        match self.files.get(path) {
            Some(bytes) => Ok(FileFacts { directory: false, size: bytes.len() as u64, modified }),
            None if self.has_directory(path) => Ok(FileFacts { directory: true, size: 0, modified }),
            None => Err(missing()),
        }
    }

    fn delete_file(&mut self, path: &Path) -> io::Result<()> {
        self.files.remove(path).map(|_| ()).ok_or_else(missing)
    }

    fn rename_file(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let bytes = self.files.remove(from).ok_or_else(missing)?;
        self.files.insert(to.to_owned(), bytes);
        Ok(())
    }

    fn make_directory(&mut self, path: &Path) -> io::Result<()> {
        if self.files.contains_key(path) || self.has_directory(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.directories.insert(path.to_owned());
        Ok(())
    }

    fn delete_directory(&mut self, path: &Path) -> io::Result<()> {
        if self.files.keys().any(|file| file.starts_with(path)) {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        if self.directories.remove(path) { Ok(()) } else { Err(missing()) }
    }

    fn directory_names(&self, path: &Path) -> io::Result<Vec<String>> {
        if !self.has_directory(path) {
            return Err(missing());
        }
        let path = if path == Path::new(".") { Path::new("") } else { path };
        let mut names = BTreeSet::from([".".to_owned(), "..".to_owned()]);
        for file in self.files.keys().chain(&self.directories) {
            let inner = file.strip_prefix(path).ok().and_then(|rest| rest.components().next());
            names.extend(inner.map(|name| name.as_os_str().to_string_lossy().into_owned()));
        }
        Ok(names.into_iter().collect())
    }

    fn working_directory(&self) -> io::Result<PathBuf> {
        Ok(PathBuf::from("/"))
    }

    fn set_working_directory(&mut self, _path: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Files for Rc<RefCell<MemorySystem>> {
    fn open_file(&mut self, path: &Path, mode: FileMode) -> io::Result<FileHandle> {
        self.borrow_mut().open_file(path, mode)
    }

    fn read_block(&mut self, file: FileHandle, buffer: &mut Vec<u8>) -> io::Result<usize> {
        self.borrow_mut().read_block(file, buffer)
    }

    fn write_block(&mut self, file: FileHandle, bytes: &[u8]) -> io::Result<()> {
        self.borrow_mut().write_block(file, bytes)
    }

    fn close_file(&mut self, file: FileHandle) {
        self.borrow_mut().close_file(file);
    }

    fn file_facts(&self, path: &Path) -> io::Result<FileFacts> {
        self.borrow().file_facts(path)
    }

    fn delete_file(&mut self, path: &Path) -> io::Result<()> {
        self.borrow_mut().delete_file(path)
    }

    fn rename_file(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.borrow_mut().rename_file(from, to)
    }

    fn make_directory(&mut self, path: &Path) -> io::Result<()> {
        self.borrow_mut().make_directory(path)
    }

    fn delete_directory(&mut self, path: &Path) -> io::Result<()> {
        self.borrow_mut().delete_directory(path)
    }

    fn directory_names(&self, path: &Path) -> io::Result<Vec<String>> {
        self.borrow().directory_names(path)
    }

    fn working_directory(&self) -> io::Result<PathBuf> {
        self.borrow().working_directory()
    }

    fn set_working_directory(&mut self, path: &Path) -> io::Result<()> {
        self.borrow_mut().set_working_directory(path)
    }
}
