//! Payloads: values as bytes, and back.
//!
//! The only place in the project that knows which encoding is used, so that it can be replaced: what
//! [`encode`] writes begins with [`FORMAT`], and [`decode`] refuses any other.
//!
//! # What the bytes promise, and what they do not
//! The encoding is compact and self-delimiting, and it is neither canonical nor protected: an altered
//! byte may decode to another value. So it never makes a key (those are made of
//! [`crate::digest::Encoder`]'s canonical bytes), and it is stored and sent only inside frames that
//! carry their own check ([`crate::store`], [`crate::worker`]).
//!
//! The meaning of a payload is its type, which the reader must know: a change of a type that is stored
//! is a change of the *schema* part of its key, so that old payloads are never asked for.
//!
//! # Forged input
//! A length inside the bytes may claim anything. Decoding gives up once the claims exceed what input of
//! that size could honestly hold, before memory is set aside for them. Recursive types (`Box<Self>`) are
//! followed [`MAX_DEPTH`] levels down in both directions and refused beyond. One thing is left to the types:
//! no sequence of zero-sized elements may be decoded, since their count costs no input bytes.
//!
//! # What it cannot carry
//! The bytes name neither fields nor types, so what serde decides by looking at the input is lost. Of serde's
//! attributes `flatten`, `untagged`, `tag` and `content` are errors (the first when encoding, the others when
//! decoding), and `skip_serializing_if`, `skip_serializing`, `skip_deserializing` and a `serialize_with` without
//! its counterpart may come back as another value. [`crate::cache`] therefore looks at what it stores once more.

mod depth;

use serde::Serialize;
use serde::de::DeserializeOwned;

use depth::Bounded;

/// How many levels of nesting are encoded and decoded: elements, fields, options, newtypes and variants count
/// one each.
pub const MAX_DEPTH: usize = depth::MAX_DEPTH;

/// Number of the encoding, the first byte of everything encoded. Raised when the encoding changes.
pub const FORMAT: u8 = 1;

/// Longest encoding in bytes that is written or read.
pub const MAX_BYTES: usize = 256 << 20;

/// No encoded value claims more memory than this many times its encoded length: the widest scalar is
/// 16 bytes in memory and at least one byte encoded.
const EXPANSION: usize = 16;

/// Why a value could not be turned into bytes or back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CodecError {
    /// The type asks for something the encoding does not offer (a length that is not known in advance), or the
    /// value is nested more deeply than [`MAX_DEPTH`].
    #[error("value cannot be encoded: {0}")]
    Unsupported(String),
    /// The encoding is longer than [`MAX_BYTES`].
    #[error("encoded value has {length} bytes, more than the {MAX_BYTES} that are read back")]
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// The bytes were written by another version of the encoding.
    #[error("encoded value has format {found}, this program reads format {FORMAT}")]
    ForeignVersion {
        /// The format number that was found.
        found: u8,
    },
    /// The bytes are not an encoding of such a value.
    #[error("encoded value is damaged: {0}")]
    Damaged(String),
}

/// The value as bytes.
///
/// ```
/// use cache_core::codec;
/// let bytes = codec::encode(&("abs", 3_u64))?;
/// assert_eq!(codec::decode::<(String, u64)>(&bytes)?, ("abs".to_owned(), 3));
/// # Ok::<(), codec::CodecError>(())
/// ```
///
/// # Errors
/// [`CodecError::Unsupported`] for values whose serialization fails or needs to announce no length;
/// [`CodecError::TooLong`] for what could not be read back.
pub fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, CodecError> {
    let mut bytes = Vec::new();
    append(value, &mut bytes)?;
    Ok(bytes)
}

/// The value as bytes behind others. After an error `bytes` may hold a part of it.
///
/// # Errors
/// As [`encode`].
pub(crate) fn append<T: Serialize + ?Sized>(value: &T, bytes: &mut Vec<u8>) -> Result<(), CodecError> {
    let before = bytes.len();
    bytes.push(FORMAT);
    bincode::serde::encode_into_std_write(Bounded::new(value), bytes, bincode::config::standard())
        .map_err(|error| CodecError::Unsupported(error.to_string()))?;
    let length = bytes.len() - before;
    if length > MAX_BYTES { Err(CodecError::TooLong { length }) } else { Ok(()) }
}

/// The value that [`encode`] wrote. All bytes must belong to it.
///
/// # Errors
/// [`CodecError::ForeignVersion`] for another encoding, [`CodecError::Damaged`] for bytes that are no
/// encoding of a `T`, are followed by others, are nested more deeply than [`MAX_DEPTH`], or claim more memory
/// than such bytes can fill;
/// [`CodecError::TooLong`] for more than [`MAX_BYTES`].
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    match decode_start(bytes)? {
        (value, 0) => Ok(value),
        (_, left) => Err(CodecError::Damaged(format!("{left} bytes follow the value"))),
    }
}

/// A value at the start of what [`encode`] wrote, and how many bytes follow it. A sequence starts with its
/// length as a `u64`, a structure with its first field.
///
/// # Errors
/// As for [`decode`], but for bytes that follow.
pub(crate) fn decode_start<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, usize), CodecError> {
    let Some((&format, body)) = bytes.split_first() else {
        return Err(CodecError::Damaged("no bytes at all".to_owned()));
    };
    if format != FORMAT {
        return Err(CodecError::ForeignVersion { found: format });
    }
    if bytes.len() > MAX_BYTES {
        return Err(CodecError::TooLong { length: bytes.len() });
    }
    // The limit of claims is a constant of the configuration's type, hence this ladder.
    const SMALL: usize = 4 << 10;
    const MEDIUM: usize = 1 << 20;
    let config = bincode::config::standard();
    let decoded = if body.len() <= SMALL {
        bincode::serde::decode_from_slice(body, config.with_limit::<{ EXPANSION * SMALL }>())
    } else if body.len() <= MEDIUM {
        bincode::serde::decode_from_slice(body, config.with_limit::<{ EXPANSION * MEDIUM }>())
    } else {
        bincode::serde::decode_from_slice(body, config.with_limit::<{ EXPANSION * MAX_BYTES }>())
    };
    let (value, read): (Bounded<T>, usize) =
        decoded.map_err(|error| CodecError::Damaged(error.to_string()))?;
    Ok((value.into_inner(), body.len() - read))
}
