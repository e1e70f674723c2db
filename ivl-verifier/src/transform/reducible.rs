//! Loops that can be entered in several places, made into loops with one entry each.
//!
//! A strongly connected part of the control flow with several entries is copied for each further entry;
//! whoever came in there comes into the copy. The same is done inside each part, which then has one
//! entry, without the edges that lead back to it. What is computed stays the same, since a copy does what
//! its original does.

use std::collections::BTreeSet;

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

/// Gives every loop of some blocks a single entry; fails if that takes too many copies.
pub(crate) fn make_reducible(blocks: &mut Vec<Block>) -> Result<(), String> {
    let leads_back = |(at, block): (usize, &Block)| matches!(&block.transfer, Transfer::Goto(targets) if targets.iter().any(|target| *target <= at));
    if !blocks.iter().enumerate().any(leads_back) {
        return Ok(());
    }
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
            let Some(first) = entries.pop_first() else { continue };
            for entry in entries {
                let copies = copy(blocks, &component, &inside, entry);
                if blocks.len() > MAX_BLOCKS {
                    return Err("Irreducible flow graphs are unsupported.".to_owned());
                }
                let head = component.iter().position(|at| *at == entry).map(|index| copies[index]);
                work.push(Part { blocks: copies, head });
            }
            work.push(Part { blocks: component, head: Some(first) });
        }
    }
    Ok(())
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

/// Copies blocks, and lets whoever came from outside to the entry come to its copy.
fn copy(blocks: &mut Vec<Block>, component: &[usize], inside: &BTreeSet<usize>, entry: usize) -> Vec<usize> {
    let first = blocks.len();
    let copies: Vec<usize> = (first..first + component.len()).collect();
    let number = |at: usize| component.binary_search(&at).map_or(at, |index| copies[index]);
    for at in component {
        let mut block = blocks[*at].clone();
        if let Transfer::Goto(targets) = &mut block.transfer {
            targets.iter_mut().for_each(|target| *target = number(*target));
        }
        blocks.push(block);
    }
    let copied = number(entry);
    for (at, block) in blocks.iter_mut().enumerate().take(first) {
        if inside.contains(&at) {
            continue;
        }
        if let Transfer::Goto(targets) = &mut block.transfer {
            for target in targets.iter_mut().filter(|target| **target == entry) {
                *target = copied;
            }
        }
    }
    copies
}
