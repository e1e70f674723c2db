//! Invariants that are inferred: bounds of variables at the heads of loops.
//!
//! Abstract interpretation over intervals, as Boogie does with `-infer:j`, so that what it prints and proves is printed
//! and proved here: a work list of blocks in the order in which they were met; what is known before a block is a range
//! for each variable of a numeric type or `bool`; commands change it, where ways meet it is joined, and at the head of
//! a loop, whichever way leads there, it is widened to the next number that the implementation compares something
//! with. The result contains every state that an execution can reach whose checks held so far, so it is assumed, not
//! checked: a check that fails is asked for itself, with what is known before it. Where Boogie's arithmetic is wrong
//! ([`range`]) less is said.
//!
//! Runs between inlining and unrolling, over a program whose loops have one entry. Costs: a state has at most as
//! many entries as there are variables, and a bound at a head moves at most once for each number.

mod identity;
mod range;
mod state;

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::One;
use rustc_hash::FxHashMap;

use crate::base::arena::Id;
use crate::base::source::Span;
use crate::resolve::blocks::outcome;
use crate::resolve::control::in_order;
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{
    Block, Call, CheckNotes, CheckOrigin, Command, CommandKind, Condition, GlobalName as Name,
    Implementation, ImplementationId, Program, Transfer,
};
use crate::syntax::ast::{BinaryOp, UnaryOp};
use range::{Range, Thresholds};
use state::{Kind, State, opposite, turned};

/// Where inferred bounds are assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instrument {
    /// At the heads of loops.
    Loops,
    /// Before and after every block.
    Everywhere,
}

/// Infers bounds for every implementation, and assumes them, or has them checked.
pub(super) fn infer(program: &mut Program, instrument: Instrument, checked: bool) {
    program.identities = identity::identities(program);
    let axioms: Vec<NodeId> = program.axioms.iter().map(|(_, axiom)| axiom.expr).collect();
    let axioms =
        axioms.into_iter().try_fold(State::default(), |state, axiom| state.constrain(program, axiom));
    let everywhere = instrument == Instrument::Everywhere;
    let ids: Vec<ImplementationId> = program.implementations.ids().collect();
    for id in ids {
        let Analysis { before, after, heads, .. } =
            Analysis::new(program, &program.implementations[id], axioms.clone());
        let places = places(program, id, everywhere);
        for at in 0..before.len() {
            let blocks = &program.implementations[id].blocks;
            // A block that continues the one before it is a part of that.
            let starts = heads.contains(&at) || (everywhere && !blocks[at].continues);
            let ends = everywhere && before[at].is_some() && !goes_on(program, blocks, at);
            let first = starts.then(|| said(program, &places, before[at].as_ref()));
            let last = ends.then(|| said(program, &places, after[at].as_ref()));
            let block = &mut program.implementations[id].blocks[at];
            let command = |expr| {
                let notes = CheckNotes { origin: CheckOrigin::Inferred, ..CheckNotes::default() };
                Command { kind: CommandKind::Invariant { expr, free: !checked, notes }, span: block.span }
            };
            let (first, last) = (first.map(command), last.map(command));
            block.commands.splice(0..0, first);
            block.commands.extend(last);
        }
        program.cuts.insert(id, heads);
    }
}

/// Whether the only block that follows is a part of this one.
fn goes_on(program: &Program, blocks: &[Block], at: usize) -> bool {
    blocks[at].dead_end(&program.graph).is_none()
        && matches!(&blocks[at].transfer, Transfer::Goto(targets) if targets.iter().any(|it| blocks[*it].continues))
}

/// What is known before and after each block; `None` where control does not get.
struct Analysis<'p> {
    program: &'p Program,
    before: Vec<Option<State>>,
    after: Vec<Option<State>>,
    /// The blocks at which loops begin.
    heads: BTreeSet<usize>,
}

