//! The control flow of a body as Boogie keeps it: blocks in a list whose order matters, each with its predecessors in
//! an order that matters too.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::base::source::Span;
use crate::resolve::graph::{Graph, NodeKind};
use crate::resolve::unparse::plain::{PlainBlock, PlainCommand, PlainJump, PlainKind};

/// Blocks, and in which order they stand.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    pub(crate) blocks: Vec<FlowBlock>,
    pub(crate) order: Vec<usize>,
}

/// A block in it.
#[derive(Clone, Debug)]
pub(crate) struct FlowBlock {
    pub(crate) plain: PlainBlock,
    pub(super) predecessors: Vec<usize>,
    /// Whether the text has a place for it. Others take the names of those that do where they are joined.
    pub(super) of_text: bool,
    /// Where the text returns behind it, if it does and control was led to one exit.
    pub(super) left_at: Option<Span>,
}

impl Flow {
    /// The given blocks, which are of the text if they have a place.
    pub(super) fn of(blocks: Vec<PlainBlock>) -> Self {
        let order = (0..blocks.len()).collect();
        let block = |plain: PlainBlock| {
            let of_text = plain.span != Span::NOWHERE;
            FlowBlock { plain, predecessors: Vec::new(), of_text, left_at: None }
        };
        Self { blocks: blocks.into_iter().map(block).collect(), order }
    }

    /// Adds a block that the text does not have; where it stands is for the caller to say.
    pub(super) fn make(&mut self, label: &str, jump: PlainJump) -> usize {
        let (label, commands, jump_attributes) = (label.to_owned(), Vec::new(), Vec::new());
        let plain = PlainBlock { label, span: Span::NOWHERE, commands, jump, jump_attributes, cut: false };
        self.blocks.push(FlowBlock { plain, predecessors: Vec::new(), of_text: false, left_at: None });
        self.blocks.len() - 1
    }

    /// Where control goes from a block.
    pub(super) fn targets(&self, at: usize) -> &[usize] {
        match &self.blocks[at].plain.jump {
            PlainJump::Goto(targets) => targets,
            PlainJump::Return(_) => &[],
        }
    }

    pub(super) fn targets_mut(&mut self, at: usize) -> Option<&mut Vec<usize>> {
        match &mut self.blocks[at].plain.jump {
            PlainJump::Goto(targets) => Some(targets),
            PlainJump::Return(_) => None,
        }
    }

    pub(super) fn commands(&self, at: usize) -> &[PlainCommand] {
        &self.blocks[at].plain.commands
    }

    pub(super) fn commands_mut(&mut self, at: usize) -> &mut Vec<PlainCommand> {
        &mut self.blocks[at].plain.commands
    }

    /// Leaves the blocks that can be reached, in the order in which a walk meets them that goes to the last target first.
    /// It does not go beyond what never holds.
    pub(super) fn prune(&mut self, graph: &Graph) {
        let mut seen = vec![false; self.blocks.len()];
        let mut order = Vec::new();
        let mut work: Vec<usize> = self.order.first().copied().into_iter().collect();
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            order.push(at);
            if matches!(self.blocks[at].plain.jump, PlainJump::Goto(_)) {
                if self.commands(at).iter().any(|command| never(graph, command)) {
                    self.blocks[at].plain.jump = PlainJump::Return(Span::NOWHERE);
                }
                work.extend(self.targets(at));
            }
        }
        self.order = order;
    }

    /// Finds the predecessors of all blocks anew.
    pub(super) fn find_predecessors(&mut self) {
        for block in &mut self.blocks {
            block.predecessors.clear();
        }
        for at in self.order.clone() {
            for target in self.targets(at).to_vec() {
                self.blocks[target].predecessors.push(at);
            }
        }
    }

    /// The edges, each once, in the order of blocks.
    pub(super) fn edges(&self) -> Vec<(usize, usize)> {
        let mut seen = BTreeSet::new();
        let all = self.order.iter().flat_map(|at| self.targets(*at).iter().map(|to| (*at, *to)));
        all.filter(|edge| seen.insert(*edge)).collect()
    }

    /// The blocks, each behind its predecessors: of those that may come next, that which the edges mention first. Nothing
    /// if there is a loop.
    pub(super) fn topological(&self) -> Option<Vec<usize>> {
        let edges = self.edges();
        let mut number = vec![None; self.blocks.len()];
        let mut nodes = Vec::new();
        let first = self.order.first().copied();
        for at in first.into_iter().chain(edges.iter().flat_map(|(from, to)| [*from, *to])) {
            if number[at].is_none() {
                number[at] = Some(nodes.len());
                nodes.push(at);
            }
        }
        let mut entering = vec![0_usize; nodes.len()];
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (from, to) in edges {
            if let (Some(from), Some(to)) = (number[from], number[to]) {
                entering[to] += 1;
                leaving[from].push(to);
            }
        }
        let mut ready: BinaryHeap<Reverse<usize>> =
            (0..nodes.len()).filter(|at| entering[*at] == 0).map(Reverse).collect();
        let mut sorted = Vec::new();
        while let Some(Reverse(at)) = ready.pop() {
            sorted.push(nodes[at]);
            for to in &leaving[at] {
                entering[*to] -= 1;
                if entering[*to] == 0 {
                    ready.push(Reverse(*to));
                }
            }
        }
        (sorted.len() == nodes.len()).then_some(sorted)
    }

    /// What every way from the first block goes through.
    pub(super) fn dominators(&self) -> Dominators<NodeIndex> {
        let mut flow: DiGraph<(), ()> = DiGraph::new();
        for _ in &self.blocks {
            flow.add_node(());
        }
        for (from, to) in self.edges() {
            flow.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
        simple_fast(&flow, NodeIndex::new(self.order.first().copied().unwrap_or(0)))
    }

    /// The blocks that can be reached from one, or from which it can be, itself among them.
    pub(super) fn reachable(&self, from: usize, forward: bool) -> BTreeSet<usize> {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.blocks.len()];
        for (a, b) in self.edges() {
            let (a, b) = if forward { (a, b) } else { (b, a) };
            next[a].push(b);
        }
        let mut seen = BTreeSet::from([from]);
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            work.extend(next[at].iter().filter(|to| seen.insert(**to)));
        }
        seen
    }

    /// Puts a block between one and its predecessor of this number; where it stands is for the caller to say.
    pub(super) fn put_between(&mut self, index: usize, successor: usize) -> usize {
        let before = self.blocks[successor].predecessors[index];
        let label = format!("{}_@2_{}", self.blocks[before].plain.label, self.blocks[successor].plain.label);
        let new = self.make(&label, PlainJump::Goto(vec![successor]));
        self.blocks[new].predecessors = vec![before];
        let edge = self.targets_mut(before).and_then(|it| it.iter_mut().find(|to| **to == successor));
        if let Some(target) = edge {
            *target = new;
        }
        self.blocks[successor].predecessors[index] = new;
        new
    }
}

/// Whether control never gets beyond a command.
pub(super) fn never(graph: &Graph, command: &PlainCommand) -> bool {
    matches!(command.kind, PlainKind::Assert(expr) | PlainKind::Assume(expr)
        if matches!(graph.kind(expr), NodeKind::Bool(false)))
}
