//! Code that control cannot reach (`-smoke`): what is proved there is proved of nothing.
//!
//! Of an implementation that is verified, with its loops cut, some blocks get an assertion of `false` at their
//! ends, alone with the blocks that lead to them; if that is proved, control does not get there. As in Boogie
//! these are the blocks where control leaves, and those all of whose targets can be come to from elsewhere,
//! too: what stands before other blocks is looked at with them. Where a block says itself that control does not
//! get through, nothing behind that is looked at: nothing of the block where it asserts `false`, and what
//! stands before where it assumes that, or calls what promises it. Nothing is said of a place with an assertion
//! that has `{:PossiblyUnreachable}`.

use std::collections::{BTreeMap, BTreeSet};

use cache_core::worker::Cancel;

use super::Verifier;
use crate::base::source::Span;
use crate::report::{Report, SmokeTest, Verdict};
use crate::resolve::graph::{NodeId, NodeKind};
use crate::resolve::program::{Block, CheckNotes, Command, CommandKind, ImplementationId, Program, Transfer};
use crate::resolve::unparse::Unparser;
use crate::smt::answer::Outcome;
use crate::syntax::ast::UnaryOp;
use crate::transform::{acyclic, targets};

impl Verifier {
    /// Tries to prove of places in what is verified that control does not come there.
    pub(super) fn smoke(&mut self, program: &Program, reports: &[Report], cancel: &Cancel) -> Vec<SmokeTest> {
        let mut tests = Vec::new();
        let verified = |(_, it): &(usize, &Report)| it.verdict == Verdict::Decided(Outcome::Valid);
        for (at, report) in reports.iter().enumerate().filter(verified) {
            let Some(id) = program.implementations.ids().nth(report.index) else { continue };
            tests.extend(self.smoke_in(program, (at, id), cancel));
        }
        tests
    }

    fn smoke_in(
        &mut self,
        program: &Program,
        (report, id): (usize, ImplementationId),
        cancel: &Cancel,
    ) -> Vec<SmokeTest> {
        let mut program = program.clone();
        let implementation = program.implementations[id].clone();
        let Some(blocks) = acyclic(&mut program, &implementation) else { return Vec::new() };
        if blocks.is_empty() {
            return Vec::new();
        }
        for other in program.implementations.ids().collect::<Vec<_>>() {
            program.implementations[other].wishes.skip = other != id;
        }
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (at, block) in blocks.iter().enumerate() {
            targets(block).iter().for_each(|target| predecessors[*target].push(at));
        }
        let mut tests = Vec::new();
        let mut looked_at = vec![false; blocks.len()];
        let mut work = vec![0_usize];
        while let Some(at) = work.pop() {
            if cancel.is_cancelled() || std::mem::replace(&mut looked_at[at], true) {
                continue;
            }
            let block = &blocks[at];
            let gives_up = block.commands.iter().position(|it| gives_up(&program, &it.kind));
            let count = gives_up.unwrap_or(block.commands.len());
            let next = targets(block);
            let says_so =
                gives_up.is_some_and(|at| matches!(block.commands[at].kind, CommandKind::Assert(..)));
            if says_so {
                continue;
            }
            let ends = gives_up.is_some() || next.iter().all(|target| predecessors[*target].len() > 1);
            if ends && !expected(&block.commands[..count]) {
                let cut = ending(&mut program, &blocks, &predecessors, (at, count));
                let (outcome, seconds) = self.ends(&program, id, &cut, cancel);
                let unreachable = (outcome == Outcome::Valid).then(|| {
                    program.implementations[id].blocks = cut;
                    Unparser::new(&program).implementation(&program.implementations[id])
                });
                tests.push(SmokeTest { report, outcome, seconds, unreachable });
            }
            if gives_up.is_none() {
                work.extend(next.iter().rev());
            }
        }
        tests
    }

    /// What comes out of proving the assertions in the given body of an implementation, and how long that takes.
    fn ends(
        &mut self,
        program: &Program,
        id: ImplementationId,
        blocks: &[Block],
        cancel: &Cancel,
    ) -> (Outcome, f64) {
        let mut program = program.clone();
        program.implementations[id].blocks = blocks.to_vec();
        self.variant = true;
        let reports = self.verify_program(&mut program, None, cancel, &mut |_| {});
        self.variant = false;
        let Some(report) = reports.first() else { return (Outcome::Failed, 0.0) };
        let outcome = match report.verdict {
            Verdict::Decided(Outcome::NotProved) if !report.errors.is_empty() => Outcome::Refuted,
            Verdict::Decided(outcome) => outcome,
            _ => Outcome::Failed,
        };
        (outcome, report.seconds)
    }
}

/// The blocks on all ways to a block, which says after some of its commands that control does not come there.
fn ending(
    program: &mut Program,
    blocks: &[Block],
    predecessors: &[Vec<usize>],
    (last, count): (usize, usize),
) -> Vec<Block> {
    // Each after those before it, as Boogie prints them.
    let mut order = Vec::new();
    let mut met = BTreeSet::new();
    let mut work = vec![(last, false)];
    while let Some((at, ready)) = work.pop() {
        if ready {
            order.push(at);
        } else if met.insert(at) {
            work.push((at, true));
            work.extend(predecessors[at].iter().map(|before| (*before, false)));
        }
    }
    let places: BTreeMap<usize, usize> = order.iter().zip(1..).map(|(at, place)| (*at, place)).collect();
    let zero = Block {
        label: program.names.intern("0"),
        span: blocks[0].span,
        commands: Vec::new(),
        transfer: Transfer::Goto(vec![1]),
        continues: false,
        tested: false,
    };
    let mut cut = vec![zero];
    for at in &order {
        let mut block = blocks[*at].clone();
        if let Transfer::Goto(targets) = &mut block.transfer {
            *targets =
                targets.iter().filter(|_| *at != last).filter_map(|it| places.get(it).copied()).collect();
        }
        if *at == last {
            let bool = program.types.bool();
            let never = program.graph.add(NodeKind::Bool(false), bool);
            block.commands.truncate(count);
            let kind = CommandKind::Assert(never, CheckNotes::default());
            block.commands.push(Command { kind, span: Span::NOWHERE });
        }
        cut.push(block);
    }
    cut
}

/// Whether a command says itself that control does not get through it.
fn gives_up(program: &Program, command: &CommandKind) -> bool {
    match command {
        CommandKind::Assert(expr, _) | CommandKind::Assume(expr) | CommandKind::Invariant { expr, .. } => {
            constant(program, *expr) == Some(false)
        }
        CommandKind::Call(call) => {
            let promised = &program.procedures[call.callee].ensures;
            promised.iter().any(|promise| constant(program, promise.expr) == Some(false))
        }
        _ => false,
    }
}

/// The value of a literal, also under negations, however many.
fn constant(program: &Program, mut expr: NodeId) -> Option<bool> {
    let mut negated = false;
    loop {
        match program.graph.kind(expr) {
            NodeKind::Bool(value) => return Some(*value != negated),
            NodeKind::Unary(UnaryOp::Not, inner) => (expr, negated) = (*inner, !negated),
            _ => return None,
        }
    }
}

/// Whether one of some commands says that control may not reach it.
fn expected(commands: &[Command]) -> bool {
    commands.iter().any(|command| match &command.kind {
        CommandKind::Assert(_, notes) | CommandKind::Invariant { notes, .. } => notes.possibly_unreachable,
        _ => false,
    })
}
