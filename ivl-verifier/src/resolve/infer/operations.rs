//! The types of operations, given those of their operands.

use rustc_hash::FxHashMap;

use super::Walk;
use super::tables::Finding;
use crate::base::source::Span;
use crate::resolve::access::Naming;
use crate::resolve::resolver::{FunctionMeaning, Resolver};
use crate::resolve::types::{Type, TypeId};
use crate::syntax::ast::{BinaryOp, Binder, ExprId, Ident, ORDER, Quantifier, UnaryOp};
use crate::syntax::print;

impl<'a> Walk<'_, 'a, '_> {
    /// The type of an operation on one operand.
    pub(super) fn unary(&mut self, span: Span, op: UnaryOp, a: ExprId) -> TypeId {
        let types = &self.resolver.program.types;
        let found = types.shallow(self.ty(a));
        let (bool, int, real) = (types.bool(), types.int(), types.real());
        let fits = match (op, types.get(found)) {
            (_, Type::Unknown) => return if op == UnaryOp::Not { bool } else { found },
            (UnaryOp::Not, _) => self.unify(found, bool),
            (UnaryOp::Neg, Type::Int | Type::Real) => return found,
            (UnaryOp::Neg | UnaryOp::ToReal, Type::Hole(_)) => self.unify(found, int),
            (UnaryOp::ToReal, Type::Int | Type::Float(..)) => true,
            (UnaryOp::ToInt, Type::Hole(_)) => self.unify(found, real),
            (UnaryOp::ToInt, Type::Real | Type::Float(..)) => true,
            _ => false,
        };
        if !fits {
            let message = match op {
                UnaryOp::Not => format!("invalid argument type ({}) to unary operator !", self.shown(a)),
                UnaryOp::Neg => format!("invalid argument type ({}) to unary operator -", self.shown(a)),
                UnaryOp::ToInt => {
                    format!("argument type {} does not match expected type real", self.shown(a))
                }
                UnaryOp::ToReal => {
                    format!("argument type {} does not match expected type int", self.shown(a))
                }
            };
            let unknown = self.problem(span, &message);
            // A conversion gives what it is to give, whatever it is of.
            if !matches!(op, UnaryOp::ToInt | UnaryOp::ToReal) {
                return unknown;
            }
        }
        match op {
            UnaryOp::Not => bool,
            UnaryOp::Neg | UnaryOp::ToInt => int,
            UnaryOp::ToReal => real,
        }
    }

    /// The type of an operation on two operands.
    pub(super) fn binary(&mut self, expr: ExprId, op: BinaryOp, a: ExprId, b: ExprId) -> TypeId {
        let (left, right) = (self.ty(a), self.ty(b));
        let types = &mut self.resolver.program.types;
        let (bool, int, real) = (types.bool(), types.int(), types.real());
        let result = match op {
            BinaryOp::Iff | BinaryOp::Implies | BinaryOp::And | BinaryOp::Or => {
                (self.unify(left, bool) && self.unify(right, bool)).then_some(bool)
            }
            BinaryOp::Eq | BinaryOp::Ne => (self.unify(left, right)
                || self.resolver.program.types.comparable(left, right))
            .then_some(bool),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.numbers(left, right),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.numbers(left, right).map(|_| bool)
            }
            BinaryOp::Div | BinaryOp::Mod => (self.unify(left, int) && self.unify(right, int)).then_some(int),
            BinaryOp::RealDiv => self.real_quotient(expr, left, right),
            BinaryOp::Pow => (self.unify(left, real) && self.unify(right, real)).then_some(real),
            BinaryOp::Concat => return self.concatenation(expr, a, b),
        };
        result.unwrap_or_else(|| {
            let message = format!(
                "invalid argument types ({} and {}) to binary operator {}",
                self.shown(a),
                self.shown(b),
                op.text()
            );
            self.problem(self.span(expr), &message)
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

    fn concatenation(&mut self, expr: ExprId, a: ExprId, b: ExprId) -> TypeId {
        let (left, right) = (self.ty(a), self.ty(b));
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
                let message =
                    format!("++ operands need to be bitvectors (got {}, {})", self.shown(a), self.shown(b));
                self.resolver.type_error(self.span(expr), message);
                self.resolver.program.types.unknown()
            }
        }
    }

    /// The type of a part of a bit vector.
    pub(super) fn extract(&mut self, span: Span, a: ExprId, high: u32, low: u32) -> TypeId {
        let found = self.ty(a);
        let types = &mut self.resolver.program.types;
        let found = types.shallow(found);
        if matches!(types.get(found), Type::Hole(_)) && low <= high && types.used_as_bits(found, high) {
            return types.intern(Type::BitVector(high - low));
        }
        let message = match types.get(found) {
            // Boogie says nothing about a part beyond the operand that is no longer than it; the solver refuses it.
            Type::BitVector(width) if low <= high && high - low <= *width => {
                return types.intern(Type::BitVector(high - low));
            }
            Type::BitVector(_) if low > high => {
                "start index in extract must be no bigger than the end index".to_owned()
            }
            Type::Unknown => return found,
            _ => {
                let least = high.saturating_sub(low);
                let found = self.shown(a);
                format!("extract operand must be a bitvector of at least {least} bits (got {found})")
            }
        };
        self.problem(span, &message)
    }

