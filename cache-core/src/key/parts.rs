//! The parts of a key as bytes, one after the other: kind, name, value.
//!
//! | bytes | what |
//! | --- | --- |
//! | 1 | the kind |
//! | 1 or more | length of the name, seven bits a byte, the lowest first, the eighth bit set but in the last |
//! | | the name |
//! | 1 | length of the value's canonical bytes if they are at most [`SHORT`], else [`LONG`] |
//! | | the value's canonical bytes, or both their digests |
//!
//! Each piece says how long it is before it comes, so no two lists of parts write the same bytes, and the parts can be
//! read from them again. A digest of a short value would be as long as the value, and is not free.

use super::{CacheKey, Part, PartKind};
use crate::digest::{Confirm, Digest, Encoder};

/// Values of at most so many canonical bytes, a checksum among them, are written as they are.
const SHORT: usize = 64;

/// In the place of the length of a value that is longer.
const LONG: u8 = 0xff;

/// Appends a part.
#[inline]
pub(super) fn write<T: CacheKey + ?Sized>(kind: PartKind, name: &str, value: &T, out: &mut Encoder) {
    let number = match kind {
        PartKind::Schema => 0,
        PartKind::Engine => 1,
        PartKind::Option => 2,
        PartKind::Content => 3,
        PartKind::Dependency => 4,
    };
    let bytes = out.bytes_mut();
    bytes.push(number);
    let mut length = name.len();
    while length >= 0x80 {
        bytes.push(length.to_le_bytes()[0] | 0x80);
        length >>= 7;
    }
    bytes.push(length.to_le_bytes()[0]);
    bytes.extend_from_slice(name.as_bytes());
    let at = bytes.len();
    bytes.push(LONG);
    value.encode(out);
    let bytes = out.bytes_mut();
    match u8::try_from(bytes.len() - at - 1) {
        Ok(length) if usize::from(length) <= SHORT => bytes[at] = length,
        _ => shorten(bytes, at + 1),
    }
}

/// Puts both digests in the place of a long value, which begins at `from`.
#[cold]
fn shorten(bytes: &mut Vec<u8>, from: usize) {
    let (digest, confirm) = (Digest::of(&bytes[from..]), Confirm::of(&bytes[from..]));
    bytes.truncate(from);
    // A key must not hold on to the memory that its content took.
    bytes.shrink_to(256);
    bytes.extend_from_slice(&digest.to_bytes());
    bytes.extend_from_slice(&confirm.to_bytes());
}

/// The parts that were written.
pub(super) fn in_bytes(bytes: &[u8]) -> impl Iterator<Item = Part> {
    let mut left = bytes;
    // What was not written by `write` ends the parts.
    std::iter::from_fn(move || next(&mut left))
}

fn next(left: &mut &[u8]) -> Option<Part> {
    let kind = match take(left, 1)?[0] {
        0 => PartKind::Schema,
        1 => PartKind::Engine,
        2 => PartKind::Option,
        3 => PartKind::Content,
        4 => PartKind::Dependency,
        _ => return None,
    };
    let (mut length, mut shift) = (0_usize, 0);
    loop {
        let byte = take(left, 1)?[0];
        length |= usize::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    let name = String::from_utf8_lossy(take(left, length)?).into_owned();
    let digest = match take(left, 1)?[0] {
        LONG => {
            let digest = Digest::from_bytes(*take(left, 16)?.first_chunk()?);
            take(left, 32)?;
            digest
        }
        length => Digest::of(take(left, usize::from(length))?),
    };
    Some(Part { kind, name, digest })
}

fn take<'a>(left: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    left.split_off(..count)
}
