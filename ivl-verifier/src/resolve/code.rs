//! Code expressions: `|{ var x: T; blocks }|` is true where every way through the blocks that meets its
//! assumptions meets its assertions and returns true.
//!
//! Each becomes its weakest precondition, a formula over the variables that it does not declare itself,
//! before anything else looks at the program.

use std::collections::BTreeSet;

use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::base::arena::Id;
use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::source::Span;
use crate::resolve::graph::{BoundVariable, Graph, NodeId, NodeKind, QuantifierNode, VariableId};
use crate::resolve::program::{Block, Call, Command, CommandKind, Program, Transfer, Variable, VariableKind};
use crate::resolve::reducible::make_reducible;
use crate::resolve::types::{TypeId, TypeVariableId};
use crate::resolve::unroll::loops;
use crate::syntax::ast::{BinaryOp, Binder};

/// The blocks of a code expression.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) locals: Vec<VariableId>,
    /// What is returned.
    pub(crate) result: VariableId,
    /// They return where the result is set.
    pub(crate) blocks: Vec<Block>,
    /// How many bound variables are around it.
    pub(crate) level: u32,
    pub(crate) span: Span,
}

/// Replaces every code expression of a program. `inlined` gives the blocks of one with its calls inlined,
/// and the local variables that came with them. Gives what is wrong.
pub(crate) fn eliminate(
    program: &mut Program,
    mut inlined: impl FnMut(&mut Program, &Code) -> (Vec<Block>, Vec<VariableId>),
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut formulas: Vec<NodeId> = Vec::new();
    // What is inside another one comes before it.
    for code in std::mem::take(&mut program.codes) {
        let (blocks, locals) = inlined(program, &code);
        match precondition(program, &code, &blocks, &locals) {
            Ok(formula) => formulas.push(replaced(program, formula, &formulas)),
            Err(message) => {
                diagnostics.push(Diagnostic::error(Stage::Declarations, code.span, message));
                let bool = program.types.bool();
                formulas.push(program.graph.add(NodeKind::Bool(false), bool));
            }
        }
    }
    if !formulas.is_empty() {
        everywhere(program, &formulas);
    }
    diagnostics
}

fn replaced(program: &mut Program, root: NodeId, formulas: &[NodeId]) -> NodeId {
    program.graph.replace(root, &mut FxHashMap::default(), &mut |graph, id| match graph.kind(id) {
        NodeKind::Code(index) => formulas.get(*index as usize).copied(),
        _ => None,
    })
}

/// Replaces code expressions in everything that holds expressions.
fn everywhere(program: &mut Program, formulas: &[NodeId]) {
    for id in program.variables.ids().collect::<Vec<_>>() {
        if let Some(condition) = program.variables[id].condition {
            program.variables[id].condition = Some(replaced(program, condition, formulas));
        }
    }
    for id in program.functions.ids().collect::<Vec<_>>() {
        if let Some(body) = program.functions[id].body {
            program.functions[id].body = Some(replaced(program, body, formulas));
        }
    }
    for id in program.axioms.ids().collect::<Vec<_>>() {
        program.axioms[id].expr = replaced(program, program.axioms[id].expr, formulas);
    }
    for id in program.procedures.ids().collect::<Vec<_>>() {
        for index in 0..program.procedures[id].requires.len() {
            let expr = replaced(program, program.procedures[id].requires[index].expr, formulas);
            program.procedures[id].requires[index].expr = expr;
        }
        for index in 0..program.procedures[id].ensures.len() {
            let expr = replaced(program, program.procedures[id].ensures[index].expr, formulas);
            program.procedures[id].ensures[index].expr = expr;
        }
    }
    for id in program.implementations.ids().collect::<Vec<_>>() {
        let mut blocks = std::mem::take(&mut program.implementations[id].blocks);
        for command in blocks.iter_mut().flat_map(|block| &mut block.commands) {
            let mut each = |expr: &mut NodeId| *expr = replaced(program, *expr, formulas);
            match &mut command.kind {
                CommandKind::Assert(expr, notes) | CommandKind::Invariant { expr, notes, .. } => {
                    each(expr);
                    notes.verified_under.iter_mut().for_each(each);
                }
                CommandKind::Assume(expr) => each(expr),
                CommandKind::Observe(observation) => observation.for_each(each),
                CommandKind::Havoc(_) | CommandKind::Visibility(_) => {}
                CommandKind::Assign(pairs) => pairs.iter_mut().for_each(|(_, value)| each(value)),
                CommandKind::Call(call) => {
                    call.arguments.iter_mut().for_each(&mut each);
                    call.notes.verified_under.iter_mut().for_each(each);
                }
            }
        }
        program.implementations[id].blocks = blocks;
    }
}

