//! Programs as text, in the layout in which Boogie prints them.
//!
//! One function for each kind of thing; expressions are written without recursion, by a stack of pieces
//! that are still to be written, so that their depth does not matter. Parentheses are written where a
//! reader needs them: around an operation that binds weaker than what is around it, or as strongly and
//! differently.
//!
//! Length: one function for each form of declaration, statement and expression.

use std::fmt::Write;

use num_bigint::BigInt;

use crate::base::names::Symbol;
use crate::syntax::ast::{
    Ast, Attribute, AttributeValue, BigBlock, BinaryOp, Binder, BlockEnd, Body, Command, CommandKind,
    Condition, Declaration, DeclarationKind, ExprId, ExprKind, Ident, Quantifier, Signature, Statements,
    Target, TargetStep, TypeExprId, TypeExprKind, TypedName, UnaryOp, Visibility,
};
use crate::syntax::lexer::is_keyword;

/// The strength of an argument position that needs no parentheses around anything.
const NONE: u8 = 0;
/// That of the operand of a prefix operator, and of one that a bracket or an arrow follows.
const PREFIX: u8 = 0x80;
const POSTFIX: u8 = 0x90;

/// A whole program, an empty line before each declaration.
#[must_use]
pub fn program(ast: &Ast) -> String {
    program_with(ast, &[], false)
}

/// The same, long lines broken as Boogie breaks them.
#[must_use]
pub fn program_in_lines(ast: &Ast) -> String {
    program_with(ast, &[], true)
}

/// The same, with the given texts at the places of bodies, in their order, and perhaps with long lines broken.
#[must_use]
pub fn program_with(ast: &Ast, bodies: &[String], breaks: bool) -> String {
    let mut bodies = bodies.iter();
    let mut out = String::new();
    let mut owned = vec![false; ast.declarations.len()];
    for declaration in &ast.declarations {
        if let DeclarationKind::Function(function) = &declaration.kind {
            function.uses.iter().for_each(|index| owned[*index] = true);
        } else if let DeclarationKind::Constants { uses, .. } = &declaration.kind {
            uses.iter().for_each(|index| owned[*index] = true);
        }
    }
    for (declaration, owned) in ast.declarations.iter().zip(owned) {
        if let (true, Some(body)) = (declaration.kind.has_body(), bodies.as_slice().first()) {
            if let DeclarationKind::Procedure(_) = declaration.kind {
                out.push_str(&procedure(ast, declaration));
            }
            out.push_str(body);
            bodies.next();
        } else if !owned {
            Printer::new(ast, &mut out).with_breaks(breaks).declaration(declaration);
        }
    }
    out
}

/// A procedure without its body.
#[must_use]
pub fn procedure(ast: &Ast, declaration: &Declaration) -> String {
    let name = match &declaration.kind {
        DeclarationKind::Procedure(procedure) => procedure.signature.name.name,
        DeclarationKind::Implementation(implementation) => implementation.signature.name.name,
        _ => return String::new(),
    };
    let mut out = String::new();
    let whole = ast.declarations.iter().find(|it| match &it.kind {
        DeclarationKind::Procedure(procedure) => procedure.signature.name.name == name,
        _ => false,
    });
    let mut shown = whole.unwrap_or(declaration).clone();
    if let DeclarationKind::Procedure(procedure) = &mut shown.kind {
        procedure.body = None;
        Printer::new(ast, &mut out).declaration(&shown);
    }
    out
}

/// A declaration without what a function's body and `uses` clauses say.
#[must_use]
pub fn without_body(ast: &Ast, declaration: &Declaration) -> String {
    let mut shown = declaration.clone();
    match &mut shown.kind {
        DeclarationKind::Function(function) => {
            function.body = None;
            function.uses.clear();
        }
        DeclarationKind::Constants { uses, .. } => uses.clear(),
        DeclarationKind::Procedure(procedure) => procedure.body = None,
        _ => {}
    }
    let mut out = String::new();
    Printer::new(ast, &mut out).declaration(&shown);
    out
}

/// A type.
#[must_use]
pub fn type_expression(ast: &Ast, ty: TypeExprId) -> String {
    Printer::new(ast, &mut String::new()).ty(ty, false)
}

