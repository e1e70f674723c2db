//! What a proof needs (`-trackVerificationCoverage`): a variant of the program with a constant for each named part.
//!
//! Assumptions `P` become `c ==> P` and checks `P` become `c && P`. With all constants true that is the program; a
//! constant that the solver does not need to be true stands for an assumption that proves nothing, or for a check
//! that needs no proof of its own, since control does not get there. The names are those of `{:id "..."}`. A call
//! with a name has its callee's named conditions for its own, and an invariant counts three times: on entry, where
//! it is maintained, and where it is assumed.

use rustc_hash::FxHashMap;

use crate::base::names::Symbol;
use crate::resolve::graph::{ConstantId, NodeId, NodeKind};
use crate::resolve::program::{
    Call, Command, CommandKind, Constant, ImplementationId, Observation, Program, Variable, VariableKind,
};
use crate::syntax::ast::BinaryOp;

/// The constants of a variant: their names, and what they stand for in words.
pub(crate) type Tracked = Vec<(String, String)>;

/// Makes the variant in which the named parts of an implementation, and of what it relies on, are tracked.
pub(crate) fn track(program: &mut Program, id: ImplementationId) -> Tracked {
    let mut tracker = Tracker { program, constants: FxHashMap::default(), tracked: Vec::new() };
    tracker.own_conditions(id);
    tracker.axioms();
    let mut blocks = std::mem::take(&mut tracker.program.implementations[id].blocks);
    for block in &mut blocks {
        let mut name = None;
        let mut commands = Vec::with_capacity(block.commands.len());
        for command in std::mem::take(&mut block.commands) {
            match (&command.kind, name.take()) {
                (CommandKind::Observe(Observation::Id(next)), _) => name = Some(*next),
                (_, None) => commands.push(command),
                (_, Some(name)) => tracker.command(command, name, id, &mut commands),
            }
        }
        block.commands = commands;
    }
    let tracked = std::mem::take(&mut tracker.tracked);
    program.implementations[id].blocks = blocks;
    tracked
}

struct Tracker<'p> {
    program: &'p mut Program,
    constants: FxHashMap<String, ConstantId>,
    tracked: Tracked,
}

impl Tracker<'_> {
    fn text(&self, name: Symbol) -> &str {
        self.program.names.text(name)
    }

    /// The constant of something that is described so.
    fn constant(&mut self, description: String) -> NodeId {
        let bool = self.program.types.bool();
        let id = match self.constants.get(&description) {
            Some(id) => *id,
            None => {
                // No name of a program has a space in it.
                let text = format!("needed {}", self.tracked.len());
                let name = self.program.names.intern(&text);
                let constant = Constant { name, ty: bool, unique: false, existential: false, value: None };
                let id = self.program.constants.push(constant);
                self.constants.insert(description.clone(), id);
                self.tracked.push((text, description));
                id
            }
        };
        self.program.graph.add(NodeKind::Constant(id), bool)
    }

    /// An assumption that counts if the constant is true.
    fn assumed(&mut self, expr: NodeId, description: String) -> NodeId {
        let (bool, constant) = (self.program.types.bool(), self.constant(description));
        self.program.graph.add(NodeKind::Binary(BinaryOp::Implies, constant, expr), bool)
    }

    /// A check that can succeed if the constant is true.
    fn checked(&mut self, expr: NodeId, description: String) -> NodeId {
        let (bool, constant) = (self.program.types.bool(), self.constant(description));
        self.program.graph.add(NodeKind::Binary(BinaryOp::And, constant, expr), bool)
    }

    /// The implementation gets a procedure of its own, whose conditions are those of the body alone.
    fn own_conditions(&mut self, id: ImplementationId) {
        let mut own = self.program.procedures[self.program.implementations[id].procedure].clone();
        for condition in &mut own.requires {
            if let Some(name) = condition.id {
                condition.expr = self.assumed(condition.expr, self.text(name).to_owned());
            }
        }
        for condition in own.ensures.iter_mut().filter(|condition| !condition.free) {
            if let Some(name) = condition.id {
                condition.expr = self.checked(condition.expr, self.text(name).to_owned());
            }
        }
        self.program.implementations[id].procedure = self.program.procedures.push(own);
    }

    fn axioms(&mut self) {
        for id in self.program.axioms.ids().collect::<Vec<_>>() {
            if let Some(name) = self.program.axioms[id].id {
                let expr = self.program.axioms[id].expr;
                self.program.axioms[id].tracked = Some(self.assumed(expr, self.text(name).to_owned()));
            }
        }
    }

    /// Adds a named command.
    fn command(&mut self, command: Command, name: Symbol, id: ImplementationId, into: &mut Vec<Command>) {
        let Command { kind, span } = command;
        let name = self.text(name).to_owned();
        let kind = match kind {
            CommandKind::Assume(expr) => CommandKind::Assume(self.assumed(expr, name)),
            CommandKind::Assert(expr, mut notes) => {
                notes.tracked = Some(self.invariant(expr, &name));
                CommandKind::Assert(self.checked(expr, name), notes)
            }
            CommandKind::Invariant { expr, free, mut notes } => {
                notes.tracked = Some(self.invariant(expr, &name));
                CommandKind::Invariant { expr, free, notes }
            }
            CommandKind::Assign(pairs) => {
                // A variable without conditions gets the value under the constant, and the target gets the variable.
                let bool = self.program.types.bool();
                let mut given = Vec::with_capacity(pairs.len());
                for (target, value) in pairs {
                    let Variable { name: target_name, ty, .. } = self.program.variables[target];
                    let value_of = Variable::made(target_name, ty, VariableKind::Local);
                    let value_of = self.program.variables.push(value_of);
                    self.program.implementations[id].locals.push(value_of);
                    let new = self.program.graph.add(NodeKind::Variable(value_of), ty);
                    let equation = self.program.graph.add(NodeKind::Binary(BinaryOp::Eq, new, value), bool);
                    let equation = self.assumed(equation, name.clone());
                    into.push(Command { kind: CommandKind::Havoc(vec![value_of]), span });
                    into.push(Command { kind: CommandKind::Assume(equation), span });
                    given.push((target, new));
                }
                CommandKind::Assign(given)
            }
            CommandKind::Call(call) => CommandKind::Call(Box::new(self.call(*call, &name))),
            CommandKind::Havoc(_)
            | CommandKind::Enter(_)
            | CommandKind::Visibility(_)
            | CommandKind::Observe(_) => kind,
        };
        into.push(Command { kind, span });
    }

    /// What stands for an invariant on entry, where it is maintained, and where it is assumed.
    fn invariant(&mut self, expr: NodeId, name: &str) -> [NodeId; 3] {
        [
            self.checked(expr, format!("invariant {name} established")),
            self.checked(expr, format!("invariant {name} maintained")),
            self.assumed(expr, format!("invariant {name} assumed in body")),
        ]
    }

    /// A call of a procedure of its own, whose conditions are those of the call.
    fn call(&mut self, call: Call, name: &str) -> Call {
        let mut callee = self.program.procedures[call.callee].clone();
        for condition in callee.requires.iter_mut().filter(|condition| !condition.free) {
            if let Some(id) = condition.id {
                let description = format!("requires clause {} proved for call {name}", self.text(id));
                condition.expr = self.checked(condition.expr, description);
            }
        }
        for condition in &mut callee.ensures {
            if let Some(id) = condition.id {
                let description = format!("ensures clause {} from call {name}", self.text(id));
                condition.expr = self.assumed(condition.expr, description);
            }
        }
        Call { callee: self.program.procedures.push(callee), ..call }
    }
}
