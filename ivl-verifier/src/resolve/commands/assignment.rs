//! Assignments: what may be changed, fields and elements as targets, and datatypes taken apart.

use rustc_hash::FxHashMap;

use super::Scope;
use crate::base::diagnostic::Stage;
use crate::base::source::Span;
use crate::resolve::access::Naming;
use crate::resolve::graph::{ConstructorId, NodeId, NodeKind, VariableId};
use crate::resolve::program::{CheckNotes, CheckOrigin, CommandKind, VariableKind};
use crate::resolve::resolver::{Resolver, ValueMeaning};
use crate::resolve::types::TypeId;
use crate::resolve::written::Written;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, Ident, Target, TargetStep};

impl<'a> Resolver<'a> {
    /// The variable that a name means in a place that changes it.
    pub(super) fn assignable(&mut self, name: Ident, at: Span, scope: &Scope) -> Option<VariableId> {
        let (variable, wrong) = self.target_variable(name, scope);
        if let Some(message) = wrong {
            self.type_error(at, message);
        }
        variable
    }

    /// The variable that a name means in a place that changes it, and why it may not be changed there.
    fn target_variable(&mut self, name: Ident, scope: &Scope) -> (Option<VariableId>, Option<String>) {
        let text = self.text(name.name).to_owned();
        let immutable = || Some(format!("command assigns to an immutable variable: {text}"));
        let variable = match scope.context.locals.get(&name.name) {
            Some(variable) => *variable,
            None => match self.values.get(&name.name) {
                Some(ValueMeaning::Variable(variable)) => *variable,
                Some(ValueMeaning::Constant(_)) => return (None, immutable()),
                None => {
                    self.name_error(name.span, format!("undeclared identifier: {text}"));
                    return (None, None);
                }
            },
        };
        let wrong = match self.program.variables[variable].kind {
            VariableKind::Input => immutable(),
            VariableKind::Global if !self.infer_modifies && !scope.modifies.contains(&variable) => {
                Some(not_modifiable(&text))
            }
            _ => None,
        };
        (Some(variable), wrong)
    }

    /// An assumption variable is only ever strengthened, and in one place.
    fn check_strengthening(&mut self, at: Span, target: &Target, value: ExprId, scope: &Scope) {
        let name = target.base.name;
        let Some(variable) = scope.context.locals.get(&name).copied() else { return };
        if !target.steps.is_empty() || !self.program.variables[variable].assumption {
            return;
        }
        let kind = |expr: ExprId| &self.ast.exprs[expr].kind;
        let strengthens = match kind(value) {
            ExprKind::Binary(BinaryOp::And, first, _) => {
                matches!(kind(*first), ExprKind::Name(it) if *it == name)
            }
            _ => false,
        };
        let text = self.text(name).to_owned();
        if !strengthens {
            let message = format!(
                "RHS of assignment to assumption variable {text} must match expression \"{text} && <boolean expression>\""
            );
            self.name_error(at, message);
        } else if !self.strengthened.insert(variable) {
            self.name_error(at, "assumption variable may not be assigned to more than once");
        }
    }

    /// Tells of the variables that several targets of an assignment change, where there is no other use of it.
    fn tell_repeated(&mut self, targets: &[Target], scope: &Scope) {
        let mut seen = Vec::new();
        for target in targets {
            let Some(variable) = self.target_variable(target.base, scope).0 else { continue };
            if seen.contains(&variable) {
                self.tell_repeated_target(target);
            }
            seen.push(variable);
        }
    }

    fn tell_repeated_target(&mut self, target: &Target) {
        let name = self.text(target.base.name);
        let message = format!("variable {name} is assigned more than once in parallel assignment");
        let place = match target.steps.last() {
            Some(TargetStep::Index(span, _)) => *span,
            Some(TargetStep::Field(field)) => field.span,
            None => target.base.span,
        };
        self.name_error(place, message);
    }

