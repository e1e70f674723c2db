//! Calls as what they stand for: arguments to variables of their own, checks, what may change forgotten, what is
//! promised assumed.

use rustc_hash::FxHashMap;

use crate::base::source::Span;
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{Call, CommandKind, Condition, Program, Variable, VariableKind};
use crate::resolve::types::{TypeId, TypeVariableId};
use crate::resolve::unparse::plain::{PlainCommand, PlainKind};

/// A part of what becomes of a block.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Command(PlainCommand),
    /// A condition that is said as it stands, whatever variables are by then.
    Verbatim(PlainCommand),
    /// Variables are gone.
    Drop(Vec<VariableId>),
}

/// The variables of a call.
struct Calling {
    types: FxHashMap<TypeVariableId, TypeId>,
    now: FxHashMap<VariableId, VariableId>,
    before: FxHashMap<VariableId, VariableId>,
    locals: Vec<VariableId>,
}

/// What a call becomes.
pub(super) fn desugar(program: &mut Program, command: &PlainCommand, call: &Call) -> Vec<Piece> {
    let procedure = program.procedures[call.callee].clone();
    let types = procedure.type_parameters.iter().copied().zip(call.type_arguments.iter().copied());
    let mut calling = Calling {
        types: types.collect(),
        now: FxHashMap::default(),
        before: FxHashMap::default(),
        locals: Vec::new(),
    };
    let inputs: Vec<VariableId> =
        procedure.inputs.iter().map(|it| calling.add(program, *it, "formal")).collect();
    for global in &procedure.modifies {
        calling.add(program, *global, "old");
    }
    let outputs: Vec<VariableId> =
        procedure.outputs.iter().map(|it| calling.add(program, *it, "formal")).collect();
    let mut pieces = Vec::new();
    for (declared, made) in procedure.outputs.iter().zip(&outputs) {
        if let Some(condition) = program.variables[*declared].condition {
            let condition = calling.apply(program, condition);
            program.variables[*made].condition = Some(condition);
            pieces.push(Piece::Verbatim(PlainCommand::of(PlainKind::Assume(condition), command.span)));
        }
    }
    let mut push = |kind: PlainKind| pieces.push(Piece::Command(PlainCommand::of(kind, command.span)));
    for (made, argument) in inputs.iter().zip(&call.arguments) {
        push(PlainKind::Step(CommandKind::Assign(vec![(*made, *argument)])));
    }
    for condition in &procedure.requires {
        if let Some(required) = calling.required(program, command, call, condition) {
            pieces.push(Piece::Command(required));
        }
    }
    let mut push = |kind: PlainKind| pieces.push(Piece::Command(PlainCommand::of(kind, command.span)));
    for global in &procedure.modifies {
        let ty = program.variables[*global].ty;
        let value = program.graph.add(NodeKind::Variable(*global), ty);
        let old = calling.before[global];
        push(PlainKind::Step(CommandKind::Assign(vec![(old, value)])));
    }
    let forgotten = procedure.modifies.iter().chain(&outputs).copied().collect();
    push(PlainKind::Step(CommandKind::Havoc(forgotten)));
    for condition in &procedure.ensures {
        push(PlainKind::Assume(calling.apply(program, condition.expr)));
    }
    for (made, output) in outputs.iter().zip(&call.outputs) {
        let value = program.graph.add(NodeKind::Variable(*made), program.variables[*made].ty);
        push(PlainKind::Step(CommandKind::Assign(vec![(*output, value)])));
    }
    pieces.push(Piece::Drop(calling.locals));
    pieces
}

impl Calling {
    /// Makes a variable for one of the callee's, or for what a global variable was.
    fn add(&mut self, program: &mut Program, of: VariableId, kind: &str) -> VariableId {
        let ty = program.variables[of].ty;
        let ty = program.types.substitute(ty, &self.types);
        let name = program.names.text(program.variables[of].name);
        let name = format!("call{}{kind}#AT#{name}", self.locals.len());
        let name = program.names.intern(&name);
        let made = program.variables.push(Variable::made(name, ty, VariableKind::Local));
        if kind == "old" {
            self.before.insert(of, made);
        } else {
            self.now.insert(of, made);
        }
        self.locals.push(made);
        made
    }

    fn required(
        &self,
        program: &mut Program,
        command: &PlainCommand,
        call: &Call,
        condition: &Condition,
    ) -> Option<PlainCommand> {
        let expr = self.apply(program, condition.expr);
        if !condition.free && !call.free {
            let (kind, subsumption) = (PlainKind::Assert(expr), call.notes.subsumption.unwrap_or(2));
            return Some(PlainCommand { kind, subsumption, negated: false, ..command.clone() });
        }
        condition.always.then(|| PlainCommand::of(PlainKind::Assume(expr), Span::NOWHERE))
    }

    /// A condition of the callee in the variables of the call.
    fn apply(&self, program: &mut Program, expr: NodeId) -> NodeId {
        let expr = program.graph.instantiate(&mut program.types, expr, &self.types);
        let variables = &program.variables;
        let mut inside = FxHashMap::default();
        program.graph.replace(expr, &mut FxHashMap::default(), &mut |graph, id| match *graph.kind(id) {
            NodeKind::Variable(it) => {
                let made = *self.now.get(&it)?;
                Some(graph.add(NodeKind::Variable(made), variables[made].ty))
            }
            NodeKind::Old(inner) => {
                Some(graph.replace(inner, &mut inside, &mut |graph, id| match *graph.kind(id) {
                    NodeKind::Variable(it) => {
                        let made = *self.before.get(&it).or_else(|| self.now.get(&it))?;
                        Some(graph.add(NodeKind::Variable(made), variables[made].ty))
                    }
                    _ => None,
                }))
            }
            _ => None,
        })
    }
}
