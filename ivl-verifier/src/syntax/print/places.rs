//! Where things of a program were printed.
//!
//! Boogie gives what it prints the places where it printed it, and tells errors there. It does so for expressions,
//! types, names where they are used, commands, conditions, jumps and labelled blocks, and not for structured
//! statements and what is assigned to.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::base::source::{FileId, Span};
use crate::syntax::ast::{
    Ast, Attribute, BlockEnd, Body, Command, CommandKind, Condition, DeclarationKind, ExprId, ExprKind,
    Ident, Statements, TypeExprId, TypeExprKind,
};

/// A line, from 1, and a column, from 0.
pub(crate) type Place = (u32, u32);

/// The places of what was printed, by numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    at: Vec<Place>,
    expressions: FxHashMap<ExprId, u32>,
    types: FxHashMap<TypeExprId, u32>,
    spans: FxHashMap<Span, u32>,
    /// Of each declaration with a body of labelled blocks these.
    pub(crate) bodies: BTreeMap<usize, BlocksPlaced>,
    /// Where the names of implementations are, by their declarations.
    implementations: BTreeMap<usize, u32>,
    /// The declaration that is being printed.
    pub(super) declaration: usize,
    /// How many lines the text has; those that are broken count as one, as in Boogie.
    pub(super) lines: u32,
}

/// The places of a body's blocks, by their labels.
pub(crate) type BlocksPlaced = BTreeMap<String, BlockPlaced>;

/// Where a labelled block was printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockPlaced {
    /// Its label's line.
    pub(crate) label: u32,
    /// Its commands.
    pub(crate) commands: Vec<u32>,
    /// What it ends with.
    pub(crate) jump: u32,
}

