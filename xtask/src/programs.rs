//! Building the tools and finding what was built.

use std::path::{self, Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::process;
use crate::scratch::Scratch;
use crate::setup::root;

/// The programs people start.
pub(crate) const TOOLS: [&str; 3] = ["ivl", "symexec", "rtcheck"];
/// The programs that the tools start.
pub(crate) const WORKERS: [&str; 3] = ["ivl-solver", "symexec-solver", "symexec-reader"];
/// The library, whose examples are measured, and the packages that hold the tools.
pub(crate) const PACKAGES: [&str; 4] = ["cache-core", "ivl-verifier", "symexec", "rtcheck"];

/// How programs are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// For oracles, conformance tests and benchmarks of the core, with all examples. Always all packages: what is
    /// selected decides the features of what is shared, and so whether one command's build serves the next one.
    Release,
    /// For benchmarks of the tools: as `Release`, of the examples only the one that measures `rtcheck`, so that
    /// what the others and the tests need is not built.
    Measured,
    /// As `Release`, able to tell lies, and honest until told to lie: what faults guard is all that differs.
    Planted,
    /// For users.
    Installed,
}

/// A folder with programs.
#[derive(Debug, Clone)]
pub(crate) struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Builds all programs.
    pub(crate) fn build(how: Build) -> Result<Programs, Error> {
        let profile = if how == Build::Installed { "dist" } else { "release" };
        let mut cargo = process::cargo(&root(), "build");
        cargo.args(["--profile", profile, "--bins"]);
        match how {
            Build::Release | Build::Planted => cargo.arg("--examples"),
            Build::Measured => cargo.args(["--example", "check_cost"]),
            Build::Installed => &mut cargo,
        };
        for package in PACKAGES {
            cargo.args(["--package", package]);
            if how == Build::Planted {
                cargo.args(["--features", &format!("{package}/plant")]);
            }
        }
        process::run(&mut cargo)?;
        Ok(Programs { folder: target_folder()?.join(profile) })
    }

    /// Builds the programs of one package as tests have them: where no time is measured, the others need not be there.
    pub(crate) fn of_package(package: &str) -> Result<Programs, Error> {
        process::run(process::cargo(&root(), "build").args(["--bins", "--package", package]))?;
        Programs::of_tests()
    }

    /// The programs and examples that were built with the tests.
    pub(crate) fn of_tests() -> Result<Programs, Error> {
        Ok(Programs { folder: target_folder()?.join("debug") })
    }

    /// Programs that were built before, in a folder that may be named from here: they are started in other folders.
    pub(crate) fn built(folder: &Path) -> Programs {
        Programs { folder: path::absolute(folder).unwrap_or_else(|_| folder.to_owned()) }
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

    /// Where an example is.
    pub(crate) fn example(&self, example: &str) -> PathBuf {
        self.folder.join("examples").join(example)
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
