//! Programs as text, in the layout in which Boogie prints them.
//!
//! One file for each kind of thing; `lines` is where the text goes.

mod declaration;
mod expression;
mod lines;
pub(crate) mod places;
pub(crate) mod prepare;
mod statement;

use crate::syntax::ast::{Ast, Attribute, Command, Declaration, DeclarationKind, ExprId, TypeExprId};
use expression::NONE;
use lines::Printer;
use places::Places;

/// A whole program, an empty line before each declaration.
#[must_use]
pub fn program(ast: &Ast) -> String {
    program_placed(ast, &[], false).0
}

/// The same, with the given texts at the places of bodies, in their order, and perhaps with long lines broken as Boogie
/// breaks them; and where everything stands in it.
#[must_use]
pub(crate) fn program_placed(ast: &Ast, bodies: &[(String, Places)], breaks: bool) -> (String, Places) {
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
    let (mut line, mut places) = (1, Places::default());
    for (index, (declaration, owned)) in ast.declarations.iter().zip(owned).enumerate() {
        places.declaration = index;
        if let (true, Some((body, of_body))) = (declaration.kind.has_body(), bodies.as_slice().first()) {
            if let DeclarationKind::Procedure(_) = declaration.kind {
                let head = procedure(ast, declaration);
                line += lines_of(&head);
                out.push_str(&head);
            }
            out.push_str(body);
            places.take_body(of_body, line);
            line += of_body.lines;
            bodies.next();
        } else if !owned {
            let mut printer = Printer::new(ast, &mut out).with_breaks(breaks).continuing(line, places);
            printer.declaration(declaration);
            (line, places) = printer.finish();
        }
    }
    places.lines = line - 1;
    if out.is_empty() {
        out.push('\n');
    }
    (out, places)
}

fn lines_of(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
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
