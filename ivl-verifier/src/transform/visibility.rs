//! `hide`, `reveal`, `push` and `pop`: which axioms a check may use.
//!
//! A `hideable` axiom in the `uses` clause of a function holds only where a constant of that function does,
//! of which nothing is known. What is hidden at a place is found by going once through the control flow of
//! an implementation, after procedures were inlined and loops unrolled: what a callee hides stays hidden
//! behind it, and what its caller hid is hidden in it. As in Boogie, edges back to the head of a loop do not
//! count, so an invariant has what is visible where its loop is entered or gone round, and where ways meet,
//! what one of them may use may be used, also where control leaves. Ways that meet in different scopes, and
//! a scope that is left without having been entered, are errors.
//!
//! Functions whose axioms every check may use have their constants assumed at the entry. For the others a
//! check counts as known wherever the constant of a function that is not hidden there is false, so that the
//! function's axioms may be used to prove it; of the constants of hidden functions nothing is said, so that
//! theirs may not. Where control leaves, the constants of what is not hidden are assumed, for the
//! postconditions.
//!
//! A program without any of the four statements has no such constants.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::resolve::graph::{FunctionId, NodeId, NodeKind};
use crate::resolve::program::{
    Block, Command, CommandKind, Implementation, ImplementationId, Program, Transfer, Visibility,
};
use crate::syntax::ast::{BinaryOp, UnaryOp};

/// What `hide` applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Hiding {
    /// Each check for itself: it may use what is visible at its place.
    #[default]
    EachCheck,
    /// All checks of an implementation: each may use what is visible at one of them.
    Together,
    /// Nothing: every check may use everything.
    Ignored,
}

/// Notes with every check what it may use. Gives what is wrong.
pub(super) fn settle(program: &mut Program, hiding: Hiding) -> Vec<Diagnostic> {
    let mut hideable = std::mem::take(&mut program.hideable);
    // In an order that does not depend on that of the declarations.
    hideable.sort_by_key(|(function, _)| program.names.text(program.functions[*function].name));
    let mut diagnostics = Vec::new();
    for id in program.implementations.ids().collect::<Vec<_>>() {
        if let Err(Unbalanced) = implementation(program, id, &hideable, hiding) {
            let message = "unbalanced use of push and pop commands".to_owned();
            let span = program.implementations[id].span;
            diagnostics.push(Diagnostic::error(Stage::Declarations, span, message));
        }
    }
    program.hideable = hideable;
    diagnostics
}

/// A scope is left that was not entered, or ways meet in different scopes.
struct Unbalanced;

/// The functions that are hidden, by their places among those that can be; innermost scope last.
type Hidden = Vec<BTreeSet<usize>>;

fn implementation(
    program: &mut Program,
    id: ImplementationId,
    hideable: &[(FunctionId, NodeId)],
    hiding: Hiding,
) -> Result<(), Unbalanced> {
    let blocks = &program.implementations[id].blocks;
    let changes = |command: &Command| matches!(command.kind, CommandKind::Visibility(_));
    let changed = blocks.iter().flat_map(|block| &block.commands).any(changes);
    let hiding = match hiding {
        Hiding::Together if program.implementations[id].wishes.apart => Hiding::EachCheck,
        other => other,
    };
    let places = if changed { places(program, &program.implementations[id], hideable)? } else { Vec::new() };
    if hideable.is_empty() {
        return Ok(());
    }
    // What every check may use is known from the beginning.
    let everywhere: BTreeSet<usize> = match hiding {
        _ if !changed => (0..hideable.len()).collect(),
        Hiding::Ignored => (0..hideable.len()).collect(),
        Hiding::Together => {
            let visible = |function: &usize| places.iter().any(|place| !place.hidden.contains(function));
            (0..hideable.len()).filter(visible).collect()
        }
        Hiding::EachCheck => {
            let visible = |function: &usize| places.iter().all(|place| !place.hidden.contains(function));
            (0..hideable.len()).filter(visible).collect()
        }
    };
    if hiding == Hiding::EachCheck {
        for place in places {
            let visible = |at: &usize| !place.hidden.contains(at) && !everywhere.contains(at);
            let constants = (0..hideable.len()).filter(visible).map(|at| hideable[at].1).collect::<Vec<_>>();
            allow(program, id, &place, &constants);
        }
    }
    let known: Vec<NodeId> = everywhere.into_iter().map(|at| hideable[at].1).collect();
    enter(&mut program.implementations[id], &known);
    Ok(())
}

