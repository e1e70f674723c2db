//! Names and types of expressions.
//!
//! One walk without recursion gives every expression of the syntax tree its meaning and its type, with
//! holes where a polymorphic operation leaves a type open and unification to fill them. A second loop,
//! over the same expressions in the order in which the walk left them, builds the graph.

mod build;
mod hints;
mod operations;
pub(super) mod tables;
mod triggers;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::arena::Id;
use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::resolve::graph::{BoundVariable, NodeId, NodeKind, VariableId};
use crate::resolve::program::{Variable, VariableKind};
use crate::resolve::resolver::{Resolver, ValueMeaning};
use crate::resolve::types::{Type, TypeId};
use crate::resolve::written::Written;
use crate::syntax::ast::{
    Attribute, AttributeValue, Binder, Binding, ExprId, ExprKind, Quantifier, TypeExprId,
};
use tables::{Finding, NameMeaning, ScopeEntry, Step, Tables};

/// What names mean where an expression stands.
#[derive(Clone, Default)]
pub(super) struct Context {
    /// Whether global variables may be used.
    pub(super) globals: bool,
    /// Whether `old` may be used.
    pub(super) two_state: bool,
    /// Parameters, results and local variables.
    pub(super) locals: FxHashMap<Symbol, VariableId>,
    /// Variables that are bound outside the expression, such as a function's parameters, and that no other
    /// name hides.
    pub(super) bound: Vec<BoundVariable>,
    /// How many variables are bound outside the expression, hidden or not.
    pub(super) level: u32,
    /// The types of a function's parameters as they are declared.
    pub(super) declared: Vec<(Symbol, TypeExprId)>,
}

impl Context {
    /// The declared type of a name that is not known everywhere.
    pub(super) fn near(&self, resolver: &Resolver<'_>, name: Symbol) -> Option<Option<TypeExprId>> {
        match self.locals.get(&name) {
            Some(variable) => Some(resolver.written_variable(*variable)),
            None => {
                let declared = self.declared.iter().find(|(it, _)| *it == name).map(|(_, ty)| *ty);
                self.bound.iter().any(|it| it.name == name).then_some(declared)
            }
        }
    }
}

struct Walk<'r, 'a, 'c> {
    resolver: &'r mut Resolver<'a>,
    context: &'c Context,
    tables: Tables,
    level: u32,
    /// Whether the walk is inside a lambda.
    in_lambda: bool,
    /// The `old` expressions around, outermost first.
    olds: Vec<ExprId>,
    /// Of each name, code expression and `old` inside another `old`, the outermost one.
    inside_old: FxHashMap<ExprId, ExprId>,
    /// The outermost `old` expressions in which not everything is older: a name that `let` binds around them
    /// means what its value is there. In these, `old` stands at each variable instead.
    scattered: FxHashSet<ExprId>,
    /// The types that functions, selections, stores and constructors leave open, where there are any.
    open: FxHashMap<ExprId, Vec<TypeId>>,
}

impl<'a> Resolver<'a> {
    /// Resolves an expression that must be Boolean, for a command that is reported at its own place with the type
    /// that was found.
    pub(super) fn boolean_of(&mut self, expr: ExprId, context: &Context, at: Span, what: &str) -> NodeId {
        let bool = self.program.types.bool();
        let wrong = |found: &str, _: &str| (at, format!("{what} must be of type bool (got: {found})"));
        self.expression_of(expr, context, Some(bool), wrong)
    }

    /// Resolves an expression that must have a given type. `wrong` makes the message from the type
    /// found and the type expected.
    pub(super) fn expression_of(
        &mut self,
        expr: ExprId,
        context: &Context,
        expected: Option<TypeId>,
        wrong: impl FnOnce(&str, &str) -> (Span, String),
    ) -> NodeId {
        let mut wrong = Some(wrong);
        let nodes = self.expressions_together(&[expr], context, |resolver, types| {
            if let Some(expected) = expected
                && !resolver.program.types.unify(types[0], expected)
                && let Some(wrong) = wrong.take()
            {
                let found = resolver.shown(expr, types[0], &|name| context.near(resolver, name));
                let (span, message) = wrong(&found, &resolver.show(expected));
                resolver.type_error(span, message);
            }
        });
        nodes[0]
    }

