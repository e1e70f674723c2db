//! Expressions: written without recursion, by a stack of pieces that are still to be written, so that their depth does
//! not matter. Parentheses are written where a reader needs them: around an operation that binds weaker than what is
//! around it, or as strongly and differently.

use num_bigint::BigInt;

use super::lines::Printer;
use crate::base::source::Span;
use crate::syntax::ast::{BinaryOp, Binder, Binding, ExprId, ExprKind, ORDER, UnaryOp};

/// The strength of an argument position that needs no parentheses around anything.
pub(super) const NONE: u8 = 0;
/// That of the operand of a prefix operator, and of one that a bracket or an arrow follows.
const PREFIX: u8 = 0x80;
const POSTFIX: u8 = 0x90;

/// What is still to be written of an expression.
enum Piece {
    Expr(ExprId, u8, bool),
    Text(String),
    /// Here stands what has this place in the text.
    Mark(Span),
    /// What stands before the triggers of a quantifier.
    Head(ExprId),
    /// Here begins what is broken into lines if it is too long; inside something with the same word it is a part of
    /// that.
    Open(Option<&'static str>),
    /// Here a line may end.
    Break,
    Close,
}

/// How strongly an operator binds; those of one group have the same upper half.
fn strength(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Iff => 0x00,
        BinaryOp::Implies => 0x10,
        BinaryOp::And => 0x20,
        BinaryOp::Or => 0x21,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 0x30,
        BinaryOp::Concat => 0x40,
        BinaryOp::Add | BinaryOp::Sub => 0x50,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod | BinaryOp::RealDiv => 0x60,
        BinaryOp::Pow => 0x70,
    }
}

/// Whether a left or right operand of the same operator needs parentheses.
fn fragile(op: BinaryOp) -> (bool, bool) {
    match op {
        BinaryOp::Implies => (true, false),
        BinaryOp::Pow | BinaryOp::Sub | BinaryOp::Div | BinaryOp::Mod | BinaryOp::RealDiv => (false, true),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            (true, true)
        }
        BinaryOp::Iff | BinaryOp::And | BinaryOp::Or | BinaryOp::Concat | BinaryOp::Add | BinaryOp::Mul => {
            (false, false)
        }
    }
}

