//! What a text says of commands and variables and resolution drops: their attributes, and types by the names of
//! synonyms. For printing alone, so it is gathered only where something is printed.
//!
//! It is found by the places of the text, which commands and variables keep when they are inlined, unrolled or
//! copied: Boogie prints attributes as they were written, whatever became of the names in them.

use rustc_hash::FxHashMap;

use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::syntax::ast::{
    Ast, Attribute, BlockEnd, Body, Command, CommandKind, Condition, DeclarationKind, Signature, Statements,
    TypedName,
};
use crate::syntax::print;

/// The form of a command, as far as its place alone does not tell it from what was made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Assert,
    Assume,
    Invariant,
    Assign,
    Call,
}

/// What a text says, by its places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelling {
    /// The attributes of commands and invariants, each as it stands between its braces, without the colon.
    commands: FxHashMap<Span, (Form, Vec<String>)>,
    variables: FxHashMap<Span, VariableSpelling>,
}

/// What a text says of a variable.
#[derive(Clone, Debug)]
pub(crate) struct VariableSpelling {
    pub(crate) attributes: Vec<String>,
    pub(crate) ty: String,
    /// Whether it belongs to something with type parameters: its type is another one where that is inlined.
    pub(crate) generic: bool,
}

impl Spelling {
    /// All that a tree says.
    pub(crate) fn of(ast: &Ast) -> Self {
        let mut spelling = Self::default();
        let mut procedures: FxHashMap<Symbol, &Signature> = FxHashMap::default();
        for declaration in &ast.declarations {
            if let DeclarationKind::Procedure(procedure) = &declaration.kind {
                procedures.entry(procedure.signature.name.name).or_insert(&procedure.signature);
            }
        }
        for declaration in &ast.declarations {
            match &declaration.kind {
                DeclarationKind::Variables(names) => spelling.names(ast, names.iter(), false),
                DeclarationKind::Procedure(procedure) => {
                    if let Some(body) = &procedure.body {
                        spelling.body(ast, &procedure.signature, body);
                    }
                }
                DeclarationKind::Implementation(implementation) => {
                    let own = &implementation.signature;
                    spelling.body(ast, own, &implementation.body);
                    // Parameters have attributes at the procedure alone.
                    if let Some(declared) = procedures.get(&own.name.name) {
                        let own = own.inputs.iter().chain(&own.outputs);
                        for (own, declared) in own.zip(declared.inputs.iter().chain(&declared.outputs)) {
                            if let Some(spelled) = spelling.variables.get_mut(&own.name.span) {
                                spelled.attributes = texts(ast, &declared.attributes);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        spelling
    }

    /// Whether it was gathered.
    pub(crate) fn is_known(&self) -> bool {
        !self.commands.is_empty() || !self.variables.is_empty()
    }

    /// The attributes of the command of this form at a place; nothing where the text has none there.
    pub(crate) fn attributes(&self, form: Form, at: Span) -> Option<&[String]> {
        let (own, attributes) = self.commands.get(&at)?;
        (*own == form).then_some(attributes)
    }

    /// The form of the command at a place.
    pub(crate) fn form(&self, at: Span) -> Option<Form> {
        self.commands.get(&at).map(|(form, _)| *form)
    }

    /// What is said of the variable that is declared at a place.
    pub(crate) fn variable(&self, at: Span) -> Option<&VariableSpelling> {
        self.variables.get(&at)
    }

    fn body(&mut self, ast: &Ast, signature: &Signature, body: &Body) {
        let generic = !signature.type_parameters.is_empty();
        self.names(ast, signature.inputs.iter().chain(&signature.outputs).chain(&body.locals), generic);
        self.statements(ast, &body.statements);
    }

    fn names<'a>(&mut self, ast: &Ast, names: impl Iterator<Item = &'a TypedName>, generic: bool) {
        for TypedName { name, ty, attributes, .. } in names {
            let spelling = VariableSpelling {
                attributes: texts(ast, attributes),
                ty: print::type_expression(ast, *ty),
                generic,
            };
            self.variables.insert(name.span, spelling);
        }
    }

    /// The depth of statements is bounded by the parser.
    fn statements(&mut self, ast: &Ast, statements: &Statements) {
        for block in &statements.blocks {
            for Command { kind, attributes, span } in &block.commands {
                let form = match kind {
                    CommandKind::Assert(_) => Form::Assert,
                    CommandKind::Assume(_) => Form::Assume,
                    CommandKind::Assign(..) | CommandKind::Unpack(..) => Form::Assign,
                    CommandKind::Call { .. } => Form::Call,
                    CommandKind::Havoc(_) | CommandKind::Visibility(_) => continue,
                };
                self.commands.insert(*span, (form, texts(ast, attributes)));
            }
            match &block.end {
                BlockEnd::If { branches, otherwise } => {
                    let inner = branches.iter().map(|it| &it.then).chain(otherwise);
                    inner.for_each(|it| self.statements(ast, it));
                }
                BlockEnd::While { invariants, body, .. } => {
                    for Condition { attributes, span, .. } in invariants {
                        self.commands.insert(*span, (Form::Invariant, texts(ast, attributes)));
                    }
                    self.statements(ast, body);
                }
                BlockEnd::FallThrough
                | BlockEnd::Goto(..)
                | BlockEnd::Return(_)
                | BlockEnd::ReturnValue(..)
                | BlockEnd::Break(..) => {}
            }
        }
    }
}

/// Each attribute as it stands between its braces, without the colon.
pub(super) fn texts(ast: &Ast, attributes: &[Attribute]) -> Vec<String> {
    let text = |attribute: &Attribute| {
        let whole = print::attributes(ast, std::slice::from_ref(attribute));
        let inner = whole.trim_end().strip_prefix("{:").and_then(|it| it.strip_suffix('}'));
        inner.unwrap_or_default().to_owned()
    };
    attributes.iter().map(text).collect()
}
