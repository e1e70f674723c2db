//! Why set-up stopped: beside [`super::Error`], which all commands share, so that set-up uses them and they do not use it.

use std::path::PathBuf;

/// Why set-up stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum SetupError {
    #[error("{0} missing; run `cargo xtask setup`")]
    Missing(String),
    #[error("cannot write {path}: {source}")]
    Write { path: PathBuf, source: std::io::Error },
    #[error("`{command}` failed{detail}")]
    Failed { command: String, detail: String },
    #[error("{packages} missing, and this user cannot install Debian packages here.\n{advice}")]
    CannotInstall { packages: String, advice: String },
}
