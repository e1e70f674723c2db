//! Keys: everything that can change an answer, by name.
//!
//! A [`KeyBuilder`] is fed *named parts*: the schema, the engine and its version, the options that can
//! change the answer, the content, the dependencies. The parts stay beside the combined digest, so
//! that a miss can be explained ("dependency `abs` changed") by comparing with the parts of an earlier
//! key: [`Key::changes_since`].
//!
//! # Why [`CacheKey`] and not [`std::hash::Hash`]
//! `Hash` promises nothing across runs, is implemented for pointers and ids, and hashes no lengths of
//! its own. `CacheKey` is implemented by hand or derived (feature `derive`) for what may enter a key: every
//! implementation takes its type apart without `..`, so that a new field enters the key, or is a compile error
//! until someone decides about it. It is never implemented for ids and interned symbols: those differ from run to run. Nor for
//! [`Digest`]: 128 bits in a key would stand behind the 256 that confirm it. What was digested elsewhere enters
//! as a [`Checksum`], which has both, or as a [`Confirm`].

mod parts;
mod values;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::digest::{Confirm, Digest, Encoder};

/// Derives [`trait@CacheKey`]: every field enters the key, variants by their names.
/// `#[cache_key(skip = "why it can change no answer")]` leaves a field out.
///
/// ```
/// use cache_core::key::{CacheKey, Checksum};
///
/// #[derive(CacheKey)]
/// enum Request {
///     Prove { goal: String, #[cache_key(skip = "shown to users only")] title: String },
///     Exit,
/// }
///
/// let prove = |goal: &str, title: &str| Request::Prove { goal: goal.into(), title: title.into() };
/// assert_eq!(Checksum::of(&prove("x < 3", "first")), Checksum::of(&prove("x < 3", "second")));
/// assert_ne!(Checksum::of(&prove("x < 3", "first")), Checksum::of(&prove("x < 4", "first")));
/// assert_ne!(Checksum::of(&prove("", "")), Checksum::of(&Request::Exit));
/// ```
#[cfg(feature = "derive")]
pub use cache_core_derive::CacheKey;

/// What may enter a key. Hash maps and sets may not: their order is no part of their value; collect them into
/// those that are sorted. Nor may what has no value of its own to write: cells and locks, moments of a clock that
/// starts anew, heaps, whose order inside shows.
pub trait CacheKey {
    /// Writes the whole value. Equal values write equal bytes, on every run and machine; different
    /// values write different ones.
    fn encode(&self, out: &mut Encoder);

    /// Writes values that stand one after the other in memory, with their number. Types that are written as they
    /// lie there do so at once; others need not do anything.
    fn encode_all(values: &[Self], out: &mut Encoder)
    where
        Self: Sized,
    {
        out.sequence(values.len());
        for value in values {
            value.encode(out);
        }
    }
}

impl CacheKey for Confirm {
    fn encode(&self, out: &mut Encoder) {
        out.nested_confirm(*self);
    }
}

/// The two digests of one thing: of a question, an entity, a statement, or an entity and its dependencies. Equal
/// only if both digests are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Checksum {
    /// For look-up.
    pub digest: Digest,
    /// Collision resistant.
    pub confirm: Confirm,
}

impl Checksum {
    /// The checksum of a value: of resolved and typed content, not of text, so that comments and white
    /// space do not matter and the meaning of names does.
    #[must_use]
    pub fn of<T: CacheKey + ?Sized>(value: &T) -> Self {
        let mut out = Encoder::new();
        value.encode(&mut out);
        Self::of_encoded(&out)
    }

    /// The checksum of what an encoder holds.
    #[must_use]
    pub fn of_encoded(encoder: &Encoder) -> Self {
        Self { digest: encoder.digest(), confirm: encoder.confirm() }
    }
}

/// Both digests are written, so whatever is confirmed by the key is confirmed by this one as well.
impl CacheKey for Checksum {
    fn encode(&self, out: &mut Encoder) {
        let Self { digest, confirm } = self;
        out.nested(*digest);
        out.nested_confirm(*confirm);
    }
}

/// What a part of a key says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PartKind {
    /// The shape of the key itself, with the version of the code that builds it.
    Schema,
    /// What computes the answer, with its version.
    Engine,
    /// A setting that can change the answer.
    Option,
    /// The question's own content.
    Content,
    /// Something that the content refers to.
    Dependency,
}

/// A named part of a key, as kept beside an entry to explain later misses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Part {
    /// What kind of part it is.
    pub kind: PartKind,
    /// Its name, as users know it (an option, a procedure, an axiom's name).
    pub name: String,
    /// The digest of its value.
    pub digest: Digest,
}

/// How a part differs from the part of the same kind and name in an earlier key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The part has another value.
    Changed(PartKind, String),
    /// The part is new.
    Added(PartKind, String),
    /// The part is gone.
    Removed(PartKind, String),
}

