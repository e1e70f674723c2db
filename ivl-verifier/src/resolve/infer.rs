//! Names and types of expressions.
//!
//! One walk without recursion gives every expression of the syntax tree its meaning and its type, with
//! holes where a polymorphic operation leaves a type open and unification to fill them. A second loop,
//! over the same expressions in the order in which the walk left them, builds the graph.
//!
//! Length: one rule for each form of expression, in the walk and in the loop that follows it.

mod build;
mod triggers;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::arena::Id;
use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::resolve::declare::{FunctionMeaning, Resolver, ValueMeaning};
use crate::resolve::graph::{
    BoundVariable, ConstantId, ConstructorId, FunctionId, NodeId, NodeKind, VariableId,
};
use crate::resolve::program::{Variable, VariableKind};
use crate::resolve::types::{Type, TypeId, TypeVariableId};
use crate::syntax::ast::{BinaryOp, Binder, ExprId, ExprKind, Ident, Quantifier, UnaryOp};
use crate::syntax::print;

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
}

/// What a name means in an expression.
#[derive(Clone)]
enum NameMeaning {
    Variable(VariableId),
    Constant(ConstantId),
    Bound(BoundVariable),
    /// Bound by `let` to this expression.
    Value(ExprId),
}

/// A name that a binder of the expression brought into scope.
struct ScopeEntry {
    name: Symbol,
    meaning: NameMeaning,
    ty: TypeId,
    /// Whether `old` is around the binder.
    in_old: bool,
}

/// What the walk found out about an expression besides its type.
#[derive(Clone)]
enum Finding {
    Name(NameMeaning),
    Function(FunctionId, Vec<TypeId>),
    Constructor(ConstructorId),
    /// A field by its constructors and indices there.
    Field(Vec<(ConstructorId, u32)>),
    /// Its type parameters and variables, and whether its attributes say who it is.
    Quantifier(Vec<TypeVariableId>, Vec<BoundVariable>, bool),
    /// Its place in the program's list, and the variables that stand for values of `let` around it.
    Code(u32, Vec<(VariableId, ExprId)>),
    /// `+` and its like between a whole number and a real one: which side is converted.
    ToReal(bool, bool),
}

/// What the walk does next.
enum Step {
    Enter(ExprId),
    /// With how many type errors there were when the walk came to it.
    Leave(ExprId, usize),
    /// Brings the names of a `let` into scope, after its values were visited.
    BindLet(ExprId),
    /// Ends the scope of a binder: lengths of the value and type scopes to return to, and whether a lambda
    /// is around it.
    EndScope(usize, usize, u32, bool),
}

/// What became of an expression.
#[derive(Clone, Copy, Default)]
struct Slot {
    ty: Option<TypeId>,
    node: Option<NodeId>,
    /// The place of what the walk found out about it.
    finding: Option<u32>,
}

/// What a walk writes into. It is handed from one walk to the next, so that most walks, which are short,
/// allocate nothing.
#[derive(Default)]
pub(super) struct Tables {
    steps: Vec<Step>,
    scope: Vec<ScopeEntry>,
    /// By expression; empty for all that the walk did not come to.
    slots: Vec<Slot>,
    findings: Vec<Finding>,
    order: Vec<ExprId>,
    /// The expressions in the order in which the walk came to them.
    order_entered: Vec<ExprId>,
}

impl Tables {
    fn for_expressions(count: usize) -> Self {
        Self { slots: vec![Slot::default(); count], ..Self::default() }
    }

    fn find(&mut self, expr: ExprId, finding: Finding) {
        self.slots[expr.index()].finding = u32::try_from(self.findings.len()).ok();
        self.findings.push(finding);
    }

    fn finding(&self, expr: ExprId) -> Option<&Finding> {
        self.findings.get(self.slots[expr.index()].finding? as usize)
    }

