//! Names of types: constructors, synonyms and datatypes, and the types that are written with them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{FunctionMeaning, Resolver, Synonym, SynonymState, TypeMeaning};
use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::resolve::program::{Constructor, TypeConstructor};
use crate::resolve::types::{Type, TypeId, TypeNameId, TypeVariableId};
use crate::syntax::ast::{self, DeclarationKind, Ident, TypeExprKind};

impl<'a> Resolver<'a> {
    /// Enters the name of every type of the program.
    pub(super) fn collect_type_names(&mut self) {
        for declaration in &self.ast.declarations {
            let (name, meaning) = match &declaration.kind {
                DeclarationKind::TypeConstructor { name, parameters } => {
                    let builtin = self.text_attribute(&declaration.attributes, "builtin");
                    (*name, self.add_type_name(*name, parameters.len(), false, builtin))
                }
                DeclarationKind::Datatype { name, parameters, .. } => {
                    (*name, self.add_type_name(*name, parameters.len(), true, None))
                }
                DeclarationKind::TypeSynonym { name, parameters, body } => {
                    self.synonyms.push(Synonym {
                        name: *name,
                        parameters: parameters.clone(),
                        body: *body,
                        state: SynonymState::Unresolved,
                    });
                    (*name, TypeMeaning::Synonym(self.synonyms.len() - 1))
                }
                _ => continue,
            };
            let text = self.text(name.name);
            if let Some(digits) = text.strip_prefix("bv")
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
            {
                let message = format!("type name: {text} is registered for bitvectors");
                self.name_error(name.span, message);
                continue;
            }
            if self.types.insert(name.name, meaning).is_some() {
                let message = format!("more than one declaration of type name: {}", self.text(name.name));
                self.name_error(name.span, message);
            }
        }
    }

    fn add_type_name(
        &mut self,
        name: Ident,
        arity: usize,
        datatype: bool,
        builtin: Option<String>,
    ) -> TypeMeaning {
        self.program.type_names.constructors.push(name.name);
        TypeMeaning::Constructor(self.program.type_constructors.push(TypeConstructor {
            name: name.name,
            arity,
            parameters: Vec::new(),
            constructors: Vec::new(),
            datatype,
            builtin,
        }))
    }

    /// What a synonym stands for; `None` while that is being found out, which is a cycle.
    pub(super) fn resolve_synonym(&mut self, index: usize) -> Option<(Vec<TypeVariableId>, TypeId)> {
        match &self.synonyms[index].state {
            SynonymState::Resolved(parameters, body) => return Some((parameters.clone(), *body)),
            SynonymState::Resolving => return None,
            SynonymState::Unresolved => {}
        }
        self.synonyms[index].state = SynonymState::Resolving;
        let (name, body, parameters) = {
            let Synonym { name, body, parameters, .. } = &self.synonyms[index];
            (*name, *body, parameters.clone())
        };
        let outer = std::mem::take(&mut self.type_scope);
        let outer_maps = std::mem::take(&mut self.map_scope);
        let variables = self.enter_type_parameters(&parameters);
        self.met_cycle = false;
        let mut body = self.resolve_type(body);
        self.type_scope = outer;
        self.map_scope = outer_maps;
        if self.met_cycle {
            let text = self.text(name.name).to_owned();
            self.name_error(
                name.span,
                format!(
                    "type synonym could not be resolved because of cycles: {text} (replacing body with \"bool\" to continue resolving)"
                ),
            );
            body = self.program.types.bool();
        }
        self.synonyms[index].state = SynonymState::Resolved(variables.clone(), body);
        Some((variables, body))
    }

    /// Brings type parameters into scope; the caller truncates `type_scope` afterwards.
    pub(in crate::resolve) fn enter_type_parameters(&mut self, parameters: &[Ident]) -> Vec<TypeVariableId> {
        let start = self.type_scope.len();
        let mut variables = Vec::new();
        for parameter in parameters {
            if self.type_scope[start..].iter().any(|(name, _)| *name == parameter.name) {
                let message =
                    format!("more than one declaration of type variable: {}", self.text(parameter.name));
                self.name_error(parameter.span, message);
            }
            let variable = self.program.type_names.variables.push(parameter.name);
            self.type_scope.push((parameter.name, variable));
            variables.push(variable);
        }
        variables
    }

