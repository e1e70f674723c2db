//! Loops cut at their invariants, one exit with the postconditions, an entry with what is known there.

use rustc_hash::FxHashMap;

use crate::base::source::Span;
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{CommandKind, Implementation, Program};
use crate::resolve::types::{Type, TypeId, TypeVariableId};
use crate::resolve::unparse::plain::{PlainCommand, PlainJump, PlainKind};
use crate::syntax::ast::BinaryOp;
use crate::transform::passified::flow::Flow;

/// Cuts loops. Gives nothing if one of them has several entries.
pub(super) fn cut_loops(program: &mut Program, flow: &mut Flow) -> Option<()> {
    let bool = program.types.bool();
    let never = program.graph.add(NodeKind::Bool(false), bool);
    let first = *flow.order.first()?;
    let entry = flow.make("0", PlainJump::Goto(vec![first]));
    flow.order.insert(0, entry);
    flow.find_predecessors();
    let edges = flow.edges();
    let dominators = flow.dominators();
    let dominates = |above: usize, below: usize| {
        let mut all = dominators.dominators(petgraph::graph::NodeIndex::new(below)).into_iter().flatten();
        all.any(|it| it.index() == above)
    };
    let back: Vec<(usize, usize)> =
        edges.iter().copied().filter(|(from, to)| dominates(*to, *from)).collect();
    let mut heads: Vec<usize> = Vec::new();
    for (_, head) in &back {
        if !heads.contains(head) {
            heads.push(*head);
        }
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); flow.blocks.len()];
    for (from, to) in &edges {
        before[*to].push(*from);
    }
    let loops: Vec<(usize, Vec<usize>)> =
        back.iter().map(|(from, head)| (*head, natural_loop(&before, *head, *from))).collect();
    for head in heads {
        let ends: Vec<usize> = back.iter().filter(|(_, to)| *to == head).map(|(from, _)| *from).collect();
        let ends = place_invariants(program, flow, head, ends);
        for end in ends {
            cut_back_edge(flow, head, end, never);
        }
        let mut forgotten: Vec<VariableId> = Vec::new();
        for (_, blocks) in loops.iter().filter(|(of, _)| *of == head) {
            for command in blocks.iter().flat_map(|at| flow.commands(*at)) {
                assigned(program, command, &mut forgotten);
            }
        }
        let (kind, at) = (PlainKind::Step(CommandKind::Havoc(forgotten)), flow.blocks[head].plain.span);
        flow.commands_mut(head).insert(0, PlainCommand::of(kind, at));
    }
    flow.topological().map(|_| ())
}

/// Checks invariants where control enters a loop and where it goes back, and assumes them at its head. Gives the
/// blocks that go back, those that were put between among them.
fn place_invariants(program: &Program, flow: &mut Flow, head: usize, mut ends: Vec<usize>) -> Vec<usize> {
    let mut checks = Vec::new();
    for command in flow.commands_mut(head) {
        match command.kind {
            PlainKind::Assert(expr) => {
                let assumed = PlainCommand::of(PlainKind::Assume(expr), command.span);
                checks.push(std::mem::replace(command, assumed));
            }
            PlainKind::Assume(_) => {
                if program.assumes_free_invariants {
                    checks.push(command.clone());
                }
            }
            PlainKind::Equal(_) | PlainKind::Step(_) => break,
        }
    }
    for index in 0..flow.blocks[head].predecessors.len() {
        let mut at = flow.blocks[head].predecessors[index];
        if flow.targets(at).len() > 1 {
            let new = flow.put_between(index, head);
            flow.order.push(new);
            if let Some(end) = ends.iter_mut().find(|end| **end == at) {
                *end = new;
            }
            at = new;
        }
        flow.commands_mut(at).extend(checks.iter().cloned());
    }
    ends
}

fn cut_back_edge(flow: &mut Flow, head: usize, end: usize, never: NodeId) {
    if flow.targets(end).len() > 1 {
        if let Some(targets) = flow.targets_mut(end) {
            targets.retain(|to| *to != head);
        }
    } else {
        flow.commands_mut(end).push(PlainCommand::of(PlainKind::Assume(never), Span::NOWHERE));
        flow.blocks[end].plain.jump = PlainJump::Return(Span::NOWHERE);
    }
    flow.blocks[head].predecessors.retain(|before| *before != end);
}

/// The blocks of a loop in the order in which they are found.
fn natural_loop(before: &[Vec<usize>], head: usize, end: usize) -> Vec<usize> {
    let mut found = vec![head];
    let mut work = Vec::new();
    if end != head {
        found.push(end);
        work.push(end);
    }
    let mut seen: std::collections::BTreeSet<usize> = found.iter().copied().collect();
    while let Some(at) = work.pop() {
        for from in &before[at] {
            if seen.insert(*from) {
                found.push(*from);
                work.push(*from);
            }
        }
    }
    found
}

/// Adds the variables that a command may change, each once.
fn assigned(program: &Program, command: &PlainCommand, into: &mut Vec<VariableId>) {
    let PlainKind::Step(kind) = &command.kind else { return };
    let variables: Vec<VariableId> = match kind {
        CommandKind::Havoc(variables) | CommandKind::Enter(variables) => variables.clone(),
        CommandKind::Assign(pairs) => pairs.iter().map(|(variable, _)| *variable).collect(),
        CommandKind::Call(call) => {
            let modifies = &program.procedures[call.callee].modifies;
            call.outputs.iter().chain(modifies).copied().collect()
        }
        _ => Vec::new(),
    };
    for variable in variables {
        if !into.contains(&variable) {
            into.push(variable);
        }
    }
}

