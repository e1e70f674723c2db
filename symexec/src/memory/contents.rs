//! What an object holds.
//!
//! Bytes that are known are bytes. Values that are not (expressions, and pointers whose number does not
//! matter) are pieces above them, each as it was written, so that what is read as it was written is
//! found as it was. After a write at an unknown place, the object is an array expression of elements
//! of one width.

use std::collections::BTreeMap;

use super::Value;
use crate::expr::{Arena, ExprId, Scaled};

/// The contents of an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Contents {
    /// Known bytes, with pieces above them.
    Bytes {
        /// The bytes; those under a piece mean nothing.
        bytes: Vec<u8>,
        /// Pieces by offset, disjoint.
        pieces: BTreeMap<u64, Piece>,
    },
    /// An array of elements that cover the object.
    Array {
        /// Bytes per element.
        width: u32,
        /// The array.
        array: ExprId,
        /// Bytes of the object.
        size: u64,
    },
}

/// A value of whole bytes that is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    bytes: u32,
    value: Value,
}

/// A piece with its place: offset, length in bytes, value.
pub(super) type PlacedPiece = (u64, u32, Value);

/// Turns a value of a width into an expression.
pub(super) type AsExpression<'a> = dyn FnMut(&mut Arena, Value, u32) -> ExprId + 'a;

