//! The walk over a tree that finds its definitions and what its names mean.

use rustc_hash::FxHashMap;

use super::{Definition, DefinitionKind, Definitions};
use crate::base::names::Symbol;
use crate::syntax::ast::{
    Ast, Attribute, AttributeValue, Binding, BlockEnd, Body, CommandKind, Condition, Declaration,
    DeclarationKind, ExprId, ExprKind, Ident, Signature, Statements, Target, TargetStep, TypeExprId,
    TypeExprKind, TypedName, Visibility,
};

/// Everything that a program defines, and its names with what they mean, in no order.
pub(super) fn definitions(ast: &Ast) -> Definitions {
    let mut walk =
        Walk { ast, found: Definitions::default(), scopes: vec![Scope::default()], work: Vec::new() };
    for (index, declaration) in ast.declarations.iter().enumerate() {
        walk.declare(index, declaration);
    }
    for (index, declaration) in ast.declarations.iter().enumerate() {
        walk.declaration(index, declaration);
        walk.finish();
    }
    walk.found
}

/// Names that do not get into each other's way.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Space {
    Types,
    Values,
    Functions,
    Procedures,
    Fields,
    Labels,
}

#[derive(Default)]
struct Scope {
    around: Option<usize>,
    names: FxHashMap<(Space, Symbol), Vec<usize>>,
}

