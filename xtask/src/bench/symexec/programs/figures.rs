//! The paper's Tables II to V, Figure 4, and its sections VI-B and VI-D, with its own numbers beside ours.

use super::measure::Measured;
use crate::bench::chart::{Bars, Chart};
use crate::bench::report::Section;
use crate::bench::symexec::figures::{MEGABYTE, QUANTITIES, Quantity};
use crate::bench::symexec::grid::{Pair, arithmetic, geometric};
use crate::bench::symexec::paper::{ROWS, Row};
use crate::bench::table::{Table, ratio};
use crate::explore::{Cache, Explored, Model};

fn paper(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}

/// What was explored.
pub(super) fn work(all: &[Measured]) -> Table {
    let mut table = Table::new(
        "symexec, the paper's programs: what was explored",
        "Depth first, shared allocation, counterexample cache on, no tests written. A run ends when all paths are explored \
         or after a number of instructions, so base and address-aware do the same work.",
        &[
            "program",
            "input",
            "model",
            "paths",
            "to the end",
            "errors",
            "instructions",
            "covered",
            "ended by",
        ],
    );
    for measured in all {
        for model in Model::ALL {
            let explored = measured.cell(model, Cache::Plain);
            let outcome = &explored.outcome;
            table.rows.push(vec![
                measured.name.to_owned(),
                measured.amount.clone(),
                model.name().to_owned(),
                outcome.paths.to_string(),
                outcome.completed.to_string(),
                outcome.errors.to_string(),
                outcome.instructions.to_string(),
                outcome.covered.to_string(),
                explored.stopped().unwrap_or("no path is left").to_owned(),
            ]);
        }
    }
    table
}

/// Table II.
pub(super) fn classes(all: &[Measured]) -> Table {
    let mut table = Table::new(
        "symexec, the paper's programs: kinds of queries (Table II)",
        "Forking model, plain cache. All: what the engine asks. Truths: may a condition hold, as they come to the query \
         cache (C1). Address-dependent: those in whose slice a base address occurs (C3). Layout-dependent: those whose \
         answer may depend on where objects lie. Hits: answers of the plain and of the address-aware cache.",
        &[
            "program",
            "all",
            "truths",
            "address-dependent",
            "layout-dependent",
            "hits: base",
            "AA",
            "paper: all",
            "C1",
            "C2",
            "C3",
        ],
    );
    for measured in all {
        let run = &measured.cell(Model::Forking, Cache::Plain).run;
        let counts = ["queries", "truth_queries", "address_dependent_queries", "layout_dependent_queries"];
        let mut row = vec![measured.name.to_owned()];
        row.extend(counts.map(|count| run.engine(count).to_string()));
        row.push(run.cache("hits").to_string());
        row.push(measured.cell(Model::Forking, Cache::AddressAware).run.cache("hits").to_string());
        row.extend(
            paper(measured.name).map_or_else(nothing, |row| row.classes.map(|count| count.to_string())),
        );
        table.rows.push(row);
    }
    table
}

fn nothing() -> [String; 4] {
    ["-"; 4].map(str::to_owned)
}

/// Tables III to V, with a chart of the factors of each.
pub(super) fn factors(all: &[Measured], section: &mut Section) {
    for quantity in &QUANTITIES {
        let mut series = Vec::new();
        let title = quantity.title.replace("symexec:", "symexec, the paper's programs:");
        let mut table = Table::new(
            &title,
            &format!(
                "{} Base is the plain cache, AA the address-aware one; the factor is base by AA. Means are over the \
                 programs that were measured, also those of the paper.",
                quantity.reading
            ),
            &[
                "program",
                "forking: base",
                "AA",
                "factor",
                "paper: base",
                "AA",
                "factor",
                "segmented: base",
                "AA",
                "factor",
                "paper: base",
                "AA",
                "factor",
            ],
        );
        let mut columns: [Vec<f64>; 4] = Default::default();
        for measured in all {
            table.rows.push(row(measured, quantity, &mut columns));
        }
        for (mean, name) in
            [(geometric as fn(&[f64]) -> f64, "geometric mean"), (arithmetic, "arithmetic mean")]
        {
            let mut row = vec![name.to_owned()];
            for column in &columns {
                row.extend(["-".to_owned(), "-".to_owned(), ratio(mean(column))]);
            }
            table.rows.push(row);
        }
        section.tables.push(table);
        let names = ["forking", "the paper's, forking", "segmented", "the paper's, segmented"];
        for (name, column) in names.into_iter().zip(columns) {
            series.push((name.to_owned(), column));
        }
        section.overview.push(Chart::Bars(Bars {
            title: format!(
                "{}, the paper's programs: base by address-aware",
                quantity.title.trim_start_matches("symexec: ")
            ),
            up: "factor".to_owned(),
            groups: all.iter().map(|measured| measured.name.to_owned()).collect(),
            series,
        }));
    }
}

