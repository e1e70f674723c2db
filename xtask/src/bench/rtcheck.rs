//! `rtcheck`: what checking costs without a cache, and with each kind, size and depth limit.

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

/// The seven programs of the paper's Table 1, in its order.
const PROGRAMS: [&str; 7] = ["amqueue", "set", "avl", "heap", "btree", "rbtree", "tree"];
const DEPTHS: [&str; 3] = ["1", "2", "none"];

/// One way to run a program.
#[derive(Debug, Clone)]
struct Setting {
    name: String,
    depth: Option<&'static str>,
    options: Vec<String>,
}

fn settings() -> Vec<Setting> {
    let plain = |name: &str, options: &[&str]| Setting {
        name: name.to_owned(),
        depth: None,
        options: options.iter().map(|option| (*option).to_owned()).collect(),
    };
    let mut settings = vec![
        plain("no checks", &["--checks", "off"]),
        plain("no cache", &["--checks", "on", "--check-cache", "none"]),
    ];
    for kind in ["direct", "lru"] {
        for entries in ["32", "256"] {
            for depth in DEPTHS {
                let mut setting = plain(
                    &format!("{kind} {entries}"),
                    &["--checks", "on", "--check-cache", kind, "--cache-size", entries],
                );
                setting.depth = Some(depth);
                setting.options.extend(["--depth-limit".to_owned(), depth.to_owned()]);
                settings.push(setting);
            }
        }
    }
    settings
}

/// Runs every setting on all programs for growing N.
pub(super) fn section(programs: &Programs, size: Size) -> Result<Section, Error> {
    let (sizes, rounds): (&[usize], usize) = match size {
        Size::Smoke => (&[16, 64], 1),
        Size::Default => (&[64, 256, 1024], 3),
        Size::Full => (&[64, 128, 256, 512, 1024, 2048], 5),
    };
    let mut section = Section { tool: "rtcheck", ..Section::default() };
    section.notes.push(
        "The benchmark programs of the property-caching paper insert N elements one by one. A check is one \
         question whether a term has a type; a node visit is one cell of a term that the checker looked at."
            .to_owned(),
    );
    let settings = settings();
    let progress = bar(PROGRAMS.len() * sizes.len() * rounds);
    let mut heads = vec!["program", "N", "cache", "checks"];
    for head in [
        "depth 1: visits",
        "hits",
        "time",
        "depth 2: visits",
        "hits",
        "time",
        "no limit: visits",
        "hits",
        "time",
    ] {
        heads.push(head);
    }
    let mut table = Table::new(
        "rtcheck: cost of checks",
        "Time is a multiple of the run without checks. A depth limit is how deep below the root of a checked \
         term results are still remembered.",
        &heads,
    );
    for program in PROGRAMS {
        let mut visits: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        let mut times: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        for &n in sizes {
            let measured = measure_all(programs, program, n, &settings, rounds, &progress, &mut section)?;
            let base = measured.first().map_or(f64::NAN, |(_, seconds)| *seconds);
            let mut row: Vec<String> = Vec::new();
            for (setting, (run, seconds)) in settings.iter().zip(&measured) {
                if setting.depth.is_none_or(|depth| depth == DEPTHS[0]) {
                    row = vec![
                        program.to_owned(),
                        n.to_string(),
                        setting.name.clone(),
                        run.engine("checks").to_string(),
                    ];
                    if setting.depth.is_none() {
                        // Without a cache there is no depth to limit: the figures stand in the last group.
                        row.extend(std::iter::repeat_n(String::new(), 6));
                    }
                }
                row.extend([
                    run.engine("node_visits").to_string(),
                    run.cache("hits").to_string(),
                    ratio(seconds / base),
                ]);
                if setting.depth.is_none_or(|depth| depth == "none") {
                    table.rows.push(std::mem::take(&mut row));
                    add_point(&mut times, &setting.name, (n as f64, seconds / base));
                    if setting.name != "no checks" {
                        add_point(&mut visits, &setting.name, (n as f64, run.engine("node_visits") as f64));
                    }
                }
            }
        }
        let chart = |what: &str, series| {
            Chart::Lines(Lines {
                title: format!("{program}: {what}, no depth limit"),
                across: "N".to_owned(),
                up: what.to_owned(),
                series,
            })
        };
        section.charts.push(chart("node visits", visits));
        section.charts.push(chart("time as a multiple of no checks", times));
    }
    progress.finish_and_clear();
    section.tables.push(table);
    Ok(section)
}

/// Runs all settings in turn, `rounds` times; returns each one's counts, which are the same every time,
/// and its median time.
fn measure_all(
    programs: &Programs,
    program: &str,
    n: usize,
    settings: &[Setting],
    rounds: usize,
    progress: &indicatif::ProgressBar,
    section: &mut Section,
) -> Result<Vec<(Run, f64)>, Error> {
    let file = root().join("fixtures/prolog").join(format!("{program}.pl"));
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); settings.len()];
    for _ in 0..rounds {
        for (setting, runs) in settings.iter().zip(&mut runs) {
            let scratch = Scratch::new()?;
            let mut command = programs.command("rtcheck", &scratch);
            command.arg("run").arg(&file);
            let options: Vec<&str> = setting.options.iter().map(String::as_str).collect();
            let run = measure::run(command, &options, &["--", &n.to_string()])?;
            section.raw.push(json!({
                "program": program, "n": n, "cache": setting.name, "depth_limit": setting.depth,
                "seconds": run.seconds, "stats": run.stats,
            }));
            runs.push(run);
        }
        progress.inc(1);
    }
    Ok(measure::last_and_median(runs))
}
