//! What procedures change, from what their bodies do.
//!
//! A body's own assignments are collected once; then each variable travels from callees to callers, once for each call
//! on its way. Cost: calls times the variables that are changed behind them.

use std::collections::{BTreeMap, BTreeSet};

use crate::resolve::graph::VariableId;
use crate::resolve::program::{CommandKind, ProcedureId, Program, VariableKind};

/// Lets every procedure with a body change what its bodies change, directly or through calls, and nothing else: what its
/// `modifies` clauses name does not count, as in Boogie. Those without a body change what these name.
pub(super) fn infer(program: &mut Program) {
    let mut callers: BTreeMap<ProcedureId, BTreeSet<ProcedureId>> = BTreeMap::new();
    let mut changed: BTreeMap<ProcedureId, BTreeSet<VariableId>> = BTreeMap::new();
    for (_, implementation) in program.implementations.iter() {
        let variables = changed.entry(implementation.procedure).or_default();
        let mut add = |list: &[VariableId]| {
            let globals = list.iter().filter(|it| program.variables[**it].kind == VariableKind::Global);
            variables.extend(globals);
        };
        for command in implementation.blocks.iter().flat_map(|block| &block.commands) {
            match &command.kind {
                CommandKind::Havoc(list) | CommandKind::Enter(list) => add(list),
                CommandKind::Assign(pairs) => pairs.iter().for_each(|(variable, _)| add(&[*variable])),
                CommandKind::Call(call) => {
                    add(&call.outputs);
                    callers.entry(call.callee).or_default().insert(implementation.procedure);
                }
                CommandKind::Assert(..)
                | CommandKind::Assume(_)
                | CommandKind::Observe(_)
                | CommandKind::Invariant { .. }
                | CommandKind::Visibility(_) => {}
            }
        }
    }
    // What callers have not heard of yet.
    let mut news: Vec<(ProcedureId, VariableId)> = Vec::new();
    for id in program.procedures.ids() {
        match changed.get(&id) {
            Some(variables) => news.extend(variables.iter().map(|variable| (id, *variable))),
            None => news.extend(program.procedures[id].modifies.iter().map(|variable| (id, *variable))),
        }
    }
    while let Some((callee, variable)) = news.pop() {
        for caller in callers.get(&callee).into_iter().flatten() {
            // Whoever calls has a body.
            if changed.entry(*caller).or_default().insert(variable) {
                news.push((*caller, variable));
            }
        }
    }
    for (procedure, variables) in changed {
        program.procedures[procedure].modifies = variables.into_iter().collect();
    }
}
