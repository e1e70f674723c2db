//! The language, four versions of a program in it, and the checksums of its definitions.

use std::collections::BTreeMap;

use cache_core::deps::{Entity, Snapshot, Unresolved};
use cache_core::digest::Confirm;
use cache_core::key::Checksum;
use cache_core::rename::{Shape, Shapes};

/// An expression. Programs here are small, so it is a plain tree.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Number(u64),
    /// A bound variable, or a definition above.
    Name(&'static str),
    Function(&'static str, Box<Expression>),
    Call(Box<Expression>, Box<Expression>),
}

use Expression::{Call, Function, Name, Number};

/// A definition.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    pub(crate) body: Expression,
}

/// Definitions, each of which sees those before it and `plus`, which adds two numbers.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) definitions: Vec<Definition>,
}

impl Program {
    /// The checksums of all definitions and of what they rest on.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let entity = |definition: &Definition| {
            let mut body = Body { shapes: Shapes::new(), bound: BTreeMap::new(), refers_to: Vec::new() };
            let (shape, confirm) = body.digest(&definition.body);
            Entity {
                name: definition.name.to_owned(),
                checksum: Checksum { digest: shape.digest, confirm },
                depends_on: body.refers_to,
            }
        };
        let entities = self.definitions.iter().map(entity).collect();
        // Only two definitions with one name are an error, and there are none.
        Snapshot::of(entities, Unresolved::Absent).unwrap_or_default()
    }
}

/// Digests a body: bound variables are atoms, so their names do not matter; the names of definitions are
/// labels, so they do.
struct Body {
    shapes: Shapes,
    bound: BTreeMap<&'static str, Vec<(Shape, Confirm)>>,
    refers_to: Vec<String>,
}

impl Body {
    fn digest(&mut self, expression: &Expression) -> (Shape, Confirm) {
        match expression {
            Number(value) => self.node(&("number", *value), &[]),
            Name(name) => match self.bound.get(name).and_then(|shadowed| shadowed.last()) {
                Some(variable) => *variable,
                None => {
                    self.refers_to.push((*name).to_owned());
                    self.node(&("definition", *name), &[])
                }
            },
            Function(parameter, body) => {
                let (atom, shape) = self.shapes.fresh("variable");
                let variable = (shape, self.shapes.confirm_atom(atom));
                self.bound.entry(parameter).or_default().push(variable);
                let body = self.digest(body);
                self.bound.entry(parameter).or_default().pop();
                self.node("function", &[variable, body])
            }
            Call(function, argument) => {
                let children = [self.digest(function), self.digest(argument)];
                self.node("call", &children)
            }
        }
    }

    fn node<L: cache_core::key::CacheKey + ?Sized>(
        &mut self,
        label: &L,
        children: &[(Shape, Confirm)],
    ) -> (Shape, Confirm) {
        let shapes: Vec<Shape> = children.iter().map(|(shape, _)| *shape).collect();
        let confirm = self.shapes.confirm_node(|out| label.encode(out), children);
        (self.shapes.node(label, &shapes), confirm)
    }
}

fn function(parameter: &'static str, body: Expression) -> Expression {
    Function(parameter, Box::new(body))
}

fn call(function: Expression, argument: Expression) -> Expression {
    Call(Box::new(function), Box::new(argument))
}

fn define(name: &'static str, body: Expression) -> Definition {
    Definition { name, body }
}

/// The versions of the program, each with what was edited.
pub(crate) fn versions() -> Vec<(&'static str, Program)> {
    let same = define("same", function("x", Name("x")));
    let twice = |f, x| define("twice", function(f, function(x, call(Name(f), call(Name(f), Name(x))))));
    let next = define("next", function("n", call(call(Name("plus"), Name("n")), Number(1))));
    let later = define("later", function("n", call(call(Name("twice"), Name("next")), Name("n"))));

    let written = vec![same.clone(), twice("f", "x"), next.clone(), later.clone()];
    let renamed = vec![next.clone(), twice("step", "start"), same.clone(), later.clone()];
    let edited = vec![define("next", function("n", Name("n"))), twice("f", "x"), same.clone(), later.clone()];
    let wrong = vec![next, define("twice", function("f", call(Name("f"), Name("f")))), same, later];
    [
        ("as first written", written),
        ("with other variables, and in another order", renamed),
        ("with another `next`", edited),
        ("with the first `next`, and a `twice` that has no type", wrong),
    ]
    .map(|(title, definitions)| (title, Program { definitions }))
    .into()
}
