//! What is told while a program is loaded and runs, in order with its own output.

use super::errors::{error, in_words};
use super::show::show;
use super::violation::violation;
use crate::machine::{LoadMessage, Machine, Reporters, Violation};

/// What prints while a program is loaded and runs.
pub const REPORTERS: Reporters =
    Reporters { violation: report_violation, loading: report_loading, words: in_words };

/// Prints the message of a violation that the program survives, in order with the program's own output.
fn report_violation(machine: &mut Machine, violated: &Violation) {
    if let Some(text) = violation(machine, &violated.ball) {
        machine.flush_output();
        // Nothing better can be done when standard error is closed.
        let _ = machine.system.write_error(text.as_bytes());
    }
}

/// Tells what happens while texts are loaded, in order with the program's own output.
fn report_loading(machine: &mut Machine, message: &LoadMessage<'_>) {
    let text = match message {
        LoadMessage::Diagnostics(source, diagnostics) => super::diagnostics(source, diagnostics),
        LoadMessage::Failed(goal) => {
            let term = machine.restore(&goal.term);
            format!("{}warning: the goal {} failed\n", at(&goal.place), show(machine, term))
        }
        LoadMessage::Threw(goal, ball) => match violation(machine, ball) {
            Some(text) => text,
            None => format!("{}{}", at(&goal.place), error(machine, ball)),
        },
    };
    machine.flush_output();
    // Nothing better can be done when standard error is closed.
    let _ = machine.system.write_error(text.as_bytes());
}

fn at(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!("{place}: ") }
}