/// A program's row; its factors are added to the columns: ours and the paper's, forking and segmented.
fn row(measured: &Measured, quantity: &Quantity, columns: &mut [Vec<f64>; 4]) -> Vec<String> {
    let digits = quantity.digits;
    let mut row = vec![measured.name.to_owned()];
    let known = paper(measured.name).map(quantity.paper);
    for (place, model) in Model::ALL.into_iter().enumerate() {
        let pair = measured.pair(model, quantity.of);
        row.extend([format!("{:.digits$}", pair.base), format!("{:.digits$}", pair.aware)]);
        row.push(ratio(pair.factor()));
        columns[2 * place].push(pair.factor());
        let Some((shown, values)) = &known else {
            row.extend(["-"; 3].map(str::to_owned));
            continue;
        };
        let theirs = Pair { base: values[2 * place], aware: values[2 * place + 1] }.factor();
        row.extend([shown[2 * place].clone(), shown[2 * place + 1].clone(), ratio(theirs)]);
        columns[2 * place + 1].push(theirs);
    }
    row
}

/// Figure 4.
pub(super) fn memory(all: &[Measured], section: &mut Section) {
    let of = |explored: &Explored| explored.run.engine("peak_memory_bytes") as f64 / MEGABYTE;
    let mut table = Table::new(
        "symexec, the paper's programs: memory (Fig. 4)",
        "Megabytes that the engine had at most, without its solver.",
        &["program", "forking: base", "AA", "segmented: base", "AA"],
    );
    let mut series: Vec<(String, Vec<f64>)> = Model::ALL
        .iter()
        .flat_map(|model| ["base", "AA"].map(|cache| (format!("{}, {cache}", model.name()), Vec::new())))
        .collect();
    for measured in all {
        let pairs = Model::ALL.map(|model| measured.pair(model, of));
        let values = [pairs[0].base, pairs[0].aware, pairs[1].base, pairs[1].aware];
        let mut row = vec![measured.name.to_owned()];
        row.extend(values.map(|value| format!("{value:.1}")));
        table.rows.push(row);
        series.iter_mut().zip(values).for_each(|((_, column), value)| column.push(value));
    }
    section.tables.push(table);
    section.charts.push(Chart::Bars(Bars {
        title: "the paper's programs: memory of the engine (Fig. 4)".to_owned(),
        up: "MB".to_owned(),
        groups: all.iter().map(|measured| measured.name.to_owned()).collect(),
        series,
    }));
}

/// Section VI-B.
pub(super) fn validation(all: &[Measured]) -> Table {
    let mut table = Table::new(
        "symexec, the paper's programs: validation (section VI-B)",
        "Every answer of the address-aware cache is compared with the solver's on the state's own addresses; paths, \
         errors, instructions and coverage are those of the plain cache. A difference stops the program's row.",
        &["program", "forking: hits checked", "wrong", "segmented: hits checked", "wrong"],
    );
    for measured in all {
        let mut row = vec![measured.name.to_owned()];
        for model in Model::ALL {
            let checked = measured.audited.get(&model).copied().unwrap_or(0);
            row.extend([checked.to_string(), "0".to_owned()]);
        }
        table.rows.push(row);
    }
    table
}

/// Section VI-D.
pub(super) fn overhead(all: &[Measured]) -> Table {
    let mut table = Table::new(
        "symexec, the paper's programs: overhead without address-dependent queries (section VI-D)",
        "Address-aware as a multiple of the plain cache, over the same instructions; time is processor time of engine and \
         solver. The paper: 6 % of time on average and 17 % at worst (libosip), 3 % of memory, in the forking model; \
         almost identical in the segmented one.",
        &[
            "program",
            "paths",
            "instructions",
            "solver queries: base",
            "AA",
            "forking: base, s",
            "AA, s",
            "time",
            "memory",
            "segmented: time",
            "memory",
            "ended by",
        ],
    );
    let mut columns: [Vec<f64>; 4] = Default::default();
    for measured in all {
        let base = measured.cell(Model::Forking, Cache::Plain);
        let aware = measured.cell(Model::Forking, Cache::AddressAware);
        let mut row = vec![
            measured.name.to_owned(),
            base.outcome.paths.to_string(),
            base.outcome.instructions.to_string(),
            base.solver_queries().to_string(),
            aware.solver_queries().to_string(),
            format!("{:.2}", base.run.seconds),
            format!("{:.2}", aware.run.seconds),
        ];
        for (place, model) in Model::ALL.into_iter().enumerate() {
            let time = measured.pair(model, |explored| explored.run.seconds);
            let memory = measured.pair(model, |explored| explored.run.engine("peak_memory_bytes") as f64);
            for (inner, pair) in [time, memory].into_iter().enumerate() {
                let cost = 1.0 / pair.factor();
                row.push(ratio(cost));
                columns[2 * place + inner].push(cost);
            }
        }
        row.push(measured.limit().unwrap_or("no path is left").to_owned());
        table.rows.push(row);
    }
    let worst = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    for (of, name) in [(arithmetic as fn(&[f64]) -> f64, "arithmetic mean"), (worst, "worst")] {
        let mut row = vec![name.to_owned()];
        row.extend(["-"; 6].map(str::to_owned));
        row.extend(columns.iter().map(|column| ratio(of(column))));
        row.push("-".to_owned());
        table.rows.push(row);
    }
    table
}
