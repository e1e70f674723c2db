//! The automaton as text, in the notation of the paper's Example 2.

use super::automaton::Types;
use super::definition::TypeExpression;
use super::identity::{constant_name, functor_name};
use super::state::{Kinds, TypeId};
use super::{NotRegular, Primitive};
use crate::term::{Atoms, Cell, atom};
use std::fmt::Write as _;

impl Types {
    /// The states reachable from one, with their transitions, one per line: `tree(q1,int,q1) -> q1`.
    #[must_use]
    pub fn listing(&self, atoms: &Atoms, root: TypeId) -> String {
        let mut order = vec![root];
        let mut text = String::new();
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            next += 1;
            if next > 1 && (id.0 as usize) < Primitive::ALL.len() {
                continue;
            }
            let shape = self.shape(id);
            let target = self.name(id);
            for name in kind_names(shape.kinds) {
                if name != target {
                    let _ = writeln!(text, "{name} -> {target}");
                }
            }
            if shape.ground
                && target != Primitive::Ground.name()
                && target != Primitive::GroundCompound.name()
            {
                let _ = writeln!(text, "{} -> {target}", Primitive::GroundCompound.name());
            }
            for constant in &shape.constants {
                let _ = writeln!(text, "{} -> {target}", constant_name(atoms, constant));
            }
            // List cells first, then structures by name and arity.
            let mut structures: Vec<(&Cell, &Vec<TypeId>)> = shape.structures.iter().collect();
            structures.sort_by_key(|(functor, _)| {
                (
                    **functor != Cell::functor(atom::DOT, 2),
                    atoms.text(functor.name()).to_owned(),
                    functor.arity(),
                )
            });
            for (functor, states) in structures {
                let names: Vec<&str> = states.iter().map(|&state| self.name(state)).collect();
                let _ = writeln!(text, "{}({}) -> {target}", functor_name(atoms, *functor), names.join(","));
                for &state in states {
                    if !order.contains(&state) {
                        order.push(state);
                    }
                }
            }
        }
        text
    }

    /// The automaton of a type as text. Where another type that accepts the same terms came first, the states bear
    /// its name, and the first line says so.
    ///
    /// # Errors
    /// A type that is not known, not regular, or not deterministic.
    pub fn describe(&mut self, atoms: &Atoms, expression: &TypeExpression) -> Result<String, NotRegular> {
        let id = self.resolve(atoms, expression)?;
        let asked = self.expression_name(atoms, expression, &[]);
        let mut text = String::new();
        if asked != self.name(id) {
            let _ = writeln!(text, "% {asked} accepts the same terms as {}", self.name(id));
        }
        text.push_str(&self.listing(atoms, id));
        Ok(text)
    }
}

/// The fewest names of primitive types that together are these kinds.
fn kind_names(kinds: Kinds) -> Vec<&'static str> {
    let wide_to_narrow = [
        Primitive::Term,
        Primitive::Constant,
        Primitive::Callable,
        Primitive::Number,
        Primitive::Int,
        Primitive::NonNegative,
        Primitive::Float,
        Primitive::Atom,
        Primitive::Compound,
    ];
    let mut left = kinds;
    let mut names = Vec::new();
    for primitive in wide_to_narrow {
        let (accepted, _) = primitive.accepts();
        if kinds.contains(accepted) && left.and(accepted) != Kinds::NONE {
            names.push(primitive.name());
            left = Kinds(left.0 & !accepted.0);
        }
    }
    // Kinds that no primitive type names alone.
    for (kind, name) in [(Kinds::VARIABLE, "var"), (Kinds::NEGATIVE, "negative"), (Kinds::STRING, "string")] {
        if left.and(kind) != Kinds::NONE {
            names.push(name);
        }
    }
    names
}
