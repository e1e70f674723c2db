//! The measurements: each program under each setting once, with what must not differ demanded at once.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::workload::Program;
use crate::bench::Size;
use crate::error::Error;
use crate::explore::{
    Allocation, Bitcode, Cache, Explored, Model, Setting, Tests, demand_equal, demand_fewer, explore,
};
use crate::programs::Programs;
use crate::scratch::Scratch;

/// The caches that the paper compares: its base and its own.
pub(super) const COMPARED: [Cache; 2] = [Cache::Plain, Cache::AddressAware];

/// The sums over two runs of one thing that the paper reports as a factor: base by address-aware.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) base: f64,
    pub(super) aware: f64,
}

impl Pair {
    pub(super) fn factor(self) -> f64 {
        self.base / self.aware.max(f64::MIN_POSITIVE)
    }
}

/// What was measured, and the programs as bitcode.
pub(super) struct Grid<'p> {
    pub(super) tools: &'p Programs,
    pub(super) size: Size,
    scratch: Scratch,
    compiled: BTreeMap<&'static str, Bitcode>,
    cells: BTreeMap<(&'static str, Setting), Explored>,
    pub(super) raw: Vec<Value>,
}

impl<'p> Grid<'p> {
    pub(super) fn new(tools: &'p Programs, size: Size) -> Result<Grid<'p>, Error> {
        let scratch = Scratch::new()?;
        Ok(Grid { tools, size, scratch, compiled: BTreeMap::new(), cells: BTreeMap::new(), raw: Vec::new() })
    }

    /// The program as bitcode, compiled when it is first asked for.
    pub(super) fn bitcode(&mut self, program: &Program) -> Result<&Bitcode, Error> {
        if !self.compiled.contains_key(program.name) {
            let bitcode = program.compile(self.scratch.path(), self.size)?;
            self.compiled.insert(program.name, bitcode);
        }
        self.compiled.get(program.name).ok_or_else(|| Error::Findings(format!("no {}", program.name)))
    }

    /// One run that is not part of the grid.
    pub(super) fn run(
        &mut self,
        program: &Program,
        setting: Setting,
        options: &[&str],
    ) -> Result<Explored, Error> {
        let tools = self.tools;
        let explored = explore(tools, self.bitcode(program)?, setting, Tests::Left, options)?;
        self.raw.push(json!({
            "program": program.name, "setting": setting.to_string(), "options": options,
            "seconds": explored.run.seconds, "stats": explored.run.stats,
        }));
        Ok(explored)
    }

    /// Explores a program with both caches in every memory model and allocation.
    pub(super) fn measure(&mut self, program: &Program, mut step: impl FnMut()) -> Result<(), Error> {
        for allocation in Allocation::ALL {
            for model in Model::ALL {
                for cache in COMPARED {
                    let setting = Setting { model, allocation, cache };
                    let explored = self.run(program, setting, &[])?;
                    self.cells.insert((program.name, setting), explored);
                    step();
                }
                let [one, other] = COMPARED.map(|cache| Setting { model, allocation, cache });
                let outcome = |setting| &self.cell(program, setting).outcome;
                demand_equal(program.name, (one, outcome(one)), (other, outcome(other)))?;
            }
            let of = |model| {
                &self.cell(program, Setting { model, allocation, cache: Cache::AddressAware }).outcome
            };
            demand_fewer(program.name, of(Model::Forking), of(Model::Segmented))?;
        }
        Ok(())
    }

    /// What was measured; every setting of a measured program is there.
    #[expect(clippy::expect_used, reason = "a table asks for what `measure` has measured")]
    pub(super) fn cell(&self, program: &Program, setting: Setting) -> &Explored {
        self.cells.get(&(program.name, setting)).expect("a measured program")
    }

    /// Something counted with both caches.
    pub(super) fn pair(
        &self,
        program: &Program,
        model: Model,
        allocation: Allocation,
        of: impl Fn(&Explored) -> f64,
    ) -> Pair {
        let [base, aware] =
            COMPARED.map(|cache| of(self.cell(program, Setting { model, allocation, cache })));
        Pair { base, aware }
    }
}

/// The arithmetic mean.
pub(super) fn arithmetic(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The geometric mean.
pub(super) fn geometric(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len().max(1) as f64).exp()
}
