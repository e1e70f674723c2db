//! Assertions: from declarations to contracts.
//!
//! `parse` reads the assertion language into [`Assertion`]s; `normalize` turns the assertions of a
//! predicate into the assertion conditions of section 2 of the paper, one calls condition and one success
//! condition per assertion, and puts them into the form that the machine evaluates; `expand` shows the
//! transformed program of section 4.

mod expand;
mod normalize;
mod parse;

pub use expand::expand;
pub use normalize::{Normalized, normalize};
pub use parse::{Assertion, Declaration, Head, parse};
