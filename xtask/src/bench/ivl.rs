//! `ivl`: the edit histories of the fixtures, with no cache, with basic caching as the edits come, and
//! once more in a new process that finds everything on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Value, json};

use super::Size;
use super::chart::{Bars, Chart};
use super::measure::{self, Run};
use super::report::Section;
use super::table::{Table, percent, ratio};
use crate::error::Error;
use crate::phases::bar;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::root;

const FOLDER: &str = "fixtures/boogie";
/// In Z3's unit: the same on every machine, and far more than these programs need.
const RESOURCE: &str = "20000000";
const WAYS: [&str; 3] = ["no cache", "basic", "after restart"];

/// Verifies every history in every way.
pub(super) fn section(programs: &Programs, size: Size) -> Result<Section, Error> {
    let rounds = match size {
        Size::Smoke => 1,
        Size::Default => 3,
        Size::Full => 7,
    };
    let mut section = Section { tool: "ivl", ..Section::default() };
    section.notes.push(
        "Each history is a program and its edits, verified in order. A solver query is one satisfiability check \
         that reached Z3; the resource is Z3's own count of its work."
            .to_owned(),
    );
    let mut table = Table::new(
        "ivl: each snapshot without a cache, with basic caching, and after a restart from disk",
        "Reused: implementations whose result was there. Resource and solver queries: what was still asked of \
         Z3. Time is a multiple of the run without a cache.",
        &[
            "history",
            "snapshot",
            "implementations",
            "reused: basic",
            "restart",
            "resource: no cache",
            "basic",
            "restart",
            "queries: no cache",
            "basic",
            "restart",
            "time: basic",
            "restart",
        ],
    );
    let histories = histories()?;
    let progress = bar(histories.len() * rounds);
    let mut queries: Vec<(String, Vec<f64>)> =
        WAYS.iter().map(|way| ((*way).to_owned(), Vec::new())).collect();
    for history in &histories {
        let measured = measure_all(programs, history, rounds, &progress, &mut section)?;
        let ways: Vec<BTreeMap<String, Snapshot>> =
            measured.iter().map(|(run, _)| snapshots(&run.stdout)).collect();
        for version in ways.first().map(BTreeMap::keys).into_iter().flatten() {
            let of = |way: usize| ways.get(way).and_then(|way| way.get(version)).copied().unwrap_or_default();
            table.rows.push(
                [history.clone(), version.clone(), of(0).implementations.to_string()]
                    .into_iter()
                    .chain([1, 2].map(|way| of(way).reused.to_string()))
                    .chain([0, 1, 2].map(|way| of(way).resource.to_string()))
                    .collect(),
            );
        }
        let of = |way: usize, count: fn(&Run) -> u64| measured.get(way).map_or(0, |(run, _)| count(run));
        let time = |way: usize| measured.get(way).map_or(f64::NAN, |(_, seconds)| *seconds);
        let sum = |way: usize, count: fn(&Snapshot) -> u64| {
            ways.get(way).map_or(0, |way| way.values().map(count).sum())
        };
        let implementations = sum(0, |snapshot| snapshot.implementations);
        table.rows.push(
            [history.clone(), "all".to_owned(), implementations.to_string()]
                .into_iter()
                .chain([1, 2].map(|way| percent(sum(way, |snapshot| snapshot.reused), implementations)))
                .chain([0, 1, 2].map(|way| of(way, |run| run.engine("solver_resource")).to_string()))
                .chain([0, 1, 2].map(|way| of(way, |run| run.engine("solver_queries")).to_string()))
                .chain([1, 2].map(|way| ratio(time(way) / time(0))))
                .collect(),
        );
        for ((run, _), (_, bars)) in measured.iter().zip(&mut queries) {
            bars.push(run.engine("solver_queries") as f64);
        }
    }
    progress.finish_and_clear();
    section.tables.push(table);
    section.charts.push(Chart::Bars(Bars {
        title: "solver queries over each history".to_owned(),
        up: "solver queries".to_owned(),
        groups: histories,
        series: queries,
    }));
    Ok(section)
}

/// What one version of a program took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Snapshot {
    implementations: u64,
    reused: u64,
    resource: u64,
}

/// Adds up the lines of `--json`, one per implementation, by the version in the name of their file.
fn snapshots(printed: &str) -> BTreeMap<String, Snapshot> {
    let mut snapshots: BTreeMap<String, Snapshot> = BTreeMap::new();
    for line in printed.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let file = line["at"]["file"].as_str().unwrap_or_default();
        let Some(version) =
            file.trim_end_matches(".bpl").rsplit('.').next().filter(|_| line["kind"] == "implementation")
        else {
            continue;
        };
        let snapshot = snapshots.entry(version.to_owned()).or_default();
        snapshot.implementations += 1;
        snapshot.reused += u64::from(line["origin"] != "solver");
        snapshot.resource += line["resource"].as_u64().unwrap_or(0);
    }
    snapshots
}

/// Names of histories: every `NAME.v0.bpl` begins one.
fn histories() -> Result<Vec<String>, Error> {
    let folder = root().join(FOLDER);
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(&folder).map_err(Error::reading(&folder))? {
        let name = entry.map_err(Error::reading(&folder))?.file_name();
        names.extend(name.to_string_lossy().strip_suffix(".v0.bpl").map(str::to_owned));
    }
    Ok(names.into_iter().collect())
}

/// Runs all ways in turn, `rounds` times, each time with a new cache folder.
fn measure_all(
    programs: &Programs,
    history: &str,
    rounds: usize,
    progress: &indicatif::ProgressBar,
    section: &mut Section,
) -> Result<Vec<(Run, f64)>, Error> {
    let file = root().join(FOLDER).join(format!("{history}.bpl"));
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); WAYS.len()];
    for _ in 0..rounds {
        let scratch = Scratch::new()?;
        let cache = scratch.path().join("cache");
        let cache = cache.to_string_lossy();
        for (way, runs) in WAYS.into_iter().zip(&mut runs) {
            let mode = if way == "no cache" { "off" } else { "read-write" };
            let mut command = programs.command("ivl", &scratch);
            command.arg("verify").arg("--snapshots").arg(&file).arg("--json");
            let run =
                measure::run(command, &["--cache", mode, "--cache-dir", &cache, "--rlimit", RESOURCE], &[])?;
            section.raw.push(json!({
                "history": history, "cache": way, "seconds": run.seconds, "stats": run.stats,
            }));
            runs.push(run);
        }
        progress.inc(1);
    }
    Ok(measure::last_and_median(runs))
}

#[cfg(test)]
mod tests {
    use super::{Snapshot, snapshots};

    #[test]
    fn lines_are_added_up_by_version() {
        let line = |version: u8, origin: &str, resource: u32| {
            format!(
                "{{\"kind\":\"implementation\",\"at\":{{\"file\":\"a.b/h.v{version}.bpl\"}},\"origin\":\"{origin}\",\"resource\":{resource}}}\n"
            )
        };
        let text =
            line(0, "solver", 5) + &line(1, "memory", 0) + &line(1, "solver", 7) + "{\"kind\":\"summary\"}\n";
        let found: Vec<(String, Snapshot)> = snapshots(&text).into_iter().collect();
        let snapshot = |implementations, reused, resource| Snapshot { implementations, reused, resource };
        assert_eq!(found, [("v0".to_owned(), snapshot(1, 0, 5)), ("v1".to_owned(), snapshot(2, 1, 7))]);
    }
}
