//! Section VI-D: what the address-aware cache costs where it cannot help, and how fast the engine interprets.

use super::grid::{Grid, arithmetic};
use super::workload::{BRANCHING, Program, STRAIGHT};
use crate::bench::measure;
use crate::bench::table::{Table, ratio};
use crate::error::Error;
use crate::explore::{Allocation, Cache, Explored, Model, Setting, demand_equal};
use crate::scratch::Scratch;
use crate::setup::runs;

/// What the goals ask of this part.
#[derive(Debug, Default)]
pub(super) struct Overhead {
    /// The program with the largest factor of instructions, address-aware by plain.
    pub(super) worst: Option<(&'static str, f64)>,
    /// Millions of instructions per second of processor time.
    pub(super) branching: f64,
    pub(super) straight: f64,
}

fn setting(model: Model, cache: Cache) -> Setting {
    Setting { model, allocation: Allocation::Shared, cache }
}

/// The table, and what the goals need of it.
pub(super) fn measure(
    grid: &mut Grid<'_>,
    programs: &[&Program],
    rounds: usize,
    count: bool,
    overhead: &mut Overhead,
) -> Result<Table, Error> {
    let mut table = Table::new(
        "symexec: overhead without address-dependent queries (section VI-D)",
        "Shared allocation; as multiples of the plain cache. Interpreted instructions are equal, which is demanded. \
         Machine instructions are the engine's, counted by valgrind; time is processor time of the engine and its \
         solver. Both fall where the address-aware cache asks less because it renames inputs. The paper: 6 % of time on \
         average and 17 % at worst, 3 % of memory, in the forking model; almost identical in the segmented one.",
        &[
            "program",
            "interpreted",
            "solver queries: base",
            "AA",
            "forking: machine instructions",
            "time",
            "memory",
            "segmented: time",
            "memory",
        ],
    );
    let count = count && runs("valgrind");
    let mut counted = Vec::new();
    for program in programs {
        let mut row = vec![program.name.to_owned()];
        for model in Model::ALL {
            let mut times = [Vec::new(), Vec::new()];
            let mut last: [Option<Explored>; 2] = [None, None];
            for _ in 0..rounds {
                for (place, cache) in super::grid::COMPARED.into_iter().enumerate() {
                    let explored = grid.run(program, setting(model, cache), &[])?;
                    times[place].push(explored.run.seconds);
                    last[place] = Some(explored);
                }
            }
            let [Some(base), Some(aware)] = last else { continue };
            let of = |cache| setting(model, cache);
            demand_equal(
                program.name,
                (of(Cache::Plain), &base.outcome),
                (of(Cache::AddressAware), &aware.outcome),
            )?;
            if model == Model::Forking {
                row.push(base.outcome.instructions.to_string());
                row.extend([base.solver_queries().to_string(), aware.solver_queries().to_string()]);
                let factor = if count { Some(instructions(grid, program)?) } else { None };
                row.push(factor.map_or_else(|| "-".to_owned(), ratio));
                counted.extend(factor.map(|factor| (program.name, factor)));
            }
            let memory = |explored: &Explored| explored.run.engine("peak_memory_bytes") as f64;
            row.push(ratio(least(&times[1]) / least(&times[0])));
            row.push(ratio(memory(&aware) / memory(&base)));
        }
        table.rows.push(row);
    }
    overhead.worst = counted.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
    if count {
        let mean = arithmetic(&counted.iter().map(|(_, factor)| *factor).collect::<Vec<_>>());
        let mut row = vec!["arithmetic mean".to_owned(); 1];
        row.extend(["-", "-", "-"].map(str::to_owned));
        row.push(ratio(mean));
        row.extend(["-", "-", "-", "-"].map(str::to_owned));
        table.rows.push(row);
    }
    Ok(table)
}

/// The least of several times is the one that was disturbed least.
fn least(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Machine instructions with the address-aware cache by those with the plain one.
fn instructions(grid: &mut Grid<'_>, program: &Program) -> Result<f64, Error> {
    let tool = grid.tools.path("symexec");
    let mut counts = Vec::new();
    for cache in super::grid::COMPARED {
        let scratch = Scratch::new()?;
        let mut arguments = vec!["run".to_owned()];
        arguments.extend(grid.bitcode(program)?.files().iter().map(|file| file.display().to_string()));
        arguments
            .extend(["--write-no-tests", "--query-cache", cache.name(), "--output-dir"].map(str::to_owned));
        arguments.push(scratch.path().join("out").display().to_string());
        counts.push(measure::instructions(&tool, &arguments)? as f64);
    }
    Ok(counts[1] / counts[0])
}

/// How fast the engine interprets.
pub(super) fn speed(grid: &mut Grid<'_>, rounds: usize, overhead: &mut Overhead) -> Result<Table, Error> {
    let mut table = Table::new(
        "symexec: speed of interpreting",
        "Interpreted instructions per second of processor time of engine and solver, reading the program included; \
         the best of the rounds. KLEE 3.3-pre: 3.3 million on a branching program, on another machine.",
        &["program", "paths", "instructions", "seconds", "million instructions per second"],
    );
    for (program, speed) in [(&BRANCHING, &mut overhead.branching), (&STRAIGHT, &mut overhead.straight)] {
        let setting = setting(Model::Forking, Cache::AddressAware);
        let mut runs = Vec::new();
        for _ in 0..rounds {
            runs.push(grid.run(program, setting, &[])?);
        }
        let Some(Explored { outcome, .. }) = runs.last() else { continue };
        let seconds = least(&runs.iter().map(|explored| explored.run.seconds).collect::<Vec<_>>());
        *speed = outcome.instructions as f64 / seconds / 1e6;
        table.rows.push(vec![
            program.name.to_owned(),
            outcome.paths.to_string(),
            outcome.instructions.to_string(),
            format!("{seconds:.2}"),
            format!("{speed:.1}"),
        ]);
    }
    Ok(table)
}
