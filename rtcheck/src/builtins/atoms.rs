//! Atoms and texts.

use super::control::list_argument;
use crate::machine::{Machine, Outcome, Throw};
use crate::read::Lexer;
use crate::term::{Cell, Number, Tag, WriteOptions, atom};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("atom_length", 2, |m| {
        let text = text_argument(m, 0)?;
        let length = Cell::count(text.chars().count());
        Ok(m.unify_argument(1, length))
    });
    machine.define_builtin("atom_codes", 2, |m| convert(m, Target::Atom, Elements::Codes));
    machine.define_builtin("atom_chars", 2, |m| convert(m, Target::Atom, Elements::Chars));
    machine.define_builtin("number_codes", 2, |m| convert(m, Target::Number, Elements::Codes));
    machine.define_builtin("number_chars", 2, |m| convert(m, Target::Number, Elements::Chars));
    machine.define_builtin("name", 2, |m| convert(m, Target::Either, Elements::Codes));
    machine.define_builtin("atom_number", 2, atom_number);
    machine.define_builtin("char_code", 2, char_code);
    machine.define_builtin("$atom_concat", 3, |m| {
        let text = text_argument(m, 0)? + &text_argument(m, 1)?;
        let result = Cell::atom(m.atoms.intern(&text));
        Ok(m.unify_argument(2, result))
    });
    machine.define_builtin("upcase_atom", 2, |m| {
        let text = text_argument(m, 0)?.to_uppercase();
        let result = Cell::atom(m.atoms.intern(&text));
        Ok(m.unify_argument(1, result))
    });
    machine.define_builtin("downcase_atom", 2, |m| {
        let text = text_argument(m, 0)?.to_lowercase();
        let result = Cell::atom(m.atoms.intern(&text));
        Ok(m.unify_argument(1, result))
    });
}

/// The text of an atom or number.
pub(super) fn text_argument(m: &mut Machine, i: usize) -> Result<String, Throw> {
    let cell = m.argument(i);
    match cell.tag() {
        Tag::Atm => Ok(m.atoms.text(cell.as_atom()).to_owned()),
        Tag::Int | Tag::Box => Ok(super::output::text_of(m, cell, WriteOptions::default())),
        _ => m.type_error(atom::ATOMIC, cell),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Target {
    Atom,
    Number,
    Either,
}

#[derive(Clone, Copy, PartialEq)]
enum Elements {
    Codes,
    Chars,
}

/// Between an atomic term and the list of its text's codes or characters.
fn convert(m: &mut Machine, target: Target, elements: Elements) -> Outcome {
    let cell = m.argument(0);
    if cell.tag() != Tag::Ref {
        if target == Target::Number && cell.tag() == Tag::Atm {
            return m.type_error(atom::NUMBER, cell);
        }
        let text = text_argument(m, 0)?;
        let list = text_list(m, &text, elements);
        // A number may be written in several ways: the list is read, not compared.
        if target != Target::Number || m.argument(1).tag() == Tag::Ref {
            return Ok(m.unify_argument(1, list));
        }
    }
    let text = list_text(m, 1)?;
    let value = match target {
        Target::Atom => Cell::atom(m.atoms.intern(&text)),
        Target::Number => match parse_number(&text) {
            Some(number) => m.store.make_number(&number),
            None => {
                let what = m.atoms.intern("illegal_number");
                let formal = m.store.compound(atom::SYNTAX_ERROR, &[Cell::atom(what)]);
                return m.throw_error(formal);
            }
        },
        Target::Either => match parse_number(&text) {
            Some(number) => m.store.make_number(&number),
            None => Cell::atom(m.atoms.intern(&text)),
        },
    };
    Ok(m.unify_argument(0, value))
}

fn text_list(m: &mut Machine, text: &str, elements: Elements) -> Cell {
    let cells: Vec<Cell> = match elements {
        Elements::Codes => text.chars().map(|character| Cell::int(i64::from(u32::from(character)))).collect(),
        Elements::Chars => text.chars().map(|character| Cell::atom(m.atoms.character(character))).collect(),
    };
    m.store.list(&cells, Cell::atom(atom::NIL))
}

/// The text of a list of codes or characters.
pub(super) fn list_text(m: &mut Machine, i: usize) -> Result<String, Throw> {
    let cells = list_argument(m, i)?;
    let mut text = String::with_capacity(cells.len());
    for cell in cells {
        match cell.tag() {
            Tag::Ref => return m.instantiation_error(),
            Tag::Int => {
                let character = u32::try_from(cell.int_value()).ok().and_then(char::from_u32);
                let Some(character) = character else { return m.representation_error("character_code") };
                text.push(character);
            }
            Tag::Atm if m.atoms.text(cell.as_atom()).chars().count() == 1 => {
                text.push_str(m.atoms.text(cell.as_atom()));
            }
            _ => return m.type_error(atom::CHARACTER, cell),
        }
    }
    Ok(text)
}

/// The number that a text is, with layout in front and a sign.
pub(super) fn parse_number(text: &str) -> Option<Number> {
    let trimmed = text.trim_start();
    let (negative, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    if !digits.starts_with(|character: char| character.is_ascii_digit()) {
        return None;
    }
    let mut lexer = Lexer::new(digits, 0);
    let Ok(crate::read::Token::Number(number)) = lexer.token() else { return None };
    if lexer.position() != digits.len() {
        return None;
    }
    Some(match (negative, number) {
        (false, number) => number,
        (true, Number::Float(value)) => Number::Float(-value),
        (true, number) => Number::integer(-number.to_big()?),
    })
}

fn atom_number(m: &mut Machine) -> Outcome {
    let cell = m.argument(0);
    if cell.tag() == Tag::Ref {
        let number = m.argument(1);
        if number.tag() == Tag::Ref {
            return m.instantiation_error();
        }
        let text = text_argument(m, 1)?;
        let result = Cell::atom(m.atoms.intern(&text));
        return Ok(m.unify_argument(0, result));
    }
    let text = text_argument(m, 0)?;
    match parse_number(&text) {
        Some(number) => {
            let cell = m.store.make_number(&number);
            Ok(m.unify_argument(1, cell))
        }
        None => Ok(false),
    }
}

fn char_code(m: &mut Machine) -> Outcome {
    let character = m.argument(0);
    if character.tag() == Tag::Atm {
        let mut characters = m.atoms.text(character.as_atom()).chars();
        return match (characters.next(), characters.next()) {
            (Some(only), None) => Ok(m.unify_argument(1, Cell::int(i64::from(u32::from(only))))),
            _ => m.type_error(atom::CHARACTER, character),
        };
    }
    let code = m.argument(1);
    if character.tag() != Tag::Ref {
        return m.type_error(atom::CHARACTER, character);
    }
    if code.tag() != Tag::Int {
        return m.type_error(atom::INTEGER, code);
    }
    match u32::try_from(code.int_value()).ok().and_then(char::from_u32) {
        Some(character) => {
            let cell = Cell::atom(m.atoms.character(character));
            Ok(m.unify_argument(0, cell))
        }
        None => m.representation_error("character_code"),
    }
}
