//! Calls: of functions with code, of what the engine provides, and of nothing.

pub(super) mod builtins;
pub(super) mod contexts;
pub(super) mod external;
pub(super) mod intrinsics;
pub(super) mod jumps;
pub(super) mod operators;
pub(super) mod panics;
pub(super) mod threads;
pub(super) mod unwind;

use std::rc::Rc;

use super::config::REACHED;
use super::{
    Ending, ErrorKind, Executor, ExternalCalls, ExternalWarnings, Frame, PathError, State, Step, Stop,
    Variadic,
};
use crate::base::bits::mask;
use crate::exec::access::pointers::{Offset, Wanted};
use crate::exec::access::rows::Source;
use crate::expr;
use crate::memory::{Kind, NewObject, ObjectId, Value};
use crate::module::{Argument, Call, CallId, Callee, Class, Copied, Function, FunctionId, LocationId};

/// The registers of the convention of x86_64, for integers and for floating-point numbers: how many pass
/// arguments, how many bytes each has in the area where a callee keeps them, and where they end there.
const REGISTERS: [u32; 2] = [6, 8];
const REGISTER_BYTES: [u64; 2] = [8, 16];
const REGISTERS_END: [u64; 2] = [48, 176];

/// Which registers an argument is passed in, by class, and how many; `None` if it is passed in memory.
fn registers_of(argument: &Argument, left: &mut [u32; 2]) -> Option<(usize, u32)> {
    let (class, count) = match argument.class {
        Class::Integer if argument.width > 64 => (0, 2),
        Class::Integer => (0, 1),
        Class::Vector => (1, 1),
        Class::Continued | Class::Memory => return None,
    };
    left[class] = left[class].checked_sub(count)?;
    Some((class, count))
}

/// What KLEE has of the C library in any case.
const FREESTANDING: [&str; 5] = ["memcpy", "memmove", "memset", "memcmp", "mempcpy"];

/// What shows numbers.
pub(super) const SHOWN: [&str; 12] = [
    "printf",
    "fprintf",
    "dprintf",
    "putchar",
    "putc",
    "fputc",
    "putchar_unlocked",
    "putc_unlocked",
    "fputc_unlocked",
    "__printf_chk",
    "__fprintf_chk",
    "__dprintf_chk",
];

