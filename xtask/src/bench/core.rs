//! `cache-core`: beside other caches and stores, with its goals; instructions per look-up, which do not depend on
//! the machine, where valgrind is there; and the crate's own micro-benchmarks. [`team`] measures what several machines
//! share, under `ivl`.

mod team;

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::json;

use super::Size;
use super::goals::Goals;
use super::measure;
use super::report::Section;
use super::table::Table;
use crate::error::Error;
use crate::phases::bar;
use crate::process;
use crate::programs::{Programs, target_folder};
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
pub(super) fn section(programs: &Programs, size: Size) -> Result<Section, Error> {
    let mut section = Section { tool: "cache-core", ..Section::default() };
    section.notes.push(
        "Times are processor time of one operation, the least of several rounds in which the systems take turns. \
         Stores force nothing to the medium and take each entry by itself."
            .to_owned(),
    );
    let figures = figures(size)?;
    goals(&figures, &mut section.goals)?;
    section.tables.extend(beside(&figures));
    section.raw.extend(figures.iter().map(|figure| json!(figure)));
    team::add_to(programs, size, &mut section)?;
    if runs("valgrind") {
        section.tables.push(instructions(programs, &mut section.raw)?);
    } else {
        section.notes.push("valgrind is not installed, so instructions were not counted.".to_owned());
    }
    section
        .texts
        .push(("Micro-benchmarks (times of one run, to compare with each other)".to_owned(), micro(size)?));
    Ok(section)
}

/// A figure that `cache-core/peers` printed.
#[derive(Debug, Deserialize, serde::Serialize)]
struct Figure {
    group: String,
    what: String,
    system: String,
    value: f64,
    unit: String,
}

/// Builds and runs `cache-core/peers`.
fn figures(size: Size) -> Result<Vec<Figure>, Error> {
    let mut build = process::cargo(&root(), "build");
    process::run(build.args(["--release", "--package", "cache-core-peers", "--features", "peers"]))?;
    let rounds = match size {
        Size::Smoke => "1",
        Size::Default => "5",
        Size::Full => "9",
    };
    let mut program = Command::new(target_folder()?.join("release/cache-core-peers"));
    let lines = process::stdout(program.arg(rounds))?;
    let figure = |line| serde_json::from_str(line).map_err(|error| unexpected(format!("{error} in {line}")));
    lines.lines().map(figure).collect()
}

fn unexpected(detail: String) -> Error {
    Error::Output { command: "cache-core-peers".to_owned(), detail }
}

/// How much a figure may be.
#[derive(Clone, Copy)]
enum Bound {
    /// Of its unit.
    Value(f64),
    /// Times what `DiskStore` takes for the same.
    Times(f64),
}

const FOUR_PARTS: &str = "a key of four parts";

/// What was set as a goal: what is measured, of what, and how much it may be.
const GOALS: [(&str, (&str, &str), Bound); 5] = [
    (
        "cache-core: a look-up in memory, at most 80 ns",
        ("a look-up among 10,000", "Cache, over a store"),
        Bound::Value(80.0),
    ),
    ("cache-core: a key of four parts, at most 150 ns", (FOUR_PARTS, "KeyBuilder"), Bound::Value(150.0)),
    ("cache-core: 1 MiB of bytes in a key, at most 2 ms", ("1 MiB of bytes", "Checksum"), Bound::Value(2.0)),
    ("cache-core: `Cache` puts, at most 1.5 times the bare store", ("put", "Cache"), Bound::Times(1.5)),
    ("cache-core: `Cache` gets, at most 1.5 times the bare store", ("get", "Cache"), Bound::Times(1.5)),
];

