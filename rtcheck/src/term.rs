//! Terms: tagged 64-bit cells in one growing array, addressed by index.
//!
//! A [`Cell`] is a word whose low three bits are its [`Tag`]; the rest is a small integer, an atom's number
//! or an index into the [`Store`]. Nothing is an address of the machine, so the store may grow and may be
//! compacted; every cell's extent can be told from the cells themselves, which is what a collector that
//! slides needs. The store holds the trail as well, since binding is its business.
//!
//! Terms may be as deep as memory allows: unification, comparison, copying and writing use explicit stacks
//! or none. A [`Record`] is a term copied out of the store (findall results, the database, exceptions).
//!
//! [`Operators`] lies here because both the reader and the writer need it.

mod atoms;
mod attributes;
mod bits;
mod cell;
mod characters;
mod collector;
mod compare;
mod names;
mod cyclic;
pub(crate) mod dict;
mod fraction;
pub(crate) mod nullary;
mod number;
mod occurrences;
mod occurs;
mod operators;
mod rational;
mod record;
mod spelling;
mod steps;
mod store;
mod trail;
mod undoing;
mod variant;
mod write;

pub(crate) use atoms::Watch;
pub use atoms::{Atom, Atoms, atom};
pub(crate) use bits::Bits;
pub use cell::{Cell, Tag};
pub use characters::{is_alphanumeric, is_invisible, is_symbol, starts_name, starts_variable};
pub(crate) use collector::Collector;
pub use compare::{compare, identical, variables};
pub use names::{SourceNames, clause_names, named_variables, source_names};
pub use number::Number;
pub(crate) use occurrences::occurrences;
pub use operators::{OperatorDefinition, OperatorKind, Operators};
pub use rational::Rational;
pub(crate) use rational::quotient_as_float;
pub use record::Record;
pub use spelling::{format_float, quoted_atom, quoted_text, variable_name};
pub(crate) use store::OccursCheck;
pub use store::Store;
pub(crate) use trail::Undo;
pub use variant::is_variant;
pub use write::{AttributesWritten, WriteOptions, Writer};