impl Printer<'_, '_> {
    pub(super) fn expression(&mut self, expr: ExprId, context: u8, fragile: bool) {
        let mut pieces = vec![Piece::Expr(expr, context, fragile)];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(text) => self.push(&text),
                Piece::Open(word) => self.open(word),
                Piece::Break => self.may_break(),
                Piece::Close => self.close(),
                Piece::Mark(span) => self.mark(span),
                Piece::Head(expr) => self.quantifier_head(expr),
                Piece::Expr(expr, context, fragile) => {
                    self.mark_expression(expr);
                    let first = pieces.len();
                    self.pieces(expr, context, fragile, &mut pieces);
                    pieces[first..].reverse();
                }
            }
        }
    }

    /// The pieces of an expression, in the order in which they are written.
    fn pieces(&mut self, expr: ExprId, context: u8, fragile_context: bool, pieces: &mut Vec<Piece>) {
        let text = |text: &str| Piece::Text(text.to_owned());
        let list = |pieces: &mut Vec<Piece>, exprs: &[ExprId]| {
            for (index, expr) in exprs.iter().enumerate() {
                if index > 0 {
                    pieces.push(Piece::Text(", ".to_owned()));
                }
                pieces.push(Piece::Expr(*expr, NONE, false));
            }
        };
        match &self.ast.exprs[expr].kind {
            ExprKind::Bool(value) => pieces.push(text(if *value { "true" } else { "false" })),
            ExprKind::Int(value) => pieces.push(Piece::Text(value.to_string())),
            ExprKind::Real(mantissa, exponent) => {
                pieces.push(Piece::Text(real(mantissa, *exponent)));
            }
            ExprKind::BitVector(value, width) => pieces.push(Piece::Text(format!("{value}bv{width}"))),
            ExprKind::Float(float) => pieces.push(text(float)),
            ExprKind::RoundingMode(mode) => pieces.push(text(mode)),
            ExprKind::Text(content) => pieces.push(Piece::Text(format!("\"{content}\""))),
            ExprKind::Name(name) => pieces.push(Piece::Text(self.name(*name))),
            ExprKind::Missing => {}
            ExprKind::Bounds(high, low) => pieces.push(Piece::Text(format!("{high}:{low}"))),
            ExprKind::Unary(UnaryOp::Not, a) => prefix("!", *a, context, pieces),
            ExprKind::Unary(UnaryOp::Neg, a) => prefix("-", *a, context, pieces),
            ExprKind::Unary(op, a) => {
                let name = if *op == UnaryOp::ToInt { "int(" } else { "real(" };
                pieces.extend([text(name), Piece::Expr(*a, NONE, false), text(")")]);
            }
            ExprKind::Binary(op, a, b) => {
                let around = (context, fragile_context);
                infix((op.text(), strength(*op), fragile(*op)), (*a, *b), around, pieces);
            }
            ExprKind::Apply(function, arguments) if self.ast.names.text(function.name) == ORDER => {
                if let [a, b] = arguments.as_slice() {
                    // As strongly as other comparisons.
                    let operator = (ORDER, strength(BinaryOp::Eq), fragile(BinaryOp::Eq));
                    infix(operator, (*a, *b), (context, fragile_context), pieces);
                }
            }
            ExprKind::Apply(function, arguments) => {
                pieces.push(Piece::Text(format!("{}(", self.name(function.name))));
                list(pieces, arguments);
                pieces.push(text(")"));
            }
            ExprKind::Select(map, indices) => {
                pieces.extend([Piece::Expr(*map, POSTFIX, false), text("[")]);
                list(pieces, indices);
                pieces.push(text("]"));
            }
            ExprKind::Store(map, indices, value) => {
                pieces.extend([Piece::Expr(*map, POSTFIX, false), text("[")]);
                list(pieces, indices);
                pieces.extend([text(" := "), Piece::Expr(*value, NONE, false), text("]")]);
            }
            ExprKind::Extract(a, high, low) => {
                pieces.extend([Piece::Expr(*a, POSTFIX, false), Piece::Text(format!("[{high}:{low}]"))]);
            }
            ExprKind::Field(a, field) => {
                pieces.push(Piece::Expr(*a, POSTFIX, false));
                pieces.push(Piece::Text(format!("->{}", self.name(field.name))));
            }
            ExprKind::FieldUpdate(a, field, value) => {
                pieces.push(Piece::Expr(*a, POSTFIX, false));
                pieces.push(Piece::Text(format!("->({} := ", self.name(field.name))));
                pieces.extend([Piece::Expr(*value, NONE, false), text(")")]);
            }
            ExprKind::Is(a, constructor) => {
                let parentheses = context >= PREFIX;
                pieces.push(text(if parentheses { "(" } else { "" }));
                pieces.push(Piece::Expr(*a, POSTFIX, false));
                let end = if parentheses { ")" } else { "" };
                pieces.push(Piece::Text(format!(" is {}{end}", self.name(constructor.name))));
            }
            ExprKind::Coerce(a, ty) => {
                let parentheses = context > PREFIX;
                pieces.push(text(if parentheses { "(" } else { "" }));
                let ty = self.ty(*ty, false);
                pieces.extend([Piece::Expr(*a, POSTFIX, false), Piece::Text(format!(": {ty}"))]);
                pieces.push(text(if parentheses { ")" } else { "" }));
            }
            ExprKind::Old(a) => {
                pieces.extend([text("old("), Piece::Expr(*a, NONE, false), text(")")]);
            }
            ExprKind::IfThenElse(condition, then, otherwise) => {
                pieces.push(Piece::Open(None));
                for (word, part) in [("(if ", condition), (" then ", then), (" else ", otherwise)] {
                    pieces.extend([Piece::Break, text(word), Piece::Expr(*part, NONE, false)]);
                }
                pieces.extend([text(")"), Piece::Close]);
            }
            ExprKind::Quantifier(quantifier) => {
                pieces.extend([Piece::Open(None), Piece::Head(expr)]);
                for trigger in &quantifier.triggers {
                    pieces.extend([Piece::Break, Piece::Mark(trigger.span)]);
                    pieces.push(text(if trigger.negative { "{:nopats " } else { "{ " }));
                    list(pieces, &trigger.terms);
                    pieces.push(text(" } "));
                }
                pieces.extend([
                    Piece::Break,
                    Piece::Expr(quantifier.body, NONE, false),
                    text(")"),
                    Piece::Close,
                ]);
            }
            ExprKind::Let(binding) => {
                let Binding { names, values, attributes, body } = &**binding;
                let mut head = String::new();
                let mut printer = Printer::new(self.ast, &mut head);
                for (index, (attributes, name)) in names.iter().enumerate() {
                    printer.push(if index > 0 { ", " } else { "(var " });
                    printer.attributes(attributes);
                    printer.push(&printer.name(name.name));
                }
                pieces.push(Piece::Text(format!("{head} := ")));
                list(pieces, values);
                let mut inner = "; ".to_owned();
                Printer::new(self.ast, &mut inner).attributes(attributes);
                pieces.extend([Piece::Text(inner), Piece::Expr(*body, NONE, false), text(")")]);
            }
            ExprKind::Code(body) => {
                let mut inner = String::new();
                let mut printer = Printer::new(self.ast, &mut inner);
                printer.push("|{ ");
                printer.body_lines(body, 0);
                printer.push("}|");
                pieces.push(Piece::Text(inner));
            }
        }
    }

    fn quantifier_head(&mut self, expr: ExprId) {
        let ast = self.ast;
        let ExprKind::Quantifier(quantifier) = &ast.exprs[expr].kind else { return };
        self.push(match quantifier.binder {
            Binder::Forall => "(forall",
            Binder::Exists => "(exists",
            Binder::Lambda => "(lambda",
        });
        self.put_type_parameters(&quantifier.type_parameters);
        for (index, bound) in quantifier.bound.iter().enumerate() {
            self.push(if index > 0 { ", " } else { " " });
            self.attributes(&bound.attributes);
            self.push(&format!("{}: ", self.name(bound.name.name)));
            self.put_type(bound.ty, false);
        }
        self.push(" :: ");
        self.attributes(&quantifier.attributes);
    }

    /// Several expressions, with commas between.
    pub(super) fn list(&mut self, exprs: &[ExprId]) {
        for (index, expr) in exprs.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            self.expression(*expr, NONE, false);
        }
    }
}

