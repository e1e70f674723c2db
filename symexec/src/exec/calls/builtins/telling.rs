//! What a program says: warnings, values shown to the user, and its output.

use super::Arguments;
use crate::base::bits::BinaryOp;
use crate::exec::access::pointers::Offset;
use crate::exec::environment::{Entry, Environment};
use crate::exec::{Executor, State, Step};
use crate::expr::ExprId;
use crate::memory::Value;

/// A function that tells somebody something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Telling {
    Warning,
    WarningOnce,
    PrintValue,
    PrintRange,
    PrintCondition,
    StackTrace,
    Write,
}

impl Telling {
    /// Under a name of KLEE's interface.
    pub(super) fn of_klee(name: &str) -> Option<Self> {
        Some(match name {
            "klee_warning" => Self::Warning,
            "klee_warning_once" => Self::WarningOnce,
            "klee_print_expr" => Self::PrintValue,
            "klee_print_range" => Self::PrintRange,
            "klee_dump_kquery_var" => Self::PrintCondition,
            "klee_stack_trace" => Self::StackTrace,
            _ => return None,
        })
    }

    /// Under a name that the program may define itself.
    pub(super) fn provided(name: &str) -> Option<Self> {
        (name == "__symexec_write").then_some(Self::Write)
    }
}

impl Executor<'_> {
    /// What a function that tells something gives back.
    pub(super) fn telling(
        &mut self,
        state: &mut State,
        function: Telling,
        arguments: &Arguments<'_>,
    ) -> Step<Option<Value>> {
        Ok(match function {
            Telling::Warning | Telling::WarningOnce => {
                let text = self.text(state, arguments.get(0)?.0)?;
                let (caller, _) = state.position();
                let text = format!("{}: {text}", self.module.functions[caller.index()].name);
                if function == Telling::Warning {
                    self.observer().warn(&text);
                } else {
                    self.warn_once(&text);
                }
                None
            }
            Telling::PrintValue | Telling::PrintRange => {
                let text = self.text(state, arguments.get(0)?.0)?;
                self.print_value(state, &text, arguments.get(1)?, function == Telling::PrintRange)?;
                None
            }
            Telling::PrintCondition => {
                self.print_condition(state);
                None
            }
            Telling::StackTrace => {
                self.print_stack(state);
                None
            }
            // All output is taken.
            Telling::Write => {
                self.written(state, arguments.get(0)?.0, arguments.get(1)?.0, arguments.get(2)?)?;
                Some(arguments.get(2)?.0)
            }
        })
    }

    /// Whether the observer is shown what is written to a descriptor: not where that is a file.
    fn echoes(&self, descriptor: u64) -> bool {
        let is_file = |environment: &Environment| environment.entries.contains(&Entry::Output);
        self.config.echo && !(descriptor == 1 && self.config.environment.as_ref().is_some_and(is_file))
    }

    /// Output: its bytes must be there, whoever looks at them. The observer is shown what is known.
    fn written(
        &mut self,
        state: &mut State,
        descriptor: Value,
        from: Value,
        (count, width): (Value, u32),
    ) -> Step<()> {
        let count = match count {
            Value::Bits(count) => count,
            count => {
                let count = self.expression(state, count, width);
                let count = self.wide(count);
                self.readable(state, from, count)?;
                if let Value::Bits(descriptor) = descriptor
                    && self.echoes(descriptor)
                {
                    self.observer().output(descriptor, b"?");
                }
                return Ok(());
            }
        };
        if count == 0 {
            return Ok(());
        }
        match descriptor {
            Value::Bits(descriptor) if self.echoes(descriptor) => {
                let bytes = self.known_bytes(state, from, count, b'?')?;
                self.observer().output(descriptor, &bytes);
            }
            _ => {
                self.place(state, from, count, false)?;
            }
        }
        Ok(())
    }

    /// Checks a read of an unknown number of bytes, without a state for each number. None is always fine.
    fn readable(&mut self, state: &mut State, from: Value, count: ExprId) -> Step<()> {
        let zero = self.arena.constant(64, 0);
        let none = self.arena.equal(zero, count);
        let live = matches!(from, Value::Pointer { object, .. } if self.usable(state, object, false).is_ok());
        // Only what cannot fail for other reasons needs no path of its own for nothing at all.
        if !live && self.decide(state, none)? {
            return Ok(());
        }
        let (object, offset) = self.resolve(state, from)?;
        self.usable(state, object, false)?;
        let found = state.memory.object(object).map(|object| (object.size, object.length));
        let (size, length) = found.unwrap_or_default();
        // The length of a text in its object is known to fit without a question.
        if let (Offset::Known(start), None) = (offset, length)
            && let Some(left) = size.checked_sub(start)
        {
            let (least, most) = self.arena.range(count);
            if least >= 0 && most <= i128::from(left) {
                return Ok(());
            }
        }
        let size = length.unwrap_or_else(|| self.arena.constant(64, size));
        let start = match offset {
            Offset::Known(offset) => self.arena.constant(64, offset),
            Offset::Unknown(offset) => offset,
        };
        // Outside if the start is, or if more is wanted than there is from there.
        let left = self.arena.binary(BinaryOp::Sub, size, start);
        let starts_outside = self.arena.less(size, start);
        let too_many = self.arena.less(left, count);
        let outside = self.arena.binary(BinaryOp::Or, starts_outside, too_many);
        let some = self.arena.not(none);
        let outside = self.arena.and(some, outside);
        if self.fails(state, outside)? {
            let mut error = self.out_of_bounds(state, object, offset, 0);
            error.details.pop();
            error.details.push("access: an unknown number of bytes".to_owned());
            return Err(error.into());
        }
        Ok(())
    }
}