    /// A parallel assignment: targets with their maps and datatypes updated.
    pub(super) fn assignment(
        &mut self,
        at: Span,
        targets: &[Target],
        values: &[ExprId],
        scope: &Scope,
    ) -> Option<CommandKind> {
        if targets.len() != values.len() {
            self.name_error(at, "number of left-hand sides does not match number of right-hand sides");
            for value in values {
                self.expression_of(*value, &scope.context, None, |_, _| (at, String::new()));
            }
            self.tell_repeated(targets, scope);
            return None;
        }
        let mut pairs: Vec<(VariableId, NodeId)> = Vec::new();
        // What is wrong between a target and its value is told only if they are all right by themselves.
        let errors = self.type_errors;
        let told = self.diagnostics.len();
        let mut late: Vec<(Span, String)> = Vec::new();
        for (target, value) in targets.iter().zip(values) {
            self.check_strengthening(at, target, *value, scope);
            let (variable, wrong) = self.target_variable(target.base, scope);
            late.extend(wrong.map(|message| (at, message)));
            let Some(variable) = variable else {
                for step in &target.steps {
                    let TargetStep::Index(_, indices) = step else { continue };
                    for index in indices {
                        self.expression_of(*index, &scope.context, None, |_, _| (at, String::new()));
                    }
                }
                self.expression_of(*value, &scope.context, None, |_, _| (at, String::new()));
                continue;
            };
            if pairs.iter().any(|(earlier, _)| *earlier == variable) {
                self.tell_repeated_target(target);
            }
            let value = self.target_value(variable, target, *value, scope, &mut late);
            pairs.push((variable, value));
        }
        // Targets are checked before values, which stand behind the sign.
        self.diagnostics[told..].sort_by_key(|(_, it)| it.stage == Stage::Types && it.span.start > at.start);
        if errors == self.type_errors {
            for (span, message) in late {
                self.type_error(span, message);
            }
        }
        Some(CommandKind::Assign(pairs))
    }

    /// The type of an element of a variable, so many maps deep.
    fn written_target(&self, variable: VariableId, depth: usize) -> Option<Written> {
        let whole: Written = self.written_variable(variable)?.into();
        (0..depth).try_fold(whole, |map, _| Some(self.written_map(map)?.1))
    }

