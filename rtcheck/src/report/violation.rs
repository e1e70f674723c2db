//! Violations in Ciao's format, and as data.

use super::show::show;
use crate::machine::Machine;
use crate::term::{Cell, Record, Tag, atom, quoted_atom};
use std::fmt::Write as _;

/// `loc(File, First, Last)`.
struct Location {
    file: String,
    lines: (i64, i64),
}

impl Location {
    fn read(machine: &Machine, cell: Cell) -> Option<Self> {
        let name = machine.atoms.find("loc")?;
        let [file, first, last] = machine.store.match_structure::<3>(cell, name)?;
        if (file.tag(), first.tag(), last.tag()) != (Tag::Atm, Tag::Int, Tag::Int) {
            return None;
        }
        let file = machine.atoms.text(file.as_atom()).to_owned();
        Some(Self { file, lines: (first.int_value(), last.int_value()) })
    }

    fn shown(&self) -> String {
        format!("ERROR: (lns {}-{})", self.lines.0, self.lines.1)
    }
}

/// Where a violation happened, as its `Locs` say.
#[derive(Default)]
struct Locations {
    assertions: Vec<Location>,
    predicate: Option<Location>,
    /// The call's place and what is said of it.
    call: Option<(Location, String)>,
}

impl Locations {
    fn read(machine: &Machine, list: Cell) -> Self {
        let mut locations = Self::default();
        for cell in machine.store.list_elements(list).unwrap_or_default() {
            let Some((name, arity)) = machine.store.functor(cell) else { continue };
            let argument = |i: usize| machine.store.argument(cell, i);
            match (machine.atoms.text(name), arity) {
                ("asrloc" | "pploc", 1) => {
                    locations.assertions.extend(Location::read(machine, argument(0)));
                }
                ("predloc", 2) => locations.predicate = Location::read(machine, argument(1)),
                ("callloc", 2) => {
                    let said = format!("Failed during invocation of {}.", show(machine, argument(0)));
                    locations.call = Location::read(machine, argument(1)).map(|location| (location, said));
                }
                ("litloc", 2) => {
                    let literal = show(machine, argument(0));
                    if let Some([location, caller]) =
                        machine.store.match_structure::<2>(argument(1), atom::MINUS)
                    {
                        let caller = show(machine, caller);
                        let said =
                            format!("Failed when invocation of {caller} called {literal} in its body.");
                        locations.call = Location::read(machine, location).map(|location| (location, said));
                    }
                }
                _ => {}
            }
        }
        locations
    }
}

/// The message of a violation, if the ball is one: `rtcheck(Type, Pred, Dict, Prop, Valid, Locs)`.
#[must_use]
pub fn violation(machine: &mut Machine, ball: &Record) -> Option<String> {
    let ball = machine.restore(ball);
    let [kind, predicate, _, property, valid, locations] =
        machine.store.match_structure::<6>(ball, atom::RTCHECK)?;
    let long = machine.rtchecks.long_names;
    let name = if long { show(machine, predicate) } else { short_name(machine, predicate) };
    let locations = Locations::read(machine, locations);
    let file = locations
        .assertions
        .first()
        .or(locations.predicate.as_ref())
        .map_or_else(|| "user".to_owned(), |location| location.file.clone());
    let mut text = format!("{{In {file}\n");
    let place = locations.assertions.first().map_or_else(|| "ERROR:".to_owned(), Location::shown);
    let _ = writeln!(text, "{place} {name} run-time check failure.");
    match show(machine, kind).as_str() {
        "comp" => text.push_str("Requires: \n"),
        kind => {
            let _ = writeln!(text, "Requires in *{kind}*: ");
        }
    }
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
    text.push_str(".\n");
    let valid = machine.store.list_elements(valid).unwrap_or_default();
    if !valid.is_empty() && long {
        text.push_str("But instead:\n");
    }
    for instead in valid.into_iter().filter(|_| long) {
        match machine.store.match_structure::<2>(instead, atom::EQUALS) {
            Some([name, value]) => {
                let shown = show(machine, value);
                let shown = if value.tag() == Tag::Ref { format!("var({shown})") } else { shown };
                let _ = writeln!(text, "    {}={shown}", show(machine, name));
            }
            None => {
                let _ = writeln!(text, "    {}", show(machine, instead));
            }
        }
    }
    if let Some(location) = &locations.predicate {
        let _ = writeln!(text, "{} Failed in {name}.", location.shown());
    }
    if let Some((location, said)) = &locations.call {
        // A call from another file says so.
        let file = if location.file == file { String::new() } else { format!(" {}:", location.file) };
        let _ = writeln!(text, "{}{file} {said}", location.shown());
    }
    text.push_str("}\n");
    Some(text)
}

/// A violation for other programs: its type, the predicate, the property, what was found, and where the assertion is.
pub(super) fn violation_json(machine: &mut Machine, ball: &Record) -> Option<serde_json::Value> {
    let ball = machine.restore(ball);
    let [kind, predicate, _, property, valid, locations] =
        machine.store.match_structure::<6>(ball, atom::RTCHECK)?;
    let locations = Locations::read(machine, locations);
    let valid = machine.store.list_elements(valid).unwrap_or_default();
    let found: Vec<String> = valid.into_iter().map(|instead| show(machine, instead)).collect();
    let place = locations.assertions.first().or(locations.predicate.as_ref());
    Some(serde_json::json!({
        "type": show(machine, kind),
        "predicate": show(machine, predicate),
        "property": show(machine, property),
        "found": found,
        "file": place.map(|place| place.file.clone()),
        "lines": place.map(|place| [place.lines.0, place.lines.1]),
    }))
}

/// `Module:Name/Arity` of a predicate's head.
fn short_name(machine: &Machine, predicate: Cell) -> String {
    let (module, head) = match machine.store.match_structure::<2>(predicate, atom::COLON) {
        Some([module, head]) => (format!("{}:", show(machine, module)), head),
        None => (String::new(), predicate),
    };
    match machine.store.functor(head) {
        Some((atom::SLASH, 2)) | None => format!("{module}{}", show(machine, head)),
        Some((name, arity)) => format!("{module}{}/{arity}", quoted_atom(machine.atoms.text(name))),
    }
}
