//! What a range of an object holds, copied to another one: bytes, pieces, and columns that lie in it as a whole.

use std::collections::BTreeSet;

use super::{AsExpression, Contents, at, bits, value_of};
use crate::expr::Arena;
use crate::memory::Value;
use crate::memory::columns::Column;

/// What a range holds, with offsets from its start.
#[derive(Debug, Default)]
pub(in crate::memory) struct Taken {
    bytes: Vec<u8>,
    pieces: Vec<(u64, u32, Value)>,
    columns: Vec<Column>,
}

impl Contents {
    /// Where values begin and end inside a range, from its start.
    pub(in crate::memory) fn cuts(&self, offset: u64, length: u64, cuts: &mut BTreeSet<u64>) {
        let mut cut = |place: u64, bytes: u32| {
            for place in [place, place + u64::from(bytes)] {
                if place > offset && place < offset + length {
                    cuts.insert(place - offset);
                }
            }
        };
        for (place, piece) in Self::touching(&self.pieces, offset, length) {
            cut(place, piece.bytes);
        }
        for Column { places, .. } in &self.columns {
            for number in places.touched(offset, length) {
                cut(places.place(number), places.width);
            }
        }
    }

    /// What a range holds.
    pub(in crate::memory) fn take(
        &self,
        arena: &mut Arena,
        offset: u64,
        length: u64,
        as_expression: &mut AsExpression<'_>,
    ) -> Taken {
        let bytes = self.bytes.get(at(offset)..at(offset + length)).map(<[u8]>::to_vec);
        let mut taken = Taken { bytes: bytes.unwrap_or_else(|| vec![0; at(length)]), ..Taken::default() };
        let end = offset + length;
        let inner = |place: u64, bytes: u32| (place.max(offset), (place + u64::from(bytes)).min(end));
        for (start, piece) in Self::touching(&self.pieces, offset, length) {
            let (from, to) = inner(start, piece.bytes);
            let value = if to - from == u64::from(piece.bytes) {
                piece.value
            } else {
                let whole = as_expression(arena, piece.value, piece.bytes * 8);
                Value::Expr(arena.extract(whole, bits(from - start), bits(to - from)))
            };
            taken.pieces.push((from - offset, bits(to - from) / 8, value));
        }
        for column in &self.columns {
            let touched = column.places.touched(offset, length);
            let last = column.places.place(column.places.count - 1) + u64::from(column.places.width);
            if column.places.start >= offset && last <= end {
                let mut column = *column;
                column.places.start -= offset;
                taken.columns.push(column);
                continue;
            }
            for number in touched {
                let place = column.places.place(number);
                let (from, to) = inner(place, column.places.width);
                let element = column.element(arena, number);
                let part = arena.extract(element, bits(from - place), bits(to - from));
                taken.pieces.push((from - offset, bits(to - from) / 8, value_of(arena, part)));
            }
        }
        taken
    }

    /// Writes what another range held.
    pub(in crate::memory) fn put(
        &mut self,
        arena: &mut Arena,
        offset: u64,
        taken: &Taken,
        as_expression: &mut AsExpression<'_>,
    ) {
        self.write_bytes(arena, offset, &taken.bytes, as_expression);
        for (place, count, value) in &taken.pieces {
            self.write(arena, offset + place, *count, *value, as_expression);
        }
        for column in &taken.columns {
            let mut column = *column;
            column.places.start += offset;
            if self.is_apart(column.places) {
                self.put_column(column);
                continue;
            }
            for number in 0..column.places.count {
                let value = Value::Expr(column.element(arena, number));
                let place = column.places.place(number);
                self.write(arena, place, column.places.width, value, as_expression);
            }
        }
    }
}
