//! Atoms and numbers as texts: ISO 13211-1, 8.16, and what builds on it.

use super::lists::check_result_list;
use crate::machine::{Machine, Outcome, Throw};
use crate::read::{Lexer, begins_number};
use crate::term::{Atom, Cell, Number, Tag, WriteOptions, atom};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("atom_length", 2, |m| {
        let cell = m.argument(0);
        // Programs count the digits of integers with it.
        let digits = m.store.is_integer(cell) && !m.flags.strict;
        if matches!(cell.tag(), Tag::Int | Tag::Box) && !digits {
            return m.type_error(atom::ATOM, cell);
        }
        let count = atom_text(m, cell)?.chars().count();
        length_result(m, 1, count)
    });
    machine.define_builtin("atom_codes", 2, |m| convert(m, Target::Atom, Elements::Codes));
    machine.define_builtin("atom_chars", 2, |m| convert(m, Target::Atom, Elements::Chars));
    machine.define_builtin("number_codes", 2, |m| convert(m, Target::Number, Elements::Codes));
    machine.define_builtin("number_chars", 2, |m| convert(m, Target::Number, Elements::Chars));
    machine.define_builtin("name", 2, |m| convert(m, Target::Either, Elements::Codes));
    machine.define_builtin("atom_number", 2, atom_number);
    machine.define_builtin("char_code", 2, char_code);
    machine.define_builtin("$atom_concat", 3, |m| {
        let (left, right) = (m.argument(0), m.argument(1));
        let (left, right) = (atom_text(m, left)?, atom_text(m, right)?);
        m.text_fits(left.len() + right.len())?;
        let expected = if m.flags.strict { "atom" } else { "atomic" };
        give_or_compare(m, 2, &(left + &right), Cell::atom, expected)
    });
    machine.define_builtin("upcase_atom", 2, |m| {
        let text = in_other_case(&text_argument(m, 0)?, char::to_uppercase);
        give_or_compare(m, 1, &text, Cell::atom, "atom")
    });
    machine.define_builtin("downcase_atom", 2, |m| {
        let text = in_other_case(&text_argument(m, 0)?, char::to_lowercase);
        give_or_compare(m, 1, &text, Cell::atom, "atom")
    });
    machine.define_builtin("$sub_atom", 6, sub_atom);
    machine.define_builtin("$sub_text", 4, sub_text);
    machine.define_builtin("$occurrence", 4, occurrence);
    machine.define_builtin("$concat_list", 3, concat_list);
    machine.define_builtin("$split_atom", 3, split_atom);
}

/// The text of an atom, a string, a number, or a list of characters or codes; `None` if it is none of these.
pub(super) fn any_text(m: &Machine, cell: Cell) -> Option<String> {
    match cell.tag() {
        Tag::Atm if cell == Cell::atom(atom::NIL) => Some(String::new()),
        Tag::Atm | Tag::Txt => Some(m.atoms.text(cell.as_atom()).to_owned()),
        Tag::Int | Tag::Box => Some(super::written::text_of(m, cell, WriteOptions::default())),
        Tag::Lis => {
            let elements = m.store.list_elements(cell).ok()?;
            elements
                .into_iter()
                .map(|element| match element.tag() {
                    Tag::Int => char::from_u32(u32::try_from(element.int_value()).ok()?),
                    Tag::Atm => {
                        let mut characters = m.atoms.text(element.as_atom()).chars();
                        characters.next().filter(|_| characters.next().is_none())
                    }
                    _ => None,
                })
                .collect()
        }
        _ => None,
    }
}

/// Unifies an argument with the atom of a text.
pub(super) fn give_atom(m: &mut Machine, i: usize, text: &str) -> Outcome {
    let result = Cell::atom(m.atoms.intern(text));
    Ok(m.unify_argument(i, result))
}

/// Unifies an argument with the string of a text.
pub(super) fn give_string(m: &mut Machine, i: usize, text: &str) -> Outcome {
    let result = Cell::string(m.atoms.intern(text));
    Ok(m.unify_argument(i, result))
}

/// Unifies an argument with the constant that is made of a text, or compares the text with that of another constant; no
/// other one may be where the standard is followed strictly and atoms are `expected`.
pub(super) fn give_or_compare(
    m: &mut Machine,
    i: usize,
    text: &str,
    constant: fn(Atom) -> Cell,
    expected: &str,
) -> Outcome {
    let given = m.argument(i);
    let strict = m.flags.strict && expected == "atom";
    match given.tag() {
        Tag::Ref => {
            let result = constant(m.atoms.intern(text));
            Ok(m.unify_argument(i, result))
        }
        Tag::Atm if given == Cell::atom(atom::NIL) => {
            // The empty text, or the name of the constant.
            Ok(text.is_empty() || text == "[]")
        }
        Tag::Atm => Ok(m.atoms.text(given.as_atom()) == text),
        Tag::Txt | Tag::Int | Tag::Box if !strict => Ok(atomic_text(m, given)? == text),
        _ => m.type_error_named(expected, given),
    }
}

