//! Expressions.

use num_bigint::BigInt;

use super::Parser;
use crate::base::source::Span;
use crate::syntax::ast::{
    BinaryOp, Binder, Binding, Expr, ExprId, ExprKind, Ident, ORDER, Quantifier, UnaryOp,
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

impl Parser<'_> {
    fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.ast.exprs.push(Expr { kind, span })
    }

    fn binary(&mut self, op: BinaryOp, span: Span, left: ExprId, right: ExprId) -> ExprId {
        self.add(ExprKind::Binary(op, left, right), span)
    }

    /// Whether an expression can begin at the current token.
    pub(super) fn begins_expression(&self) -> bool {
        match self.kind() {
            Kind::Keyword(word) => {
                matches!(word, "true" | "false" | "old" | "int" | "real" | "if")
                    || rounding_mode(word).is_some()
            }
            Kind::Sign(sign) => matches!(sign, "-" | "!" | "(" | "|{"),
            Kind::End | Kind::Unknown => false,
            Kind::Ident | Kind::Int | Kind::Decimal | Kind::BitVector | Kind::Float | Kind::Text => true,
        }
    }

    pub(super) fn expression(&mut self) -> ExprId {
        if !self.enter() {
            return self.missing();
        }
        let expr = self.operand(Self::equivalence);
        self.leave();
        expr
    }

    pub(super) fn expressions(&mut self) -> Vec<ExprId> {
        let mut exprs = vec![self.expression()];
        while self.eat_sign(",").is_some() {
            exprs.push(self.expression());
        }
        exprs
    }

    /// The arguments in parentheses that were opened.
    pub(super) fn arguments(&mut self) -> Vec<ExprId> {
        let arguments = if self.begins_expression() { self.expressions() } else { Vec::new() };
        self.sign(")");
        arguments
    }

    /// An operand of an operator. Most are followed by none that binds it closer; for the others `closer` goes on.
    fn operand(&mut self, closer: fn(&mut Self, ExprId) -> ExprId) -> ExprId {
        let first = self.test();
        if self.token().may_be_infix { closer(self, first) } else { first }
    }

    fn equivalence(&mut self, first: ExprId) -> ExprId {
        let mut left = self.implication(first);
        while let Some(span) = self.eat_sign("<==>") {
            let right = self.operand(Self::implication);
            left = self.binary(BinaryOp::Iff, span, left, right);
        }
        left
    }

    fn implication(&mut self, first: ExprId) -> ExprId {
        let mut left = self.logical(first);
        // Associates to the right: collect the operands, then fold from the end.
        let mut operands = Vec::new();
        while let Some(span) = self.eat_sign("==>") {
            operands.push((left, span));
            left = self.operand(Self::logical);
        }
        let mut mixed = !operands.is_empty();
        while let Some(span) = self.eat_sign("<==") {
            if std::mem::take(&mut mixed) {
                self.refuse("illegal mixture of ==> and <==, use parentheses to disambiguate");
            }
            let premise = self.operand(Self::logical);
            left = self.binary(BinaryOp::Implies, span, premise, left);
        }
        while let Some((premise, span)) = operands.pop() {
            left = self.binary(BinaryOp::Implies, span, premise, left);
        }
        left
    }

    fn logical(&mut self, first: ExprId) -> ExprId {
        let mut left = self.relation(first);
        for (sign, op) in [("&&", BinaryOp::And), ("||", BinaryOp::Or)] {
            if self.is_sign(sign) {
                while let Some(span) = self.eat_sign(sign) {
                    let right = self.operand(Self::relation);
                    left = self.binary(op, span, left, right);
                }
                break;
            }
        }
        left
    }

    fn relation(&mut self, first: ExprId) -> ExprId {
        let left = self.concatenation(first);
        let op = match self.kind() {
            Kind::Sign("==") => BinaryOp::Eq,
            Kind::Sign("!=") => BinaryOp::Ne,
            Kind::Sign("<") => BinaryOp::Lt,
            Kind::Sign("<=") => BinaryOp::Le,
            Kind::Sign(">") => BinaryOp::Gt,
            Kind::Sign(">=") => BinaryOp::Ge,
            Kind::Sign(ORDER) => {
                let span = self.bump().span;
                let right = self.operand(Self::concatenation);
                self.ast.has_order = true;
                let name = Ident { name: self.ast.names.intern(ORDER), span };
                return self.add(ExprKind::Apply(name, vec![left, right]), span);
            }
            _ => return left,
        };
        let span = self.bump().span;
        let right = self.operand(Self::concatenation);
        self.binary(op, span, left, right)
    }

    fn concatenation(&mut self, first: ExprId) -> ExprId {
        let mut left = self.sum(first);
        while let Some(span) = self.eat_sign("++") {
            let right = self.operand(Self::sum);
            left = self.binary(BinaryOp::Concat, span, left, right);
        }
        left
    }

    fn sum(&mut self, first: ExprId) -> ExprId {
        let mut left = self.product(first);
        loop {
            let op = match self.kind() {
                Kind::Sign("+") => BinaryOp::Add,
                Kind::Sign("-") => BinaryOp::Sub,
                _ => return left,
            };
            let span = self.bump().span;
            let right = self.operand(Self::product);
            left = self.binary(op, span, left, right);
        }
    }

    fn product(&mut self, first: ExprId) -> ExprId {
        let mut left = self.power(first);
        loop {
            let op = match self.kind() {
                Kind::Sign("*") => BinaryOp::Mul,
                Kind::Sign("/") => BinaryOp::RealDiv,
                Kind::Keyword("div") => BinaryOp::Div,
                Kind::Keyword("mod") => BinaryOp::Mod,
                _ => return left,
            };
            let span = self.bump().span;
            let right = self.operand(Self::power);
            left = self.binary(op, span, left, right);
        }
    }

    fn power(&mut self, first: ExprId) -> ExprId {
        let mut left = first;
        let mut operands = Vec::new();
        while let Some(span) = self.eat_sign("**") {
            operands.push((left, span));
            left = self.test();
        }
        while let Some((base, span)) = operands.pop() {
            left = self.binary(BinaryOp::Pow, span, base, left);
        }
        left
    }

    fn test(&mut self) -> ExprId {
        let expr = self.unary();
        let Some(span) = self.eat_keyword("is") else { return expr };
        let constructor = self.ident();
        self.add(ExprKind::Is(expr, constructor), span)
    }

    fn unary(&mut self) -> ExprId {
        let mut operators = Vec::new();
        loop {
            let op = match self.kind() {
                Kind::Sign("!") => UnaryOp::Not,
                Kind::Sign("-") => UnaryOp::Neg,
                _ => break,
            };
            operators.push((op, self.bump().span));
        }
        let mut expr = if self.begins_expression() {
            self.coercion()
        } else {
            self.invalid("UnaryExpression");
            self.missing()
        };
        while let Some((op, span)) = operators.pop() {
            expr = self.add(ExprKind::Unary(op, expr), span);
        }
        expr
    }

    fn coercion(&mut self) -> ExprId {
        let mut expr = self.postfix();
        while let Some(span) = self.eat_sign(":") {
            if self.begins_type() {
                let ty = self.ty();
                expr = self.add(ExprKind::Coerce(expr, ty), span);
            } else if self.kind() == Kind::Int {
                let low = self.bound();
                let high = match &self.ast.exprs[expr].kind {
                    ExprKind::Int(high) => Some(u32::try_from(high.clone()).unwrap_or(u32::MAX)),
                    _ => None,
                };
                if high.is_none() {
                    self.refuse("arguments of extract need to be integer literals");
                }
                expr = self.add(ExprKind::Bounds(high.unwrap_or(0), low), span);
            } else {
                self.invalid("CoercionExpression");
            }
        }
        expr
    }

    /// A bound of an extraction; no bit vector has as many bits as the largest one.
    fn bound(&mut self) -> u32 {
        let span = self.bump().span;
        self.slice(span).parse().unwrap_or(u32::MAX)
    }

    fn postfix(&mut self) -> ExprId {
        let mut expr = self.atom();
        loop {
            if let Some(span) = self.eat_sign("[") {
                let kind = self.element(expr);
                self.sign("]");
                expr = self.add(kind, span);
            } else if let Some(span) = self.eat_sign("->") {
                let kind = if self.eat_sign("(").is_some() {
                    let field = self.ident();
                    self.sign(":=");
                    let value = self.expression();
                    self.sign(")");
                    ExprKind::FieldUpdate(expr, field, value)
                } else if self.kind() == Kind::Ident {
                    ExprKind::Field(expr, self.ident())
                } else {
                    self.invalid("ArrayExpression");
                    continue;
                };
                expr = self.add(kind, span);
            } else {
                return expr;
            }
        }
    }

    /// What stands between brackets behind an expression.
    fn element(&mut self, base: ExprId) -> ExprKind {
        let bounds = |parser: &Self, expr: ExprId| match parser.ast.exprs[expr].kind {
            ExprKind::Bounds(high, low) => Some((high, low)),
            _ => None,
        };
        let mut indices = Vec::new();
        let mut extracted = None;
        if self.begins_expression() {
            indices.push(self.expression());
            extracted = bounds(self, indices[0]);
            while self.eat_sign(",").is_some() {
                let index = self.expression();
                if extracted.is_some() || bounds(self, index).is_some() {
                    self.refuse("bitvectors only have one dimension");
                }
                indices.push(index);
            }
        }
        if self.eat_sign(":=").is_some() {
            let value = self.expression();
            if extracted.is_some() || !indices.is_empty() && bounds(self, value).is_some() {
                self.refuse("assignment to bitvectors is not possible");
            }
            return ExprKind::Store(base, indices, value);
        }
        match extracted {
            Some((high, low)) => ExprKind::Extract(base, high, low),
            None => ExprKind::Select(base, indices),
        }
    }

    /// The caller has seen that an expression begins here, and not with the sign of an operator.
    fn atom(&mut self) -> ExprId {
        let token = self.token();
        let span = token.span;
        let kind = match token.kind {
            Kind::Int => {
                self.bump();
                ExprKind::Int(integer(self.slice(span)))
            }
            Kind::Decimal => {
                self.bump();
                match decimal(self.slice(span)) {
                    Some((mantissa, exponent)) => ExprKind::Real(mantissa, exponent),
                    None => self.unusable("the exponent of this number is too large"),
                }
            }
            Kind::BitVector => {
                self.bump();
                let (value, width) = self.slice(span).split_once("bv").unwrap_or_default();
                match (integer(value), width.parse::<u32>()) {
                    (value, Ok(width)) if value.bits() <= u64::from(width) => {
                        ExprKind::BitVector(value, width)
                    }
                    (value, Ok(width)) => {
                        // What a solver makes of it, and so Boogie.
                        let value = value % (BigInt::from(1) << width);
                        let message =
                            format!("this value does not fit into {width} bits, which leave {value} of it");
                        self.warn(span, message);
                        ExprKind::BitVector(value, width)
                    }
                    (_, Err(_)) => self.unusable("this bit vector is too wide"),
                }
            }
            Kind::Float => {
                self.bump();
                if crate::syntax::float::parse(self.slice(span)).is_none() {
                    self.refuse("incorrectly formatted floating point");
                }
                ExprKind::Float(self.slice(span).to_owned())
            }
            Kind::Text => ExprKind::Text(self.text_literal()),
            Kind::Ident => {
                let ident = self.ident();
                if self.eat_sign("(").is_none() {
                    ExprKind::Name(ident.name)
                } else if self.begins_expression() || self.is_sign(")") {
                    ExprKind::Apply(ident, self.arguments())
                } else {
                    self.invalid("AtomExpression");
                    self.sign(")");
                    ExprKind::Missing
                }
            }
            Kind::Keyword(word) => {
                self.bump();
                self.word(word)
            }
            Kind::Sign("|{") => {
                self.bump();
                ExprKind::Code(Box::new(self.code_body()))
            }
            // An opening parenthesis: the signs of unary operators were taken before.
            _ => {
                self.bump();
                let expr = self.parenthesized();
                if matches!(self.ast.exprs[expr].kind, ExprKind::Bounds(..)) {
                    self.refuse("parentheses around bitvector bounds are not allowed");
                }
                self.sign(")");
                return expr;
            }
        };
        self.add(kind, span)
    }

    /// What begins with a reserved word, which was taken.
    fn word(&mut self, word: &'static str) -> ExprKind {
        match word {
            "true" | "false" => ExprKind::Bool(word == "true"),
            "old" | "int" | "real" => {
                self.sign("(");
                let expr = self.expression();
                self.sign(")");
                match word {
                    "old" => ExprKind::Old(expr),
                    "int" => ExprKind::Unary(UnaryOp::ToInt, expr),
                    _ => ExprKind::Unary(UnaryOp::ToReal, expr),
                }
            }
            "if" => {
                let condition = self.expression();
                self.keyword("then");
                let then = self.expression();
                self.keyword("else");
                ExprKind::IfThenElse(condition, then, self.expression())
            }
            mode => rounding_mode(mode).map_or(ExprKind::Missing, ExprKind::RoundingMode),
        }
    }

    /// Reports a literal of the right form that no value of its type is written as.
    fn unusable(&mut self, message: &str) -> ExprKind {
        self.refuse(message);
        ExprKind::Missing
    }

    fn parenthesized(&mut self) -> ExprId {
        let binder = match self.kind() {
            Kind::Keyword("forall") => Binder::Forall,
            Kind::Keyword("exists") => Binder::Exists,
            Kind::Keyword("lambda") => Binder::Lambda,
            Kind::Keyword("var") => {
                if !self.enter() {
                    return self.missing();
                }
                let expr = self.binding();
                self.leave();
                return expr;
            }
            _ if self.begins_expression() => return self.expression(),
            _ => {
                self.invalid("AtomExpression");
                return self.missing();
            }
        };
        if !self.enter() {
            return self.missing();
        }
        let expr = self.quantifier(binder);
        self.leave();
        expr
    }

    fn binding(&mut self) -> ExprId {
        let span = self.keyword("var");
        let mut names = Vec::new();
        loop {
            names.push((self.attributes(), self.ident()));
            if self.eat_sign(",").is_none() {
                break;
            }
        }
        self.sign(":=");
        let values = self.expressions();
        self.sign(";");
        let attributes = self.attributes();
        let body = self.expression();
        self.add(ExprKind::Let(Box::new(Binding { names, values, attributes, body })), span)
    }

    fn quantifier(&mut self, binder: Binder) -> ExprId {
        let span = self.bump().span;
        let (mut type_parameters, mut bound) = (Vec::new(), Vec::new());
        let begins_bound = |parser: &Self| parser.kind() == Kind::Ident || parser.is_sign("{");
        let refused = Some("bound variables");
        if self.is_sign("<") {
            type_parameters = self.type_parameters();
            if begins_bound(self) {
                bound = self.typed_names(refused);
            }
        } else if begins_bound(self) {
            bound = self.typed_names(refused);
        } else {
            self.invalid("QuantifierBody");
        }
        if self.eat_sign("::").is_none() {
            self.invalid("QSep");
        }
        let (mut attributes, mut triggers) = (Vec::new(), Vec::new());
        while self.is_sign("{") {
            self.attribute_or_trigger(&mut attributes, &mut triggers);
        }
        let body = self.expression();
        if binder == Binder::Lambda && !triggers.is_empty() {
            self.refuse("triggers not allowed in lambda expressions");
        }
        let quantifier = Quantifier { binder, type_parameters, bound, attributes, triggers, body };
        self.add(ExprKind::Quantifier(Box::new(quantifier)), span)
    }

    /// The text between the quotation marks; the caller has seen that a string is there.
    pub(super) fn text_literal(&mut self) -> String {
        let span = self.bump().span;
        let text = self.slice(span);
        text.get(1..text.len() - 1).unwrap_or_default().to_owned()
    }
}

/// The short name of a rounding mode.
fn rounding_mode(word: &str) -> Option<&'static str> {
    ROUNDING_MODES.iter().find(|(long, short)| word == *long || word == *short).map(|(_, short)| *short)
}

/// The value of decimal digits.
fn integer(digits: &str) -> BigInt {
    BigInt::parse_bytes(digits.as_bytes(), 10).unwrap_or_default()
}

/// The mantissa and the power of ten of a decimal literal.
fn decimal(text: &str) -> Option<(BigInt, i32)> {
    let (number, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let exponent: i32 = exponent.parse().ok()?;
    let exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    (exponent.abs() <= 100_000).then(|| (integer(&format!("{whole}{fraction}")), exponent))
}
