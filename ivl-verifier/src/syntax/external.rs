//! Declarations with `{:extern}`: they are there for the sake of a file alone, and count for nothing where
//! another file declares the same.

use rustc_hash::FxHashSet;

use crate::base::names::Symbol;
use crate::syntax::ast::{Ast, Declaration, DeclarationKind};

impl Ast {
    /// Drops declarations with `{:extern}` of what is declared without it as well.
    pub fn drop_external(&mut self) {
        let Some(external) = self.names.find("extern") else { return };
        let is_external =
            |declaration: &Declaration| declaration.attributes.iter().any(|it| it.name.name == external);
        let own: FxHashSet<(u8, Symbol)> = self
            .declarations
            .iter()
            .filter(|declaration| !is_external(declaration))
            .flat_map(|declaration| declaration.kind.declared())
            .collect();
        let mut seen: FxHashSet<(u8, Symbol)> = FxHashSet::default();
        for declaration in &mut self.declarations {
            if is_external(declaration) {
                let declared = declaration.kind.declared();
                // Of several such declarations the first one counts.
                let dropped = declared.iter().any(|name| own.contains(name) || !seen.insert(*name));
                if dropped && !declared.is_empty() {
                    declaration.kind = DeclarationKind::Dropped;
                    declaration.attributes.clear();
                }
            }
        }
    }
}

impl DeclarationKind {
    /// The names that are declared, each with its name space.
    fn declared(&self) -> Vec<(u8, Symbol)> {
        match self {
            Self::TypeConstructor { name, .. }
            | Self::TypeSynonym { name, .. }
            | Self::Datatype { name, .. } => {
                vec![(0, name.name)]
            }
            Self::Constants { names, .. } | Self::Variables(names) => {
                names.iter().map(|name| (1, name.name.name)).collect()
            }
            Self::Function(function) => vec![(2, function.name.name)],
            Self::Procedure(procedure) => vec![(3, procedure.signature.name.name)],
            Self::Axiom(_) | Self::Implementation(_) | Self::Dropped => Vec::new(),
        }
    }
}
