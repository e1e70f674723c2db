//! What Boogie thinks that a part costs, block by block: what `-vcsDumpSplits` draws.

use std::fmt::Write;

use crate::resolve::unparse::plain::PlainKind;
use crate::transform::passified::flow::Flow;

/// By how much fewer ways are counted where some join.
const JOIN: f64 = 0.8;

/// A block with those that only follow it.
#[derive(Clone, Debug, Default)]
struct Stats {
    id: usize,
    big: bool,
    counted: bool,
    checks: f64,
    assumptions: f64,
    paths: f64,
    successors: Vec<usize>,
    predecessors: Vec<usize>,
}

/// The costs of a part.
pub(crate) struct Costs<'f> {
    flow: &'f Flow,
    stats: Vec<Stats>,
    /// Blocks with what follows them, in the order of blocks.
    big: Vec<usize>,
    ids: usize,
}

impl<'f> Costs<'f> {
    pub(crate) fn of(flow: &'f Flow) -> Self {
        let stats = vec![Stats { id: usize::MAX, ..Stats::default() }; flow.blocks.len()];
        let mut costs = Self { flow, stats, big: Vec::new(), ids: 0 };
        let mut entering = vec![0; flow.blocks.len()];
        for at in &flow.order {
            flow.targets(*at).iter().for_each(|to| entering[*to] += 1);
        }
        for at in &flow.order {
            costs.count(*at, &entering);
        }
        for at in &flow.order {
            if costs.stats[*at].big {
                costs.big.push(*at);
                for to in costs.stats[*at].successors.clone() {
                    costs.stats[to].predecessors.push(*at);
                }
            }
        }
        costs.find_paths();
        costs
    }

    fn identify(&mut self, at: usize) {
        if self.stats[at].id == usize::MAX {
            self.stats[at].id = self.ids;
            self.ids += 1;
        }
    }

    /// Counts what is in a block and, where it alone leads to the next one, what is in that.
    fn count(&mut self, first: usize, entering: &[usize]) {
        // A chain of blocks is counted from its end.
        let mut chain = Vec::new();
        let mut at = first;
        loop {
            self.identify(at);
            if self.stats[at].counted {
                break;
            }
            self.count_own(at);
            chain.push(at);
            match *self.stats[at].successors.as_slice() {
                [next] => at = next,
                _ => break,
            }
        }
        for at in chain.into_iter().rev() {
            let [next] = *self.stats[at].successors.as_slice() else { continue };
            if entering[next] > 1 || self.stats[next].successors.len() != 1 {
                continue;
            }
            let (checks, assumptions) = (self.stats[next].checks, self.stats[next].assumptions);
            self.stats[at].successors[0] = self.stats[next].successors[0];
            self.stats[at].checks += checks;
            self.stats[at].assumptions += assumptions;
            self.stats[next].big = false;
        }
    }

    fn count_own(&mut self, at: usize) {
        let (mut checks, mut assumptions) = (0, 0);
        for command in self.flow.commands(at) {
            match command.kind {
                PlainKind::Assert(_) => checks += 1,
                PlainKind::Assume(_) | PlainKind::Equal(_) => assumptions += 1,
                PlainKind::Step(_) => {}
            }
        }
        let successors = self.flow.targets(at).to_vec();
        let stats = &mut self.stats[at];
        (stats.counted, stats.big) = (true, true);
        (stats.checks, stats.assumptions) = (float(checks), float(assumptions));
        stats.successors = successors;
    }

    /// How many ways lead to each block, fewer where they join.
    fn find_paths(&mut self) {
        let order = self.flow.topological().unwrap_or_default();
        let first = self.flow.order.first().copied();
        for at in order {
            if Some(at) == first {
                self.stats[at].paths = 1.0;
                continue;
            }
            let before: Vec<f64> = self.stats[at]
                .predecessors
                .iter()
                .map(|it| self.stats[*it].paths)
                .filter(|it| *it > 0.0)
                .collect();
            let sum: f64 = before.iter().sum();
            self.stats[at].paths = if before.len() > 1 { sum * JOIN } else { sum };
        }
    }

    /// The part for Graphviz.
    pub(crate) fn dot(&self) -> String {
        let mut text = "digraph G {\n".to_owned();
        for at in &self.big {
            let stats = &self.stats[*at];
            for to in &stats.successors {
                let _ = writeln!(text, "n{} -> n{};", stats.id, self.stats[*to].id);
            }
            let shape = if stats.checks > 0.0 { ",shape=box" } else { "" };
            let label = &self.flow.blocks[*at].plain.label;
            let _ = writeln!(
                text,
                "n{} [label=\"{label}:\\n({:.1}+{:.1})*{:.1}\"{shape}];",
                stats.id, stats.checks, stats.assumptions, stats.paths
            );
        }
        text.push_str("}\n");
        text
    }
}

fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
