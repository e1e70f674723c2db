//! Violations in Ciao's format, and uncaught errors.

use crate::machine::{LoadMessage, Machine, Reporters, Violation};
use crate::term::{Cell, Record, Tag, WriteOptions, Writer, atom};
use std::fmt::Write as _;

/// Messages show terms whole unless they are so large that nobody would read them.
const OPTIONS: WriteOptions =
    WriteOptions { named_variables: true, most_steps: Some(4000), ..WriteOptions::QUOTED };

fn show(machine: &Machine, term: Cell) -> String {
    Writer::new(&machine.store, &machine.atoms, &machine.operators, OPTIONS).text(term, 999)
}

/// The message of a violation, if the ball is one: `rtcheck(Type, Pred, Dict, Prop, Valid, Locs)`.
#[must_use]
pub fn violation(machine: &mut Machine, ball: &Record) -> Option<String> {
    let ball = machine.restore(ball);
    let [kind, predicate, _, property, valid, locations] =
        machine.store.match_structure::<6>(ball, atom::RTCHECK)?;
    let location = |name: &str| {
        let name = machine.atoms.find(name)?;
        let all = machine.store.list_elements(locations).ok()?;
        let found = all.into_iter().find_map(|cell| machine.store.match_structure::<1>(cell, name))?;
        let (first, _) = machine.store.arguments(found[0]);
        let file = machine.store.deref(machine.store.at(first));
        let line = |i: usize| machine.store.deref(machine.store.at(first + i)).int_value();
        Some((machine.atoms.text(file.as_atom()).to_owned(), line(1), line(2)))
    };
    let (file, assertion_first, assertion_last) = location("asrloc")?;
    let (_, predicate_first, predicate_last) = location("predloc")?;
    let module = file.rsplit('/').next().unwrap_or(&file);
    let module = module.strip_suffix(".pl").unwrap_or(module);
    let name = format!("{module}:{}", show(machine, predicate));

    let mut text = format!("{{In {file}\n");
    let _ = writeln!(text, "ERROR: (lns {assertion_first}-{assertion_last}) {name} run-time check failure.");
    let _ = writeln!(text, "Requires in *{}*: ", show(machine, kind));
    let mut rest = property;
    loop {
        let alternative = machine.store.match_structure::<2>(rest, atom::SEMICOLON);
        let (first, others) = alternative.map_or((rest, None), |[first, others]| (first, Some(others)));
        let _ = write!(text, "    {}", show(machine, first));
        match others {
            None => break,
            Some(others) => {
                text.push_str("\n  or\n");
                rest = others;
            }
        }
    }
    text.push_str(".\nBut instead:\n");
    for pair in machine.store.list_elements(valid).unwrap_or_default() {
        if let Some([name, value]) = machine.store.match_structure::<2>(pair, atom::EQUALS) {
            let shown = show(machine, value);
            let shown = if value.tag() == Tag::Ref { format!("var({shown})") } else { shown };
            let _ = writeln!(text, "    {}={shown}", show(machine, name));
        }
    }
    let _ = writeln!(text, "ERROR: (lns {predicate_first}-{predicate_last}) Failed in {name}.\n}}");
    Some(text)
}

/// The message of an uncaught ball.
#[must_use]
pub fn error(machine: &mut Machine, ball: &Record) -> String {
    if let Some(text) = violation(machine, ball) {
        return text;
    }
    let term = machine.restore(ball);
    let Some([formal, context]) = machine.store.match_structure::<2>(term, atom::ERROR) else {
        return format!("error: uncaught exception: {}\n", show(machine, term));
    };
    let help = match machine.store.match_structure::<2>(formal, atom::EXISTENCE_ERROR) {
        Some([kind, what]) if kind == Cell::atom(atom::PROCEDURE) => {
            format!("help: define {}, correct its name, or declare it dynamic\n", show(machine, what))
        }
        _ => String::new(),
    };
    let context =
        if context.tag() == Tag::Ref { String::new() } else { format!(" in {}", show(machine, context)) };
    format!("error: uncaught exception: {}{context}\n{help}", show(machine, formal))
}

/// What prints while a program is loaded and runs.
pub const REPORTERS: Reporters = Reporters { violation: report_violation, loading: report_loading };

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
