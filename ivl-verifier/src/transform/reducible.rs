//! Loops that can be entered in several places, made into loops with one entry each.
//!
//! Of a strongly connected part of the control flow with several entries the first one stays the head. What leads from
//! the others to it is copied; whoever came in there comes into the copy, and from that to the head, whose invariants
//! count for all. The same is done inside the copy, and inside of the part, which then has one entry, without the edges
//! that lead back to it. What is computed stays the same, since a copy does what its original does.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::resolve::program::{Block, Transfer};

/// How many blocks an implementation may grow to.
const MAX_BLOCKS: usize = 100_000;

/// A part of the blocks to look at, and the entry that edges back to do not count for.
struct Part {
    blocks: Vec<usize>,
    head: Option<usize>,
}

/// Gives every loop of some blocks a single entry, and says whether any had several; fails if that takes too many
/// copies.
pub(crate) fn make_reducible(blocks: &mut Vec<Block>) -> Result<bool, String> {
    let leads_back = |(at, block): (usize, &Block)| matches!(&block.transfer, Transfer::Goto(targets) if targets.iter().any(|target| *target <= at));
    if !blocks.iter().enumerate().any(leads_back) {
        return Ok(false);
    }
    let before = blocks.len();
    let mut work = vec![Part { blocks: (0..blocks.len()).collect(), head: None }];
    while let Some(part) = work.pop() {
        for component in components(blocks, &part) {
            let inside: BTreeSet<usize> = component.iter().copied().collect();
            let mut entries: BTreeSet<usize> = BTreeSet::new();
            if inside.contains(&0) {
                entries.insert(0);
            }
            for (at, block) in blocks.iter().enumerate() {
                if let (Transfer::Goto(targets), false) = (&block.transfer, inside.contains(&at)) {
                    entries.extend(targets.iter().filter(|target| inside.contains(target)));
                }
            }
            let Some(head) = entries.pop_first() else { continue };
            if !entries.is_empty() {
                let copies = copy(blocks, &inside, head, &entries);
                if blocks.len() > MAX_BLOCKS {
                    return Err("Irreducible flow graphs are unsupported.".to_owned());
                }
                work.push(Part { blocks: copies, head: None });
            }
            work.push(Part { blocks: component, head: Some(head) });
        }
    }
    Ok(blocks.len() > before)
}

/// The parts of a part from each of whose blocks control can come to each other one.
fn components(blocks: &[Block], part: &Part) -> Vec<Vec<usize>> {
    let mut graph: DiGraph<usize, ()> = DiGraph::new();
    let mut nodes = vec![None; blocks.len()];
    for at in &part.blocks {
        nodes[*at] = Some(graph.add_node(*at));
    }
    for at in &part.blocks {
        let Transfer::Goto(targets) = &blocks[*at].transfer else { continue };
        for target in targets.iter().filter(|target| Some(**target) != part.head) {
            if let (Some(from), Some(to)) = (nodes[*at], nodes.get(*target).copied().flatten()) {
                graph.add_edge(from, to, ());
            }
        }
    }
    let is_loop = |component: &Vec<NodeIndex>| {
        component.len() > 1 || component.iter().any(|node| graph.contains_edge(*node, *node))
    };
    let mut found: Vec<Vec<usize>> = tarjan_scc(&graph)
        .into_iter()
        .filter(is_loop)
        .map(|component| {
            let mut blocks: Vec<usize> = component.into_iter().map(|node| graph[node]).collect();
            blocks.sort_unstable();
            blocks
        })
        .collect();
    found.sort();
    found
}

/// Copies what leads from some entries of a part to its head, and lets whoever came from outside to one of them come to
/// its copy.
fn copy(
    blocks: &mut Vec<Block>,
    inside: &BTreeSet<usize>,
    head: usize,
    entries: &BTreeSet<usize>,
) -> Vec<usize> {
    let mut copied = entries.clone();
    let mut work: Vec<usize> = entries.iter().copied().collect();
    while let Some(at) = work.pop() {
        let Transfer::Goto(targets) = &blocks[at].transfer else { continue };
        let inner = targets.iter().filter(|target| **target != head && inside.contains(target));
        work.extend(inner.filter(|target| copied.insert(**target)));
    }
    let first = blocks.len();
    let copies: BTreeMap<usize, usize> = copied.iter().copied().zip(first..).collect();
    let number = |at: usize| copies.get(&at).copied().unwrap_or(at);
    for at in &copied {
        let mut block = blocks[*at].clone();
        if let Transfer::Goto(targets) = &mut block.transfer {
            targets.iter_mut().for_each(|target| *target = number(*target));
        }
        blocks.push(block);
    }
    for (at, block) in blocks.iter_mut().enumerate().take(first) {
        if inside.contains(&at) {
            continue;
        }
        if let Transfer::Goto(targets) = &mut block.transfer {
            for target in targets.iter_mut().filter(|target| entries.contains(target)) {
                *target = number(*target);
            }
        }
    }
    copies.into_values().collect()
}