/// An expression.
#[must_use]
pub fn expression(ast: &Ast, expr: ExprId) -> String {
    let mut out = String::new();
    Printer::new(ast, &mut out).expression(expr, NONE, false);
    out
}

/// Attributes, each followed by a blank.
#[must_use]
pub fn attributes(ast: &Ast, attributes: &[Attribute]) -> String {
    let mut out = String::new();
    Printer::new(ast, &mut out).attributes(attributes);
    out
}

/// A command with its semicolon.
#[must_use]
pub fn command(ast: &Ast, command: &Command) -> String {
    let mut out = String::new();
    Printer::new(ast, &mut out).command(command);
    out
}

/// What is still to be written of an expression.
enum Piece {
    Expr(ExprId, u8, bool),
    Text(String),
    /// Here begins what is broken into lines if it is too long; inside something with the same word it is a part of
    /// that.
    Open(Option<&'static str>),
    /// Here a line may end.
    Break,
    Close,
}

/// How long the parts may be together that stand on one line.
const WIDTH: usize = 80;

/// What is broken into lines if it is too long, and is not at its end.
struct Group {
    word: Option<&'static str>,
    parts: Vec<String>,
}

struct Printer<'a, 'o> {
    ast: &'a Ast,
    out: &'o mut String,
    /// Whether long lines are broken.
    breaks: bool,
    groups: Vec<Group>,
    /// For each place where a group may begin, whether one did.
    opened: Vec<bool>,
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
        BinaryOp::Implies | BinaryOp::Pow => (true, false),
        BinaryOp::Sub | BinaryOp::Div | BinaryOp::Mod | BinaryOp::RealDiv => (false, true),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            (true, true)
        }
        BinaryOp::Iff | BinaryOp::And | BinaryOp::Or | BinaryOp::Concat | BinaryOp::Add | BinaryOp::Mul => {
            (false, false)
        }
    }
}

/// Lines, as Boogie breaks them: a group whose parts are longer than a line together has each part on a line of its
/// own, two blanks further to the right.
impl<'a, 'o> Printer<'a, 'o> {
    fn new(ast: &'a Ast, out: &'o mut String) -> Self {
        Self { ast, out, breaks: false, groups: Vec::new(), opened: Vec::new() }
    }

    fn with_breaks(self, breaks: bool) -> Self {
        Self { breaks, ..self }
    }

    fn push(&mut self, text: &str) {
        match self.groups.last_mut().and_then(|group| group.parts.last_mut()) {
            Some(part) => part.push_str(text),
            None => self.out.push_str(text),
        }
    }

    fn open(&mut self, word: Option<&'static str>) {
        if !self.breaks {
            return;
        }
        let same = self.groups.last().is_some_and(|group| word.is_some() && group.word == word);
        if same {
            self.may_break();
        } else {
            self.groups.push(Group { word, parts: vec![String::new()] });
        }
        self.opened.push(!same);
    }

    fn may_break(&mut self) {
        if let Some(group) = self.groups.last_mut() {
            group.parts.push(String::new());
        }
    }

    fn close(&mut self) {
        if self.opened.pop() != Some(true) {
            return;
        }
        let Some(group) = self.groups.pop() else { return };
        let lines: Vec<&str> =
            group.parts.iter().flat_map(|part| part.split('\n')).filter(|line| !line.is_empty()).collect();
        let length: usize = lines.iter().map(|line| line.chars().count()).sum();
        let between = if length <= WIDTH {
            String::new()
        } else if self.groups.is_empty() {
            let line = self.out.rsplit('\n').next().unwrap_or_default();
            let indentation = line.len() - line.trim_start_matches(' ').len();
            format!("\n{}", " ".repeat(indentation + 2))
        } else {
            "\n  ".to_owned()
        };
        self.push(&lines.join(&between));
    }
}

impl Printer<'_, '_> {
    /// A name; what would be read as a keyword is quoted.
    fn name(&self, name: Symbol) -> String {
        let text = self.ast.names.text(name);
        if is_keyword(text) { format!("\\{text}") } else { text.to_owned() }
    }

    fn names(&self, names: &[Ident]) -> String {
        names.iter().map(|it| self.name(it.name)).collect::<Vec<_>>().join(", ")
    }

