//! How much sooner several processes are done than one.

use std::time::Instant;

use super::grid::Grid;
use super::workload::{PARALLEL, Program};
use crate::bench::table::{Table, ratio};
use crate::error::Error;
use crate::explore::{Allocation, Cache, Explored, Model, Setting, demand_equal};

/// Runs of a program with each number of processes, side by side, of which the fastest counts: it was
/// disturbed least.
const ROUNDS: usize = 3;

/// The table, and the least speed-up; none where there are not two processors.
pub(super) fn measure(grid: &mut Grid<'_>) -> Result<(Table, Option<f64>), Error> {
    let mut table = Table::new(
        "symexec: several processes (`--jobs`)",
        "Seconds until the run is over, reading the program included, with runs that take turns; the fastest of \
         three each. One allocator per state, address-aware cache, all paths, no tests. Equal paths, errors, \
         instructions and coverage are demanded.",
        &["program", "paths", "one process", "two", "speed-up", "solver queries: one", "two"],
    );
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let mut least: Option<f64> = None;
    for program in &PARALLEL {
        let row = both(grid, program)?;
        least = Some(least.map_or(row.speed_up(), |least| least.min(row.speed_up())));
        let [one, two] = &row.0;
        table.rows.push(vec![
            program.name.to_owned(),
            one.1.outcome.paths.to_string(),
            format!("{:.2}", one.0),
            format!("{:.2}", two.0),
            ratio(row.speed_up()),
            one.1.solver_queries().to_string(),
            two.1.solver_queries().to_string(),
        ]);
    }
    Ok((table, least.filter(|_| processors > 1)))
}

/// Seconds of the fastest run, and what it gave: with one process and with two.
struct Row([(f64, Explored); 2]);

impl Row {
    fn speed_up(&self) -> f64 {
        let [(one, _), (two, _)] = &self.0;
        one / two
    }
}

fn both(grid: &mut Grid<'_>, program: &Program) -> Result<Row, Error> {
    let setting =
        Setting { model: Model::Forking, allocation: Allocation::PerState, cache: Cache::AddressAware };
    // Compiling is not part of it.
    grid.bitcode(program)?;
    let mut timed = |jobs: &str| -> Result<(f64, Explored), Error> {
        let begun = Instant::now();
        let explored = grid.run(program, setting, &["--jobs", jobs])?;
        Ok((begun.elapsed().as_secs_f64(), explored))
    };
    let mut fastest = [timed("1")?, timed("2")?];
    for _ in 1..ROUNDS {
        for (jobs, fastest) in ["1", "2"].into_iter().zip(&mut fastest) {
            let run = timed(jobs)?;
            if run.0 < fastest.0 {
                *fastest = run;
            }
        }
    }
    demand_equal(program.name, (setting, &fastest[0].1.outcome), (setting, &fastest[1].1.outcome))?;
    Ok(Row(fastest))
}
