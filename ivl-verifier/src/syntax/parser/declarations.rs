//! Declarations.

use super::expressions::Conditions;
use super::{Parsed, Parser, Reported};
use crate::base::source::Span;
use crate::syntax::ast::{
    Attribute, Condition, Declaration, DeclarationKind, Function, Ident, Implementation, Procedure,
    Signature, TypeExprId, TypeExprKind, TypedName,
};
use crate::syntax::lexer::Kind;

/// Words that start a declaration of a concurrent program when they are not names.
const CONCURRENT: &[&str] = &["action", "left", "right", "both", "atomic", "async", "link"];

impl Parser<'_> {
    pub(super) fn program(&mut self) {
        while self.kind() != Kind::End {
            let before = self.at;
            if let Err(Reported) = self.declaration() {
                self.skip_declaration(before);
            }
        }
    }

    /// Skips to the next word that starts a declaration, past the token where the mistake was found.
    fn skip_declaration(&mut self, start: usize) {
        if self.at == start {
            self.bump();
        }
        while !matches!(
            self.kind(),
            Kind::End
                | Kind::Keyword(
                    "procedure"
                        | "implementation"
                        | "function"
                        | "axiom"
                        | "const"
                        | "type"
                        | "datatype"
                        | "pure"
                )
        ) {
            self.bump();
        }
    }

    fn declare(&mut self, kind: DeclarationKind, attributes: Vec<Attribute>, span: Span) -> usize {
        self.ast.declarations.push(Declaration { kind, attributes, span });
        self.ast.declarations.len() - 1
    }

    fn declaration(&mut self) -> Parsed<()> {
        let span = self.span();
        match self.kind() {
            Kind::Keyword("type") => self.types(),
            Kind::Keyword("datatype") => self.datatype(),
            Kind::Keyword("const") => self.constants(),
            Kind::Keyword("function") => self.function(),
            Kind::Keyword("axiom") => {
                self.bump();
                let attributes = self.attributes()?;
                let expr = self.expression()?;
                self.sign(";")?;
                self.declare(DeclarationKind::Axiom(expr), attributes, span);
                Ok(())
            }
            Kind::Keyword("var") => {
                self.bump();
                let attributes = self.attributes()?;
                let names = self.typed_names(Conditions::Allowed)?;
                self.sign(";")?;
                self.declare(DeclarationKind::Variables(names), attributes, span);
                Ok(())
            }
            Kind::Keyword("procedure") => {
                self.bump();
                self.procedure(false)
            }
            Kind::Keyword("pure") => {
                self.bump();
                self.keyword("procedure")?;
                self.procedure(true)
            }
            Kind::Keyword("implementation") => {
                self.bump();
                let attributes = self.attributes()?;
                let signature = self.signature()?;
                let body = self.body()?;
                let span = signature.name.span;
                let implementation = Implementation { signature, body };
                self.declare(DeclarationKind::Implementation(Box::new(implementation)), attributes, span);
                Ok(())
            }
            Kind::Keyword("yield" | "atomic" | "async") => {
                self.error(span, "concurrent programs (Civl) are not supported")
            }
            Kind::Ident if self.is_word("hideable") && self.kind_after(1) == Kind::Keyword("axiom") => {
                self.marked("hideable")
            }
            Kind::Ident if self.is_word("revealed") && self.kind_after(1) == Kind::Keyword("function") => {
                self.marked("revealed")
            }
            Kind::Ident if CONCURRENT.iter().any(|word| self.is_word(word)) => {
                self.error(span, "concurrent programs (Civl) are not supported")
            }
            _ => self.invalid("BoogieProgram"),
        }
    }

    /// A declaration behind a word that is kept as an attribute of it.
    fn marked(&mut self, word: &str) -> Parsed<()> {
        let span = self.bump().span;
        let name = Ident { name: self.ast.names.intern(word), span };
        let first = self.ast.declarations.len();
        self.declaration()?;
        // What stands in a `uses` clause comes before the declaration itself.
        if let Some(declaration) = self.ast.declarations[first..].last_mut() {
            declaration.attributes.push(Attribute { name, span, parameters: Vec::new(), last: span });
        }
        Ok(())
    }

    fn types(&mut self) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        loop {
            if self.is_word("finite") && self.kind_after(1) == Kind::Ident {
                self.bump();
            }
            let name = self.ident()?;
            let mut parameters = Vec::new();
            while self.kind() == Kind::Ident {
                parameters.push(self.ident()?);
            }
            let kind = if self.eat_sign("=").is_some() {
                DeclarationKind::TypeSynonym { name, parameters, body: self.ty()? }
            } else {
                DeclarationKind::TypeConstructor { name, parameters }
            };
            self.declare(kind, attributes.clone(), name.span);
            if self.eat_sign(",").is_none() {
                break;
            }
        }
        self.sign(";")?;
        Ok(())
    }

    fn datatype(&mut self) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let parameters = self.type_parameters()?;
        self.sign("{")?;
        let mut constructors = Vec::new();
        loop {
            self.attributes()?;
            let constructor = self.ident()?;
            self.sign("(")?;
            let fields = if self.is_sign(")") { Vec::new() } else { self.typed_names(Conditions::Refused)? };
            self.sign(")")?;
            constructors.push((constructor, fields));
            if self.eat_sign(",").is_none() {
                break;
            }
        }
        self.sign("}")?;
        self.declare(DeclarationKind::Datatype { name, parameters, constructors }, attributes, name.span);
        Ok(())
    }

    /// `uses { declarations }`, or nothing; gives the indices of the declarations.
    fn uses(&mut self) -> Parsed<Option<Vec<usize>>> {
        if self.eat_keyword("uses").is_none() {
            return Ok(None);
        }
        self.sign("{")?;
        let first = self.ast.declarations.len();
        while !self.is_sign("}") {
            self.declaration()?;
        }
        self.bump();
        Ok(Some((first..self.ast.declarations.len()).collect()))
    }

    fn constants(&mut self) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let unique = self.eat_keyword("unique").is_some();
        if self.kind() != Kind::Ident {
            return self.invalid("Consts");
        }
        let names = self.idents()?;
        self.sign(":")?;
        let ty = self.ty()?;
        let span = names.first().map_or_else(|| self.span(), |name| name.span);
        let uses = self.uses()?;
        if uses.is_none() && self.eat_sign(";").is_none() {
            return self.invalid("Consts");
        }
        let names = names
            .into_iter()
            .map(|name| TypedName { name, ty, condition: None, attributes: Vec::new() })
            .collect();
        let kind = DeclarationKind::Constants { unique, names, uses: uses.unwrap_or_default() };
        self.declare(kind, attributes, span);
        Ok(())
    }

    fn function(&mut self) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let type_parameters = self.type_parameters()?;
        self.sign("(")?;
        let mut parameters = Vec::new();
        while !self.is_sign(")") {
            if !parameters.is_empty() {
                self.sign(",")?;
            }
            parameters.push(self.function_parameter()?);
        }
        self.sign(")")?;
        let result = if self.eat_keyword("returns").is_some() {
            self.sign("(")?;
            let (_, result) = self.function_parameter()?;
            self.sign(")")?;
            result
        } else {
            self.sign(":")?;
            self.ty()?
        };
        let mut body = None;
        if self.eat_sign("{").is_some() {
            body = Some(self.expression()?);
            self.sign("}")?;
        }
        let uses = self.uses()?;
        if body.is_none() && uses.is_none() && self.eat_sign(";").is_none() {
            return self.invalid("Function");
        }
        let given =
            |word: &str| attributes.iter().any(|attribute| self.ast.names.text(attribute.name.name) == word);
        if given("inline") && given("define") {
            let message = "function cannot have both :inline and :define attributes";
            let at = self.previous();
            self.remark(at, message);
        }
        self.name_parameters(&mut parameters);
        let uses = uses.unwrap_or_default();
        let function = Function { name, type_parameters, parameters, result, body, uses };
        self.declare(DeclarationKind::Function(Box::new(function)), attributes, name.span);
        Ok(())
    }

    fn function_parameter(&mut self) -> Parsed<(Option<Ident>, TypeExprId)> {
        self.attributes()?;
        if self.kind() == Kind::Ident && self.kind_after(1) == Kind::Sign(":") {
            let name = self.ident()?;
            self.bump();
            return Ok((Some(name), self.ty()?));
        }
        let ty = self.ty()?;
        if self.is_sign(":") {
            let at = self.bump().span;
            self.remark(at, "expected identifier before ':'");
            self.ty()?;
        }
        Ok((None, ty))
    }

    /// `x, y: int`: what stands without a type before a named parameter is a name of that type.
    fn name_parameters(&mut self, parameters: &mut [(Option<Ident>, TypeExprId)]) {
        if parameters.iter().all(|(name, _)| name.is_none()) {
            return;
        }
        let mut later = None;
        for (name, ty) in parameters.iter_mut().rev() {
            if name.is_some() {
                later = Some(*ty);
                continue;
            }
            let expr = &self.ast.types[*ty];
            let at = expr.span;
            match (&expr.kind, later) {
                (TypeExprKind::Named(ident, arguments), _) if !arguments.is_empty() => {
                    let at = ident.span;
                    self.remark(at, "expecting an identifier as parameter name");
                }
                (TypeExprKind::Named(ident, _), Some(later)) => {
                    *name = Some(*ident);
                    *ty = later;
                }
                (TypeExprKind::Named(..), None) => {
                    self.remark(at, "the last parameter is missing a type");
                    return;
                }
                _ => self.remark(at, "expecting an identifier as parameter name"),
            }
        }
    }

    fn signature(&mut self) -> Parsed<Signature> {
        let name = self.ident()?;
        let type_parameters = self.type_parameters()?;
        let inputs = self.parameters()?;
        let outputs = if self.eat_keyword("returns").is_some() { self.parameters()? } else { Vec::new() };
        Ok(Signature { name, type_parameters, inputs, outputs })
    }

    fn parameters(&mut self) -> Parsed<Vec<TypedName>> {
        self.sign("(")?;
        let names = if self.is_sign(")") { Vec::new() } else { self.typed_names(Conditions::Allowed)? };
        self.sign(")")?;
        Ok(names)
    }

    fn procedure(&mut self, pure: bool) -> Parsed<()> {
        let attributes = self.attributes()?;
        let signature = self.signature()?;
        let span = signature.name.span;
        let closed = self.eat_sign(";").is_some();
        let mut procedure = Procedure {
            signature,
            pure,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            body: None,
        };
        while self.specification(&mut procedure)? {}
        if !closed {
            procedure.body = Some(self.body()?);
        }
        self.declare(DeclarationKind::Procedure(Box::new(procedure)), attributes, span);
        Ok(())
    }

    /// One clause of a specification; says whether there was one.
    fn specification(&mut self, procedure: &mut Procedure) -> Parsed<bool> {
        if self.eat_keyword("modifies").is_some() {
            self.attributes()?;
            if self.kind() == Kind::Ident {
                procedure.modifies.extend(self.idents()?);
            }
            self.sign(";")?;
            return Ok(true);
        }
        let free = self.eat_keyword("free").is_some();
        let requires = self.is_keyword("requires");
        if !requires && !self.is_keyword("ensures") {
            return if free { self.invalid("SpecPrePost") } else { Ok(false) };
        }
        let span = self.bump().span;
        let attributes = self.attributes()?;
        let expr = self.expression()?;
        self.sign(";")?;
        let condition = Condition { free, expr, attributes, span };
        if requires {
            procedure.requires.push(condition);
        } else {
            procedure.ensures.push(condition);
        }
        Ok(true)
    }
}
