//! Variables become incarnations: each place where one gets a value has a variable of its own.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::base::source::Span;
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{CommandKind, Program, Variable, VariableKind};
use crate::resolve::unparse::plain::{PlainCommand, PlainKind};
use crate::syntax::ast::BinaryOp;
use crate::transform::passified::acyclic::INITIALIZATION;
use crate::transform::passified::call::{Piece, desugar};
use crate::transform::passified::flow::{Flow, never};

/// Makes a body passive. Gives the incarnations that it needs, in the order in which they are made.
pub(super) fn incarnate(program: &mut Program, flow: &mut Flow) -> Option<Vec<VariableId>> {
    let order = flow.topological()?;
    let mut pieces: Vec<Vec<Piece>> = vec![Vec::new(); flow.blocks.len()];
    for at in &order {
        for command in flow.commands(*at) {
            match &command.kind {
                PlainKind::Step(CommandKind::Call(call)) => {
                    pieces[*at].extend(desugar(program, command, call));
                }
                _ => pieces[*at].push(Piece::Command(command.clone())),
            }
        }
    }
    let live = liveness(program, flow, &order, &pieces);
    let mut maker = Maker { program, numbers: FxHashMap::default(), made: Vec::new(), identities: 0 };
    let mut done: Vec<Option<Incarnations>> = vec![None; flow.blocks.len()];
    for at in order {
        let predecessors = flow.blocks[at].predecessors.clone();
        let mut now = maker.join(&predecessors, &live[at], &done, flow);
        let mut commands = Vec::new();
        for piece in std::mem::take(&mut pieces[at]) {
            maker.piece(piece, &mut now, &mut commands);
        }
        *flow.commands_mut(at) = commands;
        done[at] = Some(now);
    }
    Some(maker.made)
}

/// The variables whose values matter where each block begins.
fn liveness(
    program: &Program,
    flow: &Flow,
    order: &[usize],
    pieces: &[Vec<Piece>],
) -> Vec<BTreeSet<VariableId>> {
    let mut live = vec![BTreeSet::new(); flow.blocks.len()];
    for at in order.iter().rev() {
        let mut now: BTreeSet<VariableId> = BTreeSet::new();
        for target in flow.targets(*at) {
            now.extend(live[*target].iter().copied());
        }
        for piece in pieces[*at].iter().rev() {
            match piece {
                Piece::Command(command) => step_back(program, command, &mut now),
                Piece::Verbatim(_) => {}
                Piece::Drop(variables) => now.retain(|it| !variables.contains(it)),
            }
        }
        live[*at] = now;
    }
    live
}

fn step_back(program: &Program, command: &PlainCommand, live: &mut BTreeSet<VariableId>) {
    let mentioned = |expr: NodeId, live: &mut BTreeSet<VariableId>| {
        for node in program.graph.below(&[expr]) {
            if let NodeKind::Variable(variable) = program.graph.kind(node) {
                live.insert(*variable);
            }
        }
    };
    match &command.kind {
        PlainKind::Assert(_) | PlainKind::Assume(_) if never(&program.graph, command) => live.clear(),
        PlainKind::Assert(expr) | PlainKind::Assume(expr) => mentioned(*expr, live),
        PlainKind::Step(CommandKind::Havoc(variables) | CommandKind::Enter(variables)) => {
            live.retain(|it| !variables.contains(it));
        }
        PlainKind::Step(CommandKind::Assign(pairs)) => {
            let used: Vec<NodeId> =
                pairs.iter().filter(|(it, _)| live.remove(it)).map(|(_, value)| *value).collect();
            used.into_iter().for_each(|value| mentioned(value, live));
        }
        PlainKind::Equal(_) | PlainKind::Step(_) => {}
    }
}

/// What a variable is at a place, and by which command: values that are written alike are told apart.
type Value = (NodeId, u64);

/// What variables are, in the order of a table that fills the places of what was taken out, the last one first.
#[derive(Clone, Debug, Default)]
struct Incarnations {
    slots: Vec<Option<(VariableId, Value)>>,
    places: FxHashMap<VariableId, usize>,
    free: Vec<usize>,
}

impl Incarnations {
    fn get(&self, variable: VariableId) -> Option<Value> {
        let place = *self.places.get(&variable)?;
        self.slots[place].map(|(_, value)| value)
    }

    fn set(&mut self, variable: VariableId, value: Value) {
        let place = match self.places.get(&variable) {
            Some(place) => *place,
            None => self.free.pop().unwrap_or(self.slots.len()),
        };
        if place == self.slots.len() {
            self.slots.push(None);
        }
        self.slots[place] = Some((variable, value));
        self.places.insert(variable, place);
    }