    /// Resolves expressions whose types are inferred together. `constrain` sees their types before
    /// open ones are settled.
    pub(super) fn expressions_together(
        &mut self,
        exprs: &[ExprId],
        context: &Context,
        constrain: impl FnOnce(&mut Self, &[TypeId]),
    ) -> Vec<NodeId> {
        // The same for all walks, but for those that begin within another one.
        let tables = self.tables.pop().unwrap_or_else(|| Tables::for_expressions(self.ast.exprs.len()));
        let mut walk = Walk {
            resolver: self,
            context,
            tables,
            level: context.level,
            in_lambda: false,
            olds: Vec::new(),
            inside_old: FxHashMap::default(),
            scattered: FxHashSet::default(),
            open: FxHashMap::default(),
        };
        for bound in &context.bound {
            let declared = context.near(walk.resolver, bound.name).flatten();
            walk.bring(bound.name, NameMeaning::Bound(bound.clone()), bound.ty, declared);
        }
        for expr in exprs {
            walk.tables.steps.push(Step::Enter(*expr));
            walk.run();
        }
        let types: Vec<TypeId> = exprs.iter().map(|expr| walk.ty(*expr)).collect();
        constrain(walk.resolver, &types);
        walk.build(exprs)
    }

    /// Stands for an expression about which an error was reported.
    pub(super) fn missing_node(&mut self) -> NodeId {
        let unknown = self.program.types.unknown();
        self.program.graph.add(NodeKind::Bool(true), unknown)
    }
}

