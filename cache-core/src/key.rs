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

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

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
/// those that are sorted.
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

impl<T: CacheKey + ?Sized> CacheKey for &T {
    fn encode(&self, out: &mut Encoder) {
        (**self).encode(out);
    }
}

/// What keeps types of std apart that are written as integers. Never renumber.
const SIGNED: u32 = 0x7374_0001;
const FLOAT_32: u32 = 0x7374_0002;
const FLOAT_64: u32 = 0x7374_0003;
const CHARACTER: u32 = 0x7374_0004;
const DURATION: u32 = 0x7374_0005;

/// Pointers are what they point to: sharing shows in no key.
macro_rules! pointer_keys {
    ($($name:ident),*) => {$(
        impl<T: CacheKey + ?Sized> CacheKey for $name<T> {
            fn encode(&self, out: &mut Encoder) {
                (**self).encode(out);
            }
        }
    )*};
}
pointer_keys!(Box, Rc, Arc);

impl<T: CacheKey + ToOwned + ?Sized> CacheKey for Cow<'_, T> {
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
unsigned_keys!(u16, u32, u64);

/// A byte is an unsigned integer; many of them are bytes.
impl CacheKey for u8 {
    fn encode(&self, out: &mut Encoder) {
        out.u64(u64::from(*self));
    }

    fn encode_all(values: &[Self], out: &mut Encoder) {
        out.raw(values);
    }
}

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

impl CacheKey for i128 {
    fn encode(&self, out: &mut Encoder) {
        out.variant(SIGNED);
        out.u128(self.cast_unsigned());
    }
}

/// Sizes and differences are the same on machines of every width.
impl CacheKey for usize {
    fn encode(&self, out: &mut Encoder) {
        out.u64(*self as u64);
    }
}

impl CacheKey for isize {
    fn encode(&self, out: &mut Encoder) {
        out.i64(*self as i64);
    }
}

/// Bit by bit, so that 0.0 and -0.0 differ, and a value that is no number equals the same one.
macro_rules! float_keys {
    ($($name:ty: $tag:expr),*) => {$(
        impl CacheKey for $name {
            fn encode(&self, out: &mut Encoder) {
                out.variant($tag);
                out.u64(u64::from(self.to_bits()));
            }
        }
    )*};
}
float_keys!(f32: FLOAT_32, f64: FLOAT_64);

impl CacheKey for char {
    fn encode(&self, out: &mut Encoder) {
        out.variant(CHARACTER);
        out.u64(u64::from(u32::from(*self)));
    }
}

/// The unit is written as a tuple without fields.
impl CacheKey for () {
    fn encode(&self, out: &mut Encoder) {
        out.sequence(0);
    }
}

impl CacheKey for Duration {
    fn encode(&self, out: &mut Encoder) {
        out.variant(DURATION);
        out.u64(self.as_secs());
        out.u64(u64::from(self.subsec_nanos()));
    }
}

/// Paths are their bytes, as the system has them.
impl CacheKey for Path {
    fn encode(&self, out: &mut Encoder) {
        out.raw(self.as_os_str().as_encoded_bytes());
    }
}

impl CacheKey for PathBuf {
    fn encode(&self, out: &mut Encoder) {
        self.as_path().encode(out);
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

impl CacheKey for Confirm {
    fn encode(&self, out: &mut Encoder) {
        out.nested_confirm(*self);
    }
}

impl<T: CacheKey> CacheKey for [T] {
    fn encode(&self, out: &mut Encoder) {
        T::encode_all(self, out);
    }
}

impl<T: CacheKey, const N: usize> CacheKey for [T; N] {
    fn encode(&self, out: &mut Encoder) {
        self.as_slice().encode(out);
    }
}

impl<T: CacheKey> CacheKey for Vec<T> {
    fn encode(&self, out: &mut Encoder) {
        self.as_slice().encode(out);
    }
}

impl<T: CacheKey> CacheKey for BTreeSet<T> {
    fn encode(&self, out: &mut Encoder) {
        out.sequence(self.len());
        for value in self {
            value.encode(out);
        }
    }
}

impl<T: CacheKey, E: CacheKey> CacheKey for Result<T, E> {
    fn encode(&self, out: &mut Encoder) {
        match self {
            Ok(value) => {
                out.variant(0);
                value.encode(out);
            }
            Err(error) => {
                out.variant(1);
                error.encode(out);
            }
        }
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

/// The fields of a tuple, one after the other.
macro_rules! tuple_keys {
    ($($($name:ident)+;)*) => {$(
        impl<$($name: CacheKey),+> CacheKey for ($($name,)+) {
            #[expect(non_snake_case, reason = "each field is called what its type is called")]
            fn encode(&self, out: &mut Encoder) {
                let ($($name,)+) = self;
                $($name.encode(out);)+
            }
        }
    )*};
}
tuple_keys! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
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
