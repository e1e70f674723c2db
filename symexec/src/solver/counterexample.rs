//! The counterexample cache: solutions and contradictions of sets of constraints.
//!
//! A set with a stored subset that has no solution has none; one with a stored superset that has a
//! solution has the same; and a solution of a stored subset often solves the whole set, which is tried
//! by evaluation, of the newest subsets. Sets are of expressions, which are what they are called: sets of shapes would
//! equate `{x < 3, x > 5}` with `{x < 3, y > 5}`.
//!
//! What the query cache before it answers is told to it ([`Solver::learn`]): a path whose questions were all asked
//! before, of other objects, would otherwise have no solution here, and its first new question would go to the solver
//! on both sides.
//!
//! Truths and witnesses are answered here; a witness may be a stored solution of more than was asked, which says
//! something of other inputs, too. A solution that becomes a test is asked of the solver below, so that it does not
//! depend on what happened to be stored.

use std::rc::Rc;
use std::time::Duration;

use cache_core::subsume::{Member, MemberSet, RecentBounds, RecentSets};

use super::{Counts, Decided, Query, Solver, SolverError};
use crate::base::system::System;
use crate::expr::{Arena, Evaluator, ExprId, Marks, Model};

/// Equal expressions have one number.
impl Member for ExprId {}

type Set = MemberSet<ExprId>;

/// How many solutions of subsets are tried for a question.
const TRIES: usize = 128;

/// The solver that remembers solutions and contradictions.
pub struct Counterexamples {
    inner: Box<dyn Solver>,
    /// Sets with a solution, and the solution.
    solutions: RecentSets<ExprId, Rc<Model>>,
    /// Sets without one.
    contradictions: RecentSets<ExprId, ()>,
    /// All solutions in the order in which they were found, if all of them are tried.
    all: Option<Vec<Rc<Model>>>,
    hits: u64,
    /// Solutions that were tried by evaluation.
    tries: u64,
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
            solutions: RecentSets::new(RecentBounds::default()),
            contradictions: RecentSets::new(RecentBounds::default()),
            all: try_all.then(Vec::new),
            hits: 0,
            tries: 0,
            learned: 0,
            clock,
            time: Duration::ZERO,
        }
    }

    /// What is stored about a set; what is asked is the last of its members.
    fn stored(&mut self, arena: &Arena, set: &Set, members: &[ExprId]) -> Option<Decided> {
        if self.contradictions.has_subset(set) {
            return Some(Decided::Contradictory);
        }
        let mut tries = 0;
        // What is new comes first, since that fails first; the others only confirm.
        let mut solves = |model: &Rc<Model>, known: &Set| {
            tries += 1;
            let mut evaluator = Evaluator::new(arena, model);
            let is_new = |member: &&ExprId| !known.contains(member);
            members.iter().rev().filter(is_new).all(|member| evaluator.holds(*member))
                && members.iter().all(|member| evaluator.holds(*member))
        };
        // A superset's solution solves a subset; evaluating it costs little.
        let nothing = Set::default();
        let above = self.solutions.superset(set).filter(|model| solves(model, &nothing));
        let found = above.cloned().or_else(|| {
            let mut below = self.solutions.subsets(set).take(TRIES);
            below.find(|(known, model)| solves(model, known)).map(|(_, model)| Rc::clone(model))
        });
        // The newest is the likeliest: it is of a state nearby.
        let found =
            found.or_else(|| self.all.iter().flatten().rev().find(|model| solves(model, &nothing)).cloned());
        self.tries += tries;
        found.map(|model| Decided::Solvable(Some(model)))
    }

    /// Stores what a set's answer is.
    fn store(&mut self, set: Set, answer: &Decided) {
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
            Decided::Contradictory => self.contradictions.insert(set, ()),
        }
    }
}

/// The conditions of a query that say something, what is asked last, and as a set.
fn members(arena: &Arena, query: &Query) -> (Vec<ExprId>, Set) {
    let all = query.constraints.iter().chain([&query.expr]).copied();
    let members: Vec<ExprId> = all.filter(|id| !arena.is_true(*id)).collect();
    let set = members.iter().copied().collect();
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
        self.store(set, &answer);
        self.time += self.clock.elapsed().saturating_sub(start);
        Ok(answer)
    }

    /// One that is stored will do.
    fn witness(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        match self.decide(arena, query)? {
            Decided::Solvable(Some(model)) => Ok(Some(Model::clone(&model))),
            Decided::Solvable(None) => self.inner.witness(arena, query),
            Decided::Contradictory => Ok(None),
        }
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
            self.store(set, &answer);
        }
        self.time += self.clock.elapsed().saturating_sub(start);
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        let model = self.inner.model(arena, query)?;
        self.learn(arena, query, decided(model.clone()));
        Ok(model)
    }

    fn forget(&mut self) {
        self.solutions.halve();
        self.contradictions.halve();
        if let Some(all) = &mut self.all {
            all.drain(..all.len() / 2);
            all.shrink_to_fit();
        }
        self.inner.forget();
    }

    /// What sets consist of stays: with it would go which questions have known answers.
    fn trace(&mut self, marks: &mut Marks) {
        let sets = self.solutions.sets().map(|(set, _)| set);
        let sets = sets.chain(self.contradictions.sets().map(|(set, ())| set));
        sets.flat_map(Set::members).for_each(|member| marks.mark(*member));
        self.inner.trace(marks);
    }

    fn count(&self, counts: &mut Counts) {
        self.inner.count(counts);
        counts.counterexample_seconds += self.time.as_secs_f64();
        counts.add("counterexample_hits", self.hits);
        counts.add("counterexample_tries", self.tries);
        counts.add("counterexamples_learned", self.learned);
        counts.add("counterexample_entries", (self.solutions.len() + self.contradictions.len()) as u64);
    }
}
