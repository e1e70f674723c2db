//! Remembering every c-th level only: the bound of the paper's section 5, measured.

use super::super::Size;
use super::super::report::Section;
use super::super::table::Table;
use super::grid::{Grid, Setting, Timing};
use super::workload::LEVELS;
use crate::error::Error;
use crate::programs::Programs;

/// Which levels are remembered, at most: one program of [`LEVELS`] each.
pub(super) const MOST: u32 = 5;

/// Measures, and adds a table.
pub(super) fn measure(programs: &Programs, size: Size, section: &mut Section) -> Result<(), Error> {
    let ns: &[usize] = match size {
        Size::Smoke => &[8],
        Size::Default => &[8, 12],
        Size::Full => &[8, 12, 16],
    };
    let mut grid = Grid::new(programs)?;
    let once = Timing { rounds: 0, least: 0.0 };
    let mut table = Table::new(
        "rtcheck: every c-th level remembered (section 5)",
        "A full binary tree of n inner nodes, LRU with room for all, no depth limit. Entries: what the check of the \
         whole tree leaves. Visits: of the check of a copy of its first c levels around the old subtrees, which a \
         walk has to pass until it meets remembered ones: 2^c - 1 fresh nodes and the 2^c old ones below them, \
         so at most 2^(c+1) - 1. A block of c levels has 2^c - 1 nodes and one entry; the paper divides n by \
         2^(c+1) - 1, which is the block with its border.",
        &[
            "n",
            "c",
            "entries",
            "n / (2^c - 1)",
            "visits",
            "2^(c+1) - 1",
            "without a cache",
            "within the bound",
        ],
    );
    for &n in ns {
        let nodes = (1_u64 << n) - 1;
        for every in 1..=MOST {
            let (whole, copied) = (&LEVELS[0], &LEVELS[every as usize]);
            let setting = Setting::EveryLevel(every);
            for program in [whole, copied] {
                grid.time(program, &[(n, setting), (n, Setting::Uncached)], once)?;
            }
            let visits = |setting| {
                let of =
                    |program: &super::workload::Program| Some(grid.get(program.name, n, setting)?.visits);
                Some(of(copied)? - of(whole)?)
            };
            let entries = grid.get(whole.name, n, setting).map_or(0, |cost| cost.inserted);
            let (Some(cached), Some(uncached)) = (visits(setting), visits(Setting::Uncached)) else {
                continue;
            };
            let (block, bound) = ((1_u64 << every) - 1, (2_u64 << every) - 1);
            // The last block may be cut off by the leaves: each level of it begins a block of its own.
            let most = nodes.div_ceil(block) + (1 << (n as u32 / every * every).min(n as u32 - 1));
            let within = cached <= bound && entries <= most;
            table.rows.push(vec![
                nodes.to_string(),
                every.to_string(),
                entries.to_string(),
                (nodes / block).to_string(),
                cached.to_string(),
                bound.to_string(),
                uncached.to_string(),
                if within { "yes" } else { "no" }.to_owned(),
            ]);
        }
    }
    grid.write_raw(&mut section.raw);
    section.tables.push(table);
    Ok(())
}
