//! The program that the machine runs: modules and their predicates, the texts that were loaded, the engine's own code,
//! and what a term means as a body.

pub(super) mod convert;
pub(super) mod growing;
pub(super) mod library;
pub(super) mod loading;
pub(super) mod modules;
pub(super) mod predicate;
pub(super) mod texts;
pub(super) mod types;
pub(super) mod wrapping;
