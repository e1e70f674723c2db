//! Uncaught exceptions in words: what was expected and found, which predicate said so, and which clause was running.

use super::show::show;
use super::violation::violation;
use crate::builtins::manual_predicates;
use crate::machine::{Kind, Link, Machine, PredicateId};
use crate::term::{Atom, Cell, Record, Tag, atom, quoted_atom};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The message of an uncaught ball.
#[must_use]
pub fn error(machine: &mut Machine, ball: &Record) -> String {
    if let Some(text) = violation(machine, ball) {
        return text;
    }
    let origin = machine.thrown_from(ball).unwrap_or_default();
    let term = machine.restore(ball);
    let mut text = match machine.store.match_structure::<2>(term, atom::ERROR) {
        None => format!("error: uncaught exception: {}\n", show(machine, term)),
        Some([formal, context]) => {
            let (said_by, said) = said(machine, context);
            let culprit = said_by.or_else(|| origin.culprit.map(|id| named(machine, id)));
            let who = culprit.map_or_else(String::new, |name| format!("{name}: "));
            match formal_in_words(machine, formal) {
                Some(words) => {
                    let said = said.map_or_else(String::new, |said| format!(" ({said})"));
                    let formal = show(machine, formal);
                    format!("error: {who}{words}{said}\nnote: uncaught exception: {formal}\n")
                }
                None => {
                    let said = said.map_or_else(String::new, |said| format!(" in {said}"));
                    format!("error: {who}uncaught exception: {}{said}\n", show(machine, formal))
                }
            }
        }
    };
    if let Some(clause) = origin.clause {
        let (first, last) = clause.lines;
        let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
        let file = machine.atoms.text(clause.file);
        let predicate = named(machine, clause.predicate);
        let likely = if origin.likely { "likely " } else { "" };
        let place = format!(" --> {file}:{lines}, {likely}in {predicate}\n");
        // Behind the first line, as in other messages.
        let at = text.find('\n').map_or(text.len(), |end| end + 1);
        text.insert_str(at, &place);
    }
    if let Some(help) = help(machine, term) {
        let _ = writeln!(text, "help: {help}");
    }
    text
}

/// A caught ball in words, if it is a violation or an error of the standard.
pub(super) fn in_words(machine: &mut Machine, ball: &Record) -> Option<String> {
    if let Some(text) = violation(machine, ball) {
        return Some(text);
    }
    let term = machine.restore(ball);
    let [formal, context] = machine.store.match_structure::<2>(term, atom::ERROR)?;
    let words = formal_in_words(machine, formal)?;
    // Where it came from is not known any more but for what it says itself.
    let (said_by, said) = said(machine, context);
    let who = said_by.map_or_else(String::new, |name| format!("{name}: "));
    let said = said.map_or_else(String::new, |said| format!(" ({said})"));
    Some(format!("{who}{words}{said}\n"))
}

/// `Module:Name/Arity`, without the module if that is what everybody sees.
fn named(machine: &Machine, id: PredicateId) -> String {
    let predicate = machine.predicate_at(id);
    let seen = predicate.module == atom::USER || predicate.module == atom::SYSTEM;
    let module = if seen { String::new() } else { format!("{}:", text(machine, predicate.module)) };
    format!("{module}{}/{}", text(machine, predicate.name), predicate.arity)
}

fn text(machine: &Machine, name: Atom) -> std::borrow::Cow<'_, str> {
    quoted_atom(machine.atoms.text(name)).into()
}

/// What the second argument of `error/2` says: a predicate, and a text or any other term.
fn said(machine: &Machine, context: Cell) -> (Option<String>, Option<String>) {
    let shown = |cell: Cell| match cell.tag() {
        Tag::Ref => None,
        Tag::Atm | Tag::Txt => Some(machine.atoms.text(cell.as_atom()).to_owned()),
        _ => Some(show(machine, cell)),
    };
    if machine.store.match_structure::<2>(context, atom::SLASH).is_some() {
        return (shown(context), None);
    }
    let name = machine.atoms.find("context");
    match name.and_then(|name| machine.store.match_structure::<2>(context, name)) {
        Some([predicate, message]) => (shown(predicate), shown(message)),
        None => (None, shown(context)),
    }
}

/// What a formal error term of the standard says, if it is one.
fn formal_in_words(machine: &Machine, formal: Cell) -> Option<String> {
    let (name, arity) = machine.store.functor(formal)?;
    let argument = |i: usize| machine.store.argument(formal, i);
    let shown = |i: usize| show(machine, argument(i));
    // The standard's words; what is more than a word says what it means by itself.
    let plain = |i: usize| {
        let words = shown(i);
        let is_word = words.chars().all(|next| next.is_alphanumeric() || next == '_');
        if is_word { words.replace('_', " ") } else { words }
    };
    Some(match (machine.atoms.text(name), arity) {
        ("instantiation_error", 0) => "an argument is a free variable where a value is needed".to_owned(),
        ("uninstantiation_error", 1) => format!("expected a free variable, found {}", shown(0)),
        ("type_error", 2) if shown(0) == "evaluable" => {
            format!("{} is no arithmetic function", shown(1))
        }
        ("type_error" | "domain_error", 2) => {
            let expected = plain(0);
            let article = if expected.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            let article = if expected.starts_with("not ") { "something" } else { article };
            format!("expected {article} {expected}, found {}", shown(1))
        }
        ("existence_error", 2) if shown(0) == "procedure" => {
            format!("unknown procedure {}", shown(1))
        }
        ("existence_error", 2) if shown(0) == "matching_rule" => {
            format!("no rule matches {}", shown(1))
        }
        ("existence_error", 2) if shown(0) == "source_sink" => format!("there is no file {}", shown(1)),
        ("existence_error", 2) => format!("there is no {} {}", plain(0), shown(1)),
        ("permission_error", 3) => format!("no permission to {} {} {}", plain(0), plain(1), shown(2)),
        ("representation_error", 1) => format!("beyond what can be represented: {}", plain(0)),
        ("evaluation_error", 1) => match shown(0).as_str() {
            "zero_divisor" => "division by zero".to_owned(),
            "undefined" => "the result is undefined".to_owned(),
            _ => format!("arithmetic: {}", plain(0)),
        },
        ("resource_error", 1) => format!("the limit of {} is reached", plain(0)),
        ("format", 1) if matches!(argument(0).tag(), Tag::Atm | Tag::Txt) => {
            format!("format: {}", machine.atoms.text(argument(0).as_atom()))
        }
        ("syntax_error", 1) => format!("syntax error: {}", plain(0)),
        _ => return None,
    })
}

