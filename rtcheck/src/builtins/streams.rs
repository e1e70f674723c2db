//! Streams: closing, properties, positions.
//!
//! Errors are thrown in the order of the standard: what is not instantiated, what is of the wrong type, what is no
//! stream, what the stream does not allow.

use super::lists::list_argument;
use crate::machine::{
    Encoding, EndOfStream, EofAction, Machine, Outcome, Stream, StreamError, StreamId, StreamMode,
    StreamPlace, StreamPosition, Throw,
};
use crate::term::{Cell, Tag, atom};
use std::io::ErrorKind;

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("close", 1, |m| close(m, None));
    machine.define_builtin("close", 2, |m| close(m, Some(1)));
    machine.define_builtin("current_input", 1, |m| current(m, m.streams.input));
    machine.define_builtin("current_output", 1, |m| current(m, m.streams.output));
    machine.define_builtin("set_input", 1, |m| {
        let id = input(m, 0)?;
        m.streams.input = id;
        Ok(true)
    });
    machine.define_builtin("set_output", 1, |m| {
        let id = output(m, 0)?;
        m.streams.output = id;
        Ok(true)
    });
    machine.define_builtin("flush_output", 0, |m| flush(m, m.streams.output));
    machine.define_builtin("flush_output", 1, |m| {
        let id = output(m, 0)?;
        flush(m, id)
    });
    machine.define_builtin("$streams", 2, streams);
    machine.define_builtin("$stream_properties", 2, properties);
    machine.define_builtin("$stream_property_name", 1, property_name);
    machine.define_builtin("set_stream_position", 2, set_position);
    machine.define_builtin("seek", 4, seek);
    machine.define_builtin("set_stream", 2, set_stream);
    machine.define_builtin("is_stream", 1, |m| Ok(find(m, m.argument(0)).is_some()));
    machine.define_builtin("at_end_of_stream", 0, |m| at_end(m, m.streams.input));
    machine.define_builtin("at_end_of_stream", 1, |m| {
        let id = input(m, 0)?;
        at_end(m, id)
    });
    machine.define_builtin("line_count", 2, |m| count(m, StreamPosition::line));
    machine.define_builtin("line_position", 2, |m| count(m, |position| position.column));
    machine.define_builtin("character_count", 2, |m| count(m, |position| position.characters));
    machine.define_builtin("byte_count", 2, |m| count(m, |position| position.bytes));
    machine.define_builtin("$open_text", 2, |m| {
        let text = super::atoms::text_argument(m, 0)?;
        let id = m.streams.add(Stream::of_text(text));
        let term = stream_term(m, id);
        Ok(m.unify_argument(1, term))
    });
    machine.define_builtin("$capture", 2, |m| {
        let output = m.streams.start_capture();
        let (capture, output) = (Cell::count(m.streams.output.0), Cell::count(output.0));
        Ok(m.unify_argument(0, capture) && m.unify_argument(1, output))
    });
    machine.define_builtin("$captured", 3, |m| {
        let id = |cell: Cell| StreamId(cell.int_value() as usize);
        let text = m.streams.end_capture(id(m.argument(0)), id(m.argument(1)));
        let cell = Cell::atom(m.atoms.intern(&text));
        Ok(m.unify_argument(2, cell))
    });
    machine.define_builtin("$redirect", 3, |m| {
        let (capture, stream) = m.streams.redirect(m.argument(0).as_atom());
        let (capture, stream) = (Cell::count(capture.0), Cell::count(stream.0));
        Ok(m.unify_argument(1, capture) && m.unify_argument(2, stream))
    });
    machine.define_builtin("$redirected", 4, |m| {
        let id = |cell: Cell| StreamId(cell.int_value() as usize);
        let (alias, capture, stream) = (m.argument(0).as_atom(), id(m.argument(1)), id(m.argument(2)));
        let text = m.streams.end_redirection(alias, capture, stream);
        let cell = Cell::atom(m.atoms.intern(&text));
        Ok(m.unify_argument(3, cell))
    });
}

/// The term of a stream.
pub(super) fn stream_term(m: &mut Machine, id: StreamId) -> Cell {
    m.store.compound(atom::STREAM_FUNCTOR, &[Cell::count(id.0)])
}

/// The number in the term of a stream, open or not.
fn stream_number(m: &Machine, cell: Cell) -> Option<StreamId> {
    let [number] = m.store.match_structure::<1>(cell, atom::STREAM_FUNCTOR)?;
    if number.tag() != Tag::Int {
        return None;
    }
    usize::try_from(number.int_value()).ok().map(StreamId)
}

