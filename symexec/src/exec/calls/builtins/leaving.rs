//! Functions that do not come back: they end the path, or it goes on elsewhere.

use super::Arguments;
use crate::exec::calls::panics::{self, Panic};
use crate::exec::{Ending, ErrorKind, Executor, PathError, State, Step, Stop};

/// A function behind whose call the path does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Leaving {
    Abort,
    ReportError,
    AssertFail,
    SilentExit,
    Exit,
    Jump,
    Land,
    Context,
    Panic(Panic),
    Fail,
}

impl Leaving {
    /// Under a name of KLEE's interface, or one by which Rust's programs panic.
    pub(super) fn of_klee(name: &str) -> Option<Self> {
        Some(match name {
            "klee_abort" => Self::Abort,
            "klee_report_error" => Self::ReportError,
            "klee_silent_exit" => Self::SilentExit,
            _ => return panics::find(name).map(Self::Panic),
        })
    }

    /// Under a name that the program may define itself.
    pub(super) fn provided(name: &str) -> Option<Self> {
        Some(match name {
            "abort" => Self::Abort,
            "exit" | "_exit" | "_Exit" => Self::Exit,
            "__assert_fail" | "__assert_rtn" | "_assert" | "__assert" | "klee_assert_fail" => {
                Self::AssertFail
            }
            "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" | "__symexec_longjmp" => Self::Jump,
            "__symexec_land" => Self::Land,
            "__symexec_context_go" => Self::Context,
            "__symexec_fail" => Self::Fail,
            _ => return None,
        })
    }
}

impl Executor<'_> {
    /// Ends the path with what the function says, or lets it go on elsewhere.
    pub(super) fn leaving(
        &mut self,
        state: &mut State,
        function: Leaving,
        arguments: &Arguments<'_>,
    ) -> Step<()> {
        match function {
            Leaving::Abort => Err(PathError::new(ErrorKind::Abort, "abort failure").into()),
            Leaving::ReportError => {
                let message = self.text(state, arguments.get(2)?.0)?;
                let suffix = self.text(state, arguments.get(3)?.0)?;
                // Some programs say `kind.err`, as the file is to be called.
                let suffix = suffix.strip_suffix(".err").unwrap_or(&suffix).to_owned();
                let named = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
                let plain = !suffix.is_empty() && !suffix.starts_with('.') && suffix.bytes().all(named);
                // What the runtime finds is told of where the program called it.
                self.leave_runtime(state);
                let error = PathError::new(ErrorKind::Report, message);
                Err(PathError { suffix: plain.then_some(suffix), ..error }.into())
            }
            Leaving::AssertFail => {
                let message = self.text(state, arguments.get(0)?.0)?;
                Err(PathError::new(ErrorKind::Assert, format!("ASSERTION FAIL: {message}")).into())
            }
            Leaving::SilentExit => Err(Stop::Ended(Ending::Silent)),
            Leaving::Exit => Err(Stop::Ended(Ending::Exit)),
            Leaving::Jump => self.jump(state, arguments.get(0)?.0, arguments.get(1)?),
            Leaving::Land => {
                let activation = self.number(state, arguments.get(0)?, "number of an activation")?;
                self.land(state, activation, arguments.get(1)?.0, arguments.get(2)?.0)
            }
            Leaving::Context => {
                let ends = self.number(state, arguments.get(1)?, "switch of an ended stack")? != 0;
                self.go_to_context(state, arguments.get(0)?.0, ends)
            }
            Leaving::Panic(panic) => self.panic(state, panic, arguments.values),
            Leaving::Fail => {
                let kind = self.number(state, arguments.get(0)?, "kind of an error")?;
                self.fail(state, kind, arguments.get(1)?.0, arguments.get(2)?.0)
            }
        }
    }
}