/// The weakest precondition of blocks: that the result is true where they return.
///
/// A loop is cut at its invariants, as those of implementations are: they must hold where it is entered and
/// where it is gone round, and what it changes has any values that meet them.
fn precondition(
    program: &mut Program,
    code: &Code,
    blocks: &[Block],
    locals: &[VariableId],
) -> Result<NodeId, String> {
    let bool = program.types.bool();
    let mut blocks = blocks.to_vec();
    make_reducible(&mut blocks)?;
    let around = loops(&blocks)?;
    let heads: BTreeSet<usize> = around.iter().flatten().copied().collect();
    let mut flow: DiGraph<(), ()> = DiGraph::new();
    for _ in &blocks {
        flow.add_node(());
    }
    for (at, block) in blocks.iter().enumerate() {
        if let Transfer::Goto(targets) = &block.transfer {
            for target in targets.iter().filter(|target| !around[at].contains(target)) {
                flow.add_edge(NodeIndex::new(at), NodeIndex::new(*target), ());
            }
        }
    }
    let order = toposort(&flow, None).map_err(|_| "Irreducible flow graphs are unsupported.".to_owned())?;
    let truth = program.graph.add(NodeKind::Bool(true), bool);
    let mut done = vec![truth; blocks.len()];
    for at in order.into_iter().rev().map(NodeIndex::index) {
        let block = &blocks[at];
        let mut rest = match &block.transfer {
            Transfer::Return(_) => program.graph.add(NodeKind::Variable(code.result), bool),
            Transfer::Goto(targets) => {
                let mut all = None;
                for target in targets {
                    let mut parts = Vec::new();
                    if heads.contains(target) {
                        parts.extend(leading(&blocks[*target]).filter_map(checked));
                    }
                    if !around[at].contains(target) {
                        parts.push(done[*target]);
                    }
                    for part in parts {
                        all = Some(match all {
                            None => part,
                            Some(all) => program.graph.add(NodeKind::Binary(BinaryOp::And, all, part), bool),
                        });
                    }
                }
                all.unwrap_or(truth)
            }
        };
        let invariants = if heads.contains(&at) { leading(block).count() } else { 0 };
        for (index, command) in block.commands.iter().enumerate().rev() {
            rest = match &command.kind {
                CommandKind::Assume(expr) | CommandKind::Invariant { expr, free: true, .. } => {
                    program.graph.add(NodeKind::Binary(BinaryOp::Implies, *expr, rest), bool)
                }
                CommandKind::Assert(expr, _) | CommandKind::Invariant { expr, free: false, .. } => {
                    let op = if index < invariants { BinaryOp::Implies } else { BinaryOp::And };
                    program.graph.add(NodeKind::Binary(op, *expr, rest), bool)
                }
                CommandKind::Assign(pairs) => {
                    let map: FxHashMap<VariableId, NodeId> = pairs.iter().copied().collect();
                    substituted(program, rest, &map)
                }
                CommandKind::Havoc(variables) => for_all(program, rest, variables, code.level),
                // The check that the expression is part of says what may be used.
                CommandKind::Visibility(_) | CommandKind::Observe(_) => rest,
                CommandKind::Call(call) => called(program, call, rest, code.level),
            };
        }
        if heads.contains(&at) {
            let inside = blocks.iter().zip(&around).filter(|(_, around)| around.contains(&at));
            let changed = changed(program, inside.flat_map(|(block, _)| &block.commands));
            rest = for_all(program, rest, &changed, code.level);
        }
        done[at] = rest;
    }
    let mut first = done.first().copied().unwrap_or(truth);
    if heads.contains(&0) {
        for invariant in leading(&blocks[0]).filter_map(checked) {
            first = program.graph.add(NodeKind::Binary(BinaryOp::And, invariant, first), bool);
        }
    }
    let mut all = locals.to_vec();
    all.push(code.result);
    Ok(for_all(program, first, &all, code.level))
}

