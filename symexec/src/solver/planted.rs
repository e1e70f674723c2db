//! Lies about whole questions, planted for the oracle to find: a solver of its own that substitutes wrongly where
//! objects lie in the questions that depend on it, and buffers whose bytes lie elsewhere. In no program for users.

use super::buffers::Buffers;
use super::question::{Question, Term};
use super::translate::is_agnostic;
use super::{Query, Solver, SolverError};
use crate::expr::{Arena, ExprId, Marks, Model, Rewritten};

/// All objects lie below this, and so their mirror images are no addresses of others.
const MIRROR: u64 = 1 << 46;

/// A question whose long arrays of unknown bytes, if they are the theory's, begin with the second element.
pub(super) fn mixed(mut question: Question) -> Question {
    let buffers = Buffers::of(&question);
    for (number, (_, term)) in (0..).zip(&mut question.terms) {
        if let Term::Literal(elements) = term
            && buffers.view_of(number).is_some()
        {
            elements.rotate_left(1);
        }
    }
    question
}

/// The solver that is asked about a layout in which all objects have the opposite order.
pub(super) struct Misplaced {
    inner: Box<dyn Solver>,
    moved: Rewritten,
}

impl Misplaced {
    pub(super) fn new(inner: Box<dyn Solver>) -> Self {
        Self { inner, moved: Rewritten::default() }
    }

    fn query(&mut self, arena: &mut Arena, query: &Query) -> Query {
        if is_agnostic(arena, query) {
            return query.clone();
        }
        let constraints = query.constraints.iter().map(|id| self.expression(arena, *id)).collect();
        Query { constraints, expr: self.expression(arena, query.expr) }
    }

    fn expression(&mut self, arena: &mut Arena, root: ExprId) -> ExprId {
        arena.replace_addresses(root, &mut self.moved, |arena, address| {
            let base = arena.address(address).base;
            arena.constant(64, MIRROR.wrapping_sub(base))
        })
    }
}

impl Solver for Misplaced {
    fn inner(&self) -> Option<&dyn Solver> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Solver> {
        Some(&mut *self.inner)
    }

    fn trace(&mut self, marks: &mut Marks) {
        self.moved = Rewritten::default();
        self.inner.trace(marks);
    }

    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
        let query = self.query(arena, query);
        self.inner.satisfiable(arena, &query)
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        let query = self.query(arena, query);
        self.inner.model(arena, &query)
    }
}
