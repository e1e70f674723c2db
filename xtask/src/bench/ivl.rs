//! `ivl`: the edit histories of the fixtures, with no cache, with basic caching as the edits come, and
//! once more in a new process that finds everything on disk.

use std::collections::BTreeSet;
use std::fs;

use serde_json::json;

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
        "ivl: histories with and without cached results",
        "Time is a multiple of the run without a cache.",
        &[
            "history",
            "cache",
            "implementations",
            "results reused",
            "of them",
            "solver queries",
            "resource",
            "time",
        ],
    );
    let histories = histories()?;
    let progress = bar(histories.len() * rounds);
    let mut queries: Vec<(String, Vec<f64>)> =
        WAYS.iter().map(|way| ((*way).to_owned(), Vec::new())).collect();
    for history in &histories {
        let measured = measure_all(programs, history, rounds, &progress, &mut section)?;
        let base = measured.first().map_or(f64::NAN, |(_, seconds)| *seconds);
        for ((way, (run, seconds)), (_, bars)) in WAYS.iter().zip(&measured).zip(&mut queries) {
            let implementations = run.engine("queries");
            let reused = run.cache("hits");
            table.rows.push(vec![
                history.clone(),
                (*way).to_owned(),
                implementations.to_string(),
                reused.to_string(),
                percent(reused, implementations),
                run.engine("solver_queries").to_string(),
                run.engine("solver_resource").to_string(),
                ratio(seconds / base),
            ]);
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
            command.arg("verify").arg("--snapshots").arg(&file);
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
