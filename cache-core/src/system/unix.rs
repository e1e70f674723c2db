//! Unix.

#[cfg(feature = "store")]
pub(crate) mod files {
    //! Files.

    use std::fs::{DirBuilder, File, Metadata, OpenOptions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};

    /// Makes folders for their owner alone.
    pub(crate) fn folders() -> DirBuilder {
        let mut builder = DirBuilder::new();
        builder.mode(0o700);
        builder
    }

    /// Makes files for their owner alone.
    pub(crate) fn make_private(options: &mut OpenOptions) {
        options.mode(0o600);
    }

    /// The id of the user that owns it, and its permission bits.
    pub(crate) fn owner_and_mode(metadata: &Metadata) -> (u32, u32) {
        (metadata.uid(), metadata.mode())
    }

    /// The user that this process acts for.
    pub(crate) fn user() -> u32 {
        rustix::process::geteuid().as_raw()
    }

    /// Reads some bytes at an offset.
    pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        file.read_at(buffer, offset)
    }

    /// Writes all bytes at an offset.
    pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }

    /// Whether the process or the system has as many files open as it may.
    pub(crate) fn too_many_files(error: &io::Error) -> bool {
        use rustix::io::Errno;
        let codes = [Errno::MFILE, Errno::NFILE].map(Errno::raw_os_error);
        error.raw_os_error().is_some_and(|code| codes.contains(&code))
    }
}

#[cfg(feature = "worker")]
pub(crate) mod processes {
    //! Processes.

    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    /// The child leads a group of its own: an interrupt from the keyboard is for the tool, and the group can be ended
    /// as a whole.
    pub(crate) fn lead_group(command: &mut Command) {
        command.process_group(0);
    }

    /// Something that waits until a child has ended, without taking its status: so its id stays its own.
    pub(crate) fn end_of(child: &Child) -> Option<impl FnOnce() + Send + 'static> {
        let process = Pid::from_child(child);
        // If someone has waited for it already, nobody listens any more.
        Some(move || {
            let _ = waitid(WaitId::Pid(process), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        })
    }

    /// Whether a child has ended. Its status is not taken, so that its id stays its own.
    pub(crate) fn has_ended(child: &mut Child) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(child)), look), Ok(None))
    }

    /// Ends a child that leads a group, and the group. Processes that have ended already are no error.
    pub(crate) fn end_group(child: &mut Child) {
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
        let _ = child.kill();
    }

    /// Ends the group that this process leads, if it leads one; leaves no core file behind in any case.
    pub(crate) fn end_own_group() {
        let own = rustix::process::getpid();
        if rustix::process::getpgrp() == own {
            // Where it fails, the process still ends itself.
            let _ = kill_process_group(own, Signal::KILL);
        }
        // If this fails, a core file may be left, which harms nobody.
        let _ = rlimit::setrlimit(rlimit::Resource::CORE, 0, 0);
    }

    /// Bounds the memory of this process.
    pub(crate) fn limit_memory(bytes: u64) -> std::io::Result<()> {
        rlimit::setrlimit(rlimit::Resource::AS, bytes, bytes)
    }
}
