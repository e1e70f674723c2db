//! What a program says of the unknown: inputs, what is assumed of them, and values chosen for them.

use std::rc::Rc;

use super::Arguments;
use crate::exec::access::allocate::points_nowhere;
use crate::exec::inputs::UNNAMED;
use crate::exec::{Ending, ErrorKind, Executor, PathError, State, Step, Stop};
use crate::memory::Value;

/// A function about unknown values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Unknown {
    MakeSymbolic,
    MakeInput,
    Assume,
    IsSymbolic,
    GetValue,
    PreferCex,
    Choose,
    Int,
    Range,
}

impl Unknown {
    /// Under a name of KLEE's interface.
    pub(super) fn of_klee(name: &str) -> Option<Self> {
        Some(match name {
            "klee_make_symbolic" => Self::MakeSymbolic,
            "klee_assume" => Self::Assume,
            "klee_is_symbolic" => Self::IsSymbolic,
            "klee_get_valuef" | "klee_get_valued" | "klee_get_valuel" | "klee_get_valuell"
            | "klee_get_value_i32" | "klee_get_value_i64" => Self::GetValue,
            "klee_prefer_cex" => Self::PreferCex,
            "klee_choose" => Self::Choose,
            "klee_int" => Self::Int,
            "klee_range" => Self::Range,
            _ => return None,
        })
    }

    /// Under a name that the program may define itself.
    pub(super) fn provided(name: &str) -> Option<Self> {
        (name == "__symexec_make_input").then_some(Self::MakeInput)
    }
}

impl Executor<'_> {
    /// What a function about unknown values gives back.
    pub(super) fn unknown(
        &mut self,
        state: &mut State,
        function: Unknown,
        arguments: &Arguments<'_>,
    ) -> Step<Option<Value>> {
        Ok(match function {
            Unknown::MakeSymbolic => {
                let whole = self.whole_size(state, arguments.get(0)?.0, arguments.get(1)?);
                let size = match whole.map_err(|stop| points_nowhere(stop, "make_symbolic"))? {
                    Some(size) => size,
                    None => self.number(state, arguments.get(1)?, "size of an input")?,
                };
                let name = match arguments.values.get(2) {
                    Some(name) => self.input_name(state, *name)?,
                    None => UNNAMED.to_owned(),
                };
                self.make_symbolic(state, arguments.get(0)?.0, size, &name, None)?;
                None
            }
            Unknown::MakeInput => {
                let size = self.number(state, arguments.get(1)?, "size of an input")?;
                let name = self.text(state, arguments.get(2)?.0)?;
                let shape = match arguments.get(3)?.0 {
                    Value::Bits(0) => None,
                    shape => Some(Rc::from(self.known_bytes(state, shape, size, b'?')?)),
                };
                self.make_symbolic(state, arguments.get(0)?.0, size, &name, shape.as_ref())?;
                None
            }
            Unknown::Assume => {
                let (value, width) = arguments.get(0)?;
                let value = self.expression(state, value, width);
                let zero = self.arena.constant(width, 0);
                let fails = self.arena.equal(zero, value);
                let holds = self.arena.not(fails);
                if self.require(state, holds)?.is_none() {
                    if self.config.silent_assumptions {
                        return Err(Stop::Ended(Ending::Silent));
                    }
                    let message = "invalid klee_assume call (provably false)";
                    return Err(PathError::new(ErrorKind::User, message).into());
                }
                None
            }
            Unknown::IsSymbolic => {
                let unknown = match arguments.get(0)?.0 {
                    // What is computed from addresses alone is a number.
                    Value::Expr(expr) => {
                        let number = self.arena.concrete(expr);
                        self.arena.as_bits(number).is_none()
                    }
                    Value::Bits(_) | Value::Pointer { .. } => false,
                };
                Some(Value::Bits(u64::from(unknown)))
            }
            Unknown::GetValue => {
                let (value, width) = arguments.get(0)?;
                let value = self.expression(state, value, width);
                self.resolve_merged(state, value)?;
                let least = self.chosen_value(state, value)?;
                let least = self.arena.bits(&least);
                Some(self.value(least))
            }
            Unknown::PreferCex => {
                self.prefer(state, arguments.get(1)?);
                None
            }
            Unknown::Choose => Some(self.choose_below(state, arguments.get(0)?)?),
            Unknown::Int => {
                let name = self.input_name(state, arguments.get(0)?.0)?;
                Some(self.symbolic_int(state, &name)?)
            }
            Unknown::Range => {
                Some(self.range(state, arguments.get(0)?, arguments.get(1)?, arguments.get(2)?.0)?)
            }
        })
    }
}
