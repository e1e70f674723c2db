//! Types, attributes, and names with types.

use super::Parser;
use crate::base::source::Span;
use crate::syntax::ast::{
    Attribute, AttributeValue, Ident, Trigger, TypeExpr, TypeExprId, TypeExprKind, TypedName,
};
use crate::syntax::lexer::Kind;

impl Parser<'_> {
    fn add_type(&mut self, kind: TypeExprKind, span: Span) -> TypeExprId {
        self.ast.types.push(TypeExpr { kind, span })
    }

    pub(super) fn missing_type(&mut self) -> TypeExprId {
        let span = self.previous();
        self.add_type(TypeExprKind::Bool, span)
    }

    pub(super) fn begins_type(&self) -> bool {
        matches!(
            self.kind(),
            Kind::Ident | Kind::Keyword("int" | "bool" | "real") | Kind::Sign("(" | "[" | "<")
        )
    }

    pub(super) fn ty(&mut self) -> TypeExprId {
        if !self.begins_type() {
            self.invalid("Type");
            return self.missing_type();
        }
        if !self.enter() {
            return self.missing_type();
        }
        let ty = if self.kind() == Kind::Ident {
            let name = self.ident();
            let mut arguments = Vec::new();
            while self.begins_type() && !(self.may_extend && self.is_word("extends")) {
                // Nothing follows a map: it takes all that could.
                let last = matches!(self.kind(), Kind::Sign("[" | "<"));
                arguments.push(self.type_atom());
                if last {
                    break;
                }
            }
            self.add_type(TypeExprKind::Named(name, arguments), name.span)
        } else {
            self.type_atom()
        };
        self.leave();
        ty
    }

    /// A type without arguments; the caller has seen that one begins here.
    fn type_atom(&mut self) -> TypeExprId {
        let span = self.span();
        let kind = match self.kind() {
            Kind::Keyword("int") => TypeExprKind::Int,
            Kind::Keyword("bool") => TypeExprKind::Bool,
            Kind::Keyword("real") => TypeExprKind::Real,
            Kind::Ident => {
                let name = self.ident();
                return self.add_type(TypeExprKind::Named(name, Vec::new()), span);
            }
            Kind::Sign("(") => {
                self.bump();
                let ty = self.ty();
                self.sign(")");
                return ty;
            }
            _ => {
                let parameters = self.type_parameters();
                self.sign("[");
                let mut arguments = Vec::new();
                if self.begins_type() {
                    arguments.push(self.ty());
                    while self.eat_sign(",").is_some() {
                        arguments.push(self.ty());
                    }
                }
                self.sign("]");
                let result = self.ty();
                return self.add_type(TypeExprKind::Map { parameters, arguments, result }, span);
            }
        };
        self.bump();
        self.add_type(kind, span)
    }

    /// `<a, b>` or nothing.
    pub(super) fn type_parameters(&mut self) -> Vec<Ident> {
        if self.eat_sign("<").is_none() {
            return Vec::new();
        }
        let parameters = self.idents();
        self.sign(">");
        parameters
    }

    /// `x, y: int where e, z: bool`, each group with attributes before it. Where conditions are refused, the
    /// context says on what.
    pub(super) fn typed_names(&mut self, refused: Option<&str>) -> Vec<TypedName> {
        let mut names = Vec::new();
        loop {
            let attributes = self.attributes();
            self.group(&attributes, refused, &mut names);
            if self.eat_sign(",").is_none() {
                return names;
            }
        }
    }

    /// `x, y: int where e, z: bool`, all with the same attributes.
    pub(super) fn variables(&mut self, attributes: &[Attribute]) -> Vec<TypedName> {
        let mut names = Vec::new();
        loop {
            self.group(attributes, None, &mut names);
            if self.eat_sign(",").is_none() {
                return names;
            }
        }
    }

    fn group(&mut self, attributes: &[Attribute], refused: Option<&str>, names: &mut Vec<TypedName>) {
        let group = self.idents();
        self.sign(":");
        let ty = self.ty();
        let mut condition = None;
        if self.eat_keyword("where").is_some() {
            condition = Some(self.expression());
            if let Some(context) = refused {
                self.refuse(&format!("where clause not allowed on {context}"));
            }
        }
        names.extend(group.into_iter().map(|name| TypedName {
            name,
            ty,
            condition,
            attributes: attributes.to_vec(),
        }));
    }

    pub(super) fn attributes(&mut self) -> Vec<Attribute> {
        let mut attributes = Vec::new();
        while self.is_sign("{") {
            let mut triggers = Vec::new();
            self.attribute_or_trigger(&mut attributes, &mut triggers);
            if !triggers.is_empty() {
                self.refuse("only attributes, not triggers, allowed here");
            }
        }
        attributes
    }

    /// `{:name parameters}`, or the terms of a trigger in braces.
    pub(super) fn attribute_or_trigger(
        &mut self,
        attributes: &mut Vec<Attribute>,
        triggers: &mut Vec<Trigger>,
    ) {
        let span = self.sign("{");
        if self.eat_sign(":").is_some() {
            // Reserved later than it was used here.
            let name = match self.eat_keyword("datatype") {
                Some(span) => Ident { name: self.ast.names.intern("datatype"), span },
                None => self.ident(),
            };
            let mut parameters = Vec::new();
            if self.kind() == Kind::Text || self.begins_expression() {
                parameters.push(self.attribute_value());
                while self.eat_sign(",").is_some() {
                    parameters.push(self.attribute_value());
                }
            }
            let last = self.previous();
            if self.ast.names.text(name.name) == "nopats" {
                match parameters.as_slice() {
                    [AttributeValue::Expr(term)] => {
                        triggers.push(Trigger { negative: true, terms: vec![*term], span });
                    }
                    _ => self.refuse("the 'nopats' quantifier attribute expects a string-literal parameter"),
                }
            } else {
                attributes.push(Attribute { name, span, parameters, last });
            }
        } else if self.begins_expression() {
            let terms = self.expressions();
            triggers.push(Trigger { negative: false, terms, span });
        } else {
            self.invalid("AttributeOrTrigger");
        }
        self.sign("}");
    }

    fn attribute_value(&mut self) -> AttributeValue {
        if self.kind() == Kind::Text {
            AttributeValue::Text(self.text_literal())
        } else if self.begins_expression() {
            AttributeValue::Expr(self.expression())
        } else {
            self.invalid("AttributeParameter");
            AttributeValue::Expr(self.missing())
        }
    }
}
