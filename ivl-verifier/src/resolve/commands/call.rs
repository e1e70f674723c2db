//! Calls of procedures.

use rustc_hash::FxHashMap;

use super::Scope;
use super::assignment::not_modifiable;
use crate::base::diagnostic::Stage;
use crate::base::source::Span;
use crate::resolve::graph::VariableId;
use crate::resolve::program::{Call, CheckNotes, CommandKind};
use crate::resolve::resolver::Resolver;
use crate::resolve::types::TypeId;
use crate::syntax::ast::{ExprId, ExprKind, Ident};

impl<'a> Resolver<'a> {
    /// A call, with arguments that fit, and results that go to variables that may be changed.
    pub(super) fn call(
        &mut self,
        at: Span,
        (free, callee): (bool, Ident),
        outputs: &[Ident],
        arguments: &[ExprId],
        notes: CheckNotes,
        scope: &Scope,
    ) -> Option<CommandKind> {
        let name = self.text(callee.name).to_owned();
        let found = self.procedures.get(&callee.name).copied();
        if found.is_none() {
            self.name_error(at, format!("call to undeclared procedure: {name}"));
        }
        let fits = found.is_some_and(|id| {
            let procedure = &self.program.procedures[id];
            arguments.len() == procedure.inputs.len() && outputs.len() == procedure.outputs.len()
        });
        let Some(id) = found.filter(|_| fits) else {
            // What can be said of the parts is said all the same.
            for argument in arguments {
                self.expression_of(*argument, &scope.context, None, |_, _| (at, String::new()));
            }
            self.call_targets(outputs, at, scope);
            let id = found?;
            let procedure = &self.program.procedures[id];
            let counts = [
                (arguments.len(), procedure.inputs.len(), "arguments"),
                (outputs.len(), procedure.outputs.len(), "result variables"),
            ];
            for (found, expected, what) in counts {
                if found != expected {
                    self.name_error(at, format!("wrong number of {what} in call to {name}: {found}"));
                    break;
                }
            }
            return None;
        };
        let procedure = self.program.procedures[id].clone();
        let program = &mut self.program;
        let holes: Vec<TypeId> = procedure
            .type_parameters
            .iter()
            .map(|it| program.types.hole_named(program.type_names.variables[*it]))
            .collect();
        let map: FxHashMap<_, _> =
            procedure.type_parameters.iter().copied().zip(holes.iter().copied()).collect();
        // Names of arguments are looked up before those of results.
        let told = self.diagnostics.len();
        let targets = self.call_targets(outputs, at, scope);
        let of_targets = self.diagnostics.split_off(told);
        let (names, others): (Vec<_>, Vec<_>) =
            of_targets.into_iter().partition(|(_, it)| it.stage == Stage::Names);
        self.diagnostics.extend(others);
        let nodes = self.expressions_together(arguments, &scope.context, |resolver, types| {
            for (index, (found, input)) in types.iter().zip(&procedure.inputs).enumerate() {
                let declared = resolver.program.variables[*input].ty;
                let expected = resolver.program.types.substitute(declared, &map);
                if !resolver.program.types.unify(*found, expected) {
                    let message = format!(
                        "invalid type for argument {index} in call to {name}: {} (expected: {})",
                        resolver.shown(arguments[index], *found, &|name| scope.context.near(resolver, name)),
                        resolver
                            .spelled(resolver.written_variable(*input).map(Into::into).as_ref(), declared)
                    );
                    // Code expressions have no place in Boogie.
                    let argument = &resolver.ast.exprs[arguments[index]];
                    let is_code = matches!(argument.kind, ExprKind::Code(_));
                    resolver.type_error(if is_code { Span::NOWHERE } else { argument.span }, message);
                }
            }
            for (index, (target, output)) in targets.iter().zip(&procedure.outputs).enumerate() {
                let declared = resolver.program.variables[*output].ty;
                let expected = resolver.program.types.substitute(declared, &map);
                let found = resolver.program.variables[*target].ty;
                if !resolver.program.types.unify(found, expected) {
                    // What depends on the call's own types is told as they are here.
                    let written =
                        resolver.written_variable(*output).filter(|_| holes.is_empty()).map(Into::into);
                    let message = format!(
                        "invalid type for out-parameter {index} in call to {name}: {} (expected: {})",
                        resolver.spelled(resolver.written_variable(*target).map(Into::into).as_ref(), found),
                        resolver.spelled(written.as_ref(), expected)
                    );
                    resolver.type_error(outputs[index].span, message);
                }
            }
            resolver.settle_open(at, &holes);
        });
        self.diagnostics.extend(names);
        if scope.pure && !procedure.pure {
            self.name_error(at, "pure procedure may only call a pure procedure");
        }
        for modified in &procedure.modifies {
            if !self.infer_modifies && !scope.modifies.contains(modified) {
                let text = self.text(self.program.variables[*modified].name).to_owned();
                self.type_error(at, not_modifiable(&text));
            }
        }
        let int = self.program.types.int();
        let type_arguments = holes.iter().map(|hole| self.program.types.settle(*hole, Some(int))).collect();
        Some(CommandKind::Call(Box::new(Call {
            callee: id,
            free,
            type_arguments,
            arguments: nodes,
            outputs: targets,
            notes,
        })))
    }

    /// The variables that the results of a call go to, each of which may be named once.
    fn call_targets(&mut self, outputs: &[Ident], at: Span, scope: &Scope) -> Vec<VariableId> {
        let targets: Vec<VariableId> =
            outputs.iter().filter_map(|output| self.assignable(*output, at, scope)).collect();
        for (index, target) in targets.iter().enumerate() {
            if targets[..index].contains(target) {
                let text = self.text(self.program.variables[*target].name).to_owned();
                let message = format!("left-hand side of call command contains variable twice: {text}");
                self.name_error(at, message);
            }
        }
        targets
    }
}