    /// Forgets the walk.
    fn clear(&mut self) {
        for expr in self.order_entered.drain(..) {
            self.slots[expr.index()] = Slot::default();
        }
        self.steps.clear();
        self.scope.clear();
        self.findings.clear();
        self.order.clear();
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
    /// Resolves an expression that must be Boolean.
    pub(super) fn boolean(&mut self, expr: ExprId, context: &Context, wrong: &'static str) -> NodeId {
        let bool = self.program.types.bool();
        let span = self.ast.exprs[expr].span;
        self.expression_of(expr, context, Some(bool), |_, _| (span, wrong.to_owned()))
    }

    /// The same, for a command that is reported at its own place with the type that was found.
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
                let (span, message) = wrong(&resolver.show(types[0]), &resolver.show(expected));
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
            walk.bring(bound.name, NameMeaning::Bound(bound.clone()), bound.ty);
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

    /// Brings a name into scope.
    fn bring(&mut self, name: Symbol, meaning: NameMeaning, ty: TypeId) {
        let in_old = !self.olds.is_empty();
        self.tables.scope.push(ScopeEntry { name, meaning, ty, in_old });
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
                    if let ExprKind::Let(names, values, _) = &self.resolver.ast.exprs[expr].kind {
                        for (name, value) in names.iter().zip(values) {
                            let ty = self.ty(*value);
                            self.bring(name.name, NameMeaning::Value(*value), ty);
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
            ExprKind::Let(names, values, body) => {
                if names.len() != values.len() {
                    self.resolver.name_error(
                        self.resolver.ast.exprs[expr].span,
                        "number of left-hand sides does not match number of right-hand sides",
                    );
                }
                self.tables.steps.extend(values.iter().map(|it| Step::Enter(*it)));
                self.tables.steps.extend([Step::BindLet(expr), Step::Enter(*body), end]);
            }
            ExprKind::Quantifier(quantifier) => {
                self.enter_quantifier(expr, quantifier);
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
            self.bring(name.name.name, NameMeaning::Bound(variable), ty);
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
                        self.show(found),
                        self.show(element)
                    );
                    self.resolver.type_error(self.span(*value), message);
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
                    let message = format!("{} cannot be coerced to {}", self.show(found), self.show(target));
                    return self.problem(span, &message);
                }
                target
            }
            ExprKind::Old(a) => {
                self.olds.pop();
                if !self.context.two_state {
                    self.resolver.name_error(span, "old expressions allowed only in two-state contexts");
                }
                self.ty(*a)
            }
            ExprKind::IfThenElse(condition, then, otherwise) => {
                let (bool, found) = (self.resolver.program.types.bool(), self.ty(*condition));
                if !self.unify(found, bool) {
                    let message = format!(
                        "the first argument to if-then-else should be bool, not {}",
                        self.show(found)
                    );
                    self.resolver.type_error(span, message);
                }
                let (left, right) = (self.ty(*then), self.ty(*otherwise));
                if !self.unify(left, right) {
                    let message = format!(
                        "branches of if-then-else have incompatible types {} and {}",
                        self.show(left),
                        self.show(right)
                    );
                    self.resolver.type_error(span, message);
                }
                left
            }
            ExprKind::Let(_, _, body) => self.ty(*body),
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
        let mut context = Context { bound: Vec::new(), level: self.level, ..self.context.clone() };
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
                    let kind = VariableKind::Input;
                    let variable = Variable { name, ty, kind, condition: None, assumption: false };
                    let variable = program.variables.push(variable);
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

    fn unary(&mut self, span: Span, op: UnaryOp, a: ExprId) -> TypeId {
        let types = &self.resolver.program.types;
        let found = types.shallow(self.ty(a));
        let (bool, int, real) = (types.bool(), types.int(), types.real());
        let fits = match (op, types.get(found)) {
            (_, Type::Unknown) => return if op == UnaryOp::Not { bool } else { found },
            (UnaryOp::Not, _) => self.unify(found, bool),
            (UnaryOp::Neg, Type::Int | Type::Real | Type::Float(..)) => return found,
            (UnaryOp::Neg | UnaryOp::ToReal, Type::Hole(_)) => self.unify(found, int),
            (UnaryOp::ToReal, Type::Int | Type::Float(..)) => true,
            (UnaryOp::ToInt, Type::Hole(_)) => self.unify(found, real),
            (UnaryOp::ToInt, Type::Real | Type::Float(..)) => true,
            _ => false,
        };
        if !fits {
            let message = match op {
                UnaryOp::Not => format!("invalid argument type ({}) to unary operator !", self.show(found)),
                UnaryOp::Neg => format!("invalid argument type ({}) to unary operator -", self.show(found)),
                UnaryOp::ToInt => {
                    format!("argument type {} does not match expected type real", self.show(found))
                }
                UnaryOp::ToReal => {
                    format!("argument type {} does not match expected type int", self.show(found))
                }
            };
            self.resolver.type_error(span, message);
        }
        match op {
            UnaryOp::Not => bool,
            UnaryOp::Neg | UnaryOp::ToInt => int,
            UnaryOp::ToReal => real,
        }
    }

    fn binary(&mut self, expr: ExprId, op: BinaryOp, a: ExprId, b: ExprId) -> TypeId {
        let (left, right) = (self.ty(a), self.ty(b));
        let types = &mut self.resolver.program.types;
        let (bool, int, real) = (types.bool(), types.int(), types.real());
        let result = match op {
            BinaryOp::Iff | BinaryOp::Implies | BinaryOp::And | BinaryOp::Or => {
                (self.unify(left, bool) && self.unify(right, bool)).then_some(bool)
            }
            BinaryOp::Eq | BinaryOp::Ne => (self.unify(left, right)
                || self.resolver.program.types.may_agree(left, right))
            .then_some(bool),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.numbers(left, right),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.numbers(left, right).map(|_| bool)
            }
            BinaryOp::Div | BinaryOp::Mod => (self.unify(left, int) && self.unify(right, int)).then_some(int),
            BinaryOp::RealDiv => self.real_quotient(expr, left, right),
            BinaryOp::Pow => (self.unify(left, real) && self.unify(right, real)).then_some(real),
            BinaryOp::Concat => return self.concatenation(expr, left, right),
        };
        result.unwrap_or_else(|| {
            let message = format!(
                "invalid argument types ({} and {}) to binary operator {}",
                self.show(left),
                self.show(right),
                op.text()
            );
            self.resolver.type_error(self.span(expr), message);
            match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.resolver.program.types.unknown(),
                BinaryOp::Div | BinaryOp::Mod => int,
                BinaryOp::RealDiv | BinaryOp::Pow => real,
                _ => bool,
            }
        })
    }

