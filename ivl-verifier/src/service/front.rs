//! The front end: from texts to a resolved program, on a stack of its own.

use crate::base::diagnostic::Diagnostic;
use crate::base::source::{FileId, Sources};
use crate::resolve::program::Program;
use crate::resolve::resolve;
use crate::syntax::ast::Ast;
use crate::syntax::parser::parse;

/// Stack for the front end, whose recursion over types and statements goes as deep as the parser allows:
/// address space that is used only where a program is nested that deep.
const FRONT_END_STACK: usize = 512 << 20;

/// The resolved program, unless there are errors, and what there is to say about the text.
pub(super) fn front_end(
    sources: &Sources,
    files: &[FileId],
    infer: bool,
) -> (Option<Program>, Vec<Diagnostic>) {
    let work = || {
        let mut ast = Ast::default();
        let diagnostics: Vec<Diagnostic> =
            files.iter().flat_map(|file| parse(sources, *file, &mut ast)).collect();
        ast.drop_external();
        if diagnostics.is_empty() { resolve(&ast, infer) } else { (None, diagnostics) }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(FRONT_END_STACK).spawn_scoped(scope, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // Without room for another thread, this one has to do.
            Err(_) => work(),
        }
    })
}
