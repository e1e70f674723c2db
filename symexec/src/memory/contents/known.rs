//! Accesses that make no expression: of known bytes, and of values that are read and replaced as they were written.

use super::{Contents, Piece, at};
use crate::memory::Value;

impl Contents {
    /// A value that can be read without an expression being made.
    #[must_use]
    pub fn read_whole(&self, offset: u64, count: u32) -> Option<Value> {
        if !self.pieces.is_empty() {
            if let Some(piece) = self.pieces.get(offset)
                && piece.bytes == count
            {
                return Some(piece.value);
            }
            if Self::touching(&self.pieces, offset, count.into()).next().is_some() {
                return None;
            }
        }
        if count > 8 || self.in_column(offset, count.into()) {
            return None;
        }
        let found = self.bytes.get(at(offset)..at(offset) + count as usize)?;
        let mut value = [0; 8];
        value[..found.len()].copy_from_slice(found);
        Some(Value::Bits(u64::from_le_bytes(value)))
    }

    /// Whether a write makes expressions: into a column, or over a part of a piece.
    #[must_use]
    pub fn wants_expressions(&self, offset: u64, count: u32) -> bool {
        let end = offset + u64::from(count);
        self.in_column(offset, count.into())
            || Self::touching(&self.pieces, offset, count.into())
                .any(|(start, piece)| start < offset || start + u64::from(piece.bytes) > end)
    }

    /// Writes where that makes no expression, and says whether it did.
    pub fn write_known(&mut self, offset: u64, count: u32, value: Value) -> bool {
        // A variable that holds one value after the other: what shares no byte with the old one shares none with
        // the new one.
        if let Some(piece) = self.pieces.get_mut(offset)
            && piece.bytes == count
            && !matches!(value, Value::Bits(_))
        {
            piece.value = value;
            self.gathered.get_mut().clear();
            return true;
        }
        if self.wants_expressions(offset, count) {
            return false;
        }
        self.write_whole(offset, count, value);
        true
    }

    /// Writes known bytes where no expression is made, and says whether it did.
    pub fn write_known_bytes(&mut self, offset: u64, new: &[u8]) -> bool {
        if self.wants_expressions(offset, u32::try_from(new.len()).unwrap_or(u32::MAX)) {
            return false;
        }
        self.write_whole_bytes(offset, new);
        true
    }

    /// Writes where [`Self::wants_expressions`] says no.
    pub(super) fn write_whole(&mut self, offset: u64, count: u32, value: Value) {
        match value {
            Value::Bits(bits) if count <= 8 => {
                self.write_whole_bytes(offset, &bits.to_le_bytes()[..count as usize]);
            }
            value => {
                self.uncover(offset, count);
                self.pieces.insert(offset, Piece { bytes: count, value });
            }
        }
    }

    /// Writes known bytes where [`Self::wants_expressions`] says no.
    fn write_whole_bytes(&mut self, offset: u64, new: &[u8]) {
        self.uncover(offset, u32::try_from(new.len()).unwrap_or(u32::MAX));
        if let Some(place) = self.bytes.get_mut(at(offset)..at(offset) + new.len()) {
            place.copy_from_slice(new);
        }
    }

    /// Takes away the pieces that lie in a range.
    fn uncover(&mut self, offset: u64, count: u32) {
        self.gathered.get_mut().clear();
        if self.pieces.is_empty() {
            return;
        }
        let covered: Vec<u64> =
            Self::touching(&self.pieces, offset, count.into()).map(|(start, _)| start).collect();
        for start in covered {
            self.pieces.remove(start);
        }
    }
}
