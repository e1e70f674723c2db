//! The front end: from texts to a resolved program, on a stack of its own; and programs printed.

use std::cell::Cell;

use rustc_hash::FxHashMap;

use crate::base::arena::Id;
use crate::base::diagnostic::Diagnostic;
use crate::base::source::{FileId, Sources, Span};
use crate::report::dot::dot;
use crate::resolve::control::reached as reached_blocks;
use crate::resolve::desugared::desugar;
use crate::resolve::graph::VariableId;
use crate::resolve::program::{Implementation, ImplementationId, Program};
use crate::resolve::spelling::Spelling;
use crate::resolve::unparse::Unparser;
use crate::resolve::{jumps, resolve_for_print, resolve_or_overlook, unstructured};
use crate::syntax::ast::{Ast, Declaration, DeclarationKind};
use crate::syntax::parser::parse;
use crate::syntax::print;
use crate::syntax::print::places::{BlocksPlaced, Places, span as placed_at};
use crate::transform::{Expansion, expand};

/// Stack for the front end, whose recursion over types and statements goes as deep as the parser allows:
/// address space that is used only where a program is nested that deep.
const FRONT_END_STACK: usize = 512 << 20;

/// Where a program was printed: Boogie tells errors there then, and so does whoever is handed this.
#[derive(Clone, Debug, Default)]
pub struct Prints {
    /// As it was parsed.
    parsed: Option<(Places, FileId)>,
    /// After inlining, by the number of each implementation.
    bodies: Vec<(usize, BlocksPlaced, FileId)>,
    /// Whether long lines are broken nowhere.
    flat: bool,
}

impl Prints {
    /// Nothing is printed yet; long lines will be broken nowhere.
    #[must_use]
    pub fn flat() -> Self {
        Self { flat: true, ..Self::default() }
    }

    /// Gives implementations the places at which they were printed after inlining.
    pub(super) fn place_inlined(&self, program: &mut Program) {
        let ids: Vec<ImplementationId> = program.implementations.ids().collect();
        for (number, blocks, file) in &self.bodies {
            if let Some(id) = ids.get(*number) {
                program.implementations[*id].print_at(&program.names, blocks, *file, true);
            }
        }
    }

    /// Notes the places of an implementation. The empty line in front of what is printed is not counted.
    fn take(&mut self, sources: &mut Sources, number: usize, name: &str, mut places: Places) {
        let file = sources.add_print(name, places.all(-1));
        if let Some((_, blocks)) = places.bodies.pop_first() {
            self.bodies.push((number, blocks, file));
        }
    }

    /// The same for those at which they were printed before; the text's bodies are given by their declarations.
    fn place_parsed(&self, program: &mut Program, bodies: &[usize]) {
        let Some((places, file)) = &self.parsed else { return };
        let ids: Vec<ImplementationId> = program.implementations.ids().collect();
        for (id, declaration) in ids.into_iter().zip(bodies) {
            if let Some(number) = places.implementation(*declaration) {
                program.implementations[id].span = placed_at(*file, number);
            }
            if let Some(blocks) = places.bodies.get(declaration) {
                program.implementations[id].print_at(&program.names, blocks, *file, false);
            }
        }
    }
}

/// The declarations with bodies, in the order of the implementations that they become.
fn declarations_with_bodies(ast: &Ast) -> Vec<usize> {
    let declarations = ast.declarations.iter().enumerate();
    declarations.filter(|(_, it)| it.kind.has_body()).map(|(index, _)| index).collect()
}

/// What is wanted of a program besides itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reading {
    /// What procedures change, inferred.
    pub(super) modifies: bool,
    /// Whether implementations in which names mean nothing are left out.
    pub(super) overlook: bool,
    /// What its text says and resolution drops, for what is printed of it.
    pub(super) spelling: bool,
}

