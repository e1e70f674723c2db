//! State to incarnations: passive, single-assignment blocks.
//!
//! An environment maps each variable to the node of its current value. An assignment of a variable or a
//! literal changes the environment only; any other one makes a new incarnation and an equation. At a
//! join, variables that are live and have different values get a new incarnation, with an equation at
//! the end of every predecessor. A call is what its specification says, over the arguments' nodes (`call`).

mod call;
mod leaving;
mod live;
mod watch;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::base::arena::Id;
use crate::lower::cut::{Cut, CutCommand, cut};
use crate::lower::recall::{Mark, RecalledCall, Recollection, Settlement};
use crate::lower::{Assertion, Event, Passive, PassiveBlock, PassiveCommand, Unsupported};
use crate::resolve::graph::{Graph, NodeId, NodeKind, VariableId};
use crate::resolve::program::{Implementation, ImplementationId, Program, VariableKind};
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
    Ok(passive(program, id, reach, &cut, &Recollection::default()))
}

/// Removes the state of an implementation whose loops are cut. Checks whose outcome an earlier run knew
/// are settled. New nodes go into the program's graph.
pub(crate) fn passive(
    program: &mut Program,
    id: ImplementationId,
    reach: &Reach,
    cut: &Cut,
    recollection: &Recollection,
) -> Passive {
    watched(program, id, reach, cut, recollection, false)
}

/// The same; with `watch`, what happens to the state is noted. The blocks do not depend on that.
pub(crate) fn watched(
    program: &mut Program,
    id: ImplementationId,
    reach: &Reach,
    cut: &Cut,
    recollection: &Recollection,
    watch: bool,
) -> Passive {
    let mut graph = std::mem::take(&mut program.graph);
    let mut types = std::mem::replace(&mut program.types, Types::new());
    let implementation = &program.implementations[id];
    let mut assumptions: Vec<VariableId> = recollection.calls.values().map(|call| call.variable).collect();
    assumptions.sort_unstable_by_key(|variable| variable.index());
    let mut variables = variables(program, implementation, reach);
    variables.extend(&assumptions);
    let mut passifier = Passifier {
        program,
        graph: &mut graph,
        types: &mut types,
        implementation,
        counters: FxHashMap::default(),
        variables,
        recollection,
        assumptions,
        changed: false,
        settlements: vec![None; cut.checks.len()],
        watch,
        events: Vec::new(),
    };
    let result = passifier.run(cut, reach);
    program.graph = graph;
    program.types = types;
    result
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

/// Where the state is one that an earlier run met.
enum Assumed {
    Everywhere,
    Where(NodeId),
    Nowhere,
}

struct Passifier<'p> {
    program: &'p Program,
    graph: &'p mut Graph,
    types: &'p mut Types,
    implementation: &'p Implementation,
    /// The number of the next incarnation of each variable.
    counters: FxHashMap<VariableId, u32>,
    variables: Vec<VariableId>,
    recollection: &'p Recollection,
    /// The assumption variables.
    assumptions: Vec<VariableId>,
    /// Whether a call whose specification changed lies before the present command on some way. The states
    /// behind it may be fewer than in the earlier run, so that what failed then may hold now.
    changed: bool,
    settlements: Vec<Option<Settlement>>,
    /// Whether to note what happens to the state.
    watch: bool,
    /// What happened so far in the present block.
    events: Vec<Event>,
}

