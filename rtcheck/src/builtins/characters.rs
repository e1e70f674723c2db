//! Characters, codes, bytes and lines of streams.

use super::streams::{checked, on_stream, put_text, text_input, text_output};
use crate::machine::{Machine, Outcome, Throw};
use crate::term::{Cell, Number, Tag, atom};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("get_char", 1, |m| get(m, None, Unit::Char, true));
    machine.define_builtin("get_char", 2, |m| get(m, Some(0), Unit::Char, true));
    machine.define_builtin("peek_char", 1, |m| get(m, None, Unit::Char, false));
    machine.define_builtin("peek_char", 2, |m| get(m, Some(0), Unit::Char, false));
    machine.define_builtin("get_code", 1, |m| get(m, None, Unit::Code, true));
    machine.define_builtin("get_code", 2, |m| get(m, Some(0), Unit::Code, true));
    machine.define_builtin("get0", 1, |m| get(m, None, Unit::Code, true));
    machine.define_builtin("get0", 2, |m| get(m, Some(0), Unit::Code, true));
    machine.define_builtin("peek_code", 1, |m| get(m, None, Unit::Code, false));
    machine.define_builtin("peek_code", 2, |m| get(m, Some(0), Unit::Code, false));
    machine.define_builtin("get_byte", 1, |m| get(m, None, Unit::Byte, true));
    machine.define_builtin("get_byte", 2, |m| get(m, Some(0), Unit::Byte, true));
    machine.define_builtin("peek_byte", 1, |m| get(m, None, Unit::Byte, false));
    machine.define_builtin("peek_byte", 2, |m| get(m, Some(0), Unit::Byte, false));
    machine.define_builtin("put_char", 1, |m| put(m, None, Unit::Char));
    machine.define_builtin("put_char", 2, |m| put(m, Some(0), Unit::Char));
    machine.define_builtin("put_code", 1, |m| put(m, None, Unit::Code));
    machine.define_builtin("put_code", 2, |m| put(m, Some(0), Unit::Code));
    machine.define_builtin("put_byte", 1, |m| put(m, None, Unit::Byte));
    machine.define_builtin("put_byte", 2, |m| put(m, Some(0), Unit::Byte));
    machine.define_builtin("nl", 0, |m| {
        let id = text_output(m, None)?;
        put_text(m, id, "\n")
    });
    machine.define_builtin("nl", 1, |m| {
        let id = text_output(m, Some(0))?;
        put_text(m, id, "\n")
    });
    machine.define_builtin("tab", 1, |m| tab(m, None));
    machine.define_builtin("tab", 2, |m| tab(m, Some(0)));
    machine.define_builtin("$read_line", 2, |m| {
        let id = text_input(m, Some(0))?;
        let line = on_stream(m, id, |stream, system| stream.next_line(system))?;
        let cell = match line {
            Some(line) => {
                let line = line.strip_suffix('\r').unwrap_or(&line);
                Cell::atom(m.atoms.intern(line))
            }
            None => Cell::int(-1),
        };
        Ok(m.unify_argument(1, cell))
    });
    machine.define_builtin("$peek_text", 3, |m| {
        let id = text_input(m, Some(0))?;
        let count = usize::try_from(m.argument(1).int_value()).unwrap_or(0);
        let text = on_stream(m, id, |stream, system| stream.peek_text(system, count))?;
        let cell = Cell::atom(m.atoms.intern(&text));
        Ok(m.unify_argument(2, cell))
    });
    machine.define_builtin("$read_rest", 2, |m| {
        let id = text_input(m, Some(0))?;
        let rest = on_stream(m, id, |stream, system| stream.rest(system))?;
        let cell = Cell::atom(m.atoms.intern(&rest));
        Ok(m.unify_argument(1, cell))
    });
}

/// What a stream gives and takes.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Char,
    Code,
    Byte,
}

