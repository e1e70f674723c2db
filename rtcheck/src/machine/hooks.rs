//! What the machine needs from higher layers, and how it reaches them.

use super::{Address, LoadMessage, Machine, Throw, Violation};
use crate::term::{Cell, Record};
use std::ops::Range;

/// What the machine needs from higher layers.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// Compiles the clause `(Head :- Body)` of a dynamic predicate, in the source module, places its code
    /// with `Machine::place_code`, and returns where it lies.
    pub compile_clause: fn(&mut Machine, Cell) -> Result<Range<Address>, Throw>,
    /// The library, not loaded yet perhaps, that defines a predicate without being asked for.
    pub library_of: fn(&str, usize) -> Option<&'static str>,
    /// Compiles the clauses of a predicate of the library, which it gets as texts, and returns where they start.
    pub compile_library: fn(&mut Machine, &[&'static str]) -> Address,
    /// What tells the user something.
    pub reporters: Reporters,
}

/// What tells the user something while a program is loaded or runs.
#[derive(Clone, Copy)]
pub struct Reporters {
    /// A violation that the program survives.
    pub violation: fn(&mut Machine, &Violation),
    /// What happens while a text is loaded.
    pub loading: fn(&mut Machine, &LoadMessage<'_>),
    /// What a ball says in words, if it is a violation or an error of the standard: what print_message/2 tells.
    pub words: fn(&mut Machine, &Record) -> Option<String>,
}

impl Machine {
    /// Tells the user about a violation that the program survives.
    pub(crate) fn report_violation(&mut self, violation: &Violation) {
        (self.hooks.reporters.violation)(self, violation);
    }

    /// What a ball says in words, if it is a violation or an error of the standard.
    pub(crate) fn in_words(&mut self, ball: &Record) -> Option<String> {
        (self.hooks.reporters.words)(self, ball)
    }

    /// Tells the user what happens while a text is loaded.
    pub fn report_loading(&mut self, message: &LoadMessage<'_>) {
        (self.hooks.reporters.loading)(self, message);
    }
}