/// The error of a call through a pointer to something else, in KLEE's words.
fn not_a_function() -> Stop {
    PathError::new(ErrorKind::Exec, "invalid function pointer").into()
}

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
        let callee = state.aliases.get(&callee).copied().unwrap_or(callee);
        let callee = self.own_operators.instead_of(callee);
        if self.reach == Some(callee) {
            let message = format!("{} is called", module.functions[callee.index()].name);
            let error = PathError::new(ErrorKind::Report, message);
            return Err(PathError { suffix: Some(REACHED.to_owned()), ..error }.into());
        }
        let builtin = self.builtins[callee.index()];
        let function = &module.functions[callee.index()];
        if self.config.library_is_outside && function.runtime && !caller.runtime && builtin.is_none() {
            self.tell_outside(state, &function.name, call)?;
        }
        if self.loses(state, function, call) {
            return Ok(());
        }
        if builtin.is_none() && function.is_defined() {
            return self.enter(state, callee, call);
        }
        let arguments: Vec<Value> =
            call.arguments.iter().map(|argument| self.get(state, argument.value)).collect();
        let widths: Vec<u32> = call.arguments.iter().map(|argument| argument.width).collect();
        match builtin {
            Some(builtin) => self.builtin(state, builtin, call, &arguments, &widths),
            None => self.call_outside(state, callee, call, &arguments, &widths),
        }
    }

    /// The lie, if it is to be told, that what is written to a file has been written.
    #[cfg(feature = "plant")]
    fn loses(&mut self, state: &mut State, function: &Function, call: &Call) -> bool {
        if !self.config.lose_writes || !function.runtime || function.name != "__symexec_file_write" {
            return false;
        }
        let [descriptor, _, count] = call.arguments.as_slice() else { return false };
        let is_file = matches!(self.get(state, descriptor.value), Value::Bits(number) if number > 2);
        if is_file {
            let written = self.get(state, count.value);
            self.set(state, call.to, written);
            self.advance(state);
        }
        is_file
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "it has a fault only where faults can be planted")]
    fn loses(&mut self, _: &mut State, _: &Function, _: &Call) -> bool {
        false
    }

    /// An argument as it is handed to what shows it: a number of which the path leaves one value only is that value
    /// there. The caller keeps what it has, so that its choices are the same whether somebody knew or not.
    fn shown(&mut self, state: &mut State, value: Value) -> Step<Value> {
        let Value::Expr(expr) = value else { return Ok(value) };
        if self.arena.class(expr) != expr::Class::Integer {
            return Ok(value);
        }
        let Some(only) = self.only_value(state, expr)? else { return Ok(value) };
        let only = self.arena.bits(&only);
        Ok(self.value(only))
    }

    /// Says that a function of the C library is called, which KLEE without one calls outside.
    fn tell_outside(&mut self, state: &State, name: &str, call: &Call) -> Step<()> {
        if FREESTANDING.contains(&name)
            || ["__symexec_", "__ubsan_"].iter().any(|start| name.starts_with(start))
        {
            return Ok(());
        }
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            arguments.push(match self.get(state, argument.value) {
                Value::Bits(bits) => bits.to_string(),
                Value::Pointer { object, offset } => {
                    let base = state.memory.object(object).map_or(0, |object| object.base);
                    base.wrapping_add(offset).to_string()
                }
                Value::Expr(expr) => {
                    self.condition(state, &[expr]).first().unwrap_or_else(|_| "symbolic".to_owned())
                }
            });
        }
        let call = format!("{name}({}) at {}", arguments.join(", "), self.source_place(state));
        if self.config.external_calls == ExternalCalls::None {
            self.observer().warn(&format!("Disallowed call to external function: {call}"));
            return Err(PathError::new(ErrorKind::User, "external calls disallowed").into());
        }
        let text = format!("calling external: {call}");
        match self.config.external_warnings {
            ExternalWarnings::None => {}
            ExternalWarnings::Once => self.warn_once_of(&format!("calling external: {name}"), &text),
            ExternalWarnings::All => self.observer().warn(&text),
        }
        Ok(())
    }

    /// Where a state is in the program's source, as KLEE's warnings have it.
    fn source_place(&self, state: &State) -> String {
        let place = state.frames.last().and_then(|frame| self.module.locations.get(frame.location.index()));
        match place.and_then(|place| place.file.map(|file| (file, place))) {
            Some((file, place)) => format!("{}:{} {}", self.module.text(file), place.line, place.column),
            None => "[no debug info]".to_owned(),
        }
    }

    /// The function that a pointer points to.
    pub(super) fn called_function(&mut self, state: &mut State, pointer: Value) -> Step<FunctionId> {
        let (object, offset) = self.resolve_for(state, pointer, Wanted::Code).map_err(|stop| match stop {
            Stop::Ended(Ending::Error(error)) if error.kind == ErrorKind::Ptr => not_a_function(),
            stop => stop,
        })?;
        let offset = match offset {
            Offset::Known(offset) => offset,
            Offset::Unknown(offset) => self.enumerate(state, offset)?,
        };
        match state.memory.object(object).map(|object| object.kind) {
            Some(Kind::Function(function)) if offset == 0 => Ok(function),
            _ => Err(not_a_function()),
        }
    }

    /// Begins an activation.
    fn enter(&mut self, state: &mut State, callee: FunctionId, call: &Call) -> Step<()> {
        let function = &self.module.functions[callee.index()];
        if state.frames.len() >= self.config.max_stack && self.config.deep_is_early {
            let message = "Maximum stack size reached.";
            self.observer().warn(message);
            return Err(Stop::Ended(Ending::Early(message.to_owned())));
        }
        if state.frames.len() >= self.config.max_stack {
            let message =
                format!("Maximum stack size reached: {} activations (--max-stack)", state.frames.len());
            return Err(PathError::new(ErrorKind::Exec, message).into());
        }
        if call.arguments.len() < function.parameters.len() {
            return Err(PathError::new(ErrorKind::User, "calling function with too few arguments").into());
        }
        // Finding the sources may fork, and then the call begins anew: no copy may exist by then.
        let mut sources = Vec::new();
        for argument in &call.arguments {
            if let Some(copied) = argument.copied {
                let from = self.get(state, argument.value);
                sources.push(match copied.size {
                    0 => None,
                    size => {
                        let from = self.range_at(state, from, size, false)?;
                        Some(self.source(state, from, size)?)
                    }
                });
            }
        }
        let caller = &self.module.functions[state.position().0.index()];
        let shows = self.config.echo
            && function.runtime
            && !caller.runtime
            && SHOWN.contains(&function.name.as_str());
        let mut sources = sources.into_iter();
        let mut locals = Vec::new();
        let room = call.arguments.len().max(function.registers as usize);
        let mut values = Vec::with_capacity(room);
        for argument in &call.arguments {
            values.push(match argument.copied {
                None => {
                    let value = self.get(state, argument.value);
                    if shows { self.shown(state, value)? } else { value }
                }
                Some(copied) => {
                    let source = sources.next().flatten();
                    self.copied_argument(state, source, copied, &mut locals)?
                }
            });
        }
        let fixed = function.parameters.len();
        let mut variadic = Vec::new();
        if call.arguments.len() > fixed {
            let mut left = REGISTERS;
            let places = call.arguments.iter().map(|argument| registers_of(argument, &mut left));
            let all = values.iter().zip(&call.arguments).zip(places).skip(fixed);
            variadic.extend(all.map(|((value, Argument { width, copied, .. }), registers)| Variadic {
                value: *value,
                width: *width,
                copied: *copied,
                registers,
            }));
        }
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
                    let filled = argument.filled().min(*width);
                    let expr = self.arena.sign_extend(expr, filled);
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
            areas: Vec::new(),
            variadic,
            called: true,
            packed: None,
        }));
        // The runtime's start has called `main`.
        if !self.module.initializers.is_empty()
            && function.name == self.config.entry
            && state.frames.len() == 2
        {
            let arguments: Vec<Value> = state
                .frames
                .last()
                .map_or_else(Vec::new, |frame| frame.registers.iter().take(fixed).copied().collect());
            self.initialize(state, &arguments);
        }
        Ok(())
    }

    /// A copy of an argument that is passed in memory.
    fn copied_argument(
        &mut self,
        state: &mut State,
        source: Option<Source>,
        copied: Copied,
        locals: &mut Vec<ObjectId>,
    ) -> Step<Value> {
        let Copied { size, alignment } = copied;
        let object = self.stack_object(state, size, alignment.max(16))?;
        match source {
            None => {}
            Some(Source::Place(from)) => {
                state.memory.copy(&mut self.arena, &mut self.allocator, (object, 0), from, size);
            }
            Some(Source::Pieces(pieces)) => {
                for (at, bytes, value) in pieces {
                    state.memory.store(&mut self.arena, &mut self.allocator, object, at, bytes, value);
                }
            }
        }
        locals.push(object);
        Ok(Value::Pointer { object, offset: 0 })
    }

    fn stack_object(&mut self, state: &mut State, size: u64, alignment: u64) -> Step<ObjectId> {
        let new = NewObject { kind: Kind::Stack, size, alignment, site: LocationId(0) };
        let object = state.memory.allocate(&mut self.allocator, new);
        object.ok_or_else(|| PathError::new(ErrorKind::Exec, "the address space is used up").into())
    }

    /// Lays the arguments beyond the fixed ones out in memory and points a list to them.
    ///
    /// Which of them the callee looks for among the registers is decided where it was compiled, so they lie
    /// as a callee finds them by the convention, but for one thing: those in registers take the last ones. So
    /// what is read after the last argument is past the end of the area of the others, and found.
    pub(super) fn start_arguments(&mut self, state: &mut State, list: Value) -> Step<()> {
        let (list, at) = self.known_place(state, list, 24, true)?;
        let variadic = state.frames.last().map(|frame| frame.variadic.clone()).unwrap_or_default();
        let mut starts = REGISTERS_END;
        for (class, count) in variadic.iter().filter_map(|argument| argument.registers) {
            starts[class] = starts[class].saturating_sub(REGISTER_BYTES[class] * u64::from(count));
        }
        let mut next = starts;
        let mut size = 0u64;
        let mut most = 16;
        let mut places = Vec::new();
        for Variadic { width, copied, registers, .. } in &variadic {
            if let Some((class, count)) = *registers {
                places.push(next[class]);
                next[class] += REGISTER_BYTES[class] * u64::from(count);
                continue;
            }
            let (bytes, alignment) = match copied {
                Some(Copied { size, alignment }) => (*size, (*alignment).max(8)),
                // Vectors are aligned to their size, and so are numbers of 128 bits; those of 80 take as much.
                None => match u64::from(width.div_ceil(8)) {
                    bytes @ 0..=8 => (bytes, 8),
                    bytes => (bytes, bytes.next_power_of_two()),
                },
            };
            most = most.max(alignment);
            size = size.next_multiple_of(alignment);
            places.push(size);
            size += bytes.next_multiple_of(8);
        }
        let area = self.stack_object(state, size, most)?;
        let mut areas = vec![area];
        let registers = if starts == REGISTERS_END {
            Value::Bits(0)
        } else {
            let registers = self.stack_object(state, REGISTERS_END[1], 16)?;
            areas.push(registers);
            Value::Pointer { object: registers, offset: 0 }
        };
        for (argument, place) in variadic.into_iter().zip(places) {
            let Variadic { value, width, copied, registers: in_registers } = argument;
            if let (Some(Copied { size, .. }), Value::Pointer { object, offset }) = (copied, value) {
                let (to, from) = ((area, place), (object, offset));
                state.memory.copy(&mut self.arena, &mut self.allocator, to, from, size);
                continue;
            }
            let bytes = width.div_ceil(8);
            let value = match value {
                Value::Bits(bits) => Value::Bits(bits & mask(width)),
                Value::Expr(expr) => Value::Expr(self.arena.zero_extend(expr, bytes * 8)),
                pointer @ Value::Pointer { .. } => pointer,
            };
            let to = match (in_registers, registers) {
                (Some(_), Value::Pointer { object, .. }) => object,
                _ => area,
            };
            state.memory.store(&mut self.arena, &mut self.allocator, to, place, bytes, value);
        }
        if let Some(frame) = state.frame_mut() {
            frame.areas.extend(areas);
        }
        let fields = [
            (0, 4, Value::Bits(starts[0])),
            (4, 4, Value::Bits(starts[1])),
            (8, 8, Value::Pointer { object: area, offset: 0 }),
            (16, 8, registers),
        ];
        for (offset, bytes, value) in fields {
            state.memory.store(&mut self.arena, &mut self.allocator, list, at + offset, bytes, value);
        }
        Ok(())
    }
}
