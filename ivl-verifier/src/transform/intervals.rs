//! Invariants that are inferred: bounds of variables at the heads of loops.
//!
//! Abstract interpretation over intervals, as Boogie does with `-infer:j`. What is known before a block is a
//! range for each variable of a numeric type or `bool`; commands change it, where ways meet it is joined, and at
//! the head of a loop it is widened to the next number that the implementation compares something with. The result
//! contains every state that an execution can reach whose checks held so far, so it is assumed, not checked: a
//! check that fails is asked for itself, with what is known before it.
//!
//! Runs between inlining and unrolling, over a program whose loops have one entry. Costs: a state has at most as
//! many entries as there are variables, and a head is looked at again at most [`ROUNDS`] times for widening
//! step by step, then once for each bound that goes.

mod range;
mod state;

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::One;
use rustc_hash::FxHashMap;

use crate::base::arena::Id;
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{
    Call, CheckNotes, CheckOrigin, Command, CommandKind, Condition, Implementation, ImplementationId,
    Program, Transfer, VariableKind,
};
use crate::syntax::ast::{BinaryOp, UnaryOp};
use range::Range;
use state::{Kind, State, kind_of};

/// Where inferred bounds are assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instrument {
    /// At the heads of loops.
    Loops,
    /// Before and after every block.
    Everywhere,
}

/// How often a bound at the head of a loop goes to the next number before it goes to infinity.
const ROUNDS: u32 = 12;

