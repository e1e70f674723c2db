//! Independence slicing: only constraints that share an input with what is asked, directly or through
//! others, can matter, because the rest has a solution by itself. Base addresses are fixed numbers and
//! connect nothing.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Query, Solver, SolverError};
use crate::expr::{Arena, ExprId, InputId, Marks, Model, Node};

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

    /// The byte of an input that is all that is unknown of an expression.
    pub fn only_byte(&mut self, arena: &Arena, expr: ExprId) -> Option<InputId> {
        match *self.inputs(arena, expr) {
            [byte] => Some(byte),
            _ => None,
        }
    }

    /// The inputs of a question, each once.
    fn inputs_of(&mut self, arena: &Arena, query: &Query) -> Vec<InputId> {
        let mut all = Vec::new();
        for condition in query.constraints.iter().chain([&query.expr]) {
            all.extend_from_slice(self.inputs(arena, *condition));
        }
        all.sort_unstable();
        all.dedup();
        all
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

    /// A solution is put together from solutions of the independent parts. Whoever gives one may say something of
    /// other inputs as well, since a solution of more than was asked is one: of each only the part's own inputs count.
    fn solution(
        &mut self,
        arena: &mut Arena,
        query: &Query,
        ask: impl Fn(&mut dyn Solver, &mut Arena, &Query) -> Result<Option<Model>, SolverError>,
    ) -> Result<Option<Model>, SolverError> {
        let mut whole = Model::default();
        let mut solve = |slices: &mut Slices, inner: &mut dyn Solver, arena: &mut Arena, part: &Query| {
            let Some(model) = ask(inner, arena, part)? else { return Ok(None) };
            whole.extend_with(&model, slices.inputs_of(arena, part));
            Ok(Some(()))
        };
        let mut rest = query.constraints.clone();
        if !arena.is_true(query.expr) {
            let start = self.slices.inputs(arena, query.expr).to_vec();
            let (constraints, others) = self.slices.split(arena, &start, &rest);
            let part = Query { constraints, expr: query.expr };
            if solve(&mut self.slices, &mut *self.inner, arena, &part)?.is_none() {
                return Ok(None);
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
            let part = Query { constraints, expr: nothing };
            if solve(&mut self.slices, &mut *self.inner, arena, &part)?.is_none() {
                return Ok(None);
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

    fn trace(&mut self, marks: &mut Marks) {
        self.slices.forget();
        self.inner.trace(marks);
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

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::Independence;
    use crate::base::system::RealSystem;
    use crate::expr::{Arena, Evaluator, ExprId, InputId, Model, RenameInputs};
    use crate::solver::counterexample::Counterexamples;
    use crate::solver::{Query, Solver, SolverError};

    /// Finds the least solution of questions about two bytes by trying all.
    struct Tries(Vec<InputId>);

    impl Solver for Tries {
        fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
            Ok(self.model(arena, query)?.is_some())
        }

        fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
            let models =
                (0..=u16::MAX).map(|number| Model::new(self.0.iter().copied().zip(number.to_be_bytes())));
            Ok(models.into_iter().find(|model| satisfies(arena, model, query)))
        }
    }

    fn satisfies(arena: &Arena, model: &Model, query: &Query) -> bool {
        let mut evaluator = Evaluator::new(arena, model);
        query.constraints.iter().chain([&query.expr]).all(|condition| evaluator.holds(*condition))
    }

    #[test]
    fn a_part_whose_solution_says_something_of_other_inputs_does_not_take_it_from_other_parts() {
        let mut arena = Arena::new(RenameInputs(true));
        let array = arena.input_array("text", 2);
        let inputs = arena.array(array).bytes.to_vec();
        let [a, b] = [0, 1].map(|place: usize| arena.input_byte(inputs[place]));
        let above = |arena: &mut Arena, least: u64, byte: ExprId| {
            let least = arena.constant(8, least);
            arena.less(least, byte)
        };
        let large = above(&mut arena, 100, a);
        let small = above(&mut arena, 10, b);
        let both = arena.less(a, b);
        let nothing = arena.truth(true);
        let stored = Counterexamples::new(Box::new(Tries(inputs)), false, Rc::new(RealSystem::default()));
        let mut solver = Independence::new(Box::new(stored));
        // What is stored solves `small`, with a zero that is no solution of `large`.
        let first = Query { constraints: vec![small], expr: both };
        assert!(solver.witness(&mut arena, &first).unwrap().is_some());
        for constraints in [vec![large, small], vec![small, large]] {
            let query = Query { constraints, expr: nothing };
            let model = solver.witness(&mut arena, &query).unwrap().unwrap();
            assert!(satisfies(&arena, &model, &query), "{model:?}");
        }
        for (constraint, expr) in [(large, small), (small, large)] {
            let query = Query { constraints: vec![constraint], expr };
            let model = solver.witness(&mut arena, &query).unwrap().unwrap();
            assert!(satisfies(&arena, &model, &query), "{model:?}");
        }
    }
}
