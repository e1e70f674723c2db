//! Lambdas: functions of what is free in them, and the axioms that say what these give.

use rustc_hash::FxHashMap;

use super::maps::{MapInstance, PolymorphicLambda};
use super::{Translated, Translator, Work, narrow, parameter_name};
use crate::resolve::graph::{BoundVariable, NodeId, NodeKind, QuantifierNode};
use crate::resolve::types::TypeId;
use crate::smt::term::{Bound, FunctionId as TermFunctionId, Op, Quantifier, Term};

impl Translator<'_> {
    /// Replaces a lambda by a function of its holes, what is free in it; the axiom comes later.
    pub(super) fn visit_lambda(
        &mut self,
        node: NodeId,
        lambda: &QuantifierNode,
        work: &mut Vec<Work>,
    ) -> Translated<()> {
        let free = self.program.graph.free_leaves(node);
        let from = self.program.graph.levels_below(&free);
        let nested = self.program.graph.renumbered(node, from);
        // The largest parts that mention nothing bound become parameters, so that lambdas which differ in
        // such parts only are one function.
        let holes = if self.lift_variables || !lambda.type_parameters.is_empty() {
            free
        } else {
            self.program.graph.largest_outside(nested, from)
        };
        let mut leaves = FxHashMap::default();
        let mut sorts = Vec::new();
        for (level, leaf) in holes.iter().enumerate() {
            let ty = self.program.graph.ty(*leaf);
            sorts.push(self.sort(ty)?);
            let name = self.program.names.intern(&parameter_name(level));
            let parameter = BoundVariable { name, ty, level: narrow(level) };
            leaves.insert(*leaf, self.program.graph.add(NodeKind::Bound(parameter), ty));
        }
        let closed = self.program.graph.transplant(nested, &leaves, from, narrow(holes.len()));
        let names = &mut self.program.names;
        let closed = self
            .program
            .graph
            .rename_bound(closed, &mut |level| names.intern(&parameter_name(level as usize)));
        let function = match self.lambdas.get(&closed) {
            Some(function) => *function,
            None => {
                let ty = self.program.graph.ty(node);
                let result = self.sort(ty)?;
                let name = format!("lambda#{}", self.lambdas.len());
                let function = self.builder.declare(&name, sorts, result);
                self.lambdas.insert(closed, function);
                if lambda.type_parameters.is_empty() {
                    self.lambda_work.push((function, closed));
                } else {
                    self.polymorphic.push(PolymorphicLambda { function, closed, ty, done: 0 });
                }
                function
            }
        };
        work.push(Work::Lambda(node, function, holes.clone()));
        work.extend(holes.into_iter().rev().map(Work::Visit));
        Ok(())
    }

    /// The axioms of the lambdas met so far, and of those that these contain.
    pub(super) fn finish_lambdas(&mut self) -> Translated<()> {
        while let Some((function, closed)) = self.lambda_work.pop() {
            // The closed form is a lambda over (parameters, then bound variables).
            let NodeKind::Quantifier(lambda) = self.program.graph.kind(closed).clone() else { continue };
            let ty = self.program.graph.ty(closed);
            self.lambda_axiom(function, ty, None, &lambda)?;
        }
        Ok(())
    }

    /// What a lambda's function, which gives a map of a type, means; at some types if that has type parameters.
    pub(super) fn lambda_axiom(
        &mut self,
        function: TermFunctionId,
        ty: TypeId,
        instance: Option<&MapInstance>,
        lambda: &QuantifierNode,
    ) -> Translated<()> {
        let parameters = self.builder.query.functions[function].arguments.clone();
        let mut bound = Vec::new();
        let mut arguments = Vec::new();
        for (level, sort) in parameters.into_iter().enumerate() {
            let variable = Bound { name: parameter_name(level), level: narrow(level), sort };
            arguments.push(self.builder.term(Term::Bound(variable.clone())));
            bound.push(variable);
        }
        let whole = self.builder.term(Term::Apply(function, arguments));
        let mut places = Vec::new();
        for variable in &lambda.bound {
            let variable = self.bound(variable)?;
            places.push(self.builder.term(Term::Bound(variable.clone())));
            bound.push(variable);
        }
        let element = match instance {
            Some(instance) => self.read_instance(instance, whole, places)?,
            None => self.element(ty, whole, places)?,
        };
        let body = self.term(lambda.body)?;
        let equation = self.builder.op(Op::Eq, vec![element, body]);
        let quantifier = Quantifier {
            universal: true,
            bound,
            triggers: vec![vec![element]],
            no_triggers: Vec::new(),
            weight: 1,
            body: equation,
        };
        let axiom = if quantifier.bound.is_empty() {
            equation
        } else {
            self.builder.term(Term::Quantifier(Box::new(quantifier)))
        };
        self.wish_of_lambda(function, axiom, lambda)?;
        self.builder.query.background.push(axiom);
        Ok(())
    }
}