/// The resolved program, unless there are errors, and what there is to say about the text, at the places where it was
/// printed.
pub(super) fn front_end(
    sources: &Sources,
    files: &[FileId],
    reading: Reading,
    prints: &Prints,
) -> (Option<Program>, Vec<Diagnostic>) {
    on_deep_stack(&|| {
        let mut ast = Ast::default();
        let mut diagnostics: Vec<Diagnostic> =
            files.iter().flat_map(|file| parse(sources, *file, &mut ast)).collect();
        if diagnostics.iter().any(Diagnostic::is_error) {
            return (None, with_jumps(diagnostics, jumps(&ast)));
        }
        if let Some((places, file)) = &prints.parsed {
            places.apply(&mut ast, *file);
        }
        ast.drop_uncounted();
        let (mut program, found) = resolve_or_overlook(&mut ast, reading.modifies, reading.overlook);
        if let Some(program) = &mut program {
            if reading.spelling {
                program.spelling = Spelling::of(&ast);
            }
            prints.place_parsed(program, &declarations_with_bodies(&ast));
        }
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
    /// Bodies as labelled blocks.
    pub unstructured: bool,
    /// And as they are written.
    pub structured: bool,
    /// How many lines are printed before.
    pub lines_before: i64,
    /// As it is once names and types are known, with what calls stand for; nothing if there is something wrong with
    /// it.
    pub desugared: bool,
    /// Whether procedures may change what their bodies change.
    pub infer_modifies: bool,
}

/// A program as text, as it was parsed; nothing if it cannot be. Its places are noted, in a file of this name.
#[must_use]
pub fn print_parsed(
    sources: &mut Sources,
    files: &[FileId],
    printing: Printing,
    (name, prints): (&str, &mut Prints),
) -> Option<String> {
    let breaks = !prints.flat;
    let (text, places) = on_deep_stack(&|| {
        let mut ast = Ast::default();
        if files.iter().any(|file| parse(sources, *file, &mut ast).iter().any(Diagnostic::is_error)) {
            return None;
        }
        if printing.desugared {
            ast.drop_uncounted();
            let (mut program, truths) = resolve_for_print(&ast, printing.infer_modifies)?;
            desugar(&mut ast, &mut program, &truths);
        } else {
            print::prepare::quote_types(&mut ast);
        }
        print::prepare::define_by_axioms(&mut ast);
        if printing.unstructured {
            unstructured(&mut ast, printing.structured);
        }
        Some(print::program_placed(&ast, &[], breaks))
    })?;
    let file = sources.add_print(name, places.all(printing.lines_before));
    prints.parsed = Some((places, file));
    Some(text)
}

/// The control flow of implementations for Graphviz, each with its name; nothing if the program is none.
#[must_use]
pub fn print_flow(
    sources: &Sources,
    files: &[FileId],
    infer_modifies: bool,
) -> Option<Vec<(String, String)>> {
    let reading = Reading { modifies: infer_modifies, ..Reading::default() };
    let (program, _) = front_end(sources, files, reading, &Prints::default());
    let program = program?;
    let flow = |(_, it): (ImplementationId, &Implementation)| {
        (program.names.text(it.name).to_owned(), dot(&program.names, &it.blocks))
    };
    Some(program.implementations.iter().map(flow).collect())
}

/// What inlining made of a program: the implementations in which something was inlined, each with its
/// procedure. Nothing if the program is none. Their places are noted.
#[must_use]
pub fn print_inlined(
    sources: &mut Sources,
    files: &[FileId],
    expansion: &Expansion,
    prints: &mut Prints,
) -> Option<String> {
    // What is done to it later is not shown.
    let expansion = Expansion { loop_unroll: None, induction: None, intervals: None, ..*expansion };
    let texts = printed(sources, files, &expansion, |ast, program, procedure, id| {
        program.layouts.get(&id)?;
        let (text, places) = implementation(ast, program, procedure, id, (&expansion, false));
        let head = format!("after inlining procedure calls{}", print::procedure(ast, procedure));
        Some((id.index(), head + text.strip_prefix('\n').unwrap_or(&text), places))
    })?;
    let mut all = String::new();
    for (number, text, places) in texts {
        all.push_str(&text);
        prints.take(sources, number, "<console>", places);
    }
    Some(all)
}

/// A program as it is verified: calls inlined, loops unrolled, bodies as labelled blocks. Nothing if the
/// program is none. Its places are noted.
#[must_use]
pub fn print_expanded(
    sources: &mut Sources,
    files: &[FileId],
    expansion: &Expansion,
    prints: &mut Prints,
) -> Option<String> {
    let breaks = !prints.flat;
    let bodies = printed(sources, files, expansion, |ast, program, procedure, id| {
        Some(implementation(ast, program, procedure, id, (expansion, breaks)))
    })?;
    let (text, places, order) = on_deep_stack(&|| {
        let mut ast = Ast::default();
        files.iter().for_each(|file| drop(parse(sources, *file, &mut ast)));
        ast.drop_uncounted();
        print::prepare::define_by_axioms(&mut ast);
        let (text, places) = print::program_placed(&ast, &bodies, breaks);
        let text = text.strip_prefix('\n').map(str::to_owned).unwrap_or(text);
        (text, places, declarations_with_bodies(&ast))
    });
    for (number, declaration) in order.into_iter().enumerate() {
        let mut own = places.clone();
        own.bodies.retain(|at, _| *at == declaration);
        prints.take(sources, number, "<no file>", own);
    }
    Some(text)
}

/// What is said of each implementation of an expanded program, one after the other.
fn printed<T: Send>(
    sources: &Sources,
    files: &[FileId],
    expansion: &Expansion,
    each: impl Fn(&Ast, &Program, &Declaration, ImplementationId) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    on_deep_stack(&|| {
        let mut ast = Ast::default();
        if files.iter().any(|file| parse(sources, *file, &mut ast).iter().any(Diagnostic::is_error)) {
            return None;
        }
        ast.drop_uncounted();
        let mut program = resolve_or_overlook(&mut ast, expansion.infer_modifies, expansion.overlook).0?;
        program.spelling = Spelling::of(&ast);
        changes_as_written(&ast, &mut program);
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

/// Puts what procedures may change into the order in which it is written, in which Boogie goes through it.
pub(super) fn changes_as_written(ast: &Ast, program: &mut Program) {
    let globals: FxHashMap<&str, VariableId> =
        program.globals.iter().map(|id| (program.names.text(program.variables[*id].name), *id)).collect();
    let mut written: FxHashMap<&str, Vec<VariableId>> = FxHashMap::default();
    for declaration in &ast.declarations {
        if let DeclarationKind::Procedure(procedure) = &declaration.kind {
            let names = procedure.modifies.iter().map(|it| ast.names.text(it.name));
            let ids = names.filter_map(|name| globals.get(name).copied());
            written.entry(ast.names.text(procedure.signature.name.name)).or_insert(ids.collect());
        }
    }
    for id in program.procedures.ids().collect::<Vec<_>>() {
        let Some(order) = written.get(program.names.text(program.procedures[id].name)) else { continue };
        let place = |it: &VariableId| order.iter().position(|own| own == it).unwrap_or(order.len());
        program.procedures[id].modifies.sort_by_key(place);
    }
}

/// An implementation with the attributes of its declaration.
pub(super) fn implementation(
    ast: &Ast,
    program: &Program,
    declaration: &Declaration,
    id: ImplementationId,
    (expansion, breaks): (&Expansion, bool),
) -> (String, Places) {
    let own = &program.implementations[id];
    let cuts = program.cuts.get(&id);
    // Inference leaves out what cannot be reached.
    let mut order = reached_blocks(cuts.map(|_| &program.graph), &own.blocks);
    match program.layouts.get(&id) {
        _ if cuts.is_some() => {}
        None if expansion.keep_blocks_apart => order.sort_unstable(),
        None => {}
        Some(layout) => order.clone_from(layout),
    }
    let (text, places) = Unparser::new(program).with_breaks(breaks).pruning().ordered(own, &order, cuts);
    let attributes = print::attributes(ast, &declaration.attributes);
    (text.replacen("implementation ", &format!("implementation {attributes}"), 1), places)
}
