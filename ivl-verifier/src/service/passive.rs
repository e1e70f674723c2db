//! The passive form of programs, printed as Boogie prints it: of each implementation with its parts, and of a program.

use std::collections::BTreeSet;

use crate::base::arena::Id;
use crate::base::diagnostic::Diagnostic;
use crate::base::names::Symbol;
use crate::base::source::{FileId, Sources, Span};
use crate::resolve::control::reached as reached_blocks;
use crate::resolve::program::{ImplementationId, Program};
use crate::resolve::reach::{AxiomIndex, Axioms, Reach, Visited, reach};
use crate::resolve::resolve_or_overlook;
use crate::resolve::spelling::Spelling;
use crate::resolve::unparse::Unparser;
use crate::resolve::unparse::plain::PlainBlock;
use crate::service::front::{changes_as_written, implementation, on_deep_stack};
use crate::syntax::ast::{Ast, Declaration, DeclarationKind};
use crate::syntax::parser::parse;
use crate::syntax::print;
use crate::transform::passified::cost::Costs;
use crate::transform::passified::flow::Flow;
use crate::transform::passified::{Passified, passify};
use crate::transform::{Expansion, Passifying, expand};

/// An implementation in its passive form.
#[derive(Clone, Debug)]
pub struct PassiveImplementation {
    /// Its name.
    pub name: String,
    /// What it is asked in.
    pub parts: Vec<PassivePart>,
}

/// A part of it.
#[derive(Clone, Debug)]
pub struct PassivePart {
    /// The name of the implementation with that of the part.
    pub name: String,
    /// The part as an implementation, without local variables.
    pub text: String,
    /// The same with local variables.
    pub whole: String,
    /// Its control flow with what it costs, for Graphviz.
    pub dot: String,
}

/// The declarations of constants, functions and axioms that an implementation is sent with, before and after pruning.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// The name of the implementation.
    pub name: String,
    /// All of them.
    pub before: String,
    /// Those that are left.
    pub after: String,
    /// The whole program without those that are not.
    pub program: String,
}

/// How passive forms are printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct PassivePrinting {
    /// How bodies are made passive.
    pub passifying: Passifying,
    /// Whether long lines are broken nowhere.
    pub flat: bool,
}

/// The implementations of a program that may be verified, passive and in parts, in the order of the text. Nothing if the
/// program is none.
#[must_use]
pub fn passive_parts(
    sources: &Sources,
    files: &[FileId],
    expansion: &Expansion,
    printing: PassivePrinting,
) -> Option<Vec<PassiveImplementation>> {
    on_deep_stack(&|| {
        let (ast, mut program) = expanded(sources, files, expansion)?;
        let bodies: Vec<&Declaration> = ast.declarations.iter().filter(|it| it.kind.has_body()).collect();
        let ids: Vec<ImplementationId> = program.implementations.ids().collect();
        let mut all = Vec::new();
        for (body, id) in bodies.into_iter().zip(ids) {
            if skipped(&program, id) {
                continue;
            }
            let attributes = print::attributes(&ast, &body.attributes);
            let name = program.names.text(program.implementations[id].name).to_owned();
            let made = make(&mut program, id, expansion, printing.passifying);
            let parts = made.map_or_else(Vec::new, |made| {
                let printer = Printer { program: &program, id, attributes: &attributes, flat: printing.flat };
                printer.parts(sources, &made, printing.passifying)
            });
            all.push(PassiveImplementation { name, parts });
        }
        Some(all)
    })
}

