//! A body without loops: each block one whole, and each loop cut at its invariants as Boogie cuts it.
//!
//! What is proved is cut later, in `lower::cut`, where checks have numbers. Here commands say it, so that what is left
//! can be printed and changed: invariants are checked where control enters a loop and where it would go back, and at
//! the head what the loop changes gets any values that meet them.

use std::collections::BTreeSet;

use super::unroll::loops;
use crate::base::source::Span;
use crate::resolve::graph::{NodeKind, VariableId};
use crate::resolve::program::{Block, Command, CommandKind, Implementation, Program, Transfer};

/// The blocks of an implementation that control can come to by its edges, without edges that lead back; `None` if it
/// has a loop with several entries.
pub(crate) fn acyclic(program: &mut Program, implementation: &Implementation) -> Option<Vec<Block>> {
    let mut blocks = whole(&implementation.blocks);
    let around = loops(&blocks).ok()?;
    let bool = program.types.bool();
    let never = program.graph.add(NodeKind::Bool(false), bool);
    for head in 0..blocks.len() {
        let leads_here = |block: &Block| targets(block).contains(&head);
        let before: Vec<usize> = (0..blocks.len()).filter(|at| leads_here(&blocks[*at])).collect();
        let (back, entry): (Vec<usize>, Vec<usize>) =
            before.into_iter().partition(|at| around[*at].contains(&head));
        if back.is_empty() {
            continue;
        }
        let body = (0..blocks.len()).filter(|at| around[*at].contains(&head));
        let changed = changed(program, body.flat_map(|at| &blocks[at].commands));
        let span = blocks[head].span;
        let mut commands = vec![Command { kind: CommandKind::Havoc(changed), span }];
        let mut rest = std::mem::take(&mut blocks[head].commands).into_iter().peekable();
        let mut checks = Vec::new();
        let leads = |kind: &CommandKind| {
            matches!(kind, CommandKind::Assert(..) | CommandKind::Assume(_) | CommandKind::Invariant { .. })
        };
        while let Some(mut command) = rest.next_if(|command| leads(&command.kind)) {
            if let CommandKind::Assert(expr, notes) | CommandKind::Invariant { expr, free: false, notes } =
                command.kind
            {
                checks.push(Command { kind: CommandKind::Assert(expr, notes), span: command.span });
                // What is assumed is written nowhere, and has no attributes of the text.
                command = Command { kind: CommandKind::Assume(expr), span: Span::NOWHERE };
            }
            commands.push(command);
        }
        commands.extend(rest);
        blocks[head].commands = commands;
        for at in entry.iter().chain(&back) {
            blocks[*at].commands.extend(checks.iter().cloned());
        }
        for at in back {
            if let Transfer::Goto(targets) = &mut blocks[at].transfer {
                targets.retain(|target| *target != head);
                if targets.is_empty() {
                    let kind = CommandKind::Assume(never);
                    blocks[at].commands.push(Command { kind, span: Span::NOWHERE });
                    blocks[at].transfer = Transfer::Return(Span::NOWHERE);
                }
            }
        }
    }
    Some(blocks)
}

/// Where control goes after a block.
pub(crate) fn targets(block: &Block) -> &[usize] {
    match &block.transfer {
        Transfer::Goto(targets) => targets,
        Transfer::Return(_) => &[],
    }
}

/// The blocks that the first one leads to, with what continues a block in it.
fn whole(blocks: &[Block]) -> Vec<Block> {
    let mut predecessors = vec![0; blocks.len()];
    blocks.iter().flat_map(targets).for_each(|target| predecessors[*target] += 1);
    let mut merged = blocks.to_vec();
    let mut reached = BTreeSet::new();
    let mut work = vec![0];
    while let Some(at) = work.pop() {
        if at >= merged.len() || !reached.insert(at) {
            continue;
        }
        while let [next] = *targets(&merged[at])
            && next != at
            && blocks[next].continues
            && predecessors[next] == 1
        {
            let Block { commands, transfer, .. } = blocks[next].clone();
            merged[at].commands.extend(commands);
            merged[at].transfer = transfer;
        }
        work.extend(targets(&merged[at]));
    }
    let place: std::collections::BTreeMap<usize, usize> =
        reached.iter().enumerate().map(|(new, old)| (*old, new)).collect();
    reached
        .iter()
        .map(|at| {
            let mut block = merged[*at].clone();
            block.continues = false;
            if let Transfer::Goto(targets) = &mut block.transfer {
                targets.iter_mut().for_each(|target| *target = place[target]);
            }
            block
        })
        .collect()
}

/// The variables that some commands change, in the order of their names.
pub(super) fn changed<'a>(
    program: &Program,
    commands: impl IntoIterator<Item = &'a Command>,
) -> Vec<VariableId> {
    let mut changed: BTreeSet<VariableId> = BTreeSet::new();
    for command in commands {
        match &command.kind {
            CommandKind::Havoc(variables) | CommandKind::Enter(variables) => changed.extend(variables),
            CommandKind::Assign(pairs) => changed.extend(pairs.iter().map(|(id, _)| *id)),
            CommandKind::Call(call) => {
                changed.extend(&call.outputs);
                changed.extend(&program.procedures[call.callee].modifies);
            }
            CommandKind::Assert(..)
            | CommandKind::Assume(_)
            | CommandKind::Invariant { .. }
            | CommandKind::Visibility(_)
            | CommandKind::Observe(_) => {}
        }
    }
    let mut changed: Vec<VariableId> = changed.into_iter().collect();
    changed.sort_by_key(|id| (program.names.text(program.variables[*id].name), program.variables[*id].kind));
    changed
}
