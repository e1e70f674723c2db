//! Declarations, with what they have in common: attributes, signatures, typed names and types.

use super::expression::NONE;
use super::lines::Printer;
use super::prepare::is_quoted;
use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::syntax::ast::{
    Attribute, AttributeValue, Condition, Declaration, DeclarationKind, ExprId, Ident, Order, Signature,
    TypeExprId, TypeExprKind, TypedName,
};
use crate::syntax::lexer::is_keyword;

impl Printer<'_, '_> {
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        if matches!(declaration.kind, DeclarationKind::Dropped) {
            return;
        }
        let attributes = &declaration.attributes;
        match &declaration.kind {
            DeclarationKind::TypeConstructor { name, parameters } => {
                self.head("type ", name.span, attributes, &self.name(name.name));
                self.push(&format!("{};\n", " _".repeat(parameters.len())));
            }
            DeclarationKind::TypeSynonym { name, parameters, body } => {
                self.head("type ", name.span, attributes, &self.name(name.name));
                let parameters: String =
                    parameters.iter().map(|it| format!(" {}", self.name(it.name))).collect();
                self.push(&format!("{parameters} = "));
                self.put_type(*body, false);
                self.push(";\n");
            }
            DeclarationKind::Datatype { name, parameters, constructors } => {
                // Boogie shows no attributes of datatypes and their fields.
                self.head("datatype ", name.span, &[], &self.name(name.name));
                self.put_type_parameters(parameters);
                self.push(" {");
                for (index, (constructor, fields)) in constructors.iter().enumerate() {
                    self.push(if index > 0 { ",\n  " } else { "\n  " });
                    self.push(&format!("{}(", self.name(constructor.name)));
                    self.typed_names(&without_notes(fields));
                    self.push(")");
                }
                self.push("\n}\n");
            }
            DeclarationKind::Constants { unique, names, order, uses } => {
                for name in names {
                    self.head("const ", declaration.span, attributes, if *unique { "unique " } else { "" });
                    self.typed_name(name);
                    if let Some(order) = order {
                        self.order(order);
                    }
                    self.uses(uses, ";\n");
                }
            }
            DeclarationKind::Function(function) => {
                self.head("function ", function.name.span, attributes, &self.name(function.name.name));
                self.put_type_parameters(&function.type_parameters);
                self.push("(");
                for (index, (name, ty)) in function.parameters.iter().enumerate() {
                    self.push(if index > 0 { ", " } else { "" });
                    self.attributes(&function.parameter_attributes[index]);
                    if let Some(name) = name {
                        self.push(&format!("{}: ", self.name(name.name)));
                    }
                    self.put_type(*ty, false);
                }
                self.push(") : ");
                self.put_type(function.result, false);
                match function.body {
                    Some(body) => {
                        self.push("\n{\n  ");
                        self.expression(body, NONE, false);
                        self.push("\n}\n");
                        self.uses(&function.uses, "");
                    }
                    None => self.uses(&function.uses, ";\n"),
                }
            }
            DeclarationKind::Axiom(expr) => {
                self.push("\n");
                self.axiom(declaration, *expr);
            }
            DeclarationKind::Variables(names) => {
                for name in names {
                    self.head("var ", declaration.span, attributes, "");
                    self.typed_name(name);
                    self.push(";\n");
                }
            }
            DeclarationKind::Procedure(procedure) => {
                let keyword = if procedure.pure { "pure procedure " } else { "procedure " };
                self.head(keyword, Span::NOWHERE, attributes, "");
                self.mark(procedure.signature.name.span);
                self.signature(&procedure.signature);
                self.push(";\n");
                self.conditions("requires", &procedure.requires);
                if !procedure.modifies.is_empty() {
                    self.push("  modifies ");
                    self.used(&procedure.modifies);
                    self.push(";\n");
                }
                self.conditions("ensures", &procedure.ensures);
                self.push("\n\n");
                if let Some(body) = &procedure.body {
                    self.head("implementation ", Span::NOWHERE, attributes, "");
                    self.mark_implementation();
                    self.signature(&bare(&procedure.signature));
                    self.push("\n");
                    self.body(body);
                }
            }
            DeclarationKind::Implementation(implementation) => {
                self.head("implementation ", Span::NOWHERE, attributes, "");
                self.mark_implementation();
                self.mark(implementation.signature.name.span);
                self.signature(&implementation.signature);
                self.push("\n");
                self.body(&implementation.body);
            }
            DeclarationKind::Dropped => {}
        }
    }

    fn order(&mut self, order: &Order) {
        self.push(" extends");
        for (index, (unique, parent)) in order.parents.iter().enumerate() {
            self.push(if index > 0 { ", " } else { " " });
            self.push(if *unique { "unique " } else { "" });
            self.push(&self.name(parent.name));
        }
        self.push(if order.complete { " complete" } else { "" });
    }

    fn axiom(&mut self, declaration: &Declaration, expr: ExprId) {
        self.words("axiom ", declaration.span, &declaration.attributes, "");
        self.expression(expr, NONE, false);
        self.push(";\n");
    }

    /// The empty line before a declaration and its first words.
    fn head(&mut self, keyword: &str, at: Span, attributes: &[Attribute], name: &str) {
        self.push("\n");
        self.words(keyword, at, attributes, name);
    }

    fn words(&mut self, keyword: &str, at: Span, attributes: &[Attribute], name: &str) {
        self.mark(at);
        // Two words before a keyword are kept as attributes.
        let is_word = |attribute: &Attribute| {
            ["hideable", "revealed"].contains(&self.ast.names.text(attribute.name.name))
        };
        let (words, attributes): (Vec<Attribute>, Vec<Attribute>) =
            attributes.iter().cloned().partition(is_word);
        for word in words {
            self.push(&format!("{} ", self.ast.names.text(word.name.name)));
        }
        self.push(keyword);
        self.attributes(&attributes);
        self.push(name);
    }

    fn uses(&mut self, uses: &[usize], end: &str) {
        let ast = self.ast;
        if uses.is_empty() {
            self.push(end);
            return;
        }
        self.push("\nuses {\n");
        for declaration in uses.iter().filter_map(|index| ast.declarations.get(*index)) {
            if let DeclarationKind::Axiom(expr) = declaration.kind {
                self.axiom(declaration, expr);
            }
        }
        self.push("}\n");
    }

    fn signature(&mut self, signature: &Signature) {
        self.push(&self.name(signature.name.name));
        self.open(None);
        self.put_type_parameters(&signature.type_parameters);
        self.push("(");
        self.typed_names(&signature.inputs);
        self.push(")");
        self.may_break();
        if !signature.outputs.is_empty() {
            self.push(" returns (");
            self.typed_names(&signature.outputs);
            self.push(")");
        }
        self.close();
    }

    fn conditions(&mut self, word: &str, conditions: &[Condition]) {
        for condition in conditions {
            self.push("  ");
            self.mark(condition.span);
            self.push(&format!("{}{word} ", if condition.free { "free " } else { "" }));
            self.attributes(&condition.attributes);
            self.expression(condition.expr, NONE, false);
            self.push(";\n");
        }
    }

    /// A name; what would be read as a keyword is quoted, and what Boogie quotes besides.
    pub(super) fn name(&self, name: Symbol) -> String {
        let text = self.ast.names.text(name);
        if is_quoted(text) { format!("\\{text}") } else { self.bare_name(name) }
    }

    /// The name of a block, or of a type that is known: of these, only what would be read as a keyword is quoted.
    pub(super) fn bare_name(&self, name: Symbol) -> String {
        let text = self.ast.names.text(name);
        if is_keyword(text) { format!("\\{text}") } else { text.to_owned() }
    }

    pub(super) fn names(&self, names: &[Ident]) -> String {
        names.iter().map(|it| self.name(it.name)).collect::<Vec<_>>().join(", ")
    }

    /// The same of names that are used here.
    pub(super) fn used(&mut self, names: &[Ident]) {
        for (index, name) in names.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            self.mark(name.span);
            self.push(&self.name(name.name));
        }
    }

    pub(super) fn put_type_parameters(&mut self, parameters: &[Ident]) {
        for (index, parameter) in parameters.iter().enumerate() {
            self.push(if index > 0 { "," } else { "<" });
            self.mark(parameter.span);
            self.push(&self.name(parameter.name));
        }
        self.push(if parameters.is_empty() { "" } else { ">" });
    }

    /// A type as text.
    pub(super) fn ty(&self, ty: TypeExprId, argument: bool) -> String {
        let mut text = String::new();
        Printer::new(self.ast, &mut text).put_type(ty, argument);
        text
    }

    /// A type; as an argument of another one if `argument` says so. The depth of types is bounded by the
    /// parser.
    pub(super) fn put_type(&mut self, ty: TypeExprId, argument: bool) {
        let ast = self.ast;
        let kind = &ast.types[ty].kind;
        let parentheses = argument
            && match kind {
                TypeExprKind::Named(_, arguments) => !arguments.is_empty(),
                TypeExprKind::Map { .. } => true,
                TypeExprKind::Bool | TypeExprKind::Int | TypeExprKind::Real => false,
            };
        self.push(if parentheses { "(" } else { "" });
        self.mark_type(ty);
        match kind {
            TypeExprKind::Bool => self.push("bool"),
            TypeExprKind::Int => self.push("int"),
            TypeExprKind::Real => self.push("real"),
            TypeExprKind::Named(name, arguments) => {
                self.push(&self.bare_name(name.name));
                for (index, argument) in arguments.iter().enumerate() {
                    self.push(" ");
                    // A map that comes last takes nothing that follows.
                    let is_map = matches!(ast.types[*argument].kind, TypeExprKind::Map { .. });
                    self.put_type(*argument, index + 1 < arguments.len() || !is_map);
                }
            }
            TypeExprKind::Map { parameters, arguments, result } => {
                self.put_type_parameters(parameters);
                self.push("[");
                for (index, argument) in arguments.iter().enumerate() {
                    self.push(if index > 0 { "," } else { "" });
                    self.put_type(*argument, false);
                }
                self.push("]");
                self.put_type(*result, false);
            }
        }
        self.push(if parentheses { ")" } else { "" });
    }

    pub(super) fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.push(&format!("{{:{}", self.ast.names.text(attribute.name.name)));
            for (index, value) in attribute.parameters.iter().enumerate() {
                self.push(if index > 0 { ", " } else { " " });
                match value {
                    AttributeValue::Text(text) => self.push(&format!("\"{text}\"")),
                    AttributeValue::Expr(expr) => self.expression(*expr, NONE, false),
                }
            }
            self.push("} ");
        }
    }

    pub(super) fn typed_name(&mut self, name: &TypedName) {
        self.attributes(&name.attributes);
        self.push(&format!("{}: ", self.name(name.name.name)));
        self.put_type(name.ty, false);
        if let Some(condition) = name.condition {
            self.push(" where ");
            self.expression(condition, NONE, false);
        }
    }

    pub(super) fn typed_names(&mut self, names: &[TypedName]) {
        for (index, name) in names.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            self.typed_name(name);
        }
    }
}

/// A signature whose names have neither attributes nor conditions: these stand at the procedure.
fn bare(signature: &Signature) -> Signature {
    let (inputs, outputs) = (without_notes(&signature.inputs), without_notes(&signature.outputs));
    Signature { inputs, outputs, ..signature.clone() }
}

/// Names with their types alone.
fn without_notes(names: &[TypedName]) -> Vec<TypedName> {
    let plain = |it: &TypedName| TypedName { attributes: Vec::new(), condition: None, ..it.clone() };
    names.iter().map(plain).collect()
}
