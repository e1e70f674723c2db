//! Measurements of the programs at points of a grid: program, N, and how checks are done.
//!
//! `rtcheck/examples/check_cost.rs` does the work: one process per program and kind of measurement, in which
//! all settings take turns, so that neither starting nor reading the program is measured.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::workload::Program;
use crate::error::Error;
use crate::phases::bar;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::workers::side_by_side;

/// How results are remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Policy {
    /// Algorithm 1 of the paper with a direct-mapped table.
    Direct,
    /// The same with a fully associative table that drops what was not used for longest.
    Lru,
    /// S3-FIFO, and arguments of what was checked just before inherit their types.
    Ours,
    /// The paper's policies with that inheritance.
    DirectInheriting,
    LruInheriting,
    /// The default: types beside the cells of terms, without a size or a limit.
    Cells,
}

impl Policy {
    /// Those that the figures compare.
    pub(super) const COMPARED: [Policy; 3] = [Policy::Direct, Policy::Lru, Policy::Ours];
    /// All of them.
    pub(super) const ALL: [Policy; 6] = [
        Policy::Direct,
        Policy::Lru,
        Policy::Ours,
        Policy::DirectInheriting,
        Policy::LruInheriting,
        Policy::Cells,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Policy::Direct => "direct-mapped",
            Policy::Lru => "LRU",
            Policy::Ours => "S3-FIFO, inheriting",
            Policy::DirectInheriting => "direct-mapped, inheriting",
            Policy::LruInheriting => "LRU, inheriting",
            Policy::Cells => "beside the cells",
        }
    }

    /// A letter, as in the paper's Table 1.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Policy::Direct => "D",
            Policy::Lru => "L",
            Policy::Ours => "S",
            Policy::DirectInheriting => "Di",
            Policy::LruInheriting => "Li",
            Policy::Cells => "C",
        }
    }

    fn option(self) -> &'static str {
        match self {
            Policy::Direct | Policy::DirectInheriting => "direct",
            Policy::Lru | Policy::LruInheriting => "lru",
            Policy::Ours => "s3fifo",
            Policy::Cells => "cells",
        }
    }

    fn inherits(self) -> bool {
        !matches!(self, Policy::Direct | Policy::Lru)
    }
}

/// How deep below the root of a checked term results are still remembered; `None` is no limit.
pub(super) type Depth = Option<u32>;

/// A depth limit in words.
pub(super) fn limit(depth: Depth) -> String {
    depth.map_or_else(|| "none".to_owned(), |depth| depth.to_string())
}

/// How checks are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Setting {
    Unchecked,
    /// The same checker, remembering nothing.
    Uncached,
    /// That, with the older transformation, which evaluates a precondition again for each condition it is part of.
    Older,
    Cached {
        policy: Policy,
        size: usize,
        depth: Depth,
    },
    /// Every so many levels, without a limit and with room for all.
    EveryLevel(u32),
    /// What users get: types beside the cells, and what is proved when the program is loaded is not checked.
    Proved,
}

impl Setting {
    fn json(self, n: usize) -> Value {
        let (policy, size, depth, every, inherit) = match self {
            Setting::Unchecked | Setting::Uncached | Setting::Older => ("none", 0, None, 1, false),
            Setting::Cached { policy, size, depth } => (policy.option(), size, depth, 1, policy.inherits()),
            Setting::EveryLevel(every) => ("lru", 1 << 20, None, every, false),
            Setting::Proved => (Policy::Cells.option(), 256, Some(2), 1, true),
        };
        json!({
            "n": n, "checks": self != Setting::Unchecked, "cache": policy, "size": size, "depth_limit": depth,
            "every": every, "inherit": inherit, "shares": self != Setting::Older,
            "analysis": self == Setting::Proved,
        })
    }
}

/// What a run cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    pub(super) checks: u64,
    pub(super) visits: u64,
    pub(super) evicted: u64,
    pub(super) inserted: u64,
    pub(super) deepest: u64,
    /// Processor time, where it was measured.
    pub(super) seconds: Option<f64>,
    /// Instructions, where they were counted.
    pub(super) instructions: Option<f64>,
}

/// A point of the grid.
pub(super) type Point = (&'static str, usize, Setting);

/// How precisely processor times are measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timing {
    /// How often settings take turns; the median counts.
    pub(super) rounds: usize,
    /// How long one measurement takes at least, in seconds.
    pub(super) least: f64,
}

/// All measurements of one invocation.
pub(super) struct Grid {
    scratch: Scratch,
    driver: PathBuf,
    costs: BTreeMap<Point, Cost>,
}

impl Grid {
    /// Nothing measured yet.
    pub(super) fn new(programs: &Programs) -> Result<Grid, Error> {
        Ok(Grid { scratch: Scratch::new()?, driver: programs.example("check_cost"), costs: BTreeMap::new() })
    }

    /// What a point cost, if it was measured.
    pub(super) fn get(&self, program: &'static str, n: usize, setting: Setting) -> Option<&Cost> {
        self.costs.get(&(program, n, setting))
    }

