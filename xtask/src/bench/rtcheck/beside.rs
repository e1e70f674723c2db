//! What checks cost by default, with types beside the cells of terms: instructions against the run without checks.

use super::super::report::Section;
use super::super::table::{Table, ratio};
use super::grid::{Grid, Policy, Setting, geometric_mean, instructions};
use super::workload::PROGRAMS;
use crate::error::Error;

/// The numbers of elements: that of the paper's Table 1, and those between which overhead is to grow little.
const NS: [usize; 3] = [64, 256, 1024];

/// Counts instructions, shows them beside those of a direct-mapped table, and answers the goals.
pub(super) fn measure(grid: &mut Grid, section: &mut Section) -> Result<(), Error> {
    let cells = Setting::Cached { policy: Policy::Cells, size: 0, depth: None };
    let table = Setting::Cached { policy: Policy::DirectInheriting, size: 256, depth: Some(2) };
    let points: Vec<(usize, Setting)> =
        NS.into_iter().flat_map(|n| [Setting::Unchecked, cells, table].map(|setting| (n, setting))).collect();
    let mut shown = Table::new(
        "rtcheck: overhead of checks by default, by program",
        "Instructions as a multiple of the run without checks: with types beside the cells of terms, and with a \
         direct-mapped table of 256 entries (limit 2, inheriting).",
        &["benchmark", "N = 64", "table", "N = 256", "table", "N = 1024", "table", "growth"],
    );
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); 2 * NS.len() + 1];
    for program in &PROGRAMS {
        grid.count(program, &points)?;
        let overhead = |n: usize, setting: Setting| {
            grid.ratio((program.name, n, setting), Setting::Unchecked, instructions).unwrap_or(f64::NAN)
        };
        let mut values: Vec<f64> =
            NS.iter().flat_map(|&n| [overhead(n, cells), overhead(n, table)]).collect();
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
    for (n, column) in [(256, 2), (1024, 4)] {
        let mean = means[column];
        let name = format!("overhead of the default by instructions, N = {n}: geometric mean at most 1.5");
        section.goals.add(&name, ratio(mean), Some(mean <= 1.5));
        let worst = worst(&columns[column]);
        let name = format!("overhead of the default by instructions, N = {n}: at most 2 for each program");
        section.goals.add(&name, ratio(worst), Some(worst <= 2.0));
    }
    let growth = worst(&columns[6]);
    let name = "growth of the default's overhead from N = 64 to 1024: at most 1.2";
    section.goals.add(name, ratio(growth), Some(growth <= 1.2));
    Ok(())
}
