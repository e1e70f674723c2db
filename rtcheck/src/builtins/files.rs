//! Files: opening them as streams, and what else programs ask about them.

use super::atoms::any_text;
use super::lists::list_argument;
use super::streams::stream_term;
use crate::base::{FileFacts, FileMode};
use crate::machine::{Encoding, EofAction, Machine, Outcome, Stream, StreamMode, StreamPlace, Throw};
use crate::term::{Atom, Cell, Number, Tag, atom};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("open", 3, |m| open(m, 2, None));
    machine.define_builtin("open", 4, |m| open(m, 2, Some(3)));
    machine.define_builtin("exists_file", 1, |m| exists(m, |facts| !facts.directory));
    machine.define_builtin("file_exists", 1, |m| exists(m, |_| true));
    machine.define_builtin("exists_directory", 1, |m| exists(m, |facts| facts.directory));
    machine.define_builtin("size_file", 2, |m| {
        let facts = facts(m)?;
        number(m, &Number::Int(i64::try_from(facts.size).unwrap_or(i64::MAX)))
    });
    machine.define_builtin("time_file", 2, |m| {
        let facts = facts(m)?;
        number(m, &Number::Float(facts.modified.as_secs_f64()))
    });
    machine.define_builtin("delete_file", 1, |m| {
        change(m, "delete", "file", |m, path| m.system.delete_file(path))
    });
    machine.define_builtin("make_directory", 1, |m| {
        change(m, "create", "directory", |m, path| m.system.make_directory(path))
    });
    machine.define_builtin("delete_directory", 1, |m| {
        change(m, "delete", "directory", |m, path| m.system.delete_directory(path))
    });
    machine.define_builtin("rename_file", 2, |m| {
        let to = path(m, 1)?;
        change(m, "rename", "file", |m, path| m.system.rename_file(path, &to))
    });
    machine.define_builtin("$working_directory", 1, |m| {
        let directory = m.system.working_directory().unwrap_or_default();
        let mut text = directory.to_string_lossy().into_owned();
        if !text.ends_with('/') {
            text.push('/');
        }
        let cell = Cell::atom(m.atoms.intern(&text));
        Ok(m.unify_argument(0, cell))
    });
    machine.define_builtin("$change_directory", 1, |m| {
        change(m, "chdir", "directory", |m, path| m.system.set_working_directory(path))
    });
    machine.define_builtin("directory_files", 2, |m| {
        let directory = m.argument(0);
        let path = path(m, 0)?;
        match m.system.directory_names(&path) {
            Ok(names) => {
                let cells: Vec<Cell> = names.iter().map(|name| Cell::atom(m.atoms.intern(name))).collect();
                let list = m.store.list(&cells, Cell::atom(atom::NIL));
                Ok(m.unify_argument(1, list))
            }
            Err(error) => file_error(m, "open", "directory", directory, &error),
        }
    });
}

fn exists(m: &mut Machine, accept: fn(FileFacts) -> bool) -> Outcome {
    let path = path(m, 0)?;
    Ok(m.system.file_facts(&path).is_ok_and(accept))
}

fn facts(m: &mut Machine) -> Result<FileFacts, Throw> {
    let file = m.argument(0);
    let path = path(m, 0)?;
    match m.system.file_facts(&path) {
        Ok(facts) => Ok(facts),
        Err(error) => file_error(m, "access", "file", file, &error),
    }
}

fn number(m: &mut Machine, number: &Number) -> Outcome {
    let cell = m.store.make_number(number);
    Ok(m.unify_argument(1, cell))
}

/// Does something with the file of the first argument.
fn change(
    m: &mut Machine,
    action: &str,
    kind: &str,
    act: impl FnOnce(&mut Machine, &Path) -> std::io::Result<()>,
) -> Outcome {
    let file = m.argument(0);
    let path = path(m, 0)?;
    match act(m, &path) {
        Ok(()) => Ok(true),
        Err(error) => file_error(m, action, kind, file, &error),
    }
}

/// What `open/4` may be told.
#[derive(Default)]
struct OpenOptions {
    alias: Option<Atom>,
    binary: bool,
    encoding: Encoding,
    /// Whether the text's first bytes tell, or shall tell, its encoding.
    mark: Option<bool>,
    eof_action: EofAction,
    reposition: Option<bool>,
}