    /// The common type of two numbers, if they are two numbers of one type.
    fn numbers(&mut self, left: TypeId, right: TypeId) -> Option<TypeId> {
        if !self.unify(left, right) {
            return None;
        }
        let types = &self.resolver.program.types;
        let left = types.shallow(left);
        match types.get(left) {
            Type::Int | Type::Real | Type::Float(..) => Some(left),
            Type::Unknown => Some(types.shallow(right)),
            Type::Hole(_) => {
                let int = types.int();
                self.unify(left, int).then_some(int)
            }
            _ => None,
        }
    }

    fn real_quotient(&mut self, expr: ExprId, left: TypeId, right: TypeId) -> Option<TypeId> {
        let types = &self.resolver.program.types;
        let (left, right) = (types.shallow(left), types.shallow(right));
        let is_int = |ty| matches!(types.get(ty), Type::Int | Type::Hole(_));
        let number = |ty| matches!(types.get(ty), Type::Int | Type::Real | Type::Unknown | Type::Hole(_));
        if number(left) && number(right) {
            let converted = Finding::ToReal(is_int(left), is_int(right));
            self.tables.find(expr, converted);
            return Some(self.resolver.program.types.real());
        }
        (matches!(types.get(left), Type::Float(..)) && left == right).then_some(left)
    }

    fn concatenation(&mut self, expr: ExprId, left: TypeId, right: TypeId) -> TypeId {
        let types = &mut self.resolver.program.types;
        let whole = match (types.get(types.shallow(left)), types.get(types.shallow(right))) {
            (Type::BitVector(m), Type::BitVector(n)) => {
                let width = m.saturating_add(*n);
                Some(types.intern(Type::BitVector(width)))
            }
            (Type::Unknown, _) | (_, Type::Unknown) => Some(types.unknown()),
            (Type::Hole(_), _) | (_, Type::Hole(_)) => types.concatenated(left, right),
            _ => None,
        };
        match whole {
            Some(whole) => whole,
            None => {
                let message = format!(
                    "++ operands need to be bitvectors (got {}, {})",
                    self.show(left),
                    self.show(right)
                );
                self.resolver.type_error(self.span(expr), message);
                self.resolver.program.types.unknown()
            }
        }
    }

