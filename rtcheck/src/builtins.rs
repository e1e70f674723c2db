//! Built-in predicates and the library.
//!
//! What needs the machine's inside or speed is a Rust function in the machine's table; what can be said in
//! Prolog is in the texts of `library/`, which are compiled when a machine is made.

mod arith;
mod atoms;
mod attributes;
mod budgets;
mod characters;
mod control;
mod database;
mod distinct;
mod engines;
mod environment;
mod files;
mod flags;
mod format;
mod hashes;
mod library;
mod lists;
mod load;
mod manual;
mod operators;
mod output;
mod portray;
mod read;
mod rtchecks;
mod solutions;
mod streams;
mod strings;
mod statistics;
mod tabling;
mod terms;
mod tracer;
mod written;

pub use library::{TEXTS as LIBRARY, library_mistakes};
pub use load::{LoadError, Loader, load_into_user, load_program, load_text};
pub use manual::{is_in_manual, manual_predicates};

use crate::base::System;
use crate::check::Configuration;
use crate::compile::{CompileError, compile_clause_body};
use crate::machine::{Address, Hooks, Machine, Reporters, Throw};
use crate::term::{Cell, Watch, atom};

/// A machine with all built-ins and the library.
///
/// # Errors
/// The library does not load, which only a mistake in it can cause.
pub fn new_machine(
    system: Box<dyn System>,
    checks: Configuration,
    reporters: Reporters,
) -> Result<Machine, LoadError> {
    let hooks = Hooks {
        compile_clause,
        library_of: library::library_of,
        compile_library: library::compile,
        reporters,
    };
    let mut machine = Machine::new(system, checks, hooks);
    control::define(&mut machine);
    budgets::define(&mut machine);
    terms::define(&mut machine);
    atoms::define(&mut machine);
    attributes::define(&mut machine);
    strings::define(&mut machine);
    lists::define(&mut machine);
    manual::define(&mut machine);
    solutions::define(&mut machine);
    arith::define(&mut machine);
    operators::define(&mut machine);
    flags::define(&mut machine);
    streams::define(&mut machine);
    files::define(&mut machine);
    characters::define(&mut machine);
    output::define(&mut machine);
    portray::define(&mut machine);
    read::define(&mut machine);
    format::define(&mut machine);
    hashes::define(&mut machine);
    database::define(&mut machine);
    load::define(&mut machine);
    rtchecks::define(&mut machine);
    statistics::define(&mut machine);
    tabling::define(&mut machine);
    tracer::define(&mut machine);
    distinct::define(&mut machine);
    engines::define(&mut machine);
    environment::define(&mut machine);
    library::load(&mut machine)?;
    machine
        .atoms
        .watch(Watch::Arguments, &["setarg", "nb_setarg", "nb_linkarg", "b_set_dict", "nb_set_dict"]);
    machine.atoms.watch(Watch::Exits, &["intercept", "on_violation", "nb_setarg", "nb_linkarg"]);
    Ok(machine)
}

/// Compiles a clause of a dynamic predicate.
fn compile_clause(machine: &mut Machine, clause: Cell) -> Result<std::ops::Range<Address>, Throw> {
    match compile_clause_body(machine, clause) {
        Ok(code) => Ok(code),
        Err(CompileError::Head(culprit) | CompileError::Goal(culprit)) => {
            machine.type_error(atom::CALLABLE, culprit)
        }
        Err(CompileError::TooLarge) => machine.representation_error("clause"),
    }
}
