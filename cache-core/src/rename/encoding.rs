//! What begins the canonical bytes that digests of terms and questions are taken of.

use crate::digest::Encoder;

/// An atom: its attributes follow. None of these numbers may ever change: digests reach disks.
pub(super) const ATOM: u32 = 0;
const NODE: u32 = 1;
/// An index map that is hashed on its own: positions follow.
pub(super) const MAP: u32 = 2;
/// A query: the expression and its constraints follow.
pub(super) const QUERY: u32 = 3;

/// Begins an inner node; its children's digests follow. The label is written with its length, so that no
/// label can pass for a label and a child.
pub(super) fn write_head(label: &[u8], children: usize, out: &mut Encoder) {
    out.variant(NODE);
    out.raw(label);
    out.sequence(children);
}
