//! State to incarnations: passive, single-assignment blocks.
//!
//! An environment maps each variable to the node of its current value. An assignment of a variable or a
//! literal changes the environment only; any other one makes a new incarnation and an equation. At a
//! join, variables that are live and have different values get a new incarnation, with an equation at
//! the end of every predecessor. A call is what its specification says, over the arguments' nodes.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::base::arena::Id;
use crate::lower::cut::{Cut, CutCommand, Required, cut};
use crate::lower::{Assertion, Passive, PassiveBlock, PassiveCommand, Unsupported};
use crate::resolve::graph::{Graph, NodeId, NodeKind, VariableId};
use crate::resolve::program::{Call, Implementation, ImplementationId, Procedure, Program, VariableKind};
use crate::resolve::reach::Reach;
use crate::resolve::types::{Type, TypeId, TypeVariableId, Types};
use crate::syntax::ast::BinaryOp;

/// The values of variables at one point.
type Environment = FxHashMap<VariableId, NodeId>;
/// What type variables stand for.
type TypeMap = FxHashMap<TypeVariableId, TypeId>;

/// Lowers an implementation. New nodes go into the program's graph.
pub(crate) fn lower(
    program: &mut Program,
    id: ImplementationId,
    reach: &Reach,
) -> Result<Passive, Unsupported> {
    let cut = cut(program, &program.implementations[id])?;
    let mut graph = std::mem::take(&mut program.graph);
    let mut types = std::mem::replace(&mut program.types, Types::new());
    let implementation = &program.implementations[id];
    let passive = {
        let mut passifier = Passifier {
            program,
            graph: &mut graph,
            types: &mut types,
            implementation,
            counters: FxHashMap::default(),
            variables: variables(program, implementation, reach),
        };
        passifier.run(cut, reach)
    };
    program.graph = graph;
    program.types = types;
    Ok(passive)
}

/// Every variable that the implementation can mention, by name and kind: an order that does not depend
/// on the order of declarations.
fn variables(program: &Program, implementation: &Implementation, reach: &Reach) -> Vec<VariableId> {
    let mut all: Vec<VariableId> = reach
        .globals
        .iter()
        .chain(&implementation.inputs)
        .chain(&implementation.outputs)
        .chain(&implementation.locals)
        .copied()
        .collect();
    all.sort_by_key(|id| (program.names.text(program.variables[*id].name), program.variables[*id].kind));
    all
}

struct Passifier<'p> {
    program: &'p Program,
    graph: &'p mut Graph,
    types: &'p mut Types,
    implementation: &'p Implementation,
    /// The number of the next incarnation of each variable.
    counters: FxHashMap<VariableId, u32>,
    variables: Vec<VariableId>,
}

