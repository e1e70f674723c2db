//! Assertions: from declarations to contracts.
//!
//! `parse` reads the assertion language into [`Assertion`]s, with `modes` for the modes of a head's arguments;
//! `normalize` turns the assertions of a predicate into the assertion conditions of section 2 of the paper, one calls
//! condition and one success condition per assertion, and puts them into the form that the machine evaluates;
//! `properties` knows the properties of computations; `expand` shows the transformed program of section 4;
//! `kept` has assertions outside the store.

mod expand;
mod kept;
mod modes;
mod normalize;
mod parse;
mod properties;

pub use expand::expand;
pub use kept::{keep, restored};
pub use modes::{ModePackage, Modes};
pub use normalize::{Declared, Normalized, Problem, normalize, normalize_test};
pub use parse::{Assertion, AssertionKind, AssertionStatus, Declaration, Head, parse};
