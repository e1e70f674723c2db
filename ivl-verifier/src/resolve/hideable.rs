//! `hide`, `reveal`, `push` and `pop`, resolved: the functions that they name, and a constant for each function
//! whose axioms can be hidden, on which these depend. Which checks may use them is settled later, in
//! [`crate::transform`].

use super::resolver::{FunctionMeaning, Resolver};
use crate::resolve::graph::{FunctionId, NodeId, NodeKind};
use crate::resolve::program::{Constant, Visibility};
use crate::syntax::ast::{self, Attribute, BinaryOp, Ident};

impl Resolver<'_> {
    /// Makes a function's hideable axiom depend on the function's constant.
    pub(super) fn hideable(&mut self, axiom: NodeId, owner: FunctionId) -> NodeId {
        let bool = self.program.types.bool();
        let constant = match self.program.hideable.iter().find(|(function, _)| *function == owner) {
            Some((_, constant)) => *constant,
            None => {
                // No name of a program has a space in it.
                let name = format!("visible {}", self.text(self.program.functions[owner].name));
                let name = self.program.names.intern(&name);
                let id = self.program.constants.push(Constant {
                    name,
                    ty: bool,
                    unique: false,
                    existential: false,
                    value: None,
                });
                let constant = self.program.graph.add(NodeKind::Constant(id), bool);
                self.program.hideable.push((owner, constant));
                constant
            }
        };
        self.program.graph.add(NodeKind::Binary(BinaryOp::Implies, constant, axiom), bool)
    }

    /// Whether a declaration says of an axiom that it can be hidden, or of a function that it cannot.
    pub(super) fn says(&self, attributes: &[Attribute], word: &str) -> bool {
        ast::attribute(attributes, &self.ast.names, word).is_some()
    }

    /// Resolves one of the statements.
    pub(super) fn visibility(&mut self, change: &ast::Visibility) -> Visibility {
        match change {
            ast::Visibility::Push => Visibility::Push,
            ast::Visibility::Pop => Visibility::Pop,
            ast::Visibility::Hide(names) => Visibility::Hide(self.named(names.as_deref())),
            ast::Visibility::Reveal(names) => Visibility::Reveal(self.named(names.as_deref())),
        }
    }

    /// The functions of a statement; names of other things are reported.
    fn named(&mut self, names: Option<&[Ident]>) -> Option<Vec<FunctionId>> {
        let mut functions = Vec::new();
        for name in names? {
            match self.functions.get(&name.name) {
                Some(FunctionMeaning::Function(id)) => functions.push(*id),
                Some(_) => {}
                None => {
                    let message = format!("undeclared function: {}", self.text(name.name));
                    self.name_error(name.span, message);
                }
            }
        }
        Some(functions)
    }
}
