//! A call: what its specification says, over the arguments' nodes.
//!
//! Preconditions are checked in front of it, what it may change gets new incarnations, and what it promises is
//! assumed. Where the specification is another one than an earlier run saw ([`RecalledCall`]), the assumption variable
//! of the call becomes what the earlier one promised and the present one does not: where that holds, the states behind
//! the call are states that the earlier run met.

use rustc_hash::FxHashSet;

use super::{Assumed, Environment, Passifier, TypeMap};
use crate::lower::cut::Required;
use crate::lower::recall::{RecalledCall, RecalledSpecification};
use crate::lower::{Assertion, PassiveCommand};
use crate::resolve::graph::{NodeId, NodeKind};
use crate::resolve::program::{Call, Procedure};
use crate::syntax::ast::BinaryOp;

/// A call that is being replaced.
struct Calling<'c> {
    call: &'c Call,
    procedure: &'c Procedure,
    types: TypeMap,
    arguments: Vec<NodeId>,
    /// The state in front of the call, with the arguments for the parameters.
    before: Environment,
    /// What is known in any case; the same condition of an earlier specification adds nothing.
    known: FxHashSet<NodeId>,
    /// What the earlier specification demands and promises.
    met: Vec<NodeId>,
}

impl Passifier<'_> {
    pub(super) fn call(
        &mut self,
        call: &Call,
        required: &[Required],
        recalled: Option<&RecalledCall>,
        environment: &mut Environment,
        start: &Environment,
        commands: &mut Vec<PassiveCommand>,
    ) {
        let program = self.program;
        let procedure = &program.procedures[call.callee];
        let types = procedure.type_parameters.iter().copied().zip(call.type_arguments.iter().copied());
        let arguments: Vec<NodeId> =
            call.arguments.iter().map(|argument| self.value(*argument, environment, start)).collect();
        let mut before = environment.clone();
        before.extend(procedure.inputs.iter().copied().zip(arguments.iter().copied()));
        let (known, met) = (FxHashSet::default(), Vec::new());
        let mut calling = Calling { call, procedure, types: types.collect(), arguments, before, known, met };

        if let Some(earlier) = recalled.and_then(|recalled| recalled.specification.as_ref()) {
            self.recall_preconditions(&mut calling, earlier, environment, start, commands);
        }
        self.preconditions(&mut calling, required, environment, start, commands);
        let after = self.effect(&mut calling, environment, commands);
        if let Some(recalled) = recalled {
            self.changed = true;
            self.recall(calling, recalled, &after, environment, commands);
        }
    }

    /// The preconditions of the earlier specification; those that held at this call are assumed.
    fn recall_preconditions(
        &mut self,
        calling: &mut Calling<'_>,
        earlier: &RecalledSpecification,
        environment: &Environment,
        start: &Environment,
        commands: &mut Vec<PassiveCommand>,
    ) {
        // A condition held given those before it, so one that failed says nothing about those behind it.
        let mut all_held = true;
        // What was checked is the condition or, in the caller, what it is known to hold under.
        let under = earlier.under.map(|under| self.value(under, environment, start));
        for (condition, held) in &earlier.requires {
            let condition = self.value(*condition, &calling.before, &calling.before);
            calling.met.push(condition);
            all_held &= held;
            if all_held {
                self.recall_precondition(condition, under, environment, commands);
            }
        }
    }

    /// Checks and assumes what the callee demands.
    fn preconditions(
        &mut self,
        calling: &mut Calling<'_>,
        required: &[Required],
        environment: &Environment,
        start: &Environment,
        commands: &mut Vec<PassiveCommand>,
    ) {
        for required in required {
            let check = match required {
                Required::Check(check) => check,
                Required::Known(condition) => {
                    let condition = self.graph.instantiate(self.types, *condition, &calling.types);
                    let condition = self.value(condition, &calling.before, &calling.before);
                    calling.known.insert(condition);
                    commands.push(PassiveCommand::Assume(condition));
                    continue;
                }
            };
            // The condition stands over the callee's parameters; a `verified_under` stands in the caller
            // and means the caller's variables.
            let under = check.verified_under.map(|under| self.value(under, environment, start));
            let condition = self.graph.instantiate(self.types, check.condition, &calling.types);
            let condition = self.value(condition, &calling.before, &calling.before);
            let assertion = Assertion { condition, verified_under: under, ..*check };
            commands.push(self.assertion(assertion, environment, environment, start));
            if check.subsumes {
                calling.known.insert(condition);
            }
        }
    }

    /// New incarnations of what the callee changes and gives back, and what it promises of them. Returns the state
    /// behind the call, with the parameters.
    fn effect(
        &mut self,
        calling: &mut Calling<'_>,
        environment: &mut Environment,
        commands: &mut Vec<PassiveCommand>,
    ) -> Environment {
        let Calling { call, procedure, types, arguments, before, known, met: _ } = calling;
        let mut modified = procedure.modifies.clone();
        modified.sort_by_key(|id| self.program.names.text(self.program.variables[*id].name));
        for variable in &modified {
            let new = self.incarnation(*variable);
            environment.insert(*variable, new);
        }
        let results: Vec<NodeId> = call.outputs.iter().map(|output| self.incarnation(*output)).collect();
        let mut after = environment.clone();
        after.extend(procedure.inputs.iter().copied().zip(arguments.iter().copied()));
        after.extend(procedure.outputs.iter().copied().zip(results.iter().copied()));
        environment.extend(call.outputs.iter().copied().zip(results));

        let first_assumption = commands.len();
        for output in &procedure.outputs {
            if let Some(condition) = self.program.variables[*output].condition {
                let condition = self.graph.instantiate(self.types, condition, types);
                commands.push(PassiveCommand::Assume(self.value(condition, &after, before)));
            }
        }
        self.conditions(&modified, &after, before, commands);
        for condition in &procedure.ensures {
            let condition = self.graph.instantiate(self.types, condition.expr, types);
            commands.push(PassiveCommand::Assume(self.value(condition, &after, before)));
        }
        known.extend(commands[first_assumption..].iter().filter_map(|command| match command {
            PassiveCommand::Assume(condition) => Some(*condition),
            _ => None,
        }));
        after
    }

    /// Gives the call's assumption variable its value.
    fn recall(
        &mut self,
        calling: Calling<'_>,
        recalled: &RecalledCall,
        after: &Environment,
        environment: &mut Environment,
        commands: &mut Vec<PassiveCommand>,
    ) {
        let Calling { before, mut known, mut met, .. } = calling;
        let bool = self.bool();
        let Some(earlier) = &recalled.specification else {
            let never = self.graph.add(NodeKind::Bool(false), bool);
            environment.insert(recalled.variable, never);
            return;
        };
        for condition in &earlier.ensures {
            met.push(self.value(*condition, after, &before));
        }
        for variable in &earlier.newly_modified {
            let values = after.get(variable).zip(before.get(variable));
            let unchanged = values.map(|(now, then)| NodeKind::Binary(BinaryOp::Eq, *now, *then));
            met.push(self.graph.add(unchanged.unwrap_or(NodeKind::Bool(false)), bool));
        }
        met.retain(|condition| known.insert(*condition));
        let all = met
            .into_iter()
            .reduce(|all, one| self.graph.add(NodeKind::Binary(BinaryOp::And, all, one), bool));
        // Where nothing is left, the variable keeps its value.
        if let Some(all) = all {
            let new = self.incarnation(recalled.variable);
            commands.push(self.equation(new, all));
            environment.insert(recalled.variable, new);
        }
    }

    /// Assumes a precondition of an earlier specification, which held at this call in all states that the
    /// earlier run met where `under` was false.
    fn recall_precondition(
        &mut self,
        condition: NodeId,
        under: Option<NodeId>,
        environment: &Environment,
        commands: &mut Vec<PassiveCommand>,
    ) {
        let bool = self.bool();
        let condition = match under {
            None => condition,
            Some(under) => self.graph.add(NodeKind::Binary(BinaryOp::Or, under, condition), bool),
        };
        let assumed = match self.assumed(environment) {
            Assumed::Nowhere => return,
            Assumed::Everywhere => condition,
            Assumed::Where(assumed) => {
                self.graph.add(NodeKind::Binary(BinaryOp::Implies, assumed, condition), bool)
            }
        };
        commands.push(PassiveCommand::Assume(assumed));
    }
}
