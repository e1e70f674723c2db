//! What the engine asks: which sides of a condition are possible, for a solution, for a least value.

use std::rc::Rc;
use std::time::Duration;

use cache_core::cache::Cost;

use super::places::MergedPlaces;
use super::process::{Budget, Patience};
use super::query_log::Instructions;
use super::{Counts, Query, Solver, SolverError};
use crate::base::bits::Bits;
use crate::base::system::System;
use crate::expr::{Arena, Evaluator, ExprId, Marks, Model, Moved};

/// Which values a condition may have on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It always holds.
    True,
    /// It never holds.
    False,
    /// Both are possible.
    Either,
}

/// What a question is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// The program: its branches, assumptions and assertions.
    #[default]
    Program,
    /// The engine: where a pointer points, and whether an access is inside.
    Memory,
}

/// The chain with the engine's questions in front.
pub struct Front {
    chain: Box<dyn Solver>,
    queries: u64,
    values: u64,
    /// Solutions that were asked for, and those of them that were known.
    models: u64,
    known_models: u64,
    orders: u64,
    /// Truths that the engine asked for itself.
    internal: u64,
    purpose: Purpose,
    places: MergedPlaces,
    patience: Patience,
    budget: Budget,
    instructions: Instructions,
    /// What the dearest answer cost since somebody wanted to know.
    dearest: u64,
    clock: Rc<dyn System>,
    /// What the chain took.
    time: Duration,
}

impl Front {
    /// In front of a chain.
    #[must_use]
    pub fn new(chain: Box<dyn Solver>, clock: Rc<dyn System>) -> Self {
        Self {
            chain,
            queries: 0,
            values: 0,
            models: 0,
            known_models: 0,
            orders: 0,
            internal: 0,
            purpose: Purpose::Program,
            places: MergedPlaces::default(),
            patience: Patience::default(),
            budget: Budget::default(),
            instructions: Instructions::default(),
            dearest: 0,
            clock,
            time: Duration::ZERO,
        }
    }

    /// Tells the chain where questions see merged objects.
    #[must_use]
    pub fn telling(mut self, places: MergedPlaces) -> Self {
        self.places = places;
        self
    }