    /// The type that a type expression means. The depth of type expressions is bounded by the parser.
    pub(in crate::resolve) fn resolve_type(&mut self, id: ast::TypeExprId) -> TypeId {
        let ast = self.ast;
        let expr = &ast.types[id];
        match &expr.kind {
            TypeExprKind::Bool => self.program.types.bool(),
            TypeExprKind::Int => self.program.types.int(),
            TypeExprKind::Real => self.program.types.real(),
            TypeExprKind::Map { parameters, arguments, result } => {
                let names: Vec<Symbol> = parameters.iter().map(|parameter| parameter.name).collect();
                for (index, parameter) in parameters.iter().enumerate() {
                    if names[..index].contains(&parameter.name) {
                        let message = format!(
                            "more than one declaration of type variable: {}",
                            self.text(parameter.name)
                        );
                        self.name_error(parameter.span, message);
                    }
                }
                self.map_scope.push(names.clone());
                let arguments: Vec<TypeId> = arguments.iter().map(|it| self.resolve_type(*it)).collect();
                let result = self.resolve_type(*result);
                self.map_scope.pop();
                let unknown = self.program.types.unknown();
                let wrong = arguments.contains(&unknown);
                for (index, parameter) in parameters.iter().enumerate() {
                    if !wrong
                        && !arguments
                            .iter()
                            .chain([&result])
                            .any(|part| self.program.types.mentions_parameter(*part, index))
                    {
                        let message = format!(
                            "type variable must occur in map arguments: {}",
                            self.text(parameter.name)
                        );
                        self.name_error(expr.span, message);
                    }
                }
                let count = u32::try_from(parameters.len()).unwrap_or(u32::MAX);
                let map = self.program.types.intern(Type::Map(count, arguments, result));
                if count > 0 {
                    self.map_names.entry(map).or_insert(names);
                }
                map
            }
            TypeExprKind::Named(name, arguments) => {
                let arguments: Vec<TypeId> = arguments.iter().map(|it| self.resolve_type(*it)).collect();
                self.named_type(*name, arguments)
            }
        }
    }

    fn named_type(&mut self, name: Ident, arguments: Vec<TypeId>) -> TypeId {
        for (out, parameters) in self.map_scope.iter().rev().enumerate() {
            if let Some(index) = parameters.iter().position(|parameter| *parameter == name.name) {
                let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
                return self.program.types.intern(Type::Bound(narrow(out), narrow(index)));
            }
        }
        if let Some((_, variable)) = self.type_scope.iter().rev().find(|(symbol, _)| *symbol == name.name) {
            return self.program.types.intern(Type::Variable(*variable));
        }
        match self.types.get(&name.name).copied() {
            Some(TypeMeaning::Constructor(id)) => {
                if self.program.type_constructors[id].arity != arguments.len() {
                    let message = format!(
                        "type constructor received wrong number of arguments: {}",
                        self.text(name.name)
                    );
                    self.name_error(name.span, message);
                    return self.program.types.unknown();
                }
                self.program.types.intern(Type::Named(id, arguments))
            }
            Some(TypeMeaning::Synonym(index)) => match self.resolve_synonym(index) {
                Some((parameters, _)) if parameters.len() != arguments.len() => {
                    let message =
                        format!("type synonym received wrong number of arguments: {}", self.text(name.name));
                    self.name_error(name.span, message);
                    self.program.types.unknown()
                }
                Some((parameters, body)) => {
                    let map: FxHashMap<_, _> = parameters.into_iter().zip(arguments).collect();
                    self.program.types.substitute(body, &map)
                }
                None => {
                    self.met_cycle = true;
                    self.program.types.unknown()
                }
            },
            None => {
                if let Some(ty) = builtin_type(self.program.names.text(name.name)) {
                    return self.program.types.intern(ty);
                }
                let message = format!(
                    "undeclared type: {} (replacing with \"bool\" to continue resolving)",
                    self.text(name.name)
                );
                self.name_error(name.span, message);
                self.program.types.unknown()
            }
        }
    }

