//! Control flow: unreachable blocks go, critical edges get blocks, loops are cut at their invariants,
//! and postconditions stand where control leaves.

mod selective;

use std::collections::BTreeSet;

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::base::arena::Id;
use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::lower::{Assertion, Check, CheckKind, Unsupported};
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{
    Call, CheckNotes, CheckOrigin, CommandKind, Implementation, Observation, Program, Transfer,
};

/// An implementation whose control flow has no cycles.
pub(crate) struct Cut {
    /// The blocks; the first one is the entry, which has no commands of the text.
    pub(crate) blocks: Vec<CutBlock>,
    pub(crate) checks: Vec<Check>,
    /// Indices of the blocks in topological order.
    pub(crate) order: Vec<usize>,
}

pub(crate) struct CutBlock {
    pub(crate) label: Option<(Symbol, Span)>,
    pub(crate) continues: bool,
    pub(crate) commands: Vec<CutCommand>,
    pub(crate) successors: Vec<usize>,
    pub(crate) returns: Option<Span>,
    /// Checks behind what ends control here.
    pub(crate) beyond: Vec<Span>,
}

/// A command whose checks are numbered.
#[derive(Clone)]
pub(crate) enum CutCommand {
    Assume(NodeId),
    Assert(Assertion),
    /// Checks of the implementation's own postconditions, over its procedure's parameters.
    Ensure(Assertion),
    /// What is known where these are checked, over the same.
    Ensured(NodeId),
    Havoc(Vec<VariableId>),
    /// Variables of inlined bodies get any values, whether or not these meet their conditions.
    Forget(Vec<VariableId>),
    Assign(Vec<(VariableId, NodeId)>),
    /// A call with its callee's preconditions, those that are free only if they are assumed all the same.
    Call(Box<Call>, Vec<Required>),
    /// Does nothing.
    Observe(Observation),
}

/// A precondition at a call.
#[derive(Clone, Copy)]
pub(crate) enum Required {
    Check(Assertion),
    Known(NodeId),
}

impl Required {
    /// The check, if it is one.
    pub(crate) fn check(&self) -> Option<&Assertion> {
        match self {
            Self::Check(assertion) => Some(assertion),
            Self::Known(_) => None,
        }
    }
}

pub(crate) fn cut(program: &Program, implementation: &Implementation) -> Result<Cut, Unsupported> {
    let mut cutter = Cutter { program, blocks: Vec::new(), checks: Vec::new() };
    cutter.copy(implementation);
    cutter.split_critical_edges();
    let order = cutter.cut_loops(implementation.span)?;
    let order = cutter.unify_exits(implementation, order);
    let Cutter { blocks, checks, .. } = cutter;
    let mut blocks: Vec<CutBlock> = blocks
        .into_iter()
        .map(|block| CutBlock {
            label: block.label,
            continues: block.continues,
            commands: block.commands.into_iter().filter_map(|it| it.finish(program)).collect(),
            successors: block.successors,
            returns: block.returns,
            beyond: block.beyond,
        })
        .collect();
    if implementation.wishes.selective {
        selective::assume_unselected(&mut blocks);
    }
    Ok(Cut { blocks, checks, order })
}

/// A command while loops are still there: leading assertions of a loop head are invariants.
#[derive(Clone)]
enum Draft {
    Done(CutCommand),
    /// An assertion that becomes an invariant if it leads a loop head.
    Assert {
        expr: NodeId,
        notes: CheckNotes,
        span: Span,
        check: Option<usize>,
    },
    Invariant {
        expr: NodeId,
        free: bool,
        notes: CheckNotes,
        span: Span,
        check: usize,
    },
    /// Control enters an inlined body with these variables.
    Enter(Vec<VariableId>),
}

impl Draft {
    fn finish(self, program: &Program) -> Option<CutCommand> {
        match self {
            Self::Done(command) => Some(command),
            Self::Enter(variables) => Some(CutCommand::Havoc(variables)),
            Self::Assert { expr, notes, check, .. } => {
                check.map(|check| CutCommand::Assert(assertion(program, check, expr, &notes)))
            }
            Self::Invariant { expr, free: true, .. } => Some(CutCommand::Assume(expr)),
            // A loop that never goes back: its invariants are assertions.
            Self::Invariant { expr, free: false, notes, check, .. } => {
                Some(CutCommand::Assert(assertion(program, check, expr, &notes)))
            }
        }
    }
}

