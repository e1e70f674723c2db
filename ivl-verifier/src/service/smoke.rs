//! Code that control cannot reach (`-smoke`): what is proved there is proved of nothing.
//!
//! Of an implementation that is verified, each block gets an assertion of `false` at its end, alone with the
//! blocks that lead to it; if that is proved, control does not get there. A block that says so itself, by
//! asserting or assuming `false`, is not looked at, and of a run of unreachable blocks only the first one
//! is told.

use cache_core::worker::Cancel;

use super::Verifier;
use crate::base::source::Span;
use crate::report::{Report, Verdict};
use crate::resolve::graph::NodeKind;
use crate::resolve::program::{Block, CheckNotes, Command, CommandKind, ImplementationId, Program, Transfer};
use crate::resolve::unparse::Unparser;
use crate::smt::answer::Outcome;

impl Verifier {
    /// The unreachable parts of what is verified, each as an implementation that ends there.
    pub(super) fn unreachable(
        &mut self,
        program: &Program,
        reports: &[Report],
        cancel: &Cancel,
    ) -> Vec<String> {
        let mut found = Vec::new();
        for report in reports.iter().filter(|it| it.verdict == Verdict::Decided(Outcome::Valid)) {
            let Some(id) = program.implementations.ids().nth(report.index) else { continue };
            found.extend(self.unreachable_in(program, id, cancel));
        }
        found
    }

    fn unreachable_in(&mut self, program: &Program, id: ImplementationId, cancel: &Cancel) -> Vec<String> {
        let blocks = &program.implementations[id].blocks;
        let mut found = Vec::new();
        let mut known = vec![false; blocks.len()];
        let mut ways: Vec<Option<Vec<usize>>> = vec![None; blocks.len()];
        let mut work = std::collections::VecDeque::from([vec![0_usize]]);
        while let Some(way) = work.pop_front() {
            let Some(&last) = way.last() else { continue };
            if blocks.get(last).is_none() || ways[last].is_some() {
                continue;
            }
            ways[last] = Some(way.clone());
            if known[last] || cancel.is_cancelled() || gives_up(program, &blocks[last]) {
                continue;
            }
            if (last != 0 || ends(&blocks[0])) && self.never_ends(program, id, last, cancel) {
                known[last] = true;
                found.push(told(program, id, &way));
                continue;
            }
            if let Transfer::Goto(targets) = &blocks[last].transfer {
                work.extend(targets.iter().map(|target| {
                    let mut way = way.clone();
                    way.push(*target);
                    way
                }));
            }
        }
        found
    }

    /// Whether `false` is proved at the end of a block.
    fn never_ends(&mut self, program: &Program, id: ImplementationId, last: usize, cancel: &Cancel) -> bool {
        let mut program = program.clone();
        let end = refuted(&mut program);
        for other in program.implementations.ids().collect::<Vec<_>>() {
            program.implementations[other].wishes.skip = other != id;
        }
        let block = &mut program.implementations[id].blocks[last];
        block.commands.push(end);
        block.transfer = Transfer::Goto(Vec::new());
        self.variant = true;
        let reports = self.verify_program(&mut program, None, cancel, &mut |_| {});
        self.variant = false;
        reports.first().is_some_and(|report| report.verdict == Verdict::Decided(Outcome::Valid))
    }
}

/// `assert false;`
fn refuted(program: &mut Program) -> Command {
    let bool = program.types.bool();
    let never = program.graph.add(NodeKind::Bool(false), bool);
    Command { kind: CommandKind::Assert(never, CheckNotes::default()), span: Span::NOWHERE }
}

/// Whether a block says itself that control does not get through it.
fn gives_up(program: &Program, block: &Block) -> bool {
    block.commands.iter().any(|command| match &command.kind {
        CommandKind::Assert(expr, _) | CommandKind::Assume(expr) => {
            matches!(program.graph.kind(*expr), NodeKind::Bool(false))
        }
        _ => false,
    })
}

/// Whether control leaves the implementation after a block.
fn ends(block: &Block) -> bool {
    match &block.transfer {
        Transfer::Goto(targets) => targets.is_empty(),
        Transfer::Return(_) => true,
    }
}

/// An implementation that follows one way, to the place that control does not reach.
fn told(program: &Program, id: ImplementationId, way: &[usize]) -> String {
    let mut program = program.clone();
    let end = refuted(&mut program);
    let zero = program.names.intern("0");
    let implementation = &mut program.implementations[id];
    let span = implementation.span;
    let mut blocks = vec![Block {
        label: zero,
        span,
        commands: Vec::new(),
        transfer: Transfer::Goto(vec![1]),
        continues: false,
    }];
    for (at, index) in way.iter().enumerate() {
        let mut block = implementation.blocks[*index].clone();
        block.transfer = Transfer::Goto(vec![at + 2]);
        blocks.push(block);
    }
    if let Some(last) = blocks.last_mut() {
        last.commands.push(end);
        last.transfer = Transfer::Return(span);
    }
    implementation.blocks = blocks;
    Unparser::new(&program).implementation(&program.implementations[id])
}
