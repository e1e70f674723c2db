//! Any system, with the standard library alone.

#[cfg(feature = "store")]
pub(crate) mod files {
    //! Files.

    use std::fs::{DirBuilder, File, Metadata, OpenOptions};
    use std::io::{self, Read, Seek, SeekFrom, Write};
    use std::sync::{Mutex, PoisonError};

    /// Makes folders.
    pub(crate) fn folders() -> DirBuilder {
        DirBuilder::new()
    }

    /// Files are for whom the system makes them for.
    pub(crate) fn make_private(_: &mut OpenOptions) {}

    /// Nobody can be told apart, and nothing is open to others.
    pub(crate) fn owner_and_mode(_: &Metadata) -> (u32, u32) {
        (0, 0)
    }

    /// The one user.
    pub(crate) fn user() -> u32 {
        0
    }

    /// A file has one place at which it is read and written, so two threads must not move it at once.
    static MOVING: Mutex<()> = Mutex::new(());

    /// Reads some bytes at an offset.
    pub(crate) fn read_at(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let _moving = MOVING.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read(buffer)
    }

    /// Writes all bytes at an offset.
    pub(crate) fn write_all_at(mut file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
        let _moving = MOVING.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    /// What is told where too many files are open differs from system to system.
    pub(crate) fn too_many_files(_: &io::Error) -> bool {
        false
    }
}

#[cfg(feature = "worker")]
pub(crate) mod processes {
    //! Processes.

    use std::process::{Child, Command};

    /// There are no groups.
    pub(crate) fn lead_group(_: &mut Command) {}

    /// A child's end cannot be waited for without taking its status; that it closes its output tells it.
    pub(crate) fn end_of(_: &Child) -> Option<fn()> {
        None
    }

    /// Whether a child has ended. Its status is kept by the standard library.
    pub(crate) fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

    /// Ends a child.
    pub(crate) fn end_group(child: &mut Child) {
        // It may have ended already.
        let _ = child.kill();
    }

    /// There is no group.
    pub(crate) fn end_own_group() {}

    /// A limit that cannot be kept is not promised.
    pub(crate) fn limit_memory(_: u64) -> std::io::Result<()> {
        Err(std::io::Error::from(std::io::ErrorKind::Unsupported))
    }
}
