//! Local variables that no command mentions which control could reach go, and their conditions with them, as in
//! Boogie: a variable that is never there says nothing. What the condition of a variable that stays mentions stays
//! as well, without a condition of its own.

use rustc_hash::FxHashSet;

use super::code::for_each_expression;
use crate::base::arena::Marks;
use crate::resolve::graph::{Graph, NodeId, NodeKind, VariableId};
use crate::resolve::program::{Block, CommandKind, Program, Transfer};

/// Drops them in every implementation of a program without code expressions.
pub(super) fn drop_unused(program: &mut Program) {
    let mut seen = Marks::default();
    for id in program.implementations.ids().collect::<Vec<_>>() {
        if program.implementations[id].locals.is_empty() {
            continue;
        }
        let mut blocks = std::mem::take(&mut program.implementations[id].blocks);
        let mut roots: Vec<NodeId> = Vec::new();
        let mut used: FxHashSet<VariableId> = FxHashSet::default();
        let reached = reached(&blocks, &program.graph);
        for (block, _) in blocks.iter_mut().zip(&reached).filter(|(_, reached)| **reached) {
            for_each_expression(std::slice::from_mut(block), |expr| roots.push(*expr));
        }
        let reached = blocks.iter().zip(&reached).filter(|(_, reached)| **reached);
        for command in reached.flat_map(|(block, _)| &block.commands) {
            match &command.kind {
                CommandKind::Havoc(variables) | CommandKind::Enter(variables) => used.extend(variables),
                CommandKind::Assign(pairs) => used.extend(pairs.iter().map(|(variable, _)| *variable)),
                CommandKind::Call(call) => used.extend(&call.outputs),
                CommandKind::Assert(..)
                | CommandKind::Assume(_)
                | CommandKind::Invariant { .. }
                | CommandKind::Visibility(_)
                | CommandKind::Observe(_) => {}
            }
        }
        program.implementations[id].blocks = blocks;
        seen.clear();
        mentioned(&program.graph, &mut roots, &mut seen, |variable| {
            used.insert(variable);
        });
        let locals = &program.implementations[id].locals;
        for local in locals.iter().filter(|local| used.contains(local)) {
            roots.extend(program.variables[*local].condition);
        }
        // Nodes that were seen are no news: their variables are used.
        let mut by_conditions: FxHashSet<VariableId> = FxHashSet::default();
        mentioned(&program.graph, &mut roots, &mut seen, |variable| {
            by_conditions.insert(variable);
        });
        for local in locals {
            if !used.contains(local) && by_conditions.contains(local) {
                program.variables[*local].condition = None;
            }
        }
        used.extend(by_conditions);
        program.implementations[id].locals.retain(|local| used.contains(local));
    }
}

/// Which blocks edges lead to from the first one. None leads on behind a literal `false`, as in Boogie.
fn reached(blocks: &[Block], graph: &Graph) -> Vec<bool> {
    let mut reached = vec![false; blocks.len()];
    let mut work = vec![0];
    while let Some(at) = work.pop() {
        if let (Some(block), false) = (blocks.get(at), reached.get(at).copied().unwrap_or(true)) {
            reached[at] = true;
            if !block.says_false(graph)
                && let Transfer::Goto(targets) = &block.transfer
            {
                work.extend(targets);
            }
        }
    }
    reached
}

/// Gives the variables that occur in expressions, without what was seen before, and empties the list of these.
fn mentioned(
    graph: &Graph,
    roots: &mut Vec<NodeId>,
    seen: &mut Marks<NodeId>,
    mut each: impl FnMut(VariableId),
) {
    while let Some(node) = roots.pop() {
        if seen.insert(node) {
            let kind = graph.kind(node);
            if let NodeKind::Variable(variable) = kind {
                each(*variable);
            }
            kind.for_each_child(|child| roots.push(child));
        }
    }
}
