//! Code expressions: `|{ var x: T; blocks }|` is true where every way through the blocks that meets its
//! assumptions meets its assertions and returns true.
//!
//! Each becomes its weakest precondition, a formula over the variables that it does not declare itself,
//! before anything else looks at the program.

use std::collections::BTreeSet;

use petgraph::algo::{tarjan_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::resolve::graph::{BoundVariable, NodeId, NodeKind, QuantifierNode, Spelled, VariableId};
use crate::resolve::program::{
    Block, Call, Code, Command, CommandKind, ProcedureId, Program, Transfer, Variable, VariableKind,
};
use crate::resolve::types::{TypeId, TypeVariableId};
use crate::syntax::ast::{BinaryOp, Binder};
use crate::transform::acyclic::changed;
use crate::transform::inline::Bodies;
use crate::transform::reducible::make_reducible;
use crate::transform::unroll::loops;

/// Replaces every code expression of a program, its calls inlined. Gives what is wrong.
///
/// One is replaced after all that its weakest precondition is made of: those inside it, which see what it assigns,
/// and those in specifications and bodies of what it calls. One that depends on itself stays as it is, and is
/// refused where it is asked.
pub(crate) fn eliminate(program: &mut Program, bodies: &mut Bodies) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let codes = std::mem::take(&mut program.codes);
    let mut formulas = vec![None; codes.len()];
    for group in groups(program, &codes, bodies) {
        let is_cycle = group.len() > 1;
        for part in group {
            match part {
                Part::Procedure(id) => settle(program, id, bodies, &formulas),
                Part::Code(_) if is_cycle => {}
                Part::Code(index) => match formula(program, &codes[index], bodies, &formulas) {
                    Ok(formula) => formulas[index] = formula,
                    Err(message) => {
                        diagnostics.push(Diagnostic::error(Stage::Declarations, codes[index].span, message));
                        let bool = program.types.bool();
                        formulas[index] = Some(program.graph.add(NodeKind::Bool(false), bool));
                    }
                },
            }
        }
    }
    if !formulas.is_empty() {
        everywhere(program, &formulas);
    }
    diagnostics
}

/// What a weakest precondition is made of.
#[derive(Clone, Copy)]
enum Part {
    Code(usize),
    Procedure(ProcedureId),
}

/// The code expressions with the procedures that they call, those that depend on each other together, each group
/// after those that it depends on.
fn groups(program: &Program, codes: &[Code], bodies: &Bodies) -> Vec<Vec<Part>> {
    let mut graph: DiGraph<Part, ()> = DiGraph::new();
    for index in 0..codes.len() {
        graph.add_node(Part::Code(index));
    }
    let mut procedures: FxHashMap<ProcedureId, NodeIndex> = FxHashMap::default();
    let mut at = 0;
    while let Some(part) = graph.node_weight(NodeIndex::new(at)).copied() {
        let mut blocks: &[Block] = &[];
        let mut variables: Vec<VariableId> = Vec::new();
        let mut roots = Vec::new();
        match part {
            Part::Code(index) => {
                blocks = &codes[index].blocks;
                variables.extend(&codes[index].locals);
                roots.extend(codes[index].values.iter().map(|(_, value)| *value));
            }
            Part::Procedure(id) => {
                let procedure = &program.procedures[id];
                variables
                    .extend(procedure.inputs.iter().chain(&procedure.outputs).chain(&procedure.modifies));
                roots.extend(procedure.requires.iter().chain(&procedure.ensures).map(|it| it.expr));
                if let Some(body) = bodies.source(id) {
                    blocks = &body.blocks;
                    variables.extend(body.inputs.iter().chain(&body.outputs).chain(&body.locals));
                }
            }
        }
        roots.extend(variables.iter().filter_map(|id| program.variables[*id].condition));
        for_each_expression(&mut blocks.to_vec(), |expr| roots.push(*expr));
        for node in program.graph.below(&roots) {
            if let NodeKind::Code(index) = program.graph.kind(node) {
                graph.add_edge(NodeIndex::new(at), NodeIndex::new(*index as usize), ());
            }
        }
        for command in blocks.iter().flat_map(|block| &block.commands) {
            if let CommandKind::Call(call) = &command.kind {
                let known = procedures.entry(call.callee);
                let callee = *known.or_insert_with(|| graph.add_node(Part::Procedure(call.callee)));
                graph.add_edge(NodeIndex::new(at), callee, ());
            }
        }
        at += 1;
    }
    let groups = tarjan_scc(&graph).into_iter();
    groups.map(|group| group.into_iter().map(|node| graph[node]).collect()).collect()
}

