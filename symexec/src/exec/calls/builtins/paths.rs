//! What concerns a path as a whole: whether it forks, where it meets others, what it may come back to.

use super::Arguments;
use crate::exec::{ErrorKind, Executor, PathError, State, Step};
use crate::memory::Value;

/// A function about the path that calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Paths {
    SetForking,
    Alias,
    Aside,
    OpenMerge,
    CloseMerge,
    Merge,
    SetJump,
    SetJumpOfSignals,
    LandingSignals,
    SetContext,
    MakeContext,
    ThreadVariable,
    BeginThread,
    Pad,
    Clause,
}

impl Paths {
    /// Under a name of KLEE's interface.
    pub(super) fn of_klee(name: &str) -> Option<Self> {
        Some(match name {
            "klee_set_forking" => Self::SetForking,
            "klee_alias_function" => Self::Alias,
            "klee_open_merge" => Self::OpenMerge,
            "klee_close_merge" => Self::CloseMerge,
            "klee_merge" => Self::Merge,
            _ => return None,
        })
    }

    /// Under a name that the program may define itself.
    pub(super) fn provided(name: &str) -> Option<Self> {
        Some(match name {
            "setjmp" | "_setjmp" | "__symexec_setjmp" => Self::SetJump,
            "sigsetjmp" | "__sigsetjmp" => Self::SetJumpOfSignals,
            "__symexec_landing_signals" => Self::LandingSignals,
            "__symexec_context_set" => Self::SetContext,
            "__symexec_context_make" => Self::MakeContext,
            "__symexec_thread_variable" => Self::ThreadVariable,
            "__symexec_thread_begin" => Self::BeginThread,
            "__symexec_aside" => Self::Aside,
            "__symexec_pad" => Self::Pad,
            "__symexec_clause" => Self::Clause,
            _ => return None,
        })
    }
}

impl Executor<'_> {
    /// What a function about the path gives back.
    pub(super) fn paths(
        &mut self,
        state: &mut State,
        function: Paths,
        arguments: &Arguments<'_>,
    ) -> Step<Option<Value>> {
        Ok(match function {
            Paths::SetForking => {
                state.forks = self.number(state, arguments.get(0)?, "switch of forking")? != 0;
                None
            }
            Paths::Alias => {
                self.alias(state, arguments.get(0)?.0, arguments.get(1)?.0)?;
                None
            }
            Paths::Aside => Some(self.aside(state)),
            Paths::OpenMerge => {
                self.open_meeting(state);
                None
            }
            Paths::CloseMerge => {
                self.close_meeting(state)?;
                None
            }
            Paths::Merge => {
                self.wait_for_all(state)?;
                None
            }
            Paths::SetJump => {
                self.set_jump(state, arguments.get(0)?.0, false)?;
                Some(Value::Bits(0))
            }
            Paths::SetJumpOfSignals => {
                let keeps = self.number(state, arguments.get(1)?, "switch of kept signals")? != 0;
                self.set_jump(state, arguments.get(0)?.0, keeps)?;
                Some(Value::Bits(0))
            }
            Paths::LandingSignals => Some(self.landing_signals(state, arguments.get(0)?.0)?),
            Paths::SetContext => {
                self.set_context(state, arguments.get(0)?.0)?;
                None
            }
            Paths::MakeContext => {
                let [mark, stack, first] = [0, 1, 2].map(|place| arguments.get(place));
                let rest = arguments.values.get(3..).unwrap_or_default();
                self.make_context(state, mark?.0, stack?.0, first?.0, rest)?;
                None
            }
            Paths::ThreadVariable => {
                let place = self.number(state, arguments.get(0)?, "place of a thread's variable")?;
                Some(self.thread_variable(state, place, arguments.get(1)?.0)?)
            }
            Paths::BeginThread => {
                self.begin_thread(state);
                None
            }
            Paths::Pad => {
                let below = self.number(state, arguments.get(0)?, "number of an activation")?;
                Some(Value::Bits(self.next_pad(state, below)))
            }
            Paths::Clause => {
                let activation = self.number(state, arguments.get(0)?, "number of an activation")?;
                let number = self.number(state, arguments.get(1)?, "number of a clause")?;
                Some(Value::Bits(u64::from(self.clause(state, activation, number, arguments.get(2)?.0)?)))
            }
        })
    }

    /// Lets calls of one function go to another from here on, or, where both are one, to itself again.
    fn alias(&mut self, state: &mut State, from: Value, to: Value) -> Step<()> {
        let (from, to) = (self.text(state, from)?, self.text(state, to)?);
        let refuse = |what: String| {
            Err(PathError::new(ErrorKind::User, format!("klee_alias_function: {what}")).into())
        };
        let Some(old) = self.module.function(&from) else {
            return refuse(format!("there is no function @{from}"));
        };
        let Some(new) = self.module.function(&to) else {
            return refuse(format!("there is no function @{to}"));
        };
        if old == new {
            state.aliases.remove_mut(&old);
        } else if self.module.are_alike(old, new) {
            state.aliases.insert_mut(old, new);
        } else {
            return refuse(format!("@{from} and @{to} differ in what they take or give"));
        }
        Ok(())
    }
}
