//! Normalizers: when are two questions the same?
//!
//! A cache helps as far as it sees that two questions differ in nothing that matters. Each normalizer here
//! takes one thing that does not matter out of a question, keeps it aside, and re-applies it to the answer
//! on a hit; they meet in the trait [`Normalizer`].
//!
//! | what does not matter | normalizer | what leads back |
//! | --- | --- | --- |
//! | which atoms occur, up to a bijection; order of constraints | [`Shapes`] with [`canonicalize`] | [`Canonical`]: [`Renaming`] and [`Order`] |
//! | order and repetition in a set of name digests | [`Unordered`] | [`Order`] |
//! | whether a truth or its opposite is asked | [`UpToNegation`] | [`Polarity`] |
//! | source positions, names of bound variables | [`AsParameters`] | [`Parameters`] |
//!
//! # Renaming
//! It comes twice. *Pairwise* ([`compare`], [`Bijection`]) is Algorithm 1 of the query-caching paper: two
//! questions are walked together under one bijection. *Compositional* ([`Shapes`]) is what caches use:
//! an engine stores a [`Shape`] in each node of its hash-consed terms when it makes the node, and a
//! question is looked up without walking it. Both agree on ordered questions, which is a property test.
//!
//! ```
//! use cache_core::rename::{Question, Shapes, canonicalize};
//!
//! // Two paths of a program: each reads cell 0 of an array of pointers and compares it with an object.
//! let mut shapes = Shapes::new();
//! let mut path = |compared_with: usize| {
//!     let objects = [2_u64, 2].map(|size| shapes.fresh(&size).1);
//!     let array = shapes.node("wr 0", &[objects[0]]);
//!     let array = shapes.node("wr 1", &[array, objects[1]]);
//!     let read = shapes.node("rd 0", &[array]);
//!     let query = shapes.node("=", &[read, objects[compared_with]]);
//!     canonicalize(&shapes, &Question { query: Some(query), constraints: &[] })
//! };
//! let (first, second, other) = (path(0), path(0), path(1));
//! assert_eq!(first.digest, second.digest, "other addresses, the same question");
//! assert_ne!(first.digest, other.digest, "the other object is another question");
//! assert_ne!(first.renaming.atoms(), second.renaming.atoms());
//! ```
//!
//! # Confirming
//! Digests of 128 bits are for look-up. For a question that meets the disk, [`Confirms`] computes
//! collision-resistant digests in the same compositional way, each node once, and [`Canonical::confirm`]
//! combines them.

mod atom;
mod bijection;
mod canonical;
mod encoding;
mod index;
mod list;
mod name;
mod negation;
mod normalizer;
mod pairwise;
mod parameters;
mod shape;
mod term;
mod unordered;

pub use atom::{AtomId, Atoms};
pub use bijection::Bijection;
pub use canonical::{Canonical, Question, Renaming, canonicalize};
pub use list::AtomList;
pub use name::NameDigest;
pub use negation::{Opposites, Polarity, UpToNegation};
pub use normalizer::{Normal, Normalizer, Translate};
pub use pairwise::{Comparison, compare};
pub use parameters::{AsParameters, Parameters};
pub use shape::{Shape, Shapes, Work};
pub use term::{Confirms, ShapedTerms, TermShapes, Terms};
pub use unordered::{Order, Unordered};
