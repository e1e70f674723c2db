//! `rtcheck`: what checking costs without a cache, and with each kind, size and depth limit.

use std::path::PathBuf;

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
use crate::setup::{root, runs};

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

/// What a run costs beyond starting the program and reading the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cost {
    /// Exact, where valgrind is there; in the full run only, since it takes many times as long.
    Instructions,
    /// Coarse: the runs are short.
    Seconds,
}

/// Runs every setting on the programs for growing N.
pub(super) fn section(programs: &Programs, size: Size) -> Result<Section, Error> {
    let cost = if size == Size::Full && runs("valgrind") { Cost::Instructions } else { Cost::Seconds };
    // Counts are the same in each round.
    let rounds = if size > Size::Smoke && cost == Cost::Seconds { 5 } else { 1 };
    let mut section = Section { tool: "rtcheck", ..Section::default() };
    section.notes.push(
        "The benchmark programs of the property-caching paper insert N elements one by one. A check is one \
         question whether a term has a type; a node visit is one cell of a term that the checker looked at."
            .to_owned(),
    );
    let settings = settings();
    let progress = bar(PROGRAMS.iter().map(|program| sizes(program, size).len()).sum::<usize>() * rounds);
    let mut heads = vec!["program", "N", "cache", "checks"];
    for depth in ["depth 1: visits", "depth 2: visits", "no limit: visits"] {
        heads.extend([depth, "hits", "cost"]);
    }
    let unit = match cost {
        Cost::Instructions => "instructions, counted by valgrind",
        Cost::Seconds => "processor time, and none where the run without checks is too short to tell",
    };
    let reading = format!(
        "Cost is a multiple of the run without checks, in {unit}; starting the program is subtracted. A depth \
         limit is how deep below the root of a checked term results are still remembered."
    );
    let mut table = Table::new("rtcheck: cost of checks", &reading, &heads);
    for program in PROGRAMS {
        let mut visits: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        let mut costs: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        for &n in sizes(program, size) {
            let measured = {
                let bench = Bench { programs, program, n, cost };
                bench.measure_all(&settings, rounds, &progress, &mut section)?
            };
            let base = measured.first().map_or(f64::NAN, |(_, cost)| *cost);
            let mut row: Vec<String> = Vec::new();
            for (setting, (run, cost)) in settings.iter().zip(&measured) {
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
                    ratio(cost / base),
                ]);
                if setting.depth.is_none_or(|depth| depth == "none") {
                    table.rows.push(std::mem::take(&mut row));
                    add_point(&mut costs, &setting.name, (n as f64, cost / base));
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
        // One point is no line.
        if sizes(program, size).len() > 1 {
            section.charts.push(chart("node visits", visits));
            section.charts.push(chart("cost as a multiple of no checks", costs));
        }
    }
    progress.finish_and_clear();
    section.tables.push(table);
    Ok(section)
}

/// The numbers of elements for a program: by default the first and the last group of the paper grow, and
/// the others show one point.
fn sizes(program: &str, size: Size) -> &'static [usize] {
    match size {
        Size::Smoke => &[16, 64],
        Size::Default if ["amqueue", "tree"].contains(&program) => &[64, 256, 1024],
        Size::Default => &[64],
        Size::Full => &[64, 128, 256, 512, 1024, 2048],
    }
}

fn file(program: &str) -> PathBuf {
    root().join("fixtures/prolog").join(format!("{program}.pl"))
}

/// One program at one size.
struct Bench<'p> {
    programs: &'p Programs,
    program: &'static str,
    n: usize,
    cost: Cost,
}

impl Bench<'_> {
    /// Runs all settings in turn, `rounds` times; returns each one's counts, which are the same every
    /// time, and its cost. Not a number where the cost is too small to be told from that of starting.
    fn measure_all(
        &self,
        settings: &[Setting],
        rounds: usize,
        progress: &indicatif::ProgressBar,
        section: &mut Section,
    ) -> Result<Vec<(Run, f64)>, Error> {
        let mut runs: Vec<Vec<Run>> = vec![Vec::new(); settings.len()];
        // Starting without checks and with: the latter compiles more.
        let mut starts: [Vec<Run>; 2] = Default::default();
        for _ in 0..rounds {
            for (start, setting) in starts.iter_mut().zip(settings) {
                start.push(self.run(setting, 1)?);
            }
            for (setting, runs) in settings.iter().zip(&mut runs) {
                runs.push(self.run(setting, self.n)?);
            }
            progress.inc(1);
        }
        let mut starting = [0.0; 2];
        for (starting, (setting, (_, seconds))) in
            starting.iter_mut().zip(settings.iter().zip(measure::last_and_median(starts.into())))
        {
            *starting = match self.cost {
                Cost::Seconds => seconds,
                Cost::Instructions => self.instructions(setting, 1)? as f64,
            };
        }
        let mut measured = measure::last_and_median(runs);
        for (index, (setting, (run, cost))) in settings.iter().zip(&mut measured).enumerate() {
            let (seconds, start) = (*cost, starting[index.min(1)]);
            let mut instructions = None;
            *cost = match self.cost {
                Cost::Seconds => {
                    let beyond = seconds - start;
                    if beyond < 0.002 { f64::NAN } else { beyond }
                }
                Cost::Instructions => {
                    let all = self.instructions(setting, self.n)?;
                    instructions = Some(all);
                    all as f64 - start
                }
            };
            section.raw.push(json!({
                "program": self.program, "n": self.n, "cache": setting.name, "depth_limit": setting.depth,
                "seconds": seconds, "instructions": instructions, "stats": run.stats,
            }));
        }
        Ok(measured)
    }

    fn run(&self, setting: &Setting, n: usize) -> Result<Run, Error> {
        let scratch = Scratch::new()?;
        let mut command = self.programs.command("rtcheck", &scratch);
        command.arg("run").arg(file(self.program));
        let options: Vec<&str> = setting.options.iter().map(String::as_str).collect();
        measure::run(command, &options, &["--", &n.to_string()])
    }

    fn instructions(&self, setting: &Setting, n: usize) -> Result<u64, Error> {
        let file = file(self.program).to_string_lossy().into_owned();
        let mut arguments = vec!["run".to_owned(), file];
        arguments.extend(setting.options.iter().cloned());
        arguments.extend(["--".to_owned(), n.to_string()]);
        measure::instructions(&self.programs.path("rtcheck"), &arguments)
    }
}