    /// The new value of a variable whose part is assigned to: nested stores and field updates.
    fn target_value(
        &mut self,
        variable: VariableId,
        target: &Target,
        value: ExprId,
        scope: &Scope,
        late: &mut Vec<(Span, String)>,
    ) -> NodeId {
        // The indices of all steps and the value are inferred together.
        let mut exprs: Vec<ExprId> = Vec::new();
        for step in &target.steps {
            if let TargetStep::Index(_, indices) = step {
                exprs.extend(indices);
            }
        }
        exprs.push(value);
        let spans: Vec<Span> = exprs.iter().map(|expr| self.ast.exprs[*expr].span).collect();
        let whole = self.program.variables[variable].ty;
        let mut step_types: Vec<TypeId> = Vec::new();
        let mut open: Vec<(Span, Vec<TypeId>)> = Vec::new();
        let mut places: Vec<Vec<(ConstructorId, u32)>> = Vec::new();
        let nodes = self.expressions_together(&exprs, &scope.context, |resolver, types| {
            let mut current = whole;
            let mut used = 0;
            // Where that is named which the next step leads into.
            let mut place = target.base.span;
            for step in &target.steps {
                step_types.push(current);
                current = match step {
                    TargetStep::Index(span, indices) => {
                        let end = used + indices.len();
                        let found: Vec<(TypeId, Span)> =
                            types[used..end].iter().copied().zip(spans[used..end].iter().copied()).collect();
                        used = end;
                        // Boogie names the kind of thing.
                        let simple = step_types.len() == 1;
                        let whole = |_: &Self| {
                            let kind = if simple { "SimpleAssignLhs" } else { "MapAssignLhs" };
                            (place, format!("Microsoft.Boogie.{kind}"))
                        };
                        let own = &exprs[used - indices.len()..used];
                        let spell = |resolver: &Self, index: usize, [found, expected]: [TypeId; 2]| {
                            let near = |name| scope.context.near(resolver, name);
                            let map = resolver.written_target(variable, step_types.len() - 1);
                            let written = map.and_then(|it| resolver.written_map(it));
                            let written = written.and_then(|(indices, _)| indices.get(index).cloned());
                            [
                                resolver.shown(own[index], found, &near),
                                resolver.spelled(written.as_ref(), expected),
                            ]
                        };
                        let (element, holes) = resolver.element(
                            (*span, current),
                            &found,
                            "map assignment",
                            &Naming { whole: &whole, types: &spell },
                        );
                        open.push((*span, holes));
                        place = *span;
                        element
                    }
                    TargetStep::Field(field) => {
                        let found = resolver.field_of(current, *field);
                        let unknown = resolver.program.types.unknown();
                        let (found, ty) = found.unwrap_or((Vec::new(), unknown));
                        places.push(found);
                        ty
                    }
                };
                if matches!(step, TargetStep::Index(..)) {
                    places.push(Vec::new());
                }
            }
            step_types.push(current);
            let found = types[types.len() - 1];
            if !resolver.program.types.unify(found, current) {
                let only_indices = target.steps.iter().all(|it| matches!(it, TargetStep::Index(..)));
                let whole = resolver.written_target(variable, target.steps.len()).filter(|_| only_indices);
                let message = format!(
                    "mismatched types in assignment command (cannot assign {} to {})",
                    resolver.shown(value, found, &|name| scope.context.near(resolver, name)),
                    resolver.spelled(whole.as_ref(), current)
                );
                // At the last step into the variable, or at the variable itself.
                let place = match target.steps.last() {
                    Some(TargetStep::Index(span, _)) => *span,
                    Some(TargetStep::Field(field)) => field.span,
                    None => target.base.span,
                };
                late.push((place, message));
            }
            for (span, holes) in &open {
                resolver.settle_open(*span, holes);
            }
        });
        let int = self.program.types.int();
        let types: Vec<TypeId> =
            step_types.iter().map(|ty| self.program.types.settle(*ty, Some(int))).collect();
        // Read the way in, then write the way back.
        let mut nodes = nodes.into_iter();
        let mut bases = vec![self.variable_node(variable)];
        let mut indices: Vec<Vec<NodeId>> = Vec::new();
        for (depth, step) in target.steps.iter().enumerate() {
            let base = bases[depth];
            let ty = types[depth + 1];
            match step {
                TargetStep::Index(_, exprs) => {
                    let found: Vec<NodeId> = nodes.by_ref().take(exprs.len()).collect();
                    bases.push(self.program.graph.add(NodeKind::Select(base, found.clone()), ty));
                    indices.push(found);
                }
                TargetStep::Field(_) => {
                    bases.push(self.read_field(base, &places[depth], ty));
                    indices.push(Vec::new());
                }
            }
        }
        let mut new = nodes.next().unwrap_or_else(|| self.missing_node());
        for (depth, step) in target.steps.iter().enumerate().rev() {
            let (base, ty) = (bases[depth], types[depth]);
            new = match step {
                TargetStep::Index(..) => {
                    self.program.graph.add(NodeKind::Store(base, indices[depth].clone(), new), ty)
                }
                TargetStep::Field(_) => self.write_field(base, &places[depth], new, ty),
            };
        }
        new
    }

