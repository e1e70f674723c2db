//! Calls and returns on the straight road: of functions with code, with what they expect, and back to who called.
//!
//! They mean what they mean in module `calls` and in [`Executor::step`], which execute all others, and each of them when
//! it is reached for the first time.

use std::rc::Rc;

use crate::exec::calls::SHOWN;
use crate::exec::{CLOCK_INTERVAL, Executor, Frame, State};
use crate::memory::Value;
use crate::module::{Argument, CallId, Callee, Function, FunctionId, Instruction, Operand, Register};

/// What a value is where nothing has to be made for it.
fn known(registers: &[Value], constants: &[Option<Value>], operand: Operand) -> Option<Value> {
    match operand.get() {
        Ok(register) => registers.get(register.index()).copied(),
        Err(constant) => constants.get(constant.index()).copied().flatten(),
    }
}

impl Executor<'_> {
    /// The functions that are entered by nothing but a new activation, whoever calls them.
    pub(in crate::exec) fn plainly_entered(&self) -> Vec<bool> {
        let Self { module, config, builtins, own_operators, reach, .. } = self;
        let is_plain = |(place, function): (usize, &Function)| {
            let id = FunctionId::at(place);
            let is_told = function.runtime
                && (config.library_is_outside || config.echo && SHOWN.contains(&function.name.as_str()));
            let is_first = !module.initializers.is_empty() && function.name == config.entry;
            #[cfg(feature = "plant")]
            let is_told = is_told || config.lose_writes;
            builtins[place].is_none()
                && function.is_defined()
                && *reach != Some(id)
                && own_operators.instead_of(id) == id
                && !is_told
                && !is_first
        };
        module.functions.iter().enumerate().map(is_plain).collect()
    }

    /// Executes instructions as long as everything that they need is known, at most `most`; how many.
    pub(in crate::exec) fn run_straight(&mut self, state: &mut State, most: u64) -> u64 {
        let mut done = 0;
        while done < most {
            done += self.run_known(state, most - done);
            if done == most || !self.cross(state) {
                break;
            }
            done += 1;
        }
        done
    }

    /// How many instructions may run before somebody wants to look: at the clock, or at a limit.
    pub(in crate::exec) fn straight(&self, last: u64) -> u64 {
        if self.config.runs_singly() || self.counts_executions() {
            return 0;
        }
        let now = self.explored.instructions;
        let limit = self.config.max_instructions.unwrap_or(u64::MAX).min(last);
        (CLOCK_INTERVAL - now % CLOCK_INTERVAL).min(limit.saturating_sub(now))
    }

    /// Calls or returns, if the innermost activation stands at such an instruction, everything that it needs is known,
    /// and it was completed before; whether it did.
    pub(in crate::exec) fn cross(&mut self, state: &mut State) -> bool {
        // Where instructions are counted by paths of calls, each call and return has to be seen.
        if self.call_paths.is_some() {
            return false;
        }
        let (function, position) = state.position();
        let instruction = self.module.functions[function.index()].code.get(position as usize);
        let crossed = match instruction {
            Some(Instruction::Call(call)) if self.coverage.is_covered(function, position as usize) => {
                self.enter_plainly(state, *call)
            }
            Some(Instruction::Return { first, count })
                if self.coverage.is_covered(function, position as usize) =>
            {
                self.leave_plainly(state, *first, *count)
            }
            _ => None,
        };
        if crossed.is_some() {
            self.explored.instructions += 1;
        }
        crossed.is_some()
    }

    fn enter_plainly(&mut self, state: &mut State, call: CallId) -> Option<()> {
        let functions = &self.module.functions;
        let caller = state.frames.last()?;
        let call = functions[caller.function.index()].calls.get(call.index())?;
        let Callee::Function(id) = call.callee else { return None };
        if !self.plain_callees[id.index()]
            || state.frames.len() >= self.config.max_stack
            || !state.aliases.is_empty()
        {
            return None;
        }
        let function = &functions[id.index()];
        if call.arguments.len() != function.parameters.len() {
            return None;
        }
        let mut registers = Vec::with_capacity(function.registers as usize);
        for (Argument { value, width, copied, .. }, expected) in
            call.arguments.iter().zip(&function.parameters)
        {
            if width != expected || copied.is_some() {
                return None;
            }
            registers.push(known(&caller.registers, &self.constants, *value)?);
        }
        let mut frame = Frame::entering(id, function.registers as usize, registers);
        frame.called = true;
        // Where the caller is, whatever it executed before.
        let caller = state.frame_mut()?;
        if let Some(location) = functions[caller.function.index()].locations.get(caller.position as usize) {
            caller.location = *location;
        }
        state.frames.push(Rc::new(frame));
        Some(())
    }

    fn leave_plainly(&mut self, state: &mut State, first: u32, count: u32) -> Option<()> {
        let functions = &self.module.functions;
        let [.., caller, callee] = state.frames.as_mut_slice() else { return None };
        if !callee.called {
            return None;
        }
        let code = &functions[caller.function.index()];
        let Some(Instruction::Call(call)) = code.code.get(caller.position as usize) else { return None };
        let call = code.calls.get(call.index())?;
        let operands =
            functions[callee.function.index()].operands.get(first as usize..(first + count) as usize)?;
        if call.results.len() != operands.len() {
            return None;
        }
        let value = |operand: &Operand| known(&callee.registers, &self.constants, *operand);
        if !operands.iter().all(|operand| value(operand).is_some()) {
            return None;
        }
        let caller = Rc::make_mut(caller);
        for (to, value) in (call.to.0..).zip(operands.iter().filter_map(value)) {
            if let Some(place) = caller.registers.get_mut(Register(to).index()) {
                *place = value;
            }
        }
        caller.position += 1;
        if let Some(callee) = state.frames.pop() {
            callee.leave(&mut state.memory);
        }
        Some(())
    }
}
