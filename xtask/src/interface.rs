//! `cargo xtask interface`: the library's public interface beside the listing that the repository holds, so that
//! nothing becomes public, or ceases to be, by accident.
//!
//! `cargo-public-api` lists it, from what rustdoc knows; it is installed once into `.deps/tools`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::error::Error;
use crate::process::{cargo, run as start, stdout};
use crate::setup::{root, starts};

/// The listing, relative to the checkout.
const LISTING: &str = "cache-core/public-interface.txt";
/// The version that reads what this toolchain's rustdoc writes.
const VERSION: &str = "0.52.0";

/// Compares, or with `accept` writes the listing anew.
pub(crate) fn run(accept: bool) -> Result<(), Error> {
    let folder = tools()?;
    let mut list = cargo(&root(), "public-api");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(folder.join("bin")).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).map_err(|error| Error::Findings(format!("PATH: {error}")))?;
    // What rustdoc knows is written as JSON on request of unstable compilers alone.
    list.env("PATH", path).env("RUSTC_BOOTSTRAP", "1");
    list.args(["--package", "cache-core", "--features", "derive,http,redis", "-sss"]);
    let now = stdout(&mut list)?;
    let file = root().join(LISTING);
    if accept {
        return fs::write(&file, now).map_err(Error::writing(&file));
    }
    let known = fs::read_to_string(&file).map_err(Error::reading(&file))?;
    let changes = changes(&known, &now);
    if changes.is_empty() {
        println!("   the public interface is as {LISTING} tells");
        return Ok(());
    }
    Err(Error::Findings(format!(
        "the public interface is not as {LISTING} tells; where that is wanted, `cargo xtask interface --accept`:\n{}",
        changes.join("\n")
    )))
}

/// Where the tools are, which are installed if they are not there.
fn tools() -> Result<PathBuf, Error> {
    let folder = root().join(".deps/tools");
    let program = folder.join("bin/cargo-public-api");
    if !program.to_str().is_some_and(starts) {
        let mut install = cargo(&root(), "install");
        install.args(["--quiet", "--debug", "--locked", "--version", VERSION, "--root"]);
        start(install.arg(&folder).arg("cargo-public-api"))?;
    }
    Ok(folder)
}

/// What was added and removed, in the order of the listing.
fn changes(known: &str, now: &str) -> Vec<String> {
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) = (known.lines().collect(), now.lines().collect());
    let removed = old.difference(&new).map(|line| format!("- {line}"));
    removed.chain(new.difference(&old).map(|line| format!("+ {line}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[test]
    fn what_is_new_and_what_is_gone_is_told() {
        assert!(changes("a\nb\n", "a\nb\n").is_empty());
        assert_eq!(changes("a\nb\n", "b\nc\n"), ["- a", "+ c"]);
    }
}
