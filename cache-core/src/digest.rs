//! Digests: what two equal things share.
//!
//! A [`Digest`] (128 bits, xxh3) is quick and names things inside a run. A [`Confirm`] (256 bits,
//! BLAKE3) is collision resistant; whatever meets the disk is confirmed by one.
//!
//! Both are taken of *canonical bytes*, which an [`Encoder`] writes: every value carries a tag of its
//! type and, where its length varies, its length. Two different sequences of values therefore never
//! write the same bytes: `("ab", "c")` and `("a", "bc")` differ, and so do `[1, 2]` and `[2, 1]`.
//! Nothing is ever summed or combined by exclusive or, so nothing cancels out.
//!
//! ```
//! use cache_core::digest::Encoder;
//!
//! let digest = |texts: &[&str]| {
//!     let mut encoder = Encoder::new();
//!     texts.iter().for_each(|text| encoder.text(text));
//!     encoder.digest()
//! };
//! assert_eq!(digest(&["ab", "c"]), digest(&["ab", "c"]));
//! assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

/// A 128-bit digest, for look-up inside a run. Not collision resistant against an adversary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Digest(u128);

impl Digest {
    /// The digest of canonical bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxhash_rust::xxh3::xxh3_128(bytes))
    }

    /// The digest as 16 little-endian bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// The digest that [`Digest::to_bytes`] wrote.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }

    /// The low 64 bits, for tables that choose a slot.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the low half is what is asked for")]
    pub fn low(self) -> u64 {
        self.0 as u64
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({:032x})", self.0)
    }
}

/// A 256-bit collision-resistant digest that confirms a hit on disk. Without the feature `confirm` all of them are
/// zero: nothing that is kept can be built then, and who makes keys alone does without BLAKE3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Confirm([u8; 32]);

impl Confirm {
    /// The confirming digest of canonical bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        #[cfg(feature = "confirm")]
        return Self(*blake3::hash(bytes).as_bytes());
        #[cfg(not(feature = "confirm"))]
        {
            let _ = bytes;
            Self([0; 32])
        }
    }

    /// The digest as 32 bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 32] {
        self.0
    }

    /// The digest that [`Confirm::to_bytes`] wrote.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Confirm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Confirm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Confirm({self})")
    }
}

/// Tags that keep values of different types apart in canonical bytes. Never renumber: it changes every key.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Tag {
    False = 0,
    True = 1,
    Unsigned = 2,
    Signed = 3,
    Wide = 4,
    Text = 5,
    Bytes = 6,
    Digest = 7,
    Confirm = 8,
    Sequence = 9,
    None = 10,
    Some = 11,
    Variant = 12,
    Parameter = 13,
}

/// Writes values as canonical bytes: typed, length-prefixed, ordered, all integers little-endian.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    /// An encoder with nothing written.
    #[must_use]
    pub fn new() -> Self {
        // Room for what is mostly written, so that it is found once.
        Self { bytes: Vec::with_capacity(192) }
    }

    /// Forgets what was written and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// What was written.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What was written, without the encoder.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// What was written, to write what is no value.
    pub(crate) fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// The 128-bit digest of what was written.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }

    /// The 256-bit digest of what was written.
    #[must_use]
    pub fn confirm(&self) -> Confirm {
        Confirm::of(&self.bytes)
    }

    #[inline]
    fn tag(&mut self, tag: Tag) {
        self.bytes.push(tag as u8);
    }

    /// Writes a tag with what has a fixed length, at once: there are many of these, and room is made for each.
    #[inline]
    fn tagged<const N: usize, const M: usize>(&mut self, tag: Tag, value: [u8; N]) {
        const { assert!(M == N + 1) };
        let mut bytes = [tag as u8; M];
        bytes[1..].copy_from_slice(&value);
        self.bytes.extend_from_slice(&bytes);
    }

    #[inline]
    fn tagged_length(&mut self, tag: Tag, length: usize) {
        self.tagged::<8, 9>(tag, (length as u64).to_le_bytes());
    }

    /// Writes a truth value.
    #[inline]
    pub fn bool(&mut self, value: bool) {
        self.tag(if value { Tag::True } else { Tag::False });
    }

    /// Writes an unsigned integer.
    #[inline]
    pub fn u64(&mut self, value: u64) {
        self.tagged::<8, 9>(Tag::Unsigned, value.to_le_bytes());
    }

    /// Writes a signed integer.
    #[inline]
    pub fn i64(&mut self, value: i64) {
        self.tagged::<8, 9>(Tag::Signed, value.to_le_bytes());
    }

    /// Writes a 128-bit unsigned integer.
    pub fn u128(&mut self, value: u128) {
        self.tag(Tag::Wide);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Writes text.
    #[inline]
    pub fn text(&mut self, value: &str) {
        self.tagged_length(Tag::Text, value.len());
        self.bytes.extend_from_slice(value.as_bytes());
    }

    /// Writes bytes.
    pub fn raw(&mut self, value: &[u8]) {
        self.tagged_length(Tag::Bytes, value.len());
        self.bytes.extend_from_slice(value);
    }

    /// Writes the digest of something encoded elsewhere.
    pub fn nested(&mut self, value: Digest) {
        self.tag(Tag::Digest);
        self.bytes.extend_from_slice(&value.to_bytes());
    }

    /// Writes the confirming digest of something encoded elsewhere.
    #[inline]
    pub fn nested_confirm(&mut self, value: Confirm) {
        self.tagged::<32, 33>(Tag::Confirm, value.to_bytes());
    }

    /// Writes the place of something that was taken out: which table keeps it, in which way it was taken out, and
    /// its number there.
    pub(crate) fn parameter(&mut self, table: u8, way: u8, number: u32) {
        self.tag(Tag::Parameter);
        self.bytes.extend_from_slice(&[table, way]);
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// Opens a sequence of `length` values, which the caller writes next.
    #[inline]
    pub fn sequence(&mut self, length: usize) {
        self.tagged_length(Tag::Sequence, length);
    }

    /// Writes that an optional value is absent.
    #[inline]
    pub fn none(&mut self) {
        self.tag(Tag::None);
    }

    /// Writes that an optional value is present; the caller writes it next.
    #[inline]
    pub fn some(&mut self) {
        self.tag(Tag::Some);
    }

    /// Writes which variant of an enum follows. Numbers are chosen by hand, so that reordering the
    /// enum changes no key.
    #[inline]
    pub fn variant(&mut self, number: u32) {
        self.tagged::<4, 5>(Tag::Variant, number.to_le_bytes());
    }
}