    /// The type of an application of a function or conversion.
    pub(super) fn apply(&mut self, expr: ExprId, function: Ident, arguments: &[ExprId]) -> TypeId {
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
            FunctionMeaning::Selector(id, _) | FunctionMeaning::Tester(id) => {
                let entity = &program.constructors[id];
                let datatype = entity.datatype;
                let variables = program.type_constructors[datatype].parameters.clone();
                let field = match meaning {
                    FunctionMeaning::Selector(_, index) => Some(entity.fields[index as usize].1),
                    _ => None,
                };
                let types = &mut self.resolver.program.types;
                let arguments = variables.iter().map(|it| types.intern(Type::Variable(*it))).collect();
                let whole = types.intern(Type::Named(datatype, arguments));
                (variables, vec![whole], field.unwrap_or_else(|| types.bool()))
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
            return self.problem(function.span, &message);
        }
        for (index, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
            let expected = self.resolver.program.types.substitute(parameter, &map);
            let found = self.ty(*argument);
            if !self.unify(found, expected) {
                if name == ORDER {
                    let types = arguments.iter().map(|it| self.shown(*it)).collect::<Vec<_>>().join(" and ");
                    let message = format!("invalid argument types ({types}) to binary operator {ORDER}");
                    return self.problem(function.span, &message);
                }
                let declared =
                    self.resolver.written_function(function.name).and_then(|it| it.parameters.get(index));
                let declared = declared.map(|(_, ty)| (*ty).into());
                let message = format!(
                    "invalid type for argument {index} in application of {name}: {} (expected: {})",
                    self.shown(*argument),
                    self.resolver.spelled(declared.as_ref(), parameter)
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
            FunctionMeaning::Selector(id, index) => {
                self.leave_open(expr, &holes);
                Finding::Field(vec![(id, index)])
            }
            FunctionMeaning::Tester(id) => {
                self.leave_open(expr, &holes);
                Finding::Test(id)
            }
        };
        self.tables.find(expr, finding);
        result
    }

    /// The type of a map and of its element at given indices.
    pub(super) fn select(
        &mut self,
        expr: ExprId,
        span: Span,
        map: ExprId,
        indices: &[ExprId],
        what: &str,
    ) -> (TypeId, TypeId) {
        let types: Vec<(TypeId, Span)> = indices.iter().map(|it| (self.ty(*it), self.span(*it))).collect();
        let whole =
            |resolver: &Resolver<'a>| (resolver.ast.exprs[map].span, print::expression(resolver.ast, map));
        let (tables, context) = (&self.tables, self.context);
        let spell = |resolver: &Resolver<'a>, index: usize, [found, expected]: [TypeId; 2]| {
            let near = |name| tables.written(name).or_else(|| context.near(resolver, name));
            let found = resolver.shown(indices[index], found, &near);
            let written = resolver.written(map, &near).and_then(|it| resolver.written_map(it));
            let written = written.and_then(|(indices, _)| indices.get(index).cloned());
            [found, resolver.spelled(written.as_ref(), expected)]
        };
        let ty = self.ty(map);
        let (element, open) =
            self.resolver.element((span, ty), &types, what, &Naming { whole: &whole, types: &spell });
        let map = ty;
        self.leave_open(expr, &open);
        (map, element)
    }

    /// The types of a datatype and of a field of it.
    pub(super) fn field(&mut self, expr: ExprId, a: ExprId, field: Ident) -> (TypeId, TypeId) {
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
        let places = self.resolver.places_of(&entity.constructors, field.name);
        let Some((first, at)) = places.first() else {
            let message = format!(
                "datatype {} does not have a field with name {}",
                self.show(found),
                self.resolver.text(field.name)
            );
            self.resolver.type_error(field.span, message);
            return (found, unknown);
        };
        let ty = program.constructors[*first].fields[*at as usize].1;
        let map: FxHashMap<_, _> = entity.parameters.iter().copied().zip(arguments).collect();
        let ty = self.resolver.program.types.substitute(ty, &map);
        self.tables.find(expr, Finding::Field(places));
        (found, ty)
    }

    /// The type of a test for a constructor.
    pub(super) fn is(&mut self, expr: ExprId, a: ExprId, constructor: Ident) -> TypeId {
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

    /// The type of a quantifier or lambda, whose bound variables go out of scope.
    pub(super) fn quantifier(&mut self, expr: ExprId, quantifier: &Quantifier) -> TypeId {
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

    fn leave_open(&mut self, expr: ExprId, types: &[TypeId]) {
        if !types.is_empty() {
            self.open.insert(expr, types.to_vec());
        }
    }
}
