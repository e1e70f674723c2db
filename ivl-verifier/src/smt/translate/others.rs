//! The sort that stands for the union of all types at which no map is used, and what may be said of it.
//!
//! What ranges over values inside ranges over those of all types there, so it means something else than at
//! each type. [`super::polymorphic`] tells what the sort is for.

use rustc_hash::FxHashSet;

use super::Translator;
use crate::resolve::graph::{BoundVariable, FunctionId, NodeKind, QuantifierNode, Spelled};
use crate::resolve::types::{Type, TypeId};
use crate::syntax::ast::Binder;

/// The name of the sort of all values whose types are not met; no name of a program has an `@`.
const OTHERS: &str = "others@";

impl Translator<'_> {
    pub(super) fn others(&mut self) -> TypeId {
        if let Some(ty) = self.known.others.or(self.met.others) {
            return ty;
        }
        let ty = self.fresh_type(OTHERS);
        self.met.others = Some(ty);
        ty
    }

    /// Whether an expression is of the type variables of a quantifier in the same way for all types: a
    /// value of such a type comes from another one, and nothing else inside ranges over them.
    pub(super) fn is_parametric(&self, quantifier: &QuantifierNode) -> bool {
        let graph = &self.program.graph;
        let mentions = |ty: TypeId| self.program.types.mentions(ty, &quantifier.type_parameters);
        graph.below(&[quantifier.body]).into_iter().all(|id| match graph.kind(id) {
            NodeKind::Quantifier(inner) => {
                inner.type_parameters.is_empty() && !inner.bound.iter().any(|it| mentions(it.ty))
            }
            NodeKind::Apply(_, types, arguments) => {
                !types.iter().any(|ty| mentions(*ty)) || arguments.iter().any(|it| mentions(graph.ty(*it)))
            }
            NodeKind::Construct(_, arguments) => {
                !mentions(graph.ty(id)) || arguments.iter().any(|it| mentions(graph.ty(*it)))
            }
            _ => true,
        })
    }

    /// Whether, beside that, a quantifier binds one value of its type variable, which no map, sequence or
    /// datatype could be mixed of values of several types.
    pub(super) fn is_about_one_value(&self, quantifier: &QuantifierNode) -> bool {
        let types = &self.program.types;
        let about: Vec<&BoundVariable> =
            quantifier.bound.iter().filter(|it| types.mentions(it.ty, &quantifier.type_parameters)).collect();
        let [only] = about.as_slice() else { return false };
        let plain = match types.get(only.ty) {
            Type::Variable(_) => true,
            Type::Named(name, arguments) => {
                let constructor = &self.program.type_constructors[*name];
                !constructor.datatype
                    && constructor.builtin.is_none()
                    && arguments.iter().all(|it| match types.get(*it) {
                        Type::Variable(_) => true,
                        _ => !types.mentions(*it, &quantifier.type_parameters),
                    })
            }
            _ => false,
        };
        plain && self.is_parametric(quantifier)
    }

    /// Whether a type mentions the union of types.
    pub(super) fn is_of_others(&self, ty: TypeId) -> bool {
        let others = self.known.others.or(self.met.others);
        match others.map(|others| self.program.types.get(others)) {
            Some(Type::Variable(others)) => self.program.types.mentions(ty, &[*others]),
            _ => false,
        }
    }

    /// Whether the definition of a function may be assumed at a list of types. At the union of types it
    /// may if its body means there what it means at each of them: if arguments of two types are mixed, it
    /// tells what the function is of them, which it can if that does not depend on the function itself.
    pub(super) fn is_defined_at(&mut self, id: FunctionId, types: &[TypeId]) -> bool {
        let function = self.program.functions[id].clone();
        let (Some(body), true) = (function.body, types.iter().any(|ty| self.is_of_others(*ty))) else {
            return true;
        };
        let body = self.expanded(body);
        let whole = QuantifierNode {
            binder: Binder::Forall,
            type_parameters: function.type_parameters.clone(),
            bound: function.bound.clone(),
            pools: Vec::new(),
            weight: None,
            triggers: Vec::new(),
            no_triggers: Vec::new(),
            attributes: None,
            spelled: Spelled::default(),
            body,
        };
        let one = types.len() == 1
            && types.first().copied() == self.known.others.or(self.met.others)
            && self.is_about_one_value(&whole);
        self.is_parametric(&whole) && (one || !self.is_recursive(id))
    }

    /// Whether definitions lead from a function back to it.
    fn is_recursive(&self, function: FunctionId) -> bool {
        let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
        let mut work = vec![function];
        while let Some(next) = work.pop() {
            let Some(body) = self.program.functions[next].body else { continue };
            for id in self.program.graph.below(&[body]) {
                if let NodeKind::Apply(called, _, _) = self.program.graph.kind(id) {
                    if *called == function {
                        return true;
                    }
                    if seen.insert(*called) {
                        work.push(*called);
                    }
                }
            }
        }
        false
    }
}
