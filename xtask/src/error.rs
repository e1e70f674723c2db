//! Why a command of xtask stopped.

mod setup;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

pub(crate) use setup::SetupError;

/// Everything that ends a command early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("cannot start `{command}`: {source}")]
    Start { command: String, source: io::Error },
    #[error("`{command}` ended with {status}; its own messages are above")]
    Ended { command: String, status: ExitStatus },
    #[error("`{command}` printed something unexpected: {detail}")]
    Output { command: String, detail: String },
    #[error("cannot {doing} {path}: {source}")]
    File { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("cannot make a temporary folder: {0}")]
    Scratch(io::Error),
    #[error("{path} holds no statistics: {source}")]
    Statistics { path: PathBuf, source: serde_json::Error },
    #[error("cannot draw the chart `{chart}`: {detail}")]
    Chart { chart: String, detail: String },
    /// A check ran to its end and found what it looks for; the findings themselves are printed above.
    #[error("{0}")]
    Findings(String),
    #[error("in phase `{phase}`: {source}")]
    Phase { phase: String, source: Box<Error> },
}

impl Error {
    /// An error of reading `path`, for `map_err`.
    pub(crate) fn reading(path: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
        let path = path.to_owned();
        move |source| Error::File { doing: "read", path, source }
    }

    /// An error of writing `path`, for `map_err`.
    pub(crate) fn writing(path: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
        let path = path.to_owned();
        move |source| Error::File { doing: "write", path, source }
    }
}