/// A finished key: its named parts in one piece of memory, as canonical bytes, of which both digests are taken. The
/// confirming one costs more than all the rest, so it is taken when somebody asks for it, and once.
#[derive(Clone, Debug)]
pub struct Key {
    digest: Digest,
    confirm: OnceLock<Confirm>,
    bytes: Vec<u8>,
}

/// Keys are equal if all their parts are.
impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Key {}

impl Key {
    /// The combined digest, for look-up.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The combined confirming digest.
    #[must_use]
    pub fn confirm(&self) -> Confirm {
        *self.confirm.get_or_init(|| Confirm::of(&self.bytes))
    }

    /// Both digests.
    #[must_use]
    pub fn checksum(&self) -> Checksum {
        Checksum { digest: self.digest(), confirm: self.confirm() }
    }

    /// The named parts, in the order in which they were fed.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        parts::in_bytes(&self.bytes).collect()
    }

    /// What moved since an earlier key, sorted by kind and name. Empty if and only if both keys have
    /// the same parts, whatever their order.
    #[must_use]
    pub fn changes_since(&self, earlier: &[Part]) -> Vec<Change> {
        let index = |parts: &[Part]| {
            let mut map: BTreeMap<(PartKind, String), Vec<Digest>> = BTreeMap::new();
            for part in parts {
                map.entry((part.kind, part.name.clone())).or_default().push(part.digest);
            }
            map
        };
        let (old, new) = (index(earlier), index(&self.parts()));
        let mut changes = Vec::new();
        for ((kind, name), digests) in &new {
            match old.get(&(*kind, name.clone())) {
                None => changes.push(Change::Added(*kind, name.clone())),
                Some(before) if before != digests => changes.push(Change::Changed(*kind, name.clone())),
                Some(_) => {}
            }
        }
        for (kind, name) in old.keys() {
            if !new.contains_key(&(*kind, name.clone())) {
                changes.push(Change::Removed(*kind, name.clone()));
            }
        }
        changes.sort();
        changes
    }
}

/// Builds a [`Key`] from named parts. Order matters: feed parts that have no order of their own sorted
/// by name. What many keys begin with is made once and cloned.
///
/// ```
/// use cache_core::key::{Change, KeyBuilder, PartKind};
///
/// let key = |callee: &str| {
///     KeyBuilder::new("example", 1)
///         .engine("solver", "5.4.0")
///         .option("timeout-sensitive", &true)
///         .content("body", "call abs(x);")
///         .dependency("abs", callee)
///         .finish()
/// };
/// let (before, after) = (key("ensures 0 <= r"), key("ensures 1 <= r"));
/// assert_ne!(before.digest(), after.digest());
/// assert_eq!(
///     after.changes_since(&before.parts()),
///     [Change::Changed(PartKind::Dependency, "abs".into())]
/// );
/// ```
#[derive(Clone, Debug)]
pub struct KeyBuilder {
    parts: Encoder,
    #[cfg(feature = "plant")]
    dropped: Option<String>,
}

impl KeyBuilder {
    /// Starts a key. `schema` names what is cached; `version` changes whenever the code that builds the
    /// key or the meaning of its answer changes.
    #[must_use]
    pub fn new(schema: &str, version: u32) -> Self {
        let builder = Self {
            parts: Encoder::new(),
            #[cfg(feature = "plant")]
            dropped: None,
        };
        builder.part(PartKind::Schema, schema, &version)
    }

    /// Adds what computes the answer. A new version of the engine never meets an old answer.
    #[must_use]
    pub fn engine(self, name: &str, version: &str) -> Self {
        self.part(PartKind::Engine, name, version)
    }

    /// Adds a setting that can change the answer.
    #[must_use]
    pub fn option<T: CacheKey + ?Sized>(self, name: &str, value: &T) -> Self {
        self.part(PartKind::Option, name, value)
    }

    /// Adds a piece of the question itself.
    #[must_use]
    pub fn content<T: CacheKey + ?Sized>(self, name: &str, value: &T) -> Self {
        self.part(PartKind::Content, name, value)
    }

    /// Adds something that the content refers to, usually its dependency checksum.
    #[must_use]
    pub fn dependency<T: CacheKey + ?Sized>(self, name: impl AsRef<str>, value: &T) -> Self {
        self.part(PartKind::Dependency, name.as_ref(), value)
    }

    /// Makes the builder lie: parts of this name do not enter the key
    /// ([`crate::plant::Fault::DropPart`]).
    #[cfg(feature = "plant")]
    #[must_use]
    pub fn drop_part(mut self, name: &str) -> Self {
        self.dropped = Some(name.to_owned());
        self
    }

    #[inline]
    fn part<T: CacheKey + ?Sized>(mut self, kind: PartKind, name: &str, value: &T) -> Self {
        #[cfg(feature = "plant")]
        if self.dropped.as_deref() == Some(name) {
            return self;
        }
        parts::write(kind, name, value, &mut self.parts);
        self
    }

    /// Combines the parts.
    #[must_use]
    pub fn finish(self) -> Key {
        Key { digest: self.parts.digest(), confirm: OnceLock::new(), bytes: self.parts.into_bytes() }
    }
}
