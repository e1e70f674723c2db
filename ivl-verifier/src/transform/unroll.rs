//! Loops unrolled, as Boogie does: through so many back edges less one, and no further.
//!
//! A copy of a block is named by the block and by how many back edges are left. Loops that can be reached from each
//! other, as one inside another can, have them in common; who leaves such a group of loops has all of them again.
//! The head of a loop at which none is left is where control is not looked at further, or must not get: nothing of
//! it is done but what is asserted and assumed at its beginning.

use petgraph::algo::dominators::simple_fast;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::names::Names;
use crate::resolve::control::in_order;
use crate::resolve::graph::{Graph, NodeKind};
use crate::resolve::program::{
    Block, CheckNotes, CheckOrigin, Command, CommandKind, Implementation, ImplementationId, Program, Transfer,
};

/// How many blocks an implementation may grow to.
pub(super) const MAX_BLOCKS: usize = 200_000;

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
        end_at_dead_ends(&program.graph, &mut implementation.blocks);
        match unrolled(implementation, times, &end, &mut names) {
            Ok(blocks) => {
                // What was there was of the blocks before.
                program.layouts.insert(id, in_order(&program.graph, &blocks));
                program.cuts.remove(&id);
                implementation.blocks = blocks;
            }
            Err(message) => {
                diagnostics.push(Diagnostic::error(Stage::Declarations, implementation.span, message));
            }
        }
    }
    program.names = names;
    diagnostics
}

/// Where a block says that control does not get through it, nothing leads on from there, so nothing leads back.
pub(super) fn end_at_dead_ends(graph: &Graph, blocks: &mut [Block]) {
    for block in blocks {
        if block.dead_end(graph).is_some() {
            block.transfer = Transfer::Goto(Vec::new());
        }
    }
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
    names: &mut Names,
) -> Result<Vec<Block>, String> {
    let blocks = &implementation.blocks;
    let Flow { back, heads, parts } = Flow::new(blocks);
    let mut found: FxHashMap<(usize, u32), usize> = FxHashMap::default();
    let mut copies = vec![(0, times)];
    found.insert((0, times), 0);
    let mut unrolled: Vec<Block> = Vec::new();
    while let Some(&(at, left)) = copies.get(unrolled.len()) {
        if copies.len() > MAX_BLOCKS {
            return Err("unrolling makes this implementation too large".to_owned());
        }
        let block = &blocks[at];
        let mut commands: Vec<Command> = block.commands.iter().map(plain).collect();
        let transfer = if heads[at] && left == 0 {
            // What holds whenever control gets here is still checked.
            let leads = |command: &Command| {
                matches!(
                    command.kind,
                    CommandKind::Assert(..)
                        | CommandKind::Assume(_)
                        | CommandKind::Invariant { .. }
                        | CommandKind::Observe(_)
                )
            };
            commands.truncate(commands.iter().take_while(|command| leads(command)).count());
            commands.push(Command { kind: end.clone(), span: block.span });
            Transfer::Return(block.span)
        } else {
            match &block.transfer {
                Transfer::Return(span) => Transfer::Return(*span),
                Transfer::Goto(targets) => {
                    let next = targets.iter().map(|target| {
                        let left = match (back.contains(&(at, *target)), parts[at] == parts[*target]) {
                            (true, _) => left.saturating_sub(1),
                            (false, true) => left,
                            (false, false) => times,
                        };
                        *found.entry((*target, left)).or_insert_with(|| {
                            copies.push((*target, left));
                            copies.len() - 1
                        })
                    });
                    Transfer::Goto(next.collect())
                }
            }
        };
        let label = names.intern(&format!("{}#{left}", names.text(block.label)));
        unrolled.push(Block {
            label,
            span: block.span,
            commands,
            transfer,
            continues: block.continues,
            tested: block.tested,
        });
    }
    Ok(unrolled)
}

/// A command without its loop: an invariant is an assertion like any other.
pub(super) fn plain(command: &Command) -> Command {
    let kind = match &command.kind {
        // What was inferred says so when it is printed, and is assumed wherever it stands.
        CommandKind::Invariant { expr, free: true, notes } if notes.origin != CheckOrigin::Inferred => {
            CommandKind::Assume(*expr)
        }
        CommandKind::Invariant { expr, free: false, notes } => CommandKind::Assert(*expr, notes.clone()),
        other => other.clone(),
    };
    Command { kind, span: command.span }
}

/// The loops of some blocks, as a walk from the entry meets them.
struct Flow {
    /// The edges to a block from which the walk had not come back.
    back: FxHashSet<(usize, usize)>,
    /// Whether such an edge leads to a block.
    heads: Vec<bool>,
    /// Blocks with equal numbers can be reached from each other.
    parts: Vec<usize>,
}

impl Flow {
    fn new(blocks: &[Block]) -> Self {
        let targets = |at: usize| match &blocks[at].transfer {
            Transfer::Goto(targets) => targets.as_slice(),
            Transfer::Return(_) => &[],
        };
        let mut flow: DiGraph<(), ()> = DiGraph::new();
        for _ in blocks {
            flow.add_node(());
        }
        for at in 0..blocks.len() {
            for target in targets(at) {
                flow.add_edge(NodeIndex::new(at), NodeIndex::new(*target), ());
            }
        }
        let mut parts = vec![0; blocks.len()];
        for (number, part) in tarjan_scc(&flow).into_iter().enumerate() {
            part.into_iter().for_each(|node| parts[node.index()] = number);
        }
        let (mut back, mut heads) = (FxHashSet::default(), vec![false; blocks.len()]);
        // 1 while the walk is behind a block, 2 afterwards.
        let mut state = vec![0_u8; blocks.len()];
        let mut work = vec![(0, 0)];
        while let Some((at, edge)) = work.pop() {
            state[at] = 1;
            let Some(target) = targets(at).get(edge).copied() else {
                state[at] = 2;
                continue;
            };
            work.push((at, edge + 1));
            match state[target] {
                0 => work.push((target, 0)),
                1 => {
                    back.insert((at, target));
                    heads[target] = true;
                }
                _ => {}
            }
        }
        Self { back, heads, parts }
    }
}