fn help(machine: &Machine, ball: Cell) -> Option<String> {
    let [formal, _] = machine.store.match_structure::<2>(ball, atom::ERROR)?;
    let [kind, what] = machine.store.match_structure::<2>(formal, atom::EXISTENCE_ERROR)?;
    if kind != Cell::atom(atom::PROCEDURE) {
        return None;
    }
    let elsewhere = hidden(machine, what);
    if ["quit/0", "exit/0", "bye/0", "q/0"].contains(&show(machine, what).as_str()) && elsewhere.is_none() {
        return Some("`halt.` ends the program".to_owned());
    }
    Some(elsewhere.unwrap_or_else(|| {
        let perhaps = similar(machine, what).map_or_else(String::new, |name| format!(" (perhaps {name})"));
        format!("define {}, correct its name{perhaps}, or declare it dynamic", show(machine, what))
    }))
}

/// Predicates that may have been meant: those of the name with other numbers of arguments, or else the one with the most
/// similar name.
fn similar(machine: &Machine, what: Cell) -> Option<String> {
    let inner = machine.store.match_structure::<2>(what, atom::COLON).map_or(what, |[_, inner]| inner);
    let [name, arity] = machine.store.match_structure::<2>(inner, atom::SLASH)?;
    let (name, arity) = (machine.store.deref(name), machine.store.deref(arity));
    if name.tag() != Tag::Atm || arity.tag() != Tag::Int {
        return None;
    }
    let (wanted, arity) = (machine.atoms.text(name.as_atom()), usize::try_from(arity.int_value()).ok()?);
    let own = machine.predicates().filter_map(|(_, predicate)| {
        let is_program_s =
            predicate.link == Link::Own && matches!(predicate.kind, Kind::Static | Kind::Dynamic);
        is_program_s.then(|| (machine.atoms.text(predicate.name), predicate.arity))
    });
    let library = manual_predicates();
    let library = library.iter().map(|(name, arity)| (name.as_str(), *arity));
    let known: BTreeSet<(&str, usize)> =
        own.chain(library).filter(|(name, _)| !name.starts_with('$')).collect();
    let others: Vec<String> = known
        .iter()
        .filter(|(name, _)| *name == wanted)
        .map(|(name, arity)| format!("{}/{arity}", quoted_atom(name)))
        .collect();
    if let Some((last, first)) = others.split_last() {
        return Some(if first.is_empty() { last.clone() } else { format!("{} or {last}", first.join(", ")) });
    }
    // Of few letters every other word is one; nobody mistypes names that are longer than a line.
    let most = match wanted.chars().count() {
        0..=3 => 0,
        4..=5 => 1,
        6..=100 => 2,
        _ => return None,
    };
    let (name, _) = known
        .iter()
        .filter(|(_, other)| *other == arity)
        .map(|&(name, _)| (name, distance(wanted, name)))
        .filter(|&(_, distance)| distance <= most)
        .min_by_key(|&(name, distance)| (distance, name))?;
    Some(format!("{}/{arity}", quoted_atom(name)))
}

/// How many letters make one name of the other: taken away, added, replaced, or exchanged with the next.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > 2 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, first) in rows[0].iter_mut().enumerate() {
        *first = j;
    }
    for i in 1..=one.len() {
        for j in 1..=other.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[one.len()][other.len()]
}

/// Where a predicate is that the program defines in a module and that was called elsewhere.
fn hidden(machine: &Machine, what: Cell) -> Option<String> {
    let inner = machine.store.match_structure::<2>(what, atom::COLON).map_or(what, |[_, inner]| inner);
    let [name, arity] = machine.store.match_structure::<2>(inner, atom::SLASH)?;
    let (name, arity) = (machine.store.deref(name), machine.store.deref(arity));
    let (_, found) = machine.predicates().find(|(_, predicate)| {
        Cell::atom(predicate.name) == name
            && Cell::count(predicate.arity) == arity
            && matches!(predicate.kind, Kind::Static | Kind::Dynamic)
            && predicate.link == Link::Own
            && machine.find_module(predicate.module).is_some_and(|module| !module.library)
    })?;
    let module = machine.find_module(found.module)?;
    let place = format!("{}:{}", text(machine, found.module), text(machine, found.name));
    let call = if found.arity == 0 { place } else { format!("{place}(..)") };
    Some(if module.exports.contains(&(found.name, found.arity)) {
        format!("module {} exports it: import it, or call {call}", text(machine, module.name))
    } else {
        format!("module {} has it and does not export it: call {call}", text(machine, module.name))
    })
}
