//! Calls: of functions with code, of what the engine provides, and of nothing.

use std::rc::Rc;

use super::{ErrorKind, Executor, Frame, PathError, State, Step};
use crate::base::bits::mask;
use crate::memory::{Kind, NewObject, ObjectId, Value};
use crate::module::{Call, CallId, Callee, FunctionId, LocationId};

/// The layout of a `va_list` on x86_64: how far into the area of register arguments the next integer and
/// the next floating-point argument are (here always past their ends, 48 and 176 bytes, so that all
/// arguments come from memory), then the pointers to the arguments in memory and in registers.
const REGISTERS_USED: [u64; 2] = [48, 176];

impl Executor<'_> {
    pub(super) fn call(&mut self, state: &mut State, id: CallId) -> Step<()> {
        let module = self.module;
        let caller = &module.functions[state.position().0.index()];
        let Some(call) = caller.calls.get(id.index()) else { return Ok(()) };
        let callee = match call.callee {
            Callee::Function(function) => function,
            Callee::Pointer(pointer) => {
                let pointer = self.get(state, pointer);
                self.called_function(state, pointer)?
            }
        };
        let builtin = self.builtins[callee.index()];
        let function = &module.functions[callee.index()];
        if builtin.is_none() && function.is_defined() {
            return self.enter(state, callee, call);
        }
        let arguments: Vec<Value> =
            call.arguments.iter().map(|argument| self.get(state, argument.value)).collect();
        let widths: Vec<u32> = call.arguments.iter().map(|argument| argument.width).collect();
        match builtin {
            Some(builtin) => self.builtin(state, builtin, call, &arguments, &widths),
            None => self.call_outside(state, &function.name, call, &arguments, &widths),
        }
    }

    /// The function that a pointer points to.
    fn called_function(&mut self, state: &mut State, pointer: Value) -> Step<FunctionId> {
        let (object, offset) = self.resolve(state, pointer)?;
        let offset = match offset {
            super::resolve::Offset::Known(offset) => offset,
            super::resolve::Offset::Unknown(offset) => self.enumerate(state, offset)?,
        };
        match state.memory.object(object).map(|object| object.kind) {
            Some(Kind::Function(function)) if offset == 0 => Ok(function),
            _ => {
                Err(PathError::new(ErrorKind::Ptr, "memory error: call of something that is no function")
                    .into())
            }
        }
    }

    /// Begins an activation.
    fn enter(&mut self, state: &mut State, callee: FunctionId, call: &Call) -> Step<()> {
        let function = &self.module.functions[callee.index()];
        if state.frames.len() >= self.config.max_stack {
            let message =
                format!("the stack is {} activations deep, the limit of --max-stack", state.frames.len());
            return Err(PathError::new(ErrorKind::Exec, message).into());
        }
        if call.arguments.len() < function.parameters.len() {
            return Err(PathError::new(ErrorKind::User, "calling function with too few arguments").into());
        }
        let mut locals = Vec::new();
        let room = call.arguments.len().max(function.registers as usize);
        let mut values = Vec::with_capacity(room);
        for argument in &call.arguments {
            let value = self.get(state, argument.value);
            values.push(match argument.copied {
                None => value,
                Some(size) => self.copied_argument(state, value, size, &mut locals)?,
            });
        }
        let fixed = function.parameters.len();
        let variadic =
            values.iter().zip(&call.arguments).skip(fixed).map(|(value, argument)| (*value, argument.width));
        let variadic = variadic.collect();
        let mut registers = values;
        registers.truncate(fixed);
        // A caller that sees another prototype may pass wider or narrower integers.
        for (value, (argument, width)) in
            registers.iter_mut().zip(call.arguments.iter().zip(&function.parameters))
        {
            if argument.width != *width {
                let expr = self.expression(state, *value, argument.width);
                let expr = if argument.width > *width {
                    self.arena.extract(expr, 0, *width)
                } else {
                    self.arena.zero_extend(expr, *width)
                };
                *value = self.value(expr);
            }
        }
        registers.resize(function.registers as usize, Value::Bits(0));
        state.frames.push(Rc::new(Frame {
            function: callee,
            position: 0,
            location: LocationId(0),
            registers,
            locals,
            variadic,
            called: true,
        }));
        Ok(())
    }

    /// A copy of an argument that is passed in memory.
    fn copied_argument(
        &mut self,
        state: &mut State,
        from: Value,
        size: u64,
        locals: &mut Vec<ObjectId>,
    ) -> Step<Value> {
        let source = if size == 0 { None } else { Some(self.known_place(state, from, size, false)?) };
        let new = NewObject { kind: Kind::Stack, size, alignment: 16, site: LocationId(0) };
        let Some(object) = state.memory.allocate(&mut self.allocator, new) else {
            return Err(PathError::new(ErrorKind::Exec, "the address space is used up").into());
        };
        if let Some(source) = source {
            state.memory.copy(&mut self.arena, &mut self.allocator, (object, 0), source, size);
        }
        locals.push(object);
        Ok(Value::Pointer { object, offset: 0 })
    }

    /// Lays the arguments beyond the fixed ones out in memory and points a list to them.
    pub(super) fn start_arguments(&mut self, state: &mut State, list: Value) -> Step<()> {
        let (list, at) = self.known_place(state, list, 24, true)?;
        let variadic = state.frames.last().map(|frame| frame.variadic.clone()).unwrap_or_default();
        let mut size = 0u64;
        let mut places = Vec::new();
        for (_, width) in &variadic {
            let bytes = u64::from(width.div_ceil(8));
            if bytes > 8 {
                size = size.next_multiple_of(16);
            }
            places.push(size);
            size += bytes.next_multiple_of(8);
        }
        let new = NewObject { kind: Kind::Stack, size, alignment: 16, site: LocationId(0) };
        let Some(area) = state.memory.allocate(&mut self.allocator, new) else {
            return Err(PathError::new(ErrorKind::Exec, "the address space is used up").into());
        };
        for ((value, width), place) in variadic.into_iter().zip(places) {
            let bytes = width.div_ceil(8);
            let value = match value {
                Value::Bits(bits) => Value::Bits(bits & mask(width)),
                Value::Expr(expr) => Value::Expr(self.arena.zero_extend(expr, bytes * 8)),
                pointer @ Value::Pointer { .. } => pointer,
            };
            state.memory.store(&mut self.arena, &mut self.allocator, area, place, bytes, value);
        }
        if let Some(frame) = state.frame_mut() {
            frame.locals.push(area);
        }
        let fields = [
            (0, 4, Value::Bits(REGISTERS_USED[0])),
            (4, 4, Value::Bits(REGISTERS_USED[1])),
            (8, 8, Value::Pointer { object: area, offset: 0 }),
            (16, 8, Value::Bits(0)),
        ];
        for (offset, bytes, value) in fields {
            state.memory.store(&mut self.arena, &mut self.allocator, list, at + offset, bytes, value);
        }
        Ok(())
    }
}
