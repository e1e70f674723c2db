//! SWI-Prolog's string predicates. A string is a constant of its own, with a text; where text is asked for, atoms,
//! numbers and lists of codes or characters are text as well, whatever text in double quotes is read as. Where a list is
//! text, `[]` is the empty one, as `""` is read as it; where only constants are, it is the constant.

use super::atoms::{
    Elements, any_text, give_atom, give_or_compare, give_string, in_other_case, length_result, parse_number,
    text_list,
};
use super::lists::list_argument;
use crate::machine::{Machine, Outcome, Throw};
use crate::term::{Cell, Number, Tag, WriteOptions, atom, is_alphanumeric};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("string", 1, |m| Ok(m.argument(0).tag() == Tag::Txt));
    // '$string'(Text, Type, String) and '$text'(Text, Type, Atom): `Type` is what an error says was expected.
    machine.define_builtin("$string", 3, |m| {
        let text = typed_text(m)?;
        give_string(m, 2, &text)
    });
    machine.define_builtin("$text", 3, |m| {
        let text = typed_text(m)?;
        give_atom(m, 2, &text)
    });
    // '$string_of'(Atom, String): the text of an atom that is no argument of a program but what a text has become on
    // its way, so that `[]` is the text "[]".
    machine.define_builtin("$string_of", 2, |m| {
        let given = m.argument(0);
        if !matches!(given.tag(), Tag::Atm | Tag::Txt) {
            return m.type_error(atom::ATOM, given);
        }
        Ok(m.unify_argument(1, Cell::string(given.as_atom())))
    });
    // '$same_text'(Given, Text): what is given is the same text, or none.
    machine.define_builtin("$same_text", 2, |m| {
        let other = m.argument(1);
        Ok(any_text(m, m.argument(0)).is_some_and(|given| any_text(m, other).as_ref() == Some(&given)))
    });
    machine.define_builtin("string_length", 2, |m| {
        let count = text(m, 0)?.chars().count();
        let length = m.argument(1);
        if length.tag() == Tag::Int {
            return Ok(length == Cell::count(count));
        }
        length_result(m, 1, count)
    });
    machine.define_builtin("string_lower", 2, |m| {
        let text = in_other_case(&constant_text(m, 0)?, char::to_lowercase);
        give_or_compare(m, 1, &text, Cell::string, "string")
    });
    machine.define_builtin("string_upper", 2, |m| {
        let text = in_other_case(&constant_text(m, 0)?, char::to_uppercase);
        give_or_compare(m, 1, &text, Cell::string, "string")
    });
    machine.define_builtin("$string_concat", 3, |m| {
        let (left, right) = (text_as(m, 0, "atomic")?, text_as(m, 1, "atomic")?);
        m.text_fits(left.len() + right.len())?;
        give_or_compare(m, 2, &(left + &right), Cell::string, "atomic")
    });
    machine.define_builtin("$text_codes", 2, |m| list(m, Elements::Codes));
    machine.define_builtin("$text_chars", 2, |m| list(m, Elements::Chars));
    machine.define_builtin("get_string_code", 3, string_code);
    machine.define_builtin("split_string", 4, split_string);
    machine.define_builtin("$normal_space", 2, |m| {
        let words: Vec<String> = text(m, 0)?.split_whitespace().map(str::to_owned).collect();
        give_atom(m, 1, &words.join(" "))
    });
    machine.define_builtin("$number_of_text", 2, |m| {
        match parse_number(text(m, 0)?.trim_end(), m.flags.strict) {
            Some(number) => {
                let cell = m.store.make_number(&number);
                Ok(m.unify_argument(1, cell))
            }
            None => Ok(false),
        }
    });
    machine.define_builtin("string_bytes", 3, string_bytes);
    machine.define_builtin("$char_class", 3, char_class);
}

fn text(m: &mut Machine, i: usize) -> Result<String, Throw> {
    text_as(m, i, "text")
}

/// The same where a number is no text.
fn text_but_numbers(m: &mut Machine, i: usize) -> Result<String, Throw> {
    let cell = m.argument(i);
    if matches!(cell.tag(), Tag::Int | Tag::Box) {
        return m.type_error_named("text", cell);
    }
    text(m, i)
}

/// The text of the first argument, where the second one is the type that it is expected to have.
fn typed_text(m: &mut Machine) -> Result<String, Throw> {
    let expected = m.argument(1);
    let expected =
        if expected.tag() == Tag::Atm { m.atoms.shared_text(expected.as_atom()) } else { "".into() };
    text_as(m, 0, &expected)
}

