//! Flags of run-time checking, named and valued as Ciao's.

use super::Machine;
use crate::machine::{Address, PredicateId};
use crate::term::{Atom, Cell, Tag};

/// Which calls are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckLevel {
    /// All.
    #[default]
    Inner,
    /// Those from other modules.
    Exports,
}

/// What is told of the call that violated an assertion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallLocation {
    /// Nothing.
    No,
    /// The clause that called.
    #[default]
    Predicate,
    /// And the literal in it.
    Literal,
}

/// What happens when an assertion is violated and the program does not intercept the signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnViolation {
    /// The goal throws `rtcheck/6`.
    #[default]
    Throw,
    /// A message is printed and the goal goes on.
    Report,
    /// The violation is kept for `recorded_violation/1` and the end of the run, and the goal goes on.
    Record,
}

/// The flags. Those up to `test` matter when a program is loaded, the others while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own, as in Ciao")]
pub struct CheckFlags {
    /// `rtchecks_level`.
    pub level: CheckLevel,
    /// `rtchecks_trust`: whether `trust` assertions are checked.
    pub trust: bool,
    /// `rtchecks_entry`: whether `entry` assertions are checked.
    pub entry: bool,
    /// `rtchecks_exit`: whether `exit` assertions are checked.
    pub exit: bool,
    /// `rtchecks_test`: whether `test` assertions are checked as others are.
    pub test: bool,
    /// `runtime_checks`: whether anything is checked.
    pub checks: bool,
    /// `rtchecks_asrloc`: whether violations tell the assertion's place.
    pub assertion_locations: bool,
    /// `rtchecks_predloc`: whether violations tell the predicate's place.
    pub predicate_locations: bool,
    /// `rtchecks_callloc`.
    pub call_locations: CallLocation,
    /// `rtchecks_namefmt`: whether messages give variables their names and values.
    pub long_names: bool,
    /// `on_violation`.
    pub on_violation: OnViolation,
    /// Whether a property's status is shared by all conditions that mention it, as section 4 of the paper proposes;
    /// the older transformation evaluates it for each of them again.
    pub shares: bool,
}

impl Default for CheckFlags {
    fn default() -> Self {
        Self {
            level: CheckLevel::Inner,
            trust: true,
            entry: true,
            exit: true,
            test: false,
            checks: true,
            assertion_locations: true,
            predicate_locations: true,
            call_locations: CallLocation::Predicate,
            long_names: true,
            on_violation: OnViolation::Throw,
            shares: true,
        }
    }
}

impl CheckFlags {
    /// These flags, but how texts are loaded is as in others.
    #[must_use]
    pub fn with_loading_of(self, other: Self) -> Self {
        let Self { level, trust, entry, exit, test, .. } = other;
        Self { level, trust, entry, exit, test, ..self }
    }

    /// Every flag's name with its possible values; the first is the default.
    pub const ALL: &[(&str, &[&str])] = &[
        ("runtime_checks", &["yes", "no"]),
        ("rtchecks_level", &["inner", "exports"]),
        ("rtchecks_trust", &["yes", "no"]),
        ("rtchecks_entry", &["yes", "no"]),
        ("rtchecks_exit", &["yes", "no"]),
        ("rtchecks_test", &["no", "yes"]),
        ("rtchecks_asrloc", &["yes", "no"]),
        ("rtchecks_predloc", &["yes", "no"]),
        ("rtchecks_callloc", &["predicate", "no", "literal"]),
        ("rtchecks_namefmt", &["long", "short"]),
        ("on_violation", &["throw", "report", "record"]),
    ];

