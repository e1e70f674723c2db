//! The systems whose answers are compared: `rtcheck` in both of its modes, and others where they are installed.

use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::runs;

/// Seconds that one program may take.
const PATIENCE: &str = "60";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum System {
    /// `rtcheck run`.
    Lenient,
    /// `rtcheck run --iso`.
    Strict,
    Swi,
    Gnu,
}

impl System {
    pub(super) const OWN: [System; 2] = [System::Lenient, System::Strict];
    pub(super) const ALL: [System; 4] = [System::Lenient, System::Strict, System::Swi, System::Gnu];

    /// As the committed expectations call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            System::Lenient => "lenient",
            System::Strict => "strict",
            System::Swi => "swi",
            System::Gnu => "gnu",
        }
    }

    /// As readers call it, with its version.
    pub(super) fn title(self) -> Result<String, Error> {
        let version = |program: &str| {
            let output = process::output(Command::new(program).arg("--version"))?;
            // GNU Prolog tells it on standard error.
            let text = String::from_utf8_lossy(if output.stdout.is_empty() {
                &output.stderr
            } else {
                &output.stdout
            });
            let words = text.lines().next().unwrap_or_default().split_whitespace();
            let number = words.clone().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
            Ok::<_, Error>(number.unwrap_or("?").to_owned())
        };
        Ok(match self {
            System::Lenient => "`rtcheck`".to_owned(),
            System::Strict => "`rtcheck --iso`".to_owned(),
            System::Swi => format!("SWI-Prolog {} (`--traditional`)", version("swipl")?),
            System::Gnu => format!("GNU Prolog {}", version("gprolog")?),
        })
    }

    pub(super) fn is_installed(self) -> bool {
        match self {
            System::Lenient | System::Strict => true,
            System::Swi => runs("swipl"),
            System::Gnu => runs("gprolog"),
        }
    }

    /// What a program prints, whose initialization does everything.
    pub(super) fn output(self, programs: &Programs, scratch: &Scratch, file: &Path) -> Result<String, Error> {
        let mut command = Command::new("timeout");
        command.arg(PATIENCE);
        match self {
            System::Lenient => command.arg(programs.path("rtcheck")).arg("run").arg(file),
            System::Strict => command.arg(programs.path("rtcheck")).args(["run", "--iso"]).arg(file),
            System::Swi => command.args(["swipl", "--traditional", "-g", "halt"]).arg(file),
            System::Gnu => {
                command.args(["gprolog", "--consult-file"]).arg(file).args(["--query-goal", "halt"])
            }
        };
        if let Some(folder) = file.parent() {
            command.current_dir(folder);
        }
        scratch.guard(&mut command);
        Ok(String::from_utf8_lossy(&process::output(&mut command)?.stdout).into_owned())
    }
}
