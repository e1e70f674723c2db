//! What a callee says, in the caller's names: a variable for each of its own, types for its type parameters.

use rustc_hash::FxHashMap;

use super::Inliner;
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{Call, CheckNotes, Command, CommandKind, Program, Variable, VariableKind};
use crate::resolve::types::{Type, TypeId, TypeVariableId};

/// What a callee's names mean in the caller.
#[derive(Default)]
pub(super) struct Scope {
    /// Before all labels: empty for the caller itself.
    pub(super) prefix: String,
    pub(super) variables: FxHashMap<VariableId, VariableId>,
    /// The old values of the global variables that the callee may change.
    pub(super) old: FxHashMap<VariableId, VariableId>,
    pub(super) types: FxHashMap<TypeVariableId, TypeId>,
    pub(super) inlined: bool,
}

impl Inliner<'_> {
    /// A local variable of the caller for one of the callee.
    pub(super) fn copy(&mut self, variable: VariableId, prefix: &str, scope: &Scope) -> VariableId {
        let Variable { name, ty, assumption, span, .. } = self.program.variables[variable].clone();
        let wanted = format!("{prefix}{}", self.program.names.text(name));
        let mut name = self.label(&wanted);
        let mut number = 0;
        while !self.taken.insert(name) {
            number += 1;
            name = self.label(&format!("{wanted}@{number}"));
        }
        let ty = self.program.types.substitute(ty, &scope.types);
        let copy = Variable { assumption, span, ..Variable::made(name, ty, VariableKind::Inlined) };
        let id = self.program.variables.push(copy);
        self.locals.push(id);
        id
    }

    pub(super) fn variable(&mut self, variable: VariableId) -> NodeId {
        let ty = self.program.variables[variable].ty;
        self.program.graph.add(NodeKind::Variable(variable), ty)
    }

    /// An expression of the callee over the caller's types. What the callee's quantifiers bind gets names of its
    /// own, as variables do: a type that the caller passes may mention one of theirs.
    fn typed(&mut self, root: NodeId, scope: &Scope) -> NodeId {
        if scope.types.is_empty() {
            return root;
        }
        let mut map = scope.types.clone();
        for node in self.program.graph.below(&[root]) {
            let NodeKind::Quantifier(quantifier) = self.program.graph.kind(node) else { continue };
            for parameter in quantifier.type_parameters.clone() {
                let prefix = self.label(&scope.prefix);
                let program = &mut *self.program;
                let ty = *self.bound_types.entry((prefix, parameter)).or_insert_with(|| {
                    let name = program.names.text(program.type_names.variables[parameter]);
                    let name = program.names.intern(&format!("{}{name}@", scope.prefix));
                    program.types.intern(Type::Variable(program.type_names.variables.push(name)))
                });
                map.insert(parameter, ty);
            }
        }
        self.program.graph.instantiate(&mut self.program.types, root, &map)
    }

    /// An expression of the callee in the caller's variables.
    pub(super) fn expr(&mut self, root: NodeId, scope: &Scope) -> NodeId {
        if !scope.inlined {
            return root;
        }
        let mut root = self.typed(root, scope);
        let Program { graph, variables, .. } = &mut *self.program;
        if self.level > 0 {
            root = graph.transplant(root, &FxHashMap::default(), 0, self.level);
        }
        let mut old_memo = FxHashMap::default();
        graph.replace(root, &mut FxHashMap::default(), &mut |graph, id| match *graph.kind(id) {
            NodeKind::Variable(variable) => {
                let new = *scope.variables.get(&variable)?;
                Some(graph.add(NodeKind::Variable(new), variables[new].ty))
            }
            // What the callee does not change is as old as it is new.
            NodeKind::Old(inner) => Some(graph.replace(inner, &mut old_memo, &mut |graph, id| {
                let NodeKind::Variable(variable) = *graph.kind(id) else { return None };
                let new = *scope.old.get(&variable).or_else(|| scope.variables.get(&variable))?;
                Some(graph.add(NodeKind::Variable(new), variables[new].ty))
            })),
            _ => None,
        })
    }

    pub(super) fn renamed(&mut self, command: &Command, scope: &Scope) -> Command {
        if !scope.inlined {
            return command.clone();
        }
        let target = |variable: &VariableId| scope.variables.get(variable).copied().unwrap_or(*variable);
        let kind = match &command.kind {
            CommandKind::Assert(expr, notes) => {
                CommandKind::Assert(self.expr(*expr, scope), self.notes(notes, scope))
            }
            CommandKind::Assume(expr) => CommandKind::Assume(self.expr(*expr, scope)),
            CommandKind::Observe(observation) => {
                let mut observation = observation.clone();
                observation.for_each(|value| *value = self.expr(*value, scope));
                CommandKind::Observe(observation)
            }
            CommandKind::Invariant { expr, free, notes } => CommandKind::Invariant {
                expr: self.expr(*expr, scope),
                free: *free,
                notes: self.notes(notes, scope),
            },
            CommandKind::Visibility(change) => CommandKind::Visibility(change.clone()),
            CommandKind::Havoc(variables) => CommandKind::Havoc(variables.iter().map(target).collect()),
            CommandKind::Enter(variables) => CommandKind::Enter(variables.iter().map(target).collect()),
            CommandKind::Assign(pairs) => CommandKind::Assign(
                pairs.iter().map(|(variable, value)| (target(variable), self.expr(*value, scope))).collect(),
            ),
            CommandKind::Call(call) => {
                let Call { callee, free, type_arguments, arguments, outputs, notes } = &**call;
                let types = &mut self.program.types;
                let type_arguments =
                    type_arguments.iter().map(|ty| types.substitute(*ty, &scope.types)).collect();
                CommandKind::Call(Box::new(Call {
                    callee: *callee,
                    free: *free,
                    type_arguments,
                    arguments: arguments.iter().map(|it| self.expr(*it, scope)).collect(),
                    outputs: outputs.iter().map(target).collect(),
                    notes: self.notes(notes, scope),
                }))
            }
        };
        Command { kind, span: command.span }
    }

    pub(super) fn notes(&mut self, notes: &CheckNotes, scope: &Scope) -> CheckNotes {
        CheckNotes { verified_under: notes.verified_under.map(|it| self.expr(it, scope)), ..notes.clone() }
    }
}