    fn expression(&mut self, expr: ExprId, context: u8, fragile: bool) {
        let mut pieces = vec![Piece::Expr(expr, context, fragile)];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(text) => self.push(&text),
                Piece::Open(word) => self.open(word),
                Piece::Break => self.may_break(),
                Piece::Close => self.close(),
                Piece::Expr(expr, context, fragile) => {
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
                let own = strength(*op);
                let (left, right) = fragile(*op);
                let (group, around) = (own & 0xf0, context & 0xf0);
                let parentheses =
                    group < around || (group == around && (own != context || fragile_context) && context > 0);
                pieces.push(Piece::Open(Some(op.text())));
                if parentheses {
                    pieces.push(text("("));
                }
                pieces.push(Piece::Expr(*a, own, left));
                pieces.push(Piece::Break);
                pieces.push(Piece::Text(format!(" {} ", op.text())));
                pieces.push(Piece::Expr(*b, own, right));
                if parentheses {
                    pieces.push(text(")"));
                }
                pieces.push(Piece::Close);
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
                let parentheses = context > NONE;
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
                pieces.extend([Piece::Open(None), Piece::Text(self.quantifier_head(quantifier))]);
                for trigger in &quantifier.triggers {
                    pieces.push(Piece::Break);
                    pieces.push(text(if trigger.negative { "{:nopats " } else { "{ " }));
                    list(pieces, &trigger.terms);
                    pieces.push(text(if trigger.negative { "} " } else { " } " }));
                }
                pieces.extend([
                    Piece::Break,
                    Piece::Expr(quantifier.body, NONE, false),
                    text(")"),
                    Piece::Close,
                ]);
            }
            ExprKind::Let(names, values, body) => {
                pieces.push(Piece::Text(format!("(var {} := ", self.names(names))));
                list(pieces, values);
                pieces.extend([text("; "), Piece::Expr(*body, NONE, false), text(")")]);
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

    fn quantifier_head(&self, quantifier: &Quantifier) -> String {
        let mut head = String::new();
        head.push_str(match quantifier.binder {
            Binder::Forall => "(forall",
            Binder::Exists => "(exists",
            Binder::Lambda => "(lambda",
        });
        head.push_str(&self.type_parameters(&quantifier.type_parameters));
        for (index, bound) in quantifier.bound.iter().enumerate() {
            head.push_str(if index > 0 { ", " } else { " " });
            head.push_str(&attributes(self.ast, &bound.attributes));
            let _ = write!(head, "{}: {}", self.name(bound.name.name), self.ty(bound.ty, false));
        }
        head.push_str(" :: ");
        head.push_str(&attributes(self.ast, &quantifier.attributes));
        head
    }

    fn type_parameters(&self, parameters: &[Ident]) -> String {
        if parameters.is_empty() { String::new() } else { format!("<{}>", self.names(parameters)) }
    }

    /// A type; as an argument of another one if `argument` says so. The depth of types is bounded by the
    /// parser.
    fn ty(&self, ty: TypeExprId, argument: bool) -> String {
        match &self.ast.types[ty].kind {
            TypeExprKind::Bool => "bool".to_owned(),
            TypeExprKind::Int => "int".to_owned(),
            TypeExprKind::Real => "real".to_owned(),
            TypeExprKind::Named(name, arguments) => {
                let mut text = self.name(name.name);
                for argument in arguments {
                    text.push(' ');
                    text.push_str(&self.ty(*argument, true));
                }
                if argument && !arguments.is_empty() { format!("({text})") } else { text }
            }
            TypeExprKind::Map { parameters, arguments, result } => {
                let arguments: Vec<String> = arguments.iter().map(|it| self.ty(*it, false)).collect();
                let parameters = parameters.iter().map(|it| self.name(it.name)).collect::<Vec<_>>();
                let parameters =
                    if parameters.is_empty() { String::new() } else { format!("<{}>", parameters.join(",")) };
                let text = format!("{parameters}[{}]{}", arguments.join(","), self.ty(*result, false));
                if argument { format!("({text})") } else { text }
            }
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.push(&format!("{{:{}", self.ast.names.text(attribute.name.name)));
            for (index, value) in attribute.parameters.iter().enumerate() {
                self.push(if index > 0 { ", " } else { " " });
                match value {
                    AttributeValue::Text(text) => self.push(&format!("\"{text}\"")),
                    AttributeValue::Expr(expr) => self.expression(*expr, NONE, false),
                }
            }
            self.push("} ");
        }
    }

    fn typed_name(&mut self, name: &TypedName) {
        self.attributes(&name.attributes);
        let ty = self.ty(name.ty, false);
        self.push(&format!("{}: {ty}", self.name(name.name.name)));
        if let Some(condition) = name.condition {
            self.push(" where ");
            self.expression(condition, NONE, false);
        }
    }

    fn typed_names(&mut self, names: &[TypedName]) {
        for (index, name) in names.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            self.typed_name(name);
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        if matches!(declaration.kind, DeclarationKind::Dropped) {
            return;
        }
        let attributes = &declaration.attributes;
        match &declaration.kind {
            DeclarationKind::TypeConstructor { name, parameters } => {
                self.head("type ", attributes, &self.name(name.name));
                self.push(&format!("{};\n", " _".repeat(parameters.len())));
            }
            DeclarationKind::TypeSynonym { name, parameters, body } => {
                self.head("type ", attributes, &self.name(name.name));
                let parameters: String =
                    parameters.iter().map(|it| format!(" {}", self.name(it.name))).collect();
                self.push(&format!("{parameters} = {};\n", self.ty(*body, false)));
            }
            DeclarationKind::Datatype { name, parameters, constructors } => {
                self.head("datatype ", attributes, &self.name(name.name));
                self.push(&format!("{} {{", self.type_parameters(parameters)));
                for (index, (constructor, fields)) in constructors.iter().enumerate() {
                    self.push(if index > 0 { ",\n  " } else { "\n  " });
                    self.push(&format!("{}(", self.name(constructor.name)));
                    self.typed_names(fields);
                    self.push(")");
                }
                self.push("\n}\n");
            }
            DeclarationKind::Constants { unique, names, uses } => {
                for name in names {
                    self.head("const ", attributes, if *unique { "unique " } else { "" });
                    self.typed_name(name);
                    self.uses(uses, ";\n");
                }
            }
            DeclarationKind::Function(function) => {
                self.head("function ", attributes, &self.name(function.name.name));
                self.push(&self.type_parameters(&function.type_parameters));
                let parameters: Vec<String> = function
                    .parameters
                    .iter()
                    .map(|(name, ty)| match name {
                        Some(name) => format!("{}: {}", self.name(name.name), self.ty(*ty, false)),
                        None => self.ty(*ty, false),
                    })
                    .collect();
                self.push(&format!("({}) : {}", parameters.join(", "), self.ty(function.result, false)));
                match function.body {
                    Some(body) => {
                        self.push("\n{\n  ");
                        self.expression(body, NONE, false);
                        self.push("\n}\n");
                        self.uses(&function.uses, "");
                    }
                    None => self.uses(&function.uses, ";\n"),
                }
            }
            DeclarationKind::Axiom(expr) => {
                self.head("axiom ", attributes, "");
                self.expression(*expr, NONE, false);
                self.push(";\n");
            }
            DeclarationKind::Variables(names) => {
                for name in names {
                    self.head("var ", attributes, "");
                    self.typed_name(name);
                    self.push(";\n");
                }
            }
            DeclarationKind::Procedure(procedure) => {
                let keyword = if procedure.pure { "pure procedure " } else { "procedure " };
                self.head(keyword, attributes, "");
                self.signature(&procedure.signature);
                self.push(";\n");
                self.conditions("requires", &procedure.requires);
                if !procedure.modifies.is_empty() {
                    self.push(&format!("  modifies {};\n", self.names(&procedure.modifies)));
                }
                self.conditions("ensures", &procedure.ensures);
                self.push("\n\n");
                if let Some(body) = &procedure.body {
                    self.head("implementation ", attributes, "");
                    self.signature(&bare(&procedure.signature));
                    self.push("\n");
                    self.body(body);
                }
            }
            DeclarationKind::Implementation(implementation) => {
                self.head("implementation ", attributes, "");
                self.signature(&implementation.signature);
                self.push("\n");
                self.body(&implementation.body);
            }
            DeclarationKind::Dropped => {}
        }
    }

    /// The empty line before a declaration and its first words.
    fn head(&mut self, keyword: &str, attributes: &[Attribute], name: &str) {
        self.push("\n");
        // Two words before a keyword are kept as attributes.
        let is_word = |attribute: &Attribute| {
            ["hideable", "revealed"].contains(&self.ast.names.text(attribute.name.name))
        };
        let (words, attributes): (Vec<Attribute>, Vec<Attribute>) =
            attributes.iter().cloned().partition(is_word);
        for word in words {
            self.push(&format!("{} ", self.ast.names.text(word.name.name)));
        }
        self.push(keyword);
        self.attributes(&attributes);
        self.push(name);
    }

    fn uses(&mut self, uses: &[usize], end: &str) {
        let ast = self.ast;
        if uses.is_empty() {
            self.push(end);
            return;
        }
        self.push("\nuses {\n");
        for declaration in uses.iter().filter_map(|index| ast.declarations.get(*index)) {
            self.declaration(declaration);
        }
        self.push("}\n");
    }

    fn signature(&mut self, signature: &Signature) {
        self.push(&self.name(signature.name.name));
        self.open(None);
        self.push(&self.type_parameters(&signature.type_parameters));
        self.push("(");
        self.typed_names(&signature.inputs);
        self.push(")");
        self.may_break();
        if !signature.outputs.is_empty() {
            self.push(" returns (");
            self.typed_names(&signature.outputs);
            self.push(")");
        }
        self.close();
    }

    fn conditions(&mut self, word: &str, conditions: &[Condition]) {
        for condition in conditions {
            self.push(&format!("  {}{word} ", if condition.free { "free " } else { "" }));
            self.attributes(&condition.attributes);
            self.expression(condition.expr, NONE, false);
            self.push(";\n");
        }
    }

    fn body(&mut self, body: &Body) {
        self.push("{\n");
        self.body_lines(body, 1);
        self.push("}\n\n\n");
    }

    fn body_lines(&mut self, body: &Body, level: usize) {
        for local in &body.locals {
            self.push("  var ");
            self.typed_name(local);
            self.push(";\n");
        }
        let is_labelled = body.statements.blocks.first().is_some_and(|block| block.label.is_some());
        if is_labelled || !body.locals.is_empty() {
            self.push("\n");
        }
        self.statements(&body.statements, level);
    }

    /// A list of statements. The depth of statements is bounded by the parser.
    fn statements(&mut self, statements: &Statements, level: usize) {
        for (index, block) in statements.blocks.iter().enumerate() {
            if index > 0 {
                self.push("\n");
            }
            self.block(block, level);
        }
    }

    fn block(&mut self, block: &BigBlock, level: usize) {
        if let Some(label) = block.label {
            self.line(level, &format!("{}:", self.name(label.name)));
        }
        for command in &block.commands {
            self.push(&"  ".repeat(level + 1));
            self.command(command);
            self.push("\n");
        }
        let level = level + 1;
        match &block.end {
            BlockEnd::FallThrough => {}
            BlockEnd::Goto(_, labels) => {
                let attributes = attributes(self.ast, &block.jump);
                self.line(level, &format!("goto {attributes}{};", self.names(labels)));
            }
            BlockEnd::Return(_) => {
                let attributes = attributes(self.ast, &block.jump);
                self.line(level, &format!("{};", format!("return {attributes}").trim_end()));
            }
            BlockEnd::ReturnValue(_, value) => {
                self.push(&"  ".repeat(level));
                self.push("return ");
                self.attributes(&block.jump);
                self.expression(*value, NONE, false);
                self.push(";\n");
            }
            BlockEnd::Break(_, None) => self.line(level, "break;"),
            BlockEnd::Break(_, Some(label)) => {
                self.line(level, &format!("break {};", self.name(label.name)));
            }
            BlockEnd::If { branches, otherwise } => {
                for (index, branch) in branches.iter().enumerate() {
                    let attributes = attributes(self.ast, &branch.attributes);
                    let word = if index > 0 { "else if" } else { "if" };
                    self.guarded(level, format!("{word} {attributes}").trim_end(), branch.guard);
                    self.braced(&branch.then, level);
                }
                if let Some(otherwise) = otherwise {
                    self.line(level, "else");
                    self.braced(otherwise, level);
                }
            }
            BlockEnd::While { guard, invariants, body, .. } => {
                self.guarded(level, "while", *guard);
                for invariant in invariants {
                    let free = if invariant.free { "free " } else { "" };
                    self.push(&format!("{}{free}invariant ", "  ".repeat(level + 1)));
                    self.attributes(&invariant.attributes);
                    self.expression(invariant.expr, NONE, false);
                    self.push(";\n");
                }
                self.braced(body, level);
            }
        }
    }

    fn line(&mut self, level: usize, text: &str) {
        self.push(&format!("{}{text}\n", "  ".repeat(level)));
    }

    fn guarded(&mut self, level: usize, word: &str, guard: Option<ExprId>) {
        self.push(&format!("{}{word} (", "  ".repeat(level)));
        match guard {
            Some(guard) => self.expression(guard, NONE, false),
            None => self.push("*"),
        }
        self.push(")\n");
    }

    fn braced(&mut self, statements: &Statements, level: usize) {
        self.line(level, "{");
        self.statements(statements, level + 1);
        self.line(level, "}");
    }

    fn command(&mut self, command: &Command) {
        let attributes = &command.attributes;
        match &command.kind {
            CommandKind::Assert(expr) | CommandKind::Assume(expr) => {
                let is_check = matches!(command.kind, CommandKind::Assert(_));
                self.push(if is_check { "assert " } else { "assume " });
                self.attributes(attributes);
                self.expression(*expr, NONE, false);
            }
            CommandKind::Havoc(names) => self.push(&format!("havoc {}", self.names(names))),
            CommandKind::Assign(targets, values) => {
                for (index, target) in targets.iter().enumerate() {
                    self.push(if index > 0 { ", " } else { "" });
                    self.target(target);
                }
                self.push(" := ");
                self.attributes(attributes);
                self.list(values);
            }
            CommandKind::Unpack(constructor, names, value) => {
                self.push(&format!("{}({}) := ", self.name(constructor.name), self.names(names)));
                self.attributes(attributes);
                self.expression(*value, NONE, false);
            }
            CommandKind::Visibility(change) => {
                let names = |names: &Option<Vec<Ident>>| match names {
                    Some(names) => self.names(names),
                    None => "*".to_owned(),
                };
                let text = match change {
                    Visibility::Hide(of) => format!("hide {}", names(of)),
                    Visibility::Reveal(of) => format!("reveal {}", names(of)),
                    Visibility::Push => "push".to_owned(),
                    Visibility::Pop => "pop".to_owned(),
                };
                self.push(&text);
            }
            CommandKind::Call { free, outputs, callee, arguments } => {
                self.push(if *free { "free call " } else { "call " });
                self.attributes(attributes);
                if !outputs.is_empty() {
                    self.push(&format!("{} := ", self.names(outputs)));
                }
                self.push(&format!("{}(", self.name(callee.name)));
                self.list(arguments);
                self.push(")");
            }
        }
        self.push(";");
    }

    fn list(&mut self, exprs: &[ExprId]) {
        for (index, expr) in exprs.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            self.expression(*expr, NONE, false);
        }
    }

    fn target(&mut self, target: &Target) {
        self.push(&self.name(target.base.name));
        for step in &target.steps {
            match step {
                TargetStep::Index(_, indices) => {
                    self.push("[");
                    self.list(indices);
                    self.push("]");
                }
                TargetStep::Field(field) => self.push(&format!("->{}", self.name(field.name))),
            }
        }
    }
}

/// A prefix operator and its operand.
fn prefix(sign: &str, operand: ExprId, context: u8, pieces: &mut Vec<Piece>) {
    let parentheses = context & 0xf0 > PREFIX;
    pieces.push(Piece::Text(format!("{}{sign}", if parentheses { "(" } else { "" })));
    pieces.push(Piece::Expr(operand, PREFIX, false));
    pieces.push(Piece::Text(if parentheses { ")" } else { "" }.to_owned()));
}

/// A signature whose names have neither attributes nor conditions: these stand at the procedure.
fn bare(signature: &Signature) -> Signature {
    let mut bare = signature.clone();
    for name in bare.inputs.iter_mut().chain(&mut bare.outputs) {
        name.attributes.clear();
        name.condition = None;
    }
    bare
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
