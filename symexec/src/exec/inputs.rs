//! New unknown input: `klee_make_symbolic`, `klee_int`, `klee_range` and the runtime's own.

use std::rc::Rc;

use super::{ErrorKind, Executor, PathError, State, Step, SymbolicObject};
use crate::base::bits::BinaryOp;
use crate::exec::access::allocate::{points_nowhere, wrong_size};
use crate::expr::ExprId;
use crate::memory::Value;

/// What inputs without a name are called, as in KLEE.
pub(super) const UNNAMED: &str = "unnamed";

impl Executor<'_> {
    /// What an input is called: the string, unless there is none or it is empty.
    pub(super) fn input_name(&mut self, state: &mut State, name: Value) -> Step<String> {
        let name = match name {
            Value::Bits(0) => String::new(),
            name => self.text(state, name)?,
        };
        if !name.is_empty() {
            return Ok(name);
        }
        self.observer().warn(&format!("klee_make_symbolic: renamed empty name to \"{UNNAMED}\""));
        Ok(UNNAMED.to_owned())
    }

    /// The bytes of a new input.
    pub(super) fn new_input(&mut self, state: &mut State, name: &str, size: usize) -> Step<Vec<ExprId>> {
        self.new_input_of(state, name, size, None, None)
    }

    /// The bytes of a new input, of which some may be known, and which may have fewer than these.
    fn new_input_of(
        &mut self,
        state: &mut State,
        name: &str,
        size: usize,
        shape: Option<Rc<[u8]>>,
        length: Option<ExprId>,
    ) -> Step<Vec<ExprId>> {
        let unique = state.new_name(name);
        let array = self.arena.input_array(&unique, size);
        self.seed_input(state, &[&unique, name], array, length.is_some())?;
        let replayed = self.replay_input(state, array)?;
        Rc::make_mut(&mut state.inputs).push(SymbolicObject { name: unique, array, shape, length });
        if let Some(bytes) = replayed {
            return Ok(bytes);
        }
        let bytes = self.arena.array(array).bytes.clone();
        Ok(bytes.into_iter().map(|byte| self.arena.input_byte(byte)).collect())
    }

    /// An unknown number of 16 bits that no test tells: what is not computed, and matters hardly ever.
    pub(super) fn aside(&mut self, state: &mut State) -> Value {
        let number = self.untold(state, "unknown length", 2);
        number.map_or(Value::Bits(0), |number| Value::Expr(self.arena.zero_extend(number, 64)))
    }

    /// An unknown number of so many bytes that no test tells; `None` of none.
    fn untold(&mut self, state: &mut State, name: &str, bytes: usize) -> Option<ExprId> {
        let unique = state.new_name(name);
        let array = self.arena.input_array(&unique, bytes);
        let bytes = self.arena.array(array).bytes.clone();
        let bytes: Vec<ExprId> = bytes.into_iter().map(|byte| self.arena.input_byte(byte)).collect();
        bytes.into_iter().reduce(|low, high| self.arena.concat(high, low))
    }

    /// A value that was read; every so often an unknown one that equals it, if that is wanted.
    pub(super) fn doubted(&mut self, state: &mut State, value: Value, width: u32) -> Value {
        let (Some(every), Value::Bits(bits)) = (self.config.doubted_reads, value) else { return value };
        state.reads += 1;
        if !state.reads.is_multiple_of(every) || width == 0 {
            return value;
        }
        let Some(number) = self.untold(state, "doubted", width.div_ceil(8) as usize) else { return value };
        let number = self.arena.extract(number, 0, width);
        let known = self.arena.constant(width, bits);
        let same = self.arena.equal(known, number);
        state.assume(same);
        Value::Expr(number)
    }

    pub(super) fn make_symbolic(
        &mut self,
        state: &mut State,
        pointer: Value,
        size: u64,
        name: &str,
        shape: Option<&Rc<[u8]>>,
    ) -> Step<()> {
        let error = |kind, message: &str| Err(PathError::new(kind, message).into());
        let place = self.known_place(state, pointer, 0, false);
        let (object, offset) = place.map_err(|stop| points_nowhere(stop, "make_symbolic"))?;
        let known = state.memory.object(object).map(|object| (object.size, object.read_only, object.length));
        let (whole, read_only, length) = known.unwrap_or((0, true, None));
        if read_only {
            return error(ErrorKind::User, "cannot make readonly object symbolic");
        }
        if offset != 0 {
            return error(ErrorKind::Ptr, "memory error: invalid pointer: make_symbolic");
        }
        if size != whole {
            return Err(wrong_size().into());
        }
        let size = usize::try_from(size).unwrap_or(0);
        let bytes = self.new_input_of(state, name, size, shape.cloned(), length)?;
        for (place, byte) in bytes.into_iter().enumerate() {
            let known = shape.and_then(|shape| shape.get(place)).filter(|known| **known != b'?');
            let value = known.map_or_else(|| self.value(byte), |known| Value::Bits(u64::from(*known)));
            let place = offset + place as u64;
            state.memory.store(&mut self.arena, &mut self.allocator, object, place, 1, value);
        }
        Ok(())
    }

    pub(super) fn symbolic_int(&mut self, state: &mut State, name: &str) -> Step<Value> {
        let bytes = self.new_input(state, name, 4)?;
        let mut whole = None;
        for byte in bytes {
            whole = Some(match whole {
                None => byte,
                Some(low) => self.arena.concat(byte, low),
            });
        }
        Ok(whole.map_or(Value::Bits(0), |whole| self.value(whole)))
    }

    /// `klee_range(begin, end, name)`: an input of 32 bits, `begin <= input < end`.
    pub(super) fn range(
        &mut self,
        state: &mut State,
        begin: (Value, u32),
        end: (Value, u32),
        name: Value,
    ) -> Step<Value> {
        let begin = self.number(state, begin, "range")? as u32 as i32;
        let end = self.number(state, end, "range")? as u32 as i32;
        let name = self.input_name(state, name)?;
        if begin >= end {
            return Err(PathError::new(ErrorKind::User, "invalid range: begin is not below end").into());
        }
        if i64::from(begin) + 1 == i64::from(end) {
            return Ok(Value::Bits(u64::from(begin as u32)));
        }
        let value = self.symbolic_int(state, &name)?;
        let value = self.expression(state, value, 32);
        // Shifted to zero, one unsigned comparison says both.
        let first = self.arena.constant(32, u64::from(begin as u32));
        let shifted = self.arena.binary(BinaryOp::Sub, value, first);
        let count = self.arena.constant(32, u64::from(end.wrapping_sub(begin) as u32));
        let inside = self.arena.less(shifted, count);
        state.assume(inside);
        self.drop_seeds(state, inside);
        Ok(self.value(value))
    }
}
