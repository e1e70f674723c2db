//! Loops replaced by proofs by k-induction, as Boogie's `-kInductionDepth` does it.
//!
//! A loop becomes `2k + 1` copies of its body, one behind the other: `k` in which all is checked (the base), `k` from
//! any state in which assertions are assumed and which nothing leaves (the step), and one in which all is checked
//! again. The last one leads back nowhere: where it would, any further round is like it. Invariants are assertions at
//! the head of each copy, so with `k` = 0 nothing is known at the head. Preconditions of calls are checked in the step
//! as well, as Boogie 2.4.1 does.
//!
//! Inner loops go first, so that the copies of an outer one hold theirs. An implementation grows by `2k + 1` for each
//! loop around a block, up to [`MAX_BLOCKS`].

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::acyclic::{changed, targets};
use super::unroll::{self, MAX_BLOCKS, loops, plain};
use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::source::Span;
use crate::resolve::control::in_order;
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{Block, Command, CommandKind, Program, Transfer};

/// Replaces the loops of every implementation. Gives what is wrong.
pub(crate) fn induct(program: &mut Program, depth: u32) -> Vec<Diagnostic> {
    let bool = program.types.bool();
    let never = program.graph.add(NodeKind::Bool(false), bool);
    let mut diagnostics = Vec::new();
    for id in program.implementations.ids().collect::<Vec<_>>() {
        let mut blocks = std::mem::take(&mut program.implementations[id].blocks);
        unroll::end_at_dead_ends(&program.graph, &mut blocks);
        match without_loops(program, blocks, depth, never) {
            Ok(blocks) => {
                // What was there was of the blocks before.
                program.layouts.insert(id, in_order(&program.graph, &blocks));
                program.cuts.remove(&id);
                program.implementations[id].blocks = blocks;
            }
            Err(message) => {
                let span = program.implementations[id].span;
                diagnostics.push(Diagnostic::error(Stage::Declarations, span, message));
            }
        }
    }
    diagnostics
}

fn without_loops(
    program: &mut Program,
    mut blocks: Vec<Block>,
    depth: u32,
    never: NodeId,
) -> Result<Vec<Block>, String> {
    loop {
        let around = loops(&blocks)?;
        let heads: BTreeSet<usize> = around.iter().flatten().copied().collect();
        let holds_another =
            |head: usize| heads.iter().any(|other| *other != head && around[*other].contains(&head));
        let Some(head) = heads.iter().copied().find(|head| !holds_another(*head)) else { break };
        let rest = (0..blocks.len()).filter(|at| *at != head && around[*at].contains(&head));
        let body: Vec<usize> = std::iter::once(head).chain(rest).collect();
        let copies = (depth as usize).saturating_mul(2).saturating_add(1);
        if body.len().saturating_mul(copies).saturating_add(blocks.len()) > MAX_BLOCKS {
            return Err("k-induction makes this implementation too large".to_owned());
        }
        blocks = Copies { program, body: &body, depth: depth as usize, never }.in_place_of(&blocks);
    }
    Ok(blocks)
}

/// The copies of one loop.
struct Copies<'a> {
    program: &'a mut Program,
    /// The blocks of the loop, its head first.
    body: &'a [usize],
    depth: usize,
    never: NodeId,
}

impl Copies<'_> {
    /// The blocks with the copies where the head was, and without the loop.
    fn in_place_of(mut self, blocks: &[Block]) -> Vec<Block> {
        let (head, count) = (self.body[0], 2 * self.depth + 1);
        let place: FxHashMap<usize, usize> =
            self.body.iter().enumerate().map(|(place, at)| (*at, place)).collect();
        // Where the blocks outside, and the first copy, are afterwards.
        let mut outside = Vec::with_capacity(blocks.len());
        let mut next = 0;
        for at in 0..blocks.len() {
            outside.push(next);
            next += match (at == head, place.contains_key(&at)) {
                (true, _) => count * self.body.len(),
                (false, true) => 0,
                (false, false) => 1,
            };
        }
        let copied = |copy: usize, at: usize| outside[head] + copy * self.body.len() + place[&at];
        let mut replaced = Vec::with_capacity(next);
        for (at, block) in blocks.iter().enumerate() {
            if at == head {
                for copy in 0..count {
                    let is_step = (self.depth..2 * self.depth).contains(&copy);
                    for from in self.body {
                        let next = targets(&blocks[*from]).iter().filter_map(|target| {
                            match place.contains_key(target) {
                                _ if *target == head => (copy + 1 < count).then(|| copied(copy + 1, head)),
                                true => Some(copied(copy, *target)),
                                false => (!is_step).then_some(outside[*target]),
                            }
                        });
                        replaced.push((Some(copy), &blocks[*from], next.collect::<Vec<usize>>()));
                    }
                }
            } else if !place.contains_key(&at) {
                let next = targets(block).iter().map(|target| outside[*target]);
                replaced.push((None, block, next.collect()));
            }
        }
        let havoc = self.havoc(blocks);
        let mut all = Vec::with_capacity(replaced.len());
        for (copy, block, targets) in replaced {
            let Some(copy) = copy else {
                let mut block = block.clone();
                if let Transfer::Goto(before) = &mut block.transfer {
                    *before = targets;
                }
                all.push(block);
                continue;
            };
            let mut block = self.copy(copy, block, targets);
            if copy == self.depth && all.len() == copied(copy, head) {
                block.commands.insert(0, havoc.clone());
            }
            all.push(block);
        }
        all
    }

    /// One copy of a block of the loop, which leads to these.
    fn copy(&mut self, copy: usize, block: &Block, targets: Vec<usize>) -> Block {
        let (is_base, is_step) = (copy < self.depth, copy < 2 * self.depth);
        let suffix = match (is_base, is_step) {
            (true, _) => format!("base_{}", copy + 1),
            (false, true) => format!("step_{}", copy + 1 - self.depth),
            (false, false) => "step_assertion".to_owned(),
        };
        let mut commands: Vec<Command> = block.commands.iter().map(plain).collect();
        if is_step && !is_base {
            for command in &mut commands {
                if let CommandKind::Assert(expr, _) = command.kind {
                    command.kind = CommandKind::Assume(expr);
                }
            }
        }
        let transfer = if targets.is_empty() {
            commands.push(Command { kind: CommandKind::Assume(self.never), span: Span::NOWHERE });
            Transfer::Return(block.span)
        } else {
            Transfer::Goto(targets)
        };
        let names = &mut self.program.names;
        let label = names.intern(&format!("{}_{suffix}", names.text(block.label)));
        let (span, continues, tested) = (block.span, block.continues, block.tested);
        Block { label, span, commands, transfer, continues, tested }
    }

    /// What the loop changes has any value.
    fn havoc(&self, blocks: &[Block]) -> Command {
        let commands = || self.body.iter().flat_map(|at| &blocks[*at].commands);
        let entered: BTreeSet<VariableId> = commands()
            .filter_map(|command| match &command.kind {
                CommandKind::Enter(variables) => Some(variables),
                _ => None,
            })
            .flatten()
            .copied()
            .collect();
        let mut variables = changed(self.program, commands());
        // Those of inlined bodies mean nothing here, so that their conditions must not be assumed; they get values
        // where control enters.
        variables.retain(|it| !entered.contains(it) || self.program.variables[*it].condition.is_none());
        Command { kind: CommandKind::Havoc(variables), span: blocks[self.body[0]].span }
    }
}
