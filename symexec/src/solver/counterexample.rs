//! The counterexample cache: solutions and contradictions of sets of constraints.
//!
//! A set with a stored subset that has no solution has none; one with a stored superset that has a
//! solution has the same; and a solution of a stored subset often solves the whole set, which is tried
//! by evaluation. Sets are of *name* digests: sets of shapes would equate `{x < 3, x > 5}` with
//! `{x < 3, y > 5}`.
//!
//! Only truths are answered here. A solution that steers the exploration or becomes a test is asked of
//! the solver below, so that it does not depend on what happened to be stored.

use std::rc::Rc;
use std::time::Duration;

use cache_core::subsume::{NameSet, SetTree};

use super::{Counts, Query, Solver, SolverError};
use crate::base::system::System;
use crate::expr::{Arena, Evaluator, ExprId, Model};

/// The solver that remembers solutions and contradictions.
pub struct Counterexamples {
    inner: Box<dyn Solver>,
    /// Sets with a solution, and the solution.
    solutions: SetTree<Rc<Model>>,
    /// Sets without one.
    contradictions: SetTree<()>,
    /// All solutions in the order in which they were found, if all of them are tried.
    all: Option<Vec<Rc<Model>>>,
    hits: u64,
    clock: Rc<dyn System>,
    /// What looking up and storing took.
    time: Duration,
}

impl Counterexamples {
    /// Remembers what `inner` answers. With `try_all`, every solution is tried on every set, which costs
    /// an evaluation each.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>, try_all: bool, clock: Rc<dyn System>) -> Self {
        Self {
            inner,
            solutions: SetTree::new(),
            contradictions: SetTree::new(),
            all: try_all.then(Vec::new),
            hits: 0,
            clock,
            time: Duration::ZERO,
        }
    }

    /// What is stored about a set.
    fn stored(&self, arena: &Arena, set: &NameSet, members: &[ExprId]) -> Option<bool> {
        if self.contradictions.subset(set, |()| true).is_some() {
            return Some(false);
        }
        let solves = |model: &Rc<Model>| {
            let mut evaluator = Evaluator::new(arena, model);
            members.iter().all(|member| evaluator.holds(*member))
        };
        // A superset's solution solves a subset; evaluating it costs little and trusts no digest.
        if self.solutions.superset(set, solves).is_some() || self.solutions.subset(set, solves).is_some() {
            return Some(true);
        }
        // The newest is the likeliest: it is of a state nearby.
        if let Some(all) = &self.all
            && all.iter().rev().any(solves)
        {
            return Some(true);
        }
        None
    }
}

impl Solver for Counterexamples {
    fn inner(&self) -> Option<&dyn Solver> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Solver> {
        Some(&mut *self.inner)
    }

    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
        let start = self.clock.elapsed();
        let members: Vec<ExprId> =
            query.constraints.iter().chain([&query.expr]).copied().filter(|id| !arena.is_true(*id)).collect();
        let set: NameSet = members.iter().map(|id| arena.name(*id)).collect();
        let stored = self.stored(arena, &set, &members);
        self.time += self.clock.elapsed().saturating_sub(start);
        if let Some(answer) = stored {
            self.hits += 1;
            return Ok(answer);
        }
        let model = self.inner.witness(arena, query)?;
        let start = self.clock.elapsed();
        let satisfiable = model.is_some();
        match model {
            Some(model) => {
                let model = Rc::new(model);
                if let Some(all) = &mut self.all
                    && !all.contains(&model)
                {
                    all.push(Rc::clone(&model));
                }
                self.solutions.insert(&set, model);
            }
            None => {
                self.contradictions.insert(&set, ());
            }
        }
        self.time += self.clock.elapsed().saturating_sub(start);
        Ok(satisfiable)
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        self.inner.model(arena, query)
    }

    fn count(&self, counts: &mut Counts) {
        self.inner.count(counts);
        counts.counterexample_seconds += self.time.as_secs_f64();
        counts.add("counterexample_hits", self.hits);
        counts.add("counterexample_entries", (self.solutions.len() + self.contradictions.len()) as u64);
    }
}