impl<'p> Analysis<'p> {
    fn new(program: &'p Program, implementation: &Implementation, axioms: Option<State>) -> Self {
        let blocks = &implementation.blocks;
        let mut all = Self {
            program,
            before: vec![None; blocks.len()],
            after: vec![None; blocks.len()],
            heads: BTreeSet::new(),
        };
        if blocks.is_empty() {
            return all;
        }
        let order = in_order(&program.graph, blocks);
        let mut place = vec![usize::MAX; blocks.len()];
        order.iter().enumerate().for_each(|(at, block)| place[*block] = at);
        // Verification cuts a loop also where what is known shows that it is never gone round.
        for (first, at) in order.iter().enumerate() {
            if let (Transfer::Goto(targets), None) =
                (&blocks[*at].transfer, blocks[*at].dead_end(&program.graph))
            {
                all.heads.extend(targets.iter().filter(|it| place[**it] <= first));
            }
        }
        let Some(entry) = axioms.and_then(|axioms| all.entry(implementation, axioms)) else { return all };
        let thresholds = thresholds(program, implementation);
        let mut open = VecDeque::from([(0, entry)]);
        while let Some((at, state)) = open.pop_front() {
            let state = match &all.before[at] {
                None => state,
                Some(before) if state.is_within(before) => continue,
                Some(before) if all.heads.contains(&at) => before.widen(&state, program, &thresholds),
                Some(before) => before.join(&state),
            };
            all.before[at] = Some(state.clone());
            let state = all.block(state, &blocks[at]);
            all.after[at].clone_from(&state);
            if let (Some(state), Transfer::Goto(targets)) = (state, &blocks[at].transfer) {
                open.extend(targets.iter().map(|target| (*target, state.clone())));
            }
        }
        all
    }

    /// What is known on entry: axioms and preconditions.
    fn entry(&self, implementation: &Implementation, axioms: State) -> Option<State> {
        let program = self.program;
        let procedure = &program.procedures[implementation.procedure];
        // The procedure speaks of its own parameters.
        let mut promised = axioms;
        for condition in &procedure.requires {
            promised = promised.constrain(program, condition.expr)?;
        }
        let mut state = promised.clone();
        for (own, its) in implementation.inputs.iter().zip(&procedure.inputs) {
            state.set(Name::Variable(*own), promised.get(Name::Variable(*its)));
        }
        Some(state)
    }

    /// What is known after a block; `None` if control does not get past it.
    fn block(&self, mut state: State, block: &Block) -> Option<State> {
        for (at, command) in block.commands.iter().enumerate() {
            state = match &command.kind {
                CommandKind::Assume(_) if let Some(test) = failed_test(self.program, block, at) => {
                    state.constrain_not(self.program, test)?
                }
                kind => self.command(state, kind)?,
            };
        }
        Some(state)
    }

    /// What is known after a command; `None` if control does not get past it.
    fn command(&self, mut state: State, command: &CommandKind) -> Option<State> {
        let program = self.program;
        match command {
            CommandKind::Assume(expr) | CommandKind::Invariant { expr, free: true, .. } => {
                state.constrain_each(program, *expr)
            }
            // What follows may rely on a check unless it says otherwise.
            CommandKind::Assert(expr, notes) | CommandKind::Invariant { expr, free: false, notes } => {
                match notes.subsumption.is_none_or(|it| it == 2) && notes.verified_under.is_none() {
                    true => state.constrain_each(program, *expr),
                    false => Some(state),
                }
            }
            CommandKind::Havoc(variables) | CommandKind::Enter(variables) => {
                variables.iter().for_each(|it| state.set(Name::Variable(*it), Range::ALL));
                Some(state)
            }
            CommandKind::Assign(pairs) => {
                let values: Vec<(Name, Range)> = pairs
                    .iter()
                    .map(|(variable, value)| (Name::Variable(*variable), state.value(program, *value)))
                    .collect();
                values.into_iter().for_each(|(variable, value)| state.set(variable, value));
                Some(state)
            }
            CommandKind::Call(call) => self.call(state, call),
            CommandKind::Visibility(_) | CommandKind::Observe(_) => Some(state),
        }
    }

    /// What is known after a call: what the callee promises of its results and of what it changes.
    fn call(&self, mut state: State, call: &Call) -> Option<State> {
        let program = self.program;
        let callee = &program.procedures[call.callee];
        let changed = || callee.outputs.iter().chain(&callee.modifies);
        // The callee's parameters may be the caller's own, so what it promises is looked at by itself.
        let mut promised = state.clone();
        for (parameter, argument) in callee.inputs.iter().zip(&call.arguments) {
            promised.set(Name::Variable(*parameter), state.value(program, *argument));
        }
        for condition in callee.requires.iter().filter(|it| !it.free) {
            promised = promised.constrain_each(program, condition.expr)?;
        }
        promised.before = Some(Rc::new(promised.clone()));
        changed().for_each(|it| promised.set(Name::Variable(*it), Range::ALL));
        let conditions = changed().filter_map(|it| program.variables[*it].condition);
        let ensures = callee.ensures.iter().map(|Condition { expr, .. }| *expr);
        for condition in conditions.chain(ensures) {
            promised = promised.constrain_each(program, condition)?;
        }
        for global in &callee.modifies {
            state.set(Name::Variable(*global), promised.get(Name::Variable(*global)));
        }
        for (output, target) in callee.outputs.iter().zip(&call.outputs) {
            state.set(Name::Variable(*target), promised.get(Name::Variable(*output)));
        }
        Some(state)
    }
}

