//! Why a property is not a regular type, and where.

use crate::term::Atom;

/// A clause of a type's definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The type.
    pub name: Atom,
    /// How many parameters it has.
    pub parameters: usize,
    /// The clause, by position.
    pub clause: usize,
}

/// Why a property is not a regular type that a deterministic top-down automaton recognizes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NotRegular {
    reason: String,
    place: Option<Place>,
}

impl NotRegular {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), place: None }
    }

    /// The same reason, found in a clause.
    #[must_use]
    pub(crate) fn at(self, place: Option<Place>) -> Self {
        Self { place: self.place.or(place), ..self }
    }

    /// The clause that makes it so, if one can be named.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.place
    }
}
