//! Liveness: which variables' values matter where ways meet; only they get an incarnation there.

use std::collections::BTreeSet;

use crate::base::arena::Id;
use crate::lower::Assertion;
use crate::lower::cut::{CutBlock, CutCommand, Required};
use crate::lower::passive::Passifier;
use crate::lower::recall::RecalledCall;
use crate::resolve::graph::{NodeId, NodeKind};

impl Passifier<'_> {
    /// The variables whose values matter at the start of each block.
    pub(super) fn liveness(&self, blocks: &[CutBlock], order: &[usize]) -> Vec<BTreeSet<usize>> {
        let mut live = vec![BTreeSet::new(); blocks.len()];
        for at in order.iter().rev() {
            let mut current = BTreeSet::new();
            for successor in &blocks[*at].successors {
                current.extend(live[*successor].iter().copied());
            }
            for (index, command) in blocks[*at].commands.iter().enumerate().rev() {
                self.step_back(command, &mut current);
                self.assumptions_back(command, self.recollection.calls.get(&(*at, index)), &mut current);
            }
            live[*at] = current;
        }
        live
    }

    /// The assumption variables that a command asks for, and the one that it gives a value; and what an
    /// earlier specification of a call asks for that the present one does not.
    fn assumptions_back(
        &self,
        command: &CutCommand,
        recalled: Option<&RecalledCall>,
        live: &mut BTreeSet<usize>,
    ) {
        if let Some(recalled) = recalled {
            live.remove(&recalled.variable.index());
        }
        let marked = |assertion: &Assertion| self.recollection.marks.contains_key(&assertion.check);
        let asks = match command {
            CutCommand::Assert(assertion) | CutCommand::Ensure(assertion) => marked(assertion),
            CutCommand::Call(_, required) => {
                let earlier = recalled.and_then(|recalled| recalled.specification.as_ref());
                required.iter().filter_map(Required::check).any(marked)
                    || earlier.is_some_and(|earlier| earlier.requires.iter().any(|(_, held)| *held))
            }
            CutCommand::Assume(_)
            | CutCommand::Ensured(_)
            | CutCommand::Havoc(_)
            | CutCommand::Forget(_)
            | CutCommand::Assign(_)
            | CutCommand::Observe(_) => false,
        };
        if asks {
            live.extend(self.assumptions.iter().map(|assumption| assumption.index()));
        }
        let Some(earlier) = recalled.and_then(|recalled| recalled.specification.as_ref()) else { return };
        let requires = earlier.requires.iter().map(|(condition, _)| *condition);
        let used: Vec<NodeId> =
            requires.chain(earlier.ensures.iter().copied()).chain(earlier.under).collect();
        self.use_variables(&used, live);
        // What they were before the call is compared with what they are behind it.
        live.extend(earlier.newly_modified.iter().map(|it| it.index()));
    }

    fn step_back(&self, command: &CutCommand, live: &mut BTreeSet<usize>) {
        let mut used = Vec::new();
        match command {
            CutCommand::Assume(expr) => used.push(*expr),
            // Keeps no variable alive: what is asked must not depend on what is to be told.
            CutCommand::Observe(_) => {}
            CutCommand::Assert(assertion) => {
                used.push(assertion.condition);
                used.extend(assertion.verified_under);
            }
            CutCommand::Ensure(Assertion { condition, .. }) | CutCommand::Ensured(condition) => {
                used.push(*condition);
                let implementation = self.implementation;
                live.extend(implementation.inputs.iter().chain(&implementation.outputs).map(|it| it.index()));
            }
            CutCommand::Havoc(variables) => {
                for variable in variables.iter().filter(|it| !self.program.variables[**it].assumption) {
                    live.remove(&variable.index());
                }
                used.extend(variables.iter().filter_map(|it| self.program.variables[*it].condition));
            }
            CutCommand::Forget(variables) => {
                for variable in variables {
                    live.remove(&variable.index());
                }
            }
            CutCommand::Assign(pairs) => {
                for (variable, _) in pairs {
                    live.remove(&variable.index());
                }
                used.extend(pairs.iter().map(|(_, value)| *value));
            }
            CutCommand::Call(call, checks) => {
                for output in &call.outputs {
                    live.remove(&output.index());
                }
                let procedure = &self.program.procedures[call.callee];
                used.extend(&call.arguments);
                used.extend(checks.iter().filter_map(|check| match check {
                    Required::Check(check) => check.verified_under,
                    Required::Known(_) => None,
                }));
                used.extend(procedure.requires.iter().chain(&procedure.ensures).map(|it| it.expr));
                let changed = procedure.outputs.iter().chain(&procedure.modifies);
                used.extend(changed.filter_map(|it| self.program.variables[*it].condition));
            }
        }
        self.use_variables(&used, live);
    }

    pub(super) fn use_variables(&self, used: &[NodeId], live: &mut BTreeSet<usize>) {
        for node in self.graph.below(used) {
            if let NodeKind::Variable(variable) = self.graph.kind(node) {
                live.insert(variable.index());
            }
        }
    }
}
