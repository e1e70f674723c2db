//! The front end: from texts to a resolved program, on a stack of its own; and programs printed.

use std::cell::Cell;

use crate::base::diagnostic::Diagnostic;
use crate::base::source::{FileId, Sources, Span};
use crate::resolve::blocks::reached as reached_blocks;
use crate::resolve::program::{ImplementationId, Program};
use crate::resolve::unparse::Unparser;
use crate::resolve::{jumps, resolve, unstructured};
use crate::syntax::ast::{Ast, Declaration};
use crate::syntax::parser::parse;
use crate::syntax::print;
use crate::transform::{Expansion, expand};

/// Stack for the front end, whose recursion over types and statements goes as deep as the parser allows:
/// address space that is used only where a program is nested that deep.
const FRONT_END_STACK: usize = 512 << 20;

/// The resolved program, unless there are errors, and what there is to say about the text.
pub(super) fn front_end(
    sources: &Sources,
    files: &[FileId],
    infer: bool,
) -> (Option<Program>, Vec<Diagnostic>) {
    on_deep_stack(&|| {
        let mut ast = Ast::default();
        let mut diagnostics: Vec<Diagnostic> =
            files.iter().flat_map(|file| parse(sources, *file, &mut ast)).collect();
        if diagnostics.iter().any(Diagnostic::is_error) {
            return (None, with_jumps(diagnostics, jumps(&ast)));
        }
        ast.drop_external();
        let (program, found) = resolve(&ast, infer);
        diagnostics.extend(found);
        (program, diagnostics)
    })
}

/// What is wrong with a text, with what is wrong with jumps: that is found where a body ends.
fn with_jumps(syntax: Vec<Diagnostic>, jumps: Vec<(Span, Diagnostic)>) -> Vec<Diagnostic> {
    let mut found: Vec<((FileId, u32), Diagnostic)> = Vec::new();
    for diagnostic in syntax {
        let at = (diagnostic.span.file, diagnostic.span.start);
        // What is said later of an earlier place is said there all the same.
        let at = found.last().map_or(at, |(before, _)| at.max(*before));
        found.push((at, diagnostic));
    }
    found.extend(jumps.into_iter().map(|(end, diagnostic)| ((end.file, end.start), diagnostic)));
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, diagnostic)| diagnostic).collect()
}

thread_local! {
    /// Whether the present stack is one for the front end.
    static DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Does something on a stack that is deep enough for the front end: on the present one if it is, else on one of its
/// own. A program that does everything on one such stack has the front end's memory again for what comes after it:
/// an allocator keeps the memory of threads apart.
pub fn on_deep_stack<T: Send>(work: &(dyn Fn() -> T + Sync)) -> T {
    if DEEP.get() {
        return work();
    }
    let deep = || {
        DEEP.set(true);
        work()
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(FRONT_END_STACK).spawn_scoped(scope, deep);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // Without room for another thread, this one has to do.
            Err(_) => work(),
        }
    })
}

/// How a program is printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Printing {
    /// Bodies as labelled blocks, not as they are written.
    pub unstructured: bool,
}

/// A program as text, as it was parsed; nothing if it cannot be.
#[must_use]
pub fn print_parsed(sources: &Sources, files: &[FileId], printing: Printing) -> Option<String> {
    on_deep_stack(&|| {
        let mut ast = Ast::default();
        if files.iter().any(|file| parse(sources, *file, &mut ast).iter().any(Diagnostic::is_error)) {
            return None;
        }
        if printing.unstructured {
            unstructured(&mut ast);
        }
        Some(print::program_in_lines(&ast))
    })
}

/// What inlining made of a program: the implementations in which something was inlined, each with its
/// procedure. Nothing if the program is none.
#[must_use]
pub fn print_inlined(sources: &Sources, files: &[FileId], expansion: &Expansion) -> Option<String> {
    // What is done to it later is not shown.
    let expansion = Expansion { loop_unroll: None, intervals: None, ..*expansion };
    printed(sources, files, &expansion, |ast, program, procedure, id| {
        program.layouts.get(&id)?;
        let mut text = "\nafter inlining procedure calls".to_owned();
        text.push_str(&print::procedure(ast, procedure));
        text.push_str(&implementation(ast, program, procedure, id, false));
        Some(text)
    })
    .map(|texts| texts.concat())
}

/// A program as it is verified: calls inlined, loops unrolled, bodies as labelled blocks. Nothing if the
/// program is none.
#[must_use]
pub fn print_expanded(sources: &Sources, files: &[FileId], expansion: &Expansion) -> Option<String> {
    let bodies = printed(sources, files, expansion, |ast, program, procedure, id| {
        Some(implementation(ast, program, procedure, id, true))
    })?;
    Some(on_deep_stack(&|| {
        let mut ast = Ast::default();
        files.iter().for_each(|file| drop(parse(sources, *file, &mut ast)));
        ast.drop_external();
        print::program_with(&ast, &bodies, true)
    }))
}

/// What is said of each implementation of an expanded program, one after the other.
fn printed(
    sources: &Sources,
    files: &[FileId],
    expansion: &Expansion,
    each: impl Fn(&Ast, &Program, &Declaration, ImplementationId) -> Option<String> + Sync,
) -> Option<Vec<String>> {
    on_deep_stack(&|| {
        let mut ast = Ast::default();
        if files.iter().any(|file| parse(sources, *file, &mut ast).iter().any(Diagnostic::is_error)) {
            return None;
        }
        ast.drop_external();
        let mut program = resolve(&ast, expansion.infer_modifies).0?;
        if !expand(&mut program, expansion).is_empty() {
            return None;
        }
        // Implementations come in the order in which the text has bodies.
        let bodies = ast.declarations.iter().filter(|declaration| declaration.kind.has_body());
        let ids = program.implementations.ids();
        let texts = bodies.zip(ids).filter_map(|(body, id)| each(&ast, &program, body, id));
        Some(texts.collect())
    })
}

/// An implementation with the attributes of its declaration.
fn implementation(
    ast: &Ast,
    program: &Program,
    declaration: &Declaration,
    id: ImplementationId,
    breaks: bool,
) -> String {
    let own = &program.implementations[id];
    let cuts = program.cuts.get(&id);
    // Inference leaves out what cannot be reached.
    let mut order = reached_blocks(cuts.map(|_| &program.graph), &own.blocks);
    match program.layouts.get(&id) {
        _ if cuts.is_some() => {}
        None => order.sort_unstable(),
        Some(layout) => order.clone_from(layout),
    }
    let text = Unparser::new(program).with_breaks(breaks).pruning().ordered(own, &order, cuts);
    let attributes = print::attributes(ast, &declaration.attributes);
    text.replacen("implementation ", &format!("implementation {attributes}"), 1)
}
