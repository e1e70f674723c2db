//! `getcontext` and its relatives: programs with several stacks (`runtime/world/contexts.c`).
//!
//! As with `setjmp`, what the program's structure holds is a number, and what it stands for is the state's: a place on a
//! stack. Activations are no bytes of memory, so a stack is a list of them, as it was when another one began to run;
//! forks share these lists, and local variables of a stack that waits are alive like all others. The memory that a
//! program gives for a stack has to be there, and nothing is put into it. A new stack has one activation, of a function
//! of the runtime that calls the program's and knows what comes behind it.

use std::rc::Rc;

use crate::exec::{ErrorKind, Executor, Frame, Landing, PathError, Stack, State, Step, Stop};
use crate::memory::{ObjectId, Value};

/// What numbers of landings begin with, so that a buffer that was never set is told.
pub(in crate::exec) const MARK: u64 = 0x6a75_6d70_0000_0000;

impl State {
    /// The number of a landing, which is a new one unless the same landing has one.
    pub(in crate::exec) fn add_landing(&mut self, landing: Landing) -> u64 {
        let place = landing.place();
        if let Some(known) = place.and_then(|place| self.landing_numbers.get(&place)) {
            return *known;
        }
        let number = MARK + self.landings.size() as u64;
        if let Some(place) = place {
            self.landing_numbers.insert_mut(place, number);
        }
        self.landings.insert_mut(number, landing);
        number
    }

    /// Whether a landing's activation has not ended, as far as its function tells.
    pub(in crate::exec) fn is_there(&self, landing: &Landing) -> bool {
        let other = || self.stacks.get(&landing.stack);
        let Some(place) = landing.depth.checked_sub(1) else {
            return other().is_some_and(|stack| stack.made.is_some());
        };
        let frames =
            if landing.stack == self.stack { Some(&self.frames) } else { other().map(|stack| &stack.frames) };
        frames.and_then(|frames| frames.get(place)).is_some_and(|frame| frame.function == landing.function)
    }

    /// Ends activations until there are so many.
    pub(in crate::exec) fn end_frames(&mut self, count: usize) {
        while self.frames.len() > count {
            if let Some(frame) = self.frames.pop() {
                frame.leave(&mut self.memory);
            }
        }
    }

    /// Lets a stack run, and the one that ran wait.
    pub(in crate::exec) fn run_stack(&mut self, number: u64) {
        if number == self.stack {
            return;
        }
        let made = |stack: Option<&Rc<Stack>>| stack.and_then(|stack| stack.made.clone());
        let (left, next) = (self.stacks.get(&self.stack), self.stacks.get(&number));
        let frames = next.map(|stack| stack.frames.clone()).unwrap_or_default();
        let (left, next) = (made(left), made(next));
        let frames = std::mem::replace(&mut self.frames, frames);
        self.stacks.insert_mut(self.stack, Rc::new(Stack { frames, made: left }));
        // Activations that run are changed, so nobody else has them.
        self.stacks.insert_mut(number, Rc::new(Stack { frames: Vec::new(), made: next }));
        self.stack = number;
    }

    /// Ends the activations of a stack that waits, and their local variables.
    fn end_waiting(&mut self, number: u64) -> Option<Rc<Stack>> {
        let stack = self.stacks.get(&number).cloned()?;
        stack.frames.iter().rev().for_each(|frame| frame.leave(&mut self.memory));
        if let Some((_, place)) = &stack.made
            && self.stack_places.get(place) == Some(&number)
        {
            self.stack_places.remove_mut(place);
        }
        Some(stack)
    }

    /// A stack that waits is no more.
    fn end_stack(&mut self, number: u64) {
        if self.end_waiting(number).is_some() {
            self.stacks.remove_mut(&number);
        }
    }

    /// Gives the memory of an object back. Of a stack that waits in it nothing is left but that it was there, so that
    /// going there is told as an access of that memory.
    pub(in crate::exec) fn free(&mut self, object: ObjectId) {
        self.memory.free(object);
        let inside = self.stack_places.range((object, 0)..=(object, u64::MAX));
        let ended: Vec<u64> =
            inside.map(|(_, number)| *number).filter(|number| *number != self.stack).collect();
        for number in ended {
            if let Some(stack) = self.end_waiting(number) {
                let made = stack.made.clone();
                self.stacks.insert_mut(number, Rc::new(Stack { frames: Vec::new(), made }));
            }
        }
    }
}

