//! Normalizers: when are two questions the same?
//!
//! A cache helps as far as it sees that two questions differ in nothing that matters. Each normalizer here
//! takes one thing that does not matter out of a question, keeps it aside, and re-applies it to the answer
//! on a hit; they meet in the trait [`Normalizer`].
//!
//! | what does not matter | normalizer | what leads back |
//! | --- | --- | --- |
//! | which atoms occur, up to a bijection; order of constraints | [`Shapes`] with [`canonicalize`] | [`Canonical`]: [`Renaming`] and [`Order`] |
//! | order and repetition in a set of terms with their names | [`Unordered`] | [`Order`] |
//! | whether a truth or its opposite is asked | [`UpToNegation`] | [`Polarity`] |
//! | source positions, names of bound variables | [`AsParameters`] | [`Parameters`] |
//!
//! # From a term to a model
//! A question goes into a key, its answer through the disk, and comes back in the names of whoever asks.
//!
//! ```
//! use std::convert::Infallible;
//! use std::sync::Arc;
//!
//! use cache_core::cache::{Answer, Asked, Cache, CacheConfig, Cost};
//! use cache_core::key::KeyBuilder;
//! use cache_core::limits::Limits;
//! use cache_core::rename::{AtomId, Confirmed, Normalizer, Shapes, Translate};
//! use cache_core::store::{DiskOptions, DiskStore, Store};
//! # use serde::{Deserialize, Serialize};
//!
//! /// A model of the normal form: values by canonical number.
//! #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
//! struct Model(Vec<(u32, i64)>);
//!
//! impl Answer for Model {
//!     fn out_of_limits(&self) -> bool {
//!         false
//!     }
//!     fn agrees_with(&self, _fresh: &Self) -> bool {
//!         true // Any model will do.
//!     }
//! }
//!
//! // A run asks for a model of `a < b`, where a and b are the variables with these numbers; `engine` has one.
//! let folder = tempfile::tempdir()?;
//! let run = |a: usize, b: usize, engine: Option<[i64; 2]>| -> Result<Vec<(AtomId, i64)>, Box<dyn std::error::Error>> {
//!     let mut shapes = Shapes::new();
//!     let variables: Vec<_> = (0..4).map(|_| shapes.fresh("int")).collect();
//!     let children = [a, b].map(|it| (variables[it].1, shapes.confirm_atom(variables[it].0)));
//!     let less = shapes.node("<", &children.map(|(shape, _)| shape));
//!     let confirm = shapes.confirm_node(|out| out.text("<"), &children);
//!     let normal = shapes.normalize(Confirmed { expression: Some((less, confirm)), constraints: &[] });
//!     let key = KeyBuilder::new("model", 1).engine("example", "1").content("form", &normal.checksum).finish();
//!
//!     let store: Arc<dyn Store> = Arc::new(DiskStore::open(folder.path(), DiskOptions::default())?);
//!     let mut cache: Cache<Model> = Cache::new(CacheConfig::default().store(store));
//!     let renaming = &normal.back.renaming;
//!     let ask = || {
//!         let [low, high] = engine.ok_or("the engine is not asked")?;
//!         let own = vec![(variables[a].0, low), (variables[b].0, high)];
//!         let form = renaming.to_form(&own).ok_or("the model speaks of other variables")?;
//!         Ok::<_, &str>(Asked { answer: Model(form), cost: Cost::default() })
//!     };
//!     let answered = cache.answer(&key, &Limits::unlimited(), ask).map_err(|error| error.to_string())?;
//!     cache.finish();
//!     Ok(renaming.to_own(&answered.answer.0).ok_or("the model does not fit")?)
//! };
//! let first = run(0, 1, Some([3, 5]))?;
//! // Another run, other variables: the stored model, in their names.
//! let second = run(3, 2, None)?;
//! assert_eq!(first.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [3, 5]);
//! assert_eq!(second.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [3, 5]);
//! assert_ne!(first[0].0, second[0].0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Renaming
//! It comes twice. *Pairwise* ([`compare`], [`Bijection`]) is Algorithm 1 of the query-caching paper: two
//! questions are walked together under one bijection. *Compositional* ([`Shapes`]) is what caches use:
//! an engine stores a [`Shape`] in each node of its hash-consed terms when it makes the node, and a
//! question is looked up without walking it. Both agree on ordered questions, which is a property test.
//!
//! ```
//! use cache_core::rename::{Query, Shapes, canonicalize};
//!
//! // Two paths of a program: each reads cell 0 of an array of pointers and compares it with an object.
//! let mut shapes = Shapes::new();
//! let mut path = |compared_with: usize| {
//!     let objects = [2_u64, 2].map(|size| shapes.fresh(&size).1);
//!     let array = shapes.node("wr 0", &[objects[0]]);
//!     let array = shapes.node("wr 1", &[array, objects[1]]);
//!     let read = shapes.node("rd 0", &[array]);
//!     let equal = shapes.node("=", &[read, objects[compared_with]]);
//!     canonicalize(&shapes, &Query { expression: Some(equal), constraints: &[] })
//! };
//! let (first, second, other) = (path(0), path(0), path(1));
//! assert_eq!(first.digest, second.digest, "other addresses, the same question");
//! assert_ne!(first.digest, other.digest, "the other object is another question");
//! assert_ne!(first.renaming.atoms(), second.renaming.atoms());
//! ```
//!
//! # Confirming
//! Digests of 128 bits are for look-up. Every normal form has both digests, as a [`Checksum`](crate::key::Checksum);
//! only shapes, which engines make for every node of their terms, do not: for a question that meets the disk,
//! [`Shapes::confirm_node`] and [`Shapes::confirm_atom`] make collision-resistant digests in the same compositional way,
//! and [`Canonical::confirm`] combines them.

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
pub use canonical::{Canonical, Confirmed, Query, Renaming, canonicalize};
pub use list::AtomList;
pub use name::{NameChecksum, NameDigest};
pub use negation::{Opposites, Polarity, UpToNegation};
pub use normalizer::{Normal, Normalizer, Translate};
pub use pairwise::{Comparison, compare};
pub use parameters::{AsParameters, Parameters};
pub use shape::{Shape, Shapes, Work};
pub use term::{TermShapes, Terms};
pub use unordered::{Order, Unordered};