    fn extract(&mut self, span: Span, a: ExprId, high: u32, low: u32) -> TypeId {
        let found = self.ty(a);
        let types = &mut self.resolver.program.types;
        let found = types.shallow(found);
        if matches!(types.get(found), Type::Hole(_)) && low <= high && types.used_as_bits(found, high) {
            return types.intern(Type::BitVector(high - low));
        }
        let message = match types.get(found) {
            // Boogie says nothing about an end beyond the operand; the solver refuses it.
            Type::BitVector(_) if low <= high => return types.intern(Type::BitVector(high - low)),
            Type::BitVector(_) => "start index in extract must be no bigger than the end index".to_owned(),
            Type::Unknown => return found,
            _ => {
                let least = high.saturating_sub(low);
                let found = self.show(found);
                format!("extract operand must be a bitvector of at least {least} bits (got {found})")
            }
        };
        self.problem(span, &message)
    }

    fn apply(&mut self, expr: ExprId, function: Ident, arguments: &[ExprId]) -> TypeId {
        let name = self.resolver.text(function.name).to_owned();
        let Some(meaning) = self.resolver.functions.get(&function.name).copied() else {
            self.resolver.name_error(function.span, format!("use of undeclared function: {name}"));
            return self.resolver.program.types.unknown();
        };
        let program = &self.resolver.program;
        let (variables, parameters, result) = match meaning {
            FunctionMeaning::Function(id) => {
                let entity = &program.functions[id];
                (entity.type_parameters.clone(), entity.parameters.clone(), entity.result)
            }
            FunctionMeaning::Constructor(id) => {
                let entity = &program.constructors[id];
                let datatype = entity.datatype;
                let variables = program.type_constructors[datatype].parameters.clone();
                let parameters = entity.fields.iter().map(|(_, ty)| *ty).collect();
                let types = &mut self.resolver.program.types;
                let arguments = variables.iter().map(|it| types.intern(Type::Variable(*it))).collect();
                (variables, parameters, types.intern(Type::Named(datatype, arguments)))
            }
        };
        let program = &mut self.resolver.program;
        let holes: Vec<TypeId> =
            variables.iter().map(|it| program.types.hole_named(program.type_names.variables[*it])).collect();
        let map: FxHashMap<_, _> = variables.into_iter().zip(holes.iter().copied()).collect();
        let result = self.resolver.program.types.substitute(result, &map);
        if parameters.len() != arguments.len() {
            let message = format!(
                "wrong number of arguments to function: {name} ({} instead of {})",
                arguments.len(),
                parameters.len()
            );
            self.resolver.type_error(function.span, message);
            return result;
        }
        for (index, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
            let expected = self.resolver.program.types.substitute(parameter, &map);
            let found = self.ty(*argument);
            if !self.unify(found, expected) {
                let message = format!(
                    "invalid type for argument {index} in application of {name}: {} (expected: {})",
                    self.show(found),
                    self.show(expected)
                );
                self.resolver.type_error(self.span(*argument), message);
            }
        }
        let finding = match meaning {
            FunctionMeaning::Function(id) => {
                self.leave_open(expr, &holes);
                Finding::Function(id, holes)
            }
            FunctionMeaning::Constructor(id) => {
                self.leave_open(expr, &holes);
                Finding::Constructor(id)
            }
        };
        self.tables.find(expr, finding);
        result
    }

    /// The type of a map and of its element at given indices.
    fn select(
        &mut self,
        expr: ExprId,
        span: Span,
        map: ExprId,
        indices: &[ExprId],
        what: &str,
    ) -> (TypeId, TypeId) {
        let types: Vec<(TypeId, Span)> = indices.iter().map(|it| (self.ty(*it), self.span(*it))).collect();
        let whole =
            |resolver: &Resolver<'_>| (resolver.ast.exprs[map].span, print::expression(resolver.ast, map));
        let map = self.ty(map);
        let (element, open) = self.resolver.element(span, map, &types, what, whole);
        self.leave_open(expr, &open);
        (map, element)
    }

    fn leave_open(&mut self, expr: ExprId, types: &[TypeId]) {
        if !types.is_empty() {
            self.open.insert(expr, types.to_vec());
        }
    }