/// The test whose failure a command assumes, if it stands first in the block that the test leads to then.
fn failed_test(program: &Program, block: &Block, at: usize) -> Option<NodeId> {
    let CommandKind::Assume(expr) = &block.commands.get(at).filter(|_| at == 0)?.kind else { return None };
    match program.graph.kind(*expr) {
        NodeKind::Unary(UnaryOp::Not, test) if outcome(program.names.text(block.label)) == Some(false) => {
            Some(*test)
        }
        _ => None,
    }
}

impl Thresholds {
    /// Those of an implementation that compares nothing.
    fn usual() -> Self {
        let low = [-1, 0, 1].map(BigInt::from).to_vec();
        Self { low, high: [-1, 0].map(BigInt::from).to_vec() }
    }
}

/// The numbers at which widening stops: those that the body, the preconditions and the postconditions compare something
/// with, and those beside them, on the sides that matter to the comparison.
fn thresholds(program: &Program, implementation: &Implementation) -> Thresholds {
    let procedure = &program.procedures[implementation.procedure];
    let mut roots: Vec<NodeId> =
        procedure.requires.iter().chain(&procedure.ensures).map(|it| it.expr).collect();
    let mut compared: Vec<(BinaryOp, NodeId, NodeId)> = Vec::new();
    for block in &implementation.blocks {
        for (at, command) in block.commands.iter().enumerate() {
            match &command.kind {
                // What is known where a test fails is the comparison the other way round.
                CommandKind::Assume(_)
                    if let Some(test) = failed_test(program, block, at)
                        && let NodeKind::Binary(op, a, b) = program.graph.kind(test)
                        && let Some(op) = opposite(*op) =>
                {
                    compared.push((op, *a, *b));
                    roots.extend([*a, *b]);
                }
                CommandKind::Assume(expr)
                | CommandKind::Assert(expr, _)
                | CommandKind::Invariant { expr, .. } => roots.push(*expr),
                CommandKind::Assign(pairs) => roots.extend(pairs.iter().map(|(_, value)| *value)),
                CommandKind::Call(call) => roots.extend(&call.arguments),
                CommandKind::Havoc(_)
                | CommandKind::Enter(_)
                | CommandKind::Observe(_)
                | CommandKind::Visibility(_) => {}
            }
        }
    }
    for node in program.graph.below(&roots) {
        if let NodeKind::Binary(op, a, b) = program.graph.kind(node) {
            compared.push((*op, *a, *b));
        }
    }
    let usual = Thresholds::usual();
    let (mut low, mut high): (BTreeSet<BigInt>, BTreeSet<BigInt>) =
        (usual.low.into_iter().collect(), usual.high.into_iter().collect());
    for (op, a, b) in compared {
        for (op, side) in [(op, b), (turned(op), a)] {
            let NodeKind::Int(number) = program.graph.kind(side) else { continue };
            let (less, more) = (number - BigInt::one(), number + BigInt::one());
            match op {
                BinaryOp::Lt => high.extend([less, number.clone()]),
                BinaryOp::Le => high.extend([number.clone(), more]),
                BinaryOp::Gt => low.extend([number.clone(), more]),
                BinaryOp::Ge => low.extend([less, number.clone()]),
                BinaryOp::Eq | BinaryOp::Ne => {
                    low.extend([less, number.clone()]);
                    high.extend([number.clone(), more]);
                }
                _ => {}
            }
        }
    }
    Thresholds { low: low.into_iter().collect(), high: high.into_iter().collect() }
}