    /// A quantity of a point as a multiple of that of another setting.
    pub(super) fn ratio(
        &self,
        (program, n, setting): Point,
        base: Setting,
        of: fn(&Cost) -> Option<f64>,
    ) -> Option<f64> {
        let (cost, base) = (self.get(program, n, setting)?, self.get(program, n, base)?);
        Some(of(cost)? / of(base)?)
    }

    /// Measures times and counts of a program at points, given as N and setting; what was measured before is
    /// left as it is.
    pub(super) fn time(
        &mut self,
        program: &Program,
        points: &[(usize, Setting)],
        timing: Timing,
    ) -> Result<(), Error> {
        let points: Vec<_> = points
            .iter()
            .filter(|(n, setting)| {
                self.get(program.name, *n, *setting).is_none_or(|cost| cost.seconds.is_none())
            })
            .copied()
            .collect();
        if points.is_empty() {
            return Ok(());
        }
        let plan = plan(&self.scratch, program, &points, timing)?;
        let mut command = Command::new(&self.driver);
        let records = records(&self.scratch, command.arg(&plan), points.len())?;
        for ((n, setting), record) in points.into_iter().zip(&records) {
            let cost = self.costs.entry((program.name, n, setting)).or_default();
            let count = |name: &str| record[name].as_u64().unwrap_or(0);
            *cost = Cost {
                checks: count("checks"),
                visits: count("visits"),
                evicted: count("evicted"),
                inserted: count("inserted"),
                deepest: count("deepest"),
                seconds: record["seconds"].as_f64(),
                instructions: cost.instructions,
            };
        }
        Ok(())
    }

    /// Counts the instructions of programs at points. They do not depend on the machine's load, so that programs are
    /// counted side by side.
    pub(super) fn count(&mut self, plans: &[(&Program, Vec<(usize, Setting)>)]) -> Result<(), Error> {
        let progress = bar(plans.len());
        let counts = side_by_side(plans, |(program, points)| {
            let counts = counted(&self.driver, program, points);
            progress.inc(1);
            counts
        });
        progress.finish_and_clear();
        for ((program, points), counts) in plans.iter().zip(counts) {
            for ((n, setting), count) in points.iter().zip(counts?) {
                self.costs.entry((program.name, *n, *setting)).or_default().instructions = Some(count);
            }
        }
        Ok(())
    }

    /// Every measurement, for the report's raw numbers.
    pub(super) fn write_raw(&self, raw: &mut Vec<Value>) {
        for ((program, n, setting), cost) in &self.costs {
            let mut record = setting.json(*n);
            record["program"] = json!(program);
            record["cost"] = json!({
                "checks": cost.checks, "visits": cost.visits, "inserted": cost.inserted,
                "evicted": cost.evicted, "deepest": cost.deepest, "seconds": cost.seconds,
                "instructions": cost.instructions,
            });
            raw.push(record);
        }
    }
}

/// Writes down what the driver is to run.
fn plan(
    scratch: &Scratch,
    program: &Program,
    points: &[(usize, Setting)],
    timing: Timing,
) -> Result<PathBuf, Error> {
    let file = program.write(scratch.path())?;
    let runs: Vec<Value> = points.iter().map(|(n, setting)| setting.json(*n)).collect();
    let plan = json!({ "program": file, "rounds": timing.rounds, "least": timing.least, "runs": runs });
    let path = scratch.path().join("plan.json");
    fs::write(&path, plan.to_string()).map_err(Error::writing(&path))?;
    Ok(path)
}

/// What the driver says of so many points.
fn records(scratch: &Scratch, command: &mut Command, count: usize) -> Result<Vec<Value>, Error> {
    scratch.guard(command);
    let text = process::stdout(command)?;
    let unexpected = || Error::Output { command: process::shown(command), detail: text.clone() };
    let records: Vec<Value> = serde_json::from_str(&text).map_err(|_| unexpected())?;
    if records.len() == count { Ok(records) } else { Err(unexpected()) }
}

/// How many instructions a program takes at points.
fn counted(driver: &Path, program: &Program, points: &[(usize, Setting)]) -> Result<Vec<f64>, Error> {
    let scratch = Scratch::new()?;
    let plan = plan(&scratch, program, points, Timing { rounds: 0, least: 0.0 })?;
    let out = scratch.path().join("count");
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--toggle-collect=check_cost::measured"])
        .arg("--dump-after=check_cost::measured")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(driver)
        .arg(&plan);
    records(&scratch, &mut command, points.len())?;
    // Valgrind writes a file per call, numbered from 1.
    let total = |call: usize| {
        let path = out.with_extension(call.to_string());
        let text = fs::read_to_string(&path).map_err(Error::reading(&path))?;
        let total = text.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
        total.ok_or_else(|| Error::Output {
            command: process::shown(&command),
            detail: "no totals".to_owned(),
        })
    };
    (1..=points.len()).map(total).collect()
}

/// Processor time, for [`Grid::ratio`].
pub(super) fn seconds(cost: &Cost) -> Option<f64> {
    cost.seconds
}

/// Instructions, for [`Grid::ratio`].
pub(super) fn instructions(cost: &Cost) -> Option<f64> {
    cost.instructions
}

/// The geometric mean; not a number of nothing.
pub(super) fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}