    fn field(&mut self, expr: ExprId, a: ExprId, field: Ident) -> (TypeId, TypeId) {
        let unknown = self.resolver.program.types.unknown();
        let found = self.resolver.program.types.shallow(self.ty(a));
        let program = &self.resolver.program;
        if let Type::Named(name, _) = program.types.get(found)
            && !program.type_constructors[*name].datatype
        {
            let message =
                format!("field-access must be applied to a datatype, {} is not a datatype", self.show(found));
            self.resolver.type_error(field.span, message);
            return (found, unknown);
        }
        let Type::Named(datatype, arguments) = self.resolver.program.types.get(found).clone() else {
            if found != unknown {
                let message = format!(
                    "field-access must be applied to a datatype, {} is not a datatype",
                    self.show(found)
                );
                self.resolver.type_error(field.span, message);
            }
            return (found, unknown);
        };
        let program = &self.resolver.program;
        let entity = &program.type_constructors[datatype];
        let mut places = Vec::new();
        let mut ty = unknown;
        for constructor in &entity.constructors {
            let fields = &program.constructors[*constructor].fields;
            if let Some(index) = fields.iter().position(|(name, _)| *name == field.name) {
                places.push((*constructor, u32::try_from(index).unwrap_or(u32::MAX)));
                ty = fields[index].1;
            }
        }
        if places.is_empty() {
            let message = format!(
                "datatype {} does not have a field with name {}",
                self.show(found),
                self.resolver.text(field.name)
            );
            self.resolver.type_error(field.span, message);
            return (found, unknown);
        }
        let map: FxHashMap<_, _> = entity.parameters.iter().copied().zip(arguments).collect();
        let ty = self.resolver.program.types.substitute(ty, &map);
        self.tables.find(expr, Finding::Field(places));
        (found, ty)
    }

    fn is(&mut self, expr: ExprId, a: ExprId, constructor: Ident) -> TypeId {
        let bool = self.resolver.program.types.bool();
        let found = self.resolver.program.types.shallow(self.ty(a));
        let program = &self.resolver.program;
        let unknown = program.types.unknown();
        let is_datatype = |ty| matches!(program.types.get(ty), Type::Named(name, _) if program.type_constructors[*name].datatype);
        if found != unknown && !is_datatype(found) {
            let message = format!(
                "is-constructor must be applied to a datatype, {} is not a datatype",
                self.show(found)
            );
            self.resolver.type_error(constructor.span, message);
            return bool;
        }
        let meaning = self.resolver.functions.get(&constructor.name).copied();
        let Some(FunctionMeaning::Constructor(id)) = meaning else {
            let message = format!(
                "datatype {} does not have a constructor with name {}",
                self.show(found),
                self.resolver.text(constructor.name)
            );
            self.resolver.type_error(constructor.span, message);
            return bool;
        };
        let datatype = self.resolver.program.constructors[id].datatype;
        match self.resolver.program.types.get(found) {
            Type::Named(name, _) if *name == datatype => {}
            Type::Unknown => {}
            _ => {
                let message = format!(
                    "datatype {} does not have a constructor with name {}",
                    self.show(found),
                    self.resolver.text(constructor.name)
                );
                self.resolver.type_error(constructor.span, message);
            }
        }
        self.tables.find(expr, Finding::Constructor(id));
        bool
    }

    fn quantifier(&mut self, expr: ExprId, quantifier: &Quantifier) -> TypeId {
        let body = self.ty(quantifier.body);
        let types = &mut self.resolver.program.types;
        let bool = types.bool();
        match quantifier.binder {
            Binder::Lambda => {
                let Some(Finding::Quantifier(variables, bound, _)) = self.tables.finding(expr) else {
                    return bool;
                };
                let arguments: Vec<TypeId> = bound.iter().map(|variable| variable.ty).collect();
                let body = types.settle(body, None);
                types.generalize(variables, &arguments, body)
            }
            Binder::Forall | Binder::Exists => {
                if !types.unify(body, bool) {
                    self.resolver.type_error(
                        self.resolver.ast.exprs[expr].span,
                        "quantifier body must be of type bool",
                    );
                }
                bool
            }
        }
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