/// What is still to be looked at, in a scope.
enum Work<'a> {
    Expr(ExprId),
    Type(TypeExprId),
    Body(&'a Body),
    Statements(&'a Statements),
}

struct Walk<'a> {
    ast: &'a Ast,
    found: Definitions,
    scopes: Vec<Scope>,
    work: Vec<(Work<'a>, usize)>,
}

/// The scope of the program.
const GLOBAL: usize = 0;

impl<'a> Walk<'a> {
    /// Enters what a declaration gives to the whole program.
    fn declare(&mut self, index: usize, declaration: &Declaration) {
        use DefinitionKind as Kind;
        let at = (index, GLOBAL);
        match &declaration.kind {
            DeclarationKind::TypeConstructor { name, .. } | DeclarationKind::TypeSynonym { name, .. } => {
                self.define(at, Space::Types, Kind::Type, *name, None);
            }
            DeclarationKind::Datatype { name, constructors, .. } => {
                self.define(at, Space::Types, Kind::Type, *name, None);
                for (constructor, fields) in constructors {
                    self.define(at, Space::Functions, Kind::Constructor, *constructor, None);
                    for field in fields {
                        self.define(at, Space::Fields, Kind::Field, field.name, Some(field.ty));
                    }
                }
            }
            DeclarationKind::Constants { names, .. } => {
                for name in names {
                    self.define(at, Space::Values, Kind::Constant, name.name, Some(name.ty));
                }
            }
            DeclarationKind::Variables(names) => {
                for name in names {
                    self.define(at, Space::Values, Kind::Global, name.name, Some(name.ty));
                }
            }
            DeclarationKind::Function(function) => {
                self.define(at, Space::Functions, Kind::Function, function.name, None);
            }
            DeclarationKind::Procedure(procedure) => {
                self.define(at, Space::Procedures, Kind::Procedure, procedure.signature.name, None);
            }
            DeclarationKind::Implementation(implementation) => {
                // It has its procedure's name, and means it.
                let name = implementation.signature.name;
                let definition = Definition {
                    name: name.name,
                    kind: Kind::Implementation,
                    span: name.span,
                    ty: None,
                    declaration: index,
                };
                self.found.all.push(definition);
            }
            DeclarationKind::Axiom(_) | DeclarationKind::Dropped => {}
        }
    }

    /// Enters a definition; of fields each of one name, of others the first in a scope.
    fn define(
        &mut self,
        (declaration, scope): (usize, usize),
        space: Space,
        kind: DefinitionKind,
        name: Ident,
        ty: Option<TypeExprId>,
    ) {
        let index = self.found.all.len();
        self.found.all.push(Definition { name: name.name, kind, span: name.span, ty, declaration });
        self.found.uses.push((name.span, index));
        let known = self.scopes[scope].names.entry((space, name.name)).or_default();
        if known.is_empty() || space == Space::Fields {
            known.push(index);
        }
    }

    fn mean(&mut self, space: Space, name: Ident, scope: usize) {
        let mut next = Some(scope);
        while let Some(at) = next {
            if let Some(meant) = self.scopes[at].names.get(&(space, name.name)) {
                self.found.uses.extend(meant.iter().map(|definition| (name.span, *definition)));
                return;
            }
            next = self.scopes[at].around;
        }
    }

    fn scope(&mut self, around: usize) -> usize {
        self.scopes.push(Scope { around: Some(around), names: FxHashMap::default() });
        self.scopes.len() - 1
    }

    fn later_expr(&mut self, expr: ExprId, scope: usize) {
        self.work.push((Work::Expr(expr), scope));
    }

    fn later_type(&mut self, ty: TypeExprId, scope: usize) {
        self.work.push((Work::Type(ty), scope));
    }

    fn type_parameters(&mut self, declaration: usize, parameters: &[Ident], scope: usize) {
        for parameter in parameters {
            let at = (declaration, scope);
            self.define(at, Space::Types, DefinitionKind::TypeParameter, *parameter, None);
        }
    }

    fn attributes(&mut self, attributes: &[Attribute], scope: usize) {
        for attribute in attributes {
            for value in &attribute.parameters {
                if let AttributeValue::Expr(expr) = value {
                    self.later_expr(*expr, scope);
                }
            }
        }
    }

    /// Names with types; what belongs to them sees all of them.
    fn typed_names(&mut self, at: (usize, usize), kind: DefinitionKind, names: &[TypedName]) {
        for name in names {
            self.define(at, Space::Values, kind, name.name, Some(name.ty));
        }
        self.around_names(names, at.1);
    }

    fn around_names(&mut self, names: &[TypedName], scope: usize) {
        for name in names {
            self.later_type(name.ty, scope);
            self.attributes(&name.attributes, scope);
            if let Some(condition) = name.condition {
                self.later_expr(condition, scope);
            }
        }
    }

    fn signature(&mut self, declaration: usize, signature: &Signature) -> usize {
        let scope = self.scope(GLOBAL);
        self.type_parameters(declaration, &signature.type_parameters, scope);
        let at = (declaration, scope);
        self.typed_names(at, DefinitionKind::Parameter, &signature.inputs);
        self.typed_names(at, DefinitionKind::Parameter, &signature.outputs);
        scope
    }

    fn conditions(&mut self, conditions: &[Condition], scope: usize) {
        for condition in conditions {
            self.later_expr(condition.expr, scope);
            self.attributes(&condition.attributes, scope);
        }
    }

    fn declaration(&mut self, index: usize, declaration: &'a Declaration) {
        self.attributes(&declaration.attributes, GLOBAL);
        match &declaration.kind {
            DeclarationKind::TypeConstructor { parameters, .. } => {
                let scope = self.scope(GLOBAL);
                self.type_parameters(index, parameters, scope);
            }
            DeclarationKind::TypeSynonym { parameters, body, .. } => {
                let scope = self.scope(GLOBAL);
                self.type_parameters(index, parameters, scope);
                self.later_type(*body, scope);
            }
            DeclarationKind::Datatype { parameters, constructors, .. } => {
                let scope = self.scope(GLOBAL);
                self.type_parameters(index, parameters, scope);
                for (_, fields) in constructors {
                    self.around_names(fields, scope);
                }
            }
            DeclarationKind::Constants { names, order, .. } => {
                self.around_names(names, GLOBAL);
                for (_, parent) in order.iter().flat_map(|order| &order.parents) {
                    self.mean(Space::Values, *parent, GLOBAL);
                }
            }
            DeclarationKind::Variables(names) => self.around_names(names, GLOBAL),
            DeclarationKind::Function(function) => {
                let scope = self.scope(GLOBAL);
                self.type_parameters(index, &function.type_parameters, scope);
                for (name, ty) in &function.parameters {
                    if let Some(name) = name {
                        let at = (index, scope);
                        self.define(at, Space::Values, DefinitionKind::Parameter, *name, Some(*ty));
                    }
                    self.later_type(*ty, scope);
                }
                self.later_type(function.result, scope);
                if let Some(body) = function.body {
                    self.later_expr(body, scope);
                }
            }
            DeclarationKind::Axiom(expr) => self.later_expr(*expr, GLOBAL),
            DeclarationKind::Procedure(procedure) => {
                let scope = self.signature(index, &procedure.signature);
                self.conditions(&procedure.requires, scope);
                self.conditions(&procedure.ensures, scope);
                for name in &procedure.modifies {
                    self.mean(Space::Values, *name, GLOBAL);
                }
                if let Some(body) = &procedure.body {
                    self.work.push((Work::Body(body), scope));
                }
            }
            DeclarationKind::Implementation(implementation) => {
                self.mean(Space::Procedures, implementation.signature.name, GLOBAL);
                let scope = self.signature(index, &implementation.signature);
                self.work.push((Work::Body(&implementation.body), scope));
            }
            DeclarationKind::Dropped => {}
        }
        self.drain(index);
    }

    /// Looks at everything that is left of a declaration.
    fn drain(&mut self, declaration: usize) {
        while let Some((work, scope)) = self.work.pop() {
            match work {
                Work::Expr(expr) => self.expr(declaration, expr, scope),
                Work::Type(ty) => self.ty(declaration, ty, scope),
                Work::Body(body) => {
                    let scope = self.scope(scope);
                    self.typed_names((declaration, scope), DefinitionKind::Local, &body.locals);
                    self.labels(declaration, &body.statements, scope);
                    self.work.push((Work::Statements(&body.statements), scope));
                }
                Work::Statements(statements) => self.statements(statements, scope),
            }
        }
    }

    /// The scopes of a declaration that was looked at are not needed any more.
    fn finish(&mut self) {
        self.scopes.truncate(GLOBAL + 1);
    }

    fn ty(&mut self, declaration: usize, ty: TypeExprId, scope: usize) {
        let ast = self.ast;
        match &ast.types[ty].kind {
            TypeExprKind::Bool | TypeExprKind::Int | TypeExprKind::Real => {}
            TypeExprKind::Named(name, arguments) => {
                self.mean(Space::Types, *name, scope);
                arguments.iter().for_each(|argument| self.later_type(*argument, scope));
            }
            TypeExprKind::Map { parameters, arguments, result } => {
                let scope = self.scope(scope);
                self.type_parameters(declaration, parameters, scope);
                arguments.iter().chain([result]).for_each(|ty| self.later_type(*ty, scope));
            }
        }
    }

    fn expr(&mut self, declaration: usize, expr: ExprId, scope: usize) {
        let ast = self.ast;
        let node = &ast.exprs[expr];
        match &node.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(..)
            | ExprKind::BitVector(..)
            | ExprKind::Float(_)
            | ExprKind::RoundingMode(_)
            | ExprKind::Text(_)
            | ExprKind::Bounds(..)
            | ExprKind::Missing => {}
            ExprKind::Name(name) => self.mean(Space::Values, Ident { name: *name, span: node.span }, scope),
            ExprKind::Unary(_, a) | ExprKind::Extract(a, ..) | ExprKind::Old(a) => self.later_expr(*a, scope),
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|it| self.later_expr(*it, scope)),
            ExprKind::Apply(name, arguments) => {
                self.mean(Space::Functions, *name, scope);
                arguments.iter().for_each(|argument| self.later_expr(*argument, scope));
            }
            ExprKind::Select(map, indices) => {
                indices.iter().chain([map]).for_each(|it| self.later_expr(*it, scope));
            }
            ExprKind::Store(map, indices, value) => {
                indices.iter().chain([map, value]).for_each(|it| self.later_expr(*it, scope));
            }
            ExprKind::Field(data, field) => {
                self.mean(Space::Fields, *field, scope);
                self.later_expr(*data, scope);
            }
            ExprKind::FieldUpdate(data, field, value) => {
                self.mean(Space::Fields, *field, scope);
                [data, value].into_iter().for_each(|it| self.later_expr(*it, scope));
            }
            ExprKind::Is(data, constructor) => {
                self.mean(Space::Functions, *constructor, scope);
                self.later_expr(*data, scope);
            }
            ExprKind::Coerce(inner, ty) => {
                self.later_expr(*inner, scope);
                self.later_type(*ty, scope);
            }
            ExprKind::IfThenElse(a, b, c) => {
                [a, b, c].into_iter().for_each(|it| self.later_expr(*it, scope));
            }
            ExprKind::Quantifier(quantifier) => {
                let scope = self.scope(scope);
                self.type_parameters(declaration, &quantifier.type_parameters, scope);
                self.typed_names((declaration, scope), DefinitionKind::Bound, &quantifier.bound);
                self.attributes(&quantifier.attributes, scope);
                for term in quantifier.triggers.iter().flat_map(|trigger| &trigger.terms) {
                    self.later_expr(*term, scope);
                }
                self.later_expr(quantifier.body, scope);
            }
            ExprKind::Let(binding) => {
                let Binding { names, values, attributes, body } = &**binding;
                values.iter().for_each(|value| self.later_expr(*value, scope));
                let scope = self.scope(scope);
                for (_, name) in names {
                    let at = (declaration, scope);
                    self.define(at, Space::Values, DefinitionKind::Bound, *name, None);
                }
                self.attributes(attributes, scope);
                self.later_expr(*body, scope);
            }
            ExprKind::Code(body) => self.work.push((Work::Body(body), scope)),
        }
    }

    /// Enters the labels of a body, nested ones too: jumps may go forward.
    fn labels(&mut self, declaration: usize, statements: &Statements, scope: usize) {
        let mut rest = vec![statements];
        while let Some(statements) = rest.pop() {
            for block in &statements.blocks {
                if let Some(label) = block.label {
                    let at = (declaration, scope);
                    self.define(at, Space::Labels, DefinitionKind::Label, label, None);
                }
                match &block.end {
                    BlockEnd::If { branches, otherwise } => {
                        rest.extend(branches.iter().map(|branch| &branch.then).chain(otherwise));
                    }
                    BlockEnd::While { body, .. } => rest.push(body),
                    BlockEnd::FallThrough
                    | BlockEnd::Goto(..)
                    | BlockEnd::Return(_)
                    | BlockEnd::ReturnValue(..)
                    | BlockEnd::Break(..) => {}
                }
            }
        }
    }

    fn statements(&mut self, statements: &'a Statements, scope: usize) {
        for block in &statements.blocks {
            for command in &block.commands {
                self.attributes(&command.attributes, scope);
                self.command(&command.kind, scope);
            }
            self.attributes(&block.jump, scope);
            match &block.end {
                BlockEnd::FallThrough | BlockEnd::Return(_) => {}
                BlockEnd::Goto(_, labels) => {
                    labels.iter().for_each(|label| self.mean(Space::Labels, *label, scope));
                }
                BlockEnd::ReturnValue(_, expr) => self.later_expr(*expr, scope),
                BlockEnd::Break(_, label) => {
                    label.iter().for_each(|label| self.mean(Space::Labels, *label, scope));
                }
                BlockEnd::If { branches, otherwise } => {
                    for branch in branches {
                        self.attributes(&branch.attributes, scope);
                        branch.guard.iter().for_each(|guard| self.later_expr(*guard, scope));
                        self.work.push((Work::Statements(&branch.then), scope));
                    }
                    self.work.extend(otherwise.iter().map(|it| (Work::Statements(it), scope)));
                }
                BlockEnd::While { guard, invariants, body, .. } => {
                    guard.iter().for_each(|guard| self.later_expr(*guard, scope));
                    self.conditions(invariants, scope);
                    self.work.push((Work::Statements(body), scope));
                }
            }
        }
    }

    fn command(&mut self, command: &CommandKind, scope: usize) {
        let mut values = |names: &[Ident]| names.iter().for_each(|it| self.mean(Space::Values, *it, scope));
        match command {
            CommandKind::Assert(expr) | CommandKind::Assume(expr) => self.later_expr(*expr, scope),
            CommandKind::Havoc(names) => values(names),
            CommandKind::Assign(targets, exprs) => {
                targets.iter().for_each(|target| self.target(target, scope));
                exprs.iter().for_each(|expr| self.later_expr(*expr, scope));
            }
            CommandKind::Unpack(constructor, names, expr) => {
                values(names);
                self.mean(Space::Functions, *constructor, scope);
                self.later_expr(*expr, scope);
            }
            CommandKind::Call { outputs, callee, arguments, .. } => {
                values(outputs);
                self.mean(Space::Procedures, *callee, scope);
                arguments.iter().for_each(|argument| self.later_expr(*argument, scope));
            }
            CommandKind::Visibility(Visibility::Hide(names) | Visibility::Reveal(names)) => {
                names.iter().flatten().for_each(|name| self.mean(Space::Functions, *name, scope));
            }
            CommandKind::Visibility(Visibility::Push | Visibility::Pop) => {}
        }
    }

    fn target(&mut self, target: &Target, scope: usize) {
        self.mean(Space::Values, target.base, scope);
        for step in &target.steps {
            match step {
                TargetStep::Index(_, indices) => {
                    indices.iter().for_each(|index| self.later_expr(*index, scope));
                }
                TargetStep::Field(field) => self.mean(Space::Fields, *field, scope),
            }
        }
    }
}
