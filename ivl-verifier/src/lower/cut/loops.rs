//! Loops: back edges go, invariants are checked where control enters or goes back, and assumed at the head, where what
//! the loop assigns to has any value.

use std::collections::BTreeSet;

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

use super::{CutCommand, Cutter, Draft, assertion};
use crate::base::arena::Id;
use crate::base::source::Span;
use crate::lower::{CheckKind, Unsupported};
use crate::resolve::graph::{NodeId, VariableId};

impl Cutter<'_> {
    /// Removes back edges. Gives the blocks in topological order.
    pub(super) fn cut_loops(&mut self, span: Span) -> Result<Vec<usize>, Unsupported> {
        let mut flow: DiGraph<(), ()> = DiGraph::new();
        for _ in &self.blocks {
            flow.add_node(());
        }
        for (at, block) in self.blocks.iter().enumerate() {
            for successor in &block.successors {
                flow.add_edge(NodeIndex::new(at), NodeIndex::new(*successor), ());
            }
        }
        let dominance = Dominance::new(&flow);
        let predecessors = self.predecessors();
        let mut heads = Vec::new();
        for (head, before) in predecessors.iter().enumerate() {
            let (back, entry): (Vec<usize>, Vec<usize>) =
                before.iter().partition(|at| dominance.holds(head, **at));
            if !back.is_empty() {
                heads.push((head, back, entry));
            }
        }
        let bodies: Vec<Vec<usize>> =
            heads.iter().map(|(head, back, _)| natural_loop(&predecessors, *head, back)).collect();
        for ((head, back, entry), body) in heads.iter().zip(bodies) {
            self.cut_loop(*head, back, entry, &body);
        }
        self.topological_order()
            .ok_or_else(|| Unsupported { message: "Irreducible flow graphs are unsupported.".into(), span })
    }

    fn cut_loop(&mut self, head: usize, back: &[usize], entry: &[usize], body: &[usize]) {
        let mut modified = BTreeSet::new();
        let mut entered: BTreeSet<VariableId> = BTreeSet::new();
        for at in body {
            for command in &self.blocks[*at].commands {
                self.assigned(command, &mut modified);
                if let Draft::Enter(variables) = command {
                    entered.extend(variables);
                }
            }
        }
        // In the order of names: ids depend on the order of declarations.
        let mut modified: Vec<VariableId> = modified.into_iter().map(VariableId::from_index).collect();
        let program = self.program;
        modified
            .sort_by_key(|id| (program.names.text(program.variables[*id].name), program.variables[*id].kind));
        // At the head of a loop around an inlined body its variables have no values that mean anything.
        let (forgotten, modified): (Vec<VariableId>, Vec<VariableId>) = modified
            .into_iter()
            .partition(|id| program.variables[*id].condition.is_some() && entered.contains(id));

        let mut commands = vec![Draft::Done(CutCommand::Havoc(modified))];
        if !forgotten.is_empty() {
            commands.push(Draft::Done(CutCommand::Forget(forgotten)));
        }
        // Put in place when the head has its commands: a block may go back to itself.
        let mut checks = Vec::new();
        let mut block = head;
        loop {
            let own = std::mem::take(&mut self.blocks[block].commands);
            let mut rest = own.into_iter().peekable();
            self.invariants(&mut rest, (back, entry), &mut commands, &mut checks);
            let whole = rest.peek().is_none();
            commands.extend(rest);
            self.blocks[block].commands = std::mem::take(&mut commands);
            // What continues the head is a part of it.
            match *self.blocks[block].successors.as_slice() {
                [next] if whole && self.blocks[next].continues => block = next,
                _ => break,
            }
        }
        for (at, check) in checks {
            self.blocks[at].commands.push(check);
        }
        for at in back {
            self.blocks[*at].successors.retain(|successor| *successor != head);
        }
    }

    /// Takes the commands that lead a loop: their checks are those of invariants, to be put where control enters or
    /// goes back, and they are assumed.
    fn invariants(
        &mut self,
        rest: &mut std::iter::Peekable<std::vec::IntoIter<Draft>>,
        (back, entry): (&[usize], &[usize]),
        commands: &mut Vec<Draft>,
        checks: &mut Vec<(usize, Draft)>,
    ) {
        let always = self.program.assumes_free_invariants;
        let assume = |expr: NodeId| Draft::Done(CutCommand::Assume(expr));
        let leads = |draft: &Draft| match draft {
            Draft::Done(command) => matches!(command, CutCommand::Assume(_) | CutCommand::Observe(_)),
            Draft::Assert { .. } | Draft::Invariant { .. } => true,
            Draft::Enter(_) => false,
        };
        while let Some(command) = rest.next_if(leads) {
            let (expr, free, notes, span) = match command {
                Draft::Invariant { expr, free, notes, span, .. } => (expr, free, notes, span),
                Draft::Assert { expr, notes, span, .. } => (expr, false, notes, span),
                Draft::Done(_) | Draft::Enter(_) => {
                    if let (Draft::Done(CutCommand::Assume(expr)), true) = (&command, always) {
                        checks.extend(entry.iter().chain(back).map(|at| (*at, assume(*expr))));
                    }
                    commands.push(command);
                    continue;
                }
            };
            let [on_entry, maintained, assumed] = notes.tracked.unwrap_or([expr; 3]);
            if free && always {
                checks.extend(entry.iter().map(|at| (*at, assume(on_entry))));
                checks.extend(back.iter().map(|at| (*at, assume(maintained))));
            }
            if !free {
                for (places, kind, expr) in [
                    (entry, CheckKind::InvariantEntry, on_entry),
                    (back, CheckKind::InvariantMaintained, maintained),
                ] {
                    for at in places {
                        let check = self.check(kind, expr, &notes, (span, None));
                        let assertion = assertion(self.program, check, expr, &notes);
                        checks.push((*at, Draft::Done(CutCommand::Assert(assertion))));
                    }
                }
            }
            commands.push(assume(assumed));
        }
    }

    fn assigned(&self, command: &Draft, into: &mut BTreeSet<usize>) {
        let command = match command {
            Draft::Done(command) => command,
            Draft::Enter(variables) => {
                into.extend(variables.iter().map(|it| it.index()));
                return;
            }
            Draft::Assert { .. } | Draft::Invariant { .. } => return,
        };
        match command {
            CutCommand::Havoc(variables) | CutCommand::Forget(variables) => {
                into.extend(variables.iter().map(|it| it.index()));
            }
            CutCommand::Assign(pairs) => into.extend(pairs.iter().map(|(it, _)| it.index())),
            CutCommand::Call(call, _) => {
                into.extend(call.outputs.iter().map(|it| it.index()));
                into.extend(self.program.procedures[call.callee].modifies.iter().map(|it| it.index()));
            }
            CutCommand::Assume(_)
            | CutCommand::Assert(_)
            | CutCommand::Ensure(_)
            | CutCommand::Ensured(_)
            | CutCommand::Observe(_) => {}
        }
    }
}