/// A program in which the implementations that may be verified are passive. Nothing if the program is none.
#[must_use]
pub fn print_passive(
    sources: &Sources,
    files: &[FileId],
    expansion: &Expansion,
    printing: PassivePrinting,
) -> Option<String> {
    on_deep_stack(&|| {
        let (mut ast, mut program) = expanded(sources, files, expansion)?;
        let bodies: Vec<&Declaration> = ast.declarations.iter().filter(|it| it.kind.has_body()).collect();
        let ids: Vec<ImplementationId> = program.implementations.ids().collect();
        let mut texts = Vec::new();
        for (body, id) in bodies.into_iter().zip(ids) {
            let attributes = print::attributes(&ast, &body.attributes);
            let made = match skipped(&program, id) {
                true => None,
                false => make(&mut program, id, expansion, printing.passifying),
            };
            texts.push(match made {
                Some(made) => {
                    let printer = Printer { program: &program, id, attributes: &attributes, flat: true };
                    (printer.text(&made.flow, "", Some(&made)), Default::default())
                }
                None => implementation(&ast, &program, body, id, (expansion, false)),
            });
        }
        print::prepare::define_by_axioms(&mut ast);
        Some(print::program_placed(&ast, &texts, false).0)
    })
}

/// What pruning leaves for each implementation that may be verified. Nothing if the program is none.
#[must_use]
pub fn pruned(sources: &Sources, files: &[FileId], expansion: &Expansion, flat: bool) -> Option<Vec<Pruned>> {
    on_deep_stack(&|| {
        let (ast, program) = expanded(sources, files, expansion)?;
        let index = AxiomIndex::new(&program, Axioms::AsPruned);
        let mut visited = Visited::default();
        let ids: Vec<ImplementationId> =
            program.implementations.ids().filter(|id| !skipped(&program, *id)).collect();
        let prunable = |declaration: &Declaration| {
            use DeclarationKind::{Axiom, Constants, Function};
            matches!(declaration.kind, Axiom(_) | Constants { .. } | Function(_))
        };
        let mut all = Vec::new();
        for id in ids {
            let reached = reach(&program, &index, id, &mut visited);
            let live = live(&ast, &program, &reached);
            let text = |keep: &dyn Fn(usize, &Declaration) -> bool| {
                // Trees are not copied.
                let mut kept = parsed(sources, files).unwrap_or_default();
                let owned = owned(&ast);
                for (at, declaration) in kept.declarations.iter_mut().enumerate() {
                    if !owned.contains(&at) && !keep(at, &ast.declarations[at]) {
                        declaration.kind = DeclarationKind::Dropped;
                    }
                }
                print::prepare::define_by_axioms(&mut kept);
                print::program_placed(&kept, &[], !flat).0
            };
            all.push(Pruned {
                name: program.names.text(program.implementations[id].name).to_owned(),
                before: text(&|_, declaration| prunable(declaration)),
                after: text(&|at, declaration| prunable(declaration) && live[at]),
                program: text(&|at, declaration| !prunable(declaration) || live[at]),
            });
        }
        Some(all)
    })
}

/// The declarations that stand in `uses` clauses of others.
fn owned(ast: &Ast) -> BTreeSet<usize> {
    let uses = ast.declarations.iter().flat_map(|declaration| match &declaration.kind {
        DeclarationKind::Function(function) => function.uses.clone(),
        DeclarationKind::Constants { uses, .. } => uses.clone(),
        _ => Vec::new(),
    });
    uses.collect()
}

/// Which declarations are reached.
fn live(ast: &Ast, program: &Program, reached: &Reach) -> Vec<bool> {
    let text = |name: Symbol| ast.names.text(name);
    let functions: BTreeSet<&str> =
        reached.functions.iter().map(|id| program.names.text(program.functions[*id].name)).collect();
    let constants: BTreeSet<&str> =
        reached.constants.iter().map(|id| program.names.text(program.constants[*id].name)).collect();
    let axioms: BTreeSet<usize> = reached.axioms.iter().map(|id| id.index()).collect();
    let mut number = 0;
    let is_live = |declaration: &Declaration| match &declaration.kind {
        DeclarationKind::Function(function) => functions.contains(text(function.name.name)),
        DeclarationKind::Constants { names, .. } => {
            names.iter().any(|name| constants.contains(text(name.name.name)))
        }
        DeclarationKind::Axiom(_) => {
            number += 1;
            axioms.contains(&(number - 1))
        }
        _ => true,
    };
    ast.declarations.iter().map(is_live).collect()
}

