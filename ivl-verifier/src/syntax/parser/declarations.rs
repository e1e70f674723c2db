//! Declarations.

use super::Parser;
use crate::base::source::Span;
use crate::syntax::ast::{
    Attribute, Condition, Declaration, DeclarationKind, Function, Ident, Implementation, Order, Procedure,
    Signature, TypeExprId, TypeExprKind, TypedName,
};
use crate::syntax::lexer::Kind;

/// Names that start a declaration of a concurrent program where one is expected.
const CONCURRENT: &[&str] = &["left", "right", "both", "atomic"];

impl Parser<'_> {
    pub(super) fn program(&mut self) {
        while self.declaration() {}
        if self.kind() != Kind::End {
            self.expected("EOF");
        }
    }

    fn declare(&mut self, kind: DeclarationKind, attributes: Vec<Attribute>, span: Span) -> usize {
        self.ast.declarations.push(Declaration { kind, attributes, span });
        self.ast.declarations.len() - 1
    }

    /// One declaration; says whether there was one.
    fn declaration(&mut self) -> bool {
        match self.kind() {
            Kind::Keyword("type") => self.types(),
            Kind::Keyword("datatype") => self.datatype(),
            Kind::Keyword("const") => self.constants(),
            Kind::Keyword("function" | "revealed") => self.function(),
            Kind::Keyword("axiom" | "hideable") => self.axiom(),
            Kind::Keyword("var") => {
                let span = self.bump().span;
                let attributes = self.attributes();
                let names = self.variables(&[]);
                self.sign(";");
                self.declare(DeclarationKind::Variables(names), attributes, span);
            }
            Kind::Keyword("procedure") => {
                self.bump();
                self.procedure(false);
            }
            Kind::Keyword("pure") => {
                self.bump();
                if self.is_keyword("procedure") {
                    self.bump();
                    self.procedure(true);
                } else if self.is_concurrent() {
                    self.refuse_concurrent();
                } else {
                    self.invalid("BoogiePL");
                }
            }
            Kind::Keyword("implementation") => {
                self.bump();
                let attributes = self.attributes();
                let signature = self.signature(Some("the 'implementation' copies of formals"));
                let body = self.body();
                let span = signature.name.span;
                let implementation = Implementation { signature, body };
                self.declare(DeclarationKind::Implementation(Box::new(implementation)), attributes, span);
            }
            Kind::Keyword("yield") => self.refuse_concurrent(),
            _ if self.is_concurrent() => self.refuse_concurrent(),
            _ => return false,
        }
        true
    }

    fn is_concurrent(&self) -> bool {
        self.is_keyword("async")
            || self.is_keyword("action")
            || CONCURRENT.iter().any(|word| self.is_word(word))
    }

    /// Takes a word that is kept as an attribute of the declaration that it stands in front of.
    fn mark(&mut self, word: &str) -> Option<Attribute> {
        let span = self.eat_keyword(word)?;
        let name = Ident { name: self.ast.names.intern(word), span };
        Some(Attribute { name, span, parameters: Vec::new(), last: span })
    }

    fn axiom(&mut self) {
        let mark = self.mark("hideable");
        self.keyword("axiom");
        let mut attributes = self.attributes();
        // Boogie reports about an axiom where its attributes end.
        let span = self.previous();
        attributes.extend(mark);
        let expr = self.expression();
        self.sign(";");
        self.declare(DeclarationKind::Axiom(expr), attributes, span);
    }

    fn types(&mut self) {
        self.bump();
        let attributes = self.attributes();
        loop {
            let name = self.ident();
            let mut parameters = Vec::new();
            while self.kind() == Kind::Ident {
                parameters.push(self.ident());
            }
            let kind = if self.eat_sign("=").is_some() {
                DeclarationKind::TypeSynonym { name, parameters, body: self.ty() }
            } else {
                DeclarationKind::TypeConstructor { name, parameters }
            };
            self.declare(kind, attributes.clone(), name.span);
            if self.eat_sign(",").is_none() {
                break;
            }
        }
        self.sign(";");
    }

    fn datatype(&mut self) {
        self.bump();
        let attributes = self.attributes();
        let name = self.ident();
        let parameters = self.type_parameters();
        self.sign("{");
        let mut constructors: Vec<(Ident, Vec<TypedName>)> = Vec::new();
        loop {
            let constructor = self.ident();
            let fields = self.formals(Some("datatype constructor"));
            if constructors.iter().any(|(earlier, _)| earlier.name == constructor.name) {
                let name = self.ast.names.text(constructor.name);
                let message = format!("constructor name {name} used more than once in datatype");
                self.refuse(&message);
            }
            constructors.push((constructor, fields));
            if self.eat_sign(",").is_none() {
                break;
            }
        }
        self.sign("}");
        self.declare(DeclarationKind::Datatype { name, parameters, constructors }, attributes, name.span);
    }

    /// `uses { axioms }`; gives the indices of the axioms. The caller has seen the word.
    fn uses(&mut self) -> Vec<usize> {
        self.bump();
        self.sign("{");
        let first = self.ast.declarations.len();
        while self.is_keyword("axiom") || self.is_keyword("hideable") {
            self.axiom();
        }
        self.sign("}");
        (first..self.ast.declarations.len()).collect()
    }

    fn constants(&mut self) {
        let span = self.bump().span;
        let attributes = self.attributes();
        let unique = self.eat_keyword("unique").is_some();
        let names = self.idents();
        self.sign(":");
        self.may_extend = true;
        let ty = self.ty();
        self.may_extend = false;
        let order = self.order();
        let mut uses = Vec::new();
        if self.is_keyword("uses") {
            uses = self.uses();
        } else if self.eat_sign(";").is_none() {
            self.invalid("Consts");
        }
        let names = names
            .into_iter()
            .map(|name| TypedName { name, ty, condition: None, attributes: Vec::new() })
            .collect();
        self.declare(DeclarationKind::Constants { unique, names, order, uses }, attributes, span);
    }

    /// `extends a, unique b complete`, where there is one: so programs said it before Boogie 3.
    fn order(&mut self) -> Option<Box<Order>> {
        if !self.is_word("extends") {
            return None;
        }
        self.bump();
        self.ast.has_order = true;
        let mut parents = Vec::new();
        if self.is_keyword("unique") || (self.kind() == Kind::Ident && !self.is_word("complete")) {
            loop {
                let unique = self.eat_keyword("unique").is_some();
                parents.push((unique, self.ident()));
                if self.eat_sign(",").is_none() {
                    break;
                }
            }
        }
        let complete = self.is_word("complete");
        if complete {
            self.bump();
        }
        Some(Box::new(Order { parents, complete }))
    }

    fn function(&mut self) {
        let mark = self.mark("revealed");
        self.keyword("function");
        let mut attributes = self.attributes();
        attributes.extend(mark);
        let name = self.ident();
        let type_parameters = self.type_parameters();
        self.sign("(");
        let (mut parameters, mut parameter_attributes, mut places) = (Vec::new(), Vec::new(), Vec::new());
        if self.is_sign("{") || self.begins_type() {
            loop {
                parameter_attributes.push(self.attributes());
                let (name, ty, place) = self.function_parameter();
                parameters.push((name, ty));
                places.push(place);
                if self.eat_sign(",").is_none() {
                    break;
                }
            }
        }
        self.sign(")");
        let mut result_name = None;
        let result = if self.eat_keyword("returns").is_some() {
            self.sign("(");
            self.attributes();
            let (name, result, _) = self.function_parameter();
            self.sign(")");
            result_name = name;
            result
        } else if self.eat_sign(":").is_some() {
            self.ty()
        } else {
            self.invalid("Function");
            self.missing_type()
        };
        let (mut body, mut uses) = (None, Vec::new());
        if self.eat_sign("{").is_some() {
            body = Some(self.expression());
            self.sign("}");
            if self.is_keyword("uses") {
                uses = self.uses();
            }
        } else if self.is_keyword("uses") {
            uses = self.uses();
        } else if self.eat_sign(";").is_none() {
            self.invalid("Function");
        }
        self.name_parameters(&mut parameters, &places);
        if body.is_some() {
            self.check_definition(&attributes, &type_parameters);
        }
        let function = Function {
            name,
            type_parameters,
            parameters,
            parameter_attributes,
            result_name,
            result,
            body,
            uses,
        };
        self.declare(DeclarationKind::Function(Box::new(function)), attributes, name.span);
    }

    /// What `{:inline}` and `{:define}` allow of a function with a body.
    fn check_definition(&mut self, attributes: &[Attribute], type_parameters: &[Ident]) {
        match (self.ast.flag(attributes, "inline"), self.ast.flag(attributes, "define")) {
            (true, true) => self.refuse("function cannot have both :inline and :define attributes"),
            (false, true) if !type_parameters.is_empty() => {
                self.refuse("function with :define attribute has to be monomorphic");
            }
            _ => {}
        }
    }

    /// A name, if there is one, the type, and where they start.
    fn function_parameter(&mut self) -> (Option<Ident>, TypeExprId, Span) {
        let mut ty = self.ty();
        let place = self.ast.types[ty].span;
        let mut name = None;
        if self.eat_sign(":").is_some() {
            match &self.ast.types[ty].kind {
                TypeExprKind::Named(ident, arguments) if arguments.is_empty() => name = Some(*ident),
                _ => self.refuse("expected identifier before ':'"),
            }
            ty = self.ty();
        }
        (name, ty, place)
    }

    /// `x, y: int`: what stands without a type before a named parameter is a name of that type.
    fn name_parameters(&mut self, parameters: &mut [(Option<Ident>, TypeExprId)], places: &[Span]) {
        if parameters.iter().all(|(name, _)| name.is_none()) {
            return;
        }
        let mut later = None;
        for ((name, ty), at) in parameters.iter_mut().zip(places).rev() {
            if name.is_some() {
                later = Some(*ty);
                continue;
            }
            let Some(later) = later else {
                self.remark(*at, "the type of the last parameter is unspecified");
                return;
            };
            match &self.ast.types[*ty].kind {
                TypeExprKind::Named(ident, arguments) if arguments.is_empty() => {
                    *name = Some(*ident);
                    *ty = later;
                }
                _ => self.remark(*at, "expecting an identifier as parameter name"),
            }
        }
    }

    fn signature(&mut self, refused: Option<&str>) -> Signature {
        let name = self.ident();
        let type_parameters = self.type_parameters();
        let inputs = self.formals(refused);
        let outputs = if self.eat_keyword("returns").is_some() { self.formals(refused) } else { Vec::new() };
        Signature { name, type_parameters, inputs, outputs }
    }

    /// Typed names in parentheses. Where conditions are refused, the context says on what.
    fn formals(&mut self, refused: Option<&str>) -> Vec<TypedName> {
        self.sign("(");
        let named = self.kind() == Kind::Ident || self.is_sign("{");
        let names = if named { self.typed_names(refused) } else { Vec::new() };
        self.sign(")");
        names
    }

    fn procedure(&mut self, pure: bool) {
        let attributes = self.attributes();
        let signature = self.signature(None);
        let span = signature.name.span;
        let mut procedure = Procedure {
            signature,
            pure,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            body: None,
        };
        if self.eat_sign(";").is_some() {
            while self.specification(&mut procedure) {}
        } else if self.begins_specification() || self.is_sign("{") {
            while self.specification(&mut procedure) {}
            procedure.body = Some(self.body());
        } else {
            self.invalid("Procedure");
        }
        self.declare(DeclarationKind::Procedure(Box::new(procedure)), attributes, span);
    }

    fn begins_specification(&self) -> bool {
        matches!(self.kind(), Kind::Keyword("modifies" | "free" | "requires" | "ensures"))
    }

    /// One clause of a specification; says whether there was one.
    fn specification(&mut self, procedure: &mut Procedure) -> bool {
        if !self.begins_specification() {
            return false;
        }
        if self.eat_keyword("modifies").is_some() {
            if self.kind() == Kind::Ident {
                procedure.modifies.extend(self.idents());
            }
            self.sign(";");
            return true;
        }
        let free = self.eat_keyword("free").is_some();
        let requires = self.is_keyword("requires");
        if !requires && !self.is_keyword("ensures") {
            self.invalid("SpecPrePost");
            return true;
        }
        let span = self.bump().span;
        let attributes = self.attributes();
        let expr = self.expression();
        self.sign(";");
        let condition = Condition { free, expr, attributes, span };
        if requires {
            procedure.requires.push(condition);
        } else {
            procedure.ensures.push(condition);
        }
        true
    }
}
