//! What an object holds.
//!
//! Bytes that are known are bytes. Values that are not (expressions, and pointers whose number does not
//! matter) are pieces above them, each as it was written, so that what is read as it was written is
//! found as it was. What was written at unknown places is columns (module `columns`): arrays of the values
//! that such a write may reach.

pub(super) mod joined;
mod known;
mod pieces;
mod taken;

use std::cell::RefCell;

use super::Value;
use super::columns::{Access, Column, Part, Progression};
use crate::expr::{Arena, Class, ExprId, Marks};
use pieces::Pieces;

/// So often columns are made single values again where an access does not agree with them; then the object becomes
/// one column of bytes, or each of two kinds of accesses would undo what the other one did.
const MOST_UNDONE: u8 = 3;

/// Columns with more elements than this in all are not made single values, but bytes.
const LARGEST_UNDONE: u64 = 1 << 10;

/// A column of more elements than this, of which an access may reach a quarter at most, is made for these alone.
const LARGE: u64 = 1 << 12;

/// The contents of an object.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    size: u64,
    /// The known bytes; those under a piece or a column mean nothing. None if a column covers all.
    bytes: Vec<u8>,
    /// Pieces by offset.
    pieces: Pieces,
    /// In the order in which they were made. No two pieces or columns share a byte.
    columns: Vec<Column>,
    undone: u8,
    /// Arrays without addresses that were gathered since the last write, by their places and how many zeros stand before them.
    gathered: RefCell<Vec<((Progression, u64), ExprId)>>,
    #[cfg(feature = "plant")]
    ignore_overlaps: bool,
}

/// A value of whole bytes that is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    bytes: u32,
    value: Value,
}

/// Turns a value of a width into an expression.
pub(super) type AsExpression<'a> = dyn FnMut(&mut Arena, Value, u32) -> ExprId + 'a;

