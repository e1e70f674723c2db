//! `cache-core`: instructions per look-up, which do not depend on the machine, where valgrind is there;
//! and the crate's own micro-benchmarks.

use std::path::Path;

use serde_json::json;

use super::Size;
use super::measure;
use super::report::Section;
use super::table::Table;
use crate::error::Error;
use crate::phases::bar;
use crate::process;
use crate::programs::target_folder;
use crate::setup::{root, runs};

/// What `examples/lookup_cost.rs` can do: a name for the reader, its argument, and the argument for the
/// same loop without a look-up.
const LOOKUPS: [(&str, &str, &str); 9] = [
    ("direct-mapped, keys of one word", "direct-mapped:u32", "loop:u32"),
    ("direct-mapped", "direct-mapped", "loop"),
    ("direct-mapped, with statistics", "direct-mapped+counting", "loop"),
    ("LRU", "lru", "loop"),
    ("LRU, with statistics", "lru+counting", "loop"),
    ("S3-FIFO", "s3-fifo", "loop"),
    ("S3-FIFO, with statistics", "s3-fifo+counting", "loop"),
    ("unbounded", "unbounded", "loop"),
    ("unbounded, with statistics", "unbounded+counting", "loop"),
];
const N: u64 = 20_000;

/// Counts and measures.
pub(super) fn section(size: Size) -> Result<Section, Error> {
    let mut section = Section { tool: "cache-core", ..Section::default() };
    if runs("valgrind") {
        section.tables.push(instructions(&mut section.raw)?);
    } else {
        section.notes.push("valgrind is not installed, so instructions were not counted.".to_owned());
    }
    section
        .texts
        .push(("Micro-benchmarks (times of one run, to compare with each other)".to_owned(), micro(size)?));
    Ok(section)
}

/// Instructions per look-up: of 2N less those of N, divided by N, so that start-up cancels out; less the
/// same for the empty loop.
fn instructions(raw: &mut Vec<serde_json::Value>) -> Result<Table, Error> {
    let mut build = process::cargo(&root(), "build");
    process::run(build.args(["--release", "--package", "cache-core", "--example", "lookup_cost"]))?;
    let program = target_folder()?.join("release/examples/lookup_cost");
    let mut table = Table::new(
        "cache-core: instructions per look-up of a held key",
        "256 entries; the loop around the look-up is subtracted. Keys are pairs of two words, as of a term and \
         its type, unless said otherwise.",
        &["policy", "instructions", "of which the loop"],
    );
    let progress = bar(LOOKUPS.len());
    for (name, what, empty) in LOOKUPS {
        let (with, without) = (per_operation(&program, what)?, per_operation(&program, empty)?);
        raw.push(json!({ "lookup": what, "instructions": with, "loop": without }));
        table.rows.push(vec![name.to_owned(), format!("{:.1}", with - without), format!("{without:.1}")]);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(table)
}

fn per_operation(program: &Path, what: &str) -> Result<f64, Error> {
    let count = |operations: u64| measure::instructions(program, &[what.to_owned(), operations.to_string()]);
    let (once, twice) = (count(N)?, count(2 * N)?);
    Ok(twice.saturating_sub(once) as f64 / N as f64)
}

fn micro(size: Size) -> Result<String, Error> {
    let mut bench = process::cargo(&root(), "bench");
    bench.args(["--quiet", "--package", "cache-core", "--bench", "*"]);
    match size {
        // Each benchmark runs once.
        Size::Smoke => bench.args(["--", "--test"]),
        Size::Default => bench.env("DIVAN_MAX_TIME", "0.2"),
        Size::Full => &mut bench,
    };
    process::stdout(&mut bench)
}