    /// The fields of a value whose constructor must be the given one.
    pub(super) fn unpack(
        &mut self,
        at: Span,
        constructor: Ident,
        targets: &[Ident],
        value: ExprId,
        scope: &Scope,
    ) -> Vec<CommandKind> {
        let Some(crate::resolve::resolver::FunctionMeaning::Constructor(id)) =
            self.functions.get(&constructor.name).copied()
        else {
            let message = format!("undeclared constructor: {}", self.text(constructor.name));
            self.name_error(constructor.span, message);
            return Vec::new();
        };
        let fields = self.program.constructors[id].fields.clone();
        if fields.len() != targets.len() {
            self.type_error(at, "number of left-hand sides does not match number of right-hand sides");
            return Vec::new();
        }
        let datatype = self.program.constructors[id].datatype;
        // The variables fit the constructor as its arguments would.
        let program = &mut self.program;
        let parameters = program.type_constructors[datatype].parameters.clone();
        let holes: Vec<TypeId> =
            parameters.iter().map(|it| program.types.hole_named(program.type_names.variables[*it])).collect();
        let map: FxHashMap<_, _> = parameters.into_iter().zip(holes.iter().copied()).collect();
        let made = program.types.intern(crate::resolve::types::Type::Named(datatype, holes));
        let variables: Vec<VariableId> =
            targets.iter().filter_map(|target| self.assignable(*target, at, scope)).collect();
        if variables.len() < targets.len() {
            return Vec::new();
        }
        let mut fits = true;
        for (index, (variable, (_, field))) in variables.iter().zip(&fields).enumerate() {
            let found = self.program.variables[*variable].ty;
            let expected = self.program.types.substitute(*field, &map);
            if !self.program.types.unify(found, expected) {
                let message = format!(
                    "invalid type for argument {index} in application of {}: {} (expected: {})",
                    self.text(constructor.name),
                    self.show(found),
                    self.show(expected)
                );
                self.type_error(targets[index].span, message);
                fits = false;
            }
        }
        let value = self.expressions_together(&[value], &scope.context, |resolver, types| {
            if fits && !resolver.program.types.unify(types[0], made) {
                let message = format!(
                    "mismatched types in assignment command (cannot assign {} to {})",
                    resolver.show(types[0]),
                    resolver.show(made)
                );
                resolver.type_error(at, message);
            }
        })[0];
        for (index, variable) in variables.iter().enumerate() {
            if variables[..index].contains(variable) {
                let text = self.text(self.program.variables[*variable].name).to_owned();
                self.type_error(at, format!("variable {text} is assigned more than once in unpack command"));
            }
        }
        let pairs = variables
            .into_iter()
            .enumerate()
            .map(|(index, variable)| {
                let ty = self.program.variables[variable].ty;
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                (variable, self.program.graph.add(NodeKind::Field(id, index, value), ty))
            })
            .collect();
        let mut commands = Vec::new();
        if self.program.type_constructors[datatype].constructors.len() > 1 {
            let bool = self.program.types.bool();
            let made = self.program.graph.add(NodeKind::Is(id, value), bool);
            let notes = CheckNotes { origin: CheckOrigin::Unpacking, ..CheckNotes::default() };
            commands.push(CommandKind::Assert(made, notes));
        }
        commands.push(CommandKind::Assign(pairs));
        commands
    }

    /// Where a field of a datatype stands, and its type.
    fn field_of(&mut self, whole: TypeId, field: Ident) -> Option<(Vec<(ConstructorId, u32)>, TypeId)> {
        let whole = self.program.types.shallow(whole);
        if whole == self.program.types.unknown() {
            return None;
        }
        let crate::resolve::types::Type::Named(datatype, arguments) = self.program.types.get(whole).clone()
        else {
            let message =
                format!("field-access must be applied to a datatype, {} is not a datatype", self.show(whole));
            self.type_error(field.span, message);
            return None;
        };
        let entity = self.program.type_constructors[datatype].clone();
        let places = self.places_of(&entity.constructors, field.name);
        let first = places.first();
        let ty =
            first.map(|(constructor, at)| self.program.constructors[*constructor].fields[*at as usize].1);
        let Some(ty) = ty else {
            let message = format!(
                "datatype {} does not have a field with name {}",
                self.show(whole),
                self.text(field.name)
            );
            self.type_error(field.span, message);
            return None;
        };
        let map: FxHashMap<_, _> = entity.parameters.iter().copied().zip(arguments).collect();
        Some((places, self.program.types.substitute(ty, &map)))
    }
}

/// What is said of a variable that its procedure may not change.
pub(super) fn not_modifiable(text: &str) -> String {
    format!(
        "command assigns to a global variable that is not in the enclosing procedure's modifies clause: {text}"
    )
}
