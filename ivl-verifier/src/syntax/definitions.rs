//! What a program defines, and which definition each name that it uses means: what an editor asks for.
//!
//! This is a look at the tree alone, so that it has an answer for a text in which something is wrong, which
//! `resolve` has not: a name without a definition is left out, and of several definitions of one name the first
//! counts. A field that several constructors have is defined by each of them.
//!
//! Scopes are a tree: each has its own names and the scope around it. The walk keeps what it has still to look at
//! on a stack of its own, so it goes as deep as any program; it takes time in the size of the tree, times the depth
//! of scopes.

mod walk;

use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::syntax::ast::{Ast, DeclarationKind, TypeExprId};
use crate::syntax::print;

/// What is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionKind {
    /// A type constructor, a synonym or a datatype.
    Type,
    /// A type variable.
    TypeParameter,
    /// A constructor of a datatype.
    Constructor,
    /// A field of a constructor.
    Field,
    /// A constant.
    Constant,
    /// A global variable.
    Global,
    /// A parameter or result.
    Parameter,
    /// A local variable.
    Local,
    /// A variable that a quantifier, lambda or `let` binds.
    Bound,
    /// A function.
    Function,
    /// A procedure.
    Procedure,
    /// An implementation that stands apart from its procedure.
    Implementation,
    /// A label of a body.
    Label,
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: Symbol,
    /// What it defines.
    pub kind: DefinitionKind,
    /// The name, where it is defined.
    pub span: Span,
    /// The type of a variable, constant or field.
    pub ty: Option<TypeExprId>,
    /// The declaration that it belongs to, by its place in the program.
    pub declaration: usize,
}

impl Definition {
    /// Whether it is one of the program's own, not of a declaration in it.
    #[must_use]
    pub fn is_top_level(&self) -> bool {
        matches!(
            self.kind,
            DefinitionKind::Type
                | DefinitionKind::Constant
                | DefinitionKind::Global
                | DefinitionKind::Function
                | DefinitionKind::Procedure
                | DefinitionKind::Implementation
        )
    }
}

/// The definitions of a program, and who means them.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Everything that is defined, in the order of the declarations.
    pub all: Vec<Definition>,
    /// Where a name stands, and which definition it means there: by place, definitions themselves among them.
    uses: Vec<(Span, usize)>,
}

impl Definitions {
    /// Finds the definitions of a program and what each of its names means.
    #[must_use]
    pub fn of(ast: &Ast) -> Self {
        let mut found = walk::definitions(ast);
        found.uses.sort_unstable();
        found.uses.dedup();
        found
    }

    /// What the name at a place means: the name's own span, and the definitions. Nothing stands for any other place.
    #[must_use]
    pub fn at(&self, place: Span) -> Option<(Span, Vec<&Definition>)> {
        // Names do not overlap: of those that start no later than the place, the last one is met or none.
        let behind =
            self.uses.partition_point(|(span, _)| (span.file, span.start) <= (place.file, place.start));
        let (span, _) = *self.uses[..behind].last()?;
        if span.file != place.file || place.end > span.end {
            return None;
        }
        let start = self.uses.partition_point(|(other, _)| *other < span);
        let meant = self.uses[start..].iter().take_while(|(other, _)| *other == span);
        Some((span, meant.map(|(_, definition)| &self.all[*definition]).collect()))
    }

    /// Every place where something is meant that is defined at one of the given places, in order, the definitions
    /// among them.
    #[must_use]
    pub fn uses(&self, definitions: &[Span]) -> Vec<Span> {
        let meant = self.uses.iter().filter(|(_, it)| definitions.contains(&self.all[*it].span));
        let mut spans: Vec<Span> = meant.map(|(span, _)| *span).collect();
        spans.dedup();
        spans
    }
}

/// What a definition says, as Boogie's text: the declaration without its body, or the name with its type.
#[must_use]
pub fn describe(ast: &Ast, definition: &Definition) -> String {
    let name = ast.names.text(definition.name);
    let typed = |word: &str| match definition.ty {
        Some(ty) => format!("{word}{name}: {}", print::type_expression(ast, ty)),
        None => format!("{word}{name}"),
    };
    match definition.kind {
        DefinitionKind::Constant => typed("const "),
        DefinitionKind::Global | DefinitionKind::Local | DefinitionKind::Parameter => typed("var "),
        DefinitionKind::Bound | DefinitionKind::Field => typed(""),
        DefinitionKind::TypeParameter => format!("type {name}"),
        DefinitionKind::Label => format!("{name}:"),
        DefinitionKind::Type
        | DefinitionKind::Constructor
        | DefinitionKind::Function
        | DefinitionKind::Procedure
        | DefinitionKind::Implementation => {
            let declaration = &ast.declarations[definition.declaration];
            match &declaration.kind {
                DeclarationKind::Procedure(_) | DeclarationKind::Implementation(_) => {
                    print::procedure(ast, declaration).trim().to_owned()
                }
                _ => print::without_body(ast, declaration).trim().to_owned(),
            }
        }
    }
}
