//! Declarations that count for nothing: those with `{:extern}`, which are there for the sake of a file alone, where
//! another file declares the same; and what those with `{:ignore}` say besides their names.

use rustc_hash::FxHashSet;

use crate::base::names::Symbol;
use crate::syntax::ast::{Ast, Declaration, DeclarationKind};

impl Ast {
    /// Drops declarations with `{:extern}` of what is declared without it as well, and what is to be ignored.
    pub fn drop_uncounted(&mut self) {
        self.drop_external();
        self.drop_ignored();
    }

    /// Of what has `{:ignore}` the name stays, which nothing else may have, and what others may use of it.
    fn drop_ignored(&mut self) {
        if self.names.find("ignore").is_none() {
            return;
        }
        let ignored: Vec<usize> = (0..self.declarations.len())
            .filter(|index| self.switched_on(&self.declarations[*index].attributes, "ignore"))
            .collect();
        for index in ignored {
            let declaration = &mut self.declarations[index];
            match &mut declaration.kind {
                DeclarationKind::Axiom(_) | DeclarationKind::Implementation(_) => {
                    declaration.kind = DeclarationKind::Dropped;
                    declaration.attributes.clear();
                }
                DeclarationKind::Function(function) => {
                    function.body = None;
                    // These say what a body is for.
                    let kept = |name: Symbol| !matches!(self.names.text(name), "inline" | "define");
                    declaration.attributes.retain(|it| kept(it.name.name));
                }
                DeclarationKind::Procedure(procedure) => procedure.body = None,
                DeclarationKind::Constants { unique, order, .. } => {
                    *unique = false;
                    *order = None;
                }
                DeclarationKind::Variables(names) => names.iter_mut().for_each(|it| it.condition = None),
                _ => {}
            }
        }
    }

    fn drop_external(&mut self) {
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
