//! Keys: everything that can change an answer, by name.
//!
//! A [`KeyBuilder`] is fed *named parts*: the schema, the engine and its version, the options that can
//! change the answer, the content, the dependencies. The parts stay beside the combined digest, so
//! that a miss can be explained ("dependency `abs` changed") by comparing with the parts of an earlier
//! key: [`Key::changes_since`].
//!
//! # Why [`CacheKey`] and not [`std::hash::Hash`]
//! `Hash` promises nothing across runs, is implemented for pointers and ids, and hashes no lengths of
//! its own. `CacheKey` is implemented by hand for what may enter a key: every implementation
//! destructures its type without `..`, so that a new field is a compile error until someone decides
//! about it. It is never implemented for ids and interned symbols: those differ from run to run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::digest::{Confirm, Digest, Encoder};

/// What may enter a key.
pub trait CacheKey {
    /// Writes the whole value. Equal values write equal bytes, on every run and machine; different
    /// values write different ones.
    fn encode(&self, out: &mut Encoder);
}

impl<T: CacheKey + ?Sized> CacheKey for &T {
    fn encode(&self, out: &mut Encoder) {
        (**self).encode(out);
    }
}

impl<T: CacheKey + ?Sized> CacheKey for Box<T> {
    fn encode(&self, out: &mut Encoder) {
        (**self).encode(out);
    }
}

impl CacheKey for bool {
    fn encode(&self, out: &mut Encoder) {
        out.bool(*self);
    }
}

macro_rules! unsigned_keys {
    ($($name:ty),*) => {$(
        impl CacheKey for $name {
            fn encode(&self, out: &mut Encoder) {
                out.u64(u64::from(*self));
            }
        }
    )*};
}
unsigned_keys!(u8, u16, u32, u64);

macro_rules! signed_keys {
    ($($name:ty),*) => {$(
        impl CacheKey for $name {
            fn encode(&self, out: &mut Encoder) {
                out.i64(i64::from(*self));
            }
        }
    )*};
}
signed_keys!(i8, i16, i32, i64);

impl CacheKey for u128 {
    fn encode(&self, out: &mut Encoder) {
        out.u128(*self);
    }
}

impl CacheKey for str {
    fn encode(&self, out: &mut Encoder) {
        out.text(self);
    }
}

impl CacheKey for String {
    fn encode(&self, out: &mut Encoder) {
        out.text(self);
    }
}

impl CacheKey for Digest {
    fn encode(&self, out: &mut Encoder) {
        out.nested(*self);
    }
}

impl CacheKey for Confirm {
    fn encode(&self, out: &mut Encoder) {
        out.nested_confirm(*self);
    }
}

impl<T: CacheKey> CacheKey for [T] {
    fn encode(&self, out: &mut Encoder) {
        out.sequence(self.len());
        for item in self {
            item.encode(out);
        }
    }
}

impl<T: CacheKey> CacheKey for Vec<T> {
    fn encode(&self, out: &mut Encoder) {
        self.as_slice().encode(out);
    }
}

impl<T: CacheKey> CacheKey for Option<T> {
    fn encode(&self, out: &mut Encoder) {
        match self {
            None => out.none(),
            Some(value) => {
                out.some();
                value.encode(out);
            }
        }
    }
}

impl<K: CacheKey, V: CacheKey> CacheKey for BTreeMap<K, V> {
    fn encode(&self, out: &mut Encoder) {
        out.sequence(self.len());
        for (key, value) in self {
            key.encode(out);
            value.encode(out);
        }
    }
}

impl<A: CacheKey, B: CacheKey> CacheKey for (A, B) {
    fn encode(&self, out: &mut Encoder) {
        let (a, b) = self;
        a.encode(out);
        b.encode(out);
    }
}

impl<A: CacheKey, B: CacheKey, C: CacheKey> CacheKey for (A, B, C) {
    fn encode(&self, out: &mut Encoder) {
        let (a, b, c) = self;
        a.encode(out);
        b.encode(out);
        c.encode(out);
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

/// A finished key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    digest: Digest,
    confirm: Confirm,
    parts: Vec<Part>,
}

impl Key {
    /// The combined digest, for look-up.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The combined confirming digest.
    #[must_use]
    pub fn confirm(&self) -> Confirm {
        self.confirm
    }

    /// The named parts, in the order in which they were fed.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
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
        let (old, new) = (index(earlier), index(&self.parts));
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

/// Values of at most so many canonical bytes, a confirming digest with its tag among them, enter a key as they are:
/// a digest of them would be as long, and is not free.
const SHORT: usize = 64;

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
///     after.changes_since(before.parts()),
///     [Change::Changed(PartKind::Dependency, "abs".into())]
/// );
/// ```
#[derive(Clone, Debug)]
pub struct KeyBuilder {
    parts: Vec<Part>,
    short: Encoder,
    long: Encoder,
    scratch: Encoder,
    #[cfg(feature = "plant")]
    dropped: Option<String>,
}

impl KeyBuilder {
    /// Starts a key. `schema` names what is cached; `version` changes whenever the code that builds the
    /// key or the meaning of its answer changes.
    #[must_use]
    pub fn new(schema: &str, version: u32) -> Self {
        let builder = Self {
            parts: Vec::new(),
            short: Encoder::new(),
            long: Encoder::new(),
            scratch: Encoder::new(),
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
    pub fn dependency<T: CacheKey + ?Sized>(self, name: impl Into<String>, value: &T) -> Self {
        self.part(PartKind::Dependency, name, value)
    }

    /// Makes the builder lie: parts of this name do not enter the key
    /// ([`crate::plant::Fault::DropPart`]).
    #[cfg(feature = "plant")]
    #[must_use]
    pub fn drop_part(mut self, name: &str) -> Self {
        self.dropped = Some(name.to_owned());
        self
    }

    fn part<T: CacheKey + ?Sized>(mut self, kind: PartKind, name: impl Into<String>, value: &T) -> Self {
        let name = name.into();
        #[cfg(feature = "plant")]
        if self.dropped.as_deref() == Some(&name) {
            return self;
        }
        self.scratch.clear();
        value.encode(&mut self.scratch);
        let digest = self.scratch.digest();
        let number = match kind {
            PartKind::Schema => 0,
            PartKind::Engine => 1,
            PartKind::Option => 2,
            PartKind::Content => 3,
            PartKind::Dependency => 4,
        };
        for encoder in [&mut self.short, &mut self.long] {
            encoder.variant(number);
            encoder.text(&name);
        }
        self.short.nested(digest);
        if self.scratch.bytes().len() <= SHORT {
            self.long.raw(self.scratch.bytes());
        } else {
            self.long.nested_confirm(self.scratch.confirm());
        }
        self.parts.push(Part { kind, name, digest });
        self
    }

    /// Combines the parts.
    #[must_use]
    pub fn finish(self) -> Key {
        Key { digest: self.short.digest(), confirm: self.long.confirm(), parts: self.parts }
    }
}
