//! What the project set out to reach, and what was measured.

use super::grid::{Grid, arithmetic, geometric};
use super::overhead::Overhead;
use super::workload::{KNOWN, Program};
use crate::bench::table::{Table, ratio};
use crate::error::Error;
use crate::explore::{Allocation, Bitcode, Cache, Explored, Model, Setting, Tests, demand_equal, explore};
use crate::scratch::Scratch;

/// What is added to the goals of the section.
pub(super) struct Goals<'a>(pub(super) &'a mut super::super::goals::Goals);

impl Goals<'_> {
    fn add(&mut self, goal: String, measured: String, reached: Option<bool>) {
        self.0.add(goal, measured, reached);
    }

    fn at_least(&mut self, goal: &str, bound: f64, measured: f64) {
        self.add(format!("{goal}: at least {bound}"), ratio(measured), Some(measured >= bound));
    }

    /// Those over the list of programs.
    pub(super) fn add_factors(&mut self, grid: &Grid<'_>, programs: &[&Program]) {
        let factors = |model, allocation, of: fn(&Explored) -> f64| -> Vec<f64> {
            programs.iter().map(|program| grid.pair(program, model, allocation, of).factor()).collect()
        };
        let queries: fn(&Explored) -> f64 = |explored| explored.solver_queries() as f64;
        let size: fn(&Explored) -> f64 = |explored| explored.cache_size() as f64;
        let bounds = [(Model::Forking, 3.2, 5.1, 6.1), (Model::Segmented, 2.6, 4.5, 4.9)];
        for (model, geometric_bound, arithmetic_bound, size_bound) in bounds {
            let name = model.name();
            let shared = factors(model, Allocation::Shared, queries);
            self.at_least(
                &format!("{name}: solver queries, geometric mean of the factor"),
                geometric_bound,
                geometric(&shared),
            );
            self.at_least(
                &format!("{name}: solver queries, arithmetic mean"),
                arithmetic_bound,
                arithmetic(&shared),
            );
            self.at_least(
                &format!("{name}: size of the cache, arithmetic mean"),
                size_bound,
                arithmetic(&factors(model, Allocation::Shared, size)),
            );
            self.at_least(
                &format!(
                    "{name}, one allocator per state: geometric mean of the reduction of solver queries"
                ),
                1.5,
                geometric(&factors(model, Allocation::PerState, queries)),
            );
        }
    }

    /// Those on overhead and speed.
    pub(super) fn add_overhead(&mut self, overhead: &Overhead) {
        let measured = overhead.worst.map_or_else(
            || "not measured: needs valgrind, and is left out of smoke runs".to_owned(),
            |(name, worst)| format!("{} ({name})", ratio(worst)),
        );
        self.add(
            "machine instructions without address-dependent queries: at most 1.03 times those with the plain cache, \
             at worst"
                .to_owned(),
            measured,
            overhead.worst.map(|(_, worst)| worst <= 1.03),
        );
        for (goal, bound, speed) in [
            ("million interpreted instructions per second, branching", 10.0, overhead.branching),
            ("the same, straight concrete code", 30.0, overhead.straight),
        ] {
            self.add(format!("{goal}: at least {bound}"), format!("{speed:.1}"), Some(speed >= bound));
        }
    }

    /// That on several processes.
    pub(super) fn add_jobs(&mut self, least: Option<f64>) {
        let measured = least.map_or_else(|| "not measured: needs two processors".to_owned(), ratio);
        self.add(
            "speed-up by two processes, the least of the programs: at least 1.7".to_owned(),
            measured,
            least.map(|least| least >= 1.7),
        );
    }

    /// Those on programs whose figures under KLEE are known, if these programs are there. Tests are written
    /// here, so solutions count as well.
    pub(super) fn add_known(&mut self, grid: &Grid<'_>) -> Result<Option<Table>, Error> {
        if !KNOWN.iter().all(|known| known.source().exists()) {
            self.add(
                "solver queries on the programs that KLEE was measured on".to_owned(),
                "not measured: they are not beside this checkout".to_owned(),
                None,
            );
            return Ok(None);
        }
        let mut table = Table::new(
            "symexec: programs that KLEE was measured on",
            "Solver queries; forking model, shared allocation, every path with a test. KLEE is 3.3-pre, with one \
             allocator per state and with one for all; the authors' version is the one of the paper.",
            &[
                "program",
                "paths",
                "KLEE per state",
                "KLEE shared",
                "authors: base",
                "AA",
                "here: none",
                "plain",
                "AA",
                "CPU s: none",
                "plain",
                "AA",
            ],
        );
        let scratch = Scratch::new()?;
        for known in &KNOWN {
            let bitcode: Bitcode = known.compile(scratch.path())?;
            let mut runs: Vec<(Setting, Explored)> = Vec::new();
            for cache in Cache::ALL {
                let setting = Setting { model: Model::Forking, allocation: Allocation::Shared, cache };
                let explored = explore(grid.tools, &bitcode, setting, Tests::Written, &[])?;
                if let Some((one, first)) = runs.first() {
                    demand_equal(known.label, (*one, &first.outcome), (setting, &explored.outcome))?;
                }
                runs.push((setting, explored));
            }
            let mut row = vec![known.label.to_owned()];
            row.extend(runs.first().map(|(_, explored)| explored.outcome.paths.to_string()));
            row.extend(known.klee.map(|count| count.to_string()));
            row.push(known.authors.0.to_string());
            row.push(known.authors.1.map_or_else(|| "over 60 s".to_owned(), |count| count.to_string()));
            row.extend(runs.iter().map(|(_, explored)| explored.solver_queries().to_string()));
            row.extend(runs.iter().map(|(_, explored)| format!("{:.2}", explored.run.seconds)));
            table.rows.push(row);
            let [(_, none), (_, plain), (_, aware)] = runs.as_slice() else { continue };
            if let Some(bound) = known.goal {
                let count = aware.solver_queries();
                self.add(
                    format!("solver queries on {}: at most {bound}", known.label),
                    count.to_string(),
                    Some(count <= bound),
                );
            }
            if known.label == "bst" {
                let (with, plain, without) = (aware.run.seconds, plain.run.seconds, none.run.seconds);
                self.add(
                    "bst: cheaper with the address-aware cache than without, in processor time".to_owned(),
                    format!("{with:.2} s; plain {plain:.2} s, none {without:.2} s"),
                    Some(with < without && with < plain),
                );
            }
        }
        Ok(Some(table))
    }
}
