//! What may stand in a trigger: applications that mention every bound variable, without connectives,
//! comparisons and binders.

use rustc_hash::FxHashSet;

use super::Walk;
use crate::base::names::Symbol;
use crate::resolve::resolver::ValueMeaning;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, Quantifier, Trigger, UnaryOp};

impl Walk<'_, '_, '_> {
    /// Reports what is wrong with the form of a quantifier's triggers. Its bound variables are in scope.
    pub(super) fn check_forms(&mut self, quantifier: &Quantifier) {
        for trigger in &quantifier.triggers {
            let mut names: FxHashSet<Symbol> = FxHashSet::default();
            let fine = self.check_form(trigger, &mut names);
            if !fine || trigger.negative {
                continue;
            }
            for bound in quantifier.bound.iter().filter(|bound| !names.contains(&bound.name.name)) {
                let name = self.resolver.text(bound.name.name);
                let message =
                    format!("trigger must mention all quantified variables, but does not mention: {name}");
                self.resolver.name_error(trigger.span, message);
            }
        }
    }

    /// Whether nothing is wrong with a trigger itself; collects the names in it.
    fn check_form(&mut self, trigger: &Trigger, names: &mut FxHashSet<Symbol>) -> bool {
        let ast = self.resolver.ast;
        let mut fine = true;
        for term in &trigger.terms {
            let mut work: Vec<ExprId> = vec![*term];
            while let Some(expr) = work.pop() {
                let first = work.len();
                let wrong = match &ast.exprs[expr].kind {
                    ExprKind::Name(name) => {
                        names.insert(*name);
                        fine &= self.is_known(*name);
                        None
                    }
                    ExprKind::Apply(function, arguments) => {
                        fine &= self.resolver.functions.contains_key(&function.name);
                        work.extend(arguments);
                        None
                    }
                    ExprKind::Binary(op, a, b) => {
                        work.extend([*a, *b]);
                        match op {
                            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => {
                                Some("boolean operators are not allowed in triggers")
                            }
                            BinaryOp::Eq => Some("equality is not allowed in triggers"),
                            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                                Some("arithmetic comparisons are not allowed in triggers")
                            }
                            _ => None,
                        }
                    }
                    ExprKind::Unary(op, a) => {
                        work.push(*a);
                        (*op == UnaryOp::Not).then_some("boolean operators are not allowed in triggers")
                    }
                    ExprKind::Quantifier(inner) => {
                        work.push(inner.body);
                        Some("quantifiers are not allowed in triggers")
                    }
                    ExprKind::Let(binding) => {
                        work.extend(&binding.values);
                        // Names that it binds are not known here.
                        work.push(binding.body);
                        None
                    }
                    ExprKind::Extract(a, _, _)
                    | ExprKind::Field(a, _)
                    | ExprKind::Is(a, _)
                    | ExprKind::Coerce(a, _)
                    | ExprKind::Old(a) => {
                        work.push(*a);
                        None
                    }
                    ExprKind::FieldUpdate(a, _, b) => {
                        work.extend([*a, *b]);
                        None
                    }
                    ExprKind::Select(map, indices) => {
                        work.push(*map);
                        work.extend(indices);
                        None
                    }
                    ExprKind::Store(map, indices, value) => {
                        work.push(*map);
                        work.extend(indices);
                        work.push(*value);
                        None
                    }
                    ExprKind::IfThenElse(a, b, c) => {
                        work.extend([*a, *b, *c]);
                        None
                    }
                    _ => None,
                };
                work[first..].reverse();
                if let Some(message) = wrong {
                    self.resolver.name_error(ast.exprs[expr].span, message);
                    fine = false;
                }
            }
            if let ExprKind::Name(name) = &ast.exprs[*term].kind {
                let text = self.resolver.text(*name);
                let message =
                    format!("a matching pattern must be more than just a variable by itself: {text}");
                self.resolver.name_error(ast.exprs[*term].span, message);
                fine = false;
            }
        }
        fine
    }

    /// Whether a name means something here.
    fn is_known(&self, name: Symbol) -> bool {
        let known = |meaning: &ValueMeaning| match meaning {
            ValueMeaning::Constant(_) => true,
            ValueMeaning::Variable(_) => self.context.globals,
        };
        self.tables.scope.iter().any(|entry| entry.name == name)
            || self.context.locals.contains_key(&name)
            || self.resolver.values.get(&name).is_some_and(known)
    }
}
