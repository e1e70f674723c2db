//! Why a run could not be done.

use std::io;
use std::path::PathBuf;

use crate::exec::StartError;
use crate::exec::environment::EnvironmentError;
use crate::module::AliasError;

/// Why a run could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The program could not be read.
    #[error("{0}")]
    Program(String),
    /// The reader could not be started, or died.
    #[error("{0}")]
    Reader(String),
    /// The user ended the run before the program was read.
    #[error("interrupted while the program was read")]
    Interrupted,
    /// An option among the program's arguments is used wrongly.
    #[error("among the program's arguments: {0}")]
    Environment(#[from] EnvironmentError),
    /// Unknown arguments are for `main`.
    #[error("unknown arguments and files need `main` to start with, and not `{0}`")]
    Entry(String),
    /// A path that is to be replayed cannot be read.
    #[error("the path {}: {error}", path.display())]
    Path {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: String,
    },
    /// A seed, or a test to be replayed, cannot be read.
    #[error("the test {}: {error}", path.display())]
    Seed {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        error: String,
    },
    /// The program of declared external functions does not compile.
    #[error("the functions given by --external-call cannot be called: {0}")]
    External(String),
    /// The solver that was asked for is not there.
    #[error("{0}")]
    Solver(String),
    /// A function cannot be replaced by another one.
    #[error(transparent)]
    Alias(#[from] AliasError),
    /// The program could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It cannot be explored in parts.
    #[error("{0}")]
    Parts(String),
    /// The run came to its end, but not everything could be written.
    #[error("the output folder is incomplete: {0}")]
    Incomplete(String),
    /// A folder or file could not be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}