/// Where something is checked, and what is hidden there.
struct Place {
    block: usize,
    /// `None` where control leaves.
    command: Option<usize>,
    hidden: BTreeSet<usize>,
}

/// Goes through the control flow of an implementation. Costs, at each block, what is hidden there.
fn places(
    program: &Program,
    implementation: &Implementation,
    hideable: &[(FunctionId, NodeId)],
) -> Result<Vec<Place>, Unbalanced> {
    let blocks = &implementation.blocks;
    let ensures = &program.procedures[implementation.procedure].ensures;
    let leaves_checks = ensures.iter().any(|condition| !condition.free);
    let Flow { order, heads } = flow(blocks);
    let mut starts: Vec<Option<Hidden>> = vec![None; blocks.len()];
    let mut ends: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); blocks.len()];
    if let Some(entry) = starts.first_mut() {
        *entry = Some(vec![BTreeSet::new()]);
    }
    let mut places = Vec::new();
    let mut depth = None;
    // Where control leaves, and what is hidden on all ways there.
    let mut returns = Vec::new();
    let mut hidden_at_end: Option<BTreeSet<usize>> = None;
    for (at, forward) in &order {
        let (at, block) = (*at, &blocks[*at]);
        let Some(mut state) = starts[at].take() else { continue };
        for (index, command) in block.commands.iter().enumerate() {
            if let CommandKind::Visibility(change) = &command.kind {
                apply(&mut state, change, hideable)?;
            }
            let hidden = state.last().ok_or(Unbalanced)?;
            let is_check = match &command.kind {
                CommandKind::Assert(..) | CommandKind::Invariant { free: false, .. } => true,
                CommandKind::Call(call) => !call.free,
                _ => false,
            };
            if is_check {
                places.push(Place { block: at, command: Some(index), hidden: hidden.clone() });
            }
        }
        let hidden = state.last().ok_or(Unbalanced)?;
        ends[at].clone_from(hidden);
        if let Transfer::Return(_) = &block.transfer {
            // All ways meet where control leaves.
            if *depth.get_or_insert(state.len()) != state.len() {
                return Err(Unbalanced);
            }
            returns.push(at);
            hidden_at_end = Some(hidden_at_end.map_or_else(|| hidden.clone(), |known| &known & hidden));
        }
        for target in forward {
            let joined = match starts[*target].take() {
                None => state.clone(),
                Some(known) if known.len() != state.len() => return Err(Unbalanced),
                Some(known) => known.iter().zip(&state).map(|(one, other)| one & other).collect(),
            };
            starts[*target] = Some(joined);
        }
    }
    if let (Some(hidden), true) = (hidden_at_end, leaves_checks) {
        let place = |block: usize| Place { block, command: None, hidden: hidden.clone() };
        places.extend(returns.into_iter().map(place));
    }
    // Invariants are checked where the loop is entered and where it is gone round.
    for place in &mut places {
        let (Some(before), Some(command)) = (heads.get(&place.block), place.command) else { continue };
        if leads(&blocks[place.block], command) {
            before.iter().for_each(|at| place.hidden.extend(&ends[*at]));
        }
    }
    Ok(places)
}

/// Whether only conditions precede a command in its block, so that it is an invariant if the block is the head of a
/// loop.
fn leads(block: &Block, command: usize) -> bool {
    block.commands[..command].iter().all(|command| {
        matches!(
            command.kind,
            CommandKind::Assert(..)
                | CommandKind::Assume(_)
                | CommandKind::Observe(_)
                | CommandKind::Invariant { .. }
        )
    })
}

