//! The transformed program of section 4, as text.
//!
//! The machine evaluates the same structure natively; here it is written as the paper writes it, so that one
//! can see which literal is reified where and which statuses are shared.

use crate::machine::{Contract, Machine};
use crate::term::{Cell, WriteOptions, Writer, quoted_atom};
use std::fmt::Write as _;

/// The wrapper clauses of a contract.
#[must_use]
pub fn expand(machine: &mut Machine, contract: &Contract) -> String {
    let template = contract.template.restore(&mut machine.store);
    let options = WriteOptions { named_variables: true, ..WriteOptions::QUOTED };
    let show =
        |cell: Cell| Writer::new(&machine.store, &machine.atoms, &machine.operators, options).text(cell, 999);
    let literals = |i: usize| -> Vec<String> {
        let list = machine.store.argument(template, i);
        machine.store.list_elements(list).unwrap_or_default().into_iter().map(show).collect()
    };
    let (before, after) = (literals(1), literals(2));
    let name = machine.atoms.text(machine.predicate_at(contract.predicate).name).to_owned();
    let variables: Vec<String> =
        contract.names.iter().map(|&name| machine.atoms.text(name).to_owned()).collect();

    // Numbering as in Example 1: literals before, preconditions, literals after.
    let status = |i: usize| format!("R{i}");
    let precondition = |i: u16| status(before.len() + i as usize);
    let literal_after = |i: u16| status(before.len() + contract.preconditions.len() + i as usize);
    let shared: Vec<String> = (0..contract.preconditions.len() as u16)
        .filter(|i| contract.successes.iter().any(|success| success.preconditions.contains(i)))
        .map(precondition)
        .collect();
    let call = |suffix: &str, extra: &[String]| {
        let arguments: Vec<&str> = variables.iter().chain(extra).map(String::as_str).collect();
        let name = quoted_atom(&format!("{name}{suffix}"));
        if arguments.is_empty() { name } else { format!("{name}({})", arguments.join(",")) }
    };

    let checks_calls = !contract.calls.is_empty() || !contract.preconditions.is_empty();
    let mut goals = Vec::new();
    if checks_calls {
        goals.push(call("_c", &shared));
    }
    goals.push(call("'", &[]));
    if !contract.successes.is_empty() {
        goals.push(call("_s", &shared));
    }
    let mut text = String::new();
    let mut clause = |head: String, goals: &[String]| {
        let _ = writeln!(text, "{head} :-\n    {}.", goals.join(",\n    "));
    };
    clause(call("", &[]), &goals);

    if checks_calls {
        let mut goals: Vec<String> = before
            .iter()
            .enumerate()
            .map(|(i, literal)| format!("reify_check({literal},{})", status(i)))
            .collect();
        for (i, conjunction) in contract.preconditions.iter().enumerate() {
            let statuses: Vec<String> = conjunction.iter().map(|&literal| status(literal as usize)).collect();
            goals.push(format!("{} is {}", precondition(i as u16), statuses.join("/\\")));
        }
        if !contract.calls.is_empty() {
            let statuses: Vec<String> =
                contract.calls.iter().map(|alternative| precondition(alternative.precondition)).collect();
            goals.push(format!("Rc is {}", statuses.join("\\/")));
            goals.push("error_if_false(Rc)".to_owned());
        }
        clause(call("_c", &shared), &goals);
    }
    if !contract.successes.is_empty() {
        let mut goals: Vec<String> = after
            .iter()
            .enumerate()
            .map(|(i, literal)| format!("reify_check({literal},{})", literal_after(i as u16)))
            .collect();
        let conditions: Vec<String> = contract
            .successes
            .iter()
            .map(|success| {
                let postconditions: Vec<String> = success
                    .postconditions
                    .iter()
                    .map(|conjunction| {
                        let statuses: Vec<String> = conjunction.iter().map(|&i| literal_after(i)).collect();
                        format!("({})", statuses.join("/\\"))
                    })
                    .collect();
                let post = postconditions.join("\\/");
                let pre: Vec<String> = success.preconditions.iter().map(|&i| precondition(i)).collect();
                match pre.as_slice() {
                    [] => post,
                    [one] => format!("({one}#1\\/{post})"),
                    more => format!("(({})#1\\/{post})", more.join("\\/")),
                }
            })
            .collect();
        goals.push(format!("Rs is {}", conditions.join("/\\")));
        goals.push("error_if_false(Rs)".to_owned());
        clause(call("_s", &shared), &goals);
    }
    text
}
