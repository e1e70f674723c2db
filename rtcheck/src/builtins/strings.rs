//! What SWI-Prolog's string predicates do, on atoms: there is no type of strings besides atoms and lists of
//! codes or characters. Each predicate takes any of those, and numbers, and gives an atom where SWI gives a
//! string. `[]` is the empty text here, as `""` is read as it.

use super::atoms::{Elements, give_atom, length_result, parse_number, text_list, text_of_cell};
use crate::machine::{Machine, Outcome, Throw};
use crate::term::{Cell, Number, Tag, atom};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("$text", 2, |m| {
        let text = text(m, 0)?;
        give_atom(m, 1, &text)
    });
    machine.define_builtin("string_length", 2, |m| {
        let count = text(m, 0)?.chars().count();
        length_result(m, 1, count)
    });
    machine.define_builtin("string_lower", 2, |m| {
        let text = text(m, 0)?.to_lowercase();
        give_atom(m, 1, &text)
    });
    machine.define_builtin("string_upper", 2, |m| {
        let text = text(m, 0)?.to_uppercase();
        give_atom(m, 1, &text)
    });
    machine.define_builtin("$text_codes", 2, |m| list(m, Elements::Codes));
    machine.define_builtin("$text_chars", 2, |m| list(m, Elements::Chars));
    machine.define_builtin("string_code", 3, string_code);
    machine.define_builtin("split_string", 4, split_string);
    machine.define_builtin("$normal_space", 2, |m| {
        let words: Vec<String> = text(m, 0)?.split_whitespace().map(str::to_owned).collect();
        give_atom(m, 1, &words.join(" "))
    });
    machine.define_builtin("$number_of_text", 2, |m| match parse_number(text(m, 0)?.trim_end()) {
        Some(number) => {
            let cell = m.store.make_number(&number);
            Ok(m.unify_argument(1, cell))
        }
        None => Ok(false),
    });
    machine.define_builtin("$char_class", 3, char_class);
}

fn text(m: &mut Machine, i: usize) -> Result<String, Throw> {
    let cell = m.argument(i);
    if cell == Cell::atom(atom::NIL) { Ok(String::new()) } else { text_of_cell(m, cell) }
}

fn list(m: &mut Machine, elements: Elements) -> Outcome {
    let text = text(m, 0)?;
    let list = text_list(m, &text, elements);
    Ok(m.unify_argument(1, list))
}

/// `string_code(Index, Text, Code)`: fails outside the text.
fn string_code(m: &mut Machine) -> Outcome {
    let index = m.argument(0);
    if index.tag() != Tag::Int {
        return m.type_error(atom::INTEGER, index);
    }
    if index.int_value() < 0 {
        return m.domain_error("not_less_than_zero", index);
    }
    let text = text(m, 1)?;
    let position = (index.int_value() as usize).checked_sub(1);
    match position.and_then(|position| text.chars().nth(position)) {
        Some(found) => Ok(m.unify_argument(2, Cell::int(i64::from(u32::from(found))))),
        None => Ok(false),
    }
}

/// `split_string(Text, Separators, Padding, Parts)`: takes padding characters off both ends of the text, cuts it at each
/// separator character, and takes them off both ends of each part. Padding in front of a part goes first, so that
/// separators that are padding as well count once where several follow each other.
fn split_string(m: &mut Machine) -> Outcome {
    let (text, separators, padding) = (text(m, 0)?, text(m, 1)?, text(m, 2)?);
    let pads = |character| padding.contains(character);
    let mut parts = Vec::new();
    let mut rest = text.trim_matches(pads);
    loop {
        rest = rest.trim_start_matches(pads);
        let cut = rest.char_indices().find(|&(_, character)| separators.contains(character));
        let (part, behind) = match cut {
            Some((at, separator)) => (&rest[..at], Some(&rest[at + separator.len_utf8()..])),
            None => (rest, None),
        };
        parts.push(Cell::atom(m.atoms.intern(part.trim_end_matches(pads))));
        match behind {
            Some(behind) => rest = behind,
            None => break,
        }
    }
    let list = m.store.list(&parts, Cell::atom(atom::NIL));
    Ok(m.unify_argument(3, list))
}

/// `'$char_class'(Class, Code, Value)`: whether a character is of a class, and what the class says of it: the
/// weight of a digit, the code of the other letter of a pair; `true` if nothing.
fn char_class(m: &mut Machine) -> Outcome {
    let (class, code) = (m.argument(0), m.argument(1));
    if class.tag() != Tag::Atm || code.tag() != Tag::Int {
        return Ok(false);
    }
    let Some(c) = u32::try_from(code.int_value()).ok().and_then(char::from_u32) else { return Ok(false) };
    let name = m.atoms.shared_text(class.as_atom());
    let single = |mut characters: Box<dyn Iterator<Item = char>>| match (characters.next(), characters.next())
    {
        (Some(only), None) => only,
        _ => c,
    };
    let code_of = |c: char| Number::Int(i64::from(u32::from(c)));
    let lower = || single(Box::new(c.to_lowercase()));
    let upper = || single(Box::new(c.to_uppercase()));
    let graphic = !c.is_control() && !c.is_whitespace();
    let member = match &*name {
        "alnum" => c.is_alphanumeric(),
        "alpha" => c.is_alphabetic(),
        "csym" => c.is_alphanumeric() || c == '_',
        "csymf" => c.is_alphabetic() || c == '_',
        "ascii" => c.is_ascii(),
        "digit" => c.is_ascii_digit(),
        "white" => matches!(c, ' ' | '\t'),
        "cntrl" => c.is_control(),
        "space" => c.is_whitespace(),
        "end_of_line" => matches!(c, '\n'..='\r'),
        "newline" => c == '\n',
        "lower" => c.is_lowercase(),
        "upper" => c.is_uppercase(),
        "punct" => graphic && !c.is_alphanumeric(),
        "graph" => graphic,
        "print" => graphic || c == ' ',
        "period" => matches!(c, '.' | '!' | '?'),
        "quote" => matches!(c, '\'' | '"' | '`'),
        "paren" => matches!(c, '(' | ')' | '[' | ']' | '{' | '}'),
        "prolog_var_start" => c.is_uppercase() || c == '_',
        "prolog_atom_start" => c.is_lowercase(),
        "prolog_identifier_continue" => c.is_alphanumeric() || c == '_',
        "prolog_symbol" => "#$&*+-./:<=>?@\\^~".contains(c),
        _ => {
            let value = match &*name {
                "digit/1" => c.to_digit(10).map(|weight| Number::Int(i64::from(weight))),
                "xdigit/1" => c.to_digit(16).map(|weight| Number::Int(i64::from(weight))),
                "upper/1" => c.is_uppercase().then(|| code_of(lower())),
                "lower/1" => c.is_lowercase().then(|| code_of(upper())),
                "to_lower/1" => Some(code_of(lower())),
                "to_upper/1" => Some(code_of(upper())),
                "paren/1" => "()[]{}".find(c).and_then(|i| ")(][}{".chars().nth(i)).map(code_of),
                _ => None,
            };
            let Some(value) = value else { return Ok(false) };
            let cell = m.store.make_number(&value);
            return Ok(m.unify_argument(2, cell));
        }
    };
    Ok(member && m.unify_argument(2, Cell::atom(atom::TRUE)))
}