fn at(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// An expression as a value.
fn value_of(arena: &Arena, id: ExprId) -> Value {
    arena.as_u64(id).map_or(Value::Expr(id), Value::Bits)
}

impl Contents {
    /// So many zeros.
    #[must_use]
    pub fn zeros(size: usize) -> Self {
        Self { size: size as u64, bytes: vec![0; size], ..Self::default() }
    }

    /// Tells the lie, or not, that columns do not see what is written over a part of their elements.
    #[cfg(feature = "plant")]
    pub fn ignore_overlaps(&mut self, ignore: bool) {
        self.ignore_overlaps = ignore;
    }

    /// Marks the expressions in it.
    pub(super) fn trace(&self, marks: &mut Marks) {
        self.gathered.borrow().iter().for_each(|(_, array)| marks.mark(*array));
        self.pieces.all().for_each(|piece| piece.value.trace(marks));
        self.columns.iter().for_each(|column| column.trace(marks));
    }

    /// How many bytes it holds.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Whether it was written at an unknown place.
    #[must_use]
    pub fn has_columns(&self) -> bool {
        !self.columns.is_empty()
    }

    /// The pieces that share a byte with a range.
    fn touching(pieces: &Pieces, offset: u64, length: u64) -> impl Iterator<Item = (u64, Piece)> + '_ {
        // Pieces are disjoint, so only the last one that begins before the range may reach into it.
        let before = pieces.before(offset).filter(|(start, piece)| start + u64::from(piece.bytes) > offset);
        let start = before.map_or(offset, |(start, _)| start);
        pieces.range(start, offset + length)
    }

    /// Whether a column shares a byte with a range.
    fn in_column(&self, offset: u64, length: u64) -> bool {
        self.columns.iter().any(|column| !column.places.touched(offset, length).is_empty())
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
        value_of(arena, whole)
    }

    /// The longest part from an offset on that comes from one source, and how many bytes it has.
    fn part(
        &self,
        arena: &mut Arena,
        offset: u64,
        most: u32,
        as_expression: &mut AsExpression<'_>,
    ) -> (ExprId, u32) {
        let column = self.columns.iter().find_map(|column| {
            let mut numbers = column.places.touched(offset, 1);
            numbers.next().map(|number| (column, number))
        });
        let (value, start, bytes) = if let Some((column, number)) = column {
            (column.element(arena, number), column.places.place(number), column.places.width)
        } else if let Some((start, piece)) = Self::touching(&self.pieces, offset, 1).next() {
            (as_expression(arena, piece.value, piece.bytes * 8), start, piece.bytes)
        } else {
            let byte = self.bytes.get(at(offset)).copied().unwrap_or(0);
            return (arena.constant(8, byte.into()), 1);
        };
        let inside = u32::try_from(offset - start).unwrap_or(0);
        let length = (bytes - inside).min(most);
        (arena.extract(value, inside * 8, length * 8), length)
    }

    /// The values at some places.
    fn elements(
        &self,
        arena: &mut Arena,
        places: Progression,
        as_expression: &mut AsExpression<'_>,
    ) -> Vec<ExprId> {
        let mut elements = Vec::new();
        for number in 0..places.count {
            let value = self.read(arena, places.place(number), places.width, as_expression);
            elements.push(as_expression(arena, value, places.width * 8));
        }
        elements
    }

    /// All places from `start` on that lie inside.
    fn all_places(&self, start: u64, stride: u64, width: u32) -> Option<Progression> {
        let last = self.size.checked_sub(start)?.checked_sub(width.into())? / stride;
        Some(Progression { start, stride, width, count: last + 1 })
    }

    fn is_apart(&self, places: Progression) -> bool {
        !self.columns.iter().any(|column| column.places.meets(places))
    }

    /// The bytes of an access, in order, by where they come from; `None` if it does not agree with the columns.
    fn parts(&self, access: &Access) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        for (number, column) in self.columns.iter().enumerate() {
            column.shared(number, access, &mut parts)?;
        }
        parts.sort_unstable_by_key(|part| part.from);
        let (mut all, mut from) = (Vec::new(), 0);
        for part in parts {
            if part.from > from {
                all.push(Part { from, bytes: part.from - from, source: None });
            }
            from = part.from + part.bytes;
            all.push(part);
        }
        if from < access.bytes {
            all.push(Part { from, bytes: access.bytes - from, source: None });
        }
        Some(all)
    }

    /// Reads at an unknown offset.
    pub fn read_at(
        &self,
        arena: &mut Arena,
        access: &Access,
        as_expression: &mut AsExpression<'_>,
    ) -> ExprId {
        let everything = || vec![Part { from: 0, bytes: access.bytes, source: None }];
        let mut whole = None;
        for part in self.parts(access).unwrap_or_else(everything) {
            let value = match part.source {
                Some(source) => {
                    let number = source.element(arena, access);
                    let element = self.columns[source.column].read(arena, number);
                    arena.extract(element, source.inside * 8, part.bytes * 8)
                }
                None => {
                    let start = access.scaled.constant + u64::from(part.from);
                    let array = self.gather(arena, start, part.bytes, access, as_expression);
                    arena.read(array, access.scaled.index)
                }
            };
            whole = Some(match whole {
                None => value,
                Some(low) => arena.concat(value, low),
            });
        }
        whole.unwrap_or_else(|| arena.constant(access.bytes * 8, 0))
    }

    /// The values at `start + stride * i` as an array, for all `i` for which they lie inside and in no column; if
    /// that is not all of them, for those that the access may reach, and zeros at the others.
    fn gather(
        &self,
        arena: &mut Arena,
        start: u64,
        width: u32,
        access: &Access,
        as_expression: &mut AsExpression<'_>,
    ) -> ExprId {
        let stride = access.scaled.stride;
        let reached = Progression {
            start: start + stride * access.first,
            stride,
            width,
            count: access.last - access.first + 1,
        };
        let all = self.all_places(start, stride, width).filter(|all| self.is_apart(*all));
        // Elements are numbered from the start; where only some are there, zeros stand before them.
        let (places, before) = all.map_or((reached, access.first), |all| (all, 0));
        let key = (places, before);
        let known = self.gathered.borrow().iter().find(|(known, _)| *known == key).map(|(_, array)| *array);
        if let Some(array) = known {
            return array;
        }
        let mut elements = Vec::new();
        elements.resize(at(before), arena.constant(width * 8, 0));
        elements.extend(self.elements(arena, places, as_expression));
        let array = arena.literal_array(&elements);
        // Addresses are symbols that each state makes for itself, and contents are shared: for another state the array
        // would have those of objects that it does not know.
        if !arena.info(array).addresses {
            self.gathered.borrow_mut().push((key, array));
        }
        array
    }

    /// Writes at an unknown offset; whether that leaves pointers beside integers in one array where there were none.
    pub fn write_at(
        &mut self,
        arena: &mut Arena,
        access: &Access,
        value: Value,
        as_expression: &mut AsExpression<'_>,
    ) -> bool {
        self.gathered.get_mut().clear();
        let value = as_expression(arena, value, access.bytes * 8);
        // Places that overlap are written byte by byte.
        if access.scaled.stride < access.bytes.into()
            && self.parts(access).is_none_or(|parts| parts.iter().any(|part| part.source.is_none()))
        {
            let (start, end) = (access.places().start, access.places().place(access.last - access.first));
            let reached = (start, end + u64::from(access.bytes));
            let all = Progression { start: 0, stride: 1, width: 1, count: self.size };
            let elements = self.elements(arena, all, as_expression);
            let array = arena.literal_array(&elements);
            let range = if arena.class(array) == Class::Layout { reached } else { (0, self.size) };
            self.become_bytes(arena, range, as_expression);
        }
        let parts = match self.parts(access) {
            Some(parts) => parts,
            None => {
                self.agree(arena, access, as_expression);
                self.parts(access).unwrap_or_default()
            }
        };
        let mut mixes = false;
        for part in parts {
            let value = arena.extract(value, part.from * 8, part.bytes * 8);
            let (before, after) = match part.source {
                Some(source) => {
                    let number = source.element(arena, access);
                    let column = &mut self.columns[source.column];
                    #[cfg(feature = "plant")]
                    if self.ignore_overlaps && part.bytes < column.places.width {
                        continue;
                    }
                    let before = column.class(arena);
                    column.write_part(arena, number, source.inside, value);
                    (before, column.class(arena))
                }
                None => {
                    let column = self.new_column(arena, part, access, value, as_expression);
                    (Class::Integer, column.class(arena))
                }
            };
            mixes |= before != Class::Layout && after == Class::Layout;
        }
        mixes
    }

    /// Makes a column of bytes that are in none, with a value written into it.
    fn new_column(
        &mut self,
        arena: &mut Arena,
        part: Part,
        access: &Access,
        value: ExprId,
        as_expression: &mut AsExpression<'_>,
    ) -> &Column {
        let (stride, width) = (access.scaled.stride, part.bytes);
        let start = access.scaled.constant + u64::from(part.from);
        let count = access.last - access.first + 1;
        let reached = Progression { start: start + stride * access.first, stride, width, count };
        let mut written = |this: &Self, arena: &mut Arena, places: Progression, first: u64| {
            let elements = this.elements(arena, places, as_expression);
            let mut column = Column::new(arena, places, &elements);
            let first = arena.constant(64, first);
            let number = arena.binary(crate::base::bits::BinaryOp::Sub, access.scaled.index, first);
            column.write(arena, number, value);
            column
        };
        // All that the stride leads to, if that is of one kind: the next access may reach more.
        let all = self
            .all_places(start, stride, width)
            .filter(|all| self.is_apart(*all) && (all.count <= LARGE || count > all.count / 4));
        let mut column =
            written(self, arena, all.unwrap_or(reached), if all.is_some() { 0 } else { access.first });
        if column.class(arena) == Class::Layout && column.places != reached {
            let less = written(self, arena, reached, access.first);
            if less.class(arena) != Class::Layout {
                column = less;
            }
        }
        for number in 0..column.places.count {
            self.clear(arena, column.places.place(number), width, as_expression);
        }
        self.put_column(column)
    }

    /// Adds a column, under which there are no pieces.
    fn put_column(&mut self, column: Column) -> &Column {
        let Progression { start, stride, width, count } = column.places;
        if start == 0 && stride == u64::from(width) && stride * count == self.size {
            self.bytes = Vec::new();
        }
        self.columns.push(column);
        let last = self.columns.len() - 1;
        &self.columns[last]
    }

    /// Takes the pieces in a range away; what they have outside stays.
    fn clear(&mut self, arena: &mut Arena, offset: u64, count: u32, as_expression: &mut AsExpression<'_>) {
        let end = offset + u64::from(count);
        let cut: Vec<(u64, Piece)> = Self::touching(&self.pieces, offset, count.into()).collect();
        for (start, piece) in cut {
            self.pieces.remove(start);
            if start >= offset && start + u64::from(piece.bytes) <= end {
                continue;
            }
            let whole = as_expression(arena, piece.value, piece.bytes * 8);
            for place in
                (0..piece.bytes).filter(|place| !(offset..end).contains(&(start + u64::from(*place))))
            {
                let byte = arena.extract(whole, place * 8, 8);
                self.pieces.insert(start + u64::from(place), Piece { bytes: 1, value: Value::Expr(byte) });
            }
        }
    }

    /// Changes the columns so that an access agrees with them.
    fn agree(&mut self, arena: &mut Arena, access: &Access, as_expression: &mut AsExpression<'_>) {
        let places = access.places();
        let met = self.columns.iter().filter(|column| column.places.meets(places));
        let elements: u64 = met.map(|column| column.places.count).sum();
        if self.undone == MOST_UNDONE || elements > LARGEST_UNDONE {
            self.become_bytes(arena, (0, self.size), as_expression);
            return;
        }
        self.undone += 1;
        self.undo(arena, |column| column.meets(places));
    }

    /// Makes the values of some columns pieces.
    fn undo(&mut self, arena: &mut Arena, which: impl Fn(Progression) -> bool) {
        let (undone, kept): (Vec<Column>, Vec<Column>) =
            self.columns.drain(..).partition(|column| which(column.places));
        self.columns = kept;
        self.bytes.resize(at(self.size), 0);
        for column in undone {
            for number in 0..column.places.count {
                let value = column.element(arena, number);
                let piece = Piece { bytes: column.places.width, value: Value::Expr(value) };
                self.pieces.insert(column.places.place(number), piece);
            }
        }
    }

    /// Makes a range a column of bytes.
    fn become_bytes(
        &mut self,
        arena: &mut Arena,
        (start, end): (u64, u64),
        as_expression: &mut AsExpression<'_>,
    ) {
        let places = Progression { start, stride: 1, width: 1, count: end - start };
        let elements = self.elements(arena, places, as_expression);
        let column = Column::new(arena, places, &elements);
        self.undo(arena, |column| column.meets(places));
        let mut from = start;
        while from < end {
            let count = u32::try_from(end - from).unwrap_or(u32::MAX);
            self.clear(arena, from, count, as_expression);
            from += u64::from(count);
        }
        self.put_column(column);
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
        self.gathered.get_mut().clear();
        if !self.in_column(offset, count.into()) {
            self.clear(arena, offset, count, as_expression);
            self.write_whole(offset, count, value);
            return;
        }
        let whole = as_expression(arena, value, count * 8);
        let end = offset + u64::from(count);
        // The parts of the range in columns, then what lies between them.
        let mut covered: Vec<(u64, u64)> = Vec::new();
        for column in &mut self.columns {
            for number in column.places.touched(offset, count.into()) {
                let place = column.places.place(number);
                let (from, to) = (place.max(offset), (place + u64::from(column.places.width)).min(end));
                let part = arena.extract(whole, bits(from - offset), bits(to - from));
                let number = arena.constant(64, number);
                column.write_part(arena, number, bits(from - place) / 8, part);
                covered.push((from, to));
            }
        }
        covered.sort_unstable();
        covered.push((end, end));
        let mut from = offset;
        for (start, next) in covered {
            if start > from {
                let part = arena.extract(whole, bits(from - offset), bits(start - from));
                let part = value_of(arena, part);
                self.clear(arena, from, bits(start - from) / 8, as_expression);
                self.write_whole(from, bits(start - from) / 8, part);
            }
            from = next;
        }
    }

    /// Writes known bytes.
    pub fn write_bytes(
        &mut self,
        arena: &mut Arena,
        offset: u64,
        new: &[u8],
        as_expression: &mut AsExpression<'_>,
    ) {
        self.gathered.get_mut().clear();
        let length = new.len() as u64;
        // Columns of which nothing is left.
        let within = |column: Progression| {
            column.touched(offset, length).eq(0..column.count)
                && column.start >= offset
                && column.place(column.count - 1) + u64::from(column.width) <= offset + length
        };
        if self.columns.iter().any(|column| within(column.places)) {
            self.columns.retain(|column| !within(column.places));
            self.bytes.resize(at(self.size), 0);
        }
        let count = u32::try_from(length).unwrap_or(u32::MAX);
        self.clear(arena, offset, count, as_expression);
        for column in &mut self.columns {
            for number in column.places.touched(offset, length) {
                let place = column.places.place(number);
                let (from, to) =
                    (place.max(offset), (place + u64::from(column.places.width)).min(offset + length));
                let mut part = None;
                for byte in &new[at(from - offset)..at(to - offset)] {
                    let byte = arena.constant(8, u64::from(*byte));
                    part = Some(part.map_or(byte, |low| arena.concat(byte, low)));
                }
                let number = arena.constant(64, number);
                if let Some(part) = part {
                    column.write_part(arena, number, bits(from - place) / 8, part);
                }
            }
        }
        if let Some(place) = self.bytes.get_mut(at(offset)..at(offset) + new.len()) {
            place.copy_from_slice(new);
        }
    }
}

/// Bits of so many bytes of one value.
fn bits(bytes: u64) -> u32 {
    u32::try_from(bytes * 8).unwrap_or(u32::MAX)
}