/// Goals of a remote tier, which are told where its servers are installed: what is measured, beside what where it is
/// compared, and how many times that, or how many nanoseconds, it may be.
const REMOTE_GOALS: [(&str, &str, Option<&str>, f64); 4] = [
    (
        "cache-core: a remote hit over HTTP, at most 1.5 times a bare GET",
        "a hit over HTTP",
        Some("ureq"),
        1.5,
    ),
    ("cache-core: a remote hit in Redis, at most 1.5 times a bare GET", "a hit in Redis", Some("redis"), 1.5),
    ("cache-core: 1,000 remote look-ups over HTTP, at most 0.2 s", "1,000 look-ups over HTTP", None, 2e8),
    ("cache-core: 1,000 remote look-ups in Redis, at most 0.2 s", "1,000 look-ups in Redis", None, 2e8),
];

/// Each goal in a line.
fn goals(figures: &[Figure], goals: &mut Goals) -> Result<(), Error> {
    let find = |what: &str, system: &str| {
        let found = figures.iter().find(|figure| figure.what == what && figure.system == system);
        found.ok_or_else(|| unexpected(format!("no figure for `{what}` of {system}")))
    };
    for (goal, (what, system), bound) in GOALS {
        let figure = find(what, system)?;
        let (measured, reached) = match bound {
            Bound::Value(most) => (shown(figure), figure.value <= most),
            Bound::Times(most) => {
                let times = figure.value / find(what, "DiskStore")?.value;
                (format!("{times:.2} times"), times <= most)
            }
        };
        goals.add(goal, measured, Some(reached));
    }
    for (goal, what, beside, most) in REMOTE_GOALS {
        let Ok(figure) = find(what, "Remote") else {
            goals.add(goal, "its server is not installed".to_owned(), None);
            continue;
        };
        let (measured, value) = match beside {
            None => (format!("{:.3} s", figure.value / 1e9), figure.value),
            Some(bare) => {
                let times = figure.value / find(what, bare)?.value;
                (format!("{times:.2} times"), times)
            }
        };
        goals.add(goal, measured, Some(value <= most));
    }
    Ok(())
}

/// A table for each group of figures: a line for each thing that was done and each system.
fn beside(figures: &[Figure]) -> Vec<Table> {
    let groups = [
        (
            "memory",
            "cache-core: look-ups in memory",
            "Of keys that are held, in no order; the answer is cloned.",
        ),
        (
            "disk",
            "cache-core: on disk",
            "50,000 answers of 20 to 56 bytes; room is files, all overhead included.",
        ),
        ("keys", "cache-core: keys", "What a question costs before anything is looked up."),
        (
            "remote",
            "cache-core: a remote cache over loopback",
            "Elapsed time; answers of 200 bytes, each request on a connection that is kept. A hit is checked and unpacked.",
        ),
    ];
    let table = |(group, title, reading): (&str, &str, &str)| {
        let mut table = Table::new(title, reading, &["operation", "system", "figure"]);
        for figure in figures.iter().filter(|figure| figure.group == group) {
            table.rows.push(vec![figure.what.clone(), figure.system.clone(), shown(figure)]);
        }
        table
    };
    groups.into_iter().map(table).collect()
}

fn shown(figure: &Figure) -> String {
    match (figure.unit.as_str(), figure.value) {
        ("ns", ns) if ns >= 10_000.0 => format!("{:.1} us", ns / 1000.0),
        (unit, value) if value < 10.0 => format!("{value:.2} {unit}"),
        (unit, value) => format!("{value:.0} {unit}"),
    }
}

/// Instructions per look-up: of 2N less those of N, divided by N, so that start-up cancels out; less the
/// same for the empty loop.
fn instructions(programs: &Programs, raw: &mut Vec<serde_json::Value>) -> Result<Table, Error> {
    let program = programs.example("lookup_cost");
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
    bench.args(["--quiet", "--package", "cache-core", "--features", "plant", "--bench", "*"]);
    match size {
        // Each benchmark runs once.
        Size::Smoke => bench.args(["--", "--test"]),
        Size::Default => bench.env("DIVAN_MAX_TIME", "0.2"),
        Size::Full => &mut bench,
    };
    process::stdout(&mut bench)
}
