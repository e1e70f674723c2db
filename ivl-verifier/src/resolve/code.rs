//! Code expressions: `|{ var x: T; blocks }|` is true where every way through the blocks that meets its
//! assumptions meets its assertions and returns true.
//!
//! Each becomes its weakest precondition, a formula over the variables that it does not declare itself,
//! before anything else looks at the program.

use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::source::Span;
use crate::resolve::graph::{BoundVariable, NodeId, NodeKind, QuantifierNode, VariableId};
use crate::resolve::program::{Block, CommandKind, Program, Transfer};
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
fn precondition(
    program: &mut Program,
    code: &Code,
    blocks: &[Block],
    locals: &[VariableId],
) -> Result<NodeId, String> {
    let bool = program.types.bool();
    let mut flow: DiGraph<(), ()> = DiGraph::new();
    for _ in blocks {
        flow.add_node(());
    }
    for (at, block) in blocks.iter().enumerate() {
        if let Transfer::Goto(targets) = &block.transfer {
            for target in targets {
                flow.add_edge(NodeIndex::new(at), NodeIndex::new(*target), ());
            }
        }
    }
    let order =
        toposort(&flow, None).map_err(|_| "loops in code expressions are not supported".to_owned())?;
    let truth = program.graph.add(NodeKind::Bool(true), bool);
    let mut done = vec![truth; blocks.len()];
    for at in order.into_iter().rev().map(NodeIndex::index) {
        let block = &blocks[at];
        let mut rest = match &block.transfer {
            Transfer::Return(_) => program.graph.add(NodeKind::Variable(code.result), bool),
            Transfer::Goto(targets) => {
                let mut parts = targets.iter().map(|target| done[*target]);
                let first = parts.next().unwrap_or(truth);
                parts.fold(first, |all, part| {
                    program.graph.add(NodeKind::Binary(BinaryOp::And, all, part), bool)
                })
            }
        };
        for command in block.commands.iter().rev() {
            rest = match &command.kind {
                CommandKind::Assume(expr) | CommandKind::Invariant { expr, free: true, .. } => {
                    program.graph.add(NodeKind::Binary(BinaryOp::Implies, *expr, rest), bool)
                }
                CommandKind::Assert(expr, _) | CommandKind::Invariant { expr, free: false, .. } => {
                    program.graph.add(NodeKind::Binary(BinaryOp::And, *expr, rest), bool)
                }
                CommandKind::Assign(pairs) => {
                    let map: FxHashMap<VariableId, NodeId> = pairs.iter().copied().collect();
                    substituted(program, rest, &map)
                }
                CommandKind::Havoc(variables) => for_all(program, rest, variables, code.level),
                // The check that the expression is part of says what may be used.
                CommandKind::Visibility(_) | CommandKind::Observe(_) => rest,
                CommandKind::Call(_) => {
                    return Err(
                        "calls in code expressions are supported for inlined procedures only".to_owned()
                    );
                }
            };
        }
        done[at] = rest;
    }
    let mut all = locals.to_vec();
    all.push(code.result);
    Ok(for_all(program, done.first().copied().unwrap_or(truth), &all, code.level))
}

fn substituted(program: &mut Program, root: NodeId, map: &FxHashMap<VariableId, NodeId>) -> NodeId {
    program.graph.replace(root, &mut FxHashMap::default(), &mut |graph, id| match graph.kind(id) {
        NodeKind::Variable(variable) => map.get(variable).copied(),
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