/// What a statement makes of what is hidden.
fn apply(
    state: &mut Hidden,
    change: &Visibility,
    hideable: &[(FunctionId, NodeId)],
) -> Result<(), Unbalanced> {
    let found = |names: &Option<Vec<FunctionId>>| -> BTreeSet<usize> {
        let all = hideable.iter().enumerate();
        all.filter(|(_, (function, _))| names.as_ref().is_none_or(|names| names.contains(function)))
            .map(|(at, _)| at)
            .collect()
    };
    match change {
        Visibility::Push => state.extend(state.last().cloned()),
        Visibility::Pop => {
            state.pop();
        }
        Visibility::Hide(names) => {
            if let Some(hidden) = state.last_mut() {
                hidden.extend(found(names));
            }
        }
        Visibility::Reveal(names) => {
            let named = found(names);
            if let Some(hidden) = state.last_mut() {
                hidden.retain(|function| !named.contains(function));
            }
        }
    }
    if state.is_empty() { Err(Unbalanced) } else { Ok(()) }
}

/// The control flow of blocks without the edges that go back.
struct Flow {
    /// The blocks that can be reached, each after those before it, with those after it.
    order: Vec<(usize, Vec<usize>)>,
    /// The heads of loops, with all blocks from which an edge leads to them.
    heads: FxHashMap<usize, Vec<usize>>,
}

fn flow(blocks: &[Block]) -> Flow {
    let targets = |at: usize| match &blocks[at].transfer {
        Transfer::Goto(targets) => targets.as_slice(),
        Transfer::Return(_) => &[],
    };
    // 0: not seen; 1: on the way that is being followed; 2: done.
    let mut state = vec![0_u8; blocks.len()];
    let mut order = Vec::new();
    let mut heads: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let mut way: Vec<(usize, usize, Vec<usize>)> = Vec::new();
    if let Some(first) = state.first_mut() {
        *first = 1;
        way.push((0, 0, Vec::new()));
    }
    while let Some((at, next, forward)) = way.last_mut() {
        let Some(target) = targets(*at).get(*next).copied() else {
            state[*at] = 2;
            order.push((*at, std::mem::take(forward)));
            way.pop();
            continue;
        };
        *next += 1;
        if state[target] == 1 {
            heads.entry(target).or_default();
        } else {
            forward.push(target);
            if state[target] == 0 {
                state[target] = 1;
                way.push((target, 0, Vec::new()));
            }
        }
    }
    order.reverse();
    for (at, _) in &order {
        for target in targets(*at) {
            if let Some(before) = heads.get_mut(target) {
                before.push(*at);
            }
        }
    }
    Flow { order, heads }
}

/// Lets what is checked at a place be proved with the axioms under some constants.
fn allow(program: &mut Program, id: ImplementationId, place: &Place, constants: &[NodeId]) {
    let bool = program.types.bool();
    let Program { graph, implementations, .. } = program;
    let block = &mut implementations[id].blocks[place.block];
    let Some(at) = place.command else {
        let span = block.span;
        let known = constants.iter().map(|constant| Command { kind: CommandKind::Assume(*constant), span });
        block.commands.extend(known);
        return;
    };
    let notes = match &mut block.commands[at].kind {
        CommandKind::Assert(_, notes) | CommandKind::Invariant { notes, .. } => notes,
        CommandKind::Call(call) => &mut call.notes,
        _ => return,
    };
    for constant in constants {
        let missing = graph.add(NodeKind::Unary(UnaryOp::Not, *constant), bool);
        let under = match notes.verified_under {
            None => missing,
            Some(known) => graph.add(NodeKind::Binary(BinaryOp::Or, known, missing), bool),
        };
        notes.verified_under = Some(under);
    }
}

/// Assumes something at the entry.
fn enter(implementation: &mut Implementation, known: &[NodeId]) {
    let Implementation { blocks, span, .. } = implementation;
    let again = blocks.iter().any(|block| matches!(&block.transfer, Transfer::Goto(to) if to.contains(&0)));
    let span = *span;
    if again && let Some(first) = blocks.first() {
        // The first block is the head of a loop.
        let label = first.label;
        for block in blocks.iter_mut() {
            if let Transfer::Goto(targets) = &mut block.transfer {
                targets.iter_mut().for_each(|target| *target += 1);
            }
        }
        blocks.insert(
            0,
            Block {
                label,
                span,
                commands: Vec::new(),
                transfer: Transfer::Goto(vec![1]),
                continues: false,
                tested: false,
            },
        );
    }
    if let Some(first) = blocks.first_mut() {
        let known = known.iter().map(|constant| Command { kind: CommandKind::Assume(*constant), span });
        first.commands.splice(0..0, known);
    }
}
