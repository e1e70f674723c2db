//! A system in memory, for tests and for whoever runs programs without a disk.

use super::files::{FileFacts, FileHandle, FileMode, Files, OpenFiles};
use super::system::{Clock, System};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// The largest block that is read at once.
const BLOCK: usize = 1 << 16;

/// A system in memory: files are a map, output is collected, and time passes only while somebody sleeps.
#[derive(Debug, Default)]
pub struct MemorySystem {
    /// The files, by path.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// What is left to read from standard input.
    pub input: Vec<u8>,
    /// The keys that are pressed one after the other.
    pub keys: Vec<u8>,
    /// What went to standard output.
    pub output: Vec<u8>,
    /// What went to standard error.
    pub error: Vec<u8>,
    /// Standard output takes no more than this many bytes, as if the disk were full then; `None` for no end.
    pub output_limit: Option<usize>,
    /// Nobody reads standard output.
    pub output_closed: bool,
    /// Directories besides those that files lie in.
    pub directories: BTreeSet<PathBuf>,
    /// How long was slept.
    pub slept: Cell<Duration>,
    /// The environment variables.
    pub variables: BTreeMap<String, String>,
    open: OpenFiles<OpenMemory>,
}

impl MemorySystem {
    /// A system with one file.
    #[must_use]
    pub fn with_file(path: impl Into<PathBuf>, text: &str) -> Self {
        let mut system = Self::default();
        system.files.insert(path.into(), text.as_bytes().to_vec());
        system
    }
}

impl System for MemorySystem {
    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn write_file(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.insert(path.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn read_input(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        buffer.extend_from_slice(&self.input);
        Ok(std::mem::take(&mut self.input).len())
    }

    fn read_key(&mut self) -> io::Result<Option<u8>> {
        Ok((!self.keys.is_empty()).then(|| self.keys.remove(0)))
    }

    fn write_output(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.output_closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if self.output_limit.is_some_and(|limit| self.output.len() + bytes.len() > limit) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.output.extend_from_slice(bytes);
        Ok(())
    }

    fn write_error(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.error.extend_from_slice(bytes);
        Ok(())
    }

    fn cpu_time(&self) -> Duration {
        Duration::ZERO
    }

    fn wall_time(&self) -> Duration {
        self.slept.get()
    }

    fn calendar_time(&self) -> Duration {
        self.slept.get()
    }

    fn sleep(&self, time: Duration) {
        self.slept.set(self.slept.get() + time);
    }

    fn clock(&self) -> Clock {
        Box::new(|| 0)
    }

    fn environment(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn set_environment(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(value) => self.variables.insert(name.to_owned(), value.to_owned()),
            None => self.variables.remove(name),
        };
    }

    fn run_shell(&mut self, _command: &str) -> io::Result<i32> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

/// A system in memory that its owner can look into while a machine uses it.
impl System for Rc<RefCell<MemorySystem>> {
    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.borrow().read_file(path)
    }

    fn write_file(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.borrow_mut().write_file(path, bytes)
    }

    fn read_input(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        self.borrow_mut().read_input(buffer)
    }

    fn read_key(&mut self) -> io::Result<Option<u8>> {
        self.borrow_mut().read_key()
    }

    fn write_output(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.borrow_mut().write_output(bytes)
    }

    fn write_error(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.borrow_mut().write_error(bytes)
    }

    fn cpu_time(&self) -> Duration {
        Duration::ZERO
    }

    fn wall_time(&self) -> Duration {
        self.borrow().wall_time()
    }

    fn calendar_time(&self) -> Duration {
        self.borrow().calendar_time()
    }

    fn sleep(&self, time: Duration) {
        self.borrow().sleep(time);
    }

    fn clock(&self) -> Clock {
        Box::new(|| 0)
    }

    fn environment(&self, name: &str) -> Option<String> {
        self.borrow().environment(name)
    }

    fn set_environment(&mut self, name: &str, value: Option<&str>) {
        self.borrow_mut().set_environment(name, value);
    }

    fn run_shell(&mut self, command: &str) -> io::Result<i32> {
        self.borrow_mut().run_shell(command)
    }
}

/// A file of a [`MemorySystem`] that is open.
#[derive(Debug)]
struct OpenMemory {
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

    fn file_length(&mut self, file: FileHandle) -> io::Result<u64> {
        let path = &self.open.get(file)?.path;
        Ok(self.files.get(path).ok_or_else(missing)?.len() as u64)
    }

    fn seek_file(&mut self, file: FileHandle, offset: u64) -> io::Result<()> {
        let offset = usize::try_from(offset).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        self.open.get(file)?.position = offset;
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

    fn file_length(&mut self, file: FileHandle) -> io::Result<u64> {
        self.borrow_mut().file_length(file)
    }

    fn seek_file(&mut self, file: FileHandle, offset: u64) -> io::Result<()> {
        self.borrow_mut().seek_file(file, offset)
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
