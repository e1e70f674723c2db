//! Columns: what was written at unknown places of an object, one array for each field.
//!
//! `table[i].next = p` may reach the `next` of every row and nothing else. So what becomes an array is not the
//! object but the values at `start + stride * k`, each as wide as the access; the other fields stay what they are.
//! Pointers in a column are pointers, also where something is added to them: then what is added is an array of its
//! own, and an element is the sum of two.
//!
//! Accesses need not be those that made the columns. One whose stride is a multiple of a column's reaches, in each
//! of its rows, the same bytes of one element: it is put together from the columns that it shares bytes with, and
//! from what lies between them. One whose stride is not ([`Contents::agree`](super::Contents)) makes the columns that
//! it meets single values again, and where that happens too often, the object an array of bytes, which every access
//! agrees with.

use crate::base::bits::BinaryOp;
use crate::expr::{Arena, Class, ExprId, Marks, Scaled};

/// Places of `width` bytes at `start + stride * k`, for `k < count`; there is at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progression {
    /// The first place.
    pub start: u64,
    /// From one place to the next; at least one.
    pub stride: u64,
    /// Bytes at each place.
    pub width: u32,
    /// How many places.
    pub count: u64,
}

impl Progression {
    /// A place.
    #[must_use]
    pub fn place(self, number: u64) -> u64 {
        self.start + self.stride * number
    }

    fn end(self) -> u64 {
        self.place(self.count - 1) + u64::from(self.width)
    }

    /// The numbers of the places that share a byte with a range.
    #[must_use]
    pub fn touched(self, offset: u64, length: u64) -> std::ops::Range<u64> {
        let first = match offset.checked_sub(self.start + u64::from(self.width)) {
            None => 0,
            Some(beyond) => beyond / self.stride + 1,
        };
        let end = (offset + length).saturating_sub(self.start).div_ceil(self.stride).min(self.count);
        first..end.max(first)
    }

    /// Whether two share a byte.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        if self.end() <= other.start || other.end() <= self.start {
            return false;
        }
        if self.stride == other.stride {
            let phase = (i128::from(other.start) - i128::from(self.start)).rem_euclid(self.stride.into());
            if phase >= self.width.into() && phase + i128::from(other.width) <= self.stride.into() {
                return false;
            }
        }
        let (few, many) = if self.count < other.count { (self, other) } else { (other, self) };
        (0..few.count).any(|number| !many.touched(few.place(number), few.width.into()).is_empty())
    }
}

/// An access at `constant + stride * index`, where the index is a number from `first` to `last`.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Where.
    pub scaled: Scaled,
    /// The least index.
    pub first: u64,
    /// The greatest index; at least [`Self::first`].
    pub last: u64,
    /// Bytes.
    pub bytes: u32,
}

impl Access {
    /// An access that lies between two offsets of its holder; `None` if there is no place for it.
    #[must_use]
    pub fn new(arena: &Arena, scaled: Scaled, bytes: u32, (low, high): (u64, u64)) -> Option<Self> {
        let (least, most) = arena.range(scaled.index);
        let first = low.saturating_sub(scaled.constant).div_ceil(scaled.stride);
        let last = high.checked_sub(scaled.constant)?.checked_sub(bytes.into())? / scaled.stride;
        let first = first.max(u64::try_from(least).unwrap_or(0));
        let last = last.min(u64::try_from(most).ok()?);
        (first <= last).then_some(Self { scaled, first, last, bytes })
    }

    /// The places that it may reach.
    #[must_use]
    pub fn places(&self) -> Progression {
        Progression {
            start: self.scaled.constant + self.scaled.stride * self.first,
            stride: self.scaled.stride,
            width: self.bytes,
            count: self.last - self.first + 1,
        }
    }
}

/// Bytes of an access that are, in each of its rows, the same bytes of an element of a column, or in no column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// From which byte of the access on.
    pub(super) from: u32,
    /// How many.
    pub(super) bytes: u32,
    pub(super) source: Option<Source>,
}

/// Bytes of the elements `shift + factor * index` of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// Which column.
    pub(super) column: usize,
    /// From which byte of the element on.
    pub(super) inside: u32,
    shift: u64,
    factor: u64,
}

impl Source {
    /// The number of the element.
    pub(super) fn element(self, arena: &mut Arena, access: &Access) -> ExprId {
        let factor = arena.constant(64, self.factor);
        let product = arena.binary(BinaryOp::Mul, factor, access.scaled.index);
        let shift = arena.constant(64, self.shift);
        arena.binary(BinaryOp::Add, shift, product)
    }
}

