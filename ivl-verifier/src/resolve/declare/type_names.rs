//! Names of types: constructors, synonyms and datatypes, and the types that are written with them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::names::Symbol;
use crate::base::source::Span;
use crate::resolve::program::{Constructor, TypeConstructor};
use crate::resolve::resolver::{FunctionMeaning, Resolver, Synonym, SynonymState, TypeMeaning};
use crate::resolve::types::{Type, TypeId, TypeNameId, TypeVariableId};
use crate::syntax::ast::{self, DeclarationKind, Ident, TypeExprKind};

impl<'a> Resolver<'a> {
    /// Enters the name of every type of the program.
    pub(super) fn collect_type_names(&mut self) {
        for declaration in &self.ast.declarations {
            let (name, meaning) = match &declaration.kind {
                DeclarationKind::TypeConstructor { name, parameters } => {
                    let builtin = self.text_attribute(&declaration.attributes, "builtin");
                    if builtin.is_none() && self.flag(&declaration.attributes, "datatype") {
                        self.old_datatypes.insert(name.name);
                    }
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
            if self.is_bit_vector(name) {
                continue;
            }
            // Of several declarations the first one is meant.
            if self.types.contains_key(&name.name) {
                let message = format!("more than one declaration of type name: {}", self.text(name.name));
                self.name_error(name.span, message);
                continue;
            }
            self.types.insert(name.name, meaning);
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

    /// Resolves the synonyms that lead into no cycle; then reports the others, and takes them for `bool`.
    pub(super) fn cut_cycles(&mut self) {
        let count = self.synonyms.len();
        let needs: Vec<Vec<usize>> = (0..count).map(|index| self.synonyms_in(index)).collect();
        // What needs nothing that is left is settled, until nothing more is.
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut left: Vec<usize> = needs.iter().map(Vec::len).collect();
        for (index, needed) in needs.iter().enumerate() {
            needed.iter().for_each(|it| users[*it].push(index));
        }
        let mut settled: Vec<usize> = (0..count).filter(|index| left[*index] == 0).collect();
        // Boogie goes through them in the order of the text, as often as it takes: what needs something that stands
        // behind it has to wait for the next round.
        let mut rounds = vec![0_usize; count];
        let mut order = Vec::new();
        while let Some(index) = settled.pop() {
            order.push(index);
            for user in &users[index] {
                let round = rounds[index] + usize::from(index > *user);
                rounds[*user] = rounds[*user].max(round);
                left[*user] -= 1;
                if left[*user] == 0 {
                    settled.push(*user);
                }
            }
        }
        order.sort_by_key(|index| (rounds[*index], *index));
        for index in order {
            self.resolve_synonym(index);
        }
        for index in (0..count).filter(|index| left[*index] > 0) {
            let Synonym { name, parameters, .. } = &self.synonyms[index];
            let (name, parameters) = (*name, parameters.clone());
            let text = self.text(name.name).to_owned();
            self.name_error(
                name.span,
                format!(
                    "type synonym could not be resolved because of cycles: {text} (replacing body with \"bool\" to continue resolving)"
                ),
            );
            let outer = std::mem::take(&mut self.type_scope);
            let variables = self.enter_type_parameters(&parameters);
            self.type_scope = outer;
            self.synonyms[index].state = SynonymState::Resolved(variables, self.program.types.bool());
        }
    }

    /// The synonyms that the body of a synonym names, each as often as it does.
    fn synonyms_in(&self, index: usize) -> Vec<usize> {
        let Synonym { parameters, body, .. } = &self.synonyms[index];
        let mut bound: Vec<Symbol> = parameters.iter().map(|it| it.name).collect();
        let mut found = Vec::new();
        let mut work = vec![*body];
        while let Some(id) = work.pop() {
            match &self.ast.types[id].kind {
                TypeExprKind::Bool | TypeExprKind::Int | TypeExprKind::Real => {}
                // A bound parameter cannot have the name of a type, so it hides none.
                TypeExprKind::Map { parameters, arguments, result } => {
                    bound.extend(parameters.iter().map(|it| it.name));
                    work.extend(arguments.iter().chain([result]));
                }
                TypeExprKind::Named(name, arguments) => {
                    work.extend(arguments);
                    if let Some(TypeMeaning::Synonym(other)) = self.types.get(&name.name)
                        && !bound.contains(&name.name)
                    {
                        found.push(*other);
                    }
                }
            }
        }
        found
    }

    /// What a synonym stands for; `None` while that is being found out, which is a cycle.
    pub(super) fn resolve_synonym(&mut self, index: usize) -> Option<(Vec<TypeVariableId>, TypeId)> {
        match &self.synonyms[index].state {
            SynonymState::Resolved(parameters, body) => return Some((parameters.clone(), *body)),
            SynonymState::Resolving => return None,
            SynonymState::Unresolved => {}
        }
        self.synonyms[index].state = SynonymState::Resolving;
        let Synonym { body, parameters, .. } = &self.synonyms[index];
        let (body, parameters) = (*body, parameters.clone());
        let outer = std::mem::take(&mut self.type_scope);
        let outer_maps = std::mem::take(&mut self.map_scope);
        let variables = self.enter_type_parameters(&parameters);
        let body = self.resolve_type(body);
        self.type_scope = outer;
        self.map_scope = outer_maps;
        self.synonyms[index].state = SynonymState::Resolved(variables.clone(), body);
        Some((variables, body))
    }

    /// Whether a name is that of a type of bit vectors, which is reported.
    fn is_bit_vector(&mut self, name: Ident) -> bool {
        let text = self.text(name.name);
        let digits = text.strip_prefix("bv").unwrap_or_default();
        let found = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if found {
            let message = format!("type name: {text} is registered for bitvectors");
            self.name_error(name.span, message);
        }
        found
    }

    /// Whether a type parameter may have its name here, where some parameters are in scope already. What
    /// forbids it is reported.
    fn is_free(&mut self, parameter: Ident) -> bool {
        if self.is_bit_vector(parameter) {
            return false;
        }
        let bound = |scope: &Vec<Symbol>| scope.contains(&parameter.name);
        let message = if self.types.contains_key(&parameter.name) {
            "name is already reserved for type constructor"
        } else if self.type_scope.iter().any(|(name, _)| *name == parameter.name)
            || self.map_scope.iter().any(bound)
        {
            "more than one declaration of type variable"
        } else {
            return true;
        };
        let message = format!("{message}: {}", self.text(parameter.name));
        self.name_error(parameter.span, message);
        false
    }

    /// Brings type parameters into scope; the caller truncates `type_scope` afterwards.
    pub(in crate::resolve) fn enter_type_parameters(&mut self, parameters: &[Ident]) -> Vec<TypeVariableId> {
        let mut variables = Vec::new();
        for parameter in parameters {
            let variable = self.program.type_names.variables.push(parameter.name);
            if self.is_free(*parameter) {
                self.type_scope.push((parameter.name, variable));
            }
            variables.push(variable);
        }
        variables
    }

    /// Reports the type parameters in scope from a place on that occur in none of the types of what they are
    /// parameters of.
    pub(in crate::resolve) fn check_occurrences(
        &mut self,
        start: usize,
        types: &[TypeId],
        (span, subject): (Span, &str),
    ) {
        for at in start..self.type_scope.len() {
            let (name, variable) = self.type_scope[at];
            if !types.iter().any(|ty| self.program.types.mentions(*ty, &[variable])) {
                let message = format!("type variable must occur in {subject}: {}", self.text(name));
                self.name_error(span, message);
            }
        }
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
                self.map_scope.push(Vec::new());
                let mut free = Vec::with_capacity(parameters.len());
                for parameter in parameters {
                    free.push(self.is_free(*parameter));
                    if let Some(scope) = self.map_scope.last_mut() {
                        scope.push(parameter.name);
                    }
                }
                let arguments: Vec<TypeId> = arguments.iter().map(|it| self.resolve_type(*it)).collect();
                let result = self.resolve_type(*result);
                self.map_scope.pop();
                for (index, parameter) in parameters.iter().enumerate() {
                    if free[index]
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
            TypeExprKind::Named(name, arguments) => self.named_type(*name, arguments),
        }
    }

    /// A type by its name. Nothing is said of arguments that the name cannot have, as in Boogie.
    fn named_type(&mut self, name: Ident, arguments: &[ast::TypeExprId]) -> TypeId {
        // What a program declares under such a name without digits is meant: some of these were no types once.
        let builtin = builtin_type(self.program.names.text(name.name));
        let declared = |ty: &Type| {
            matches!(ty, Type::RoundingMode | Type::Text | Type::Regex) && self.types.contains_key(&name.name)
        };
        if let Some((ty, what)) = builtin.filter(|(ty, _)| !declared(ty)) {
            self.refuse_arguments(name, what, arguments);
            return self.program.types.intern(ty);
        }
        for (out, parameters) in self.map_scope.iter().rev().enumerate() {
            if let Some(index) = parameters.iter().position(|parameter| *parameter == name.name) {
                self.refuse_arguments(name, "type variables", arguments);
                let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
                return self.program.types.intern(Type::Bound(narrow(out), narrow(index)));
            }
        }
        if let Some((_, variable)) = self.type_scope.iter().rev().find(|(symbol, _)| *symbol == name.name) {
            let variable = Type::Variable(*variable);
            self.refuse_arguments(name, "type variables", arguments);
            return self.program.types.intern(variable);
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
                let arguments = self.resolve_types(arguments);
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
                    let arguments = self.resolve_types(arguments);
                    let map: FxHashMap<_, _> = parameters.into_iter().zip(arguments).collect();
                    self.program.types.substitute(body, &map)
                }
                None => self.program.types.unknown(),
            },
            None => {
                let message = format!(
                    "undeclared type: {} (replacing with \"bool\" to continue resolving)",
                    self.text(name.name)
                );
                self.name_error(name.span, message);
                self.program.types.unknown()
            }
        }
    }

    fn resolve_types(&mut self, types: &[ast::TypeExprId]) -> Vec<TypeId> {
        types.iter().map(|it| self.resolve_type(*it)).collect()
    }

    /// Reports arguments of a type that has none.
    fn refuse_arguments(&mut self, name: Ident, what: &str, arguments: &[ast::TypeExprId]) {
        if !arguments.is_empty() {
            let message = format!("{what} must not be applied to arguments: {}", self.text(name.name));
            self.name_error(name.span, message);
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
            // One that is declared a second time was reported.
            if !self.program.type_constructors[datatype].constructors.is_empty() {
                continue;
            }
            let start = self.type_scope.len();
            let variables = self.enter_type_parameters(parameters);
            let mut ids = Vec::new();
            for (constructor, fields) in constructors {
                let mut resolved: Vec<(Symbol, TypeId)> = Vec::new();
                for field in fields {
                    if resolved.iter().any(|(name, _)| *name == field.name.name) {
                        self.declared_twice(field.name);
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
                self.declare_function(*constructor, FunctionMeaning::Constructor(id));
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
        let is_meant = |id: &TypeNameId| {
            let meaning = self.types.get(&entities[*id].name);
            entities[*id].datatype && matches!(meaning, Some(TypeMeaning::Constructor(found)) if found == id)
        };
        let datatypes: Vec<TypeNameId> = entities.ids().filter(is_meant).collect();
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

/// The built-in types that have names of their own, and what they are called.
fn builtin_type(name: &str) -> Option<(Type, &'static str)> {
    match name {
        "rmode" => return Some((Type::RoundingMode, "rounding mode type")),
        "string" => return Some((Type::Text, "string type")),
        "regex" => return Some((Type::Regex, "regex type")),
        _ => {}
    }
    if let Some(width) = name.strip_prefix("bv") {
        return Some((Type::BitVector(width.parse().ok()?), "bitvector types"));
    }
    let (significand, exponent) = name.strip_prefix("float")?.split_once('e')?;
    Some((Type::Float(exponent.parse().ok()?, significand.parse().ok()?), "float types"))
}