/// The text of an argument, which may be the constant `[]`.
fn constant_text(m: &mut Machine, i: usize) -> Result<String, Throw> {
    if m.argument(i) == Cell::atom(atom::NIL) { Ok("[]".to_owned()) } else { text(m, i) }
}

/// The text of an argument.
fn text_as(m: &mut Machine, i: usize, expected: &str) -> Result<String, Throw> {
    let cell = m.argument(i);
    match cell.tag() {
        Tag::Ref => m.instantiation_error(),
        // Where constants are taken, and no lists, it is one.
        Tag::Atm if cell == Cell::atom(atom::NIL) && expected != "atomic" => Ok(String::new()),
        Tag::Atm | Tag::Txt => Ok(m.atoms.text(cell.as_atom()).to_owned()),
        Tag::Int | Tag::Box => Ok(super::written::text_of(m, cell, WriteOptions::default())),
        Tag::Lis => {
            let elements = match m.store.list_elements(cell) {
                Ok(elements) => elements,
                Err(tail) if tail.tag() == Tag::Ref => return m.instantiation_error(),
                Err(_) => return m.type_error_named(expected, cell),
            };
            let mut text = String::with_capacity(elements.len());
            // The first element says what the others should be.
            let characters = elements.first().is_some_and(|first| {
                first.tag() == Tag::Atm && m.atoms.text(first.as_atom()).chars().nth(1).is_none()
            });
            for element in elements {
                match element_character(m, element) {
                    Some(character) => text.push(character),
                    None if element.tag() == Tag::Ref => return m.instantiation_error(),
                    None if characters => return m.type_error(atom::CHARACTER, element),
                    None => return m.type_error(atom::CHARACTER_CODE, element),
                }
            }
            Ok(text)
        }
        Tag::Str | Tag::Hdr => m.type_error_named(expected, cell),
    }
}

/// How texts are bytes.
#[derive(Clone, Copy)]
enum Encoding {
    Utf8,
    Latin1,
    Ascii,
    Utf16(fn([u8; 2]) -> u16, fn(u16) -> [u8; 2]),
}

/// `string_bytes(Text, Bytes, Encoding)`: a text as it is encoded, or the string that bytes are.
fn string_bytes(m: &mut Machine) -> Outcome {
    let encoding = m.argument(2);
    if encoding.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    let name = if encoding.tag() == Tag::Atm { m.atoms.text(encoding.as_atom()) } else { "" };
    let encoding = match name {
        "utf8" | "text" => Encoding::Utf8,
        "octet" | "iso_latin_1" => Encoding::Latin1,
        "ascii" => Encoding::Ascii,
        "utf16be" | "unicode_be" => Encoding::Utf16(u16::from_be_bytes, u16::to_be_bytes),
        "utf16le" | "unicode_le" => Encoding::Utf16(u16::from_le_bytes, u16::to_le_bytes),
        _ => return m.domain_error("encoding", encoding),
    };
    if m.argument(0).tag() != Tag::Ref {
        let text = text(m, 0)?;
        let narrow =
            |most: u32| text.chars().map(|c| u8::try_from(c).ok().filter(|&b| u32::from(b) < most)).collect();
        let bytes: Option<Vec<u8>> = match encoding {
            Encoding::Utf8 => Some(text.clone().into_bytes()),
            Encoding::Latin1 => narrow(256),
            Encoding::Ascii => narrow(128),
            Encoding::Utf16(_, bytes) => Some(text.encode_utf16().flat_map(bytes).collect()),
        };
        let Some(bytes) = bytes else { return m.representation_error("encoding") };
        let cells: Vec<Cell> = bytes.into_iter().map(|byte| Cell::int(i64::from(byte))).collect();
        let list = m.store.list(&cells, Cell::atom(atom::NIL));
        return Ok(m.unify_argument(1, list));
    }
    let mut bytes = Vec::new();
    for cell in list_argument(m, 1)? {
        match cell.tag() {
            Tag::Ref => return m.instantiation_error(),
            Tag::Int if (0..256).contains(&cell.int_value()) => bytes.push(cell.int_value() as u8),
            _ => return m.type_error_named("byte", cell),
        }
    }
    let text = match encoding {
        Encoding::Utf8 => String::from_utf8(bytes).ok(),
        Encoding::Latin1 => Some(bytes.into_iter().map(char::from).collect()),
        Encoding::Ascii if !bytes.is_ascii() => return m.representation_error("encoding"),
        Encoding::Ascii => Some(bytes.into_iter().map(char::from).collect()),
        Encoding::Utf16(unit, _) => {
            let (pairs, rest) = bytes.as_chunks::<2>();
            let units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
            String::from_utf16(&units).ok().filter(|_| rest.is_empty())
        }
    };
    match text {
        Some(text) => give_string(m, 0, &text),
        None => {
            let what = Cell::atom(m.atoms.intern("incomplete_multibyte_sequence"));
            let formal = m.store.compound(atom::SYNTAX_ERROR, &[what]);
            m.throw_error(formal)
        }
    }
}

