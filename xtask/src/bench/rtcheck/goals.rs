//! What the project set out to reach, and what was measured: more carefully than the grid, since a yes or no
//! hangs on it.

use super::super::chart::{Bars, Chart};
use super::super::report::Section;
use super::super::table::{Table, ratio};
use super::Extent;
use super::grid::{Grid, Policy, Setting, geometric_mean, seconds};
use super::length::Length;
use super::workload::{PROGRAMS, Program};
use crate::error::Error;
use crate::programs::Programs;

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
pub(super) fn add_to(
    programs: &Programs,
    extent: &Extent,
    length: &Length,
    against_swi: Option<f64>,
    section: &mut Section,
) -> Result<(), Error> {
    let mut grid = Grid::new(programs)?;
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

    let mut add = |goal: &str, measured: String, reached: bool| {
        section.goals.add(goal, measured, Some(reached));
    };
    let mean = geometric_mean(&overheads);
    add("geometric mean of the overhead, N = 256: under 2", ratio(mean), mean < 2.0);
    add("geometric mean of the overhead, N = 256: at most 12 (paper)", ratio(mean), mean <= 12.0);
    add("overhead of set alone, N = 256: at most 20 (paper)", ratio(set), set <= 20.0);
    let worst = growths.iter().map(|(_, growth)| *growth).fold(0.0, f64::max);
    let shown: Vec<String> =
        growths.iter().map(|(name, growth)| format!("{name} {}", ratio(*growth))).collect();
    add(
        "growth of the overhead from N = 64 to 1024: at most twice",
        format!("worst {}: {}", ratio(worst), shown.join(", ")),
        worst <= 2.0,
    );
    let (measured, linear) = length.is_linear();
    add("length/2 on a checked list is linear", measured, linear);
    section.goals.add(
        "without checks: geometric mean of the time at most SWI-Prolog's",
        against_swi.map_or_else(|| "run with --peers".to_owned(), ratio),
        against_swi.map(|mean| mean <= 1.0),
    );
    section.overview.push(Chart::Bars(Bars {
        title: "rtcheck: cost of checks (Table 1 of the property-caching paper), N = 256".to_owned(),
        up: "times the run without checks".to_owned(),
        groups: PROGRAMS.iter().map(|program| program.title.to_owned()).collect(),
        series: vec![("best policy".to_owned(), overheads)],
    }));
    section.tables.push(each);
    grid.write_raw(&mut section.raw);
    Ok(())
}

/// Whether a goal is about how a program's overhead grows.
fn grows(program: &Program) -> bool {
    program.group != 'a'
}
