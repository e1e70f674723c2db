//! The paper's tables over our programs, with the paper's own numbers below them.

use super::grid::{Grid, Pair, arithmetic, geometric};
use super::paper::{ROWS, seconds};
use super::workload::{GROWING, Program};
use crate::bench::chart::{Bars, Chart, Lines, add_point};
use crate::bench::report::Section;
use crate::bench::table::{Table, ratio};
use crate::error::Error;
use crate::explore::{Allocation, Cache, Explored, Model, Setting, demand_equal};

const VANILLA: Setting =
    Setting { model: Model::Forking, allocation: Allocation::Shared, cache: Cache::Plain };

/// Table II.
pub(super) fn classes(grid: &Grid<'_>, programs: &[&Program]) -> Table {
    let mut table = Table::new(
        "symexec: kinds of queries (Table II)",
        "Forking model, shared allocation, plain cache. All: what the engine asks. Truths: may a condition hold, \
         as they come to the query cache. Address-dependent: those in whose slice a base address occurs. Layout-dependent: \
         those whose answer may depend on where objects lie, and which are asked with the state's own addresses. \
         Engine-internal: truths that were asked to find out where a pointer points. The paper's columns: all; passed \
         to the query cache (C1); that its cache can handle (C2); those with addresses (C3).",
        &["program", "all", "truths", "address-dependent", "layout-dependent", "engine-internal"],
    );
    for program in programs {
        let run = &grid.cell(program, VANILLA).run;
        let counts = [
            "queries",
            "truth_queries",
            "address_dependent_queries",
            "layout_dependent_queries",
            "internal_queries",
        ];
        let mut row = vec![program.name.to_owned()];
        row.extend(counts.map(|count| run.engine(count).to_string()));
        table.rows.push(row);
    }
    for row in &ROWS {
        let [all, first, second, third] = row.classes;
        table.rows.push(vec![
            format!("paper: {}", row.name),
            all.to_string(),
            first.to_string(),
            third.to_string(),
            "-".to_owned(),
            format!("- (C2 {second})"),
        ]);
    }
    table
}

/// What one of the paper's Tables III to V shows.
pub(super) struct Quantity {
    pub(super) title: &'static str,
    pub(super) reading: &'static str,
    pub(super) of: fn(&Explored) -> f64,
    pub(super) digits: usize,
    pub(super) paper: fn(&super::paper::Row) -> ([String; 4], [f64; 4]),
}

pub(super) const QUANTITIES: [Quantity; 3] = [
    Quantity {
        title: "symexec: solver queries (Table III)",
        reading: "Satisfiability checks that reached the solver.",
        of: |explored| explored.solver_queries() as f64,
        digits: 0,
        paper: |row| (row.queries.map(|count| count.to_string()), row.queries.map(|count| count as f64)),
    },
    Quantity {
        title: "symexec: time (Table IV)",
        reading: "Seconds of processor time of the engine and its solver, reading the program included (about \
                  0.1 s); the paper's is time until the end.",
        of: |explored| explored.run.seconds,
        digits: 2,
        paper: |row| (row.times.map(str::to_owned), row.times.map(seconds)),
    },
    Quantity {
        title: "symexec: size of the query cache (Table V)",
        reading: "Entries at the end.",
        of: |explored| explored.cache_size() as f64,
        digits: 0,
        paper: |row| (row.sizes.map(|count| count.to_string()), row.sizes.map(|count| count as f64)),
    },
];

