//! Which solvers answer: the linked Z3, or programs that are talked to in SMT-LIB 2.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use super::Z3_VERSION;
use crate::base::system::System;

/// The worker's option that names another solver's family and program.
pub const PROGRAM_FLAG: &str = "--program";

/// The worker's option for the lie of answering with the answer before; known only where faults can be planted.
#[cfg(feature = "plant")]
pub const LATE_FLAG: &str = "--late";

/// How long a solver may take to say which version it is, also on a machine that has much else to do.
const TO_SAY_VERSION: Duration = Duration::from_secs(60);

/// Solvers whose programs are talked to in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Bitwuzla, of any version that reads SMT-LIB 2 from its standard input and knows `reset`.
    Bitwuzla,
    /// Yices 2 (`yices-smt2`).
    Yices,
}

reprise_tools::names!(Family, "solver": Bitwuzla = "bitwuzla", Yices = "yices");

impl Family {
    /// The name of its program, and the variable that names another one.
    fn program(self) -> (&'static str, &'static str) {
        match self {
            Self::Bitwuzla => ("bitwuzla", "SYMEXEC_BITWUZLA"),
            Self::Yices => ("yices-smt2", "SYMEXEC_YICES"),
        }
    }
}

/// Who is asked, as command lines say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The linked Z3.
    #[default]
    Z3,
    /// Bitwuzla's program.
    Bitwuzla,
    /// That of Yices.
    Yices,
    /// Z3, and for questions that take it long every other one that is there.
    Race,
}

reprise_tools::names!(
    Choice, "solver":
    Z3 = "z3", Bitwuzla = "bitwuzla", Yices = "yices", Race = "race"
);

/// A solver that answers; part of every key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Engine {
    /// Its family, program and what the program says of its version; the linked Z3 if absent.
    pub program: Option<(Family, PathBuf, String)>,
}

impl Engine {
    /// What stands for it in keys.
    #[must_use]
    pub fn identity(&self) -> String {
        match &self.program {
            None => Z3_VERSION.to_owned(),
            Some((family, _, version)) => format!("{family} {version}, {Z3_VERSION}"),
        }
    }

    /// Its worker's arguments.
    #[must_use]
    pub fn arguments(&self) -> Vec<OsString> {
        match &self.program {
            None => Vec::new(),
            Some((family, program, _)) => {
                vec![PROGRAM_FLAG.into(), family.name().into(), program.clone().into()]
            }
        }
    }
}

impl Choice {
    /// The solvers that are meant, the one that is asked first at the front. Programs are found by their usual names
    /// among those of the system, or where `SYMEXEC_BITWUZLA` and `SYMEXEC_YICES` say.
    ///
    /// # Errors
    /// A message if a program that was asked for cannot be started, and what to do.
    pub fn engines(self, system: &dyn System) -> Result<Vec<Engine>, String> {
        let one = |family| {
            let engine = program(system, family)
                .map_err(|error| format!("{error}\n`cargo xtask setup --solvers` fetches it"))?;
            Ok(vec![engine])
        };
        match self {
            Self::Z3 => Ok(vec![Engine::default()]),
            Self::Bitwuzla => one(Family::Bitwuzla),
            Self::Yices => one(Family::Yices),
            Self::Race => {
                let (found, missing): (Vec<_>, Vec<_>) =
                    Family::ALL.into_iter().map(|family| program(system, family)).partition(Result::is_ok);
                if found.is_empty() {
                    let missing: Vec<String> = missing.into_iter().filter_map(Result::err).collect();
                    return Err(format!(
                        "nobody races with Z3: {}\n`cargo xtask setup --solvers` fetches them",
                        missing.join("; ")
                    ));
                }
                Ok([Engine::default()].into_iter().chain(found.into_iter().flatten()).collect())
            }
        }
    }
}

/// The program of a family, asked for its version.
fn program(system: &dyn System, family: Family) -> Result<Engine, String> {
    let (name, variable) = family.program();
    let program: OsString = system.environment(variable).map_or_else(|| name.into(), Into::into);
    let shown = program.display();
    let said = system.said_by(program.as_ref(), &["--version"], TO_SAY_VERSION).map_err(|error| {
        format!("{shown} does not tell its version ({error}; {variable} names another one)")
    })?;
    let said = String::from_utf8_lossy(&said);
    match said.lines().next().map(str::trim) {
        Some(version) if !version.is_empty() => {
            Ok(Engine { program: Some((family, program.into(), version.to_owned())) })
        }
        _ => Err(format!("{shown} does not tell its version ({variable} names another one)")),
    }
}