/// The conditions at the start of a block, which are the invariants of a loop that starts there.
fn leading(block: &Block) -> impl Iterator<Item = &CommandKind> {
    let kinds = block.commands.iter().map(|command| &command.kind);
    kinds.take_while(|kind| {
        matches!(
            kind,
            CommandKind::Assert(..)
                | CommandKind::Assume(_)
                | CommandKind::Invariant { .. }
                | CommandKind::Observe(_)
        )
    })
}

/// What a command checks.
fn checked(kind: &CommandKind) -> Option<NodeId> {
    match kind {
        CommandKind::Assert(expr, _) | CommandKind::Invariant { expr, free: false, .. } => Some(*expr),
        _ => None,
    }
}

/// The variables that commands change, in the order of their names.
fn changed<'c>(program: &Program, commands: impl Iterator<Item = &'c Command>) -> Vec<VariableId> {
    let mut found: Vec<VariableId> = Vec::new();
    for command in commands {
        match &command.kind {
            CommandKind::Havoc(variables) => found.extend(variables),
            CommandKind::Assign(pairs) => found.extend(pairs.iter().map(|(variable, _)| *variable)),
            CommandKind::Call(call) => {
                found.extend(&call.outputs);
                found.extend(&program.procedures[call.callee].modifies);
            }
            _ => {}
        }
    }
    let variables = &program.variables;
    found.sort_by_key(|id| (program.names.text(variables[*id].name), variables[*id].kind, id.index()));
    found.dedup();
    found
}

/// The weakest precondition of a call: its preconditions hold, and what comes after it holds for all results
/// and changes that its postconditions allow.
fn called(program: &mut Program, call: &Call, rest: NodeId, level: u32) -> NodeId {
    let bool = program.types.bool();
    let procedure = program.procedures[call.callee].clone();
    let types: FxHashMap<_, _> =
        procedure.type_parameters.iter().copied().zip(call.type_arguments.iter().copied()).collect();
    let before: FxHashMap<VariableId, NodeId> =
        procedure.inputs.iter().copied().zip(call.arguments.iter().copied()).collect();
    let mut after = before.clone();
    let mut results = FxHashMap::default();
    let mut fresh = Vec::new();
    let theirs =
        procedure.outputs.iter().zip(&call.outputs).chain(procedure.modifies.iter().map(|it| (it, it)));
    for (theirs, mine) in theirs {
        let Variable { name, ty, .. } = program.variables[*theirs].clone();
        let ty = program.types.substitute(ty, &types);
        let new = program.variables.push(Variable {
            name,
            ty,
            kind: VariableKind::Local,
            condition: None,
            assumption: false,
        });
        let node = program.graph.add(NodeKind::Variable(new), ty);
        after.insert(*theirs, node);
        results.insert(*mine, node);
        fresh.push(new);
    }
    let mut rest = substituted(program, rest, &results);
    let conditions = procedure.outputs.iter().chain(&procedure.modifies);
    let mut known: Vec<NodeId> =
        conditions.filter_map(|variable| program.variables[*variable].condition).collect();
    known.extend(procedure.ensures.iter().map(|condition| condition.expr));
    for condition in known.into_iter().rev() {
        let condition = stated(program, condition, &types, level, (&after, &before));
        rest = program.graph.add(NodeKind::Binary(BinaryOp::Implies, condition, rest), bool);
    }
    rest = for_all(program, rest, &fresh, level);
    for condition in procedure.requires.iter().rev() {
        let op = match (condition.free || call.free, condition.always && !call.free) {
            (false, _) => BinaryOp::And,
            (true, true) => BinaryOp::Implies,
            (true, false) => continue,
        };
        let condition = stated(program, condition.expr, &types, level, (&before, &before));
        rest = program.graph.add(NodeKind::Binary(op, condition, rest), bool);
    }
    rest
}