    /// Enters the constructors of datatypes, which are functions too.
    pub(super) fn collect_constructors(&mut self) {
        for declaration in &self.ast.declarations {
            let DeclarationKind::Datatype { name, parameters, constructors } = &declaration.kind else {
                continue;
            };
            let Some(TypeMeaning::Constructor(datatype)) = self.types.get(&name.name).copied() else {
                continue;
            };
            let start = self.type_scope.len();
            let variables = self.enter_type_parameters(parameters);
            let mut ids = Vec::new();
            for (constructor, fields) in constructors {
                let mut resolved: Vec<(Symbol, TypeId)> = Vec::new();
                for field in fields {
                    if resolved.iter().any(|(name, _)| *name == field.name.name) {
                        let message = format!("duplicate field name: {}", self.text(field.name.name));
                        self.name_error(field.name.span, message);
                    }
                    resolved.push((field.name.name, self.resolve_type(field.ty)));
                }
                for (earlier, _) in ids.iter().zip(constructors) {
                    let earlier: &Constructor = &self.program.constructors[*earlier];
                    let name = self.program.names.text(earlier.name).to_owned();
                    let mut wrong = Vec::new();
                    for (field, (symbol, ty)) in fields.iter().zip(&resolved) {
                        let known = earlier.fields.iter().find(|(name, _)| name == symbol);
                        if known.is_some_and(|(_, known)| known != ty) {
                            wrong.push(field.name);
                        }
                    }
                    for field in wrong {
                        let message = format!(
                            "type mismatch between field {} and identically-named field in constructor {name}",
                            self.text(field.name)
                        );
                        self.type_error(field.span, message);
                    }
                }
                let id = self.program.constructors.push(Constructor {
                    name: constructor.name,
                    datatype,
                    fields: resolved,
                });
                ids.push(id);
                if self.functions.insert(constructor.name, FunctionMeaning::Constructor(id)).is_some() {
                    let message = format!(
                        "more than one declaration of function/constructor name: {}",
                        self.text(constructor.name)
                    );
                    self.name_error(constructor.span, message);
                }
            }
            self.type_scope.truncate(start);
            let entity = &mut self.program.type_constructors[datatype];
            entity.parameters = variables;
            entity.constructors = ids;
        }
    }

    /// Every datatype has a value: some constructor of it needs none of those that have none.
    pub(super) fn check_datatypes(&mut self) {
        let entities = &self.program.type_constructors;
        let datatypes: Vec<TypeNameId> = entities.ids().filter(|id| entities[*id].datatype).collect();
        let mut founded: FxHashSet<TypeNameId> = FxHashSet::default();
        loop {
            let before = founded.len();
            for id in &datatypes {
                let made = entities[*id].constructors.iter().any(|constructor| {
                    let fields = &self.program.constructors[*constructor].fields;
                    fields.iter().all(|(_, ty)| {
                        // A map needs an element.
                        let mut ty = *ty;
                        while let Type::Map(_, _, result) = self.program.types.get(ty) {
                            ty = *result;
                        }
                        !matches!(self.program.types.get(ty), Type::Named(name, _)
                            if entities[*name].datatype && !founded.contains(name))
                    })
                });
                if made {
                    founded.insert(*id);
                }
            }
            if founded.len() == before {
                break;
            }
        }
        let without: Vec<&str> = datatypes
            .iter()
            .filter(|id| !founded.contains(id))
            .map(|id| self.text(self.program.type_constructors[*id].name))
            .collect();
        if !without.is_empty() {
            let message = format!("Datatype declarations are not well-founded: {}", without.join(", "));
            self.name_error(Span::NOWHERE, message);
        }
    }
}

/// The built-in types that have names of their own.
fn builtin_type(name: &str) -> Option<Type> {
    match name {
        "rmode" => return Some(Type::RoundingMode),
        "string" => return Some(Type::Text),
        "regex" => return Some(Type::Regex),
        _ => {}
    }
    if let Some(width) = name.strip_prefix("bv") {
        return width.parse().ok().map(Type::BitVector);
    }
    let (significand, exponent) = name.strip_prefix("float")?.split_once('e')?;
    Some(Type::Float(exponent.parse().ok()?, significand.parse().ok()?))
}
