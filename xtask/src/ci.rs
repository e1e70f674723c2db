//! `cargo xtask ci`: everything that must hold before a change is taken, cheapest first. The first
//! failing phase ends it.

use crate::error::Error;
use crate::phases::in_phases;
use crate::process::{cargo, run as start};
use crate::setup::{self, root, runs};
use crate::{test, tidy};

/// Runs all phases; says which one failed.
pub(crate) fn run() -> Result<(), Error> {
    in_phases("ci", |phases| {
        phases.run("formatting", || start(cargo(&root(), "fmt").args(["--all", "--", "--check"])))?;
        phases.run("set up", || Ok(setup::run(false)?))?;
        phases.run("tidy", tidy::run)?;
        phases.run("clippy", || {
            let mut clippy = cargo(&root(), "clippy");
            clippy.args(["--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]);
            start(&mut clippy)
        })?;
        phases.run("test", || test::run(&[]))?;
        phases.run("docs", || {
            let mut doc = cargo(&root(), "doc");
            doc.args(["--workspace", "--no-deps", "--document-private-items"])
                .env("RUSTDOCFLAGS", "-D warnings");
            start(&mut doc)
        })?;
        phases.run("licences", licences)
    })
}

/// `cargo deny` is not assumed; tidy judges the licences by the same allow-list in any case.
fn licences() -> Result<(), Error> {
    if !runs("cargo-deny") {
        println!("   cargo-deny is not installed; tidy has compared the licences with deny.toml");
        return Ok(());
    }
    start(cargo(&root(), "deny").args(["check", "bans", "licenses", "sources"]))
}
