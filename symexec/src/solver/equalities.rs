//! Equality substitution: what a constraint fixes is known in all later ones and in what is asked.
//!
//! A constraint `constant = expression` fixes the expression; one that fixes a concatenation fixes its
//! parts, and one that fixes an extension what is extended. The constraint stays (an expression that is replaced
//! elsewhere is still restricted by it), but [`super::independence`] then drops it from most questions, since nothing
//! else mentions its inputs.
//!
//! Paths share prefixes, so what is fixed is remembered by prefix, as a tree: a path that grows by one
//! constraint costs one look-up per constraint and the rewriting of the new one. Only constants are put
//! in, so the class of a question never gets worse, and equal questions stay equal: the substitution
//! commutes with renaming.

use rpds::RedBlackTreeMap;
use rustc_hash::FxHashMap;

use super::{Counts, Query, Solver, SolverError};
use crate::base::bits::CompareOp;
use crate::expr::{Arena, Class, ExprId, Marks, Model, Node};

/// Expressions with the constants that they are.
type Fixed = RedBlackTreeMap<ExprId, ExprId>;

/// What some constraints fix.
struct Knowledge {
    fixed: Fixed,
    /// What was rewritten already. Dropped when it grows large.
    rewritten: FxHashMap<ExprId, ExprId>,
}

/// A list of constraints that some path has.
#[derive(Clone, Copy)]
struct Prefix {
    /// What they fix: a place among the knowledge.
    knowledge: usize,
    /// The last of them, rewritten.
    last: ExprId,
}

/// The substituting solver.
pub struct Equalities {
    inner: Box<dyn Solver>,
    /// Lists of constraints; the first is empty.
    prefixes: Vec<Prefix>,
    /// What they fix, once for all lists that fix the same; the first is nothing.
    knowledge: Vec<Knowledge>,
    /// A list and one constraint more.
    longer: FxHashMap<(usize, ExprId), usize>,
    decided: u64,
}

/// How many rewritten expressions are remembered with what was fixed.
const REMEMBERED: usize = 1 << 14;

/// Prefixes that are kept; beyond, all are forgotten and found again as they are needed.
const PREFIXES: usize = 1 << 18;

impl Equalities {
    /// Substitutes before `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Self {
        Self { inner, prefixes: Vec::new(), knowledge: Vec::new(), longer: FxHashMap::default(), decided: 0 }
    }

    /// Forgets all lists; the first one is there when one is looked for again.
    fn clear(&mut self) {
        self.prefixes = Vec::new();
        self.knowledge = Vec::new();
        self.longer = FxHashMap::default();
    }

    /// The query with everything replaced that its constraints fix before.
    fn rewritten(&mut self, arena: &mut Arena, query: &Query) -> Query {
        let (at, constraints) = self.prefix(arena, &query.constraints);
        Query { constraints, expr: self.rewrite(arena, at, query.expr) }
    }

    /// A list of constraints among those known, and what these are when everything is replaced that others fix before.
    fn prefix(&mut self, arena: &mut Arena, original: &[ExprId]) -> (usize, Vec<ExprId>) {
        if self.prefixes.len() > PREFIXES {
            self.clear();
        }
        if self.prefixes.is_empty() {
            let last = arena.truth(true);
            self.prefixes = vec![Prefix { knowledge: 0, last }];
            self.knowledge = vec![Knowledge { fixed: Fixed::new(), rewritten: FxHashMap::default() }];
        }
        let mut at = 0;
        let mut constraints = Vec::with_capacity(original.len());
        for constraint in original {
            at = match self.longer.get(&(at, *constraint)) {
                Some(next) => *next,
                None => self.lengthen(arena, at, *constraint),
            };
            let last = self.prefixes[at].last;
            if !arena.is_true(last) {
                constraints.push(last);
            }
        }
        (at, constraints)
    }

    fn lengthen(&mut self, arena: &mut Arena, at: usize, constraint: ExprId) -> usize {
        let last = self.rewrite(arena, at, constraint);
        let mut knowledge = self.prefixes[at].knowledge;
        let mut fixed = self.knowledge[knowledge].fixed.clone();
        let before = fixed.size();
        fix(arena, last, &mut fixed);
        if fixed.size() != before {
            knowledge = self.knowledge.len();
            self.knowledge.push(Knowledge { fixed, rewritten: FxHashMap::default() });
        }
        let next = self.prefixes.len();
        self.prefixes.push(Prefix { knowledge, last });
        self.longer.insert((at, constraint), next);
        next
    }

    /// An expression with everything replaced that a prefix fixes.
    fn rewrite(&mut self, arena: &mut Arena, at: usize, root: ExprId) -> ExprId {
        let knowledge = self.prefixes.get(at).map_or(0, |prefix| prefix.knowledge);
        let Some(Knowledge { fixed, rewritten }) = self.knowledge.get_mut(knowledge) else { return root };
        if fixed.is_empty() {
            return root;
        }
        if rewritten.len() > REMEMBERED {
            rewritten.clear();
        }
        let known = |rewritten: &FxHashMap<ExprId, ExprId>, id: ExprId| {
            fixed.get(&id).or_else(|| rewritten.get(&id)).copied()
        };
        let (mut stack, mut children) = (vec![root], Vec::new());
        while let Some(&id) = stack.last() {
            if known(rewritten, id).is_some() {
                stack.pop();
                continue;
            }
            children.clear();
            arena.children(id, &mut children);
            let before = stack.len();
            stack.extend(children.iter().filter(|child| known(rewritten, **child).is_none()));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let done = arena.rebuild(id, &|child| known(rewritten, child).unwrap_or(child));
            let done = fixed.get(&done).copied().unwrap_or(done);
            rewritten.insert(id, done);
        }
        known(rewritten, root).unwrap_or(root)
    }
}