/// Reads a unit into the last argument.
fn get(m: &mut Machine, i: Option<usize>, unit: Unit, pass: bool) -> Outcome {
    let result = usize::from(i.is_some());
    if let Some(i) = i
        && m.argument(i).tag() == Tag::Ref
    {
        return m.instantiation_error();
    }
    check_in_unit(m, result, unit)?;
    let id = checked(m, i, true, Some(unit == Unit::Byte))?;
    let cell = if unit == Unit::Byte {
        let byte = on_stream(
            m,
            id,
            |stream, system| {
                if pass { stream.next_byte(system) } else { stream.peek_byte(system) }
            },
        )?;
        byte.map_or(Cell::int(-1), |byte| Cell::int(i64::from(byte)))
    } else {
        let next =
            on_stream(m, id, |stream, system| if pass { stream.next(system) } else { stream.peek(system) })?;
        match next {
            Some(character) if unit == Unit::Char => Cell::atom(m.atoms.character(character)),
            Some(character) => Cell::int(i64::from(u32::from(character))),
            None if unit == Unit::Char => Cell::atom(atom::END_OF_FILE),
            None => Cell::int(-1),
        }
    };
    Ok(m.unify_argument(result, cell))
}

/// Throws unless an argument is free or what could be read.
fn check_in_unit(m: &mut Machine, i: usize, unit: Unit) -> Result<(), Throw> {
    let cell = m.argument(i);
    match (unit, cell.tag()) {
        (_, Tag::Ref) => Ok(()),
        (Unit::Char, Tag::Atm) if is_character(m, cell) || cell.as_atom() == atom::END_OF_FILE => Ok(()),
        (Unit::Char, _) => m.type_error_named("in_character", cell),
        (Unit::Code, _) if !m.store.is_integer(cell) => m.type_error(atom::INTEGER, cell),
        (Unit::Code, Tag::Int) if cell.int_value() == -1 || code_character(cell).is_some() => Ok(()),
        (Unit::Code, _) => m.representation_error("in_character_code"),
        (Unit::Byte, Tag::Int) if (-1..256).contains(&cell.int_value()) => Ok(()),
        (Unit::Byte, _) => m.type_error_named("in_byte", cell),
    }
}

fn is_character(m: &Machine, cell: Cell) -> bool {
    let mut characters = m.atoms.text(cell.as_atom()).chars();
    characters.next().is_some() && characters.next().is_none()
}

fn code_character(cell: Cell) -> Option<char> {
    u32::try_from(cell.int_value()).ok().and_then(char::from_u32)
}

/// Writes the unit that is the last argument.
fn put(m: &mut Machine, i: Option<usize>, unit: Unit) -> Outcome {
    if let Some(i) = i
        && m.argument(i).tag() == Tag::Ref
    {
        return m.instantiation_error();
    }
    let cell = m.argument(usize::from(i.is_some()));
    if cell.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    match unit {
        Unit::Char => {
            if cell.tag() != Tag::Atm || !is_character(m, cell) {
                return m.type_error(atom::CHARACTER, cell);
            }
            let id = text_output(m, i)?;
            let text = m.atoms.shared_text(cell.as_atom());
            put_text(m, id, &text)
        }
        Unit::Code => {
            if !m.store.is_integer(cell) {
                return m.type_error(atom::INTEGER, cell);
            }
            let character = if cell.tag() == Tag::Int { code_character(cell) } else { None };
            let Some(character) = character else { return m.representation_error("character_code") };
            let id = text_output(m, i)?;
            put_text(m, id, character.encode_utf8(&mut [0; 4]))
        }
        Unit::Byte => {
            let byte = if cell.tag() == Tag::Int { u8::try_from(cell.int_value()).ok() } else { None };
            let Some(byte) = byte else { return m.type_error_named("byte", cell) };
            let id = checked(m, i, false, Some(true))?;
            on_stream(m, id, |stream, system| stream.write_byte(system, byte)).map(|()| true)
        }
    }
}

fn tab(m: &mut Machine, i: Option<usize>) -> Outcome {
    let id = text_output(m, i)?;
    let count = m.argument(usize::from(i.is_some()));
    let value = m.evaluate(count)?;
    match value {
        Number::Int(count) => {
            // In pieces, so that a wrong count fills the disk and not the memory.
            let mut left = count.max(0);
            while left > 0 {
                let piece = left.min(1 << 12);
                put_text(m, id, &" ".repeat(piece as usize))?;
                left -= piece;
            }
            Ok(true)
        }
        _ => m.type_error(atom::INTEGER, count),
    }
}
