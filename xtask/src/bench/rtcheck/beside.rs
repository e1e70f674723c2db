//! What checks cost by default, and what all of them cost with types beside the cells of terms: instructions against
//! the run without checks.

use super::super::report::Section;
use super::super::table::{Table, ratio};
use super::grid::{Grid, Policy, Setting, geometric_mean, instructions};
use super::workload::{ASSERTED, PROGRAMS};
use crate::error::Error;

/// The numbers of elements: that of the paper's Table 1, and those between which overhead is to grow little.
const NS: [usize; 3] = [64, 256, 1024];

/// Counts instructions, shows them beside those of a direct-mapped table, and answers the goals.
pub(super) fn measure(grid: &mut Grid, section: &mut Section) -> Result<(), Error> {
    let cells = Setting::Cached { policy: Policy::Cells, size: 0, depth: None };
    let table = Setting::Cached { policy: Policy::DirectInheriting, size: 256, depth: Some(2) };
    let kinds = [Setting::Proved, cells, table];
    let points: Vec<(usize, Setting)> = NS
        .into_iter()
        .flat_map(|n| std::iter::once(Setting::Unchecked).chain(kinds).map(move |setting| (n, setting)))
        .collect();
    let mut shown = Table::new(
        "rtcheck: overhead of checks by default, by program",
        "Instructions as a multiple of the run without checks: by default, where checks that are proved when the \
         program is loaded are not made; with all checks, types beside the cells of terms; and with a direct-mapped \
         table of 256 entries (limit 2, inheriting).",
        &[
            "benchmark",
            "N = 64",
            "all checks",
            "table",
            "N = 256",
            "all checks",
            "table",
            "N = 1024",
            "all checks",
            "table",
            "growth",
        ],
    );
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); kinds.len() * NS.len() + 1];
    grid.count(&PROGRAMS.each_ref().map(|program| (program, points.clone())))?;
    for program in &PROGRAMS {
        let overhead = |n: usize, setting: Setting| {
            grid.ratio((program.name, n, setting), Setting::Unchecked, instructions).unwrap_or(f64::NAN)
        };
        let mut values: Vec<f64> =
            NS.iter().flat_map(|&n| kinds.map(|setting| overhead(n, setting))).collect();
        values.push(overhead(NS[2], cells) / overhead(NS[0], cells));
        shown.rows.push(
            std::iter::once(program.title.to_owned()).chain(values.iter().map(|&v| ratio(v))).collect(),
        );
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value);
        }
    }
    let means: Vec<f64> = columns.iter().map(|column| geometric_mean(column)).collect();
    shown.rows.push(
        std::iter::once("geometric mean".to_owned()).chain(means.iter().map(|&mean| ratio(mean))).collect(),
    );
    section.tables.push(shown);
    let worst = |column: &[f64]| column.iter().copied().fold(0.0, f64::max);
    for (n, column) in [(256, 3), (1024, 6)] {
        let mean = means[column];
        let name = format!("overhead of the default by instructions, N = {n}: geometric mean at most 1.1");
        section.goals.add(&name, ratio(mean), Some(mean <= 1.1));
        let mean = means[column + 1];
        let name = format!("overhead of all checks by instructions, N = {n}: geometric mean at most 1.5");
        section.goals.add(&name, ratio(mean), Some(mean <= 1.5));
        let worst = worst(&columns[column + 1]);
        let name = format!("overhead of all checks by instructions, N = {n}: at most 2 for each program");
        section.goals.add(&name, ratio(worst), Some(worst <= 2.0));
    }
    let growth = worst(&columns[9]);
    let name = "growth of the overhead of all checks from N = 64 to 1024: at most 1.2";
    section.goals.add(name, ratio(growth), Some(growth <= 1.2));
    others(grid, section)
}

/// The same of programs that are no data structures.
fn others(grid: &mut Grid, section: &mut Section) -> Result<(), Error> {
    let cells = Setting::Cached { policy: Policy::Cells, size: 0, depth: None };
    let mut shown = Table::new(
        "rtcheck: overhead of checks in programs that are no data structures",
        "Instructions as a multiple of the run without checks: by default, where checks that are proved when the \
         program is loaded are not made, and with all checks.",
        &["program", "N", "by default", "all checks"],
    );
    let (mut proved, mut all) = (Vec::new(), Vec::new());
    let settings = [Setting::Unchecked, Setting::Proved, cells];
    grid.count(
        &ASSERTED.each_ref().map(|(program, n)| (program, settings.map(|setting| (*n, setting)).to_vec())),
    )?;
    for (program, n) in &ASSERTED {
        let mut row = vec![program.title.to_owned(), n.to_string()];
        for (setting, overheads) in [(Setting::Proved, &mut proved), (cells, &mut all)] {
            let overhead = grid.ratio((program.name, *n, setting), Setting::Unchecked, instructions);
            let overhead = overhead.unwrap_or(f64::NAN);
            row.push(ratio(overhead));
            overheads.push(overhead);
        }
        shown.rows.push(row);
    }
    let (proved, all) = (geometric_mean(&proved), geometric_mean(&all));
    let mut mean = vec![String::new(); shown.heads.len()];
    for (at, text) in [(0, "geometric mean".to_owned()), (2, ratio(proved)), (3, ratio(all))] {
        mean[at] = text;
    }
    shown.rows.push(mean);
    section.tables.push(shown);
    let name = "overhead of the default in other programs by instructions: geometric mean at most 1.1";
    section.goals.add(name, ratio(proved), Some(proved <= 1.1));
    Ok(())
}
