//! Quantifiers over types where no formula stands: in arguments, triggers, bodies of lambdas.
//!
//! There it is not known whether the quantifier is assumed or proved, so it cannot be made finite at its
//! place. It gets a name instead: a new predicate of what is free in it, defined to be equivalent. The
//! definition is a formula like any other, in which both sides are told apart, and adds nothing: whatever
//! held before can be extended by it. What is left out of its instances says less of the predicate, never
//! more. Quantifiers that are equal up to names have one predicate, so that functions of them are equal.
//!
//! Inside a lambda over types the predicate has its type variables as parameters, and is defined at
//! each list of types it is used at, as any function with a body is.

use rustc_hash::FxHashMap;

use super::{Translated, Translator, narrow, parameter_name};
use crate::resolve::graph::{BoundVariable, NodeId, NodeKind, QuantifierNode};
use crate::resolve::program::{Function, Meaning, Program};
use crate::resolve::types::{Type, TypeVariableId};
use crate::syntax::ast::Binder;

impl Translator<'_> {
    /// An expression with a predicate at the place of each outermost quantifier over types.
    pub(super) fn named(&mut self, root: NodeId) -> Translated<NodeId> {
        let root = self.expanded(root);
        // Type variables of lambdas around are parameters of what stands inside.
        let mut variables: Vec<TypeVariableId> = Vec::new();
        let mut found: Vec<NodeId> = Vec::new();
        for id in self.program.graph.below(&[root]) {
            if let NodeKind::Quantifier(quantifier) = self.program.graph.kind(id) {
                if quantifier.binder == Binder::Lambda {
                    variables.extend(&quantifier.type_parameters);
                } else if !quantifier.type_parameters.is_empty() {
                    found.push(id);
                }
            }
        }
        let mut names: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for id in found {
            let name = self.predicate(id, &variables)?;
            names.insert(id, name);
        }
        let graph = &mut self.program.graph;
        Ok(graph.replace(root, &mut FxHashMap::default(), &mut |_, id| names.get(&id).copied()))
    }

    /// The predicate of a quantifier, applied to what is free in it.
    fn predicate(&mut self, quantifier: NodeId, variables: &[TypeVariableId]) -> Translated<NodeId> {
        let bool = self.program.types.bool();
        let mentioned: Vec<TypeVariableId> =
            variables.iter().copied().filter(|variable| self.mentions(quantifier, *variable)).collect();
        let free = self.program.graph.free_leaves(quantifier);
        let from = self.program.graph.levels_below(&free);
        let nested = self.program.graph.renumbered(quantifier, from);
        let mut leaves = FxHashMap::default();
        let mut bound = Vec::new();
        for (level, leaf) in free.iter().enumerate() {
            let ty = self.program.graph.ty(*leaf);
            let name = self.program.names.intern(&parameter_name(level));
            let parameter = BoundVariable { name, ty, level: narrow(level) };
            leaves.insert(*leaf, self.program.graph.add(NodeKind::Bound(parameter.clone()), ty));
            bound.push(parameter);
        }
        let closed = self.program.graph.transplant(nested, &leaves, from, narrow(free.len()));
        let names = &mut self.program.names;
        let closed = self
            .program
            .graph
            .rename_bound(closed, &mut |level| names.intern(&parameter_name(level as usize)));
        let function = match self.predicates.get(&closed) {
            Some(function) => *function,
            None => {
                // No name of a program has an `@` in it.
                let name = self.program.names.intern(&format!("all@{}", self.predicates.len()));
                let function = self.program.functions.push(Function {
                    name,
                    type_parameters: mentioned.clone(),
                    parameters: bound.iter().map(|it| it.ty).collect(),
                    result: bool,
                    body: Some(closed),
                    bound,
                    meaning: Meaning::Declared,
                    never_pattern: false,
                    identity: false,
                });
                self.predicates.insert(closed, function);
                if mentioned.is_empty() {
                    self.definition_work.push((function, Vec::new(), self.defined.now()));
                }
                function
            }
        };
        let types =
            mentioned.iter().map(|variable| self.program.types.intern(Type::Variable(*variable))).collect();
        Ok(self.program.graph.add(NodeKind::Apply(function, types, free), bool))
    }

    /// Whether a type variable occurs in an expression.
    fn mentions(&self, root: NodeId, variable: TypeVariableId) -> bool {
        let Program { graph, types, .. } = &*self.program;
        let in_type = |ty| types.mentions(ty, &[variable]);
        graph.below(&[root]).into_iter().any(|id| {
            in_type(graph.ty(id))
                || match graph.kind(id) {
                    NodeKind::Apply(_, arguments, _) => arguments.iter().any(|ty| in_type(*ty)),
                    NodeKind::Quantifier(inner) => inner.bound.iter().any(|it| in_type(it.ty)),
                    _ => false,
                }
        })
    }

    /// A quantifier without quantifiers over types in its triggers.
    pub(super) fn plain_triggers(&mut self, quantifier: &QuantifierNode) -> Translated<QuantifierNode> {
        let mut quantifier = quantifier.clone();
        let terms = quantifier.triggers.iter_mut().flatten().chain(&mut quantifier.no_triggers);
        for term in terms {
            if self.holds_type_quantifier(*term) {
                *term = self.named(*term)?;
            }
        }
        Ok(quantifier)
    }
}