impl Executor<'_> {
    /// An error that is told of where the program called the runtime.
    fn misused(&self, state: &mut State, message: &str) -> Stop {
        self.leave_runtime(state);
        PathError::new(ErrorKind::User, message).into()
    }

    /// Demands that the memory of a stack, unless it runs already, is still there.
    pub(in crate::exec) fn look_at_stack(&mut self, state: &mut State, number: u64) -> Step<()> {
        let stack = state.stacks.get(&number).filter(|_| number != state.stack);
        if let Some((_, (object, offset))) = stack.and_then(|stack| stack.made.clone()) {
            self.known_place(state, Value::Pointer { object, offset }, 1, true)?;
        }
        Ok(())
    }

    /// What the number of a context stands for.
    fn context(&mut self, state: &mut State, mark: Value) -> Step<Option<Landing>> {
        let (object, offset) = self.known_place(state, mark, 8, false)?;
        let loaded = state.memory.load(&mut self.arena, &mut self.allocator, object, offset, 8);
        Ok(match loaded {
            Value::Bits(number) => state.landings.get(&number).copied(),
            _ => None,
        })
    }

    /// Puts the number of a context into the program's structure: going there is coming back from the innermost
    /// activation, the runtime's, to who called it.
    pub(in crate::exec) fn set_context(&mut self, state: &mut State, mark: Value) -> Step<()> {
        let (object, offset) = self.known_place(state, mark, 8, true)?;
        let depth = state.frames.len().saturating_sub(1);
        let Some(frame) = depth.checked_sub(1).and_then(|place| state.frames.get(place)) else {
            return Err(self.misused(state, "getcontext outside of a function"));
        };
        let (function, position, locals) = (frame.function, frame.position, frame.locals.len());
        let landing = Landing { stack: state.stack, depth, function, position, blocked: None, locals };
        let number = Value::Bits(state.add_landing(landing));
        state.memory.store(&mut self.arena, &mut self.allocator, object, offset, 8, number);
        Ok(())
    }

    /// Makes a stack in some memory, with an activation of the runtime's function `first`.
    pub(in crate::exec) fn make_context(
        &mut self,
        state: &mut State,
        mark: Value,
        memory: Value,
        first: Value,
        arguments: &[Value],
    ) -> Step<()> {
        let (object, offset) = self.known_place(state, mark, 8, true)?;
        if self.context(state, mark)?.is_none() {
            return Err(self.misused(state, "makecontext of a context that getcontext has not initialised"));
        }
        let function = self.called_function(state, first)?;
        // What lay there before is overwritten.
        let place = self.known_place(state, memory, 1, true)?;
        if let Some(before) = state.stack_places.get(&place).copied()
            && before != state.stack
        {
            state.end_stack(before);
        }
        let registers = self.module.functions[function.index()].registers;
        let frame = Frame::entering(function, registers as usize, arguments.to_vec());
        // No other stack has the number of this landing.
        let stack = MARK + state.landings.size() as u64;
        let number =
            state.add_landing(Landing { stack, depth: 0, function, position: 0, blocked: None, locals: 0 });
        state
            .stacks
            .insert_mut(stack, Rc::new(Stack { frames: Vec::new(), made: Some((Rc::new(frame), place)) }));
        state.stack_places.insert_mut(place, stack);
        state.memory.store(&mut self.arena, &mut self.allocator, object, offset, 8, Value::Bits(number));
        Ok(())
    }

    /// Goes on where a context says; the stack that ran has ended if it says so.
    pub(in crate::exec) fn go_to_context(&mut self, state: &mut State, mark: Value, ends: bool) -> Step<()> {
        let Some(landing) = self.context(state, mark)? else {
            return Err(self.misused(state, "setcontext to a context that was not initialised"));
        };
        self.look_at_stack(state, landing.stack)?;
        if !state.is_there(&landing) || (ends && landing.stack == state.stack) {
            return Err(self.misused(state, "setcontext to a context whose function has returned"));
        }
        let left = state.stack;
        if landing.depth == 0 {
            state.run_stack(landing.stack);
            state.end_frames(0);
            let first = state.stacks.get(&landing.stack).and_then(|stack| stack.made.clone());
            state.frames.extend(first.map(|(frame, _)| frame));
        } else {
            self.land_on(state, landing, Value::Bits(0));
        }
        if ends {
            state.end_stack(left);
        }
        Ok(())
    }
}