/// The streams of a pair, to read from and to write to.
fn pair(m: &Machine, cell: Cell) -> Option<[Cell; 2]> {
    m.atoms.find("$stream_pair").and_then(|name| m.store.match_structure::<2>(cell, name))
}

/// The open stream of a term or alias; of a pair that to read from, and the other one once that is closed.
fn find(m: &Machine, cell: Cell) -> Option<StreamId> {
    let id = match cell.tag() {
        Tag::Atm => match (m.streams.alias(cell.as_atom()), m.atoms.text(cell.as_atom())) {
            (Some(id), _) => id,
            // SWI-Prolog's names for what is current.
            (None, "current_output") if !m.flags.strict => m.streams.output,
            (None, "current_input") if !m.flags.strict => m.streams.input,
            (None, _) => return None,
        },
        _ => match pair(m, cell) {
            Some(both) => both
                .into_iter()
                .filter_map(|one| stream_number(m, one))
                .find(|&id| m.streams.get(id).is_some())?,
            None => stream_number(m, cell)?,
        },
    };
    m.streams.get(id).map(|_| id)
}

/// The stream of an argument, a term or an alias.
pub(super) fn stream(m: &mut Machine, i: usize) -> Result<StreamId, Throw> {
    let cell = m.argument(i);
    if cell.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    match find(m, cell) {
        Some(id) => Ok(id),
        None if cell.tag() == Tag::Atm || stream_number(m, cell).is_some() || pair(m, cell).is_some() => {
            m.existence_error("stream", cell)
        }
        None => m.domain_error("stream_or_alias", cell),
    }
}

/// How a stream is called in the error about it: as the argument says, or by its term.
fn culprit(m: &mut Machine, i: Option<usize>, id: StreamId) -> Cell {
    match i {
        Some(i) => m.argument(i),
        None => stream_term(m, id),
    }
}

fn stream_or(m: &mut Machine, i: Option<usize>, current: StreamId) -> Result<StreamId, Throw> {
    match i {
        Some(i) => stream(m, i),
        None => Ok(current),
    }
}

/// The stream of an argument or the current one; throws unless it is one of the given direction and, if that is said,
/// type.
pub(super) fn checked(
    m: &mut Machine,
    i: Option<usize>,
    input: bool,
    binary: Option<bool>,
) -> Result<StreamId, Throw> {
    let current = if input { m.streams.input } else { m.streams.output };
    let mut id = stream_or(m, i, current)?;
    if let Some([read, write]) = i.and_then(|i| pair(m, m.argument(i)))
        && let Some(one) = find(m, if input { read } else { write })
    {
        id = one;
    }
    let action = if input { "input" } else { "output" };
    let (is_input, is_binary) = m.streams.get(id).map_or((false, false), |s| (s.is_input(), s.binary));
    let kind = match binary {
        _ if is_input != input => "stream",
        Some(false) if is_binary => "binary_stream",
        Some(true) if !is_binary => "text_stream",
        _ => return Ok(id),
    };
    let culprit = culprit(m, i, id);
    m.permission_error(action, kind, culprit)
}

fn input(m: &mut Machine, i: usize) -> Result<StreamId, Throw> {
    checked(m, Some(i), true, None)
}

fn output(m: &mut Machine, i: usize) -> Result<StreamId, Throw> {
    checked(m, Some(i), false, None)
}

/// A stream that characters can be read from: an argument's, or the current one.
pub(super) fn text_input(m: &mut Machine, i: Option<usize>) -> Result<StreamId, Throw> {
    checked(m, i, true, Some(false))
}

/// A stream that characters can be written to: an argument's, or the current one.
pub(super) fn text_output(m: &mut Machine, i: Option<usize>) -> Result<StreamId, Throw> {
    checked(m, i, false, Some(false))
}

