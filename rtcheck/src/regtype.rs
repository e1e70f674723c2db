//! Regular types as deterministic top-down tree automata (section 5 of the paper).
//!
//! A state of the automaton is a [`TypeId`]: a primitive type, or a set of constructors, each with the states
//! of its arguments. `definition` reads clauses into [`Definition`]s, `automaton` turns a definition and
//! concrete parameters into states, once per instance: `bintree(int)` is one state however often it is named.
//!
//! What is not regular or not deterministic is refused with the clause that makes it so; such a property is
//! then checked by calling it.

mod automaton;
mod definition;

pub use automaton::{Constructors, NotRegular, State, TypeId, Types};
pub use definition::{Definition, TypeExpression};

/// Types whose members can be told from one cell, and groundness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Primitive {
    /// Every term, free variables too.
    Term,
    /// Integers of any size.
    Int,
    /// Integers from 0 on.
    NonNegative,
    /// Floats.
    Float,
    /// Integers and floats.
    Number,
    /// Atoms.
    Atom,
    /// Atoms and numbers.
    Constant,
    /// Atoms and compound terms.
    Callable,
    /// Compound terms.
    Compound,
    /// Terms without free variables.
    Ground,
}

impl Primitive {
    /// Every name of a primitive type that programs may use.
    pub const NAMES: [(&'static str, Self); 20] = [
        ("term", Self::Term),
        ("any", Self::Term),
        ("int", Self::Int),
        ("integer", Self::Int),
        ("nnegint", Self::NonNegative),
        ("flt", Self::Float),
        ("float", Self::Float),
        ("num", Self::Number),
        ("number", Self::Number),
        ("atm", Self::Atom),
        ("atom", Self::Atom),
        ("constant", Self::Constant),
        ("atomic", Self::Constant),
        ("callable", Self::Callable),
        ("cgoal", Self::Callable),
        ("struct", Self::Compound),
        ("compound", Self::Compound),
        ("gnd", Self::Ground),
        ("ground", Self::Ground),
        ("character_code", Self::NonNegative),
    ];

    /// All primitive types; a type's identifier is its position here.
    pub const ALL: [Self; 10] = [
        Self::Term,
        Self::Int,
        Self::NonNegative,
        Self::Float,
        Self::Number,
        Self::Atom,
        Self::Constant,
        Self::Callable,
        Self::Compound,
        Self::Ground,
    ];

    /// The primitive type of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, primitive)| primitive)
    }

    /// The name under which messages speak of the type.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, primitive)| *primitive == self).map_or("term", |(name, _)| name)
    }
}