/// Tables III to V, with a chart of the factors of the first.
pub(super) fn factors(grid: &Grid<'_>, programs: &[&Program], section: &mut Section) {
    for Quantity { title, reading, of, digits, paper } in QUANTITIES {
        let mut table = Table::new(
            title,
            &format!(
                "{reading} Shared allocation. Base is the plain cache, AA the address-aware one; the factor is \
                 base by AA."
            ),
            &["program", "forking: base", "AA", "factor", "segmented: base", "AA", "factor"],
        );
        let mut all = [Vec::new(), Vec::new()];
        for program in programs {
            let mut row = vec![program.name.to_owned()];
            for (model, factors) in Model::ALL.into_iter().zip(&mut all) {
                let pair = grid.pair(program, model, Allocation::Shared, of);
                row.extend([format!("{:.digits$}", pair.base), format!("{:.digits$}", pair.aware)]);
                row.push(ratio(pair.factor()));
                factors.push(pair.factor());
            }
            table.rows.push(row);
        }
        for (mean, name) in
            [(geometric as fn(&[f64]) -> f64, "geometric mean"), (arithmetic, "arithmetic mean")]
        {
            let [forking, segmented] = all.each_ref().map(|factors| ratio(mean(factors)));
            let nothing = || "-".to_owned();
            table.rows.push(vec![
                name.to_owned(),
                nothing(),
                nothing(),
                forking,
                nothing(),
                nothing(),
                segmented,
            ]);
        }
        for row in &ROWS {
            let (shown, values) = paper(row);
            let [a, b, c, d] = shown;
            let factor = |base: f64, aware: f64| ratio(Pair { base, aware }.factor());
            table.rows.push(vec![
                format!("paper: {}", row.name),
                a,
                b,
                factor(values[0], values[1]),
                c,
                d,
                factor(values[2], values[3]),
            ]);
        }
        section.tables.push(table);
        section.overview.push(Chart::Bars(Bars {
            title: format!("{title}: base by address-aware"),
            up: "factor".to_owned(),
            groups: programs.iter().map(|program| short(program.name)).collect(),
            series: Model::ALL
                .into_iter()
                .zip(all)
                .map(|(model, all)| (model.name().to_owned(), all))
                .collect(),
        }));
    }
}

/// A name as it fits below a group of bars.
fn short(name: &str) -> String {
    name.split(',').map(|word| word.trim().chars().take(4).collect::<String>()).collect::<Vec<_>>().join("/")
}

pub(super) const MEGABYTE: f64 = 1024.0 * 1024.0;

/// Figure 4.
pub(super) fn memory(grid: &Grid<'_>, programs: &[&Program], section: &mut Section) {
    let of = |explored: &Explored| explored.run.engine("peak_memory_bytes") as f64 / MEGABYTE;
    let mut table = Table::new(
        "symexec: memory (Fig. 4)",
        "Megabytes that the engine had at most, without its solver; shared allocation. The paper's plot is lost; \
         its text says that make and libxml2 save about 800 and 100 MB in the forking model, and that the others \
         have roughly the same.",
        &["program", "forking: base", "AA", "segmented: base", "AA"],
    );
    let mut series: Vec<(String, Vec<f64>)> = Vec::new();
    for program in programs {
        let mut row = vec![program.name.to_owned()];
        for model in Model::ALL {
            let Pair { base, aware } = grid.pair(program, model, Allocation::Shared, of);
            row.extend([format!("{base:.1}"), format!("{aware:.1}")]);
            for (cache, value) in [("base", base), ("AA", aware)] {
                let name = format!("{}, {cache}", model.name());
                match series.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, values)) => values.push(value),
                    None => series.push((name, vec![value])),
                }
            }
        }
        table.rows.push(row);
    }
    section.tables.push(table);
    section.charts.push(Chart::Bars(Bars {
        title: "symexec: memory of the engine (Fig. 4)".to_owned(),
        up: "MB".to_owned(),
        groups: programs.iter().map(|program| short(program.name)).collect(),
        series,
    }));
}

/// Shared against per-state allocation.
pub(super) fn allocations(grid: &Grid<'_>, programs: &[&Program]) -> Table {
    let mut table = Table::new(
        "symexec: solver queries by allocation",
        "With one allocator per state, states with the same history of a size class agree on its addresses, and the \
         plain cache finds more by itself. (The paper's base has one for all states.)",
        &[
            "program",
            "forking, shared: base",
            "AA",
            "forking, per-state: base",
            "AA",
            "factor",
            "segmented, per-state: base",
            "AA",
            "factor",
        ],
    );
    let of = |explored: &Explored| explored.solver_queries() as f64;
    for program in programs {
        let shared = grid.pair(program, Model::Forking, Allocation::Shared, of);
        let mut row = vec![program.name.to_owned(), shared.base.to_string(), shared.aware.to_string()];
        for model in Model::ALL {
            let pair = grid.pair(program, model, Allocation::PerState, of);
            row.extend([pair.base.to_string(), pair.aware.to_string(), ratio(pair.factor())]);
        }
        table.rows.push(row);
    }
    table
}

