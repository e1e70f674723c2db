//! `setjmp` and `longjmp`.
//!
//! What `setjmp` leaves in the program's buffer is a number; what it stands for, the activation and the place
//! of the call, is the state's. A jump ends the activations above that one, and the arrays that this one got since.
//! Other local variables live in memory and keep what they have, which is what programs may rely on.

#[cfg(feature = "plant")]
use super::contexts::MARK;
use crate::exec::{ErrorKind, Executor, Landing, PathError, State, Step};
use crate::memory::{ObjectId, Value};
use crate::module::{Instruction, Register};

/// The runtime's variable that has the signals that are blocked, in programs that know signals.
const BLOCKED_SIGNALS: &str = "__symexec_signals_blocked";

impl Executor<'_> {
    fn blocked_signals(&self, state: &State) -> Option<ObjectId> {
        let place = self
            .module
            .globals
            .iter()
            .position(|global| global.name == BLOCKED_SIGNALS && global.size == 8)?;
        state.globals.get(place).copied()
    }

    pub(in crate::exec) fn set_jump(
        &mut self,
        state: &mut State,
        buffer: Value,
        keeps_signals: bool,
    ) -> Step<()> {
        let (object, offset) = self.known_place(state, buffer, 8, true)?;
        let (function, position) = state.position();
        let locals = state.frames.last().map_or(0, |frame| frame.locals.len());
        let blocked = self.blocked_signals(state).filter(|_| keeps_signals);
        let blocked =
            blocked.map(|object| state.memory.load(&mut self.arena, &mut self.allocator, object, 0, 8));
        let (stack, depth) = (state.stack, state.frames.len());
        let number = state.add_landing(Landing { stack, depth, function, position, blocked, locals });
        state.memory.store(&mut self.arena, &mut self.allocator, object, offset, 8, Value::Bits(number));
        Ok(())
    }

    /// Where a jump with a buffer goes, if that was set.
    fn landing(&mut self, state: &mut State, buffer: Value) -> Step<Option<Landing>> {
        let (object, offset) = self.known_place(state, buffer, 8, false)?;
        let loaded = state.memory.load(&mut self.arena, &mut self.allocator, object, offset, 8);
        Ok(match loaded {
            #[cfg(feature = "plant")]
            Value::Bits(_) if self.config.first_landing => state.landings.get(&MARK).copied(),
            Value::Bits(number) => state.landings.get(&number).copied(),
            _ => None,
        })
    }

    /// The signals that a jump blocks again; those that are blocked now if it changes nothing.
    pub(in crate::exec) fn landing_signals(&mut self, state: &mut State, buffer: Value) -> Step<Value> {
        if let Some(blocked) = self.landing(state, buffer)?.and_then(|landing| landing.blocked) {
            return Ok(blocked);
        }
        let now = self.blocked_signals(state);
        Ok(now.map_or(Value::Bits(0), |object| {
            state.memory.load(&mut self.arena, &mut self.allocator, object, 0, 8)
        }))
    }

    pub(in crate::exec) fn jump(
        &mut self,
        state: &mut State,
        buffer: Value,
        value: (Value, u32),
    ) -> Step<()> {
        let landing = self.landing(state, buffer)?;
        if let Some(landing) = landing {
            self.look_at_stack(state, landing.stack)?;
        }
        let Some(landing) = landing.filter(|landing| landing.depth > 0 && state.is_there(landing)) else {
            let message = "longjmp to where setjmp was not called, or whose function has returned";
            return Err(PathError::new(ErrorKind::User, message).into());
        };
        if let (Some(signals), Some(blocked)) = (self.blocked_signals(state), landing.blocked) {
            state.memory.store(&mut self.arena, &mut self.allocator, signals, 0, 8, blocked);
        }
        let given = self.expression(state, value.0, value.1);
        let zero = self.arena.constant(value.1, 0);
        let is_zero = self.arena.equal(zero, given);
        let one = self.arena.constant(value.1, 1);
        let result = self.arena.choose(is_zero, one, given);
        let result = self.value(result);
        self.land_on(state, landing, result);
        Ok(())
    }

    /// Goes on behind the call of a landing that is there, which gives a value. What its activation has called has ended,
    /// and so have the arrays that this one got since.
    pub(in crate::exec) fn land_on(&mut self, state: &mut State, landing: Landing, result: Value) {
        state.run_stack(landing.stack);
        state.end_frames(landing.depth);
        if let Some(frame) = state.frame_mut() {
            frame.position = landing.position;
        }
        state.end_locals(landing.locals);
        let function = &self.module.functions[state.position().0.index()];
        if let Some(Instruction::Call(id)) = function.code.get(landing.position as usize)
            && let Some(call) = function.calls.get(id.index())
            && call.results.len() == 1
        {
            self.set(state, Register(call.to.0), result);
        }
        self.advance(state);
    }
}