/// Lets control leave through one block, which it gives.
pub(super) fn unify_exits(flow: &mut Flow) -> Option<usize> {
    let returns = |at: &&usize| matches!(flow.blocks[**at].plain.jump, PlainJump::Return(_));
    let exits: Vec<usize> = flow.order.iter().filter(returns).copied().collect();
    if let [only] = exits.as_slice() {
        return Some(*only);
    }
    exits.first()?;
    let exit = flow.make("GeneratedUnifiedExit", PlainJump::Return(Span::NOWHERE));
    for at in exits {
        if let PlainJump::Return(place) = flow.blocks[at].plain.jump {
            flow.blocks[at].left_at = Some(place);
        }
        flow.blocks[at].plain.jump = PlainJump::Goto(vec![exit]);
        flow.blocks[exit].predecessors.push(at);
    }
    flow.order.push(exit);
    Some(exit)
}

/// Says on entry what is known there, and checks at the exit what is promised.
pub(super) fn add_specification(
    program: &mut Program,
    implementation: &Implementation,
    flow: &mut Flow,
    exit: usize,
) {
    let procedure = program.procedures[implementation.procedure].clone();
    let map = ForOwn::new(program, implementation);
    let mut known = Vec::new();
    let mut assume = |expr: NodeId, span: Span| known.push(PlainCommand::of(PlainKind::Assume(expr), span));
    let globals = program.globals.clone();
    for global in globals {
        if let Some(condition) = program.variables[global].condition {
            assume(condition, program.variables[global].span);
        }
    }
    for parameter in procedure.inputs.iter().chain(&procedure.outputs) {
        if let Some(condition) = program.variables[*parameter].condition {
            assume(map.apply(program, condition), program.variables[*parameter].span);
        }
    }
    let bool = program.types.bool();
    let yes = program.graph.add(NodeKind::Bool(true), bool);
    for local in &implementation.locals {
        let variable = &program.variables[*local];
        let (name, span) = (program.names.text(variable.name).to_owned(), variable.span);
        let (kind, attribute) = match (variable.condition, variable.assumption) {
            (Some(condition), _) => {
                let both = NodeKind::Binary(BinaryOp::And, condition, yes);
                (both, format!("where {name}"))
            }
            (None, true) => (NodeKind::Variable(*local), INITIALIZATION.to_owned()),
            (None, false) => continue,
        };
        let expr = program.graph.add(kind, bool);
        let command = PlainCommand::of(PlainKind::Assume(expr), span);
        known.push(PlainCommand { attributes: vec![attribute], ..command });
    }
    for condition in &procedure.requires {
        let expr = map.apply(program, condition.expr);
        known.push(PlainCommand::of(PlainKind::Assume(expr), condition.span));
    }
    for condition in &procedure.ensures {
        let expr = map.apply(program, condition.expr);
        let kind = match (condition.free, condition.always) {
            (false, _) => PlainKind::Assert(expr),
            (true, true) => PlainKind::Assume(expr),
            (true, false) => continue,
        };
        let subsumption = program.subsumption.unwrap_or(2);
        let command = PlainCommand { subsumption, ..PlainCommand::of(kind, condition.span) };
        flow.commands_mut(exit).push(command);
    }
    let Some(first) = flow.order.first().copied() else { return };
    let entry = flow.make("PreconditionGeneratedEntry", PlainJump::Goto(vec![first]));
    *flow.commands_mut(entry) = known;
    flow.order[0] = entry;
    flow.order.push(first);
    flow.blocks[first].predecessors.push(entry);
}

/// What stands at the assumption that an assumption variable is true at first.
pub(super) const INITIALIZATION: &str = "assumption_variable_initialization";

/// What the parameters of a procedure are in its implementation.
struct ForOwn {
    variables: FxHashMap<VariableId, VariableId>,
    types: FxHashMap<TypeVariableId, TypeId>,
}

impl ForOwn {
    fn new(program: &mut Program, implementation: &Implementation) -> Self {
        let procedure = &program.procedures[implementation.procedure];
        let theirs = procedure.inputs.iter().chain(&procedure.outputs);
        let own = implementation.inputs.iter().chain(&implementation.outputs);
        let variables = theirs.copied().zip(own.copied()).collect();
        let mut types = FxHashMap::default();
        if procedure.type_parameters != implementation.type_parameters {
            let pairs = procedure.type_parameters.iter().zip(&implementation.type_parameters);
            types =
                pairs.map(|(theirs, own)| (*theirs, program.types.intern(Type::Variable(*own)))).collect();
        }
        Self { variables, types }
    }

    fn apply(&self, program: &mut Program, expr: NodeId) -> NodeId {
        let expr = program.graph.instantiate(&mut program.types, expr, &self.types);
        let variables = &program.variables;
        program.graph.replace(expr, &mut FxHashMap::default(), &mut |graph, id| match *graph.kind(id) {
            NodeKind::Variable(theirs) => {
                let own = self.variables.get(&theirs)?;
                Some(graph.add(NodeKind::Variable(*own), variables[*own].ty))
            }
            _ => None,
        })
    }
}

/// Puts a block on each edge from a block with several targets to one with several predecessors.
pub(super) fn put_blocks_between(flow: &mut Flow) {
    let mut new = Vec::new();
    for at in flow.order.clone() {
        for index in 0..flow.blocks[at].predecessors.len() {
            let before = flow.blocks[at].predecessors[index];
            if flow.blocks[at].predecessors.len() > 1 && flow.targets(before).len() > 1 {
                new.push(flow.put_between(index, at));
            }
        }
    }
    flow.order.extend(new);
}