    fn remove(&mut self, variable: VariableId) {
        if let Some(place) = self.places.remove(&variable) {
            self.slots[place] = None;
            self.free.push(place);
        }
    }

    fn keys(&self) -> Vec<VariableId> {
        self.slots.iter().flatten().map(|(variable, _)| *variable).collect()
    }

    /// A copy without gaps.
    fn packed(&self) -> Self {
        let mut packed = Self::default();
        for (variable, value) in self.slots.iter().flatten() {
            packed.set(*variable, *value);
        }
        packed
    }
}

struct Maker<'p> {
    program: &'p mut Program,
    numbers: FxHashMap<VariableId, u32>,
    made: Vec<VariableId>,
    identities: u64,
}

impl Maker<'_> {
    fn identity(&mut self) -> u64 {
        self.identities += 1;
        self.identities
    }

    /// A new incarnation of a variable.
    fn incarnation(&mut self, variable: VariableId) -> Value {
        let number = self.numbers.entry(variable).or_insert(0);
        let (ty, span) = (self.program.variables[variable].ty, self.program.variables[variable].span);
        let name = self.program.names.text(self.program.variables[variable].name);
        let name = format!("{name}#AT#{number}");
        *number += 1;
        let name = self.program.names.intern(&name);
        let made = Variable { span, ..Variable::made(name, ty, VariableKind::Local) };
        let made = self.program.variables.push(made);
        self.made.push(made);
        (self.program.graph.add(NodeKind::Variable(made), ty), self.identity())
    }

    /// What variables are behind all these blocks, with what makes them so at the end of each.
    fn join(
        &mut self,
        predecessors: &[usize],
        live: &BTreeSet<VariableId>,
        done: &[Option<Incarnations>],
        flow: &mut Flow,
    ) -> Incarnations {
        let mut all = predecessors.iter().map(|at| done[*at].as_ref());
        let Some(Some(first)) = all.next() else { return Incarnations::default() };
        let mut now = first.packed();
        let mut differ: Vec<VariableId> = Vec::new();
        let mut differs = |variable: VariableId| {
            if !differ.contains(&variable) {
                differ.push(variable);
            }
        };
        for other in all {
            let Some(other) = other else { continue };
            let missing: Vec<VariableId> =
                now.keys().into_iter().filter(|it| other.get(*it).is_none()).collect();
            for variable in missing {
                differs(variable);
                now.remove(variable);
            }
            for variable in other.keys() {
                match now.get(variable) {
                    None => differs(variable),
                    Some(value) if Some(value) != other.get(variable) => {
                        now.remove(variable);
                        differs(variable);
                    }
                    Some(_) => {}
                }
            }
        }
        for variable in differ {
            if !live.contains(&variable) {
                continue;
            }
            let new = self.incarnation(variable);
            now.set(variable, new);
            for at in predecessors {
                let before = done[*at].as_ref().and_then(|it| it.get(variable)).map(|(value, _)| value);
                let before = before.unwrap_or_else(|| self.itself(variable));
                let kind = PlainKind::Equal(vec![(new.0, before)]);
                flow.commands_mut(*at).push(PlainCommand::of(kind, self.program.variables[variable].span));
            }
        }
        now
    }

    fn itself(&mut self, variable: VariableId) -> NodeId {
        self.program.graph.add(NodeKind::Variable(variable), self.program.variables[variable].ty)
    }

    fn binary(&mut self, op: BinaryOp, left: NodeId, right: NodeId) -> NodeId {
        let bool = self.program.types.bool();
        self.program.graph.add(NodeKind::Binary(op, left, right), bool)
    }

    fn piece(&mut self, piece: Piece, now: &mut Incarnations, commands: &mut Vec<PlainCommand>) {
        match piece {
            Piece::Command(command) => self.command(command, now, commands),
            Piece::Verbatim(command) => commands.push(command),
            Piece::Drop(variables) => variables.into_iter().for_each(|it| now.remove(it)),
        }
    }

    fn command(&mut self, command: PlainCommand, now: &mut Incarnations, commands: &mut Vec<PlainCommand>) {
        // What is told on the way is told at a command of its own.
        if command.has("print") {
            let bool = self.program.types.bool();
            let yes = self.program.graph.add(NodeKind::Bool(true), bool);
            commands.push(PlainCommand::of(PlainKind::Assume(yes), Span::NOWHERE));
        }
        let PlainCommand { kind, span, .. } = &command;
        let span = *span;
        match kind {
            PlainKind::Assume(expr) if command.has(INITIALIZATION) => {
                if let NodeKind::Variable(variable) = *self.program.graph.kind(*expr) {
                    let bool = self.program.types.bool();
                    let yes = self.program.graph.add(NodeKind::Bool(true), bool);
                    let identity = self.identity();
                    now.set(variable, (yes, identity));
                }
            }
            PlainKind::Assert(expr) => {
                let kind = PlainKind::Assert(self.value(*expr, now));
                commands.push(PlainCommand { kind, ..command });
            }
            PlainKind::Assume(expr) => {
                let kind = PlainKind::Assume(self.value(*expr, now));
                commands.push(PlainCommand { kind, ..command });
            }
            PlainKind::Step(CommandKind::Assign(pairs)) => self.assign(pairs, span, now, commands),
            PlainKind::Step(CommandKind::Havoc(variables) | CommandKind::Enter(variables)) => {
                self.forget(variables, span, now, commands);
            }
            PlainKind::Equal(_) | PlainKind::Step(_) => commands.push(command),
        }
    }

    fn assign(
        &mut self,
        pairs: &[(VariableId, NodeId)],
        span: Span,
        now: &mut Incarnations,
        commands: &mut Vec<PlainCommand>,
    ) {
        let values: Vec<NodeId> = pairs.iter().map(|(_, value)| self.value(*value, now)).collect();
        let mut new: Vec<(VariableId, Value)> = Vec::new();
        let mut known = Vec::new();
        for ((variable, written), value) in pairs.iter().zip(values) {
            match *self.program.graph.kind(*written) {
                NodeKind::Bool(_)
                | NodeKind::Int(_)
                | NodeKind::Real(..)
                | NodeKind::BitVector(..)
                | NodeKind::Float(_)
                | NodeKind::RoundingMode(_)
                | NodeKind::Text(_) => {
                    let identity = self.identity();
                    now.set(*variable, (value, identity));
                }
                NodeKind::Variable(from) => {
                    let value = now.get(from).unwrap_or_else(|| (value, self.identity()));
                    new.push((*variable, value));
                }
                NodeKind::Constant(_) => {
                    let identity = self.identity();
                    new.push((*variable, (value, identity)));
                }
                _ => {
                    let incarnation = self.incarnation(*variable);
                    new.push((*variable, incarnation));
                    known.push((incarnation.0, self.without_truth(value)));
                }
            }
        }
        for (variable, value) in new {
            now.set(variable, value);
        }
        if !known.is_empty() {
            commands.push(PlainCommand::of(PlainKind::Equal(known), span));
        }
    }

    /// The second part of a conjunction whose first part always holds, or that never holds itself.
    fn without_truth(&self, value: NodeId) -> NodeId {
        let graph = &self.program.graph;
        let is = |node: NodeId, truth: bool| *graph.kind(node) == NodeKind::Bool(truth);
        match *graph.kind(value) {
            NodeKind::Binary(BinaryOp::And, a, b) if is(a, true) || is(b, false) => b,
            _ => value,
        }
    }

    fn forget(
        &mut self,
        variables: &[VariableId],
        span: Span,
        now: &mut Incarnations,
        commands: &mut Vec<PlainCommand>,
    ) {
        let before = now.clone();
        for variable in variables {
            let new = self.incarnation(*variable);
            now.set(*variable, new);
        }
        for variable in variables {
            if let Some(condition) = self.program.variables[*variable].condition {
                let condition = self.value(condition, now);
                commands.push(PlainCommand::of(PlainKind::Assume(condition), span));
            }
        }
        for variable in variables {
            if !self.program.variables[*variable].assumption {
                continue;
            }
            if let (Some(old), Some(new)) = (before.get(*variable), now.get(*variable)) {
                let kept = self.binary(BinaryOp::Implies, new.0, old.0);
                commands.push(PlainCommand::of(PlainKind::Assume(kept), span));
            }
        }
    }

    /// An expression over what variables are now, and in `old` over what global variables were on entry.
    fn value(&mut self, expr: NodeId, now: &Incarnations) -> NodeId {
        let Program { graph, variables, .. } = &mut *self.program;
        let mut inside = FxHashMap::default();
        graph.replace(expr, &mut FxHashMap::default(), &mut |graph, id| match *graph.kind(id) {
            NodeKind::Variable(variable) => now.get(variable).map(|(value, _)| value),
            NodeKind::Old(inner) => {
                Some(graph.replace(inner, &mut inside, &mut |graph, id| match *graph.kind(id) {
                    NodeKind::Variable(variable) if variables[variable].kind != VariableKind::Global => {
                        now.get(variable).map(|(value, _)| value)
                    }
                    _ => None,
                }))
            }
            _ => None,
        })
    }
}