fn open_options(m: &mut Machine, i: usize) -> Result<OpenOptions, Throw> {
    let mut options = OpenOptions::default();
    for option in list_argument(m, i)? {
        if option.tag() == Tag::Ref {
            return m.instantiation_error();
        }
        let Some((name, 1)) = m.store.functor(option) else { return m.domain_error("stream_option", option) };
        let value = m.store.argument(option, 0);
        if value.tag() == Tag::Ref {
            return m.instantiation_error();
        }
        let text = if value.tag() == Tag::Atm { m.atoms.text(value.as_atom()) } else { "" };
        match (m.atoms.text(name), text) {
            ("alias", _) if value.tag() == Tag::Atm => {
                let alias = value.as_atom();
                if m.streams.alias(alias).is_some() {
                    return m.permission_error("open", "source_sink", option);
                }
                options.alias = Some(alias);
            }
            ("type", "text") => options.binary = false,
            ("type", "binary") => options.binary = true,
            ("eof_action", "error") => options.eof_action = EofAction::Error,
            ("eof_action", "eof_code") => options.eof_action = EofAction::EofCode,
            ("eof_action", "reset") => options.eof_action = EofAction::Reset,
            ("reposition", "true") => options.reposition = Some(true),
            ("reposition", "false") => options.reposition = Some(false),
            ("encoding", name) if Encoding::named(name).is_some() => {
                options.encoding = Encoding::named(name).unwrap_or_default();
            }
            ("bom", "true") => options.mark = Some(true),
            ("bom", "false") => options.mark = Some(false),
            // What other systems know and what changes nothing here.
            ("buffer" | "create" | "lock" | "wait" | "close_on_abort" | "newline" | "locale", _) => {}
            _ => return m.domain_error("stream_option", option),
        }
    }
    Ok(options)
}

/// The path of an argument: an atom, or beyond the standard any text, also as a list of codes or characters, since that
/// is what text in double quotes may be.
pub(super) fn path(m: &mut Machine, i: usize) -> Result<PathBuf, Throw> {
    let cell = m.argument(i);
    match cell.tag() {
        Tag::Ref => m.instantiation_error(),
        Tag::Atm => Ok(PathBuf::from(m.atoms.text(cell.as_atom()))),
        Tag::Txt if !m.flags.strict => Ok(PathBuf::from(m.atoms.text(cell.as_atom()))),
        Tag::Lis if !m.flags.strict => match any_text(m, cell) {
            Some(text) => Ok(PathBuf::from(text)),
            None => m.domain_error("source_sink", cell),
        },
        _ => m.domain_error("source_sink", cell),
    }
}

fn open(m: &mut Machine, result: usize, options: Option<usize>) -> Outcome {
    let (source, mode) = (m.argument(0), m.argument(1));
    if source.tag() == Tag::Ref || mode.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    if mode.tag() != Tag::Atm {
        return m.type_error(atom::ATOM, mode);
    }
    if m.argument(result).tag() != Tag::Ref {
        let formal = m.store.compound(atom::UNINSTANTIATION_ERROR, &[m.argument(result)]);
        return m.throw_error(formal);
    }
    let (stream_mode, file_mode) = match m.atoms.text(mode.as_atom()) {
        "read" => (StreamMode::Read, FileMode::Read),
        "write" => (StreamMode::Write, FileMode::Write),
        "append" => (StreamMode::Append, FileMode::Append),
        // The standard has no such mode.
        "update" if !m.flags.strict => (StreamMode::Update, FileMode::Update),
        _ => return m.domain_error("io_mode", mode),
    };
    let file = path(m, 0)?;
    let options = match options {
        Some(i) => open_options(m, i)?,
        None => OpenOptions::default(),
    };
    let is_input = stream_mode == StreamMode::Read;
    let handle = match m.system.open_file(&file, file_mode) {
        Ok(handle) => handle,
        Err(error) => return file_error(m, "open", "source_sink", source, &error),
    };
    let has_places = match stream_mode {
        StreamMode::Read => true,
        StreamMode::Write | StreamMode::Update => m.system.seek_file(handle, 0).is_ok(),
        // Writing happens at the end, wherever the stream stands.
        StreamMode::Append => false,
    };
    if options.reposition == Some(true) && !has_places {
        m.system.close_file(handle);
        let name = m.atoms.intern("reposition");
        let culprit = m.store.compound(name, &[Cell::atom(atom::TRUE)]);
        return m.permission_error("open", "source_sink", culprit);
    }
    let mut stream = Stream::new(stream_mode, StreamPlace::File(handle));
    stream.file = Some(m.atoms.intern(&file.to_string_lossy()));
    stream.aliases.extend(options.alias);
    stream.binary = options.binary;
    stream.encoding = options.encoding;
    let text = !options.binary;
    stream.looks_for_mark = is_input && text && options.mark.unwrap_or(!m.flags.strict);
    if stream_mode == StreamMode::Write && text && options.mark == Some(true) {
        stream.write_mark();
    }
    stream.eof_action = options.eof_action;
    stream.reposition = has_places && options.reposition.unwrap_or(true);
    let id = m.streams.add(stream);
    let term = stream_term(m, id);
    Ok(m.unify_argument(result, term))
}

/// What the operating system says of a file, as an error term.
pub(super) fn file_error<T>(
    m: &mut Machine,
    action: &str,
    kind: &str,
    file: Cell,
    error: &std::io::Error,
) -> Result<T, Throw> {
    if error.kind() == ErrorKind::NotFound {
        m.existence_error(kind, file)
    } else {
        m.permission_error(action, kind, file)
    }
}
