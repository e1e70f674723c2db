//! Exceptions of C++: what the runtime (`runtime/cxx`) cannot do itself, since it is about activations.
//!
//! The runtime asks which activations wait for a call that has a landing pad, and for what each pad wants;
//! matching of types, the exception itself, and who has caught what are its own and lie in the program's
//! memory. So a state keeps nothing beside its activations, forks copy nothing, and a program without
//! exceptions pays nothing: that a call has a landing pad is a number beside the call.

use crate::exec::{ErrorKind, Executor, Frame, PathError, State, Step};
use crate::memory::Value;
use crate::module::{Call, ClauseKind, Instruction, LandingPad, Register};

impl Executor<'_> {
    /// The call at which an activation, counted from 1, waits.
    fn call_at(&self, state: &State, activation: usize) -> Option<&Call> {
        let frame = state.frames.get(activation.checked_sub(1)?)?;
        let function = self.module.functions.get(frame.function.index())?;
        match function.code.get(frame.position as usize) {
            Some(Instruction::Call(id)) => function.calls.get(id.index()),
            _ => None,
        }
    }

    fn landing_pad(&self, state: &State, activation: usize) -> Option<&LandingPad> {
        let pad = self.call_at(state, activation)?.pad?;
        let frame = state.frames.get(activation.checked_sub(1)?)?;
        self.module.functions.get(frame.function.index())?.pads.get(pad.index())
    }

    /// The innermost of the first `below` activations that waits for a call with a landing pad; 0 if none
    /// does. Exceptions do not leave what the start of the program called: constructors and `main` lie on one
    /// stack, but none of them has called another one.
    pub(in crate::exec) fn next_pad(&self, state: &State, below: u64) -> u64 {
        // The innermost one is the runtime's, which asks.
        let top = state.frames.len().saturating_sub(1);
        let first = state.frames.iter().rposition(|frame| !frame.called).map_or(0, |place| place + 1);
        let below = usize::try_from(below).unwrap_or(usize::MAX).min(top);
        let found = (first..=below).rev().find(|activation| self.landing_pad(state, *activation).is_some());
        found.unwrap_or(0) as u64
    }

    /// Writes a clause of a landing pad to memory: its kind, its type, its selector. Whether there is one.
    pub(in crate::exec) fn clause(
        &mut self,
        state: &mut State,
        activation: u64,
        number: u64,
        into: Value,
    ) -> Step<bool> {
        let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let pad = self.landing_pad(state, place(activation));
        let Some(clause) = pad.and_then(|pad| pad.clauses.get(place(number))).copied() else {
            return Ok(false);
        };
        let (object, at) = self.known_place(state, into, 24, true)?;
        let kind = match clause.kind {
            ClauseKind::Cleanup => 0,
            ClauseKind::Catch => 1,
            ClauseKind::Allowed => 2,
            ClauseKind::Filter => 3,
        };
        let selector = i64::from(clause.selector).cast_unsigned();
        let fields = [Value::Bits(kind), self.get(state, clause.ty), Value::Bits(selector)];
        for (place, value) in (0u64..).zip(fields) {
            state.memory.store(&mut self.arena, &mut self.allocator, object, at + 8 * place, 8, value);
        }
        Ok(true)
    }

    /// Goes on at the landing pad of an activation; those above it end.
    pub(in crate::exec) fn land(
        &mut self,
        state: &mut State,
        activation: u64,
        exception: Value,
        selector: Value,
    ) -> Step<()> {
        let activation = usize::try_from(activation).unwrap_or(usize::MAX);
        let Some((edge, to)) = self.landing_pad(state, activation).map(|pad| (pad.edge, pad.to)) else {
            return Err(PathError::new(ErrorKind::Exec, "there is no landing pad to go on at").into());
        };
        state.end_frames(activation);
        self.follow(state, edge);
        let selector = match selector {
            Value::Bits(bits) => Value::Bits(bits & 0xffff_ffff),
            other => other,
        };
        self.set(state, to, exception);
        self.set(state, Register(to.0 + 1), selector);
        Ok(())
    }

    /// Ends the path with an error at the program's innermost activation: 0 an abort, 1 an exception that
    /// nobody catches, 2 one that its function's specification does not allow.
    pub(in crate::exec) fn fail(
        &mut self,
        state: &mut State,
        kind: u64,
        message: Value,
        name: Value,
    ) -> Step<()> {
        let text = |executor: &mut Self, state: &mut State, pointer: Value| match pointer {
            Value::Bits(0) => Ok(None),
            pointer => executor.text(state, pointer).map(Some),
        };
        let message = text(self, state, message)?;
        let name = text(self, state, name)?.map(|name| readable(&name));
        let (kind, start) = match kind {
            1 => (ErrorKind::UncaughtException, "uncaught exception"),
            2 => (ErrorKind::UnexpectedException, "unexpected exception"),
            _ => (ErrorKind::Abort, "abort failure"),
        };
        let mut said = start.to_owned();
        if let Some(name) = name {
            said.push_str(&format!(" of type {name}"));
        }
        if let Some(message) = message {
            said.push_str(&format!(": {message}"));
        }
        self.leave_runtime(state);
        Err(PathError::new(kind, said).into())
    }

    /// Ends the runtime's activations above the innermost one of the program, if there is one: what the runtime did
    /// on the way to an error is no place of the program.
    pub(in crate::exec) fn leave_runtime(&self, state: &mut State) {
        let is_own = |frame: &Frame| !self.module.functions[frame.function.index()].runtime;
        if state.frames.iter().any(|frame| is_own(frame)) {
            while state.frames.last().is_some_and(|frame| !is_own(frame)) {
                state.frames.pop();
            }
        }
    }
}

/// The name of a type as C++ writes it.
fn readable(name: &str) -> String {
    let symbol = format!("_ZTS{name}");
    let found = cpp_demangle::Symbol::new(symbol.as_str()).ok().and_then(|symbol| symbol.demangle().ok());
    let found = found.and_then(|text| text.strip_prefix("typeinfo name for ").map(str::to_owned));
    found.unwrap_or_else(|| name.to_owned())
}
