//! What resolution knows while it goes through a program: the tables of names, and what is wrong so far.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::arena::Arena;
use crate::base::diagnostic::{Diagnostic, Severity, Stage};
use crate::base::names::Symbol;
use crate::base::source::{FileId, Span};
use crate::resolve::graph::{ConstantId, ConstructorId, FunctionId, Graph, VariableId};
use crate::resolve::infer::tables::Tables;
use crate::resolve::program::{ClientChecksums, ImplementationId, ProcedureId, Program};
use crate::resolve::spelling::Spelling;
use crate::resolve::types::{TypeId, TypeNameId, TypeNames, TypeVariableId, Types};
use crate::syntax::ast::{self, Ast, Ident};

/// What the name of a type means.
#[derive(Clone, Copy)]
pub(super) enum TypeMeaning {
    Constructor(TypeNameId),
    Synonym(usize),
}

/// When Boogie finds out what is wrong. It goes through the declarations once in each phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// When the names of the program are entered.
    Registering,
    /// When synonyms and datatypes are resolved.
    Types,
    /// When all else is; and when types are checked, which is a stage of its own.
    Declarations,
    /// When the `where` clauses of global variables are resolved.
    Conditions,
    /// When functions are expanded.
    Expansion,
}

/// A type synonym, resolved when it is first used.
pub(super) struct Synonym {
    pub(super) name: Ident,
    pub(super) parameters: Vec<Ident>,
    pub(super) body: ast::TypeExprId,
    pub(super) state: SynonymState,
}

pub(super) enum SynonymState {
    Unresolved,
    Resolving,
    Resolved(Vec<TypeVariableId>, TypeId),
}

/// What a global name of a value means.
#[derive(Clone, Copy)]
pub(super) enum ValueMeaning {
    Variable(VariableId),
    Constant(ConstantId),
}

/// What the name of a function means.
#[derive(Clone, Copy)]
pub(super) enum FunctionMeaning {
    Function(FunctionId),
    Constructor(ConstructorId),
    /// `field#Constructor`, in the old notation of datatypes: of this constructor alone.
    Selector(ConstructorId, u32),
    /// `is#Constructor`.
    Tester(ConstructorId),
}

