//! Functions of KLEE's interface that look at values, say something, or prefer some tests to others.

use std::fmt::Write;
use std::rc::Rc;

use crate::base::bits::Bits;
use crate::exec::{Ending, ErrorKind, Executor, Frame, PathError, Shown, State, Step, Stop};
use crate::expr::{ExprId, FIRST_MARKER};
use crate::memory::{Kind, NewObject, Value};
use crate::module::LocationId;
use crate::solver::condition::Condition;

impl Executor<'_> {
    /// `klee_choose(n)`: an input below n.
    pub(in crate::exec) fn choose_below(&mut self, state: &mut State, limit: (Value, u32)) -> Step<Value> {
        let limit = self.expression(state, limit.0, limit.1);
        let bytes = self.new_input(state, "klee_choose", 8)?;
        let mut whole = None;
        for byte in bytes {
            whole = Some(match whole {
                None => byte,
                Some(low) => self.arena.concat(byte, low),
            });
        }
        let Some(value) = whole else { return Ok(Value::Bits(0)) };
        let inside = self.arena.less(value, limit);
        // There is no number below zero.
        if self.require(state, inside)?.is_none() {
            return Err(Stop::Ended(Ending::Silent));
        }
        Ok(Value::Expr(value))
    }

    /// `klee_prefer_cex`: a condition that tests of this path should fulfil if they can.
    pub(in crate::exec) fn prefer(&mut self, state: &mut State, (value, width): (Value, u32)) {
        let value = self.expression(state, value, width);
        let zero = self.arena.constant(width, 0);
        let fails = self.arena.equal(zero, value);
        let holds = self.arena.not(fails);
        if !self.arena.is_true(holds) && !self.arena.is_false(holds) {
            Rc::make_mut(&mut state.preferences).push(holds);
        }
    }

    /// What the constraints and as many preferences as possible say, older preferences first.
    pub(in crate::exec) fn preferred(&mut self, state: &State) -> Vec<ExprId> {
        let mut constraints = state.constraints.to_vec();
        for preference in state.preferences.iter() {
            // One that cannot be decided is left out.
            if self.solver.may_hold(&mut self.arena, &constraints, *preference).unwrap_or(false) {
                constraints.push(*preference);
            }
        }
        constraints
    }

    /// `klee_print_expr`: a value, or the expression in KLEE's language; `klee_print_range` adds the least
    /// and the greatest value that it can have.
    pub(in crate::exec) fn print_value(
        &mut self,
        state: &mut State,
        text: &str,
        (value, width): (Value, u32),
        range: bool,
    ) -> Step<()> {
        let line = match value {
            Value::Bits(bits) => format!("{text}:{bits}"),
            Value::Pointer { .. } => format!("{text}:{}", self.describe(state, value)),
            Value::Expr(expr) => {
                let written = self.condition(state, &[expr]).first();
                let written = written.unwrap_or_else(|_| format!("(a number of {width} bits)"));
                if range {
                    let least = self.solver.least_value(&mut self.arena, &state.constraints, expr)?;
                    let opposite = self.arena.not(expr);
                    let greatest = self.solver.least_value(&mut self.arena, &state.constraints, opposite)?;
                    let (least, greatest) = (number(&least), number(&greatest.not()));
                    if least == greatest {
                        format!("{text}:{written} == {least}")
                    } else {
                        format!("{text}:{written} ~= {least} (in [{least}, {greatest}])")
                    }
                } else {
                    format!("{text}:{written}")
                }
            }
        };
        self.observer().print(&line);
        Ok(())
    }

    /// `klee_dump_kquery_var`: what holds on this path, in KLEE's language.
    pub(in crate::exec) fn print_condition(&mut self, state: &State) {
        let constraints = Rc::clone(&state.constraints);
        let text = match self.condition(state, &constraints).kquery() {
            Ok(text) => text,
            Err(error) => format!("the path's condition cannot be printed: {error}"),
        };
        self.observer().print(text.trim_end());
    }

    /// Expressions over the inputs of a path, to be written.
    pub(in crate::exec) fn condition(&mut self, state: &State, expressions: &[ExprId]) -> Condition {
        let inputs: Vec<_> = state.inputs.iter().map(|input| input.array).collect();
        Condition::new(&mut self.arena, expressions, &inputs)
    }

    /// A value for users to read.
    pub(in crate::exec) fn describe(&self, state: &State, value: Value) -> String {
        match value {
            Value::Bits(bits) => bits.to_string(),
            Value::Pointer { object, offset } => {
                let base = state.memory.object(object).map(|object| object.base);
                base.map_or_else(
                    || "a pointer".to_owned(),
                    |base| format!("{:#x}", base.wrapping_add(offset)),
                )
            }
            Value::Expr(_) => "symbolic".to_owned(),
        }
    }

    /// The values with which the functions on the stack were called, innermost first.
    pub(in crate::exec) fn stack_values(&self, state: &State) -> Vec<Vec<String>> {
        let values = |frame: &Rc<Frame>| {
            let Some(function) = self.module.functions.get(frame.function.index()) else { return Vec::new() };
            let count = function.parameters.len();
            let named = |(place, value): (usize, &Value)| {
                let text = self.describe(state, *value);
                match function.names.get(place).copied().flatten() {
                    Some(name) => format!("{}={text}", self.module.text(name)),
                    None => text,
                }
            };
            frame.registers.iter().take(count).enumerate().map(named).collect()
        };
        state.frames.iter().rev().map(values).collect()
    }

    /// The lines of the activations' places in the program's text in LLVM's assembly language, innermost
    /// first; none without that text.
    pub(in crate::exec) fn assembly_lines(&self, state: &State) -> Vec<u32> {
        let line = |frame: &Rc<Frame>| {
            let function = self.module.functions.get(frame.function.index())?;
            function.assembly.get(frame.position as usize).or_else(|| function.assembly.last()).copied()
        };
        state.frames.iter().rev().map_while(line).collect()
    }

    /// Shows the instruction at which a state is, unless it was shown before a choice that it made. What
    /// belongs to one instruction of LLVM's is shown once.
    pub(in crate::exec) fn show(&mut self, state: &mut State) {
        if std::mem::replace(&mut state.shown, true) {
            return;
        }
        let (function, position) = state.position();
        let function = &self.module.functions[function.index()];
        let line = |position: u32| function.assembly.get(position as usize).copied();
        let before = position.checked_sub(1).and_then(line);
        let Some(line) = line(position).filter(|line| before != Some(*line)) else { return };
        let location = state.frames.last().map_or(LocationId(0), |frame| frame.location);
        let (module, shown) = (self.module, Shown { state: state.id, line, location });
        self.observer().instruction(module, &shown);
    }

    /// The line of the place where a state is in the program's text; 0 without that text.
    pub(in crate::exec) fn line(&self, state: &State) -> u32 {
        let (function, position) = state.position();
        let lines = self.module.functions.get(function.index()).map(|function| &function.assembly);
        lines.and_then(|lines| lines.get(position as usize)).copied().unwrap_or(0)
    }

    /// `klee_check_memory_access`.
    pub(in crate::exec) fn check_access(&mut self, state: &mut State, pointer: Value, size: u64) -> Step<()> {
        self.place(state, pointer, size, false).map(|_| ()).map_err(|stop| match stop {
            Stop::Ended(Ending::Error(error)) if error.kind == ErrorKind::Ptr => {
                let message = "check_memory_access: memory error".to_owned();
                Stop::Ended(Ending::Error(PathError { message, ..error }))
            }
            stop => stop,
        })
    }

    /// `klee_stack_trace`, on standard output as in KLEE.
    pub(in crate::exec) fn print_stack(&mut self, state: &State) {
        let lines = self.assembly_lines(state);
        let mut text = String::new();
        for (depth, ((function, location), values)) in
            state.stack().into_iter().zip(self.stack_values(state)).enumerate()
        {
            let name = self.module.functions.get(function.index()).map_or("?", |it| it.name.as_str());
            let line = lines.get(depth).map_or_else(String::new, |line| format!("{line:08}"));
            let _ = write!(text, "\t#{depth}{line} in {name}({})", values.join(", "));
            let place = self.module.locations.get(location.index()).filter(|place| place.line > 0);
            if let Some((file, line)) = place.and_then(|place| Some((place.file?, place.line))) {
                let _ = write!(text, " at {}:{line}", self.module.text(file));
            }
            text.push('\n');
        }
        self.observer().output(1, text.as_bytes());
    }

    /// `klee_define_fixed_object`: an object at a place of the program's choice.
    pub(in crate::exec) fn define_object(&mut self, state: &mut State, place: Value, size: u64) -> Step<()> {
        let wrong = |text: &str| Err(PathError::new(ErrorKind::User, text).into());
        let Value::Bits(base) = place else {
            return wrong("klee_define_fixed_object: the address is not a known number");
        };
        if size == 0
            || size > crate::exec::access::LARGEST_OBJECT
            || base.checked_add(size).is_none_or(|end| end > FIRST_MARKER)
        {
            return wrong("klee_define_fixed_object: the size does not fit");
        }
        let site = state.frames.last().map_or(LocationId(0), |frame| frame.location);
        let new = NewObject { kind: Kind::Global, size, alignment: 1, site };
        match state.memory.define(base, new) {
            Some(_) => Ok(()),
            None => wrong("klee_define_fixed_object: another object lies there"),
        }
    }
}

fn number(bits: &Bits) -> String {
    bits.to_u64().map_or_else(|| "more than 64 bits".to_owned(), |number| number.to_string())
}