/// A state as an expression; nothing is known of `None`, since control does not get there.
fn said(program: &mut Program, places: &Places, state: Option<&State>) -> NodeId {
    let bool = program.types.bool();
    let Some(state) = state else { return program.graph.add(NodeKind::Bool(false), bool) };
    let mut said: Option<NodeId> = None;
    let mut listed: Vec<(&Place, Name, &Range)> =
        state.ranges.iter().filter_map(|(name, range)| Some((places.get(name)?, *name, range))).collect();
    listed.sort_by_key(|(place, name, _)| (**place, *name));
    for (_, name, range) in listed {
        let Some(kind) = state::kind_of_name(program, name) else { continue };
        let (node, ty) = match name {
            Name::Variable(variable) => (NodeKind::Variable(variable), program.variables[variable].ty),
            Name::Constant(constant) => (NodeKind::Constant(constant), program.constants[constant].ty),
        };
        let own = program.graph.add(node, ty);
        let mut parts = Vec::new();
        let mut relation = |program: &mut Program, op, a, b| {
            parts.push(program.graph.add(NodeKind::Binary(op, a, b), bool));
        };
        match (kind, &range.low, &range.high) {
            (Kind::Bool, Some(low), Some(high)) if low == high => parts.push(match low.is_one() {
                true => own,
                false => program.graph.add(NodeKind::Unary(UnaryOp::Not, own), bool),
            }),
            (Kind::Bool, ..) => {}
            (_, Some(low), Some(high)) if low == high => {
                let value = number(program, kind, low);
                relation(program, BinaryOp::Eq, own, value);
            }
            (_, low, high) => {
                if let Some(low) = low {
                    let low = number(program, kind, low);
                    relation(program, BinaryOp::Le, low, own);
                }
                match (high, kind) {
                    (Some(high), Kind::Int) => {
                        let beyond = number(program, kind, &(high + BigInt::one()));
                        relation(program, BinaryOp::Lt, own, beyond);
                    }
                    (Some(high), _) => {
                        let high = number(program, kind, high);
                        relation(program, BinaryOp::Le, own, high);
                    }
                    (None, _) => {}
                }
            }
        }
        // The bounds of one variable are one part, also for where lines are broken.
        let and =
            |program: &mut Program, a, b| program.graph.add(NodeKind::Binary(BinaryOp::And, a, b), bool);
        let own = parts.into_iter().reduce(|a, b| and(program, a, b));
        said = match (said, own) {
            (Some(before), Some(own)) => Some(and(program, before, own)),
            (before, own) => before.or(own),
        };
    }
    said.unwrap_or_else(|| program.graph.add(NodeKind::Bool(true), bool))
}

/// Where a name stands in what is said: after those of earlier declarations, then by its kind.
type Place = (usize, u32, u8);
type Places = FxHashMap<Name, Place>;

/// The names of which something is said, in Boogie's order, which is that in which its parser makes them: with the
/// declarations; of an implementation the parameters, the results and the locals, but where a procedure has its body
/// with it, its locals first. Of what does not change nothing is said unless all is wanted.
fn places(program: &Program, id: ImplementationId, all: bool) -> Places {
    let implementation = &program.implementations[id];
    let procedure = &program.procedures[implementation.procedure];
    let together = implementation.inputs == procedure.inputs && implementation.outputs == procedure.outputs;
    let place = |span: Span, kind| (span.file.index(), span.start, kind);
    let said = program.declared.iter().filter(|(name, _)| all || matches!(name, Name::Variable(_)));
    let mut places: Places = said.map(|(name, span)| (*name, place(*span, 0))).collect();
    let mut add = |variables: &[VariableId], kind| {
        places.extend(variables.iter().map(|it| (Name::Variable(*it), place(implementation.span, kind))));
    };
    if all {
        add(&implementation.inputs, 1);
    }
    add(&implementation.outputs, 2);
    add(&implementation.locals, if together { 0 } else { 3 });
    places
}

fn number(program: &mut Program, kind: Kind, value: &BigInt) -> NodeId {
    let magnitude = value.magnitude().clone().into();
    let (ty, node) = match kind {
        Kind::Real => (program.types.real(), NodeKind::Real(magnitude, 0)),
        Kind::Int | Kind::Bool => (program.types.int(), NodeKind::Int(magnitude)),
    };
    let node = program.graph.add(node, ty);
    match value.sign() {
        num_bigint::Sign::Minus => program.graph.add(NodeKind::Unary(UnaryOp::Neg, node), ty),
        _ => node,
    }
}