/// Values of one field, as an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) places: Progression,
    array: ExprId,
    /// What is added to each pointer of the array, if they are such.
    added: Option<ExprId>,
}

impl Column {
    /// The values at some places, of which there are as many as elements.
    pub(super) fn new(arena: &mut Arena, places: Progression, elements: &[ExprId]) -> Self {
        let array = arena.literal_array(elements);
        let sums = if arena.class(array) == Class::Offset { arena.literal_sums(elements) } else { None };
        match sums {
            Some((bases, added)) => Self { places, array: bases, added: Some(added) },
            None => Self { places, array, added: None },
        }
    }

    /// Marks its expressions.
    pub(super) fn trace(&self, marks: &mut Marks) {
        marks.mark(self.array);
        self.added.into_iter().for_each(|added| marks.mark(added));
    }

    /// How its elements depend on the layout.
    pub(super) fn class(&self, arena: &Arena) -> Class {
        arena.class(self.array)
    }

    /// An element.
    pub(super) fn read(&self, arena: &mut Arena, number: ExprId) -> ExprId {
        let value = arena.read(self.array, number);
        match self.added {
            None => value,
            Some(added) => {
                let added = arena.read(added, number);
                arena.binary(BinaryOp::Add, value, added)
            }
        }
    }

    /// An element whose number is known.
    pub(super) fn element(&self, arena: &mut Arena, number: u64) -> ExprId {
        let number = arena.constant(64, number);
        self.read(arena, number)
    }

    /// Replaces an element.
    pub(super) fn write(&mut self, arena: &mut Arena, number: ExprId, value: ExprId) {
        let parts = arena.split_markable(value);
        if let (None, Some((_, Some(_)))) = (self.added, parts)
            && arena.may_be_pointers(self.array)
        {
            let zeros = vec![arena.constant(64, 0); usize::try_from(self.places.count).unwrap_or(0)];
            self.added = Some(arena.literal_array(&zeros));
        }
        match (self.added, parts) {
            (None, _) => self.array = arena.store(self.array, number, value),
            (Some(added), Some((base, more))) => {
                let more = more.unwrap_or_else(|| arena.constant(64, 0));
                self.array = arena.store(self.array, number, base);
                self.added = Some(arena.store(added, number, more));
            }
            // No pointer any more.
            (Some(_), None) => {
                let elements: Vec<ExprId> =
                    (0..self.places.count).map(|number| self.element(arena, number)).collect();
                let array = arena.literal_array(&elements);
                self.array = arena.store(array, number, value);
                self.added = None;
            }
        }
    }

    /// Replaces some bytes of an element.
    pub(super) fn write_part(&mut self, arena: &mut Arena, number: ExprId, inside: u32, value: ExprId) {
        let (width, own) = (self.places.width * 8, arena.width(value));
        let mut new = value;
        if own < width {
            let old = self.read(arena, number);
            let low = inside * 8;
            if low > 0 {
                let below = arena.extract(old, 0, low);
                new = arena.concat(new, below);
            }
            if low + own < width {
                let above = arena.extract(old, low + own, width - low - own);
                new = arena.concat(above, new);
            }
        }
        self.write(arena, number, new);
    }

    /// The bytes that an access shares with this column, the one of a number; `None` if it shares others in each row.
    pub(super) fn shared(&self, column: usize, access: &Access, parts: &mut Vec<Part>) -> Option<()> {
        let (own, other) = (self.places, access.places());
        if !own.meets(other) {
            return Some(());
        }
        if !other.stride.is_multiple_of(own.stride) {
            return None;
        }
        let factor = other.stride / own.stride;
        let mut from = 0;
        while from < access.bytes {
            let byte = i128::from(other.start + u64::from(from)) - i128::from(own.start);
            let inside = u64::try_from(byte.rem_euclid(own.stride.into())).ok()?;
            if inside >= own.width.into() {
                from += u32::try_from(own.stride - inside).unwrap_or(u32::MAX).min(access.bytes - from);
                continue;
            }
            let inside = u32::try_from(inside).ok()?;
            let bytes = (own.width - inside).min(access.bytes - from);
            let first = (byte - i128::from(inside)) / i128::from(own.stride);
            let last = first + i128::from(factor) * i128::from(other.count - 1);
            if last >= 0 && first < own.count.into() {
                if first < 0 || last >= own.count.into() {
                    return None;
                }
                let shift = (first as u64).wrapping_sub(factor.wrapping_mul(access.first));
                parts.push(Part { from, bytes, source: Some(Source { column, inside, shift, factor }) });
            }
            from += bytes;
        }
        Some(())
    }
}
