//! Expressions, types, attributes.

use num_bigint::BigInt;

use super::{Parsed, Parser};
use crate::base::source::Span;
use crate::syntax::ast::{
    Attribute, AttributeValue, BinaryOp, Binder, Expr, ExprId, ExprKind, Ident, Quantifier, Trigger,
    TypeExpr, TypeExprId, TypeExprKind, TypedName, UnaryOp,
};
use crate::syntax::lexer::Kind;

/// The rounding modes by their long and short names.
const ROUNDING_MODES: &[(&str, &str)] = &[
    ("roundNearestTiesToEven", "RNE"),
    ("roundNearestTiesToAway", "RNA"),
    ("roundTowardPositive", "RTP"),
    ("roundTowardNegative", "RTN"),
    ("roundTowardZero", "RTZ"),
];

/// Which names a list of typed names may leave out, and what may follow a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Conditions {
    /// A `where` clause may follow.
    Allowed,
    /// No `where` clause may follow.
    Refused,
}

impl Parser<'_> {
    fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.ast.exprs.push(Expr { kind, span })
    }

    fn binary(&mut self, op: BinaryOp, span: Span, left: ExprId, right: ExprId) -> ExprId {
        self.add(ExprKind::Binary(op, left, right), span)
    }

    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        self.nested(Self::equivalence)
    }

    pub(super) fn expressions(&mut self) -> Parsed<Vec<ExprId>> {
        let mut exprs = vec![self.expression()?];
        while self.eat_sign(",").is_some() {
            exprs.push(self.expression()?);
        }
        Ok(exprs)
    }

    fn equivalence(&mut self) -> Parsed<ExprId> {
        let mut left = self.implication()?;
        while let Some(span) = self.eat_sign("<==>") {
            let right = self.implication()?;
            left = self.binary(BinaryOp::Iff, span, left, right);
        }
        Ok(left)
    }

    fn implication(&mut self) -> Parsed<ExprId> {
        let mut left = self.logical()?;
        if self.is_sign("==>") {
            // Associates to the right: collect the operands, then fold from the end.
            let mut operands = Vec::new();
            while let Some(span) = self.eat_sign("==>") {
                operands.push((left, span));
                left = self.logical()?;
            }
            while let Some((premise, span)) = operands.pop() {
                left = self.binary(BinaryOp::Implies, span, premise, left);
            }
        } else {
            while let Some(span) = self.eat_sign("<==") {
                let premise = self.logical()?;
                left = self.binary(BinaryOp::Implies, span, premise, left);
            }
        }
        Ok(left)
    }

    fn logical(&mut self) -> Parsed<ExprId> {
        let mut left = self.relation()?;
        for (sign, op) in [("&&", BinaryOp::And), ("||", BinaryOp::Or)] {
            if self.is_sign(sign) {
                while let Some(span) = self.eat_sign(sign) {
                    let right = self.relation()?;
                    left = self.binary(op, span, left, right);
                }
                break;
            }
        }
        Ok(left)
    }

    fn relation(&mut self) -> Parsed<ExprId> {
        let left = self.concatenation()?;
        let op = match self.kind() {
            Kind::Sign("==") => BinaryOp::Eq,
            Kind::Sign("!=") => BinaryOp::Ne,
            Kind::Sign("<") => BinaryOp::Lt,
            Kind::Sign("<=") => BinaryOp::Le,
            Kind::Sign(">") => BinaryOp::Gt,
            Kind::Sign(">=") => BinaryOp::Ge,
            _ => return Ok(left),
        };
        let span = self.bump().span;
        let right = self.concatenation()?;
        Ok(self.binary(op, span, left, right))
    }

    fn concatenation(&mut self) -> Parsed<ExprId> {
        let mut left = self.sum()?;
        while let Some(span) = self.eat_sign("++") {
            let right = self.sum()?;
            left = self.binary(BinaryOp::Concat, span, left, right);
        }
        Ok(left)
    }

    fn sum(&mut self) -> Parsed<ExprId> {
        let mut left = self.product()?;
        loop {
            let op = match self.kind() {
                Kind::Sign("+") => BinaryOp::Add,
                Kind::Sign("-") => BinaryOp::Sub,
                _ => return Ok(left),
            };
            let span = self.bump().span;
            let right = self.product()?;
            left = self.binary(op, span, left, right);
        }
    }

    fn product(&mut self) -> Parsed<ExprId> {
        let mut left = self.power()?;
        loop {
            let op = match self.kind() {
                Kind::Sign("*") => BinaryOp::Mul,
                Kind::Sign("/") => BinaryOp::RealDiv,
                Kind::Keyword("div") => BinaryOp::Div,
                Kind::Keyword("mod") => BinaryOp::Mod,
                _ => return Ok(left),
            };
            let span = self.bump().span;
            let right = self.power()?;
            left = self.binary(op, span, left, right);
        }
    }

    fn power(&mut self) -> Parsed<ExprId> {
        let mut left = self.test()?;
        let mut operands = Vec::new();
        while let Some(span) = self.eat_sign("**") {
            operands.push((left, span));
            left = self.test()?;
        }
        while let Some((base, span)) = operands.pop() {
            left = self.binary(BinaryOp::Pow, span, base, left);
        }
        Ok(left)
    }

    fn test(&mut self) -> Parsed<ExprId> {
        let expr = self.unary()?;
        let Some(span) = self.eat_keyword("is") else { return Ok(expr) };
        let constructor = self.ident()?;
        Ok(self.add(ExprKind::Is(expr, constructor), span))
    }

    fn unary(&mut self) -> Parsed<ExprId> {
        let mut operators = Vec::new();
        loop {
            let op = match self.kind() {
                Kind::Sign("!") => UnaryOp::Not,
                Kind::Sign("-") => UnaryOp::Neg,
                _ => break,
            };
            operators.push((op, self.bump().span));
        }
        let mut expr = self.coercion()?;
        while let Some((op, span)) = operators.pop() {
            expr = self.add(ExprKind::Unary(op, expr), span);
        }
        Ok(expr)
    }

    fn coercion(&mut self) -> Parsed<ExprId> {
        let mut expr = self.postfix()?;
        while let Some(span) = self.eat_sign(":") {
            if self.kind() == Kind::Int {
                let at = self.span();
                let low = self.small_number()?;
                let high = match &self.ast.exprs[expr].kind {
                    ExprKind::Int(high) => u32::try_from(high.clone()).ok(),
                    _ => None,
                };
                let Some(high) = high else {
                    self.remark(at, "arguments of extract need to be integer literals");
                    continue;
                };
                expr = self.add(ExprKind::Bounds(high, low), span);
                continue;
            }
            let ty = self.ty()?;
            expr = self.add(ExprKind::Coerce(expr, ty), span);
        }
        Ok(expr)
    }

    fn postfix(&mut self) -> Parsed<ExprId> {
        let mut expr = self.atom()?;
        loop {
            if let Some(span) = self.eat_sign("[") {
                let indices =
                    if self.is_sign("]") || self.is_sign(":=") { Vec::new() } else { self.expressions()? };
                let bounds = match indices.as_slice() {
                    [only] => match self.ast.exprs[*only].kind {
                        ExprKind::Bounds(high, low) => Some((high, low)),
                        _ => None,
                    },
                    _ => None,
                };
                let kind = if self.eat_sign(":=").is_some() {
                    ExprKind::Store(expr, indices, self.expression()?)
                } else if let Some((high, low)) = bounds {
                    ExprKind::Extract(expr, high, low)
                } else {
                    ExprKind::Select(expr, indices)
                };
                self.sign("]")?;
                expr = self.add(kind, span);
            } else if let Some(span) = self.eat_sign("->") {
                let kind = if self.eat_sign("(").is_some() {
                    let field = self.ident()?;
                    self.sign(":=")?;
                    let value = self.expression()?;
                    self.sign(")")?;
                    ExprKind::FieldUpdate(expr, field, value)
                } else {
                    ExprKind::Field(expr, self.ident()?)
                };
                expr = self.add(kind, span);
            } else {
                return Ok(expr);
            }
        }
    }

    fn small_number(&mut self) -> Parsed<u32> {
        if self.kind() != Kind::Int {
            return self.expected("nat");
        }
        let span = self.bump().span;
        match self.slice(span).parse() {
            Ok(number) => Ok(number),
            Err(_) => self.error(span, "this number is too large here"),
        }
    }

    fn atom(&mut self) -> Parsed<ExprId> {
        let token = self.token();
        let span = token.span;
        let kind = match token.kind {
            Kind::Keyword("true" | "false") => {
                self.bump();
                ExprKind::Bool(token.kind == Kind::Keyword("true"))
            }
            Kind::Int => {
                self.bump();
                ExprKind::Int(integer(self.slice(span)))
            }
            Kind::Decimal => {
                self.bump();
                match decimal(self.slice(span)) {
                    Some((mantissa, exponent)) => ExprKind::Real(mantissa, exponent),
                    None => return self.error(span, "the exponent of this number is too large"),
                }
            }
            Kind::BitVector => {
                self.bump();
                let text = self.slice(span);
                let (value, width) = text.split_once("bv").unwrap_or((text, ""));
                let value = integer(value);
                match width.parse::<u32>() {
                    Ok(width) if value.bits() <= u64::from(width) => ExprKind::BitVector(value, width),
                    Ok(_) => {
                        return self.error(span, "this value does not fit into the width of its bit vector");
                    }
                    Err(_) => return self.error(span, "this bit vector is too wide"),
                }
            }
            Kind::Float => {
                self.bump();
                if crate::syntax::float::parse(self.slice(span)).is_none() {
                    return self.error(span, "incorrectly formatted floating point");
                }
                ExprKind::Float(self.slice(span).to_owned())
            }
            Kind::Text => ExprKind::Text(self.text_literal()?),
            Kind::Ident => {
                let ident = self.ident()?;
                if self.is_sign("(") {
                    self.bump();
                    let arguments = if self.is_sign(")") { Vec::new() } else { self.expressions()? };
                    self.sign(")")?;
                    ExprKind::Apply(ident, arguments)
                } else if let Some(mode) = self.rounding_mode(span) {
                    ExprKind::RoundingMode(mode)
                } else {
                    ExprKind::Name(ident.name)
                }
            }
            Kind::Keyword("old") => {
                self.bump();
                self.sign("(")?;
                let expr = self.expression()?;
                self.sign(")")?;
                ExprKind::Old(expr)
            }
            Kind::Keyword("int" | "real") => {
                let op = if token.kind == Kind::Keyword("int") { UnaryOp::ToInt } else { UnaryOp::ToReal };
                self.bump();
                self.sign("(")?;
                let expr = self.expression()?;
                self.sign(")")?;
                ExprKind::Unary(op, expr)
            }
            Kind::Keyword("if") => {
                self.bump();
                let condition = self.expression()?;
                self.keyword("then")?;
                let then = self.expression()?;
                self.keyword("else")?;
                let otherwise = self.expression()?;
                ExprKind::IfThenElse(condition, then, otherwise)
            }
            Kind::Sign("|{") => {
                self.bump();
                ExprKind::Code(Box::new(self.code_body()?))
            }
            Kind::Sign("(") => {
                self.bump();
                let expr = self.parenthesized()?;
                if matches!(self.ast.exprs[expr].kind, ExprKind::Bounds(..)) {
                    let at = self.previous();
                    self.remark(at, "parentheses around bitvector bounds are not allowed");
                }
                self.sign(")")?;
                return Ok(expr);
            }
            _ => return self.invalid("AtomExpression"),
        };
        Ok(self.add(kind, span))
    }

    fn rounding_mode(&self, span: Span) -> Option<&'static str> {
        let text = self.slice(span);
        ROUNDING_MODES.iter().find(|(long, short)| text == *long || text == *short).map(|(_, short)| *short)
    }

    fn parenthesized(&mut self) -> Parsed<ExprId> {
        let binder = match self.kind() {
            Kind::Keyword("forall") => Binder::Forall,
            Kind::Keyword("exists") => Binder::Exists,
            Kind::Keyword("lambda") => Binder::Lambda,
            Kind::Keyword("var") => return self.nested(Self::binding),
            _ => return self.expression(),
        };
        self.nested(|parser| parser.quantifier(binder))
    }

    fn binding(&mut self) -> Parsed<ExprId> {
        let span = self.keyword("var")?;
        let names = self.idents()?;
        self.sign(":=")?;
        let values = self.expressions()?;
        self.sign(";")?;
        while self.is_attribute() {
            self.attribute()?;
        }
        let body = self.expression()?;
        Ok(self.add(ExprKind::Let(names, values, body), span))
    }

    fn quantifier(&mut self, binder: Binder) -> Parsed<ExprId> {
        let span = self.bump().span;
        if !self.is_sign("<") && !self.is_attribute() && self.kind() != Kind::Ident {
            return self.invalid("QuantifierBody");
        }
        let type_parameters = self.type_parameters()?;
        let bound = if self.is_sign("::") { Vec::new() } else { self.typed_names(Conditions::Refused)? };
        self.sign("::")?;
        let (mut attributes, mut triggers) = (Vec::new(), Vec::new());
        loop {
            if self.is_attribute() {
                let at = self.span();
                let attribute = self.attribute()?;
                if self.ast.names.text(attribute.name.name) == "nopats" {
                    match attribute.parameters.as_slice() {
                        [AttributeValue::Expr(term)] => {
                            triggers.push(Trigger { negative: true, terms: vec![*term], span: at });
                        }
                        _ => {
                            let message =
                                "the 'nopats' quantifier attribute expects a string-literal parameter";
                            self.remark(attribute.last, message);
                        }
                    }
                } else {
                    attributes.push(attribute);
                }
            } else if let Some(at) = self.eat_sign("{") {
                let terms = self.expressions()?;
                self.sign("}")?;
                triggers.push(Trigger { negative: false, terms, span: at });
            } else {
                break;
            }
        }
        let body = self.expression()?;
        let quantifier = Quantifier { binder, type_parameters, bound, attributes, triggers, body };
        Ok(self.add(ExprKind::Quantifier(Box::new(quantifier)), span))
    }

    pub(super) fn text_literal(&mut self) -> Parsed<String> {
        if self.kind() != Kind::Text {
            return self.expected("string");
        }
        let span = self.bump().span;
        let text = self.slice(span);
        Ok(text.get(1..text.len() - 1).unwrap_or_default().to_owned())
    }

    pub(super) fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.is_attribute() {
            attributes.push(self.attribute()?);
        }
        Ok(attributes)
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let span = match self.eat_sign("{:") {
            Some(span) => span,
            None => {
                let span = self.sign("{")?;
                self.sign(":")?;
                span
            }
        };
        // Any word may name an attribute, reserved or not.
        let token = self.bump();
        if !matches!(token.kind, Kind::Ident | Kind::Keyword(_)) {
            return self.error(token.span, "ident expected");
        }
        let text = &self.text[token.span.start as usize..token.span.end as usize];
        let name = Ident { name: self.ast.names.intern(text), span: token.span };
        let mut parameters = Vec::new();
        loop {
            if parameters.is_empty() && self.is_sign("}") {
                break;
            }
            parameters.push(if self.kind() == Kind::Text {
                AttributeValue::Text(self.text_literal()?)
            } else {
                AttributeValue::Expr(self.expression()?)
            });
            if self.eat_sign(",").is_none() {
                break;
            }
        }
        let last = self.previous();
        self.sign("}")?;
        Ok(Attribute { name, span, parameters, last })
    }

    /// `<a, b>` or nothing.
    pub(super) fn type_parameters(&mut self) -> Parsed<Vec<Ident>> {
        if self.eat_sign("<").is_none() {
            return Ok(Vec::new());
        }
        let parameters = self.idents()?;
        self.sign(">")?;
        Ok(parameters)
    }

    /// `x, y: int, z: bool`, each group with attributes before it and, where allowed, a condition.
    pub(super) fn typed_names(&mut self, conditions: Conditions) -> Parsed<Vec<TypedName>> {
        let mut names = Vec::new();
        loop {
            let attributes = self.attributes()?;
            let group = self.idents()?;
            self.sign(":")?;
            let ty = self.ty()?;
            let mut condition = None;
            if conditions == Conditions::Allowed && self.eat_keyword("where").is_some() {
                condition = Some(self.expression()?);
            }
            let attributes = &attributes;
            names.extend(group.into_iter().map(|name| TypedName {
                name,
                ty,
                condition,
                attributes: attributes.clone(),
            }));
            if self.eat_sign(",").is_none() {
                return Ok(names);
            }
        }
    }

    pub(super) fn ty(&mut self) -> Parsed<TypeExprId> {
        self.nested(|parser| {
            if parser.kind() != Kind::Ident {
                return parser.type_atom();
            }
            let name = parser.ident()?;
            let mut arguments = Vec::new();
            loop {
                match parser.kind() {
                    Kind::Ident | Kind::Keyword("int" | "bool" | "real") | Kind::Sign("(") => {
                        arguments.push(parser.type_atom()?);
                    }
                    Kind::Sign("[" | "<") => {
                        arguments.push(parser.type_atom()?);
                        break;
                    }
                    _ => break,
                }
            }
            let kind = TypeExprKind::Named(name, arguments);
            Ok(parser.ast.types.push(TypeExpr { kind, span: name.span }))
        })
    }

    fn type_atom(&mut self) -> Parsed<TypeExprId> {
        let span = self.span();
        let kind = match self.kind() {
            Kind::Keyword("int") => TypeExprKind::Int,
            Kind::Keyword("bool") => TypeExprKind::Bool,
            Kind::Keyword("real") => TypeExprKind::Real,
            Kind::Ident => {
                let name = self.ident()?;
                return Ok(self
                    .ast
                    .types
                    .push(TypeExpr { kind: TypeExprKind::Named(name, Vec::new()), span }));
            }
            Kind::Sign("(") => {
                self.bump();
                let ty = self.ty()?;
                self.sign(")")?;
                return Ok(ty);
            }
            Kind::Sign("[" | "<") => {
                let parameters = self.type_parameters()?;
                self.sign("[")?;
                let mut arguments = Vec::new();
                while !self.is_sign("]") {
                    if !arguments.is_empty() {
                        self.sign(",")?;
                    }
                    arguments.push(self.ty()?);
                }
                self.sign("]")?;
                let result = self.ty()?;
                return Ok(self
                    .ast
                    .types
                    .push(TypeExpr { kind: TypeExprKind::Map { parameters, arguments, result }, span }));
            }
            _ => return self.invalid("TypeAtom"),
        };
        self.bump();
        Ok(self.ast.types.push(TypeExpr { kind, span }))
    }
}

/// The value of decimal digits.
fn integer(digits: &str) -> BigInt {
    BigInt::parse_bytes(digits.as_bytes(), 10).unwrap_or_default()
}

/// The mantissa and the power of ten of a decimal literal.
fn decimal(text: &str) -> Option<(BigInt, i32)> {
    let (number, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let exponent: i32 = exponent.trim_start_matches('+').parse().ok()?;
    let exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    (exponent.abs() <= 100_000).then(|| (integer(&format!("{whole}{fraction}")), exponent))
}
