//! Implementations in which names mean nothing, left out where that is asked for (`-overlookTypeErrors`).
//!
//! In spite of the option's name Boogie leaves out only those whose names cannot be resolved: what is wrong with types
//! is counted as ever.

use std::collections::{BTreeMap, BTreeSet};

use super::resolve;
use crate::base::diagnostic::{Diagnostic, Severity, Stage};
use crate::base::source::FileId;
use crate::resolve::program::Program;
use crate::syntax::ast::{Ast, DeclarationKind};

/// Resolves and type checks a program like [`resolve`]. Where they may be overlooked, implementations in which names
/// mean nothing are taken out of the tree: what is wrong there is told, and makes nothing unusable.
pub(crate) fn resolve_or_overlook(
    ast: &mut Ast,
    infer_modifies: bool,
    overlook: bool,
) -> (Option<Program>, Vec<Diagnostic>) {
    let (program, found) = resolve(ast, infer_modifies);
    let of_names = |it: &Diagnostic| it.is_error() && it.stage == Stage::Names;
    if !overlook || !found.iter().any(of_names) {
        return (program, found);
    }
    // What is wrong besides bodies, whoever is left out.
    let whole = ast.declarations.clone();
    ast.declarations.iter_mut().for_each(|it| leave_out(&mut it.kind));
    let mut elsewhere = resolve(ast, infer_modifies).1;
    ast.declarations = whole;
    let starts = starts(ast);
    let mut told: Vec<(Option<usize>, Diagnostic)> = Vec::new();
    for diagnostic in found.into_iter().filter(of_names) {
        if let Some(at) = elsewhere.iter().position(|it| *it == diagnostic) {
            elsewhere.remove(at);
            told.push((None, diagnostic));
            continue;
        }
        let place = (diagnostic.span.file, diagnostic.span.start);
        let before = starts.range(..=place).next_back().filter(|((file, _), _)| *file == place.0);
        let within = before.map(|(_, index)| *index);
        told.push((within.filter(|index| ast.declarations[*index].kind.has_body()), diagnostic));
    }
    let left: BTreeSet<usize> = told.iter().filter_map(|(of, _)| *of).collect();
    for index in &left {
        let last = told.iter().rposition(|(of, _)| of.as_ref() == Some(index));
        if let (Some(last), Some(name)) = (last, name(ast, *index)) {
            let message = format!("Ignoring implementation {name} because of translation resolution errors");
            told[last].1.related.push((ast.declarations[*index].span, message));
        }
        leave_out(&mut ast.declarations[*index].kind);
    }
    let (program, rest) = resolve(ast, infer_modifies);
    let mut counted = 0;
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for (of, diagnostic) in told {
        counted += usize::from(of.is_none());
        diagnostics.push(match of {
            Some(_) => Diagnostic { severity: Severity::Note, stage: Stage::Overlooked, ..diagnostic },
            None => diagnostic,
        });
    }
    let new: Vec<_> = rest.into_iter().filter(|it| !diagnostics.contains(it)).collect();
    diagnostics.extend(new);
    (program.filter(|_| counted == 0), diagnostics)
}

/// Takes the body out of a declaration.
fn leave_out(kind: &mut DeclarationKind) {
    match kind {
        DeclarationKind::Implementation(_) => *kind = DeclarationKind::Dropped,
        DeclarationKind::Procedure(procedure) => procedure.body = None,
        _ => {}
    }
}

/// Where declarations begin.
fn starts(ast: &Ast) -> BTreeMap<(FileId, u32), usize> {
    let mut starts = BTreeMap::new();
    for (index, declaration) in ast.declarations.iter().enumerate() {
        if matches!(declaration.kind, DeclarationKind::Dropped) {
            continue;
        }
        let spans = declaration.attributes.iter().map(|it| it.span).chain([declaration.span]);
        if let Some(start) = spans.map(|it| (it.file, it.start)).min() {
            starts.insert(start, index);
        }
    }
    starts
}

fn name(ast: &Ast, index: usize) -> Option<&str> {
    let signature = match &ast.declarations[index].kind {
        DeclarationKind::Implementation(implementation) => &implementation.signature,
        DeclarationKind::Procedure(procedure) => &procedure.signature,
        _ => return None,
    };
    Some(ast.names.text(signature.name.name))
}