/// A condition of a callee, which stands outside of all binders there, in the state after a call and the one
/// before it.
fn stated(
    program: &mut Program,
    condition: NodeId,
    types: &FxHashMap<TypeVariableId, TypeId>,
    level: u32,
    (after, before): (&FxHashMap<VariableId, NodeId>, &FxHashMap<VariableId, NodeId>),
) -> NodeId {
    let graph = &mut program.graph;
    let condition = graph.instantiate(&mut program.types, condition, types);
    let condition = graph.transplant(condition, &FxHashMap::default(), 0, level);
    let value = |map: &FxHashMap<VariableId, NodeId>, graph: &Graph, id: NodeId| match graph.kind(id) {
        NodeKind::Variable(variable) => map.get(variable).copied(),
        _ => None,
    };
    let mut older = FxHashMap::default();
    graph.replace(condition, &mut FxHashMap::default(), &mut |graph, id| match *graph.kind(id) {
        NodeKind::Old(inner) => {
            Some(graph.replace(inner, &mut older, &mut |graph, id| value(before, graph, id)))
        }
        _ => value(after, graph, id),
    })
}

/// An expression in which variables have other values.
fn substituted(program: &mut Program, root: NodeId, map: &FxHashMap<VariableId, NodeId>) -> NodeId {
    let Program { graph, variables, .. } = program;
    let mut older = FxHashMap::default();
    graph.replace(root, &mut FxHashMap::default(), &mut |graph, id| match *graph.kind(id) {
        NodeKind::Variable(variable) => map.get(&variable).copied(),
        // Of what is inside, only global variables are older.
        NodeKind::Old(inner) => Some(graph.replace(inner, &mut older, &mut |graph, id| {
            let NodeKind::Variable(variable) = *graph.kind(id) else { return None };
            if variables[variable].kind == VariableKind::Global {
                let ty = graph.ty(id);
                return Some(graph.add(NodeKind::Old(id), ty));
            }
            map.get(&variable).copied()
        })),
        _ => None,
    })
}

/// A formula for all values of some variables that meet their conditions.
fn for_all(program: &mut Program, root: NodeId, variables: &[VariableId], level: u32) -> NodeId {
    let bool = program.types.bool();
    let mut root = root;
    for variable in variables {
        if let Some(condition) = program.variables[*variable].condition {
            root = program.graph.add(NodeKind::Binary(BinaryOp::Implies, condition, root), bool);
        }
    }
    let count = u32::try_from(variables.len()).unwrap_or(u32::MAX);
    // What is bound inside moves in.
    let moved = program.graph.transplant(root, &FxHashMap::default(), level, level.saturating_add(count));
    let mut bound = Vec::new();
    let mut map = FxHashMap::default();
    for (index, variable) in (0..).zip(variables) {
        let entity = &program.variables[*variable];
        let new = BoundVariable { name: entity.name, ty: entity.ty, level: level.saturating_add(index) };
        let ty = entity.ty;
        map.insert(*variable, program.graph.add(NodeKind::Bound(new.clone()), ty));
        bound.push(new);
    }
    let body = substituted(program, moved, &map);
    if body == moved || bound.is_empty() {
        // None of them occurs.
        return root;
    }
    let quantifier = QuantifierNode {
        binder: Binder::Forall,
        type_parameters: Vec::new(),
        bound,
        weight: None,
        triggers: Vec::new(),
        no_triggers: Vec::new(),
        attributes: None,
        body,
    };
    program.graph.add(NodeKind::Quantifier(Box::new(quantifier)), bool)
}
