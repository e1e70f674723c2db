//! Which solver answers.

/// The version of Z3 that is linked.
pub const SOLVER_VERSION: &str = "5.4.0";

/// The worker's option that names another solver's family and program.
pub const PROGRAM_FLAG: &str = "--program";

/// Solvers that are talked to in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Z3, of any version from 4.8 on.
    Z3,
    /// cvc5.
    Cvc5,
}

impl Family {
    /// Its name in keys and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Z3 => "z3",
            Self::Cvc5 => "cvc5",
        }
    }
}

impl std::str::FromStr for Family {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        [Self::Z3, Self::Cvc5].into_iter().find(|family| name.eq_ignore_ascii_case(family.name())).ok_or(())
    }
}

/// The solver that answers; part of every key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Its family.
    pub family: Family,
    /// Its version: for a program all that it says of itself.
    pub version: String,
}

impl Engine {
    /// The linked Z3.
    #[must_use]
    pub fn linked() -> Self {
        Self { family: Family::Z3, version: SOLVER_VERSION.to_owned() }
    }

    /// The solver whose program said this when it was asked for its version, if it is one of those that are known:
    /// `Z3 version 4.13.0 - 64 bit`, `This is cvc5 version 1.2.0 [...]`.
    #[must_use]
    pub fn of_version(said: &str) -> Option<Self> {
        let line = said.lines().next()?.trim();
        let mut words = line.split_whitespace();
        let family = words.by_ref().find_map(|word| word.parse().ok())?;
        (words.next() == Some("version")).then(|| Self { family, version: line.to_owned() })
    }
}
