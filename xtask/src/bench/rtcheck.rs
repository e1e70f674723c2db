//! `rtcheck`: what checking costs, in every table and figure of its paper's section 6 and appendix.
//!
//! One grid of measurements (program, N, policy, size, depth limit) is taken by [`grid`]; [`figures`] shows it
//! as the paper does, [`statements`] compares it with what the paper says in words, [`goals`] with what the
//! project set out to reach.

mod beside;
mod figures;
mod goals;
mod grid;
mod length;
mod levels;
mod peers;
mod statements;
mod workload;

use super::Size;
use super::report::Section;
use crate::error::Error;
use crate::phases::bar;
use crate::programs::Programs;
use crate::setup::runs;
use figures::View;
use grid::{Cost, Depth, Grid, Policy, Setting, Timing};
use workload::{PROGRAMS, Program};

/// How much of the grid is measured.
struct Extent {
    sizes: Vec<usize>,
    depths: Vec<Depth>,
    /// Numbers of elements, where nothing else is said.
    ns: Vec<usize>,
    /// The same for `set`, whose insertion alone is linear: without a cache, N insertions cost a multiple of N^3.
    set_ns: Vec<usize>,
    /// The N of Table 1, at which instructions are counted.
    counted: usize,
    timing: Timing,
    /// For the goals, which are few.
    careful: Timing,
}

impl Extent {
    fn new(size: Size) -> Extent {
        let powers = |from: u32, to: u32| (from..=to).map(|power| 1_usize << power).collect::<Vec<_>>();
        match size {
            Size::Smoke => Extent {
                sizes: vec![32, 256],
                depths: vec![Some(1), Some(2), None],
                ns: vec![16, 64],
                set_ns: vec![16, 64],
                counted: 64,
                timing: Timing { rounds: 1, least: 0.0002 },
                careful: Timing { rounds: 1, least: 0.001 },
            },
            Size::Default => Extent {
                sizes: powers(5, 8),
                depths: vec![Some(1), Some(2), None],
                ns: vec![64, 256, 1024],
                set_ns: vec![64, 256],
                counted: 256,
                timing: Timing { rounds: 3, least: 0.003 },
                careful: Timing { rounds: 5, least: 0.02 },
            },
            Size::Full => Extent {
                sizes: powers(0, 10),
                depths: vec![Some(1), Some(2), Some(3), Some(4), Some(5), None],
                ns: powers(6, 11),
                set_ns: powers(6, 10),
                counted: 256,
                timing: Timing { rounds: 5, least: 0.01 },
                careful: Timing { rounds: 15, least: 0.03 },
            },
        }
    }

    fn ns(&self, program: &Program) -> Vec<usize> {
        if program.name == "set" { self.set_ns.clone() } else { self.ns.clone() }
    }

    fn all_ns(&self) -> Vec<usize> {
        self.ns.clone()
    }

    /// Every setting of the grid.
    fn settings(&self) -> Vec<Setting> {
        let mut settings = vec![Setting::Unchecked, Setting::Uncached, Setting::Older];
        for policy in Policy::COMPARED {
            for &size in &self.sizes {
                settings.extend(self.depths.iter().map(|&depth| Setting::Cached { policy, size, depth }));
            }
        }
        settings
    }
}

/// Measures the grid and shows it; with `peers`, other systems as well.
pub(super) fn section(programs: &Programs, size: Size, peers: bool) -> Result<Section, Error> {
    let extent = Extent::new(size);
    let counts = size > Size::Smoke && runs("valgrind");
    let mut section = Section { tool: "rtcheck", ..Section::default() };
    section.notes.push(
        "The seven benchmark programs of the property-caching paper insert N elements one by one. A check is one \
         question whether a term has a type; a node visit is one cell of a term that the checker looked at. \
         Programs are loaded once, and all settings take turns in one process."
            .to_owned(),
    );
    if size > Size::Smoke && !counts {
        section.notes.push(
            "valgrind is not installed, so instructions were not counted: Table 1 and the statements go by \
             processor time."
                .to_owned(),
        );
    }
    let mut grid = Grid::new(programs)?;
    let progress = bar(PROGRAMS.len() * extent.ns.len());
    for program in &PROGRAMS {
        for n in extent.ns(program) {
            let points: Vec<_> = extent.settings().into_iter().map(|setting| (n, setting)).collect();
            grid.time(program, &points, extent.timing)?;
            progress.inc(1);
        }
        grid.time(program, &statements::further_points(&extent, program), extent.timing)?;
    }
    progress.finish_and_clear();
    if counts {
        let points: Vec<_> = extent.settings().into_iter().map(|setting| (extent.counted, setting)).collect();
        grid.count(&PROGRAMS.each_ref().map(|program| (program, points.clone())))?;
    }
    let (by, by_name): (fn(&Cost) -> Option<f64>, _) =
        if counts { (grid::instructions, "instructions") } else { (grid::seconds, "processor time") };
    let view = View { grid: &grid, extent: &extent, by, by_name };
    view.add_to(&mut section);
    section.tables.push(statements::table(&view));
    let against_swi = if peers {
        let comparison = peers::compare(programs, size, &mut section)?;
        section.tables.push(comparison.table);
        comparison.against_swi
    } else {
        None
    };
    levels::measure(programs, size, &mut section)?;
    if counts {
        beside::measure(&mut grid, &mut section)?;
    }
    let length = length::measure(programs, size, extent.timing, &mut section)?;
    goals::add_to(programs, &extent, &length, against_swi, &mut section)?;
    grid.write_raw(&mut section.raw);
    Ok(section)
}
