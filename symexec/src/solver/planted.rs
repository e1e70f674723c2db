//! A lie that is a solver of its own, planted for the oracle to find: where objects lie is substituted
//! wrongly in the questions that depend on it. In no program for users.

use cache_core::cache::Cost;
use rustc_hash::FxHashMap;

use super::translate::is_agnostic;
use super::{Counts, Query, Solver, SolverError};
use crate::expr::{Arena, ExprId, Model, Node};

/// All objects lie below this, and so their mirror images are no addresses of others.
const MIRROR: u64 = 1 << 46;

/// The solver that is asked about a layout in which all objects have the opposite order.
pub(super) struct Misplaced {
    inner: Box<dyn Solver>,
    moved: FxHashMap<ExprId, ExprId>,
}

impl Misplaced {
    pub(super) fn new(inner: Box<dyn Solver>) -> Self {
        Self { inner, moved: FxHashMap::default() }
    }

    fn query(&mut self, arena: &mut Arena, query: &Query) -> Query {
        if is_agnostic(arena, query) {
            return query.clone();
        }
        let constraints = query.constraints.iter().map(|id| self.expression(arena, *id)).collect();
        Query { constraints, expr: self.expression(arena, query.expr) }
    }

    fn expression(&mut self, arena: &mut Arena, root: ExprId) -> ExprId {
        let (mut stack, mut children) = (vec![root], Vec::new());
        while let Some(&id) = stack.last() {
            children.clear();
            arena.children(id, &mut children);
            let before = stack.len();
            stack.extend(children.iter().filter(|child| !self.moved.contains_key(*child)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let done = match arena.node(id) {
                Node::Address(address) => {
                    let base = arena.address(address).base;
                    arena.constant(64, MIRROR.wrapping_sub(base))
                }
                _ => arena.rebuild(id, &|child| self.moved.get(&child).copied().unwrap_or(child)),
            };
            self.moved.insert(id, done);
        }
        self.moved.get(&root).copied().unwrap_or(root)
    }
}

impl Solver for Misplaced {
    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
        let query = self.query(arena, query);
        self.inner.satisfiable(arena, &query)
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        let query = self.query(arena, query);
        self.inner.model(arena, &query)
    }

    fn spent(&self) -> Cost {
        self.inner.spent()
    }

    fn count(&self, counts: &mut Counts) {
        self.inner.count(counts);
    }

    fn finish(&mut self) {
        self.inner.finish();
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.inner.take_warnings()
    }
}
