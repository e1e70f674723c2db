//! Datatypes in the notation that Boogie had before version 2.16: `type {:datatype} T _;` and a function
//! `function {:constructor} C<X>(f: X): T X;` for each constructor. `f#C(e)` is a field and `is#C(e)` a test. A field
//! belongs to its constructor: another one may have a field of the same name and of another type.

use rustc_hash::FxHashMap;

use crate::base::names::Symbol;
use crate::resolve::program::Constructor;
use crate::resolve::resolver::{FunctionMeaning, Resolver, TypeMeaning};
use crate::resolve::types::{Type, TypeId, TypeNameId, TypeVariableId};
use crate::syntax::ast::{self, Attribute, DeclarationKind, Ident, TypeExprKind};

impl Resolver<'_> {
    /// Whether a function is a constructor of a datatype.
    pub(super) fn is_old_constructor(&self, function: &ast::Function, attributes: &[Attribute]) -> bool {
        !self.old_datatypes.is_empty()
            && matches!(&self.ast.types[function.result].kind,
                TypeExprKind::Named(name, _) if self.old_datatypes.contains(&name.name))
            && self.flag(attributes, "constructor")
    }

    /// Enters constructors, fields and tests.
    pub(super) fn collect_old_constructors(&mut self) {
        if self.old_datatypes.is_empty() {
            return;
        }
        for declaration in &self.ast.declarations {
            let DeclarationKind::Function(function) = &declaration.kind else { continue };
            if self.is_old_constructor(function, &declaration.attributes) {
                self.old_constructor(function);
            }
        }
    }

    fn old_constructor(&mut self, function: &ast::Function) {
        let start = self.type_scope.len();
        let variables = self.enter_type_parameters(&function.type_parameters);
        let result = self.resolve_type(function.result);
        let mut fields: Vec<(Symbol, TypeId)> = Vec::new();
        for (index, (name, ty)) in function.parameters.iter().enumerate() {
            let ty = self.resolve_type(*ty);
            let symbol = match name {
                Some(name) => {
                    if fields.iter().any(|(earlier, _)| *earlier == name.name) {
                        self.declared_twice(*name);
                    }
                    name.name
                }
                None => self.program.names.intern(&format!("arg{index}")),
            };
            fields.push((symbol, ty));
        }
        self.type_scope.truncate(start);
        let Some(datatype) = self.constructed(result, &variables) else {
            if result != self.program.types.unknown() {
                let message = format!(
                    "constructor must have the type parameters of its datatype, each once: {}",
                    self.text(function.name.name)
                );
                self.name_error(function.name.span, message);
            }
            return;
        };
        // The first constructor names the type parameters of the datatype.
        let arguments: Vec<TypeVariableId> = match self.program.types.get(result) {
            Type::Named(_, arguments) => {
                arguments.iter().filter_map(|it| self.program.types.variable(*it)).collect()
            }
            _ => Vec::new(),
        };
        if self.program.type_constructors[datatype].constructors.is_empty() {
            self.program.type_constructors[datatype].parameters = arguments;
        } else {
            let parameters = self.program.type_constructors[datatype].parameters.clone();
            let types = &mut self.program.types;
            let map: FxHashMap<_, _> = arguments
                .into_iter()
                .zip(parameters.into_iter().map(|it| types.intern(Type::Variable(it))))
                .collect();
            for (_, ty) in &mut fields {
                *ty = types.substitute(*ty, &map);
            }
        }
        let name = self.text(function.name.name).to_owned();
        let parts: Vec<(String, u32)> = fields
            .iter()
            .zip(0..)
            .map(|((field, _), index)| (format!("{}#{name}", self.text(*field)), index))
            .collect();
        let id = self.program.constructors.push(Constructor { name: function.name.name, datatype, fields });
        let entity = &mut self.program.type_constructors[datatype];
        entity.constructors.push(id);
        entity.datatype = true;
        self.declare_function(function.name, FunctionMeaning::Constructor(id));
        let test = self.program.names.intern(&format!("is#{name}"));
        self.declare_function(Ident { name: test, ..function.name }, FunctionMeaning::Tester(id));
        for (part, index) in parts {
            let part = self.program.names.intern(&part);
            self.declare_function(
                Ident { name: part, ..function.name },
                FunctionMeaning::Selector(id, index),
            );
        }
    }

    /// The datatype of a constructor's result, whose arguments must be the constructor's type parameters.
    fn constructed(&self, result: TypeId, variables: &[TypeVariableId]) -> Option<TypeNameId> {
        let Type::Named(datatype, arguments) = self.program.types.get(result) else { return None };
        let arguments: Vec<TypeVariableId> =
            arguments.iter().map(|it| self.program.types.variable(*it)).collect::<Option<_>>()?;
        let once =
            variables.iter().all(|it| arguments.iter().filter(|argument| *argument == it).count() == 1);
        let entity = &self.program.type_constructors[*datatype];
        let meant =
            matches!(self.types.get(&entity.name), Some(TypeMeaning::Constructor(id)) if id == datatype);
        (once && arguments.len() == variables.len() && meant && self.old_datatypes.contains(&entity.name))
            .then_some(*datatype)
    }
}
