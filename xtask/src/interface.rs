//! `cargo xtask interface`: the library's public interface beside the listing that the repository holds, so that
//! nothing becomes public, or ceases to be, by accident.
//!
//! The crate `public_api` lists it, from what rustdoc knows.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use public_api::Builder;

use crate::error::Error;
use crate::process::{cargo, run as start};
use crate::programs::target_folder;
use crate::scratch::Scratch;
use crate::setup::root;

/// The listing, relative to the checkout.
const LISTING: &str = "cache-core/public-interface.txt";

/// Compares, or with `accept` writes the listing anew.
pub(crate) fn run(accept: bool) -> Result<(), Error> {
    let listed = Builder::from_rustdoc_json(documented()?)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| Error::Findings(format!("the public interface is not known: {error}")))?;
    let now: String = listed.items().map(|item| format!("{item}\n")).collect();
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

/// Writes what rustdoc knows of the library as JSON, and says where. Compilers do so when they take unstable options,
/// which a script in rustdoc's place asks of rustdoc alone: what asks it of cargo compiles every dependency anew.
fn documented() -> Result<PathBuf, Error> {
    let scratch = Scratch::new()?;
    let script = scratch.path().join("rustdoc");
    fs::write(&script, "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc \"$@\"\n")
        .map_err(Error::writing(&script))?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).map_err(Error::writing(&script))?;
    let mut document = cargo(&root(), "rustdoc");
    document.env("RUSTDOC", &script).args(["--quiet", "--package", "cache-core", "--lib"]);
    document.args([
        "--features",
        "derive,http,redis",
        "--",
        "-Z",
        "unstable-options",
        "--output-format",
        "json",
    ]);
    start(&mut document)?;
    Ok(target_folder()?.join("doc/cache_core.json"))
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