impl Passifier<'_> {
    fn run(&mut self, cut: &Cut, reach: &Reach) -> Passive {
        let Cut { blocks, checks, order } = cut;
        let live = self.liveness(blocks, order);
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for at in order {
            for successor in &blocks[*at].successors {
                predecessors[*successor].push(*at);
            }
        }
        let mut start: Environment =
            self.variables.clone().into_iter().map(|it| (it, self.incarnation(it))).collect();
        let (bool, yes) = (self.bool(), NodeKind::Bool(true));
        let yes = self.graph.add(yes, bool);
        start.extend(self.assumptions.iter().map(|assumption| (*assumption, yes)));
        let mut done: Vec<Option<(Vec<PassiveCommand>, Environment)>> = Vec::new();
        done.resize_with(blocks.len(), || None);
        let mut changed_before = vec![false; blocks.len()];
        let mut history = Vec::new();
        let mut own = vec![0; blocks.len()];
        for at in order {
            self.changed = predecessors[*at].iter().any(|before| changed_before[*before]);
            let mut environment = match predecessors[*at].as_slice() {
                [] => start.clone(),
                [only] => done[*only].as_ref().map_or_else(Environment::default, |(_, it)| it.clone()),
                several => self.join(several, &live[*at], &mut done),
            };
            let mut commands = Vec::new();
            if *at == 0 {
                self.entry(&start, reach, &mut commands);
            }
            if self.watch {
                self.note_start(predecessors[*at].len(), &environment);
            }
            let mut started = false;
            for (index, command) in blocks[*at].commands.iter().enumerate() {
                if self.watch && !started && !matches!(command, CutCommand::Havoc(_) | CutCommand::Forget(_))
                {
                    self.events.push(Event::Start);
                    started = true;
                }
                let recalled = self.recollection.calls.get(&(*at, index));
                self.command(command, recalled, &mut environment, &start, &mut commands);
                if !matches!(command, CutCommand::Ensure(_) | CutCommand::Ensured(_)) {
                    own[*at] = commands.len();
                }
                if self.watch {
                    self.note(command, &environment, &start);
                }
            }
            if self.watch {
                if !started {
                    self.events.push(Event::Start);
                }
                history.push(std::mem::take(&mut self.events));
            }
            done[*at] = Some((commands, environment));
            changed_before[*at] = self.changed;
        }
        let mut number = vec![0; blocks.len()];
        for (index, at) in order.iter().enumerate() {
            number[*at] = index;
        }
        let ends = |at: usize| done[at].as_ref().map(|(_, environment)| environment);
        let mut leaving = self.leaving(blocks, order, &own, &start, ends);
        if let Some(leaving) = &mut leaving {
            leaving.returns.iter_mut().for_each(|(at, _)| *at = number[*at]);
        }
        let blocks = order
            .iter()
            .map(|at| PassiveBlock {
                label: blocks[*at].label,
                continues: blocks[*at].continues,
                commands: done[*at].take().map_or_else(Vec::new, |(commands, _)| commands),
                successors: blocks[*at].successors.iter().map(|successor| number[*successor]).collect(),
                returns: blocks[*at].returns,
                beyond: blocks[*at].beyond.clone(),
            })
            .collect();
        let settlements = std::mem::take(&mut self.settlements);
        Passive { blocks, checks: checks.clone(), settlements, history, leaving }
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
            .chain(&implementation.locals)
            // Those of inlined bodies meet their conditions when control enters these.
            .filter(|it| self.program.variables[**it].kind != VariableKind::Inlined);
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

    /// An assertion whose condition is over `own`, and whose notes are over `environment`.
    fn assertion(
        &mut self,
        assertion: Assertion,
        own: &Environment,
        environment: &Environment,
        old: &Environment,
    ) -> PassiveCommand {
        let condition = self.value(assertion.condition, own, old);
        let under = assertion.verified_under.map(|under| self.value(under, environment, old));
        let (settlement, assumed) = self.settle(assertion.check, environment);
        self.settlements[assertion.check] = Some(settlement);
        let verified_under = match (under, assumed) {
            (Some(under), Some(assumed)) => {
                let bool = self.bool();
                Some(self.graph.add(NodeKind::Binary(BinaryOp::Or, under, assumed), bool))
            }
            (under, assumed) => under.or(assumed),
        };
        let settled = assertion.settled || matches!(settlement, Settlement::Held | Settlement::Failed);
        PassiveCommand::Assert(Assertion { condition, verified_under, settled, ..assertion })
    }

    /// What becomes of a check, and under which condition it is known to hold if that is partly: the four
    /// cases of the third step of section 4.3.
    fn settle(&mut self, check: usize, environment: &Environment) -> (Settlement, Option<NodeId>) {
        let Some(mark) = self.recollection.marks.get(&check) else { return (Settlement::Asked, None) };
        match (mark, self.assumed(environment)) {
            (Mark::Failed | Mark::GaveUp, _) if self.changed => (Settlement::Asked, None),
            (Mark::Failed, _) => (Settlement::Failed, None),
            (Mark::GaveUp, _) => (Settlement::AskedAgain, None),
            (_, Assumed::Nowhere) => (Settlement::Asked, None),
            (Mark::Held, Assumed::Everywhere) => (Settlement::Held, None),
            (Mark::Held, Assumed::Where(condition)) => (Settlement::Partly, Some(condition)),
        }
    }

    /// Where the state is one that the earlier run met: the conjunction of the relevant assumption
    /// variables.
    fn assumed(&mut self, environment: &Environment) -> Assumed {
        let bool = self.bool();
        let mut all = Assumed::Everywhere;
        for assumption in &self.assumptions {
            let Some(&value) = environment.get(assumption) else { return Assumed::Nowhere };
            all = match (self.graph.kind(value), all) {
                (NodeKind::Bool(true), all) => all,
                (NodeKind::Bool(false), _) => return Assumed::Nowhere,
                (_, Assumed::Where(others)) => {
                    Assumed::Where(self.graph.add(NodeKind::Binary(BinaryOp::And, others, value), bool))
                }
                _ => Assumed::Where(value),
            };
        }
        all
    }

    fn command(
        &mut self,
        command: &CutCommand,
        recalled: Option<&RecalledCall>,
        environment: &mut Environment,
        start: &Environment,
        commands: &mut Vec<PassiveCommand>,
    ) {
        match command {
            CutCommand::Assume(expr) => {
                commands.push(PassiveCommand::Assume(self.value(*expr, environment, start)));
            }
            CutCommand::Assert(assertion) => {
                commands.push(self.assertion(*assertion, environment, environment, start));
            }
            CutCommand::Ensure(assertion) => {
                let own = self.own_parameters(environment);
                let assertion = Assertion { condition: self.own(assertion.condition), ..*assertion };
                commands.push(self.assertion(assertion, &own, environment, start));
            }
            CutCommand::Ensured(condition) => {
                let own = self.own_parameters(environment);
                let condition = self.own(*condition);
                commands.push(PassiveCommand::Assume(self.value(condition, &own, start)));
            }
            CutCommand::Forget(variables) => {
                for variable in variables {
                    let new = self.incarnation(*variable);
                    environment.insert(*variable, new);
                }
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
            CutCommand::Call(call, checks) => self.call(call, checks, recalled, environment, start, commands),
            CutCommand::Observe(_) => {}
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
}
