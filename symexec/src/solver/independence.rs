//! Independence slicing: only constraints that share an input with what is asked, directly or through
//! others, can matter, because the rest has a solution by itself. Base addresses are fixed numbers and
//! connect nothing.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Query, Solver, SolverError};
use crate::expr::{Arena, ExprId, InputId, Model, Node};

/// Which constraints share inputs with what, with the inputs of each found once.
#[derive(Debug, Default)]
pub struct Slices {
    inputs: FxHashMap<ExprId, Box<[InputId]>>,
}

impl Slices {
    /// Forgets what was found.
    pub fn forget(&mut self) {
        self.inputs = FxHashMap::default();
    }

    /// The inputs of an expression, found once.
    fn inputs(&mut self, arena: &Arena, root: ExprId) -> &[InputId] {
        self.inputs.entry(root).or_insert_with(|| {
            let (mut stack, mut seen, mut found) = (vec![root], FxHashSet::default(), Vec::new());
            while let Some(id) = stack.pop() {
                if !seen.insert(id) {
                    continue;
                }
                match arena.node(id) {
                    Node::Input(input) => found.push(input),
                    _ => arena.children(id, &mut stack),
                }
            }
            found.sort_unstable();
            found.into_boxed_slice()
        })
    }

    /// The constraints that share inputs with `start`, in their order, and those that do not.
    fn split(
        &mut self,
        arena: &Arena,
        start: &[InputId],
        constraints: &[ExprId],
    ) -> (Vec<ExprId>, Vec<ExprId>) {
        let mut reached: FxHashSet<InputId> = start.iter().copied().collect();
        let mut inside = vec![false; constraints.len()];
        loop {
            let mut changed = false;
            for (place, constraint) in constraints.iter().enumerate() {
                if inside[place] {
                    continue;
                }
                let inputs = self.inputs(arena, *constraint);
                if inputs.iter().any(|input| reached.contains(input)) {
                    inside[place] = true;
                    changed = true;
                    reached.extend(inputs.iter().copied());
                }
            }
            if !changed {
                break;
            }
        }
        let pick = |wanted: bool| {
            constraints
                .iter()
                .zip(&inside)
                .filter(|(_, inside)| **inside == wanted)
                .map(|(id, _)| *id)
                .collect()
        };
        (pick(true), pick(false))
    }

    /// The constraints that can matter to any of some conditions, in their order. A question about one of these has the
    /// same answer under them as under all, as long as all have a solution; where several are asked, each is spared the
    /// look at the others.
    pub fn of(&mut self, arena: &Arena, conditions: &[ExprId], constraints: &[ExprId]) -> Vec<ExprId> {
        let mut start = Vec::new();
        for condition in conditions {
            start.extend_from_slice(self.inputs(arena, *condition));
        }
        self.split(arena, &start, constraints).0
    }
}

/// The slicing solver.
pub struct Independence {
    inner: Box<dyn Solver>,
    slices: Slices,
}

impl Independence {
    /// Slices before `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Self {
        Self { inner, slices: Slices::default() }
    }

    /// A solution is put together from solutions of the independent parts.
    fn solution(
        &mut self,
        arena: &mut Arena,
        query: &Query,
        ask: impl Fn(&mut dyn Solver, &mut Arena, &Query) -> Result<Option<Model>, SolverError>,
    ) -> Result<Option<Model>, SolverError> {
        let mut whole = Model::default();
        let mut rest = query.constraints.clone();
        if !arena.is_true(query.expr) {
            let start = self.slices.inputs(arena, query.expr).to_vec();
            let (constraints, others) = self.slices.split(arena, &start, &rest);
            match ask(&mut *self.inner, arena, &Query { constraints, expr: query.expr })? {
                None => return Ok(None),
                Some(model) => whole.extend(&model),
            }
            rest = others;
        }
        let nothing = arena.truth(true);
        while let Some(first) = rest.first().copied() {
            let start = self.slices.inputs(arena, first).to_vec();
            let (mut constraints, mut others) = self.slices.split(arena, &start, &rest);
            if constraints.is_empty() {
                // A constraint without inputs is decided already.
                constraints = vec![first];
                others = rest.split_off(1);
            }
            match ask(&mut *self.inner, arena, &Query { constraints, expr: nothing })? {
                None => return Ok(None),
                Some(model) => whole.extend(&model),
            }
            rest = others;
        }
        Ok(Some(whole))
    }

    fn slice(&mut self, arena: &Arena, query: &Query) -> Query {
        let start = self.slices.inputs(arena, query.expr).to_vec();
        let (constraints, _) = self.slices.split(arena, &start, &query.constraints);
        Query { constraints, expr: query.expr }
    }
}

impl Solver for Independence {
    fn inner(&self) -> Option<&dyn Solver> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Solver> {
        Some(&mut *self.inner)
    }

    fn forget(&mut self) {
        self.slices.forget();
        self.inner.forget();
    }

    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
        let slice = self.slice(arena, query);
        self.inner.satisfiable(arena, &slice)
    }

    fn possible(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        conditions: &[ExprId],
    ) -> Option<Vec<bool>> {
        let slice = self.slices.of(arena, conditions, constraints);
        self.inner.possible(arena, &slice, conditions)
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        self.solution(arena, query, |inner, arena, part| inner.model(arena, part))
    }

    fn witness(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        self.solution(arena, query, |inner, arena, part| inner.witness(arena, part))
    }
}