    /// Shares with the chain how long there are answers.
    #[must_use]
    pub fn lasting(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// Shares with the chain how much is spent on a question for now.
    #[must_use]
    pub fn spending(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// How much is spent on a question for now.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Shares with logs of questions how many instructions were executed.
    #[must_use]
    pub fn noting(mut self, instructions: Instructions) -> Self {
        self.instructions = instructions;
        self
    }

    /// Says how many instructions were executed before the next questions.
    pub fn at(&self, instructions: u64) {
        self.instructions.set(instructions);
    }

    /// How long there are answers.
    #[must_use]
    pub fn patience(&self) -> &Patience {
        &self.patience
    }

    /// Says where the next questions see merged objects; `None` for where they are.
    pub fn see(&mut self, moved: Option<&Rc<Moved>>) {
        self.places.tell(moved);
    }

    /// Asks the chain something.
    fn ask<T>(&mut self, question: impl FnOnce(&mut dyn Solver) -> T) -> T {
        let start = self.clock.elapsed();
        let before = self.chain.price();
        let answer = question(&mut *self.chain);
        self.dearest = self.dearest.max(self.chain.price().saturating_sub(before));
        self.time += self.clock.elapsed().saturating_sub(start);
        answer
    }

    /// Says what the next questions are asked for; gives what they were asked for so far.
    pub fn ask_for(&mut self, purpose: Purpose) -> Purpose {
        std::mem::replace(&mut self.purpose, purpose)
    }

    /// Which sides of a condition have solutions together with the constraints.
    ///
    /// # Errors
    /// If a side could not be decided.
    pub fn evaluate(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        condition: ExprId,
    ) -> Result<Truth, SolverError> {
        if arena.is_true(condition) {
            return Ok(Truth::True);
        }
        if arena.is_false(condition) {
            return Ok(Truth::False);
        }
        self.queries += 1;
        if !self.satisfiable(arena, constraints, condition)? {
            return Ok(Truth::False);
        }
        let opposite = arena.not(condition);
        Ok(if self.satisfiable(arena, constraints, opposite)? { Truth::Either } else { Truth::True })
    }

    /// Whether a condition can hold together with the constraints.
    ///
    /// # Errors
    /// If it could not be decided.
    pub fn may_hold(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        condition: ExprId,
    ) -> Result<bool, SolverError> {
        if arena.is_true(condition) {
            return Ok(true);
        }
        if arena.is_false(condition) {
            return Ok(false);
        }
        self.queries += 1;
        self.satisfiable(arena, constraints, condition)
    }

    /// Which of several conditions can hold, each for itself together with the constraints, where all of them are
    /// decided by one look; `None` where each is to be asked by itself.
    pub fn possible(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        conditions: &[ExprId],
    ) -> Option<Vec<bool>> {
        let possible = self.ask(|chain| chain.possible(arena, constraints, conditions));
        self.queries += u64::from(possible.is_some());
        possible
    }

    /// Whether a condition on the order of objects must hold: a question of the engine's own, which only
    /// says whether a search may end and is counted apart.
    ///
    /// # Errors
    /// If it could not be decided.
    pub fn must_hold_by_order(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        condition: ExprId,
    ) -> Result<bool, SolverError> {
        self.orders += 1;
        let opposite = arena.not(condition);
        Ok(!self.may_hold(arena, constraints, opposite)?)
    }

    fn satisfiable(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        expr: ExprId,
    ) -> Result<bool, SolverError> {
        // Addresses are fixed numbers: what depends on nothing else is known.
        if arena.info(expr).addresses {
            let known = arena.concrete(expr);
            if arena.is_true(known) || arena.is_false(known) {
                return Ok(arena.is_true(known));
            }
        }
        self.internal += u64::from(self.purpose == Purpose::Memory);
        self.ask(|chain| chain.satisfiable(arena, &Query { constraints: constraints.to_vec(), expr }))
    }

    /// A solution of the constraints. Which one is a function of the canonical question alone.
    ///
    /// # Errors
    /// If none was found.
    pub fn model(&mut self, arena: &mut Arena, constraints: &[ExprId]) -> Result<Model, SolverError> {
        self.queries += 1;
        self.models += 1;
        let expr = arena.truth(true);
        let query = Query { constraints: constraints.to_vec(), expr };
        let before = self.chain.spent();
        let model = self.ask(|chain| chain.model(arena, &query));
        self.known_models += u64::from(self.chain.spent() == before);
        model?.ok_or_else(no_solution)
    }

    /// Any solution of the constraints, for whoever uses it to decide something else only.
    ///
    /// # Errors
    /// If none was found.
    pub fn witness(&mut self, arena: &mut Arena, constraints: &[ExprId]) -> Result<Model, SolverError> {
        self.queries += 1;
        let known = Query { constraints: constraints.to_vec(), expr: arena.truth(true) };
        self.ask(|chain| chain.witness(arena, &known))?.ok_or_else(no_solution)
    }

    /// The least value, read unsigned, that an expression may have. It steers the exploration, so it is
    /// a fact about the constraints, not a solver's choice.
    ///
    /// # Errors
    /// If it was not found.
    pub fn least_value(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        expr: ExprId,
    ) -> Result<Bits, SolverError> {
        if let Some(bits) = arena.as_bits(expr) {
            return Ok(bits);
        }
        self.values += 1;
        let width = arena.width(expr);
        let model = self.witness(arena, constraints)?;
        let mut high = Evaluator::new(arena, &model).value(expr);
        // Bit by bit from the highest: clear it if some value below `high` has it cleared.
        for bit in (0..width).rev() {
            if !high.bit(bit) {
                continue;
            }
            // All values with the bits above as they are and this one cleared lie below this bound.
            let upper = high.extract(bit, width - bit).zero_extend(width);
            let shift = Bits::new(width, u64::from(bit));
            let bound = Bits::binary(crate::base::bits::BinaryOp::Shl, &upper, &shift);
            let bound = arena.bits(&bound);
            let below = arena.less(expr, bound);
            self.queries += 1;
            if arena.is_false(below) {
                continue;
            }
            let query = Query { constraints: constraints.to_vec(), expr: below };
            if let Some(model) = self.ask(|chain| chain.witness(arena, &query))? {
                high = Evaluator::new(arena, &model).value(expr);
                // The found value may have this bit set in no case; go on with its lower bits.
            }
        }
        Ok(high)
    }

    /// What the dearest answer since the last call cost the engine when it was found, in its units.
    pub fn take_dearest(&mut self) -> u64 {
        std::mem::take(&mut self.dearest)
    }

    /// What was spent on the engine so far.
    #[must_use]
    pub fn spent(&self) -> Cost {
        self.chain.spent()
    }

    /// What was counted so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.chain.count(&mut counts);
        counts.chain_seconds = self.time.as_secs_f64();
        counts.add("queries", self.queries);
        counts.add("least_values", self.values);
        counts.add("models", self.models);
        counts.add("known_models", self.known_models);
        counts.add("ordering_queries", self.orders);
        counts.add("internal_queries", self.internal);
        counts
    }

    /// Forgets what can be found again.
    pub fn forget(&mut self) {
        self.chain.forget();
    }

    /// Marks the expressions that are remembered.
    pub fn trace(&mut self, marks: &mut Marks) {
        self.places.trace(marks);
        self.chain.trace(marks);
    }

    /// Writes what is to outlive the run. Failures are warnings.
    pub fn finish(&mut self) {
        self.chain.finish();
    }

    /// Warnings for users since the last call.
    pub fn take_warnings(&mut self) -> Vec<String> {
        self.chain.take_warnings()
    }
}

fn no_solution() -> SolverError {
    SolverError::Unknown("a path's own constraints have no solution".to_owned())
}
