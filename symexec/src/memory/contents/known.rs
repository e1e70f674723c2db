//! Accesses that make no expression: of known bytes, and of values that are read and replaced as they were written.

use super::{Contents, Piece, at};
use crate::memory::Value;

impl Contents {
    /// A value that can be read without an expression being made.
    #[must_use]
    pub fn read_whole(&self, offset: u64, count: u32) -> Option<Value> {
        self.read_number(offset, count).map(Value::Bits).or_else(|| self.read_piece(offset, count))
    }

    /// A number, where all is known.
    #[must_use]
    #[inline(always)]
    pub fn read_number(&self, offset: u64, count: u32) -> Option<u64> {
        if self.is_known() { self.read_bytes(offset, count) } else { None }
    }

    /// Whether nothing lies above the known bytes.
    #[inline]
    fn is_known(&self) -> bool {
        self.pieces.is_empty() && self.columns.is_empty()
    }

    /// A value beside or among such as are not known.
    #[must_use]
    #[inline(never)]
    pub fn read_piece(&self, offset: u64, count: u32) -> Option<Value> {
        if let Some(piece) = self.pieces.get(offset)
            && piece.bytes == count
        {
            return Some(piece.value);
        }
        if self.is_touched(offset, count) { None } else { self.read_bytes(offset, count).map(Value::Bits) }
    }

    /// Whether a value that is not known shares a byte with a range.
    fn is_touched(&self, offset: u64, count: u32) -> bool {
        self.in_column(offset, count.into()) || self.pieces.touch(offset, offset + u64::from(count))
    }

    /// A number whose bytes are known. Those of usual sizes are read at once.
    #[inline(always)]
    fn read_bytes(&self, offset: u64, count: u32) -> Option<u64> {
        let bytes = self.bytes.get(at(offset)..)?;
        Some(match count {
            1 => (*bytes.first()?).into(),
            4 => u32::from_le_bytes(*bytes.first_chunk()?).into(),
            8 => u64::from_le_bytes(*bytes.first_chunk()?),
            0..8 => {
                let mut value = [0; 8];
                let found = bytes.get(..count as usize)?;
                value[..found.len()].copy_from_slice(found);
                u64::from_le_bytes(value)
            }
            _ => return None,
        })
    }

    /// Writes a number where no value lies that is not known; whether it has its bytes there.
    #[inline]
    fn write_number(&mut self, offset: u64, count: u32, number: u64) -> bool {
        self.gathered.get_mut().clear();
        let Some(bytes) = self.bytes.get_mut(at(offset)..) else { return false };
        let number = number.to_le_bytes();
        match count {
            1 => bytes.first_chunk_mut().map(|place| *place = [number[0]]).is_some(),
            4 => bytes
                .first_chunk_mut()
                .map(|place| *place = [number[0], number[1], number[2], number[3]])
                .is_some(),
            8 => bytes.first_chunk_mut().map(|place| *place = number).is_some(),
            0..8 => match bytes.get_mut(..count as usize) {
                Some(place) => {
                    place.copy_from_slice(&number[..count as usize]);
                    true
                }
                None => false,
            },
            _ => false,
        }
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
    #[inline]
    pub fn write_known(&mut self, offset: u64, count: u32, value: Value) -> bool {
        if let Value::Bits(number) = value
            && self.is_known()
            && self.write_number(offset, count, number)
        {
            return true;
        }
        self.write_piece(offset, count, value)
    }

    fn write_piece(&mut self, offset: u64, count: u32, value: Value) -> bool {
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
        if let Value::Bits(number) = value
            && !self.is_touched(offset, count)
            && self.write_number(offset, count, number)
        {
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
        if !self.pieces.touch(offset, offset + u64::from(count)) {
            return;
        }
        let covered: Vec<u64> =
            Self::touching(&self.pieces, offset, count.into()).map(|(start, _)| start).collect();
        for start in covered {
            self.pieces.remove(start);
        }
    }
}