/// Which blocks every way to a block goes through: the numbers that a walk over the tree of dominators gives to what
/// is below a block are a range.
struct Dominance {
    ranges: Vec<(usize, usize)>,
}

impl Dominance {
    fn new(flow: &DiGraph<(), ()>) -> Self {
        let dominators = simple_fast(flow, NodeIndex::new(0));
        let mut below = vec![Vec::new(); flow.node_count()];
        for node in flow.node_indices() {
            if let Some(above) = dominators.immediate_dominator(node) {
                below[above.index()].push(node.index());
            }
        }
        let mut ranges = vec![(usize::MAX, 0); flow.node_count()];
        let mut number = 0;
        let mut work = vec![(0, false)];
        while let Some((at, done)) = work.pop() {
            if done {
                ranges[at].1 = number;
                continue;
            }
            ranges[at].0 = number;
            number += 1;
            work.push((at, true));
            work.extend(below[at].iter().map(|it| (*it, false)));
        }
        Self { ranges }
    }

    /// Whether every way to the second block goes through the first.
    fn holds(&self, first: usize, second: usize) -> bool {
        let (begin, end) = self.ranges[first];
        (begin..end).contains(&self.ranges[second].0)
    }
}

/// The blocks of the loop with a given head and back edges.
fn natural_loop(predecessors: &[Vec<usize>], head: usize, back: &[usize]) -> Vec<usize> {
    let mut body = BTreeSet::from([head]);
    let mut work = back.to_vec();
    while let Some(at) = work.pop() {
        if body.insert(at) {
            work.extend(&predecessors[at]);
        }
    }
    body.into_iter().collect()
}
