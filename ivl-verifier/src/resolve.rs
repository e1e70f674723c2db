//! Syntax trees to resolved, typed programs.
//!
//! [`resolve`] gives every name its meaning and every expression its type, and reports what does not
//! fit in Boogie's words and at Boogie's positions. What comes out is a [`program::Program`]: flat
//! lists of entities, bodies as labelled blocks ([`blocks`]), and expressions as nodes of one shared
//! graph ([`graph`]) without positions, in which equal expressions are one node.
//!
//! The passes: names of types; signatures of functions, constants, variables and procedures
//! ([`declare`]); then every expression ([`infer`], with unification for polymorphic operations) and
//! every command ([`commands`]).
//!
//! What a run asks to be done to the program is done after it, in [`crate::transform`].

mod access;
pub(crate) mod blocks;
mod commands;
pub(crate) mod control;
mod declare;
pub(crate) mod desugared;
mod resolver;
pub(crate) mod graph;
mod hideable;
mod infer;
mod overlook;
pub(crate) mod program;
pub(crate) mod reach;
pub(crate) mod spelling;
pub(crate) mod types;
pub(crate) mod unparse;
mod written;

pub(crate) use blocks::{jumps, unstructured};
pub(crate) use overlook::resolve_or_overlook;

use crate::base::diagnostic::{Diagnostic, Severity};
use crate::syntax::ast::{Ast, ExprId};
use program::Program;

/// Resolves and type checks a program. Gives the program unless there are errors, and the diagnostics
/// (errors and warnings) in the order in which Boogie finds them.
///
/// With `infer_modifies`, bodies may change what their `modifies` clauses do not name; what procedures change
/// is then found out by [`crate::transform`].
pub(crate) fn resolve(ast: &Ast, infer_modifies: bool) -> (Option<Program>, Vec<Diagnostic>) {
    let mut resolver = resolver::Resolver::new(ast);
    resolver.infer_modifies = infer_modifies;
    resolver.run();
    let (program, diagnostics) = resolver.finish();
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    ((!failed).then_some(program), diagnostics)
}

/// The same of a tree that is to be printed: which of its equalities are of truth values.
pub(crate) fn resolve_for_print(ast: &Ast, infer_modifies: bool) -> Option<(Program, Vec<ExprId>)> {
    let mut resolver = resolver::Resolver::new(ast);
    resolver.infer_modifies = infer_modifies;
    resolver.truths = Some(Vec::new());
    resolver.run();
    let truths = resolver.truths.take().unwrap_or_default();
    let (program, diagnostics) = resolver.finish();
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    (!failed).then_some((program, truths))
}
