//! What is measured of each program: both caches in both memory models, over the same work.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::list::{Amount, Subject};
use super::make::Workshop;
use crate::bench::symexec::grid::{COMPARED, Pair};
use crate::error::Error;
use crate::explore::{
    Allocation, Bitcode, Cache, Explored, Model, Setting, Tests, demand_equal, demand_fewer, explore_with,
};
use crate::programs::Programs;

/// Seconds after which a run has gone astray; limits are numbers of instructions.
const ASTRAY: &str = "900";

/// How much work one question may be, in the solver's units, of which a second has about a million: the sign of an
/// unknown `long double` (numfmt) would take longer than all else together. No program of Tables II to V meets it.
const QUESTION: &str = "5000000";

/// How often each run is repeated, and whether every hit is asked again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) rounds: usize,
    pub(super) audit: bool,
}

/// A program that was explored.
pub(super) struct Measured {
    pub(super) name: &'static str,
    /// Which amount, in words.
    pub(super) amount: String,
    cells: BTreeMap<(Model, Cache), Explored>,
    /// Hits that were asked again.
    pub(super) audited: BTreeMap<Model, u64>,
}

impl Measured {
    /// Explores a program in every way.
    pub(super) fn new(
        tools: &Programs,
        workshop: &Workshop<'_>,
        subject: &Subject,
        amount: Amount,
        plan: Plan,
        raw: &mut Vec<Value>,
    ) -> Result<Measured, Error> {
        let bitcode = workshop.bitcode(subject, amount)?;
        let mut measured = Measured {
            name: subject.name,
            amount: words(amount),
            cells: BTreeMap::new(),
            audited: BTreeMap::new(),
        };
        let mut run = |setting: Setting, further: &[&str]| -> Result<Explored, Error> {
            let explored = one(tools, &bitcode, amount, setting, further)?;
            raw.push(json!({
                "program": subject.name, "setting": setting.to_string(), "options": further,
                "seconds": explored.run.seconds, "stats": explored.run.stats,
            }));
            Ok(explored)
        };
        for model in Model::ALL {
            let setting = |cache| Setting { model, allocation: Allocation::Shared, cache };
            for _ in 0..plan.rounds {
                for cache in COMPARED {
                    let explored = run(setting(cache), &[])?;
                    match measured.cells.get_mut(&(model, cache)) {
                        // The least of several times is the one that was disturbed least.
                        Some(known) => known.run.seconds = known.run.seconds.min(explored.run.seconds),
                        None => drop(measured.cells.insert((model, cache), explored)),
                    }
                }
            }
            let [one, other] = COMPARED.map(setting);
            let outcome = |cache| &measured.cell(model, cache).outcome;
            demand_equal(subject.name, (one, outcome(Cache::Plain)), (other, outcome(Cache::AddressAware)))?;
            if plan.audit {
                // An audit that disagrees ends with an exit code of its own, which is an error here.
                let audited = run(setting(Cache::AddressAware), &["--audit", "always"])?;
                demand_equal(
                    subject.name,
                    (one, outcome(Cache::Plain)),
                    (setting(Cache::AddressAware), &audited.outcome),
                )?;
                measured.audited.insert(model, audited.run.engine("audit_queries"));
            }
        }
        if measured.limit().is_none() {
            let of = |model| &measured.cell(model, Cache::Plain).outcome;
            demand_fewer(subject.name, of(Model::Forking), of(Model::Segmented))?;
        }
        Ok(measured)
    }

    /// What was measured; every setting of a measured program is there.
    #[expect(clippy::expect_used, reason = "`new` measures every setting or fails")]
    pub(super) fn cell(&self, model: Model, cache: Cache) -> &Explored {
        self.cells.get(&(model, cache)).expect("a measured setting")
    }

    /// Something counted with both caches.
    pub(super) fn pair(&self, model: Model, of: impl Fn(&Explored) -> f64) -> Pair {
        let [base, aware] = COMPARED.map(|cache| of(self.cell(model, cache)));
        Pair { base, aware }
    }

    /// What ended a run before all paths were explored.
    pub(super) fn limit(&self) -> Option<&str> {
        self.cells.values().find_map(Explored::stopped)
    }

    /// Questions that ended by their limit, each of which ended a path, with one cache as with the other.
    pub(super) fn unanswered(&self, model: Model) -> Pair {
        self.pair(model, |explored| explored.run.engine("solver_failures") as f64)
    }

    /// Whether every run explored all paths, or ended by the number of its instructions.
    pub(super) fn ended(&self) -> bool {
        self.cells
            .values()
            .all(|explored| explored.stopped().is_none_or(|reason| reason.contains("instructions")))
    }
}

fn one(
    tools: &Programs,
    bitcode: &Bitcode,
    amount: Amount,
    setting: Setting,
    further: &[&str],
) -> Result<Explored, Error> {
    let limit = (amount.thousands * 1_000).to_string();
    let template = amount.template.map(|name| Workshop::template(name).display().to_string());
    let mut options = vec!["--max-instructions", &limit, "--max-time", ASTRAY, "--solver-resource", QUESTION];
    options.extend(further);
    if let Some(template) = &template {
        options.extend(["--template", template]);
    }
    explore_with(tools, bitcode, setting, Tests::Left, &options, amount.arguments)
}

fn words(amount: Amount) -> String {
    [amount.macros, amount.arguments].concat().join(" ")
}