    /// The value of a flag; `None` if there is no such flag.
    #[must_use]
    pub fn get(&self, flag: &str) -> Option<&'static str> {
        let yes = |value: bool| if value { "yes" } else { "no" };
        Some(match flag {
            "runtime_checks" => yes(self.checks),
            "rtchecks_level" => match self.level {
                CheckLevel::Inner => "inner",
                CheckLevel::Exports => "exports",
            },
            "rtchecks_trust" => yes(self.trust),
            "rtchecks_entry" => yes(self.entry),
            "rtchecks_exit" => yes(self.exit),
            "rtchecks_test" => yes(self.test),
            "rtchecks_asrloc" => yes(self.assertion_locations),
            "rtchecks_predloc" => yes(self.predicate_locations),
            "rtchecks_callloc" => match self.call_locations {
                CallLocation::No => "no",
                CallLocation::Predicate => "predicate",
                CallLocation::Literal => "literal",
            },
            "rtchecks_namefmt" => {
                if self.long_names {
                    "long"
                } else {
                    "short"
                }
            }
            "on_violation" => match self.on_violation {
                OnViolation::Throw => "throw",
                OnViolation::Report => "report",
                OnViolation::Record => "record",
            },
            _ => return None,
        })
    }

    /// Sets a flag; false if it has no such value, `None` if there is no such flag.
    pub fn set(&mut self, flag: &str, value: &str) -> Option<bool> {
        let (_, values) = Self::ALL.iter().find(|(name, _)| *name == flag)?;
        if !values.contains(&value) {
            return Some(false);
        }
        let yes = value == "yes";
        match flag {
            "runtime_checks" => self.checks = yes,
            "rtchecks_level" => {
                self.level = if value == "inner" { CheckLevel::Inner } else { CheckLevel::Exports };
            }
            "rtchecks_trust" => self.trust = yes,
            "rtchecks_entry" => self.entry = yes,
            "rtchecks_exit" => self.exit = yes,
            "rtchecks_test" => self.test = yes,
            "rtchecks_asrloc" => self.assertion_locations = yes,
            "rtchecks_predloc" => self.predicate_locations = yes,
            "rtchecks_callloc" => {
                self.call_locations = match value {
                    "no" => CallLocation::No,
                    "predicate" => CallLocation::Predicate,
                    _ => CallLocation::Literal,
                };
            }
            "rtchecks_namefmt" => self.long_names = value == "long",
            _ => {
                self.on_violation = match value {
                    "throw" => OnViolation::Throw,
                    "report" => OnViolation::Report,
                    _ => OnViolation::Record,
                };
            }
        }
        Some(true)
    }
}

/// The wrappers of a predicate with assertions, for calls in its module and from other modules.
#[derive(Clone, Copy, Debug)]
pub(in crate::machine) struct Wrappers {
    predicate: PredicateId,
    inner: Option<Address>,
    exported: Option<Address>,
    /// Its text asks for checks, whatever the flag says.
    asked_for: bool,
}

impl Machine {
    /// Sets a flag of run-time checking. `None` if there is no such flag, false if it has no such value.
    pub(crate) fn set_check_flag(&mut self, flag: Atom, value: Cell) -> Option<bool> {
        let name = self.atoms.shared_text(flag);
        self.rtchecks.get(&name)?;
        if value.tag() != Tag::Atm {
            return Some(false);
        }
        let value = self.atoms.shared_text(value.as_atom());
        let CheckFlags { checks, on_violation, .. } = self.rtchecks;
        let set = self.rtchecks.set(&name, &value);
        if on_violation == OnViolation::Throw && self.rtchecks.on_violation != on_violation {
            self.give_up_proofs();
        }
        if checks != self.rtchecks.checks {
            self.switch_checks();
        }
        set
    }

    /// Lets calls of a predicate go through the wrappers at these addresses while checks are on, or always if its text
    /// asks for them; without an answer to that, as it was.
    pub fn set_wrappers(
        &mut self,
        predicate: PredicateId,
        inner: Option<Address>,
        exported: Option<Address>,
        asked_for: Option<bool>,
    ) {
        // Others may rest on what its contract checked before.
        self.doubt(predicate);
        let known = self.wrappers.get(&predicate);
        let before = known.is_some_and(|known| known.asked_for && inner.is_some());
        let asked_for = asked_for.unwrap_or(before);
        let wrappers = Wrappers { predicate, inner, exported, asked_for };
        self.wrappers.insert(predicate, wrappers);
        self.switch(wrappers);
    }

    /// Lets calls go through their wrappers, or directly to the clauses, as the flag says.
    pub fn switch_checks(&mut self) {
        for wrappers in self.wrappers.values().copied().collect::<Vec<Wrappers>>() {
            self.switch(wrappers);
        }
    }

    fn switch(&mut self, wrappers: Wrappers) {
        let Wrappers { predicate, inner, exported, asked_for } = wrappers;
        let on = self.rtchecks.checks || asked_for;
        self.set_wrapper(predicate, inner.filter(|_| on));
        self.set_exported_wrapper(predicate, exported.filter(|_| on));
    }
}