/// Does something with a stream and the system, and turns the stream's errors into terms.
pub(super) fn on_stream<T>(
    m: &mut Machine,
    id: StreamId,
    act: impl FnOnce(&mut Stream, &mut dyn crate::base::System) -> Result<T, StreamError>,
) -> Result<T, Throw> {
    let Some(stream) = m.streams.get(id) else {
        let term = stream_term(m, id);
        return m.existence_error("stream", term);
    };
    match stream.place {
        // Who waits for an answer has seen the question, and messages come after what led to them.
        StreamPlace::Input => m.flush_output(),
        StreamPlace::Error => {
            let result = m.streams.get_mut(StreamId::OUTPUT).map(|stream| stream.flush(&mut *m.system));
            if let Some(Err(error)) = result {
                return stream_error(m, StreamId::OUTPUT, error);
            }
        }
        _ => {}
    }
    let Some(stream) = m.streams.get_mut(id) else { return m.instantiation_error() };
    match act(stream, &mut *m.system) {
        Ok(result) => Ok(result),
        Err(error) => stream_error(m, id, error),
    }
}

fn stream_error<T>(m: &mut Machine, id: StreamId, error: StreamError) -> Result<T, Throw> {
    let term = stream_term(m, id);
    match error {
        StreamError::Encoding => m.representation_error("character"),
        StreamError::PastEnd => m.permission_error("input", "past_end_of_stream", term),
        StreamError::System(error) => {
            let is_input = m.streams.get(id).is_some_and(Stream::is_input);
            let reason = error.to_string();
            if m.streams.get(id).is_some_and(|stream| stream.place == StreamPlace::Output) {
                let gone = error.kind() == ErrorKind::BrokenPipe;
                m.streams.lost.get_or_insert(error);
                if gone {
                    // Nobody is left to read what the program writes: it ends without a word, as it would have been
                    // ended by a signal.
                    return Err(Throw::Halt(i32::from(m.violations > 0)));
                }
            }
            let action = Cell::atom(m.atoms.intern(if is_input { "read" } else { "write" }));
            let name = m.atoms.intern("io_error");
            let formal = m.store.compound(name, &[action, term]);
            let reason = Cell::atom(m.atoms.intern(&reason));
            let ball = m.store.compound(atom::ERROR, &[formal, reason]);
            m.throw_term(ball)
        }
    }
}

/// Writes a text to a stream.
pub(super) fn put_text(m: &mut Machine, id: StreamId, text: &str) -> Outcome {
    on_stream(m, id, |stream, system| stream.write(system, text)).map(|()| true)
}

fn flush(m: &mut Machine, id: StreamId) -> Outcome {
    on_stream(m, id, |stream, system| stream.flush(system)).map(|()| true)
}

fn close(m: &mut Machine, options: Option<usize>) -> Outcome {
    let mut force = false;
    if let Some(i) = options {
        for option in list_argument(m, i)? {
            let value = m.atoms.find("force").and_then(|name| m.store.match_structure::<1>(option, name));
            match value {
                _ if option.tag() == Tag::Ref => return m.instantiation_error(),
                Some([value]) if value.tag() == Tag::Ref => return m.instantiation_error(),
                Some([value]) if value == Cell::atom(atom::TRUE) => force = true,
                Some([value]) if value == Cell::atom(atom::FALSE) => {}
                _ => return m.domain_error("close_option", option),
            }
        }
    }
    let id = stream(m, 0)?;
    if let Some([_, write]) = pair(m, m.argument(0))
        && let Some(other) = find(m, write)
        && other != id
    {
        close_one(m, other, force)?;
    }
    close_one(m, id, force)
}

fn close_one(m: &mut Machine, id: StreamId, force: bool) -> Outcome {
    if id.0 <= StreamId::ERROR.0 {
        // The standard streams stay.
        return if m.streams.get(id).is_some_and(Stream::is_input) { Ok(true) } else { flush(m, id) };
    }
    match m.streams.close(&mut *m.system, id) {
        Err(error) if !force => stream_error(m, id, error),
        _ => Ok(true),
    }
}

/// Throws unless an argument is free or the term of an open stream.
fn free_or_stream(m: &mut Machine, i: usize) -> Result<(), Throw> {
    let cell = m.argument(i);
    if cell.tag() == Tag::Ref {
        return Ok(());
    }
    match stream_number(m, cell) {
        Some(id) if m.streams.get(id).is_some() => Ok(()),
        Some(_) => m.existence_error("stream", cell),
        None => m.domain_error("stream", cell),
    }
}

fn current(m: &mut Machine, id: StreamId) -> Outcome {
    free_or_stream(m, 0)?;
    let term = stream_term(m, id);
    Ok(m.unify_argument(0, term))
}

