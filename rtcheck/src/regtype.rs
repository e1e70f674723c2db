//! Regular types as deterministic top-down tree automata (section 5 of the paper).
//!
//! # The way of a definition
//! `definition` reads clauses into patterns. `expand` says which terms a set of types accepts at the root and what
//! it then asks of their arguments; a state of the automaton is such a set, a union of intersections of types.
//! `construct` makes the transitions of a state deterministic: where several clauses have the same functor, their
//! arguments' types are merged, but only if the result accepts exactly the same terms. `identity` gives states
//! that accept the same terms one identifier, whatever their names. `automaton` keeps it all, `state` is what the
//! checker reads, `listing` shows it.
//!
//! Intersections are always exact. A union is merged if one alternative includes the other, or if they differ in
//! one argument only; inclusion is decided by simulation, which may miss an inclusion and never invents one.
//!
//! What is not regular, or cannot be made deterministic, is said with the clause that makes it so
//! ([`NotRegular`]); such a property is then checked by calling it.

mod automaton;
mod common;
mod construct;
mod definition;
mod expand;
mod identity;
mod irregular;
mod listing;
mod state;
mod union;

pub use automaton::Types;
pub(crate) use definition::constant;
pub use definition::{Clause, Constant, Definition, Pattern, TypeExpression};
pub use irregular::{NotRegular, Place};
pub(crate) use state::Words;
pub use state::{Kinds, Shape, State, TypeId};

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
    /// Strings.
    String,
    /// Atoms, numbers and strings.
    Constant,
    /// Atoms and compound terms.
    Callable,
    /// Compound terms.
    Compound,
    /// Terms without free variables.
    Ground,
    /// Compound terms without free variables.
    GroundCompound,
}

impl Primitive {
    /// Every name of a primitive type that programs may use.
    pub const NAMES: [(&'static str, Self); 22] = [
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
        ("$string", Self::String),
        ("constant", Self::Constant),
        ("atomic", Self::Constant),
        ("callable", Self::Callable),
        ("cgoal", Self::Callable),
        ("struct", Self::Compound),
        ("compound", Self::Compound),
        ("gnd", Self::Ground),
        ("ground", Self::Ground),
        ("gndstr", Self::GroundCompound),
        ("character_code", Self::Int),
    ];

    /// All primitive types; a type's identifier is its position here.
    pub const ALL: [Self; 12] = [
        Self::Term,
        Self::Int,
        Self::NonNegative,
        Self::Float,
        Self::Number,
        Self::Atom,
        Self::String,
        Self::Constant,
        Self::Callable,
        Self::Compound,
        Self::Ground,
        Self::GroundCompound,
    ];

    /// The primitive type of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, primitive)| primitive)
    }

    /// The name under which messages speak of the type.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES
            .into_iter()
            .find(|(_, primitive)| *primitive == self)
            .map_or("term", |(name, _)| name.trim_start_matches('$'))
    }
}
