//! `cargo xtask ci`: everything that must hold before a change is taken, cheapest first. The first
//! failing phase ends it.

use crate::error::Error;
use crate::oracle::Tool;
use crate::phases::in_phases;
use crate::process::{cargo, run as start};
use crate::setup::{self, root, runs};
use crate::{bench, conformance, interface, oracle, test, tidy};

/// Where Boogie's suite is looked for, relative to the checkout. It is no part of the repository; without it its
/// phase is left out.
const CONFORMANCE: &str = "../shared/conformance/boogie";

/// Where programs of clients are looked for, in the same way.
const CLIENTS: &str = "../shared/conformance/clients";

/// Where KLEE's tests are looked for in the same way.
const KLEE: &str = "../shared/conformance/klee";

/// Runs all phases; says which one failed.
pub(crate) fn run() -> Result<(), Error> {
    in_phases("ci", |phases| {
        phases.run("formatting", || start(cargo(&root(), "fmt").args(["--all", "--", "--check"])))?;
        phases.run("set up", || {
            setup::run(false)?;
            // Here no test is left out for want of a server or a solver.
            setup::services(false)?;
            setup::solvers::solvers(false)?;
            Ok(setup::languages::languages(false)?)
        })?;
        phases.run("tidy", tidy::run)?;
        phases.run("clippy", || {
            let mut clippy = cargo(&root(), "clippy");
            clippy.args(["--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]);
            start(&mut clippy)
        })?;
        let programs = phases.run("test", test::run_all)?;
        phases.run("docs", || {
            document(&[], "-D warnings")?;
            // Once more for the developers' docs, where links to private items are welcome.
            document(&["--document-private-items"], "-D warnings -A rustdoc::private-intra-doc-links")
        })?;
        phases.run("licences", licences)?;
        phases.run("package", package)?;
        phases.run("interface", || interface::run(false))?;
        for tool in Tool::ALL {
            phases.run(&format!("oracle {}", tool.name()), || oracle::run_small(tool, &programs))?;
        }
        let suite = root().join(CONFORMANCE);
        if suite.is_dir() {
            phases.run("conformance", || conformance::run_to_floor(&programs, &suite))?;
        } else {
            println!("   no conformance data in {CONFORMANCE}; this phase is left out");
        }
        let clients = root().join(CLIENTS);
        if clients.is_dir() {
            phases.run("clients", || conformance::clients::run(&programs, &clients))?;
        } else {
            println!("   no programs of clients in {CLIENTS}; this phase is left out");
        }
        phases.run("own tests of symexec klee", || conformance::klee::run_own(&programs))?;
        let suite = root().join(KLEE);
        if suite.is_dir() {
            phases.run("conformance of symexec klee", || conformance::klee::run(&programs, &suite))?;
        } else {
            println!("   no conformance data in {KLEE}; this phase is left out");
        }
        phases.run("conformance of rtcheck", || conformance::prolog::run(&programs, None, false, false))?;
        phases.run("bench", || bench::smoke(&programs))
    })
}

fn document(arguments: &[&str], flags: &str) -> Result<(), Error> {
    let mut doc = cargo(&root(), "doc");
    start(doc.args(["--workspace", "--no-deps"]).args(arguments).env("RUSTDOCFLAGS", flags))
}

/// The library compiles with every feature by itself, and as the package that others would get.
fn package() -> Result<(), Error> {
    for feature in ["", "confirm", "store", "graph", "worker", "derive", "remote", "http", "redis"] {
        let mut check = cargo(&root(), "check");
        check.args(["--quiet", "--package", "cache-core", "--no-default-features", "--features", feature]);
        start(&mut check)?;
    }
    // What other systems get is compiled here as well. The flag is for the library alone: nothing else is compiled anew.
    let mut plain = cargo(&root(), "rustc");
    plain.args(["--quiet", "--package", "cache-core", "--lib", "--profile", "check"]);
    start(plain.args(["--", "--cfg", "cache_core_plain"]))?;
    let mut package = cargo(&root(), "package");
    start(package.args([
        "--quiet",
        "--allow-dirty",
        "--package",
        "cache-core",
        "--package",
        "cache-core-derive",
    ]))
}

/// `cargo deny` is not assumed; tidy judges the licences by the same allow-list in any case.
fn licences() -> Result<(), Error> {
    if !runs("cargo-deny") {
        println!("   cargo-deny is not installed; tidy has compared the licences with deny.toml");
        return Ok(());
    }
    start(cargo(&root(), "deny").args(["check", "bans", "licenses", "sources"]))
}