/// Infers bounds for every implementation, and assumes them.
pub(super) fn infer(program: &mut Program, instrument: Instrument) {
    // The conditions of global variables hold wherever a procedure begins.
    let globals: Vec<NodeId> = (program.variables.iter())
        .filter(|(_, variable)| variable.kind == VariableKind::Global)
        .filter_map(|(_, variable)| variable.condition)
        .collect();
    let globals = globals
        .into_iter()
        .try_fold(State::default(), |state, condition| state.constrain(program, condition));
    let ids: Vec<ImplementationId> = program.implementations.ids().collect();
    for id in ids {
        let analysis = Analysis::new(program, &program.implementations[id], globals.clone());
        let Analysis { before, after, heads, .. } = analysis;
        let ranks = ranks(program, id);
        for at in 0..before.len() {
            let Some(first) = &before[at] else { continue };
            let everywhere = instrument == Instrument::Everywhere;
            let first = (everywhere || heads.contains(&at)).then(|| said(program, &ranks, Some(first)));
            let last = everywhere.then(|| said(program, &ranks, after[at].as_ref()));
            let block = &mut program.implementations[id].blocks[at];
            let command = |expr| {
                let notes = CheckNotes { origin: CheckOrigin::Inferred, ..CheckNotes::default() };
                Command { kind: CommandKind::Invariant { expr, free: true, notes }, span: block.span }
            };
            let (first, last) = (first.map(command), last.map(command));
            block.commands.splice(0..0, first);
            block.commands.extend(last);
        }
    }
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
    fn new(program: &'p Program, implementation: &Implementation, globals: Option<State>) -> Self {
        let blocks = &implementation.blocks;
        let mut all = Self {
            program,
            before: vec![None; blocks.len()],
            after: vec![None; blocks.len()],
            heads: BTreeSet::new(),
        };
        let entry = globals.and_then(|globals| all.entry(implementation, globals));
        let Some(entry) = entry else { return all };
        if blocks.is_empty() {
            return all;
        }
        let order = order(implementation);
        let mut place = vec![usize::MAX; blocks.len()];
        order.iter().enumerate().for_each(|(at, block)| place[*block] = at);
        // Verification cuts a loop also where what is known shows that it is never gone round.
        for (first, at) in order.iter().enumerate() {
            if let Transfer::Goto(targets) = &blocks[*at].transfer {
                all.heads.extend(targets.iter().filter(|it| place[**it] <= first));
            }
        }
        let steps = steps(program, implementation);
        let mut rounds = vec![0; blocks.len()];
        all.before[0] = Some(entry);
        let mut open = BTreeSet::from([0]);
        while let Some(first) = open.pop_first() {
            let at = order[first];
            let Some(state) = all.before[at].clone() else { continue };
            let state = blocks[at].commands.iter().try_fold(state, |state, it| all.command(state, &it.kind));
            all.after[at].clone_from(&state);
            let (Some(state), Transfer::Goto(targets)) = (state, &blocks[at].transfer) else { continue };
            for target in targets.iter().copied() {
                let back = place[target] <= first;
                let next = match &all.before[target] {
                    None => state.clone(),
                    Some(before) => {
                        let grown = before.join(&state);
                        if back && grown != *before {
                            rounds[target] += 1;
                            let steps: &[BigInt] = if rounds[target] > ROUNDS { &[] } else { &steps };
                            before.widen(&grown, program, steps)
                        } else {
                            grown
                        }
                    }
                };
                if all.before[target].as_ref() != Some(&next) {
                    all.before[target] = Some(next);
                    open.insert(place[target]);
                }
            }
        }
        all
    }

    /// What is known on entry: preconditions and the conditions of variables.
    fn entry(&self, implementation: &Implementation, globals: State) -> Option<State> {
        let program = self.program;
        let procedure = &program.procedures[implementation.procedure];
        let conditions = |ids: &[VariableId]| -> Vec<NodeId> {
            ids.iter().filter_map(|id| program.variables[*id].condition).collect()
        };
        // The procedure speaks of its own parameters.
        let mut promised = globals;
        for condition in conditions(&procedure.inputs) {
            promised = promised.constrain(program, condition)?;
        }
        for condition in &procedure.requires {
            promised = promised.constrain(program, condition.expr)?;
        }
        let mut state = promised.clone();
        for (own, its) in implementation.inputs.iter().zip(&procedure.inputs) {
            state.set(*own, promised.get(*its));
        }
        // Those of inlined bodies meet their conditions when control enters these.
        let mut locals = implementation.locals.clone();
        locals.retain(|it| program.variables[*it].kind != VariableKind::Inlined);
        for condition in conditions(&locals) {
            state = state.constrain(program, condition)?;
        }
        Some(state)
    }

    /// What is known after a command; `None` if control does not get past it.
    fn command(&self, mut state: State, command: &CommandKind) -> Option<State> {
        let program = self.program;
        match command {
            CommandKind::Assume(expr) | CommandKind::Invariant { expr, free: true, .. } => {
                state.constrain(program, *expr)
            }
            // What follows may rely on a check unless it says otherwise.
            CommandKind::Assert(expr, notes) | CommandKind::Invariant { expr, free: false, notes } => {
                match notes.subsumption.is_none_or(|it| it == 2) && notes.verified_under.is_none() {
                    true => state.constrain(program, *expr),
                    false => Some(state),
                }
            }
            CommandKind::Havoc(variables) | CommandKind::Enter(variables) => {
                variables.iter().for_each(|it| state.set(*it, Range::ALL));
                let mut conditions = variables.iter().filter_map(|it| program.variables[*it].condition);
                conditions.try_fold(state, |state, condition| state.constrain(program, condition))
            }
            CommandKind::Assign(pairs) => {
                let values: Vec<(VariableId, Range)> = pairs
                    .iter()
                    .filter(|(variable, _)| kind_of(program, program.variables[*variable].ty).is_some())
                    .map(|(variable, value)| (*variable, state.value(program, *value)))
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
        // The callee's parameters may be the caller's own, so what it promises is looked at by itself.
        let mut promised = state.clone();
        promised.ranges.retain(|variable, _| program.variables[*variable].kind == VariableKind::Global);
        for (parameter, argument) in callee.inputs.iter().zip(&call.arguments) {
            if kind_of(program, program.variables[*parameter].ty).is_some() {
                promised.set(*parameter, state.value(program, *argument));
            }
        }
        callee.modifies.iter().for_each(|global| promised.set(*global, Range::ALL));
        let changed = callee.outputs.iter().chain(&callee.modifies);
        let conditions = changed.filter_map(|it| program.variables[*it].condition);
        let ensures = callee.ensures.iter().map(|Condition { expr, .. }| *expr);
        for condition in conditions.chain(ensures) {
            promised = promised.constrain(program, condition)?;
        }
        for global in &callee.modifies {
            state.set(*global, promised.get(*global));
        }
        for (output, target) in callee.outputs.iter().zip(&call.outputs) {
            state.set(*target, promised.get(*output));
        }
        Some(state)
    }
}

/// The blocks that control can reach, each after those before it but for ways back.
fn order(implementation: &Implementation) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; implementation.blocks.len()];
    let mut open = vec![(0, 0)];
    seen[0] = true;
    while let Some((at, next)) = open.pop() {
        let target = match &implementation.blocks[at].transfer {
            Transfer::Goto(targets) => targets.get(next),
            Transfer::Return(_) => None,
        };
        match target {
            None => order.push(at),
            Some(target) => {
                open.push((at, next + 1));
                if !std::mem::replace(&mut seen[*target], true) {
                    open.push((*target, 0));
                }
            }
        }
    }
    order.reverse();
    order
}

