//! `symexec`: the matrix of Figure 1 of the query-caching paper, with growing size and growing numbers of
//! forks before the allocation, under each query cache.

use serde_json::json;

use super::Size;
use super::chart::{Chart, Lines, add_point};
use super::measure::{self, Run};
use super::report::Section;
use super::table::{Table, ratio};
use crate::error::Error;
use crate::phases::bar;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::root;

const PROGRAM: &str = "fixtures/c/matrix.c";
/// Where C sources find KLEE's declarations.
const INCLUDE: &str = "symexec/runtime/include";
const CACHES: [&str; 3] = ["none", "plain", "address-aware"];

/// Runs the program at every size with every cache.
pub(super) fn section(programs: &Programs, size: Size) -> Result<Section, Error> {
    // Rows and columns, and symbolic branches before the allocation.
    let (points, rounds): (&[(usize, usize)], usize) = match size {
        Size::Smoke => (&[(2, 1), (4, 1)], 1),
        Size::Default => (&[(4, 1), (4, 2), (4, 3), (4, 4), (8, 3), (12, 3)], 3),
        Size::Full => (&[(4, 1), (4, 2), (4, 3), (4, 4), (4, 5), (4, 6), (8, 3), (12, 3), (16, 3)], 5),
    };
    let mut section = Section { tool: "symexec", ..Section::default() };
    section.notes.push(
        "A table of N rows of N bytes is allocated after a number of symbolic branches that allocate as well, so \
         that every path has the table at other addresses; then it is read at a symbolic row and column. An \
         engine query is what exploration asks; a solver query is what reached Z3."
            .to_owned(),
    );
    let mut table = Table::new(
        "symexec: queries under each cache",
        "Time is a multiple of the run without a query cache.",
        &[
            "N",
            "forks",
            "query cache",
            "paths",
            "engine queries",
            "solver queries",
            "cache hits",
            "solver resource",
            "time",
        ],
    );
    let progress = bar(points.len() * rounds);
    let mut queries = Vec::new();
    let mut times = Vec::new();
    for &(n, forks) in points {
        let measured = measure_all(programs, n, forks, rounds, &progress, &mut section)?;
        let base = measured.first().map_or(f64::NAN, |(_, seconds)| *seconds);
        for (cache, (run, seconds)) in CACHES.into_iter().zip(&measured) {
            table.rows.push(vec![
                n.to_string(),
                forks.to_string(),
                cache.to_owned(),
                run.result("paths").to_string(),
                run.engine("queries").to_string(),
                run.engine("solver_queries").to_string(),
                run.cache("hits").to_string(),
                run.engine("solver_resource").to_string(),
                ratio(seconds / base),
            ]);
            if n == 4 {
                add_point(&mut queries, cache, (forks as f64, run.engine("solver_queries") as f64));
                add_point(&mut times, cache, (forks as f64, seconds / base));
            }
        }
    }
    progress.finish_and_clear();
    section.tables.push(table);
    let chart = |what: &str, series| {
        Chart::Lines(Lines {
            title: format!("{what}, N = 4"),
            across: "forks before the allocation".to_owned(),
            up: what.to_owned(),
            series,
        })
    };
    section.charts.push(chart("solver queries", queries));
    section.charts.push(chart("time as a multiple of no cache", times));
    Ok(section)
}

/// Runs all caches in turn, `rounds` times; returns each one's counts and its median time.
fn measure_all(
    programs: &Programs,
    n: usize,
    forks: usize,
    rounds: usize,
    progress: &indicatif::ProgressBar,
    section: &mut Section,
) -> Result<Vec<(Run, f64)>, Error> {
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); CACHES.len()];
    for _ in 0..rounds {
        for (cache, runs) in CACHES.into_iter().zip(&mut runs) {
            let scratch = Scratch::new()?;
            let mut command = programs.command("symexec", &scratch);
            command.arg("run").arg(root().join(PROGRAM)).arg("-I").arg(root().join(INCLUDE));
            command.arg("--output-dir").arg(scratch.path().join("out"));
            let (n_macro, forks_macro) = (format!("N={n}"), format!("FORKS={forks}"));
            let run =
                measure::run(command, &["--query-cache", cache, "-D", &n_macro, "-D", &forks_macro], &[])?;
            section.raw.push(json!({
                "program": PROGRAM, "n": n, "forks": forks, "query_cache": cache,
                "seconds": run.seconds, "stats": run.stats,
            }));
            runs.push(run);
        }
        progress.inc(1);
    }
    Ok(measure::last_and_median(runs))
}
