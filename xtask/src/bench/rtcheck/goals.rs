//! What the project set out to reach, and what was measured: more carefully than the grid, since a yes or no
//! hangs on it.

use serde_json::Value;

use super::super::table::{Table, ratio};
use super::Extent;
use super::grid::{Grid, Policy, Setting, geometric_mean, seconds};
use super::length::Length;
use super::workload::{PROGRAMS, Program};
use crate::error::Error;

/// The least overhead over all policies, and which policy has it.
struct Best {
    overhead: f64,
    policy: Policy,
}

fn best(grid: &Grid, program: &Program, n: usize, size: usize) -> Option<Best> {
    let overheads = Policy::ALL.into_iter().filter_map(|policy| {
        let setting = Setting::Cached { policy, size, depth: Some(2) };
        let overhead = grid.ratio((program.name, n, setting), Setting::Unchecked, seconds)?;
        Some(Best { overhead, policy })
    });
    overheads.reduce(|one, other| if other.overhead < one.overhead { other } else { one })
}

/// Measures, and answers each goal.
/// `against_swi` is the geometric mean of the engine's times divided by SWI-Prolog's, where it was measured.
pub(super) fn tables(
    extent: &Extent,
    length: &Length,
    against_swi: Option<f64>,
    raw: &mut Vec<Value>,
) -> Result<Vec<Table>, Error> {
    let mut grid = Grid::new()?;
    let (small, large) = (64, 1024);
    for program in &PROGRAMS {
        let settings = |size: usize| {
            let cached = Policy::ALL.map(|policy| Setting::Cached { policy, size, depth: Some(2) });
            std::iter::once(Setting::Unchecked).chain(cached)
        };
        let mut points: Vec<(usize, Setting)> = settings(256).map(|setting| (256, setting)).collect();
        if grows(program) {
            for n in [small, large] {
                points.extend(settings(1024).map(|setting| (n, setting)));
            }
        }
        grid.time(program, &points, extent.careful)?;
    }
    grid.write_raw(raw);

    let mut each = Table::new(
        "rtcheck: overhead of the best policy, by program",
        "Processor time as a multiple of the run without checks; depth limit 2.",
        &[
            "benchmark",
            "N = 256, 256 entries",
            "policy",
            "N = 64, 1024 entries",
            "N = 1024, 1024 entries",
            "growth",
        ],
    );
    let mut overheads = Vec::new();
    let mut growths = Vec::new();
    let mut set = f64::NAN;
    for program in &PROGRAMS {
        let mut row = vec![program.title.to_owned()];
        if let Some(best) = best(&grid, program, 256, 256) {
            row.extend([ratio(best.overhead), best.policy.name().to_owned()]);
            overheads.push(best.overhead);
            if program.name == "set" {
                set = best.overhead;
            }
        }
        if let (Some(small), Some(large)) =
            (best(&grid, program, small, 1024), best(&grid, program, large, 1024))
        {
            let growth = large.overhead / small.overhead;
            row.extend([ratio(small.overhead), ratio(large.overhead), ratio(growth)]);
            growths.push((program.title, growth));
        }
        each.rows.push(row);
    }

    let mut goals = Table::new(
        "rtcheck: goals",
        "Processor time, side by side in this run; the best policy of each program.",
        &["goal", "measured", "reached"],
    );
    let mut goal = |goal: &str, measured: String, reached: bool| {
        goals.rows.push(vec![goal.to_owned(), measured, if reached { "yes" } else { "no" }.to_owned()]);
    };
    let mean = geometric_mean(&overheads);
    goal(
        "N = 256, 256 entries, limit 2: geometric mean of the overhead at most 12",
        ratio(mean),
        mean <= 12.0,
    );
    goal("the same, set alone: at most 20", ratio(set), set <= 20.0);
    let shown: Vec<String> =
        growths.iter().map(|(name, growth)| format!("{name} {}", ratio(*growth))).collect();
    goal(
        "1024 entries: overhead at N = 1024 at most twice that at N = 64 (AVL, heap, B-tree, RB-tree, tree)",
        shown.join(", "),
        growths.iter().all(|(_, growth)| *growth <= 2.0),
    );
    let (measured, linear) = length.is_linear();
    goal("length/2 on a checked list is linear (the policy that visits least)", measured, linear);
    goal("then: geometric mean of the overhead under 2", ratio(mean), mean < 2.0);
    let measured = against_swi.map_or_else(|| "not measured: run with --peers".to_owned(), ratio);
    let reached = against_swi.map_or("-", |mean| if mean <= 1.0 { "yes" } else { "no" });
    goals.rows.push(vec![
        "the engine without checks: geometric mean of its time at most SWI-Prolog's".to_owned(),
        measured,
        reached.to_owned(),
    ]);
    Ok(vec![each, goals])
}

/// Whether a goal is about how a program's overhead grows.
fn grows(program: &Program) -> bool {
    program.group != 'a'
}
