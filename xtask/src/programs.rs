//! Building the tools and finding what was built.

use std::path::PathBuf;
use std::process::Command;

use crate::error::Error;
use crate::process;
use crate::scratch::Scratch;
use crate::setup::root;

/// The programs people start.
pub(crate) const TOOLS: [&str; 3] = ["ivl", "symexec", "rtcheck"];
/// The programs that the tools start.
pub(crate) const WORKERS: [&str; 3] = ["ivl-solver", "symexec-solver", "symexec-reader"];
/// The packages that hold them.
const PACKAGES: [&str; 3] = ["ivl-verifier", "symexec", "rtcheck"];

/// A folder with programs.
#[derive(Debug, Clone)]
pub(crate) struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Builds the given packages' programs with a cargo profile, all of them where none is given,
    /// and with the given features of theirs.
    pub(crate) fn build(profile: &str, packages: &[&str], features: &[&str]) -> Result<Programs, Error> {
        let packages = if packages.is_empty() { &PACKAGES } else { packages };
        let mut build = process::cargo(&root(), "build");
        build.args(["--bins", "--profile", profile]);
        for package in packages {
            build.args(["--package", package]);
            for feature in features {
                build.args(["--features", &format!("{package}/{feature}")]);
            }
        }
        process::run(&mut build)?;
        Ok(Programs { folder: target_folder()?.join(profile) })
    }

    /// For tests that start no program.
    #[cfg(test)]
    pub(crate) fn nowhere() -> Programs {
        Programs { folder: PathBuf::new() }
    }

    /// Where a program is.
    pub(crate) fn path(&self, program: &str) -> PathBuf {
        self.folder.join(program)
    }

    /// A command that starts a program, kept away from the user's cache.
    pub(crate) fn command(&self, program: &str, scratch: &Scratch) -> Command {
        let mut command = Command::new(self.path(program));
        scratch.guard(&mut command);
        command
    }
}

/// The folder into which cargo builds, as cargo itself sees it.
pub(crate) fn target_folder() -> Result<PathBuf, Error> {
    let mut command = process::cargo(&root(), "metadata");
    command.args(["--no-deps", "--format-version", "1"]);
    let text = process::stdout(&mut command)?;
    let unexpected =
        |detail: &str| Error::Output { command: process::shown(&command), detail: detail.to_owned() };
    let metadata: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| unexpected(&error.to_string()))?;
    let folder = metadata["target_directory"].as_str().ok_or_else(|| unexpected("no target_directory"))?;
    Ok(PathBuf::from(folder))
}