impl Places {
    pub(super) fn note(&mut self, at: Place) -> u32 {
        self.at.push(at);
        u32::try_from(self.at.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn note_span(&mut self, span: Span, at: Place) {
        let number = self.note(at);
        self.spans.insert(span, number);
    }

    /// Notes where the implementation of the declaration that is being printed has its name.
    pub(super) fn note_implementation(&mut self, at: Place) {
        let number = self.note(at);
        self.implementations.insert(self.declaration, number);
    }

    pub(super) fn note_expression(&mut self, expr: ExprId, at: Place) {
        let number = self.note(at);
        self.expressions.insert(expr, number);
    }

    pub(super) fn note_type(&mut self, ty: TypeExprId, at: Place) {
        let number = self.note(at);
        self.types.insert(ty, number);
    }

    /// Notes a block of the declaration that is being printed.
    pub(super) fn note_block(&mut self, label: &str, block: BlockPlaced) {
        self.bodies.entry(self.declaration).or_default().insert(label.to_owned(), block);
    }

    /// Takes over the blocks of a body that was printed by itself and stands behind a line.
    pub(super) fn take_body(&mut self, body: &Self, line: u32) {
        for (label, BlockPlaced { label: at, commands, jump }) in body.bodies.values().flatten() {
            let mut moved = |number: u32| {
                let (own, column) = body.at.get(number as usize).copied().unwrap_or_default();
                self.note((own + line - 1, column))
            };
            let commands = commands.iter().map(|it| moved(*it)).collect();
            let block = BlockPlaced { label: moved(*at), commands, jump: moved(*jump) };
            self.note_block(label, block);
        }
    }

    /// The places, by their numbers; for a file that spans can name.
    pub(crate) fn all(&self, lines_before: i64) -> Vec<Place> {
        let moved = |line: u32| u32::try_from(i64::from(line) + lines_before).unwrap_or_default();
        self.at.iter().map(|(line, column)| (moved(*line), *column)).collect()
    }

    /// The place of an implementation, by its declaration.
    pub(crate) fn implementation(&self, declaration: usize) -> Option<u32> {
        self.implementations.get(&declaration).copied()
    }

    /// Gives a tree the places where it was printed, in a file that holds these.
    pub(crate) fn apply(&self, ast: &mut Ast, file: FileId) {
        let change = |at: &mut Span| {
            if let Some(number) = self.spans.get(at) {
                *at = span(file, *number);
            }
        };
        // A printed tree may have more expressions: those of blocks.
        let ids: Vec<ExprId> = ast.exprs.ids().collect();
        for id in ids {
            let Some(number) = self.expressions.get(&id) else { continue };
            // Functions are named where their applications begin.
            let expr = &mut ast.exprs[id];
            expr.span = span(file, *number);
            match &mut expr.kind {
                ExprKind::Apply(function, _) => function.span = expr.span,
                ExprKind::Quantifier(quantifier) => {
                    names(&mut quantifier.type_parameters, &change);
                    quantifier.triggers.iter_mut().for_each(|it| change(&mut it.span));
                }
                _ => {}
            }
        }
        let ids: Vec<TypeExprId> = ast.types.ids().collect();
        for id in ids {
            let Some(number) = self.types.get(&id) else { continue };
            let ty = &mut ast.types[id];
            ty.span = span(file, *number);
            match &mut ty.kind {
                TypeExprKind::Named(name, _) => name.span = ty.span,
                TypeExprKind::Map { parameters, .. } => names(parameters, &change),
                _ => {}
            }
        }
        let start = |attributes: &[Attribute], at: Span| attributes.first().map_or(at, |it| it.span);
        ast.starts = ast.declarations.iter().map(|it| start(&it.attributes, it.span)).collect();
        for declaration in &mut ast.declarations {
            change(&mut declaration.span);
            match &mut declaration.kind {
                DeclarationKind::Procedure(procedure) => {
                    change(&mut procedure.signature.name.span);
                    names(&mut procedure.signature.type_parameters, &change);
                    conditions(&mut procedure.requires, &change);
                    conditions(&mut procedure.ensures, &change);
                    names(&mut procedure.modifies, &change);
                    procedure.body.iter_mut().for_each(|it| body(it, &change));
                }
                DeclarationKind::Implementation(implementation) => {
                    change(&mut implementation.signature.name.span);
                    names(&mut implementation.signature.type_parameters, &change);
                    body(&mut implementation.body, &change);
                }
                DeclarationKind::TypeConstructor { name, .. }
                | DeclarationKind::TypeSynonym { name, .. }
                | DeclarationKind::Datatype { name, .. } => change(&mut name.span),
                DeclarationKind::Function(function) => {
                    change(&mut function.name.span);
                    names(&mut function.type_parameters, &change);
                }
                DeclarationKind::Constants { .. }
                | DeclarationKind::Variables(_)
                | DeclarationKind::Axiom(_)
                | DeclarationKind::Dropped => {}
            }
        }
    }
}

/// A place in a file of places.
pub(crate) fn span(file: FileId, number: u32) -> Span {
    Span { file, start: number, end: number }
}

fn names(names: &mut [Ident], change: &impl Fn(&mut Span)) {
    names.iter_mut().for_each(|it| change(&mut it.span));
}

fn conditions(conditions: &mut [Condition], change: &impl Fn(&mut Span)) {
    conditions.iter_mut().for_each(|it| change(&mut it.span));
}

fn body(body: &mut Body, change: &impl Fn(&mut Span)) {
    body.locals.iter_mut().for_each(|it| change(&mut it.name.span));
    statements(&mut body.statements, change);
}

/// The depth of statements is bounded by the parser.
fn statements(list: &mut Statements, change: &impl Fn(&mut Span)) {
    for block in &mut list.blocks {
        block.commands.iter_mut().for_each(|it| command(it, change));
        match &mut block.end {
            BlockEnd::Goto(at, _) | BlockEnd::Return(at) | BlockEnd::ReturnValue(at, _) => change(at),
            BlockEnd::If { branches, otherwise } => {
                let inner = branches.iter_mut().map(|it| &mut it.then).chain(otherwise);
                inner.for_each(|it| statements(it, change));
            }
            BlockEnd::While { invariants, body, .. } => {
                conditions(invariants, change);
                statements(body, change);
            }
            BlockEnd::FallThrough | BlockEnd::Break(..) => {}
        }
    }
}

fn command(command: &mut Command, change: &impl Fn(&mut Span)) {
    change(&mut command.span);
    match &mut command.kind {
        CommandKind::Havoc(variables) => names(variables, change),
        CommandKind::Call { outputs, .. } => names(outputs, change),
        CommandKind::Unpack(_, variables, _) => names(variables, change),
        // What is assigned to keeps its place.
        CommandKind::Assign(..)
        | CommandKind::Assert(_)
        | CommandKind::Assume(_)
        | CommandKind::Visibility(_) => {}
    }
}
