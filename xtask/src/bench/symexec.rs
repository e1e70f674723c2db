//! `symexec`: the tables of the query-caching paper over a fixed list of programs, plain cache against
//! address-aware cache, in both memory models and with both kinds of allocation.
//!
//! The method is the paper's: depth first, deterministic allocation, the counterexample cache on in both runs,
//! nothing ever evicted, all paths explored. Its runs write tests for new coverage only; here none are written,
//! so that no run is charged with solutions. Equal paths, errors, instructions and coverage are demanded of
//! every pair of runs, and no more paths in the segmented than in the forking model.

mod figures;
mod goals;
mod grid;
mod jobs;
mod overhead;
mod paper;
pub(super) mod programs;
mod workload;

use super::Size;
use super::report::Section;
use crate::error::Error;
use crate::phases::bar;
use crate::programs::Programs;
use goals::Goals;
use grid::Grid;
use overhead::Overhead;
use workload::{DEPENDENT, INDEPENDENT, Program};

/// Runs per program in the grid.
const RUNS: usize = 8;

/// Measures, and shows every table.
pub(super) fn section(tools: &Programs, size: Size) -> Result<Section, Error> {
    // A smoke run takes every fourth program.
    let some = |all: &'static [Program]| -> Vec<&'static Program> {
        all.iter().step_by(if size == Size::Smoke { 4 } else { 1 }).collect()
    };
    let (dependent, independent) = (some(&DEPENDENT), some(&INDEPENDENT));
    let rounds = match size {
        Size::Smoke => 1,
        Size::Default => 2,
        Size::Full => 5,
    };
    let mut section = Section { tool: "symexec", ..Section::default() };
    section.notes.push(
        "Programs with a data structure full of pointers and some unknown choices before or behind its \
         allocation, so that paths have it at other addresses. Depth first, counterexample cache on, nothing evicted, \
         all paths explored, no tests written. The paper's programs are larger, and its base compares with numeric \
         addresses by ordering questions that are not asked here, so factors compare and counts do not. In \
         the segmented model the base uses segments again, and the address-aware run does not."
            .to_owned(),
    );
    for program in dependent.iter().chain(&independent) {
        section.notes.push(format!("{}: {}", program.name, program.macros(size).join(" ")));
    }
    let mut grid = Grid::new(tools, size)?;
    let progress = bar(dependent.len() * RUNS);
    for program in &dependent {
        progress.set_message(program.name);
        grid.measure(program, || progress.inc(1))?;
    }
    progress.finish_and_clear();

    figures::growth(&mut grid, &mut section)?;
    section.tables.push(figures::classes(&grid, &dependent));
    figures::factors(&grid, &dependent, &mut section);
    figures::memory(&grid, &dependent, &mut section);
    section.tables.push(figures::allocations(&grid, &dependent));
    section.tables.push(figures::renaming(&mut grid, &dependent)?);
    section.tables.push(figures::validation(&mut grid, &dependent)?);
    let mut overhead = Overhead::default();
    let count = size > Size::Smoke;
    section.tables.push(overhead::measure(&mut grid, &independent, rounds, count, &mut overhead)?);
    let mut goals = Goals(&mut section.goals);
    goals.add_factors(&grid, &dependent);
    if size > Size::Smoke {
        section.tables.push(overhead::speed(&mut grid, rounds, &mut overhead)?);
        section.tables.extend(goals.add_known(&grid)?);
        let (table, least) = jobs::measure(&mut grid)?;
        section.tables.push(table);
        goals.add_jobs(least);
        goals.add_overhead(&overhead);
    }
    section.raw.append(&mut grid.raw);
    Ok(section)
}