/// A text with each character in the other case, if it is one character there.
pub(super) fn in_other_case<I: Iterator<Item = char>>(text: &str, other: fn(char) -> I) -> String {
    let single = |c: char| {
        let mut characters = other(c);
        characters.next().filter(|_| characters.next().is_none()).unwrap_or(c)
    };
    text.chars().map(single).collect()
}

/// Unifies an argument, which must be a variable or a natural number, with a length.
pub(super) fn length_result(m: &mut Machine, i: usize, length: usize) -> Outcome {
    let given = m.argument(i);
    if given.tag() != Tag::Ref && !m.store.is_integer(given) {
        return m.type_error(atom::INTEGER, given);
    }
    if given.tag() == Tag::Int && given.int_value() < 0 {
        return m.domain_error("not_less_than_zero", given);
    }
    Ok(m.unify_argument(i, Cell::count(length)))
}

/// The text of an atom, or of a string or number as well, where the standard wants an atom.
pub(super) fn atom_text(m: &mut Machine, cell: Cell) -> Result<String, Throw> {
    if m.flags.strict && cell.tag() != Tag::Atm {
        return m.type_error(atom::ATOM, cell);
    }
    atomic_text(m, cell)
}

fn atomic_text(m: &mut Machine, cell: Cell) -> Result<String, Throw> {
    match cell.tag() {
        Tag::Atm | Tag::Txt => Ok(m.atoms.text(cell.as_atom()).to_owned()),
        Tag::Int | Tag::Box => Ok(super::written::text_of(m, cell, WriteOptions::default())),
        _ => m.type_error(atom::ATOM, cell),
    }
}

/// The text of an atom, a string, a number, or a list of codes or characters.
pub(super) fn text_argument(m: &mut Machine, i: usize) -> Result<String, Throw> {
    let cell = m.argument(i);
    text_of_cell(m, cell)
}