/// `'$streams'(S, List)`: the open streams that S may be. An alias stands for its stream.
fn streams(m: &mut Machine) -> Outcome {
    let cell = m.argument(0);
    let ids: Vec<StreamId> = if cell.tag() == Tag::Ref {
        m.streams.open().collect()
    } else if cell.tag() == Tag::Atm {
        match find(m, cell) {
            Some(id) => vec![id],
            None => return m.domain_error("stream", cell),
        }
    } else {
        free_or_stream(m, 0)?;
        stream_number(m, cell).into_iter().collect()
    };
    let terms: Vec<Cell> = ids.into_iter().map(|id| stream_term(m, id)).collect();
    let list = m.store.list(&terms, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}

/// The term of a position.
pub(super) fn position_term(m: &mut Machine, position: StreamPosition) -> Cell {
    let name = m.atoms.intern("$stream_position");
    let parts = [position.characters, position.line(), position.column, position.bytes];
    m.store.compound(name, &parts.map(Cell::count))
}

const PROPERTIES: &[&str] = &[
    "file_name",
    "mode",
    "alias",
    "position",
    "end_of_stream",
    "eof_action",
    "reposition",
    "type",
    "encoding",
    "buffer",
    "newline",
    "tty",
    "bom",
];

/// Throws unless the argument is free or could be a property of a stream.
fn property_name(m: &mut Machine) -> Outcome {
    let property = m.argument(0);
    let known = match m.store.functor(property) {
        Some((name, 0)) => matches!(m.atoms.text(name), "input" | "output"),
        Some((name, 1)) => {
            let value = m.store.argument(property, 0);
            let is_atom = matches!(value.tag(), Tag::Ref | Tag::Atm) || m.atoms.text(name) == "position";
            is_atom && PROPERTIES.contains(&m.atoms.text(name))
        }
        Some(_) => false,
        None => property.tag() == Tag::Ref,
    };
    if known { Ok(true) } else { m.domain_error("stream_property", property) }
}

/// `'$stream_properties'(S, List)`: all properties of an open stream.
fn properties(m: &mut Machine) -> Outcome {
    let id = stream(m, 0)?;
    let Some(stream) = m.streams.get(id) else { return Ok(false) };
    let end = if stream.is_input() {
        on_stream(m, id, |stream, system| stream.found_end(system))?
    } else {
        EndOfStream::Not
    };
    let Some(stream) = m.streams.get(id) else { return Ok(false) };
    let mode = match stream.mode {
        StreamMode::Read => "read",
        StreamMode::Write => "write",
        StreamMode::Append => "append",
        StreamMode::Update => "update",
    };
    let eof_action = match stream.eof_action {
        EofAction::Error => "error",
        EofAction::EofCode => "eof_code",
        EofAction::Reset => "reset",
    };
    let end = match end {
        EndOfStream::Not => "not",
        EndOfStream::At => "at",
        EndOfStream::Past => "past",
    };
    let encoding = match stream.encoding {
        _ if stream.binary => "octet",
        encoding => encoding.name(),
    };
    let is_input = stream.is_input();
    let (file, aliases, position) = (stream.file, stream.aliases.clone(), stream.position);
    let mut named = vec![
        ("mode", mode),
        ("eof_action", eof_action),
        ("reposition", if stream.reposition { "true" } else { "false" }),
        ("type", if stream.binary { "binary" } else { "text" }),
        ("encoding", encoding),
        ("buffer", if stream.place == StreamPlace::Error { "none" } else { "full" }),
        ("newline", "posix"),
    ];
    if is_input {
        named.push(("end_of_stream", end));
    }
    if !stream.binary && stream.file.is_some() {
        named.push(("bom", if stream.is_marked { "true" } else { "false" }));
    }
    let direction = m.atoms.intern(if is_input { "input" } else { "output" });
    let mut all = vec![Cell::atom(direction)];
    for (name, value) in named {
        let (name, value) = (m.atoms.intern(name), m.atoms.intern(value));
        all.push(m.store.compound(name, &[Cell::atom(value)]));
    }
    let (file_name, alias_name, position_name) =
        (m.atoms.intern("file_name"), m.atoms.intern("alias"), m.atoms.intern("position"));
    all.extend(file.map(|file| m.store.compound(file_name, &[Cell::atom(file)])));
    for alias in aliases {
        all.push(m.store.compound(alias_name, &[Cell::atom(alias)]));
    }
    let position = position_term(m, position);
    all.push(m.store.compound(position_name, &[position]));
    let list = m.store.list(&all, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}

fn set_position(m: &mut Machine) -> Outcome {
    let position = m.argument(1);
    if position.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    let id = stream(m, 0)?;
    let name = m.atoms.intern("$stream_position");
    let parts = m.store.match_structure::<4>(position, name).map(|parts| {
        parts.map(|part| (part.tag() == Tag::Int).then(|| usize::try_from(part.int_value()).ok()).flatten())
    });
    let Some([Some(characters), Some(line @ 1..), Some(column), Some(bytes)]) = parts else {
        return m.domain_error("stream_position", position);
    };
    let target = StreamPosition { bytes, characters, lines: line - 1, column };
    go_to(m, id, target, position)
}

fn go_to(m: &mut Machine, id: StreamId, target: StreamPosition, culprit: Cell) -> Outcome {
    if !m.streams.get(id).is_some_and(|stream| stream.reposition) {
        let term = m.argument(0);
        return m.permission_error("reposition", "stream", term);
    }
    if on_stream(m, id, |stream, system| stream.seek(system, target))? {
        return Ok(true);
    }
    m.domain_error("stream_position", culprit)
}

/// `seek(Stream, Offset, From, New)` in bytes, each of which counts as a character, as in SWI-Prolog.
fn seek(m: &mut Machine) -> Outcome {
    let id = stream(m, 0)?;
    let (offset, from) = (m.argument(1), m.argument(2));
    if offset.tag() != Tag::Int {
        return m.type_error(atom::INTEGER, offset);
    }
    if from.tag() != Tag::Atm {
        return m.type_error(atom::ATOM, from);
    }
    let here = m.streams.get(id).map_or(0, |stream| stream.position.bytes);
    let base = match m.atoms.text(from.as_atom()) {
        "bof" => 0,
        "current" => here,
        "eof" => on_stream(m, id, |stream, system| stream.length(system))?,
        _ => return m.domain_error("seek_method", from),
    };
    let Ok(bytes) = usize::try_from(base as i64 + offset.int_value()) else {
        return m.domain_error("position", offset);
    };
    let target = StreamPosition { characters: bytes, bytes, ..StreamPosition::default() };
    go_to(m, id, target, offset)?;
    Ok(m.unify_argument(3, Cell::count(bytes)))
}

/// `set_stream(Stream, Property)`, for the properties that can change while a stream is open.
fn set_stream(m: &mut Machine) -> Outcome {
    let id = stream(m, 0)?;
    let property = m.argument(1);
    if property.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    let Some((name, 1)) = m.store.functor(property) else {
        return m.domain_error("stream_property", property);
    };
    let value = m.store.argument(property, 0);
    if value.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    let text = if value.tag() == Tag::Atm { m.atoms.text(value.as_atom()) } else { "" };
    let name = m.atoms.text(name);
    if name == "alias" && value.tag() == Tag::Atm {
        m.streams.set_alias(value.as_atom(), id);
        return Ok(true);
    }
    let Some(stream) = m.streams.get_mut(id) else { return Ok(false) };
    match (name, text) {
        ("eof_action", "error") => stream.eof_action = EofAction::Error,
        ("eof_action", "eof_code") => stream.eof_action = EofAction::EofCode,
        ("eof_action", "reset") => stream.eof_action = EofAction::Reset,
        ("encoding", name) if Encoding::named(name).is_some() => {
            stream.encoding = Encoding::named(name).unwrap_or_default();
        }
        (
            "buffer"
            | "buffer_size"
            | "newline"
            | "tty"
            | "close_on_abort"
            | "record_position"
            | "representation_errors",
            _,
        ) => {}
        _ => return m.domain_error("stream_property", property),
    }
    Ok(true)
}

fn at_end(m: &mut Machine, id: StreamId) -> Outcome {
    if m.streams.get(id).is_some_and(|stream| stream.end() != EndOfStream::Not) {
        return Ok(true);
    }
    let binary = m.streams.get(id).is_some_and(|stream| stream.binary);
    on_stream(m, id, |stream, system| {
        Ok(if binary { stream.peek_byte(system)?.is_none() } else { stream.peek(system)?.is_none() })
    })
}

fn count(m: &mut Machine, part: fn(StreamPosition) -> usize) -> Outcome {
    let id = stream(m, 0)?;
    let position = m.streams.get(id).map_or_else(StreamPosition::default, |stream| stream.position);
    Ok(m.unify_argument(1, Cell::count(part(position))))
}
