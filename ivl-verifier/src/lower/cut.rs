//! Control flow: unreachable blocks go, critical edges get blocks, loops are cut at their invariants,
//! and postconditions stand where control leaves.

mod loops;
mod selective;

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