/// As [`text_argument`], of any term.
pub(super) fn text_of_cell(m: &mut Machine, cell: Cell) -> Result<String, Throw> {
    if cell.tag() == Tag::Lis {
        return list_text_of(m, cell, Elements::Any);
    }
    match cell.tag() {
        Tag::Str => m.type_error(atom::ATOMIC, cell),
        _ => atomic_text(m, cell),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Target {
    Atom,
    Number,
    Either,
}

/// What a text is a list of.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Elements {
    /// Character codes.
    Codes,
    /// One-character atoms.
    Chars,
    /// Either of them, where the standard says nothing.
    Any,
}

/// Between an atomic term and the list of its text's codes or characters.
fn convert(m: &mut Machine, target: Target, elements: Elements) -> Outcome {
    let cell = m.argument(0);
    if cell.tag() != Tag::Ref {
        if target == Target::Number && !matches!(cell.tag(), Tag::Int | Tag::Box) {
            return m.type_error(atom::NUMBER, cell);
        }
        if target == Target::Either && matches!(cell.tag(), Tag::Str | Tag::Lis) {
            return m.type_error(atom::ATOMIC, cell);
        }
        let text = if target == Target::Atom { atom_text(m, cell)? } else { atomic_text(m, cell)? };
        let other = m.argument(1);
        let string = !m.flags.strict && other.tag() == Tag::Txt;
        if string && target != Target::Number {
            return Ok(m.atoms.text(other.as_atom()) == text);
        }
        // A number may be written in several ways: a known list is read, not compared.
        if target != Target::Number || !(string || is_ground_list(m, 1)) {
            check_list_elements(m, 1, elements)?;
            let list = text_list(m, &text, elements);
            return Ok(m.unify_argument(1, list));
        }
    }
    let list = m.argument(1);
    // Characters in place of codes, all of them, as in SWI-Prolog.
    let characters = elements == Elements::Codes && !m.flags.strict && is_list_of_characters(m, list);
    let text = list_text_of(m, list, if characters { Elements::Chars } else { elements })?;
    let value = match target {
        Target::Atom => Cell::atom(m.atoms.intern(&text)),
        Target::Number => match parse_number(&text, m.flags.strict) {
            Some(number) => m.store.make_number(&number),
            None => return illegal_number(m),
        },
        Target::Either => match parse_number(&text, m.flags.strict) {
            Some(number) => m.store.make_number(&number),
            None => Cell::atom(m.atoms.intern(&text)),
        },
    };
    Ok(m.unify_argument(0, value))
}

fn illegal_number(m: &mut Machine) -> Outcome {
    let what = m.atoms.intern("illegal_number");
    let formal = m.store.compound(atom::SYNTAX_ERROR, &[Cell::atom(what)]);
    m.throw_error(formal)
}

fn is_list_of_characters(m: &Machine, list: Cell) -> bool {
    let is_character =
        |cell: &Cell| cell.tag() == Tag::Atm && m.atoms.text(cell.as_atom()).chars().nth(1).is_none();
    m.store.list_elements(list).is_ok_and(|elements| elements.iter().all(is_character))
}

fn is_ground_list(m: &Machine, i: usize) -> bool {
    m.store
        .list_elements(m.argument(i))
        .is_ok_and(|elements| elements.iter().all(|element| element.tag() != Tag::Ref))
}

/// A list that a text is unified with: it and its elements may be variables, but not of another type.
fn check_list_elements(m: &mut Machine, i: usize, elements: Elements) -> Result<(), Throw> {
    if m.argument(i).tag() == Tag::Ref {
        return Ok(());
    }
    check_result_list(m, i)?;
    let mut list = m.argument(i);
    while list.tag() == Tag::Lis {
        let element = m.store.argument(list, 0);
        if element.tag() != Tag::Ref {
            character(m, element, elements)?;
        }
        list = m.store.argument(list, 1);
    }
    Ok(())
}

/// The list of a text's codes or characters.
pub(super) fn text_list(m: &mut Machine, text: &str, elements: Elements) -> Cell {
    let cells: Vec<Cell> = match elements {
        Elements::Codes | Elements::Any => {
            text.chars().map(|character| Cell::int(i64::from(u32::from(character)))).collect()
        }
        Elements::Chars => text.chars().map(|character| Cell::atom(m.atoms.character(character))).collect(),
    };
    m.store.list(&cells, Cell::atom(atom::NIL))
}

/// The character that an element of a list stands for, where these elements are wanted.
fn character(m: &mut Machine, cell: Cell, elements: Elements) -> Result<char, Throw> {
    match cell.tag() {
        Tag::Ref => return m.instantiation_error(),
        Tag::Int if elements != Elements::Chars => {
            let character = u32::try_from(cell.int_value()).ok().and_then(char::from_u32);
            if let Some(character) = character {
                return Ok(character);
            }
        }
        Tag::Atm if elements != Elements::Codes => {
            let mut characters = m.atoms.text(cell.as_atom()).chars();
            if let (Some(only), None) = (characters.next(), characters.next()) {
                return Ok(only);
            }
        }
        _ => {}
    }
    match elements {
        Elements::Chars => m.type_error(atom::CHARACTER, cell),
        Elements::Codes if !m.store.is_integer(cell) => m.type_error(atom::INTEGER, cell),
        Elements::Codes | Elements::Any => m.representation_error("character_code"),
    }
}

/// The text of a list of codes or characters; of a string as well, but not by the standard.
pub(super) fn list_text_of(m: &mut Machine, list: Cell, elements: Elements) -> Result<String, Throw> {
    if list.tag() == Tag::Txt && !m.flags.strict {
        return Ok(m.atoms.text(list.as_atom()).to_owned());
    }
    let cells = match m.store.list_elements(list) {
        Ok(cells) => cells,
        Err(tail) if tail.tag() == Tag::Ref => return m.instantiation_error(),
        Err(_) => return m.type_error(atom::LIST, list),
    };
    let mut text = String::with_capacity(cells.len());
    for cell in cells {
        text.push(character(m, cell, elements)?);
    }
    Ok(text)
}

/// The number that a text is, with layout in front and a sign. Strict: as the standard writes it, which has no `+1`.
pub(super) fn parse_number(text: &str, strict: bool) -> Option<Number> {
    let trimmed = text.trim_start();
    let (negative, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').filter(|_| !strict).unwrap_or(trimmed)),
    };
    if !digits.starts_with(|character| begins_number(character, strict)) {
        return None;
    }
    let mut lexer = Lexer::new(digits, 0).strict(strict);
    let Ok(crate::read::Token::Number(number)) = lexer.token() else { return None };
    if lexer.position() != digits.len() {
        return None;
    }
    Some(match (negative, number) {
        (false, number) => number,
        (true, number) => number.negated(),
    })
}

/// `atom_number(Atom, Number)`: fails if the atom is the text of no number.
fn atom_number(m: &mut Machine) -> Outcome {
    let cell = m.argument(0);
    if cell.tag() == Tag::Ref {
        let number = m.argument(1);
        if !matches!(number.tag(), Tag::Int | Tag::Box) {
            return m.type_error(atom::NUMBER, number);
        }
        let text = atomic_text(m, number)?;
        return give_atom(m, 0, &text);
    }
    if !matches!(cell.tag(), Tag::Atm | Tag::Txt | Tag::Lis) {
        return m.type_error(atom::ATOM, cell);
    }
    let text = text_argument(m, 0)?;
    if text.starts_with(char::is_whitespace) {
        return Ok(false);
    }
    match parse_number(&text, m.flags.strict) {
        Some(number) => {
            let cell = m.store.make_number(&number);
            Ok(m.unify_argument(1, cell))
        }
        None => Ok(false),
    }
}

fn char_code(m: &mut Machine) -> Outcome {
    let (given, code) = (m.argument(0), m.argument(1));
    if given.tag() == Tag::Ref {
        if !m.store.is_integer(code) {
            return m.type_error(atom::INTEGER, code);
        }
        if code.tag() != Tag::Int {
            return m.representation_error("character_code");
        }
        let character = character(m, code, Elements::Codes)?;
        let cell = Cell::atom(m.atoms.character(character));
        return Ok(m.unify_argument(0, cell));
    }
    if given.tag() != Tag::Atm {
        return m.type_error(atom::CHARACTER, given);
    }
    let character = character(m, given, Elements::Chars)?;
    if code.tag() != Tag::Ref && !m.store.is_integer(code) {
        return m.type_error(atom::INTEGER, code);
    }
    if code.tag() == Tag::Int && char::from_u32(code.int_value() as u32).is_none() {
        return m.representation_error("character_code");
    }
    Ok(m.unify_argument(1, Cell::int(i64::from(u32::from(character)))))
}

/// Where a character lies in a text, in bytes; the end if the text has only as many.
fn offset(text: &str, characters: usize) -> Option<usize> {
    if text.is_ascii() {
        return (characters <= text.len()).then_some(characters);
    }
    text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(characters)
}

/// A position or length that may be unknown.
fn natural(m: &mut Machine, i: usize) -> Result<Option<usize>, Throw> {
    let cell = m.argument(i);
    match cell.tag() {
        Tag::Ref => Ok(None),
        Tag::Int if cell.int_value() < 0 => m.domain_error("not_less_than_zero", cell),
        Tag::Int => Ok(Some(cell.int_value() as usize)),
        _ => m.type_error(atom::INTEGER, cell),
    }
}

/// `'$sub_atom'(Atom, Before, Length, After, Sub, Search)`: checks the arguments of sub_atom/5, and either finds
/// its only solution (`Search` is `done`) or says what is to be enumerated and how long the atom is.
fn sub_atom(m: &mut Machine) -> Outcome {
    let (whole, sub) = (m.argument(0), m.argument(4));
    let text = atom_text(m, whole)?;
    if !matches!(sub.tag(), Tag::Ref | Tag::Atm) && (m.flags.strict || sub.tag() != Tag::Txt) {
        return m.type_error(atom::ATOM, sub);
    }
    let (before, length, after) = (natural(m, 1)?, natural(m, 2)?, natural(m, 3)?);
    let total = if text.is_ascii() { text.len() } else { text.chars().count() };
    let search = |m: &mut Machine, name: &str| {
        let name = m.atoms.intern(name);
        let search = m.store.compound(name, &[Cell::count(total)]);
        Ok(m.unify_argument(5, search))
    };
    if sub.tag() != Tag::Ref {
        let part = atom_text(m, sub)?;
        let count = part.chars().count();
        let at = match (before, after) {
            (Some(before), _) => Some(before),
            (None, Some(after)) => total.checked_sub(after).and_then(|rest| rest.checked_sub(count)),
            (None, None) if count == total => Some(0),
            (None, None) => {
                if !m.unify_argument(2, Cell::count(count)) || count > total {
                    return Ok(false);
                }
                return search(m, "occurrences");
            }
        };
        let found = at.filter(|&at| {
            at + count <= total && offset(&text, at).is_some_and(|from| text[from..].starts_with(&part))
        });
        return found.map_or(Ok(false), |at| sub_atom_found(m, at, count, total - at - count));
    }
    let (before, length) = match (before, length, after) {
        (Some(before), Some(length), _) => (Some(before), Some(length)),
        (Some(before), None, Some(after)) => match total.checked_sub(before + after) {
            Some(length) => (Some(before), Some(length)),
            None => return Ok(false),
        },
        (None, Some(length), Some(after)) => match total.checked_sub(length + after) {
            Some(before) => (Some(before), Some(length)),
            None => return Ok(false),
        },
        (Some(_), None, None) => return search(m, "before"),
        (None, Some(_), None) => return search(m, "length"),
        (None, None, Some(_)) => return search(m, "after"),
        (None, None, None) => return search(m, "all"),
    };
    let (Some(before), Some(length)) = (before, length) else { return Ok(false) };
    if before + length > total {
        return Ok(false);
    }
    let part = part_of(&text, before, length).unwrap_or_default().to_owned();
    Ok(give_atom(m, 4, &part)? && sub_atom_found(m, before, length, total - before - length)?)
}

fn sub_atom_found(m: &mut Machine, before: usize, length: usize, after: usize) -> Outcome {
    let done = Cell::atom(m.atoms.intern("done"));
    Ok(m.unify_argument(1, Cell::count(before))
        && m.unify_argument(2, Cell::count(length))
        && m.unify_argument(3, Cell::count(after))
        && m.unify_argument(5, done))
}

fn part_of(text: &str, before: usize, length: usize) -> Option<&str> {
    let from = offset(text, before)?;
    let rest = &text[from..];
    Some(&rest[..offset(rest, length)?])
}

/// `'$sub_text'(Text, Before, Length, Sub)`: the part of a text as an atom. Both numbers are known and fit.
fn sub_text(m: &mut Machine) -> Outcome {
    let whole = m.argument(0);
    let (before, length) = (m.argument(1).int_value(), m.argument(2).int_value());
    let (Ok(before), Ok(length)) = (usize::try_from(before), usize::try_from(length)) else {
        return Ok(false);
    };
    let part = match whole.tag() {
        Tag::Atm => {
            let text = m.atoms.shared_text(whole.as_atom());
            let Some(part) = part_of(&text, before, length) else { return Ok(false) };
            m.atoms.intern(part)
        }
        _ => {
            let text = atom_text(m, whole)?;
            let Some(part) = part_of(&text, before, length) else { return Ok(false) };
            m.atoms.intern(part)
        }
    };
    Ok(m.unify_argument(3, Cell::atom(part)))
}

/// `'$occurrence'(Text, Part, From, At)`: the first place from a given one on where a text has a part.
fn occurrence(m: &mut Machine) -> Outcome {
    let (whole, part, from) = (m.argument(0), m.argument(1), m.argument(2));
    let (whole, part) = (atom_text(m, whole)?, atom_text(m, part)?);
    let start = usize::try_from(from.int_value()).ok().and_then(|from| offset(&whole, from));
    let Some(start) = start else { return Ok(false) };
    let Some(found) = whole[start..].find(&part) else { return Ok(false) };
    let at = from.int_value() as usize + whole[start..start + found].chars().count();
    Ok(m.unify_argument(3, Cell::count(at)))
}

/// `'$concat_list'(List, Separator, Atom)`: the texts of a list one after the other. Fails if an element is
/// unknown.
fn concat_list(m: &mut Machine) -> Outcome {
    let separator = text_argument(m, 1)?;
    let list = m.argument(0);
    let Ok(elements) = m.store.list_elements(list) else { return Ok(false) };
    if elements.iter().any(|element| element.tag() == Tag::Ref) {
        return Ok(false);
    }
    let mut text = String::new();
    for (i, &element) in elements.iter().enumerate() {
        if i > 0 {
            text.push_str(&separator);
        }
        match element.tag() {
            Tag::Atm | Tag::Txt => text.push_str(m.atoms.text(element.as_atom())),
            _ => text.push_str(&text_of_cell(m, element)?),
        }
        m.text_fits(text.len())?;
    }
    give_atom(m, 2, &text)
}

/// `'$split_atom'(Separator, Atom, Parts)`.
fn split_atom(m: &mut Machine) -> Outcome {
    let (separator, text) = (text_argument(m, 0)?, text_argument(m, 1)?);
    if separator.is_empty() {
        let culprit = m.argument(0);
        return m.domain_error("non_empty_atom", culprit);
    }
    let parts: Vec<Cell> = text.split(&separator).map(|part| Cell::atom(m.atoms.intern(part))).collect();
    let list = m.store.list(&parts, Cell::atom(atom::NIL));
    Ok(m.unify_argument(2, list))
}