/// Figure 1's table with growing N, under every cache: a table and a chart.
pub(super) fn growth(grid: &mut Grid<'_>, section: &mut Section) -> Result<(), Error> {
    let mut table = Table::new(
        "symexec: Figure 1's table with growing N",
        "Three forks before the allocation; forking model, shared allocation. A hit is an answer of the query cache.",
        &["program", "cache", "paths", "queries", "hits", "solver queries", "entries"],
    );
    let mut series = Vec::new();
    for program in &GROWING {
        let mut first: Option<(Setting, Explored)> = None;
        for cache in Cache::ALL {
            let setting = Setting { cache, ..VANILLA };
            let explored = grid.run(program, setting, &[])?;
            if let Some((one, known)) = &first {
                demand_equal(program.name, (*one, &known.outcome), (setting, &explored.outcome))?;
            }
            table.rows.push(vec![
                program.name.to_owned(),
                cache.name().to_owned(),
                explored.outcome.paths.to_string(),
                explored.run.engine("queries").to_string(),
                explored.run.cache("hits").to_string(),
                explored.solver_queries().to_string(),
                explored.cache_size().to_string(),
            ]);
            let n = explored.outcome.paths as f64 / 8.0 - 1.0;
            add_point(&mut series, cache.name(), (n, explored.solver_queries() as f64));
            first.get_or_insert((setting, explored));
        }
    }
    section.tables.push(table);
    section.charts.push(Chart::Lines(Lines {
        title: "Figure 1's table: solver queries".to_owned(),
        across: "N".to_owned(),
        up: "solver queries".to_owned(),
        series,
    }));
    Ok(())
}

/// What renaming inputs adds to renaming addresses.
pub(super) fn renaming(grid: &mut Grid<'_>, programs: &[&Program]) -> Result<Table, Error> {
    let mut table = Table::new(
        "symexec: what renaming inputs adds",
        "Solver queries, forking model, shared allocation. Addresses: base addresses are renamed and input bytes keep \
         their names. Both: as everywhere else. (The authors' version always renames both.)",
        &["program", "base", "addresses", "both", "factor of addresses", "further factor of inputs"],
    );
    let setting = Setting { cache: Cache::AddressAware, ..VANILLA };
    for program in programs {
        let named = grid.run(program, setting, &["--keep-input-names"])?;
        let both = grid.cell(program, setting);
        demand_equal(program.name, (setting, &both.outcome), (setting, &named.outcome))?;
        let base = grid.cell(program, VANILLA).solver_queries();
        let (named, both) = (named.solver_queries(), both.solver_queries());
        let factor = |more: u64, less: u64| ratio(more as f64 / less as f64);
        table.rows.push(vec![
            program.name.to_owned(),
            base.to_string(),
            named.to_string(),
            both.to_string(),
            factor(base, named),
            factor(named, both),
        ]);
    }
    Ok(table)
}

/// Section VI-B: every hit is asked again, in the state's own layout.
pub(super) fn validation(grid: &mut Grid<'_>, programs: &[&Program]) -> Result<Table, Error> {
    let mut table = Table::new(
        "symexec: validation (section VI-B)",
        "Every answer of the address-aware cache is compared with the solver's on the state's own addresses; paths, \
         errors, instructions and coverage are those of the plain cache. Shared allocation. A difference stops the \
         bench.",
        &[
            "program",
            "forking: paths",
            "covered",
            "hits checked",
            "wrong",
            "segmented: paths",
            "covered",
            "hits checked",
            "wrong",
        ],
    );
    for program in programs {
        let mut row = vec![program.name.to_owned()];
        for model in Model::ALL {
            let setting = Setting { model, cache: Cache::AddressAware, ..VANILLA };
            // An audit that disagrees ends with an exit code of its own, which is an error here.
            let audited = grid.run(program, setting, &["--audit", "always"])?;
            let base = Setting { cache: Cache::Plain, ..setting };
            let known = &grid.cell(program, base).outcome;
            demand_equal(program.name, (base, known), (setting, &audited.outcome))?;
            row.extend([
                audited.outcome.paths.to_string(),
                audited.outcome.covered.to_string(),
                audited.run.engine("audit_queries").to_string(),
                "0".to_owned(),
            ]);
        }
        table.rows.push(row);
    }
    Ok(table)
}
