//! Reading and writing memory through pointers, and making local variables.

pub(super) mod allocate;
pub(super) mod bounds;
pub(super) mod mixed;
pub(super) mod pointers;
pub(super) mod resolve;
pub(super) mod rows;
pub(super) mod whereabouts;

use super::merge::Spot;
use super::{ErrorKind, Executor, PathError, State, Step};
use crate::base::bits::mask;
use crate::expr::ExprId;
use crate::memory::{Kind, NewObject, Value};
use crate::module::{Operand, Register};
use pointers::{Offset, Place};

/// No object is larger than this; a request for more gets null, as from a system without memory.
pub(super) const LARGEST_OBJECT: u64 = 1 << 30;

impl Executor<'_> {
    /// Reads a value of a width through a pointer.
    pub(super) fn load(&mut self, state: &mut State, pointer: Value, width: u32) -> Step<Value> {
        let bytes = width.div_ceil(8);
        let loaded = match self.spot(state, pointer, u64::from(bytes), false)? {
            Spot::One(Place { object, offset: Offset::Known(offset) }) => {
                state.memory.load(&mut self.arena, &mut self.allocator, object, offset, bytes)
            }
            Spot::One(Place { object, offset: Offset::Unknown(offset) }) => {
                let read = state.memory.load_at(&mut self.arena, &mut self.allocator, object, offset, bytes);
                let read = self.of_one_kind(state, read)?;
                self.value(read)
            }
            Spot::Many(many) => self.load_many(state, &many, bytes)?,
        };
        if width.is_multiple_of(8) {
            return Ok(loaded);
        }
        Ok(match loaded {
            Value::Bits(bits) => Value::Bits(bits & mask(width)),
            value => {
                let value = self.expression(state, value, bytes * 8);
                let low = self.arena.extract(value, 0, width);
                self.value(low)
            }
        })
    }

    /// Writes a value of a width through a pointer.
    pub(super) fn store(&mut self, state: &mut State, pointer: Value, width: u32, value: Value) -> Step<()> {
        let bytes = width.div_ceil(8);
        let spot = self.spot(state, pointer, u64::from(bytes), true)?;
        let value = match value {
            Value::Expr(expr) if !width.is_multiple_of(8) => {
                Value::Expr(self.arena.zero_extend(expr, bytes * 8))
            }
            value => value,
        };
        match spot {
            Spot::One(Place { object, offset: Offset::Known(offset) }) => {
                state.memory.store(&mut self.arena, &mut self.allocator, object, offset, bytes, value);
            }
            Spot::One(Place { object, offset: Offset::Unknown(offset) })
                if self.store_mixed(state, object, offset, bytes, value)? => {}
            Spot::One(Place { object, offset: Offset::Unknown(offset) }) => {
                state.memory.store_at(&mut self.arena, &mut self.allocator, object, offset, bytes, value);
            }
            Spot::Many(many) => self.store_many(state, &many, bytes, value)?,
        }
        Ok(())
    }

    /// One if an access is certainly right, else whether it is wanted, which decides where that is known.
    pub(super) fn certain_access(
        &mut self,
        state: &State,
        wanted: Value,
        pointer: Value,
        bytes: u64,
        write: bool,
    ) -> Value {
        let (Value::Expr(_), Value::Pointer { object, offset }) = (wanted, pointer) else { return wanted };
        let found = state.memory.object(object).filter(|found| found.length.is_none());
        let inside =
            found.is_some_and(|found| offset.checked_add(bytes).is_some_and(|end| end <= found.size));
        if inside && self.usable(state, object, write).is_ok() { Value::Bits(1) } else { wanted }
    }

    pub(super) fn allocate_local(&mut self, state: &mut State, size: u64, alignment: u64) -> Step<Value> {
        let site = state.frames.last().map(|frame| frame.location).unwrap_or(crate::module::LocationId(0));
        let new = NewObject { kind: Kind::Stack, size, alignment, site };
        let object =
            if size > LARGEST_OBJECT { None } else { state.memory.allocate(&mut self.allocator, new) };
        let Some(object) = object else {
            return Err(PathError::new(
                ErrorKind::Exec,
                format!("a local variable of {size} bytes does not fit"),
            )
            .into());
        };
        if let Some(frame) = state.frame_mut() {
            frame.locals.push(object);
        }
        Ok(Value::Pointer { object, offset: 0 })
    }

    /// A local variable of an unknown number of elements.
    pub(super) fn allocate_locals(
        &mut self,
        state: &mut State,
        size: u64,
        count: ExprId,
        alignment: u64,
    ) -> Step<Value> {
        let width = self.arena.width(count);
        let count = if width < 64 { self.arena.zero_extend(count, 64) } else { count };
        let size = self.arena.constant(64, size);
        let total = self.product(state, size, count)?;
        let bytes = match total {
            Some(total) => self.allocated_size(state, total)?,
            None => None,
        };
        let (bytes, length) = bytes.unwrap_or((u64::MAX, None));
        let value = self.allocate_local(state, bytes, alignment)?;
        self.limit(state, value, length);
        Ok(value)
    }

    /// Copies bytes; both ranges must lie inside their objects, and may overlap.
    pub(super) fn copy_memory(&mut self, state: &mut State, to: Value, from: Value, length: u64) -> Step<()> {
        if length == 0 {
            return Ok(());
        }
        let to = self.range_at(state, to, length, true)?;
        let from = self.range_at(state, from, length, false)?;
        if self.copy_in_pieces(state, to, from, length)? {
            return Ok(());
        }
        let (to, from) = (self.at_known(state, to)?, self.at_known(state, from)?);
        state.memory.copy(&mut self.arena, &mut self.allocator, to, from, length);
        Ok(())
    }

    /// Writes one byte many times.
    pub(super) fn fill_memory(
        &mut self,
        state: &mut State,
        to: Value,
        value: Value,
        length: u64,
    ) -> Step<()> {
        if length == 0 {
            return Ok(());
        }
        let to = self.range_at(state, to, length, true)?;
        if self.fill_in_pieces(state, to, value, length)? {
            return Ok(());
        }
        let (object, offset) = self.at_known(state, to)?;
        if let Value::Bits(byte) = value {
            let bytes = vec![byte as u8; usize::try_from(length).unwrap_or(0)];
            state.memory.store_bytes(&mut self.arena, &mut self.allocator, object, offset, &bytes);
            return Ok(());
        }
        for place in 0..length {
            state.memory.store(&mut self.arena, &mut self.allocator, object, offset + place, 1, value);
        }
        Ok(())
    }

    /// A place at a known offset; every possible offset gets a state of its own.
    pub(super) fn known_place(
        &mut self,
        state: &mut State,
        pointer: Value,
        bytes: u64,
        write: bool,
    ) -> Step<(crate::memory::ObjectId, u64)> {
        let place = self.place(state, pointer, bytes, write)?;
        self.at_known(state, place)
    }

    /// The offset of a place made known.
    pub(super) fn at_known(
        &mut self,
        state: &mut State,
        Place { object, offset }: Place,
    ) -> Step<(crate::memory::ObjectId, u64)> {
        let offset = match offset {
            Offset::Known(offset) => offset,
            Offset::Unknown(offset) => self.enumerate(state, offset)?,
        };
        Ok((object, offset))
    }

    /// How many local variables the innermost activation has, copies of arguments among them.
    pub(super) fn save_stack(&mut self, state: &mut State, to: Register) {
        let count = state.frames.last().map_or(0, |frame| frame.locals.len());
        self.set(state, to, Value::Bits(count as u64));
    }

    /// The local variables that the innermost activation has got since end.
    pub(super) fn restore_stack(&mut self, state: &mut State, saved: Operand) {
        let saved = self.get(state, saved);
        if let Value::Bits(count) = saved {
            state.end_locals(usize::try_from(count).unwrap_or(usize::MAX));
        }
    }
}
