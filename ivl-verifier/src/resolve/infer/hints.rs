//! Attributes that help with quantifiers: `{:pool "p"}` on a bound variable has the terms of a pool put for it,
//! `{:add_to_pool "p", e}` on a quantifier or a command puts terms there.
//!
//! What these attributes say is a hint: it changes which instances of a quantifier are sent beside it, never what
//! is true. One that is not understood (no name of a pool, no term) is left out without a word, as in Boogie.

use crate::base::names::{Names, Symbol};
use crate::base::source::Span;
use crate::resolve::graph::{Hint, NodeId, NodeKind};
use crate::resolve::infer::Context;
use crate::resolve::resolver::Resolver;
use crate::syntax::ast::{Attribute, AttributeValue, ExprId, Quantifier};

/// What puts terms into a pool.
const ADD: &str = "add_to_pool";
/// The same, on quantifiers for the values alone that are chosen for their variables.
const ADD_CHOSEN: &str = "skolem_add_to_pool";

/// Whether an attribute puts terms into a pool.
pub(super) fn puts_into_pool(attribute: &Attribute, names: &Names) -> bool {
    [ADD, ADD_CHOSEN].contains(&names.text(attribute.name.name))
}

/// The terms that attributes put into pools; `node` resolves them.
pub(super) fn of(
    resolver: &mut Resolver<'_>,
    attributes: &[Attribute],
    node: &mut dyn FnMut(&mut Resolver<'_>, ExprId) -> NodeId,
) -> Vec<Hint> {
    let mut found = Vec::new();
    for attribute in attributes {
        if !puts_into_pool(attribute, &resolver.ast.names) {
            continue;
        }
        let Some((AttributeValue::Text(pool), terms)) = attribute.parameters.split_first() else { continue };
        let pool = resolver.program.names.intern(pool);
        let chosen_only = resolver.text(attribute.name.name) == ADD_CHOSEN;
        for term in terms {
            if let AttributeValue::Expr(term) = term {
                found.push(Hint { pool, term: node(resolver, *term), chosen_only });
            }
        }
    }
    found
}

/// For each bound variable of a quantifier, the pools that its attributes name; nothing if none names one.
pub(super) fn pools(resolver: &mut Resolver<'_>, quantifier: &Quantifier) -> Vec<Vec<Symbol>> {
    let ast = resolver.ast;
    let is_pool = |attribute: &&Attribute| ast.names.text(attribute.name.name) == "pool";
    let all: Vec<Vec<Symbol>> = quantifier
        .bound
        .iter()
        .map(|name| {
            let named = name.attributes.iter().filter(is_pool).flat_map(|it| &it.parameters);
            let mut pools = Vec::new();
            for value in named {
                if let AttributeValue::Text(pool) = value {
                    let pool = resolver.program.names.intern(pool);
                    if !pools.contains(&pool) {
                        pools.push(pool);
                    }
                }
            }
            pools
        })
        .collect();
    if all.iter().all(Vec::is_empty) { Vec::new() } else { all }
}

impl Resolver<'_> {
    /// An expression with the terms that the attributes of its command put into pools. What is wrong with these is
    /// told where attributes are checked.
    pub(in crate::resolve) fn hinted(
        &mut self,
        expr: NodeId,
        attributes: &[Attribute],
        context: &Context,
    ) -> NodeId {
        let hints = of(self, attributes, &mut |resolver, term| {
            let span = resolver.ast.exprs[term].span;
            resolver.expression_quietly(term, context, span)
        });
        if hints.is_empty() {
            return expr;
        }
        let ty = self.program.graph.ty(expr);
        self.program.graph.add(NodeKind::Hinted(hints, expr), ty)
    }

    /// An expression whose errors are told elsewhere.
    pub(in crate::resolve) fn expression_quietly(
        &mut self,
        expr: ExprId,
        context: &Context,
        span: Span,
    ) -> NodeId {
        self.quietly(|this| this.expression_of(expr, context, None, |_, _| (span, String::new())))
    }
}