/// Adds what a constraint fixes.
fn fix(arena: &mut Arena, constraint: ExprId, fixed: &mut Fixed) {
    let Node::Compare(CompareOp::Eq, constant, expr) = arena.node(constraint) else { return };
    if arena.as_bits(constant).is_none() {
        return;
    }
    let mut stack = vec![(expr, constant)];
    while let Some((expr, constant)) = stack.pop() {
        // A pointer that is null is a matter of layouts only together with other pointers; leave it.
        if arena.class(expr) != Class::Integer {
            continue;
        }
        fixed.insert_mut(expr, constant);
        let width = arena.width(expr);
        match arena.node(expr) {
            Node::Concat(high, low) => {
                let middle = arena.width(low);
                let (upper, lower) =
                    (arena.extract(constant, middle, width - middle), arena.extract(constant, 0, middle));
                stack.extend([(high, upper), (low, lower)]);
            }
            Node::ZeroExtend(inner) | Node::SignExtend(inner) => {
                let narrow = arena.width(inner);
                stack.push((inner, arena.extract(constant, 0, narrow)));
            }
            Node::Not(inner) => stack.push((inner, arena.not(constant))),
            _ => {}
        }
    }
}

impl Solver for Equalities {
    fn inner(&self) -> Option<&dyn Solver> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Solver> {
        Some(&mut *self.inner)
    }

    fn forget(&mut self) {
        self.clear();
        self.inner.forget();
    }

    fn trace(&mut self, marks: &mut Marks) {
        self.clear();
        self.inner.trace(marks);
    }

    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
        let query = self.rewritten(arena, query);
        if arena.is_true(query.expr) || arena.is_false(query.expr) {
            // The constraints have a solution by themselves.
            self.decided += 1;
            return Ok(arena.is_true(query.expr));
        }
        self.inner.satisfiable(arena, &query)
    }

    fn possible(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        conditions: &[ExprId],
    ) -> Option<Vec<bool>> {
        let (at, constraints) = self.prefix(arena, constraints);
        let conditions: Vec<ExprId> =
            conditions.iter().map(|condition| self.rewrite(arena, at, *condition)).collect();
        self.inner.possible(arena, &constraints, &conditions)
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        let query = self.rewritten(arena, query);
        if arena.is_false(query.expr) {
            self.decided += 1;
            return Ok(None);
        }
        self.inner.model(arena, &query)
    }

    fn witness(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        let query = self.rewritten(arena, query);
        if arena.is_false(query.expr) {
            self.decided += 1;
            return Ok(None);
        }
        self.inner.witness(arena, &query)
    }

    fn count(&self, counts: &mut Counts) {
        self.inner.count(counts);
        counts.add("decided_by_equalities", self.decided);
    }
}
