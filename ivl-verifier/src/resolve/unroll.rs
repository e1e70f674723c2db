//! Loops unrolled: each is followed through so many of its back edges and no further.
//!
//! A copy of a block is named by the block and by how often each loop around it went back. Control that
//! would go back once more is not looked at further, or must not get there.

use std::collections::BTreeMap;

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::resolve::graph::NodeKind;
use crate::resolve::program::{
    Block, CheckNotes, Command, CommandKind, Implementation, ImplementationId, Program, Transfer,
};

/// How many blocks an implementation may grow to.
const MAX_BLOCKS: usize = 200_000;

/// How often each loop around a block went back; loops are named by their heads.
type Counts = BTreeMap<usize, u32>;

/// Unrolls the loops of every implementation. `sound` demands that control does not get further. Gives
/// what is wrong.
pub(crate) fn unroll(program: &mut Program, times: u32, sound: bool) -> Vec<Diagnostic> {
    let bool = program.types.bool();
    let never = program.graph.add(NodeKind::Bool(false), bool);
    let end =
        if sound { CommandKind::Assert(never, CheckNotes::default()) } else { CommandKind::Assume(never) };
    let mut diagnostics = Vec::new();
    let mut names = std::mem::take(&mut program.names);
    let ids: Vec<ImplementationId> = program.implementations.ids().collect();
    for id in ids {
        let implementation = &mut program.implementations[id];
        match unrolled(implementation, times, &end, &mut names) {
            Ok(blocks) => implementation.blocks = blocks,
            Err(message) => {
                diagnostics.push(Diagnostic::error(Stage::Declarations, implementation.span, message));
            }
        }
    }
    program.names = names;
    diagnostics
}

/// The loops of some blocks: for each block, the heads of the loops around it, itself included.
pub(crate) fn loops(blocks: &[Block]) -> Result<Vec<Vec<usize>>, String> {
    let mut flow: DiGraph<(), ()> = DiGraph::new();
    let mut predecessors = vec![Vec::new(); blocks.len()];
    for _ in blocks {
        flow.add_node(());
    }
    for (at, block) in blocks.iter().enumerate() {
        if let Transfer::Goto(targets) = &block.transfer {
            for target in targets {
                flow.add_edge(NodeIndex::new(at), NodeIndex::new(*target), ());
                predecessors[*target].push(at);
            }
        }
    }
    let dominators = simple_fast(&flow, NodeIndex::new(0));
    let mut around = vec![Vec::new(); blocks.len()];
    let mut back_edges = Vec::new();
    for head in 0..blocks.len() {
        let dominated = |at: usize| {
            dominators.dominators(NodeIndex::new(at)).is_some_and(|mut all| all.any(|it| it.index() == head))
        };
        let back: Vec<usize> = predecessors[head].iter().copied().filter(|at| dominated(*at)).collect();
        if back.is_empty() {
            continue;
        }
        back_edges.extend(back.iter().map(|at| (*at, head)));
        let mut inside = vec![false; blocks.len()];
        inside[head] = true;
        let mut work = back;
        while let Some(at) = work.pop() {
            if !std::mem::replace(&mut inside[at], true) {
                work.extend(
                    predecessors[at]
                        .iter()
                        .filter(|it| dominators.dominators(NodeIndex::new(**it)).is_some()),
                );
            }
        }
        for (at, list) in around.iter_mut().enumerate() {
            if inside[at] {
                list.push(head);
            }
        }
    }
    flow.retain_edges(|flow, edge| {
        let ends = flow.edge_endpoints(edge).map(|(from, to)| (from.index(), to.index()));
        ends.is_none_or(|ends| {
            !back_edges.contains(&ends) && dominators.dominators(NodeIndex::new(ends.0)).is_some()
        })
    });
    if petgraph::algo::is_cyclic_directed(&flow) {
        return Err("Irreducible flow graphs are unsupported.".to_owned());
    }
    Ok(around)
}

fn unrolled(
    implementation: &Implementation,
    times: u32,
    end: &CommandKind,
    names: &mut crate::base::names::Names,
) -> Result<Vec<Block>, String> {
    let around = loops(&implementation.blocks)?;
    if around.iter().all(Vec::is_empty) {
        return Ok(implementation.blocks.clone());
    }
    let mut found: FxHashMap<(usize, Counts), usize> = FxHashMap::default();
    let mut copies: Vec<(usize, Counts)> = Vec::new();
    let mut blocks: Vec<Block> = Vec::new();
    let entry: Counts = around[0].iter().map(|head| (*head, 0)).collect();
    found.insert((0, entry.clone()), 0);
    copies.push((0, entry));
    let mut done = 0;
    while done < copies.len() {
        if copies.len() > MAX_BLOCKS {
            return Err("unrolling makes this implementation too large".to_owned());
        }
        let (at, counts) = copies[done].clone();
        done += 1;
        let block = &implementation.blocks[at];
        // An invariant is an assertion like any other once its loop is gone.
        let commands: Vec<Command> = block
            .commands
            .iter()
            .map(|command| {
                let kind = match &command.kind {
                    CommandKind::Invariant { expr, free: true, .. } => CommandKind::Assume(*expr),
                    CommandKind::Invariant { expr, free: false, notes } => {
                        CommandKind::Assert(*expr, notes.clone())
                    }
                    other => other.clone(),
                };
                Command { kind, span: command.span }
            })
            .collect();
        let transfer = match &block.transfer {
            Transfer::Return(span) => Transfer::Return(*span),
            Transfer::Goto(targets) => {
                let mut next = Vec::new();
                for target in targets {
                    let mut at_target: Counts = around[*target]
                        .iter()
                        .map(|head| (*head, counts.get(head).copied().unwrap_or(0)))
                        .collect();
                    if around[at].contains(target)
                        && let Some(count) = at_target.get_mut(target)
                    {
                        *count += 1;
                        if *count > times {
                            continue;
                        }
                    }
                    let key = (*target, at_target);
                    let index = *found.entry(key.clone()).or_insert_with(|| {
                        copies.push(key);
                        copies.len() - 1
                    });
                    next.push(index);
                }
                if next.len() < targets.len() {
                    // Some way on is cut: it ends in a block of its own.
                    next.push(usize::MAX);
                }
                Transfer::Goto(next)
            }
        };
        let mut label = names.text(block.label).to_owned();
        for count in counts.values().filter(|count| **count > 0) {
            label.push_str(&format!("#{count}"));
        }
        let label = names.intern(&label);
        blocks.push(Block { label, span: block.span, commands, transfer, continues: block.continues });
    }
    // The block in which cut ways end.
    let cut = blocks.len();
    let mut used = false;
    for block in &mut blocks {
        if let Transfer::Goto(next) = &mut block.transfer {
            for target in next.iter_mut().filter(|target| **target == usize::MAX) {
                *target = cut;
                used = true;
            }
        }
    }
    if used {
        let label = names.intern("cut");
        let span = implementation.span;
        let commands = vec![Command { kind: end.clone(), span }];
        blocks.push(Block { label, span, commands, transfer: Transfer::Return(span), continues: false });
    }
    Ok(blocks)
}