/// The weakest precondition of a code expression; `None` if something in it could not be replaced.
fn formula(
    program: &mut Program,
    code: &Code,
    bodies: &Bodies,
    formulas: &[Option<NodeId>],
) -> Result<Option<NodeId>, String> {
    let mut blocks = code.blocks.clone();
    for_each_expression(&mut blocks, |expr| *expr = replaced(program, *expr, formulas));
    conditions(program, &code.locals, formulas);
    let (blocks, locals) = match bodies.inlined(program, &blocks, &code.locals, code.level) {
        Some(inlined) => (inlined.blocks, inlined.locals),
        None => (blocks, code.locals.clone()),
    };
    let mut formula = precondition(program, code, &blocks, &locals)?;
    if code.in_old {
        formula = older(program, formula);
    }
    if !code.values.is_empty() {
        let mut values = FxHashMap::default();
        for (variable, value) in &code.values {
            values.insert(*variable, replaced(program, *value, formulas));
        }
        formula = substituted(program, formula, &values);
    }
    let whole = program.graph.below(&[formula]);
    let is_whole = !whole.iter().any(|id| matches!(program.graph.kind(*id), NodeKind::Code(_)));
    Ok(is_whole.then_some(formula))
}

/// Replaces code expressions in what calls of a procedure mean.
fn settle(program: &mut Program, id: ProcedureId, bodies: &mut Bodies, formulas: &[Option<NodeId>]) {
    specification(program, id, formulas);
    let procedure = &program.procedures[id];
    let mut variables = [&procedure.inputs[..], &procedure.outputs, &procedure.modifies].concat();
    if let Some(body) = bodies.source_mut(id) {
        for_each_expression(&mut body.blocks, |expr| *expr = replaced(program, *expr, formulas));
        variables.extend(body.inputs.iter().chain(&body.outputs).chain(&body.locals));
    }
    conditions(program, &variables, formulas);
}

/// Replaces code expressions in the preconditions and postconditions of a procedure.
fn specification(program: &mut Program, id: ProcedureId, formulas: &[Option<NodeId>]) {
    for index in 0..program.procedures[id].requires.len() {
        let expr = replaced(program, program.procedures[id].requires[index].expr, formulas);
        program.procedures[id].requires[index].expr = expr;
    }
    for index in 0..program.procedures[id].ensures.len() {
        let expr = replaced(program, program.procedures[id].ensures[index].expr, formulas);
        program.procedures[id].ensures[index].expr = expr;
    }
}

/// Replaces code expressions in the conditions of variables.
fn conditions(program: &mut Program, variables: &[VariableId], formulas: &[Option<NodeId>]) {
    for id in variables {
        if let Some(condition) = program.variables[*id].condition {
            program.variables[*id].condition = Some(replaced(program, condition, formulas));
        }
    }
}

fn replaced(program: &mut Program, root: NodeId, formulas: &[Option<NodeId>]) -> NodeId {
    program.graph.replace(root, &mut FxHashMap::default(), &mut |graph, id| match graph.kind(id) {
        NodeKind::Code(index) => formulas.get(*index as usize).copied().flatten(),
        _ => None,
    })
}

/// Replaces code expressions in everything that holds expressions.
fn everywhere(program: &mut Program, formulas: &[Option<NodeId>]) {
    let variables: Vec<VariableId> = program.variables.ids().collect();
    conditions(program, &variables, formulas);
    for id in program.functions.ids().collect::<Vec<_>>() {
        if let Some(body) = program.functions[id].body {
            program.functions[id].body = Some(replaced(program, body, formulas));
        }
    }
    for id in program.axioms.ids().collect::<Vec<_>>() {
        program.axioms[id].expr = replaced(program, program.axioms[id].expr, formulas);
    }
    for id in program.procedures.ids().collect::<Vec<_>>() {
        specification(program, id, formulas);
    }
    for id in program.implementations.ids().collect::<Vec<_>>() {
        let mut blocks = std::mem::take(&mut program.implementations[id].blocks);
        for_each_expression(&mut blocks, |expr| *expr = replaced(program, *expr, formulas));
        program.implementations[id].blocks = blocks;
    }
}

