//! Functions that give their argument back, as front ends wrap numbers to steer triggers (Dafny's `Lit`).
//!
//! Boogie takes `{:identity}` at its word. Bounds are assumed here, so the program has to say it too: by the body, or
//! by an axiom `f(x) == x` about all `x`, of every type if the function takes every type.

use std::collections::BTreeSet;

use crate::resolve::graph::{FunctionId, NodeId, NodeKind};
use crate::resolve::program::Program;
use crate::resolve::types::Type;
use crate::syntax::ast::{BinaryOp, Binder};

/// The functions with `{:identity}` of which the program says so. Looks at each axiom once.
pub(super) fn identities(program: &Program) -> BTreeSet<FunctionId> {
    let wanted = || program.functions.iter().filter(|(_, function)| function.identity);
    let by_body = wanted().filter_map(|(id, function)| {
        let NodeKind::Bound(variable) = program.graph.kind(program.graph.unhinted(function.body?)) else {
            return None;
        };
        (variable.level == 0 && function.parameters.len() == 1).then_some(id)
    });
    let mut found: BTreeSet<FunctionId> = by_body.collect();
    if wanted().next().is_some() {
        let by_axioms = program.axioms.iter().filter_map(|(_, axiom)| said(program, axiom.expr));
        found.extend(by_axioms.filter(|id| program.functions[*id].identity));
    }
    found
}

/// The function of which an axiom says that it gives its argument back.
fn said(program: &Program, axiom: NodeId) -> Option<FunctionId> {
    let graph = &program.graph;
    let kind = |node: NodeId| graph.kind(graph.unhinted(node));
    let NodeKind::Quantifier(quantifier) = kind(axiom) else { return None };
    let ([variable], Binder::Forall) = (quantifier.bound.as_slice(), quantifier.binder) else { return None };
    let NodeKind::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) = kind(quantifier.body) else { return None };
    let is_variable =
        |node: NodeId| matches!(kind(node), NodeKind::Bound(bound) if bound.level == variable.level);
    let applied = if is_variable(*b) { *a } else { *b };
    let (NodeKind::Apply(function, types, arguments), true) =
        (kind(applied), is_variable(*a) || is_variable(*b))
    else {
        return None;
    };
    let [argument] = arguments.as_slice() else { return None };
    // Each type parameter is a type variable of its own.
    let mut variables = BTreeSet::new();
    let is_any = types.iter().all(|ty| match program.types.get(*ty) {
        Type::Variable(it) => quantifier.type_parameters.contains(it) && variables.insert(*it),
        _ => false,
    });
    (is_variable(*argument) && is_any).then_some(*function)
}
