//! The counterexample cache: solutions and contradictions of sets of constraints.
//!
//! A set with a stored subset that has no solution has none; one with a stored superset that has a
//! solution has the same; and a solution of a stored subset often solves the whole set, which is tried
//! by evaluation. Sets are of *name* digests: sets of shapes would equate `{x < 3, x > 5}` with
//! `{x < 3, y > 5}`.
//!
//! What the query cache before it answers is told to it ([`Solver::learn`]): a path whose questions were all asked
//! before, of other objects, would otherwise have no solution here, and its first new question would go to the solver
//! on both sides.
//!
//! Only truths are answered here. A solution that steers the exploration or becomes a test is asked of
//! the solver below, so that it does not depend on what happened to be stored.

use std::rc::Rc;
use std::time::Duration;

use cache_core::subsume::{NameSet, SetTree};

use super::{Counts, Decided, Query, Solver, SolverError};
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
    /// Answers that were found elsewhere.
    learned: u64,
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
            learned: 0,
            clock,
            time: Duration::ZERO,
        }
    }

    /// What is stored about a set.
    fn stored(&self, arena: &Arena, set: &NameSet, members: &[ExprId]) -> Option<Decided> {
        if self.contradictions.subset(set, |()| true).is_some() {
            return Some(Decided::Contradictory);
        }
        let solves = |model: &Rc<Model>| {
            let mut evaluator = Evaluator::new(arena, model);
            members.iter().all(|member| evaluator.holds(*member))
        };
        // A superset's solution solves a subset; evaluating it costs little and trusts no digest.
        let near = self.solutions.superset(set, solves).or_else(|| self.solutions.subset(set, solves));
        // The newest is the likeliest: it is of a state nearby.
        let found = near.or_else(|| self.all.iter().flatten().rev().find(|model| solves(model)))?;
        Some(Decided::Solvable(Some(Rc::clone(found))))
    }

    /// Stores what a set's answer is.
    fn store(&mut self, set: &NameSet, answer: &Decided) {
        match answer {
            Decided::Solvable(None) => {}
            Decided::Solvable(Some(model)) => {
                if let Some(all) = &mut self.all
                    && !all.contains(model)
                {
                    all.push(Rc::clone(model));
                }
                self.solutions.insert(set, Rc::clone(model));
            }
            Decided::Contradictory => {
                self.contradictions.insert(set, ());
            }
        }
    }
}

/// The conditions of a query that say something, and their names.
fn members(arena: &mut Arena, query: &Query) -> (Vec<ExprId>, NameSet) {
    let all = query.constraints.iter().chain([&query.expr]).copied();
    let members: Vec<ExprId> = all.filter(|id| !arena.is_true(*id)).collect();
    let set = members.iter().map(|id| arena.name(*id)).collect();
    (members, set)
}

fn decided(model: Option<Model>) -> Decided {
    model.map_or(Decided::Contradictory, |model| Decided::Solvable(Some(Rc::new(model))))
}

impl Solver for Counterexamples {
    fn inner(&self) -> Option<&dyn Solver> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Solver> {
        Some(&mut *self.inner)
    }

    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
        Ok(matches!(self.decide(arena, query)?, Decided::Solvable(_)))
    }

    fn decide(&mut self, arena: &mut Arena, query: &Query) -> Result<Decided, SolverError> {
        let start = self.clock.elapsed();
        let (members, set) = members(arena, query);
        let stored = self.stored(arena, &set, &members);
        self.time += self.clock.elapsed().saturating_sub(start);
        if let Some(answer) = stored {
            self.hits += 1;
            return Ok(answer);
        }
        let answer = decided(self.inner.witness(arena, query)?);
        let start = self.clock.elapsed();
        self.store(&set, &answer);
        self.time += self.clock.elapsed().saturating_sub(start);
        Ok(answer)
    }

    fn learn(&mut self, arena: &mut Arena, query: &Query, answer: Decided) {
        let start = self.clock.elapsed();
        let (members, set) = members(arena, query);
        // What does not solve it here is of no use; that nothing does, somebody else has found.
        let fits = match &answer {
            Decided::Solvable(Some(model)) => {
                let mut evaluator = Evaluator::new(arena, model);
                members.iter().all(|member| evaluator.holds(*member))
            }
            Decided::Solvable(None) => false,
            Decided::Contradictory => true,
        };
        if fits {
            self.learned += 1;
            self.store(&set, &answer);
        }
        self.time += self.clock.elapsed().saturating_sub(start);
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        let model = self.inner.model(arena, query)?;
        self.learn(arena, query, decided(model.clone()));
        Ok(model)
    }

    fn count(&self, counts: &mut Counts) {
        self.inner.count(counts);
        counts.counterexample_seconds += self.time.as_secs_f64();
        counts.add("counterexample_hits", self.hits);
        counts.add("counterexamples_learned", self.learned);
        counts.add("counterexample_entries", (self.solutions.len() + self.contradictions.len()) as u64);
    }
}
