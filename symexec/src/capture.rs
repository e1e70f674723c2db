//! Whole programs: `symexec cc` puts bitcode into what a build makes, `symexec link` takes it out again.
//!
//! The compiler runs as it is asked to; then the same sources are compiled once more, to bitcode, which
//! goes into a section of the object. Linkers join sections of one name, so a program carries the bitcode
//! of exactly the objects that it is made of, wherever these lay, and whatever became of them since. What
//! else it was linked with is noted by its path: a program that is optimised takes less from archives than
//! its bitcode needs.
//!
//! - [`command`]: what a compiler's command line asks for;
//! - [`section`]: the section, in objects, programs and archives;
//! - [`symbols`]: which members of archives are needed;
//! - [`mod@cc`] and [`mod@link`]: the two commands.

pub mod cc;
pub mod command;
pub mod link;
pub mod section;
pub mod symbols;

use std::path::PathBuf;

pub use cc::{Language, cc};
pub use link::{LinkOptions, link};

/// Why nothing was captured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// A program that is needed could not be started.
    #[error("`{program}` could not be started ({error}); install it (Debian: apt-get install {package})")]
    Start {
        /// Which.
        program: String,
        /// Where it comes from.
        package: &'static str,
        /// What the system says.
        error: std::io::Error,
    },
    /// A program that is needed failed.
    #[error("`{program}` failed: {said}")]
    Failed {
        /// Which.
        program: String,
        /// What it said.
        said: String,
    },
    /// A file could not be read or written.
    #[error("{}: {error}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// There is no bitcode in a file.
    #[error(
        "{}: {what}; build it with `symexec cc` as the compiler, for instance \
         CC=\"symexec cc\" ./configure && make",
        .path.display()
    )]
    Nothing {
        /// Which.
        path: PathBuf,
        /// Why not.
        what: &'static str,
    },
    /// A file is no object, program or archive that can be read.
    #[error("{}: {what}", .path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why not.
        what: &'static str,
    },
    /// No temporary folder.
    #[error("no temporary folder: {0}")]
    Folder(std::io::Error),
}