/// The assertion of a check under notes about it.
pub(crate) fn assertion(program: &Program, check: usize, condition: NodeId, notes: &CheckNotes) -> Assertion {
    let quantifier = matches!(program.graph.kind(program.graph.unhinted(condition)), NodeKind::Quantifier(_));
    let subsumes = match notes.subsumption {
        Some(0) => false,
        Some(1) => !quantifier,
        _ => true,
    };
    Assertion { check, condition, verified_under: notes.verified_under, subsumes, settled: false }
}

struct DraftBlock {
    label: Option<(Symbol, Span)>,
    /// Whether traces take it for the rest of the block before it.
    continues: bool,
    commands: Vec<Draft>,
    successors: Vec<usize>,
    returns: Option<Span>,
    beyond: Vec<Span>,
}

struct Cutter<'p> {
    program: &'p Program,
    blocks: Vec<DraftBlock>,
    checks: Vec<Check>,
}

impl Cutter<'_> {
    fn check(
        &mut self,
        kind: CheckKind,
        expr: NodeId,
        notes: &CheckNotes,
        (span, condition): (Span, Option<Span>),
    ) -> usize {
        let graph = &self.program.graph;
        let candidate = graph.candidate(expr, &|id| self.program.constants[id].existential);
        let (message, isolation) = (notes.message.clone(), notes.isolation);
        self.checks.push(Check { kind, message, span, condition, candidate, isolation });
        self.checks.len() - 1
    }

    /// Copies the blocks that can be reached, behind a new entry.
    fn copy(&mut self, implementation: &Implementation) {
        let mut number = vec![None; implementation.blocks.len()];
        let mut kept = Vec::new();
        let mut work = vec![0_usize];
        while let Some(at) = work.pop() {
            if number[at].is_none() {
                number[at] = Some(0);
                kept.push(at);
                if implementation.blocks[at].dead_end(&self.program.graph).is_none()
                    && let Transfer::Goto(targets) = &implementation.blocks[at].transfer
                {
                    work.extend(targets);
                }
            }
        }
        kept.sort_unstable();
        for (index, at) in kept.iter().enumerate() {
            number[*at] = Some(index + 1);
        }
        self.blocks.push(DraftBlock {
            label: None,
            continues: false,
            commands: Vec::new(),
            successors: vec![1],
            returns: None,
            beyond: Vec::new(),
        });
        for at in kept {
            let block = &implementation.blocks[at];
            let end = block.dead_end(&self.program.graph);
            let commands = block.commands[..end.unwrap_or(block.commands.len())]
                .iter()
                .map(|command| self.draft(&command.kind, command.span))
                .collect();
            let (successors, returns) = match &block.transfer {
                Transfer::Goto(_) if end.is_some() => (Vec::new(), None),
                Transfer::Goto(targets) => {
                    (targets.iter().filter_map(|target| number[*target]).collect(), None)
                }
                Transfer::Return(span) => (Vec::new(), Some(*span)),
            };
            self.blocks.push(DraftBlock {
                label: (block.span != Span::NOWHERE).then_some((block.label, block.span)),
                continues: block.continues,
                commands,
                successors,
                returns,
                beyond: end.map_or_else(Vec::new, |end| block.checks_from(end, self.program)),
            });
        }
    }

    fn draft(&mut self, kind: &CommandKind, span: Span) -> Draft {
        match kind {
            CommandKind::Assert(expr, notes) => {
                let (kind, condition) = match notes.origin {
                    CheckOrigin::Assertion | CheckOrigin::Inferred => (CheckKind::Assertion, None),
                    CheckOrigin::Unpacking => (CheckKind::Unpacking, None),
                    CheckOrigin::Precondition(at) => (CheckKind::Precondition, Some(at)),
                    CheckOrigin::Postcondition(at) => (CheckKind::InlinedPostcondition, Some(at)),
                };
                let check = self.check(kind, *expr, notes, (span, condition));
                Draft::Assert { expr: *expr, notes: notes.clone(), span, check: Some(check) }
            }
            CommandKind::Invariant { expr, free, notes } => {
                let check = self.check(CheckKind::Assertion, *expr, notes, (span, None));
                Draft::Invariant { expr: *expr, free: *free, notes: notes.clone(), span, check }
            }
            // Does nothing, but what comes after it leads no loop.
            CommandKind::Visibility(_) => Draft::Done(CutCommand::Havoc(Vec::new())),
            CommandKind::Assume(expr) => Draft::Done(CutCommand::Assume(*expr)),
            CommandKind::Observe(observation) => Draft::Done(CutCommand::Observe(observation.clone())),
            CommandKind::Havoc(variables) => Draft::Done(CutCommand::Havoc(variables.clone())),
            CommandKind::Enter(variables) => Draft::Enter(variables.clone()),
            CommandKind::Assign(pairs) => Draft::Done(CutCommand::Assign(pairs.clone())),
            CommandKind::Call(call) => {
                let mut checks = Vec::new();
                if !call.free {
                    let program = self.program;
                    for condition in &program.procedures[call.callee].requires {
                        if condition.always {
                            checks.push(Required::Known(condition.expr));
                        }
                        if condition.free {
                            continue;
                        }
                        let notes = CheckNotes {
                            message: condition.message.clone().or_else(|| call.notes.message.clone()),
                            verified_under: call.notes.verified_under,
                            subsumption: call.notes.subsumption,
                            origin: CheckOrigin::Assertion,
                            isolation: call.notes.isolation,
                            tracked: None,
                            possibly_unreachable: false,
                        };
                        let places = (span, Some(condition.span));
                        let check = self.check(CheckKind::Precondition, condition.expr, &notes, places);
                        checks.push(Required::Check(assertion(program, check, condition.expr, &notes)));
                    }
                }
                Draft::Done(CutCommand::Call(call.clone(), checks))
            }
        }
    }

    fn predecessors(&self) -> Vec<Vec<usize>> {
        let mut predecessors = vec![Vec::new(); self.blocks.len()];
        for (at, block) in self.blocks.iter().enumerate() {
            for successor in &block.successors {
                predecessors[*successor].push(at);
            }
        }
        predecessors
    }

    /// Gives every edge from a block with several successors to one with several predecessors a block
    /// of its own, so that something can be said about the edge alone.
    fn split_critical_edges(&mut self) {
        let counts: Vec<usize> = self.predecessors().iter().map(Vec::len).collect();
        for at in 0..self.blocks.len() {
            if self.blocks[at].successors.len() < 2 {
                continue;
            }
            for edge in 0..self.blocks[at].successors.len() {
                let target = self.blocks[at].successors[edge];
                if counts[target] > 1 {
                    let new = self.blocks.len();
                    self.blocks.push(DraftBlock {
                        label: None,
                        continues: false,
                        commands: Vec::new(),
                        successors: vec![target],
                        returns: None,
                        beyond: Vec::new(),
                    });
                    self.blocks[at].successors[edge] = new;
                }
            }
        }
    }

    /// Removes back edges. Gives the blocks in topological order.
    fn cut_loops(&mut self, span: Span) -> Result<Vec<usize>, Unsupported> {
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

    /// The blocks that can be reached, each after its predecessors; `None` if there is a cycle.
    fn topological_order(&self) -> Option<Vec<usize>> {
        let mut state = vec![0_u8; self.blocks.len()];
        let mut order = Vec::new();
        let mut work = vec![(0_usize, false)];
        while let Some((at, ready)) = work.pop() {
            if ready {
                state[at] = 2;
                order.push(at);
            } else if state[at] == 0 {
                state[at] = 1;
                work.push((at, true));
                for successor in &self.blocks[at].successors {
                    match state[*successor] {
                        0 => work.push((*successor, false)),
                        1 => return None,
                        _ => {}
                    }
                }
            }
        }
        order.reverse();
        Some(order)
    }

    /// Lets control leave through one block, and asserts the postconditions there.
    fn unify_exits(&mut self, implementation: &Implementation, mut order: Vec<usize>) -> Vec<usize> {
        let exits: Vec<usize> =
            order.iter().copied().filter(|at| self.blocks[*at].returns.is_some()).collect();
        let exit = match exits.as_slice() {
            [] => return order,
            [only] => *only,
            _ => {
                let new = self.blocks.len();
                self.blocks.push(DraftBlock {
                    label: None,
                    continues: false,
                    commands: Vec::new(),
                    successors: Vec::new(),
                    returns: Some(implementation.end),
                    beyond: Vec::new(),
                });
                for at in &exits {
                    self.blocks[*at].successors.push(new);
                }
                order.push(new);
                new
            }
        };
        let program = self.program;
        for condition in &program.procedures[implementation.procedure].ensures {
            if condition.always {
                self.blocks[exit].commands.push(Draft::Done(CutCommand::Ensured(condition.expr)));
            }
            if condition.free {
                continue;
            }
            let (message, subsumption) = (condition.message.clone(), program.subsumption);
            let notes = CheckNotes { message, subsumption, ..CheckNotes::default() };
            let places = (condition.span, Some(condition.span));
            let check = self.check(CheckKind::Postcondition, condition.expr, &notes, places);
            let assertion = assertion(program, check, condition.expr, &notes);
            self.blocks[exit].commands.push(Draft::Done(CutCommand::Ensure(assertion)));
        }
        order
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
