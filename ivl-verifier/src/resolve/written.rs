//! Types as a program writes them, for messages: Boogie tells types with the synonyms that names were declared with,
//! and sees through a synonym only where an element of a map is asked for. What is not known (what depends on types
//! that are inferred) is told as it was resolved.

use std::rc::Rc;

use crate::base::names::Symbol;
use crate::resolve::graph::VariableId;
use crate::resolve::resolver::{Resolver, TypeMeaning, ValueMeaning};
use crate::resolve::types::{Type, TypeId};
use crate::syntax::ast::{
    Binder, DeclarationKind, ExprId, ExprKind, Function, Quantifier, TypeExprId, TypeExprKind,
};

/// How many synonyms may lead to a map: cycles of them are wrong, and told as that.
const MAX_STEPS: usize = 1_000;

/// A type expression, in which names may stand for other types.
#[derive(Clone)]
pub(super) struct Written {
    ty: TypeExprId,
    names: Rc<Vec<(Symbol, Meaning)>>,
}

/// The declared type of a name that is not known everywhere; of one that is, nothing.
pub(super) type Near<'n> = &'n dyn Fn(Symbol) -> Option<Option<TypeExprId>>;

#[derive(Clone)]
enum Meaning {
    Type(Written),
    /// A parameter of a map type, as it stands there.
    Itself,
    /// What the parameter is at this place is not known.
    Unknown,
}

impl From<TypeExprId> for Written {
    fn from(ty: TypeExprId) -> Self {
        Self { ty, names: Rc::default() }
    }
}