/// The character that an element of a list is, or is the code of.
fn element_character(m: &Machine, element: Cell) -> Option<char> {
    match element.tag() {
        Tag::Int => char::from_u32(u32::try_from(element.int_value()).ok()?),
        Tag::Atm => {
            let mut characters = m.atoms.text(element.as_atom()).chars();
            characters.next().filter(|_| characters.next().is_none())
        }
        _ => None,
    }
}

/// Unifies the second argument with the list of a text, or compares it with another text.
fn list(m: &mut Machine, elements: Elements) -> Outcome {
    let text = text(m, 0)?;
    let given = m.argument(1);
    if given.is_atomic() && given != Cell::atom(atom::NIL) {
        return Ok(self::text(m, 1)? == text);
    }
    let list = text_list(m, &text, elements);
    Ok(m.unify_argument(1, list))
}

/// `get_string_code(Index, Text, Code)`: fails outside the text.
fn string_code(m: &mut Machine) -> Outcome {
    let index = m.argument(0);
    if index.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    if index.tag() != Tag::Int {
        return m.type_error(atom::INTEGER, index);
    }
    if index.int_value() < 0 {
        return m.domain_error("not_less_than_zero", index);
    }
    let text = text_but_numbers(m, 1)?;
    let position = (index.int_value() as usize).checked_sub(1);
    match position.and_then(|position| text.chars().nth(position)) {
        Some(found) => Ok(m.unify_argument(2, Cell::int(i64::from(u32::from(found))))),
        None => Ok(false),
    }
}

/// `split_string(Text, Separators, Padding, Parts)`: takes padding characters off both ends of the text, cuts
/// it at each separator character, and takes them off both ends of each part. Padding in front of a part goes
/// first, so that separators that are padding as well count once where several follow each other.
fn split_string(m: &mut Machine) -> Outcome {
    let (text, separators, padding) =
        (text_but_numbers(m, 0)?, text_but_numbers(m, 1)?, text_but_numbers(m, 2)?);
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
        parts.push(Cell::string(m.atoms.intern(part.trim_end_matches(pads))));
        match behind {
            Some(behind) => rest = behind,
            None => break,
        }
    }
    let given = m.argument(3);
    if !matches!(given.tag(), Tag::Ref | Tag::Lis) && given != Cell::atom(atom::NIL) {
        return m.type_error(atom::LIST, given);
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
    let alphanumeric = c.is_alphabetic() || crate::read::weight(c).is_some();
    // As in SWI-Prolog, whose C library has digits beyond ASCII among the letters.
    let alphabetic = alphanumeric && !c.is_ascii_digit();
    let member = match &*name {
        "alnum" => alphanumeric,
        "alpha" => alphabetic,
        "csym" => alphanumeric || c == '_',
        "csymf" => alphabetic || c == '_',
        "ascii" => c.is_ascii(),
        "digit" => c.is_ascii_digit(),
        "white" => matches!(c, ' ' | '\t'),
        "cntrl" => c.is_control(),
        "space" => c.is_whitespace(),
        "end_of_line" => matches!(c, '\n'..='\r'),
        "newline" => c == '\n',
        "lower" => c.is_lowercase(),
        "upper" => c.is_uppercase(),
        "punct" => graphic && !alphanumeric,
        "graph" => graphic,
        "print" => graphic || c == ' ',
        "period" => matches!(c, '.' | '!' | '?'),
        "quote" => matches!(c, '\'' | '"' | '`'),
        "paren" => matches!(c, '(' | ')' | '[' | ']' | '{' | '}'),
        "prolog_var_start" => c.is_uppercase() || c == '_',
        "prolog_atom_start" => c.is_lowercase(),
        "prolog_identifier_continue" => is_alphanumeric(c),
        "prolog_symbol" => "#$&*+-./:<=>?@\\^~".contains(c),
        _ => {
            let value = match &*name {
                "digit/1" => c.to_digit(10).map(|weight| Number::Int(i64::from(weight))),
                "decimal/1" => crate::read::weight(c).map(|weight| Number::Int(i64::from(weight))),
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
