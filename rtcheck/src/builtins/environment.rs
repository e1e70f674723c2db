//! Environment variables, and commands of the shell.

use super::atoms::text_of_cell;
use crate::machine::{Machine, Outcome, Throw};
use crate::term::{Cell, Tag};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("getenv", 2, |m| {
        let name = variable_name(m)?;
        let Some(value) = m.system.environment(&name) else { return Ok(false) };
        let value = Cell::atom(m.atoms.intern(&value));
        Ok(m.unify_argument(1, value))
    });
    machine.define_builtin("setenv", 2, |m| {
        let name = variable_name(m)?;
        let value = text_of_argument(m, 1)?;
        m.system.set_environment(&name, Some(&value));
        Ok(true)
    });
    machine.define_builtin("unsetenv", 1, |m| {
        let name = variable_name(m)?;
        m.system.set_environment(&name, None);
        Ok(true)
    });
    machine.define_builtin("$shell", 2, shell);
}

fn text_of_argument(m: &mut Machine, i: usize) -> Result<String, Throw> {
    let cell = m.argument(i);
    if cell.tag() == Tag::Ref { m.instantiation_error() } else { text_of_cell(m, cell) }
}

/// The name of a variable. None has a `=` or a character 0 in it, nor is it empty.
fn variable_name(m: &mut Machine) -> Result<String, Throw> {
    let name = text_of_argument(m, 0)?;
    if name.is_empty() || name.contains(['=', '\0']) {
        let culprit = m.argument(0);
        return m.domain_error("environment_variable", culprit);
    }
    Ok(name)
}

/// `'$shell'(Command, Status)`: runs a command; what the program has written comes before what the command writes.
fn shell(m: &mut Machine) -> Outcome {
    let command = text_of_argument(m, 0)?;
    m.streams.flush_all(&mut *m.system);
    match m.system.run_shell(&command) {
        Ok(status) => Ok(m.unify_argument(1, Cell::int(i64::from(status)))),
        Err(_) => {
            let culprit = m.argument(0);
            m.permission_error("run", "shell", culprit)
        }
    }
}
