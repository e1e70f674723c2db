//! What procedures change, from what their bodies do.

use std::collections::BTreeSet;

use crate::base::arena::Id;
use crate::resolve::graph::VariableId;
use crate::resolve::program::{CommandKind, ProcedureId, Program, VariableKind};

/// Lets every procedure with a body change what its bodies change, directly or through calls.
pub(super) fn infer(program: &mut Program) {
    let mut changed: Vec<(ProcedureId, BTreeSet<usize>, Vec<ProcedureId>)> = Vec::new();
    for (_, implementation) in program.implementations.iter() {
        let mut variables = BTreeSet::new();
        let mut callees = Vec::new();
        for command in implementation.blocks.iter().flat_map(|block| &block.commands) {
            match &command.kind {
                CommandKind::Havoc(list) | CommandKind::Enter(list) => {
                    variables.extend(list.iter().map(|it| it.index()));
                }
                CommandKind::Assign(pairs) => variables.extend(pairs.iter().map(|(it, _)| it.index())),
                CommandKind::Call(call) => {
                    variables.extend(call.outputs.iter().map(|it| it.index()));
                    callees.push(call.callee);
                }
                CommandKind::Assert(..)
                | CommandKind::Assume(_)
                | CommandKind::Observe(_)
                | CommandKind::Invariant { .. }
                | CommandKind::Visibility(_) => {}
            }
        }
        variables.retain(|it| program.variables[VariableId::from_index(*it)].kind == VariableKind::Global);
        changed.push((implementation.procedure, variables, callees));
    }
    loop {
        let mut again = false;
        for (procedure, variables, callees) in &changed {
            let mut all: BTreeSet<usize> =
                program.procedures[*procedure].modifies.iter().map(|it| it.index()).collect();
            let before = all.len();
            all.extend(variables);
            for callee in callees {
                all.extend(program.procedures[*callee].modifies.iter().map(|it| it.index()));
            }
            if all.len() > before {
                again = true;
                program.procedures[*procedure].modifies =
                    all.into_iter().map(VariableId::from_index).collect();
            }
        }
        if !again {
            return;
        }
    }
}