/// The state of resolution.
pub(super) struct Resolver<'a> {
    pub(super) ast: &'a Ast,
    pub(super) program: Program,
    pub(super) diagnostics: Vec<(Phase, Diagnostic)>,
    pub(super) phase: Phase,
    /// The assumption variables that the present implementation strengthens.
    pub(super) strengthened: FxHashSet<VariableId>,
    pub(super) types: FxHashMap<Symbol, TypeMeaning>,
    pub(super) synonyms: Vec<Synonym>,
    /// The types that are datatypes in the old notation.
    pub(super) old_datatypes: FxHashSet<Symbol>,
    /// Whether there are functions that are never patterns.
    pub(super) never_patterns: bool,
    pub(super) values: FxHashMap<Symbol, ValueMeaning>,
    pub(super) functions: FxHashMap<Symbol, FunctionMeaning>,
    pub(super) procedures: FxHashMap<Symbol, ProcedureId>,
    /// The type variables in scope, innermost last.
    pub(super) type_scope: Vec<(Symbol, TypeVariableId)>,
    /// The parameters of the map types around the type expression being resolved, innermost last.
    pub(super) map_scope: Vec<Vec<Symbol>>,
    /// How many type errors there are.
    pub(super) type_errors: usize,
    /// The names of the parameters of map types, as they were first written.
    pub(super) map_names: FxHashMap<TypeId, Vec<Symbol>>,
    /// Whether bodies say what their procedures change.
    pub(super) infer_modifies: bool,
    /// The values of `{:id}` on statements.
    pub(super) statement_ids: FxHashSet<String>,
    /// For walks over expressions that begin; as many as there are walks within walks.
    pub(super) tables: Vec<Tables>,
    /// Who the implementations are across snapshots.
    pub(super) identities: FxHashSet<String>,
    /// Of each procedure, the first implementation and how many there are.
    pub(super) siblings: FxHashMap<ProcedureId, (ImplementationId, u32)>,
    /// The types that variables were declared with, by their ids.
    pub(super) variable_types: Vec<(VariableId, ast::TypeExprId)>,
    /// The equalities of truth values, where they are wanted.
    pub(super) truths: Option<Vec<ast::ExprId>>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(ast: &'a Ast) -> Self {
        let program = Program {
            names: ast.names.clone(),
            types: Types::new(),
            type_names: TypeNames::default(),
            // Expressions recur: a third of them are new.
            graph: Graph::with_capacity(ast.exprs.len() / 3),
            type_constructors: Arena::new(),
            constructors: Arena::new(),
            variables: Arena::new(),
            constants: Arena::new(),
            functions: Arena::new(),
            axioms: Arena::new(),
            globals: Vec::new(),
            procedures: Arena::new(),
            implementations: Arena::new(),
            codes: Vec::new(),
            declared: std::collections::BTreeMap::new(),
            layouts: std::collections::BTreeMap::new(),
            cuts: std::collections::BTreeMap::new(),
            identities: std::collections::BTreeSet::new(),
            keeps_empty_blocks: false,
            shows_added_blocks: false,
            merges_exits: false,
            assumes_free_invariants: false,
            subsumption: None,
            hideable: Vec::new(),
            spelling: Spelling::default(),
            client: ClientChecksums::default(),
        };
        Self {
            ast,
            program,
            diagnostics: Vec::new(),
            phase: Phase::Registering,
            strengthened: FxHashSet::default(),
            types: FxHashMap::default(),
            synonyms: Vec::new(),
            old_datatypes: FxHashSet::default(),
            never_patterns: false,
            values: FxHashMap::default(),
            functions: FxHashMap::default(),
            procedures: FxHashMap::default(),
            type_scope: Vec::new(),
            map_scope: Vec::new(),
            type_errors: 0,
            map_names: FxHashMap::default(),
            infer_modifies: false,
            statement_ids: FxHashSet::default(),
            tables: Vec::new(),
            identities: FxHashSet::default(),
            siblings: FxHashMap::default(),
            variable_types: Vec::new(),
            truths: None,
        }
    }

    /// The program, and what is wrong with it in the order in which Boogie finds it.
    pub(super) fn finish(self) -> (Program, Vec<Diagnostic>) {
        let Self { ast, program, mut diagnostics, .. } = self;
        let sorted = |mut starts: Vec<(FileId, u32)>| {
            starts.sort_unstable();
            starts
        };
        let begins = |it: &ast::Declaration| {
            let spans = it.attributes.iter().map(|it| it.span).chain([it.span]);
            spans.map(|it| (it.file, it.start)).min().unwrap_or((it.span.file, it.span.start))
        };
        let starts = sorted(ast.declarations.iter().map(begins).collect());
        // What was printed has its declarations in the same order as the text.
        let texts = sorted(ast.starts.iter().map(|it| (it.file, it.start)).collect());
        let declaration = |span: Span| {
            let files = if ast.starts.iter().any(|it| it.file == span.file) { &texts } else { &starts };
            files.partition_point(|start| *start <= (span.file, span.start))
        };
        diagnostics.sort_by_key(|(phase, it)| (*phase, declaration(it.span)));
        // What is ambiguous is looked for in programs whose types are right.
        let wrong = |it: &Diagnostic| it.stage == Stage::Types && it.severity == Severity::Error;
        if diagnostics.iter().any(|(_, it)| wrong(it)) {
            diagnostics.retain(|(_, it)| it.stage != Stage::Types || it.severity == Severity::Error);
        }
        (program, diagnostics.into_iter().map(|(_, it)| it).collect())
    }

    pub(super) fn name_error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push((self.phase, Diagnostic::error(Stage::Names, span, message)));
    }

    /// Reports a name of the program that is taken.
    pub(super) fn name_taken(&mut self, span: Span, message: String) {
        self.diagnostics.push((Phase::Registering, Diagnostic::error(Stage::Names, span, message)));
    }

    pub(super) fn type_error(&mut self, span: Span, message: impl Into<String>) {
        self.type_errors += 1;
        self.diagnostics.push((Phase::Declarations, Diagnostic::error(Stage::Types, span, message)));
    }

    /// Does something whose diagnostics are told elsewhere.
    pub(super) fn quietly<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.diagnostics.len();
        let result = work(self);
        self.diagnostics.truncate(known);
        result
    }

    /// Whether anything was reported so far.
    pub(super) fn has_diagnostics(&self) -> bool {
        !self.diagnostics.is_empty()
    }

    pub(super) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|(_, diagnostic)| diagnostic.is_error())
    }

    pub(super) fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push((self.phase, diagnostic));
    }

    pub(super) fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push((Phase::Declarations, Diagnostic::warning(Stage::Types, span, message)));
    }

    /// Warns of what makes proofs worth nothing.
    pub(super) fn doubt(&mut self, span: Span, message: String) {
        let warning = Diagnostic::warning(Stage::Verification, span, message);
        self.diagnostics.push((Phase::Declarations, warning));
    }

    pub(super) fn text(&self, symbol: Symbol) -> &str {
        self.program.names.text(symbol)
    }

    pub(super) fn show(&self, ty: TypeId) -> String {
        self.program.types.show_as_written(ty, &self.program.names, &self.program.type_names, &self.map_names)
    }
}