impl Passifier<'_> {
    fn run(&mut self, cut: Cut, reach: &Reach) -> Passive {
        let Cut { blocks, checks, order } = cut;
        let live = self.liveness(&blocks, &order);
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for at in &order {
            for successor in &blocks[*at].successors {
                predecessors[*successor].push(*at);
            }
        }
        let start: Environment =
            self.variables.clone().into_iter().map(|it| (it, self.incarnation(it))).collect();
        let mut done: Vec<Option<(Vec<PassiveCommand>, Environment)>> = Vec::new();
        done.resize_with(blocks.len(), || None);
        for at in &order {
            let mut environment = match predecessors[*at].as_slice() {
                [] => start.clone(),
                [only] => done[*only].as_ref().map_or_else(Environment::default, |(_, it)| it.clone()),
                several => self.join(several, &live[*at], &mut done),
            };
            let mut commands = Vec::new();
            if *at == 0 {
                self.entry(&start, reach, &mut commands);
            }
            for command in &blocks[*at].commands {
                self.command(command, &mut environment, &start, &mut commands);
            }
            done[*at] = Some((commands, environment));
        }
        let mut number = vec![0; blocks.len()];
        for (index, at) in order.iter().enumerate() {
            number[*at] = index;
        }
        let blocks = order
            .iter()
            .map(|at| PassiveBlock {
                label: blocks[*at].label,
                commands: done[*at].take().map_or_else(Vec::new, |(commands, _)| commands),
                successors: blocks[*at].successors.iter().map(|successor| number[*successor]).collect(),
                returns: blocks[*at].returns,
            })
            .collect();
        Passive { blocks, checks }
    }

    fn bool(&self) -> TypeId {
        self.types.bool()
    }

    fn incarnation(&mut self, variable: VariableId) -> NodeId {
        let counter = self.counters.entry(variable).or_insert(0);
        let number = *counter;
        *counter += 1;
        self.graph.add(NodeKind::Incarnation(variable, number), self.program.variables[variable].ty)
    }

    fn equation(&mut self, left: NodeId, right: NodeId) -> PassiveCommand {
        let bool = self.bool();
        PassiveCommand::Assume(self.graph.add(NodeKind::Binary(BinaryOp::Eq, left, right), bool))
    }

    /// What is known on entry: conditions of variables, then the preconditions.
    fn entry(&mut self, start: &Environment, reach: &Reach, commands: &mut Vec<PassiveCommand>) {
        let implementation = self.implementation;
        let variables = reach
            .globals
            .iter()
            .chain(&implementation.inputs)
            .chain(&implementation.outputs)
            .chain(&implementation.locals);
        for variable in variables {
            if let Some(condition) = self.program.variables[*variable].condition {
                commands.push(PassiveCommand::Assume(self.value(condition, start, start)));
            }
        }
        let own = self.own_parameters(start);
        for condition in &self.program.procedures[implementation.procedure].requires {
            let condition = self.own(condition.expr);
            commands.push(PassiveCommand::Assume(self.value(condition, &own, start)));
        }
    }

    /// A condition of the implementation's procedure over the implementation's type parameters.
    fn own(&mut self, condition: NodeId) -> NodeId {
        let theirs = &self.program.procedures[self.implementation.procedure].type_parameters;
        let mine = &self.implementation.type_parameters;
        if theirs == mine {
            return condition;
        }
        let mine: Vec<TypeId> = mine.iter().map(|it| self.types.intern(Type::Variable(*it))).collect();
        let map: TypeMap = theirs.iter().copied().zip(mine).collect();
        self.graph.instantiate(self.types, condition, &map)
    }

    /// An environment in which the procedure's parameters mean the implementation's.
    fn own_parameters(&self, environment: &Environment) -> Environment {
        let implementation = self.implementation;
        let procedure = &self.program.procedures[implementation.procedure];
        let mut own = environment.clone();
        let theirs = procedure.inputs.iter().chain(&procedure.outputs);
        for (theirs, mine) in theirs.zip(implementation.inputs.iter().chain(&implementation.outputs)) {
            if let Some(value) = environment.get(mine) {
                own.insert(*theirs, *value);
            }
        }
        own
    }

    /// An expression over the values of variables, with `old` over earlier ones.
    fn value(&mut self, expr: NodeId, environment: &Environment, old: &Environment) -> NodeId {
        let mut old_memo = FxHashMap::default();
        let variables = &self.program.variables;
        self.graph.replace(expr, &mut FxHashMap::default(), &mut |graph, id| match *graph.kind(id) {
            NodeKind::Variable(variable) => environment.get(&variable).copied(),
            NodeKind::Old(inner) => {
                Some(graph.replace(inner, &mut old_memo, &mut |graph, id| match *graph.kind(id) {
                    // What is no state, a result or a local variable for example, is not older there.
                    NodeKind::Variable(variable) => {
                        let is_state = variables[variable].kind == VariableKind::Global;
                        let before = if is_state { old.get(&variable) } else { None };
                        before.or_else(|| environment.get(&variable)).copied()
                    }
                    _ => None,
                }))
            }
            _ => None,
        })
    }

    /// The environment behind a join, with equations at the end of the predecessors.
    fn join(
        &mut self,
        predecessors: &[usize],
        live: &BTreeSet<usize>,
        done: &mut [Option<(Vec<PassiveCommand>, Environment)>],
    ) -> Environment {
        let mut joined = Environment::default();
        for variable in self.variables.clone() {
            let values: Vec<Option<NodeId>> = predecessors
                .iter()
                .map(|at| done[*at].as_ref().and_then(|(_, environment)| environment.get(&variable).copied()))
                .collect();
            if let Some(Some(first)) = values.first().copied()
                && values.iter().all(|value| *value == Some(first))
            {
                joined.insert(variable, first);
            } else if live.contains(&variable.index()) {
                let new = self.incarnation(variable);
                joined.insert(variable, new);
                for (at, value) in predecessors.iter().zip(values) {
                    let Some(value) = value else { continue };
                    let equation = self.equation(new, value);
                    if let Some((commands, _)) = &mut done[*at] {
                        commands.push(equation);
                    }
                }
            }
        }
        joined
    }

    fn assertion(
        &mut self,
        assertion: Assertion,
        environment: &Environment,
        old: &Environment,
    ) -> PassiveCommand {
        PassiveCommand::Assert(Assertion {
            condition: self.value(assertion.condition, environment, old),
            verified_under: assertion.verified_under.map(|under| self.value(under, environment, old)),
            ..assertion
        })
    }

    fn command(
        &mut self,
        command: &CutCommand,
        environment: &mut Environment,
        start: &Environment,
        commands: &mut Vec<PassiveCommand>,
    ) {
        match command {
            CutCommand::Assume(expr) => {
                commands.push(PassiveCommand::Assume(self.value(*expr, environment, start)));
            }
            CutCommand::Assert(assertion) => commands.push(self.assertion(*assertion, environment, start)),
            CutCommand::Ensure(assertion) => {
                let own = self.own_parameters(environment);
                let assertion = Assertion { condition: self.own(assertion.condition), ..*assertion };
                commands.push(self.assertion(assertion, &own, start));
            }
            CutCommand::Ensured(condition) => {
                let own = self.own_parameters(environment);
                let condition = self.own(*condition);
                commands.push(PassiveCommand::Assume(self.value(condition, &own, start)));
            }
            CutCommand::Havoc(variables) => {
                for variable in variables {
                    let new = self.incarnation(*variable);
                    let before = environment.insert(*variable, new);
                    if let (true, Some(before)) = (self.program.variables[*variable].assumption, before) {
                        // An assumption variable is only ever strengthened.
                        let bool = self.bool();
                        let kept = NodeKind::Binary(BinaryOp::Implies, new, before);
                        commands.push(PassiveCommand::Assume(self.graph.add(kept, bool)));
                    }
                }
                self.conditions(variables, environment, start, commands);
            }
            CutCommand::Assign(pairs) => {
                let values: Vec<NodeId> =
                    pairs.iter().map(|(_, value)| self.value(*value, environment, start)).collect();
                for ((variable, _), value) in pairs.iter().zip(values) {
                    let atomic = matches!(
                        self.graph.kind(value),
                        NodeKind::Incarnation(..)
                            | NodeKind::Constant(_)
                            | NodeKind::Bool(_)
                            | NodeKind::Int(_)
                            | NodeKind::Real(..)
                            | NodeKind::BitVector(..)
                    );
                    let current = if atomic {
                        value
                    } else {
                        let new = self.incarnation(*variable);
                        commands.push(self.equation(new, value));
                        new
                    };
                    environment.insert(*variable, current);
                }
            }
            CutCommand::Call(call, checks) => self.call(call, checks, environment, start, commands),
        }
    }

    /// Assumes the conditions of variables that just got arbitrary values.
    fn conditions(
        &mut self,
        variables: &[VariableId],
        environment: &Environment,
        old: &Environment,
        commands: &mut Vec<PassiveCommand>,
    ) {
        for variable in variables {
            if let Some(condition) = self.program.variables[*variable].condition {
                commands.push(PassiveCommand::Assume(self.value(condition, environment, old)));
            }
        }
    }

    fn call(
        &mut self,
        call: &Call,
        required: &[Required],
        environment: &mut Environment,
        start: &Environment,
        commands: &mut Vec<PassiveCommand>,
    ) {
        let procedure: &Procedure = &self.program.procedures[call.callee];
        let types: TypeMap =
            procedure.type_parameters.iter().copied().zip(call.type_arguments.iter().copied()).collect();
        let arguments: Vec<NodeId> =
            call.arguments.iter().map(|argument| self.value(*argument, environment, start)).collect();
        let mut before = environment.clone();
        before.extend(procedure.inputs.iter().copied().zip(arguments.iter().copied()));
        for required in required {
            let check = match required {
                Required::Check(check) => check,
                Required::Known(condition) => {
                    let condition = self.graph.instantiate(self.types, *condition, &types);
                    commands.push(PassiveCommand::Assume(self.value(condition, &before, &before)));
                    continue;
                }
            };
            // A `verified_under` stands in the caller and means the caller's variables.
            let under = check.verified_under.map(|under| self.value(under, environment, start));
            let condition = self.graph.instantiate(self.types, check.condition, &types);
            let condition = self.value(condition, &before, &before);
            commands.push(PassiveCommand::Assert(Assertion { condition, verified_under: under, ..*check }));
        }
        let mut modified = procedure.modifies.clone();
        modified.sort_by_key(|id| self.program.names.text(self.program.variables[*id].name));
        for variable in &modified {
            let new = self.incarnation(*variable);
            environment.insert(*variable, new);
        }
        let results: Vec<NodeId> = call.outputs.iter().map(|output| self.incarnation(*output)).collect();
        let mut after = environment.clone();
        after.extend(procedure.inputs.iter().copied().zip(arguments));
        after.extend(procedure.outputs.iter().copied().zip(results.iter().copied()));
        for output in &procedure.outputs {
            if let Some(condition) = self.program.variables[*output].condition {
                let condition = self.graph.instantiate(self.types, condition, &types);
                commands.push(PassiveCommand::Assume(self.value(condition, &after, &before)));
            }
        }
        self.conditions(&modified, &after, &before, commands);
        for condition in &procedure.ensures {
            let condition = self.graph.instantiate(self.types, condition.expr, &types);
            commands.push(PassiveCommand::Assume(self.value(condition, &after, &before)));
        }
        environment.extend(call.outputs.iter().copied().zip(results));
    }

    /// The variables whose values matter at the start of each block.
    fn liveness(&self, blocks: &[crate::lower::cut::CutBlock], order: &[usize]) -> Vec<BTreeSet<usize>> {
        let mut live = vec![BTreeSet::new(); blocks.len()];
        for at in order.iter().rev() {
            let mut current = BTreeSet::new();
            for successor in &blocks[*at].successors {
                current.extend(live[*successor].iter().copied());
            }
            for command in blocks[*at].commands.iter().rev() {
                self.step_back(command, &mut current);
            }
            live[*at] = current;
        }
        live
    }

    fn step_back(&self, command: &CutCommand, live: &mut BTreeSet<usize>) {
        let mut used = Vec::new();
        match command {
            CutCommand::Assume(expr) => used.push(*expr),
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
        for node in self.graph.below(&used) {
            if let NodeKind::Variable(variable) = self.graph.kind(node) {
                live.insert(variable.index());
            }
        }
    }
}