/// The numbers at which widening stops: what something is compared with in the body or in what callees promise, and
/// those beside it; sorted.
fn steps(program: &Program, implementation: &Implementation) -> Vec<BigInt> {
    let mut roots = Vec::new();
    for command in implementation.blocks.iter().flat_map(|block| &block.commands) {
        match &command.kind {
            CommandKind::Assume(expr)
            | CommandKind::Assert(expr, _)
            | CommandKind::Invariant { expr, .. } => {
                roots.push(*expr);
            }
            CommandKind::Assign(pairs) => roots.extend(pairs.iter().map(|(_, value)| *value)),
            CommandKind::Call(call) => {
                roots.extend(program.procedures[call.callee].ensures.iter().map(|it| it.expr));
            }
            CommandKind::Havoc(_)
            | CommandKind::Enter(_)
            | CommandKind::Observe(_)
            | CommandKind::Visibility(_) => {}
        }
    }
    let mut numbers = BTreeSet::new();
    for node in program.graph.below(&roots) {
        let NodeKind::Binary(op, a, b) = program.graph.kind(node) else { continue };
        if !matches!(
            op,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        ) {
            continue;
        }
        for side in [*a, *b] {
            if let Some(number) = State::default().value(program, side).only() {
                numbers.extend([number - BigInt::one(), number.clone(), number + BigInt::one()]);
            }
        }
    }
    numbers.into_iter().collect()
}

/// A state as an expression; nothing is known of `None`, since control does not get there.
fn said(program: &mut Program, ranks: &Ranks, state: Option<&State>) -> NodeId {
    let bool = program.types.bool();
    let Some(state) = state else { return program.graph.add(NodeKind::Bool(false), bool) };
    let mut said: Option<NodeId> = None;
    // What is kept of the procedure's own parameters is said of the implementation's.
    let mut listed: Vec<(&u8, VariableId, &Range)> =
        state.ranges.iter().filter_map(|(id, range)| Some((ranks.get(id)?, *id, range))).collect();
    listed.sort_by_key(|(rank, id, _)| (**rank, id.index()));
    for (_, variable, range) in listed {
        let ty = program.variables[variable].ty;
        let Some(kind) = kind_of(program, ty) else { continue };
        let own = program.graph.add(NodeKind::Variable(variable), ty);
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
        for part in parts {
            said = Some(match said {
                None => part,
                Some(before) => program.graph.add(NodeKind::Binary(BinaryOp::And, before, part), bool),
            });
        }
    }
    said.unwrap_or_else(|| program.graph.add(NodeKind::Bool(true), bool))
}

/// The variables that an implementation can change, each with its place in what is said.
type Ranks = FxHashMap<VariableId, u8>;

/// The order in which Boogie lists variables: globals first, then results, then locals; the locals before the results
/// where the procedure has its body with it. Nothing is said of parameters, which do not change.
fn ranks(program: &Program, id: ImplementationId) -> Ranks {
    let implementation = &program.implementations[id];
    let procedure = &program.procedures[implementation.procedure];
    let together = implementation.inputs == procedure.inputs && implementation.outputs == procedure.outputs;
    let globals = program.variables.iter().filter(|(_, it)| it.kind == VariableKind::Global);
    let mut ranks: Ranks = globals.map(|(id, _)| (id, 0)).collect();
    ranks.extend(implementation.outputs.iter().map(|id| (*id, 2)));
    ranks.extend(implementation.locals.iter().map(|id| (*id, if together { 1 } else { 3 })));
    ranks
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