fn at(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

impl Contents {
    /// So many zeros.
    #[must_use]
    pub fn zeros(size: usize) -> Self {
        Self::Bytes { bytes: vec![0; size], pieces: BTreeMap::new() }
    }

    /// The pieces that share a byte with a range.
    fn touching(
        pieces: &BTreeMap<u64, Piece>,
        offset: u64,
        length: u64,
    ) -> impl DoubleEndedIterator<Item = (u64, Piece)> + '_ {
        // Pieces are disjoint, so only the last one that begins before the range may reach into it.
        let before = pieces
            .range(..offset)
            .next_back()
            .filter(|(start, piece)| *start + u64::from(piece.bytes) > offset);
        let start = before.map_or(offset, |(start, _)| *start);
        pieces.range(start..offset + length).map(|(start, piece)| (*start, *piece))
    }

    /// A value that can be read without an expression being made.
    #[must_use]
    pub fn read_whole(&self, offset: u64, count: u32) -> Option<Value> {
        let Self::Bytes { bytes, pieces } = self else { return None };
        if !pieces.is_empty() {
            if let Some(piece) = pieces.get(&offset)
                && piece.bytes == count
            {
                return Some(piece.value);
            }
            if Self::touching(pieces, offset, count.into()).next().is_some() {
                return None;
            }
        }
        if count > 8 {
            return None;
        }
        let found = bytes.get(at(offset)..at(offset) + count as usize)?;
        let mut value = [0; 8];
        value[..found.len()].copy_from_slice(found);
        Some(Value::Bits(u64::from_le_bytes(value)))
    }

    /// Reads at a known offset.
    pub fn read(
        &self,
        arena: &mut Arena,
        offset: u64,
        count: u32,
        as_expression: &mut AsExpression<'_>,
    ) -> Value {
        if let Some(value) = self.read_whole(offset, count) {
            return value;
        }
        let mut whole = None;
        let mut place = 0;
        while place < count {
            let (part, length) = self.part(arena, offset + u64::from(place), count - place, as_expression);
            whole = Some(match whole {
                None => part,
                Some(low) => arena.concat(part, low),
            });
            place += length;
        }
        let whole = whole.unwrap_or_else(|| arena.constant(8, 0));
        match arena.as_u64(whole) {
            Some(bits) => Value::Bits(bits),
            None => Value::Expr(whole),
        }
    }

    /// The longest part from an offset on that comes from one source, and how many bytes it has.
    fn part(
        &self,
        arena: &mut Arena,
        offset: u64,
        most: u32,
        as_expression: &mut AsExpression<'_>,
    ) -> (ExprId, u32) {
        match self {
            Self::Bytes { bytes, pieces } => {
                if let Some((start, piece)) = Self::touching(pieces, offset, 1).next() {
                    let inside = u32::try_from(offset - start).unwrap_or(0);
                    let length = (piece.bytes - inside).min(most);
                    let value = as_expression(arena, piece.value, piece.bytes * 8);
                    return (arena.extract(value, inside * 8, length * 8), length);
                }
                let byte = bytes.get(at(offset)).copied().unwrap_or(0);
                (arena.constant(8, byte.into()), 1)
            }
            Self::Array { width, array, .. } => {
                let inside = u32::try_from(offset % u64::from(*width)).unwrap_or(0);
                let length = (width - inside).min(most);
                let index = arena.constant(64, offset / u64::from(*width));
                let element = arena.read(*array, index);
                (arena.extract(element, inside * 8, length * 8), length)
            }
        }
    }

    /// The values at `constant + stride * i` for all `i` for which they lie inside, as an array.
    pub fn gather(
        &self,
        arena: &mut Arena,
        constant: u64,
        stride: u64,
        width: u32,
        as_expression: &mut AsExpression<'_>,
    ) -> ExprId {
        let size = self.size();
        let mut elements = Vec::new();
        let mut offset = constant;
        while offset + u64::from(width) <= size {
            let value = self.read(arena, offset, width, as_expression);
            elements.push(as_expression(arena, value, width * 8));
            offset += stride;
        }
        if elements.is_empty() {
            elements.push(arena.constant(width * 8, 0));
        }
        arena.literal_array(&elements)
    }

    /// How many bytes it holds.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Bytes { bytes, .. } => bytes.len() as u64,
            Self::Array { size, .. } => *size,
        }
    }

    /// Makes the contents an array of elements of `width` bytes, which divides the size.
    fn become_array(
        &mut self,
        arena: &mut Arena,
        width: u32,
        as_expression: &mut AsExpression<'_>,
    ) -> ExprId {
        if let Self::Array { width: now, array, .. } = self
            && *now == width
        {
            return *array;
        }
        let size = self.size();
        let array = self.gather(arena, 0, u64::from(width), width, as_expression);
        *self = Self::Array { width, array, size };
        array
    }

    /// The element width for an access, and the access's index in elements: the access's own width if
    /// all places that it may reach are multiples of it, single bytes otherwise.
    fn elements(&self, arena: &mut Arena, scaled: Scaled, offset: ExprId, bytes: u32) -> (u32, ExprId) {
        let width = u64::from(bytes);
        let fits =
            [scaled.stride, scaled.constant, self.size()].iter().all(|number| number.is_multiple_of(width));
        let same = match self {
            Self::Array { width, .. } => *width == bytes,
            Self::Bytes { .. } => true,
        };
        if !fits || !same {
            return (1, offset);
        }
        let factor = arena.constant(64, scaled.stride / width);
        let index = arena.binary(crate::base::bits::BinaryOp::Mul, factor, scaled.index);
        let first = arena.constant(64, scaled.constant / width);
        (bytes, arena.binary(crate::base::bits::BinaryOp::Add, first, index))
    }

    /// Reads at an unknown offset. May turn the contents into an array of other elements.
    pub fn read_at(
        &mut self,
        arena: &mut Arena,
        scaled: Scaled,
        offset: ExprId,
        bytes: u32,
        as_expression: &mut AsExpression<'_>,
    ) -> ExprId {
        let (width, index) = self.elements(arena, scaled, offset, bytes);
        let array = self.become_array(arena, width, as_expression);
        if width == bytes {
            return arena.read(array, index);
        }
        let mut whole = arena.read(array, index);
        for place in 1..bytes {
            let step = arena.constant(64, place.into());
            let here = arena.binary(crate::base::bits::BinaryOp::Add, step, index);
            let byte = arena.read(array, here);
            whole = arena.concat(byte, whole);
        }
        whole
    }

    /// Writes at an unknown offset. Turns the contents into an array.
    pub fn write_at(
        &mut self,
        arena: &mut Arena,
        scaled: Scaled,
        offset: ExprId,
        bytes: u32,
        value: Value,
        as_expression: &mut AsExpression<'_>,
    ) {
        let size = self.size();
        let (width, index) = self.elements(arena, scaled, offset, bytes);
        let mut array = self.become_array(arena, width, as_expression);
        let value = as_expression(arena, value, bytes * 8);
        if width == bytes {
            array = arena.store(array, index, value);
        } else {
            for place in 0..bytes {
                let step = arena.constant(64, place.into());
                let here = arena.binary(crate::base::bits::BinaryOp::Add, step, index);
                let byte = arena.extract(value, place * 8, 8);
                array = arena.store(array, here, byte);
            }
        }
        *self = Self::Array { width, array, size };
    }

    /// Whether a write makes expressions: into an array, or over a part of a piece.
    #[must_use]
    pub fn wants_expressions(&self, offset: u64, count: u32) -> bool {
        match self {
            Self::Array { .. } => true,
            Self::Bytes { pieces, .. } => {
                Self::touching(pieces, offset, count.into()).any(|(start, piece)| {
                    start < offset || start + u64::from(piece.bytes) > offset + u64::from(count)
                })
            }
        }
    }

    /// Writes where [`Self::wants_expressions`] says no.
    pub fn write_whole(&mut self, offset: u64, count: u32, value: Value) {
        let Self::Bytes { bytes, pieces } = self else { return };
        if !pieces.is_empty() {
            let covered: Vec<u64> =
                Self::touching(pieces, offset, count.into()).map(|(start, _)| start).collect();
            for start in covered {
                pieces.remove(&start);
            }
        }
        match value {
            Value::Bits(bits) if count <= 8 => {
                if let Some(place) = bytes.get_mut(at(offset)..at(offset) + count as usize) {
                    place.copy_from_slice(&bits.to_le_bytes()[..count as usize]);
                }
            }
            value => {
                pieces.insert(offset, Piece { bytes: count, value });
            }
        }
    }

    /// Writes at a known offset.
    pub fn write(
        &mut self,
        arena: &mut Arena,
        offset: u64,
        count: u32,
        value: Value,
        as_expression: &mut AsExpression<'_>,
    ) {
        if !self.wants_expressions(offset, count) {
            self.write_whole(offset, count, value);
            return;
        }
        if let Self::Array { width, array, .. } = self {
            let aligned = *width == count && offset.is_multiple_of(u64::from(count));
            let value = as_expression(arena, value, count * 8);
            if aligned {
                let index = arena.constant(64, offset / u64::from(count));
                *array = arena.store(*array, index, value);
                return;
            }
            let mut array = self.become_array(arena, 1, as_expression);
            for place in 0..count {
                let index = arena.constant(64, offset + u64::from(place));
                let byte = arena.extract(value, place * 8, 8);
                array = arena.store(array, index, byte);
            }
            let size = self.size();
            *self = Self::Array { width: 1, array, size };
            return;
        }
        // Pieces that are covered in part become single bytes.
        if let Self::Bytes { pieces, .. } = self {
            let cut: Vec<(u64, Piece)> = Self::touching(pieces, offset, count.into()).collect();
            for (start, piece) in cut {
                pieces.remove(&start);
                let whole = as_expression(arena, piece.value, piece.bytes * 8);
                for place in 0..piece.bytes {
                    let byte = arena.extract(whole, place * 8, 8);
                    pieces.insert(start + u64::from(place), Piece { bytes: 1, value: Value::Expr(byte) });
                }
            }
        }
        self.write_whole(offset, count, value);
    }

    /// Writes known bytes, if no piece is cut; says whether it did.
    pub fn write_bytes(&mut self, offset: u64, new: &[u8]) -> bool {
        let count = u32::try_from(new.len()).unwrap_or(u32::MAX);
        if self.wants_expressions(offset, count) {
            return false;
        }
        let Self::Bytes { bytes, pieces } = self else { return false };
        let covered: Vec<u64> =
            Self::touching(pieces, offset, count.into()).map(|(start, _)| start).collect();
        for start in covered {
            pieces.remove(&start);
        }
        if let Some(place) = bytes.get_mut(at(offset)..at(offset) + new.len()) {
            place.copy_from_slice(new);
        }
        true
    }

    /// In which units a range is copied: elements of an array, if it consists of whole ones.
    #[must_use]
    pub fn unit(&self, offset: u64, length: u64) -> u32 {
        match self {
            Self::Array { width, .. }
                if offset.is_multiple_of(u64::from(*width)) && length.is_multiple_of(u64::from(*width)) =>
            {
                *width
            }
            _ => 1,
        }
    }

    /// The bytes of a range and the pieces in it; `None` if a piece is cut.
    #[must_use]
    pub fn slice(&self, offset: u64, length: u64) -> Option<(&[u8], Vec<PlacedPiece>)> {
        let count = u32::try_from(length).ok()?;
        if self.wants_expressions(offset, count) {
            return None;
        }
        let Self::Bytes { bytes, pieces } = self else { return None };
        let found = bytes.get(at(offset)..at(offset.checked_add(length)?))?;
        let pieces =
            Self::touching(pieces, offset, length).map(|(start, piece)| (start, piece.bytes, piece.value));
        Some((found, pieces.collect()))
    }
}