/// Whether an implementation is never verified by itself.
fn skipped(program: &Program, id: ImplementationId) -> bool {
    let implementation = &program.implementations[id];
    implementation.wishes.skip || program.procedures[implementation.procedure].skip
}

fn parsed(sources: &Sources, files: &[FileId]) -> Option<Ast> {
    let mut ast = Ast::default();
    if files.iter().any(|file| parse(sources, *file, &mut ast).iter().any(Diagnostic::is_error)) {
        return None;
    }
    ast.drop_uncounted();
    Some(ast)
}

fn expanded(sources: &Sources, files: &[FileId], expansion: &Expansion) -> Option<(Ast, Program)> {
    let mut ast = parsed(sources, files)?;
    let mut program = resolve_or_overlook(&mut ast, expansion.infer_modifies, expansion.overlook).0?;
    program.spelling = Spelling::of(&ast);
    changes_as_written(&ast, &mut program);
    expand(&mut program, expansion).is_empty().then_some((ast, program))
}

fn make(
    program: &mut Program,
    id: ImplementationId,
    expansion: &Expansion,
    passifying: Passifying,
) -> Option<Passified> {
    let own = program.implementations[id].clone();
    let cuts = program.cuts.get(&id).cloned();
    let mut order = reached_blocks(cuts.as_ref().map(|_| &program.graph), &own.blocks);
    match program.layouts.get(&id) {
        _ if cuts.is_some() => {}
        None if expansion.keep_blocks_apart => order.sort_unstable(),
        None => {}
        Some(layout) => order.clone_from(layout),
    }
    let blocks = Unparser::new(program).pruning().plain_blocks(&own, &order, cuts.as_ref());
    passify(program, id, blocks, passifying)
}

/// Prints the passive form of an implementation.
struct Printer<'p> {
    program: &'p Program,
    id: ImplementationId,
    attributes: &'p str,
    flat: bool,
}

impl Printer<'_> {
    fn parts(&self, sources: &Sources, made: &Passified, passifying: Passifying) -> Vec<PassivePart> {
        let line = |span: Span| sources.position(span).line as usize;
        let written = |span: Span| {
            let text = sources.file(span.file).text();
            span != Span::NOWHERE
                && text.get(span.start as usize..).is_some_and(|it| it.starts_with("return"))
        };
        let parts = made.parts(self.program, self.id, passifying, &written);
        let own = &self.program.implementations[self.id];
        let part = |part: &crate::transform::passified::parts::Part| {
            let suffix = part.origin.name(&line);
            PassivePart {
                name: format!("{}{suffix}", self.program.names.text(own.name)),
                text: self.text(&part.flow, &suffix, None),
                whole: self.text(&part.flow, "", Some(made)),
                dot: Costs::of(&part.flow).dot(),
            }
        };
        parts.iter().map(part).collect()
    }

    /// A part as text, with the local variables of the whole if it is given.
    fn text(&self, flow: &Flow, suffix: &str, made: Option<&Passified>) -> String {
        let own = &self.program.implementations[self.id];
        let locals: Option<Vec<_>> =
            made.map(|made| own.locals.iter().chain(&made.incarnations).copied().collect());
        let blocks: Vec<&PlainBlock> = flow.order.iter().map(|at| &flow.blocks[*at].plain).collect();
        let label = |at: usize| Some(flow.blocks.get(at)?.plain.label.clone());
        let mut unparser = Unparser::new(self.program).with_breaks(!self.flat);
        let text = unparser.plain(own, suffix, &blocks, &label, locals.as_deref());
        text.replacen("implementation ", &format!("implementation {}", self.attributes), 1)
    }
}