impl Resolver<'_> {
    /// The type of an expression for a message.
    pub(super) fn shown(&self, expr: ExprId, found: TypeId, near: Near<'_>) -> String {
        match &self.ast.exprs[expr].kind {
            ExprKind::Quantifier(lambda) => {
                self.lambda(lambda, found, near).unwrap_or_else(|| self.show(found))
            }
            _ => self.spelled(self.written(expr, near).as_ref(), found),
        }
    }

    /// The type of a lambda: its variables' types as they are declared, and its body's.
    fn lambda(&self, lambda: &Quantifier, found: TypeId, near: Near<'_>) -> Option<String> {
        let Type::Map(parameters, _, element) = self.program.types.get(found) else { return None };
        let indices = lambda.bound.iter().map(|it| self.spell(&it.ty.into(), false));
        let indices = indices.collect::<Option<Vec<String>>>()?;
        let inside = within(lambda, near);
        let element = match self.written(lambda.body, &inside) {
            Some(written) => self.spell(&written, false)?,
            // Its parameters mean something only inside the type.
            None if *parameters > 0 => return None,
            None => self.shown(lambda.body, *element, &inside),
        };
        let own: Vec<&str> = lambda.type_parameters.iter().map(|it| self.text(it.name)).collect();
        let own = if own.is_empty() { String::new() } else { format!("<{}>", own.join(",")) };
        Some(format!("{own}[{}]{element}", indices.join(",")))
    }

    /// A type for a message: as it is written, if that is known.
    pub(super) fn spelled(&self, written: Option<&Written>, found: TypeId) -> String {
        written.and_then(|it| self.spell(it, false)).unwrap_or_else(|| self.show(found))
    }

    /// The type of a variable as it was declared.
    pub(super) fn written_variable(&self, variable: VariableId) -> Option<TypeExprId> {
        let at = self.variable_types.binary_search_by_key(&variable, |(id, _)| *id).ok()?;
        Some(self.variable_types[at].1)
    }

    /// The function with this name, if it is declared as one.
    pub(super) fn written_function(&self, name: Symbol) -> Option<&Function> {
        self.ast.declarations.iter().find_map(|it| match &it.kind {
            DeclarationKind::Function(function) if function.name.name == name => Some(&**function),
            _ => None,
        })
    }

    /// The type of an expression.
    pub(super) fn written(&self, expr: ExprId, near: Near<'_>) -> Option<Written> {
        let mut at = expr;
        let mut elements = 0;
        let mut whole = loop {
            match &self.ast.exprs[at].kind {
                ExprKind::Select(map, _) => {
                    elements += 1;
                    at = *map;
                }
                ExprKind::Store(same, ..) | ExprKind::Old(same) | ExprKind::IfThenElse(_, same, _) => {
                    at = *same;
                }
                ExprKind::Coerce(_, ty) => break (*ty).into(),
                ExprKind::Name(name) => {
                    break near(*name).unwrap_or_else(|| self.written_name(*name))?.into();
                }
                ExprKind::Apply(function, _) => {
                    let function = self.written_function(function.name)?;
                    let open = function.type_parameters.iter().map(|it| (it.name, Meaning::Unknown));
                    break Written { ty: function.result, names: Rc::new(open.collect()) };
                }
                ExprKind::Quantifier(it)
                    if it.binder == Binder::Lambda && elements > 0 && it.type_parameters.is_empty() =>
                {
                    elements -= 1;
                    break self.written(it.body, &within(it, near))?;
                }
                _ => return None,
            }
        };
        for _ in 0..elements {
            whole = self.written_map(whole)?.1;
        }
        Some(whole)
    }

    fn written_name(&self, name: Symbol) -> Option<TypeExprId> {
        match self.values.get(&name)? {
            ValueMeaning::Variable(variable) => self.written_variable(*variable),
            ValueMeaning::Constant(_) => self.ast.declarations.iter().find_map(|it| match &it.kind {
                DeclarationKind::Constants { names, .. } => {
                    names.iter().find(|it| it.name.name == name).map(|it| it.ty)
                }
                _ => None,
            }),
        }
    }

    /// The types of the indices and of the elements of a map.
    pub(super) fn written_map(&self, map: Written) -> Option<(Vec<Written>, Written)> {
        let mut map = map;
        for _ in 0..MAX_STEPS {
            let names = Rc::clone(&map.names);
            let inside = |ty: TypeExprId| Written { ty, names: Rc::clone(&names) };
            match &self.ast.types[map.ty].kind {
                TypeExprKind::Map { parameters, arguments, result } => {
                    let mut names = names.to_vec();
                    names.extend(parameters.iter().map(|it| (it.name, Meaning::Unknown)));
                    let names = Rc::new(names);
                    let inside = |ty: TypeExprId| Written { ty, names: Rc::clone(&names) };
                    return Some((arguments.iter().map(|it| inside(*it)).collect(), inside(*result)));
                }
                TypeExprKind::Named(name, arguments) => match meaning(&names, name.name) {
                    Some(Meaning::Type(other)) => map = other.clone(),
                    Some(Meaning::Itself | Meaning::Unknown) => return None,
                    None => {
                        let Some(TypeMeaning::Synonym(index)) = self.types.get(&name.name) else {
                            return None;
                        };
                        let synonym = &self.synonyms[*index];
                        let given = arguments.iter().map(|it| Meaning::Type(inside(*it)));
                        let names = synonym.parameters.iter().map(|it| it.name).zip(given).collect();
                        map = Written { ty: synonym.body, names: Rc::new(names) };
                    }
                },
                TypeExprKind::Bool | TypeExprKind::Int | TypeExprKind::Real => return None,
            }
        }
        None
    }

    /// A type as text, as an argument of another one if `argument` says so; nothing if a part is not known. Types are
    /// as deep as the parser allows.
    fn spell(&self, written: &Written, argument: bool) -> Option<String> {
        let inside = |ty: &TypeExprId| Written { ty: *ty, names: Rc::clone(&written.names) };
        let text = match &self.ast.types[written.ty].kind {
            TypeExprKind::Bool => "bool".to_owned(),
            TypeExprKind::Int => "int".to_owned(),
            TypeExprKind::Real => "real".to_owned(),
            TypeExprKind::Named(name, arguments) => match meaning(&written.names, name.name) {
                Some(Meaning::Type(other)) => return self.spell(other, argument),
                Some(Meaning::Unknown) => return None,
                Some(Meaning::Itself) | None => {
                    let mut text = self.text(name.name).to_owned();
                    for it in arguments {
                        text.push(' ');
                        text.push_str(&self.spell(&inside(it), true)?);
                    }
                    if argument && !arguments.is_empty() { format!("({text})") } else { text }
                }
            },
            TypeExprKind::Map { parameters, arguments, result } => {
                let mut names = written.names.to_vec();
                names.extend(parameters.iter().map(|it| (it.name, Meaning::Itself)));
                let names = Rc::new(names);
                let part =
                    |ty: &TypeExprId| self.spell(&Written { ty: *ty, names: Rc::clone(&names) }, false);
                let own: Vec<&str> = parameters.iter().map(|it| self.text(it.name)).collect();
                let own = if own.is_empty() { String::new() } else { format!("<{}>", own.join(",")) };
                let indices = arguments.iter().map(part).collect::<Option<Vec<String>>>()?;
                // Boogie puts no parentheses around maps.
                format!("{own}[{}]{}", indices.join(","), part(result)?)
            }
        };
        Some(text)
    }
}

/// The declared types of names in the body of a lambda.
fn within<'n>(lambda: &'n Quantifier, near: Near<'n>) -> impl Fn(Symbol) -> Option<Option<TypeExprId>> + 'n {
    move |name| match lambda.bound.iter().rev().find(|it| it.name.name == name) {
        Some(bound) => Some(Some(bound.ty)),
        None => near(name),
    }
}

/// What a name stands for, the innermost meaning first.
fn meaning(names: &[(Symbol, Meaning)], name: Symbol) -> Option<&Meaning> {
    names.iter().rev().find(|(it, _)| *it == name).map(|(_, meaning)| meaning)
}
