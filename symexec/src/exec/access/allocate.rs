//! Allocations, also of unknown sizes.
//!
//! Of the values that an unknown size may have, those up to [`LARGEST_UNKNOWN`] are one path: its object
//! takes as many bytes as the largest of them, and accesses are compared with the unknown size, so that one
//! that is too far for some values is an error for exactly these. Beyond, there is a path for the least value
//! and an error (`.model.err`) that says that others are not followed, as KLEE has; and what no machine
//! allocates comes back as null.

use super::pointers::Offset;
use crate::base::bits::BinaryOp;
use crate::exec::{Ending, ErrorKind, Executor, PathError, State, Step, Stop};
use crate::expr::ExprId;
use crate::memory::{Kind, Life, NewObject, ObjectId, Value};
use crate::module::LocationId;

/// The largest object whose size is unknown, a power of two.
const LARGEST_UNKNOWN: u64 = 1 << LARGEST_BITS;
const LARGEST_BITS: u32 = 12;

/// Allocations of more fail.
const HUGE: u64 = 1 << 31;

impl Executor<'_> {
    /// A new object of the heap whose size may be unknown; null if it is too large.
    pub(in crate::exec) fn allocate_unknown(
        &mut self,
        state: &mut State,
        size: ExprId,
        alignment: u64,
    ) -> Step<Value> {
        Ok(match self.allocated_size(state, size)? {
            None => Value::Bits(0),
            Some((0, None)) if self.config.no_empty_objects => Value::Bits(0),
            Some((bytes, length)) => {
                let value = self.allocate(state, bytes, alignment)?;
                self.limit(state, value, length);
                value
            }
        })
    }

    /// Notes the unknown size of a new object.
    pub(in crate::exec) fn limit(&mut self, state: &mut State, object: Value, length: Option<ExprId>) {
        if let (Value::Pointer { object, .. }, Some(length)) = (object, length) {
            state.memory.mark(object, |object| object.length = Some(length));
        }
    }

    /// How many bytes an allocation of a size takes, and the size itself if it is unknown; `None` if it is so
    /// large that it fails.
    pub(in crate::exec) fn allocated_size(
        &mut self,
        state: &mut State,
        size: ExprId,
    ) -> Step<Option<(u64, Option<ExprId>)>> {
        // What is computed from addresses alone is a number.
        let number = self.arena.concrete(size);
        if let Some(known) = self.known_value(state, size).or_else(|| self.arena.as_u64(number)) {
            return Ok(Some((known, None)));
        }
        let size = match self.arena.width(size) {
            64 => size,
            0..64 => self.arena.zero_extend(size, 64),
            _ => self.arena.extract(size, 0, 64),
        };
        let above = |executor: &mut Self, limit: u64| {
            let limit = executor.arena.constant(64, limit);
            executor.arena.less(limit, size)
        };
        let large = above(self, LARGEST_UNKNOWN - 1);
        if !self.decide(state, large)? {
            let low = self.arena.extract(size, 0, LARGEST_BITS);
            let opposite = self.arena.not(low);
            let most = self.solver.least_value(&mut self.arena, &state.constraints, opposite)?.not();
            let most = most.to_u64().unwrap_or(LARGEST_UNKNOWN);
            let bytes = self.arena.constant(64, most);
            let less = self.arena.less(size, bytes);
            // One value only is a known size.
            if !self.solver.may_hold(&mut self.arena, &state.constraints, less)? {
                return Ok(Some((most, None)));
            }
            return Ok(Some((most, Some(size))));
        }
        let huge = above(self, HUGE);
        if self.decide(state, huge)? {
            self.warn_once("a very large allocation failed, as it may on a real system");
            return Ok(None);
        }
        // Remembered, since the path with the other values comes back here.
        let followed = match state.large_sizes.get(&size) {
            Some(known) => *known,
            None => {
                let least = self.chosen_value(state, size)?.to_u64().unwrap_or(0);
                state.large_sizes.insert_mut(size, least);
                least
            }
        };
        let constant = self.arena.constant(64, followed);
        let here = self.arena.equal(constant, size);
        if self.decide(state, here)? {
            return Ok(Some((followed, None)));
        }
        let mut error = PathError::new(ErrorKind::Model, "concretized symbolic size");
        error.details.push(format!("size: unknown and more than {LARGEST_UNKNOWN}; {followed} is followed"));
        Err(error.into())
    }

    /// The product of two sizes; `None` if it does not fit.
    pub(in crate::exec) fn product(
        &mut self,
        state: &mut State,
        a: ExprId,
        b: ExprId,
    ) -> Step<Option<ExprId>> {
        let (wide_a, wide_b) = (self.arena.zero_extend(a, 128), self.arena.zero_extend(b, 128));
        let wide = self.arena.binary(BinaryOp::Mul, wide_a, wide_b);
        let high = self.arena.extract(wide, 64, 64);
        let zero = self.arena.constant(64, 0);
        let fits = self.arena.equal(zero, high);
        Ok(match self.decide(state, fits)? {
            true if self.arena.width(a) == 64 && self.arena.width(b) == 64 => {
                Some(self.arena.binary(BinaryOp::Mul, a, b))
            }
            true => Some(self.arena.extract(wide, 0, 64)),
            false => None,
        })
    }

    /// `realloc`.
    pub(in crate::exec) fn reallocate(
        &mut self,
        state: &mut State,
        pointer: Value,
        size: ExprId,
    ) -> Step<Value> {
        let Some(old) = self.freed(state, pointer, "realloc")? else {
            return self.allocate_unknown(state, size, 16);
        };
        let zero = self.arena.constant(self.arena.width(size), 0);
        let nothing = self.arena.equal(zero, size);
        // As in glibc: nothing is left of the object.
        if self.decide(state, nothing)? {
            state.free(old);
            return Ok(Value::Bits(0));
        }
        let Some((bytes, length)) = self.allocated_size(state, size)? else { return Ok(Value::Bits(0)) };
        let new = self.allocate(state, bytes, 16)?;
        let Value::Pointer { object, .. } = new else { return Ok(new) };
        let kept = state.memory.object(old).map_or(0, |object| object.size).min(bytes);
        state.memory.copy(&mut self.arena, &mut self.allocator, (object, 0), (old, 0), kept);
        self.limit(state, new, length);
        state.free(old);
        Ok(new)
    }

    /// The most bytes of an object of unknown size that are to be made an input; `None` if its size is known. Where the
    /// size that the program gives is another, the path ends.
    pub(in crate::exec) fn whole_size(
        &mut self,
        state: &mut State,
        pointer: Value,
        size: (Value, u32),
    ) -> Step<Option<u64>> {
        let (object, offset) = self.resolve(state, pointer)?;
        let (Some((most, Some(length))), Offset::Known(0)) =
            (state.memory.object(object).map(|object| (object.size, object.length)), offset)
        else {
            return Ok(None);
        };
        let size = self.expression_of(state, size);
        let size = if self.arena.width(size) < 64 { self.arena.zero_extend(size, 64) } else { size };
        let same = self.arena.equal(length, size);
        if self.decide(state, same)? { Ok(Some(most)) } else { Err(wrong_size().into()) }
    }

    /// A new object of the heap; null if it is too large.
    pub(in crate::exec) fn allocate(&mut self, state: &mut State, size: u64, alignment: u64) -> Step<Value> {
        if size > crate::exec::access::LARGEST_OBJECT {
            self.warn_once("a very large allocation failed, as it may on a real system");
            return Ok(Value::Bits(0));
        }
        let site = state.frames.last().map_or(LocationId(0), |frame| frame.location);
        let new = NewObject { kind: Kind::Heap, size, alignment, site };
        let Some(object) = state.memory.allocate(&mut self.allocator, new) else {
            return Ok(Value::Bits(0));
        };
        self.explored.allocations += 1;
        // Heap addresses are what questions are renamed by: they have a name from the beginning, which
        // all states that know the object share.
        state.memory.address(&mut self.arena, &mut self.allocator, object);
        Ok(Value::Pointer { object, offset: 0 })
    }

    /// The object that may be given back through a pointer to a function of this name; `None` for null.
    pub(in crate::exec) fn freed(
        &mut self,
        state: &mut State,
        pointer: Value,
        by: &str,
    ) -> Step<Option<ObjectId>> {
        let error = |kind, message: &str| Err(Stop::from(PathError::new(kind, message)));
        let number = self.expression(state, pointer, 64);
        let zero = self.arena.constant(64, 0);
        let is_null = self.arena.equal(zero, number);
        if self.decide(state, is_null)? {
            return Ok(None);
        }
        let (object, offset) = self.resolve(state, pointer).map_err(|stop| points_nowhere(stop, by))?;
        let at_start = match offset {
            Offset::Known(offset) => offset == 0,
            Offset::Unknown(offset) => {
                let at_start = self.arena.equal(zero, offset);
                self.decide(state, at_start)?
            }
        };
        match state.memory.object(object).map(|object| (object.kind, object.life)) {
            Some((Kind::Heap, Life::Dead)) if by == "free" => {
                error(ErrorKind::Ptr, "memory error: double free")
            }
            Some((Kind::Heap, Life::Live)) if at_start => Ok(Some(object)),
            Some((Kind::Heap, _)) => error(ErrorKind::Ptr, &format!("memory error: invalid pointer: {by}")),
            Some((Kind::Global | Kind::Function(_), _)) => error(ErrorKind::Free, "free of global"),
            Some((Kind::Stack, _)) | None => error(ErrorKind::Free, "free of alloca"),
        }
    }
}

/// A pointer that leads to no object, in KLEE's words for what wants the beginning of one.
pub(in crate::exec) fn points_nowhere(stop: Stop, by: &str) -> Stop {
    match stop {
        Stop::Ended(Ending::Error(error)) if error.kind == ErrorKind::Ptr => {
            PathError { message: format!("memory error: invalid pointer: {by}"), ..error }.into()
        }
        stop => stop,
    }
}

/// The error of an input that is to have another size than its object.
pub(in crate::exec) fn wrong_size() -> PathError {
    PathError::new(ErrorKind::User, "Wrong size given to klee_make_symbolic")
}
