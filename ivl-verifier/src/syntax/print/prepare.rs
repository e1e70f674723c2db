//! What Boogie makes of a program while it reads it, to be seen where it is printed.

use crate::base::source::Span;
use crate::syntax::ast::{
    Ast, BinaryOp, Binder, Declaration, DeclarationKind, Expr, ExprId, ExprKind, Function, Ident, Quantifier,
    Trigger, TypeExprKind, TypedName,
};

/// Whether Boogie quotes a name that is no keyword: those of types that are built in, and what once was a keyword.
pub(super) fn is_quoted(text: &str) -> bool {
    matches!(text, "cast" | "public" | "rmode")
        || text.strip_prefix("bv").is_some_and(|rest| rest.parse::<i32>().is_ok())
}

/// Quotes types that are built in and have names: these are names like others as long as types are not known.
pub(crate) fn quote_types(ast: &mut Ast) {
    for id in ast.types.ids() {
        if let TypeExprKind::Named(Ident { name, .. }, _) = &ast.types[id].kind
            && is_quoted(ast.names.text(*name))
        {
            let quoted = format!("\\{}", ast.names.text(*name));
            let quoted = ast.names.intern(&quoted);
            if let TypeExprKind::Named(ident, _) = &mut ast.types[id].kind {
                ident.name = quoted;
            }
        }
    }
}

/// Gives functions the axioms that define them, in front of their own in `uses` clauses: those whose bodies are neither
/// put in the place of calls nor definitions for the solver.
pub(crate) fn define_by_axioms(ast: &mut Ast) {
    for at in 0..ast.declarations.len() {
        let Declaration { kind: DeclarationKind::Function(function), attributes, .. } = &ast.declarations[at]
        else {
            continue;
        };
        let Some(body) = function.body else { continue };
        if ["inline", "define"].iter().any(|word| ast.flag(attributes, word)) {
            continue;
        }
        let (function, mut attributes) = (function.clone(), attributes.clone());
        attributes.retain(|it| ast.names.text(it.name.name) != "revealed");
        let definition = Quantifier { attributes, ..definition(ast, &function, body) };
        let bare = definition.bound.is_empty() && definition.type_parameters.is_empty();
        let axiom = match bare {
            true => definition.body,
            false => made(ast, ExprKind::Quantifier(Box::new(definition))),
        };
        let kind = DeclarationKind::Axiom(axiom);
        ast.declarations.push(Declaration { kind, attributes: Vec::new(), span: Span::NOWHERE });
        let axiom = ast.declarations.len() - 1;
        if let DeclarationKind::Function(function) = &mut ast.declarations[at].kind {
            function.body = None;
            function.uses.insert(0, axiom);
        }
    }
}

/// That a function gives what its body says, for all arguments.
fn definition(ast: &mut Ast, function: &Function, body: ExprId) -> Quantifier {
    let mut bound = Vec::new();
    for (index, (name, ty)) in function.parameters.iter().enumerate() {
        let made = || Ident { name: ast.names.intern(&format!("_{index}")), span: Span::NOWHERE };
        let name = name.unwrap_or_else(made);
        bound.push(TypedName { name, ty: *ty, condition: None, attributes: Vec::new() });
    }
    let arguments = bound.iter().map(|it| made(ast, ExprKind::Name(it.name.name))).collect();
    let function_name = Ident { span: Span::NOWHERE, ..function.name };
    let applied = made(ast, ExprKind::Apply(function_name, arguments));
    let applied = made(ast, ExprKind::Coerce(applied, function.result));
    let body = made(ast, ExprKind::Binary(BinaryOp::Eq, applied, body));
    Quantifier {
        binder: Binder::Forall,
        type_parameters: function.type_parameters.clone(),
        bound,
        attributes: Vec::new(),
        triggers: vec![Trigger { negative: false, terms: vec![applied], span: Span::NOWHERE }],
        body,
    }
}

fn made(ast: &mut Ast, kind: ExprKind) -> ExprId {
    ast.exprs.push(Expr { kind, span: Span::NOWHERE })
}
