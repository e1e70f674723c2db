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
    /// The unreachable parts of what is verified, each as an implementation that ends there, with the place of its
    /// report.
    pub(super) fn unreachable(
        &mut self,
        program: &Program,
        reports: &[Report],
        cancel: &Cancel,
    ) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        let verified = |(_, it): &(usize, &Report)| it.verdict == Verdict::Decided(Outcome::Valid);
        for (at, report) in reports.iter().enumerate().filter(verified) {
            let Some(id) = program.implementations.ids().nth(report.index) else { continue };
            found.extend(self.unreachable_in(program, id, cancel).into_iter().map(|text| (at, text)));
        }
        found
    }

    fn unreachable_in(&mut self, program: &Program, id: ImplementationId, cancel: &Cancel) -> Vec<String> {
        let blocks = &program.implementations[id].blocks;
        let mut found = Vec::new();
        let mut reached = vec![false; blocks.len()];
        let mut work = std::collections::VecDeque::from([vec![0_usize]]);
        while let Some(mut way) = work.pop_front() {
            let Some(&first) = way.last() else { continue };
            if blocks.get(first).is_none() || reached[first] {
                continue;
            }
            reached[first] = true;
            let start = way.len() - 1;
            let last = to_the_end(blocks, first, &mut way);
            if cancel.is_cancelled() || way[start..].iter().any(|at| gives_up(program, &blocks[*at])) {
                continue;
            }
            if (first != 0 || ends(&blocks[last])) && self.never_ends(program, id, last, cancel) {
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

/// Goes on to the last of the blocks that are the rest of one, and adds them to the way there.
fn to_the_end(blocks: &[Block], first: usize, way: &mut Vec<usize>) -> usize {
    let mut last = first;
    while let Transfer::Goto(targets) = &blocks[last].transfer
        && let [next] = *targets.as_slice()
        && blocks[next].continues
        && !way.contains(&next)
    {
        way.push(next);
        last = next;
    }
    last
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
    for index in way {
        let block = implementation.blocks[*index].clone();
        match blocks.last_mut() {
            // The rest of a block belongs to it.
            Some(before) if block.continues => {
                before.commands.extend(block.commands);
                before.transfer = block.transfer;
            }
            _ => blocks.push(block),
        }
    }
    let count = blocks.len();
    for (at, block) in blocks.iter_mut().enumerate().take(count - 1) {
        block.transfer = Transfer::Goto(vec![at + 1]);
    }
    if let Some(last) = blocks.last_mut() {
        last.commands.push(end);
        // Control does not go on.
        if let Transfer::Goto(targets) = &mut last.transfer {
            targets.clear();
        }
    }
    implementation.blocks = blocks;
    Unparser::new(&program).implementation(&program.implementations[id])
}