/// Visits all expressions that stand in blocks.
pub(super) fn for_each_expression(blocks: &mut [Block], mut each: impl FnMut(&mut NodeId)) {
    for command in blocks.iter_mut().flat_map(|block| &mut block.commands) {
        match &mut command.kind {
            CommandKind::Assert(expr, notes) | CommandKind::Invariant { expr, notes, .. } => {
                each(expr);
                notes.verified_under.iter_mut().for_each(&mut each);
            }
            CommandKind::Assume(expr) => each(expr),
            CommandKind::Observe(observation) => observation.for_each(&mut each),
            CommandKind::Havoc(_) | CommandKind::Enter(_) | CommandKind::Visibility(_) => {}
            CommandKind::Assign(pairs) => pairs.iter_mut().for_each(|(_, value)| each(value)),
            CommandKind::Call(call) => {
                call.arguments.iter_mut().for_each(&mut each);
                call.notes.verified_under.iter_mut().for_each(&mut each);
            }
        }
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
                CommandKind::Havoc(variables) | CommandKind::Enter(variables) => {
                    let rest = under_conditions(program, rest, variables);
                    for_all(program, rest, variables, code.level)
                }
                // The check that the expression is part of says what may be used.
                CommandKind::Visibility(_) | CommandKind::Observe(_) => rest,
                CommandKind::Call(call) => called(program, call, rest, code.level),
            };
        }
        if heads.contains(&at) {
            let inside = blocks.iter().zip(&around).filter(|(_, around)| around.contains(&at));
            let commands: Vec<&Command> = inside.flat_map(|(block, _)| &block.commands).collect();
            let changed = changed(program, commands.iter().copied());
            let entered: BTreeSet<VariableId> =
                commands.iter().flat_map(|it| entered(&it.kind)).copied().collect();
            let known: Vec<VariableId> = changed.iter().filter(|it| !entered.contains(it)).copied().collect();
            rest = under_conditions(program, rest, &known);
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
    let known: Vec<VariableId> =
        locals.iter().filter(|it| program.variables[**it].kind != VariableKind::Inlined).copied().collect();
    first = under_conditions(program, first, &known);
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

/// The variables of an inlined body that control enters with a command.
fn entered(kind: &CommandKind) -> &[VariableId] {
    match kind {
        CommandKind::Enter(variables) => variables,
        _ => &[],
    }
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
        let new = program.variables.push(Variable::made(name, ty, VariableKind::Local));
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
    let Program { graph, types: all_types, variables, .. } = program;
    let condition = graph.instantiate(all_types, condition, types);
    let condition = graph.transplant(condition, &FxHashMap::default(), 0, level);
    let mut older = FxHashMap::default();
    graph.replace(condition, &mut FxHashMap::default(), &mut |graph, id| match *graph.kind(id) {
        NodeKind::Variable(variable) => after.get(&variable).copied(),
        NodeKind::Old(inner) => Some(graph.replace(inner, &mut older, &mut |graph, id| {
            let NodeKind::Variable(variable) = *graph.kind(id) else { return None };
            // Of what is inside, only global variables are older.
            let is_state = variables[variable].kind == VariableKind::Global;
            if is_state { before } else { after }.get(&variable).copied()
        })),
        _ => None,
    })
}

/// An expression over the older values of global variables.
fn older(program: &mut Program, root: NodeId) -> NodeId {
    let Program { graph, variables, .. } = program;
    graph.replace(root, &mut FxHashMap::default(), &mut |graph, id| match *graph.kind(id) {
        NodeKind::Variable(variable) if variables[variable].kind == VariableKind::Global => {
            let ty = graph.ty(id);
            Some(graph.add(NodeKind::Old(id), ty))
        }
        // Does not grow older.
        NodeKind::Old(_) => Some(id),
        _ => None,
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

/// A formula where some variables meet their conditions.
fn under_conditions(program: &mut Program, mut root: NodeId, variables: &[VariableId]) -> NodeId {
    let bool = program.types.bool();
    for variable in variables {
        if let Some(condition) = program.variables[*variable].condition {
            root = program.graph.add(NodeKind::Binary(BinaryOp::Implies, condition, root), bool);
        }
    }
    root
}

/// A formula for all values of some variables.
fn for_all(program: &mut Program, root: NodeId, variables: &[VariableId], level: u32) -> NodeId {
    let bool = program.types.bool();
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
        pools: Vec::new(),
        weight: None,
        triggers: Vec::new(),
        no_triggers: Vec::new(),
        attributes: None,
        spelled: Spelled::default(),
        body,
    };
    program.graph.add(NodeKind::Quantifier(Box::new(quantifier)), bool)
}