/// An operator, how strongly it binds and which of its operands need parentheses, between its operands.
fn infix(
    (sign, own, (left, right)): (&'static str, u8, (bool, bool)),
    (a, b): (ExprId, ExprId),
    (context, fragile_context): (u8, bool),
    pieces: &mut Vec<Piece>,
) {
    let (group, around) = (own & 0xf0, context & 0xf0);
    let parentheses =
        group < around || (group == around && (own != context || fragile_context) && context > 0);
    pieces.push(Piece::Open(Some(sign)));
    if parentheses {
        pieces.push(Piece::Text("(".to_owned()));
    }
    pieces.push(Piece::Expr(a, own, left));
    pieces.push(Piece::Break);
    pieces.push(Piece::Text(format!(" {sign} ")));
    pieces.push(Piece::Expr(b, own, right));
    if parentheses {
        pieces.push(Piece::Text(")".to_owned()));
    }
    pieces.push(Piece::Close);
}

/// A prefix operator and its operand.
fn prefix(sign: &str, operand: ExprId, context: u8, pieces: &mut Vec<Piece>) {
    let parentheses = context & 0xf0 > PREFIX;
    pieces.push(Piece::Text(format!("{}{sign}", if parentheses { "(" } else { "" })));
    pieces.push(Piece::Expr(operand, PREFIX, false));
    pieces.push(Piece::Text(if parentheses { ")" } else { "" }.to_owned()));
}

/// A decimal number as Boogie writes it: its digits without zeros at the end, and its power of ten.
fn real(mantissa: &BigInt, exponent: i32) -> String {
    let digits = mantissa.to_string();
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return "0e0".to_owned();
    }
    let zeros = i64::try_from(digits.len() - kept.len()).unwrap_or(i64::MAX);
    format!("{kept}e{}", i64::from(exponent).saturating_add(zeros))
}
