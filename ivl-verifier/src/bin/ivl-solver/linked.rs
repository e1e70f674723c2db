//! The linked Z3 as the solver of a query.

use ivl_verifier::smt::answer::{Model, Request};
use ivl_verifier::smt::term::Query;
use ivl_verifier::smt::wire;
use z3::ast::{Bool, Dynamic, Int};
use z3::{Params, SatResult, StatisticsValue};

use crate::build::{Builder, build};
use crate::model::values;
use crate::solve::{Budget, Said, Solver};

/// A query in a context of its own.
pub(crate) struct Linked<'q> {
    query: &'q Query,
    request: &'q Request,
    built: Builder,
    solver: z3::Solver,
    /// The constants that may be assumed, by their places.
    tracked: Vec<Bool>,
    /// Where the last check that did not hold fails.
    model: Option<z3::Model>,
    /// The models that were asked to be kept.
    kept: Vec<z3::Model>,
}

impl<'q> Linked<'q> {
    /// A query of which nothing was asked yet.
    ///
    /// # Errors
    /// What Z3 cannot be told of.
    pub(crate) fn new(query: &'q Query, request: &'q Request, budget: Budget) -> Result<Self, String> {
        let built = build(query)?;
        let solver = z3::Solver::new();
        solver.set_params(&limits(budget));
        for id in &query.background {
            solver.assert(built.bool(*id)?);
        }
        // Behind a push, as Boogie asks: Z3 then uses its incremental core.
        solver.push();
        if let Some(goal) = query.goal {
            solver.assert(built.bool(goal)?);
        }
        let tracked = request.tracked.iter().map(|name| Bool::new_const(name.as_str())).collect();
        Ok(Self { query, request, built, solver, tracked, model: None, kept: Vec::new() })
    }

    /// The terms beside the query whose values are wanted.
    fn wanted(&mut self) -> Vec<Option<Dynamic>> {
        let Some((bytes, ids)) = &self.request.wanted else { return Vec::new() };
        // Where the solver cannot be told of a term, it has no value.
        if let Ok(extended) = wire::read(bytes) {
            let _: Result<(), String> = self.built.extend(&extended);
        }
        ids.iter().map(|id| self.built.terms.get(*id as usize).cloned()).collect()
    }
}

impl Solver for Linked<'_> {
    fn check(&mut self, assumed: &[usize]) -> Result<Said, String> {
        let result = if assumed.is_empty() {
            self.solver.check()
        } else {
            let literals: Vec<Bool> = assumed.iter().map(|place| self.tracked[*place].clone()).collect();
            self.solver.check_assumptions(&literals)
        };
        self.model = None;
        Ok(match result {
            SatResult::Unsat => Said::Unsat,
            SatResult::Sat => Said::Sat,
            SatResult::Unknown => Said::Unknown(self.solver.get_reason_unknown().unwrap_or_default()),
        })
    }

    fn core(&mut self) -> Result<Vec<usize>, String> {
        let core = self.solver.get_unsat_core();
        let places = self.tracked.iter().enumerate().filter(|(_, literal)| core.contains(literal));
        Ok(places.map(|(place, _)| place).collect())
    }

    fn next(&mut self, block: u32) -> Result<Option<i64>, String> {
        if self.model.is_none() {
            self.model = self.solver.get_model();
        }
        let value = self.model.as_ref().zip(self.built.control(block));
        Ok(value.and_then(|(model, control)| model.eval(&control, true)?.as_i64()))
    }

    fn keep_model(&mut self) -> Result<(), String> {
        self.kept.extend(self.model.take());
        Ok(())
    }

    fn exclude(&mut self, block: u32, next: i64) -> Result<(), String> {
        if let Some(control) = self.built.control(block) {
            self.solver.assert(control.eq(Int::from_i64(next)).not());
        }
        Ok(())
    }

    fn resource(&mut self) -> Result<u64, String> {
        Ok(match self.solver.get_statistics().value("rlimit count") {
            Some(StatisticsValue::UInt(count)) => u64::from(count),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a count, written as a float"
            )]
            Some(StatisticsValue::Double(count)) => count as u64,
            None => 0,
        })
    }

    /// Models are looked at when all is said, so that doing so can influence nothing.
    fn models(&mut self) -> Vec<Model> {
        if self.kept.is_empty() {
            return Vec::new();
        }
        let wanted = self.wanted();
        self.kept.iter().map(|model| values(&self.built, model, self.query, &wanted)).collect()
    }
}

/// The limits of a solver; all other settings were made before.
pub(crate) fn limits(budget: Budget) -> Params {
    let mut params = Params::new();
    if let Some(resource) = budget.resource {
        params.set_u32("rlimit", u32::try_from(resource).unwrap_or(u32::MAX));
    }
    if let Some(wall) = budget.wall_ms {
        params.set_u32("timeout", u32::try_from(wall).unwrap_or(u32::MAX));
    }
    params
}
