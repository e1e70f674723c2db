//! Dependencies: what an entity's answer rests on, and what moved since an earlier snapshot.
//!
//! An analysis engine hands in the entities of a program (declarations, with their *entity checksums* and
//! the names that they refer to) and gets a [`Snapshot`] with their *dependency checksums*: digests of an
//! entity and of all it reaches. An answer about an entity is still good exactly if its dependency
//! checksum is the same (section 3.2 of the paper on fine-grained caching), and the [`ChangeClass`]
//! against an earlier snapshot says in which order the others should be computed again (section 3.3).
//!
//! Where answers are much coarser than what they are about, keys are better made of the answers below:
//! [`Snapshot::components`] says how.
//!
//! # How
//! Entities that depend on each other form a strongly connected component and are digested together: the
//! digest of a component covers the sorted names, entity checksums and dependencies of its members, then
//! the sorted names and dependency checksums of what they refer to outside. Components are taken in
//! topological order, so each is digested once. Everything is hashed in order and with its name; nothing
//! is summed or combined by exclusive or, so two changes never cancel out and an exchange of two contents
//! shows. Each checksum comes with its confirming digest, since answers meet the disk. The cost is linear
//! in entities and references, apart from sorting names; after an edit, [`Snapshot::update`] takes what the edit moves.
//!
//! ```
//! use cache_core::deps::{ChangeClass, Entity, Snapshot, Unresolved};
//! use cache_core::key::Checksum;
//!
//! let program = |abs: &str| {
//!     let entity = |name: &str, text: &str, depends_on: &[&str]| Entity {
//!         name: name.to_owned(),
//!         checksum: Checksum::of(text),
//!         depends_on: depends_on.iter().map(|name| (*name).to_owned()).collect(),
//!     };
//!     Snapshot::of(
//!         vec![
//!             entity("main", "call r := abs(x);", &["abs"]),
//!             entity("abs", abs, &[]),
//!             entity("other", "assert true;", &[]),
//!         ],
//!         Unresolved::Error,
//!     )
//! };
//! let before = program("ensures 0 <= r")?;
//! let after = program("ensures 1 <= r")?;
//! let changes = after.changes_since(&before);
//! assert_eq!(changes["abs"], ChangeClass::EntityChanged);
//! assert_eq!(changes["main"], ChangeClass::DependencyChanged);
//! assert_eq!(changes["other"], ChangeClass::Unchanged);
//! assert_eq!(after.causes("main", &before)[0].to_string(), "`abs` changed");
//! # Ok::<(), cache_core::deps::DepsError>(())
//! ```

mod change;
mod snapshot;

pub use change::{Cause, ChangeClass, Priority};
pub use snapshot::{DepsError, Entity, Record, Snapshot, Unresolved};
