//! The manual: what each predicate of the library does, in a sentence, for `help/1` and `apropos/1`.
//!
//! `library/manual.txt` has a line for predicates that belong together: their heads with modes (`+` known, `-` an answer,
//! `?` either, `:` a goal, `@` not changed), between bars, and behind a tab what they do. A head that ends in
//! `...` takes more arguments of the same kind. Heads of grammar rules lack the two arguments of the list.

use crate::machine::{Machine, Outcome};
use crate::term::{Cell, Tag};

const TEXT: &str = include_str!("library/manual.txt");

/// What begins the sections of grammar rules' sentences.
const RULES: &str = "Grammar rules";

/// A line of the manual.
struct Entry {
    heads: Vec<&'static str>,
    says: &'static str,
}

fn entries() -> impl Iterator<Item = Entry> {
    TEXT.lines().filter_map(|line| {
        let (heads, says) = line.split_once('\t')?;
        Some(Entry { heads: heads.split(" | ").collect(), says })
    })
}

/// The name and the number of arguments of a head, and whether there may be more.
fn indicator(head: &str) -> (&str, usize, bool) {
    let name_end = head.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(head.len());
    if name_end > 0 && head.starts_with(char::is_lowercase) {
        let arguments = head[name_end..].strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let Some(arguments) = arguments else { return (&head[..name_end], 0, false) };
        let more = arguments.ends_with("...");
        return (&head[..name_end], arguments.split(", ").count() - usize::from(more), more);
    }
    if let Some(rest) = head.strip_prefix("?=(") {
        return (&head[..2], rest.split(", ").count(), false);
    }
    // An operator and its operands, which are variables with a mode.
    let is_operand =
        |word: &&str| word.trim_start_matches(['+', '-', '?', ':', '@']).starts_with(char::is_uppercase);
    let words: Vec<&str> = head.split(' ').collect();
    let operands = words.iter().filter(|word| is_operand(word)).count();
    match words.iter().find(|word| !is_operand(word)) {
        Some(operator) => (operator, operands, false),
        // `:A, :B`, whose operator stands at its operand.
        None => (",", operands, false),
    }
}

impl Entry {
    /// Its predicates: the name, the least number of arguments, and whether there may be more.
    fn predicates(&self) -> impl Iterator<Item = (&'static str, usize, bool)> {
        let besides = if self.says.starts_with(RULES) { 2 } else { 0 };
        self.heads.iter().map(move |head| {
            let (name, arguments, more) = indicator(head);
            (name, arguments + besides, more)
        })
    }

    /// Whether it speaks of a predicate.
    fn describes(&self, name: &str, arity: Option<usize>) -> bool {
        self.predicates().any(|(own, least, more)| {
            own == name && arity.is_none_or(|arity| arity == least || more && arity > least)
        })
    }

    /// The heads of one name.
    fn heads_of(&self, name: &str) -> String {
        let heads = self.heads.iter().filter(|head| indicator(head).0 == name).copied();
        heads.collect::<Vec<_>>().join("\n")
    }

    /// `name/arity`, each once.
    fn indicators(&self) -> String {
        let mut all: Vec<String> = Vec::new();
        for (name, least, more) in self.predicates() {
            let shown = format!("{name}/{least}{}", if more { ".." } else { "" });
            if !all.contains(&shown) {
                all.push(shown);
            }
        }
        all.join(", ")
    }

    /// How well it answers who looks for a word in small letters: by a name, or by what it says.
    fn answers(&self, word: &str) -> Option<usize> {
        let names: Vec<&str> = self.predicates().map(|(name, ..)| name).collect();
        if names.contains(&word) {
            return Some(0);
        }
        if names.iter().any(|name| name.to_lowercase().contains(word)) {
            return Some(1);
        }
        self.says.to_lowercase().contains(word).then_some(2)
    }
}

/// Whether the manual speaks of a predicate.
#[must_use]
pub fn is_in_manual(name: &str, arity: usize) -> bool {
    entries().any(|entry| entry.describes(name, Some(arity)))
}

/// All predicates that the manual speaks of; those with arguments without end by their least number.
#[must_use]
pub fn manual_predicates() -> Vec<(String, usize)> {
    let of = |entry: Entry| -> Vec<_> {
        entry.predicates().map(|(name, least, _)| (name.to_owned(), least)).collect()
    };
    entries().flat_map(of).collect()
}

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("$manual", 2, manual);
    machine.define_builtin("$apropos", 1, apropos);
}

/// `'$manual'(+Name, ?Arity)`: writes what is said of predicates; fails if nothing is.
fn manual(m: &mut Machine) -> Outcome {
    let (name, arity) = (m.argument(0), m.argument(1));
    let name = m.atoms.text(name.as_atom()).to_owned();
    let arity = (arity.tag() == Tag::Int).then(|| usize::try_from(arity.int_value()).unwrap_or(usize::MAX));
    let found: Vec<String> = entries()
        .filter(|entry| entry.describes(&name, arity))
        .map(|entry| format!("{}\n    {}\n", entry.heads_of(&name), entry.says))
        .collect();
    m.write_output(&found.concat());
    Ok(!found.is_empty())
}

/// `'$apropos'(+Word)`: writes a line for all that speaks of a word, names first; fails if nothing does.
fn apropos(m: &mut Machine) -> Outcome {
    let word: Cell = m.argument(0);
    let word = m.atoms.text(word.as_atom()).to_lowercase();
    let mut found: Vec<(usize, String)> = entries()
        .filter_map(|entry| {
            let place = entry.answers(&word)?;
            Some((place, format!("{:<32} {}\n", entry.indicators(), entry.says)))
        })
        .collect();
    found.sort_by_key(|&(place, _)| place);
    m.write_output(&found.iter().map(|(_, line)| line.as_str()).collect::<String>());
    Ok(!found.is_empty())
}