impl Walk<'_, '_, '_> {
    fn ty(&self, expr: ExprId) -> TypeId {
        self.tables.slots[expr.index()].ty.unwrap_or_else(|| self.resolver.program.types.unknown())
    }

    fn span(&self, expr: ExprId) -> Span {
        self.resolver.ast.exprs[expr].span
    }

    fn show(&self, ty: TypeId) -> String {
        self.resolver.show(ty)
    }

    /// The type of an expression for a message.
    fn shown(&self, expr: ExprId) -> String {
        self.resolver.shown(expr, self.ty(expr), &|name| self.near(name))
    }

    /// The types of the indices and elements of a map, as they are written.
    fn written_map(&self, map: ExprId) -> Option<(Vec<Written>, Written)> {
        let map = self.resolver.written(map, &|name| self.near(name))?;
        self.resolver.written_map(map)
    }

    /// The declared type of a name that is not known everywhere.
    fn near(&self, name: Symbol) -> Option<Option<TypeExprId>> {
        self.tables.written(name).or_else(|| self.context.near(self.resolver, name))
    }

    /// Brings a name into scope.
    fn bring(&mut self, name: Symbol, meaning: NameMeaning, ty: TypeId, written: Option<TypeExprId>) {
        let in_old = !self.olds.is_empty();
        self.tables.scope.push(ScopeEntry { name, meaning, ty, written, in_old });
    }

    fn unify(&mut self, left: TypeId, right: TypeId) -> bool {
        self.resolver.program.types.unify(left, right)
    }

    fn run(&mut self) {
        while let Some(step) = self.tables.steps.pop() {
            match step {
                Step::Enter(expr) => self.enter(expr),
                Step::Leave(expr, errors) => {
                    let ty = self.leave(expr, errors);
                    self.tables.slots[expr.index()].ty = Some(ty);
                    self.tables.order.push(expr);
                }
                Step::BindLet(expr) => {
                    if let ExprKind::Let(binding) = &self.resolver.ast.exprs[expr].kind {
                        let Binding { names, values, .. } = &**binding;
                        let unknown = self.resolver.program.types.unknown();
                        for (index, (_, name)) in names.iter().enumerate() {
                            if names[..index].iter().any(|(_, earlier)| earlier.name == name.name) {
                                self.resolver.declared_twice(*name);
                            }
                            // If there are too few values, that was reported.
                            let ty = values.get(index).map_or(unknown, |value| self.ty(*value));
                            if let Some(value) = values.get(index).or(values.last()) {
                                self.bring(name.name, NameMeaning::Value(*value), ty, None);
                            }
                        }
                    }
                }
                Step::EndScope(values, types, level, in_lambda) => {
                    self.in_lambda = in_lambda;
                    self.tables.scope.truncate(values);
                    self.resolver.type_scope.truncate(types);
                    self.level = level;
                }
            }
        }
    }

    fn enter(&mut self, expr: ExprId) {
        let ast = self.resolver.ast;
        self.tables.order_entered.push(expr);
        self.tables.steps.push(Step::Leave(expr, self.resolver.type_errors));
        if let (ExprKind::Name(_) | ExprKind::Old(_) | ExprKind::Code(_), Some(outermost)) =
            (&ast.exprs[expr].kind, self.olds.first())
        {
            self.inside_old.insert(expr, *outermost);
        }
        let first = self.tables.steps.len();
        let end = Step::EndScope(
            self.tables.scope.len(),
            self.resolver.type_scope.len(),
            self.level,
            self.in_lambda,
        );
        match &ast.exprs[expr].kind {
            ExprKind::Unary(_, a)
            | ExprKind::Extract(a, _, _)
            | ExprKind::Field(a, _)
            | ExprKind::Is(a, _)
            | ExprKind::Coerce(a, _) => self.tables.steps.push(Step::Enter(*a)),
            ExprKind::Old(a) => {
                if !self.context.two_state {
                    let span = ast.exprs[expr].span;
                    self.resolver.name_error(span, "old expressions allowed only in two-state contexts");
                }
                self.olds.push(expr);
                self.tables.steps.push(Step::Enter(*a));
            }
            ExprKind::Binary(_, a, b) | ExprKind::FieldUpdate(a, _, b) => {
                self.tables.steps.extend([Step::Enter(*a), Step::Enter(*b)]);
            }
            ExprKind::Apply(_, arguments) => {
                self.tables.steps.extend(arguments.iter().map(|it| Step::Enter(*it)));
            }
            ExprKind::Select(map, indices) => {
                self.tables.steps.push(Step::Enter(*map));
                self.tables.steps.extend(indices.iter().map(|it| Step::Enter(*it)));
            }
            ExprKind::Store(map, indices, value) => {
                self.tables.steps.push(Step::Enter(*map));
                self.tables.steps.extend(indices.iter().map(|it| Step::Enter(*it)));
                self.tables.steps.push(Step::Enter(*value));
            }
            ExprKind::IfThenElse(a, b, c) => {
                self.tables.steps.extend([Step::Enter(*a), Step::Enter(*b), Step::Enter(*c)]);
            }
            ExprKind::Let(binding) => {
                let Binding { names, values, attributes, body } = &**binding;
                if names.len() != values.len() {
                    self.resolver.name_error(
                        self.resolver.ast.exprs[expr].span,
                        "number of left-hand sides does not match number of right-hand sides",
                    );
                }
                self.tables.steps.extend(values.iter().map(|it| Step::Enter(*it)));
                self.tables.steps.push(Step::BindLet(expr));
                self.enter_attributes(attributes.iter());
                self.tables.steps.extend([Step::Enter(*body), end]);
            }
            ExprKind::Quantifier(quantifier) => {
                self.enter_quantifier(expr, quantifier);
                let of_bound = quantifier.bound.iter().flat_map(|name| &name.attributes);
                self.enter_attributes(quantifier.attributes.iter().chain(of_bound));
                self.tables
                    .steps
                    .extend(quantifier.triggers.iter().flat_map(|it| &it.terms).map(|it| Step::Enter(*it)));
                self.tables.steps.extend([Step::Enter(quantifier.body), end]);
            }
            _ => {}
        }
        // Steps are taken from the end: what was listed first comes first.
        self.tables.steps[first..].reverse();
    }

    /// What stands in attributes is looked at for its mistakes; numbers and the like have none.
    fn enter_attributes<'q>(&mut self, attributes: impl Iterator<Item = &'q Attribute>) {
        let ast = self.resolver.ast;
        for attribute in attributes {
            let wanted = hints::puts_into_pool(attribute, &ast.names);
            for value in &attribute.parameters {
                if let AttributeValue::Expr(value) = value
                    && (wanted || !matches!(ast.exprs[*value].kind, ExprKind::Int(_) | ExprKind::Bool(_)))
                {
                    self.tables.steps.push(Step::Enter(*value));
                }
            }
        }
    }

    fn enter_quantifier(&mut self, expr: ExprId, quantifier: &Quantifier) {
        let variables = self.resolver.enter_type_parameters(&quantifier.type_parameters);
        let mut bound = Vec::new();
        for name in &quantifier.bound {
            let ty = self.resolver.resolve_type(name.ty);
            if bound.iter().any(|earlier: &BoundVariable| earlier.name == name.name.name) {
                self.resolver.declared_twice(name.name);
            }
            let variable = BoundVariable { name: name.name.name, ty, level: self.level };
            self.level += 1;
            bound.push(variable.clone());
            self.bring(name.name.name, NameMeaning::Bound(variable), ty, Some(name.ty));
        }
        if quantifier.binder == Binder::Lambda {
            for (parameter, variable) in quantifier.type_parameters.iter().zip(&variables) {
                let types = &self.resolver.program.types;
                if !bound.iter().any(|bound| types.mentions(bound.ty, &[*variable])) {
                    let message = format!(
                        "the type variable {} does not occur in types of the lambda parameters",
                        self.resolver.text(parameter.name)
                    );
                    self.resolver.type_error(self.span(expr), message);
                }
            }
        }
        self.in_lambda |= quantifier.binder == Binder::Lambda;
        self.tables.find(expr, Finding::Quantifier(variables, bound, self.in_lambda));
        self.check_forms(quantifier);
    }

    /// The type of an expression whose parts were visited.
    fn leave(&mut self, expr: ExprId, errors_before: usize) -> TypeId {
        let ast = self.resolver.ast;
        let span = ast.exprs[expr].span;
        if errors_before != self.resolver.type_errors && is_operation(&ast.exprs[expr].kind) {
            // What is wrong with a part is said once.
            return self.resolver.program.types.unknown();
        }
        let types = &mut self.resolver.program.types;
        match &ast.exprs[expr].kind {
            ExprKind::Bool(_) => types.bool(),
            ExprKind::Int(_) => types.int(),
            ExprKind::Real(..) => types.real(),
            ExprKind::BitVector(_, width) => types.intern(Type::BitVector(*width)),
            ExprKind::Float(text) => match crate::syntax::float::parse(text) {
                Some(float) => types.intern(Type::Float(float.exponent, float.significand)),
                None => self.problem(span, "invalid floating-point literal"),
            },
            ExprKind::RoundingMode(_) => types.intern(Type::RoundingMode),
            ExprKind::Text(_) => types.intern(Type::Text),
            ExprKind::Missing => types.unknown(),
            ExprKind::Bounds(..) => {
                self.resolver.name_error(span, "bitvector bounds in illegal position");
                self.resolver.program.types.unknown()
            }
            ExprKind::Code(body) => {
                let (context, values) = self.context_of_code();
                let in_old = self.inside_old.get(&expr).copied();
                self.scattered.extend(in_old);
                let index = self.resolver.code(body, &context, span, in_old.is_some());
                self.tables.find(expr, Finding::Code(index, values));
                self.resolver.program.types.bool()
            }
            ExprKind::Name(name) => self.name(expr, *name),
            ExprKind::Unary(op, a) => self.unary(span, *op, *a),
            ExprKind::Binary(op, a, b) => self.binary(expr, *op, *a, *b),
            ExprKind::Apply(function, arguments) => self.apply(expr, *function, arguments),
            ExprKind::Select(map, indices) => self.select(expr, span, *map, indices, "map select").1,
            ExprKind::Store(map, indices, value) => {
                let (map_type, element) = self.select(expr, span, *map, indices, "map store");
                let found = self.ty(*value);
                if !self.unify(found, element) {
                    let message = format!(
                        "right-hand side in map store with wrong type: {} (expected: {})",
                        self.shown(*value),
                        self.resolver.spelled(self.written_map(*map).map(|it| it.1).as_ref(), element)
                    );
                    return self.problem(self.span(*value), &message);
                }
                map_type
            }
            ExprKind::Extract(a, high, low) => self.extract(span, *a, *high, *low),
            ExprKind::Field(a, field) => self.field(expr, *a, *field).1,
            ExprKind::FieldUpdate(a, field, value) => {
                let (whole, ty) = self.field(expr, *a, *field);
                let found = self.ty(*value);
                if !self.unify(found, ty) {
                    let message = format!(
                        "right-hand side in field update with wrong type: {} (expected: {})",
                        self.show(found),
                        self.show(ty)
                    );
                    self.resolver.type_error(field.span, message);
                }
                whole
            }
            ExprKind::Is(a, constructor) => self.is(expr, *a, *constructor),
            ExprKind::Coerce(a, ty) => {
                let target = self.resolver.resolve_type(*ty);
                let found = self.ty(*a);
                if !self.unify(found, target) {
                    let message = format!(
                        "{} cannot be coerced to {}",
                        self.shown(*a),
                        self.resolver.spelled(Some(&(*ty).into()), target)
                    );
                    self.resolver.type_error(span, message);
                }
                target
            }
            ExprKind::Old(a) => {
                self.olds.pop();
                self.ty(*a)
            }
            ExprKind::IfThenElse(condition, then, otherwise) => {
                let (bool, found) = (self.resolver.program.types.bool(), self.ty(*condition));
                if !self.unify(found, bool) {
                    let message = format!(
                        "the first argument to if-then-else should be bool, not {}",
                        self.shown(*condition)
                    );
                    return self.problem(span, &message);
                }
                let (left, right) = (self.ty(*then), self.ty(*otherwise));
                if !self.unify(left, right) {
                    let message = format!(
                        "branches of if-then-else have incompatible types {} and {}",
                        self.shown(*then),
                        self.shown(*otherwise)
                    );
                    return self.problem(span, &message);
                }
                left
            }
            ExprKind::Let(binding) => self.ty(binding.body),
            ExprKind::Quantifier(quantifier) => self.quantifier(expr, quantifier),
        }
    }

    fn problem(&mut self, span: Span, message: &str) -> TypeId {
        self.resolver.type_error(span, message);
        self.resolver.program.types.unknown()
    }

    /// What names mean inside a code expression that stands here. It is resolved by itself, so names that `let`
    /// binds are variables there; gives these with their values.
    fn context_of_code(&mut self) -> (Context, Vec<(VariableId, ExprId)>) {
        let mut context =
            Context { bound: Vec::new(), level: self.level, declared: Vec::new(), ..self.context.clone() };
        let mut values = Vec::new();
        let mut seen: FxHashSet<Symbol> = FxHashSet::default();
        for entry in self.tables.scope.iter().rev() {
            let name = entry.name;
            if !seen.insert(name) {
                continue;
            }
            match &entry.meaning {
                NameMeaning::Bound(variable) => context.bound.push(variable.clone()),
                NameMeaning::Value(value) => {
                    let program = &mut self.resolver.program;
                    let int = program.types.int();
                    let ty = program.types.settle(entry.ty, Some(int));
                    program.types.unify(entry.ty, ty);
                    // Nothing is assigned to it.
                    let variable = program.variables.push(Variable::made(name, ty, VariableKind::Input));
                    context.locals.insert(name, variable);
                    values.push((variable, *value));
                }
                NameMeaning::Variable(_) | NameMeaning::Constant(_) => {}
            }
        }
        context.bound.reverse();
        (context, values)
    }

    fn name(&mut self, expr: ExprId, name: Symbol) -> TypeId {
        let span = self.span(expr);
        if let Some(entry) = self.tables.scope.iter().rev().find(|entry| entry.name == name) {
            let ScopeEntry { meaning, ty, in_old, .. } = entry;
            if let (NameMeaning::Value(_), false, Some(outermost)) =
                (meaning, *in_old, self.inside_old.get(&expr))
            {
                self.scattered.insert(*outermost);
            }
            let (meaning, ty) = (meaning.clone(), *ty);
            self.tables.find(expr, Finding::Name(meaning));
            return ty;
        }
        let (meaning, ty) = if let Some(variable) = self.context.locals.get(&name) {
            (NameMeaning::Variable(*variable), self.resolver.program.variables[*variable].ty)
        } else {
            match self.resolver.values.get(&name).copied() {
                Some(ValueMeaning::Constant(id)) => {
                    (NameMeaning::Constant(id), self.resolver.program.constants[id].ty)
                }
                Some(ValueMeaning::Variable(id)) => {
                    if !self.context.globals {
                        let message = format!(
                            "cannot refer to a global variable in this context: {}",
                            self.resolver.text(name)
                        );
                        self.resolver.name_error(span, message);
                    }
                    (NameMeaning::Variable(id), self.resolver.program.variables[id].ty)
                }
                None => {
                    let message = format!("undeclared identifier: {}", self.resolver.text(name));
                    self.resolver.name_error(span, message);
                    return self.resolver.program.types.unknown();
                }
            }
        };
        self.tables.find(expr, Finding::Name(meaning));
        ty
    }
}

/// Whether a form is an operation on its parts: its types are not looked at if those of a part are wrong.
fn is_operation(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Apply(..)
            | ExprKind::Select(..)
            | ExprKind::Store(..)
            | ExprKind::Extract(..)
            | ExprKind::Field(..)
            | ExprKind::FieldUpdate(..)
            | ExprKind::Is(..)
            | ExprKind::Coerce(..)
            | ExprKind::IfThenElse(..)
    )
}
